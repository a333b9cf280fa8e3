//! The text on the clipboard, from whatever program this machine has for it.

use anyhow::{Result, bail};
use std::io::ErrorKind;
use std::process::{Command, Stdio};

/// For macOS, Wayland, X11 (two), Windows and its subsystem for Linux, in the order in which they are tried.
const READERS: [(&str, &[&str]); 5] = [
    ("pbpaste", &[]),
    ("wl-paste", &["--no-newline"]),
    ("xclip", &["-selection", "clipboard", "-out"]),
    ("xsel", &["--clipboard", "--output"]),
    (
        "powershell.exe",
        &["-NoProfile", "-Command", "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw"],
    ),
];

/// Reads the clipboard with the first program that can.
///
/// # Errors
/// If there is no such program, or none of them finds any text.
pub fn read() -> Result<String> {
    let mut failures = Vec::new();
    for (program, arguments) in READERS {
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        match output {
            Ok(output) if output.status.success() && !output.stdout.trim_ascii().is_empty() => {
                return Ok(String::from_utf8(output.stdout)?);
            }
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                let said = said.lines().next().unwrap_or("no text").trim();
                failures.push(format!("{program}: {said}"));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => failures.push(format!("{program}: {error}")),
        }
    }
    if failures.is_empty() {
        let programs = READERS.map(|(program, _)| program).join(", ");
        bail!("reading the clipboard takes one of {programs}; install one, or use --in and --out");
    }
    bail!("no text could be read from the clipboard ({}); copy some, or use --in and --out", failures.join("; "))
}
