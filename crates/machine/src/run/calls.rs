//! Calls beyond the common case, and the requests of primitives.

use super::machine::Machine;
use super::program::Resolved;
use super::step::{Cursor, Frame};
use crate::compile::{Code, Instruction, Slot};
use crate::context::{CallRequest, CallTarget, Escape, Question};
use crate::language::Misuse;
use crate::primitive::Primitive;
use crate::value::{Kind, Word};
use crate::world::{Load, Status};
use path::{Outcome, Stop};
use term::{FunctionName, names};

impl Machine {
    /// Continues after a primitive or an instruction that did not simply return a value.
    #[cold]
    #[inline(never)]
    pub(super) fn escape(
        &mut self,
        cursor: Cursor,
        escape: Escape,
        row: Option<&'static Primitive>,
        first: Slot,
        count: u16,
    ) -> Result<Cursor, Outcome> {
        match escape {
            Escape::Raise => {
                // SAFETY: the arguments are in the frame.
                let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
                self.raise(cursor, row.map(|row| (row, args)))
            }
            Escape::Call => self.requested_call(cursor, first),
            Escape::Ask(question) => self.ask_player(cursor, question, row, first, count),
            Escape::CallFirst => match row {
                Some(row) => {
                    let cursor = self.waiting_call(cursor, row, first, count, false)?;
                    self.call_before(cursor, row)
                }
                None => Err(Outcome::Stopped(Stop::Fault("no operation to call again".to_string()))),
            },
            Escape::Stack => {
                let value = self.describe_stack(cursor, first, count);
                Ok(self.deliver(cursor, value, first, false))
            }
            Escape::Tell => {
                let value = self.tell(cursor, first, count);
                Ok(self.deliver(cursor, value, first, false))
            }
            Escape::Wait => self.give_way(cursor, Status::Waiting),
            Escape::Yield => self.give_way(cursor, Status::Ready),
            Escape::Restart => self.restart(),
            Escape::End => self.ended_by_signal(),
            Escape::Stop => Err(Outcome::Stopped(self.stop_reason(cursor))),
        }
    }

    /// Does the same for instructions whose arguments are not in consecutive slots.
    #[cold]
    pub(super) fn escape_with(
        &mut self,
        cursor: Cursor,
        escape: Escape,
        row: &'static Primitive,
        args: &[Word],
    ) -> Result<Cursor, Outcome> {
        match escape {
            Escape::Raise => self.raise(cursor, Some((row, args))),
            Escape::Call
            | Escape::CallFirst
            | Escape::Ask(_)
            | Escape::Stack
            | Escape::Tell
            | Escape::Wait
            | Escape::Yield
            | Escape::Restart
            | Escape::End => Err(Outcome::Stopped(Stop::Fault(format!("{} asks for a call", row.name)))),
            Escape::Stop => Err(Outcome::Stopped(self.stop_reason(cursor))),
        }
    }

    /// Records an event of instrumented code, with the depth of its stack. Returns its last argument, which is its
    /// result.
    #[cold]
    fn tell(&mut self, cursor: Cursor, first: Slot, count: u16) -> Word {
        // SAFETY: the frames of the running process begin at the start of their region.
        let depth = unsafe { cursor.frame.offset_from(self.frames.start()) }.unsigned_abs();
        if let Some(told) = self.context.pending.told.take() {
            let process = self.context.process.id;
            self.context.recorder.trace.add(told, process, depth);
        }
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        args.last().copied().unwrap_or(Word::NIL)
    }

    /// Asks the player for the result of the row.
    fn ask_player(
        &mut self,
        cursor: Cursor,
        question: Question,
        row: Option<&'static Primitive>,
        first: Slot,
        count: u16,
    ) -> Result<Cursor, Outcome> {
        let Some(mut player) = self.context.player.take() else {
            return Err(Outcome::Stopped(Stop::Fault("a function of an input without a player".to_string())));
        };
        let watched = question == Question::Choose && self.is_watched(cursor);
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        let answer = player.answer(&mut self.context, question, args, watched);
        self.context.player = Some(player);
        match answer {
            Ok(value) => Ok(self.deliver(cursor, value, first, false)),
            Err(Escape::Ask(_)) => Err(Outcome::Stopped(Stop::Fault("a player that asks itself".to_string()))),
            Err(escape) => self.escape(cursor, escape, row, first, count),
        }
    }

