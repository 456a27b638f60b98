//! Compiles clauses to decision trees.
//!
//! The rows of a matrix are the clauses, its cells the remaining tests. The first cell of the first row is tested next;
//! all rows that follow and test the same place for a constructor join in *one* decision (a switch), each constructor
//! with its own smaller matrix; a row that does not ends the group, and if the group fails, matching continues with the
//! rows after it. So every clause's body is compiled once, and a case over literals is one n-ary decision. Segments of
//! bitstrings are read once for all rows that read them alike.

use super::function::{Compiled, Compiler, Goal, fixed_size};
use super::instruction::{BitsRead, BitsSize, Instruction, Slot, Target};
use super::questions::immediate;
use super::switch::{Immediates, Switch};
use crate::primitive::Test;
use crate::value::{Segment, Word};
use path::{Down, Tested};
use program::{BitKind, BitPattern, BitSize, Clause, Expr, Pattern, Span, Var};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use term::Term;

/// A remaining test of one place.
#[derive(Clone)]
enum Cell<'p> {
    Value {
        slot: Slot,
        pattern: &'p Pattern,
    },
    /// The rest of a bitstring pattern at a position of the bitstring.
    Bits {
        whole: Slot,
        position: Slot,
        rest: &'p [BitPattern],
    },
}

struct Row<'p> {
    cells: Vec<Cell<'p>>,
    /// The variables bound so far. They become known when the row is chosen, because clauses may share names.
    names: Vec<(Var, Slot)>,
    clause: &'p Clause,
}

#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Constructor {
    Immediate(u64),
    Cons,
    Tuple(usize),
}

impl Constructor {
    /// Returns the constructor in the form that questions use.
    fn for_questions(self) -> path::Constructor {
        match self {
            Constructor::Immediate(word) => path::Constructor::Constant(immediate(Word::from_bits(word))),
            Constructor::Cons => path::Constructor::Cons,
            Constructor::Tuple(size) => path::Constructor::Tuple(size as u32),
        }
    }

    /// Returns the step from a value with this constructor to one of its parts.
    fn step(self, part: usize) -> Down {
        match (self, part) {
            (Constructor::Cons, 0) => Down::Head,
            (Constructor::Cons, _) => Down::Tail,
            (Constructor::Tuple(_) | Constructor::Immediate(_), _) => Down::Element(part as u32),
        }
    }
}

