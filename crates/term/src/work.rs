//! Work that must not go on for ever, whatever data it is about.
//!
//! Runs of a program count their steps and look at an alarm. What is done for them is not: whether a term is of a type,
//! what formulas and queries are made of it, how two terms compare. Each such loop says [`tick`] as it goes round, and
//! whoever answers for the whole says with [`watched`] when it must end. Then the stack unwinds to there. Knows no clock:
//! what rings is handed in.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// Rounds of a loop between two looks. Most take well below a microsecond.
const PERIOD: u32 = 4_096;

/// Payload of the unwinding that ends work which took too much, and what [`watched`] answers then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overdue {
    Time,
    Memory,
}

/// Says what is overdue, if anything is.
pub type Watcher = Rc<dyn Fn() -> Option<Overdue>>;

thread_local! {
    static LEFT: Cell<u32> = const { Cell::new(PERIOD) };
    static WATCHER: RefCell<Option<Watcher>> = const { RefCell::new(None) };
}

/// Does the work, unless the watcher ends it.
pub fn watched<T>(watcher: Option<Watcher>, work: impl FnOnce() -> T) -> Result<T, Overdue> {
    let before = WATCHER.replace(watcher);
    let done = caught(work);
    WATCHER.set(before);
    done.unwrap_or_else(|other| resume_unwind(other))
}

/// Does the work for whoever watches already, and answers if that ends it: for what can be given up alone.
pub fn given_up<T>(work: impl FnOnce() -> T) -> Result<T, Overdue> {
    caught(work).unwrap_or_else(|other| resume_unwind(other))
}

/// An error: the payload of a panic.
fn caught<T>(work: impl FnOnce() -> T) -> Result<Result<T, Overdue>, Box<dyn Any + Send>> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Ok(Ok(done)),
        Err(payload) => payload.downcast::<Overdue>().map(|overdue| Err(*overdue)),
    }
}

/// Does the work with nobody watching: it answers for itself.
pub fn unwatched<T>(work: impl FnOnce() -> T) -> T {
    match watched(None, work) {
        Ok(done) => done,
        Err(overdue) => resume_unwind(Box::new(overdue)),
    }
}

/// Once for each round of a loop whose length is up to the data.
#[inline]
pub fn tick() {
    LEFT.with(|left| match left.get().checked_sub(1) {
        Some(fewer) => left.set(fewer),
        None => look(),
    });
}

/// For many rounds at once.
pub fn ticks(rounds: usize) {
    LEFT.with(|left| match left.get().checked_sub(u32::try_from(rounds).unwrap_or(u32::MAX)) {
        Some(fewer) => left.set(fewer),
        None => look(),
    });
}

/// For whoever waits, and has no rounds to count: ends the work now if it is overdue.
#[cold]
pub fn look() {
    LEFT.set(PERIOD);
    // A panic on its way is not unwound a second time.
    if std::thread::panicking() {
        return;
    }
    let watcher = WATCHER.with_borrow(Clone::clone);
    if let Some(overdue) = watcher.and_then(|watcher| watcher()) {
        // Not a panic: the hook is not called.
        resume_unwind(Box::new(overdue));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_when_the_watcher_says_so() {
        let looks = Rc::new(Cell::new(0));
        let seen = Rc::clone(&looks);
        let watcher: Watcher = Rc::new(move || {
            seen.set(seen.get() + 1);
            (seen.get() == 3).then_some(Overdue::Memory)
        });
        let endless = || loop {
            tick();
        };
        let ended: Result<(), Overdue> = watched(Some(watcher), endless);
        assert_eq!((ended, looks.get()), (Err(Overdue::Memory), 3));
    }

    #[test]
    fn nobody_ends_what_is_not_watched() {
        let watcher: Watcher = Rc::new(|| Some(Overdue::Time));
        let ended = watched(Some(watcher), || {
            unwatched(|| (0..10 * PERIOD).for_each(|_| tick()));
            ticks(usize::MAX);
        });
        assert_eq!(ended, Err(Overdue::Time));
        (0..10 * PERIOD).for_each(|_| tick());
    }
}
