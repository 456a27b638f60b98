//! Writes out the scenario of a client.

use super::{Filled, Playing, Token};
use crate::play::Play;
use formula::Types;
use path::{Argument, Label, Scenario, Step};
use term::Term;

impl Play {
    /// Returns the scenario of the run. `data` returns the data at a position, with its functions numbered.
    pub(crate) fn scenario(&self, data: &mut dyn FnMut(Label) -> Term) -> Option<Scenario> {
        let playing = self.client.as_ref()?;
        let mut steps = Vec::with_capacity(playing.steps.len());
        for step in &playing.steps {
            let act = step.act.map(&mut |filled| self.argument(playing, filled, data));
            steps.push(Step { act, returned: step.returned.clone() });
        }
        Some(Scenario { steps })
    }

    fn argument(&self, playing: &Playing, filled: &Filled, data: &mut dyn FnMut(Label) -> Term) -> Argument {
        let position = |label: Label, data: &mut dyn FnMut(Label) -> Term| {
            let of = self.position_of.get(&label).map(|index| self.positions[*index as usize].of);
            Argument::Data { value: data(label), of: of.unwrap_or(Types::ANY) }
        };
        match filled {
            Filled::Position(label) => position(*label, data),
            Filled::Fixed(term) => Argument::Fixed(term.clone()),
            Filled::Value(value, of) => Argument::Data { value: value.clone(), of: *of },
            Filled::Token(token) => {
                let Token { step, at, .. } = &playing.tokens[*token];
                Argument::Part { step: *step, at: at.clone() }
            }
            Filled::Tuple(parts) => {
                Argument::Tuple(parts.iter().map(|part| self.argument(playing, part, data)).collect())
            }
            Filled::List(parts) => {
                Argument::List(parts.iter().map(|part| self.argument(playing, part, data)).collect())
            }
            Filled::Map { others, fields } => {
                let others = Box::new(position(*others, data));
                let field = |(key, value): &(Filled, Filled)| {
                    (self.argument(playing, key, data), self.argument(playing, value, data))
                };
                Argument::Map { others, fields: fields.iter().map(field).collect() }
            }
        }
    }
}
