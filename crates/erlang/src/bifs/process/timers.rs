//! Timers in virtual time, which passes when no process can run.

use super::signals::waits_for;
use super::{Destination, destination, is_alive, new_reference};
use crate::bifs::{self, badarg, badarg_because, rows, system};
use crate::runtime::ErlangState;
use machine::{Access, Context, Domain, Escape, Object, Passed, Primitive, Word, list_items};
use path::{Concretised, Surrounding};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use term::{Atom, FunctionName, Term, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Timers;
    "send_after" (Any, Any, Any) -> Reference, badarg, send_after, Meaning::Effect(&[Moved, Deep, Moved]);
    "send_after" (Any, Any, Any, Any) -> Reference, badarg, send_after, Meaning::Effect(&[Moved, Deep, Moved, Deep]);
    "start_timer" (Any, Any, Any) -> Reference, badarg, start_timer, Meaning::Effect(&[Moved, Deep, Moved]);
    "start_timer" (Any, Any, Any, Any) -> Reference, badarg, start_timer, Meaning::Effect(&[Moved, Deep, Moved, Deep]);
    "cancel_timer" (Reference) -> Any from Time, badarg, cancel_timer, Effect;
    "cancel_timer" (Reference, Any) -> Any from Time, badarg, cancel_timer, Effect;
    "read_timer" (Reference) -> Any from Time, badarg, read_timer, Effect;
    "read_timer" (Reference, Any) -> Any from Time, badarg, read_timer, Effect;
};

/// Rows for calls whose result is not used.
pub(super) const UNREAD: &[Primitive] = rows! {"erlang" by Timers;
    "cancel_timer" (Reference) -> Any, badarg, cancel_timer, Effect;
    "cancel_timer" (Reference, Any) -> Any, badarg, cancel_timer, Effect;
};

/// The nanoseconds of a millisecond.
const NANOSECONDS: u64 = 1_000_000;

/// Timers that have not fired.
#[derive(Clone, Default)]
pub struct Timers {
    /// The timers in the order in which they fire.
    open: BTreeMap<Due, Timer>,
    /// The timers by the numbers of their references.
    by_reference: FxHashMap<u64, Due>,
    /// The timers by the number of the process that they send to, unless that is given by name.
    by_target: BTreeSet<(u64, Due)>,
    /// The number of timers whose time depends on the inputs.
    symbolic: usize,
    /// The number of timers that were started.
    started: u64,
}

/// The virtual time at which a timer fires, and its index among all timers that were started.
type Due = (u64, u64);

#[derive(Clone)]
struct Timer {
    /// The time in milliseconds at which it fires, if that depends on the inputs.
    symbolic: Option<Word>,
    /// The number of its reference.
    reference: u64,
    to: Word,
    message: Word,
}

impl Timer {
    fn target(&self) -> Option<u64> {
        self.to.is_kind(machine::Kind::Pid).then(|| self.to.identity())
    }
}

impl Timers {
    /// Returns the number of timers that have not fired.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    fn start(&mut self, at: u64, timer: Timer) {
        self.started += 1;
        let due = (at, self.started);
        self.by_reference.insert(timer.reference, due);
        self.by_target.extend(timer.target().map(|target| (target, due)));
        self.symbolic += usize::from(timer.symbolic.is_some());
        self.open.insert(due, timer);
    }

    fn remove(&mut self, due: Due) -> Option<Timer> {
        let timer = self.open.remove(&due)?;
        self.by_reference.remove(&timer.reference);
        if let Some(target) = timer.target() {
            self.by_target.remove(&(target, due));
        }
        self.symbolic -= usize::from(timer.symbolic.is_some());
        Some(timer)
    }

    /// Takes out the next timer that fires by this time.
    fn fire(&mut self, now: u64) -> Option<Timer> {
        let (due, _) = self.open.first_key_value().filter(|((at, _), _)| *at <= now)?;
        self.remove(*due)
    }

    /// Removes the timers that would send to a process that has ended.
    pub fn forget(&mut self, number: u64) {
        let range = (number, (0, 0))..=(number, (u64::MAX, u64::MAX));
        let ended: Vec<Due> = self.by_target.range(range).map(|(_, due)| *due).collect();
        for due in ended {
            self.remove(due);
        }
    }

    pub fn roots(&mut self, collector: &mut machine::value::Collector<'_>) {
        for timer in self.open.values_mut() {
            collector.root(&mut timer.to);
            collector.root(&mut timer.message);
            collector.roots(&mut timer.symbolic);
        }
    }

    pub fn visit(&self, time: u64, see: &mut dyn FnMut(machine::StatePart<'_>)) {
        see(machine::StatePart::Number(self.open.len() as u64));
        for ((at, _), timer) in &self.open {
            see(machine::StatePart::Number(at.wrapping_sub(time)));
            see(machine::StatePart::Number(timer.reference));
            see(machine::StatePart::Fixed(timer.to));
            see(machine::StatePart::Fixed(timer.message));
        }
    }
}

