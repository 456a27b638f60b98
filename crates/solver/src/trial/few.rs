//! Tries all values of inputs that have only a few. If none of them is a solution, there is no solution.

use crate::tier::{Tier, Tools};
use crate::{Answer, Query, Refuter, Solution, TierName};
use formula::{Assignment, Evaluation, TermId, Variable};
use term::{Term, order};

/// The largest number of evaluations of conditions for one query.
const MOST_TRIES: usize = 20_000;

/// Tries all values of inputs that have few.
pub(crate) struct FewValues;

impl Tier for FewValues {
    /// Returns no answer if there are too many values, or if some condition has no value with some of them.
    fn answer(&mut self, query: &mut Query<'_>, _: &mut Tools) -> Option<Answer> {
        let slice = query.take_slice();
        let answer = solve(query, &slice.conditions);
        query.put_slice(slice);
        answer
    }
}

fn solve(query: &mut Query<'_>, slice: &[TermId]) -> Option<Answer> {
    let mut variables: Vec<Variable> = slice.iter().flat_map(|id| query.formulas.variables(*id)).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut left = MOST_TRIES / slice.len().max(1);
    let mut domains = Vec::with_capacity(variables.len());
    for variable in variables {
        let types = query.formulas.types();
        let mut values = types.constants(query.formulas.declared(variable))?;
        left /= values.len().max(1);
        if left == 0 {
            return None;
        }
        // The parent's value comes first, so that little changes.
        let old = query.parent.get(&variable);
        values.sort_by_key(|value| !old.is_some_and(|old| order::identical(old, value)));
        domains.push((variable, values));
    }
    let mut values: Assignment = query.parent.clone();
    match search(query, slice, &domains, &mut values) {
        // The values satisfy the slice, but may break conditions beyond it.
        Tried::Found if query.is_satisfied_by(&values) => {
            let model = query.model_of(&values);
            Some(Answer::Sat(Solution { by: TierName::FewValues, values, model }))
        }
        Tried::None => Some(Answer::Unsat { by: TierName::FewValues, refuter: Refuter::Native }),
        Tried::Found | Tried::Unsure => None,
    }
}

enum Tried {
    Found,
    None,
    Unsure,
}

fn search(query: &Query<'_>, slice: &[TermId], domains: &[(Variable, Vec<Term>)], values: &mut Assignment) -> Tried {
    let Some(((variable, domain), rest)) = domains.split_first() else {
        let mut evaluation = Evaluation::new(query.formulas, values).learning(query.learner);
        for condition in slice {
            match evaluation.holds(*condition) {
                Some(true) => {}
                Some(false) => return Tried::None,
                None => return Tried::Unsure,
            }
        }
        return Tried::Found;
    };
    let mut sure = true;
    for value in domain {
        values.insert(*variable, value.clone());
        match search(query, slice, rest, values) {
            Tried::Found => return Tried::Found,
            Tried::None => {}
            Tried::Unsure => sure = false,
        }
    }
    if sure { Tried::None } else { Tried::Unsure }
}
