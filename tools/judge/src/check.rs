//! Holds programs to their oracles, in this process or as executables. Says how many inputs were tried, or shows what
//! is wrong.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::io::{Cursor, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{mpsc, Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestError, TestRunner};

use crate::generate::{self, Input};
use crate::hostile;
use crate::oracle::{self, Answer, Oracle, Refusal, Right};
use crate::run::{run, Ending, Limits, Outcome};
use crate::verdict::{excerpt, judge, text, Report, Verdict};

/// How long a solution, or its oracle, may take for one small input before it counts as endless.
const ENDLESS: Duration = Duration::from_mins(1);

/// The memory, in bytes, above which a solution in this process counts as one that never stops asking for more.
const MOST_MEMORY_IN_PROCESS: u64 = 1 << 30;

thread_local! {
    /// What a solution or an oracle has panicked with.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    /// While it is true, a panic is kept in `PANIC` and not printed.
    static CHECKING: Cell<bool> = const { Cell::new(false) };
}

/// What a solution does with this input, run in memory as its `main` would run it.
pub fn outcome<E: Display>(
    input: &[u8],
    solution: impl FnOnce(Cursor<Vec<u8>>, &mut Vec<u8>) -> Result<Option<String>, E>,
) -> Outcome {
    let mut stdout = Vec::new();
    let (ending, stderr) = match quietly(|| solution(Cursor::new(input.to_vec()), &mut stdout)) {
        Ok(Ok(None)) => (Ending::Success, String::new()),
        Ok(Ok(Some(warning))) => (Ending::Success, format!("warning: {warning}\n")),
        Ok(Err(error)) => (Ending::Code(1), format!("error: {error}\n")),
        Err(panic) => (Ending::Crash("it panicked".to_string()), panic),
    };
    Outcome { ending, stdout, stderr: stderr.into_bytes() }
}

/// What comes of the work, or what it panicked with. Shrinking a failure meets the same panic a hundred times: it is
/// shown once, in the report.
fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if CHECKING.get() {
                PANIC.set(Some(panic.to_string()));
            } else {
                usual(panic);
            }
        }));
    });
    let before = CHECKING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CHECKING.set(before);
    result.map_err(|_| PANIC.take().unwrap_or_default())
}

/// Like [`outcome`], for a solution that prints all of its answer at the end: nothing leaves its buffer if it refuses.
pub fn buffered<E: Display>(
    input: &[u8],
    solution: impl FnOnce(Cursor<Vec<u8>>, &mut Vec<u8>) -> Result<Option<String>, E>,
) -> Outcome {
    let mut outcome = outcome(input, solution);
    if outcome.ending != Ending::Success {
        outcome.stdout.clear();
    }
    outcome
}

/// Ends the test with this page and without a panic's own message, which would name a line of this file.
fn fail(page: String) -> ! {
    print!("\n{page}\n");
    panic::resume_unwind(Box::new(page))
}

/// Runs a check on random values. A failing one is made smaller.
///
/// # Panics
/// If the check fails.
pub fn random<S: Strategy>(cases: u32, strategy: S, check: impl Fn(S::Value) -> TestCaseResult) {
    let quiet = |value| quietly(|| check(value)).unwrap_or_else(|panic| Err(TestCaseError::fail(panic)));
    match runner(cases).run(&strategy, quiet) {
        Ok(()) => {}
        // A line for every row: `{:#?}` has one for every cell.
        Err(TestError::Fail(reason, value)) => {
            let rows = format!("{value:?}").replace("], [", "],\n  [");
            fail(format!("{reason}\nfor this, made smaller:\n  {rows}"))
        }
        Err(abort) => panic!("{abort}"),
    }
}

/// Seeds of failures are not kept: the failing input itself is saved or printed.
fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

