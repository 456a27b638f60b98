//! The questions that the instructions of a function ask, in terms of the expressions that they come from. Running does
//! not need them, so they are computed on demand, by compiling the function once more.

use super::function::Linker;
use super::instruction::{Code, Instruction, Slot};
use crate::primitive::{Compare, Domain, Meaning, Primitive, Test};
use crate::value::Word;
use path::{Asks, Constructor, Down, Position, Tested};
use program::{Clause, Expr, for_each_child};
use rustc_hash::FxHashMap;
use term::Term;

/// Records questions while a function is compiled.
#[derive(Default)]
pub(super) struct Questions {
    is_wanted: bool,
    /// The expression that is being compiled.
    expr: Option<*const Expr>,
    case: Case,
    /// The question of the next instruction, if it belongs to a pattern.
    next: Option<Asks>,
    found: Vec<(u32, *const Expr, Asks)>,
}

/// The case whose patterns are being compiled.
#[derive(Default)]
pub(super) struct Case {
    clauses: Vec<*const Clause>,
    /// The clause whose patterns are tested next.
    clause: u32,
    /// The constructors of the parts of the subjects that are known.
    parts: Vec<(Position, Constructor)>,
    positions: FxHashMap<Slot, Position>,
}

impl Questions {
    pub fn wanted() -> Questions {
        Questions { is_wanted: true, ..Questions::default() }
    }

    /// Sets the expression to which the following instructions belong. Returns the previous one.
    pub fn enter(&mut self, expr: Option<*const Expr>) -> Option<*const Expr> {
        std::mem::replace(&mut self.expr, expr)
    }

    /// Begins the patterns of a case. Returns the enclosing case.
    pub fn begin_case(&mut self, clauses: &[Clause], slots: &[Slot]) -> Case {
        if !self.is_wanted {
            return Case::default();
        }
        let position = |subject: usize| Position { subject: subject as u32, steps: Vec::new() };
        let case = Case {
            clauses: clauses.iter().map(std::ptr::from_ref).collect(),
            positions: slots.iter().enumerate().map(|(subject, slot)| (*slot, position(subject))).collect(),
            ..Case::default()
        };
        std::mem::replace(&mut self.case, case)
    }

    pub fn end_case(&mut self, outer: Case) {
        self.case = outer;
    }

    pub fn begin_clause(&mut self, clause: &Clause) {
        if self.is_wanted {
            let index = self.case.clauses.iter().position(|other| std::ptr::eq(*other, clause));
            self.case.clause = index.unwrap_or(0) as u32;
        }
    }

    /// Notes that the next instruction tests the value in a slot.
    pub fn test(&mut self, slot: Slot, tested: impl FnOnce() -> Tested) {
        if self.is_wanted {
            let Case { clause, parts, positions, .. } = &self.case;
            let of = positions.get(&slot).cloned();
            self.next = Some(Asks::Part { clause: *clause, parts: parts.clone(), of, tested: tested() });
        }
    }

    /// Notes that the next instruction tests a part of a pattern that has no formula.
    pub fn test_other(&mut self) {
        if self.is_wanted {
            let Case { clause, parts, .. } = &self.case;
            let (clause, parts) = (*clause, parts.clone());
            self.next = Some(Asks::Part { clause, parts, of: None, tested: Tested::Other });
        }
    }

    /// Notes that the value in a slot has this constructor from now on. Returns whether that was recorded.
    pub fn assume(&mut self, slot: Slot, constructor: impl FnOnce() -> Constructor) -> bool {
        let known = self.case.positions.get(&slot).filter(|_| self.is_wanted).cloned();
        known.is_some_and(|position| {
            self.case.parts.push((position, constructor()));
            true
        })
    }

    pub fn forget(&mut self, is_noted: bool) {
        if is_noted {
            self.case.parts.pop();
        }
    }

    /// Notes that a slot is loaded with a part of the value in another slot.
    pub fn load(&mut self, to: Slot, from: Slot, step: Down) {
        if !self.is_wanted {
            return;
        }
        match self.case.positions.get(&from).cloned() {
            Some(mut position) => {
                position.steps.push(step);
                self.case.positions.insert(to, position);
            }
            None => drop(self.case.positions.remove(&to)),
        }
    }

    /// Notes that a slot is loaded with something that is no part of a subject.
    pub fn load_other(&mut self, to: Slot) {
        self.case.positions.remove(&to);
    }

