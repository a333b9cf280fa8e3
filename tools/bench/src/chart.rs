//! The picture: for each work, how far each program is from the floor.

use std::fmt::Write as _;

use crate::{figures::Work, programs::Kind};

const LEFT: f64 = 270.0;
const WIDTH: f64 = 480.0;
const TOP: f64 = 64.0;
const ROW: f64 = 44.0;

/// Colours that read on white and on black; the text follows the reader's theme.
const STYLE: &str = "
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .small { font-size: 11px }
  .bold { font-weight: 600 }
  .grid { stroke: #8b949e; stroke-opacity: .35 }
  .floor { stroke: #8b949e; stroke-width: 2 }
  .stones { fill: #2da44e }
  .cpp { fill: #218bff }
  .python { fill: #d4a72c }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
";

/// A dot for each program on a logarithmic scale of instructions, in multiples of the floor's.
pub fn svg(works: &[Work]) -> String {
    // With the place of the figure, above or below its dot, so that near ones do not cover each other.
    let shown = [
        (Kind::Python, "python", "Python", -10.0),
        (Kind::Cpp, "cpp", "C++", 18.0),
        (Kind::Release, "stones", "Stones", 18.0),
    ];
    let ratios = |kind| works.iter().filter_map(move |work| work.ratio(kind, work.floor()));
    let most = shown.iter().flat_map(|(kind, ..)| ratios(*kind)).fold(10.0, f64::max);
    let x = |ratio: f64| LEFT + WIDTH * (ratio / 0.85).ln() / (most * 1.5 / 0.85).ln();

    let bottom = TOP + ROW * f64::from(u32::try_from(works.len()).expect("a page of works"));
    let mut body = String::new();
    let mut add = |line: String| writeln!(body, "{line}").expect("a string takes all");
    add("<text class=\"bold\" x=\"10\" y=\"22\">Instructions, in multiples of the floor</text>".to_owned());
    for (index, (_, class, name, _)) in (0u32..).zip(shown.iter().rev()) {
        let at = LEFT + 90.0 * f64::from(index) + 60.0;
        add(format!(
            "<circle class=\"{class}\" cx=\"{at}\" cy=\"18\" r=\"6\"/><text x=\"{}\" y=\"22\">{name}</text>",
            at + 12.0
        ));
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
        add(format!("<text x=\"10\" y=\"{y}\">{problem}</text>"));
        add(format!(
            "<text class=\"small\" x=\"10\" y=\"{}\">{} · floor: {floor}</text>",
            y + 14.0,
            case.replace('`', "")
        ));
        for (kind, class, _, label) in shown {
            if let Some(ratio) = work.ratio(kind, work.floor()) {
                let digits = if ratio < 10.0 { 2 } else { 0 };
                add(format!(
                    "<circle class=\"{class}\" cx=\"{at:.1}\" cy=\"{y}\" r=\"6\"/>\
                     <text class=\"small\" text-anchor=\"middle\" x=\"{at:.1}\" y=\"{}\">{ratio:.digits$}×</text>",
                    y + label,
                    at = x(ratio),
                ));
            }
        }
    }
    let (width, height) = (LEFT + WIDTH + 20.0, bottom + 12.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}
