//! Ends a search that cannot reach anything: all of its runs end at the same obstacle.
//!
//! Runs before an obstacle may still differ in what they do, so the search goes on as long as they cover new branches of
//! the user's code, or such a branch waits in the queue. What is left then are paths through libraries to the same end.

use super::Explorer;
use crate::judge::{Judged, collect_atoms};
use crate::runner::Inputs;
use crate::{Failure, Loss, Missing, Obstacle};
use path::{Raised, Stop};
use rustc_hash::FxHashSet;

/// Number of runs without anything new, all with the same end, after which a search looks whether to stop.
const PATIENCE: u64 = 250;

/// Names under which processes are played, at most.
const MOST_NAMES: usize = 2;

/// How the runs so far ended.
#[derive(Default)]
pub struct Ends {
    /// Where all of them ended, as long as that is the same for all.
    obstacle: Option<Obstacle>,
    differ: bool,
    runs: u64,
    /// Number of sides that were covered when something new was last covered, and of runs since then.
    covered: usize,
    without_news: u64,
}

impl Ends {
    /// The only end that was met, and how often.
    fn only(&self) -> Option<(&Obstacle, u64)> {
        self.obstacle.as_ref().filter(|_| !self.differ).map(|obstacle| (obstacle, self.runs))
    }

    fn add(&mut self, end: Option<Obstacle>, covered: usize) {
        let is_same = end.is_some() && (self.obstacle.is_none() || self.obstacle == end);
        self.differ |= !is_same;
        self.obstacle = end;
        self.runs += 1;
        self.without_news = if covered > self.covered { 0 } else { self.without_news + 1 };
        self.covered = covered;
    }
}

/// Whether what is missing has a name that stands in the inputs.
fn is_made_up(missing: &Missing, inputs: Option<&Inputs>) -> bool {
    let mut atoms = FxHashSet::default();
    inputs.map_or_else(Vec::new, |inputs| inputs.terms()).iter().for_each(|term| collect_atoms(term, &mut atoms));
    atoms.iter().any(|atom| atom.text() == missing.name())
}

impl Explorer<'_> {
    /// Notes how a run ended. Answers with what that means: no program has a module whose name was made up, so a unit is
    /// not meant for it.
    pub(super) fn note_end(&mut self, inputs: Option<&Inputs>, judged: Judged) -> Judged {
        let end = match &judged {
            // These say nothing: the unit was not called as it is meant, or not to its end.
            Judged::Edge | Judged::NotMade | Judged::Cut | Judged::Stopped(Stop::Interrupted) => return judged,
            Judged::Stopped(Stop::Unsupported(function)) => Some(Obstacle::Unsupported(*function)),
            Judged::Stopped(Stop::EffectDenied(function)) => Some(Obstacle::Denied(*function)),
            Judged::Stopped(Stop::NotReturned(function)) => Some(Obstacle::NotReturned(*function)),
            Judged::Failed(Failure::Crash(raised)) => match self.missing(raised, inputs) {
                Some(missing) if is_made_up(&missing, inputs) => match missing {
                    Missing::Module(_) => return Judged::Edge,
                    Missing::Process(_)
                    | Missing::Table(_)
                    | Missing::Name(_)
                    | Missing::PersistentTerm(_)
                    | Missing::Application(_)
                    | Missing::Setting(_)
                    | Missing::File(_) => None,
                },
                Some(missing) => {
                    self.lose(Loss::Missing(missing.clone()));
                    Some(Obstacle::Missing { missing, created_by: None, application: None })
                }
                None => None,
            },
            Judged::Fine | Judged::Expected(_) | Judged::Failed(_) | Judged::Stopped(_) => None,
        };
        self.ends.add(end, self.coverage.covered());
        judged
    }

    /// What an exception says is missing. A process that nobody registers is played from now on.
    fn missing(&mut self, raised: &Raised, inputs: Option<&Inputs>) -> Option<Missing> {
        let missing = self.host.missing(raised)?;
        if self.unit.contract.client.is_none()
            && self.settings.goal.is_none()
            && self.runner.names().len() < MOST_NAMES
            && let Some(name) = self.host.unregistered(raised)
            && !self.runner.names().contains(&name)
        {
            // Names that were made up are many, and one stands for all of them.
            let is_made_up = is_made_up(&missing, inputs);
            if !is_made_up || !std::mem::replace(&mut self.has_made_up_name, true) {
                self.unregistered = Some(name);
            }
        }
        Some(missing)
    }

    /// Whether nothing else than one obstacle is to be expected.
    pub(super) fn is_stuck(&mut self) -> bool {
        if self.ends.without_news < PATIENCE || self.ends.only().is_none() {
            return false;
        }
        self.ends.without_news = 0;
        let missing: FxHashSet<u32> = self.coverage.missing_sides().collect();
        !self.queue.iter().any(|candidate| missing.contains(&candidate.side))
    }

    /// Says so if all runs ended at the same obstacle.
    pub(super) fn record_obstacle(&mut self) {
        let Some((obstacle, runs)) = self.ends.only() else { return };
        let mut obstacle = obstacle.clone();
        if let Obstacle::Missing { missing, created_by, application } = &mut obstacle {
            *created_by = self.host.creator(missing);
            *application = self.host.application(missing, *created_by);
        }
        self.lose_many(Loss::AllEndAt(obstacle), runs);
    }
}
