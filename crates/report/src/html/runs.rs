//! The tree of runs as nested lists that can be opened and closed. Decisions on which all runs below agree are merged
//! into one step.

use crate::tree::{Decision, Outcome, Run, Tree, TreeNode};
use crate::words::{count, shortened};
use maud::{Markup, PreEscaped, html};

/// Greatest depth of nested lists: browsers limit the nesting of elements. Deeper runs are shown as a flat list.
const DEEPEST: usize = 60;
/// Number of decisions that one step shows.
const MOST_DECISIONS: usize = 12;
/// Depth down to which the tree is open at first.
const OPEN: usize = 1;

struct Runs<'t> {
    tree: &'t Tree,
    module_page: &'t str,
    out: String,
    bytes: usize,
}

pub fn tree(tree: &Tree, module_page: &str, bytes: usize) -> Markup {
    let mut runs = Runs { tree, module_page, out: String::new(), bytes };
    if let Some(root) = tree.root() {
        runs.out.push_str("<ul class=\"tree\">");
        runs.step(root, 0);
        runs.out.push_str("</ul>");
    }
    PreEscaped(runs.out)
}

impl<'t> Runs<'t> {
    /// Writes a node, merged with the nodes below it as long as there is only one child.
    fn step(&mut self, first: &'t TreeNode, depth: usize) {
        let mut decisions: Vec<&Decision> = first.decision.iter().collect();
        let mut node = first;
        while node.runs.is_empty()
            && let Some(only) = self.only_child(node)
        {
            decisions.extend(only.decision.iter());
            node = only;
        }
        // Different decisions may have the same condition.
        decisions.dedup_by(|next, before| (&next.place, &next.condition) == (&before.place, &before.condition));
        if let ([run], None) = (&node.runs[..], self.tree.children(node).next()) {
            let line = html! { li { (self.conditions(&decisions)) (run_line(run)) } };
            return self.out.push_str(&line.into_string());
        }
        let summary = html! {
            summary {
                (self.conditions(&decisions))
                span.count { (count(node.count as u64, "run", "runs")) @if node.failed > 0 { ", " span.bad { (node.failed) " failed" } } }
            }
        };
        let open = if depth < OPEN { "<li><details open>" } else { "<li><details>" };
        self.out.push_str(open);
        self.out.push_str(&summary.into_string());
        self.out.push_str("<ul>");
        if depth < DEEPEST {
            self.below(node, depth);
        } else {
            self.flat(node);
        }
        self.out.push_str("</ul></details></li>");
    }

    fn below(&mut self, node: &'t TreeNode, depth: usize) {
        let mut left_out = self.own_runs(node);
        for child in self.tree.children(node) {
            if self.is_full() {
                left_out += child.count;
            } else {
                self.step(child, depth + 1);
            }
        }
        self.note(left_out);
    }

    /// Writes all runs below, without their decisions.
    fn flat(&mut self, node: &'t TreeNode) {
        let mut left_out = 0;
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            left_out += self.own_runs(node);
            open.extend(self.tree.children(node));
        }
        self.note(left_out);
    }

    /// Writes the runs that end here and returns how many did not fit.
    fn own_runs(&mut self, node: &TreeNode) -> usize {
        let mut left_out = 0;
        for run in &node.runs {
            if self.is_full() {
                left_out += 1;
            } else {
                self.out.push_str(&html! { li { (run_line(run)) } }.into_string());
            }
        }
        left_out
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.bytes
    }

    fn note(&mut self, left_out: usize) {
        if left_out > 0 {
            let runs = count(left_out as u64, "run", "runs");
            let note = html! { li.left-out { "This page would become too large: " (runs) " left out here." } };
            self.out.push_str(&note.into_string());
        }
    }

    fn only_child(&self, node: &'t TreeNode) -> Option<&'t TreeNode> {
        let mut children = self.tree.children(node);
        let only = children.next();
        only.filter(|_| children.next().is_none())
    }

    fn conditions(&self, decisions: &[&Decision]) -> Markup {
        html! {
            @if decisions.is_empty() { span.condition { "All runs " } }
            @for decision in decisions.iter().take(MOST_DECISIONS) {
                span.condition {
                    @match decision.line {
                        Some(line) => a href={ (self.module_page) "#L" (line) } { (decision.place) },
                        None => span { (shortened(&decision.place, 100)) },
                    }
                    ": " code { (decision.condition) }
                }
                " "
            }
            @if decisions.len() > MOST_DECISIONS {
                span.condition { "and " (decisions.len() - MOST_DECISIONS) " more decisions" } " "
            }
        }
    }
}

fn run_line(run: &Run) -> Markup {
    let (class, outcome) = match &run.outcome {
        Outcome::Fine(text) => ("good", text),
        Outcome::Failed(text) => ("bad", text),
        Outcome::Open(text) => ("open", text),
    };
    html! {
        span.run {
            span.count { "run " (run.number) } " " code { (run.call) } " → " span.(class) { code { (outcome) } }
            @if run.more_decisions > 0 { " (" (run.more_decisions) " more decisions)" }
        }
    }
}
