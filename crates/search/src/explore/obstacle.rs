//! Ends a search that cannot reach anything because all of its runs end at the same obstacle.
//!
//! Runs before an obstacle may still differ in what they do, so the search goes on as long as they cover new branches
//! of the user's code, or such a branch is in the queue. After that, only paths through libraries to the same end are
//! left.

use super::Explorer;
use crate::judge::{Judged, collect_atoms};
use crate::runner::Inputs;
use crate::{Failure, Loss, Missing, Obstacle};
use path::{Raised, Stop};
use rustc_hash::FxHashSet;

/// Number of runs without anything new, all with the same end, after which the search checks whether to stop.
const PATIENCE: u64 = 250;

/// The maximum number of names under which processes are played.
const MOST_NAMES: usize = 2;

/// The ends of the runs so far.
#[derive(Default)]
pub struct Ends {
    /// The obstacle at which all runs ended, as long as it is the same for all.
    obstacle: Option<Obstacle>,
    differ: bool,
    runs: u64,
    /// Number of covered sides after the last run, and of runs since it last increased.
    covered: usize,
    without_news: u64,
}

impl Ends {
    /// Returns the obstacle, and the number of runs, if all runs ended at it.
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

/// Returns whether the name of a missing thing occurs in the inputs.
fn is_made_up(missing: &Missing, inputs: Option<&Inputs>) -> bool {
    let mut atoms = FxHashSet::default();
    inputs.map_or_else(Vec::new, |inputs| inputs.terms()).iter().for_each(|term| collect_atoms(term, &mut atoms));
    atoms.iter().any(|atom| atom.text() == missing.name())
}

impl Explorer<'_> {
    /// Records how a run ended and returns its judgement. A run that misses a module whose name was made up is judged
    /// as an edge: no program has that module, so the unit is not meant for it.
    pub(super) fn note_end(&mut self, inputs: Option<&Inputs>, judged: Judged) -> Judged {
        let end = match &judged {
            // These ends say nothing: the unit was not called as intended, or its run was not completed.
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

    /// Returns what an exception says is missing. If nothing registers the missing process, it is played from now on.
    fn missing(&mut self, raised: &Raised, inputs: Option<&Inputs>) -> Option<Missing> {
        let missing = self.host.missing(raised)?;
        if self.unit.contract.client.is_none()
            && self.settings.goal.is_none()
            && self.runner.names().len() < MOST_NAMES
            && let Some(name) = self.host.unregistered(raised)
            && !self.runner.names().contains(&name)
        {
            // Many names may be made up, so one of them represents all.
            let is_made_up = is_made_up(&missing, inputs);
            if !is_made_up || !std::mem::replace(&mut self.has_made_up_name, true) {
                self.unregistered = Some(name);
            }
        }
        Some(missing)
    }

    /// Returns whether all runs end at one obstacle and no others are to be expected.
    pub(super) fn is_stuck(&mut self) -> bool {
        if self.ends.without_news < PATIENCE || self.ends.only().is_none() {
            return false;
        }
        self.ends.without_news = 0;
        let missing: FxHashSet<u32> = self.coverage.missing_sides().collect();
        !self.queue.iter().any(|candidate| missing.contains(&candidate.side))
    }

    /// Records a loss if all runs ended at the same obstacle.
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
