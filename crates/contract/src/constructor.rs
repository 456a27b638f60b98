//! The exported functions of a module that make values of its opaque types.

use crate::Constructor;
use crate::compare::Comparison;
use crate::declarations::{Meaning, TypeVariables};
use crate::recipe::{DEEPEST_CALL, RecipeBuilder};
use crate::shape::{ClosedId, ClosedType, ClosedTypes};
use program::{Module, Spec, SpecClause, Type};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use term::Atom;

/// The maximum number of constructors of a type: of those that need no other value of the type, and of those that make
/// a larger value from a smaller one.
const MOST_FIRST: usize = 4;
const MOST_GROWING: usize = 2;
const MOST_PARAMETERS: u32 = 4;
/// The maximum number of aliases that are followed in a chain.
const LONGEST_NAME_CHAIN: usize = 16;

/// A clause of a specification whose result has the wanted type.
#[derive(Clone)]
pub(crate) struct Candidate {
    function: Atom,
    params: Vec<ClosedId>,
    /// Whether the function takes a value of the type itself.
    grows: bool,
    /// Whether the result is no larger than the argument, judging by the function's name.
    shrinks: bool,
    /// Whether the function requires more than its parameters' types say, judging by names.
    asks_more: bool,
    familiarity: usize,
    /// The number of arguments of the wanted type that occur in the other parameters.
    fills: usize,
}

/// Names that are usual for functions that make a value from nothing or from plain data, and for those that
/// add something to one. They order functions, of which the first few are used, and exclude none.
const MAKERS: &[&str] = &["new", "empty", "from_list", "init", "create", "make", "singleton", "start"];
const ADDERS: &[&str] = &["enter", "put", "store", "add", "add_element", "insert", "in", "cons", "push", "set"];
/// Prefixes of names of functions whose result is no larger than their argument.
const REMOVERS: &[&str] = &["del", "remove", "drop", "erase", "filter", "take", "trim", "without", "subtract", "pop"];

