//! The tiers that need only the knowledge about single cells.

use super::bounds;
use super::screen::decide;
use crate::tier::{Tier, Tools};
use crate::walk::each_operator;
use crate::{Answer, Query, Refuter, Screened, TierName};
use formula::Operator;

/// Decides queries as the screening does, and evaluates all conditions with the solution that it finds.
pub(crate) struct Guesses;

impl Tier for Guesses {
    fn answer(&mut self, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer> {
        if query.is_screened && !is_sampled(query) {
            return None;
        }
        let mut held = query.take_held();
        let screened = decide(query.formulas, query.parent, &mut held, query.wanted);
        query.put_held(held);
        match screened {
            Screened::Sat(model) => {
                let answer = query.solution(model, TierName::Guesses);
                tools.defects += u64::from(answer.is_none());
                answer
            }
            Screened::Unsat => Some(Answer::Unsat { by: TierName::Guesses, refuter: Refuter::Native }),
            Screened::Open | Screened::Late => None,
        }
    }
}

/// Returns whether the conditions depend on functions that may have been sampled since the screening.
fn is_sampled(query: &mut Query<'_>) -> bool {
    let mut slice = query.take_slice();
    let is_sampled = slice.sampled(query.formulas).is_some();
    query.put_slice(slice);
    is_sampled
}

/// Refutes conditions that are beyond the bounds of arithmetic.
pub(crate) struct Bounds;

impl Tier for Bounds {
    fn answer(&mut self, query: &mut Query<'_>, _: &mut Tools) -> Option<Answer> {
        let is_arithmetic = |operator: &Operator| matches!(operator, Operator::Arithmetic(..) | Operator::Numeric(..));
        if !each_operator(query.formulas, &[query.wanted]).any(is_arithmetic) {
            return None;
        }
        let mut slice = query.take_slice();
        let (conditions, state) = slice.with_state(query.formulas);
        let is_refuted = bounds::refutes(query.formulas, state, conditions, query.wanted);
        query.put_slice(slice);
        is_refuted.then_some(Answer::Unsat { by: TierName::Bounds, refuter: Refuter::Native })
    }
}
