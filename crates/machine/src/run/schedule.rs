//! Processes on the machine's stacks: one runs at a time, and its stacks are copied out when another one has its turn.
//!
//! The stacks of waiting processes are shallow, so copying them costs less than the calls around it. They are copied
//! back without adjustments, because frames count slots and do not point to them.

use super::machine::Machine;
use super::step::{Cursor, Frame};
use crate::compile::{Code, Slot};
use crate::context::{CallRequest, CallTarget, Context, Escape, Exception, TraceStart};
use crate::language::Passed;
use crate::primitive::Primitive;
use crate::value::{Collector, Kind, Word};
use crate::world::{End, Fatal, MOST_PROCESSES, Process, Saved, Status};
use path::{Class, Outcome, Raised, Reach, Stop, Waiting};
use std::mem;
use term::{FunctionName, Term};

impl Machine {
    /// Lets other processes run. The process at the cursor repeats the instruction there when it continues.
    pub(super) fn give_way(&mut self, cursor: Cursor, status: Status) -> Result<Cursor, Outcome> {
        self.save(cursor);
        let mut process = self.take_running();
        process.status = status;
        let number = process.number();
        self.context.world.keep(process);
        if status == Status::Ready {
            self.context.world.make_ready(number);
        }
        self.go_on()
    }

    /// Lets the next process run if there is one. `cursor` is at the beginning of a called function.
    #[cold]
    pub(super) fn next_slice(&mut self, cursor: Cursor) -> Result<Cursor, Outcome> {
        if self.context.steps_left() > 0 && !self.context.world.is_alone() {
            return self.give_way(cursor, Status::Ready);
        }
        self.context.refuel().map_err(Outcome::Stopped)?;
        Ok(cursor)
    }

    /// Arranges that the operation `row` is called again when its process continues. It gets a frame of its own,
    /// because its arguments may have been requested by another row, whose arguments they replaced.
    pub(super) fn waiting_call(
        &mut self,
        cursor: Cursor,
        row: &'static Primitive,
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        let code = self.context.program.stub_code(row);
        self.in_own_frame(cursor, code, Code::STUB, first, count, tail)
    }

    /// Continues at `pc` of code in a frame of its own, which has the arguments from `first` on.
    pub(super) fn in_own_frame(
        &mut self,
        cursor: Cursor,
        code: *const Code,
        pc: u32,
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        // SAFETY: arguments and frames are inside the stacks, whose ends are checked; beyond the stack's end there is
        // room for the arguments of any call.
        unsafe {
            let args = cursor.fp.add(usize::from(first));
            if tail {
                std::ptr::copy(args, cursor.fp, usize::from(count));
                return Ok(Cursor { code, pc, ..cursor });
            }
            if cursor.frame == self.frames.start().add(self.frames.capacity()) {
                return Err(Outcome::Stopped(Stop::MemoryLimit));
            }
            *cursor.frame = Frame { code: cursor.code, pc: cursor.pc + 1, first: u32::from(first) };
            Ok(Cursor { code, pc, fp: args, frame: cursor.frame.add(1) })
        }
    }

    /// Makes the requested call, after which the operation at the cursor is done: see [`Machine::waiting_call`].
    pub(super) fn call_before(&mut self, cursor: Cursor, row: &'static Primitive) -> Result<Cursor, Outcome> {
        let Some(CallRequest { target: CallTarget::Named { module, function }, args, .. }) =
            self.context.pending.call.take()
        else {
            return Err(Outcome::Stopped(Stop::Fault("an operation wants a call without a function".to_string())));
        };
        let export = self.context.program.export(module, function, args.len() as u32);
        let first = row.arity() as Slot;
        // SAFETY: the slots after the operation's own are free, and beyond the stack's end there is room for the
        // arguments of any call.
        unsafe { std::ptr::copy_nonoverlapping(args.as_ptr(), cursor.fp.add(usize::from(first)), args.len()) };
        let before = Cursor { pc: Code::STUB - 1, ..cursor };
        self.call_named(before, export, first, args.len() as u16, false)
    }

