//! Arguments from specifications: a type becomes the text of an expression of that type.
//!
//! Values of types that only their module can make are made by calls of its constructors. Type variables keep one
//! simple type throughout a call. Types that are nested too deeply are replaced by small values.

use crate::{Random, Terms};
use program::{FunType, Module, SpecClause, Type, TypeDef};
use session::Session;
use std::collections::HashMap;
use std::sync::Arc;
use term::{Atom, Term};

/// The modules whose functions are called, and the modules whose types these functions use.
#[derive(Default)]
pub struct Specs {
    modules: HashMap<Atom, Option<Arc<Module>>>,
}

/// The context of a type: the module whose names it uses, and its variables.
struct Surroundings {
    module: Atom,
    variables: HashMap<Atom, (Type, Atom)>,
}

/// Modules whose results show the identity of closures, processes or references: by their hashes or as text.
const OF_IDENTITIES: &[&str] =
    &["sets", "dict", "proplists", "io_lib", "erl_scan", "erl_parse", "io_lib_pretty", "io_lib_format", "erl_pp"];
const DEPTH: i32 = 4;

impl Specs {
    pub fn module(&mut self, session: &Session, name: Atom) -> Option<Arc<Module>> {
        self.modules.entry(name).or_insert_with(|| session.code.load(name).ok().flatten()).clone()
    }

    /// Returns arguments for the function according to one of the clauses of its specification, or anything if it has
    /// none.
    pub fn arguments(
        &mut self,
        session: &Session,
        random: &mut Random,
        module: Atom,
        name: Atom,
        arity: u32,
    ) -> Vec<String> {
        let small = !random.one_in(10);
        let astray = random.one_in(8);
        let plain = OF_IDENTITIES.contains(&module.text()) || !random.one_in(4);
        let spec = self.module(session, module).and_then(|module| {
            module.types.specs.iter().find(|spec| spec.name == name && spec.arity == arity).cloned()
        });
        let clause = spec.map(|spec| random.pick(&spec.clauses).clone());
        let mut terms = Terms { random, small, plain };
        let Some(clause) = clause else { return (0..arity).map(|_| terms.any(2)).collect() };
        let mut scope = scope_of(module, &clause);
        let mut writer = Writer { specs: self, session, terms };
        let argument = |param: &Type| {
            if astray && writer.terms.random.one_in(2) {
                writer.terms.any(2)
            } else {
                writer.of(param, &mut scope, DEPTH)
            }
        };
        clause.params.iter().map(argument).collect()
    }
}

/// Returns the variables of a clause. A variable without a bound gets its type when it first occurs.
fn scope_of(module: Atom, clause: &SpecClause) -> Surroundings {
    let variables = clause.bounds.iter().map(|(name, bound)| (*name, (bound.clone(), module))).collect();
    Surroundings { module, variables }
}

struct Writer<'a, 'b> {
    specs: &'a mut Specs,
    session: &'a Session,
    terms: Terms<'b>,
}

