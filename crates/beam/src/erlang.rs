//! The front end for Erlang.

use crate::cause::{cause, is_generated, is_message_of_runtime, missing, unregistered, unstarted};
use crate::clause;
use crate::creator::creator;
use crate::eunit::EUnit;
use crate::exception;
use crate::expectation::Expected;
use crate::parameters::Heads;
use crate::pattern::NamePattern;
use crate::printing::{LINE, input};
use crate::remarks;
use crate::scenario::statements;
use crate::types::{self, written};
use contract::TypeName;
use erlang::syntax::elixir::struct_name;
use erlang::syntax::{
    Dialect, Erlang, Notation, escape_hidden, lay_out, parse_term, print_applied, print_atom, print_condition,
    print_records,
};
use formula::{Formulas, TermId, Variable};
use frontend::{
    Cause, Code, CodeAround, CodeConfig, CodeError, Evaluate, Expectation, FrontEnd, Pattern, Remarks, Structure,
};
use path::{InputValue, Raised, Scenario, Witness};
use program::{Module, RecordDef, Type};
use report::Printer;
use report::rank::Missing;
use std::path::Path;
use std::sync::Arc;
use term::{Atom, Fun, FunctionName, Term};

/// Erlang as its shell and its compiler print and read it.
pub struct ErlangFrontEnd {
    /// The code that knows the records of modules.
    code: Option<Arc<[Arc<dyn Code>]>>,
}

/// Erlang without code: records are printed as tuples only.
pub static ERLANG: ErlangFrontEnd = ErlangFrontEnd { code: None };

impl ErlangFrontEnd {
    pub const fn without_code() -> ErlangFrontEnd {
        ErlangFrontEnd { code: None }
    }
}

const HEADS: Heads = Heads {
    character: '$',
    comment: '%',
    behind_name: |head, function| head.trim_start().strip_prefix(&print_atom(function)),
    begins_variable: |letter| letter.is_ascii_uppercase(),
};

impl Printer for ErlangFrontEnd {
    fn term(&self, term: &Term) -> String {
        Erlang.term(term)
    }

    fn input(&self, value: &InputValue, strict: bool) -> String {
        input(&Erlang, value, strict)
    }

    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String {
        print_applied(&Erlang, call, functions, strict)
    }

    fn scenario(&self, scenario: &Scenario, functions: &Arc<Witness>) -> Vec<String> {
        statements(&Erlang, scenario, functions, false)
    }

    fn sequence(&self, statements: &[String], in_lines: bool) -> String {
        statements.join(if in_lines { ",\n" } else { ", " })
    }

    fn laid_out(&self, call: &str, shares: bool) -> String {
        lay_out(call, Dialect::Erlang, shares, LINE)
    }

    fn with_records(&self, module: Atom, term: &Term) -> Option<String> {
        let code = self.code.iter().flat_map(|code| code.iter());
        let mut modules = code.filter_map(|code| code.load(module).ok().flatten());
        print_records(term, &modules.next()?.types.records)
    }

    fn module(&self, module: Atom) -> String {
        module.text().to_string()
    }

    fn function(&self, name: FunctionName) -> String {
        match name.is_client() {
            true => format!("{}:{}", print_atom(name.module), name.function),
            false => Erlang.function_name(name.module, name.function, name.arity),
        }
    }

    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        Erlang.call(module, function, args)
    }

    fn type_name(&self, term: &Term) -> Option<Atom> {
        // Values of Elixir may also be passed to functions of Erlang.
        struct_name(term)
    }

    fn declared(&self, declared: &Type) -> String {
        written(&Erlang, &types::ERLANG, declared)
    }

    fn type_called(&self, name: TypeName) -> String {
        types::ERLANG.called(name)
    }

    fn raised(&self, class: Atom, reason: &Term, _: &str) -> String {
        format!("{class} {}", self.term(reason))
    }

    fn runtime(&self) -> &'static str {
        "the BEAM"
    }

    fn end_of_input(&self) -> &'static str {
        "."
    }
}

