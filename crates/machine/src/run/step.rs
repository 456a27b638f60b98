//! The interpreter loop. Each instruction does its common case here; everything else is a call to a slow path, which
//! gets a [`Cursor`] and returns where to continue.

use super::bits::reads_shadow;
use super::fast::{fast_arithmetic, fast_compare, fast_test};
use super::machine::Machine;
use super::schedule::show_stack;
use crate::compile::{Code, Instruction};
use crate::primitive::{Arithmetic, Test};
use crate::value::{Collector, Kind, Word, move_words};
use path::{Outcome, Stop};
use term::Atom;

/// The place at which a caller continues. Its slots begin `first` slots below the callee's.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub code: *const Code,
    pub pc: u32,
    pub first: u32,
}

/// A place in a run: the instruction at `pc` of `code`, with its slots at `fp`; `frame` is the next free one.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub code: *const Code,
    pub pc: u32,
    pub fp: *mut Word,
    pub frame: *mut Frame,
}

impl Machine {
    pub(super) fn execute(&mut self, module: Atom, function: Atom, args: &[Word]) -> Outcome {
        let export = self.context.program.export(module, function, args.len() as u32);
        let code = self.context.program.boot_code(export, args.len() as u16);
        let fp = self.stack.start();
        // SAFETY: the stack has room for any number of arguments that a function can have.
        unsafe { std::ptr::copy_nonoverlapping(args.as_ptr(), fp, args.len()) };
        let mut outcome = self.steps(Cursor { code, pc: 0, fp, frame: self.frames.start() });
        while let Outcome::Stopped(stop) = &outcome {
            outcome = match self.give_up_load(stop) {
                Some(Ok(cursor)) => self.steps(cursor),
                Some(Err(ended)) => ended,
                None => break,
            };
        }
        if matches!(outcome, Outcome::Stopped(Stop::StepLimit)) && self.ended_main.is_some() {
            outcome = self.rest_unfinished();
        }
        outcome
    }

    fn steps(&mut self, start: Cursor) -> Outcome {
        // SAFETY, for the whole loop: the compiler emits only slots below `Code::slots`, targets and table indices
        // inside the code; the stack has room for `slots` at every function's entry; code lives as long as the program;
        // words are valid (see `Word`).
        unsafe {
            match self.watch {
                None => self.run_loop::<false>(start),
                Some(_) => self.run_loop::<true>(start),
            }
        }
    }