/// Returns the time that is `count` milliseconds from now, in milliseconds. It depends on the inputs.
pub fn milliseconds_from_now(context: &mut Context, count: Word) -> Word {
    let now = Word::small((context.world.time / NANOSECONDS) as i64);
    let sum = bifs::find(names::ERLANG, Atom::new("+"), 2).map(|row| context.apply_row(row, &[now, count], false));
    sum.and_then(Result::ok).unwrap_or(now)
}

/// An event at a moment in virtual time.
#[derive(Clone, Copy)]
struct Moment {
    at: u64,
    symbolic: Option<Word>,
    /// The process whose wait ends then; `None` if a timer fires.
    sleeper: Option<u64>,
}

/// Moves the time to the next moment at which a timer fires or a wait ends.
pub fn pass_time(context: &mut Context) -> Passed {
    let timers = &ErlangState::of(context).timers;
    // If the times of timers are symbolic, it is a decision which is first, so all are compared.
    let compared = if timers.symbolic > 0 { timers.len() } else { 1 };
    let of_timer = |((at, _), timer): (&Due, &Timer)| Moment { at: *at, symbolic: timer.symbolic, sleeper: None };
    let mut moments: Vec<Moment> = timers.open.iter().take(compared).map(of_timer).collect();
    for process in context.world.sleepers() {
        if let Some(at) = process.receive_deadline {
            moments.push(Moment { at, symbolic: process.symbolic_deadline, sleeper: Some(process.number()) });
        }
    }
    context.note_work(moments.len() / 8);
    let Some(first) = earliest(context, &moments) else { return Passed::Never };
    let is_unanswered = first.sleeper == Some(Term::OWN_PID) && is_hopeless(context, &moments);
    context.world.time = context.world.time.max(first.at);
    let now = context.world.time;
    while let Some(timer) = ErlangState::of(context).timers.fire(now) {
        if let Destination::Process(number) = destination(context, timer.to) {
            context.deliver(number, timer.message);
        }
    }
    for Moment { at, sleeper, .. } in moments {
        if let Some(number) = sleeper
            && at <= now
        {
            context.world.wake(number);
        }
    }
    if is_unanswered { Passed::Unanswered } else { Passed::On }
}

/// Returns when the next timer fires or the next wait of another process ends.
pub fn next_moment(context: &mut Context) -> Option<u64> {
    let timer = ErlangState::of(context).timers.open.keys().next().map(|(at, _)| *at);
    timer.into_iter().chain(context.world.next_deadline(Term::OWN_PID)).min()
}

/// Returns the moment that comes first. If that depends on the inputs, it is a decision. If several are at the same
/// time, all happen.
fn earliest(context: &mut Context, moments: &[Moment]) -> Option<Moment> {
    let is_symbolic = moments.iter().any(|moment| moment.symbolic.is_some());
    if !is_symbolic {
        return moments.iter().min_by_key(|moment| moment.at).copied();
    }
    let in_milliseconds = |moment: &Moment| moment.symbolic.unwrap_or(Word::small((moment.at / NANOSECONDS) as i64));
    let mut first = *moments.first()?;
    for moment in &moments[1..] {
        if context.decide_order(in_milliseconds(moment), in_milliseconds(&first)).is_lt() {
            first = *moment;
        }
    }
    Some(first)
}

/// Returns whether the call that the main process waits in can never be answered: no timer is left, and every process
/// that it calls, directly or indirectly, waits without a time limit or in a call of its own.
fn is_hopeless(context: &mut Context, moments: &[Moment]) -> bool {
    if moments.iter().any(|moment| moment.sleeper.is_none()) {
        return false;
    }
    let mut seen = vec![Term::OWN_PID];
    let mut open = waits_for(context, Term::OWN_PID);
    if open.is_empty() {
        return false;
    }
    while let Some(number) = open.pop() {
        if seen.contains(&number) {
            continue;
        }
        seen.push(number);
        let called = waits_for(context, number);
        let sleeps = context.world.process(number).is_some_and(machine::Process::sleeps);
        if sleeps && called.is_empty() {
            return false;
        }
        open.extend(called);
    }
    true
}

fn send_after(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, false)
}

fn start_timer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, true)
}

