//! Whoever runs programs for the search.

use crate::event::Event;
use crate::input::Input;
use crate::labels::{Label, Labels};
use crate::outcome::{Outcome, Raised};
use crate::play::{Answer, Broken, Plan, Said};
use crate::recorder::Recorder;
use crate::site::{Place, Site, SitePlace};
use crate::watch::{Goal, Watched};
use crate::witness::Witness;
use formula::{Sample, Samples, TermId, TypeId, Types, Variable};
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// Says whether a run has to end, whatever it does.
pub type Alarm = Arc<dyn Fn() -> bool>;

/// Runs functions of one program. Runs are independent of each other, and the same call does the same each time.
pub trait Executor {
    /// Runs a call with shadows, and records its path.
    fn follow(&mut self, call: &Call<'_>, following: Following<'_>) -> Followed;

    /// Runs a call without shadows. Its function inputs do what is written, if they are.
    fn replay(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed;

    /// Likewise, and looks for a reason why it never ends. The recorder has the decisions of a recurrence.
    fn watch(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>, goal: Goal) -> (Watched, Recorder);

    /// What a function without meaning delivers; nothing, if it does not end in a number of steps.
    fn sample(&mut self, function: FunctionName, args: &[Term], steps: u64) -> Option<Sample>;

    /// Where in the source a decision is taken; nothing for what is decided in no code.
    fn place_of(&self, site: Site) -> Option<SitePlace>;

    /// The module of the code in which a decision is taken.
    fn module_of(&self, place: Place) -> Option<Atom>;

    /// Ends the runs from now on when it rings; it is looked at again and again. Answers with the one before.
    fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm>;

    /// The bytes that a run may use.
    fn memory(&self) -> u64;
}

/// What is run.
pub struct Call<'a> {
    pub function: FunctionName,
    /// How the arguments are made of the data.
    pub args: &'a [Input<Variable>],
    /// The data, by the numbers of its variables.
    pub data: &'a [Term],
    pub types: &'a Arc<Types>,
    /// The declared results, if results that are functions are applied.
    pub applied: Option<&'a [TypeId]>,
    /// Calls, and work of that size, that it may take.
    pub steps: u64,
}

/// What is needed to follow a run.
pub struct Following<'a> {
    /// The declared types of the data.
    pub declared: &'a [TypeId],
    /// What function inputs do; without it they have not been asked for.
    pub plan: Option<Plan>,
    pub labels: &'a Labels,
    pub samples: &'a Samples,
    /// Decisions before the run.
    pub before: Vec<Event>,
    /// Whether the formula of the result is wanted.
    pub wants_result: bool,
}

/// How a call ended, as far as it concerns the unit and its inputs.
#[derive(Debug)]
pub enum CallEnd {
    /// Exceptions have a trace of the program alone.
    Plainly(Outcome),
    /// The call that makes an input failed.
    NotMade,
    /// A function input raised an exception that nobody caught.
    RaisedByInput,
    /// The unit, or a function of it that an input called, is not made for its arguments.
    Edge(Raised),
    /// A function input was called with another number of arguments than it takes.
    WrongArity {
        is_declared: bool,
        args: Vec<Term>,
    },
    Broken(Broken),
}

pub struct Followed {
    pub ended: CallEnd,
    pub recorder: Recorder,
    /// The arguments that are no plain data, with their formulas, if the unit returned.
    pub made: Vec<(Option<TermId>, Term)>,
    /// What function inputs did, if there was a plan.
    pub played: Option<Box<dyn Played>>,
}

/// What function inputs did in a run.
pub trait Played {
    /// The values of what they answered and asked with, by their variables.
    fn values(&self) -> Vec<(Variable, Label, Term)>;
    /// Where the variables that are answers come from.
    fn answers(&self) -> Vec<(Variable, Answer)>;
    /// Did the unit hand functions to its inputs?
    fn has_handed_functions(&self) -> bool;
    /// The data with its functions written out.
    fn witness(&self, data: &[Term]) -> (Vec<Term>, Witness);
}

pub struct Replayed {
    pub ended: CallEnd,
    /// The arguments that are no plain data, if the unit returned.
    pub made: Vec<Term>,
    /// Steps that it took.
    pub steps: u64,
    /// What the unit and its function inputs said to each other.
    pub said: Vec<Said>,
    /// Results that were applied.
    pub applied: Vec<Term>,
    pub surroundings: Vec<crate::Surrounding>,
}
