//! The walk through all ways from a target to the entries, one after the other.

use crate::Natives;
use crate::choices::{Course, Kind, State, Tree};
use crate::climb::{Climber, has_applications};
use crate::conditions::Refutation;
use crate::evaluate::{Stop, Way};
use crate::index::{CallGraph, FunctionRef};
use crate::invariants::Invariants;
use crate::marks::mark_of;
use crate::reachable::Reachable;
use crate::sides::Target;
use formula::{Assignment, Formulas, Learner, Samples, TermId, TypeId, Types, Variable};
use path::Mark;
use program::{Expr, Pattern};
use solver::{Answer, Opinion, Query, Refuter, Solver};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// The functions that may be called from outside of the program.
pub trait Entries {
    /// Returns the number of clauses of its specification: 1 without a specification, and 0 if it is not an entry.
    fn clauses(&self, name: FunctionName) -> usize;
    /// Returns whether a function is one of the user's, not of a library or of the compiler.
    fn is_users(&self, name: FunctionName) -> bool;
    /// Returns whether its inputs have declared types.
    fn is_typed(&self, name: FunctionName) -> bool;
    fn types(&self, name: FunctionName, clause: usize) -> Entry;
}

/// The declared types of the inputs of an entry.
pub struct Entry {
    pub types: Arc<Types>,
    pub parameters: Vec<TypeId>,
}

/// Formats conditions for the user.
pub trait Words {
    /// Formats a condition. `name` returns the parameter that a variable represents, if it represents one.
    fn condition(
        &self,
        formulas: &Formulas,
        condition: TermId,
        name: &dyn Fn(Variable) -> Option<(FunctionName, u32)>,
    ) -> String;
}

/// The entry at which a way leaves the program. `clause: None`: by a call that is not visible.
pub struct Exit {
    pub entry: FunctionName,
    pub clause: Option<usize>,
}

/// Inputs that fulfil the conditions of a way.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub entry: FunctionName,
    pub args: Vec<Term>,
}

/// The result of walking one more way.
#[derive(Debug)]
pub enum Found {
    Proposal(Proposal),
    /// The way was refuted, or could not be followed to its end.
    Nothing,
    /// There are no further ways.
    Done(Outcome),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No way leads from an entry to the target.
    Unreachable(Vec<Refutation>),
    /// There are ways that were neither refuted nor confirmed.
    Open,
}

pub struct Walk<'a, 'p> {
    graph: &'a CallGraph<'p>,
    natives: &'a dyn Natives,
    entries: &'a dyn Entries,
    words: &'a dyn Words,
    targets: Vec<Target<'p>>,
    invariants: Option<&'a Invariants>,
    reachable: &'a Reachable,
    tree: Tree,
    refutations: Vec<Refutation>,
    missing: RefCell<Vec<Atom>>,
    samples: Samples,
    /// The way whose inputs were proposed last, and all inputs that were proposed for it.
    proposed: Option<Tried>,
    /// Ways that are solved again for other inputs.
    again: VecDeque<Tried>,
    walked: Walked,
}

/// The result of the way that was walked last.
pub enum Walked {
    /// It is taken only under these conditions on the inputs of an entry.
    Entry { entry: FunctionName, formulas: Box<Formulas>, conditions: Vec<TermId> },
    /// It was refuted before it reached an entry.
    Refuted,
    /// It was not followed to an entry.
    Open,
}

/// A way, and inputs that fulfil its conditions but do not reach the target.
struct Tried {
    course: Course,
    inputs: Vec<Vec<Term>>,
}

/// The maximum number of inputs that are proposed for one way.
const MOST_PROPOSED: usize = 4;

/// The maximum number of refutations that are kept for reports.
const MOST_TOLD: usize = 3;

