//! The report for people: the findings, each with all functions that show it, then a line for each function, then a
//! summary.

use crate::conversation::conversation;
use crate::defect::{Defect, Ranked};
use crate::rank::Category;
use crate::sentences::{
    Tone, bugs_at_places, by_category, category, certainty, effort, missing, title, tolerated, too_long_inputs, verdict,
};
use crate::visible::visible;
use crate::words::{capped, count, indented, shortened};
use crate::{Code, Judged, Printer, Printers, Report, Results, Tested, call, snippet};
use codespan_reporting::diagnostic::Severity;
use codespan_reporting::term::termcolor::{Buffer, Color, ColorSpec, WriteColor};
use search::Exploration;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use term::FunctionName;

/// Number of characters of a call, and of its outcome, that a report shows.
const CALL: usize = 2000;

/// Further findings of a function, or of a whole run, are abbreviated: nobody reads hundreds of them at a time.
const MOST_OF_FUNCTION: usize = 5;
const MOST_IN_FULL: usize = 50;
const SHORT_CALL: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Findings and the summary.
    Quiet,
    Normal,
    /// With queries, tiers and times.
    Verbose,
}

pub struct Human<'p> {
    pub printers: &'p dyn Printers,
    pub colour: bool,
    pub detail: Detail,
    /// Findings of other categories are only counted.
    pub show: Vec<Category>,
    /// The categories that the command fails for.
    pub fail_on: Vec<Category>,
}

impl Report for Human<'_> {
    fn found(&mut self, _: FunctionName, _: &Judged) -> String {
        String::new()
    }

    fn tested(&mut self, _: usize, _: &Tested) -> String {
        String::new()
    }

    fn finish(&mut self, results: &Results) -> String {
        let ranked = results.ranked(self.printers).into_iter();
        let (shown, hidden): (Vec<_>, Vec<_>) = ranked.partition(|ranked| self.show.contains(&ranked.ranking.category));
        let others = results.defects(self.printers).into_iter();
        let others = others.filter(|defect| !defect.best.1.is_known && !defect.best.1.is_bug());
        let mut shown_in_full = 0;
        let mut of_functions: HashMap<FunctionName, usize> = HashMap::new();
        let all = shown.into_iter().map(|ranked| ranked.defect).chain(others);
        let (full, short): (Vec<_>, Vec<_>) = all.partition(|defect| {
            let of_function = of_functions.entry(defect.best.0).or_default();
            *of_function += 1;
            let full =
                self.detail == Detail::Verbose || *of_function <= MOST_OF_FUNCTION && shown_in_full < MOST_IN_FULL;
            shown_in_full += usize::from(full);
            full
        });
        let mut text: String = full.iter().map(|defect| self.defect(defect)).collect();
        if !short.is_empty() {
            let more = count(short.len() as u64, "more finding", "more findings");
            text.push_str(&format!("{more}, abbreviated (-v shows them in full):\n"));
            short.iter().for_each(|defect| text.push_str(&self.abbreviated(defect)));
            text.push('\n');
        }
        text.push_str(&self.hidden(&hidden));
        results.functions.iter().for_each(|tested| text.push_str(&self.function(tested)));
        if self.detail != Detail::Quiet {
            text.push_str(&visible(&self.table(results)));
        }
        text.push_str(&self.summary(results));
        text
    }
}

