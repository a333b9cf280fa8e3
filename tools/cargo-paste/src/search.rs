//! The search for the smallest text that is still the same program: shake, prove, bring back what is missed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::build::Crate;
use crate::cells::{Reading, Reference};
use crate::emit::{self, Emitted};
use crate::inline::{Bundle, Rewrite};
use crate::nodes::{Live, Nodes};
use crate::prove::llvm::{Code, Kind, parts_of_impl, readable};
use crate::prove::{Comparison, Difference, captures, temporaries};
use crate::rustc::{self, Edition, Task};
use crate::shake::{self, Rendered, Round, Shaken};
use crate::{Job, Part, Progress, kilobytes, refusal};

/// How often crates may be written anew for the solution's edition: one mended error may uncover another.
const MOST_UPDATES: usize = 8;

/// Looks for a small text. Often little of what a macro makes is used, and that little is smaller than the macro.
/// So calls of macros are written out first. If that does not give the same program, the macros stay.
pub(crate) fn search(
    job: &mut Job,
    bundle: &Bundle,
    reference: &Reference<'_>,
    progress: Progress<'_>,
) -> Result<Found> {
    let plain = for_older_solution(job, bundle);
    let bundle = plain.as_ref().unwrap_or(bundle);
    let written = job.stage("writing out macros", progress, |job, _| {
        let written = bundle.with_calls_written_out();
        Ok(written.map(|written| for_older_solution(job, &written).unwrap_or(written)))
    })?;
    let Some(written) = written else { return Search::new(bundle, reference).run(job, progress) };
    let first = Search { macros_written_out: true, ..Search::new(&written, reference) }.run(job, progress);
    if let Ok(found) = &first
        && (found.comparison.differences.is_empty() || found.comparison.hopeless().is_some())
    {
        return first;
    }
    if job.is_late() && first.is_ok() {
        return first;
    }
    let second = Search::new(bundle, reference).run(job, progress);
    match (first, second) {
        (_, Ok(second)) if second.comparison.differences.is_empty() => Ok(second),
        // Neither is the same program. If the first one compiles, its refusal can name the functions that differ.
        (Ok(first), _) => Ok(first),
        (_, second) => second,
    }
}

/// If the solution is of an older edition: the bundle with what that edition does not take, or reads differently,
/// written in another way. That is `&&` beside `let` in crates of 2024, and `into_iter` of arrays in crates from 2021
/// on.
fn for_older_solution(job: &Job, bundle: &Bundle) -> Option<Bundle> {
    let rewrites = [(Edition::E2024, Rewrite::Chains), (Edition::E2021, Rewrite::Arrays)].into_iter();
    let rewrites = rewrites.filter(|(since, _)| job.newer(*since).next().is_some());
    rewritten(
        bundle,
        rewrites.map(|(since, rewrite)| {
            (rewrite, move |bundle: &Bundle, place| around(bundle, job.newer(since), place).is_some())
        }),
    )
}

/// The bundle after all `rewrites`, which are made one after the other, each at the places where it is wanted. Nothing
/// if no place changes.
fn rewritten(
    bundle: &Bundle,
    rewrites: impl Iterator<Item = (Rewrite, impl Fn(&Bundle, usize) -> bool)>,
) -> Option<Bundle> {
    let mut changed = None;
    for (rewrite, is_wanted) in rewrites {
        let bundle = changed.as_ref().unwrap_or(bundle);
        let edits = bundle.edits_for(rewrite, &|place| is_wanted(bundle, place));
        if !edits.is_empty() {
            changed = Some(bundle.edited(edits));
        }
    }
    changed
}

/// The one of `crates` that byte `place` of the bundle is in.
fn around<'j>(bundle: &Bundle, mut crates: impl Iterator<Item = &'j Crate>, place: usize) -> Option<&'j Crate> {
    if place < bundle.solution_end {
        return None;
    }
    // What was put in, such as the start of a path, comes from no file, but what follows it does.
    let (file, _) = (place..bundle.text.text.len()).find_map(|place| bundle.place(place))?;
    crates.find(|krate| file.starts_with(&krate.dir))
}

