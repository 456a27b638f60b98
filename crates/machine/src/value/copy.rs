//! Copies between the heap and owned terms, at the start and the end of a run.

use super::bits::BitsRef;
use super::heap::Heap;
use super::word::{Kind, Word};
use term::{Bits, Fun, Term, work};

/// Copies `term` to the heap. Closures of other runs have no meaning here: they become the atom of their module, which
/// no caller should rely on.
pub fn copy_in(heap: &mut Heap, term: &Term) -> Word {
    work::tick();
    grow(|| match term {
        Term::Int(value) => heap.integer(*value),
        Term::Big(value) => heap.big(value),
        Term::Float(value) => heap.float(*value),
        Term::Atom(atom) => Word::atom(*atom),
        Term::Nil => Word::NIL,
        Term::List(items, tail) => {
            let mut list = tail.as_ref().map_or(Word::NIL, |tail| copy_in(heap, tail));
            for item in items.iter().rev() {
                let item = copy_in(heap, item);
                list = heap.cons(item, list);
            }
            list
        }
        Term::Tuple(items) => {
            let items: Vec<Word> = items.iter().map(|item| copy_in(heap, item)).collect();
            heap.tuple(&items)
        }
        Term::Map(pairs) => {
            let pairs: Vec<(Word, Word)> =
                pairs.iter().map(|(key, value)| (copy_in(heap, key), copy_in(heap, value))).collect();
            heap.map_of(&pairs)
        }
        Term::Bits(bits) => heap.bits(BitsRef::new(bits.bytes(), 0, bits.bit_length())),
        Term::Fun(fun) => match &**fun {
            Fun::External { module, function, arity } => {
                heap.external(Word::atom(*module), Word::atom(*function), *arity as u8)
            }
            Fun::Local { module, .. } => Word::atom(*module),
            // Code that has function inputs makes closures of them itself.
            Fun::Input { .. } => Word::atom(term::names::EMPTY),
        },
        Term::Pid(number) => heap.identity(Kind::Pid, *number),
        Term::Reference(number) => heap.identity(Kind::Reference, *number),
        Term::Port(number) => heap.identity(Kind::Port, *number),
    })
}

/// Copies `word` to a term without shadows. `None` if it has more than `limit` parts (shared data can be exponentially
/// larger than its heap). `name` returns the name of a closure's function.
pub fn copy_out(word: Word, limit: usize, name: &dyn Fn(u64, u8) -> Fun) -> Option<Term> {
    let mut left = limit;
    out(word, &mut left, name)
}

fn out(word: Word, left: &mut usize, name: &dyn Fn(u64, u8) -> Fun) -> Option<Term> {
    *left = left.checked_sub(1)?;
    work::tick();
    grow(|| {
        let word = word.concrete();
        if let Some(value) = word.as_small() {
            return Some(Term::Int(value));
        }
        if let Some(atom) = word.as_atom() {
            return Some(Term::Atom(atom));
        }
        if word.is_nil() {
            return Some(Term::Nil);
        }
        if word.is_cons() {
            let mut items = Vec::new();
            let mut rest = word;
            while rest.is_cons() {
                items.push(out(rest.head(), left, name)?);
                rest = rest.tail().concrete();
            }
            return Some(Term::list_with_tail(items, out(rest, left, name)?));
        }
        boxed_out(word, left, name)
    })
}

fn boxed_out(word: Word, left: &mut usize, name: &dyn Fn(u64, u8) -> Fun) -> Option<Term> {
    Some(match word.kind()? {
        Kind::Tuple => {
            Term::tuple(word.payload().iter().map(|item| out(*item, left, name)).collect::<Option<Vec<_>>>()?)
        }
        Kind::Float => Term::Float(word.as_float()?),
        Kind::Big => Term::integer(word.as_bigint().unwrap_or_default()),
        Kind::SmallMap | Kind::LargeMap => Term::Map(
            word.map_iter()
                .map(|(key, value)| Some((out(key, left, name)?, out(value, left, name)?)))
                .collect::<Option<Vec<_>>>()?
                .into(),
        ),
        Kind::Bits | Kind::BitsSlice => {
            let bits = word.as_bits()?;
            *left = left.checked_sub(bits.len() / 64)?;
            Term::Bits(Bits::new(bits.to_bytes().into_owned(), bits.len()))
        }
        Kind::Closure => Term::Fun(name(word.raw(0), word.header().aux()).into()),
        Kind::External => Term::Fun(
            Fun::External {
                module: word.payload()[0].as_atom()?,
                function: word.payload()[1].as_atom()?,
                arity: u32::from(word.header().aux()),
            }
            .into(),
        ),
        Kind::Pid => Term::Pid(word.identity()),
        Kind::Reference => Term::Reference(word.identity()),
        Kind::Port => Term::Port(word.identity()),
        Kind::MapNode | Kind::MapCollision | Kind::Trace => Term::Nil,
    })
}

/// The number of parts up to which a value is copied completely.
const SMALL: usize = 200;
/// Limits for larger values: the number of parts of each part, the depth, and the number of bytes.
const WIDTH: usize = 8;
const DEPTH: usize = 4;
const BYTES: usize = 32;

/// Copies `word` to a term for display: of a large one, its first parts, with `...` for the others.
pub fn copy_brief(word: Word, name: &dyn Fn(u64, u8) -> Fun) -> Term {
    copy_out(word, SMALL, name).unwrap_or_else(|| first_parts(word.concrete(), DEPTH, name))
}

fn first_parts(word: Word, depth: usize, name: &dyn Fn(u64, u8) -> Fun) -> Term {
    let rest = || Term::atom("...");
    let Some(below) = depth.checked_sub(1) else { return rest() };
    let part = |word: Word| match copy_out(word, WIDTH, name) {
        Some(term) => term,
        None => first_parts(word.concrete(), below, name),
    };
    if word.is_cons() {
        let (mut items, mut tail) = (Vec::new(), word);
        while tail.is_cons() && items.len() < WIDTH {
            items.push(part(tail.head()));
            tail = tail.tail().concrete();
        }
        if !tail.is_nil() {
            items.push(rest());
        }
        return Term::list(items);
    }
    match word.kind() {
        Some(Kind::Tuple) => {
            let items = word.payload();
            let more = (items.len() > WIDTH).then(rest);
            Term::tuple(items.iter().take(WIDTH).map(|item| part(*item)).chain(more).collect::<Vec<_>>())
        }
        Some(Kind::SmallMap | Kind::LargeMap) => {
            let more = (word.map_size() > WIDTH).then(|| (rest(), rest()));
            let pairs = word.map_iter().take(WIDTH).map(|(key, value)| (part(key), part(value)));
            Term::Map(pairs.chain(more).collect::<Vec<_>>().into())
        }
        Some(Kind::Bits | Kind::BitsSlice) => match word.as_bits() {
            Some(bits) => {
                let bytes = bits.to_bytes();
                Term::binary(&bytes[..bytes.len().min(BYTES)])
            }
            None => rest(),
        },
        _ => copy_out(word, WIDTH, name).unwrap_or_else(rest),
    }
}

fn grow<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 << 10, 4 << 20, work)
}
