//! Comparison of every formula with the concrete function of its row: evaluated on constants, both have a value for the
//! same arguments, and the same value.

use crate::bifs::testing::{context, everything, owned, source_of};
use crate::bifs::{all, natives, summaries};
use formula::{Assignment, Formulas, TermId, Variable, evaluate, holds};
use machine::value::copy_in;
use machine::{Context, Domain, Escape, Meaning, Primitive, Symbolic, Word};
use term::Term;

/// Returns the rows with a formula, including formulas for a map that is an input.
fn rows() -> impl Iterator<Item = (&'static Primitive, Symbolic)> {
    let natives = natives::TABLES.iter().copied().flatten();
    all().chain(natives).chain(summaries()).filter_map(|row| match row.meaning {
        Meaning::Term(symbolic) | Meaning::Keyed { whole: symbolic, .. } => Some((row, symbolic)),
        Meaning::Prelude(..)
        | Meaning::Opened(_)
        | Meaning::Effect(_)
        | Meaning::Opaque(_)
        | Meaning::Sampled { .. } => None,
    })
}

/// Returns texts and parts, of which the general values have too few.
fn values() -> Vec<Term> {
    let texts =
        ["", "1", "-1", "+7", "-", "1.5", "-2.5e3", "1.0e400", "1e5", "12a", "0012", "1,5", "99999999999999999999"];
    let mut values = everything();
    for text in texts {
        values.push(Term::string(text));
        values.push(Term::binary(text.as_bytes().to_vec()));
    }
    let ints = |items: &[i64]| Term::list(items.iter().map(|item| Term::Int(*item)).collect::<Vec<_>>());
    values.extend([ints(&[305]), ints(&[0xd800]), ints(&[8364, 128_512]), ints(&[-1]), ints(&[256 + 45, 49])]);
    values.extend([Term::string(&"x".repeat(255)), Term::string(&"x".repeat(256))]);
    values.extend([vec![0xc3, 0xa4], vec![0xc3], vec![0xff], vec![0x31, 0, 0x32]].map(Term::binary));
    values
}

/// Returns arguments for a row: all combinations of values in its domain, or many of them.
fn arguments(context: &mut Context, row: &Primitive, values: &[Term]) -> Vec<Vec<Term>> {
    const MANY: usize = 20_000;
    let fitting = |domain: &Domain| -> Vec<Term> {
        let fits = |value: &&Term| domain.contains(copy_in(&mut context.heap, value));
        values.iter().filter(fits).cloned().collect()
    };
    let columns: Vec<Vec<Term>> = row.domain.iter().map(fitting).collect();
    let all: usize = columns.iter().map(Vec::len).product();
    let step = if all > MANY { (all / MANY) | 1 } else { 1 };
    (0..all)
        .step_by(step)
        .map(|number| {
            let mut choice = number;
            let mut take = |column: &Vec<Term>| {
                let value = column[choice % column.len()].clone();
                choice /= column.len();
                value
            };
            columns.iter().map(&mut take).collect()
        })
        .collect()
}

/// Returns the value according to the formulas, if there is one. If the arguments are constants, the constructors fold
/// them; if they are variables, they are evaluated.
fn said(symbolic: &Symbolic, args: &[Term], folded: bool) -> Result<Term, String> {
    let mut formulas = Formulas::default();
    let mut assignment = Assignment::default();
    let ids: Vec<TermId> = args
        .iter()
        .zip(0..)
        .map(|(arg, number)| {
            if folded {
                return formulas.constant(arg.clone());
            }
            assignment.insert(Variable(number), arg.clone());
            formulas.variable(Variable(number))
        })
        .collect();
    if let Some(requires) = symbolic.requires {
        let requires = requires(&mut formulas, &ids);
        match holds(&formulas, requires, &assignment) {
            Some(true) => {}
            Some(false) => return Err("raises".to_string()),
            None => return Err("no condition".to_string()),
        }
    }
    let result = (symbolic.result)(&mut formulas, &ids);
    evaluate(&formulas, result, &assignment).ok_or_else(|| "no value".to_string())
}

#[test]
fn formulas_say_what_rows_do() {
    let mut differences = Vec::new();
    let values = values();
    let mut count = 0;
    for (row, symbolic) in rows() {
        let mut context = context();
        for args in arguments(&mut context, row, &values) {
            let words: Vec<Word> = args.iter().map(|arg| copy_in(&mut context.heap, arg)).collect();
            let concrete = match (row.concrete)(&mut context, &words) {
                Ok(value) => Ok(owned(value)),
                Err(Escape::Raise) => {
                    context.take_exception();
                    // The prelude has checked this before.
                    if row.name == "bits_slice" {
                        continue;
                    }
                    Err("raises".to_string())
                }
                Err(_) => continue,
            };
            count += 1;
            // The prelude uses these only with lists that are constant, and with constant arities.
            let constants_only = row.module == "beagle_native" && ["member", "is_function"].contains(&row.name);
            for folded in [false, true].into_iter().filter(|folded| *folded || !constants_only) {
                let said = said(&symbolic, &args, folded);
                if format!("{said:?}") != format!("{concrete:?}") {
                    let call = source_of(row.module, row.name, &args);
                    differences.push(format!("{call}\n  row     {concrete:?}\n  formula {said:?} folded: {folded}"));
                }
            }
            if context.heap.used() > 1 << 20 {
                context = self::context();
            }
        }
    }
    assert!(count > 100_000, "{count} calls");
    let number = differences.len();
    differences.truncate(60);
    assert!(number == 0, "{number} of {count} calls differ:\n{}", differences.join("\n"));
}