/// The smallest text that was found.
pub(crate) struct Found {
    pub(crate) late: bool,
    pub(crate) text: String,
    pub(crate) comparison: Comparison,
    pub(crate) readings: Vec<Reading>,
    pub(crate) notes: Vec<String>,
    pub(crate) parts: Vec<Part>,
}

/// A text on trial.
struct Tried {
    emitted: Emitted,
    /// What came of comparing it; nothing if it does not compile in the solution's own edition.
    comparison: Option<Comparison>,
    readings: Vec<Reading>,
}

/// The functions of cargo's build, found again in the bundle.
struct LiveLines<'a> {
    bundle: &'a Bundle,
    /// For each line, the words in the name of each function that starts there.
    lines: HashMap<(PathBuf, usize), Vec<HashSet<String>>>,
    impls: HashSet<(String, String)>,
}

impl<'a> LiveLines<'a> {
    fn new(bundle: &'a Bundle, code: &Code<'_>) -> Self {
        let mut live = Self { bundle, lines: HashMap::new(), impls: HashSet::new() };
        let mut real: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        for symbol in code.reached() {
            if code.kind(symbol) != Kind::Function {
                continue;
            }
            let name = readable(symbol.name);
            live.impls.extend(implemented(&name));
            if let Some((file, line)) = code.place(symbol) {
                let known = real.entry(file.clone()).or_insert_with(|| file.canonicalize().unwrap_or(file));
                live.lines.entry((known.clone(), line)).or_default().push(shake::words(&name));
            }
        }
        live
    }

    /// The words in the names of the functions that start in these bytes, line by line; nothing if it is not known
    /// where the bytes come from.
    fn names(&self, range: Range<usize>) -> Option<impl Iterator<Item = &Vec<HashSet<String>>>> {
        let (file, first) = self.bundle.place(range.start)?;
        let (_, last) = self.bundle.place(range.end.saturating_sub(1))?;
        let file = file.to_owned();
        Some((first..=last).filter_map(move |line| self.lines.get(&(file.clone(), line))))
    }
}

impl Live for LiveLines<'_> {
    fn in_bytes(&self, range: Range<usize>) -> bool {
        // What a procedural macro produced may be alive.
        let Some(mut names) = self.names(range.clone()) else { return self.bundle.is_produced(range.start) };
        names.next().is_some()
    }

    fn words_in(&self, range: Range<usize>) -> HashSet<String> {
        self.names(range).into_iter().flatten().flatten().flatten().cloned().collect()
    }

    fn function(&self, range: Range<usize>, names: &[String]) -> bool {
        let ends = [range.start, range.end.saturating_sub(1)];
        if !ends.iter().any(|&place| self.bundle.is_in_macro(place)) {
            return self.in_bytes(range);
        }
        // The function's first word may come from the macro and its name from the call.
        let places = ends.iter().filter_map(|&place| self.bundle.place(place));
        let mut found = places.filter_map(|(file, line)| self.lines.get(&(file.to_owned(), line))).flatten();
        found.any(|known| names.iter().all(|name| known.contains(name)))
    }

    fn in_impl(&self, of_type: &str, of_trait: &str) -> bool {
        self.impls.contains(&(of_type.to_owned(), of_trait.to_owned()))
    }
}

/// The type and the trait of `<a::Type<X> as b::Trait<Y>>::method`: here `Type` and `Trait`.
fn implemented(name: &str) -> Option<(String, String)> {
    let own = |path: &str| {
        let path = path.trim_start_matches(['&', '*', ' ']);
        let path = path.split(['<', '>']).next().unwrap_or(path);
        path.rsplit("::").next().unwrap_or(path).to_owned()
    };
    let (of_type, of_trait) = parts_of_impl(name)?;
    Some((own(of_type), own(of_trait)))
}

