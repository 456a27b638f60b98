//! Functions without meaning to the solver: their result for symbolic arguments is an opaque application, and every
//! call is a sample of them.

use super::rows::loss;
use crate::context::{Context, Escape};
use crate::primitive::{Domain, Most, Primitive, Requires};
use crate::value::{Word, copy_out};
use formula::{Codomain, Kinds, Sample, TermId};
use path::Concretised;
use term::{Atom, Fun, FunctionName, Term};

/// The number of parts of arguments and results up to which samples are made.
const LARGEST: usize = 4096;

impl Context {
    /// Applies a row that is known by samples only.
    pub(super) fn apply_sampled(
        &mut self,
        row: &'static Primitive,
        requires: Option<Requires>,
        most: Option<Most>,
        args: &[Word],
    ) -> Result<Word, Escape> {
        let Ok(formulas) = self.reify_all(args) else { return self.apply_blindly(row, args) };
        let plain: Vec<Word> = args.iter().map(|arg| self.heap.without_shadows(*arg)).collect();
        let name = name(row);
        let Some(known) = self.lasting(&plain).filter(|_| !self.recorder.formulas.samples().is_moody(name)) else {
            return self.apply_blindly(row, args);
        };
        self.check_domains(row, args, &plain, &formulas)?;
        args.iter().for_each(|arg| self.note_inspected(*arg));
        let outcome = (row.concrete)(self, &plain);
        let Some(sample) = self.sample(&outcome) else {
            let lost = loss(self.language, row);
            self.recorder.concretised(lost);
            return outcome;
        };
        let high = most.and_then(|most| most(&self.recorder.formulas, &formulas));
        let delivers = Codomain { high, ..codomain(row.result) };
        let applied = self.applied(name, delivers, &formulas, &known, &sample, requires);
        match outcome {
            Ok(value) => Ok(self.with_formula(value, applied)),
            Err(escape) => Err(self.restore_reason(escape, args, &plain, None)),
        }
    }

    /// Applies such a row to arguments without shadows, and records a sample on the way.
    pub(super) fn apply_and_sample(&mut self, row: &'static Primitive, args: &[Word]) -> Result<Word, Escape> {
        let name = name(row);
        let outcome = row.apply(self, args);
        if self.recorder.formulas.samples().wants(name)
            && let (Some(sample), Some(args)) = (self.sample(&outcome), self.lasting(args))
        {
            self.recorder.formulas.samples().record(name, &args, &sample);
        }
        outcome
    }

    /// Returns the result of a function that is known by samples, with its formula if arguments have shadows. It was
    /// applied to the arguments without their shadows.
    pub fn sampled(&mut self, name: FunctionName, args: &[Word], returned: Option<Word>) -> Option<Word> {
        let is_shadowed = args.iter().any(|arg| self.heap.is_shadowed(*arg) && !self.has_only_identities(*arg));
        let sample = match returned {
            // The result depends on more than the arguments, which a sample cannot represent.
            Some(value) if self.heap.is_shadowed(value) => None,
            Some(value) => self.lasting(&[value]).and_then(|mut terms| Some(Sample::Returned(terms.pop()?))),
            None => Some(Sample::Raised),
        };
        let is_known = !self.recorder.formulas.samples().is_moody(name);
        let point = sample.filter(|_| is_known).and_then(|sample| Some((self.lasting(args)?, sample)));
        if !is_shadowed {
            if let Some((args, sample)) = point {
                self.recorder.formulas.samples().record(name, &args, &sample);
            }
            return returned;
        }
        let (Some((known, sample)), Ok(formulas)) = (point, self.reify_all(args)) else {
            let FunctionName { module, function, arity } = name;
            self.recorder.concretised(Concretised::Function(FunctionName { module, function, arity }));
            return returned;
        };
        let applied = self.applied(name, Codomain::ANYTHING, &formulas, &known, &sample, None);
        if returned.is_none() {
            self.lose(Concretised::ReasonOfError);
        }
        returned.map(|value| self.with_formula(value, applied))
    }

    /// Records a sample of a function and the decision whether it returned. Returns the formula of its result.
    fn applied(
        &mut self,
        name: FunctionName,
        delivers: Codomain,
        formulas: &[TermId],
        args: &[Term],
        sample: &Sample,
        requires: Option<Requires>,
    ) -> TermId {
        self.recorder.formulas.samples().record(name, args, sample);
        let applied = self.recorder.formulas.apply(name, delivers, formulas);
        let condition = requires.and_then(|requires| requires(&mut self.recorder.formulas, formulas));
        let requires = condition.unwrap_or_else(|| self.recorder.formulas.defined(applied));
        self.decide(requires, matches!(sample, Sample::Returned(_)));
        applied
    }

    /// Returns the sample for the outcome of a call, if it makes sense outside of this run.
    fn sample(&self, outcome: &Result<Word, Escape>) -> Option<Sample> {
        match outcome {
            Ok(value) => Some(Sample::Returned(self.lasting(&[*value])?.pop()?)),
            Err(Escape::Raise) => Some(Sample::Raised),
            Err(
                Escape::Call
                | Escape::Ask(_)
                | Escape::CallFirst
                | Escape::Stack
                | Escape::Tell
                | Escape::Wait
                | Escape::Yield
                | Escape::Restart
                | Escape::End
                | Escape::Stop,
            ) => None,
        }
    }

    /// Returns the words as terms, if these are not too large and mean the same in another run.
    fn lasting(&self, words: &[Word]) -> Option<Vec<Term>> {
        let nobody = |_: u64, arity: u8| Fun::Input { arity: u32::from(arity), number: 0 };
        let terms: Option<Vec<Term>> = words.iter().map(|word| copy_out(*word, LARGEST, &nobody)).collect();
        terms.filter(|terms| terms.iter().all(is_lasting))
    }
}

/// Returns whether a term means the same in every run.
fn is_lasting(term: &Term) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match term {
            Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => return false,
            Term::List(items, end) => {
                open.extend(items.iter());
                open.extend(end.as_deref());
            }
            Term::Tuple(elements) => open.extend(elements.iter()),
            Term::Map(pairs) => open.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    true
}

fn name(row: &Primitive) -> FunctionName {
    FunctionName { module: Atom::new(row.module), function: Atom::new(row.name), arity: row.arity() }
}

/// Returns the possible results of a function with this result domain.
fn codomain(domain: Domain) -> Codomain {
    let kinds = match domain {
        Domain::Integer | Domain::NonNegative | Domain::Positive | Domain::Byte => Kinds::INTEGER,
        Domain::Float => Kinds::FLOAT,
        Domain::Number => Kinds::NUMBER,
        Domain::Atom | Domain::Boolean => Kinds::ATOM,
        Domain::List | Domain::ProperList => Kinds::LIST,
        Domain::NonemptyList => Kinds::CONS,
        Domain::Tuple => Kinds::TUPLE,
        Domain::Map => Kinds::MAP,
        Domain::Bits | Domain::Binary => Kinds::BITS,
        Domain::Never
        | Domain::Any
        | Domain::Timeout
        | Domain::Function
        | Domain::Pid
        | Domain::Reference
        | Domain::Port => Kinds::ALL,
    };
    let low = match domain {
        Domain::NonNegative | Domain::Byte => Some(0),
        Domain::Positive => Some(1),
        _ => None,
    };
    Codomain { low, ..Codomain::of(kinds) }
}
