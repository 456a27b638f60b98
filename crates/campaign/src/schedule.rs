//! Decides which function is searched next. Without a time for all functions together, each function has one turn, with
//! all of its time. Otherwise, every function gets a short turn first, and the rest of the time goes to functions whose
//! last turn showed something new.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The shortest turn, which suffices for most functions whose search ends by itself at all.
const SHORTEST: Duration = Duration::from_millis(200);
/// The first turns of all functions together take one in `FIRST_TURNS` parts of the time.
const FIRST_TURNS: u32 = 3;
/// Each further turn takes `LONGER` times the time that the function has had so far.
const LONGER: u32 = 2;

/// A function, by number, and the result of its turns.
pub struct Job<T> {
    pub function: usize,
    pub spent: Duration,
    /// Whether the last turn showed something new.
    pub has_progressed: bool,
    /// The result of the last turn; `None` before the first one.
    pub last: Option<T>,
}

pub struct Schedule<T> {
    state: Mutex<Jobs<T>>,
    /// The time for one function, in all its turns.
    budget: Duration,
    /// The end of the time for all functions.
    end: Option<Instant>,
    first: Duration,
}

struct Jobs<T> {
    fresh: VecDeque<usize>,
    waiting: Vec<Job<T>>,
}

impl<T> Schedule<T> {
    pub fn new(functions: usize, workers: usize, budget: Duration, total: Option<Duration>) -> Schedule<T> {
        let share = |total: Duration| total * workers as u32 / FIRST_TURNS / functions.max(1) as u32;
        let first = total.map_or(budget, |total| share(total).max(SHORTEST).min(budget));
        let state = Jobs { fresh: (0..functions).collect(), waiting: Vec::new() };
        Schedule { state: Mutex::new(state), budget, end: total.map(|total| Instant::now() + total), first }
    }

    /// Returns the next function and the time of its turn.
    pub fn next(&self) -> Option<(Job<T>, Duration)> {
        let mut state = self.lock();
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        if let Some(function) = state.fresh.pop_front() {
            let job = Job { function, spent: Duration::ZERO, has_progressed: true, last: None };
            return Some((job, left.map_or(self.first, |left| self.first.min(left))));
        }
        let left = left.filter(|left| *left >= SHORTEST)?;
        let best = state.waiting.iter().enumerate().min_by_key(|(_, job)| (!job.has_progressed, job.spent))?.0;
        let job = state.waiting.swap_remove(best);
        let turn = (job.spent * LONGER).max(self.first).min(left).min(self.budget.saturating_sub(job.spent));
        Some((job, turn))
    }

    /// Takes back a function whose turn is over, if it may have another. Otherwise returns it, and it is done.
    pub fn take_back(&self, job: Job<T>) -> Result<(), Job<T>> {
        if self.end.is_none() || job.spent + SHORTEST > self.budget {
            return Err(job);
        }
        self.lock().waiting.push(job);
        Ok(())
    }

    /// Returns the functions that wait for another turn when all time is spent.
    pub fn rest(&self) -> Vec<Job<T>> {
        std::mem::take(&mut self.lock().waiting)
    }

    fn lock(&self) -> MutexGuard<'_, Jobs<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn without_a_time_for_all_each_has_one_turn() {
        let schedule: Schedule<()> = Schedule::new(2, 1, SECOND, None);
        for function in 0..2 {
            let (job, turn) = schedule.next().expect("a turn");
            assert_eq!((job.function, turn), (function, SECOND));
            assert!(schedule.take_back(Job { spent: turn, ..job }).is_err());
        }
        assert!(schedule.next().is_none());
    }

    #[test]
    fn time_flows_to_those_that_make_progress() {
        let schedule: Schedule<()> = Schedule::new(3, 1, 100 * SECOND, Some(90 * SECOND));
        let mut turns = Vec::new();
        for number in 0..3 {
            let (job, turn) = schedule.next().expect("a turn");
            assert_eq!(turn, 10 * SECOND);
            turns.push(Job { spent: turn, has_progressed: number == 1, ..job });
        }
        turns.into_iter().for_each(|job| assert!(schedule.take_back(job).is_ok()));
        let (job, turn) = schedule.next().expect("another turn");
        assert_eq!((job.function, turn), (1, 20 * SECOND));
        assert!(schedule.take_back(Job { spent: 100 * SECOND, ..job }).is_err(), "its own time is over");
        assert_eq!(schedule.rest().len(), 2);
    }

    #[test]
    fn whoever_comes_too_late_has_no_time() {
        let schedule: Schedule<()> = Schedule::new(1, 1, SECOND, Some(Duration::ZERO));
        let (job, turn) = schedule.next().expect("a turn");
        assert_eq!(turn, Duration::ZERO);
        assert!(schedule.take_back(job).is_ok());
        assert!(schedule.next().is_none());
    }
}
