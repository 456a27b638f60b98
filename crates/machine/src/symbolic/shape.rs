//! Tests of the kind of a value, and access to its parts.

use crate::compile::{Switch, SwitchWays};
use crate::context::Context;
use crate::primitive::{Domain, Test};
use crate::value::Word;
use formula::{Arithmetic, Constant, Constants, Formulas, Kinds, Mapping, TermId};
use path::{Concretised, Way, Ways};
use std::sync::{Arc, LazyLock};
use term::{Term, names};

static BOOLEANS: LazyLock<Arc<Constants>> =
    LazyLock::new(|| Constants::shared([Term::FALSE, Term::TRUE].map(Constant)));

impl Context {
    /// Returns whether the concrete part of a box passes the test. Recorded.
    pub(crate) fn test_symbolic(&mut self, test: Test, word: Word) -> bool {
        let domain = match test {
            Test::Integer => Domain::Integer,
            Test::Float => Domain::Float,
            Test::Number => Domain::Number,
            Test::Atom => Domain::Atom,
            Test::Boolean => Domain::Boolean,
            Test::List => Domain::List,
            Test::Tuple => Domain::Tuple,
            Test::Map => Domain::Map,
            Test::Bits => Domain::Bits,
            Test::Binary => Domain::Binary,
            Test::Function => Domain::Function,
            Test::Pid => Domain::Pid,
            Test::Reference => Domain::Reference,
            Test::Port => Domain::Port,
        };
        self.is_within(domain, word)
    }

    /// Returns whether a value is in a domain. Recorded if it has a shadow.
    pub fn is_within(&mut self, domain: Domain, word: Word) -> bool {
        match word.as_symbolic() {
            Some((concrete, formula)) => self.decide_domain(domain, concrete, formula),
            None => domain.contains(word),
        }
    }

    /// Returns whether a value is `true`. Recorded if it has a shadow.
    pub fn is_true(&mut self, word: Word) -> bool {
        if word.is_symbolic() { self.is_immediate_symbolic(word, Word::TRUE) } else { word == Word::TRUE }
    }

    /// Returns the elements of a tuple of that size. Recorded if it has a shadow.
    pub fn tuple_elements(&mut self, word: Word, size: usize) -> Option<Vec<Word>> {
        if !word.is_symbolic() {
            return word.as_tuple().filter(|elements| elements.len() == size).map(<[Word]>::to_vec);
        }
        self.is_tuple_symbolic(word, size).then(|| (0..size).map(|index| self.element_symbolic(word, index)).collect())
    }

    /// Returns head and tail of a cons cell. Recorded if it has a shadow.
    pub fn cell_parts(&mut self, word: Word) -> Option<(Word, Word)> {
        if !word.is_symbolic() {
            return word.is_cons().then(|| (word.head(), word.tail()));
        }
        self.is_cons_symbolic(word).then(|| (self.head_symbolic(word), self.tail_symbolic(word)))
    }

    /// Decides whether a value, given with its formula, is in the domain. A domain that is more than a kind takes a
    /// second decision, which is only taken for values of the kind.
    pub(crate) fn decide_domain(&mut self, domain: Domain, concrete: Word, formula: TermId) -> bool {
        if domain == Domain::Timeout {
            return self.decide_timeout(concrete, formula);
        }
        let first = condition(domain, &mut self.recorder.formulas, formula);
        let held = match domain {
            Domain::NonNegative | Domain::Positive | Domain::Byte => concrete.is_integer(),
            Domain::Binary => concrete.is_bits(),
            _ => domain.contains(concrete),
        };
        if !self.decide(first, held) {
            return false;
        }
        let formulas = &mut self.recorder.formulas;
        let second = match domain {
            Domain::NonNegative => at_least(formulas, formula, 0),
            Domain::Positive => at_least(formulas, formula, 1),
            Domain::Byte => {
                let low = at_least(formulas, formula, 0);
                let end = formulas.integer(256);
                let high = formulas.less(formula, end);
                let non_negative = Domain::NonNegative.contains(concrete);
                if !self.decide(low, non_negative) {
                    return false;
                }
                high
            }
            Domain::Binary => {
                let (size, eight, zero) = (formulas.bit_size(formula), formulas.integer(8), formulas.integer(0));
                let remainder = formulas.arithmetic(Arithmetic::Remainder, size, eight);
                formulas.identical(remainder, zero)
            }
            _ => return true,
        };
        self.decide(second, domain.contains(concrete))
    }

