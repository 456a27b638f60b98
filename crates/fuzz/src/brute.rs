//! Runs functions on the real BEAM with all inputs, thousands of them in one call.

use crate::{GeneratedSearch, product};
use loader::Loader;
use oracle::{Call, Limits, Outcome};
use std::path::{Path, PathBuf};
use std::time::Duration;
use term::{Atom, Term};

const DRIVER: &str = include_str!("brute_force.erl");
const NAME: &str = "brute_force";
/// The limits for all inputs of one function.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), heap_words: 64 << 20 };

/// The outcome of an input on the BEAM.
#[derive(Clone, Debug, PartialEq)]
pub enum Observed {
    Value(Term),
    Raised { class: Atom, reason: Term },
}

/// Runs inputs on the runtime of a loader whose sources include the driver.
pub struct BruteForce<'l> {
    loader: &'l Loader,
}

impl<'l> BruteForce<'l> {
    /// Writes the driver, which must be added to the sources.
    pub fn driver(folder: &Path) -> std::io::Result<PathBuf> {
        let file = folder.join(format!("{NAME}.erl"));
        std::fs::write(&file, DRIVER)?;
        Ok(file)
    }

    /// Loads these modules into the runtime. The error is the compiler's.
    pub fn new(loader: &'l Loader, modules: impl IntoIterator<Item = Atom>) -> Result<BruteForce<'l>, String> {
        for module in modules.into_iter().chain([Atom::new(NAME)]) {
            loader.load_into_runtime(module).map_err(|error| error.to_string())?;
        }
        Ok(BruteForce { loader })
    }

    /// Returns for each function the outcomes of its inputs, in the order of [`inputs_of`], or `None` if the BEAM did
    /// not finish.
    pub fn all(&self, searches: &[(Atom, &GeneratedSearch)]) -> Vec<Option<Vec<Observed>>> {
        let parts = |search: &GeneratedSearch| search.params.iter().map(|param| param.values(search.bound)).collect();
        let grids: Vec<(Atom, String, Vec<Vec<Term>>)> =
            searches.iter().map(|(module, search)| (*module, search.function.clone(), parts(search))).collect();
        self.grids(&grids)
    }

    /// Returns the outcomes of each function for all choices of one value from each list, in the order of [`product`], or
    /// `None` for a function that took the BEAM too long.
    pub fn grids(&self, grids: &[(Atom, String, Vec<Vec<Term>>)]) -> Vec<Option<Vec<Observed>>> {
        let call = |(module, function, parts): &(Atom, String, Vec<Vec<Term>>)| {
            let parts: Vec<Term> = parts.iter().map(|part| Term::list(part.clone())).collect();
            apply("all", *module, function, Term::list(parts))
        };
        let outcomes = self.evaluate(grids.iter().map(call).collect());
        outcomes.into_iter().map(|term| items(&term?)?.iter().map(observed).collect()).collect()
    }

    /// Returns the outcomes of single inputs.
    pub fn each(&self, inputs: &[(Atom, String, Vec<Term>)]) -> Vec<Option<Observed>> {
        let call = |(module, function, args): &(Atom, String, Vec<Term>)| {
            apply("one", *module, function, Term::list(args.clone()))
        };
        let outcomes = self.evaluate(inputs.iter().map(call).collect());
        outcomes.into_iter().map(|term| term.as_ref().and_then(observed)).collect()
    }

    fn evaluate(&self, calls: Vec<Call>) -> Vec<Option<Term>> {
        let value = |outcome: Outcome| match outcome {
            Outcome::Value { term, .. } => Some(term),
            Outcome::Raised { .. }
            | Outcome::Timeout { .. }
            | Outcome::HeapExceeded
            | Outcome::Killed { .. }
            | Outcome::Stopped { .. }
            | Outcome::Unreadable { .. }
            | Outcome::RuntimeDied { .. } => None,
        };
        let oracle = self.loader.oracle();
        match oracle.evaluate_batch(&calls, LIMITS, false) {
            Ok(outcomes) => outcomes.into_iter().map(value).collect(),
            // One of the answers contains a value that our terms cannot represent.
            Err(_) => calls.iter().map(|call| oracle.evaluate(call, LIMITS).ok().and_then(value)).collect(),
        }
    }
}

/// Returns all inputs of a function.
pub fn inputs_of(search: &GeneratedSearch) -> Vec<Vec<Term>> {
    product(&search.params.iter().map(|param| param.values(search.bound)).collect::<Vec<_>>())
}

fn apply(of_driver: &str, module: Atom, function: &str, args: Term) -> Call {
    Call::Apply {
        module: Atom::new(NAME),
        function: Atom::new(of_driver),
        args: vec![Term::Atom(module), Term::atom(function), args],
    }
}

fn observed(term: &Term) -> Option<Observed> {
    match elements(term)? {
        [Term::Atom(kind), value] if kind.text() == "value" => Some(Observed::Value(value.clone())),
        [Term::Atom(class), reason] => Some(Observed::Raised { class: *class, reason: reason.clone() }),
        _ => None,
    }
}

fn elements(term: &Term) -> Option<&[Term]> {
    match term {
        Term::Tuple(elements) => Some(elements),
        _ => None,
    }
}

fn items(term: &Term) -> Option<Vec<Term>> {
    match term {
        Term::Nil => Some(Vec::new()),
        Term::List(items, None) => Some(items.to_vec()),
        _ => None,
    }
}