    /// Returns the reason of a stop. If a native function has no meaning, the reason names the function that represents
    /// it.
    fn stop_reason(&mut self, cursor: Cursor) -> Stop {
        match self.context.pending.stop.take() {
            Some(Stop::Unsupported(FunctionName { module, .. })) if module == names::EMPTY => {
                // SAFETY: the cursor points to live code.
                let code = unsafe { &*cursor.code };
                let number = code.function;
                if number == Code::BOOT {
                    // The run itself called it.
                    return match code.instructions[cursor.pc as usize] {
                        Instruction::CallNamed { export, .. } => {
                            let (module, function, arity) = self.context.program.name(export);
                            Stop::Unsupported(FunctionName { module, function, arity })
                        }
                        _ => Stop::Fault("a native without meaning, called by nobody".to_string()),
                    };
                }
                let (module, id) = self.context.program.function(number);
                let function = module.function(id);
                Stop::Unsupported(FunctionName { module: module.name, function: function.name, arity: function.arity })
            }
            Some(stop) => stop,
            None => Stop::Fault("a primitive stopped the run without saying why".to_string()),
        }
    }

    fn requested_call(&mut self, cursor: Cursor, first: Slot) -> Result<Cursor, Outcome> {
        let CallRequest { target, args, finish } = match self.context.pending.call.take() {
            Some(request) => request,
            None => return Err(Outcome::Stopped(Stop::Fault("a primitive asked for no call".to_string()))),
        };
        if args.len() > MAX_ARGUMENTS {
            let escape = self.context.error(names::SYSTEM_LIMIT);
            return self.escape(cursor, escape, None, first, 0);
        }
        // SAFETY: there is an instruction after every one that calls. Nothing returns to a tail call: the instruction
        // after it belongs to another branch.
        let (now, next) = unsafe {
            let instructions = &(*cursor.code).instructions;
            (instructions[cursor.pc as usize], instructions[cursor.pc as usize + 1])
        };
        let mut tail = now.ends() || matches!(next, Instruction::Return { from } if from == first);
        let (mut cursor, mut first) = (cursor, first);
        if let Some(row) = finish {
            (cursor, first, tail) = (self.enter_finish(cursor, first, row, now.ends())?, 0, false);
        }
        // SAFETY: the slots from `first` on were the primitive's; beyond the stack's end there is room for the
        // arguments of any call (see `STACK_RESERVE`).
        unsafe { std::ptr::copy_nonoverlapping(args.as_ptr(), cursor.fp.add(usize::from(first)), args.len()) };
        let count = args.len() as u16;
        match target {
            CallTarget::Value(function) => {
                // SAFETY: as for the arguments.
                unsafe { *cursor.fp.add(usize::from(first) + args.len()) = function };
                self.call_value(cursor, function, first, count, tail)
            }
            CallTarget::Named { module, function } => {
                let export = self.context.program.export(module, function, u32::from(count));
                self.call_named(cursor, export, first, count, tail)
            }
        }
    }

    /// Makes a frame between a primitive and the call it requested, in which `row` completes the result. After a tail
    /// call (`replaces`), it replaces the current frame.
    fn enter_finish(
        &mut self,
        cursor: Cursor,
        first: Slot,
        row: &'static Primitive,
        replaces: bool,
    ) -> Result<Cursor, Outcome> {
        let code = self.context.program.finish_code(row);
        if replaces {
            return Ok(Cursor { code, pc: 0, ..cursor });
        }
        if cursor.frame == unsafe { self.frames.start().add(self.frames.capacity()) } {
            return Err(Outcome::Stopped(Stop::MemoryLimit));
        }
        // SAFETY: there is room for one frame; the slots from `first` on were the primitive's.
        unsafe {
            *cursor.frame = Frame { code: cursor.code, pc: cursor.pc + 1, first: u32::from(first) };
            Ok(Cursor { code, pc: 0, fp: cursor.fp.add(usize::from(first)), frame: cursor.frame.add(1) })
        }
    }

    pub(super) fn call_value(
        &mut self,
        cursor: Cursor,
        function: Word,
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        if function.is_symbolic() && !self.at(cursor).is_function_symbolic(function, count.into()) {
            let misuse = Misuse::NotAFunction { value: function };
            let escape = self.context.language.misuse(&mut self.context, misuse);
            return self.escape(cursor, escape, None, first, 0);
        }
        let function = function.concrete();
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        let language = self.context.language;
        let misuse = match function.kind() {
            Some(Kind::Closure | Kind::External) if u16::from(function.header().aux()) != count => {
                Misuse::WrongArity { function, args }
            }
            Some(Kind::Closure) => {
                let captures = function.payload();
                // SAFETY: the callee's entry checks its own slots, which include these; until then the reserve beyond
                // the stack has room for them (see `STACK_RESERVE`).
                unsafe {
                    let behind = cursor.fp.add(usize::from(first) + usize::from(count));
                    std::ptr::copy_nonoverlapping(captures.as_ptr(), behind, captures.len());
                }
                let total = count + captures.len() as u16;
                return self.enter(cursor, function.raw(0) as u32, first, total, tail);
            }
            Some(Kind::External) => {
                let parts = function.payload();
                let (Some(module), Some(name)) = (parts[0].as_atom(), parts[1].as_atom()) else {
                    return Err(Outcome::Stopped(Stop::Fault("an external function without a name".to_string())));
                };
                let export = self.context.program.export(module, name, u32::from(count));
                return self.call_named(cursor, export, first, count, tail);
            }
            _ => Misuse::NotAFunction { value: function },
        };
        let escape = language.misuse(&mut self.context, misuse);
        self.escape(cursor, escape, None, first, 0)
    }