/// Holds a solution to a brute force on a thousand random inputs.
///
/// # Panics
/// If they differ, with both answers to the smallest such input.
pub fn brute_force(
    binary: &str,
    inputs: impl Strategy<Value = String>,
    brute_force: impl Fn(&str) -> String,
    solution: impl Fn(&[u8]) -> Outcome + Sync,
) {
    let cases = 1_000;
    let oracle = |input: &[u8]| Ok(Right { printed: brute_force(&text(input)), stray_words: false });
    let inputs = inputs.prop_map(|input| Input(input.into_bytes()));
    Check { binary, program: None, kind: "random" }.compare(cases, inputs, oracle, |input| Ok(solution(input)));
    println!("checked: {binary}: {cases} random inputs against the brute force");
}

/// Checks a solution against its oracle on random inputs, and prints how many of them were valid.
///
/// # Panics
/// If they differ, or if fewer than `valid` of the inputs were valid ones.
pub fn agreement(binary: &str, valid: u32, solution: impl Fn(&[u8]) -> Outcome + Sync) {
    let answered = Check { binary, program: None, kind: "random" }.agree(valid, |input| Ok(solution(input)));
    println!("checked: {binary}: {answered} random valid inputs against the oracle");
}

/// The same for an executable: the binary's cargo build, or its paste.
///
/// # Panics
/// If they differ, or if fewer than `valid` of the inputs were valid ones.
pub fn agreement_of(program: &Path, binary: &str, valid: u32) {
    let check = Check { binary, program: Some(program), kind: "random" };
    let answered = check.agree(valid, |input| run(program, input, Limits::default()));
    println!("checked: {}: {answered} random valid inputs against the oracle", file_name(program));
}

/// Checks a solution against its oracle on broken versions of random inputs, and prints how many.
///
/// # Panics
/// If they differ.
pub fn hostility(binary: &str, solution: impl Fn(&[u8]) -> Outcome + Sync) {
    let (oracle, inputs) = known(binary);
    let cases = 5_000;
    let check = Check { binary, program: None, kind: "broken" };
    check.compare(cases, hostile::broken(inputs), oracle, |input| Ok(solution(input)));
    println!("checked: {binary}: {cases} random broken inputs against the oracle");
}

/// The path as one would type it here.
fn relative(path: &Path) -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).to_path_buf()
}

/// The name of an executable. It may have dots in it, as in `boj_2615_omok-1.63.0-2015`.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.strip_suffix(env::consts::EXE_SUFFIX).unwrap_or(&name).to_owned()
}

fn known(binary: &str) -> (Oracle, BoxedStrategy<Input>) {
    let oracle = oracle::of(binary).expect("this problem has an oracle");
    let inputs = generate::inputs(binary).expect("this problem has a generator");
    (oracle, inputs)
}

/// A program that is held to an oracle.
pub(crate) struct Check<'a> {
    /// The binary of its problem.
    pub binary: &'a str,
    /// The executable, unless it runs in this process.
    pub program: Option<&'a Path>,
    /// The kind of inputs. The file of a failing one gets this name.
    pub kind: &'a str,
}