    fn decide_timeout(&mut self, concrete: Word, formula: TermId) -> bool {
        let infinity = self.recorder.formulas.constant(Term::Atom(names::INFINITY));
        let is_infinity = self.recorder.formulas.identical(formula, infinity);
        if self.decide(is_infinity, concrete == Word::atom(names::INFINITY)) {
            return true;
        }
        if !self.decide_domain(Domain::NonNegative, concrete, formula) {
            return false;
        }
        let most = self.recorder.formulas.integer(i64::from(u32::MAX));
        let is_short = self.recorder.formulas.less_or_equal(formula, most);
        self.decide(is_short, Domain::Timeout.contains(concrete))
    }

    pub(crate) fn is_cons_symbolic(&mut self, word: Word) -> bool {
        let (concrete, formula) = parts(word);
        let condition = self.recorder.formulas.kind(formula, Kinds::CONS);
        self.decide(condition, concrete.is_cons())
    }

    pub(crate) fn is_tuple_symbolic(&mut self, word: Word, size: usize) -> bool {
        let (concrete, formula) = parts(word);
        let condition = self.recorder.formulas.tuple_of(formula, size as u32);
        self.decide(condition, concrete.as_tuple().is_some_and(|items| items.len() == size))
    }

    pub(crate) fn is_immediate_symbolic(&mut self, word: Word, wanted: Word) -> bool {
        let (concrete, formula) = parts(word);
        let condition = if wanted.is_nil() {
            self.recorder.formulas.kind(formula, Kinds::NIL)
        } else {
            let wanted = match (wanted.as_small(), wanted.as_atom()) {
                (Some(value), _) => Term::Int(value),
                (None, Some(atom)) => Term::Atom(atom),
                (None, None) => Term::Nil,
            };
            let wanted = self.recorder.formulas.constant(wanted);
            self.recorder.formulas.identical(formula, wanted)
        };
        self.decide(condition, concrete == wanted)
    }

    /// Returns the target of a switch for the concrete part of a box. Recorded.
    pub(crate) fn switch_symbolic(&mut self, switch: &Switch, ways: &SwitchWays, word: Word) -> u32 {
        let (concrete, formula) = parts(word);
        let target = switch.target(concrete);
        self.recorder.switch(formula, ways.way_of(target), &ways.ways);
        target
    }

    /// Returns the value that a mapping has for the key in a box.
    pub(crate) fn look_up(&mut self, key: Word, mapping: &Arc<Mapping>, value: Word) -> Word {
        let (_, key) = parts(key);
        let formula = self.recorder.formulas.lookup(key, Arc::clone(mapping));
        self.with_formula(value, formula)
    }

    /// Returns the head of a box that was tested to hold a cons cell.
    #[cold]
    #[inline(never)]
    pub(crate) fn head_symbolic(&mut self, word: Word) -> Word {
        let (concrete, formula) = parts(word);
        let head = self.recorder.formulas.head(formula);
        self.with_formula(concrete.head(), head)
    }

    /// Returns the tail of a box that was tested to hold a cons cell.
    #[cold]
    #[inline(never)]
    pub(crate) fn tail_symbolic(&mut self, word: Word) -> Word {
        let (concrete, formula) = parts(word);
        let tail = self.recorder.formulas.tail(formula);
        self.with_formula(concrete.tail(), tail)
    }

    /// Returns an element of a box that was tested to hold a tuple of more elements than `index`.
    #[cold]
    #[inline(never)]
    pub(crate) fn element_symbolic(&mut self, word: Word, index: usize) -> Word {
        let (concrete, formula) = parts(word);
        let element = self.recorder.formulas.element(formula, index as u32);
        self.with_formula(concrete.payload()[index], element)
    }

    /// Decides whether the value of a call with `count` arguments is a function, and whether it takes that many.
    pub(crate) fn is_function_symbolic(&mut self, word: Word, count: u32) -> bool {
        let (concrete, formula) = parts(word);
        let condition = self.recorder.formulas.kind(formula, Kinds::FUNCTION);
        let held = self.decide(condition, concrete.is_function());
        if held {
            let condition = self.recorder.formulas.function_of(formula, count);
            self.decide(condition, u32::from(concrete.header().aux()) == count);
        }
        held
    }

