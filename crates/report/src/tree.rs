//! The runs of an exploration as a tree: runs share a branch as long as their decisions agree.

use crate::call_with;
use crate::words::shortened;
use crate::{Printer, losses};
use path::{Reach, Site};
use search::{Decided, End, Failure, Ran, Where};
use serde::{Deserialize, Serialize};
use term::FunctionName;

/// The number of characters that are kept of a call, and of an outcome.
const CALL: usize = 300;
const OUTCOME: usize = 200;

/// The number of decisions that are kept: a page could not show more.
const MOST_NODES: usize = 5_000;

/// A tree that grows with every run that is added. It keeps texts, since the data of a run may be large.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tree {
    /// The nodes. The first one is the root.
    nodes: Vec<TreeNode>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TreeNode {
    /// The decision that leads here from the parent.
    pub decision: Option<Decision>,
    children: Vec<usize>,
    /// The runs that ended here.
    pub runs: Vec<Run>,
    /// The number of runs here and below.
    pub count: usize,
    /// The number of these runs that failed.
    pub failed: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Decision {
    site: Site,
    way: u32,
    /// The place where it is taken, in words.
    pub place: String,
    /// The line, in the module under test.
    pub line: Option<u32>,
    pub condition: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub number: u64,
    pub call: String,
    pub outcome: Outcome,
    /// The number of decisions after the last one that is recorded.
    pub more_decisions: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Fine(String),
    Failed(String),
    Open(String),
}

impl Tree {
    /// Adds a run, unless the tree is full.
    pub fn add(&mut self, printer: &dyn Printer, name: FunctionName, ran: Ran) {
        if self.nodes.len() > MOST_NODES {
            return;
        }
        if self.nodes.is_empty() {
            self.nodes.push(TreeNode::default());
        }
        let outcome = outcome(printer, &ran.end);
        let failed = matches!(outcome, Outcome::Failed(_));
        let mut at = 0;
        self.count(at, failed);
        for decided in ran.decisions {
            at = self.child(at, printer, name, decided);
            self.count(at, failed);
        }
        let call = shortened(&call_with(printer, name, &ran.inputs), CALL);
        if let Some(node) = self.nodes.get_mut(at) {
            node.runs.push(Run { number: ran.number, call, outcome, more_decisions: ran.more_decisions });
        }
    }

    pub fn runs(&self) -> usize {
        self.nodes.first().map_or(0, |root| root.count)
    }

    pub(crate) fn root(&self) -> Option<&TreeNode> {
        self.nodes.first()
    }

    pub(crate) fn children<'t>(&'t self, node: &'t TreeNode) -> impl Iterator<Item = &'t TreeNode> {
        node.children.iter().filter_map(|child| self.nodes.get(*child))
    }

    fn count(&mut self, at: usize, failed: bool) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.count += 1;
            node.failed += usize::from(failed);
        }
    }

    fn child(&mut self, at: usize, printer: &dyn Printer, name: FunctionName, decided: Decided) -> usize {
        let Decided { site, way, .. } = decided;
        let is = |child: &&usize| {
            let decision = self.nodes.get(**child).and_then(|node| node.decision.as_ref());
            decision.is_some_and(|decision| (decision.site, decision.way) == (site, way))
        };
        if let Some(known) = self.nodes.get(at).and_then(|node| node.children.iter().find(is)) {
            return *known;
        }
        let child = self.nodes.len();
        let (place, line) = place(printer, name, &decided.place);
        let decision = Decision { site, way, place, line, condition: decided.words };
        self.nodes.push(TreeNode { decision: Some(decision), ..TreeNode::default() });
        if let Some(node) = self.nodes.get_mut(at) {
            node.children.push(child);
        }
        child
    }
}

fn place(printer: &dyn Printer, name: FunctionName, place: &Where) -> (String, Option<u32>) {
    match place {
        Where::Code(place) if place.module == name.module && place.line > 0 => {
            (format!("line {}", place.line), Some(place.line))
        }
        Where::Code(place) => {
            let name = FunctionName { module: place.module, function: place.function, arity: place.arity };
            (printer.function(name), None)
        }
        Where::Inputs => ("construction of the inputs".to_string(), None),
        Where::Function => ("behaviour of a function input".to_string(), None),
        Where::Result => ("the result".to_string(), None),
    }
}

fn outcome(printer: &dyn Printer, end: &End) -> Outcome {
    let short = |text: String| shortened(&text, OUTCOME);
    match end {
        End::Fine(Some(result)) => Outcome::Fine(short(printer.term(result))),
        End::Fine(None) => Outcome::Fine("no failure".to_string()),
        End::Failed(Failure::Crash(raised)) => {
            let exception = format!("{} {}", raised.class.atom(), printer.term(&raised.reason));
            Outcome::Failed(short(match &raised.reach {
                Reach::Caller => format!("raises {exception}"),
                Reach::Link(_) => format!("is ended by a linked process that crashes with {exception}"),
                Reach::Nobody => format!("starts a process that crashes with {exception}"),
                Reach::Supervisor(_) => format!("starts a supervisor that gives up, after {exception}"),
            }))
        }
        End::Failed(Failure::Spec { result, .. }) => {
            Outcome::Failed(short(format!("{}, which its specification does not allow", printer.term(result))))
        }
        End::Failed(Failure::Blame(_)) => Outcome::Failed("breaks the type of a function".to_string()),
        End::Failed(Failure::Timeout(_)) => Outcome::Failed("does not end".to_string()),
        End::Failed(Failure::Deadlock(_)) => Outcome::Failed("waits forever".to_string()),
        End::Expected(raised) => {
            let raised = format!("{} {}", raised.class.atom(), printer.term(&raised.reason));
            Outcome::Fine(short(format!("raises {raised}, as expected")))
        }
        End::Edge => Outcome::Open("not meant for such inputs".to_string()),
        End::NotMade => Outcome::Open("inputs that could not be made".to_string()),
        End::Cut => Outcome::Open("stopped: step limit".to_string()),
        End::Stopped(why) => {
            Outcome::Open(short(format!("stopped: {}", losses::stopped(why, &|name| printer.function(name)))))
        }
    }
}
