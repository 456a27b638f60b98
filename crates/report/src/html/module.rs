//! The page of a module: its functions, and its source with both sides of each branch.

use super::branches::{Branch, SideState};
use super::index::left_out_note;
use super::{LONGEST_PART, SHORTER_PART, Site, bounded, number, tone_class};
use crate::Tested;
use crate::sentences::{covered, verdict};
use crate::words::{count, shortened};
use maud::{Markup, html};
use term::Atom;

/// Number of characters of a source line that the page shows.
const LINE: usize = 400;

impl Site<'_> {
    pub(super) fn module(&self, module: Atom) -> String {
        let functions: Vec<&Tested> =
            self.results.functions.iter().filter(|tested| tested.name.module == module).collect();
        let body = html! {
            h1 { "Module " (shortened(&self.module_name(module), super::NAME)) }
            (self.functions_of(&functions))
            (self.source_of(module))
        };
        self.page(&self.module_name(module), "../", &[("Report".to_string(), "index.html".to_string())], &body)
    }

    fn functions_of(&self, functions: &[&Tested]) -> Markup {
        let mut ordered: Vec<&Tested> = functions.to_vec();
        ordered.sort_by_key(|tested| std::cmp::Reverse(tested.bugs()));
        let (rows, left_out) = bounded(ordered, SHORTER_PART, |tested| {
            let (tone, words, more) = verdict(self.printers.of(tested.name.module), tested);
            let exploration = &tested.exploration;
            html! {
                tr {
                    th scope="row" { a href={ "../" (self.functions.path(&tested.name)) } { (self.function_name(tested.name)) } }
                    td { span.(tone_class(tone)) { (words) } (more) }
                    (number(exploration.runs))
                    (number(covered(exploration.covered, exploration.branches, tested.unreachable())))
                    (number(format!("{:.2}", tested.seconds)))
                }
            }
        });
        html! {
            h2 { "Functions" }
            @if functions.is_empty() {
                p { "None of its functions was tested; other functions called them." }
            } @else {
                div.scroll {
                    table {
                        thead {
                            tr {
                                th scope="col" { "Function" } th scope="col" { "Verdict" } th.number scope="col" { "Runs" }
                                th.number scope="col" { "Branches covered" } th.number scope="col" { "Seconds" }
                            }
                        }
                        tbody { (rows) }
                    }
                }
                (left_out_note(left_out, "function", "functions"))
            }
        }
    }

    fn source_of(&self, module: Atom) -> Markup {
        let branches = self.branches.get(&module);
        let Some(source) = self.results.sources.get(&module) else {
            return html! { h2 { "Source" } p { "The source could not be read." } };
        };
        let lines = source.text.lines().enumerate();
        let (rows, left_out) = bounded(lines, LONGEST_PART, |(index, text)| {
            let line = index as u32 + 1;
            let here = branches.and_then(|branches| branches.by_line.get(&line));
            let states: Vec<SideState> = here
                .into_iter()
                .flat_map(|here| here.values())
                .flat_map(|branch| &branch.ways)
                .map(|way| way.state())
                .collect();
            let count_of = |wanted: SideState| states.iter().filter(|state| **state == wanted).count();
            let (taken, unreachable) = (count_of(SideState::Taken), count_of(SideState::Impossible));
            let missing = states.iter().any(|state| matches!(state, SideState::NotTaken(_) | SideState::Refuted(_)));
            html! {
                tr id={ "L" (line) } class=[(!states.is_empty()).then_some(if missing { "partial" } else { "full" })] {
                    td.number { a href={ "#L" (line) } { (line) } }
                    td {
                        code { (shortened(text, LINE)) }
                        @if let Some(here) = here {
                            details.ways {
                                summary { "branches covered " (covered(taken, states.len(), unreachable)) }
                                @for branch in here.values() { (branch_list(branch)) }
                            }
                        }
                    }
                }
            }
        });
        let elsewhere = branches.map_or(0, |branches| branches.elsewhere);
        html! {
            h2 { "Source" }
            p { (source.path) ". Open a line with branches to see the condition of each, as it was when a run first reached it." }
            div.scroll {
                table.source {
                    caption { "Source with branches" }
                    tbody { (rows) }
                }
            }
            (left_out_note(left_out, "line", "lines"))
            @if elsewhere > 0 {
                p { (count(elsewhere as u64, "branch lies", "branches lie")) " in other files, or on unknown lines." }
            }
        }
    }
}

fn branch_list(branch: &Branch) -> Markup {
    html! {
        ul {
            @for way in &branch.ways {
                @let (class, words) = state_words(way.state());
                li { span.state.(class) { (words) } " " code { (way.words) } }
            }
            @if branch.more_ways > 0 {
                li { (branch.more_taken) " of " (branch.more_ways) " further branches covered" }
            }
        }
    }
}

fn state_words(state: SideState) -> (&'static str, String) {
    match state {
        SideState::Taken => ("good", "covered".to_string()),
        SideState::Impossible => ("none", "unreachable".to_string()),
        SideState::Refuted(attempts) => (
            "none",
            format!("unreachable so far: {} without a solution", count(attempts.into(), "attempt", "attempts")),
        ),
        SideState::NotTaken(0) => ("bad", "not covered".to_string()),
        SideState::NotTaken(open) => {
            ("bad", format!("not covered: {} undecided", count(open.into(), "attempt", "attempts")))
        }
    }
}
