//! Heads of match specifications: a term in which `'_'` matches anything and `'$1'`, `'$2'`… bind.
//!
//! A head becomes a sequence of steps over a stack of values that are still to be matched. The stack begins with the
//! object. Because of this stack, terms and objects of any depth need no recursion here. A pattern lives as long as the
//! primitive runs.

use formula::Kinds;
use machine::{Context, Domain, Kind, Word};
use path::Concretised;
use term::{Atom, names};

pub struct Pattern {
    steps: Vec<MatchStep>,
    /// The numbers of the variables. The index of a variable in this list is the index of its value after a match.
    pub variables: Vec<u64>,
}

/// A step of a match, which takes a value from the stack.
enum MatchStep {
    Skip,
    Bind(usize),
    Same(usize),
    Equal(Word),
    /// A float with exactly these bits: 0.0 and -0.0 differ.
    Bits(u64),
    /// A tuple of this size. Pushes the elements, the first on top.
    Tuple(usize),
    /// A list cell. Pushes the tail, and then the head.
    Cons,
    /// A map with these keys, and possibly more. Pushes their values, the first on top.
    Map(Vec<Word>),
}

/// The error for a map whose key is a variable or `'_'`.
pub struct VariableKey;

impl Pattern {
    /// Compiles a head. A symbolic part is compared as a value and is not read as a pattern: see
    /// [`without_open_shadows`].
    pub fn compile(head: Word) -> Result<Pattern, VariableKey> {
        let mut pattern = Pattern { steps: Vec::new(), variables: variables(head) };
        let mut bound = vec![false; pattern.variables.len()];
        let mut open = vec![head];
        while let Some(term) = open.pop() {
            let step = if term.is_symbolic() {
                MatchStep::Equal(term)
            } else if term.is_cons() {
                open.extend([term.tail(), term.head()]);
                MatchStep::Cons
            } else if let Some(atom) = term.as_atom() {
                match variable(atom).and_then(|number| pattern.variables.binary_search(&number).ok()) {
                    Some(place) if std::mem::replace(&mut bound[place], true) => MatchStep::Same(place),
                    Some(place) => MatchStep::Bind(place),
                    None if atom == names::UNDERSCORE => MatchStep::Skip,
                    None => MatchStep::Equal(term),
                }
            } else if let Some(elements) = term.as_tuple() {
                open.extend(elements.iter().rev());
                MatchStep::Tuple(elements.len())
            } else if term.is_map() {
                let (keys, values): (Vec<Word>, Vec<Word>) = term.map_iter().unzip();
                if keys.iter().any(|key| key.as_atom().is_some_and(is_pattern_atom)) {
                    return Err(VariableKey);
                }
                open.extend(values.iter().rev());
                MatchStep::Map(keys)
            } else if let Some(value) = term.as_float() {
                MatchStep::Bits(value.to_bits())
            } else {
                MatchStep::Equal(term)
            };
            pattern.steps.push(step);
        }
        Ok(pattern)
    }

    /// Returns whether `object` matches. `values` gets one value per variable; `open` is a buffer for the stack.
    pub fn matches(&self, context: &mut Context, object: Word, values: &mut Vec<Word>, open: &mut Vec<Word>) -> bool {
        values.clear();
        values.resize(self.variables.len(), Word::NIL);
        open.clear();
        open.push(object);
        self.steps.iter().all(|step| open.pop().is_some_and(|word| step.take(context, word, values, open)))
    }
}

impl MatchStep {
    fn take(&self, context: &mut Context, word: Word, values: &mut [Word], open: &mut Vec<Word>) -> bool {
        match self {
            MatchStep::Skip => true,
            MatchStep::Bind(place) => {
                values[*place] = word;
                true
            }
            MatchStep::Same(place) => context.decide_identical(values[*place], word),
            MatchStep::Equal(wanted) => word == *wanted || context.decide_identical(*wanted, word),
            MatchStep::Bits(wanted) => {
                if word.is_symbolic() {
                    context.lose(Concretised::BitsOfFloat);
                }
                word.concrete().as_float().is_some_and(|value| value.to_bits() == *wanted)
            }
            MatchStep::Tuple(size) => {
                let elements = context.tuple_elements(word, *size);
                open.extend(elements.iter().flatten().rev());
                elements.is_some()
            }
            MatchStep::Cons => {
                let parts = context.cell_parts(word);
                open.extend(parts.into_iter().flat_map(|(head, tail)| [tail, head]));
                parts.is_some()
            }
            MatchStep::Map(keys) => {
                if !context.is_within(Domain::Map, word) {
                    return false;
                }
                for key in keys.iter().rev() {
                    let Some(value) = context.map_lookup(word, *key) else { return false };
                    open.push(value);
                }
                true
            }
        }
    }
}

/// Returns the number of a variable such as `'$1'`. With a leading zero, the atom is like any other.
pub fn variable(atom: Atom) -> Option<u64> {
    let digits = atom.text().strip_prefix('$')?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if plain { digits.parse().ok() } else { None }
}

/// Returns whether an atom is a variable or `'_'`.
fn is_pattern_atom(atom: Atom) -> bool {
    atom == names::UNDERSCORE || variable(atom).is_some()
}

/// Returns the term with its shadows, provided that none is where a pattern could be: an atom might be a variable, and
/// a structure might contain one. Otherwise all shadows are dropped.
pub fn without_open_shadows(context: &mut Context, term: Word) -> Word {
    if !context.heap.is_shadowed(term) {
        return term;
    }
    let patterns = Kinds::ATOM.or(Kinds::CONS).or(Kinds::TUPLE).or(Kinds::MAP);
    let mut open = vec![term];
    while let Some(part) = open.pop() {
        let is_open = match part.as_symbolic() {
            Some((_, formula)) => context.recorder.formulas.kinds(formula).meets(patterns),
            None => part.is_map() && part.map_has_shadowed_keys(),
        };
        if is_open {
            context.lose(Concretised::TablePattern);
            return context.heap.without_shadows(term);
        }
        if part.is_cons() {
            open.extend([part.tail(), part.head()]);
        } else if part.is_kind(Kind::Tuple) {
            open.extend_from_slice(part.payload());
        } else if part.is_map() {
            open.extend(part.map_iter().map(|(_, value)| value));
        }
    }
    term
}

/// Returns whether a term, taken as a pattern, contains a variable or `'_'`. The keys and values of maps are included.
pub fn is_open(term: Word) -> bool {
    any_atom(term, is_pattern_atom)
}

/// Returns the numbers of the variables in a term, each once, in order.
fn variables(term: Word) -> Vec<u64> {
    let mut numbers = Vec::new();
    any_atom(term, |atom| {
        numbers.extend(variable(atom));
        false
    });
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn any_atom(term: Word, mut test: impl FnMut(Atom) -> bool) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        let term = term.concrete();
        if let Some(atom) = term.as_atom() {
            if test(atom) {
                return true;
            }
        } else if term.is_cons() {
            open.extend([term.tail(), term.head()]);
        } else if term.is_kind(Kind::Tuple) {
            open.extend_from_slice(term.payload());
        } else if term.is_map() {
            open.extend(term.map_iter().flat_map(|(key, value)| [key, value]));
        }
    }
    false
}
