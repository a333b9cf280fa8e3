//! Runs one program on one input, within limits.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use wait_timeout::ChildExt;

/// More output than this is cut off, so that a program that never stops printing cannot take the machine with it.
const MOST_OUTPUT: u64 = 1 << 28;

/// What a program may use before it is stopped.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall-clock time. Generous: it is there to end a hang, not to measure.
    pub time: Duration,
    /// Address space in KiB, if it is limited.
    pub memory_kib: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(20), memory_kib: None }
    }
}

/// What a program did.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended, or `None` if it had to be killed.
    pub status: Option<ExitStatus>,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it complained about.
    pub stderr: Vec<u8>,
}

/// Runs `program` with `input` on its standard input.
///
/// # Errors
/// If the program cannot be started or waited for. What the program itself does wrong is in the [`Outcome`].
///
/// # Panics
/// If a thread that reads the program's output does.
pub fn run(program: &Path, input: &[u8], limits: Limits) -> io::Result<Outcome> {
    let mut command = match limits.memory_kib {
        // The shell sets the limit, since doing so between fork and exec would take unsafe code here.
        Some(kib) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", r#"ulimit -v "$1" && exec "$0""#]);
            shell.arg(program).arg(kib.to_string());
            shell
        }
        None => Command::new(program),
    };
    let mut child = command
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();

    // One thread per pipe, because a program that waits for us to read while we wait for it to read never ends.
    thread::scope(|scope| {
        scope.spawn(move || {
            // A program may stop reading when it has seen enough; the broken pipe is not its fault.
            let _ = stdin.map(|mut pipe| pipe.write_all(input));
        });
        let stdout = scope.spawn(move || read_all(stdout));
        let stderr = scope.spawn(move || read_all(stderr));
        let status = child.wait_timeout(limits.time)?;
        if status.is_none() {
            child.kill()?;
            child.wait()?;
        }
        Ok(Outcome {
            status,
            stdout: stdout.join().expect("the reader of stdout does not panic")?,
            stderr: stderr.join().expect("the reader of stderr does not panic")?,
        })
    })
}

fn read_all(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(MOST_OUTPUT).read_to_end(&mut bytes)?;
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
        assert!(outcome.status.unwrap().success());
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
        assert!(outcome.status.unwrap().success());
    }

    #[test]
    fn a_hang_is_killed() {
        let limits = Limits { time: Duration::from_millis(50), ..Limits::default() };
        // Without operands `yes` never ends, and it never waits for input either.
        assert!(run(Path::new("yes"), b"", limits).unwrap().status.is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_over_its_memory_limit_does_not_succeed() {
        let limits = Limits { memory_kib: Some(512), ..Limits::default() };
        let outcome = run(Path::new("cat"), b"", limits).unwrap();
        assert!(!outcome.status.unwrap().success());
    }
}