    /// Records the question of an emitted instruction.
    pub fn note(&mut self, at: u32, instruction: &Instruction, rows: &[&'static Primitive]) {
        if !self.is_wanted {
            return;
        }
        if let (Some(asks), Some(expr)) = (self.next.take().or_else(|| asked_by(instruction, rows)), self.expr) {
            self.found.push((at, expr, asks));
        }
    }

    /// Returns for each question the number of the instruction, the number of the expression in the body, and the
    /// question.
    pub fn finish(self, body: &Expr, code: &Code) -> Vec<(u32, u32, Asks)> {
        let mut numbers: FxHashMap<*const Expr, u32> = FxHashMap::default();
        let mut open = vec![body];
        while let Some(expr) = open.pop() {
            numbers.insert(expr, numbers.len() as u32);
            let start = open.len();
            for_each_child(expr, |child| open.push(child));
            open[start..].reverse();
        }
        let found = self.found.into_iter().filter_map(|(at, expr, mut asks)| {
            if let (Some(Instruction::Switch { table, .. }), Asks::Part { tested, .. }) =
                (code.instructions.get(at as usize), &mut asks)
            {
                let ways = code.switches.get(*table as usize)?.ways(code);
                *tested = Tested::Among(std::sync::Arc::clone(&ways.ways));
            }
            Some((at, *numbers.get(&expr)?, asks))
        });
        found.collect()
    }
}

/// Returns the question of an instruction that belongs to no pattern.
fn asked_by(instruction: &Instruction, rows: &[&'static Primitive]) -> Option<Asks> {
    let row = |row: u16| match rows.get(usize::from(row)) {
        Some(row) => asked_by_row(row),
        None => Asks::Evaluated,
    };
    Some(match *instruction {
        Instruction::Branch { compare, .. } | Instruction::BranchSmall { compare, .. } => match compare {
            Compare::Less | Compare::Greater | Compare::Equal | Compare::Identical => {
                Asks::Truth([Some(false), Some(true)])
            }
            // The formula of the decision is that of the opposite comparison.
            Compare::LessOrEqual | Compare::GreaterOrEqual | Compare::NotEqual | Compare::NotIdentical => {
                Asks::Truth([Some(true), Some(false)])
            }
        },
        // The first decision may be whether the value is a bitstring.
        Instruction::BranchTest { test: Test::Binary, .. } => Asks::Truth([Some(false), None]),
        Instruction::BranchTest { .. } | Instruction::IsImmediate { .. } | Instruction::IsConstant { .. } => {
            Asks::Truth([Some(false), Some(true)])
        }
        Instruction::Primitive { row: number, .. }
        | Instruction::PrimitiveSeveral { row: number, .. }
        | Instruction::Add { row: number, .. }
        | Instruction::AddSmall { row: number, .. }
        | Instruction::SubtractSmall { row: number, .. }
        | Instruction::Arithmetic { row: number, .. }
        | Instruction::ArithmeticSmall { row: number, .. } => row(number),
        Instruction::Jump { .. }
        | Instruction::Move { .. }
        | Instruction::Load { .. }
        | Instruction::Return { .. }
        | Instruction::Unreachable => return None,
        _ => Asks::Evaluated,
    })
}

/// Returns the question of a row. Rows with a formula decide for each argument whether it is in the domain, and whether
/// there is a result.
fn asked_by_row(row: &Primitive) -> Asks {
    match row.meaning {
        Meaning::Term(_) if !row.domain.contains(&Domain::Timeout) => Asks::Returns,
        Meaning::Term(_)
        | Meaning::Prelude(..)
        | Meaning::Keyed { .. }
        | Meaning::Opened(_)
        | Meaning::Effect(_)
        | Meaning::Sampled { .. }
        | Meaning::Opaque(_) => Asks::Evaluated,
    }
}

/// Returns the term of an immediate word.
pub(super) fn immediate(word: Word) -> Term {
    match (word.as_small(), word.as_atom()) {
        (Some(value), _) => Term::Int(value),
        (None, Some(atom)) => Term::Atom(atom),
        (None, None) => Term::Nil,
    }
}

/// Returns the questions of a function's decisions: instructions, expressions, questions.
pub fn questions(linker: &mut dyn Linker, params: u32, body: &Expr) -> Vec<(u32, u32, Asks)> {
    super::function::compile_asking(linker, params, body).unwrap_or_default()
}
