//! Pages for a browser: an index with the findings, a page for each module with its source and its branches, a page
//! for each function with its findings and the tree of its runs.
//!
//! The pages are self-contained: no scripts, no external resources, relative links. The templates escape everything
//! that comes from a program, and a content security policy in each page forbids scripts as well. The size of a page is
//! bounded: whatever does not fit is left out and counted.

mod branches;
mod function;
mod index;
mod module;
mod runs;
mod slugs;
#[cfg(test)]
mod tests;

use crate::defect::identity;
use crate::sentences::{Tone, category, certainty, title};
use crate::words::{capped, shortened};
use crate::{Judged, Printer, Printers, Results, Tested, conversation::conversation, example, processes};
use branches::Branches;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use slugs::Slugs;
use std::collections::{BTreeMap, HashMap};
use term::{Atom, FunctionName};

/// Largest size in bytes of a page's main part: the tree of runs, the source, or the list of findings.
const LONGEST_PART: usize = 1_200_000;
/// Largest size in bytes of a page's other parts.
const SHORTER_PART: usize = 300_000;
/// Number of characters of a call, and of its outcome, that a page shows.
const CALL: usize = 2000;
/// Number of characters of a name or a title that a page shows.
const NAME: usize = 300;

pub struct Html<'p> {
    pub printers: &'p dyn Printers,
    pub version: &'p str,
}

/// The data that all pages are made from.
struct Site<'a> {
    printers: &'a dyn Printers,
    version: &'a str,
    results: &'a Results,
    /// Branches by module, including modules that have no tested function but were called.
    branches: BTreeMap<Atom, Branches>,
    modules: Slugs<Atom>,
    functions: Slugs<FunctionName>,
    /// Functions that show the same defect, by its identity.
    same: HashMap<String, Vec<FunctionName>>,
}

impl Html<'_> {
    /// Passes each page and its path to `write`. The index comes last, when the pages that it links to exist.
    pub fn pages<E>(&self, results: &Results, write: &mut dyn FnMut(&str, &str) -> Result<(), E>) -> Result<(), E> {
        let branches = branches::of(results);
        let mut modules = Slugs::new("modules");
        let mut functions = Slugs::new("functions");
        for tested in &results.functions {
            let module = tested.name.module;
            modules.add(module, &self.printers.of(module).module(module));
            functions.add(tested.name, &self.printers.of(tested.name.module).function(tested.name));
        }
        branches.keys().for_each(|module| modules.add(*module, &self.printers.of(*module).module(*module)));
        let mut same: HashMap<String, Vec<FunctionName>> = HashMap::new();
        for tested in &results.functions {
            for judged in &tested.exploration.findings {
                let names =
                    same.entry(identity(self.printers.of(tested.name.module), tested.name, judged)).or_default();
                if names.last() != Some(&tested.name) {
                    names.push(tested.name);
                }
            }
        }
        let (printers, version) = (self.printers, self.version);
        let site = Site { printers, version, results, branches, modules, functions, same };
        for tested in &results.functions {
            write(site.functions.path(&tested.name), &site.function(tested))?;
        }
        for (module, path) in site.modules.iter() {
            write(path, &site.module(*module))?;
        }
        write("index.html", &site.index())
    }
}

