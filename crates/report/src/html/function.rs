//! The page of a function: its verdict, its findings, what was not explored, and the tree of its runs.

use super::index::left_out_note;
use super::{LONGEST_PART, SHORTER_PART, Site, bounded, runs, tone_class};
use crate::Tested;
use crate::sentences::{all_paths, effort, missing, verdict};
use crate::words::{count, shortened};
use maud::{Markup, html};

impl Site<'_> {
    pub(super) fn function(&self, tested: &Tested) -> String {
        let name = self.function_name(tested.name);
        let (tone, words, more) = verdict(self.printers.of(tested.name.module), tested);
        let module = tested.name.module;
        let trail = [
            ("Report".to_string(), "index.html".to_string()),
            (self.module_name(module), self.modules.path(&module).to_string()),
        ];
        let (findings, left_out) =
            bounded(&tested.exploration.findings, SHORTER_PART, |judged| self.finding(tested, judged, "../"));
        let body = html! {
            h1 { (name) }
            p.verdict { span.(tone_class(tone)) { (words) } (more) " (" (effort(tested)) ")." }
            @if !tested.has_specification {
                p { "It has no specification: inputs may be any terms." }
            }
            h2 { "Findings" }
            @if tested.exploration.findings.is_empty() { p { "None." } }
            (findings)
            (left_out_note(left_out, "finding", "findings"))
            (self.unexplored(tested))
            (self.tree(tested))
            (figures(tested))
        };
        self.page(&name, "../", &trail, &body)
    }

    fn tree(&self, tested: &Tested) -> Markup {
        let shown = tested.tree.runs();
        let left_out = (tested.exploration.runs as usize).saturating_sub(shown);
        let module_page = format!("../{}", self.modules.path(&tested.name.module));
        html! {
            h2 { "Runs" }
            @if shown == 0 {
                p { "No runs were recorded." }
            } @else {
                p { "The decisions of each run, in order. Runs share a branch as far as their decisions agree." }
                (runs::tree(&tested.tree, &module_page, LONGEST_PART))
                @if left_out > 0 {
                    p.left-out { "Only the first runs are recorded: " (count(left_out as u64, "further run is", "further runs are")) " left out." }
                }
            }
        }
    }

    fn unexplored(&self, tested: &Tested) -> Markup {
        let (reasons, left_out) = bounded(
            missing(self.printer(tested.name), tested),
            SHORTER_PART,
            |(reason, _)| html! { li { (shortened(&reason, super::NAME)) } },
        );
        html! {
            h2 { "What was not explored" }
            @if tested.is_exhaustive() {
                p { "Nothing: " (all_paths(tested)) "." }
            } @else {
                ul { (reasons) }
                (left_out_note(left_out, "reason", "reasons"))
            }
        }
    }
}

fn figures(tested: &Tested) -> Markup {
    let exploration = &tested.exploration;
    let rows = [
        ("Queries", exploration.queries.to_string()),
        ("Decided by screening", exploration.native.to_string()),
        ("Unsatisfiable", exploration.unsat.to_string()),
        ("Undecided", exploration.unknown.to_string()),
        ("Seconds", format!("{:.3}", tested.seconds)),
        ("Seconds in the solver", format!("{:.3}", tested.solver_seconds)),
        ("Of these, waiting for the SMT solver", format!("{:.3}", tested.smt_seconds)),
    ];
    html! {
        h2 { "Figures" }
        table.summary {
            tbody {
                @for (name, value) in rows {
                    tr { th scope="row" { (name) } td.number { (value) } }
                }
            }
        }
    }
}