impl FrontEnd for ErlangFrontEnd {
    fn name(&self) -> &'static str {
        "Erlang"
    }

    fn reads(&self, file: &Path) -> bool {
        file.extension().is_some_and(|extension| extension == "erl" || extension == "beam")
    }

    fn open(&self, config: CodeConfig) -> Result<Arc<dyn Code>, CodeError> {
        Ok(crate::open(config)?)
    }

    fn owns(&self, _: Atom, source: Option<&str>) -> bool {
        source.is_some_and(|file| file.ends_with(".erl"))
    }

    fn with_code(&self, code: &[Arc<dyn Code>]) -> Arc<dyn FrontEnd> {
        Arc::new(ErlangFrontEnd { code: Some(code.into()) })
    }

    fn is_generated(&self, function: Atom) -> bool {
        ["module_info", "behaviour_info", "__info__", "__struct__"].contains(&function.text())
    }

    fn escaped(&self, text: &str) -> String {
        escape_hidden(text)
    }

    fn shown(&self, term: &Term, text: Option<&str>) -> String {
        text.map_or_else(|| erlang::print(term), str::to_string)
    }

    fn condition(&self, formulas: &Formulas, condition: TermId, name: &dyn Fn(Variable) -> String) -> String {
        print_condition(&Erlang, formulas, condition, name)
    }

    fn variable(&self, word: &str, number: usize) -> String {
        format!("{word}{number}")
    }

    fn parameters(&self, head: &str, function: Atom, arity: usize) -> Vec<String> {
        let plain = (1..=arity).map(|number| self.variable("X", number)).collect();
        HEADS.parameters(plain, head, function)
    }

    fn clause_head(&self, source: &str, line: u32, column: u32) -> Option<String> {
        clause::head(source, line, column)
    }

    fn is_specification(&self, line: &str, function: Atom) -> bool {
        line.trim_start().starts_with(&format!("-spec {}(", print_atom(function)))
    }

    /// Reads a name as written after `fun`. The quotes of names may be omitted.
    fn read_name(&self, text: &str) -> Option<FunctionName> {
        if let Some((module, FunctionName::CLIENT_NAME)) = text.rsplit_once(':') {
            let quoted = module.strip_prefix('\'').and_then(|module| module.strip_suffix('\''));
            let is_name = !module.is_empty() && !module.contains(['*', ' ', '/', ':', '(']);
            let name = match quoted {
                Some(quoted) => Some(quoted.to_string()),
                None => is_name.then(|| erlang::syntax::elixir::full_name(module)),
            };
            return name.map(|name| FunctionName::client_of(Atom::new(&name)));
        }
        if let Ok(Term::Fun(fun)) = &parse_term(&format!("fun {text}"))
            && let Fun::External { module, function, arity } = **fun
        {
            return Some(FunctionName { module, function, arity });
        }
        let (rest, arity) = text.rsplit_once('/')?;
        let (module, function) = rest.rsplit_once(':')?;
        let is_name = |name: &str| !name.is_empty() && !name.contains(['\'', ' ', '/', ':', '(']);
        if !is_name(module) || !is_name(function) {
            return None;
        }
        let arity = arity.parse().ok().filter(|arity| *arity <= 255)?;
        let module = erlang::syntax::elixir::full_name(module);
        Some(FunctionName { module: Atom::new(&module), function: Atom::new(function), arity })
    }

    fn read_pattern(&self, text: &str) -> Option<Arc<dyn Pattern>> {
        NamePattern::parse(text).map(|pattern| Arc::new(pattern) as Arc<dyn Pattern>)
    }

    fn read_expectation(&self, text: &str) -> Result<Arc<dyn Expectation>, String> {
        Expected::parse(text).map(|expected| Arc::new(expected) as Arc<dyn Expectation>)
    }

    fn read(&self, text: &str, evaluate: &mut Evaluate<'_>) -> Result<Term, String> {
        evaluate(text)
    }

    fn describe(&self, raised: &Raised, evaluate: &mut Evaluate<'_>) -> String {
        exception::in_erlang(raised, evaluate)
    }

    fn cause(&self, raised: &Raised, around: &dyn CodeAround) -> Cause {
        cause(raised, around)
    }

    fn missing(&self, raised: &Raised, around: &dyn CodeAround) -> Option<Missing> {
        missing(raised, around)
    }

    fn missing_of_result(&self, result: &Term) -> Option<Missing> {
        unstarted(result)
    }

    fn unregistered(&self, raised: &Raised) -> Option<Atom> {
        unregistered(raised)
    }

    fn is_message_of_runtime(&self, term: &Term) -> bool {
        is_message_of_runtime(term)
    }

    fn creator(&self, missing: &Missing, module: &Module) -> Option<FunctionName> {
        creator(missing, module)
    }

    fn remarks(&self, source: &str, _: Atom, line: u32) -> Remarks {
        remarks::in_erlang(source, line)
    }

    fn wants_any_exception(&self, text: &str, name: FunctionName) -> bool {
        let any = ["assertError(_", "assertException(_", "assertException(error, _", "{'EXIT', _}", "{'EXIT',_}"];
        let call = format!("{}:{}(", name.module.text(), name.function.text());
        // In the module itself, calls need only the name of the function.
        let own = format!(" {}(", name.function.text());
        let is_module = text.contains(&format!("-module({})", name.module.text()));
        let calls: Vec<String> = std::iter::once(call).chain(is_module.then_some(own)).collect();
        remarks::want_exception(text, &any, &calls) || remarks::catch_all(text, &calls)
    }

    fn is_generated_module(&self, module: &Module) -> bool {
        is_generated(module)
    }

    fn is_named_to_raise(&self, _: Atom) -> bool {
        false
    }

    /// Returns no structure: a record exists at compile time only, and its value is an ordinary tuple.
    fn structure(&self, _: &Term) -> Structure {
        Structure::None
    }

    fn untouched(&self, home: &Module, term: &Term) -> Option<Term> {
        let parts = term.as_tuple()?;
        let name = parts.first()?.as_atom()?;
        let is_it = |record: &&RecordDef| record.name == name && record.fields.len() + 1 == parts.len();
        let record = home.types.records.iter().find(is_it)?;
        // Fields with computed defaults keep their values.
        let fields = record.fields.iter().zip(parts.iter().skip(1));
        let fields = fields.map(|((_, default), part)| default.clone().unwrap_or_else(|| part.clone()));
        Some(Term::tuple(std::iter::once(Term::Atom(name)).chain(fields).collect::<Vec<_>>()))
    }

    fn asking(&self) -> &dyn Printer {
        self
    }

    fn asked(&self, text: &str) -> String {
        text.to_string()
    }

    fn framework(&self) -> &'static dyn emit::Framework {
        &EUnit
    }
}
