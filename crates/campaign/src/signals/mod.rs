//! Collects what the ranking of findings uses: facts about the failure, the specification, the inputs and the code.
//!
//! Facts that are the same for all findings of a function are collected once, when the first of them is judged.

mod callers;
mod declared;
mod habits;
mod inputs;
mod neighbours;
mod refused;

use crate::place::Files;
use crate::target::Target;
use callers::CallSites;
use contract::{Breach, Contract};
use declared::Declared;
pub(crate) use declared::for_each_type;
use frontend::{Cause, Code, CodeAround, FrontEnd, Remarks};
use habits::catches_some;
use inputs::traits_of;
use neighbours::neighbours;
use path::{Class, Raised, Reach, Surrounding, TraceEntry, Waiting};
use program::{Module, Type, for_each_atom};
use refused::{candidates, has_part, refused};
use report::Disagreement;
use report::rank::{Missing, Outcome, Signals, WrongPart};
use search::{Failure, Finding};
use std::collections::HashSet;
use std::sync::Arc;
use term::{Atom, BigInt, FunctionName, Term, names};

/// Facts about a function that do not depend on the finding.
pub struct Facts {
    declared: Declared,
    remarks: Remarks,
    is_module_internal: bool,
    is_named_to_raise: bool,
    /// Atoms that the module names in its types and its code.
    atoms: HashSet<Atom>,
    catches_some: bool,
    is_caught_by_callers: bool,
    call_sites: CallSites,
    is_tested_to_fail: bool,
}

impl Facts {
    pub fn of(
        code: &dyn Code,
        language: &dyn FrontEnd,
        target: &Target,
        contract: &Contract,
        files: &Files,
        user_modules: &[Atom],
    ) -> Facts {
        let module = &target.module;
        let declared = Declared::of(code, module, target.name, contract.behaviour);
        let others = user_modules.iter().filter(|other| **other != module.name);
        let others = others.filter_map(|other| code.load(*other).ok().flatten());
        let modules: Vec<Arc<Module>> = others.chain([Arc::clone(module)]).collect();
        let mut atoms = declared.atoms.clone();
        for function in &module.functions {
            let Ok(body) = function.body.get() else { continue };
            for_each_atom(body, |atom| {
                atoms.insert(atom);
            });
        }
        let remarks = files.head(target).map(|(text, line)| language.remarks(&text, module.name, line));
        let mut remarks: Remarks = remarks.unwrap_or_default();
        let tests = files.tests(target);
        remarks.function.hidden |= is_internal_function(target.name.function);
        Facts {
            declared,
            is_module_internal: remarks.is_module_hidden || is_internal_name(module.name),
            remarks,
            is_named_to_raise: language.is_named_to_raise(target.name.function) || has_trying_twin(module, target.name),
            atoms,
            catches_some: catches_some(module, target.name),
            is_caught_by_callers: callers::is_caught(&modules, target.name),
            call_sites: CallSites::of(code, &modules, target.name),
            is_tested_to_fail: tests.iter().any(|text| language.wants_any_exception(text, target.name)),
        }
    }
}

/// Returns whether the name of a module has a word that marks it as not for users.
fn is_internal_name(module: Atom) -> bool {
    let words = module.text().split(['.', '_', '-']).map(str::to_lowercase);
    words.into_iter().any(|word| matches!(word.as_str(), "internal" | "internals" | "private" | "impl"))
}

/// Returns whether the name is one of functions that are exported for other modules of the same library only.
fn is_internal_function(function: Atom) -> bool {
    let name = function.text();
    name.starts_with('_') || name.starts_with("internal") || name.starts_with("do_")
}

/// Prefixes of the names of functions that are made not to raise exceptions.
const TRYING: [&str; 3] = ["try_", "safe_", "maybe_"];

/// Returns whether there is another function that does the same and returns errors: `try_decode` beside `decode`.
fn has_trying_twin(module: &Module, name: FunctionName) -> bool {
    TRYING.iter().any(|prefix| {
        let twin = Atom::new(&format!("{prefix}{}", name.function.text()));
        module.find(twin, name.arity).is_some_and(|id| module.function(id).exported)
    })
}

