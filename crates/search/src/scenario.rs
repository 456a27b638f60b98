//! Finds simpler scenarios of a client, as long as a test accepts them: fewer steps, smaller arguments.

use crate::shrink::shrink;
use crate::simplify::{Test, smallest};
use formula::{TypeId, Types};
use path::{Argument, Scenario, Witness};
use std::sync::Arc;
use term::Term;

/// Tries simpler scenarios, one change at a time. Returns the simplest accepted one; `None` if enough was tried.
pub fn simpler_scenario(witness: Witness, types: &Types, test: &mut Test<'_>) -> Option<Witness> {
    let Some(mut best) = witness.scenario.as_deref().cloned() else { return Some(witness) };
    let with = |scenario: Scenario| Witness { scenario: Some(Arc::new(scenario)), ..witness.clone() };
    for step in (0..best.steps.len() as u32).rev() {
        if let Some(fewer) = best.without(step)
            && test(with(fewer.clone()))?
        {
            best = fewer;
        }
    }
    for place in places(&best) {
        let Some((value, of)) = data_at(&mut best, &place).map(|(value, of)| (value.clone(), of)) else { continue };
        let mut in_place = |term: &Term| {
            let mut changed = best.clone();
            if let Some((value, _)) = data_at(&mut changed, &place) {
                *value = term.clone();
            }
            test(with(changed))
        };
        let plain = smallest(types, of).filter(|plain| *plain != value);
        let simpler = match plain {
            Some(plain) if in_place(&plain)? => plain,
            _ => shrink(&value, &mut |term: &Term| match types.contains(of, term) {
                true => in_place(term),
                false => Some(false),
            })?,
        };
        if let Some((value, _)) = data_at(&mut best, &place) {
            *value = simpler;
        }
    }
    Some(with(best))
}

/// The place of data: the step, and the path to the part of its arguments.
type Place = (usize, Vec<usize>);

fn places(scenario: &Scenario) -> Vec<Place> {
    let mut places = Vec::new();
    for (number, step) in scenario.steps.iter().enumerate() {
        let arguments = step.act.arguments().into_iter().enumerate();
        let mut open: Vec<(&Argument, Vec<usize>)> = arguments.map(|(index, it)| (it, vec![index])).collect();
        while let Some((argument, at)) = open.pop() {
            if matches!(argument, Argument::Data { .. }) {
                places.push((number, at.clone()));
            }
            for (index, part) in argument.parts().into_iter().enumerate() {
                open.push((part, [at.as_slice(), &[index]].concat()));
            }
        }
    }
    places
}

fn data_at<'s>(scenario: &'s mut Scenario, (step, at): &Place) -> Option<(&'s mut Term, TypeId)> {
    let (first, rest) = at.split_first()?;
    let mut argument = scenario.steps.get_mut(*step)?.act.arguments_mut().into_iter().nth(*first)?;
    for index in rest {
        argument = argument.parts_mut().into_iter().nth(*index)?;
    }
    match argument {
        Argument::Data { value, of } => Some((value, *of)),
        Argument::Fixed(_) | Argument::Part { .. } | Argument::Tuple(_) | Argument::List(_) | Argument::Map { .. } => {
            None
        }
    }
}
