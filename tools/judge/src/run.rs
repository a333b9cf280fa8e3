//! Runs one program on one input, within limits.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use wait_timeout::ChildExt;

/// How many bytes of output are kept, so that a program that never stops printing does not fill the memory.
const MOST_OUTPUT: u64 = 1 << 28;

/// The memory, in bytes, above which a program counts as one that never stops asking for more.
const MOST_MEMORY: u64 = 4 << 30;

/// What a program may use before it is stopped.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time. Generous: it is there to end a hang, not to measure.
    pub time: Duration,
    /// Address space in bytes.
    pub memory: u64,
    /// Bytes of stdout that are kept, and the same of stderr. The program may print more: that is thrown away.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(20), memory: MOST_MEMORY, output: MOST_OUTPUT }
    }
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself and well.
    Success,
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal, which is named here, or by a panic of a solution that runs inside of the test. An executable that
    /// panics ends with a `Code`.
    Crash(String),
    /// Not by itself: it took longer than this.
    Killed(Duration),
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it complained about.
    pub stderr: Vec<u8>,
}

impl Outcome {
    /// What it printed.
    ///
    /// # Panics
    /// If it did not end well, with what it complained about.
    #[must_use]
    pub fn answer(self) -> String {
        let [stdout, stderr] = [self.stdout, self.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(self.ending == Ending::Success, "no answer: {stderr}");
        stdout
    }
}

/// Runs `program` with `input` on its standard input.
///
/// # Errors
/// If the program cannot be started or waited for. What the program itself does wrong is in the [`Outcome`].
///
/// # Panics
/// If a thread that reads the program's output panics.
pub fn run(program: &Path, input: &[u8], limits: Limits) -> io::Result<Outcome> {
    let mut child = Command::new(program)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", program.display())))?;
    // The solutions read before they ask for much memory, and there is no input yet. So this is early enough.
    limit_memory(&child, limits.memory)?;
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();

    // One thread per pipe. Otherwise the program may wait for us to read, while we wait for it to read.
    thread::scope(|scope| {
        scope.spawn(move || {
            // A program may stop reading when it has seen enough; the broken pipe is not its fault.
            let _ = stdin.map(|mut pipe| pipe.write_all(input));
        });
        let stdout = scope.spawn(move || read_all(stdout, limits.output));
        let stderr = scope.spawn(move || read_all(stderr, limits.output));
        let status = child.wait_timeout(limits.time)?;
        if status.is_none() {
            child.kill()?;
            child.wait()?;
        }
        let ending = match status {
            None => Ending::Killed(limits.time),
            Some(status) if status.success() => Ending::Success,
            // No code means that a signal ended it.
            Some(status) => status.code().map_or_else(|| Ending::Crash(status.to_string()), Ending::Code),
        };
        Ok(Outcome {
            ending,
            stdout: stdout.join().expect("the reader of stdout does not panic")?,
            stderr: stderr.join().expect("the reader of stderr does not panic")?,
        })
    })
}

/// Limits the address space of a program that runs.
#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, bytes: u64) -> io::Result<()> {
    use rustix::process::{prlimit, Pid, Resource, Rlimit};
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    match prlimit(Some(Pid::from_child(child)), Resource::As, limit) {
        // It has ended already.
        Err(rustix::io::Errno::SRCH) => Ok(()),
        limited => limited.map(drop).map_err(io::Error::from),
    }
}

/// `prlimit` is only used on Linux.
#[cfg(not(target_os = "linux"))]
#[allow(clippy::unnecessary_wraps, reason = "on Linux it can fail")]
fn limit_memory(_: &Child, _: u64) -> io::Result<()> {
    static SAID: std::sync::Once = std::sync::Once::new();
    SAID.call_once(|| println!("skipped: limits of memory, which are only set on Linux"));
    Ok(())
}

fn read_all(pipe: Option<impl Read>, kept: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.by_ref().take(kept).read_to_end(&mut bytes)?;
        // If the pipe were closed here, a program that never stops printing would end by itself, and some with success.
        // It has to be stopped when its time is over.
        io::copy(&mut pipe, &mut io::sink())?;
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_its_input_and_gives_its_output() {
        let outcome = run(Path::new("cat"), b"...\n", Limits::default()).unwrap();
        assert_eq!(outcome.stdout, b"...\n");
        assert_eq!(outcome.ending, Ending::Success);
    }

    #[test]
    fn more_than_a_pipe_holds_goes_both_ways_without_a_deadlock() {
        let input = vec![b'x'; 1 << 20];
        let outcome = run(Path::new("cat"), &input, Limits::default()).unwrap();
        assert!(outcome.stdout == input);
    }

    #[test]
    fn a_program_that_reads_nothing_is_not_an_error() {
        let input = vec![b'x'; 1 << 20];
        let outcome = run(Path::new("true"), &input, Limits::default()).unwrap();
        assert_eq!(outcome.ending, Ending::Success);
    }

    #[test]
    fn a_hang_is_killed() {
        let limits = Limits { time: Duration::from_millis(50), ..Limits::default() };
        // Without operands `yes` never ends, and it never waits for input either.
        assert_eq!(run(Path::new("yes"), b"", limits).unwrap().ending, Ending::Killed(limits.time));
    }

    #[test]
    fn a_program_that_never_stops_printing_is_killed_for_its_time_and_some_output_is_kept() {
        let limits = Limits { time: Duration::from_millis(500), output: 1 << 20, ..Limits::default() };
        let outcome = run(Path::new("yes"), b"", limits).unwrap();
        assert_eq!(outcome.ending, Ending::Killed(limits.time));
        assert_eq!(outcome.stdout.len(), 1 << 20);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_over_its_memory_limit_does_not_succeed() {
        let limits = Limits { memory: 16 << 20, ..Limits::default() };
        // It keeps what it reads until the end.
        let tail = |input: &[u8]| run(Path::new("tail"), input, limits).unwrap();
        assert_eq!(tail(b"1\n").ending, Ending::Success);
        assert_ne!(tail(&vec![b'x'; 64 << 20]).ending, Ending::Success);
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(Path::new("no/such/program"), b"", Limits::default()).unwrap_err();
        assert!(error.to_string().starts_with("no/such/program: "), "{error}");
    }
}