    pub(super) fn call_computed(
        &mut self,
        cursor: Cursor,
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        // SAFETY: module and function are in the slots after the arguments.
        let (module, function) = unsafe {
            let behind = cursor.fp.add(usize::from(first) + usize::from(count));
            (*behind, *behind.add(1))
        };
        let (module, function) = match module.is_symbolic() || function.is_symbolic() {
            true => self.at(cursor).decide_names(module, function, u32::from(count)),
            false => (module, function),
        };
        match (module.as_atom(), function.as_atom()) {
            (Some(module), Some(function)) => {
                let export = self.context.program.export(module, function, u32::from(count));
                self.call_named(cursor, export, first, count, tail)
            }
            _ => {
                // SAFETY: the arguments are in the frame.
                let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
                let misuse = Misuse::NotAName { module, function, args };
                let escape = self.context.language.misuse(&mut self.context, misuse);
                self.escape(cursor, escape, None, first, 0)
            }
        }
    }

    #[inline(never)]
    pub(super) fn call_named(
        &mut self,
        cursor: Cursor,
        export: u32,
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        let (module, function, arity) = self.context.program.name(export);
        match self.context.program.resolve(export).map_err(Outcome::Stopped)? {
            Resolved::Function(number) => self.enter(cursor, number, first, count, tail),
            Resolved::Row(row) => self.call_row(cursor, row, first, count, tail),
            Resolved::Summarised(_, row) if self.context.looks_at_shadow(row, args) => {
                self.call_row(cursor, row, first, count, tail)
            }
            Resolved::Summarised(number, _) => self.enter(cursor, number, first, count, tail),
            Resolved::Denied => Err(Outcome::Stopped(Stop::EffectDenied(FunctionName { module, function, arity }))),
            Resolved::Outside => {
                let args = self.context.heap.list(args, Word::NIL);
                let call = [Word::atom(module), Word::atom(function), args];
                let (sampler, name) = self.context.language.sampler();
                let export = self.context.program.export(sampler, name, call.len() as u32);
                // SAFETY: the slots from `first` on were those of the arguments; beyond the stack's end there is room
                // for the arguments of any call (see `STACK_RESERVE`).
                unsafe { std::ptr::copy_nonoverlapping(call.as_ptr(), cursor.fp.add(usize::from(first)), call.len()) };
                self.call_named(cursor, export, first, call.len() as u16, tail)
            }
            Resolved::Guarded(number) => match self.context.world.loads.get(&module) {
                Some(Load::Done) => self.enter(cursor, number, first, count, tail),
                None => self.call_after_load(cursor, (module, function), first, count, tail),
                Some(Load::Failed) => {
                    self.context.world.loads.remove(&module);
                    self.undefined(cursor, (module, function), first, count, tail)
                }
                Some(Load::Running) if !self.context.world.is_loading(self.context.process.number()) => {
                    self.call_when_loaded(cursor, export, first, count, tail)
                }
                // The process that loads the module does not see it until it is loaded.
                Some(Load::Running) => self.undefined(cursor, (module, function), first, count, tail),
            },
            Resolved::Undefined => self.undefined(cursor, (module, function), first, count, tail),
        }
    }

