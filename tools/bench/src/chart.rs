//! The picture: for each work, how far each program is from the floor, and how long it takes.

use std::fmt::Write as _;
use std::time::Duration;

use crate::{figures::Work, programs::Kind, report::milliseconds};

const LEFT: f64 = 270.0;
const WIDTH: f64 = 480.0;
const TOP: f64 = 64.0;
const ROW: f64 = 72.0;

/// Colours that can be seen on white and on black. The text follows the reader's theme. So does the rim around it,
/// which keeps it apart from the lines.
const STYLE: &str = "
  text { font: 13px system-ui, sans-serif; fill: #1f2328; paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
  .small { font-size: 11px }
  .bold { font-weight: 600 }
  .grid { stroke: #8b949e; stroke-opacity: .35 }
  .floor { stroke: #8b949e; stroke-width: 2 }
  .stones { fill: #2da44e }
  .old { fill: none; stroke: #2da44e; stroke-width: 2 }
  .cpp { fill: #218bff }
  .python { fill: #d4a72c }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3; stroke: #0d1117 } }
";

/// A dot for each program on a logarithmic scale of instructions, in multiples of the floor's. Beside it stand the
/// multiple and the milliseconds, since instructions are not time.
pub fn svg(works: &[Work]) -> String {
    // Each with the heights of its two labels, above or below its dot, so that labels of dots close by do not overlap.
    let shown = [
        (Kind::Python, "python", "Python", [-22.0, -10.0]),
        (Kind::Cpp, "cpp", "C++", [18.0, 30.0]),
        (Kind::OldPaste, "old", "Stones by Rust 1.63", [-22.0, -10.0]),
        (Kind::Release, "stones", "Stones", [18.0, 30.0]),
    ];
    let ratios = |kind| works.iter().filter_map(move |work| work.ratio(kind, work.floor()));
    let most = shown.iter().flat_map(|(kind, ..)| ratios(*kind)).fold(10.0, f64::max);
    let x = |ratio: f64| LEFT + WIDTH * (ratio / 0.7).ln() / (most * 1.5 / 0.7).ln();

    let bottom = TOP + ROW * f64::from(u32::try_from(works.len()).expect("a page of works"));
    let mut body = String::new();
    let mut add = |line: String| writeln!(body, "{line}").expect("a string takes all");
    add("<text class=\"bold\" x=\"10\" y=\"22\">Instructions, × the floor, and time</text>".to_owned());
    let mut at = LEFT + 10.0;
    for (_, class, name, _) in shown.iter().rev() {
        add(format!(
            "<circle class=\"{class}\" cx=\"{at}\" cy=\"18\" r=\"6\"/><text x=\"{}\" y=\"22\">{name}</text>",
            at + 12.0
        ));
        at += 50.0 + 7.0 * f64::from(u32::try_from(name.len()).expect("a short name"));
    }
    for tick in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] {
        let at = x(f64::from(tick));
        if at <= LEFT + WIDTH {
            let class = if tick == 1 { "floor" } else { "grid" };
            add(format!(
                "<line class=\"{class}\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{}\" y2=\"{bottom}\"/>",
                TOP - 10.0
            ));
            add(format!(
                "<text class=\"small\" text-anchor=\"middle\" x=\"{at:.1}\" y=\"{}\">{tick}×</text>",
                TOP - 16.0
            ));
        }
    }
    for (index, work) in (0u32..).zip(works) {
        let y = TOP + ROW * (f64::from(index) + 0.5);
        let (problem, case) = work.title.split_once(", ").unwrap_or((&work.title, ""));
        let floor = if work.floor() == Kind::C { "C" } else { "empty main" };
        let floor_time = work.of(work.floor()).map(|figures| time(figures.times.0)).unwrap_or_default();
        add(format!("<text x=\"10\" y=\"{y}\">{problem}</text>"));
        add(format!(
            "<text class=\"small\" x=\"10\" y=\"{}\">{}</text>\
             <text class=\"small\" x=\"10\" y=\"{}\">floor: {floor}, {floor_time}</text>",
            y + 14.0,
            case.replace('`', ""),
            y + 27.0,
        ));
        for (kind, class, _, places) in shown {
            if let (Some(ratio), Some(figures)) = (work.ratio(kind, work.floor()), work.of(kind)) {
                let digits = if ratio < 10.0 { 2 } else { 0 };
                let at = x(ratio);
                add(format!("<circle class=\"{class}\" cx=\"{at:.1}\" cy=\"{y}\" r=\"6\"/>"));
                let labels = [format!("{ratio:.digits$}×"), time(figures.times.0)];
                for (label, place) in labels.iter().zip(places) {
                    let y = y + place;
                    add(format!("<text class=\"small\" text-anchor=\"middle\" x=\"{at:.1}\" y=\"{y}\">{label}</text>"));
                }
            }
        }
    }
    let (width, height) = (LEFT + WIDTH + 20.0, bottom + 12.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}

fn time(time: Duration) -> String {
    format!("{} ms", milliseconds(time))
}