impl Check<'_> {
    fn agree(&self, valid: u32, program: impl Fn(&[u8]) -> io::Result<Outcome> + Sync) -> u32 {
        let (oracle, inputs) = known(self.binary);
        let answered = Cell::new(0);
        let counting = |input: &[u8]| {
            let answer = oracle(input);
            answered.set(answered.get() + u32::from(answer.is_ok()));
            answer
        };
        // A few inputs are there to be refused.
        self.compare(valid + valid / 5, inputs, counting, program);
        let answered = answered.get();
        assert!(answered >= valid, "only {answered} inputs were valid, and {valid} have to be");
        answered
    }

    /// Runs the program on random inputs and panics with a report if it ever differs from the oracle.
    pub fn compare(
        &self,
        cases: u32,
        inputs: impl Strategy<Value = Input>,
        oracle: impl Fn(&[u8]) -> Answer,
        program: impl Fn(&[u8]) -> io::Result<Outcome> + Sync,
    ) {
        thread::scope(|scope| {
            let program =
                if self.program.is_some() { Runnable::Here(&program) } else { Runnable::start(scope, &program) };
            self.search(cases, inputs, oracle, &program);
        });
    }

    fn search(
        &self,
        cases: u32,
        inputs: impl Strategy<Value = Input>,
        oracle: impl Fn(&[u8]) -> Answer,
        program: &Runnable<'_>,
    ) {
        let watch = self.watch(ENDLESS, MOST_MEMORY_IN_PROCESS);
        let differs = |input: &[u8]| {
            let watched = |who| watch.iter().for_each(|watch| watch.now(who, input));
            watched(Who::Solution);
            let outcome = program.run(input).unwrap_or_else(|error| panic!("{error}"));
            watched(Who::Oracle);
            match quietly(|| oracle(input)) {
                Ok(expected) => behaves(&expected, &outcome).err().map(|report| (expected, report)),
                Err(panic) => {
                    let report = Report::unknown(&format!("the oracle or the brute force itself {panic}"), &outcome);
                    Some((Err(Refusal::default()), report))
                }
            }
        };
        let result = runner(cases).run(&inputs, |Input(input)| match differs(&input) {
            None => Ok(()),
            Some(_) => Err(TestCaseError::fail("")),
        });
        match result {
            Ok(()) => {}
            Err(TestError::Abort(why)) => panic!("{why}"),
            Err(TestError::Fail(_, Input(input))) => match differs(&input) {
                Some((expected, report)) => self.fail(self.describe(&input, &expected, &report)),
                None => panic!("{}: a {} input failed once, but not when it was tried again", self.binary, self.kind),
            },
        }
    }

    /// Starts a thread that ends the tests with a report if one input takes too long or too much memory. Every input
    /// has to be told to it. Executables need no such thread: they are run within limits.
    fn watch(&self, time: Duration, memory: u64) -> Option<Watch> {
        if self.program.is_some() {
            return None;
        }
        let watch = Watch(Arc::new(Mutex::new((Who::Solution, Vec::new(), Instant::now()))));
        let watched = Arc::downgrade(&watch.0);
        let (binary, kind) = (self.binary.to_owned(), self.kind.to_owned());
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(20));
                // If there is nothing to watch any more, the test is over.
                let Some(watched) = watched.upgrade() else { return };
                let (who, input, since) = watched.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let what = match memory_used().filter(|&used| used >= memory) {
                    Some(used) => {
                        let used = used / 1_000_000;
                        // Tests that run side by side share the memory.
                        let alone = "if this test passes alone, add `-- --test-threads=1` to `cargo test`";
                        format!(
                            "{}{used} MB are in use on this input; {alone}",
                            who.verdict("MLE, or endless recursion")
                        )
                    }
                    None if since.elapsed() >= time => {
                        format!("{}still running on this input after {time:?}", who.verdict("TLE"))
                    }
                    None => continue,
                };
                let check = Check { binary: &binary, program: None, kind: &kind };
                let again = check.again(&input, &Err(Refusal::default()));
                let page = format!("\n{binary}: {what}\ninput:\n{}{again}", excerpt(&text(&input)));
                // The harness keeps what `eprint!` prints until the test ends, and this one never does.
                let _ = io::stderr().write_all(page.as_bytes());
                std::process::exit(1);
            }
        });
        Some(watch)
    }

    fn fail(&self, page: String) -> ! {
        // The harness of the tests that run executables prints the page itself.
        if self.program.is_some() {
            panic::resume_unwind(Box::new(page))
        }
        fail(page)
    }

    /// All that helps to understand a failure.
    fn describe(&self, input: &[u8], expected: &Answer, report: &Report) -> String {
        // What was broken at random may still be valid.
        let kind = if self.kind == "broken" && expected.is_ok() { "valid" } else { self.kind };
        [
            format!("{}: a {kind} input, made smaller\n", self.binary),
            report.render(false),
            format!("input:\n{}", excerpt(&text(input))),
            self.again(input, expected),
        ]
        .concat()
    }

    /// Saves an input, and says how to run it again and how to keep it.
    fn again(&self, input: &[u8], expected: &Answer) -> String {
        let (binary, kind) = (self.binary, self.kind);
        let (saved, answer) = match self.save(input, expected) {
            Ok(saved) => saved,
            Err(error) => return format!("the input could not be saved: {error}\n"),
        };
        let saved = saved.display();
        let is_example = Path::new("examples").join(binary).with_extension("rs").is_file();
        let program = match self.program {
            Some(program) => relative(program).display().to_string(),
            None if is_example => format!("cargo run --quiet --example {binary}"),
            None => format!("cargo run --quiet --bin {binary}"),
        };
        let keep = answer.filter(|_| !is_example).map_or(String::new(), |answer| {
            let answer = answer.display();
            let taken = |number: &u32| Path::new("testdata").join(binary).join(format!("{kind}-{number}.in")).exists();
            let number = (1..1000).find(|number| !taken(number)).unwrap_or(1000);
            format!("keep it as a test:\n  cargo sample {binary} {kind}-{number} --in {saved} --out {answer}\n")
        });
        format!("run it again:\n  {program} < {saved}\n{keep}")
    }

    /// Writes the input and its answer, if it has one, beside what cargo builds, and returns the paths.
    fn save(&self, input: &[u8], expected: &Answer) -> io::Result<(PathBuf, Option<PathBuf>)> {
        let test = env::current_exe()?;
        // Above the directory `deps`, where cargo puts tests.
        let built = test.ancestors().nth(2).unwrap_or(&test);
        let directory = built.join("failures").join(self.binary);
        fs::create_dir_all(&directory)?;
        let [saved, answer] = ["in", "out"].map(|end| directory.join(self.kind).with_extension(end));
        fs::write(&saved, input)?;
        if let Ok(right) = expected {
            fs::write(&answer, &right.printed)?;
            return Ok((relative(&saved), Some(relative(&answer))));
        }
        // There may be one of an earlier failure.
        let _ = fs::remove_file(&answer);
        Ok((relative(&saved), None))
    }
}