    fn call_row(
        &mut self,
        cursor: Cursor,
        row: &'static Primitive,
        first: Slot,
        count: u16,
        tail: bool,
    ) -> Result<Cursor, Outcome> {
        // SAFETY: the arguments are in the frame.
        let args = unsafe { std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), usize::from(count)) };
        self.context.enter_primitive(cursor.code);
        let result = if !self.context.heap.has_shadows() || row.looks.miss_shadows(args) {
            row.apply(&mut self.context, args)
        } else {
            self.apply_symbolic(cursor, row, args)
        };
        match result {
            Ok(value) => Ok(self.deliver(cursor, value, first, tail)),
            Err(Escape::CallFirst) => {
                let cursor = self.waiting_call(cursor, row, first, count, tail)?;
                self.call_before(cursor, row)
            }
            Err(Escape::Stack) => {
                let value = self.describe_stack(cursor, first, count);
                Ok(self.deliver(cursor, value, first, tail))
            }
            Err(Escape::Tell) => {
                let value = self.tell(cursor, first, count);
                Ok(self.deliver(cursor, value, first, tail))
            }
            Err(escape @ (Escape::Wait | Escape::Yield)) => {
                let cursor = self.waiting_call(cursor, row, first, count, tail)?;
                self.escape(cursor, escape, Some(row), 0, count)
            }
            Err(escape) => self.escape(cursor, escape, Some(row), first, count),
        }
    }

    /// Delivers the result of a call that needed no frame.
    fn deliver(&mut self, cursor: Cursor, value: Word, first: Slot, tail: bool) -> Cursor {
        // SAFETY: slot and frame belong to the running function.
        unsafe {
            if tail && cursor.frame > self.frames.start() {
                *cursor.fp = value;
                let frame = cursor.frame.sub(1);
                let Frame { code, pc, first } = *frame;
                return Cursor { code, pc, fp: cursor.fp.sub(first as usize), frame };
            }
            *cursor.fp.add(usize::from(first)) = value;
        }
        Cursor { pc: cursor.pc + 1, ..cursor }
    }

    /// Enters a function whose arguments are in the slots from `first` on.
    fn enter(&mut self, cursor: Cursor, number: u32, first: Slot, count: u16, tail: bool) -> Result<Cursor, Outcome> {
        let code = self.context.program.code(number).map_err(Outcome::Stopped)?;
        let Cursor { mut fp, mut frame, .. } = cursor;
        // SAFETY: arguments and frames are inside the stacks, whose ends are checked.
        unsafe {
            if tail {
                std::ptr::copy(fp.add(usize::from(first)), fp, usize::from(count));
            } else {
                if frame == self.frames.start().add(self.frames.capacity()) {
                    return Err(Outcome::Stopped(Stop::MemoryLimit));
                }
                *frame = Frame { code: cursor.code, pc: cursor.pc + 1, first: u32::from(first) };
                frame = frame.add(1);
                fp = fp.add(usize::from(first));
            }
            if fp.add(usize::from((*code).slots)) > self.stack.start().add(self.stack.capacity()) {
                return Err(Outcome::Stopped(Stop::MemoryLimit));
            }
        }
        let callee = Cursor { code, pc: 0, fp, frame };
        match self.context.fuel.checked_sub(1) {
            Some(left) => {
                self.context.fuel = left;
                Ok(callee)
            }
            None => self.next_slice(callee),
        }
    }

    pub(super) fn closure(&mut self, function: u32, captures: &[Word]) -> Word {
        let (module, id) = self.context.program.function(function);
        let arity = module.function(id).arity as u8;
        // SAFETY: the compiler counted the captures (see `Linker::closure`).
        unsafe { self.context.heap.closure(u64::from(function), arity, captures) }
    }

    pub(super) fn update_map(&mut self, cursor: Cursor, base: Word, first: Slot, plan: u32) -> Result<Word, Escape> {
        let language = self.context.language;
        // SAFETY: the cursor points to live code, the pairs are in its frame.
        let (exact, pairs) = unsafe {
            let exact = &(&(*cursor.code).map_plans)[plan as usize].exact;
            (exact, std::slice::from_raw_parts(cursor.fp.add(usize::from(first)), 2 * exact.len()))
        };
        if self.context.heap.has_shadows() && self.context.is_update_symbolic(base, pairs) {
            return self.at(cursor).update_map_symbolic(base, pairs, exact);
        }
        if !base.is_map() {
            return Err(language.misuse(&mut self.context, Misuse::NotAMap { value: base }));
        }
        let mut map = base;
        if base.map_size() == 0 && exact.iter().all(|exact| !exact) {
            let pairs: Vec<(Word, Word)> = pairs.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
            let made = self.context.heap.map_of(&pairs);
            // If keys are equal without being the same word, the first one must remain: the pairs are put one by one.
            if made.map_size() == pairs.len() {
                return Ok(made);
            }
        }
        for (pair, exact) in pairs.chunks_exact(2).zip(exact) {
            let (key, value) = (pair[0], pair[1]);
            // A map made from an earlier pair belongs to this instruction only, so it is changed in place.
            map = match self.context.heap.map_replace(map, map != base, key, value) {
                Some(map) => map,
                None if *exact => return Err(language.misuse(&mut self.context, Misuse::NoSuchKey { key })),
                None => self.context.heap.map_put(map, key, value),
            };
        }
        Ok(map)
    }
}

/// The greatest number of arguments, as on the BEAM.
const MAX_ARGUMENTS: usize = 255;