/// Returns whether the name is one of functions that read text or data from outside the program.
fn is_named_to_read(function: Atom) -> bool {
    let name = function.text().trim_end_matches(['!', '?']).to_lowercase();
    let words: Vec<&str> = name.split('_').collect();
    let reads = |word: &&str| {
        matches!(
            *word,
            "parse"
                | "decode"
                | "unpack"
                | "read"
                | "scan"
                | "lex"
                | "tokenize"
                | "deserialize"
                | "unserialize"
                | "unmarshal"
                | "unescape"
                | "unquote"
                | "load"
                | "import"
                | "from"
                | "verify"
        )
    };
    let converts = matches!(words[..], ["string" | "binary" | "list" | "text", "to", ..]);
    converts || words.iter().any(reads) || words.iter().any(|word| word.starts_with("urldecode"))
}

/// Returns whether the values that an exception carries are inputs, or parts of them.
fn is_passed_on(raised: &Raised, data: &[Option<&Term>]) -> bool {
    let is_telling = |value: &&&Term| !matches!(value, Term::Nil | Term::Int(0..=1));
    let values = candidates(raised);
    let mut telling = values.iter().filter(is_telling).peekable();
    telling.peek().is_some() && telling.all(|value| data.iter().flatten().any(|input| has_part(input, value)))
}

/// Returns whether the value that fits no clause is the error of a function that the code itself called. In that case,
/// the kinds of values that the clauses take say nothing about the inputs.
fn is_error_inside(raised: &Raised, data: &[Option<&Term>]) -> bool {
    let is_error = |value: &&Term| match value {
        Term::Tuple(parts) => {
            let tag = parts.first().and_then(Term::as_atom);
            parts.len() > 1 && tag.is_some_and(|tag| matches!(tag.text(), "error" | "incomplete"))
        }
        Term::Atom(atom) => *atom == names::ERROR,
        _ => false,
    };
    let of_reason = match &raised.reason {
        Term::Tuple(parts) if parts.len() == 2 => parts.get(1),
        _ => None,
    };
    let of_call = raised.trace.first().and_then(|entry| entry.args.as_ref()).into_iter().flatten();
    let mut errors = of_reason.into_iter().chain(of_call).filter(is_error);
    errors.any(|error| !data.iter().flatten().any(|input| has_part(input, error)))
}

/// Returns whether something outside the run could have made what is missing. A thing that the run itself made and lost
/// is not outside.
fn is_outside(missing: &Missing, depends_on: &[Surrounding]) -> bool {
    match missing {
        // Names for all nodes are in tables.
        Missing::Process(_) => {
            depends_on.contains(&Surrounding::Processes) || depends_on.contains(&Surrounding::Tables)
        }
        Missing::Name(_) => depends_on.contains(&Surrounding::Processes),
        Missing::PersistentTerm(_) => depends_on.contains(&Surrounding::PersistentTerms),
        Missing::Table(_) => depends_on.contains(&Surrounding::Tables),
        Missing::Module(_) | Missing::File(_) | Missing::Application(_) | Missing::Setting(_) => true,
    }
}

/// Returns whether the missing setting comes from an input that is `undefined` or `nil`.
fn is_given(missing: &Missing, data: &[Option<&Term>]) -> bool {
    let is_nothing = |term: &Term| matches!(term, Term::Atom(atom) if matches!(atom.text(), "undefined" | "nil"));
    let nothing = [Term::atom("undefined"), Term::atom("nil")];
    let has_nothing = |term: &&Term| is_nothing(term) || nothing.iter().any(|nothing| has_part(term, nothing));
    matches!(missing, Missing::Setting(_)) && data.iter().flatten().any(has_nothing)
}

/// The surroundings of a finding: its target and the code.
pub struct Around<'a> {
    pub code: &'a dyn Code,
    pub language: &'a dyn FrontEnd,
    pub target: &'a Target,
    pub contract: &'a Contract,
    pub user_modules: &'a [Atom],
}

impl CodeAround for Around<'_> {
    fn is_users(&self, module: Atom) -> bool {
        module == self.target.name.module || self.user_modules.contains(&module)
    }

    fn load(&self, module: Atom) -> Option<Arc<Module>> {
        self.code.load(module).ok().flatten()
    }
}

