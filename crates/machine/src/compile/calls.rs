//! Compiles calls: of functions of the module, of other modules' functions, of values, of primitives.

use super::function::{CompileError, Compiled, Compiler, Goal};
use super::instruction::{Instruction, Slot};
use crate::primitive::{Arithmetic, Domain, Fast, Primitive};
use program::{Callee, Expr, Span};
use term::Term;

impl Compiler<'_> {
    pub(super) fn call(&mut self, callee: &Callee, args: &[Expr], span: Span, goal: Goal) -> Compiled {
        let mark = self.next;
        let count = args.len() as u16;
        let unread = std::mem::take(&mut self.unread);
        match callee {
            Callee::Remote { module, function } => match self.linker.primitive(*module, *function, args.len() as u32) {
                Some(row) => {
                    let unread = if unread { self.linker.unread(row) } else { None };
                    self.primitive(unread.unwrap_or(row), args, span, goal)?;
                }
                None => {
                    let export = self.linker.export(*module, *function, args.len() as u32);
                    let first = self.arguments(args, goal)?;
                    self.mark_span(span);
                    self.emit_call(goal, first, |tail| match tail {
                        true => Instruction::TailCallNamed { first, count, export },
                        false => Instruction::CallNamed { first, count, export },
                    })?;
                }
            },
            Callee::Local(id) => {
                let wrong = CompileError::WrongCount(*id, args.len());
                let function = self.linker.function(*id, args.len()).ok_or(wrong)?;
                let first = self.arguments(args, goal)?;
                self.mark_span(span);
                self.emit_call(goal, first, |tail| match tail {
                    true => Instruction::TailCall { first, count, function },
                    false => Instruction::Call { first, count, function },
                })?;
            }
            Callee::Value(function) => {
                let function = self.operand(function)?;
                let first = self.arguments(args, goal)?;
                self.behind(first, count, &[function])?;
                self.mark_span(span);
                self.emit_call(goal, first, |tail| match tail {
                    true => Instruction::TailCallValue { first, count },
                    false => Instruction::CallValue { first, count },
                })?;
            }
            Callee::Dynamic { module, function } => {
                let module = self.operand(module)?;
                let function = self.operand(function)?;
                let first = self.arguments(args, goal)?;
                self.behind(first, count, &[module, function])?;
                self.mark_span(span);
                self.emit_call(goal, first, |tail| match tail {
                    true => Instruction::TailCallComputed { first, count },
                    false => Instruction::CallComputed { first, count },
                })?;
            }
            Callee::Primitive(name) => {
                let row = self
                    .linker
                    .operation(*name, args.len() as u32)
                    .ok_or(CompileError::UnknownOperation(*name, args.len() as u32))?;
                self.primitive(row, args, span, goal)?;
            }
        }
        self.next = mark;
        Ok(())
    }

    /// Compiles a call whose result may stay where it arrives, and returns that slot. Returns `None` for operations
    /// with an instruction of their own, which can write to any slot.
    pub(super) fn call_in_place(&mut self, callee: &Callee, args: &[Expr], span: Span) -> Compiled<Option<Slot>> {
        let row = match callee {
            Callee::Remote { module, function } => self.linker.primitive(*module, *function, args.len() as u32),
            Callee::Local(_) | Callee::Dynamic { .. } | Callee::Value(_) | Callee::Primitive(_) => None,
        };
        if row.is_some_and(|row| matches!(row.fast, Fast::Arithmetic(_) | Fast::Compare(_) | Fast::Test(_))) {
            return Ok(None);
        }
        let mark = self.next;
        self.call(callee, args, span, Goal::Top)?;
        // The result is in the first slot of the arguments.
        let slot = self.top;
        self.next = mark.max(slot);
        if self.next == slot {
            self.allocate(1)?;
        }
        self.pending[usize::from(slot)] = 0;
        Ok(Some(slot))
    }

    /// Evaluates arguments into consecutive slots, with room for as many results as the goal needs.
    fn arguments(&mut self, args: &[Expr], goal: Goal) -> Compiled<Slot> {
        let first = self.sequence(args)?;
        let results = match goal {
            Goal::Slots { count, .. } => usize::from(count),
            Goal::Slot(_) | Goal::Top | Goal::Result | Goal::Condition { .. } => 1,
        };
        if results > args.len() {
            self.allocate(results - args.len())?;
        }
        Ok(first)
    }

    /// Moves additional operands of a call, such as the function, into the slots after its arguments.
    fn behind(&mut self, first: Slot, count: u16, slots: &[Slot]) -> Compiled {
        for (index, from) in slots.iter().enumerate() {
            let to = first + count + index as u16;
            if to >= self.next {
                self.allocate(1)?;
            }
            self.emit(Instruction::Move { to, from: *from });
        }
        Ok(())
    }

    fn emit_call(&mut self, goal: Goal, first: Slot, instruction: impl Fn(bool) -> Instruction) -> Compiled {
        match goal {
            Goal::Result => {
                self.emit(instruction(true));
                Ok(())
            }
            Goal::Slots { first: to, count } if count != 1 => {
                self.emit(instruction(false));
                for index in 0..count {
                    self.emit(Instruction::Move { to: to + index, from: first + index });
                }
                Ok(())
            }
            Goal::Slot(_) | Goal::Top | Goal::Slots { .. } | Goal::Condition { .. } => {
                self.emit(instruction(false));
                self.deliver(first, goal)
            }
        }
    }

    fn primitive(&mut self, row: &'static Primitive, args: &[Expr], span: Span, goal: Goal) -> Compiled {
        match row.fast {
            // A call is emitted for these, see `Language::is_untraced`.
            Fast::Arithmetic(operation) if self.is_float_operation(operation, args) => {}
            Fast::Arithmetic(operation) => return self.arithmetic(operation, row, args, span, goal),
            Fast::Compare(_) | Fast::Test(_) => return self.test(row, args, goal),
            Fast::None | Fast::Head | Fast::Tail | Fast::Element => {}
        }
        let first = self.arguments(args, goal)?;
        let count = args.len() as u16;
        let row = self.row(row);
        self.mark_span(span);
        match goal {
            Goal::Slots { first: to, count: results } if results != 1 => {
                self.emit(Instruction::PrimitiveSeveral { first, count, results, row });
                for index in 0..results {
                    self.emit(Instruction::Move { to: to + index, from: first + index });
                }
                Ok(())
            }
            Goal::Slot(_) | Goal::Top | Goal::Slots { .. } | Goal::Result | Goal::Condition { .. } => {
                if args.is_empty() && self.next == first {
                    self.allocate(1)?;
                }
                self.emit(Instruction::Primitive { first, count, row });
                self.deliver(first, goal)
            }
        }
    }

    fn is_float_operation(&mut self, operation: Arithmetic, args: &[Expr]) -> bool {
        matches!(operation, Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply)
            && args.iter().any(|arg| self.is_float(arg))
    }

    /// Returns whether a value is known to be a float where it is computed.
    pub(super) fn is_float(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(value) => matches!(value, Term::Float(_)),
            Expr::Var(var) => self.floats.contains(var),
            Expr::Call { callee: Callee::Remote { module, function }, args, .. } => {
                match self.linker.primitive(*module, *function, args.len() as u32) {
                    Some(Primitive { fast: Fast::Arithmetic(operation), .. }) => {
                        self.is_float_operation(*operation, args)
                    }
                    Some(row) => row.result == Domain::Float,
                    None => false,
                }
            }
            Expr::Call { .. }
            | Expr::Let { .. }
            | Expr::Values(_)
            | Expr::Cons(..)
            | Expr::Tuple(_)
            | Expr::Map { .. }
            | Expr::Bits { .. }
            | Expr::Closure { .. }
            | Expr::Case { .. }
            | Expr::Try { .. }
            | Expr::Guard(_) => false,
        }
    }

    fn arithmetic(
        &mut self,
        operation: Arithmetic,
        row: &'static Primitive,
        args: &[Expr],
        span: Span,
        goal: Goal,
    ) -> Compiled {
        let row = self.row(row);
        let a = self.operand(&args[0])?;
        let small = match &args[1] {
            Expr::Const(Term::Int(value)) => i32::try_from(*value).ok(),
            _ => None,
        };
        let b = if small.is_some() { 0 } else { self.operand(&args[1])? };
        let to = match goal {
            Goal::Slot(to) => to,
            Goal::Top | Goal::Slots { .. } | Goal::Result | Goal::Condition { .. } => self.allocate(1)?,
        };
        self.mark_span(span);
        // Counting is so common that it has instructions without a second dispatch.
        self.emit(match (operation, small) {
            (Arithmetic::Add, None) => Instruction::Add { to, a, b, row },
            (Arithmetic::Add, Some(value)) => Instruction::AddSmall { to, a, row, value },
            (Arithmetic::Subtract, Some(value)) => Instruction::SubtractSmall { to, a, row, value },
            (_, Some(value)) => Instruction::ArithmeticSmall { operation, to, a, row, value },
            (_, None) => Instruction::Arithmetic { operation, to, a, b, row },
        });
        self.deliver(to, goal)
    }
}
