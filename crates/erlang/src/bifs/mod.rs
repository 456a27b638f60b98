//! Erlang's built-in functions: one row each, in files by kind of data. The functions follow their table in the table's
//! order.
//!
//! A row reads: name, domain -> result, what the result follows from, the error outside the domain, the concrete
//! function, its meaning for the solver, and the instruction for its common case, if there is one:
//!
//! ```text
//! "hd" (NonemptyList) -> Any by Arguments, badarg, hd, Term(meaning::head), Fast::Head;
//! ```
//!
//! Arguments that violate a domain raise before the concrete function is called.

mod applications;
pub(crate) mod atomics;
mod atoms;
mod binaries;
mod boot;
mod compare;
mod conductor;
mod control;
mod crossing;
mod dates;
pub mod effects;
pub(crate) mod ets;
pub(crate) mod expressions;
mod external;
#[cfg(test)]
mod external_tests;
mod floats;
pub mod foreign;
mod hashes;
mod identities;
mod kinds;
mod lists;
pub(crate) mod loading;
mod maps;
mod marks;
mod math;
mod meaning;
mod natives;
mod numbers;
mod operations;
mod output;
mod persistent;
pub(crate) mod process;
mod samples;
mod seen;
pub mod since;
mod summaries;
mod system;
#[cfg(test)]
mod testing;
mod text;
#[cfg(test)]
mod text_tests;
mod trace;
mod tuples;
mod unicode;

pub use natives::known_as;

use crate::otp;
use machine::{Context, Escape, Primitive, Word};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use term::{Atom, names};

/// The rows of all functions that programs can call by name.
pub const TABLES: &[&[&[Primitive]]] = &[
    applications::TABLES,
    atomics::TABLES,
    atoms::TABLES,
    binaries::TABLES,
    boot::TABLES,
    compare::TABLES,
    control::TABLES,
    dates::TABLES,
    effects::TABLES,
    ets::TABLES,
    external::TABLES,
    floats::TABLES,
    foreign::TABLES,
    hashes::TABLES,
    identities::TABLES,
    kinds::TABLES,
    lists::TABLES,
    loading::PUBLIC,
    maps::TABLES,
    math::TABLES,
    numbers::TABLES,
    output::TABLES,
    persistent::TABLES,
    process::TABLES,
    system::TABLES,
    text::TABLES,
    tuples::TABLES,
    unicode::TABLES,
];

/// The rows of Core Erlang's primops and of the operations that the front end adds to them.
pub const OPERATIONS: &[&[Primitive]] = operations::TABLES;

type Index = FxHashMap<(Atom, Atom, u32), &'static Primitive>;

static BY_NAME: LazyLock<Index> = LazyLock::new(|| {
    index(
        all().chain(
            natives::TABLES
                .iter()
                .chain(samples::TABLES)
                .chain(marks::TABLES)
                .chain(conductor::TABLES)
                .chain(trace::TABLES)
                .chain(loading::TABLES)
                .chain(process::OWN_TABLES)
                .chain(applications::OWN_TABLES)
                .copied()
                .flatten(),
        ),
    )
});
static STRICT_BY_NAME: LazyLock<Index> = LazyLock::new(|| index(since::STRICT.iter().copied().flatten()));
static SUMMARIES: LazyLock<Index> = LazyLock::new(|| index(summaries()));
static OPERATIONS_BY_NAME: LazyLock<Index> = LazyLock::new(|| index(OPERATIONS.iter().copied().flatten()));

/// Returns every row: of named functions, of operations, of functions that only the prelude calls, and of their
/// variants.
pub fn every() -> impl Iterator<Item = &'static Primitive> {
    let others = [
        OPERATIONS,
        process::UNREAD,
        since::STRICT,
        summaries::TABLES,
        natives::TABLES,
        samples::TABLES,
        marks::TABLES,
        conductor::TABLES,
        trace::TABLES,
        loading::TABLES,
        process::OWN_TABLES,
        applications::OWN_TABLES,
    ];
    all().chain(others.into_iter().flatten().copied().flatten())
}

