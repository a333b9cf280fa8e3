//! Makes each solution a module whose `solve` can be called, so that the solutions need not be public for a fuzzer.

use std::{env, fs, path::Path};

fn main() {
    let solutions = Path::new("../src/bin");
    println!("cargo:rerun-if-changed={}", solutions.display());
    let target = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for entry in fs::read_dir(solutions).expect("src/bin is readable") {
        let path = entry.expect("src/bin is readable").path();
        // No target is about a solution of several files.
        if path.is_dir() {
            continue;
        }
        let source = fs::read_to_string(&path).expect("a solution is text");
        // `include!` takes no inner attributes, and those of a solution only document it.
        let module: String = source
            .lines()
            .filter(|line| !line.starts_with("//!") && !line.starts_with("#!["))
            .map(|line| line.replacen("fn solve(", "pub fn solve(", 1) + "\n")
            .collect();
        let name = path.file_name().expect("a file has a name");
        fs::write(Path::new(&target).join(name), module).expect("OUT_DIR is writable");
    }
}