/// Starts a timer that sends `{timeout, Ref, Message}` if `wrapped`, otherwise the message alone.
fn start(context: &mut Context, args: &[Word], wrapped: bool) -> Result<Word, Escape> {
    let options = Options::of(args.get(3).copied(), &["abs"]);
    let is_time = context.is_within(Domain::Integer, args[0]);
    let time = args[0].concrete().as_i64().filter(|_| is_time);
    let Some(options) = options else { return Err(badarg_because(context, "badopt")) };
    let Some(time) = time else { return Err(badarg_because(context, "time")) };
    if !args[1].is_atom() && !is_pid(args[1]) {
        return Err(badarg(context, args));
    }
    let milliseconds = |time: i64| time / NANOSECONDS as i64;
    let start = milliseconds(system::MONOTONIC_START);
    let (first, last) = (milliseconds(system::MONOTONIC_FIRST), milliseconds(system::MONOTONIC_END));
    // How much of that range has already passed differs between systems, so it does not limit relative times.
    let (first, last) = if options.absolute { (first, last) } else { (0, last - first) };
    if context.decide_before(args[0], Word::small(first)) || context.decide_before(Word::small(last), args[0]) {
        return Err(badarg_because(context, "time"));
    }
    if options.absolute {
        context.asks(Surrounding::Time);
        if args[0].is_symbolic() {
            let name = FunctionName { module: names::ERLANG, function: Atom::new("send_after"), arity: 4 };
            context.recorder.concretised(Concretised::Function(name));
        }
    }
    let is_symbolic = args[0].is_symbolic() && !options.absolute;
    let at = match options.absolute {
        false => context.world.time.saturating_add(time as u64 * NANOSECONDS),
        true => u64::try_from(time - start).unwrap_or(0) * NANOSECONDS,
    };
    if args[1].is_kind(machine::Kind::Pid) && !is_alive(context, args[1].identity()) {
        // The timer would have no receiver.
        return Ok(new_reference(context));
    }
    let reference = new_reference(context);
    let message = if wrapped { context.heap.tuple(&[names::TIMEOUT.into(), reference, args[2]]) } else { args[2] };
    let symbolic = is_symbolic.then(|| milliseconds_from_now(context, args[0]));
    let timer = Timer { symbolic, reference: reference.identity(), to: args[1], message };
    ErlangState::of(context).timers.start(at, timer);
    Ok(reference)
}

fn is_pid(word: Word) -> bool {
    word.is_kind(machine::Kind::Pid)
}

#[derive(Default)]
struct Options {
    absolute: bool,
    asynchronous: bool,
    without_info: bool,
}

impl Options {
    /// Reads the options; `None` if one of them is not among the `known` ones.
    fn of(list: Option<Word>, known: &[&str]) -> Option<Options> {
        let mut options = Options::default();
        for option in list.map_or(Some(Vec::new()), list_items)? {
            let &[name, value] = option.concrete().as_tuple()? else { return None };
            let value = value.concrete().as_boolean()?;
            match name.concrete().as_atom().map(term::Atom::text).filter(|name| known.contains(name))? {
                "abs" => options.absolute = value,
                "async" => options.asynchronous = value,
                "info" => options.without_info = !value,
                _ => return None,
            }
        }
        Some(options)
    }
}

pub(super) fn cancel_timer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(options) = Options::of(args.get(1).copied(), &["async", "info"]) else {
        return Err(badarg(context, args));
    };
    context.visible(&[(Object::Timer(args[0].identity()), Access::Write)])?;
    let left = time_left(context, args[0]);
    let timers = &mut ErlangState::of(context).timers;
    if let Some(due) = timers.by_reference.get(&args[0].identity()).copied() {
        timers.remove(due);
    }
    answer(context, "cancel_timer", args[0], left, &options)
}

fn read_timer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(options) = Options::of(args.get(1).copied(), &["async"]) else { return Err(badarg(context, args)) };
    context.visible(&[(Object::Timer(args[0].identity()), Access::Read)])?;
    let left = time_left(context, args[0]);
    answer(context, "read_timer", args[0], left, &options)
}

/// Returns the milliseconds left, or `false` for a timer that no longer exists.
fn time_left(context: &mut Context, reference: Word) -> Word {
    let now = context.world.time;
    match ErlangState::of(context).timers.by_reference.get(&reference.identity()) {
        Some((at, _)) => Word::small((at.saturating_sub(now) / NANOSECONDS) as i64),
        None => Word::FALSE,
    }
}

/// Answers a request. An asynchronous answer is sent as a message, if it is wanted at all.
fn answer(context: &mut Context, tag: &str, timer: Word, left: Word, options: &Options) -> Result<Word, Escape> {
    if options.asynchronous && !options.without_info {
        let message = context.heap.tuple(&[Atom::new(tag).into(), timer, left]);
        context.process.mailbox.push_back(message);
    }
    Ok(if options.asynchronous || options.without_info { names::OK.into() } else { left })
}