impl<'a, 'p> Walk<'a, 'p> {
    /// Returns a walk to any of these marks.
    pub fn new(
        graph: &'a CallGraph<'p>,
        natives: &'a dyn Natives,
        (entries, reachable): (&'a dyn Entries, &'a Reachable),
        words: &'a dyn Words,
        marks: &[Mark],
        samples: Samples,
    ) -> Walk<'a, 'p> {
        let mut targets = Vec::new();
        for function in graph.program.functions() {
            if let Some(body) = graph.program.body(function) {
                crate::index::each_expr(body, &mut |expr| {
                    if mark_of(expr).is_some_and(|mark| marks.contains(&mark)) {
                        targets.push(Target { function, expr, side: None });
                    }
                });
            }
        }
        Walk::to(graph, natives, (entries, reachable), words, targets, samples)
    }

    /// Returns a walk to any of these places.
    pub fn to(
        graph: &'a CallGraph<'p>,
        natives: &'a dyn Natives,
        (entries, reachable): (&'a dyn Entries, &'a Reachable),
        words: &'a dyn Words,
        targets: Vec<Target<'p>>,
        samples: Samples,
    ) -> Walk<'a, 'p> {
        Walk {
            graph,
            natives,
            entries,
            words,
            targets,
            invariants: None,
            reachable,
            tree: Tree::default(),
            refutations: Vec::new(),
            missing: RefCell::default(),
            samples,
            proposed: None,
            again: VecDeque::new(),
            walked: Walked::Open,
        }
    }

    /// Lets the walk rely on properties of parameters that hold in every call.
    pub fn knowing(mut self, invariants: &'a Invariants) -> Walk<'a, 'p> {
        self.invariants = Some(invariants);
        self
    }

    /// Records that the inputs that were proposed last left the way before the target, because a value without a
    /// formula was not as assumed. Functions that the way left open are evaluated next, and the way is solved again for
    /// other inputs.
    pub fn miss(&mut self) {
        let Some(tried) = self.proposed.take() else { return };
        self.tree.look_closer(&tried.course);
        if tried.inputs.len() < MOST_PROPOSED {
            self.again.push_back(tried);
        }
    }

    /// Returns the result of the way that was walked last.
    pub fn walked(&self) -> &Walked {
        &self.walked
    }

    /// Returns the number of segments that were evaluated.
    pub fn segments(&self) -> u64 {
        self.tree.segments
    }

    /// Returns the modules whose code would help.
    pub fn missing(&self) -> Vec<Atom> {
        self.missing.borrow().clone()
    }

    /// Tries one more way.
    pub fn step(&mut self, solver: &mut dyn Solver, learner: &dyn Learner) -> Found {
        if let Some(tried) = self.again.pop_front() {
            return self.try_again(tried, solver, learner);
        }
        let Some(course) = self.tree.next() else {
            return Found::Done(match self.tree.is_refuted() {
                true => Outcome::Unreachable(std::mem::take(&mut self.refutations)),
                false => Outcome::Open,
            });
        };
        let (course, ended, refutation) = self.walk(course, &[], solver, Some(learner));
        let (state, found) = match ended {
            Ok(Some(proposal)) => {
                self.proposed = Some(Tried { course: course.clone(), inputs: vec![proposal.args.clone()] });
                (State::Left, Found::Proposal(proposal))
            }
            Ok(None) | Err(Stop::Limit) => (State::Left, Found::Nothing),
            Err(Stop::Refuted) => {
                let is_new = |refutation: &Refutation| !self.refutations.contains(refutation);
                if let Some(refutation) = refutation.filter(is_new) {
                    self.refutations.push(refutation);
                }
                (State::Refuted, Found::Nothing)
            }
        };
        self.tree.settle(&course, state);
        found
    }

    /// Solves a way again for other inputs. If there are none, the way is not refuted.
    fn try_again(&mut self, tried: Tried, solver: &mut dyn Solver, learner: &dyn Learner) -> Found {
        let Tried { course, mut inputs } = tried;
        let (_, ended, _) = self.walk(course.again(), &inputs, solver, Some(learner));
        match ended {
            Ok(Some(proposal)) => {
                inputs.push(proposal.args.clone());
                self.proposed = Some(Tried { course, inputs });
                Found::Proposal(proposal)
            }
            Ok(None) | Err(_) => Found::Nothing,
        }
    }