    /// Returns the result of a row that asks for the current calls.
    pub(super) fn describe_stack(&mut self, cursor: Cursor, first: Slot, count: u16) -> Word {
        let exception = Exception { class: Class::Error, reason: Word::NIL, trace: TraceStart::Caller };
        let trace = self.trace(&exception, cursor, None);
        let entries = self.context.stacktrace(trace);
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        self.context.language.describe_stack(&mut self.context, args, entries)
    }

    /// Abandons the calls of the process and makes the requested one.
    pub(super) fn restart(&mut self) -> Result<Cursor, Outcome> {
        let Some(CallRequest { target: CallTarget::Named { module, function }, args, .. }) =
            self.context.pending.call.take()
        else {
            return Err(Outcome::Stopped(Stop::Fault("a process restarts without a function".to_string())));
        };
        let export = self.context.program.export(module, function, args.len() as u32);
        let code = self.context.program.boot_code(export, args.len() as u16);
        let fp = self.stack.start();
        // SAFETY: the stack has room for any number of arguments that a function can have.
        unsafe { std::ptr::copy_nonoverlapping(args.as_ptr(), fp, args.len()) };
        Ok(Cursor { code, pc: 0, fp, frame: self.frames.start() })
    }

    /// Handles the return of the function with which the running process was started.
    pub(super) fn returned(&mut self, value: Word) -> Result<Cursor, Outcome> {
        if !self.is_main() {
            let reason = self.context.language.normal_exit();
            return self.end_running(reason, None, None);
        }
        let outcome = self.finished(value);
        if self.context.world.is_alone() || matches!(outcome, Outcome::Stopped(_)) {
            return Err(outcome);
        }
        // Other processes may still do something; the time does not advance from now on.
        self.ended_main = Some(outcome);
        self.after_main = AFTER_MAIN;
        let mut process = self.take_running();
        process.status = Status::Done;
        self.context.world.keep(process);
        self.go_on()
    }

    /// Handles an exception of the running process that was not caught.
    pub(super) fn crashed(&mut self, exception: &Exception, trace: Word) -> Result<Cursor, Outcome> {
        let language = self.context.language;
        if self.is_main() {
            return Err(match self.unanswered.take() {
                Some(waiting) if language.is_unanswered(exception.reason) => Outcome::Stopped(Stop::Deadlock(waiting)),
                _ => self.uncaught(exception, trace),
            });
        }
        let reason = language.exit_reason(&mut self.context, exception, trace);
        let mut raised = None;
        if language.is_abnormal(&mut self.context, reason) {
            let number = self.context.process.number();
            let process = self.context.name_of(number);
            match self.uncaught(exception, trace) {
                Outcome::Raised(found) => raised = Some(language.first_raised(Raised { process, ..found })),
                outcome => return Err(outcome),
            }
        }
        self.end_running(reason, raised, None)
    }

    /// Ends the running process without an exception, because of a signal.
    pub(super) fn ended_by_signal(&mut self) -> Result<Cursor, Outcome> {
        let Some(fatal) = self.context.process.fatal.first().copied() else {
            return Err(Outcome::Stopped(Stop::Fault("a process ends without a reason".to_string())));
        };
        match self.end_by(fatal)? {
            Some(cursor) => Ok(cursor),
            None => self.go_on(),
        }
    }

    /// Ends the running process because of a signal. Returns where its stacks continue to be used, if they are.
    fn end_by(&mut self, Fatal { reason, sender, .. }: Fatal) -> Result<Option<Cursor>, Outcome> {
        self.context.process.fatal.clear();
        if let Some(waiting) = self.waiting_for_load() {
            // The call that waits for the module continues on the same stacks, without the module.
            self.context.raise(Class::Exit, reason, TraceStart::Caller);
            return self.raise(waiting, None).map(Some);
        }
        self.take_out(reason, None, Some(sender))?;
        Ok(None)
    }

