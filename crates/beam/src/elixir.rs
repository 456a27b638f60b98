//! The front end for Elixir. Expressions that are evaluated are written in Erlang; text that people read and paste is
//! Elixir.

use crate::cause::{cause, is_generated, is_message_of_runtime, missing, unregistered, unstarted};
use crate::clause;
use crate::creator::creator;
use crate::erlang::ERLANG;
use crate::exception;
use crate::expectation::Expected;
use crate::exunit::ExUnit;
use crate::parameters::Heads;
use crate::pattern::NamePattern;
use crate::printing::{LINE, input};
use crate::remarks;
use crate::scenario::statements;
use crate::types::{self, written};
use contract::TypeName;
use erlang::syntax::elixir::{self, Elixir, NoStructs, STRUCT, Structs, is_elixir, parse_function_name, struct_name};
use erlang::syntax::{Dialect, Notation, lay_out, print, print_applied, print_condition};
use formula::{Formulas, TermId, Variable};
use frontend::{
    Cause, Code, CodeAround, CodeConfig, CodeError, Evaluate, Expectation, FrontEnd, Pattern, Remarks, Structure,
};
use path::{InputValue, Raised, Scenario, Witness};
use program::{Expr, Module, Type, for_each_expr};
use report::Printer;
use report::rank::Missing;
use std::path::Path;
use std::sync::Arc;
use term::{Atom, FunctionName, Term, order};

/// Elixir, with the structs of the loaded code.
pub struct ElixirFrontEnd {
    notation: Elixir,
    structs: LoadedStructs,
}

impl ElixirFrontEnd {
    /// Returns a front end without code, which prints structs as maps.
    pub fn without_code() -> ElixirFrontEnd {
        let structs = LoadedStructs(Arc::new([]));
        ElixirFrontEnd { notation: Elixir { structs: Box::new(NoStructs) }, structs }
    }

    /// Returns a term with the default values of fields that its structs do not have.
    fn completed(&self, term: &Term) -> Term {
        let all = |parts: &[Term]| parts.iter().map(|part| self.completed(part)).collect::<Vec<_>>();
        match term {
            Term::Tuple(parts) => Term::tuple(all(parts)),
            Term::List(items, tail) => {
                Term::list_with_tail(all(items), tail.as_ref().map_or(Term::Nil, |tail| self.completed(tail)))
            }
            Term::Map(pairs) => {
                let known = struct_name(term).and_then(|module| self.structs.whole(module));
                let mut fields: Vec<(Term, Term)> =
                    pairs.iter().map(|(key, value)| (key.clone(), self.completed(value))).collect();
                let missing = known.unwrap_or_default().into_iter();
                let missing: Vec<_> = missing.filter(|(key, _)| fields.iter().all(|(own, _)| own != key)).collect();
                fields.extend(missing);
                fields.sort_by(|(left, _), (right, _)| order::key_order(left, right));
                Term::Map(fields.into())
            }
            other => other.clone(),
        }
    }
}

const HEADS: Heads = Heads {
    character: '?',
    comment: '#',
    // `def name(…)`
    behind_name: |head, function| {
        let (keyword, rest) = head.trim_start().split_once(char::is_whitespace)?;
        if !keyword.starts_with("def") {
            return None;
        }
        rest.trim_start().strip_prefix(function.text())
    },
    begins_variable: |letter| letter.is_ascii_lowercase(),
};

impl Printer for ElixirFrontEnd {
    fn term(&self, term: &Term) -> String {
        self.notation.term(term)
    }

    fn input(&self, value: &InputValue, strict: bool) -> String {
        input(&self.notation, value, strict)
    }

    fn applied(&self, call: String, functions: &Witness, strict: bool) -> String {
        print_applied(&self.notation, call, functions, strict)
    }

    fn scenario(&self, scenario: &Scenario, functions: &Arc<Witness>) -> Vec<String> {
        statements(&self.notation, scenario, functions, true)
    }

    fn sequence(&self, statements: &[String], in_lines: bool) -> String {
        statements.join(if in_lines { "\n" } else { "; " })
    }

    fn laid_out(&self, call: &str, shares: bool) -> String {
        lay_out(call, Dialect::Elixir, shares, LINE)
    }

    fn module(&self, module: Atom) -> String {
        self.term(&Term::Atom(module))
    }

    fn function(&self, name: FunctionName) -> String {
        match name.is_client() {
            true => format!("{}.{}", self.module(name.module), name.function),
            false => self.notation.function_name(name.module, name.function, name.arity),
        }
    }

    fn call(&self, module: Atom, function: Atom, args: &[String]) -> String {
        self.notation.call(module, function, args)
    }

    fn type_name(&self, term: &Term) -> Option<Atom> {
        struct_name(term)
    }