    /// Follows one more way to an entry, without looking for inputs. Returns whether there was a way left.
    pub fn follow(&mut self, solver: &mut dyn Solver) -> bool {
        let Some(course) = self.tree.next() else { return false };
        let (course, ended, _) = self.walk(course, &[], solver, None);
        let is_refuted = matches!(ended, Err(Stop::Refuted));
        self.tree.settle(&course, if is_refuted { State::Refuted } else { State::Left });
        true
    }

    /// Walks one way and looks for inputs that were not tried before. Also returns the refutation of the way, if one is
    /// to be kept.
    fn walk(
        &mut self,
        course: Course,
        tried: &[Vec<Term>],
        solver: &mut dyn Solver,
        learner: Option<&dyn Learner>,
    ) -> (Course, Result<Option<Proposal>, Stop>, Option<Refutation>) {
        let Some(Target { function: start, .. }) = self.targets.first() else {
            return (course, Err(Stop::Limit), None);
        };
        let (tree, known) = (&mut self.tree, self.invariants);
        let mut way = Way::new(self.graph, (self.natives, known), solver, tree, course, &self.missing, *start);
        way.formulas.share(&self.samples);
        let costs = vec![0; self.targets.len()];
        let left = way.choose(Kind::Every, &costs).and_then(|chosen| match self.targets.get(chosen) {
            Some(target) => way.leave(self.entries, target, self.reachable),
            None => Err(Stop::Limit),
        });
        let entry = match &left {
            Ok(Exit { entry, clause: Some(_) }) => Ok(*entry),
            Ok(Exit { clause: None, .. }) => Err(Stop::Limit),
            Err(stop) => Err(*stop),
        };
        let ended = left.and_then(|exit| match learner {
            Some(learner) => way.solve(self.entries, &exit, tried, learner),
            None => Ok(None),
        });
        let is_trusted = !way.has_similar_closures();
        let trusted = |stop| if is_trusted { stop } else { Stop::Limit };
        let (entry, ended) = (entry.map_err(trusted), ended.map_err(trusted));
        let is_told = matches!(ended, Err(Stop::Refuted)) && self.refutations.len() < MOST_TOLD;
        let refutation = is_told.then(|| way.refutation(self.words));
        let conditions = way.conditions.iter().map(|condition| condition.formula).collect();
        self.walked = match entry {
            Ok(entry) => Walked::Entry { entry, formulas: Box::new(way.formulas), conditions },
            Err(Stop::Refuted) => Walked::Refuted,
            Err(Stop::Limit) => Walked::Open,
        };
        (way.course, ended, refutation)
    }
}

impl Way<'_, '_> {
    /// Looks for inputs that fulfil all conditions. `None` if it is unknown whether there are any.
    fn solve(
        &mut self,
        entries: &dyn Entries,
        exit: &Exit,
        tried: &[Vec<Term>],
        learner: &dyn Learner,
    ) -> Result<Option<Proposal>, Stop> {
        let mut all: Vec<TermId> = self.conditions.iter().map(|condition| condition.formula).collect();
        let Some(clause) = exit.clause else {
            return if self.is_refuted(&all) { Err(Stop::Refuted) } else { Err(Stop::Limit) };
        };
        let Entry { types, parameters } = entries.types(exit.entry, clause);
        let mut values = self.some_values();
        let smallest: Option<Vec<Term>> = parameters.iter().map(|of| types.smallest(*of)).collect();
        // A parameter whose type has no values is never passed.
        let Some(smallest) = smallest else { return Err(Stop::Limit) };
        for (index, term) in smallest.iter().enumerate() {
            values.insert(Variable(index as u32), term.clone());
        }
        all.extend(tried.iter().map(|inputs| self.differs_from(inputs)));
        let proposal = |values: &Assignment| {
            let value = |index: usize, smallest: &Term| {
                values.get(&Variable(index as u32)).cloned().unwrap_or_else(|| smallest.clone())
            };
            let args = smallest.iter().enumerate().map(|(index, smallest)| value(index, smallest)).collect();
            Proposal { entry: exit.entry, args }
        };
        if all.is_empty() {
            return Ok(Some(proposal(&values)));
        }
        // Solvers know little about functions that are known by samples.
        if has_applications(&self.formulas, &all, parameters.len()) {
            let hints = self.hints();
            let mut climber = Climber::new(&self.formulas, &all, (&types, &parameters), learner, &hints);
            if let Some(values) = climber.climb(&values) {
                return Ok(Some(proposal(&values)));
            }
        }
        let wanted = self.all_of(&all);
        let query = &mut Query::new(&mut self.formulas, &values, &[], wanted, learner);
        match self.solver.solve(query) {
            Answer::Sat(solution) => Ok(Some(proposal(&solution.values))),
            Answer::Unsat { refuter: Refuter::Native, .. } => Err(Stop::Refuted),
            Answer::Unsat { refuter: Refuter::Smt(_), .. } => match self.solver.recheck(query) {
                Opinion::Disagrees { .. } => Err(Stop::Limit),
                _ => Err(Stop::Refuted),
            },
            Answer::Unknown(_) => Ok(None),
        }
    }