/// The search for the smallest text that is still the same program.
struct Search<'s, 't> {
    bundle: &'s Bundle,
    reference: &'s Reference<'t>,
    /// How often crates were written anew for the solution's edition.
    updates: usize,
    /// Whether crates were written so that temporary values are dropped as in their own editions.
    dropped: bool,
    /// Whether their closures were made to capture whole variables, as they do below 2021.
    captured: bool,
    /// Whether calls of macros are written out in the bundle.
    macros_written_out: bool,
}

impl<'s, 't> Search<'s, 't> {
    fn new(bundle: &'s Bundle, reference: &'s Reference<'t>) -> Self {
        Self { bundle, reference, updates: 0, dropped: false, captured: false, macros_written_out: false }
    }

    fn run(&self, job: &mut Job, progress: Progress<'_>) -> Result<Found> {
        let text = &self.bundle.text.text;
        let nodes = job.stage("finding parts", progress, |_, _| {
            let live = LiveLines::new(self.bundle, &self.reference.code);
            Nodes::new(text, self.bundle.solution_end, &live)
        })?;
        let mut shaken = Shaken::new(text, &nodes);
        let mut kept = BTreeSet::new();
        let mut late = false;
        // The last text that compiled. It is not the same program, but a refusal can name the functions that differ.
        let mut last: Option<Found> = None;
        for attempt in 0.. {
            let settled = job.stage("shaking", progress, |job, progress| self.settle(job, &mut shaken, progress))?;
            match settled {
                Settled::Stuck(error) => return last.ok_or_else(|| self.explain(job, error.as_ref())),
                Settled::Updates(edits) => {
                    let bundle = self.bundle.edited(edits);
                    return Search { bundle: &bundle, updates: self.updates + 1, ..*self }.run(job, progress);
                }
                // Nothing compiled in time. So this search ends. The next one keeps everything, and the macros as they
                // are.
                Settled::Late(false) if self.macros_written_out => {
                    return Err(job.time_is_up());
                }
                Settled::Late(_) => late = true,
                Settled::Done => {}
            }
            let rendered = shaken.render();
            let tried = job.stage("proving", progress, |job, _| self.prove(job, &rendered.text))?;
            let Some(comparison) = tried.comparison else {
                if late || job.is_over() {
                    return Err(job.time_is_up());
                }
                let own = tried.readings.iter().find(|reading| reading.edition == job.program.edition());
                // Emitting moves the crates. It moves the solution only if something is put above it.
                let above = tried.emitted.text.find(&self.bundle.text.text[..self.bundle.solution_end]);
                let origin = |place: usize| {
                    let place = place.checked_sub(above.unwrap_or(0))?;
                    Some(place).filter(|&place| place < self.bundle.solution_end)
                };
                let error = own.and_then(|reading| Fault::first(reading.outcome(), origin));
                return last.ok_or_else(|| self.explain(job, error.as_ref()));
            };
            let Emitted { text: written, parts, warnings } = tried.emitted;
            let remarks = self.remarks(job, &kept, late, &parts, warnings);
            let found = Found { late, text: written, comparison, readings: tried.readings, notes: remarks, parts };
            let differences = &found.comparison.differences;
            if !late {
                if let Some(bundle) = self.with_drops_of_crates(job, differences) {
                    return Search { bundle: &bundle, dropped: true, ..*self }.run(job, progress);
                }
                if let Some(bundle) = self.with_whole_captures(job, differences, &rendered)? {
                    return Search { bundle: &bundle, captured: true, ..*self }.run(job, progress);
                }
            }
            // What the paste lacks comes back: first what is named by the functions that differ, then their crates,
            // then all. After half of the time nothing comes back any more.
            let again = !differences.is_empty()
                && !late
                && found.comparison.hopeless().is_none()
                && (attempt < 4 && shaken.bring_back_functions(differences) || {
                    let mut whole = shaken.keep_whole(differences);
                    if whole.is_empty() && kept.len() < self.bundle.modules.len() {
                        whole = self.bundle.modules.iter().map(|(_, name)| name.clone()).collect();
                        shaken.give_up();
                    }
                    let more = !whole.is_subset(&kept);
                    kept.extend(whole);
                    more
                });
            if !again {
                return Ok(found);
            }
            last = Some(found);
        }
        unreachable!("the last attempt returns")
    }