impl Around<'_> {
    pub fn signals(&self, facts: &Facts, finding: &Finding, disagreement: &Disagreement) -> Signals {
        let name = self.target.name;
        let raised = match &finding.failure {
            Failure::Crash(raised) => Some(raised),
            Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => None,
        };
        let Cause {
            origin,
            exception,
            missing,
            is_said_impossible,
            is_refused_conversion,
            is_narrowed,
            is_text_as_format,
            time_limit,
            is_too_large,
            is_no_table,
            is_made_twice,
            is_in_start: _,
            is_own_stop: _,
        } = raised.map_or_else(Cause::default, |raised| self.language.cause(raised, self));
        let is_own = |entry: &&TraceEntry| {
            (entry.module, entry.function, entry.arity) == (name.module, name.function, name.arity)
        };
        let is_function_clause = raised.is_some_and(|raised| raised.reason == Term::Atom(names::FUNCTION_CLAUSE));
        let own_head =
            is_function_clause && raised.and_then(|raised| raised.trace.first()).as_ref().is_some_and(is_own);
        // The caller of the function cannot influence the crash of another process.
        let is_raised_to_caller = raised.is_none_or(|raised| raised.reach == Reach::Caller);
        let breach = &disagreement.breach;
        let data: Vec<Option<&Term>> =
            finding.inputs.iter().map(|input| input.as_data().map(|value| &value.data)).collect();
        let unhandled_error = raised.is_some_and(|raised| is_error_inside(raised, &data));
        let inputs = traits_of(self, finding, &facts.atoms, &facts.declared);
        Signals {
            outcome: outcome(finding, name.module),
            origin,
            exception,
            neighbours: raised.filter(|_| !unhandled_error).map(|raised| neighbours(raised, self)).unwrap_or_default(),
            unhandled_error,
            refused_alternative: finding.refused.is_some(),
            passed_on: raised.is_some_and(|raised| is_passed_on(raised, &data)),
            callers: facts.call_sites.compare(&data),
            missing: missing
                .filter(|missing| !is_given(missing, &data) && is_outside(missing, &finding.depends_on))
                .or_else(|| self.missing_of_result(&finding.failure)),
            started_before: !self.target.setups.is_empty()
                && (is_made_twice || self.is_started_twice(&finding.failure)),
            said_impossible: is_said_impossible,
            error_return: facts.declared.error_return,
            empty_return: facts.declared.empty_return,
            declared: self.contract.declared,
            precise: self.contract.declared && facts.declared.is_precise,
            any_parameter: facts.declared.any_parameter,
            built_by_hand: !self.contract.clauses.is_empty()
                && self.contract.clauses.iter().all(|clause| clause.by_hand),
            own_head,
            catches_some: raised.is_some_and(|raised| facts.catches_some || self.catches_on_the_way(&raised.trace)),
            caught_by_callers: facts.is_caught_by_callers && is_raised_to_caller,
            refused_conversion: is_refused_conversion,
            wrong_part: breach.as_ref().map(wrong_part),
            returned_input: breach.as_ref().is_some_and(|breach| is_in_inputs(finding, &breach.found)),
            applied_result: !finding.functions.applications.is_empty(),
            applied_without_type: !finding.functions.applications.is_empty() && !facts.declared.returns_functions,
            raised_at_home: raised
                .and_then(|raised| raised.trace.first())
                .is_some_and(|entry| entry.module == name.module),
            named_to_raise: facts.is_named_to_raise && is_raised_to_caller,
            named_to_read: is_named_to_read(name.function),
            tested_to_fail: facts.is_tested_to_fail,
            narrowed: is_narrowed,
            text_as_format: is_text_as_format,
            waits_as_told: time_limit.is_some_and(|limit| data.contains(&Some(&Term::Int(limit)))),
            // The trace of compiled arithmetic on floats has no arguments. A finding is reduced, so a number of that
            // size in an input is needed for the failure.
            too_large: is_too_large && inputs.huge || inputs.beyond_floats && raised.is_some_and(is_about_argument),
            no_table: is_no_table,
            function: facts.remarks.function,
            generated: self.language.is_generated_module(&self.target.module),
            internal_module: facts.is_module_internal,
            by_client: false,
            by_values: false,
            stopped_by_message: false,
            ends_server: false,
            places: 0,
            habit: false,
            percent_raising: None,
            raises_others: false,
            never_made: false,
            made_wrong: finding.made_wrong.is_some(),
            started_twice: false,
            inside_library: raised.is_some_and(|raised| self.is_inside_library(&raised.trace)),
            returns_errors: false,
            returns_nothing: false,
            inputs,
        }
    }
}

