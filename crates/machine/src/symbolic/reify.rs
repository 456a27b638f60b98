//! The formula of a value: constants for parts without shadows, constructors above the others.

use crate::context::Context;
use crate::value::{Kind, Word, copy_out};
use formula::TermId;
use path::Concretised;
use rustc_hash::FxHashMap;
use term::Term;

/// The number of parts up to which values have formulas: making larger ones would take longer than running on.
const MOST_PARTS: usize = 100_000;

/// A formula under construction: a part without shadows remains one constant.
#[derive(Clone)]
enum Part {
    Constant(Term),
    Formula(TermId),
}

/// The reason why a value has no formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFormula {
    TooLarge,
    /// A closure, or a value that programs do not have.
    Unrepresentable,
    /// A function input, which is known by its arity only.
    FunctionInput,
}

impl NoFormula {
    pub fn reason(self) -> Concretised {
        match self {
            NoFormula::TooLarge => Concretised::LargeValue,
            NoFormula::Unrepresentable => Concretised::Closure,
            NoFormula::FunctionInput => Concretised::IdentityOfFunction,
        }
    }
}

struct Reifier<'a> {
    context: &'a mut Context,
    left: usize,
    /// The parts that are done, by address, with their numbers of parts: data may be shared. Nothing moves meanwhile.
    known: FxHashMap<u64, (Part, usize)>,
    /// Whether values with an identity are represented by their kind only, functions also by their arity.
    blank: bool,
}

impl Context {
    /// Returns the formula of a value.
    pub fn reify(&mut self, word: Word) -> Result<TermId, NoFormula> {
        self.reify_as(word, false)
    }

    /// Returns the formula of what a function input can observe of a value: functions are known by their arity, pids,
    /// references and ports by their kind.
    pub fn observe(&mut self, word: Word) -> Result<TermId, NoFormula> {
        self.reify_as(word, true)
    }

    fn reify_as(&mut self, word: Word, blank: bool) -> Result<TermId, NoFormula> {
        if let Some((_, formula)) = word.as_symbolic() {
            return Ok(formula);
        }
        let mut reifier = Reifier { context: self, left: MOST_PARTS, known: FxHashMap::default(), blank };
        let part = reifier.part(word)?;
        Ok(self.formula_of(part))
    }

    fn formula_of(&mut self, part: Part) -> TermId {
        match part {
            Part::Constant(term) => self.recorder.formulas.constant(term),
            Part::Formula(id) => id,
        }
    }

    /// Returns the formulas of all words, or the reason why one has none.
    pub(crate) fn reify_all(&mut self, words: &[Word]) -> Result<Vec<TermId>, NoFormula> {
        words.iter().map(|word| self.reify(*word)).collect()
    }
}