impl Compiler<'_> {
    pub(super) fn case(&mut self, subjects: &[Expr], clauses: &[Clause], _: Span, goal: Goal) -> Compiled {
        if let Some(done) = self.boolean_case(subjects, clauses, goal) {
            return done;
        }
        let mark = self.next;
        let mut slots = Vec::with_capacity(subjects.len());
        match subjects {
            // One expression may deliver several values.
            [subject] if clauses.first().is_some_and(|clause| clause.patterns.len() != 1) => {
                let count = clauses[0].patterns.len();
                let first = self.allocate(count)?;
                self.expr(subject, Goal::Slots { first, count: count as u16 })?;
                slots.extend((0..count).map(|index| first + index as Slot));
            }
            _ => {
                for subject in subjects {
                    slots.push(self.operand(subject)?);
                }
            }
        }
        // Patterns are other names of the subjects, but only when all subjects have been evaluated.
        let renamed: Vec<Slot> = subjects
            .iter()
            .zip(&slots)
            .filter_map(|(subject, slot)| matches!(subject, Expr::Var(_)).then_some(*slot))
            .collect();
        renamed.iter().for_each(|slot| self.rename(*slot));
        let mut rows = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let cells =
                slots.iter().zip(&clause.patterns).map(|(&slot, pattern)| Cell::Value { slot, pattern }).collect();
            rows.push(row_of(cells, Vec::new(), clause));
        }
        let (end, nothing) = (self.label(), self.label());
        let outer = self.questions.begin_case(clauses, &slots);
        self.matrix(rows, nothing, goal, end)?;
        self.questions.end_case(outer);
        self.place(nothing);
        self.emit(Instruction::Unreachable);
        self.place(end);
        renamed.iter().for_each(|slot| self.unrename(*slot));
        self.next = mark;
        Ok(())
    }

    /// Compiles a matrix to code that takes the first row that matches, or jumps to `fail`. Bodies continue at `end`.
    fn matrix(&mut self, rows: Vec<Row<'_>>, fail: Target, goal: Goal, end: Target) -> Compiled {
        // A pattern may be nested as deeply as a literal in generated source is long.
        stacker::maybe_grow(128 << 10, 4 << 20, || self.matrix_inner(rows, fail, goal, end))
    }

    fn matrix_inner(&mut self, rows: Vec<Row<'_>>, fail: Target, goal: Goal, end: Target) -> Compiled {
        let mut rows = rows.into_iter().peekable();
        loop {
            let Some(first) = rows.next() else {
                self.emit(Instruction::Jump { target: fail });
                return Ok(());
            };
            let mark = self.next;
            let rest = self.label();
            self.ask_at(first.clause.span);
            self.questions.begin_clause(first.clause);
            let falls_through = match first.cells.first().cloned() {
                None => {
                    first.names.iter().for_each(|(var, slot)| self.name(*var, *slot));
                    let falls_through = self.body(first.clause, rest, goal, end)?;
                    first.names.iter().for_each(|(var, slot)| self.forget(*var, *slot));
                    falls_through
                }
                Some(Cell::Bits { whole, position, rest: segments }) => {
                    let group = take_alike(first, &mut rows, |cell| match cell {
                        Cell::Bits { whole: w, position: p, rest: other } => {
                            *w == whole && *p == position && reads_alike(segments, other)
                        }
                        Cell::Value { .. } => false,
                    });
                    self.segment(group, whole, position, segments, rest, goal, end)?;
                    true
                }
                Some(Cell::Value { slot, pattern }) => {
                    self.value(first, &mut rows, slot, pattern, rest, goal, end)?;
                    true
                }
            };
            self.place(rest);
            self.next = mark;
            if !falls_through {
                return Ok(());
            }
        }
    }

    /// Compiles the body of a clause. Returns whether control can reach the next rows, which it can only if there is a
    /// guard.
    fn body(&mut self, clause: &Clause, rest: Target, goal: Goal, end: Target) -> Compiled<bool> {
        if let Some(guard) = &clause.guard {
            self.keeping(|compiler| compiler.expr(guard, Goal::Condition { otherwise: rest }))?;
        }
        self.expr(&clause.body, goal)?;
        self.jump_unless_ended(end);
        Ok(clause.guard.is_some())
    }

    #[allow(clippy::too_many_arguments, reason = "the state of one decision")]
    fn value<'p>(
        &mut self,
        first: Row<'p>,
        rows: &mut std::iter::Peekable<std::vec::IntoIter<Row<'p>>>,
        slot: Slot,
        pattern: &'p Pattern,
        rest: Target,
        goal: Goal,
        end: Target,
    ) -> Compiled {
        match pattern {
            Pattern::Map(pairs) => self.map_pattern(first, slot, pairs, rest, goal, end),
            Pattern::Bits(_) => {
                let group = take_alike(
                    first,
                    rows,
                    |cell| matches!(cell, Cell::Value { slot: other, pattern: Pattern::Bits(_) } if *other == slot),
                );
                let position = self.allocate(1)?;
                self.questions.test(slot, || Tested::Bits);
                self.emit(Instruction::BitsStart { value: slot, position, otherwise: rest });
                let group = group.into_iter().map(|mut row| {
                    if let Cell::Value { pattern: Pattern::Bits(segments), .. } = &row.cells[0] {
                        row.cells[0] = Cell::Bits { whole: slot, position, rest: segments };
                    }
                    row
                });
                self.matrix(group.collect(), rest, goal, end)
            }
            _ if self.constructor(pattern).is_some() => {
                let group = take_alike(first, rows, |cell| match cell {
                    Cell::Value { slot: other, pattern } => *other == slot && self.constructor(pattern).is_some(),
                    Cell::Bits { .. } => false,
                });
                self.constructors(group, slot, rest, goal, end)
            }
            Pattern::Const(constant) => {
                let constructor = || path::Constructor::Constant(constant.clone());
                self.questions.test(slot, || Tested::Is(constructor()));
                self.is_constant(slot, constant, rest);
                let is_noted = self.questions.assume(slot, constructor);
                let cells = first.cells[1..].to_vec();
                let row = row_of(cells, first.names, first.clause);
                let done = self.matrix(vec![row], rest, goal, end);
                self.questions.forget(is_noted);
                done
            }
            Pattern::Any | Pattern::Var(_) | Pattern::Alias(..) | Pattern::Cons(..) | Pattern::Tuple(_) => {
                unreachable!("bound or a constructor")
            }
        }
    }

    fn constructor(&self, pattern: &Pattern) -> Option<Constructor> {
        match pattern {
            Pattern::Cons(..) => Some(Constructor::Cons),
            Pattern::Tuple(items) => Some(Constructor::Tuple(items.len())),
            Pattern::Const(Term::Int(value)) => Word::try_small(*value).map(|word| Constructor::Immediate(word.0)),
            Pattern::Const(Term::Atom(atom)) => Some(Constructor::Immediate(Word::atom(*atom).0)),
            Pattern::Const(Term::Nil) => Some(Constructor::Immediate(Word::NIL.0)),
            Pattern::Any
            | Pattern::Var(_)
            | Pattern::Alias(..)
            | Pattern::Const(_)
            | Pattern::Map(_)
            | Pattern::Bits(_) => None,
        }
    }

    /// Compiles one decision over all constructors of the group.
    fn constructors(&mut self, group: Vec<Row<'_>>, slot: Slot, rest: Target, goal: Goal, end: Target) -> Compiled {
        let mut order: Vec<Constructor> = Vec::new();
        let mut by_constructor: FxHashMap<Constructor, Vec<Row<'_>>> = FxHashMap::default();
        for row in group {
            let Cell::Value { pattern, .. } = &row.cells[0] else { continue };
            let Some(constructor) = self.constructor(pattern) else { continue };
            let rows = by_constructor.entry(constructor).or_insert_with(|| {
                order.push(constructor);
                Vec::new()
            });
            rows.push(row);
        }
        let labels: Vec<Target> = order.iter().map(|_| self.label()).collect();
        match order[..] {
            [only] => self.constructor_test(only, slot, rest),
            _ => {
                let switch = switch_of(&order, &labels, rest);
                self.questions.test(slot, || Tested::Other);
                self.switch(slot, switch);
            }
        }
        for (constructor, label) in order.iter().zip(labels) {
            let mark = self.next;
            self.place(label);
            let rows = by_constructor.remove(constructor).unwrap_or_default();
            let is_noted = self.questions.assume(slot, || constructor.for_questions());
            let rows = self.specialise(rows, *constructor, slot)?;
            self.matrix(rows, rest, goal, end)?;
            self.questions.forget(is_noted);
            self.next = mark;
        }
        Ok(())
    }

    fn constructor_test(&mut self, constructor: Constructor, value: Slot, otherwise: Target) {
        self.questions.test(value, || Tested::Is(constructor.for_questions()));
        match constructor {
            Constructor::Immediate(word) => {
                let constant = self.constant_word(Word::from_bits(word));
                self.emit(Instruction::IsImmediate { value, constant, otherwise });
            }
            Constructor::Cons => self.emit(Instruction::IsCons { value, otherwise }),
            Constructor::Tuple(size) => self.emit(Instruction::IsTuple { value, size: size as u16, otherwise }),
        }
    }

    /// Replaces the tested cell of each row by its parts, and loads those that a row uses.
    fn specialise<'p>(&mut self, rows: Vec<Row<'p>>, constructor: Constructor, slot: Slot) -> Compiled<Vec<Row<'p>>> {
        let count = match constructor {
            Constructor::Immediate(_) => 0,
            Constructor::Cons => 2,
            Constructor::Tuple(size) => size,
        };
        let parts: Vec<Vec<&'p Pattern>> = rows
            .iter()
            .map(|row| match &row.cells[0] {
                Cell::Value { pattern: Pattern::Cons(head, tail), .. } => vec![&**head, &**tail],
                Cell::Value { pattern: Pattern::Tuple(items), .. } => items.iter().collect(),
                Cell::Value { .. } | Cell::Bits { .. } => Vec::new(),
            })
            .collect();
        let mut slots = vec![None; count];
        for (index, place) in slots.iter_mut().enumerate() {
            if parts.iter().any(|parts| !matches!(parts[index], Pattern::Any)) {
                let to = self.allocate(1)?;
                *place = Some(to);
                self.questions.load(to, slot, constructor.step(index));
            }
        }
        match (constructor, &slots[..]) {
            (Constructor::Cons, [Some(head), Some(tail)]) => {
                self.emit(Instruction::Uncons { head: *head, tail: *tail, from: slot });
            }
            (Constructor::Cons, [head, tail]) => {
                if let Some(to) = *head {
                    self.emit(Instruction::Head { to, from: slot });
                }
                if let Some(to) = *tail {
                    self.emit(Instruction::Tail { to, from: slot });
                }
            }
            _ => {
                for (index, place) in slots.iter().enumerate() {
                    if let Some(to) = *place {
                        self.emit(Instruction::Element { to, from: slot, index: index as u16 });
                    }
                }
            }
        }
        let specialised = rows.into_iter().zip(parts).map(|(row, parts)| {
            let cells = parts
                .iter()
                .zip(&slots)
                .filter_map(|(pattern, slot)| slot.map(|slot| Cell::Value { slot, pattern }))
                .chain(row.cells[1..].iter().cloned())
                .collect();
            row_of(cells, row.names, row.clause)
        });
        Ok(specialised.collect())
    }

    fn map_pattern(
        &mut self,
        row: Row<'_>,
        map: Slot,
        pairs: &[(Expr, Pattern)],
        rest: Target,
        goal: Goal,
        end: Target,
    ) -> Compiled {
        self.questions.test(map, || Tested::Map);
        self.emit(Instruction::BranchTest { test: Test::Map, value: map, otherwise: rest });
        let mut cells = Vec::new();
        for (key, pattern) in pairs {
            let to = self.allocate(1)?;
            let key = self.keeping(|compiler| compiler.operand(key))?;
            self.questions.load_other(to);
            self.questions.test_other();
            self.emit(Instruction::MapGet { to, map, key, otherwise: rest });
            cells.push(Cell::Value { slot: to, pattern });
        }
        cells.extend(row.cells[1..].iter().cloned());
        let row = row_of(cells, row.names, row.clause);
        self.matrix(vec![row], rest, goal, end)
    }

    #[allow(clippy::too_many_arguments, reason = "the state of one decision")]
    fn segment(
        &mut self,
        group: Vec<Row<'_>>,
        whole: Slot,
        position: Slot,
        segments: &[BitPattern],
        rest: Target,
        goal: Goal,
        end: Target,
    ) -> Compiled {
        let Some(segment) = segments.first() else {
            self.questions.test(whole, || Tested::Segment { left: 0 });
            self.emit(Instruction::BitsEnd { whole, position, otherwise: rest });
            let mut rows = Vec::with_capacity(group.len());
            for row in group {
                let cells = row.cells[1..].to_vec();
                rows.push(row_of(cells, row.names, row.clause));
            }
            return self.matrix(rows, rest, goal, end);
        };
        let wanted = group.iter().any(|row| match &row.cells[0] {
            Cell::Bits { rest, .. } => !matches!(rest[0].value, Pattern::Any),
            Cell::Value { .. } => true,
        });
        let size = match &segment.size {
            BitSize::All => BitsSize::All,
            BitSize::Encoded => BitsSize::Encoded,
            BitSize::Times(size) => match constant_size(size, segment.unit) {
                Some(bits) => BitsSize::Fixed(bits),
                None => {
                    // Such a row is alone in its group: see `reads_alike`.
                    self.slots.extend(group[0].names.iter().copied());
                    BitsSize::Slot(self.keeping(|compiler| compiler.operand(size))?)
                }
            },
        };
        let to = if wanted { Some(self.allocate(1)?) } else { None };
        let next = self.allocate(1)?;
        let kind = Segment { kind: segment.kind, unit: segment.unit, signed: segment.signed, endian: segment.endian };
        let read = self.code.bit_reads.len() as u32;
        self.code.bit_reads.push(BitsRead { whole, position, segment: kind, size, to, next });
        to.into_iter().chain([next]).for_each(|slot| self.questions.load_other(slot));
        match (segment.kind, size) {
            (BitKind::Integer | BitKind::Bits, BitsSize::Fixed(_) | BitsSize::All) => {
                self.questions.test(whole, || Tested::Segment { left: segments.len() as u32 });
            }
            _ => self.questions.test_other(),
        }
        self.emit(Instruction::BitsRead { read, otherwise: rest });
        let mut rows = Vec::with_capacity(group.len());
        for row in group {
            let Cell::Bits { rest: segments, .. } = row.cells[0] else { continue };
            let value = to.map(|slot| Cell::Value { slot, pattern: &segments[0].value });
            let behind = Cell::Bits { whole, position: next, rest: &segments[1..] };
            // After a segment that reads the whole rest, there is nothing left to test.
            let behind = (segments[0].size != BitSize::All).then_some(behind);
            let cells = value.into_iter().chain(behind).chain(row.cells[1..].iter().cloned()).collect();
            rows.push(row_of(cells, row.names, row.clause));
        }
        self.matrix(rows, rest, goal, end)
    }
}

