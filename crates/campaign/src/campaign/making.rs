//! The first look: a search with structures that functions of the program make.
//!
//! A type such as `#queue{}` says how a structure is built, but rarely everything that its module relies on: that two
//! lists have the same length, or that a tree is sorted. So a search begins with values that exported functions of the
//! module return, as if the type were opaque. A failure that is found this way is shown with such a value, which is
//! certainly possible. Failures that are found with structures built by hand afterwards carry the remark that none of
//! the calls that were tried led to them.

use super::Campaign;
use super::watch::Watch;
use crate::target::Target;
use contract::Recipe;
use frontend::Code;
use interaction::MachineExecutor;
use machine::Machine;
use search::{Ended, Exploration, Finding, Settings, Unit, explore};
use solver::Solver;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, Term};
use tracer::Mode;

/// The first look gets at most this fraction (one in `SHARE`) of a search's time and runs.
const SHARE: u32 = 4;

/// The number of calls after which a first look that was cut short counts as conclusive.
const ENOUGH: u64 = 100;

/// The state of a search's first look.
#[derive(Default)]
pub(super) struct Look {
    /// The time limit of the first look, while it lasts.
    pub time: Option<Duration>,
    /// The parameters for which the first look takes made structures, and the main search structures built by hand.
    made: Vec<usize>,
    /// Whether the first look is over and was conclusive.
    has_seen_enough: bool,
    /// The number of runs of the first look.
    pub runs: u64,
}

impl Look {
    /// Returns the state before a first look with `made`, the unit that takes made structures, if `whole` has one.
    pub fn at(made: Option<&Unit>, whole: &Unit) -> Look {
        Look { made: made.map(|made| made_parameters(made, whole)).unwrap_or_default(), ..Look::default() }
    }
}

/// Returns the indices of the parameters that are made in one unit, and data in the other.
fn made_parameters(made: &Unit, whole: &Unit) -> Vec<usize> {
    let is_data = |recipe: &Recipe| matches!(recipe, Recipe::Data(_));
    let clauses = made.contract.clauses.iter().zip(&whole.contract.clauses);
    let params = clauses.filter_map(|(made, whole)| made.params.as_ref().zip(whole.params.as_ref()));
    let differ = params.flat_map(|(made, whole)| made.iter().zip(whole).enumerate());
    differ.filter(|(_, (made, whole))| !is_data(made) && is_data(whole)).map(|(index, _)| index).collect()
}

impl Watch<'_> {
    /// Returns whether an input is a structure that was built by hand, although functions of the program make such
    /// structures and none that they were seen to make leads to the same failure.
    pub(super) fn is_never_made(&self, finding: &Finding) -> bool {
        let is_structure = |term: &Term| matches!(term, Term::Tuple(_) | Term::Map(_));
        let input = |index: &usize| finding.inputs.get(*index).and_then(|input| input.as_data());
        self.look.has_seen_enough && self.look.made.iter().filter_map(input).any(|value| is_structure(&value.data))
    }
}

impl Campaign {
    /// Returns the unit that takes made structures, and the modules that their types come from, if there is such a
    /// unit.
    pub(super) fn made_unit(&self, code: &Arc<dyn Code>, target: &Target, unit: &Unit) -> Option<(Unit, Vec<Atom>)> {
        // Executors that ask the real runtime use the inputs that the user's types allow, and a few runs are not worth
        // dividing.
        if self.executor != Mode::Machine || !code.effects().is_empty() || self.settings.max_runs < u64::from(SHARE) {
            return None;
        }
        let (contract, types_of) = target.made_structures(code)?;
        let (user_modules, expected) = (unit.user_modules.clone(), unit.expected.clone());
        let Unit { module, function, arity, .. } = *unit;
        Some((Unit { module, function, arity, contract, user_modules, expected }, types_of))
    }

    /// Searches with made structures.
    pub(super) fn first_look<'w>(
        &self,
        machine: &mut Machine,
        (made, whole): (&'w Unit, &'w Unit),
        solver: &mut dyn Solver,
        settings: &mut Settings,
        watch: &mut Watch<'w>,
    ) -> Exploration {
        (watch.unit, watch.look.time) = (made, Some(watch.time / SHARE));
        let mut machine = MachineExecutor::new(machine).with_setups(watch.target.setups.clone());
        let of_look =
            Settings { seeds: Vec::new(), max_runs: settings.max_runs / u64::from(SHARE), ..settings.clone() };
        let looked = explore(&mut machine, made, solver, &of_look, watch);
        (watch.unit, watch.look.time, watch.look.runs) = (whole, None, looked.runs);
        let calls = looked.returned + looked.raised;
        watch.look.has_seen_enough = calls > 0 && looked.ended == Ended::Done || calls >= ENOUGH;
        settings.max_runs = settings.max_runs.saturating_sub(looked.runs);
        looked
    }
}

/// Adds the result of a first look.
pub(super) fn add_look(explored: &mut Exploration, looked: &Exploration) {
    explored.runs += looked.runs;
    explored.queries += looked.queries;
    explored.native += looked.native;
    explored.unsat += looked.unsat;
    // Structures built by hand can make functions fail, and return errors, that never do so in practice.
    let fails_less =
        looked.raised * (explored.returned + explored.raised) < explored.raised * (looked.returned + looked.raised);
    if fails_less {
        (explored.returned, explored.raised) = (looked.returned, looked.raised);
    }
    if looked.returned > 0 {
        explored.heads = looked.heads.clone();
    }
}
