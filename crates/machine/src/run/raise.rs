//! Exceptions: the way from where they are raised to their handler, with a trace of their origin.
//!
//! A trace is a heap object: `{Class, TopEntry | TopEntries}`, then raw frames (function, file and line in one word).
//! It becomes the language's list of entries only when the program reads it.

use super::machine::Machine;
use super::step::{Cursor, Frame};
use crate::compile::{Code, Instruction};
use crate::context::{Context, Exception, TraceStart};
use crate::language::TraceFrame;
use crate::primitive::{Primitive, list_items};
use crate::value::{Kind, Word};
use path::{Outcome, Raised, TraceEntry};
use term::{Atom, Term};

/// The greatest number of entries, as on the BEAM.
const TRACE_DEPTH: usize = 8;

impl Machine {
    /// Brings the exception set in the context to its handler: execution continues there, or the run is over.
    /// `primitive` is the primitive that raised it, with its arguments.
    pub(super) fn raise(
        &mut self,
        cursor: Cursor,
        primitive: Option<(&'static Primitive, &[Word])>,
    ) -> Result<Cursor, Outcome> {
        let exception = self.context.pending.exception.take().expect("an exception is set before it is raised");
        let (handler_cursor, first) = match self.find_handler(cursor) {
            Some((found, None)) => return Ok(found),
            Some((found, Some(first))) => (Some(found), first),
            None => (None, 0),
        };
        let trace = self.trace(&exception, cursor, primitive);
        match handler_cursor {
            Some(found) => {
                // SAFETY: the handler's slots are in its frame.
                unsafe {
                    let slots = found.fp.add(usize::from(first));
                    *slots = Word::atom(exception.class.atom());
                    *slots.add(1) = exception.reason;
                    *slots.add(2) = trace;
                }
                Ok(found)
            }
            None => self.crashed(&exception, trace),
        }
    }

    /// Returns where the innermost handler continues. Guards do not use the exception.
    fn find_handler(&self, cursor: Cursor) -> Option<(Cursor, Option<u16>)> {
        let mut here = cursor;
        loop {
            // SAFETY: cursors and frames point to live code.
            let code = unsafe { &*here.code };
            if let Some(handler) = code.handler(here.pc) {
                return Some((Cursor { pc: handler.target, ..here }, handler.first));
            }
            if here.frame == self.frames.start() {
                return None;
            }
            here = self.caller(here);
        }
    }

    /// Returns whether an exception would be caught by a function outside of the module of the function at the cursor.
    pub(super) fn is_watched(&self, cursor: Cursor) -> bool {
        // SAFETY: cursors and frames point to live code.
        let module_at = |here: Cursor| unsafe { (*here.code).function };
        let own = self.module_of_function(module_at(cursor));
        let mut here = cursor;
        loop {
            // SAFETY: as above.
            let code = unsafe { &*here.code };
            if code.handler(here.pc).is_some() && self.module_of_function(code.function) != own {
                return true;
            }
            if here.frame == self.frames.start() {
                return false;
            }
            here = self.caller(here);
        }
    }

    /// Returns the place of the call that the frame at the cursor belongs to.
    pub(super) fn caller(&self, cursor: Cursor) -> Cursor {
        // SAFETY: not called with the cursor at the first frame.
        unsafe {
            let frame = cursor.frame.sub(1);
            let Frame { code, pc, first } = *frame;
            Cursor { code, pc: pc - 1, fp: cursor.fp.sub(first as usize), frame }
        }
    }

    /// Returns where an exception of a called function comes from if the call replaced its caller. No handler is
    /// skipped, because code inside a handler's region makes no tail calls. If the cursor is in a join point, the
    /// function of the join point still waits for it.
    pub(super) fn after_tail_call(&self, cursor: Cursor) -> Cursor {
        if cursor.frame == self.frames.start() {
            return cursor;
        }
        // SAFETY: the cursor points to live code.
        let code = unsafe { &*cursor.code };
        let caller = self.caller(cursor);
        if code.shown_as != code.function && calls(caller, code.function) { cursor } else { caller }
    }

    pub(super) fn trace(
        &mut self,
        exception: &Exception,
        cursor: Cursor,
        primitive: Option<(&'static Primitive, &[Word])>,
    ) -> Word {
        let mut top = Word::NIL;
        let mut skip = 0;
        match exception.trace {
            TraceStart::Kept(trace) if trace.is_kind(Kind::Trace) => return trace,
            TraceStart::Kept(_) | TraceStart::Caller => {}
            TraceStart::Primitive => {
                if let Some((row, args)) = primitive
                    && !(is_instruction(cursor, row) && self.context.language.is_untraced(row))
                {
                    top = self.context.language.trace_primitive(&mut self.context, row, args);
                }
            }
            TraceStart::Entry(entry) => top = entry,
            TraceStart::Running { args, details } => {
                // SAFETY: the cursor points to live code.
                let code = unsafe { &*cursor.code };
                if code.function != Code::BOOT {
                    top = self.context.entry(pack(code, cursor.pc), args, details);
                    skip = 1;
                }
            }
        }
        let mut frames = [0u64; TRACE_DEPTH];
        let depth = TRACE_DEPTH - usize::from(!top.is_nil());
        let mut count = 0;
        let mut here = cursor;
        let mut last: (*const Code, u32) = (std::ptr::null(), 0);
        while count < depth {
            // SAFETY: cursors and frames point to live code.
            let code = unsafe { &*here.code };
            // For a call site that repeats itself, the BEAM shows one frame.
            let is_repeated = last == (here.code, here.pc);
            last = (here.code, here.pc);
            if skip > 0 {
                skip -= 1;
            } else if code.function != Code::BOOT && !is_repeated {
                frames[count] = pack(code, here.pc);
                count += 1;
            }
            if here.frame == self.frames.start() {
                break;
            }
            here = self.caller(here);
            // A join point is a part of the function that waits for it: both have one entry.
            skip += usize::from(code.shown_as != code.function && calls(here, code.function));
        }
        let head = self.context.heap.tuple(&[Word::atom(exception.class.atom()), top]);
        self.context.heap.trace(head, &frames[..count])
    }

    pub(super) fn uncaught(&mut self, exception: &Exception, trace: Word) -> Outcome {
        let reason = match self.copy_out(exception.reason) {
            Ok(reason) => reason,
            Err(stop) => return Outcome::Stopped(stop),
        };
        let entries = self.context.stacktrace(trace);
        let trace = self.copy_out(entries).map(|entries| trace_entries(&entries)).unwrap_or_default();
        Outcome::Raised(Raised::by_main(exception.class, reason, trace))
    }
}

/// Returns whether the instruction at the cursor calls this primitive as it is, without a faster instruction.
fn is_instruction(cursor: Cursor, row: &'static Primitive) -> bool {
    // SAFETY: cursors point to live code.
    let code = unsafe { &*cursor.code };
    match code.instructions[cursor.pc as usize] {
        Instruction::Primitive { row: index, .. } => {
            code.function != Code::BOOT && std::ptr::eq(code.rows[usize::from(index)], row)
        }
        _ => false,
    }
}

/// Returns whether the instruction is a call of that function.
fn calls(cursor: Cursor, function: u32) -> bool {
    // SAFETY: cursors point to live code.
    let instruction = unsafe { &(&(*cursor.code).instructions)[cursor.pc as usize] };
    matches!(instruction, Instruction::Call { function: called, .. } if *called == function)
}

/// Packs function, file and line into one word.
fn pack(code: &Code, pc: u32) -> u64 {
    let span = code.span(pc);
    u64::from(code.shown_as) << 32 | u64::from(span.file & 0xff) << 24 | u64::from(span.line & 0xff_ffff)
}

impl Context {
    /// Returns the entries of a trace, as the language shows them.
    pub fn stacktrace(&mut self, trace: Word) -> Word {
        if !trace.is_kind(Kind::Trace) {
            return trace;
        }
        self.world.traces_shown += 1;
        let top = trace.payload()[0].payload()[1];
        let frames = trace.raw_payload()[1..].to_vec();
        // A trace that the program itself made has all of its entries on top.
        let mut entries = list_items(top).unwrap_or_else(|| vec![top]);
        for frame in frames {
            entries.push(self.entry(frame, None, Word::NIL));
        }
        self.heap.list(&entries, Word::NIL)
    }

    /// Returns the entry of a packed frame.
    fn entry(&mut self, frame: u64, args: Option<Word>, details: Word) -> Word {
        let (module, id) = self.program.function((frame >> 32) as u32);
        let module = std::sync::Arc::clone(module);
        let function = module.function(id);
        let file = module.files.get((frame >> 24 & 0xff) as usize).map_or("", String::as_str);
        let line = (frame & 0xff_ffff) as u32;
        let arity = function.arity + function.captures;
        let frame = TraceFrame { module: module.name, function: function.name, arity, args, file, line, details };
        self.language.trace_entry(self, frame)
    }

    /// Returns whether a trace has so few entries that it would continue with the callers of the run.
    pub fn trace_shows_callers(&self, trace: Word) -> bool {
        if !trace.is_kind(Kind::Trace) {
            return false;
        }
        let top = trace.payload()[0].payload()[1];
        // A trace that the program itself made does not continue.
        let is_own = top.is_cons();
        !is_own && trace.raw_payload().len() - 1 + usize::from(!top.is_nil()) < TRACE_DEPTH
    }

    /// Returns the class of the exception that a trace belongs to.
    pub fn trace_class(&self, trace: Word) -> Option<Atom> {
        trace.is_kind(Kind::Trace).then(|| trace.payload()[0].payload()[0].as_atom()).flatten()
    }
}

/// Converts entries `{Module, Function, Arity | Args, Location}` to data.
fn trace_entries(entries: &Term) -> Vec<TraceEntry> {
    let entries = entries.as_list().unwrap_or_default();
    entries.iter().filter_map(trace_entry).collect()
}

/// Returns whether a pair is the file or the line.
fn is_place(pair: &Term) -> bool {
    match pair.as_tuple() {
        Some([name, _]) => name.as_atom().is_some_and(|name| matches!(name.text(), "file" | "line")),
        _ => false,
    }
}

fn trace_entry(entry: &Term) -> Option<TraceEntry> {
    let [module, function, args, location] = entry.as_tuple()? else { return None };
    let location = location.as_list().unwrap_or_default();
    let find = |key: &str| {
        location.iter().find_map(|pair| match pair.as_tuple()? {
            [name, value] if name.as_atom()?.text() == key => Some(value),
            _ => None,
        })
    };
    let args = match args {
        Term::Int(arity) => Err(*arity as u32),
        args => Ok(args.as_list()?.to_vec()),
    };
    Some(TraceEntry {
        module: module.as_atom()?,
        function: function.as_atom()?,
        arity: args.as_ref().map_or_else(|arity| *arity, |args| args.len() as u32),
        args: args.ok(),
        file: find("file").and_then(Term::as_text).unwrap_or_default(),
        line: find("line").and_then(Term::as_int).unwrap_or(0) as u32,
        details: location.iter().filter(|pair| !is_place(pair)).cloned().collect(),
    })
}
