//! Applies results of the unit that are functions.

use super::{Applied, DEEPEST_RESULT, Play, number};
use crate::parts::{Found, functions_in, observed};
use crate::scope::{FunctionsInScope, Scoped};
use formula::Types;
use machine::{Context, Escape, Word};
use path::{Broken, Concretised, Labels, Part, Place, Stop, belongs};
use term::Atom;

impl Play {
    /// Checks a result and chooses how to go on: `done` or `{apply, Function, Args, Scope}`.
    pub(super) fn go_on(
        &mut self,
        context: &mut Context,
        result: Word,
        depth: Word,
        scope: Word,
    ) -> Result<Word, Escape> {
        let depth = number(context, depth)?;
        let done = Ok(Word::atom(Atom::new("done")));
        let of = std::mem::take(&mut self.results);
        let Some(term) = observed(result) else {
            context.recorder.concretised(Concretised::ResultWithoutFormula);
            return done;
        };
        let formula = context.observe(result);
        let held = match formula {
            Ok(formula) => belongs(&mut context.recorder, Place::Result, &self.types, &of, formula, &term),
            Err(_) => {
                context.recorder.concretised(Concretised::ResultWithoutFormula);
                of.iter().any(|of| self.types.contains(*of, &term))
            }
        };
        if !held && !of.is_empty() {
            self.broken = Some(Broken::Result { result: term, function: None });
            return Err(context.stop(Stop::Contract));
        }
        let declared = of.iter().copied().find(|of| self.types.contains(*of, &term)).unwrap_or(Types::ANY);
        let functions = functions_in(&self.types, declared, &term, result, &|_| true);
        if functions.is_empty() {
            return done;
        }
        if functions.iter().any(|found| found.ambiguous) {
            context.recorder.concretised(Concretised::SeveralSortsOfFunctions);
        }
        if functions.iter().any(|found| !found.given) {
            context.recorder.concretised(Concretised::FunctionsInResultOutOfReach);
            return done;
        }
        if context.process.dictionary.map_size() > 0 {
            context.recorder.concretised(Concretised::FunctionsOfResultShareDictionary);
        }
        if depth >= DEEPEST_RESULT {
            context.recorder.concretised(Concretised::DeepFunctionResults);
            return done;
        }
        if !functions.iter().all(|found| self.can_be_called(context, &found.sort, found.function)) {
            return done;
        }
        let mut scope = FunctionsInScope::of(scope);
        let label = self.labels.of(Labels::ROOT, Part::Application(depth));
        let chosen = self.choose(context, label, functions.len() as u32, 0..0);
        let own = scope.items.len();
        for Found { function, sort, .. } in functions {
            self.bring(&mut scope, function, sort);
        }
        let Scoped { function, sort, .. } = scope.items[own + chosen as usize].clone();
        let mut args = Vec::new();
        let mut labels = Vec::new();
        for index in 0..u32::from(function.header().aux()) {
            let argument = self.labels.of(label, Part::Argument { probed: chosen, index });
            labels.push(argument);
            args.push(self.position(context, argument, sort.param(index as usize), &scope, None)?);
        }
        self.applications.push(Applied { function: chosen, result: term, args: labels });
        self.results = vec![sort.result];
        let args = context.heap.list(&args, Word::NIL);
        let scope = scope.word(context);
        Ok(context.heap.tuple(&[Word::atom(Atom::new("apply")), function, args, scope]))
    }
}
