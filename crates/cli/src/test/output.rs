//! Writes reports while functions are tested and when all is done: one to standard output, others to files.

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

/// The message that is printed if the exit code is not the one that it was before findings had categories.
const CHANGE: &str = "only likely bugs make the exit code 1; before, every finding did: --fail-on all";

pub struct Output<'l> {
    languages: &'l Languages,
    start: Instant,
    screen: Box<dyn Report + 'l>,
    /// Whether the report on the screen has colours.
    colour: bool,
    files: Vec<FileReport<'l>>,
    pages: Option<Pages>,
    saved: Option<(NewFile, UserFunctions)>,
    /// Functions with their numbers, in the order in which they were done.
    tested: Vec<(usize, Tested)>,
    results: Results,
    /// The categories that the command fails for, and whether these are the default.
    fail_on: Vec<Category>,
    is_default: bool,
}

/// A report that is written as a whole at the end.
struct FileReport<'l> {
    report: Box<dyn Report + 'l>,
    text: String,
    file: NewFile,
}

/// Returns all formats that are wanted.
pub fn formats(options: &ReportOptions) -> impl Iterator<Item = ReportFormat> + '_ {
    std::iter::once(options.format).chain(options.outputs.iter().map(|(format, _)| *format))
}

impl<'l> Output<'l> {
    /// Prepares all reports. A file that cannot be written is reported now, not when all is done.
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

    /// Notes the modules that could not be loaded.
    pub fn unreadable(&mut self, failures: Vec<String>, modules: usize) {
        self.results.summary.unreadable = modules;
        self.results.failures = failures;
    }

    /// Writes everything to this file as well, for `beagle merge`.
    pub fn save_to(&mut self, file: &Path, modules: UserFunctions) -> anyhow::Result<()> {
        self.saved = Some((NewFile::prepare("--save", file)?, modules));
        Ok(())
    }

    /// Notes a function that could not be tested.
    pub fn failed(&mut self, message: String) {
        self.results.failures.push(message);
    }

    /// Notes that the user ended the command before this many functions were tested.
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

    /// Completes all reports, and returns the number of bugs that make the command fail. `announced` are the findings
    /// that were called likely bugs before everything was known. `sources` returns the sources of the modules in the
    /// results.
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
        // If one file cannot be written, the others still are.
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
            // Likely bugs cannot be hidden.
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