    /// Returns module and function of a computed call, without shadows if they are atoms. The module is one decision
    /// over the program's modules that have such a function, the function of a module is one over those that it
    /// exports.
    pub(crate) fn decide_names(&mut self, module: Word, function: Word, arity: u32) -> (Word, Word) {
        if let Some((_, formula)) = module.as_symbolic() {
            let decided = self.decide_atom(module);
            let Some(name) = decided.as_atom() else { return (module, function) };
            let function = self.decide_atom(function);
            let modules = match function.as_atom() {
                Some(function) => self.program.exporters(function, arity),
                None => Vec::new(),
            };
            let way = modules.iter().position(|module| *module == name);
            if way.is_none() {
                self.lose(Concretised::ModuleCalled);
            }
            let ways = Ways::shared(modules.iter().map(|name| Way::of([Constant(Term::Atom(*name))])));
            self.recorder.switch(formula, way.unwrap_or(modules.len()) as u32, &ways);
            return (decided, function);
        }
        let Some((concrete, formula)) = function.as_symbolic() else { return (module, function) };
        if self.decide_atom(function).is_symbolic() {
            return (module, function);
        }
        let (Some(name), Some(function_name)) = (module.as_atom(), concrete.as_atom()) else {
            return (module, concrete);
        };
        let exports = self.program.exports_of(name, arity);
        let way = exports.iter().position(|export| *export == function_name);
        if way.is_none() && self.language.primitive(name, function_name, arity).is_some() {
            self.lose(Concretised::FunctionCalled);
        }
        let ways = Ways::shared(exports.iter().map(|name| Way::of([Constant(Term::Atom(*name))])));
        self.recorder.switch(formula, way.unwrap_or(exports.len()) as u32, &ways);
        (module, concrete)
    }

    /// Returns the value without its shadow if it is an atom.
    fn decide_atom(&mut self, word: Word) -> Word {
        let Some((concrete, formula)) = word.as_symbolic() else { return word };
        let is_atom = self.recorder.formulas.kind(formula, Kinds::ATOM);
        if self.decide(is_atom, concrete.is_atom()) { concrete } else { word }
    }
}

/// Returns the concrete part and the formula of a box.
pub(super) fn parts(word: Word) -> (Word, TermId) {
    match word.as_symbolic() {
        Some(parts) => parts,
        None => unreachable!("only values with shadows come here"),
    }
}

/// Returns the condition that a value is in a domain.
pub fn domain_condition(domain: Domain, formulas: &mut Formulas, value: TermId) -> TermId {
    let first = condition(domain, formulas, value);
    let second = match domain {
        Domain::NonNegative => at_least(formulas, value, 0),
        Domain::Positive => at_least(formulas, value, 1),
        Domain::Byte => {
            let (low, end) = (at_least(formulas, value, 0), formulas.integer(256));
            let high = formulas.less(value, end);
            formulas.and(low, high)
        }
        Domain::Timeout => {
            let infinity = formulas.constant(Term::Atom(names::INFINITY));
            let is_infinity = formulas.identical(value, infinity);
            let (low, most) = (at_least(formulas, value, 0), formulas.integer(i64::from(u32::MAX)));
            let high = formulas.less_or_equal(value, most);
            let (is_integer, within) = (formulas.kind(value, Kinds::INTEGER), formulas.and(low, high));
            let is_time = formulas.and(is_integer, within);
            formulas.or(is_infinity, is_time)
        }
        Domain::Binary => {
            let (size, eight, zero) = (formulas.bit_size(value), formulas.integer(8), formulas.integer(0));
            let remainder = formulas.arithmetic(Arithmetic::Remainder, size, eight);
            formulas.identical(remainder, zero)
        }
        _ => return first,
    };
    formulas.and(first, second)
}

/// Returns the first condition of a domain: for those that are more than a kind, the kind.
fn condition(domain: Domain, formulas: &mut Formulas, value: TermId) -> TermId {
    let kinds = match domain {
        Domain::Never => Kinds::NONE,
        Domain::Any => Kinds::ALL,
        Domain::Integer | Domain::NonNegative | Domain::Positive | Domain::Byte => Kinds::INTEGER,
        Domain::Timeout => Kinds::INTEGER.or(Kinds::ATOM),
        Domain::Float => Kinds::FLOAT,
        Domain::Number => Kinds::NUMBER,
        Domain::Atom => Kinds::ATOM,
        Domain::Boolean => return formulas.one_of(value, Arc::clone(&BOOLEANS)),
        Domain::List => Kinds::LIST,
        Domain::ProperList => return formulas.proper_list(value),
        Domain::NonemptyList => Kinds::CONS,
        Domain::Tuple => Kinds::TUPLE,
        Domain::Map => Kinds::MAP,
        Domain::Bits | Domain::Binary => Kinds::BITS,
        Domain::Function => Kinds::FUNCTION,
        Domain::Pid => Kinds::PID,
        Domain::Reference => Kinds::REFERENCE,
        Domain::Port => Kinds::PORT,
    };
    formulas.kind(value, kinds)
}

pub(super) fn at_least(formulas: &mut Formulas, value: TermId, least: i64) -> TermId {
    let least = formulas.integer(least);
    formulas.less_or_equal(least, value)
}
