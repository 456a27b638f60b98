//! The report for people: the findings, each with all functions that show it, then a line for each function, then a
//! summary.

use crate::defect::{Defect, Ranked};
use crate::disagreement::{suggestion, wrong_part};
use crate::losses::{started, unstarted};
use crate::rank::Category;
use crate::sentences::{
    Tone, by_category, category, certainty, covered, effort, interrupted, missing, title, tolerated, too_long_inputs,
    verdict,
};
use crate::visible::visible;
use crate::words::{capped, count, indented, shortened};
use crate::{Code, Judged, OnRuntime, Printer, Printers, Report, Results, Tested, call, course, example, snippet};
use codespan_reporting::diagnostic::Severity;
use codespan_reporting::term::termcolor::{Buffer, Color, ColorSpec, WriteColor};
use search::Exploration;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use term::FunctionName;

/// Number of characters of a call, and of its outcome, that a report shows.
const CALL: usize = 2000;

/// The number of findings that are shown if there are no likely bugs, and the least urgent category of these.
const MOST_INSTEAD: usize = 3;
const LAST_INSTEAD: Category = Category::Unlikely;

/// The number of findings of a function, and of the whole report, that are shown in full. Others are abbreviated:
/// readers cannot take in hundreds of them at a time.
const MOST_OF_FUNCTION: usize = 5;
const MOST_IN_FULL: usize = 50;
const SHORT_CALL: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only findings and the summary.
    Quiet,
    Normal,
    /// Everything, with queries, tiers and times.
    Verbose,
}

