//! A small language: a few rows of every meaning, terms in the order that owned terms have.

use formula::{Arithmetic as Operation, Formulas, TermId};
use machine::value::{Collector, copy_out, identical};
use machine::*;
use path::{Class, Raised};
use std::any::Any;
use std::cmp::Ordering;
use term::{Atom, Fun, Term, names};

pub struct Small;

const ROWS: &[Primitive] = &[
    row("+", &[Domain::Number, Domain::Number], add, term(ADD), Fast::Arithmetic(Arithmetic::Add)),
    row("div", &[Domain::Integer, Domain::Integer], divide, term(DIVIDE), Fast::Arithmetic(Arithmetic::Divide)),
    row("<", &[Domain::Any, Domain::Any], unused, OPAQUE, Fast::Compare(Compare::Less)),
    row("=<", &[Domain::Any, Domain::Any], unused, OPAQUE, Fast::Compare(Compare::LessOrEqual)),
    row("==", &[Domain::Any, Domain::Any], unused, OPAQUE, Fast::Compare(Compare::Equal)),
    row("=/=", &[Domain::Any, Domain::Any], unused, OPAQUE, Fast::Compare(Compare::NotIdentical)),
    row("is_integer", &[Domain::Any], unused, OPAQUE, Fast::Test(Test::Integer)),
    row("is_boolean", &[Domain::Any], unused, OPAQUE, Fast::Test(Test::Boolean)),
    row("is_binary", &[Domain::Any], unused, OPAQUE, Fast::Test(Test::Binary)),
    row("length", &[Domain::ProperList], length, Meaning::Term(LENGTH), Fast::None),
    row("byte", &[Domain::Byte], same, Meaning::Term(SAME), Fast::None),
    row("natural", &[Domain::NonNegative], same, Meaning::Term(SAME), Fast::None),
    row("get", &[Domain::Any, Domain::Map], get, Meaning::Keyed { key: 0, map: 1, whole: GET }, Fast::None),
    row(
        "put",
        &[Domain::Any, Domain::Any, Domain::Map],
        put,
        Meaning::Keyed { key: 0, map: 2, whole: PUT },
        Fast::None,
    ),
    row("keys", &[Domain::Map], keys, Meaning::Opened(&[Look::Top]), Fast::None),
    row("sum", &[Domain::List], sum, Meaning::Opened(&[Look::Spine]), Fast::None),
    row("secret", &[Domain::Any], same, OPAQUE, Fast::None),
    row("keep", &[Domain::Any], same, Meaning::Effect(&[Look::Moved]), Fast::None),
    row("twice", &[Domain::Number], twice, Meaning::Prelude(&[Look::Top], "twice"), Fast::None),
    row("fail", &[Domain::Any], fail, Meaning::Effect(&[Look::Moved]), Fast::None),
];

/// Stands for `lib:pick/1`.
static SUMMARY: Primitive = row("pick", &[Domain::Any], same, Meaning::Term(SAME), Fast::None);

const OPAQUE: Meaning = Meaning::Opaque(&[Look::Deep; 2]);
const LENGTH: Symbolic = Symbolic::new(&[Look::Spine], |formulas, args| formulas.length(args[0]));
const SAME: Symbolic = Symbolic::new(&[Look::Top], |_, args| args[0]);
const GET: Symbolic =
    Symbolic::new(&[Look::Deep, Look::Top], |formulas, args| formulas.map_get(args[1], args[0])).when(has);
const PUT: Symbolic =
    Symbolic::new(&[Look::Deep, Look::Moved, Look::Top], |formulas, args| formulas.map_put(args[2], args[0], args[1]));
const ADD: Formula = |formulas, args| formulas.arithmetic(Operation::Add, args[0], args[1]);
const DIVIDE: Formula = |formulas, args| formulas.arithmetic(Operation::Quotient, args[0], args[1]);

fn has(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.map_has(args[1], args[0])
}

const fn term(result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(&[Look::Top; 2], result))
}

const fn row(
    name: &'static str,
    domain: &'static [Domain],
    concrete: Concrete,
    meaning: Meaning,
    fast: Fast,
) -> Primitive {
    let looks = Looks::of(domain, &meaning);
    Primitive {
        module: "small",
        name,
        domain,
        result: Domain::Any,
        outside,
        concrete,
        meaning,
        looks,
        fast,
        basis: machine::Basis::Arguments,
    }
}

fn outside(context: &mut Context, args: &[Word]) -> Escape {
    match args {
        [only] => context.error_with(names::BADARG, *only),
        _ => context.error(names::BADARG),
    }
}

fn unused(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    unreachable!("instructions do it")
}

fn same(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0])
}

