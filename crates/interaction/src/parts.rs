//! Functions inside values on the heap, in the order of a walk through the values.

use formula::{TermId, TypeId, Types};
use machine::value::copy_out;
use machine::{Context, Word};
use path::functions::{blank, fits_several, has_functions, part_types, parts};
use path::{Concretised, Sort};
use term::{Fun, Term};

/// The size up to which values are handed to function inputs.
const MOST_PARTS: usize = 100_000;

/// Returns what can be observed of a value: functions by their arity, pids, references and ports by their kind. `None`
/// if it is too large.
pub(crate) fn observed(word: Word) -> Option<Term> {
    let function = |_: u64, arity: u8| Fun::Input { arity: arity.into(), number: 0 };
    copy_out(word, MOST_PARTS, &function).map(|term| blank(&term))
}

/// A function found in a value.
pub(crate) struct Found {
    pub function: Word,
    /// The declared sort of the function.
    pub sort: Sort,
    /// Whether it is certain that the function is there and what it takes: it is not in data with a shadow, or in data
    /// with a shadow that is looked into; and not in a value of an opaque type, whose parts must not be used.
    pub given: bool,
    /// Whether the type has several sorts of functions of this arity.
    pub ambiguous: bool,
}

/// Returns the functions in a value, which looks like `term` and is of type `of`. `opened` says whether data with a
/// shadow is looked into.
pub(crate) fn functions_in(
    types: &Types,
    of: TypeId,
    term: &Term,
    word: Word,
    opened: &dyn Fn(TermId) -> bool,
) -> Vec<Found> {
    let mut collector = Collector { types, opened, found: Vec::new() };
    collector.collect(of, term, word, Inside::Nothing);
    collector.found
}

/// Whether a part is in data with a shadow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Opened,
    Closed,
}

struct Collector<'a> {
    types: &'a Types,
    opened: &'a dyn Fn(TermId) -> bool,
    found: Vec<Found>,
}

impl Collector<'_> {
    fn inside(&self, word: Word, around: Inside) -> Inside {
        match (around, word.as_symbolic()) {
            (Inside::Nothing, Some((_, formula))) if (self.opened)(formula) => Inside::Opened,
            (Inside::Nothing, Some(_)) => Inside::Closed,
            (around, _) => around,
        }
    }

    fn collect(&mut self, of: TypeId, term: &Term, word: Word, around: Inside) {
        if !has_functions(term) {
            return;
        }
        let sealed = !self.types.node(of).opaque.is_empty();
        let inside = if sealed { Inside::Closed } else { self.inside(word, around) };
        let word = word.concrete();
        if let Term::Fun(fun) = term {
            let (sort, known) = Sort::of_another(self.types, of, fun.arity());
            let given = inside != Inside::Closed && known;
            let ambiguous = Sort::is_ambiguous(self.types, of, fun.arity());
            self.found.push(Found { function: word, sort, given, ambiguous });
            return;
        }
        let mut words: Vec<(Word, Inside)> = Vec::new();
        if word.is_cons() {
            let (mut rest, mut inside) = (word, inside);
            while rest.is_cons() {
                words.push((rest.head(), inside));
                inside = self.inside(rest.tail(), inside);
                rest = rest.tail().concrete();
            }
            words.push((rest, inside));
        } else if word.is_map() {
            // Functions in maps with a shadow are not looked for.
            let inside = if inside == Inside::Opened { Inside::Closed } else { inside };
            words.extend(word.map_iter().flat_map(|(key, value)| [(key, inside), (value, inside)]));
        } else {
            words.extend(word.as_tuple().unwrap_or_default().iter().map(|element| (*element, inside)));
        }
        let before = self.found.len();
        for ((part, part_of), (word, inside)) in
            parts(term).into_iter().zip(part_types(self.types, of, term)).zip(words)
        {
            self.collect(part_of, part, word, inside);
        }
        if fits_several(self.types, of, term) {
            for found in &mut self.found[before..] {
                (found.given, found.ambiguous) = (false, true);
            }
        }
    }
}

/// Returns the items of a list of the language.
pub(crate) fn items(list: Word) -> Vec<Word> {
    let mut found = Vec::new();
    let mut rest = list;
    while rest.is_cons() {
        found.push(rest.head());
        rest = rest.tail();
    }
    found
}

/// Puts a term on the heap. `function` makes its functions, in order.
pub(crate) fn place(
    context: &mut Context,
    types: &Types,
    of: TypeId,
    term: &Term,
    function: &mut dyn FnMut(&mut Context, &Fun, TypeId) -> Word,
) -> Word {
    if let Term::Fun(fun) = term {
        return function(context, fun, of);
    }
    if !has_functions(term) {
        return machine::value::copy_in(&mut context.heap, term);
    }
    if fits_several(types, of, term) {
        context.recorder.concretised(Concretised::SeveralSortsOfFunctions);
    }
    let below = part_types(types, of, term);
    let mut words = Vec::with_capacity(below.len());
    for (part, of) in parts(term).into_iter().zip(below) {
        words.push(place(context, types, of, part, function));
    }
    match term {
        Term::List(_, None) => context.heap.list(&words, Word::NIL),
        Term::List(_, Some(_)) => {
            let tail = words.pop().unwrap_or(Word::NIL);
            context.heap.list(&words, tail)
        }
        Term::Tuple(_) => context.heap.tuple(&words),
        _ => {
            let pairs: Vec<(Word, Word)> = words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
            context.heap.map_of(&pairs)
        }
    }
}
