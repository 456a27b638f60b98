//! What is written while functions are tested and when all is done: one report to standard output, others to
//! files.

use super::pages::Pages;
use super::saved::{Saved, UserFunctions};
use super::written::NewFile;
use crate::arguments::{ReportFormat, ReportOptions};
use crate::streams::{self, complain};
use frontend::Languages;
use report::rank::Category;
use report::{
    Announced, Detail, Github, Html, Human, Judged, Junit, Lines, Report, Results, Sarif, Source, Summary, Tested,
};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;
use term::{Atom, FunctionName};

/// Said where the exit code is not what it was before findings had categories.
const CHANGE: &str = "only likely bugs make the exit code 1; before, every finding did: --fail-on all";

pub struct Output<'l> {
    languages: &'l Languages,
    start: Instant,
    screen: Box<dyn Report + 'l>,
    /// Of the report on the screen.
    colour: bool,
    files: Vec<FileReport<'l>>,
    pages: Option<Pages>,
    saved: Option<(NewFile, UserFunctions)>,
    /// Functions with their numbers, in the order in which they were done.
    tested: Vec<(usize, Tested)>,
    results: Results,
    /// The categories that the command fails for, and whether nobody has said which.
    fail_on: Vec<Category>,
    is_default: bool,
}

/// A report that is written whole at the end.
struct FileReport<'l> {
    report: Box<dyn Report + 'l>,
    text: String,
    file: NewFile,
}

/// All that are wanted.
pub fn formats(options: &ReportOptions) -> impl Iterator<Item = ReportFormat> + '_ {
    std::iter::once(options.format).chain(options.outputs.iter().map(|(format, _)| *format))
}

impl<'l> Output<'l> {
    /// Files that cannot be written are an error now, not when all is done.
    pub fn new(options: &ReportOptions, languages: &'l Languages, start: Instant) -> anyhow::Result<Output<'l>> {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = std::io::stdout().is_terminal() && !no_colour;
        let mut files = Vec::new();
        for (format, path) in &options.outputs {
            let report = report(*format, options, languages, false);
            let file = options.with_origin(path, NewFile::prepare("--output", path))?;
            files.push(FileReport { report, text: String::new(), file });
        }
        let pages = options.html.as_deref().map(|folder| options.with_origin(folder, Pages::prepare(folder)));
        let pages = pages.transpose()?;
        let screen = report(options.format, options, languages, colour);
        Ok(Output {
            languages,
            start,
            screen,
            colour,
            files,
            pages,
            saved: None,
            tested: Vec::new(),
            results: Results::default(),
            fail_on: options.fail_on.0.clone(),
            is_default: !options.quiet && options.fail_on.0 == [Category::Likely],
        })
    }

    /// Modules that could not be loaded.
    pub fn unreadable(&mut self, failures: Vec<String>, modules: usize) {
        self.results.summary.unreadable = modules;
        self.results.failures = failures;
    }

    /// Everything goes to that file as well, for `beagle merge`.
    pub fn save_to(&mut self, file: &Path, modules: UserFunctions) -> anyhow::Result<()> {
        self.saved = Some((NewFile::prepare("--save", file)?, modules));
        Ok(())
    }

    /// A function that could not be tested.
    pub fn failed(&mut self, message: String) {
        self.results.failures.push(message);
    }

    /// The user ended the command before this many functions were tested.
    pub fn interrupted(&mut self, untested: usize) {
        self.results.summary.untested = Some(untested);
    }

    pub fn tested_functions(&self) -> usize {
        self.tested.len()
    }

    pub fn found(&mut self, name: FunctionName, judged: &Judged) {
        self.write(&mut |report| report.found(name, judged));
    }

    pub fn tested(&mut self, number: usize, tested: Tested) {
        self.results.summary.add(&tested);
        self.write(&mut |report| report.tested(number, &tested));
        self.tested.push((number, tested));
    }

    /// Answers with the number of bugs that make the command fail. `announced`: what was called a likely bug before all was
    /// known. `sources`: of the modules in the results.
    pub fn finish(
        mut self,
        announced: &[Announced],
        sources: impl FnOnce(&Results) -> HashMap<Atom, Source>,
    ) -> anyhow::Result<usize> {
        self.tested.sort_by_key(|(number, _)| *number);
        let mut results = std::mem::take(&mut self.results);
        let numbers: Vec<usize> = self.tested.iter().map(|(number, _)| *number).collect();
        results.functions = std::mem::take(&mut self.tested).into_iter().map(|(_, tested)| tested).collect();
        results.mark_company();
        results.summary.seconds = self.start.elapsed().as_secs_f64();
        self.write(&mut |report| report.finish(&results));
        if let Some(words) = results.less_urgent(self.languages, announced) {
            complain!("{words}");
        }
        // What cannot be written keeps nothing else from being written.
        let mut written: Vec<anyhow::Result<()>> =
            self.files.into_iter().map(|FileReport { text, file, .. }| file.write(text.as_bytes())).collect();
        if self.pages.is_some() || self.saved.is_some() {
            results.sources = sources(&results);
        }
        let failing = results.failing(&self.fail_on);
        if failing < results.summary.bugs && self.is_default {
            complain!("{CHANGE}");
        }
        if let Some(mut pages) = self.pages {
            let html = Html { printers: self.languages, version: env!("CARGO_PKG_VERSION") };
            let made = html.pages(&results, &mut |path, text| pages.write(path, text));
            written.push(made.and_then(|()| pages.finish()));
        }
        if let Some((file, modules)) = self.saved {
            let Results { functions, failures, sources, summary } = results;
            let functions = numbers.into_iter().zip(functions).collect();
            let Summary { unreadable, untested, .. } = summary;
            let saved = Saved { functions, failures, unreadable, untested, sources, modules };
            written.push(saved.encoded().and_then(|bytes| file.write(&bytes)));
        }
        written.into_iter().collect::<anyhow::Result<()>>().map(|()| failing)
    }

    fn write(&mut self, next: &mut dyn FnMut(&mut dyn Report) -> String) {
        let text = next(&mut *self.screen);
        if self.colour {
            streams::write_coloured(&text)
        } else {
            streams::write(&text)
        }
        for file in &mut self.files {
            file.text.push_str(&next(&mut *file.report));
        }
    }
}

fn report<'l>(
    format: ReportFormat,
    options: &ReportOptions,
    printers: &'l Languages,
    colour: bool,
) -> Box<dyn Report + 'l> {
    let detail = match (options.quiet, options.verbose) {
        (true, _) => Detail::Quiet,
        (false, true) => Detail::Verbose,
        (false, false) => Detail::Normal,
    };
    match format {
        ReportFormat::Human => {
            let mut show = options.show.0.clone();
            // Nobody hides these.
            show.push(Category::Likely);
            let fail_on = options.fail_on.0.clone();
            Box::new(Human { show, fail_on, ..Human::new(printers, colour, detail) })
        }
        ReportFormat::Jsonl => Box::new(Lines { printers }),
        ReportFormat::Junit => Box::new(Junit { printers, fail_on: options.fail_on.0.clone() }),
        ReportFormat::Sarif => Box::new(Sarif { printers, version: env!("CARGO_PKG_VERSION") }),
        ReportFormat::Github => Box::new(Github { printers }),
    }
}
