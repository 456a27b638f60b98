//! Timers in virtual time, which passes when nobody can run.

use super::{Destination, destination, is_alive, new_reference};
use crate::bifs::{badarg, rows, system};
use crate::runtime::ErlangState;
use machine::{Access, Context, Escape, Object, Primitive, Status, Word, list_items};
use term::names;

pub(super) const ROWS: &[Primitive] = rows! {"erlang";
    "send_after" (Any, Any, Any) -> Reference, badarg, send_after, Meaning::Effect(&[Top, Deep, Moved]);
    "send_after" (Any, Any, Any, Any) -> Reference, badarg, send_after, Meaning::Effect(&[Top, Deep, Moved, Deep]);
    "start_timer" (Any, Any, Any) -> Reference, badarg, start_timer, Meaning::Effect(&[Top, Deep, Moved]);
    "start_timer" (Any, Any, Any, Any) -> Reference, badarg, start_timer, Meaning::Effect(&[Top, Deep, Moved, Deep]);
    "cancel_timer" (Reference) -> Any from Time, badarg, cancel_timer, Effect;
    "cancel_timer" (Reference, Any) -> Any from Time, badarg, cancel_timer, Effect;
    "read_timer" (Reference) -> Any from Time, badarg, read_timer, Effect;
    "read_timer" (Reference, Any) -> Any from Time, badarg, read_timer, Effect;
};

/// For calls whose result nobody reads.
pub(super) const UNREAD: &[Primitive] = rows! {"erlang";
    "cancel_timer" (Reference) -> Any, badarg, cancel_timer, Effect;
    "cancel_timer" (Reference, Any) -> Any, badarg, cancel_timer, Effect;
};

/// In a millisecond.
const NANOSECONDS: u64 = 1_000_000;

/// The milliseconds that the BEAM's monotonic clock can show.
const CLOCK: std::ops::RangeInclusive<i64> = -576_460_752_303..=8_646_911_283_000;

#[derive(Default)]
pub struct Timers {
    /// In the order in which they were started.
    open: Vec<Timer>,
}

impl Timers {
    /// How many have not fired.
    pub fn len(&self) -> usize {
        self.open.len()
    }
}

struct Timer {
    /// When it fires, in virtual time.
    at: u64,
    /// The number of its reference.
    reference: u64,
    to: Word,
    message: Word,
}

impl Timers {
    pub fn roots(&mut self, collector: &mut machine::value::Collector<'_>) {
        for timer in &mut self.open {
            collector.root(&mut timer.to);
            collector.root(&mut timer.message);
        }
    }

    pub fn visit(&self, time: u64, see: &mut dyn FnMut(machine::StatePart<'_>)) {
        see(machine::StatePart::Number(self.open.len() as u64));
        for timer in &self.open {
            see(machine::StatePart::Number(timer.at.wrapping_sub(time)));
            see(machine::StatePart::Number(timer.reference));
            see(machine::StatePart::Fixed(timer.to));
            see(machine::StatePart::Fixed(timer.message));
        }
    }

    /// Ends those whose messages would go to a process that is no more.
    pub fn forget(&mut self, number: u64) {
        self.open.retain(|timer| !timer.to.is_kind(machine::Kind::Pid) || timer.to.identity() != number);
    }

    /// The earliest of those that fire at the next moment at which one does.
    fn next(&self) -> Option<u64> {
        self.open.iter().map(|timer| timer.at).min()
    }
}

/// Moves the time to the next moment at which a timer fires or a wait ends. False if there is none.
pub fn pass_time(context: &mut Context) -> bool {
    let mut sleepers = Vec::new();
    for number in context.world.others() {
        if let Some(process) = context.world.process(number)
            && process.status == Status::Waiting
            && let Some(deadline) = process.receive_deadline
        {
            sleepers.push((deadline, number));
        }
    }
    let first = sleepers.iter().map(|(deadline, _)| *deadline).chain(ErlangState::of(context).timers.next()).min();
    let Some(now) = first else { return false };
    context.world.time = context.world.time.max(now);
    let now = context.world.time;
    while let Some(index) = ErlangState::of(context).timers.open.iter().position(|timer| timer.at <= now) {
        let timer = ErlangState::of(context).timers.open.remove(index);
        if let Destination::Process(number) = destination(context, timer.to) {
            context.deliver(number, timer.message);
        }
    }
    for (deadline, number) in sleepers {
        if deadline <= now {
            context.world.wake(number);
        }
    }
    true
}

fn send_after(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, false)
}

fn start_timer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, true)
}

/// `{timeout, Ref, Message}` is sent if `wrapped`, the message alone otherwise.
fn start(context: &mut Context, args: &[Word], wrapped: bool) -> Result<Word, Escape> {
    let options = Options::of(args.get(3).copied(), &["abs"]);
    let (Some(time), Some(options), true) = (args[0].as_i64(), options, args[1].is_atom() || is_pid(args[1])) else {
        return Err(badarg(context, args));
    };
    let (start, now) = (system::MONOTONIC_START / NANOSECONDS as i64, (context.world.time / NANOSECONDS) as i64);
    // From the start of the run.
    let moment = match options.absolute {
        true => time.saturating_sub(start),
        false if time < 0 => return Err(badarg(context, args)),
        false => time.saturating_add(now),
    };
    if !CLOCK.contains(&moment.saturating_add(start)) {
        return Err(badarg(context, args));
    }
    let at = match options.absolute {
        true => u64::try_from(moment).unwrap_or(0).saturating_mul(NANOSECONDS),
        false => context.world.time.saturating_add(time as u64 * NANOSECONDS),
    };
    if args[1].is_kind(machine::Kind::Pid) && !is_alive(context, args[1].identity()) {
        // It would fire for nobody.
        return Ok(new_reference(context));
    }
    let reference = new_reference(context);
    let message = if wrapped { context.heap.tuple(&[names::TIMEOUT.into(), reference, args[2]]) } else { args[2] };
    ErlangState::of(context).timers.open.push(Timer { at, reference: reference.identity(), to: args[1], message });
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
    /// Nothing if one of them is not among those that are `known`.
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
    ErlangState::of(context).timers.open.retain(|timer| timer.reference != args[0].identity());
    answer(context, "cancel_timer", args[0], left, &options)
}

fn read_timer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(options) = Options::of(args.get(1).copied(), &["async"]) else { return Err(badarg(context, args)) };
    context.visible(&[(Object::Timer(args[0].identity()), Access::Read)])?;
    let left = time_left(context, args[0]);
    answer(context, "read_timer", args[0], left, &options)
}

/// Milliseconds, or `false` for a timer that is no more.
fn time_left(context: &mut Context, reference: Word) -> Word {
    let now = context.world.time;
    let timers = &ErlangState::of(context).timers.open;
    match timers.iter().find(|timer| timer.reference == reference.identity()) {
        Some(timer) => Word::small((timer.at.saturating_sub(now) / NANOSECONDS) as i64),
        None => Word::FALSE,
    }
}

/// Asynchronous answers come as messages, if they are wanted at all.
fn answer(context: &mut Context, tag: &str, timer: Word, left: Word, options: &Options) -> Result<Word, Escape> {
    if options.asynchronous && !options.without_info {
        let message = context.heap.tuple(&[term::Atom::new(tag).into(), timer, left]);
        context.process.mailbox.push_back(message);
    }
    Ok(if options.asynchronous || options.without_info { names::OK.into() } else { left })
}