/// Who is at work on an input.
#[derive(Clone, Copy)]
enum Who {
    Solution,
    Oracle,
}

impl Who {
    /// The start of a report. A verdict is about the solution only.
    fn verdict(self, verdict: &str) -> String {
        match self {
            Who::Solution => format!("{verdict}: "),
            Who::Oracle => "no verdict: the oracle or the brute force itself takes too much: ".to_owned(),
        }
    }
}

/// Who is at work, the input that is being tried, and since when.
struct Watch(Arc<Mutex<(Who, Vec<u8>, Instant)>>);

impl Watch {
    fn now(&self, who: Who, input: &[u8]) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (who, input.to_vec(), Instant::now());
    }
}

/// Runs a solution in this process, or an executable, on an input.
type Program<'p> = &'p (dyn Fn(&[u8]) -> io::Result<Outcome> + Sync);

/// A program that can be run, and where it runs. A solution in this process gets, where possible, far more stack than
/// [`MOST_MEMORY_IN_PROCESS`]. Then, if a recursion never ends, the thread that watches the memory sees it before the
/// stack overflows, and can still show the input.
enum Runnable<'p> {
    /// In a thread of its own, which gets inputs and sends what came of them.
    InOwnThread(mpsc::Sender<Vec<u8>>, mpsc::Receiver<thread::Result<io::Result<Outcome>>>),
    /// In the thread that asks, with the stack that there is. An executable has a stack of its own.
    Here(Program<'p>),
}

