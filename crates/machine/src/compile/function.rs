//! Compiles expressions to instructions.
//!
//! Slots are allocated like a stack: the slots that an expression needs for itself are above those in use, and are free
//! again when it is done. Variables are immutable, so a variable bound to another one, or to a part that a pattern
//! already loaded, is only another name of that slot.

use super::instruction::{Code, Handler, Instruction, MapPlan, Slot, Target};
use super::questions::Questions;
use super::switch::Switch;
use crate::primitive::Primitive;
use crate::value::Word;
use path::Asks;
use program::{Binding, BitSize, Expr, FunctionId, MapPair, Span, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Atom, Term};

/// Assigns numbers to what code refers to.
pub trait Linker {
    /// Returns the number of a function of the module, if it has `args` arguments and captures in total.
    fn function(&self, id: FunctionId, args: usize) -> Option<u32>;
    /// Returns the number of a function of the module, if it has `captures` captures.
    fn closure(&self, id: FunctionId, captures: usize) -> Option<u32>;
    fn export(&mut self, module: Atom, function: Atom, arity: u32) -> u32;
    fn constant(&mut self, term: &Term) -> Word;
    fn primitive(&self, module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive>;
    fn operation(&self, name: Atom, arity: u32) -> Option<&'static Primitive>;
    /// Returns the row for an unused result, see [`crate::Language::unread`].
    fn unread(&self, row: &'static Primitive) -> Option<&'static Primitive>;
}

#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error("more than {} values are needed at once", u16::MAX)]
    TooManySlots,
    #[error("unknown operation {0}/{1}")]
    UnknownOperation(Atom, u32),
    #[error("variable {0:?} has no value")]
    Unbound(Var),
    #[error("a place for one value is given {0}")]
    SeveralValues(usize),
    #[error("{0:?} does not take {1} values")]
    WrongCount(FunctionId, usize),
}

/// The destination of a value.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    Slot(Slot),
    /// Any slot, for calls only: the result stays where it arrives, which is then in `Compiler::top`.
    Top,
    /// Several values into consecutive slots.
    Slots {
        first: Slot,
        count: u16,
    },
    /// The value is the function's result.
    Result,
    /// Execution continues if the value is true, and jumps to the label otherwise.
    Condition {
        otherwise: Target,
    },
}

pub(super) type Compiled<T = ()> = Result<T, CompileError>;

pub(super) struct Compiler<'a> {
    pub linker: &'a mut dyn Linker,
    pub code: Code,
    pub slots: FxHashMap<Var, Slot>,
    pub next: Slot,
    /// The slot in which the latest value with the goal `Top` arrived.
    pub top: Slot,
    /// Whether the result of the call that is compiled next is unused.
    pub unread: bool,
    /// Variables that are known to be floats.
    pub floats: FxHashSet<Var>,
    /// The number of uses of each variable, in all branches together.
    uses: FxHashMap<Var, u32>,
    /// For each slot, the number of uses of all its names that are still to come, except uses that only give it another
    /// name.
    pub pending: Vec<u32>,
    /// The first slot that calls may use for their arguments, even if the names of slots below it are no longer used:
    /// if a guard fails, the following clauses need these slots again.
    kept: Slot,
    /// The instruction of each label, once placed.
    labels: Vec<Option<Target>>,
    /// The place of the latest label: control may reach it from elsewhere.
    last_placed: Target,
    constants: FxHashMap<u64, u32>,
    /// The clause or the condition to which the next decisions belong.
    pub asking: Span,
    pub questions: Questions,
}

/// Compiles a function. `params` is the number of its parameters and captures.
pub fn compile(linker: &mut dyn Linker, function: u32, params: u32, body: &Expr) -> Result<Code, CompileError> {
    Ok(compile_with(linker, function, params, body, Questions::default())?.0)
}

/// Returns what the instructions that `compile` makes ask.
pub(super) fn compile_asking(linker: &mut dyn Linker, params: u32, body: &Expr) -> Compiled<Vec<(u32, u32, Asks)>> {
    let (code, questions) = compile_with(linker, Code::BOOT, params, body, Questions::wanted())?;
    Ok(questions.finish(body, &code))
}