    /// Shakes until nothing is left to take out, or half of the time is over.
    fn settle(&self, job: &Job, shaken: &mut Shaken<'_>, progress: Progress<'_>) -> Result<Settled> {
        let edition = job.program.edition().max(Edition::E2018);
        let mut good: Option<Shaken<'_>> = None;
        let mut last = None;
        let mut updates = Vec::new();
        loop {
            if job.is_late() {
                let compiled = good.is_some();
                match good {
                    Some(good) => *shaken = good,
                    None => shaken.give_up(),
                }
                shaken.sweep();
                return Ok(Settled::Late(compiled));
            }
            let before = shaken.clone();
            let mut ask = |rendered: &Rendered| {
                progress(&format!("shaking, {} left", kilobytes(rendered.text.len())));
                let outcome = job.bench.compile(&job.compilers[0], edition, Task::Unused, &rendered.text)?;
                last = Fault::first(&outcome, |place| Some(rendered.origin(place)));
                updates = self.updates_in(job, &outcome, rendered);
                Ok(outcome)
            };
            let round = shaken.round(&mut ask)?;
            if !updates.is_empty() && self.updates < MOST_UPDATES {
                return Ok(Settled::Updates(updates));
            }
            match round {
                Round::Settled => return Ok(Settled::Done),
                Round::Stuck => return Ok(Settled::Stuck(last)),
                Round::Smaller => good = Some(before),
                // Such a bold guess brings back nearly everything. The last text that compiled has less in it.
                Round::Repaired(boldness) if boldness > shake::BOLD && good.is_some() => {
                    *shaken = good.unwrap_or(before);
                    shaken.sweep();
                    return Ok(Settled::Done);
                }
                Round::Repaired(_) => {}
            }
        }
    }

