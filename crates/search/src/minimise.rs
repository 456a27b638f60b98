//! Finds smaller inputs that show the same failure, by running them without shadows.

use crate::judge::{Judged, Key};
use crate::plain::{self, odd_parts};
use crate::runner::{Concrete, Inputs, Runner};
use crate::shrink::shrink;
use crate::simplify::{simplify, smallest};
use crate::{CutAt, Failure, Host, Settings, Unended};
use formula::Variable;
use path::Stop;
use std::rc::Rc;
use std::sync::Arc;
use term::Term;

/// The maximum number of runs for one finding.
const MOST_RUNS: u32 = 500;
/// The least number of runs for plainer values.
const MOST_PLAINER: u32 = 40;
/// The maximum number of smaller inputs for one finding. Most of them are outside of their types and are not run.
const MOST_TESTS: u32 = 10_000;
/// The maximum number of steps for one finding, unless four times the steps of one run are more.
const MOST_WORK: u64 = 20_000_000;
/// The number of additional steps that a smaller input may take compared with the failure itself.
pub const SLACK: u64 = 1000;

/// A test of a run that returns what the run shows, if that is wanted.
type Shows<'a, T> = &'a dyn Fn(&Runner<'_>, &Inputs, Concrete) -> Option<T>;

struct Minimiser<'a, 'm, T> {
    runner: &'a mut Runner<'m>,
    host: &'a mut dyn Host,
    wanted: Shows<'a, T>,
    best: (Inputs, T),
    /// Whether only the judgement of a run is looked at.
    needs_end_only: bool,
    /// The step limit of one run.
    steps: u64,
    runs: u32,
    /// The number of terms that may still be looked at, whether they are run or not.
    tests: u32,
    work: u64,
}

/// A failure as it looks without shadows.
pub struct Repeated {
    pub key: Key,
    pub failure: Failure,
    steps: u64,
}

/// Repeats a run without shadows. Returns the judgement as an error if it is no failure.
pub fn repeat(runner: &mut Runner<'_>, inputs: &Inputs, settings: &Settings) -> Result<Repeated, Judged> {
    let Concrete { judged, steps, .. } = runner.concrete(inputs, settings.most_steps);
    let failure = failure(runner, judged, settings.most_steps)?;
    let key = Key::of_inputs(&failure, runner.unit, inputs);
    Ok(Repeated { key, failure, steps })
}

pub fn minimise(
    runner: &mut Runner<'_>,
    inputs: &Inputs,
    repeated: Repeated,
    settings: &Settings,
    host: &mut dyn Host,
) -> (Inputs, Failure) {
    let Repeated { key, failure: first, steps } = repeated;
    let steps = if matches!(key, Key::Timeout { .. }) { settings.most_steps } else { steps * 2 + SLACK };
    let shown = |runner: &Runner<'_>, inputs: &Inputs, ran: Concrete| {
        failure(runner, ran.judged, steps).ok().filter(|failure| is_same(runner, inputs, failure, &key))
    };
    let wanted = |runner: &Runner<'_>, inputs: &Inputs, ran: Concrete| {
        let is_elsewhere = ran.is_elsewhere;
        shown(runner, inputs, ran).map(|failure| (failure, is_elsewhere))
    };
    let best = (inputs.clone(), (first.clone(), false));
    let mut minimiser = Minimiser::new(runner, best, steps, &wanted, host);
    minimiser.needs_end_only = true;
    let (small, (failure, is_elsewhere)) = minimiser.minimised();
    if !is_elsewhere {
        return (small, failure);
    }
    // A run that another executor made is believed if our machine shows the same, or has no time left to show it.
    let ran = runner.concrete(&small, steps);
    if matches!(ran.judged, Judged::Stopped(Stop::Interrupted)) {
        return (small, failure);
    }
    match shown(runner, &small, ran) {
        Some(failure) => (small, failure),
        None => (inputs.clone(), first),
    }
}

/// Makes inputs smaller as long as they show what is `wanted`. Each run has at most `steps` steps.
pub fn minimise_showing<T>(
    runner: &mut Runner<'_>,
    best: (Inputs, T),
    steps: u64,
    wanted: Shows<'_, T>,
    host: &mut dyn Host,
) -> (Inputs, T) {
    Minimiser::new(runner, best, steps, wanted, host).minimised()
}

