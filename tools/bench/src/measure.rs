//! One program on one input: its answer, its instructions, its time, its memory.

use std::{
    env,
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use crate::{figures::Figures, programs::Program};

/// The place where programs run, one input at a time, and the tools that this machine has.
pub struct Bench {
    input: PathBuf,
    output: PathBuf,
    valgrind: bool,
    time: bool,
}

impl Bench {
    /// Works in `directory`, and names in `left_out` what cannot be measured here.
    pub fn new(directory: &Path, left_out: &mut Vec<String>) -> Self {
        let mut has = |tool: &str, what: &str| {
            let found = Command::new(tool).arg("--version").output().is_ok();
            if !found {
                left_out.push(format!("{what}: the program {tool} is not installed"));
            }
            found
        };
        Self {
            input: directory.join("input"),
            output: directory.join("output"),
            valgrind: has("valgrind", "instructions and targets"),
            time: has("time", "peak memory"),
        }
    }

    /// Makes `input` the one that programs read from now on.
    pub fn give(&self, input: &str) -> Result<()> {
        Ok(fs::write(&self.input, input)?)
    }

    /// What `program` prints; it must end well.
    pub fn answer(&self, program: &Program) -> Result<Vec<u8>> {
        let output = self.command(&program.command)?.output()?;
        ensure!(output.status.success(), "{:?} fails", program.command);
        Ok(output.stdout)
    }

    /// Everything about all `programs`, each timed `runs` times.
    pub fn measure(&self, programs: &[Program], runs: usize) -> Result<Vec<Figures>> {
        let times = self.times(programs, runs)?;
        programs
            .iter()
            .zip(times)
            .map(|(program, times)| {
                Ok(Figures {
                    kind: program.kind,
                    instructions: self.instructions(program)?,
                    times,
                    memory: self.memory(program)?,
                })
            })
            .collect()
    }

    /// The instructions that callgrind counts. Those of the kernel are left out, so a busy machine does not change the
    /// count.
    pub fn instructions(&self, program: &Program) -> Result<Option<u64>> {
        if !self.valgrind {
            return Ok(None);
        }
        let report = self.under(&["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"], program)?;
        let count = report.rsplit("Collected :").next();
        let count = count.and_then(|count| count.split_whitespace().next());
        Ok(Some(count.context("callgrind gives no count")?.parse()?))
    }

    /// Peak resident memory in KiB. A new process starts with the peak of the process that started it. So `time` starts
    /// the program, since it is smaller than anything measured here.
    fn memory(&self, program: &Program) -> Result<Option<u64>> {
        if !self.time {
            return Ok(None);
        }
        let report = self.under(&["time", "-f", "%M"], program)?;
        Ok(Some(report.trim().parse()?))
    }

    /// Shortest and median time of each program. They take turns, so that a busy moment of the machine falls on all,
    /// and write to a file.
    fn times(&self, programs: &[Program], runs: usize) -> Result<Vec<(Duration, Duration)>> {
        let mut times = vec![Vec::new(); programs.len()];
        for _ in 0..runs {
            for (program, times) in programs.iter().zip(&mut times) {
                let mut command = self.command(&program.command)?;
                command.stdout(File::create(&self.output)?);
                let start = Instant::now();
                command.status()?;
                times.push(start.elapsed());
            }
        }
        for times in &mut times {
            times.sort_unstable();
        }
        Ok(times.iter().map(|times| (times[0], times[runs / 2])).collect())
    }

    /// What `wrapper` writes to standard error about `program`.
    fn under(&self, wrapper: &[&str], program: &Program) -> Result<String> {
        let words = wrapper.iter().map(OsStr::new);
        let words: Vec<_> = words.chain(program.command.iter().map(AsRef::as_ref)).collect();
        let output = self.command(&words)?.stdout(Stdio::null()).output()?;
        ensure!(output.status.success(), "{words:?} fails");
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn command<Word: AsRef<OsStr>>(&self, words: &[Word]) -> Result<Command> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(File::open(&self.input)?);
        // The loader reads every variable, and cargo sets many: without them a count is the same from any shell.
        command.env_clear().envs(env::var_os("PATH").map(|path| ("PATH", path)));
        Ok(command)
    }
}