    /// The crate of an older edition than the solution's that byte `place` of the bundle is in.
    fn older<'j>(&self, job: &'j Job, place: usize) -> Option<&'j Crate> {
        around(self.bundle, job.older(), place)
    }

    /// The bundle with crates written so that temporary values are dropped as in their own editions: crates where
    /// something differs, if they are of 2024 and the solution is not, or the other way round.
    fn with_drops_of_crates(&self, job: &Job, differences: &BTreeSet<Difference>) -> Option<Bundle> {
        let is_newest = |edition: Edition| edition >= Edition::E2024;
        let early = !is_newest(job.program.edition());
        if self.dropped {
            return None;
        }
        let others = || job.program.without_macros().filter(|krate| is_newest(krate.edition) == early);
        let ends_early = differences.iter().any(|difference| difference.reason == Some(temporaries::EARLY));
        let files: Vec<&PathBuf> =
            differences.iter().filter_map(|difference| Some(&difference.place.as_ref()?.0)).collect();
        let differs = |krate: &&Crate| ends_early || files.iter().any(|file| file.starts_with(&krate.dir));
        let differing: BTreeSet<&Path> = others().filter(differs).map(|krate| krate.dir.as_path()).collect();
        if differing.is_empty() {
            return None;
        }
        let is_in = |krate: &Crate| differing.contains(krate.dir.as_path());
        let is_wanted = |bundle: &Bundle, place| around(bundle, others(), place).is_some_and(is_in);
        let rewrites = if early { &[Rewrite::Early, Rewrite::Ends][..] } else { &[Rewrite::Late] };
        rewritten(self.bundle, rewrites.iter().map(|rewrite| (*rewrite, is_wanted)))
    }

    /// The bundle where closures from crates and macros below 2021 capture whole variables, as in their own editions.
    /// That is tried if a function differs although it names as many things as it should.
    fn with_whole_captures(
        &self,
        job: &Job,
        differences: &BTreeSet<Difference>,
        rendered: &Rendered,
    ) -> Result<Option<Bundle>> {
        let own = job.program.edition();
        // Where less is captured, the rest is copied and dropped by other functions. So these names do not count.
        let drops = |name: &&String| {
            ["drop_in_place", "panic_in_cleanup", "rust_eh_personality", "llvm.memcpy"]
                .iter()
                .any(|part| name.contains(part))
        };
        let count = |names: &[String]| names.iter().filter(|name| !drops(name)).count();
        let alike = differences.iter().any(|found| count(&found.missing) == count(&found.extra));
        let below = |krate: &Crate| krate.edition < Edition::E2021;
        if self.captured || !alike || own < Edition::E2021 || !job.program.crates.iter().any(below) {
            return Ok(None);
        }
        let outcome = job.bench.compile(&job.compilers[0], own, Task::Code, &rendered.text)?;
        if !outcome.success {
            return Ok(None);
        }
        let makes = job.program.crates.iter().any(|krate| krate.proc_macro && below(krate));
        let wanted = |place: usize| {
            let place = rendered.origin(place);
            self.older(job, place).is_some_and(below) || makes && self.bundle.is_produced(place)
        };
        let edits = captures::edits(&rendered.text, &outcome.mir()?, &wanted);
        let edits = edits.into_iter().map(|(place, with)| {
            // In the bundle, something that was taken out may stand between this byte and the one before it.
            let place = rendered.origin(place - 1) + 1;
            (place..place, with)
        });
        let edits: Vec<Edit> = edits.collect();
        Ok((!edits.is_empty()).then(|| self.bundle.edited(edits)))
    }

    /// What to change in crates of another edition than the solution's, where there is no doubt what to write.
    fn updates_in(&self, job: &Job, outcome: &rustc::Outcome, rendered: &Rendered) -> Vec<Edit> {
        // Errors that come from the edition alone have no code, or are E0782 or E0783. But E0782 before `::` only means
        // that the trait lacks the member that the path names.
        let goes_on = |error: &rustc::Diagnostic| {
            let end = error.primary().map(|span| span.byte_end);
            end.and_then(|end| rendered.text.get(end..)).is_some_and(|rest| rest.starts_with("::"))
        };
        let by_edition = |error: &rustc::Diagnostic| match error.name() {
            "E0782" => !goes_on(error),
            name => matches!(name, "" | "E0783"),
        };
        let mut edits = BTreeSet::new();
        for error in outcome.errors() {
            let mut remedy = error.remedy("MachineApplicable");
            // Since 2024, `impl Trait` captures all lifetimes. Mostly the compiler offers a list of what it captures.
            let unsaid = error.captured_lifetime().filter(|_| remedy.is_empty());
            if let Some((place, lifetime)) = &unsaid {
                remedy.push((*place..*place, lifetime));
            }
            let captures = unsaid.is_some() || remedy.first().is_some_and(|(_, with)| with.starts_with(" + use<"));
            if !captures && !by_edition(error) {
                continue;
            }
            // Since 2024 a block of foreign functions has to be `unsafe`, and the compiler offers no remedy.
            let start = error.primary().filter(|span| span.file_name == outcome.file).map(|span| span.byte_start);
            if let (true, Some(start)) = (remedy.is_empty(), start)
                && rendered.text[start..].starts_with("extern ")
            {
                remedy.push((start..start, "unsafe "));
            }
            let remedy = remedy.into_iter().map(|(range, with)| {
                let start = rendered.origin(range.start);
                (start, start + range.len(), with.to_owned())
            });
            let remedy: Vec<(usize, usize, String)> = remedy.collect();
            let is_of_another = |place: usize| {
                self.older(job, place).is_some()
                    || captures && around(self.bundle, job.newer(Edition::E2024), place).is_some()
            };
            if remedy.iter().all(|(start, _, _)| is_of_another(*start)) {
                edits.extend(remedy);
            }
        }
        // The compiler offers to keep the last expression of a block in a variable. So it says where that starts.
        let ends = outcome.errors().filter(|error| error.name() == "E0597").filter_map(|error| {
            let (range, _) = error.remedy("MaybeIncorrect").into_iter().next()?;
            Some(rendered.origin(range.start))
                .filter(|&place| around(self.bundle, job.newer(Edition::E2024), place).is_some())
        });
        let ends: BTreeSet<usize> = ends.collect();
        let rewritten =
            (!ends.is_empty()).then(|| self.bundle.edits_for(Rewrite::Ends, &|place| ends.contains(&place)));
        let edits = edits.into_iter().map(|(start, end, with)| (start..end, with));
        edits.chain(rewritten.into_iter().flatten()).collect()
    }

    /// Writes a shaken text down and compares it with cargo's build.
    fn prove(&self, job: &Job, shaken: &str) -> Result<Tried> {
        let own = job.program.edition();
        let editions = job.program.editions();
        let known = job.compilers[0].editions();
        // Older and newer editions are compared by way of 2018 and 2021.
        let older = editions.first().is_some_and(|edition| *edition < Edition::E2021);
        let needed = |edition: &Edition| {
            editions.contains(edition) || *edition == Edition::E2021 || older && *edition == Edition::E2018
        };
        let (wanted, rest): (Vec<Edition>, Vec<Edition>) = known.iter().partition(|edition| needed(edition));
        let mut allowed = emit::Allowed::default();
        loop {
            let emitted = emit::emit(&job.program, self.bundle, shaken, &allowed)?;
            let mut readings = Reading::all(&job.bench, &job.compilers[0], &wanted, &emitted.text)?;
            let mut comparison = self.reference.compare(&readings, own, &editions);
            let differs =
                |found: &Option<Comparison>| found.as_ref().is_some_and(|found| !found.differences.is_empty());
            if let (true, Some(whole)) = (differs(&comparison), Reading::with_whole_captures(&readings, &emitted.text))
            {
                Reading::add_whole(&mut readings, &job.bench, &job.compilers[0], Some(&whole))?;
                comparison = self.reference.compare(&readings, own, &editions);
            }
            if own == Edition::E2024 && !differs(&comparison) {
                Reading::add_ends(&mut readings, &job.bench, &job.compilers[0], &emitted.text)?;
                comparison = self.reference.compare(&readings, own, &editions);
            }
            if comparison.as_ref().is_some_and(|found| found.differences.is_empty()) {
                readings.extend(Reading::all(&job.bench, &job.compilers[0], &rest, &emitted.text)?);
            }
            // In cargo's build, these lints stopped nothing: cargo lets no lint stop a crate from a registry, and
            // another crate may have switched them off for itself. So they have to be switched off in the paste.
            let lints: BTreeSet<String> = readings.iter().flat_map(|reading| reading.outcome().forbidden()).collect();
            let known = lints.is_subset(&allowed.lints);
            if lints.is_empty() || known && allowed.everywhere {
                return Ok(Tried { emitted, comparison, readings });
            }
            allowed.everywhere |= known;
            allowed.lints.extend(lints);
        }
    }

    /// What a user should know about what is still in a paste. `kept` are the modules of crates that are kept whole.
    fn remarks(
        &self,
        job: &Job,
        kept: &BTreeSet<String>,
        late: bool,
        parts: &[Part],
        warnings: Vec<String>,
    ) -> Vec<String> {
        let sizes = |wanted: &dyn Fn(&Part) -> bool| -> Vec<String> {
            let parts = parts.iter().filter(|part| wanted(part));
            parts.map(|part| format!("{} ({})", part.name, kilobytes(part.bytes))).collect()
        };
        let mut notes = warnings;
        let modules = self.bundle.modules.iter().filter(|(_, name)| kept.contains(name));
        let crates: Vec<&Crate> = modules.map(|(index, _)| &job.program.crates[*index]).collect();
        let whole = sizes(&|part| {
            crates.iter().any(|krate| krate.about.name == part.name && krate.about.version == part.version)
        });
        if !whole.is_empty() {
            notes.push(format!(
                "all of {} is in it: with less, the program could not be shown to be the same",
                whole.join(", ")
            ));
        }
        if late {
            notes.push(format!(
                "there was no time to take out more, so parts that are not used may still be in it: {}",
                sizes(&|_| true).join(", ")
            ));
        }
        notes
    }

    /// Why there is no file that compiles: the reason if it is known, or else the place of the first error.
    fn explain(&self, job: &Job, error: Option<&Fault>) -> anyhow::Error {
        let name = &job.program.binary.name;
        if let Some(first) = self.bundle.macros_left.first() {
            return refusal(format!("{name}: {first}"), false);
        }
        let place = error.and_then(|fault| self.bundle.place(fault.place?));
        let at = place.map_or(String::new(), |(file, line)| {
            let file = file.strip_prefix(&job.program.binary.dir).unwrap_or(file);
            format!(" at {}:{line}", file.display())
        });
        // An unknown macro is an error without a code.
        let nameless = error.is_some_and(|fault| fault.code.is_empty());
        // So is a file or a variable that is not there.
        if let (true, Some(first)) = (nameless, self.bundle.unread.first()) {
            return refusal(format!("{name}: {first}"), false);
        }
        let word = error.and_then(|fault| Some(shake::word_at(&self.bundle.text.text, fault.place?)));
        let is_macro = |word: &str| job.program.crates.iter().any(|krate| krate.macros.contains(word));
        if nameless && word.is_some_and(is_macro) {
            return refusal(
                format!(
                    "{name}: what a procedural macro makes{at} could not be written out; try rustc 1.88 or newer, or \
                     write it by hand"
                ),
                false,
            );
        }
        let code =
            error.filter(|fault| !fault.code.is_empty()).map_or(String::new(), |fault| format!(" {}", fault.code));
        // What the compiler says of a crate's code would only puzzle the user.
        let is_own = |fault: &&Fault| fault.place.is_some_and(|place| place < self.bundle.solution_end);
        let says = error.filter(is_own).map_or(String::new(), |fault| format!(" ({})", fault.message));
        refusal(
            format!(
                "{name}: its crates do not compile as one file: error{code}{at}{says}; this is a limit of cargo-paste, \
                 and `--keep` can leave a crate out"
            ),
            false,
        )
    }
}

/// An error in a text that should compile.
struct Fault {
    /// Such as `E0277`, or nothing.
    code: String,
    /// What the compiler says.
    message: String,
    /// The byte of the bundle that it is about, as far as it is known.
    place: Option<usize>,
}

impl Fault {
    /// The first error of `outcome`. `origin` knows which byte of the bundle a byte of the text comes from.
    fn first(outcome: &rustc::Outcome, origin: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let error = outcome.errors().next()?;
        let place = error.primary().and_then(|span| origin(span.call_site().byte_start));
        Some(Self { code: error.name().to_owned(), message: error.message.clone(), place })
    }
}

/// Bytes of the bundle, and what should stand there instead.
type Edit = (Range<usize>, String);

enum Settled {
    /// It compiles, and nothing more will be taken out.
    Done,
    /// Half of the time was over before everything unused was found. Says whether anything compiled before that.
    Late(bool),
    /// It does not compile, and this is the first error.
    Stuck(Option<Fault>),
    /// A crate has to be written anew for the solution's edition, in this way.
    Updates(Vec<Edit>),
}