fn failure(runner: &Runner<'_>, judged: Judged, steps: u64) -> Result<Failure, Judged> {
    match judged {
        Judged::Failed(failure) => Ok(failure),
        Judged::Cut => Ok(Failure::Timeout(Unended::after_calls(steps))),
        Judged::Stopped(Stop::MemoryLimit) => {
            let memory = runner.executor.memory();
            Ok(Failure::Timeout(Unended { endless: None, limit: CutAt::Memory(memory) }))
        }
        Judged::Fine | Judged::Edge | Judged::Expected(_) | Judged::NotMade | Judged::Stopped(_) => Err(judged),
    }
}

fn is_same(runner: &Runner<'_>, inputs: &Inputs, failure: &Failure, key: &Key) -> bool {
    Key::of_inputs(failure, runner.unit, inputs) == *key
}

impl<'a, 'm, T> Minimiser<'a, 'm, T> {
    fn new(
        runner: &'a mut Runner<'m>,
        best: (Inputs, T),
        steps: u64,
        wanted: Shows<'a, T>,
        host: &'a mut dyn Host,
    ) -> Minimiser<'a, 'm, T> {
        let work = MOST_WORK.max(steps.saturating_mul(4));
        let (runs, tests) = (MOST_RUNS, MOST_TESTS);
        Minimiser { runner, host, wanted, best, needs_end_only: false, steps, runs, tests, work }
    }

    fn minimised(mut self) -> (Inputs, T) {
        // `pass` returns `None` if enough was tried, and `false` if nothing gets simpler.
        while self.pass() == Some(true) {}
        self.untouch();
        self.runs = self.runs.max(MOST_PLAINER);
        self.make_plainer();
        self.best
    }

    /// Makes the pieces of data simpler, one after the other. Returns whether anything changed.
    fn pass(&mut self) -> Option<bool> {
        let before = Rc::clone(&self.best.0.values);
        let form = Rc::clone(&self.best.0.form);
        for (index, of) in form.declared.iter().enumerate() {
            let variable = Variable(index as u32);
            let types = &self.runner.unit.contract.types;
            if let Some(smallest) = smallest(types, *of)
                && self.best.0.values.get(&variable) != Some(&smallest)
                && self.shows(self.best.0.with(variable, smallest))?
            {
                continue;
            }
            let Some(value) = self.best.0.values.get(&variable).cloned() else { continue };
            shrink(&value, &mut |term| {
                self.tests = self.tests.checked_sub(1)?;
                let fits = form.contains(&self.runner.unit.contract.types, variable, term);
                match fits {
                    true => self.shows(self.best.0.with(variable, term.clone())),
                    false => (!self.host.out_of_time()).then_some(false),
                }
            })?;
        }
        let functions = self.best.0.written.clone();
        if let Some(functions) = &functions {
            let types = Arc::clone(&self.runner.unit.contract.types);
            simplify(functions, &types, &mut |simpler| {
                self.shows(Inputs { written: Some(Arc::new(simpler)), ..self.best.0.clone() })
            })?;
        }
        Some(*before != *self.best.0.values || functions != self.best.0.written)
    }

    /// Gives the parts of structures their default values, which readers can skip.
    fn untouch(&mut self) -> Option<()> {
        let form = Rc::clone(&self.best.0.form);
        for index in 0..form.declared.len() {
            let variable = Variable(index as u32);
            let mut open: Vec<Vec<usize>> = vec![Vec::new()];
            while let Some(at) = open.pop() {
                let value = self.best.0.values.get(&variable)?.clone();
                let Some(part) = part_at(&value, &at) else { continue };
                if let Some(plain) = self.host.untouched(part) {
                    let fields = parts(&plain).len();
                    for field in (0..fields).filter(|_| parts(part).len() == fields) {
                        let value = self.best.0.values.get(&variable)?.clone();
                        let place: Vec<usize> = at.iter().copied().chain([field]).collect();
                        let (Some(now), Some(wanted)) = (part_at(&value, &place), parts(&plain).get(field).copied())
                        else {
                            continue;
                        };
                        let changed = if now == wanted { None } else { with_part(&value, &place, wanted) };
                        if let Some(changed) =
                            changed.filter(|it| form.contains(&self.runner.unit.contract.types, variable, it))
                        {
                            self.shows(self.best.0.with(variable, changed))?;
                        }
                    }
                }
                if at.len() < DEEPEST_UNTOUCHED {
                    let inner =
                        (0..parts(part).len().min(MOST_UNTOUCHED)).map(|index| [at.as_slice(), &[index]].concat());
                    open.extend(inner);
                }
            }
        }
        Some(())
    }

