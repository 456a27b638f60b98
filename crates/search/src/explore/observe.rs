//! Describes single runs and branches to the host. Nothing of this is done if the host does not want it.

use super::Explorer;
use crate::judge::Judged;
use crate::observed::{BranchSite, BranchWay, Decided, End, Ran, VariableIs, Where};
use crate::queue::Way;
use crate::records::Path;
use crate::runner::Inputs;
use crate::trie::{Grown, Side};
use contract::Form;
use formula::Variable;
use path::{Event, Place, Site, SitePlace};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::Term;

/// Maximum number of decisions of a run that are described.
const MOST_DECISIONS: usize = 200;
/// Maximum number of sides of a branch that are described one by one.
const MOST_WAYS: u32 = 32;
/// Maximum number of candidates of the queue that are counted as untried at the end.
const MOST_LOOKED_AT: usize = 200_000;

/// The data that is needed to describe runs and branches.
#[derive(Default)]
pub struct Recording {
    runs_left: u64,
    places: FxHashMap<Site, Option<Arc<SitePlace>>>,
    /// The conditions of the sides of each site, in words, by the number of the site.
    words: FxHashMap<u32, Vec<String>>,
    refuted: FxHashMap<Side, u32>,
    open: FxHashMap<Side, u32>,
}

impl Recording {
    pub fn new(runs: u64) -> Option<Recording> {
        (runs > 0).then(|| Recording { runs_left: runs, ..Recording::default() })
    }

    /// Forgets the descriptions of sites, for a search that begins again.
    pub fn begin_again(self) -> Recording {
        Recording { runs_left: self.runs_left, ..Recording::default() }
    }
}

impl Explorer<'_> {
    /// Begins the description of a run that has just ended, before anything is concluded from it.
    pub(super) fn begin_record(&mut self, judged: &Judged, inputs: &Inputs, result: Option<Term>) -> Option<Ran> {
        let recording = self.recording.as_mut()?;
        recording.runs_left = recording.runs_left.checked_sub(1)?;
        let end = match judged {
            Judged::Fine => End::Fine(result),
            Judged::Edge => End::Edge,
            Judged::Expected(raised) => End::Expected(raised.clone()),
            Judged::Failed(failure) => End::Failed(failure.clone()),
            Judged::NotMade => End::NotMade,
            Judged::Cut => End::Cut,
            Judged::Stopped(stop) => End::Stopped(stop.clone()),
        };
        Some(Ran {
            number: self.exploration.runs,
            inputs: inputs.shown(),
            end,
            identifies_functions: false,
            decisions: Vec::new(),
            more_decisions: 0,
        })
    }

    /// Completes the description of a run with its decisions, and passes it to the host. Also describes the branches
    /// that this run was the first to meet.
    pub(super) fn record(
        &mut self,
        ran: Option<Ran>,
        form: &Form,
        path: &mut Path,
        taken: &[Side],
        grown: Option<Grown>,
    ) {
        let Some(mut recording) = self.recording.take() else { return };
        // Decisions that it shares with an earlier run were described with that one.
        let known = grown.map_or(usize::MAX, |grown| self.trie.depth(grown.chain));
        let variables = variables(form);
        let is = |variable: Variable| {
            let known = variables.get(variable.0 as usize).copied();
            known.unwrap_or(VariableIs::Other(variable.0.saturating_sub(variables.len() as u32)))
        };
        for (step, event) in taken.iter().zip(&path.events) {
            if self.coverage.is_user(step.site) && !recording.words.contains_key(&step.site) {
                let ways = 0..event.ways().min(MOST_WAYS);
                let words = ways.map(|way| {
                    let condition = event.condition(way, &mut path.formulas);
                    self.host.in_words(&path.formulas, condition, &is)
                });
                recording.words.insert(step.site, words.collect());
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
                let place = self.place(&mut recording, decision.site);
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
        self.recording = Some(recording);
    }

    fn place(&self, recording: &mut Recording, site: Site) -> Where {
        match site.place {
            Place::Input(_) => Where::Inputs,
            Place::Result(_) => Where::Result,
            Place::Code { .. } | Place::Choice(_) | Place::Lookup(_) | Place::Observed(_) | Place::Domain(_) => {
                let place = || self.runner.executor.place_of(site).map(Arc::new);
                recording.places.entry(site).or_insert_with(place).clone().map_or(Where::Function, Where::Code)
            }
        }
    }

    /// Counts an attempt to take a side that had no solution.
    pub(super) fn record_refuted(&mut self, step: Side) {
        if let Some(recording) = &mut self.recording
            && self.coverage.is_missing(step)
        {
            *recording.refuted.entry(step).or_default() += 1;
        }
    }

    /// Counts an attempt to take a side that was left undecided.
    pub(super) fn record_open(&mut self, step: Side) {
        if let Some(recording) = &mut self.recording
            && self.coverage.is_missing(step)
        {
            *recording.open.entry(step).or_default() += 1;
        }
    }

    /// Returns all branches of the user's code. Called once, at the end.
    pub(super) fn branch_sites(&mut self) -> Vec<BranchSite> {
        if self.recording.is_none() {
            return Vec::new();
        }
        self.record_untried();
        let Some(mut recording) = self.recording.take() else { return Vec::new() };
        let mut sites = Vec::new();
        for (number, ways) in self.coverage.user_sites() {
            let Where::Code(place) = self.place(&mut recording, self.trie.sites().site(number)) else { continue };
            let words = recording.words.remove(&number).unwrap_or_default();
            let is_taken = |way: &u32| !self.coverage.is_missing(Side { site: number, way: *way });
            let sides = (0..ways.min(MOST_WAYS)).map(|way| {
                let step = Side { site: number, way };
                BranchWay {
                    words: words.get(way as usize).cloned().unwrap_or_default(),
                    taken: is_taken(&way),
                    unreachable: self.is_unreachable(step),
                    refuted: recording.refuted.get(&step).copied().unwrap_or(0),
                    open: recording.open.get(&step).copied().unwrap_or(0),
                }
            });
            sites.push(BranchSite {
                place,
                ways: sides.collect(),
                more_ways: ways.saturating_sub(MOST_WAYS) as usize,
                more_taken: (MOST_WAYS..ways).filter(is_taken).count(),
            });
        }
        sites.sort_by(|a, b| key(a).cmp(&key(b)));
        sites
    }

    /// Counts the sides that are still in the queue, because they were never tried.
    fn record_untried(&mut self) {
        let mut steps: FxHashSet<Side> = FxHashSet::default();
        for candidate in self.queue.iter().take(MOST_LOOKED_AT) {
            let Some(step) = self.trie.step_at(candidate.run, candidate.decision) else { continue };
            match candidate.way {
                Way::Other(way) => {
                    steps.insert(Side { way, ..step });
                }
                // These sides are not described one by one.
                Way::From(_) => {}
                // A leap is a guess outside of the tree, and a longer run repeats a path: neither is an untried side.
                Way::Leap(_) | Way::Longer => {}
            }
        }
        steps.into_iter().for_each(|step| self.record_open(step));
    }
}

fn key(site: &BranchSite) -> (&str, u32, u16, (u32, u32, u32)) {
    (site.place.module.text(), site.place.line, site.place.column, site.place.number)
}

/// Returns the meaning of the variables of a form, by their numbers.
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
