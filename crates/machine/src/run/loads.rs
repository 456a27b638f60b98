//! Modules that do something when they are loaded: it is done before the first call of such a module in each run.
//!
//! The steps of that are a program of the language (`Language::on_load_caller`), on the stacks of the run, so that it
//! is charged to the run and may take as long as its budget lasts. If it acts on the world outside, the action is not
//! done and does not end the run: loading is abandoned at that point, and the module counts as loaded.

use super::machine::Machine;
use super::step::Cursor;
use crate::compile::{Code, Slot};
use crate::context::TraceStart;
use crate::language::Misuse;
use crate::value::Word;
use crate::world::{Load, Loading, Status};
use path::{Class, Outcome, Stop, Surrounding};
use term::{Atom, names};

impl Machine {
    /// Calls a function of such a module for the first time in the run.
    pub(super) fn call_after_load(
        &mut self,
        cursor: Cursor,
        (module, function): (Atom, Atom),
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        let args = [module.into(), function.into(), self.context.heap.list(args, Word::NIL)];
        // SAFETY: the slots from `first` on were the callee's; beyond the stack's end there is room for the arguments
        // of any call (see `STACK_RESERVE`).
        unsafe { std::ptr::copy_nonoverlapping(args.as_ptr(), cursor.fp.add(usize::from(first)), args.len()) };
        let (caller, enter, _) = self.context.language.on_load_caller();
        let export = self.context.program.export(caller, enter, args.len() as u32);
        self.call_named(cursor, export, first, args.len() as u16, tail)
    }

    /// Calls a function of a module that another process is loading, as soon as that is done.
    pub(super) fn call_when_loaded(
        &mut self,
        cursor: Cursor,
        export: u32,
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        // The arguments may have replaced others, so the instruction cannot be repeated.
        let code = self.context.program.boot_code(export, count);
        let cursor = self.in_own_frame(cursor, code, 0, first, count, tail)?;
        self.context.world.await_load(self.context.process.number());
        self.give_way(cursor, Status::Waiting)
    }

    /// Raises the exception of a call of a function that does not exist.
    pub(super) fn undefined(
        &mut self,
        cursor: Cursor,
        (module, function): (Atom, Atom),
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        if self.context.program.is_absent(module) {
            // Another system may have it.
            self.context.asks(Surrounding::Code);
        }
        let misuse = Misuse::Undefined { module: module.into(), function: function.into(), args };
        let escape = self.context.language.misuse(&mut self.context, misuse);
        let cursor = if tail { self.after_tail_call(cursor) } else { cursor };
        self.escape(cursor, escape, None, first, 0)
    }

    /// Returns where a run continues that stopped while a module was being loaded. `None` if it does not continue.
    pub(super) fn give_up_load(&mut self, stop: &Stop) -> Option<Result<Cursor, Outcome>> {
        match stop {
            Stop::EffectDenied(_) | Stop::Unsupported(_) | Stop::NotReturned(_) => {}
            Stop::StepLimit
            | Stop::Interrupted
            | Stop::MemoryLimit
            | Stop::AtomLimit
            | Stop::ProcessLimit
            | Stop::Deadlock(_)
            | Stop::Contract
            | Stop::Halted(_)
            | Stop::LoadFailed(_)
            | Stop::TooSlow(_)
            | Stop::TraceLimit
            | Stop::ResultTooLarge
            | Stop::Fault(_) => return None,
        }
        let Loading { module, .. } = self.context.world.load_of(self.context.process.number())?;
        let waiting = self.waiting_for_load()?;
        self.context.asks(Surrounding::Loading);
        self.context.world.loads.insert(module, Load::Done);
        self.context.raise(Class::Exit, names::OK.into(), TraceStart::Caller);
        Some(self.raise(waiting, None))
    }

    /// Returns the place of the call that waits for the module that the running process is loading, if it is loading one.
    /// Only the stacks of that process can be continued.
    pub(super) fn waiting_for_load(&mut self) -> Option<Cursor> {
        let Loading { depth, .. } = self.context.world.load_of(self.context.process.number())?;
        let (caller, _, load) = self.context.language.on_load_caller();
        let code = self.context.program.code_of(caller, load, 1)?;
        self.waiting_frame(code, depth)
    }

    /// Returns the frame, counted from the outermost, of a function that waits for a call.
    fn waiting_frame(&self, code: *const Code, number: usize) -> Option<Cursor> {
        let mut left = number;
        let mut fp = self.stack.start();
        for index in 0..self.frames.capacity() {
            // SAFETY: every load that runs has a frame, and those up to the last of them are live.
            let frame = unsafe { *self.frames.start().add(index) };
            if std::ptr::eq(frame.code, code) {
                if left == 0 {
                    // SAFETY: as above.
                    let behind = unsafe {
                        let (fp, frame) = (fp.add(frame.first as usize), self.frames.start().add(index + 1));
                        Cursor { code, pc: 0, fp, frame }
                    };
                    return Some(self.caller(behind));
                }
                left -= 1;
            }
            // SAFETY: as above.
            fp = unsafe { fp.add(frame.first as usize) };
        }
        None
    }
}