impl<'p> Runnable<'p> {
    /// Starts the thread if the system grants so much stack. Only on Linux: elsewhere the memory in use cannot be read,
    /// so the thread would be of no use.
    fn start<'s>(scope: &'s thread::Scope<'s, 'p>, program: Program<'p>) -> Self {
        let (ask, asked) = mpsc::channel::<Vec<u8>>();
        let (tell, told) = mpsc::channel();
        let answer = move || {
            for input in asked {
                // Nobody waits for the answer if the test has failed.
                let _ = tell.send(panic::catch_unwind(AssertUnwindSafe(|| program(&input))));
            }
        };
        let stack = thread::Builder::new().stack_size(4 << 30);
        match cfg!(target_os = "linux").then(|| stack.spawn_scoped(scope, answer)) {
            Some(Ok(_)) => Runnable::InOwnThread(ask, told),
            _ => Runnable::Here(program),
        }
    }

    fn run(&self, input: &[u8]) -> io::Result<Outcome> {
        match self {
            Runnable::InOwnThread(ask, told) => {
                ask.send(input.to_vec()).expect("the thread ends with the test");
                let outcome = told.recv().expect("the thread ends with the test");
                outcome.unwrap_or_else(|panic| panic::resume_unwind(panic))
            }
            Runnable::Here(program) => program(input),
        }
    }
}

/// How much memory this process has, where the system says so.
fn memory_used() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Whether a program did on an input what it must. It must end by itself. If the oracle answers, it must print that
/// answer, with one line of warning on stderr if words follow the input. If the oracle refuses, it must end with a
/// non-zero exit code and one line on stderr that says where.
///
/// # Errors
/// What it did instead.
pub fn behaves(expected: &Answer, outcome: &Outcome) -> Result<(), Report> {
    let wrong = |note: &str| Err(Report::wrong(note, outcome));
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    match (expected, &outcome.ending) {
        (Err(refusal), Ending::Code(_)) => {
            if !is_line("error: ", &stderr) {
                wrong("it refused, but not with one line that says where")
            } else if !refusal.printed.as_bytes().starts_with(&outcome.stdout) {
                wrong("it refused, but what it had printed before is wrong")
            } else {
                Ok(())
            }
        }
        (Err(_), Ending::Success) => wrong("the input breaks a rule, so it must be refused"),
        (Err(_), _) => Err(judge(b"", outcome)),
        (Ok(right), _) => {
            let report = judge(right.printed.as_bytes(), outcome);
            if report.verdict != Verdict::Accepted {
                Err(report)
            } else if outcome.stdout != right.printed.as_bytes() {
                wrong("the answer is right, but its lines end with \\r\\n")
            } else if right.stray_words && !is_line("warning: ", &stderr) {
                wrong("words follow the input, but it did not warn of them with one line that says where")
            } else if !right.stray_words && !stderr.is_empty() {
                wrong("the answer is right, but it still complained")
            } else {
                Ok(())
            }
        }
    }
}