/// Makes a row. Variables become names of slots; the other cells remain to be tested.
fn row_of<'p>(cells: Vec<Cell<'p>>, mut names: Vec<(Var, Slot)>, clause: &'p Clause) -> Row<'p> {
    let mut left = Vec::with_capacity(cells.len());
    for cell in cells {
        match cell {
            Cell::Value { slot, mut pattern } => loop {
                match pattern {
                    Pattern::Any => break,
                    Pattern::Var(var) => {
                        names.push((*var, slot));
                        break;
                    }
                    Pattern::Alias(var, inner) => {
                        names.push((*var, slot));
                        pattern = inner;
                    }
                    Pattern::Const(_) | Pattern::Cons(..) | Pattern::Tuple(_) | Pattern::Map(_) | Pattern::Bits(_) => {
                        left.push(Cell::Value { slot, pattern });
                        break;
                    }
                }
            },
            bits @ Cell::Bits { .. } => left.push(bits),
        }
    }
    Row { cells: left, names, clause }
}

/// Takes `first` and the directly following rows whose first cell is alike.
fn take_alike<'p>(
    first: Row<'p>,
    rows: &mut std::iter::Peekable<std::vec::IntoIter<Row<'p>>>,
    alike: impl Fn(&Cell<'p>) -> bool,
) -> Vec<Row<'p>> {
    let mut group = vec![first];
    while let Some(row) = rows.next_if(|row| row.cells.first().is_some_and(&alike)) {
        group.push(row);
    }
    group
}

