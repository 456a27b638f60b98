//! Whether a failure is about an alternative of a declared union: the call with other values of the same alternative fails
//! likewise, and with a value of another one it returns.
//!
//! Such a failure says more than that of a single value: the specification names something that the code does not take.

use crate::judge::{Judged, Key};
use crate::minimise::{part_at, with_part};
use crate::runner::{Inputs, Runner};
use crate::simplify::smallest;
use crate::{Failure, RefusedAlternative};
use formula::{Alternative, TypeId, Types, Variable};
use path::has_functions;
use term::Term;

/// Runs for one finding.
const MOST_RUNS: usize = 32;
/// How deep inside of an argument unions are looked for.
const DEEPEST: usize = 2;
/// Values of another alternative that are tried.
const MOST_OTHERS: usize = 2;

struct Contrast<'a, 'm> {
    runner: &'a mut Runner<'m>,
    inputs: &'a Inputs,
    key: Key,
    steps: u64,
    runs: usize,
}

/// Of a crash, the alternative that is refused where others are taken, if there is one.
pub fn refused_alternative(
    runner: &mut Runner<'_>,
    inputs: &Inputs,
    failure: &Failure,
    steps: u64,
) -> Option<RefusedAlternative> {
    let is_data = inputs.written.as_ref().is_none_or(|written| written.is_data());
    if !matches!(failure, Failure::Crash(_)) || !is_data {
        return None;
    }
    let key = Key::of_inputs(failure, runner.unit, inputs);
    let mut contrast = Contrast { runner, inputs, key, steps, runs: MOST_RUNS };
    let arguments = inputs.form.args.iter().filter(|arg| arg.is_argument()).enumerate();
    let data: Vec<(usize, Variable)> =
        arguments.filter_map(|(index, arg)| arg.as_data().map(|variable| (index, *variable))).collect();
    data.into_iter().find_map(|(argument, variable)| {
        let taken = contrast.taken_instead(variable)?;
        Some(RefusedAlternative { argument, taken })
    })
}

impl Contrast<'_, '_> {
    /// A value with which the call returns, if the piece of data has a part whose alternative is refused.
    fn taken_instead(&mut self, variable: Variable) -> Option<Term> {
        let types = std::sync::Arc::clone(&self.runner.unit.contract.types);
        let declared = *self.inputs.form.declared.get(variable.0 as usize)?;
        let whole = self.inputs.values.get(&variable)?.clone();
        let mut open: Vec<(Vec<usize>, TypeId)> = vec![(Vec::new(), declared)];
        while let Some((place, of)) = open.pop() {
            let Some(part) = part_at(&whole, &place) else { continue };
            if let Some(taken) = self.contrast(&types, variable, &whole, &place, of) {
                return Some(taken);
            }
            if place.len() < DEEPEST {
                let inner = parts_with_types(&types, of, part);
                open.extend(inner.map(|(index, of)| ([place.as_slice(), &[index]].concat(), of)));
            }
        }
        None
    }

    /// Compares the alternatives of one part of a piece of data.
    fn contrast(
        &mut self,
        types: &Types,
        variable: Variable,
        whole: &Term,
        place: &[usize],
        of: TypeId,
    ) -> Option<Term> {
        let part = part_at(whole, place)?;
        let alternatives = types.alternatives(of);
        let own = types.alternative_of(of, part).filter(|_| alternatives.len() > 1)?;
        // Structures inside of others are often built by hand, and fit together with what stands beside them only.
        if !place.is_empty() && !matches!(own, Alternative::Atom(_)) {
            return None;
        }
        let mut others = Vec::new();
        for alternative in alternatives.into_iter().filter(|alternative| *alternative != own) {
            others.extend(types.examples(of, alternative).into_iter().take(MOST_OTHERS));
        }
        let with = |example: &Term| with_part(whole, place, example).filter(|term| !has_functions(term));
        let mut taken = None;
        for other in others.iter().filter_map(with) {
            if matches!(self.judged(&self.inputs.with(variable, other.clone()))?, Judged::Fine) {
                taken = Some(other);
                break;
            }
        }
        let taken = taken?;
        let same: Vec<Term> =
            types.examples(of, own).iter().filter(|example| *example != part).filter_map(with).collect();
        // An atom that the type names is the only value of its alternative: it is refused if it is whatever stands beside it.
        let is_refused = match (own, same.is_empty()) {
            (Alternative::Atom(_), _) => self.fails(self.alone(types, variable))?,
            (_, true) => false,
            (_, false) => {
                let mut all = true;
                for value in same {
                    all = all && self.fails(self.inputs.with(variable, value))?;
                }
                all
            }
        };
        is_refused.then_some(taken)
    }

    /// One piece of data as it is, and the smallest values for all others.
    fn alone(&self, types: &Types, variable: Variable) -> Inputs {
        let mut inputs = self.inputs.clone();
        for (index, of) in self.inputs.form.declared.iter().enumerate() {
            let other = Variable(index as u32);
            if let Some(smallest) = smallest(types, *of).filter(|_| other != variable) {
                inputs = inputs.with(other, smallest);
            }
        }
        inputs
    }

    /// Whether inputs show the same failure.
    fn fails(&mut self, inputs: Inputs) -> Option<bool> {
        let judged = self.judged(&inputs)?;
        let Judged::Failed(failure) = judged else { return Some(false) };
        Some(Key::of_inputs(&failure, self.runner.unit, &inputs) == self.key)
    }

    fn judged(&mut self, inputs: &Inputs) -> Option<Judged> {
        self.runs = self.runs.checked_sub(1)?;
        Some(self.runner.concrete(inputs, self.steps).judged)
    }
}

/// The elements of a tuple, or the first item of a list, with their types where these are known without doubt.
fn parts_with_types(types: &Types, of: TypeId, part: &Term) -> impl Iterator<Item = (usize, TypeId)> {
    let node = types.node(of);
    let found: Vec<(usize, TypeId)> = match (part, types.alternative_of(of, part)) {
        (Term::Tuple(_), Some(Alternative::Tuple(index))) => node.tuples[index].iter().copied().enumerate().collect(),
        (Term::List(..), Some(Alternative::Lists)) => match &node.cons[..] {
            [cons] => vec![(0, cons.head)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    found.into_iter()
}