    fn declared(&self, declared: &Type) -> String {
        written(&self.notation, &types::ELIXIR, declared)
    }

    fn type_called(&self, name: TypeName) -> String {
        types::ELIXIR.called(name)
    }

    fn raised(&self, class: Atom, reason: &Term, shown: &str) -> String {
        match shown.lines().next().and_then(|line| line.strip_prefix("** ")) {
            Some(banner) => banner.to_string(),
            None => format!("{class} {}", self.term(reason)),
        }
    }

    fn runtime(&self) -> &'static str {
        ERLANG.runtime()
    }

    fn end_of_input(&self) -> &'static str {
        ""
    }
}

impl FrontEnd for ElixirFrontEnd {
    fn name(&self) -> &'static str {
        "Elixir"
    }

    /// Returns false: the sources are compiled by Elixir's own tools, and the object code is read like Erlang's.
    fn reads(&self, _: &Path) -> bool {
        false
    }

    fn open(&self, config: CodeConfig) -> Result<Arc<dyn Code>, CodeError> {
        Ok(crate::open(config)?)
    }

    fn owns(&self, module: Atom, source: Option<&str>) -> bool {
        is_elixir(module) || source.is_some_and(|file| file.ends_with(".ex"))
    }

    fn with_code(&self, code: &[Arc<dyn Code>]) -> Arc<dyn FrontEnd> {
        let structs = LoadedStructs(code.into());
        Arc::new(ElixirFrontEnd { notation: Elixir { structs: Box::new(structs.clone()) }, structs })
    }

    fn is_generated(&self, function: Atom) -> bool {
        let name = function.text();
        ERLANG.is_generated(function) || name.starts_with("__") || name.starts_with("MACRO-")
    }

    fn escaped(&self, text: &str) -> String {
        ERLANG.escaped(text)
    }

    /// Returns the term in Elixir; the text that the runtime printed is Erlang.
    fn shown(&self, term: &Term, _: Option<&str>) -> String {
        self.term(term)
    }

    fn condition(&self, formulas: &Formulas, condition: TermId, name: &dyn Fn(Variable) -> String) -> String {
        print_condition(&self.notation, formulas, condition, name)
    }

    fn variable(&self, word: &str, number: usize) -> String {
        format!("{}{number}", word.to_lowercase())
    }

    fn parameters(&self, head: &str, function: Atom, arity: usize) -> Vec<String> {
        let plain = (1..=arity).map(|number| self.variable("X", number)).collect();
        HEADS.parameters(plain, head, function)
    }

    /// Returns the line of a clause, because Elixir's compiler does not record columns.
    fn clause_head(&self, source: &str, line: u32, _: u32) -> Option<String> {
        clause::line(source, line)
    }

    fn is_specification(&self, line: &str, function: Atom) -> bool {
        line.trim_start().starts_with(&format!("@spec {function}("))
    }

    /// Reads a name as written after `&`.
    fn read_name(&self, text: &str) -> Option<FunctionName> {
        if let Some((module, FunctionName::CLIENT_NAME)) = text.rsplit_once('.') {
            let is_name =
                module.starts_with(|c: char| c.is_ascii_uppercase()) && !module.contains(['*', ' ', '/', ':', '(']);
            return is_name.then(|| FunctionName::client_of(Atom::new(&elixir::full_name(module))));
        }
        let (module, function, arity) = parse_function_name(text)?;
        Some(FunctionName { module, function, arity })
    }

    fn read_pattern(&self, text: &str) -> Option<Arc<dyn Pattern>> {
        NamePattern::parse(text).map(|pattern| Arc::new(pattern) as Arc<dyn Pattern>)
    }

    fn read_expectation(&self, text: &str) -> Result<Arc<dyn Expectation>, String> {
        Expected::parse(text).map(|expected| Arc::new(expected) as Arc<dyn Expectation>)
    }

    fn read(&self, text: &str, evaluate: &mut Evaluate<'_>) -> Result<Term, String> {
        // Text that is not a plain term is an expression, and expressions are Erlang's.
        match elixir::parse_term(text) {
            Ok(term) => Ok(self.completed(&term)),
            Err(_) => evaluate(text),
        }
    }

    fn describe(&self, raised: &Raised, evaluate: &mut Evaluate<'_>) -> String {
        exception::in_elixir(raised, &self.term(&raised.reason), evaluate)
    }

    /// Returns the cause of an exception. The runtime evaluates Erlang, so the causes are the same.
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

    fn remarks(&self, source: &str, module: Atom, line: u32) -> Remarks {
        remarks::in_elixir(source, &self.module(module), line)
    }

    fn wants_any_exception(&self, text: &str, name: FunctionName) -> bool {
        let module = name.module.text().strip_prefix("Elixir.").unwrap_or(name.module.text());
        // Tests write the last part of the name after an alias, or no module name after an import.
        let last = module.rsplit('.').next().unwrap_or(module);
        let calls = [format!("{last}.{}(", name.function.text()), format!("{last}.{} ", name.function.text())];
        text.contains(module) && remarks::want_exception(text, &["catch_error"], &calls)
    }

    fn is_generated_module(&self, module: &Module) -> bool {
        is_generated(module)
    }

    fn is_named_to_raise(&self, function: Atom) -> bool {
        function.text().ends_with('!')
    }

    fn structure(&self, term: &Term) -> Structure {
        let Term::Map(pairs) = term else { return Structure::None };
        let name = pairs.iter().find(|(key, _)| *key == Term::atom(STRUCT)).map(|(_, value)| value);
        let Some(Term::Atom(module)) = name else { return Structure::None };
        let Some(fields) = self.structs.fields(*module) else { return Structure::Broken };
        let has = |field: &Atom| pairs.iter().any(|(key, _)| *key == Term::Atom(*field));
        // The name of the structure takes one further pair.
        if fields.len() + 1 == pairs.len() && fields.iter().all(has) { Structure::Whole } else { Structure::Broken }
    }

    fn untouched(&self, _: &Module, term: &Term) -> Option<Term> {
        let Term::Map(pairs) = term else { return None };
        let fields = self.structs.whole(struct_name(term)?)?;
        let has_all = fields.len() == pairs.len() && fields.iter().zip(pairs.iter()).all(|(ours, own)| ours.0 == own.0);
        has_all.then(|| Term::Map(fields.into()))
    }

    fn asking(&self) -> &dyn Printer {
        &ERLANG
    }

    /// Returns an Erlang expression that has Elixir's evaluator read the text.
    fn asked(&self, text: &str) -> String {
        let text = print(&Term::binary(text.as_bytes()));
        format!("element(1, 'Elixir.Code':eval_string({text}))")
    }

    fn framework(&self) -> &'static dyn emit::Framework {
        &ExUnit
    }
}