fn compile_with(
    linker: &mut dyn Linker,
    function: u32,
    params: u32,
    body: &Expr,
    questions: Questions,
) -> Compiled<(Code, Questions)> {
    let arity = u16::try_from(params).map_err(|_| CompileError::TooManySlots)?;
    let code = Code::empty(function, arity.max(1));
    let mut uses = FxHashMap::default();
    program::for_each_use(body, |var| *uses.entry(var).or_insert(0) += 1);
    let mut compiler = Compiler {
        unread: false,
        floats: FxHashSet::default(),
        uses,
        top: 0,
        kept: 0,
        pending: vec![0; usize::from(arity)],
        linker,
        code,
        slots: FxHashMap::default(),
        next: arity,
        labels: Vec::new(),
        last_placed: 0,
        constants: FxHashMap::default(),
        asking: Span::default(),
        questions,
    };
    for index in 0..params {
        compiler.name(Var(index), index as Slot);
    }
    compiler.expr(body, Goal::Result)?;
    let questions = std::mem::take(&mut compiler.questions);
    Ok((compiler.finish(), questions))
}

impl Compiler<'_> {
    pub fn expr(&mut self, expr: &Expr, goal: Goal) -> Compiled {
        let outer = self.questions.enter(Some(expr));
        let done = stacker::maybe_grow(128 << 10, 4 << 20, || self.expr_inner(expr, goal));
        self.questions.enter(outer);
        done
    }

    fn expr_inner(&mut self, expr: &Expr, goal: Goal) -> Compiled {
        match expr {
            Expr::Let { bindings, body } => self.let_in(bindings, body, goal),
            Expr::Case { subjects, clauses, span } => {
                self.asking(*span, |compiler| compiler.case(subjects, clauses, *span, goal))
            }
            Expr::Call { callee, args, span } => {
                self.asking(*span, |compiler| compiler.call(callee, args, *span, goal))
            }
            Expr::Guard(inner) => self.guard(inner, goal),
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                self.try_of(body, ok_vars, ok, handler_vars, handler, goal)
            }
            Expr::Values(values) => self.values(values, goal),
            Expr::Const(_)
            | Expr::Var(_)
            | Expr::Cons(..)
            | Expr::Tuple(_)
            | Expr::Map { .. }
            | Expr::Bits { .. }
            | Expr::Closure { .. } => match goal {
                Goal::Slot(to) => self.simple(expr, to),
                Goal::Top | Goal::Result | Goal::Condition { .. } | Goal::Slots { count: 1, .. } => {
                    let mark = self.next;
                    let slot = self.operand(expr)?;
                    self.deliver(slot, goal)?;
                    self.next = mark;
                    Ok(())
                }
                Goal::Slots { count, .. } => Err(CompileError::SeveralValues(count.into())),
            },
        }
    }

    /// Compiles code whose decisions belong to `span`.
    fn asking<T>(&mut self, span: Span, compile: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.asking;
        self.ask_at(span);
        let result = compile(self);
        self.asking = outer;
        result
    }

    pub fn ask_at(&mut self, span: Span) {
        if span.line > 0 {
            self.asking = span;
        }
    }

    /// Emits code that brings a value from a slot to its goal.
    pub fn deliver(&mut self, from: Slot, goal: Goal) -> Compiled {
        match goal {
            Goal::Slot(to) | Goal::Slots { first: to, count: 1 } => {
                if to != from {
                    self.emit(Instruction::Move { to, from });
                }
            }
            Goal::Slots { count, .. } => return Err(CompileError::SeveralValues(count.into())),
            Goal::Top => self.top = from,
            Goal::Result => self.emit(Instruction::Return { from }),
            Goal::Condition { otherwise } => self.is_true(from, otherwise),
        }
        Ok(())
    }

    /// Compiles expressions that build one value out of others, without branching.
    fn simple(&mut self, expr: &Expr, to: Slot) -> Compiled {
        let mark = self.next;
        match expr {
            Expr::Const(term) => {
                let constant = self.constant(term);
                self.emit(Instruction::Load { to, constant });
            }
            Expr::Var(var) => {
                let from = self.slot(*var)?;
                self.deliver(from, Goal::Slot(to))?;
            }
            Expr::Cons(head, tail) => {
                let head = self.operand(head)?;
                let tail = self.operand(tail)?;
                self.emit(Instruction::Cons { to, head, tail });
            }
            Expr::Tuple(items) => {
                let first = self.sequence(items)?;
                self.emit(Instruction::Tuple { to, first, count: items.len() as u16 });
            }
            Expr::Closure { function, captures } => {
                let captures: Vec<Expr> = captures.iter().map(|var| Expr::Var(*var)).collect();
                let first = self.sequence(&captures)?;
                let wrong = CompileError::WrongCount(*function, captures.len());
                let function = self.linker.closure(*function, captures.len()).ok_or(wrong)?;
                self.emit(Instruction::Closure { to, first, count: captures.len() as u16, function });
            }
            Expr::Map { base, pairs, span } => self.map(base, pairs, *span, to)?,
            Expr::Bits { segments, span } => self.bits(segments, *span, to)?,
            Expr::Let { .. }
            | Expr::Values(_)
            | Expr::Call { .. }
            | Expr::Case { .. }
            | Expr::Try { .. }
            | Expr::Guard(_) => self.expr(expr, Goal::Slot(to))?,
        }
        self.next = mark;
        Ok(())
    }

    fn map(&mut self, base: &Expr, pairs: &[MapPair], span: Span, to: Slot) -> Compiled {
        let base = self.operand(base)?;
        let first = self.next;
        for pair in pairs {
            for part in [&pair.key, &pair.value] {
                let slot = self.allocate(1)?;
                self.expr(part, Goal::Slot(slot))?;
            }
        }
        let plan = self.code.map_plans.len() as u32;
        self.code.map_plans.push(MapPlan { exact: pairs.iter().map(|pair| pair.exact).collect() });
        self.mark_span(span);
        self.emit(Instruction::UpdateMap { to, base, first, plan });
        Ok(())
    }

    fn bits(&mut self, segments: &[program::BitSegment], span: Span, to: Slot) -> Compiled {
        use super::instruction::{BitsPlan, BitsSize};
        use crate::value::Segment;
        let first = self.allocate(segments.len())?;
        let mut plan = Vec::with_capacity(segments.len());
        for (index, segment) in segments.iter().enumerate() {
            self.expr(&segment.value, Goal::Slot(first + index as Slot))?;
            let size = match &segment.size {
                BitSize::All => BitsSize::All,
                BitSize::Encoded => BitsSize::Encoded,
                BitSize::Times(Expr::Const(Term::Int(count))) if fixed_size(*count, segment.unit).is_some() => {
                    BitsSize::Fixed(fixed_size(*count, segment.unit).unwrap_or(0))
                }
                BitSize::Times(size) => BitsSize::Slot(self.operand(size)?),
            };
            let kind =
                Segment { kind: segment.kind, unit: segment.unit, signed: segment.signed, endian: segment.endian };
            plan.push((kind, size));
        }
        let index = self.code.bit_plans.len() as u32;
        self.code.bit_plans.push(BitsPlan { segments: plan });
        self.mark_span(span);
        self.emit(Instruction::BuildBits { to, first, plan: index });
        Ok(())
    }

    fn let_in(&mut self, bindings: &[Binding], body: &Expr, goal: Goal) -> Compiled {
        let mark = self.next;
        for Binding { vars, value } in bindings {
            self.unread = self.is_unread(value, vars);
            match vars[..] {
                [var] => {
                    if self.is_float(value) {
                        self.floats.insert(var);
                    }
                    let slot = self.renamed(value)?;
                    self.name(var, slot);
                }
                _ => {
                    let first = self.allocate(vars.len())?;
                    self.expr(value, Goal::Slots { first, count: vars.len() as u16 })?;
                    for (index, var) in vars.iter().enumerate() {
                        self.name(*var, first + index as Slot);
                    }
                }
            }
        }
        self.expr(body, goal)?;
        for binding in bindings.iter().rev() {
            if let (&[var], Expr::Var(from)) = (&binding.vars[..], &binding.value) {
                let slot = self.slot(*from)?;
                self.forget(var, slot);
                self.unrename(slot);
            }
        }
        self.next = mark;
        Ok(())
    }

    /// Returns whether a value is that of a call, and the variables that it is bound to are never used.
    fn is_unread(&self, value: &Expr, vars: &[Var]) -> bool {
        matches!(value, Expr::Call { .. }) && !vars.iter().any(|var| self.uses.contains_key(var))
    }

    fn values(&mut self, values: &[Expr], goal: Goal) -> Compiled {
        let mark = self.next;
        match goal {
            Goal::Slots { first, count } if usize::from(count) == values.len() => {
                // Into fresh slots first: a value may use what the goal's slots hold.
                let fresh = self.sequence(values)?;
                for index in 0..count {
                    self.emit(Instruction::Move { to: first + index, from: fresh + index });
                }
            }
            Goal::Result if values.len() != 1 => {
                let first = self.sequence(values)?;
                self.emit(Instruction::ReturnSeveral { first, count: values.len() as u16 });
            }
            _ => match values {
                [value] => self.expr(value, goal)?,
                _ => return Err(CompileError::SeveralValues(values.len())),
            },
        }
        self.next = mark;
        Ok(())
    }

    fn try_of(
        &mut self,
        body: &Expr,
        ok_vars: &[Var],
        ok: &Expr,
        handler_vars: &[Var; 3],
        handler: &Expr,
        goal: Goal,
    ) -> Compiled {
        let mark = self.next;
        let (caught, end) = (self.label(), self.label());
        let first = self.allocate(ok_vars.len().max(3))?;
        let start = self.here();
        self.unread = self.is_unread(body, ok_vars);
        self.expr(body, Goal::Slots { first, count: ok_vars.len() as u16 })?;
        self.code.handlers.push(Handler { start, end: self.here(), target: caught, first: Some(first) });
        for (index, var) in ok_vars.iter().enumerate() {
            self.name(*var, first + index as Slot);
        }
        self.expr(ok, goal)?;
        self.jump_unless_ended(end);
        self.place(caught);
        for (index, var) in handler_vars.iter().enumerate() {
            self.name(*var, first + index as Slot);
        }
        self.expr(handler, goal)?;
        self.place(end);
        self.next = mark;
        Ok(())
    }

    /// Returns the slot of a value: the variable's own, or a new one.
    pub fn operand(&mut self, expr: &Expr) -> Compiled<Slot> {
        if let Expr::Var(var) = expr {
            return self.slot(*var);
        }
        // The result of a call stays where it arrives.
        if let Expr::Call { callee, args, span } = expr {
            let outer = self.questions.enter(Some(expr));
            let slot = self.call_in_place(callee, args, *span)?;
            self.questions.enter(outer);
            if let Some(slot) = slot {
                return Ok(slot);
            }
        }
        let slot = self.allocate(1)?;
        self.expr(expr, Goal::Slot(slot))?;
        Ok(slot)
    }

    /// Returns the slot of a value that only gets another name.
    fn renamed(&mut self, expr: &Expr) -> Compiled<Slot> {
        let slot = self.operand(expr)?;
        if let Expr::Var(_) = expr {
            self.rename(slot);
        }
        Ok(slot)
    }

    /// Uncounts a use of a slot that only gives it another name.
    pub fn rename(&mut self, slot: Slot) {
        let pending = &mut self.pending[usize::from(slot)];
        *pending = pending.saturating_sub(1);
    }

    /// Counts the use again after the scope of the other name.
    pub fn unrename(&mut self, slot: Slot) {
        self.pending[usize::from(slot)] += 1;
    }

    pub fn name(&mut self, var: Var, slot: Slot) {
        self.slots.insert(var, slot);
        self.pending[usize::from(slot)] += self.uses.get(&var).copied().unwrap_or(0);
    }

    /// Compiles code that may fail. It leaves the values in all slots in place, because the code after a failure needs
    /// them.
    pub fn keeping<T>(&mut self, compile: impl FnOnce(&mut Self) -> T) -> T {
        let kept = std::mem::replace(&mut self.kept, self.next);
        let result = compile(self);
        self.kept = kept;
        result
    }

    /// Ends the scope of a name, because another branch begins.
    pub fn forget(&mut self, var: Var, slot: Slot) {
        let pending = &mut self.pending[usize::from(slot)];
        *pending = pending.saturating_sub(self.uses.get(&var).copied().unwrap_or(0));
    }

    /// Evaluates values into consecutive slots at the top. The slots are new ones, except for variables that are there
    /// already and are not needed again.
    pub fn sequence(&mut self, values: &[Expr]) -> Compiled<Slot> {
        let settled = self.settled(values);
        let first = self.next - settled as Slot;
        for value in &values[settled..] {
            let slot = self.allocate(1)?;
            self.expr(value, Goal::Slot(slot))?;
        }
        Ok(first)
    }

    /// Returns the number of leading values that are variables in the top slots, in order, and used for the last time.
    fn settled(&self, values: &[Expr]) -> usize {
        let dying = |value: &Expr| match value {
            Expr::Var(var) if self.uses.get(var) == Some(&1) => {
                self.slots.get(var).copied().filter(|slot| self.pending[usize::from(*slot)] == 1)
            }
            _ => None,
        };
        (1..=values.len().min(usize::from(self.next.saturating_sub(self.kept))))
            .rev()
            .find(|&count| {
                let first = self.next - count as Slot;
                (0..count).all(|index| dying(&values[index]) == Some(first + index as Slot))
            })
            .unwrap_or(0)
    }

    pub fn slot(&self, var: Var) -> Compiled<Slot> {
        self.slots.get(&var).copied().ok_or(CompileError::Unbound(var))
    }

    pub fn allocate(&mut self, count: usize) -> Compiled<Slot> {
        let first = self.next;
        // Room for what a call needs for itself remains free at the end.
        let next = usize::from(first) + count;
        if next > usize::from(u16::MAX) - 512 {
            return Err(CompileError::TooManySlots);
        }
        self.next = next as Slot;
        self.code.slots = self.code.slots.max(self.next);
        self.pending.truncate(usize::from(first));
        self.pending.resize(next, 0);
        Ok(first)
    }

    pub fn constant(&mut self, term: &Term) -> u32 {
        let word = self.linker.constant(term);
        self.constant_word(word)
    }

    pub fn constant_word(&mut self, word: Word) -> u32 {
        let constants = &mut self.code.constants;
        *self.constants.entry(word.0).or_insert_with(|| {
            constants.push(word);
            constants.len() as u32 - 1
        })
    }

    pub fn row(&mut self, row: &'static Primitive) -> u16 {
        let known = self.code.rows.iter().position(|other| std::ptr::eq(*other, row));
        known.unwrap_or_else(|| {
            self.code.rows.push(row);
            self.code.rows.len() - 1
        }) as u16
    }

    pub fn switch(&mut self, value: Slot, switch: Switch) {
        let table = self.code.switches.len() as u32;
        self.code.switches.push(switch);
        self.emit(Instruction::Switch { value, table });
    }

    pub fn emit(&mut self, mut instruction: Instruction) {
        if instruction.decides() && self.asking.line > 0 {
            let here = self.here();
            self.code.decisions.push((here, self.asking));
        }
        self.questions.note(self.here(), &instruction, &self.code.rows);
        self.code.instructions.push(instruction);
    }

    pub fn here(&self) -> Target {
        self.code.instructions.len() as Target
    }

    pub fn label(&mut self) -> Target {
        self.labels.push(None);
        self.labels.len() as Target - 1
    }

    pub fn place(&mut self, label: Target) {
        self.last_placed = self.here();
        self.labels[label as usize] = Some(self.last_placed);
    }

    pub fn mark_span(&mut self, span: Span) {
        let here = self.here();
        if self.code.spans.last().is_none_or(|(_, last)| *last != span) {
            self.code.spans.push((here, span));
        }
    }

    pub fn jump_unless_ended(&mut self, target: Target) {
        if self.last_placed == self.here() || !self.code.instructions.last().is_some_and(Instruction::ends) {
            self.emit(Instruction::Jump { target });
        }
    }

    fn finish(mut self) -> Code {
        // A target for labels at the very end. The front end guarantees that control never reaches it.
        self.emit(Instruction::Unreachable);
        let labels = self.labels;
        let resolve = |label: Target| labels[label as usize].expect("every label is placed");
        let mut code = self.code;
        for instruction in &mut code.instructions {
            if let Some(target) = instruction.target_mut() {
                *target = resolve(*target);
            }
        }
        code.switches.iter_mut().for_each(|switch| switch.resolve(resolve));
        code.handlers.iter_mut().for_each(|handler| handler.target = resolve(handler.target));
        code
    }
}

/// Returns a constant size in bits, if a read or write can use it directly.
pub(super) fn fixed_size(count: i64, unit: u16) -> Option<u32> {
    u32::try_from(count).ok()?.checked_mul(u32::from(unit))
}
