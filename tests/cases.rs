//! Runs every pair in `testdata/` through the real binary, one named test per case. While you edit, run `cargo test
//! boj_2615`. To add a case, put `<case>.in` and `<case>.out` into `testdata/<binary>/`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, process::ExitCode};

use judge::cases::{discover, executable, Case};
use judge::run::{run, Limits};
use judge::verdict::{excerpt, judge, text, Verdict};
use libtest_mimic::{Arguments, ColorSetting, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let colour = match arguments.color {
        Some(ColorSetting::Always) => true,
        Some(ColorSetting::Never) => false,
        // Looks whether stdout is a terminal, and respects NO_COLOR and its like.
        _ => anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never,
    };
    let (cases, faults) = discover(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("testdata/ and src/bin/ are readable");
    // Named after what is wrong, so that `cargo test <binary>` shows what is wrong with its data.
    let faults = faults.into_iter().map(|fault| {
        let name = fault.replace(concat!(env!("CARGO_MANIFEST_DIR"), "/"), "");
        Trial::test(name, move || Err(Failed::from(fault)))
    });
    let cases = cases.into_iter().map(|case| {
        let name = format!("{}::{}", case.binary, case.name);
        Trial::test(name, move || check(&case, colour))
    });
    let trials: Vec<Trial> = cases.chain(faults).collect();
    // Cargo calls it a success if a filter fits no test at all. But a filter that starts with a judge's name and is
    // part of no problem's name is a typing error. Only the part before `::` is looked at: what stands after it may be
    // a test of another file.
    if let Some(filter) = &arguments.filter {
        let like_a_problem = |trial: &Trial| {
            let judge = trial.name().split('_').next().unwrap_or_default();
            filter.strip_prefix(judge).map_or(false, |rest| rest.starts_with('_'))
        };
        let problem = filter.split("::").next().unwrap_or_default();
        let alike = trials.iter().filter(|&trial| like_a_problem(trial));
        let alike: BTreeSet<&str> = alike.filter_map(|trial| Some(trial.name().split_once("::")?.0)).collect();
        if !trials.iter().any(|trial| trial.name().contains(problem)) && !alike.is_empty() {
            let alike: Vec<&str> = alike.into_iter().collect();
            eprintln!("error: no problem has {problem:?} in its name; this judge has {}", alike.join(", "));
            return ExitCode::FAILURE;
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The sample that `cargo scaffold` writes.
const PLACEHOLDER: &[u8] = include_bytes!("../tools/scaffold/template/sample-1.in");

/// How many failures are shown in full; the others only give the verdict and what to run. After this many endless cases
/// of a binary, its other cases are not run.
const SHOWN: usize = 3;

fn check(case: &Case, colour: bool) -> Result<(), Failed> {
    static FAILURES: AtomicUsize = AtomicUsize::new(0);
    static ENDLESS: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let endless = || ENDLESS.lock().unwrap_or_else(PoisonError::into_inner);
    if endless().iter().filter(|&binary| *binary == case.binary).count() >= SHOWN {
        return Err(format!("not run, since {SHOWN} other cases of {} took too long", case.binary).into());
    }
    let input = fs::read(&case.input)?;
    let expected = fs::read(&case.output)?;
    let outcome = run(&executable(&case.binary), &input, Limits::default())?;
    let report = judge(&expected, &outcome);
    if report.verdict == Verdict::Accepted {
        return Ok(());
    }
    let (binary, name) = (&case.binary, &case.name);
    if report.verdict == Verdict::TimeLimitExceeded {
        endless().push(binary.clone());
    }
    let again = format!("cargo test {binary}::{name}");
    if FAILURES.fetch_add(1, Ordering::Relaxed) >= SHOWN {
        return Err(format!("{}, for the details: {again}", report.verdict).into());
    }
    let path = case.input.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&case.input).display();
    let placeholder = if input == PLACEHOLDER {
        format!("this sample is a placeholder; `cargo sample {binary}` puts the judge's in its place\n")
    } else {
        String::new()
    };
    let page = [
        report.render(colour),
        placeholder,
        format!("input: {path}\n{}", excerpt(&text(&input))),
        format!("run it again:\n  {again}\n  cargo run --quiet --bin {binary} < {path}\n"),
    ];
    Err(page.concat().into())
}