/// Returns whether both begin with a segment of the same type and size. Sizes that use variables always differ, because
/// each pattern binds its own variables.
fn reads_alike(a: &[BitPattern], b: &[BitPattern]) -> bool {
    match (a.first(), b.first()) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            a.kind == b.kind
                && a.unit == b.unit
                && a.signed == b.signed
                && a.endian == b.endian
                && match (&a.size, &b.size) {
                    (BitSize::All, BitSize::All) | (BitSize::Encoded, BitSize::Encoded) => true,
                    (BitSize::Times(Expr::Const(a)), BitSize::Times(Expr::Const(b))) => a == b,
                    _ => false,
                }
        }
        _ => false,
    }
}

fn constant_size(size: &Expr, unit: u16) -> Option<u32> {
    match size {
        Expr::Const(Term::Int(count)) => fixed_size(*count, unit),
        _ => None,
    }
}

fn switch_of(order: &[Constructor], labels: &[Target], otherwise: Target) -> Switch {
    let mut immediates = Vec::new();
    let mut tuples = Vec::new();
    let mut cons = otherwise;
    for (constructor, &label) in order.iter().zip(labels) {
        match constructor {
            Constructor::Immediate(word) => immediates.push((Word::from_bits(*word), label)),
            Constructor::Cons => cons = label,
            Constructor::Tuple(size) => tuples.push((*size as u32, label)),
        }
    }
    Switch { immediates: immediates_of(immediates, otherwise), cons, tuples, otherwise, ways: OnceLock::new() }
}

fn immediates_of(cases: Vec<(Word, Target)>, otherwise: Target) -> Immediates {
    const FEW: usize = 4;
    if cases.len() <= FEW {
        return Immediates::Few(cases);
    }
    let smalls: Option<Vec<i64>> = cases.iter().map(|(word, _)| word.as_small()).collect();
    if let Some(values) = smalls
        && let (Some(&low), Some(&high)) = (values.iter().min(), values.iter().max())
        && high.checked_sub(low).is_some_and(|span| span < 4 * cases.len() as i64)
    {
        let mut targets = vec![otherwise; (high - low) as usize + 1];
        for (value, (_, target)) in values.iter().zip(&cases) {
            targets[(value - low) as usize] = *target;
        }
        return Immediates::Dense { low, targets };
    }
    Immediates::Many(cases.into_iter().map(|(word, target)| (word.0, target)).collect())
}