    fn end_running(&mut self, reason: Word, raised: Option<Raised>, killer: Option<u64>) -> Result<Cursor, Outcome> {
        self.take_out(reason, raised, killer)?;
        self.go_on()
    }

    /// Removes the running process from the world. No process runs afterwards.
    fn take_out(&mut self, reason: Word, raised: Option<Raised>, killer: Option<u64>) -> Result<(), Outcome> {
        let language = self.context.language;
        if self.is_main() {
            return Err(self.main_killed(reason, killer));
        }
        let number = self.context.process.number();
        if let Ok(reason) = self.copy_out(reason) {
            self.context.recorder.clauses.end(number, reason);
        }
        if language.is_abnormal(&mut self.context, reason) {
            self.context.world.record_end(End { number, raised, killer });
        }
        let ended = self.take_running();
        self.context.world.keep(ended);
        if let Err(escape) = language.process_ended(&mut self.context, number, reason) {
            return match escape {
                Escape::Stop => Err(Outcome::Stopped(self.context.pending.stop.take().unwrap_or(Stop::MemoryLimit))),
                _ => Err(Outcome::Stopped(Stop::Fault("the end of a process cannot be told".to_string()))),
            };
        }
        Ok(())
    }

    /// Returns the outcome of a run whose main process was ended by an exit signal.
    fn main_killed(&mut self, reason: Word, killer: Option<u64>) -> Outcome {
        let reason = match self.copy_out(reason) {
            Ok(reason) => reason,
            Err(stop) => return Outcome::Stopped(stop),
        };
        match killer.and_then(|killer| self.context.world.origin(killer)) {
            Some(origin) => Outcome::Raised(Raised { reach: Reach::Link(reason), ..origin.clone() }),
            None => {
                let raised = Raised::by_main(Class::Exit, reason.clone(), Vec::new());
                Outcome::Raised(Raised { reach: Reach::Link(reason), ..raised })
            }
        }
    }

    /// Continues with the process whose turn it is. If no process can run, time passes; if that does not help, the run
    /// is over.
    fn go_on(&mut self) -> Result<Cursor, Outcome> {
        loop {
            self.context.look_if_due().map_err(Outcome::Stopped)?;
            if self.context.world.has_choice() {
                self.context.recorder.has_choice = true;
            }
            if let Some((process, fatal)) = self.context.world.next_turn() {
                let cursor = self.resume(process);
                if let Some(fatal) = fatal {
                    match self.end_by(fatal)? {
                        Some(cursor) => return Ok(cursor),
                        None => continue,
                    }
                }
                if self.ended_main.is_some() {
                    match self.after_main.checked_sub(1) {
                        Some(left) => self.after_main = left,
                        // The remaining processes do not come to rest. That is no part of what the function did.
                        None => return Err(self.rest_unfinished()),
                    }
                }
                return Ok(cursor);
            }
            if let Some(outcome) = self.ended_main.take() {
                return Err(outcome);
            }
            // The waiting processes are determined in advance, because the main process has continued by the time it is
            // known whether they matter.
            let waiting = self.main_waits_for_answer().then(|| self.waiting());
            match self.context.language.pass_time(&mut self.context) {
                Passed::On => self.unanswered = None,
                Passed::Unanswered => self.unanswered = waiting,
                Passed::Never => return Err(Outcome::Stopped(Stop::Deadlock(self.waiting()))),
            }
        }
    }

    /// Returns the outcome of the main process, if other processes do not come to rest.
    pub(super) fn rest_unfinished(&mut self) -> Outcome {
        self.context.asks(path::Surrounding::Processes);
        self.ended_main.take().unwrap_or(Outcome::Stopped(Stop::StepLimit))
    }

    /// Returns whether the running process is the one that calls the unit.
    pub(super) fn is_main(&self) -> bool {
        self.context.process.number() == Term::OWN_PID
    }