    /// Replaces odd values by usual ones.
    fn make_plainer(&mut self) -> Option<()> {
        let form = Rc::clone(&self.best.0.form);
        for index in 0..form.declared.len() {
            let variable = Variable(index as u32);
            let mut tried = Vec::new();
            // Every change may move the other odd parts, so they are looked for again.
            while let Some(value) = self.best.0.values.get(&variable)
                && let Some((place, plainer)) = odd_parts(value).into_iter().find(|(place, _)| !tried.contains(place))
            {
                tried.push(place.clone());
                for part in plainer {
                    let Some(value) = self.best.0.values.get(&variable).cloned() else { break };
                    let changed = plain::with_part(&value, &place, &part);
                    let fits = |term: &Term| form.contains(&self.runner.unit.contract.types, variable, term);
                    if let Some(changed) = changed.filter(fits)
                        && self.shows(self.best.0.with(variable, changed))?
                    {
                        break;
                    }
                }
            }
        }
        Some(())
    }

    fn shows(&mut self, inputs: Inputs) -> Option<bool> {
        if self.runs == 0 || self.work == 0 || self.host.out_of_time() {
            return None;
        }
        let ran = match self.needs_end_only {
            true => self.runner.judged(&inputs, self.steps),
            false => self.runner.concrete(&inputs, self.steps),
        };
        self.runs -= 1;
        self.work = self.work.saturating_sub(ran.steps + SLACK);
        match (self.wanted)(self.runner, &inputs, ran) {
            Some(shown) => {
                self.best = (inputs, shown);
                Some(true)
            }
            None => Some(false),
        }
    }
}

/// Structures that are nested more deeply than this, or that come after more parts than this, stay as they are.
const DEEPEST_UNTOUCHED: usize = 4;
const MOST_UNTOUCHED: usize = 32;

/// Returns the elements of tuples and lists, and the values of maps.
fn parts(term: &Term) -> Vec<&Term> {
    match term {
        Term::Tuple(items) => items.iter().collect(),
        Term::List(items, _) => items.iter().collect(),
        Term::Map(pairs) => pairs.iter().map(|(_, value)| value).collect(),
        Term::Int(_)
        | Term::Big(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Nil
        | Term::Bits(_)
        | Term::Fun(_)
        | Term::Pid(_)
        | Term::Reference(_)
        | Term::Port(_) => Vec::new(),
    }
}

fn part_at<'t>(term: &'t Term, place: &[usize]) -> Option<&'t Term> {
    place.iter().try_fold(term, |term, index| parts(term).get(*index).copied())
}

/// Returns the term with another part at this place.
fn with_part(term: &Term, place: &[usize], part: &Term) -> Option<Term> {
    let Some((index, rest)) = place.split_first() else { return Some(part.clone()) };
    let changed = with_part(parts(term).get(*index)?, rest, part)?;
    match term {
        Term::Tuple(items) => {
            let mut items = items.to_vec();
            *items.get_mut(*index)? = changed;
            Some(Term::tuple(items))
        }
        Term::List(items, tail) => {
            let mut items = items.to_vec();
            *items.get_mut(*index)? = changed;
            Some(Term::list_with_tail(items, tail.as_deref().cloned().unwrap_or(Term::Nil)))
        }
        Term::Map(pairs) => {
            let mut pairs = pairs.to_vec();
            pairs.get_mut(*index)?.1 = changed;
            Some(Term::Map(pairs.into()))
        }
        _ => None,
    }
}
