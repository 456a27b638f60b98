//! Limits on work whose length depends on data.
//!
//! Runs of a program count their steps and check an alarm. The work that is done for them does not: checks of a term
//! against a type, making formulas and queries of it, comparisons of two terms. Each such loop calls [`tick`] in every
//! round, and the caller that is responsible for the whole passes to [`watched`] a function that says when the work
//! must end. Then the stack unwinds to that caller. This module knows no clock: the watcher is a parameter.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

/// The number of rounds of a loop between two calls of the watcher. Most rounds take well below a microsecond.
const PERIOD: u32 = 4_096;

/// The limit that was exceeded: the payload of the unwinding that ends the work, and the error that [`watched`] then
/// returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overdue {
    Time,
    Memory,
}

/// Returns which limit is exceeded, if any.
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

/// Does the work under the current watcher, and returns an error if the watcher ends it. For work that can be abandoned
/// without its caller.
pub fn given_up<T>(work: impl FnOnce() -> T) -> Result<T, Overdue> {
    caught(work).unwrap_or_else(|other| resume_unwind(other))
}

/// Does the work and catches its unwinding. The outer error is the payload of a panic.
fn caught<T>(work: impl FnOnce() -> T) -> Result<Result<T, Overdue>, Box<dyn Any + Send>> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Ok(Ok(done)),
        Err(payload) => payload.downcast::<Overdue>().map(|overdue| Err(*overdue)),
    }
}

/// Does the work without a watcher, so that nothing ends it early.
pub fn unwatched<T>(work: impl FnOnce() -> T) -> T {
    match watched(None, work) {
        Ok(done) => done,
        Err(overdue) => resume_unwind(Box::new(overdue)),
    }
}

/// Counts one round of a loop whose length depends on data.
#[inline]
pub fn tick() {
    LEFT.with(|left| match left.get().checked_sub(1) {
        Some(fewer) => left.set(fewer),
        None => look(),
    });
}

/// Counts several rounds at once.
pub fn ticks(rounds: usize) {
    LEFT.with(|left| match left.get().checked_sub(u32::try_from(rounds).unwrap_or(u32::MAX)) {
        Some(fewer) => left.set(fewer),
        None => look(),
    });
}

/// Ends the work now if it is overdue. For code that waits and has no rounds to count.
#[cold]
pub fn look() {
    LEFT.set(PERIOD);
    // During a panic, a second unwinding must not begin.
    if std::thread::panicking() {
        return;
    }
    let watcher = WATCHER.with_borrow(Clone::clone);
    if let Some(overdue) = watcher.and_then(|watcher| watcher()) {
        // `resume_unwind` does not call the panic hook, because this is no panic.
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