    /// Runs instructions. If `WATCHED`, the watch is informed of calls and returns.
    unsafe fn run_loop<const WATCHED: bool>(&mut self, start: Cursor) -> Outcome {
        let Cursor { mut code, mut fp, frame, pc } = start;
        let stack_end = unsafe { self.stack.start().add(self.stack.capacity()) };
        let frames = self.frames.start();
        let most_frames = self.frames.capacity() as u32;
        // A number of 32 bits and not a pointer: two pointers that move together would be kept as one vector, and every
        // instruction would wait for `fp` to be extracted from it.
        let mut depth = unsafe { frame.offset_from(frames) } as u32;
        let mut ip = unsafe { (&*code).instructions.as_ptr().add(pc as usize) };

        macro_rules! slot {
            ($slot:expr) => {
                *fp.add($slot as usize)
            };
        }
        macro_rules! code {
            () => {
                (&*code)
            };
        }
        macro_rules! pc {
            () => {
                (ip.offset_from(code!().instructions.as_ptr()) - 1) as u32
            };
        }
        macro_rules! cursor {
            () => {
                Cursor { code, pc: pc!(), fp, frame: frames.add(depth as usize) }
            };
        }
        macro_rules! watch_call {
            () => {
                if let Some(outcome) = self.watch_call(Cursor { code, pc: 0, fp, frame: frames.add(depth as usize) }) {
                    return outcome;
                }
            };
        }
        macro_rules! resume {
            ($result:expr) => {
                match $result {
                    Ok(next) => {
                        let next: Cursor = next;
                        (code, fp) = (next.code, next.fp);
                        depth = next.frame.offset_from(frames) as u32;
                        ip = code!().instructions.as_ptr().add(next.pc as usize);
                        if WATCHED {
                            self.watch_depth(depth);
                            if next.pc == 0 {
                                watch_call!();
                            }
                        }
                    }
                    Err(outcome) => return outcome,
                }
            };
        }
        macro_rules! jump {
            ($target:expr) => {
                ip = code!().instructions.as_ptr().add($target as usize)
            };
        }
        macro_rules! room {
            ($words:expr) => {
                if self.context.heap.wants_collection($words) {
                    self.collect(cursor!());
                }
            };
        }
        macro_rules! code_of {
            ($function:expr) => {
                match self.context.program.code($function) {
                    Ok(code) => code,
                    Err(why) => return Outcome::Stopped(why),
                }
            };
        }
        // Enters a function whose arguments are already at `fp`.
        macro_rules! enter {
            ($callee:expr) => {
                code = $callee;
                ip = code!().instructions.as_ptr();
                if fp.add(code!().slots as usize) > stack_end {
                    return Outcome::Stopped(Stop::MemoryLimit);
                }
                match self.context.fuel.checked_sub(1) {
                    Some(left) => {
                        self.context.fuel = left;
                        if WATCHED {
                            watch_call!();
                        }
                    }
                    None => {
                        let callee = Cursor { code, pc: 0, fp, frame: frames.add(depth as usize) };
                        resume!(self.next_slice(callee));
                    }
                }
            };
        }
        macro_rules! push_frame {
            ($first:expr) => {
                if depth == most_frames {
                    return Outcome::Stopped(Stop::MemoryLimit);
                }
                *frames.add(depth as usize) = Frame { code, pc: pc!() + 1, first: $first as u32 };
                depth += 1;
                fp = fp.add($first as usize);
            };
        }
        macro_rules! tail_arguments {
            ($first:expr, $count:expr) => {
                move_words(fp.add($first as usize).cast(), fp.cast(), $count as usize)
            };
        }
        // The operands are read again after a collection, which moves them.
        macro_rules! arithmetic {
            ($operation:expr, $to:expr, $row:expr, $a:expr, $b:expr) => {
                match fast_arithmetic($operation, $a, $b) {
                    Some(value) => slot!($to) = value,
                    None => {
                        room!(8);
                        let row = *code!().rows.get_unchecked($row as usize);
                        match self.arithmetic(cursor!(), $operation, row, $a, $b) {
                            Ok(value) => slot!($to) = value,
                            Err(escape) => resume!(self.escape_with(cursor!(), escape, row, &[$a, $b])),
                        }
                    }
                }
            };
        }

        loop {
            unsafe {
                let instruction = &*ip;
                ip = ip.add(1);
                match *instruction {
                    Instruction::Move { to, from } => slot!(to) = slot!(from),
                    Instruction::Load { to, constant } => {
                        slot!(to) = *code!().constants.get_unchecked(constant as usize);
                    }
                    Instruction::Cons { to, head, tail } => {
                        room!(2);
                        slot!(to) = self.context.heap.cons(slot!(head), slot!(tail));
                    }
                    Instruction::Tuple { to, first, count } => {
                        room!(usize::from(count) + 1);
                        let elements = std::slice::from_raw_parts(fp.add(first as usize), count as usize);
                        slot!(to) = self.context.heap.tuple(elements);
                    }
                    Instruction::Closure { to, first, count, function } => {
                        room!(usize::from(count) + 2);
                        let captures = std::slice::from_raw_parts(fp.add(first as usize), count as usize);
                        slot!(to) = self.closure(function, captures);
                    }
                    Instruction::UpdateMap { to, base, first, plan } => {
                        room!(64);
                        match self.update_map(cursor!(), slot!(base), first, plan) {
                            Ok(map) => slot!(to) = map,
                            Err(escape) => resume!(self.escape(cursor!(), escape, None, first, 0)),
                        }
                    }
                    Instruction::BuildBits { to, first, plan } => {
                        room!(16);
                        match self.build_bits(cursor!(), first, plan) {
                            Ok(bits) => slot!(to) = bits,
                            Err(escape) => resume!(self.escape(cursor!(), escape, None, first, 0)),
                        }
                    }

                    Instruction::Call { first, function, .. } => {
                        let callee = code_of!(function);
                        push_frame!(first);
                        enter!(callee);
                    }
                    Instruction::TailCall { first, count, function } => {
                        let callee = code_of!(function);
                        tail_arguments!(first, count);
                        enter!(callee);
                    }
                    Instruction::CallNamed { first, count, export } => match self.context.program.linked(export) {
                        Some(function) => {
                            let callee = code_of!(function);
                            push_frame!(first);
                            enter!(callee);
                        }
                        None => {
                            room!(16);
                            resume!(self.call_named(cursor!(), export, first, count, false));
                        }
                    },
                    Instruction::TailCallNamed { first, count, export } => match self.context.program.linked(export) {
                        Some(function) => {
                            let callee = code_of!(function);
                            tail_arguments!(first, count);
                            enter!(callee);
                        }
                        None => {
                            room!(16);
                            resume!(self.call_named(cursor!(), export, first, count, true));
                        }
                    },
                    Instruction::CallValue { first, count } => {
                        let function = slot!(first + count);
                        if function.is_kind(Kind::Closure) && u16::from(function.header().aux()) == count {
                            let captures = &function.words()[1..];
                            let callee = code_of!(function.raw(0) as u32);
                            std::ptr::copy_nonoverlapping(
                                captures.as_ptr(),
                                fp.add((first + count) as usize),
                                captures.len(),
                            );
                            push_frame!(first);
                            enter!(callee);
                        } else {
                            room!(16);
                            resume!(self.call_value(cursor!(), slot!(first + count), first, count, false));
                        }
                    }
                    Instruction::TailCallValue { first, count } => {
                        let function = slot!(first + count);
                        if function.is_kind(Kind::Closure) && u16::from(function.header().aux()) == count {
                            let captures = &function.words()[1..];
                            let callee = code_of!(function.raw(0) as u32);
                            tail_arguments!(first, count);
                            std::ptr::copy_nonoverlapping(captures.as_ptr(), fp.add(count as usize), captures.len());
                            enter!(callee);
                        } else {
                            room!(16);
                            resume!(self.call_value(cursor!(), slot!(first + count), first, count, true));
                        }
                    }
                    Instruction::CallComputed { first, count } => {
                        room!(16);
                        resume!(self.call_computed(cursor!(), first, count, false));
                    }
                    Instruction::TailCallComputed { first, count } => {
                        room!(16);
                        resume!(self.call_computed(cursor!(), first, count, true));
                    }
                    Instruction::Return { from } => {
                        slot!(0) = slot!(from);
                        if depth == 0 {
                            resume!(self.returned(slot!(0)));
                            continue;
                        }
                        depth -= 1;
                        if WATCHED {
                            self.watch_depth(depth);
                        }
                        let caller = *frames.add(depth as usize);
                        code = caller.code;
                        fp = fp.sub(caller.first as usize);
                        ip = code!().instructions.as_ptr().add(caller.pc as usize);
                    }
                    Instruction::ReturnSeveral { first, count } => {
                        tail_arguments!(first, count);
                        if depth == 0 {
                            return Outcome::Stopped(Stop::Fault("several values at the end of a run".to_string()));
                        }
                        depth -= 1;
                        if WATCHED {
                            self.watch_depth(depth);
                        }
                        let caller = *frames.add(depth as usize);
                        code = caller.code;
                        fp = fp.sub(caller.first as usize);
                        ip = code!().instructions.as_ptr().add(caller.pc as usize);
                    }

                    Instruction::Primitive { first, count, row } => {
                        room!(16);
                        let row = *code!().rows.get_unchecked(row as usize);
                        let args = std::slice::from_raw_parts(fp.add(first as usize), count as usize);
                        self.context.enter_primitive(code);
                        let result = if !self.context.heap.has_shadows() || row.looks.miss_shadows(args) {
                            row.apply(&mut self.context, args)
                        } else {
                            self.apply_symbolic(cursor!(), row, args)
                        };
                        match result {
                            Ok(value) => slot!(first) = value,
                            Err(escape) => resume!(self.escape(cursor!(), escape, Some(row), first, count)),
                        }
                    }
                    Instruction::PrimitiveSeveral { first, count, results, row } => {
                        room!(16);
                        let row = *code!().rows.get_unchecked(row as usize);
                        let args = std::slice::from_raw_parts(fp.add(first as usize), count as usize);
                        self.context.enter_primitive(code);
                        let result = if !self.context.heap.has_shadows() || row.looks.miss_shadows(args) {
                            row.apply(&mut self.context, args)
                        } else {
                            self.apply_symbolic(cursor!(), row, args)
                        };
                        match result {
                            Ok(tuple) => match self.context.open(tuple).as_tuple() {
                                Some(values) if values.len() == usize::from(results) => {
                                    std::ptr::copy_nonoverlapping(
                                        values.as_ptr(),
                                        fp.add(first as usize),
                                        values.len(),
                                    );
                                }
                                _ => {
                                    let fault = format!("{} does not deliver {results} values", row.name);
                                    return Outcome::Stopped(Stop::Fault(fault));
                                }
                            },
                            Err(escape) => resume!(self.escape(cursor!(), escape, Some(row), first, count)),
                        }
                    }
                    Instruction::Add { to, a, b, row } => arithmetic!(Arithmetic::Add, to, row, slot!(a), slot!(b)),
                    Instruction::AddSmall { to, a, row, value } => {
                        arithmetic!(Arithmetic::Add, to, row, slot!(a), Word::small(i64::from(value)));
                    }
                    Instruction::SubtractSmall { to, a, row, value } => {
                        arithmetic!(Arithmetic::Subtract, to, row, slot!(a), Word::small(i64::from(value)));
                    }
                    Instruction::Arithmetic { operation, to, a, b, row } => {
                        arithmetic!(operation, to, row, slot!(a), slot!(b));
                    }
                    Instruction::ArithmeticSmall { operation, to, a, row, value } => {
                        arithmetic!(operation, to, row, slot!(a), Word::small(i64::from(value)));
                    }
                    // A value that was tested to be a cons cell or a tuple is one, or a box that holds one.
                    Instruction::Head { to, from } => {
                        slot!(to) = if slot!(from).is_cons() {
                            slot!(from).head()
                        } else {
                            room!(4);
                            self.context.head_symbolic(slot!(from))
                        };
                    }
                    Instruction::Tail { to, from } => {
                        slot!(to) = if slot!(from).is_cons() {
                            slot!(from).tail()
                        } else {
                            room!(4);
                            self.context.tail_symbolic(slot!(from))
                        };
                    }
                    Instruction::Uncons { head, tail, from } => {
                        let (first, rest) = if slot!(from).is_cons() {
                            (slot!(from).head(), slot!(from).tail())
                        } else {
                            room!(4);
                            (self.context.head_symbolic(slot!(from)), self.context.tail_symbolic(slot!(from)))
                        };
                        slot!(head) = first;
                        slot!(tail) = rest;
                    }
                    Instruction::Element { to, from, index } => {
                        slot!(to) = if slot!(from).is_boxed() {
                            *slot!(from).words().get_unchecked(index as usize)
                        } else {
                            room!(4);
                            self.context.element_symbolic(slot!(from), index as usize)
                        };
                    }

                    Instruction::Jump { target } => jump!(target),
                    Instruction::Branch { compare, a, b, otherwise } => {
                        let (x, y) = (slot!(a), slot!(b));
                        let holds = match fast_compare(compare, x, y) {
                            Some(holds) => holds,
                            None => self.compare(cursor!(), compare, x, y),
                        };
                        if !holds {
                            jump!(otherwise);
                        }
                    }
                    Instruction::BranchSmall { compare, a, value, otherwise } => {
                        let (x, y) = (slot!(a), Word::small(i64::from(value)));
                        let holds = match fast_compare(compare, x, y) {
                            Some(holds) => holds,
                            None => self.compare(cursor!(), compare, x, y),
                        };
                        if !holds {
                            jump!(otherwise);
                        }
                    }
                    Instruction::BranchTest { test, value, otherwise } => {
                        let word = slot!(value);
                        let holds =
                            if word.is_symbolic() { self.test(cursor!(), test, word) } else { fast_test(test, word) };
                        if !holds {
                            jump!(otherwise);
                        }
                    }
                    Instruction::IsCons { value, otherwise } => {
                        let word = slot!(value);
                        if !(word.is_cons() || word.is_symbolic() && self.is_cons(cursor!(), word)) {
                            jump!(otherwise);
                        }
                    }
                    Instruction::IsTuple { value, size, otherwise } => {
                        let word = slot!(value);
                        let holds = if word.is_boxed() {
                            word.is_kind(Kind::Tuple) && word.header().payload() == usize::from(size)
                        } else {
                            word.is_symbolic() && self.is_tuple(cursor!(), word, size)
                        };
                        if !holds {
                            jump!(otherwise);
                        }
                    }
                    Instruction::IsImmediate { value, constant, otherwise } => {
                        let word = slot!(value);
                        let wanted = *code!().constants.get_unchecked(constant as usize);
                        if word != wanted && !(word.is_symbolic() && self.is_immediate(cursor!(), word, wanted)) {
                            jump!(otherwise);
                        }
                    }
                    Instruction::IsConstant { value, constant, otherwise } => {
                        let word = slot!(value);
                        let wanted = *code!().constants.get_unchecked(constant as usize);
                        if !self.is_constant(cursor!(), word, wanted) {
                            jump!(otherwise);
                        }
                    }
                    Instruction::Switch { value, table } => {
                        let word = slot!(value);
                        let switch = code!().switches.get_unchecked(table as usize);
                        let target = if word.is_cons() {
                            switch.cons
                        } else if word.is_immediate() {
                            switch.immediate(word)
                        } else if word.is_symbolic() {
                            self.switch(cursor!(), word, table)
                        } else if word.is_kind(Kind::Tuple) {
                            switch.tuple(word.header().payload())
                        } else {
                            switch.otherwise
                        };
                        jump!(target);
                    }
                    Instruction::MapGet { to, map, key, otherwise } => {
                        let plain =
                            slot!(key).is_immediate() && slot!(map).is_map() && !slot!(map).map_has_shadowed_keys();
                        let found = if plain || !self.context.heap.has_shadows() {
                            slot!(map).map_get(slot!(key))
                        } else {
                            room!(4);
                            self.map_get(cursor!(), slot!(map), slot!(key))
                        };
                        match found {
                            Some(value) => slot!(to) = value,
                            None => jump!(otherwise),
                        }
                    }
                    Instruction::BitsStart { value, position, otherwise } => {
                        let word = slot!(value);
                        if word.is_bits() || word.is_symbolic() && self.test(cursor!(), Test::Bits, word) {
                            slot!(position) = Word::small(0);
                        } else {
                            jump!(otherwise);
                        }
                    }
                    Instruction::BitsRead { read, otherwise } => {
                        room!(16);
                        let matches = if self.context.heap.has_shadows() && reads_shadow(code!(), fp, read) {
                            self.read_bits_symbolic(cursor!(), read)
                        } else {
                            self.read_bits(code, fp, read)
                        };
                        if !matches {
                            jump!(otherwise);
                        }
                    }
                    Instruction::BitsEnd { whole, position, otherwise } => {
                        let (word, at) = (slot!(whole), slot!(position));
                        let ends = if word.is_boxed() && at.is_small() {
                            word.as_bits().is_some_and(|bits| bits.len() == at.small_value() as usize)
                        } else {
                            self.bits_end(cursor!(), word, at)
                        };
                        if !ends {
                            jump!(otherwise);
                        }
                    }
                    Instruction::Unreachable => {
                        return Outcome::Stopped(Stop::Fault(
                            "no clause matched in code that promised one".to_string(),
                        ));
                    }
                }
            }
        }
    }

