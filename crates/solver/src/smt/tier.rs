//! The tiers that ask the SMT solver.

use super::samples::solve_step_by_step;
use super::{Manner, Solved, meets, solve};
use crate::tier::{Tier, Tools};
use crate::walk::is_hard;
use crate::{Answer, Query, Refuter, Solution, TierName, Unknown};

/// Asks the SMT solver about the slice. Models that do not hold become proposals to later tiers.
pub(crate) struct Smt;

impl Tier for Smt {
    fn answer(&mut self, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer> {
        let mut slice = query.take_slice();
        let solved = match (&mut tools.smt, slice.sampled(query.formulas)) {
            (Ok(process), Some((conditions, functions))) => solve_step_by_step(process, query, functions, conditions),
            (Ok(process), None) => solve(process, query, &mut slice, Manner::Wishing),
            (Err(_), Some((_, functions))) => Solved::unknown(Unknown::KnownBySamples(functions.names(query.formulas))),
            (Err(_), None) => Solved::unknown(Unknown::NoSmtSolver),
        };
        query.put_slice(slice);
        match solved {
            Solved::Sat(model, values) => Some(Answer::Sat(Solution { by: TierName::Smt, values, model })),
            Solved::Unsat(id) => Some(Answer::Unsat { by: TierName::Smt, refuter: Refuter::Smt(id) }),
            Solved::Unknown { why, near } => {
                tools.defects += u64::from(near.is_some());
                query.proposals.extend(near);
                query.unknown = Some(why);
                None
            }
        }
    }
}

/// Proposes values that meet the linear conditions, if others are beyond the SMT solver and nothing else was proposed.
pub(crate) struct LinearPart;

impl Tier for LinearPart {
    fn answer(&mut self, query: &mut Query<'_>, tools: &mut Tools) -> Option<Answer> {
        let process = tools.smt.as_mut().ok()?;
        if !query.proposals.is_empty() || query.unknown == Some(Unknown::NotOverReals) {
            return None;
        }
        let slice = query.take_slice();
        let conditions = slice.conditions.clone();
        query.put_slice(slice);
        let (hard, linear): (Vec<_>, Vec<_>) =
            conditions.into_iter().partition(|condition| is_hard(query.formulas, &[*condition]));
        if !hard.is_empty() {
            let near = meets(process, query, linear);
            query.proposals.extend(near);
        }
        None
    }
}