    /// Takes the running process out of the context. No process runs afterwards.
    fn take_running(&mut self) -> Box<Process> {
        let nobody = self
            .nobody
            .take()
            .unwrap_or_else(|| Box::new(Process::new(Word::NIL, Word::NIL, self.context.language.new_process_state())));
        mem::replace(&mut self.context.process, nobody)
    }

    fn save(&mut self, cursor: Cursor) {
        let saved = &mut self.context.process.saved;
        saved.words.clear();
        saved.frames.clear();
        // SAFETY: the cursor points into the stacks, and code to live code.
        unsafe {
            let (stack, frames) = (self.stack.start(), self.frames.start());
            saved.fp = cursor.fp.offset_from(stack) as usize;
            let used = saved.fp + usize::from((*cursor.code).slots);
            let depth = cursor.frame.offset_from(frames) as usize;
            saved.words.extend_from_slice(std::slice::from_raw_parts(stack, used));
            saved.frames.extend_from_slice(std::slice::from_raw_parts(frames, depth));
        }
        (saved.code, saved.pc) = (cursor.code, cursor.pc);
    }

    fn resume(&mut self, mut process: Box<Process>) -> Cursor {
        let Saved { words, frames, code, pc, fp } = &mut process.saved;
        // SAFETY: the copied data was saved from these stacks, or is a few arguments.
        let cursor = unsafe {
            std::ptr::copy_nonoverlapping(words.as_ptr(), self.stack.start(), words.len());
            std::ptr::copy_nonoverlapping(frames.as_ptr(), self.frames.start(), frames.len());
            Cursor {
                code: *code,
                pc: *pc,
                fp: self.stack.start().add(*fp),
                frame: self.frames.start().add(frames.len()),
            }
        };
        *code = std::ptr::null();
        let copied = words.len() + 2 * frames.len();
        self.nobody = Some(mem::replace(&mut self.context.process, process));
        self.context.take_turn(2 * copied);
        cursor
    }

    /// Returns whether the main process waits for an answer of another one.
    fn main_waits_for_answer(&mut self) -> bool {
        let language = self.context.language;
        !language.waits_for(&mut self.context, Term::OWN_PID).is_empty()
    }

    /// Returns all waiting processes, the main process first, and where they wait.
    fn waiting(&mut self) -> Vec<Waiting> {
        let mut all: Vec<Waiting> = Vec::new();
        for number in self.context.world.others() {
            let process = self.context.name_of(number);
            let waits_for = self.context.language.waits_for(&mut self.context, number);
            let waits_for = waits_for.into_iter().map(|other| self.context.name_of(other)).collect();
            let Some(saved) = self.context.world.process(number).map(|process| &process.saved) else { continue };
            if saved.code.is_null() {
                continue;
            }
            let place = self.place_of_wait(saved);
            let (function, file, line) =
                place.map_or((None, String::new(), 0), |(name, file, line)| (Some(name), file, line));
            all.push(Waiting { process, function, file, line, waits_for });
        }
        all.sort_by_key(|waiting| waiting.process.id);
        all
    }

    /// Returns the innermost function of a saved stack that is not part of a conversation, or else the innermost one.
    fn place_of_wait(&self, saved: &Saved) -> Option<(FunctionName, String, u32)> {
        let program = &self.context.program;
        let here = std::iter::once((saved.code, saved.pc));
        let callers = saved.frames.iter().rev().map(|frame| (frame.code, frame.pc - 1));
        let mut innermost = None;
        for (code, pc) in here.chain(callers) {
            // SAFETY: saved stacks point to live code.
            let code = unsafe { &*code };
            if code.function == Code::BOOT {
                continue;
            }
            let (module, id) = program.function(code.shown_as);
            let function = module.function(id);
            let span = [code.span(pc), code.first_span(), function.span];
            let span = span.into_iter().find(|span| span.line > 0).unwrap_or_default();
            let file = module.files.get(usize::from(span.file)).cloned().unwrap_or_default();
            let arity = function.arity + function.captures;
            let name = FunctionName { module: module.name, function: function.name, arity };
            if !self.context.language.is_conversation(module.name) {
                return Some((name, file, span.line));
            }
            innermost = innermost.or(Some((name, file, span.line)));
        }
        innermost
    }
}