impl Writer<'_, '_> {
    fn of(&mut self, ty: &Type, scope: &mut Surroundings, depth: i32) -> String {
        if depth < -12 {
            return "[]".to_owned();
        }
        match ty {
            Type::Any => self.terms.any(depth.clamp(0, 2) as u32),
            Type::None => "x".to_owned(),
            Type::Literal(term) => erlang::print_pasteable(term),
            Type::Atom => self.terms.atom(),
            Type::Integer { low, high } => self.integer(low.as_ref(), high.as_ref()),
            Type::Float => self.terms.float(),
            Type::List { element, tail, nonempty } => self.list(element, tail, *nonempty, scope, depth),
            Type::AnyTuple => self.terms.tuple(1),
            Type::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.of(item, scope, depth - 1)).collect();
                format!("{{{}}}", items.join(", "))
            }
            Type::AnyMap => self.terms.map(1),
            Type::Map(fields) => {
                let mut pairs = Vec::new();
                for field in fields {
                    let count = if field.required { 1 } else { self.terms.random.below(3) };
                    for _ in 0..count {
                        pairs.push(format!(
                            "{} => {}",
                            self.of(&field.key, scope, depth - 1),
                            self.of(&field.value, scope, depth - 1)
                        ));
                    }
                }
                format!("#{{{}}}", pairs.join(", "))
            }
            Type::Bits(bits) if bits.unit % 8 == 0 && bits.base % 8 == 0 => self.terms.binary(),
            Type::Bits(_) => self.terms.bits(),
            Type::AnyFun => self.terms.function(),
            Type::Fun(fun) => self.fun(fun, scope, depth),
            Type::Pid | Type::Port => "self()".to_owned(),
            Type::Reference => "make_ref()".to_owned(),
            Type::Union(members) => {
                let member = self.terms.random.pick(members);
                // Below the maximum depth, the first member that does not continue the nesting.
                let flat = |member: &&Type| !matches!(member, Type::Named { .. } | Type::List { .. } | Type::Tuple(_));
                let member = if depth <= 0 { members.iter().find(flat).unwrap_or(member) } else { member };
                self.of(member, scope, depth - 1)
            }
            Type::Named { module, name, args } => self.named(*module, *name, args, scope, depth),
            Type::Var(name) => self.variable(*name, scope, depth),
        }
    }

    fn integer(&mut self, low: Option<&term::BigInt>, high: Option<&term::BigInt>) -> String {
        let small = |bound: &term::BigInt| bound.to_string().parse::<i64>().ok();
        match (low.and_then(small), high.and_then(small)) {
            // Characters: usually those that occur in text.
            (Some(low), Some(high)) if high > 1000 => {
                let usual = *self.terms.random.pick(&[97, 98, 32, 65, 228, 0x65E5, 0x301, 48, 10]);
                if self.terms.random.one_in(6) { self.terms.random.between(low, high) } else { usual }.to_string()
            }
            (Some(low), Some(high)) => self.terms.random.between(low, high.max(low)).to_string(),
            (Some(low), None) => self.terms.random.between(low, low + 7).to_string(),
            (None, Some(high)) => self.terms.random.between(high - 7, high).to_string(),
            (None, None) => self.terms.integer(),
        }
    }

    fn list(&mut self, element: &Type, tail: &Type, nonempty: bool, scope: &mut Surroundings, depth: i32) -> String {
        let is_text = matches!(element, Type::Integer { high: Some(high), .. } if high.to_string().len() > 3);
        if is_text && !nonempty && !self.terms.random.one_in(4) {
            return self.terms.string();
        }
        let least = usize::from(nonempty);
        let count = if depth <= 0 { least } else { least + self.terms.random.below(5) };
        let items: Vec<String> = (0..count).map(|_| self.of(element, scope, depth - 1)).collect();
        let end = match tail {
            Type::Literal(Term::Nil) => String::new(),
            _ if items.is_empty() => String::new(),
            other => format!(" | {}", self.of(other, scope, depth - 1)),
        };
        format!("[{}{end}]", items.join(", "))
    }

    /// Returns a function that usually compares its parameters if the result is a boolean. Otherwise it returns a value
    /// of the result type, a parameter, or a pair of parameters.
    fn fun(&mut self, fun: &FunType, scope: &mut Surroundings, depth: i32) -> String {
        let Some(params) = &fun.params else { return self.terms.function() };
        let names: Vec<String> = (1..=params.len()).map(|index| format!("X{index}")).collect();
        let (first, last) = match (names.first(), names.last()) {
            (Some(first), Some(last)) => (first.as_str(), last.as_str()),
            _ => return format!("fun() -> {} end", self.of(&fun.result, scope, depth - 1)),
        };
        let is_boolean = matches!(&fun.result, Type::Union(members) if members.contains(&Type::Literal(Term::TRUE)));
        let body = match self.terms.random.below(6) {
            0..=3 if is_boolean => (*self.terms.random.pick(&[
                format!("{first} =< {last}"),
                format!("{first} < {last}"),
                format!("is_integer({first})"),
                format!("{last} > b"),
                format!("{first} =/= {last}"),
            ]))
            .clone(),
            0..=2 => self.of(&fun.result, scope, depth - 1),
            3 => first.to_owned(),
            4 => format!("{{{first}, {last}}}"),
            _ => last.to_owned(),
        };
        format!("fun({}) -> {body} end", names.join(", "))
    }

    fn variable(&mut self, name: Atom, scope: &mut Surroundings, depth: i32) -> String {
        let here = scope.module;
        let random = &mut self.terms.random;
        let (ty, module) = scope.variables.entry(name).or_insert_with(|| {
            let ty = match random.below(4) {
                0 => Type::Any,
                1 => Type::Atom,
                _ => Type::integer(),
            };
            (ty, here)
        });
        let ty = ty.clone();
        if ty == Type::Var(name) {
            return self.terms.any(1);
        }
        let mut inner = Surroundings { module: *module, variables: std::mem::take(&mut scope.variables) };
        let text = self.of(&ty, &mut inner, depth - 1);
        scope.variables = inner.variables;
        text
    }

    fn named(
        &mut self,
        module: Option<Atom>,
        name: Atom,
        args: &[Type],
        scope: &mut Surroundings,
        depth: i32,
    ) -> String {
        let home = module.unwrap_or(scope.module);
        if let Some(made) = self.constructed(home.text(), name.text(), args, scope, depth) {
            return made;
        }
        let definition: Option<TypeDef> =
            erlang::builtin_definition(name, args.len()).filter(|_| home.text() == "erlang").cloned().or_else(|| {
                let module = self.specs.module(self.session, home)?;
                module.types.definitions.iter().find(|one| one.name == name && one.params.len() == args.len()).cloned()
            });
        let Some(definition) = definition else { return self.terms.any(1) };
        // Arguments that are type variables are replaced by their types in the context of the arguments, if these are
        // simple.
        let variables = definition
            .params
            .iter()
            .zip(args)
            .map(|(param, arg)| {
                let (mut arg, mut at) = (arg.clone(), scope.module);
                while let Type::Var(inner) = &arg {
                    match scope.variables.get(inner) {
                        Some((bound, module)) if *bound != arg => (arg, at) = (bound.clone(), *module),
                        _ => (arg, at) = (Type::integer(), scope.module),
                    }
                }
                (*param, (arg, at))
            })
            .collect();
        self.of(&definition.body, &mut Surroundings { module: home, variables }, depth - 1)
    }

    /// Returns values that only their module can make, and texts that no type describes.
    fn constructed(
        &mut self,
        module: &str,
        name: &str,
        args: &[Type],
        scope: &mut Surroundings,
        depth: i32,
    ) -> Option<String> {
        let any = Type::Any;
        let depth = depth.min(2) - 1;
        let mut several = |element: &dyn Fn(&mut Self, &mut Surroundings) -> String| {
            let count = self.terms.random.below(5);
            let items: Vec<String> = (0..count).map(|_| element(self, scope)).collect();
            format!("[{}]", items.join(", "))
        };
        let key = args.first().unwrap_or(&any);
        let value = args.get(1).unwrap_or(&any);
        let pair = |writer: &mut Self, scope: &mut Surroundings| {
            format!("{{{}, {}}}", writer.of(key, scope, depth), writer.of(value, scope, depth))
        };
        let single = |writer: &mut Self, scope: &mut Surroundings| writer.of(key, scope, depth);
        Some(match (module, name) {
            ("gb_trees", "tree") => format!("gb_trees:from_orddict(lists:ukeysort(1, {}))", several(&pair)),
            ("gb_trees", "iter") => {
                format!("gb_trees:iterator(gb_trees:from_orddict(lists:ukeysort(1, {})))", several(&pair))
            }
            ("gb_sets", "set") => format!("gb_sets:from_list({})", several(&single)),
            ("gb_sets", "iter") => format!("gb_sets:iterator(gb_sets:from_list({}))", several(&single)),
            ("dict", "dict") => format!("dict:from_list({})", several(&pair)),
            ("sets", "set") => {
                let version = *self.terms.random.pick(&["", ", [{version, 2}]"]);
                let mut several = |writer: &mut Self| {
                    let count = writer.terms.random.below(5);
                    (0..count).map(|_| single(writer, scope)).collect::<Vec<_>>().join(", ")
                };
                format!("sets:from_list([{}]{version})", several(self))
            }
            ("queue", "queue") => format!("queue:from_list({})", several(&single)),
            ("array", "array") => format!("array:from_list({})", several(&single)),
            ("maps", "iterator") => format!("maps:iterator(maps:from_list({}))", several(&pair)),
            ("re", "mp") => {
                let pattern = *self.terms.random.pick(PATTERNS);
                format!("element(2, re:compile({pattern}))")
            }
            ("rand", "state" | "export_state") => {
                let algorithm = *self.terms.random.pick(&["exsss", "exrop", "exro928ss", "exs1024s", "exsp", "mwc59"]);
                let algorithm = if algorithm == "mwc59" { "exs64" } else { algorithm };
                let seed = format!("rand:seed_s({algorithm}, {{{}, 2, 3}})", self.terms.random.below(100));
                if name == "state" { seed } else { format!("rand:export_seed_s({seed})") }
            }
            ("io", "format") => {
                let count = 1 + self.terms.random.below(3);
                let parts: String = (0..count).map(|_| *self.terms.random.pick(FORMATS)).collect();
                format!("\"{parts}\"")
            }
            ("unicode", "chardata") if self.terms.random.one_in(2) => self.terms.string(),
            ("calendar", "datetime") | ("calendar", "datetime1970") => format!("{{{}, {}}}", self.date(), self.time()),
            ("calendar", "date") => self.date(),
            ("calendar", "time") => self.time(),
            _ => return None,
        })
    }

    fn date(&mut self) -> String {
        let random = &mut self.terms.random;
        format!("{{{}, {}, {}}}", random.between(1970, 2030), random.between(1, 12), random.between(1, 31))
    }

    fn time(&mut self) -> String {
        let random = &mut self.terms.random;
        format!("{{{}, {}, {}}}", random.between(0, 23), random.between(0, 59), random.between(0, 59))
    }
}

const PATTERNS: &[&str] = &["\"a+\"", "\"[b-d]*\"", "\"(x)(y)?\"", "\"^\\\\s*\"", "\"\"", "\"ä\"", "\"b|c\""];
const FORMATS: &[&str] = &[
    "~p", "~w", "~s", "~ts", "~tp", "~tw", "~10p", "~-8s|", "~5w", "~.3f", "~8.2f", "~e", "~.4g", "~b", "~.16B",
    "~.2#", "~+", "~c", "~3c", "~i", "~~", "~n", "x", "~*w", "~5.3.0s", "~P", "~W", "~20.5p", "~0p", "~kp", "~lp",
    "~.*s", "~z", "~",
];
