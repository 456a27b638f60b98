//! Compiles boolean expressions to control flow: a comparison that decides a branch makes no boolean.

use super::function::{Compiled, Compiler, Goal};
use super::instruction::{Handler, Instruction, Slot, Target};
use crate::primitive::{Compare, Domain, Fast, Primitive};
use crate::value::Word;
use program::{Callee, Clause, Expr, Pattern};
use term::{Term, names};

impl Compiler<'_> {
    /// Compiles a comparison or type test.
    pub(super) fn test(&mut self, row: &'static Primitive, args: &[Expr], goal: Goal) -> Compiled {
        if let Goal::Condition { otherwise } = goal {
            return self.branch(row, args, otherwise);
        }
        self.as_value(goal, |compiler, otherwise| compiler.branch(row, args, otherwise))
    }

    /// Compiles a condition to the boolean value of its control flow.
    fn as_value(&mut self, goal: Goal, condition: impl FnOnce(&mut Self, Target) -> Compiled) -> Compiled {
        let (otherwise, end) = (self.label(), self.label());
        condition(self, otherwise)?;
        self.expr(&Expr::Const(Term::TRUE), goal)?;
        self.jump_unless_ended(end);
        self.place(otherwise);
        self.expr(&Expr::Const(Term::FALSE), goal)?;
        self.place(end);
        Ok(())
    }

    fn branch(&mut self, row: &'static Primitive, args: &[Expr], otherwise: Target) -> Compiled {
        let mark = self.next;
        match row.fast {
            Fast::Test(test) => {
                let value = self.operand(&args[0])?;
                self.emit(Instruction::BranchTest { test, value, otherwise });
            }
            Fast::Compare(compare) => match (&args[0], &args[1]) {
                (a, Expr::Const(constant)) => self.branch_constant(compare, a, constant, otherwise)?,
                (Expr::Const(constant), b) => self.branch_constant(mirrored(compare), b, constant, otherwise)?,
                (a, b) => {
                    let a = self.operand(a)?;
                    let b = self.operand(b)?;
                    self.emit(Instruction::Branch { compare, a, b, otherwise });
                }
            },
            Fast::None | Fast::Arithmetic(_) | Fast::Head | Fast::Tail | Fast::Element => {
                unreachable!("only comparisons and tests branch")
            }
        }
        self.next = mark;
        Ok(())
    }

    fn branch_constant(&mut self, compare: Compare, a: &Expr, constant: &Term, otherwise: Target) -> Compiled {
        let a = self.operand(a)?;
        if let Term::Int(value) = constant
            && let Ok(value) = i32::try_from(*value)
        {
            self.emit(Instruction::BranchSmall { compare, a, value, otherwise });
            return Ok(());
        }
        if compare == Compare::Identical {
            self.is_constant(a, constant, otherwise);
            return Ok(());
        }
        let b = self.operand(&Expr::Const(constant.clone()))?;
        self.emit(Instruction::Branch { compare, a, b, otherwise });
        Ok(())
    }

    pub(super) fn is_constant(&mut self, value: Slot, term: &Term, otherwise: Target) {
        let word = self.linker.constant(term);
        let constant = self.constant_word(word);
        self.emit(match word.is_immediate() {
            true => Instruction::IsImmediate { value, constant, otherwise },
            false => Instruction::IsConstant { value, constant, otherwise },
        });
    }

    pub(super) fn is_true(&mut self, value: Slot, otherwise: Target) {
        let constant = self.constant_word(Word::TRUE);
        self.emit(Instruction::IsImmediate { value, constant, otherwise });
    }

    /// Compiles a guard. An exception inside makes it false.
    pub(super) fn guard(&mut self, inner: &Expr, goal: Goal) -> Compiled {
        if let Goal::Condition { otherwise } = goal {
            let start = self.here();
            self.expr(inner, goal)?;
            self.code.handlers.push(Handler { start, end: self.here(), target: otherwise, first: None });
            return Ok(());
        }
        // The guard's value is computed first and delivered outside of its handler, which must not catch exceptions of
        // the surrounding code.
        let mark = self.next;
        let (failed, end) = (self.label(), self.label());
        let to = self.allocate(1)?;
        let start = self.here();
        self.expr(inner, Goal::Slot(to))?;
        self.code.handlers.push(Handler { start, end: self.here(), target: failed, first: None });
        self.jump_unless_ended(end);
        self.place(failed);
        let constant = self.constant_word(Word::FALSE);
        self.emit(Instruction::Load { to, constant });
        self.place(end);
        self.deliver(to, goal)?;
        self.next = mark;
        Ok(())
    }

    /// Compiles `case Condition of true -> A; false -> B end` as a branch. Returns `None` for other cases.
    pub(super) fn boolean_case(&mut self, subjects: &[Expr], clauses: &[Clause], goal: Goal) -> Option<Compiled> {
        let [subject] = subjects else { return None };
        if matches!(subject, Expr::Var(_) | Expr::Const(_)) || !self.is_boolean(subject) {
            return None;
        }
        let yes = clauses.iter().position(|clause| is_constant_clause(clause, true))?;
        let no = clauses.iter().position(|clause| is_constant_clause(clause, false))?;
        // Clauses after both are never reached.
        if clauses[..yes.max(no)]
            .iter()
            .any(|clause| !is_constant_clause(clause, true) && !is_constant_clause(clause, false))
        {
            return None;
        }
        Some(self.if_else(subject, &clauses[yes].body, &clauses[no].body, goal))
    }

    fn if_else(&mut self, condition: &Expr, yes: &Expr, no: &Expr, goal: Goal) -> Compiled {
        let (otherwise, end) = (self.label(), self.label());
        self.expr(condition, Goal::Condition { otherwise })?;
        self.expr(yes, goal)?;
        self.jump_unless_ended(end);
        self.place(otherwise);
        self.expr(no, goal)?;
        self.place(end);
        Ok(())
    }

    /// Returns whether the value, if there is one, is certainly true or false.
    fn is_boolean(&self, expr: &Expr) -> bool {
        // A chain of conditions is nested as deeply as it is long.
        stacker::maybe_grow(32 << 10, 1 << 20, || self.is_boolean_inner(expr))
    }

    fn is_boolean_inner(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(Term::Atom(atom)) => [names::TRUE, names::FALSE].contains(atom),
            Expr::Let { body, .. } => self.is_boolean(body),
            Expr::Guard(inner) => self.is_boolean(inner),
            Expr::Case { clauses, .. } => clauses.iter().all(|clause| self.is_boolean(&clause.body)),
            Expr::Call { callee: Callee::Remote { module, function }, args, .. } => self
                .linker
                .primitive(*module, *function, args.len() as u32)
                .is_some_and(|row| matches!(row.fast, Fast::Compare(_) | Fast::Test(_)) || row.result == Domain::Never),
            _ => false,
        }
    }
}

fn is_constant_clause(clause: &Clause, value: bool) -> bool {
    let wanted = Term::Atom(if value { names::TRUE } else { names::FALSE });
    clause.guard.is_none() && matches!(&clause.patterns[..], [Pattern::Const(constant)] if *constant == wanted)
}

/// Returns `op'` such that `c op a` is `a op' c`.
fn mirrored(compare: Compare) -> Compare {
    match compare {
        Compare::Less => Compare::Greater,
        Compare::LessOrEqual => Compare::GreaterOrEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterOrEqual => Compare::LessOrEqual,
        Compare::Equal | Compare::NotEqual | Compare::Identical | Compare::NotIdentical => compare,
    }
}