impl RecipeBuilder<'_, '_> {
    /// Returns the constructors of a type, the simplest first.
    pub fn constructors(&mut self, shape: ClosedId, calls: u32) -> Vec<Constructor> {
        let wanted = self.last_name(shape);
        let ClosedType::Named { module, args, .. } = self.declarations.shapes.get(wanted) else { return Vec::new() };
        let (module, arguments) = (*module, args.len());
        if calls >= DEEPEST_CALL {
            return Vec::new();
        }
        let Some(maker) = self.declarations.module(module) else { return Vec::new() };
        let mut candidates = match self.candidates.get(&wanted) {
            Some(known) => known.clone(),
            None => self.find_candidates(&maker, wanted),
        };
        // Arguments are not sorted, so a function that requires sorted data would make garbage from them. Such
        // functions are used only if no other function makes a first value.
        if candidates.iter().any(|candidate| !candidate.asks_more && !candidate.grows) {
            candidates.retain(|candidate| !candidate.asks_more);
        }
        let (mut growing, mut first): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|candidate| candidate.grows);
        first.sort_by_key(|maker| (maker.asks_more, maker.params.len(), maker.familiarity, maker.function.text()));
        growing.sort_by_key(|adder| {
            (adder.shrinks, Reverse(adder.fills), adder.familiarity, adder.params.len(), adder.function.text())
        });
        // If one function takes all contents at once, it makes the values; adding to them only changes their inner
        // form.
        let at_once = first.iter().any(|maker| maker.fills > 0 && maker.fills == arguments);
        let mut made = self.made(module, first, MOST_FIRST, calls);
        // At the last level no other call fits inside, so there would be no smaller value to add to.
        if !made.is_empty() && calls + 1 < DEEPEST_CALL {
            let (most, around) = if at_once { (1, DEEPEST_CALL - 2) } else { (MOST_GROWING, calls) };
            made.extend(self.made(module, growing, most, around));
        }
        made
    }

    fn made(&mut self, module: Atom, candidates: Vec<Candidate>, most: usize, calls: u32) -> Vec<Constructor> {
        let mut made = Vec::new();
        for candidate in candidates {
            if made.len() == most {
                break;
            }
            if let Some(args) = self.inputs_at(&candidate.params, calls + 1) {
                made.push(Constructor { module, function: candidate.function, args });
            }
        }
        made
    }

    /// Follows aliases as long as they are just another name, and returns the last name.
    fn last_name(&mut self, shape: ClosedId) -> ClosedId {
        let mut last = shape;
        for _ in 0..LONGEST_NAME_CHAIN {
            match self.declarations.meaning(last) {
                Some(Meaning::Alias(body))
                    if matches!(self.declarations.shapes.get(body), ClosedType::Named { .. }) =>
                {
                    last = body;
                }
                _ => break,
            }
        }
        last
    }

    fn find_candidates(&mut self, maker: &Module, wanted: ClosedId) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for spec in &maker.types.specs {
            let exported = maker.find(spec.name, spec.arity).is_some_and(|id| maker.function(id).exported);
            if exported && spec.arity <= MOST_PARAMETERS {
                candidates
                    .extend(spec.clauses.iter().filter_map(|clause| self.candidate(maker.name, spec, clause, wanted)));
            }
        }
        self.candidates.insert(wanted, candidates.clone());
        candidates
    }

    fn candidate(&mut self, module: Atom, spec: &Spec, clause: &SpecClause, wanted: ClosedId) -> Option<Candidate> {
        let found = self.result_fits(module, clause, wanted)?;
        let params = self.close_params(module, clause, found);
        if params.iter().any(|param| self.declarations.has_function(*param)) {
            return None;
        }
        let name = spec.name.text();
        let own: Vec<bool> = params.iter().map(|param| self.mentions(*param, wanted)).collect();
        let grows = own.contains(&true);
        if grows {
            let whole = params.iter().zip(&own).any(|(param, own)| *own && self.last_name(*param) == wanted);
            if !whole || own.iter().filter(|own| **own).count() > 1 || params.len() < 2 {
                return None;
            }
        }
        let others: Vec<ClosedId> = params.iter().zip(own).filter(|(_, own)| !own).map(|(param, _)| *param).collect();
        let ClosedType::Named { args, .. } = self.declarations.shapes.get(wanted).clone() else { return None };
        let fills = args.iter().filter(|arg| others.iter().any(|other| self.contains(*other, **arg))).count();
        let usual = if grows { ADDERS } else { MAKERS };
        Some(Candidate {
            function: spec.name,
            params,
            grows,
            shrinks: grows && REMOVERS.iter().any(|remover| name.starts_with(remover)),
            asks_more: says_ordered(name) || clause.params.iter().any(|param| speaks_of_order(param, &clause.bounds)),
            familiarity: usual.iter().position(|usual| *usual == name).unwrap_or(usual.len()),
            fills,
        })
    }

    /// Returns what the clause's variables must be for its result to have the wanted type.
    fn result_fits(
        &mut self,
        module: Atom,
        clause: &SpecClause,
        wanted: ClosedId,
    ) -> Option<FxHashMap<Atom, ClosedId>> {
        let mut scope = TypeVariables { known: FxHashMap::default(), bounds: &clause.bounds, open: true };
        let mut result = self.declarations.close(module, &clause.result, &mut scope);
        let ClosedType::Named { module, name, args: wholes } = self.declarations.shapes.get(wanted).clone() else {
            return None;
        };
        for _ in 0..LONGEST_NAME_CHAIN {
            if let ClosedType::Named { module: of, name: found, args } = self.declarations.shapes.get(result).clone()
                && (of, found, args.len()) == (module, name, wholes.len())
            {
                // A value that is made from nothing has no parts that could be of another type.
                let from_nothing = clause.params.is_empty() && args.iter().all(|arg| *arg == ClosedTypes::ANY);
                let mut comparison = Comparison::new(self.declarations);
                return (from_nothing || comparison.all_within(&args, &wholes)).then_some(comparison.found);
            }
            match self.declarations.meaning(result) {
                Some(Meaning::Alias(body)) => result = body,
                _ => return None,
            }
        }
        None
    }

    fn close_params(&mut self, module: Atom, clause: &SpecClause, known: FxHashMap<Atom, ClosedId>) -> Vec<ClosedId> {
        let mut scope = TypeVariables { known, bounds: &clause.bounds, open: false };
        clause.params.iter().map(|param| self.declarations.close(module, param, &mut scope)).collect()
    }

    /// Returns whether a type mentions the wanted type, whatever its arguments.
    fn mentions(&mut self, shape: ClosedId, wanted: ClosedId) -> bool {
        let ClosedType::Named { module, name, .. } = *self.declarations.shapes.get(wanted) else { return false };
        self.declarations.reaches(shape, |declarations, part| {
            matches!(declarations.shapes.get(part), ClosedType::Named { module: of, name: found, .. }
                if (*of, *found) == (module, name))
        })
    }

    fn contains(&mut self, shape: ClosedId, part: ClosedId) -> bool {
        self.declarations.reaches(shape, |_, found| found == part)
    }
}

/// Returns whether this name suggests that data has to be sorted, which no type can say.
fn says_ordered(name: &str) -> bool {
    ["orddict", "ordset", "ordlist", "sorted"].iter().any(|word| name.contains(word))
}

fn speaks_of_order(declared: &Type, bounds: &[(Atom, Type)]) -> bool {
    let named = |declared: &Type| match declared {
        Type::Named { module, name, .. } => {
            says_ordered(name.text()) || module.is_some_and(|module| says_ordered(module.text()))
        }
        _ => false,
    };
    match declared {
        Type::Var(variable) => bounds.iter().any(|(name, bound)| name == variable && named(bound)),
        other => named(other),
    }
}
