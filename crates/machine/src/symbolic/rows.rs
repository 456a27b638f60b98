//! Applies rows of primitives to arguments with shadows, according to their meanings.

use crate::context::{CallTarget, Context, Escape, TraceStart};
use crate::language::Language;
use crate::primitive::{Domain, Look, Meaning, Primitive, Symbolic};
use crate::value::Word;
use formula::{Operator, TermId};
use path::Concretised;
use term::{Atom, FunctionName};

impl Context {
    /// Applies a row to arguments that may have shadows. `calls` says whether the place can wait for a call.
    pub fn apply_row(&mut self, row: &'static Primitive, args: &[Word], calls: bool) -> Result<Word, Escape> {
        if !self.looks_at_shadow(row, args) {
            return match row.meaning {
                Meaning::Sampled { .. } => self.apply_and_sample(row, args),
                _ => row.apply(self, args),
            };
        }
        match row.meaning {
            Meaning::Term(symbolic) => self.apply_term(row, symbolic, args),
            Meaning::Keyed { key, map, whole } => self.apply_keyed(row, key, map, whole, args),
            Meaning::Opened(looks) => self.apply_opened(row, looks, args),
            Meaning::Sampled { requires, most, .. } => self.apply_sampled(row, requires, most, args),
            Meaning::Prelude(_, function) if calls => {
                self.check_shadowed_domains(row, args)?;
                let target = CallTarget::Named { module: self.language.prelude(), function: term::Atom::new(function) };
                Err(self.call(target, args.to_vec()))
            }
            Meaning::Prelude(..) | Meaning::Effect(_) | Meaning::Opaque(_) => {
                self.check_shadowed_domains(row, args)?;
                self.apply_blindly(row, args)
            }
        }
    }

    /// Returns whether the row inspects a shadow. The check of a domain counts, too, whatever the row's meaning.
    pub(crate) fn looks_at_shadow(&self, row: &Primitive, args: &[Word]) -> bool {
        self.heap.has_shadows() && row.looks.meet_shadow(&self.heap, args)
    }

    fn is_shadowed_for(&self, look: Look, arg: Word) -> bool {
        match look {
            Look::Moved => false,
            Look::Top => arg.is_symbolic(),
            Look::Spine => self.heap.is_spine_shadowed(arg),
            Look::Deep => self.heap.is_shadowed(arg),
        }
    }

