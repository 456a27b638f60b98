//! The interface to executors, which run programs for the search.

use crate::client::Client;
use crate::event::Event;
use crate::input::Input;
use crate::labels::{Label, Labels};
use crate::outcome::{Outcome, Raised};
use crate::play::{Answer, Broken, Plan, Said};
use crate::question::Question;
use crate::recorder::Recorder;
use crate::site::{Place, Site, SitePlace};
use crate::watch::{Goal, Watched};
use crate::witness::Witness;
use formula::{Sample, Samples, TermId, TypeId, Types, Variable};
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// Returns whether a run must end now.
pub type Alarm = Arc<dyn Fn() -> bool>;

/// Runs functions of one program. Runs are independent of each other, and the same call behaves the same each time.
pub trait Executor {
    /// Runs a call with shadows, and records its path.
    fn follow(&mut self, call: &Call<'_>, following: Following<'_>) -> Followed;

    /// Runs a call without shadows. If `written` is given, its function inputs do what it says.
    fn replay(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed;

    /// Runs a call without shadows where only the end counts; an executor may have another, faster one run it. In that
    /// case, the number of steps is the cost of the run here.
    fn end_of(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        self.replay(call, written)
    }

    /// Runs a call without shadows and looks for a proof that it never ends. The recorder has the decisions of a
    /// recurrence.
    fn watch(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>, goal: Goal) -> (Watched, Recorder);

    /// Returns the result of a function without a formula, or `None` if it does not end within this number of steps.
    fn sample(&mut self, function: FunctionName, args: &[Term], steps: u64) -> Option<Sample>;

    /// Returns where in the source a decision is made, or `None` if it is not made in code.
    fn place_of(&self, site: Site) -> Option<SitePlace>;

    /// Returns what a decision asks of the program, or `None` if it is not made in code.
    fn question(&mut self, site: Site) -> Option<Question>;

    /// Returns the module whose code makes a decision.
    fn module_of(&self, place: Place) -> Option<Atom>;

    /// Sets the alarm that is polled during all further runs and ends them. Returns the previous one.
    fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm>;

    /// Returns the memory limit of a run in bytes.
    fn memory(&self) -> u64;
}

/// An executor around another one, which knows the program and does everything that the outer one does not do itself.
pub trait Wrapper {
    fn inner(&self) -> &dyn Executor;

    fn inner_mut(&mut self) -> &mut dyn Executor;

    fn follow(&mut self, call: &Call<'_>, following: Following<'_>) -> Followed {
        self.inner_mut().follow(call, following)
    }

    fn replay(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        self.inner_mut().replay(call, written)
    }

    fn end_of(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        self.replay(call, written)
    }

    fn watch(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>, goal: Goal) -> (Watched, Recorder) {
        self.inner_mut().watch(call, written, goal)
    }

    fn sample(&mut self, function: FunctionName, args: &[Term], steps: u64) -> Option<Sample> {
        self.inner_mut().sample(function, args, steps)
    }
}

impl<W: Wrapper> Executor for W {
    fn follow(&mut self, call: &Call<'_>, following: Following<'_>) -> Followed {
        Wrapper::follow(self, call, following)
    }

    fn replay(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        Wrapper::replay(self, call, written)
    }

    fn end_of(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        Wrapper::end_of(self, call, written)
    }

    fn watch(&mut self, call: &Call<'_>, written: Option<&Arc<Witness>>, goal: Goal) -> (Watched, Recorder) {
        Wrapper::watch(self, call, written, goal)
    }

    fn sample(&mut self, function: FunctionName, args: &[Term], steps: u64) -> Option<Sample> {
        Wrapper::sample(self, function, args, steps)
    }

    fn place_of(&self, site: Site) -> Option<SitePlace> {
        self.inner().place_of(site)
    }

    fn question(&mut self, site: Site) -> Option<Question> {
        self.inner_mut().question(site)
    }