impl Reifier<'_> {
    fn part(&mut self, word: Word) -> Result<Part, NoFormula> {
        self.left = self.left.checked_sub(1).ok_or(NoFormula::TooLarge)?;
        if let Some((_, formula)) = word.as_symbolic() {
            return Ok(match self.context.recorder.formulas.as_constant(formula) {
                Some(term) => Part::Constant(term.clone()),
                None => Part::Formula(formula),
            });
        }
        if let Some(value) = word.as_small() {
            return Ok(Part::Constant(Term::Int(value)));
        }
        if let Some(atom) = word.as_atom() {
            return Ok(Part::Constant(Term::Atom(atom)));
        }
        if word.is_nil() {
            return Ok(Part::Constant(Term::Nil));
        }
        if let Some((part, size)) = self.known.get(&word.0) {
            self.left = self.left.checked_sub(*size).ok_or(NoFormula::TooLarge)?;
            return Ok(part.clone());
        }
        let before = self.left;
        let part = stacker::maybe_grow(64 << 10, 1 << 20, || match word.is_cons() {
            true => self.list(word),
            false => self.boxed(word),
        })?;
        self.known.insert(word.0, (part.clone(), before - self.left));
        Ok(part)
    }

    fn list(&mut self, list: Word) -> Result<Part, NoFormula> {
        let mut items = Vec::new();
        let mut rest = list;
        while rest.is_cons() {
            items.push(self.part(rest.head())?);
            rest = rest.tail();
        }
        let mut done = self.part(rest)?;
        // The part after the last shadow is one constant.
        if let Part::Constant(end) = &done {
            let mut constants = Vec::new();
            while let Some(Part::Constant(_)) = items.last() {
                if let Some(Part::Constant(item)) = items.pop() {
                    constants.push(item);
                }
            }
            constants.reverse();
            done = Part::Constant(Term::list_with_tail(constants, end.clone()));
        }
        while let Some(item) = items.pop() {
            let (head, tail) = (self.context.formula_of(item), self.context.formula_of(done));
            done = Part::Formula(self.context.recorder.formulas.cons(head, tail));
        }
        Ok(done)
    }

    fn boxed(&mut self, word: Word) -> Result<Part, NoFormula> {
        match word.header().kind() {
            Kind::Tuple => {
                let parts = word.payload().iter().map(|item| self.part(*item)).collect::<Result<Vec<_>, _>>()?;
                let constants: Option<Vec<Term>> = parts.iter().map(as_constant).collect();
                if let Some(items) = constants {
                    return Ok(Part::Constant(Term::tuple(items)));
                }
                let ids: Vec<TermId> = parts.into_iter().map(|part| self.context.formula_of(part)).collect();
                Ok(Part::Formula(self.context.recorder.formulas.tuple(&ids)))
            }
            Kind::SmallMap | Kind::LargeMap => self.map(word),
            Kind::Float | Kind::Big | Kind::Bits | Kind::BitsSlice => self.copied(word),
            Kind::Closure | Kind::External if self.blank => {
                Ok(Part::Constant(Term::input_function(word.header().aux().into())))
            }
            Kind::Pid if self.blank => Ok(Part::Constant(Term::Pid(Term::OWN_PID))),
            Kind::Reference if self.blank => Ok(Part::Constant(Term::Reference(0))),
            Kind::Port if self.blank => Ok(Part::Constant(Term::Port(0))),
            Kind::External | Kind::Pid | Kind::Reference | Kind::Port => self.copied(word),
            Kind::Closure if self.context.is_function_input(word) => Err(NoFormula::FunctionInput),
            Kind::Closure | Kind::MapNode | Kind::MapCollision | Kind::Trace => Err(NoFormula::Unrepresentable),
        }
    }

    /// Makes the formula of a map. The associations without shadows are a constant, into which the others are put.
    fn map(&mut self, map: Word) -> Result<Part, NoFormula> {
        let mut plain = Vec::new();
        let mut others = Vec::new();
        for (key, value) in map.map_iter() {
            match (self.part(key)?, self.part(value)?) {
                (Part::Constant(_), Part::Constant(_)) => plain.push((key.concrete(), value.concrete())),
                (key_part, value_part) => others.push((key, key_part, value_part)),
            }
        }
        let base = if others.is_empty() { map } else { self.context.heap.map_of(&plain) };
        let mut done = self.copied(base)?;
        for (key_word, key, value) in others {
            let base = self.context.formula_of(done);
            let (key, value) = (self.context.formula_of(key), self.context.formula_of(value));
            self.context.remember_key(key, key_word);
            done = Part::Formula(self.context.recorder.formulas.map_put(base, key, value));
        }
        Ok(done)
    }

    /// Copies a value without shadows and without closures.
    fn copied(&mut self, word: Word) -> Result<Part, NoFormula> {
        let context = &*self.context;
        let term = copy_out(word, MOST_PARTS, &|function, arity| context.fun_name(function, arity));
        term.map(Part::Constant).ok_or(NoFormula::TooLarge)
    }
}

fn as_constant(part: &Part) -> Option<Term> {
    match part {
        Part::Constant(term) => Some(term.clone()),
        Part::Formula(_) => None,
    }
}
