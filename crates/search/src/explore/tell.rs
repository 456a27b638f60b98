//! Tells the host of single runs and of branches. Nothing of this is done if the host does not want it.

use super::Explorer;
use crate::judge::Judged;
use crate::queue::Way;
use crate::records::Path;
use crate::runner::Inputs;
use crate::told::{BranchSite, BranchWay, Decided, End, Ran, VariableIs, Where};
use crate::trie::{Grown, Side};
use contract::Form;
use formula::Variable;
use path::{Event, Place, Site, SitePlace};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::Term;

/// Decisions of a run that are told.
const MOST_DECISIONS: usize = 200;
/// Ways of a branch that are told one by one.
const MOST_WAYS: u32 = 32;
/// Candidates of the queue that are looked at in the end.
const MOST_LOOKED_AT: usize = 200_000;

/// What is remembered for it.
#[derive(Default)]
pub struct Telling {
    runs_left: u64,
    places: FxHashMap<Site, Option<Arc<SitePlace>>>,
    /// When the ways of sites are taken, by their numbers.
    words: FxHashMap<u32, Vec<String>>,
    refuted: FxHashMap<Side, u32>,
    open: FxHashMap<Side, u32>,
}

impl Telling {
    pub fn new(runs: u64) -> Option<Telling> {
        (runs > 0).then(|| Telling { runs_left: runs, ..Telling::default() })
    }
}

