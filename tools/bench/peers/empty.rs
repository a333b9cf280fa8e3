//! The floor under every small input: what a Rust program costs before its first line.
fn main() {}
