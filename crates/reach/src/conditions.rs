//! The conditions of a way, and minimal sets of contradicting conditions.

use crate::evaluate::{Result, Stop, Way};
use crate::index::FunctionRef;
use crate::walk::Words;
use formula::{Assignment, Nobody, TermId, Variable};
use program::Span;
use solver::{Answer, Opinion, Query, Refuter, Screened, ScreeningStep};
use term::Atom;

/// A condition that must hold for the way to reach the target.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    pub formula: TermId,
    /// The condition as first required. Arguments that became known later may have decided it.
    pub said: TermId,
    pub function: FunctionRef,
    pub span: Span,
}

/// A condition as text for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed {
    pub module: Atom,
    pub file: String,
    pub line: u32,
    pub words: String,
}

/// Conditions that cannot hold together. Empty if the way needs a value that no expression can deliver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refutation {
    pub needed: Vec<Needed>,
}

/// The maximum number of conditions that are minimised.
const MOST_MINIMISED: usize = 60;

impl Way<'_, '_> {
    /// Adds a condition, evaluated as far as necessary.
    pub fn require(&mut self, condition: TermId) -> Result<()> {
        self.require_said(condition, None)
    }

    fn require_said(&mut self, condition: TermId, said: Option<TermId>) -> Result<()> {
        let formula = self.force(condition)?;
        let said = said.unwrap_or(if self.formulas.as_boolean(formula).is_some() { condition } else { formula });
        match self.formulas.as_boolean(formula) {
            Some(true) => return Ok(()),
            decided => {
                let (function, span) = self.place;
                if self.conditions.iter().any(|known| known.formula == formula) {
                    return Ok(());
                }
                self.conditions.push(Condition { formula, said, function, span });
                if decided == Some(false) {
                    return Err(Stop::Refuted);
                }
            }
        }
        let all: Vec<TermId> = self.conditions.iter().map(|condition| condition.formula).collect();
        if self.is_refuted_natively(&all) { Err(Stop::Refuted) } else { Ok(()) }
    }

    /// Returns whether the native tiers find that conditions contradict each other.
    fn is_refuted_natively(&mut self, conditions: &[TermId]) -> bool {
        let Some((last, before)) = conditions.split_last() else { return false };
        let mut steps: Vec<ScreeningStep> =
            before.iter().map(|held| ScreeningStep { held: *held, others: Vec::new() }).collect();
        steps.push(ScreeningStep { held: *last, others: vec![*last] });
        let values = self.some_values();
        let answers = self.solver.screen(&mut self.formulas, &values, &steps);
        matches!(answers.last().map(Vec::as_slice), Some([Screened::Unsat]))
    }

    /// Returns arbitrary values of the variables, for tiers that start from values.
    pub fn some_values(&self) -> Assignment {
        let mut values = Assignment::default();
        for condition in &self.conditions {
            for variable in self.formulas.variables(condition.formula) {
                values.entry(variable).or_insert_with(|| {
                    let of = self.formulas.declared(variable);
                    self.formulas.types().smallest(of).unwrap_or(term::Term::Nil)
                });
            }
        }
        values
    }

    /// Returns whether a solver refutes the conjunction of conditions that may each hold alone.
    pub fn is_refuted(&mut self, conditions: &[TermId]) -> bool {
        if conditions.iter().any(|condition| self.formulas.as_boolean(*condition) == Some(false)) {
            return true;
        }
        if self.is_refuted_natively(conditions) {
            return true;
        }
        let values = self.some_values();
        let wanted = self.all_of(conditions);
        self.refutes(wanted, &values)
    }

    /// Returns whether the solver refutes a condition. A refutation by an SMT solver is checked by a second one.
    pub fn refutes(&mut self, wanted: TermId, values: &Assignment) -> bool {
        let query = &mut Query::new(&mut self.formulas, values, &[], wanted, &Nobody);
        match self.solver.solve(query) {
            Answer::Unsat { refuter: Refuter::Native, .. } => true,
            Answer::Unsat { refuter: Refuter::Smt(_), .. } => {
                !matches!(self.solver.recheck(query), Opinion::Disagrees { .. })
            }
            Answer::Sat(_) | Answer::Unknown(_) => false,
        }
    }

    pub fn all_of(&mut self, conditions: &[TermId]) -> TermId {
        let mut all = self.formulas.boolean(true);
        for condition in conditions {
            all = self.formulas.and(all, *condition);
        }
        all
    }

    /// Updates the conditions after parameters have been replaced by arguments.
    pub fn renew_conditions(&mut self) -> Result<()> {
        let before = std::mem::take(&mut self.conditions);
        for condition in before {
            self.place = (condition.function, condition.span);
            self.require_said(condition.formula, Some(condition.said))?;
        }
        Ok(())
    }

    /// Returns a minimal set of conditions that contradict each other, as text.
    pub fn refutation(&mut self, words: &dyn Words) -> Refutation {
        let mut core: Vec<Condition> = self.conditions.clone();
        if let Some(never) = core.iter().find(|condition| self.formulas.as_boolean(condition.formula) == Some(false)) {
            core = vec![*never];
        } else if core.len() <= MOST_MINIMISED {
            let mut index = 0;
            while index < core.len() && core.len() > 1 {
                let without: Vec<TermId> = core
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != index)
                    .map(|(_, condition)| condition.formula)
                    .collect();
                if self.is_refuted(&without) {
                    core.remove(index);
                } else {
                    index += 1;
                }
            }
        }
        let name = |variable: Variable| {
            let (activation, parameter) = *self.parameters.get(&variable)?;
            let function = self.activations.get(activation)?.function;
            Some((self.graph.program.name_of(function), parameter))
        };
        let needed = core.iter().map(|condition| {
            let module = self.graph.program.module(condition.function);
            Needed {
                module: module.name,
                file: module.files.get(condition.span.file as usize).cloned().unwrap_or_default(),
                line: condition.span.line,
                words: words.condition(&self.formulas, condition.said, &name),
            }
        });
        Refutation { needed: needed.collect() }
    }
}