/// Returns the fields of a struct that are not enforced, according to the description in its module: `[#{field => a,
/// required => false}]`.
fn optional_fields(module: &Module) -> Option<Vec<Atom>> {
    let function = module.function(module.find(Atom::new("__info__"), 1)?);
    let field = |description: &Term| {
        let Term::Map(pairs) = description else { return None };
        let value = |name: &str| pairs.iter().find(|(key, _)| *key == Term::atom(name)).map(|(_, value)| value);
        Some((value("field")?.as_atom()?, *value("required")? == Term::atom("true")))
    };
    let mut found = None;
    for_each_expr(function.body.get().ok()?, |expression| {
        if let Expr::Const(Term::List(descriptions, None)) = expression
            && let Some(fields) = descriptions.iter().map(field).collect::<Option<Vec<(Atom, bool)>>>()
        {
            found = Some(fields.into_iter().filter(|(_, is_required)| !is_required).map(|(name, _)| name).collect());
        }
    });
    found
}

/// The structs of all modules that can be loaded.
#[derive(Clone)]
struct LoadedStructs(Arc<[Arc<dyn Code>]>);

impl Structs for LoadedStructs {
    fn fields(&self, module: Atom) -> Option<Vec<Atom>> {
        let fields = self.whole(module)?;
        let names = fields.iter().filter_map(|(key, _)| key.as_atom());
        Some(names.filter(|name| name.text() != STRUCT).collect())
    }

    fn defaults(&self, module: Atom) -> Option<Vec<(Atom, Term)>> {
        let fields = self.whole(module)?.into_iter();
        let optional = optional_fields(&*self.load(module)?)?;
        let named = fields.filter_map(|(key, value)| Some((key.as_atom()?, value)));
        Some(named.filter(|(key, _)| optional.contains(key)).collect())
    }
}

impl LoadedStructs {
    /// Returns a struct with nothing but its defaults.
    fn whole(&self, module: Atom) -> Option<Vec<(Term, Term)>> {
        let module = self.load(module)?;
        let function = module.function(module.find(Atom::new(STRUCT), 0)?);
        // Computed defaults are not known here: such a struct is shown as a map.
        let Ok(Expr::Const(Term::Map(fields))) = function.body.get() else { return None };
        Some(fields.to_vec())
    }

    /// Loads a module from the project that has its source, or else from the first project.
    fn load(&self, name: Atom) -> Option<Arc<Module>> {
        let is_own = |code: &&Arc<dyn Code>| code.source_modules().any(|(module, _)| module == name);
        let own = self.0.iter().find(is_own).or(self.0.first())?;
        own.load(name).ok().flatten()
    }
}
