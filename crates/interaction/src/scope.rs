//! The functions that an activation of a function input may use: those that it was given, and those that were given to
//! the enclosing activations. On the heap, they are a list of `{Function, Params, Result, Number}`.

use crate::parts::items;
use formula::TypeId;
use machine::{Context, Word};
use path::Sort;

#[derive(Clone, Default)]
pub(crate) struct FunctionsInScope {
    pub items: Vec<Scoped>,
}

#[derive(Clone)]
pub(crate) struct Scoped {
    pub function: Word,
    pub sort: Sort,
    /// Counts the times that the run brought a function into a scope.
    pub number: u32,
}

impl FunctionsInScope {
    pub fn of(list: Word) -> FunctionsInScope {
        let type_of = |word: &Word| TypeId(word.as_small().unwrap_or(0) as u32);
        let item = |item: Word| match item.as_tuple() {
            Some([function, params, result, number]) => {
                let params = (!params.is_atom()).then(|| items(*params).iter().map(type_of).collect());
                let number = number.as_small().unwrap_or(0) as u32;
                Some(Scoped { function: *function, sort: Sort { params, result: type_of(result) }, number })
            }
            _ => None,
        };
        FunctionsInScope { items: items(list).into_iter().filter_map(item).collect() }
    }

    pub fn word(&self, context: &mut Context) -> Word {
        let mut words = Vec::with_capacity(self.items.len());
        for Scoped { function, sort, number } in &self.items {
            let params = match &sort.params {
                Some(params) => {
                    let params: Vec<Word> = params.iter().map(|of| Word::small(of.0.into())).collect();
                    context.heap.list(&params, Word::NIL)
                }
                None => Word::atom(term::names::UNDEFINED),
            };
            let result = Word::small(sort.result.0.into());
            words.push(context.heap.tuple(&[*function, params, result, Word::small((*number).into())]));
        }
        context.heap.list(&words, Word::NIL)
    }
}