pub struct Human<'p> {
    pub printers: &'p dyn Printers,
    pub colour: bool,
    pub detail: Detail,
    /// The categories of findings that are shown. Others are only counted.
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
        let (mut shown, mut hidden): (Vec<_>, Vec<_>) =
            ranked.partition(|ranked| self.show.contains(&ranked.ranking.category));
        // Without likely bugs, the report begins with the most urgent other findings.
        let next =
            hidden.iter().take(MOST_INSTEAD).take_while(|ranked| ranked.ranking.category <= LAST_INSTEAD).count();
        let mut heading = String::new();
        if shown.is_empty() && next > 0 {
            heading = "No likely bugs. These are the first of the other findings:\n\n".to_string();
            shown.extend(hidden.drain(..next));
        }
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
        let mut text = heading;
        full.iter().for_each(|defect| text.push_str(&self.defect(defect)));
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

    /// Returns a line for each function with findings that are not shown.
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
        let mut text = format!("Less urgent findings, not shown (--show all shows them): {all}\n");
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
            judged if judged.is_bug() => match judged.ranking().category {
                Category::Likely => Severity::Error,
                Category::Specification => Severity::Warning,
                Category::Unlikely | Category::Deliberate | Category::Environment => Severity::Note,
            },
            judged if judged.is_suspect() => Severity::Bug,
            _ => Severity::Warning,
        };
        snippet::write(&mut out, severity, &title(printer, name, judged), judged.place.as_ref());
        let call = example(printer, name, judged);
        styled(&mut out, None, true, &indented(&capped(&call, CALL), 4));
        write(&mut out, &indented(&capped(&judged.shown, CALL), 4));
        write(&mut out, "\n");
        let said = course(printer, name, &judged.finding);
        if !said.is_empty() {
            write(&mut out, &indented(&said.join("\n"), 4));
            write(&mut out, "\n");
        }
        self.judgement(&mut out, printer, judged);
        if judged.is_bug() {
            if let Some(part) = wrong_part(printer, judged) {
                write(&mut out, &format!("  {part}\n"));
            }
            write(&mut out, &format!("  {}\n", category(judged)));
            if judged.ranking().category == Category::Specification
                && let Some(words) = suggestion(printer, judged)
            {
                write(&mut out, &format!("  {words}\n"));
            }
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

    /// Returns the verdict on one function. Empty if only findings are to be shown.
    fn function(&self, tested: &Tested) -> String {
        let mut out = self.buffer();
        if self.detail != Detail::Quiet {
            self.verdict(&mut out, tested);
            for application in tested.started.iter().filter_map(|setup| setup.args.first()) {
                write(&mut out, &format!("  - the application {application} was started before each run\n"));
            }
            for (reason, code) in missing(self.printers.of(tested.name.module), tested) {
                let code = code.map_or_else(String::new, |code| self.code(code));
                write(&mut out, &format!("  - {reason}{code}\n"));
            }
        }
        self.on_runtime(&mut out, tested);
        if self.detail == Detail::Verbose {
            self.figures(&mut out, tested);
        }
        text(out)
    }

    /// Returns a table of the modules, if there are several.
    fn table(&self, results: &Results) -> String {
        let mut modules: BTreeMap<String, [usize; 6]> = BTreeMap::new();
        for tested in &results.functions {
            let line = modules.entry(self.printers.of(tested.name.module).module(tested.name.module)).or_default();
            let all_paths = usize::from(tested.is_exhaustive());
            let Exploration { covered, branches, .. } = tested.exploration;
            let own = [1, tested.bugs(), all_paths, covered, branches, tested.unreachable()];
            for (sum, more) in line.iter_mut().zip(own) {
                *sum += more;
            }
        }
        if modules.len() < 2 {
            return String::new();
        }
        let widest = modules.keys().map(|name| name.chars().count()).max().unwrap_or(0).max("module".len());
        let mut text = format!("\n{:widest$}  functions  findings  all paths  branches\n", "module");
        for (name, [functions, bugs, all_paths, taken, branches, unreachable]) in modules {
            let of = covered(taken, branches, unreachable);
            text.push_str(&format!("{name:widest$}  {functions:>9}  {bugs:>8}  {all_paths:>9}  {of}\n"));
        }
        text.push('\n');
        text
    }

    /// Returns the last line.
    fn summary(&self, results: &Results) -> String {
        let summary = &results.summary;
        let mut out = self.buffer();
        if let Some(untested) = summary.untested {
            styled(&mut out, Some(Color::Yellow), true, &interrupted(untested, summary.functions));
            write(&mut out, "\n");
        }
        let functions = count((summary.functions - summary.not_begun) as u64, "function", "functions");
        let not_begun = match summary.not_begun {
            0 => String::new(),
            number => format!(", {number} not begun (see --total-budget)"),
        };
        write(&mut out, &format!("{functions} tested{not_begun}: "));
        let ranked = results.ranked(self.printers);
        let categories = |is_wanted: &dyn Fn(Category) -> bool| -> Vec<Category> {
            ranked.iter().map(|ranked| ranked.ranking.category).filter(|category| is_wanted(*category)).collect()
        };
        let likely = categories(&|category| category == Category::Likely).len();
        let others = categories(&|category| category != Category::Likely);
        match likely {
            0 if others.is_empty() => styled(&mut out, Some(Color::Green), true, "no bugs"),
            0 => styled(&mut out, Some(Color::Yellow), true, "no likely bugs"),
            likely => styled(&mut out, Some(Color::Red), true, &count(likely as u64, "likely bug", "likely bugs")),
        }
        if !others.is_empty() {
            let number = count(others.len() as u64, "other finding", "other findings");
            write(&mut out, &format!(", {number} ({})", by_category(others.into_iter())));
        }
        if !ranked.is_empty() {
            let calm = categories(&|category| !self.fail_on.contains(&category)).len();
            write(
                &mut out,
                &format!("; {}", count(calm as u64, "does not fail the command", "do not fail the command")),
            );
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
        write(&mut out, &started(&results.functions));
        write(&mut out, &unstarted(&results.functions));
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

    /// Writes which runs the real runtime made, and the result of comparing them.
    fn on_runtime(&self, out: &mut Buffer, tested: &Tested) {
        let OnRuntime { rebuilt, long, same, excused, differing, excuses } = &tested.on_runtime;
        let printer = self.printers.of(tested.name.module);
        let runtime = printer.runtime();
        let mut line = |text: String| write(out, &format!("  {text}\n"));
        if *differing > 0 {
            let runs = count(*differing, "run differs", "runs differ");
            let whose = match self.detail {
                Detail::Quiet => format!("{}: ", printer.function(tested.name)),
                Detail::Normal | Detail::Verbose => String::new(),
            };
            line(format!("{whose}{runs} between the machine and {runtime}: a defect of Beagle, please report it"));
        }
        if self.detail == Detail::Quiet {
            return;
        }
        if *long > 0 && self.detail == Detail::Verbose {
            let runs = count(*long, "long run was", "long runs were");
            line(format!("{runs} made on {runtime}, to make inputs smaller"));
        }
        if *rebuilt > 0 {
            let runs = count(*rebuilt, "run was", "runs were");
            line(format!("{runs} made on {runtime} first, for what Beagle's machine cannot do"));
        }
        if same + excused > 0 {
            let runs = count(*same, "run is", "runs are");
            let others = if *excused > 0 { format!("; {excused} cannot be compared") } else { String::new() };
            line(format!("{runs} the same on {runtime}{others}"));
        }
        for (why, runs) in excuses {
            line(format!("- not compared: {why} ({})", count(*runs, "run", "runs")));
        }
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
        if exploration.leaves_messages > 0 {
            let runs = count(exploration.leaves_messages, "run", "runs");
            write(out, &format!("  {runs} left messages in the mailbox of the calling process\n"));
        }
        if exploration.error_reports > 0 {
            let runs = count(exploration.runs_with_reports, "run", "runs");
            let reports = count(exploration.error_reports, "error", "errors");
            write(out, &format!("  {runs} reported {reports} to the logger\n"));
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

    /// Returns the code for `beagle explain`, if details are wanted.
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