/// Whether a message is one line that begins with `start` and names a place. Any digit counts as a place.
fn is_line(start: &str, message: &str) -> bool {
    let line = message.strip_suffix('\n').and_then(|line| line.strip_prefix(start));
    line.is_some_and(|line| !line.contains('\n') && line.contains(|letter: char| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(ending: Ending, stdout: &str, stderr: &str) -> Outcome {
        Outcome { ending, stdout: stdout.into(), stderr: stderr.into() }
    }

    #[allow(clippy::unnecessary_wraps, reason = "an oracle may refuse")]
    fn answer(printed: &str, stray_words: bool) -> Answer {
        Ok(Right { printed: printed.to_string(), stray_words })
    }

    fn refusal(printed: &str) -> Answer {
        let printed = printed.to_string();
        Err(Refusal { printed })
    }

    const REFUSED: Ending = Ending::Code(1);
    const ERROR: &str = "error: line 1\n";
    const WARNING: &str = "warning: line 1\n";

    #[test]
    fn the_right_answer_and_a_refusal_in_one_line_are_good() {
        for (expected, outcome) in [
            (answer("7\n", false), ended(Ending::Success, "7\n", "")),
            (answer("7\n", true), ended(Ending::Success, "7\n", WARNING)),
            (refusal(""), ended(REFUSED, "", ERROR)),
            (refusal("....\n"), ended(REFUSED, "..", ERROR)),
        ] {
            assert!(behaves(&expected, &outcome).is_ok(), "{outcome:?}");
        }
    }

    #[test]
    fn a_wrong_answer_a_missing_one_and_one_too_many_are_caught() {
        for (expected, outcome) in [
            (answer("7\n", false), ended(Ending::Success, "8\n", "")),
            (answer("7\n", false), ended(Ending::Success, "7", "")),
            (answer("7\n", false), ended(Ending::Success, "7\r\n", "")),
            (answer("7\n", false), ended(Ending::Success, "7\n", WARNING)),
            (answer("7\n", true), ended(Ending::Success, "7\n", "")),
            (answer("7\n", true), ended(Ending::Success, "7\n", ERROR)),
            (answer("7\n", true), ended(REFUSED, "7\n", ERROR)),
            (answer("7\n", false), ended(REFUSED, "", ERROR)),
            (refusal(""), ended(Ending::Success, "7\n", "")),
            (refusal(""), ended(REFUSED, "7\n", ERROR)),
        ] {
            assert!(behaves(&expected, &outcome).is_err(), "{outcome:?}");
        }
    }

    #[test]
    fn a_refusal_without_one_line_that_names_a_place_is_caught() {
        for stderr in ["", "error: line 1", "error: bad input\n", "error: line 1\nline 2\n", "line 1\n"] {
            assert!(behaves(&refusal(""), &ended(REFUSED, "", stderr)).is_err(), "{stderr:?}");
        }
    }

    #[test]
    fn a_crash_and_a_hang_are_caught() {
        for ending in [Ending::Crash("signal: 6".to_string()), Ending::Killed(ENDLESS)] {
            assert!(behaves(&refusal(""), &ended(ending, "", ERROR)).is_err());
        }
    }

    /// Doubles numbers below 3, wrongly adds 2 to all others, and panics at 7.
    fn wrong(input: &[u8]) -> Outcome {
        outcome(input, |mut reader, out| {
            let number: u32 = io::read_to_string(&mut reader).unwrap().trim().parse().unwrap();
            assert_ne!(number, 7, "not seven");
            writeln!(out, "{}", if number < 3 { number * 2 } else { number + 2 })?;
            io::Result::Ok(None)
        })
    }

    fn failure(binary: &str, numbers: std::ops::RangeInclusive<u32>) -> String {
        let inputs = numbers.prop_map(|number| format!("{number}\n"));
        let double = |input: &str| format!("{}\n", input.trim().parse::<u32>().unwrap() * 2);
        let panic = panic::catch_unwind(|| brute_force(binary, inputs, double, wrong)).unwrap_err();
        panic.downcast_ref::<String>().unwrap().clone()
    }

    #[test]
    fn a_failure_shows_the_smallest_input_with_both_answers_and_saves_it_as_a_pair() {
        let page = failure("some_binary", 0..=6);
        assert!(page.contains("some_binary: a random input, made smaller\nWA: line 1"), "{page}");
        assert!(page.contains(">    1 | 6        | 5\n"), "{page}");
        assert!(page.contains("input:\n  3\nrun it again:\n  cargo run --quiet --bin some_binary < "), "{page}");
        let paths = page.rsplit("--in ").next().unwrap().trim_end().split(" --out ");
        let saved = paths.map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(saved.collect::<Vec<_>>(), ["3\n", "6\n"]);
    }

    #[test]
    fn a_brute_force_that_panics_is_shown_with_its_input() {
        let inputs = (0..=9_u32).prop_map(|number| format!("{number}\n"));
        let double =
            |input: &str| format!("{}\n", 2 * ["0", "1"].iter().position(|&known| known == input.trim()).unwrap());
        let panic = panic::catch_unwind(|| brute_force("odd_binary", inputs, double, wrong)).unwrap_err();
        let page = panic.downcast_ref::<String>().unwrap();
        assert!(page.contains("no verdict: the oracle or the brute force itself panicked at"), "{page}");
        assert!(page.contains("input:\n  2\nrun it again:\n"), "{page}");
    }

    /// What is printed on stderr with these limits of time and memory. `test` is the name of the test that calls this.
    /// The report ends the process, so the test runs itself in another one.
    fn page_of(test: &str, who: Who, time: Duration, memory: u64) -> String {
        if env::var_os("ENDLESS").is_some() {
            let check = Check { binary: "endless_binary", program: None, kind: "random" };
            let watch = check.watch(time, memory).unwrap();
            watch.now(who, b"8 9\n");
            thread::sleep(ENDLESS);
            panic!("the watch did not end this process");
        }
        in_another_process(test)
    }

    /// What a test prints on stderr where `ENDLESS` is set.
    fn in_another_process(test: &str) -> String {
        let mut again = std::process::Command::new(env::current_exe().unwrap());
        let output = again.env("ENDLESS", "1").args(["--exact", &format!("check::tests::{test}")]).output().unwrap();
        assert!(!output.status.success());
        text(&output.stderr)
    }

    #[test]
    fn an_endless_loop_is_shown_with_its_input() {
        let test = "an_endless_loop_is_shown_with_its_input";
        let page = page_of(test, Who::Solution, Duration::from_millis(50), u64::MAX);
        assert!(
            page.contains("endless_binary: TLE: still running on this input after 50ms\ninput:\n  8 9\n"),
            "{page}"
        );
        assert!(page.contains("run it again:\n  cargo run --quiet --bin endless_binary < "), "{page}");
    }

    #[test]
    fn an_endless_brute_force_is_not_blamed_on_the_solution() {
        let test = "an_endless_brute_force_is_not_blamed_on_the_solution";
        let page = page_of(test, Who::Oracle, Duration::from_millis(50), u64::MAX);
        assert!(page.contains("endless_binary: no verdict: the oracle or the brute force itself takes too"), "{page}");
        assert!(!page.contains("TLE"), "{page}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn endless_memory_is_shown_with_its_input() {
        let page = page_of("endless_memory_is_shown_with_its_input", Who::Solution, ENDLESS, 1);
        assert!(page.contains(" MB are in use on this input; ") && page.contains("\ninput:\n  8 9\n"), "{page}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn endless_recursion_is_shown_with_its_input() {
        #[allow(unconditional_recursion, reason = "it is what is tested")]
        fn fall(depth: &[u64; 64]) -> u64 {
            depth[0] + fall(&std::hint::black_box([depth[1] + 1; 64])) + depth[2]
        }
        if env::var_os("ENDLESS").is_some() {
            let check = Check { binary: "endless_binary", program: None, kind: "random" };
            let input = proptest::strategy::Just(Input(b"8 9\n".to_vec()));
            check.compare(
                1,
                input,
                |_| panic!("it is not asked"),
                |_| Err(io::Error::other(fall(&[0; 64]).to_string())),
            );
        }
        let page = in_another_process("endless_recursion_is_shown_with_its_input");
        assert!(page.contains("endless_binary: MLE, or endless recursion: ") && page.contains("\n  8 9\n"), "{page}");
    }

    #[test]
    fn a_law_that_fails_shows_its_board_row_by_row() {
        let law = || random(1, proptest::strategy::Just([[0, 1], [2, 3]]), |_| Err(TestCaseError::fail("turned")));
        let panic = panic::catch_unwind(law).unwrap_err();
        let page = panic.downcast_ref::<String>().unwrap();
        assert!(page.ends_with("turned\nfor this, made smaller:\n  [[0, 1],\n  [2, 3]]"), "{page}");
    }

    #[test]
    fn a_panic_is_a_runtime_error_with_its_message_and_place() {
        let page = failure("panicking_binary", 7..=7);
        assert!(page.contains("RE: it panicked; nothing was printed\n"), "{page}");
        assert!(page.contains("src/check.rs:") && page.contains("not seven"), "{page}");
    }
}