fn add(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match (args[0].as_i128(), args[1].as_i128(), args[0].as_float(), args[1].as_float()) {
        (Some(a), Some(b), ..) => Ok(context.heap.integer_i128(a + b)),
        (a, b, x, y) => {
            let sum = x.or(a.map(|a| a as f64)).unwrap_or(0.0) + y.or(b.map(|b| b as f64)).unwrap_or(0.0);
            if sum.is_finite() { Ok(context.heap.float(sum)) } else { Err(context.error(names::BADARITH)) }
        }
    }
}

fn divide(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match (args[0].as_i128(), args[1].as_i128()) {
        (Some(a), Some(b)) if b != 0 => Ok(context.heap.integer_i128(a / b)),
        _ => Err(context.error(names::BADARITH)),
    }
}

fn length(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(proper_length(args[0]).unwrap() as i64))
}

fn get(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    args[1].map_get(args[0]).ok_or_else(|| context.error_with(names::BADKEY, args[0]))
}

fn put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.map_put(args[2], args[0], args[1]))
}

fn keys(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let keys: Vec<Word> = args[0].map_iter().map(|(key, _)| key).collect();
    Ok(context.heap.list(&keys, Word::NIL))
}

/// The first item of a list, or its end.
fn sum(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(if args[0].is_cons() { args[0].head() } else { args[0] })
}

fn twice(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    add(context, &[args[0], args[0]])
}

fn fail(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(context.raise(Class::Error, args[0], TraceStart::Caller))
}

fn owned(word: Word) -> Term {
    let name = |_: u64, _: u8| Fun::External { module: names::EMPTY, function: names::EMPTY, arity: 0 };
    copy_out(word, usize::MAX, &name).unwrap()
}

struct Nothing;

// SAFETY: it holds no words.
unsafe impl LanguageState for Nothing {
    fn roots(&mut self, _: &mut Collector<'_>) {}
    fn visit(&mut self, _: u64, _: &mut dyn FnMut(machine::StatePart<'_>)) {}
    fn duplicate(&self) -> Box<dyn LanguageState> {
        Box::new(Nothing)
    }
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

impl Language for Small {
    fn primitive(&self, module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive> {
        let is_it = |row: &&Primitive| row.name == function.text() && row.arity() == arity;
        if module.text() == "small" { ROWS.iter().find(is_it) } else { None }
    }
    fn operation(&self, name: Atom, arity: u32) -> Option<&'static Primitive> {
        self.primitive(Atom::new("small"), name, arity)
    }
    fn summary(&self, module: Atom, function: Atom, _: u32) -> Option<&'static Primitive> {
        (module.text() == "lib" && function.text() == "pick").then_some(&SUMMARY)
    }
    fn prelude(&self) -> Atom {
        Atom::new("lib")
    }
    fn compare(&self, a: Word, b: Word) -> Ordering {
        term::order::compare(&owned(a), &owned(b))
    }
    fn equal(&self, a: Word, b: Word) -> bool {
        identical(a, b) || self.compare(a, b).is_eq()
    }
    fn key_order(&self) -> fn(Word, Word) -> Ordering {
        |a, b| term::order::key_order(&owned(a), &owned(b))
    }
    fn misuse(&self, context: &mut Context, misuse: Misuse<'_>) -> Escape {
        let (tag, value) = match misuse {
            Misuse::NotAFunction { value } => ("badfun", value),
            Misuse::NotAMap { value } => ("badmap", value),
            Misuse::NoSuchKey { key } => ("badkey", key),
            Misuse::BadSegment { .. } => ("badarg", Word::NIL),
            Misuse::TooLong => ("system_limit", Word::NIL),
            Misuse::WrongArity { .. } => ("badarity", Word::NIL),
            Misuse::Undefined { function, .. } => ("undef", function),
            Misuse::NotAName { module, .. } => ("badname", module),
        };
        let reason = context.heap.tuple(&[Word::atom(Atom::new(tag)), value]);
        context.raise(Class::Error, reason, TraceStart::Caller)
    }
    fn trace_entry(&self, _: &mut Context, frame: TraceFrame<'_>) -> Word {
        frame.function.into()
    }
    fn trace_primitive(&self, _: &mut Context, _: &'static Primitive, _: &[Word]) -> Word {
        Word::NIL
    }
    fn refusal(&self, _: &Raised) -> Option<Refusal> {
        None
    }
    fn gate(&self, _: Atom, _: Atom, _: u32) -> Gate {
        Gate::Open
    }
    fn new_process_state(&self) -> Box<dyn LanguageState> {
        self.new_state()
    }

    fn new_state(&self) -> Box<dyn LanguageState> {
        Box::new(Nothing)
    }
}
