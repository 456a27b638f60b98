//! Timers in virtual time: they fire when the process waits.

use super::process::{Destination, destination, new_reference};
use super::{badarg, rows};
use crate::runtime::ErlangState;
use machine::{Context, Escape, Primitive, Word, list_items};
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

const NANOSECONDS: u64 = 1_000_000;

#[derive(Default)]
pub struct Timers {
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
    /// The number of its reference, which also orders timers of the same time.
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

    /// Jumps to the next timer, if there is one up to `deadline`, and delivers its message. False if no
    /// message came to the process.
    pub fn fire_next(context: &mut Context, deadline: Option<u64>) -> bool {
        loop {
            let timers = &mut ErlangState::of(context).timers.open;
            let next = timers.iter().enumerate().min_by_key(|(_, timer)| (timer.at, timer.reference));
            let Some(index) = next.filter(|(_, timer)| deadline.is_none_or(|end| timer.at <= end)).map(|(i, _)| i)
            else {
                return false;
            };
            let timer = timers.swap_remove(index);
            context.world.time = context.world.time.max(timer.at);
            if let Destination::Own = destination(context, timer.to) {
                context.process.mailbox.push_back(timer.message);
                return true;
            }
        }
    }
}

fn send_after(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, false)
}

fn start_timer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, true)
}

/// `{timeout, Ref, Message}` is sent if `wrapped`, the message alone otherwise.
fn start(context: &mut Context, args: &[Word], wrapped: bool) -> Result<Word, Escape> {
    let options = Options::of(args.get(3).copied());
    let (Some(time), Some(options), true) = (args[0].as_i64(), options, args[1].is_atom() || is_pid(args[1])) else {
        return Err(badarg(context, args));
    };
    let at = match options.absolute {
        false if !(0..1 << 50).contains(&time) => return Err(badarg(context, args)),
        false => context.world.time.saturating_add(time as u64 * NANOSECONDS),
        true => {
            let start = super::system::MONOTONIC_START / NANOSECONDS as i64;
            u64::try_from(time.saturating_sub(start)).unwrap_or(0).saturating_mul(NANOSECONDS)
        }
    };
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
    fn of(list: Option<Word>) -> Option<Options> {
        let mut options = Options::default();
        for option in list.map_or(Some(Vec::new()), list_items)? {
            let &[name, value] = option.concrete().as_tuple()? else { return None };
            let value = value.concrete().as_boolean()?;
            match name.concrete().as_atom()?.text() {
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
    let Some(options) = Options::of(args.get(1).copied()) else { return Err(badarg(context, args)) };
    let left = time_left(context, args[0]);
    ErlangState::of(context).timers.open.retain(|timer| timer.reference != args[0].identity());
    answer(context, "cancel_timer", args[0], left, &options)
}

fn read_timer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(options) = Options::of(args.get(1).copied()) else { return Err(badarg(context, args)) };
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