    /// Applies a row whose meaning is a formula over the arguments' formulas.
    pub(super) fn apply_term(
        &mut self,
        row: &'static Primitive,
        symbolic: Symbolic,
        args: &[Word],
    ) -> Result<Word, Escape> {
        let Ok(formulas) = self.reify_all(args) else { return self.apply_blindly(row, args) };
        let plain: Vec<Word> = args.iter().map(|arg| self.heap.without_shadows(*arg)).collect();
        self.check_domains(row, args, &plain, &formulas)?;
        if let [a, b] = args
            && row.looks.is_deep(0)
            && row.looks.is_deep(1)
        {
            self.note_compared(*a, *b);
        }
        let outcome = (row.concrete)(self, &plain);
        let result = (symbolic.result)(&mut self.recorder.formulas, &formulas);
        let returned = match outcome {
            Ok(_) => true,
            Err(Escape::Raise) => false,
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
            ) => return outcome,
        };
        let requires = match symbolic.requires {
            Some(requires) => Some(requires(&mut self.recorder.formulas, &formulas)),
            None => self.defined(result),
        };
        let decided = match requires {
            Some(requires) => {
                self.decide(requires, returned);
                self.recorder.formulas.as_boolean(requires).unwrap_or(returned)
            }
            None => true,
        };
        // The runtime has a limit that is not part of the meaning.
        if decided != returned {
            let lost = loss(self.language, row);
            self.recorder.concretised(lost);
        }
        match outcome {
            Ok(value) => Ok(self.with_formula(value, result)),
            Err(escape) => Err(self.restore_reason(escape, args, &plain, None)),
        }
    }

    /// Returns the condition under which arithmetic has a value, if it may have none.
    fn defined(&mut self, result: TermId) -> Option<TermId> {
        match self.recorder.formulas.operator(result) {
            Operator::Arithmetic(..) | Operator::Numeric(..) => Some(self.recorder.formulas.defined(result)),
            _ => None,
        }
    }

    /// Decides for each argument whether it is in the domain, and raises for the first that is not.
    pub(super) fn check_domains(
        &mut self,
        row: &'static Primitive,
        args: &[Word],
        plain: &[Word],
        formulas: &[TermId],
    ) -> Result<(), Escape> {
        for (index, domain) in row.domain.iter().enumerate() {
            if *domain != Domain::Any && !self.decide_domain(*domain, plain[index], formulas[index]) {
                return Err(self.raise_outside(row, args, index));
            }
        }
        Ok(())
    }

    /// Raises the row's error for an argument outside its domain.
    pub(super) fn raise_outside(&mut self, row: &'static Primitive, args: &[Word], index: usize) -> Escape {
        let plain: Vec<Word> = args.iter().map(|arg| self.heap.without_shadows(*arg)).collect();
        let escape = (row.outside)(self, &plain);
        self.restore_reason(escape, args, &plain, Some(index))
    }

    /// Decides on the domains of arguments that are passed on unchanged.
    fn check_shadowed_domains(&mut self, row: &'static Primitive, args: &[Word]) -> Result<(), Escape> {
        for (index, domain) in row.domain.iter().enumerate() {
            let is_inside = match self.is_shadowed_for(domain.look(), args[index]) {
                false => domain.contains(args[index]),
                true => {
                    let plain = self.heap.without_shadows(args[index]);
                    match self.reify(args[index]) {
                        Ok(formula) => self.decide_domain(*domain, plain, formula),
                        Err(why) => {
                            self.lose(why.reason());
                            domain.contains(plain)
                        }
                    }
                }
            };
            if !is_inside {
                let plain: Vec<Word> = args.iter().map(|arg| self.heap.without_shadows(*arg)).collect();
                let escape = (row.outside)(self, &plain);
                return Err(self.restore_reason(escape, args, &plain, Some(index)));
            }
        }
        Ok(())
    }

    /// Applies a row without a meaning: the parts that it inspects are made concrete.
    pub(super) fn apply_blindly(&mut self, row: &'static Primitive, args: &[Word]) -> Result<Word, Escape> {
        let lost = loss(self.language, row);
        self.recorder.concretised(lost);
        let plain: Vec<Word> = args
            .iter()
            .enumerate()
            .map(|(index, arg)| match row.looks.meet_shadow_of(&self.heap, index, *arg) {
                true => self.heap.without_shadows(*arg),
                false => *arg,
            })
            .collect();
        row.apply(self, &plain)
    }

    /// Restores the shadow of the argument in an error `{Tag, Argument}` that was raised about an argument without its
    /// shadow. `about` is the index of the argument, if known.
    pub(super) fn restore_reason(
        &mut self,
        escape: Escape,
        args: &[Word],
        plain: &[Word],
        about: Option<usize>,
    ) -> Escape {
        let Some(exception) = self.pending.exception else { return escape };
        if escape != Escape::Raise || exception.reason.is_immediate() {
            return escape;
        }
        let is_about = |value: Word| {
            let mut same = (0..args.len()).filter(|index| plain[*index] == value && args[*index] != value);
            match (about, same.next(), same.next()) {
                (Some(index), Some(_), _) if plain[index] == value => Some(index),
                (None, Some(index), None) => Some(index),
                _ => None,
            }
        };
        match exception.reason.as_tuple() {
            Some(&[tag, value]) if tag.is_atom() => match is_about(value) {
                Some(index) => {
                    let reason = self.heap.tuple(&[tag, args[index]]);
                    self.raise(exception.class, reason, exception.trace)
                }
                None if plain.contains(&value) && !args.contains(&value) => {
                    self.lose(Concretised::ReasonOfError);
                    escape
                }
                None => escape,
            },
            _ => {
                if matches!(exception.trace, TraceStart::Primitive) {
                    self.lose(Concretised::ReasonOfError);
                }
                escape
            }
        }
    }
}

pub(super) fn loss(language: &dyn Language, row: &Primitive) -> Concretised {
    match row.module {
        "" => Concretised::Operation { name: Atom::new(row.name), arity: row.arity() },
        module => {
            let function = Atom::new(row.name);
            let name = FunctionName { module: Atom::new(module), function, arity: row.arity() };
            Concretised::Function(language.known_as(name))
        }
    }
}