/// The number of turns that other processes have after the main process has returned.
const AFTER_MAIN: u64 = 2_000;

impl Context {
    /// Starts a process that applies a function to a list of arguments, and returns its pid. It runs when other
    /// processes wait.
    pub fn spawn(&mut self, target: CallTarget, args: Word) -> Result<Word, Escape> {
        if self.world.count() >= MOST_PROCESSES {
            return Err(self.stop(Stop::ProcessLimit));
        }
        let was_alone = self.world.is_alone();
        let parent = self.process.number();
        let number = self.world.child_number(parent, &mut self.process.history);
        let pid = self.heap.identity(Kind::Pid, number);
        let dictionary = self.heap.empty_map();
        let mut process = Box::new(Process::new(pid, dictionary, self.language.new_process_state()));
        process.id = self.world.new_id();
        self.recorder.has_processes = true;
        let words = match target {
            CallTarget::Named { module, function } => {
                let arity = crate::primitive::proper_length(args).unwrap_or(0) as u32;
                process.initial = Some(FunctionName { module, function, arity });
                vec![Word::atom(module), Word::atom(function), args]
            }
            CallTarget::Value(function) => {
                process.initial = self.named_function(function);
                vec![function, args]
            }
        };
        let (module, apply) = self.language.applier();
        let export = self.program.export(module, apply, words.len() as u32);
        let code = self.program.boot_code(export, words.len() as u16);
        process.saved = Saved { words, frames: Vec::new(), code, pc: 0, fp: 0 };
        self.world.keep(process);
        self.world.make_ready(number);
        if was_alone {
            // From now on, calls are counted in slices.
            self.take_fuel();
        }
        Ok(pid)
    }

    /// Returns the name of a function value: its module and the function in which it is written.
    pub fn named_function(&self, function: Word) -> Option<FunctionName> {
        let arity = u32::from(function.header().aux());
        if let Some((module, name, _, _)) = self.closure_parts(function) {
            return Some(FunctionName { module, function: name, arity });
        }
        let parts = function.is_kind(Kind::External).then(|| function.payload())?;
        Some(FunctionName { module: parts[0].as_atom()?, function: parts[1].as_atom()?, arity })
    }
}

/// Shows the live slots of a stack to a collection: those of the function at `pc`, whose slots begin at `fp`, and of
/// its callers.
///
/// # Safety
/// `fp` points to the slots of the function at `pc` of `code`, and those of its callers are below, according to
/// `frames`. Live slots hold valid words.
pub(crate) unsafe fn show_stack(
    collector: &mut Collector<'_>,
    code: *const Code,
    pc: u32,
    fp: *mut Word,
    frames: &[Frame],
) {
    // SAFETY: as the caller promises.
    unsafe { live_words(code, pc, fp, frames, &mut |word| collector.root(word)) }
}

/// Shows the live slots of a stack.
///
/// # Safety
/// As for [`show_stack`].
pub(crate) unsafe fn live_words(
    code: *const Code,
    pc: u32,
    fp: *mut Word,
    frames: &[Frame],
    see: &mut impl FnMut(&mut Word),
) {
    // SAFETY: as the caller promises.
    unsafe {
        for slot in (*code).liveness().slots(pc) {
            see(&mut *fp.add(slot));
        }
        let mut fp = fp;
        // Recursion repeats one call site, so its slots are looked up once.
        let mut known: (*const Code, u32) = (std::ptr::null(), 0);
        let mut slots: Vec<usize> = Vec::new();
        for &Frame { code, pc, first } in frames.iter().rev() {
            fp = fp.sub(first as usize);
            if known != (code, pc) {
                known = (code, pc);
                slots.clear();
                slots.extend((*code).live_across(pc - 1));
                slots.sort_unstable();
                slots.dedup();
            }
            for slot in &slots {
                see(&mut *fp.add(*slot));
            }
        }
    }
}
