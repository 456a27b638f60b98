//! The meaning of native functions for analyses that go backwards through a program: the rows of the machine's
//! language.

use formula::{Codomain, Formulas, Kinds, Operator, TermId};
use machine::{Domain, Language, Meaning, Primitive, Symbolic, domain_condition};
use reach::{Delivers, Native, NativeKind, Natives};
use term::{Atom, FunctionName};

/// Kinds of terms that are functions, or may contain some.
const MAY_HOLD_FUNCTIONS: Kinds = Kinds::FUNCTION.or(Kinds::TUPLE).or(Kinds::LIST).or(Kinds::MAP);

/// The rows of a language.
pub struct Rows(pub &'static dyn Language);

impl Rows {
    fn row(&self, name: FunctionName) -> Option<&'static Primitive> {
        let FunctionName { module, function, arity } = name;
        self.0.primitive(module, function, arity).or_else(|| self.0.summary(module, function, arity))
    }
}

impl Natives for Rows {
    fn named(&self, formulas: &mut Formulas, name: FunctionName, args: &[TermId]) -> Native {
        self.row(name).map_or(Native::Code, |row| self.meaning(row, formulas, args))
    }

    fn operation(&self, formulas: &mut Formulas, name: Atom, args: &[TermId]) -> Native {
        let row = self.0.operation(name, args.len() as u32);
        row.map_or(Native::Unknown, |row| self.meaning(row, formulas, args))
    }

    fn kind_of_named(&self, name: FunctionName) -> NativeKind {
        self.row(name).map_or(NativeKind::Code, kind)
    }

    fn kind_of_operation(&self, name: Atom, arity: u32) -> NativeKind {
        self.0.operation(name, arity).map_or(NativeKind::Impure, kind)
    }

    fn delivers(&self, name: FunctionName) -> Delivers {
        // The real runtime may deliver other results of a function with effects than the machine's row does.
        let pure = self.row(name).filter(|row| kind(row) != NativeKind::Impure);
        let result = pure.map_or(Domain::Any, |row| row.result);
        Delivers { codomain: codomain(result), is_proper: result == Domain::ProperList }
    }

    fn makes_functions(&self, name: FunctionName) -> bool {
        let may_hold = |row: &Primitive| codomain(row.result).kinds.meets(MAY_HOLD_FUNCTIONS);
        let is_from_outside = |row: &'static Primitive| row.basis.is_outside() && may_hold(row);
        let makes_names = |text: &str| text.ends_with("_to_atom") || text.ends_with("_to_existing_atom");
        let function = name.function.text();
        self.row(name).is_some_and(is_from_outside)
            || name.module.text() == "erlang" && (function == "binary_to_term" || makes_names(function))
    }

    fn keeps_to_arguments(&self, module: Atom) -> bool {
        self.0.keeps_to_arguments(module)
    }

    fn calls_by_name(&self, name: FunctionName) -> bool {
        self.row(name).is_some_and(|row| {
            let is_open = matches!(row.meaning, Meaning::Effect(_)) && row.arity() > 2;
            row.domain.windows(2).any(|pair| *pair == [Domain::Atom, Domain::Atom])
                || is_open && row.domain.iter().all(|domain| *domain == Domain::Any)
        })
    }
}

fn kind(row: &'static Primitive) -> NativeKind {
    if row.result == Domain::Never {
        return NativeKind::Raises;
    }
    match row.meaning {
        Meaning::Effect(_) => NativeKind::Impure,
        _ if row.basis.is_outside() => NativeKind::Impure,
        Meaning::Term(_)
        | Meaning::Prelude(..)
        | Meaning::Keyed { .. }
        | Meaning::Opened(_)
        | Meaning::Sampled { .. }
        | Meaning::Opaque(_) => NativeKind::Pure,
    }
}

fn codomain(domain: Domain) -> Codomain {
    let from = |low: i64| Codomain { low: Some(low), ..Codomain::of(Kinds::INTEGER) };
    Codomain::of(match domain {
        Domain::Never => Kinds::NONE,
        Domain::Any => Kinds::ALL,
        Domain::NonNegative => return from(0),
        Domain::Positive => return from(1),
        Domain::Byte => return Codomain { high: Some(255), ..from(0) },
        Domain::Integer => Kinds::INTEGER,
        Domain::Timeout => Kinds::INTEGER.or(Kinds::ATOM),
        Domain::Float => Kinds::FLOAT,
        Domain::Number => Kinds::NUMBER,
        Domain::Atom | Domain::Boolean => Kinds::ATOM,
        Domain::List | Domain::ProperList => Kinds::LIST,
        Domain::NonemptyList => Kinds::CONS,
        Domain::Tuple => Kinds::TUPLE,
        Domain::Map => Kinds::MAP,
        Domain::Bits | Domain::Binary => Kinds::BITS,
        Domain::Function => Kinds::FUNCTION,
        Domain::Pid => Kinds::PID,
        Domain::Reference => Kinds::REFERENCE,
        Domain::Port => Kinds::PORT,
    })
}

impl Rows {
    fn meaning(&self, row: &'static Primitive, formulas: &mut Formulas, args: &[TermId]) -> Native {
        match kind(row) {
            NativeKind::Raises => return Native::Raises,
            NativeKind::Impure => return Native::Unknown,
            NativeKind::Pure | NativeKind::Code => {}
        }
        match row.meaning {
            Meaning::Term(symbolic) | Meaning::Keyed { whole: symbolic, .. } => formula(row, symbolic, formulas, args),
            Meaning::Prelude(_, function) => Native::Same(FunctionName {
                module: self.0.prelude(),
                function: Atom::new(function),
                arity: args.len() as u32,
            }),
            Meaning::Sampled { requires, .. } => {
                let domain = in_domain(row, formulas, args);
                let requires = requires.and_then(|requires| requires(formulas, args));
                let requires = requires.map_or(domain, |requires| formulas.and(domain, requires));
                Native::Sampled { requires: Some(requires), delivers: Codomain::ANYTHING }
            }
            Meaning::Opened(_) | Meaning::Effect(_) | Meaning::Opaque(_) => Native::Unknown,
        }
    }
}

fn formula(row: &Primitive, symbolic: Symbolic, formulas: &mut Formulas, args: &[TermId]) -> Native {
    let domain = in_domain(row, formulas, args);
    // Formulas are only defined for arguments in the domain.
    if formulas.as_boolean(domain) == Some(false) {
        return Native::Value { requires: domain, value: domain };
    }
    let value = (symbolic.result)(formulas, args);
    let requires = match symbolic.requires {
        Some(requires) => requires(formulas, args),
        None => match formulas.operator(value) {
            Operator::Arithmetic(..) | Operator::Numeric(..) => formulas.defined(value),
            _ => formulas.boolean(true),
        },
    };
    Native::Value { requires: formulas.and(domain, requires), value }
}

fn in_domain(row: &Primitive, formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let mut all = formulas.boolean(true);
    for (domain, arg) in row.domain.iter().zip(args) {
        let is_inside = domain_condition(*domain, formulas, *arg);
        all = formulas.and(all, is_inside);
    }
    all
}