/// Returns whether the exception is that of an operation that was given a wrong argument.
fn is_about_argument(raised: &Raised) -> bool {
    matches!(raised.reason, Term::Atom(names::BADARG | names::BADARITH))
}

impl Around<'_> {
    /// Returns whether the function that the user's code called last, judging by the stack frames, is one that its
    /// module does not export.
    fn is_inside_library(&self, trace: &[TraceEntry]) -> bool {
        let own = trace.iter().position(|entry| self.is_users(entry.module));
        let called = own.and_then(|own| trace.get(own.checked_sub(1)?)).filter(|called| called.line > 0);
        called.is_some_and(|called| {
            let module = self.load(called.module);
            let found = module
                .as_ref()
                .and_then(|module| module.find(called.function, called.arity).map(|id| module.function(id)));
            found.is_some_and(|function| !function.exported)
        })
    }

    /// Returns whether one of the user's functions in a trace catches some exceptions.
    fn catches_on_the_way(&self, trace: &[TraceEntry]) -> bool {
        trace.iter().filter(|entry| self.is_users(entry.module)).any(|entry| {
            let name = FunctionName { module: entry.module, function: entry.function, arity: entry.arity };
            self.load(entry.module).is_some_and(|module| catches_some(&module, name))
        })
    }

    fn missing_of_result(&self, failure: &Failure) -> Option<Missing> {
        match failure {
            Failure::Spec { result, .. } => self.language.missing_of_result(result),
            Failure::Crash(_) | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => None,
        }
    }

    /// Returns whether a failure says that something is started already.
    pub fn is_started_twice(&self, failure: &Failure) -> bool {
        let said = match failure {
            Failure::Crash(raised) => &raised.reason,
            Failure::Spec { result, .. } => result,
            Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => return false,
        };
        self.code.language().is_started_twice(said)
    }

    /// Returns the part of a finding that disagrees with the specification.
    pub fn disagreement(&self, finding: &Finding) -> Disagreement {
        let (module, name) = (&self.target.module, self.target.name);
        let mut specs = module.types.specs.iter();
        let spec = specs.find(|spec| (spec.name, spec.arity) == (name.function, name.arity));
        let clauses = spec.map(|spec| &spec.clauses[..]).unwrap_or_default();
        match &finding.failure {
            Failure::Spec { result, .. } => {
                let breach = contract::breach(module, clauses, result, &mut Definitions(self.code));
                Disagreement { breach, refused: None }
            }
            Failure::Crash(raised) => Disagreement { breach: None, refused: refused(raised, finding, clauses) },
            Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => Disagreement::default(),
        }
    }
}

struct Definitions<'a>(&'a dyn Code);

impl contract::Modules for Definitions<'_> {
    fn module(&mut self, name: Atom) -> Option<Arc<Module>> {
        self.0.load(name).ok().flatten()
    }
}

fn wrong_part(breach: &Breach) -> WrongPart {
    let alternatives = match &breach.declared {
        Type::Union(members) => &members[..],
        declared => std::slice::from_ref(declared),
    };
    let zero = BigInt::from(0);
    let is_range = alternatives.iter().any(|of| matches!(of, Type::Integer { low: Some(_), high: Some(_) }));
    let is_not_negative =
        alternatives.iter().any(|of| matches!(of, Type::Integer { low: Some(low), .. } if *low >= zero));
    match &breach.found {
        Term::Int(_) | Term::Big(_) if is_range => WrongPart::BeyondRange,
        Term::Int(number) if is_not_negative && *number < 0 => WrongPart::BelowZero,
        Term::Big(number) if is_not_negative && **number < zero => WrongPart::BelowZero,
        Term::Int(_) | Term::Big(_) | Term::Float(_) => WrongPart::Number,
        Term::Atom(atom) if !breach.path.is_empty() && matches!(atom.text(), "undefined" | "nil") => WrongPart::Nothing,
        Term::Atom(_) => WrongPart::Word,
        Term::Tuple(parts) if parts.first() == Some(&Term::Atom(names::ERROR)) => WrongPart::Error,
        Term::Tuple(parts) if matches!(parts.first(), Some(Term::Atom(_))) => WrongPart::Word,
        _ => WrongPart::Other,
    }
}

