//! The order in which OTP's pattern compiler reaches the bodies of clauses: only the numbers in the names of lifted
//! functions depend on it.
//!
//! This is the classic algorithm by columns: clauses are cut into runs with and without a variable in the first column,
//! the last run is compiled first, and within a run the constructors are grouped by type; the second pass does the
//! reverse. Bitstrings are not inspected, so their order is a guess.

use super::names::Pass;
use program::{Clause, Pattern};
use term::Term;

pub(super) fn compile_order(clauses: &[Clause], pass: Pass) -> Vec<usize> {
    let rows = clauses
        .iter()
        .enumerate()
        .map(|(clause, c)| Row {
            clause,
            guarded: c.guard.is_some(),
            columns: c.patterns.iter().rev().map(Column::of).collect(),
        })
        .collect();
    let mut order = Vec::with_capacity(clauses.len());
    compile(rows, pass, &mut order);
    order
}

struct Row<'a> {
    clause: usize,
    guarded: bool,
    /// The columns, the next one last.
    columns: Vec<Column<'a>>,
}

#[derive(Clone, Copy)]
enum Column<'a> {
    Pattern(&'a Pattern),
    Constant(&'a Term),
    /// The remaining items of a constant list.
    Items(&'a [Term]),
}

/// The kinds of patterns, in the order of compilation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Bits,
    /// A constant structure that is the only one of its kind.
    LoneLiteral,
    Cons,
    Tuple,
    Map,
    Atom,
    Float,
    Integer,
    Nil,
    Variable,
}

impl<'a> Column<'a> {
    fn of(pattern: &'a Pattern) -> Column<'a> {
        match pattern {
            Pattern::Alias(_, inner) => Column::of(inner),
            Pattern::Const(term) => Column::Constant(term),
            other => Column::Pattern(other),
        }
    }

    fn kind(self) -> Kind {
        match self {
            Column::Items(_) => Kind::Cons,
            Column::Constant(term) => match term {
                Term::Int(_) | Term::Big(_) => Kind::Integer,
                Term::Float(_) => Kind::Float,
                Term::Atom(_) => Kind::Atom,
                Term::Nil => Kind::Nil,
                Term::List(..) => Kind::Cons,
                Term::Tuple(_) => Kind::Tuple,
                Term::Map(_) => Kind::Map,
                Term::Bits(_) => Kind::Bits,
                Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => Kind::LoneLiteral,
            },
            Column::Pattern(pattern) => match pattern {
                Pattern::Any | Pattern::Var(_) => Kind::Variable,
                Pattern::Alias(_, inner) => Column::of(inner).kind(),
                Pattern::Const(term) => Column::Constant(term).kind(),
                Pattern::Cons(..) => Kind::Cons,
                Pattern::Tuple(_) => Kind::Tuple,
                Pattern::Map(_) => Kind::Map,
                Pattern::Bits(_) => Kind::Bits,
            },
        }
    }

    /// Returns whether two columns of the same kind have the same constructor.
    fn same_value(self, other: Column<'a>) -> bool {
        match (self, other) {
            (Column::Pattern(Pattern::Tuple(one)), Column::Pattern(Pattern::Tuple(two))) => one.len() == two.len(),
            (Column::Pattern(Pattern::Map(one)), Column::Pattern(Pattern::Map(two))) => {
                one.len() == two.len() && one.iter().zip(two).all(|((key, _), (other, _))| key == other)
            }
            (Column::Constant(one), Column::Constant(two)) => self.kind() == Kind::Cons || one == two,
            _ => true,
        }
    }

    /// Returns the parts in order.
    fn parts(self) -> Vec<Column<'a>> {
        match self {
            Column::Items(items) => list_parts(items),
            Column::Constant(Term::List(items, _)) => list_parts(items),
            Column::Pattern(Pattern::Cons(head, tail)) => vec![Column::of(head), Column::of(tail)],
            Column::Pattern(Pattern::Tuple(elements)) => elements.iter().map(Column::of).collect(),
            Column::Pattern(Pattern::Map(pairs)) => pairs.iter().map(|(_, value)| Column::of(value)).collect(),
            Column::Constant(_) | Column::Pattern(_) => Vec::new(),
        }
    }

    fn is_constant_structure(self) -> bool {
        !self.parts().is_empty() && self.parts().into_iter().all(|part| part.is_constant())
    }

    fn is_constant(self) -> bool {
        super::expr::grow(|| match self {
            Column::Items(_) | Column::Constant(_) => true,
            Column::Pattern(Pattern::Cons(..) | Pattern::Tuple(_)) => self.parts().into_iter().all(Column::is_constant),
            Column::Pattern(_) => false,
        })
    }
}

static NIL: Term = Term::Nil;

fn list_parts(items: &[Term]) -> Vec<Column<'_>> {
    match items {
        [] => Vec::new(),
        [last] => vec![Column::Constant(last), Column::Constant(&NIL)],
        [head, tail @ ..] => vec![Column::Constant(head), Column::Items(tail)],
    }
}

fn compile(rows: Vec<Row<'_>>, pass: Pass, order: &mut Vec<usize>) {
    super::expr::grow(|| {
        if rows.first().is_none_or(|row| row.columns.is_empty()) {
            if pass == Pass::Second {
                order.extend(rows.iter().filter(|row| row.guarded).rev().map(|row| row.clause));
                order.extend(rows.iter().filter(|row| !row.guarded).map(|row| row.clause));
            } else {
                order.extend(rows.iter().map(|row| row.clause));
            }
            return;
        }
        let mut runs: Vec<Vec<(Column<'_>, Row<'_>)>> = Vec::new();
        for mut row in rows {
            let Some(column) = row.columns.pop() else { continue };
            let is_variable = column.kind() == Kind::Variable;
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(|(last, _)| (last.kind() == Kind::Variable) == is_variable) => {
                    run.push((column, row));
                }
                _ => runs.push(vec![(column, row)]),
            }
        }
        if pass == Pass::First {
            runs.reverse();
        }
        for run in runs {
            if run.first().is_some_and(|(column, _)| column.kind() == Kind::Variable) {
                compile(run.into_iter().map(|(_, row)| row).collect(), pass, order);
            } else {
                compile_constructors(run, pass, order);
            }
        }
    });
}

fn compile_constructors<'a>(run: Vec<(Column<'a>, Row<'a>)>, pass: Pass, order: &mut Vec<usize>) {
    let mut counts = [0usize; Kind::Variable as usize + 1];
    for (column, _) in &run {
        counts[column.kind() as usize] += 1;
    }
    let mut groups: Vec<(Kind, Column<'a>, Vec<Row<'a>>)> = Vec::new();
    for (column, mut row) in run {
        let mut kind = column.kind();
        if counts[kind as usize] == 1 && column.is_constant_structure() {
            kind = Kind::LoneLiteral;
        }
        row.columns.extend(column.parts().into_iter().rev());
        let same =
            |(other, value, _): &&mut (Kind, Column<'a>, Vec<Row<'a>>)| *other == kind && column.same_value(*value);
        // Map patterns overlap, so only neighbours are grouped.
        let group = match kind {
            Kind::LoneLiteral => None,
            Kind::Map => groups.last_mut().filter(|group| same(group)),
            _ => groups.iter_mut().find(|group| same(group)),
        };
        match group {
            Some((_, _, rows)) => rows.push(row),
            None => groups.push((kind, column, vec![row])),
        }
    }
    groups.sort_by_key(|(kind, ..)| *kind);
    if pass == Pass::Second {
        groups.reverse();
    }
    for (_, _, rows) in groups {
        compile(rows, pass, order);
    }
}
