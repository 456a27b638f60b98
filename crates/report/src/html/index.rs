//! The first page: the summary, the findings, and the modules.

use super::{LONGEST_PART, SHORTER_PART, Site, bounded, number};
use crate::Tested;
use crate::defect::Defect;
use crate::sentences::{certainty, covered, title};
use crate::words::{count, shortened};
use maud::{Markup, html};

impl Site<'_> {
    pub(super) fn index(&self) -> String {
        let body = html! {
            h1 { "Beagle's report" }
            (self.summary())
            (self.failures())
            (self.all_findings())
            (self.all_modules())
        };
        self.page("Report", "", &[], &body)
    }

    fn summary(&self) -> Markup {
        let summary = &self.results.summary;
        html! {
            table.summary {
                caption { "Summary" }
                tbody {
                    tr { th scope="row" { "Functions tested" } (number(summary.functions)) }
                    tr { th scope="row" { "Bugs" } td.number.bad[summary.bugs > 0] { (summary.bugs) } }
                    @if self.results.places(self.printers) < summary.bugs {
                        tr { th scope="row" { "Places of the bugs" } (number(self.results.places(self.printers))) }
                    }
                    tr { th scope="row" { "Functions with bugs" } (number(summary.with_bugs)) }
                    tr { th scope="row" { "Functions with all paths explored and no bugs" } (number(summary.exhausted)) }
                    @if summary.known > 0 {
                        tr { th scope="row" { "Known bugs" } (number(summary.known)) }
                    }
                    @if summary.expected > 0 {
                        tr { th scope="row" { "Expected exceptions" } (number(summary.expected)) }
                    }
                    @if summary.suspects > 0 {
                        tr { th scope="row" { "Suspected defects of Beagle" } (number(summary.suspects)) }
                    }
                    @if summary.unreadable > 0 {
                        tr { th scope="row" { "Modules that could not be loaded" } (number(summary.unreadable)) }
                    }
                    @if let Some(untested) = summary.untested {
                        tr { th scope="row" { "Interrupted; functions not tested" } td.number.bad { (untested) } }
                    }
                    tr { th scope="row" { "Seconds" } (number(format!("{:.1}", summary.seconds))) }
                }
            }
        }
    }

    fn failures(&self) -> Markup {
        let (failures, left_out) = bounded(
            &self.results.failures,
            SHORTER_PART,
            |failure| html! { li { pre { (shortened(failure, 4000)) } } },
        );
        html! {
            @if !self.results.failures.is_empty() {
                h2 { "Not tested" }
                ul { (failures) }
                (left_out_note(left_out, "message", "messages"))
            }
        }
    }

    fn all_findings(&self) -> Markup {
        let bugs: Vec<_> = self.results.ranked(self.printers).into_iter().map(|ranked| ranked.defect).collect();
        let others = self.results.defects(self.printers).into_iter();
        let others: Vec<_> = others.filter(|defect| !defect.best.1.is_bug()).collect();
        let row = |defect: Defect<'_>| {
            let (name, judged) = defect.best;
            let (tone, certainty, _) = certainty(self.printer(name), judged);
            html! {
                tr {
                    td {
                        a href=(self.functions.path(&name)) { (shortened(&title(self.printer(name), name, judged), 200)) }
                        @if !defect.others.is_empty() {
                            br; "also through"
                            @for (name, _) in &defect.others { " " a href=(self.functions.path(name)) { (self.function_name(*name)) } }
                        }
                    }
                    td {
                        @if let Some(place) = &judged.place {
                            (self.source_link(name.module, &place.file, &place.path, place.line, ""))
                        }
                    }
                    td { span.(super::tone_class(tone)) { (certainty) } }
                    td { @if judged.is_bug() { (judged.ranking().category.title()) } }
                }
            }
        };
        let nothing = bugs.is_empty() && others.is_empty();
        let (rows, left_out) = bounded(bugs.into_iter().chain(others), LONGEST_PART / 2, row);
        html! {
            h2 { "Findings" }
            @if nothing {
                p { "None." }
            } @else {
                div.scroll {
                    table {
                        thead { tr { th scope="col" { "What" } th scope="col" { "Where" } th scope="col" { "Confirmed?" } th scope="col" { "Category" } } }
                        tbody { (rows) }
                    }
                }
                (left_out_note(left_out, "finding", "findings"))
            }
        }
    }

    fn all_modules(&self) -> Markup {
        let tested = self.results.modules();
        let (rows, left_out) = bounded(self.modules.iter(), LONGEST_PART / 2, |(module, path)| {
            let functions: &[&Tested] =
                tested.iter().find(|(name, _)| name == module).map_or(&[], |(_, functions)| functions);
            let bugs: usize = functions.iter().map(|tested| tested.bugs()).sum();
            let done = functions.iter().filter(|tested| tested.is_faultless()).count();
            let (branches, taken, unreachable) =
                self.branches.get(module).map_or((0, 0, 0), |branches| branches.count());
            html! {
                tr {
                    th scope="row" { a href=(path) { (shortened(&self.module_name(*module), 100)) } }
                    (number(functions.len()))
                    td.number.bad[bugs > 0] { (bugs) }
                    (number(done))
                    (number(covered(taken, branches, unreachable)))
                }
            }
        });
        html! {
            h2 { "Modules" }
            div.scroll {
                table {
                    thead {
                        tr {
                            th scope="col" { "Module" } th.number scope="col" { "Functions" } th.number scope="col" { "Bugs" }
                            th.number scope="col" { "All paths explored, no bugs" } th.number scope="col" { "Branches covered" }
                        }
                    }
                    tbody { (rows) }
                }
            }
            (left_out_note(left_out, "module", "modules"))
        }
    }
}

pub(super) fn left_out_note(left_out: usize, one: &str, many: &str) -> Markup {
    html! {
        @if left_out > 0 {
            p.left-out { "This page would become too large: " (count(left_out as u64, one, many)) " more left out here." }
        }
    }
}