    fn module_of(&self, place: Place) -> Option<Atom> {
        self.inner().module_of(place)
    }

    fn set_alarm(&mut self, alarm: Option<Alarm>) -> Option<Alarm> {
        self.inner_mut().set_alarm(alarm)
    }

    fn memory(&self) -> u64 {
        self.inner().memory()
    }
}

/// A call to run.
pub struct Call<'a> {
    pub function: FunctionName,
    /// How the arguments are made from the data.
    pub args: &'a [Input<Variable>],
    /// The data, by the numbers of its variables.
    pub data: &'a [Term],
    pub types: &'a Arc<Types>,
    /// The declared result types, if results that are functions are to be applied.
    pub applied: Option<&'a [TypeId]>,
    /// The client that runs, if the unit is the clients of a module.
    pub client: Option<&'a Arc<Client>>,
    /// The step limit: calls, and other work of comparable size.
    pub steps: u64,
}

/// The additional parameters of a run that an executor follows symbolically.
pub struct Following<'a> {
    /// The declared types of the data.
    pub declared: &'a [TypeId],
    /// The plan for function inputs. `None` if there are no function inputs.
    pub plan: Option<Plan>,
    pub labels: &'a Labels,
    pub samples: &'a Samples,
    /// Decisions that were made before the run.
    pub before: Vec<Event>,
    /// Whether the formula of the result is wanted.
    pub wants_result: bool,
}

/// How a call ended, from the point of view of the unit and its inputs.
#[derive(Debug)]
pub enum CallEnd {
    /// The outcome of the unit. The trace of an exception contains only frames of the program.
    Plainly(Outcome),
    /// A call that should make an input failed.
    NotMade,
    /// A function input raised an exception that was not caught.
    RaisedByInput,
    /// A stranger did not answer, or was not there. `by_message`: no call of a server waited for it; a process waited
    /// for a message.
    LeftAlone {
        by_message: bool,
    },
    /// The unit, or a function of it that an input called, has no clause for its arguments.
    Edge(Raised),
    /// A function input was called with a wrong number of arguments.
    WrongArity {
        is_declared: bool,
        args: Vec<Term>,
    },
    Broken(Broken),
}

pub struct Followed {
    pub ended: CallEnd,
    pub recorder: Recorder,
    /// The arguments that are not plain data, with their formulas, if the unit returned.
    pub made: Vec<(Option<TermId>, Term)>,
    /// The behaviour of function inputs, if there was a plan.
    pub played: Option<Box<dyn Played>>,
}

/// The behaviour of function inputs in a run.
pub trait Played {
    /// Returns the values that they returned or passed to other functions, by their variables.
    fn values(&self) -> Vec<(Variable, Label, Term)>;
    /// Returns where the variables that are return values come from.
    fn answers(&self) -> Vec<(Variable, Answer)>;
    /// Returns whether the unit passed functions to its inputs.
    fn has_handed_functions(&self) -> bool;
    /// Returns the data with its functions written out.
    fn witness(&self, data: &[Term]) -> (Vec<Term>, Witness);
}

pub struct Replayed {
    pub ended: CallEnd,
    /// The arguments that are not plain data, if the unit returned.
    pub made: Vec<Term>,
    /// The number of steps.
    pub steps: u64,
    /// The calls between the unit and its function inputs.
    pub said: Vec<Said>,
    /// Results that were applied.
    pub applied: Vec<Term>,
    /// The results of the steps of a client.
    pub returned: Vec<Option<Term>>,
    pub surroundings: Vec<crate::Surrounding>,
    /// The marks in the code that the run reached.
    pub marks: crate::Marks,
    /// The clauses that processes chose, in code with events.
    pub clauses: crate::Clauses,
    /// The operations of processes, as far as their code is conducted.
    pub turns: crate::Turns,
    /// Whether processes were started.
    pub has_processes: bool,
    /// Whether only the end is known, because another executor made the run.
    pub is_elsewhere: bool,
}