fn index(rows: impl Iterator<Item = &'static Primitive>) -> Index {
    rows.map(|row| ((Atom::new(row.module), Atom::new(row.name), row.arity()), row)).collect()
}

/// Returns every named row.
pub fn all() -> impl Iterator<Item = &'static Primitive> {
    TABLES.iter().copied().flatten().copied().flatten()
}

/// Returns the rows of functions that exist in the current release.
pub fn available() -> impl Iterator<Item = &'static Primitive> {
    all()
        .filter(|row| is_available(row))
        .filter_map(|row| find(Atom::new(row.module), Atom::new(row.name), row.arity()))
}

fn is_available(row: &Primitive) -> bool {
    since::first_release(row) <= otp::release()
}

/// Returns the row of a function, if it exists in the current release.
pub fn find(module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive> {
    let key = (module, function, arity);
    if otp::has_strict_binaries()
        && let Some(row) = STRICT_BY_NAME.get(&key)
    {
        return Some(row);
    }
    BY_NAME.get(&key).copied().filter(|row| is_available(row))
}

/// Returns the row that does the same as a named one if the result of the call is not used.
pub fn find_unread(row: &Primitive) -> Option<&'static Primitive> {
    let is_it =
        |unread: &&Primitive| (unread.module, unread.name, unread.arity()) == (row.module, row.name, row.arity());
    process::UNREAD.iter().copied().flatten().find(is_it)
}

/// Returns the rows of all functions that are not native.
pub fn summaries() -> impl Iterator<Item = &'static Primitive> {
    summaries::TABLES.iter().copied().flatten()
}

/// Returns the row of a function that is not native, for symbolic arguments only.
pub fn find_summary(module: Atom, function: Atom, arity: u32) -> Option<&'static Primitive> {
    SUMMARIES.get(&(module, function, arity)).copied()
}

/// Returns the row of an operation. `function_clause` takes any number of arguments, those of its function, and has
/// only one row.
pub fn find_operation(name: Atom, arity: u32) -> Option<&'static Primitive> {
    let find = |arity| OPERATIONS_BY_NAME.get(&(names::EMPTY, name, arity)).copied();
    if name == names::FUNCTION_CLAUSE { find(0) } else { find(arity) }
}

/// Makes the rows of one module. The last column, the instruction, is optional.
///
/// Each result is followed by its basis: `by Arguments`, `by Tables Identities` (state that the run itself has made,
/// see `path::OwnState`) or `from Time TimeZone` (`path::Surrounding`). A basis after the name of the module applies to
/// all rows that do not give their own. A row without a basis does not compile. Every call of a row with `from` is
/// recorded before its function runs. Functions of the other rows call `Context::asks` if they read state that the run
/// has not made.
macro_rules! rows {
    (@ $module:literal $whole:tt; $(
        $name:literal ($($domain:ident),*) -> $result:ident $($word:ident $($state:ident)+)?, $outside:path, $concrete:path, $meaning:expr $(, $fast:expr)?;
    )*) => {{
        #[allow(unused_imports)]
        use machine::Look::{Deep, Moved, Spine, Top};
        #[allow(unused_imports)]
        use machine::{Fast, Meaning};
        #[allow(unused_imports)]
        use $crate::bifs::meaning::{
            self, Effect, Keeps, Keyed, Opaque, Partial, PartialOver, Prelude, PreludeOver, Sampled, SampledWhere, SampledWithin, Term, TermOver,
        };
        const ROWS: &[machine::Primitive] = &[$(machine::Primitive {
            module: $module,
            name: $name,
            domain: &[$(machine::Domain::$domain),*],
            result: machine::Domain::$result,
            outside: $outside,
            concrete: $crate::bifs::asking!($concrete, $whole $($word $($state)+)?),
            meaning: $meaning,
            looks: machine::Looks::of(&[$(machine::Domain::$domain),*], &$meaning),
            fast: $crate::bifs::or_none!($($fast)?),
            basis: $crate::bifs::basis!($whole $($word $($state)+)?),
        }),*];
        ROWS
    }};
    ($module:literal; $($rows:tt)*) => {
        $crate::bifs::rows! {@ $module []; $($rows)*}
    };
    ($module:literal $word:ident $($state:ident)+; $($rows:tt)*) => {
        $crate::bifs::rows! {@ $module [$word $($state)+]; $($rows)*}
    };
}
/// Expands to the basis of a row, or to that of its table if the row has none.
macro_rules! basis {
    ($whole:tt $word:ident $($state:ident)+) => {
        $crate::bifs::basis!([$word $($state)+])
    };
    ([]) => {
        compile_error!("a row or its table states what the result follows from: `by Arguments`, `by Tables`, `from Time`")
    };
    ([by Arguments]) => {
        machine::Basis::Arguments
    };
    ([by $($state:ident)+]) => {
        machine::Basis::Run(&[$(path::OwnState::$state),+])
    };
    ([from $($surrounding:ident)+]) => {
        machine::Basis::Surroundings(&[$(path::Surrounding::$surrounding),+])
    };
}
macro_rules! or_none {
    () => {
        machine::Fast::None
    };
    ($fast:expr) => {
        $fast
    };
}
/// Expands to a row's function, or to one that first records the surroundings that its result comes from.
macro_rules! asking {
    ($concrete:path, $whole:tt $word:ident $($state:ident)+) => {
        $crate::bifs::asking!($concrete, [$word $($state)+])
    };
    ($concrete:path, [from $($surrounding:ident)+]) => {{
        fn asking(context: &mut machine::Context, args: &[machine::Word]) -> Result<machine::Word, machine::Escape> {
            $(context.asks(path::Surrounding::$surrounding);)+
            $concrete(context, args)
        }
        asking
    }};
    ($concrete:path, [$($state:ident)*]) => {
        $concrete
    };
}
use {asking, basis, or_none, rows};

