//! Makes the arguments of a client's step.

use super::{Filled, Playing, Way};
use crate::play::Play;
use crate::scope::FunctionsInScope;
use machine::value::copy_in;
use machine::{Context, Escape, Word};
use path::{Label, Need, Part, Stop};
use std::sync::Arc;

/// Numbers for labels of steps that call no operation of the module.
pub(super) const SEND: u32 = u32::MAX;
pub(super) const WAIT: u32 = u32::MAX - 1;
pub(super) const KILL: u32 = u32::MAX - 2;
pub(super) const APPLY: u32 = u32::MAX - 3;

/// Makes the arguments of one step.
pub(super) struct Maker<'m> {
    pub play: &'m mut Play,
    pub context: &'m mut Context,
    pub playing: &'m mut Playing,
    pub results: &'m [Word],
}

impl Maker<'_> {
    pub fn operand(&self, label: Label, act: u32, index: u32) -> Label {
        self.play.labels.of(label, Part::Operand { act, clause: 0, index })
    }

    pub fn make(&mut self, need: &Need, label: Label) -> Result<(Word, Filled), Escape> {
        let types = Arc::clone(&self.play.types);
        let ways = self.playing.ways(&types, need);
        let chosen = self.play.choose(self.context, label, ways.len() as u32, 0..0);
        let made = match ways.get(chosen as usize) {
            Some(Way::Token(token)) => {
                let word = self.play.token(self.context, self.playing, *token, self.results)?;
                return Ok((word, Filled::Token(*token)));
            }
            Some(Way::Made(made)) => *made,
            None => return Err(self.context.stop(Stop::Fault("an argument that cannot be made".to_string()))),
        };
        // The label includes the chosen way, so that positions of different ways are distinct.
        let label = self.play.labels.of(label, Part::Inside(chosen));
        match made {
            Need::Data(of) => {
                let word = self.play.position(self.context, label, *of, &FunctionsInScope::default(), None)?;
                Ok((word, Filled::Position(label)))
            }
            Need::Fixed(term) => Ok((copy_in(&mut self.context.heap, term), Filled::Fixed(term.clone()))),
            Need::Tuple(parts) => {
                let (words, filled) = self.make_all(parts, label)?;
                Ok((self.context.heap.tuple(&words), Filled::Tuple(filled)))
            }
            Need::List(parts) => {
                let (words, filled) = self.make_all(parts, label)?;
                Ok((self.context.heap.list(&words, Word::NIL), Filled::List(filled)))
            }
            Need::Map { others, fields } => {
                let inner = self.play.labels.of(label, Part::Inside(0));
                let others = self.play.position(self.context, inner, *others, &FunctionsInScope::default(), None)?;
                let (mut pairs, mut filled): (Vec<(Word, Word)>, _) = (Vec::new(), Vec::new());
                // Other entries of the map are not followed.
                pairs.extend(others.concrete().map_iter());
                for (index, (key, value)) in fields.iter().enumerate() {
                    let part = |part: usize| Part::Inside((1 + 2 * index + part) as u32);
                    let (key, key_filled) = self.make(key, self.play.labels.of(label, part(0)))?;
                    let (value, value_filled) = self.make(value, self.play.labels.of(label, part(1)))?;
                    pairs.push((key, value));
                    filled.push((key_filled, value_filled));
                }
                if others.is_symbolic() {
                    self.context.recorder.concretised(path::Concretised::ArgumentOfInput);
                }
                Ok((self.context.heap.map_of(&pairs), Filled::Map { others: inner, fields: filled }))
            }
            Need::Token(_) | Need::OneOf(_) => {
                Err(self.context.stop(Stop::Fault("an argument that is none".to_string())))
            }
        }
    }

    fn make_all(&mut self, parts: &[Need], label: Label) -> Result<(Vec<Word>, Vec<Filled>), Escape> {
        let (mut words, mut filled) = (Vec::new(), Vec::new());
        for (index, part) in parts.iter().enumerate() {
            let inner = self.play.labels.of(label, Part::Inside(index as u32));
            let (word, how) = self.make(part, inner)?;
            words.push(word);
            filled.push(how);
        }
        Ok((words, filled))
    }
}
