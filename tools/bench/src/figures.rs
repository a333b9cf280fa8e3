//! What was measured, and the targets.

use std::time::Duration;

use crate::programs::Kind;

/// An input and what each program made of it.
pub struct Work {
    /// What a reader calls the input.
    pub title: String,
    /// One for each program.
    pub figures: Vec<Figures>,
}

/// What one program costs on one input. What could not be measured is absent.
pub struct Figures {
    /// Whose figures these are.
    pub kind: Kind,
    /// By callgrind.
    pub instructions: Option<u64>,
    /// Shortest and median.
    pub times: (Duration, Duration),
    /// Peak, in KiB.
    pub memory: Option<u64>,
}

impl Work {
    /// The figures of `kind`, where there is such a program.
    pub fn of(&self, kind: Kind) -> Option<&Figures> {
        self.figures.iter().find(|figures| figures.kind == kind)
    }

    fn instructions(&self, kind: Kind) -> Option<u64> {
        self.of(kind)?.instructions
    }

    /// How many instructions `kind` takes for each one of `base`.
    pub fn ratio(&self, kind: Kind, base: Kind) -> Option<f64> {
        Some(ratio(self.instructions(kind)?, self.instructions(base)?))
    }

    /// How much of the shortest time in `figures` the start of a process takes, in percent.
    pub fn start(&self, figures: &Figures) -> Option<f64> {
        let start = self.of(Kind::Empty)?.times.0.as_secs_f64();
        Some(start / figures.times.0.as_secs_f64() * 100.0)
    }

    /// The program in C or, where there is none, the empty one.
    pub fn floor(&self) -> Kind {
        self.of(Kind::C).map_or(Kind::Empty, |_| Kind::C)
    }
}

/// A quotient for people to read.
#[allow(
    clippy::cast_precision_loss,
    reason = "counts are far below 2^52, and only two digits after the point are shown"
)]
pub fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// A bound: how many instructions a solution may take for each instruction of a peer.
pub struct Target {
    problem: &'static str,
    /// The peer.
    pub against: Kind,
    /// The bound for what the current compiler makes.
    pub at_most: f64,
    /// The bound for what Rust 1.63 makes, where there is one.
    pub old_at_most: Option<f64>,
}

/// The problem whose input is long.
pub const RING: &str = "boj_32115_stone_ring";
/// The problem whose output is long.
pub const OTHELLO: &str = "jutge_p18992_othello_n";

const fn target(problem: &'static str, against: Kind, at_most: f64, old_at_most: Option<f64>) -> Target {
    Target { problem, against, at_most, old_at_most }
}

const TARGETS: [Target; 5] = [
    target(RING, Kind::C, 1.25, Some(1.5)),
    target(RING, Kind::Cpp, 0.4, None),
    target(OTHELLO, Kind::C, 1.2, None),
    target("boj_15671_othello", Kind::Empty, 1.5, None),
    target("boj_2615_omok", Kind::Empty, 1.5, None),
];

/// A target, held against one work.
pub struct Verdict {
    /// The work's title.
    pub work: String,
    /// The target.
    pub target: &'static Target,
    /// What cargo's release build takes.
    pub release: Option<f64>,
    /// What the paste takes.
    pub paste: Option<f64>,
    /// What the paste takes when Rust 1.63 has compiled it.
    pub old_paste: Option<f64>,
}

impl Verdict {
    /// One for each target of `problem`.
    pub fn all(problem: &str, work: &Work) -> impl Iterator<Item = Self> {
        TARGETS.iter().filter(move |target| target.problem == problem).map(|target| Self {
            work: work.title.clone(),
            target,
            release: work.ratio(Kind::Release, target.against),
            paste: work.ratio(Kind::Paste, target.against),
            old_paste: work.ratio(Kind::OldPaste, target.against),
        })
    }

    /// Whether the target holds for the release build and the paste, and for the paste by Rust 1.63 where that has a
    /// bound. Nothing if there was nothing to compare.
    pub fn met(&self) -> Option<bool> {
        let worse = self.release.into_iter().chain(self.paste).reduce(f64::max)?;
        let old = self.old_paste.zip(self.target.old_at_most).is_none_or(|(old, at_most)| old <= at_most);
        Some(worse <= self.target.at_most && old)
    }
}

/// How the cost of a solution grows.
pub struct Growth {
    /// What grows.
    pub title: &'static str,
    /// Which bytes the cost is divided by: those of the `input` or of the `output`.
    pub unit: &'static str,
    /// The number of those bytes and the figures, for each size.
    pub points: Vec<(u64, Work)>,
    /// What the figures need to be understood.
    pub remark: Option<&'static str>,
}