/// Raises `badarg`, with a trace that begins at the built-in function.
fn badarg(context: &mut Context, _: &[Word]) -> Escape {
    context.error(names::BADARG)
}

/// Raises `badarg`, with a cause for the trace.
fn badarg_because(context: &mut Context, cause: &str) -> Escape {
    crate::ErlangState::of(context).error_cause = Some(Atom::new(cause));
    context.error(names::BADARG)
}

/// Ends the run at a function of `erlang` that has no meaning here.
fn unsupported(context: &mut Context, function: &str, arity: u32) -> Escape {
    let function = Atom::new(function);
    context.stop(path::Stop::Unsupported(term::FunctionName { module: names::ERLANG, function, arity }))
}

fn badarith(context: &mut Context, _: &[Word]) -> Escape {
    context.error(names::BADARITH)
}

/// Raises `{badmap, Value}` for the last argument that is no map.
fn badmap(context: &mut Context, args: &[Word]) -> Escape {
    let value = args.iter().rev().find(|arg| !arg.is_map()).copied().unwrap_or(Word::NIL);
    context.error_with(names::BADMAP, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_stands_twice() {
        let mut seen = rustc_hash::FxHashSet::default();
        for row in all().chain(OPERATIONS.iter().copied().flatten()) {
            assert!(seen.insert((row.module, row.name, row.arity())), "{}:{}/{}", row.module, row.name, row.arity());
        }
    }

    /// Whatever the arguments are, a row returns, raises, asks for a call or ends the run.
    #[test]
    fn every_row_survives_everything() {
        let everything = testing::everything();
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        for row in all() {
            let mut context = testing::context();
            for _ in 0..3000 {
                context.allow_steps(1_000_000);
                let mut argument = |_| {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    machine::value::copy_in(&mut context.heap, &everything[state as usize % everything.len()])
                };
                let args: Vec<Word> = (0..row.arity()).map(&mut argument).collect();
                context.recorder.surroundings.clear();
                let applied = std::panic::AssertUnwindSafe(|| row.apply(&mut context, &args));
                if let Err(payload) = std::panic::catch_unwind(applied) {
                    assert!(payload.is::<machine::value::MemoryExhausted>(), "{}:{}", row.module, row.name);
                    context = testing::context();
                }
                // A row records only surroundings that its basis admits.
                for asked in &context.recorder.surroundings {
                    assert!(row.basis.admits(*asked), "{}:{}/{} {asked:?}", row.module, row.name, row.arity());
                }
            }
        }
    }
}