    pub(super) fn finished(&mut self, value: Word) -> Outcome {
        self.context.recorder.messages_left = self.context.process.mailbox.len();
        if self.context.recorder.wants_result {
            self.context.recorder.result = self.context.observe(value).ok();
        }
        match self.copy_out(value) {
            Ok(term) => Outcome::Value(term),
            Err(why) => Outcome::Stopped(why),
        }
    }

    /// Collects garbage. Everything reachable from the stacks, the context and the language's state survives.
    #[cold]
    #[inline(never)]
    fn collect(&mut self, cursor: Cursor) {
        let first_frame = self.frames.start();
        let stack_words =
            (cursor.fp as usize - self.stack.start() as usize) / 8 + (cursor.frame as usize - first_frame as usize) / 8;
        let watch = &mut self.watch;
        let stacks = |collector: &mut Collector<'_>| {
            if let Some(watch) = watch {
                watch.roots(collector);
            }
            // SAFETY: the cursor is that of a frame on the stacks, whose live slots hold valid words.
            unsafe {
                let depth = cursor.frame.offset_from(first_frame) as usize;
                let frames = std::slice::from_raw_parts(first_frame, depth);
                show_stack(collector, cursor.code, cursor.pc, cursor.fp, frames);
            }
        };
        // SAFETY: the machine keeps words in the live slots of its frames and in its watch, and those are shown.
        unsafe { self.context.collect(stack_words, stacks) };
    }
}
