//! `cargo speed`: what the solutions cost beside C, C++ and Python, as tables and a picture.
//!
//! Builds everything, makes the inputs, insists that all programs give the same answers, measures, and holds the
//! figures against the targets: if one is missed, the exit code is 1. A full run also writes `docs/speed.md` and
//! `docs/speed.svg`. What this machine lacks is named and left out.

mod chart;
mod figures;
mod inputs;
mod measure;
mod programs;
mod report;

use std::{env, fs, process::ExitCode};

use anyhow::{Context, Result, ensure};
use clap::Parser;

use figures::{Growth, OTHELLO, RING, Verdict, Work};
use measure::Bench;
use programs::{Kind, Program, find};

/// Measure the solutions beside their peers; a full run also writes docs/speed.md and docs/speed.svg
#[derive(Parser)]
#[command(bin_name = "cargo speed")]
struct Arguments {
    /// Only the problems whose name contains this
    #[arg(default_value = "")]
    problem: String,
    /// Only check that all programs give the same answers
    #[arg(long)]
    check: bool,
    /// How often each program is timed
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
}

fn main() -> ExitCode {
    speed().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn speed() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let directory = env::current_exe()?.with_file_name("speed");
    fs::create_dir_all(&directory)?;
    let writes = arguments.problem.is_empty() && !arguments.check;
    if writes {
        eprintln!("this takes some minutes, and then writes docs/speed.md and docs/speed.svg");
    }
    let (solutions, mut left_out) = programs::build(&directory, &arguments.problem)?;
    let bench = Bench::new(&directory, &mut left_out);

    let (mut works, mut verdicts, mut growths) = (Vec::new(), Vec::new(), Vec::new());
    for (problem, programs) in &solutions {
        let inputs = match problem.as_str() {
            RING => vec![
                (format!("{RING}, N = 200 000"), inputs::ring(200_000, " ")),
                (format!("{RING}, one number per line"), inputs::ring(200_000, "\n")),
            ],
            OTHELLO => vec![(format!("{OTHELLO}, n = 100, 9 996 moves"), inputs::othello(100))],
            _ => {
                eprintln!("{problem}: looking for the costliest case");
                costliest_case(problem, programs, &bench)?
            }
        };
        if inputs.is_empty() {
            left_out.push(format!("{problem}: no test data"));
        }
        for (title, input) in inputs {
            eprintln!("{title}: running {} programs", programs.len());
            bench.give(&input)?;
            check(programs, &bench)?;
            if !arguments.check {
                let figures = bench.measure(programs, arguments.runs.into())?;
                let work = Work { title, figures };
                verdicts.extend(Verdict::all(problem, &work));
                works.push(work);
            }
        }
        if !arguments.check {
            growths.extend(growth(problem, programs, &bench)?);
        }
    }

    for line in &left_out {
        eprintln!("left out: {line}");
    }
    if arguments.check {
        println!("all programs give the same answers");
        return Ok(ExitCode::SUCCESS);
    }
    let report = report::markdown(&works, &verdicts, &growths, &left_out);
    println!("{report}");
    if writes {
        let docs = programs::root().join("docs");
        fs::create_dir_all(&docs)?;
        fs::write(docs.join("speed.md"), report)?;
        fs::write(docs.join("speed.svg"), chart::svg(&works))?;
        eprintln!("wrote docs/speed.md and docs/speed.svg; `cargo figures` copies the new figures into the README");
    }
    let missed = verdicts.iter().any(|verdict| verdict.met() == Some(false));
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The test case that costs the solution most: it stands for a problem that has no large input of its own.
fn costliest_case(problem: &str, programs: &[Program], bench: &Bench) -> Result<Vec<(String, String)>> {
    let release = find(programs, Kind::Release).context("a solution is built")?;
    let mut cases = Vec::new();
    let directory = programs::root().join("testdata").join(problem);
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "in") {
            let input = fs::read_to_string(&path)?;
            bench.give(&input)?;
            let name = path.with_extension("");
            let name = name.file_name().context("a case has a name")?.to_string_lossy().into_owned();
            cases.push((bench.instructions(release)?, input.len(), name, input));
        }
    }
    let costliest = cases.into_iter().max();
    Ok(costliest.map(|(.., name, input)| (format!("{problem}, `{name}`"), input)).into_iter().collect())
}

/// Makes sure that all programs that read their input give the same answer.
fn check(programs: &[Program], bench: &Bench) -> Result<()> {
    let mut answering = programs.iter().filter(|program| program.kind != Kind::Empty);
    let first = answering.next().context("a solution is built")?;
    let expected = bench.answer(first)?;
    for program in answering {
        let agrees = bench.answer(program)? == expected;
        ensure!(agrees, "{:?} and {:?} disagree", first.command, program.command);
    }
    Ok(())
}

/// The cost over a range of sizes, for the problems that have one.
fn growth(problem: &str, programs: &[Program], bench: &Bench) -> Result<Option<Growth>> {
    let (title, unit, sizes, input): (_, _, _, fn(usize) -> String) = match problem {
        RING => ("ring, N", "input", [12_500, 25_000, 50_000, 100_000, 200_000], |size| inputs::ring(size, " ")),
        OTHELLO => ("Othello n×n, n", "output", [20, 40, 60, 80, 100], inputs::othello),
        _ => return Ok(None),
    };
    eprintln!("{problem}: measuring how its cost grows");
    let measured: Vec<_> =
        programs.iter().filter(|program| matches!(program.kind, Kind::C | Kind::Release)).cloned().collect();
    let mut points = Vec::new();
    for size in sizes {
        let input = input(size);
        bench.give(&input)?;
        let bytes = if unit == "input" { input.len() } else { bench.answer(&measured[0])?.len() };
        let figures = bench.measure(&measured, 5)?;
        points.push((bytes as u64, Work { title: report::grouped(size as u64), figures }));
    }
    // The C library copies large blocks in another way than small ones.
    let remark = "At n = 100, copying a board counts as one instruction for each byte, in both programs. Copying a\n\
                  smaller board counts as far fewer, so there C is further ahead in instructions.";
    Ok(Some(Growth { title, unit, points, remark: (problem == OTHELLO).then_some(remark) }))
}