impl<'p> Human<'p> {
    pub fn new(printers: &'p dyn Printers, colour: bool, detail: Detail) -> Human<'p> {
        Human { printers, colour, detail, show: vec![Category::Likely], fail_on: vec![Category::Likely] }
    }

    /// A line for each function with findings that are not shown.
    fn hidden(&self, hidden: &[Ranked<'_>]) -> String {
        if hidden.is_empty() {
            return String::new();
        }
        let mut functions: Vec<(FunctionName, Vec<Category>)> = Vec::new();
        for Ranked { defect, ranking } in hidden {
            let name = defect.best.0;
            match functions.iter_mut().find(|(known, _)| *known == name) {
                Some((_, categories)) => categories.push(ranking.category),
                None => functions.push((name, vec![ranking.category])),
            }
        }
        let all = by_category(hidden.iter().map(|ranked| ranked.ranking.category));
        let mut text =
            format!("Not shown, as hardly anybody wants to mend it first: {all} (--show all shows everything)\n");
        for (name, categories) in functions {
            let function = self.printers.of(name.module).function(name);
            text.push_str(&visible(&format!("  {function}: {}\n", by_category(categories.into_iter()))));
        }
        text.push('\n');
        text
    }

    fn defect(&self, defect: &Defect<'_>) -> String {
        let (name, judged) = defect.best;
        let mut out = self.buffer();
        let printer = self.printers.of(name.module);
        let severity = match judged {
            judged if judged.is_known => Severity::Note,
            judged if judged.is_bug() => Severity::Error,
            judged if judged.is_suspect() => Severity::Bug,
            _ => Severity::Warning,
        };
        snippet::write(&mut out, severity, &title(printer, name, judged), judged.place.as_ref());
        let call = format!("{}{}", call(printer, name, &judged.finding), printer.end_of_input());
        styled(&mut out, None, true, &indented(&capped(&call, CALL), 4));
        write(&mut out, &indented(&capped(&judged.shown, CALL), 4));
        write(&mut out, "\n");
        let said = conversation(printer, name, &judged.finding);
        if !said.is_empty() {
            write(&mut out, &indented(&said.join("\n"), 4));
            write(&mut out, "\n");
        }
        self.judgement(&mut out, printer, judged);
        if judged.is_bug() {
            write(&mut out, &format!("  {}\n", category(judged)));
        }
        let also = defect.also(self.printers);
        if !also.is_empty() {
            write(&mut out, &indented(&also.join("\n"), 2));
        }
        write(&mut out, "\n");
        text(out)
    }

    fn abbreviated(&self, defect: &Defect<'_>) -> String {
        let (name, judged) = defect.best;
        let mut out = self.buffer();
        let printer = self.printers.of(name.module);
        let place = judged.place.as_ref().map_or_else(String::new, |place| format!("{}:{}: ", place.file, place.line));
        write(&mut out, &format!("  {place}{}\n", title(printer, name, judged)));
        let call = format!("{}{}", call(printer, name, &judged.finding), printer.end_of_input());
        styled(&mut out, None, true, &indented(&shortened(&call, SHORT_CALL), 4));
        text(out)
    }

    /// The verdict on one function. Empty if only findings are to be shown.
    fn function(&self, tested: &Tested) -> String {
        let mut out = self.buffer();
        if self.detail != Detail::Quiet {
            self.verdict(&mut out, tested);
            for (reason, code) in missing(self.printers.of(tested.name.module), tested) {
                let code = code.map_or_else(String::new, |code| self.code(code));
                write(&mut out, &format!("  - {reason}{code}\n"));
            }
        }
        if self.detail == Detail::Verbose {
            self.figures(&mut out, tested);
        }
        text(out)
    }

    /// A table of the modules, if there are several.
    fn table(&self, results: &Results) -> String {
        let mut modules: BTreeMap<String, [u64; 5]> = BTreeMap::new();
        for tested in &results.functions {
            let line = modules.entry(self.printers.of(tested.name.module).module(tested.name.module)).or_default();
            let bugs = tested.bugs() as u64;
            let all_paths = u64::from(tested.is_exhaustive());
            let Exploration { covered, branches, .. } = tested.exploration;
            for (sum, more) in line.iter_mut().zip([1, bugs, all_paths, covered as u64, branches as u64]) {
                *sum += more;
            }
        }
        if modules.len() < 2 {
            return String::new();
        }
        let widest = modules.keys().map(|name| name.chars().count()).max().unwrap_or(0).max("module".len());
        let mut text = format!("\n{:widest$}  functions  bugs  all paths  branches\n", "module");
        for (name, [functions, bugs, all_paths, covered, branches]) in modules {
            let of = format!("{covered} of {branches}");
            text.push_str(&format!("{name:widest$}  {functions:>9}  {bugs:>4}  {all_paths:>9}  {of}\n"));
        }
        text.push('\n');
        text
    }

    /// The last line. `places` is the number of places that the bugs are at.
    fn summary(&self, results: &Results) -> String {
        let (summary, places) = (&results.summary, results.places(self.printers));
        let mut out = self.buffer();
        let functions = count((summary.functions - summary.not_begun) as u64, "function", "functions");
        let not_begun = match summary.not_begun {
            0 => String::new(),
            number => format!(", {number} not begun (see --total-budget)"),
        };
        write(&mut out, &format!("{functions} tested{not_begun}: "));
        match summary.bugs {
            0 => styled(&mut out, Some(Color::Green), true, "no bugs"),
            bugs => styled(&mut out, Some(Color::Red), true, &bugs_at_places(bugs, places)),
        }
        if summary.with_bugs > 0 && summary.functions > 1 {
            write(&mut out, &format!(" in {}", count(summary.with_bugs as u64, "function", "functions")));
        }
        let findings = results.functions.iter().flat_map(|tested| &tested.findings);
        let calm: Vec<Category> = findings
            .filter(|judged| judged.is_bug() && !judged.fails(&self.fail_on))
            .map(|judged| judged.ranking().category)
            .collect();
        if summary.bugs > 0 {
            let do_not = count(calm.len() as u64, "does not fail", "do not fail");
            let which = if calm.is_empty() { String::new() } else { format!(": {}", by_category(calm.into_iter())) };
            write(&mut out, &format!(" ({do_not}{which})"));
        }
        if summary.exhausted > 0 && summary.functions > 1 {
            write(&mut out, &format!(", {} with all paths explored and no bugs", summary.exhausted));
        }
        if summary.known + summary.expected > 0 {
            write(&mut out, &format!(", {}", tolerated(summary.known, summary.expected)));
        }
        if summary.long > 0 {
            write(&mut out, &format!(", {}", too_long_inputs(summary.long)));
        }
        if summary.suspects > 0 {
            let suspects = count(summary.suspects as u64, "suspected defect", "suspected defects");
            write(&mut out, &format!(", {suspects} of Beagle"));
        }
        if summary.unreadable > 0 {
            let modules = count(summary.unreadable as u64, "module", "modules");
            write(&mut out, &format!(", {modules} could not be loaded"));
        }
        if self.detail == Detail::Verbose {
            write(&mut out, &format!(" ({:.2} s)", summary.seconds));
        }
        write(&mut out, "\n");
        text(out)
    }

    fn judgement(&self, out: &mut Buffer, printer: &dyn Printer, judged: &Judged) {
        let (tone, certainty, more) = certainty(printer, judged);
        write(out, "  ");
        styled(out, colour(tone), false, &certainty);
        write(out, &format!("{more}; found in run {}", judged.finding.runs));
        if self.detail == Detail::Verbose {
            write(out, &format!(", after {:.2} s [{}]", judged.seconds, Code::of_finding(judged).text()));
        }
        write(out, "\n");
    }

    fn verdict(&self, out: &mut Buffer, tested: &Tested) {
        let (tone, verdict, more) = verdict(self.printers.of(tested.name.module), tested);
        styled(out, None, true, &self.printers.of(tested.name.module).function(tested.name));
        write(out, ": ");
        styled(out, colour(tone).filter(|_| tone != Tone::Open), false, &verdict);
        write(out, &format!("{more} ({}){}\n", effort(tested), self.code(Code::of_verdict(tested.verdict()))));
    }

    fn figures(&self, out: &mut Buffer, tested: &Tested) {
        let exploration = &tested.exploration;
        let queries = count(exploration.queries, "query", "queries");
        write(
            out,
            &format!(
                "  {queries}: {} decided by screening, {} unsatisfiable, {} undecided\n  {:.3} s, of which {:.3} s in the solver\n",
                exploration.native, exploration.unsat, exploration.unknown, tested.seconds, tested.solver_seconds
            ),
        );
        for words in &tested.solving {
            write(out, &format!("  {words}\n"));
        }
        if exploration.replays > 0 {
            write(
                out,
                &format!("  {} to save memory\n", count(exploration.replays, "run was repeated", "runs were repeated")),
            );
        }
        if exploration.edges > 0 {
            let inputs = count(exploration.edges, "run", "runs");
            write(
                out,
                &format!(
                    "  {inputs} failed to match a clause of the function itself, or named a module that is not there: it is not meant for such inputs\n"
                ),
            );
        }
        if let Some(behaviour) = tested.behaviour {
            let behaviour = self.printers.of(behaviour).module(behaviour);
            write(out, &format!("  no specification of its own: types are those of the callback of {behaviour}\n"));
        } else if !tested.has_specification {
            write(out, "  no specification: inputs may be any terms\n");
        }
    }

    /// The code, which `beagle explain` takes, for those who want details.
    fn code(&self, code: Code) -> String {
        if self.detail == Detail::Verbose { format!(" [{}]", code.text()) } else { String::new() }
    }

    fn buffer(&self) -> Buffer {
        if self.colour { Buffer::ansi() } else { Buffer::no_color() }
    }
}

fn colour(tone: Tone) -> Option<Color> {
    match tone {
        Tone::Good => Some(Color::Green),
        Tone::Open => Some(Color::Yellow),
        Tone::Bad => Some(Color::Red),
    }
}

// Writing to a buffer in memory cannot fail. All text is made visible first, so the only escapes are our own colours.

fn write(out: &mut Buffer, text: &str) {
    let _ = out.write_all(visible(text).as_bytes());
}

fn styled(out: &mut Buffer, colour: Option<Color>, bold: bool, text: &str) {
    let _ = out.set_color(ColorSpec::new().set_fg(colour).set_bold(bold));
    write(out, text);
    let _ = out.reset();
}

fn text(out: Buffer) -> String {
    String::from_utf8_lossy(out.as_slice()).into_owned()
}
