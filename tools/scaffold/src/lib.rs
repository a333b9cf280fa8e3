//! Adds a problem: `cargo scaffold` writes its solution file and a first sample, `cargo sample` adds the judge's own.
//! Nothing is registered anywhere, and nothing is overwritten but the first sample, which is a placeholder.

pub mod clipboard;
pub mod package;
pub mod problem;
pub mod sample;

use anyhow::Result;
use std::process::ExitCode;

/// Ends a program: with what it has to say, or with the error in one sentence and exit code 1.
#[must_use]
pub fn finish(outcome: Result<String>) -> ExitCode {
    match outcome {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