impl Explorer<'_> {
    /// Of a run that has just ended, before anything is concluded from it.
    pub(super) fn begin_telling(&mut self, judged: &Judged, inputs: &Inputs, result: Option<Term>) -> Option<Ran> {
        let telling = self.telling.as_mut()?;
        telling.runs_left = telling.runs_left.checked_sub(1)?;
        let end = match judged {
            Judged::Fine => End::Fine(result),
            Judged::Edge => End::Edge,
            Judged::Expected(raised) => End::Expected(raised.clone()),
            Judged::Failed(failure) => End::Failed(failure.clone()),
            Judged::NotMade => End::NotMade,
            Judged::Cut => End::Cut,
            Judged::Stopped(stop) => End::Stopped(stop.clone()),
        };
        Some(Ran { number: self.told.runs, inputs: inputs.shown(), end, decisions: Vec::new(), more_decisions: 0 })
    }

    /// With what the run decided; also notes what the branches are that it was the first to meet.
    pub(super) fn tell(
        &mut self,
        ran: Option<Ran>,
        form: &Form,
        path: &mut Path,
        taken: &[Side],
        grown: Option<Grown>,
    ) {
        let Some(mut telling) = self.telling.take() else { return };
        // What runs before it decided likewise was told with them.
        let known = grown.map_or(usize::MAX, |grown| self.trie.depth(grown.chain));
        let variables = variables(form);
        let is = |variable: Variable| {
            let known = variables.get(variable.0 as usize).copied();
            known.unwrap_or(VariableIs::Other(variable.0.saturating_sub(variables.len() as u32)))
        };
        for (step, event) in taken.iter().zip(&path.events) {
            if self.coverage.is_user(step.site) && !telling.words.contains_key(&step.site) {
                let ways = 0..event.ways().min(MOST_WAYS);
                let words = ways.map(|way| {
                    let condition = event.condition(way, &mut path.formulas);
                    self.host.in_words(&path.formulas, condition, &is)
                });
                telling.words.insert(step.site, words.collect());
            }
        }
        if let Some(mut ran) = ran {
            for (index, event) in path.events.iter().enumerate().take(MOST_DECISIONS) {
                let Some(decision) = event.decision() else { continue };
                let words = match event {
                    _ if index < known => String::new(),
                    Event::Choice { chosen, options, .. } => format!("{} of {options}", chosen + 1),
                    Event::Branch { .. } | Event::Switch { .. } | Event::Lookup { .. } | Event::Concretised { .. } => {
                        let condition = event.condition(decision.way, &mut path.formulas);
                        self.host.in_words(&path.formulas, condition, &is)
                    }
                };
                let place = self.place(&mut telling, decision.site);
                ran.decisions.push(Decided {
                    site: decision.site,
                    way: decision.way,
                    ways: event.ways(),
                    place,
                    words,
                });
            }
            ran.more_decisions = path.events.len().saturating_sub(MOST_DECISIONS);
            self.host.ran(ran);
        }
        self.telling = Some(telling);
    }

    fn place(&self, telling: &mut Telling, site: Site) -> Where {
        match site.place {
            Place::Input(_) => Where::Inputs,
            Place::Result(_) => Where::Result,
            Place::Code { .. } | Place::Choice(_) | Place::Lookup(_) | Place::Observed(_) | Place::Domain(_) => {
                let place = || self.runner.executor.place_of(site).map(Arc::new);
                telling.places.entry(site).or_insert_with(place).clone().map_or(Where::Function, Where::Code)
            }
        }
    }

    /// An attempt to go a way had no solution.
    pub(super) fn tell_refuted(&mut self, step: Side) {
        if let Some(telling) = &mut self.telling
            && self.coverage.is_missing(step)
        {
            *telling.refuted.entry(step).or_default() += 1;
        }
    }

    /// An attempt to go a way came to nothing.
    pub(super) fn tell_open(&mut self, step: Side) {
        if let Some(telling) = &mut self.telling
            && self.coverage.is_missing(step)
        {
            *telling.open.entry(step).or_default() += 1;
        }
    }

    /// All branches of the user's code, when all is done.
    pub(super) fn tell_sites(&mut self) -> Vec<BranchSite> {
        if self.telling.is_none() {
            return Vec::new();
        }
        self.tell_waiting();
        let Some(mut telling) = self.telling.take() else { return Vec::new() };
        let mut sites = Vec::new();
        for (number, ways) in self.coverage.user_sites() {
            let Where::Code(place) = self.place(&mut telling, self.trie.sites().site(number)) else { continue };
            let words = telling.words.remove(&number).unwrap_or_default();
            let is_taken = |way: &u32| !self.coverage.is_missing(Side { site: number, way: *way });
            let told = (0..ways.min(MOST_WAYS)).map(|way| {
                let step = Side { site: number, way };
                BranchWay {
                    words: words.get(way as usize).cloned().unwrap_or_default(),
                    taken: is_taken(&way),
                    refuted: telling.refuted.get(&step).copied().unwrap_or(0),
                    open: telling.open.get(&step).copied().unwrap_or(0),
                }
            });
            sites.push(BranchSite {
                place,
                ways: told.collect(),
                more_ways: ways.saturating_sub(MOST_WAYS) as usize,
                more_taken: (MOST_WAYS..ways).filter(is_taken).count(),
            });
        }
        sites.sort_by(|a, b| key(a).cmp(&key(b)));
        sites
    }

    /// What is still in the queue was never tried.
    fn tell_waiting(&mut self) {
        let mut steps: FxHashSet<Side> = FxHashSet::default();
        for candidate in self.queue.iter().take(MOST_LOOKED_AT) {
            let Some(step) = self.trie.step_at(candidate.run, candidate.decision) else { continue };
            match candidate.way {
                Way::Other(way) => {
                    steps.insert(Side { way, ..step });
                }
                // Some of those that are not told one by one.
                Way::From(_) => {}
                // A guess beside the tree, and a run that goes on: neither is a way that waits to be tried.
                Way::Leap(_) | Way::Longer => {}
            }
        }
        steps.into_iter().for_each(|step| self.tell_open(step));
    }
}

fn key(site: &BranchSite) -> (&str, u32, u16, (u32, u32, u32)) {
    (site.place.module.text(), site.place.line, site.place.column, site.place.number)
}

/// What the variables of a form stand for, by their numbers.
fn variables(form: &Form) -> Vec<VariableIs> {
    let mut variables = vec![VariableIs::Other(0); form.declared.len()];
    for (index, arg) in form.args.iter().enumerate() {
        let whole = arg.as_data().is_some();
        for (nth, variable) in arg.leaves().into_iter().enumerate() {
            if let Some(is) = variables.get_mut(variable.0 as usize) {
                *is = if whole { VariableIs::Argument(index) } else { VariableIs::PartOf(index, nth) };
            }
        }
    }
    variables
}