    /// Returns the condition that the inputs differ from these.
    fn differs_from(&mut self, inputs: &[Term]) -> TermId {
        let mut same = self.formulas.boolean(true);
        for (index, term) in inputs.iter().enumerate() {
            let (input, term) = (self.formulas.variable(Variable(index as u32)), self.formulas.constant(term.clone()));
            let is_same = self.formulas.identical(input, term);
            same = self.formulas.and(same, is_same);
        }
        self.formulas.not(same)
    }

    /// Returns the constants in the functions on the way and in those that they call, and the letters of texts among
    /// them.
    fn hints(&self) -> Vec<Term> {
        let mut hints: Vec<Term> = Vec::new();
        let mut functions: Vec<FunctionRef> = Vec::new();
        let mut open: VecDeque<FunctionRef> = self.activations.iter().map(|activation| activation.function).collect();
        while let Some(function) = open.pop_front() {
            if !functions.contains(&function) && functions.len() < MOST_FUNCTIONS {
                functions.push(function);
                let callees = self.graph.callees_of(function).iter();
                open.extend(callees.filter(|callee| callee.module == function.module));
            }
        }
        for function in functions {
            let Some(body) = self.graph.program.body(function) else { continue };
            crate::index::each_expr(body, &mut |expr| {
                let mut add = |term: &Term| {
                    if let Some(items) = term.as_list() {
                        hints.extend(items.iter().filter(|item| matches!(item, Term::Int(_))).cloned());
                    }
                    hints.push(term.clone());
                };
                match expr {
                    Expr::Const(term) => add(term),
                    Expr::Case { clauses, .. } => {
                        for pattern in clauses.iter().flat_map(|clause| &clause.patterns) {
                            each_constant(pattern, &mut add);
                        }
                    }
                    _ => {}
                }
            });
        }
        let mut known: Vec<Term> = Vec::new();
        for hint in hints {
            if !known.contains(&hint) && known.len() < MOST_HINTS {
                known.push(hint);
            }
        }
        known
    }
}

/// The maximum number of terms of the code that are tried.
const MOST_HINTS: usize = 64;
/// The maximum number of functions whose terms are tried.
const MOST_FUNCTIONS: usize = 48;

fn each_constant(pattern: &Pattern, show: &mut dyn FnMut(&Term)) {
    match pattern {
        Pattern::Any | Pattern::Var(_) | Pattern::Bits(_) => {}
        Pattern::Const(term) => {
            show(term);
            for item in term.as_list().unwrap_or_default() {
                item.as_list().unwrap_or_default().iter().for_each(&mut *show);
            }
        }
        Pattern::Alias(_, inner) => each_constant(inner, show),
        Pattern::Cons(head, tail) => {
            each_constant(head, show);
            each_constant(tail, show);
        }
        Pattern::Tuple(items) => items.iter().for_each(|item| each_constant(item, show)),
        Pattern::Map(pairs) => pairs.iter().for_each(|(_, value)| each_constant(value, show)),
    }
}