/// Returns whether a term is a part of an input.
fn is_in_inputs(finding: &Finding, term: &Term) -> bool {
    let mut data = finding.inputs.iter().flat_map(|input| input.leaves()).map(|value| &value.data);
    // A number may be in the input by chance: as a character of a text, for example.
    let is_number = matches!(term, Term::Int(_) | Term::Big(_));
    data.any(|input| if is_number { input == term } else { has_part(input, term) })
}

/// Classifies the outcome of a finding. `module` is the module of the function under test.
fn outcome(finding: &Finding, module: Atom) -> Outcome {
    match &finding.failure {
        Failure::Crash(raised) => match raised.class {
            Class::Error => Outcome::Error,
            Class::Throw => Outcome::Throw,
            Class::Exit => Outcome::Exit,
        },
        Failure::Spec { .. } => Outcome::WrongResult,
        Failure::Blame(_) => Outcome::WrongUse,
        Failure::Timeout(unended) if unended.endless.is_some() => Outcome::Endless,
        Failure::Timeout(_) => Outcome::Long,
        // A process that waits for no particular process may be meant to get messages from elsewhere, unless a process
        // that it has started waits in the same module as well.
        Failure::Deadlock(waiting) => {
            // Another client may do what a client waits for, unless the servers wait for each other.
            let is_client = finding.functions.scenario.is_some();
            let is_own = |waiting: &Waiting| {
                let is_in_module = waiting.function.is_some_and(|function| function.module == module);
                is_in_module && !(is_client && waiting.waits_for.is_empty())
            };
            match waiting.split_first() {
                Some((main, _)) if !main.waits_for.is_empty() => Outcome::Deadlock,
                Some((_, others)) if others.iter().any(is_own) => Outcome::Deadlock,
                _ => Outcome::Waiting,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_internal() {
        for (name, is_internal) in [
            ("Elixir.Jason.Internal.Codegen", true),
            ("m_impl", true),
            ("simple", false),
            ("private_key", true),
            ("Elixir.Simple", false),
        ] {
            assert_eq!(is_internal_name(Atom::new(name)), is_internal, "{name}");
        }
    }

    #[test]
    fn names_say_who_reads() {
        let reads = |name: &str| is_named_to_read(Atom::new(name));
        for name in ["parse", "parse_qs", "decode!", "from_binary", "string_to_uuid", "unpack_ext", "urldecode"] {
            assert!(reads(name), "{name}");
        }
        for name in ["format", "encode", "to_string", "parsed", "is_json"] {
            assert!(!reads(name), "{name}");
        }
    }

    #[test]
    fn an_error_inside_is_no_input() {
        let error = Term::tuple(vec![Term::atom("error"), Term::Nil]);
        let reason = Term::tuple(vec![Term::atom("badmatch"), error.clone()]);
        let raised = Raised::by_main(Class::Error, reason, Vec::new());
        let number = Term::Int(1);
        assert!(is_error_inside(&raised, &[Some(&number)]));
        assert!(!is_error_inside(&raised, &[Some(&Term::list(vec![error]))]));
        let other = Raised::by_main(Class::Error, Term::tuple(vec![Term::atom("badmatch"), number]), Vec::new());
        assert!(!is_error_inside(&other, &[]));
    }

    #[test]
    fn a_setting_is_not_missing_where_nothing_was_passed() {
        let missing = Missing::Setting("the key size of application shop".to_string());
        let (number, nothing) = (Term::Int(1), Term::list(vec![Term::atom("undefined")]));
        assert!(!is_given(&missing, &[Some(&number), None]));
        assert!(is_given(&missing, &[Some(&number), Some(&nothing)]));
        assert!(!is_given(&Missing::Table("orders".to_string()), &[Some(&nothing)]));
    }
}
