//! The figures as Markdown.

use std::{fmt::Display, process::Command, thread, time::Duration};

use crate::{
    figures::{Figures, Growth, Verdict, Work, ratio},
    programs::Kind,
};

/// All tables, as the page `docs/speed.md`.
pub fn markdown(works: &[Work], verdicts: &[Verdict], growths: &[Growth], left_out: &[String]) -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut parts = vec![
        "# Speed".to_owned(),
        format!(
            "Written by `cargo speed`. Instructions are counted by callgrind, without those of the kernel. A block\n\
             of memory that is copied may count as one instruction for each byte, though it takes far less time. For\n\
             the times, the programs take turns and write to a file. The machine has {cores} cores, and other\n\
             programs may run on it. So compare only times of the same work in the same table. An empty Rust `main`\n\
             only starts a process. The column `start` shows what share of a program's shortest time this start\n\
             takes, in percent; more than 100 is shown as 100. Times of about 1 ms are mostly noise: there the empty\n\
             `main` may look slower than a program that does more. A paste is compiled with `rustc -O`, by the\n\
             current compiler and by Rust 1.63, which Jutge runs. The floor is the program in C or, where there is\n\
             none, the empty `main`."
        ),
        versions().join(" · "),
        "## Targets".to_owned(),
        "`at most` is for the release build and for the paste by the current compiler. What the paste by Rust 1.63\n\
         may take is in the column `1.63: at most`; a dash there means that there is no target."
            .to_owned(),
        targets(verdicts),
        "## Side by side".to_owned(),
        side_by_side(works),
    ];
    for growth in growths {
        parts.push(format!("## Growth: {}", growth.title));
        parts.push(table_of_growth(growth));
        parts.extend(growth.remark.map(str::to_owned));
    }
    if !left_out.is_empty() {
        let items: Vec<_> = left_out.iter().map(|line| format!("- {line}")).collect();
        parts.push("## Left out".to_owned());
        parts.push(items.join("\n"));
    }
    parts.join("\n\n") + "\n"
}

fn targets(verdicts: &[Verdict]) -> String {
    let row = |verdict: &Verdict| {
        let met = match verdict.met() {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "not measured",
        };
        vec![
            verdict.work.clone(),
            verdict.target.against.name().to_owned(),
            times(Some(verdict.target.at_most)),
            times(verdict.release),
            times(verdict.paste),
            times(verdict.target.old_at_most),
            times(verdict.old_paste),
            met.to_owned(),
        ]
    };
    table(
        2,
        &["work", "against", "at most", "release", "paste", "1.63: at most", "1.63: paste", ""],
        verdicts.iter().map(row),
    )
}

fn side_by_side(works: &[Work]) -> String {
    let row = |work: &Work, figures: &Figures| {
        vec![
            work.title.clone(),
            figures.kind.name().to_owned(),
            or_dash(figures.instructions.map(grouped)),
            times(work.ratio(figures.kind, work.floor())),
            milliseconds(figures.times.0),
            milliseconds(figures.times.1),
            or_dash(work.start(figures).map(|share| format!("{:.0}", share.min(100.0)))),
            or_dash(figures.memory.map(megabytes)),
        ]
    };
    let rows = works.iter().flat_map(|work| work.figures.iter().map(move |figures| row(work, figures)));
    let header = [
        "work",
        "program",
        "instructions",
        "× floor",
        "shortest, ms",
        "median, ms",
        "start, % of the shortest",
        "peak memory, MB",
    ];
    table(2, &header, rows)
}

fn table_of_growth(growth: &Growth) -> String {
    let row = |(bytes, work): &(u64, Work)| {
        let instructions = |kind| work.of(kind).and_then(|figures| figures.instructions);
        let shortest = |kind| work.of(kind).map(|figures| milliseconds(figures.times.0));
        let per_byte = |count| format!("{:.2}", ratio(count, *bytes));
        let memory = work.of(Kind::Release).and_then(|figures| figures.memory);
        vec![
            work.title.clone(),
            grouped(*bytes),
            or_dash(instructions(Kind::Release).map(grouped)),
            or_dash(instructions(Kind::Release).map(per_byte)),
            or_dash(instructions(Kind::C).map(per_byte)),
            or_dash(shortest(Kind::Release)),
            or_dash(shortest(Kind::C)),
            or_dash(memory.map(megabytes)),
        ]
    };
    table(
        1,
        &[
            growth.title,
            &format!("bytes of {}", growth.unit),
            "instructions",
            "per byte",
            "per byte, C",
            "shortest, ms",
            "shortest, ms, C",
            "peak memory, MB",
        ],
        growth.points.iter().map(row),
    )
}

/// The first `words` columns are aligned to the left, the others to the right.
fn table(words: usize, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let header: Vec<_> = header.iter().map(ToString::to_string).collect();
    let rules: Vec<_> =
        (0..header.len()).map(|column| if column < words { "---" } else { "---:" }.to_owned()).collect();
    let lines = [line(&header), line(&rules)].into_iter();
    lines.chain(rows.map(|row| line(&row))).collect::<Vec<_>>().join("\n")
}

/// The first line of what each tool says about itself.
fn versions() -> Vec<String> {
    ["rustc", "gcc", "g++", "python3", "valgrind"]
        .iter()
        .filter_map(|tool| {
            let output = Command::new(tool).arg("--version").output().ok()?;
            String::from_utf8(output.stdout).ok()?.lines().next().map(str::to_owned)
        })
        .collect()
}

fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}

fn times(ratio: Option<f64>) -> String {
    or_dash(ratio.map(|ratio| format!("{ratio:.2}×")))
}

fn megabytes(kibibytes: u64) -> String {
    format!("{:.1}", ratio(kibibytes * 1024, 1_000_000))
}

pub fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

/// With the thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1 234 567");
    }
}