impl Site<'_> {
    /// Returns a whole page. `up` is the relative path from it to the folder of the index.
    fn page(&self, title: &str, up: &str, trail: &[(String, String)], body: &Markup) -> String {
        let title = shortened(title, NAME);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) " – Beagle" }
                    style { (PreEscaped(include_str!("style.css"))) }
                }
                body {
                    a.skip href="#content" { "Skip to the content" }
                    @if !trail.is_empty() {
                        nav aria-label="Breadcrumb" {
                            ol {
                                @for (name, path) in trail {
                                    li { a href={ (up) (path) } { (shortened(name, NAME)) } }
                                }
                                li aria-current="page" { (title) }
                            }
                        }
                    }
                    main #content { (body) }
                    footer { p { "Generated by Beagle " (self.version) "." } }
                }
            }
        };
        // Hidden characters are not allowed on any page, so they are made visible.
        crate::visible::visible(&page.into_string()).into_owned()
    }

    fn printer(&self, name: FunctionName) -> &dyn Printer {
        self.printers.of(name.module)
    }

    fn module_name(&self, module: Atom) -> String {
        self.printers.of(module).module(module)
    }

    fn function_name(&self, name: FunctionName) -> String {
        shortened(&self.printer(name).function(name), NAME)
    }

    /// Returns a finding with all its details. `up` is the relative path to the folder of the index.
    fn finding(&self, tested: &Tested, judged: &Judged, up: &str) -> Markup {
        let name = tested.name;
        let said = conversation(self.printer(name), name, &judged.finding);
        let waiting = processes::waiting(self.printer(name), name, &judged.finding);
        let printer = self.printer(name);
        let call = example(printer, name, judged);
        let (tone, certainty, more) = certainty(self.printer(name), judged);
        let same = self.same.get(&identity(self.printer(name), name, judged)).map_or(&[][..], Vec::as_slice);
        let (others, left_out) = bounded(same.iter().filter(|other| **other != name), SHORTER_PART / 10, |other| {
            html! { " " a href={ (up) (self.functions.path(other)) } { (self.function_name(*other)) } }
        });
        let severity = match judged {
            judged if judged.is_known => "known",
            judged if judged.is_bug() => "bug",
            judged if judged.is_suspect() => "suspect",
            _ => "unsure",
        };
        html! {
            article.finding.(severity) {
                h3 { (shortened(&title(self.printer(name), name, judged), NAME)) }
                @if let Some(place) = &judged.place {
                    p { (self.source_link(name.module, &place.file, &place.path, place.line, up)) }
                    @if let Some(line) = place.text.as_deref().and_then(|text| line(text, place.line)) {
                        pre.line { code { (shortened(line, NAME)) } }
                    }
                }
                p.label { "Paste this:" }
                pre.call tabindex="0" { code { (capped(&call, CALL)) } }
                @if !judged.shown.is_empty() {
                    pre.outcome tabindex="0" { code { (capped(judged.shown.trim_end(), CALL)) } }
                }
                @if !said.is_empty() {
                    details {
                        summary { "Conversation with function inputs" }
                        pre.said { (said.iter().map(|line| shortened(line, CALL)).collect::<Vec<_>>().join("\n")) }
                    }
                }
                @if !waiting.is_empty() {
                    p.label { "Who waits for whom:" }
                    pre.said { (waiting.iter().map(|line| shortened(line, CALL)).collect::<Vec<_>>().join("\n")) }
                }
                p { span.(tone_class(tone)) { (certainty) } (shortened(&more, CALL)) "; found in run " (judged.finding.runs) "." }
                @if judged.is_bug() { p { (category(judged)) "." } }
                @if same.len() > 1 {
                    p { "Also found through" (others) @if left_out > 0 { " and " (left_out) " others" } "." }
                }
            }
        }
    }

    /// Returns a link to the line on the module's page, if the line is in the module's own file.
    fn source_link(&self, module: Atom, file: &str, path: &str, line: u32, up: &str) -> Markup {
        let words = format!("{}:{line}", shortened(path, NAME));
        let is_own = self.results.sources.get(&module).is_some_and(|source| source.file == file);
        match self.modules.get(&module).filter(|_| is_own) {
            Some(page) => html! { a href={ (up) (page) "#L" (line) } { (words) } },
            None => html! { (words) },
        }
    }
}

fn line(text: &str, line: u32) -> Option<&str> {
    text.lines().nth((line as usize).checked_sub(1)?)
}

fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Open => "open",
        Tone::Bad => "bad",
    }
}

/// Renders as many items as fit, and returns how many do not.
fn bounded<T>(items: impl IntoIterator<Item = T>, bytes: usize, render: impl Fn(T) -> Markup) -> (Markup, usize) {
    let (mut out, mut left_out) = (String::new(), 0);
    for item in items {
        if out.len() > bytes {
            left_out += 1;
        } else {
            out.push_str(&render(item).into_string());
        }
    }
    (PreEscaped(out), left_out)
}

/// Returns a table cell with a number.
fn number(number: impl std::fmt::Display) -> Markup {
    html! { td.number { (number.to_string()) } }
}
