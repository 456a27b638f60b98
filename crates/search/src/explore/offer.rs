//! Puts the alternatives of a run's decisions into the queue, with their costs and priorities.

use super::{Explorer, others};
use crate::queue::{Candidate, Way};
use crate::records::Path;
use crate::runner::Inputs;
use crate::trie::{Grown, Side};
use formula::TermId;
use path::{Answer, Event, Label, Place, Site};
use solver::Screened;

/// The maximum number of sides of one decision that are separate candidates. The others share one candidate.
const SINGLE_WAYS: usize = 32;
/// The additional cost of a decision in a library.
const LIBRARY: u32 = 4;
const MOST_STALE: u32 = 8;
/// The cost of another choice of how the inputs are made, or of what a function input does.
const CHOICE: u32 = 3;
/// The cost of another entry of a table for the arguments of a function input.
const LOOKUP: u32 = 3;
/// The cost of another kind for a part of what a function input is given. Deeper parts cost more.
const OBSERVED: u32 = 3;
/// The number of decisions of a path between two checks of the time.
const LOOK_AT_CLOCK_EVERY: usize = 1000;

impl Explorer<'_> {
    /// Puts the alternatives of the decisions that this run was the first to meet into the queue.
    pub(super) fn offer(&mut self, grown: Grown, path: &mut Path, taken: &[Side], occurrences: &[u8], stale: u32) {
        let fresh = grown.fresh as usize;
        if fresh >= taken.len() {
            return;
        }
        let parent = self.records.inputs(grown.chain);
        let Some(inputs) = parent else { return };
        let Path { formulas, events, held, .. } = path;
        let mut steps = Vec::with_capacity(events.len());
        for (index, event) in events.iter().enumerate() {
            if index.is_multiple_of(LOOK_AT_CLOCK_EVERY) && self.host.out_of_time() {
                return;
            }
            let is_data = !matches!(event, Event::Choice { .. });
            let ways = if index >= fresh && is_data { event.ways() } else { 0 };
            let others = others(taken[index].way, ways).take(SINGLE_WAYS);
            let others = others.map(|way| event.condition(way, formulas)).collect();
            steps.push(solver::ScreeningStep { held: held[index], others });
        }
        self.solver.set_time_left(self.host.time_left());
        let answers = self.solver.screen(formulas, &inputs.values, &steps);
        let mut probed: u16 = events[..fresh].iter().map(probes_of).sum();
        let mut moved: u32 = events[..fresh].iter().map(moves_of).sum();
        for index in fresh..events.len() {
            if index.is_multiple_of(LOOK_AT_CLOCK_EVERY) && self.host.out_of_time() {
                return;
            }
            let (step, occurrence) = (taken[index], occurrences[index]);
            let ways = path.events[index].ways();
            let kind = match path.events[index] {
                Event::Choice { .. } => CHOICE,
                Event::Lookup { .. } => LOOKUP,
                Event::Branch { site: Site { place: Place::Observed(_), part }, .. } => OBSERVED + part / 2,
                Event::Branch { .. } | Event::Switch { .. } | Event::Concretised { .. } => 0,
            };
            for (nth, way) in others(step.way, ways).enumerate() {
                let single = nth < SINGLE_WAYS;
                let screened = answers.get(index).and_then(|answers| answers.get(nth));
                let side = self.coverage.side(Side { way, ..step }, occurrence);
                if self.is_refuted(screened) {
                    let condition = path.events[index].condition(way, &mut path.formulas);
                    let (run, decision) = (grown.chain, index as u32);
                    let candidate = Candidate { run, decision, way: Way::Other(way), side, extra: 0, probes: probed };
                    self.offer_leap(candidate, Side { way, ..step });
                    self.prefer(grown.chain, path, index, condition, &inputs);
                    continue;
                }
                let library = if kind != 0 || self.coverage.is_user(step.site) { 0 } else { LIBRARY };
                let away = match self.settings.goal {
                    Some(_) => {
                        let condition = path.events[index].condition(way, &mut path.formulas);
                        self.cost_of_way(step.site, condition, &path.formulas, &inputs)
                    }
                    None => 0,
                };
                let extra = library + kind + moved + stale.min(MOST_STALE) + nth as u32 / 4 + away;
                let extra = extra.min(u32::from(u16::MAX)) as u16;
                let probes = probed + u16::from(path.events[index].probes(way));
                if let Some(screened @ (Screened::Sat(_) | Screened::Open)) = screened {
                    path.screened.insert((index as u32, way), screened.clone());
                }
                let way = if single { Way::Other(way) } else { Way::From(nth as u32) };
                self.push(Candidate { run: grown.chain, decision: index as u32, way, side, extra, probes });
                if !single {
                    break;
                }
            }
            probed = probed.saturating_add(probes_of(&path.events[index]));
            moved += moves_of(&path.events[index]);
        }
    }

    /// Gives priority to other behaviour of function inputs: the wanted side of a decision is impossible with their
    /// current answers, so alternatives at the decisions that led to these answers come first.
    pub(super) fn prefer(&mut self, run: u32, path: &Path, at: usize, wanted: TermId, inputs: &Inputs) {
        if inputs.play.answers.is_empty() {
            return;
        }
        let answers: Vec<Answer> = path
            .formulas
            .variables(wanted)
            .into_iter()
            .filter_map(|variable| inputs.play.answers.get(&variable).copied())
            .collect();
        let (mut probed, mut moved): (u16, u32) = (0, 0);
        for (index, event) in path.events[..at].iter().enumerate() {
            let is_theirs = |answer: &Answer| match event {
                Event::Choice { site, .. } => *site == choice_of(answer.node),
                Event::Lookup { site, way, .. } => site.place == Place::Lookup(answer.table) && *way == answer.entry,
                Event::Branch { .. } | Event::Switch { .. } | Event::Concretised { .. } => false,
            };
            if answers.iter().any(is_theirs)
                && let Some(decision) = event.decision()
            {
                let step = self.trie.step(decision);
                for way in others(step.way, event.ways()).take(SINGLE_WAYS) {
                    if self.preferred.insert((self.trie.place(run, index as u32), way)) {
                        let side = self.coverage.side(Side { way, ..step }, 0);
                        let probes = probed + u16::from(event.probes(way));
                        let (decision, way) = (index as u32, Way::Other(way));
                        let extra = (moved + 2 * u32::from(probed)).min(u32::from(u16::MAX)) as u16;
                        self.push(Candidate { run, decision, way, side, extra, probes });
                    }
                }
            }
            probed = probed.saturating_add(probes_of(event));
            moved += moves_of(event);
        }
    }

    /// Returns the side at `index` among the alternatives of a decision, and puts the next one into the queue.
    pub(super) fn next_in_line(&mut self, candidate: Candidate, index: u32) -> Option<u32> {
        let path = self.path(candidate.run)?;
        let event = path.events.get(candidate.decision as usize);
        let ways = event.and_then(|event| Some((event.decision()?.way, event.ways())));
        self.records.keep_path(candidate.run, path, self.path_memory());
        let (taken, ways) = ways?;
        if index + 2 < ways {
            let extra = candidate.extra.saturating_add(((index + 1) / 4 - index / 4) as u16);
            self.push(Candidate { way: Way::From(index + 1), extra, ..candidate });
        }
        (index + 1 < ways).then_some(if index < taken { index } else { index + 1 })
    }

    /// Returns whether the screening refuted a side, and counts what it decided.
    fn is_refuted(&mut self, screened: Option<&Screened>) -> bool {
        match screened {
            Some(Screened::Unsat) => {
                self.exploration.queries += 1;
                self.exploration.native += 1;
                self.exploration.unsat += 1;
                true
            }
            Some(Screened::Sat(_)) => {
                self.exploration.queries += 1;
                self.exploration.native += 1;
                false
            }
            Some(Screened::Open | Screened::Late) | None => false,
        }
    }
}

/// Returns the site where a function input chooses what to do.
fn choice_of(label: Label) -> Site {
    Site { place: Place::Choice(label), part: 0 }
}

/// Returns 1 if a decision lets a function input call another function, 0 otherwise.
pub(super) fn probes_of(event: &Event) -> u16 {
    u16::from(event.decision().is_some_and(|decision| event.probes(decision.way)))
}

/// Returns 1 if a function input did something other than the simplest action, 0 otherwise.
fn moves_of(event: &Event) -> u32 {
    u32::from(matches!(event, Event::Choice { site: Site { place: Place::Choice(_), .. }, chosen: 1.., .. }))
}
