//! Functions that were made as inputs, printed as functions that can be pasted: tables as clauses, probes as calls and
//! cases, unused values as `_`. This module decides what is written; a [`Notation`] decides how.

use super::notation::{Clause, Notation, Variable};
use path::functions::parts;
use path::{Class, Entry, Function, FunctionNode, Is, Table, Witness, has_functions};
use std::sync::Arc;
use term::{Fun, Term};

/// Prints data that contains functions. With `strict`, functions raise `{outside_domain, Args}` for arguments outside
/// of their domain, and `{outside_range, Value}` for values that they should not get.
pub fn print_functional(notation: &dyn Notation, data: &Term, functions: &Witness, strict: bool) -> String {
    Writer::new(notation, functions, strict).data(data, &[])
}

/// Prints the call of a unit, and the calls of functions in its result as they were made.
pub fn print_applied(notation: &dyn Notation, call: String, functions: &Witness, strict: bool) -> String {
    let mut writer = Writer::new(notation, functions, strict);
    let mut scope = Vec::new();
    let mut applied = Vec::new();
    for application in &functions.applications {
        let (own, first_name) = (scope.len(), writer.functions_named);
        writer.skeleton(&application.result, &mut scope, None);
        let index = own as u32 + application.function;
        let function = writer.named(index, &scope);
        let args: Vec<String> = application.args.iter().map(|arg| writer.data(arg, &scope)).collect();
        applied.push((first_name, function, args));
    }
    // Only now is it known which functions need names.
    let needed = std::mem::take(&mut writer.used);
    let mut text = call;
    for (application, (first_name, function, args)) in functions.applications.iter().zip(&applied) {
        text = match application.result {
            Term::Fun(_) if applied.len() == 1 => notation.apply_result(&text, args),
            _ => {
                writer.functions_named = *first_name;
                let result = writer.skeleton(&application.result, &mut Vec::new(), Some(&needed));
                notation.bind(&result, &text, &notation.apply(function, args))
            }
        };
    }
    text
}

struct Writer<'a> {
    notation: &'a dyn Notation,
    functions: &'a Witness,
    strict: bool,
    functions_named: usize,
    values_named: usize,
    /// The names of functions that were used, in order.
    used: Vec<String>,
}

/// A pattern under construction.
#[derive(Default)]
struct Pattern {
    guards: Vec<String>,
    /// The names of the functions in it that come into scope, in order.
    functions: Vec<String>,
    /// The number of functions that were met.
    met: usize,
    /// The functions that need a name; `None` as long as that is unknown.
    needed: Option<Vec<String>>,
}

impl<'a> Writer<'a> {
    fn new(notation: &'a dyn Notation, functions: &'a Witness, strict: bool) -> Writer<'a> {
        Writer { notation, functions, strict, functions_named: 0, values_named: 0, used: Vec::new() }
    }

    fn data(&mut self, term: &Term, scope: &[String]) -> String {
        match term {
            Term::Fun(fun) => match **fun {
                Fun::Input { number, .. } => self.function(number, scope),
                Fun::External { .. } | Fun::Local { .. } => self.notation.term(term),
            },
            _ if !has_functions(term) => self.notation.expression(term),
            Term::List(items, tail) => {
                let items: Vec<String> = items.iter().map(|item| self.data(item, scope)).collect();
                let tail = tail.as_deref().map(|tail| self.data(tail, scope));
                self.notation.list(&items, tail.as_deref())
            }
            Term::Map(pairs) => {
                let pair = |(key, value): &(Term, Term)| (self.data(key, scope), self.data(value, scope));
                let pairs: Vec<(String, String)> = pairs.iter().map(pair).collect();
                self.notation.map(&pairs)
            }
            _ => {
                let parts: Vec<String> = parts(term).into_iter().map(|part| self.data(part, scope)).collect();
                self.notation.tuple(&parts)
            }
        }
    }

    /// Returns the name of a function in scope.
    fn named(&mut self, index: u32, scope: &[String]) -> String {
        match scope.get(index as usize) {
            Some(name) => {
                self.used.push(name.clone());
                name.clone()
            }
            None => self.undefined(),
        }
    }

    /// Returns the text for an unknown value.
    fn undefined(&self) -> String {
        self.notation.term(&Term::atom("undefined"))
    }

    fn function(&mut self, number: u32, scope: &[String]) -> String {
        let Some(Function { arity, is, sort }) = self.functions.functions.get(number as usize) else {
            return self.undefined();
        };
        match is {
            Is::InScope(index) => self.named(*index, scope),
            Is::Table(table) => {
                let names = (self.functions_named, self.values_named);
                let strict = self.strict && sort.params.is_some();
                let mut clauses = self.clauses(table, *arity as usize, scope, strict);
                if strict {
                    clauses.push(self.outside_domain(*arity as usize));
                }
                if *arity == 0 {
                    // There is only one way to call it.
                    clauses.truncate(1);
                }
                (self.functions_named, self.values_named) = names;
                self.notation.function(&clauses)
            }
        }
    }

    fn outside_domain(&self, arity: usize) -> Clause {
        let args: Vec<String> = (1..=arity).map(|number| self.notation.variable(Variable::Argument, number)).collect();
        self.refusal("outside_domain", self.notation.list(&args, None), args)
    }

    /// Returns a clause that raises for everything that the others do not accept.
    fn refusal(&self, tag: &str, value: String, patterns: Vec<String>) -> Clause {
        let reason = self.notation.tuple(&[self.notation.term(&Term::atom(tag)), value]);
        Clause { patterns, guards: Vec::new(), body: self.notation.raise(Class::Error, &reason) }
    }

    /// Returns at least one clause, unless `strict`. The most common plain answer comes last, for everything else.
    fn clauses(&mut self, table: &Table, width: usize, scope: &[String], strict: bool) -> Vec<Clause> {
        let rest = if strict { None } else { commonest(table) };
        let mut clauses = Vec::new();
        let others: Vec<&Entry> = table.entries.iter().filter(|entry| Some(&entry.node) != rest.as_ref()).collect();
        for entry in &others {
            let alone = !strict && rest.is_none() && others.len() == 1;
            clauses.push(self.clause(entry, scope, alone));
        }
        let anything = || vec!["_".to_string(); width];
        if let Some(node) = rest {
            let body = self.node(&node, scope);
            clauses.push(Clause { patterns: anything(), guards: Vec::new(), body });
        }
        if clauses.is_empty() && !strict {
            clauses.push(Clause { patterns: anything(), guards: Vec::new(), body: self.undefined() });
        }
        clauses
    }

    /// Returns the clause of an entry. If it is the only one (`alone`), only values that are used need names.
    fn clause(&mut self, entry: &Entry, scope: &[String], alone: bool) -> Clause {
        let names = (self.functions_named, self.values_named);
        let mut pattern = Pattern::default();
        let mut patterns = self.patterns(entry, &mut pattern, alone);
        let mut guards = std::mem::take(&mut pattern.guards);
        let inner = [scope, &pattern.functions].concat();
        let used_before = self.used.len();
        let body = self.node(&entry.node, &inner);
        if alone {
            // Without guards, names are used in the body or not at all, so the patterns are written again without the
            // unused names.
            guards.clear();
            let needed = Some(self.used[used_before..].to_vec());
            (self.functions_named, self.values_named) = names;
            patterns = self.patterns(entry, &mut Pattern { needed, ..Pattern::default() }, alone);
        }
        (self.functions_named, self.values_named) = names;
        Clause { patterns, guards, body }
    }

    fn patterns(&mut self, entry: &Entry, out: &mut Pattern, alone: bool) -> Vec<String> {
        let one = |part| match alone && !has_functions(part) {
            true => "_".to_string(),
            false => self.pattern(part, &entry.given, out),
        };
        parts(&entry.key).into_iter().map(one).collect()
    }

    /// Returns a pattern. `given` says which of its functions get names; all if it is empty.
    fn pattern(&mut self, term: &Term, given: &[bool], out: &mut Pattern) -> String {
        match term {
            Term::Fun(fun) => {
                let is_given = given.get(out.met).copied().unwrap_or(true);
                out.met += 1;
                let name = self.function_name();
                out.guards.push(format!("is_function({name}, {})", fun.arity()));
                if is_given {
                    out.functions.push(name.clone());
                }
                match &out.needed {
                    Some(needed) if !needed.contains(&name) => "_".to_string(),
                    _ => name,
                }
            }
            Term::Float(_) | Term::Map(_) if !has_functions(term) => {
                let value = self.notation.term(term);
                let notation = self.notation;
                self.guarded(out, |name| notation.is_same(name, &value))
            }
            Term::Pid(_) => self.guarded(out, |name| format!("is_pid({name})")),
            Term::Reference(_) => self.guarded(out, |name| format!("is_reference({name})")),
            Term::Port(_) => self.guarded(out, |name| format!("is_port({name})")),
            Term::Map(pairs) => {
                let pair = |(key, value): &(Term, Term)| (self.notation.term(key), self.pattern(value, given, out));
                let pairs: Vec<(String, String)> = pairs.iter().map(pair).collect();
                self.notation.map_pattern(&pairs)
            }
            Term::List(items, tail) if !is_plain(term) => {
                let items: Vec<String> = items.iter().map(|item| self.pattern(item, given, out)).collect();
                let tail = tail.as_deref().map(|tail| self.pattern(tail, given, out));
                self.notation.list(&items, tail.as_deref())
            }
            Term::Tuple(items) if !is_plain(term) => {
                let items: Vec<String> = items.iter().map(|item| self.pattern(item, given, out)).collect();
                self.notation.tuple(&items)
            }
            _ => self.notation.term(term),
        }
    }

    /// Returns a pattern that names the functions in a term, or only those that are needed, and requires nothing else.
    fn skeleton(&mut self, term: &Term, functions: &mut Vec<String>, needed: Option<&[String]>) -> String {
        match term {
            Term::Fun(_) => {
                let name = self.function_name();
                functions.push(name.clone());
                if needed.is_none_or(|needed| needed.contains(&name)) { name } else { "_".to_string() }
            }
            _ if !has_functions(term) => "_".to_string(),
            Term::List(items, tail) => {
                let items: Vec<String> = items.iter().map(|item| self.skeleton(item, functions, needed)).collect();
                let tail = tail.as_deref().map(|tail| self.skeleton(tail, functions, needed));
                self.notation.list(&items, tail.as_deref())
            }
            Term::Map(pairs) => {
                let with = pairs.iter().filter(|(_, value)| has_functions(value));
                let pair =
                    |(key, value): &(Term, Term)| (self.notation.term(key), self.skeleton(value, functions, needed));
                let pairs: Vec<(String, String)> = with.map(pair).collect();
                self.notation.map_pattern(&pairs)
            }
            _ => {
                let parts = parts(term).into_iter();
                let items: Vec<String> = parts.map(|part| self.skeleton(part, functions, needed)).collect();
                self.notation.tuple(&items)
            }
        }
    }

    fn guarded(&mut self, out: &mut Pattern, guard: impl Fn(&str) -> String) -> String {
        let name = self.notation.variable(Variable::Value, self.values_named);
        self.values_named += 1;
        out.guards.push(guard(&name));
        // Without guards the name would have no use.
        if out.needed.is_some() { "_".to_string() } else { name }
    }

    /// Returns the body of a clause.
    fn node(&mut self, node: &FunctionNode, scope: &[String]) -> String {
        match node {
            FunctionNode::Answer(value) => self.data(value, scope),
            FunctionNode::Raise(class, reason) => {
                let reason = self.data(reason, scope);
                self.notation.raise(*class, &reason)
            }
            FunctionNode::Probe { function, args, returned, raised, .. } => {
                let name = self.named(*function, scope);
                let args: Vec<String> = args.iter().map(|arg| self.data(arg, scope)).collect();
                let call = self.notation.apply(&name, &args);
                self.probe(&call, returned, raised.as_deref(), scope)
            }
        }
    }

    fn probe(&mut self, call: &str, returned: &Table, raised: Option<&Table>, scope: &[String]) -> String {
        // The result of the call was not used.
        if returned.entries.is_empty() && returned.otherwise.is_none() && raised.is_none() && !self.strict {
            return call.to_string();
        }
        let mut clauses = self.clauses(returned, 1, scope, self.strict);
        if self.strict {
            let other = self.notation.variable(Variable::Other, 0);
            clauses.push(self.refusal("outside_range", other.clone(), vec![other]));
        }
        match (raised, &clauses[..]) {
            (None, [Clause { patterns, guards, body }]) if *patterns == ["_"] && guards.is_empty() => {
                self.notation.sequence(call, body)
            }
            (None, _) => self.notation.case(call, &clauses),
            (Some(raised), _) => {
                let caught = self.clauses(raised, 2, scope, false);
                self.notation.try_call(call, &clauses, &caught)
            }
        }
    }

    fn function_name(&mut self) -> String {
        self.functions_named += 1;
        self.notation.variable(Variable::Function, self.functions_named - 1)
    }
}

/// Returns the answer for all other arguments if the table has one, otherwise the most common answer that uses no names
/// from an entry's pattern.
fn commonest(table: &Table) -> Option<Arc<FunctionNode>> {
    if table.otherwise.is_some() {
        return table.otherwise.clone();
    }
    let is_plain = |node: &Arc<FunctionNode>| match &**node {
        FunctionNode::Answer(value) | FunctionNode::Raise(_, value) => !has_functions(value),
        FunctionNode::Probe { .. } => false,
    };
    let count = |node: &Arc<FunctionNode>| table.entries.iter().filter(|entry| entry.node == *node).count();
    // If several are equally common, the last one counts.
    table.entries.iter().map(|entry| &entry.node).filter(|node| is_plain(node)).max_by_key(|node| count(node)).cloned()
}

/// Returns whether the term is a constant that, as a pattern, matches only itself.
fn is_plain(term: &Term) -> bool {
    match term {
        Term::Fun(_) | Term::Float(_) | Term::Map(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => false,
        _ => parts(term).into_iter().all(is_plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Erlang, parse_expression};

    fn function(arity: u32, is: Is) -> Function {
        Function { arity, sort: path::Sort::ANY, is }
    }

    fn answer(value: Term) -> Arc<FunctionNode> {
        Arc::new(FunctionNode::Answer(value))
    }

    fn entry(key: impl Into<Arc<[Term]>>, node: Arc<FunctionNode>) -> Entry {
        let key = Term::tuple(key);
        let given = vec![true; 4];
        Entry { key, given, node }
    }

    fn table(entries: Vec<Entry>) -> Is {
        Is::Table(Arc::new(Table { entries, otherwise: None }))
    }

    /// Prints data, and checks that the text can be parsed.
    fn printed(data: &Term, functions: Vec<Function>, strict: bool) -> String {
        let text = print_functional(&Erlang, data, &Witness { functions, ..Witness::default() }, strict);
        assert!(parse_expression(&text).is_ok(), "{text}");
        text
    }

    fn input(arity: u32, number: u32) -> Term {
        Term::Fun(Arc::new(Fun::Input { arity, number }))
    }

    #[test]
    fn the_commonest_answer_is_for_all_else() {
        let four = answer(Term::Int(4));
        let entries = vec![
            entry([Term::Int(0)], Arc::clone(&four)),
            entry([Term::Int(1)], answer(Term::Int(5))),
            entry([Term::Int(2)], four),
        ];
        assert_eq!(printed(&input(1, 0), vec![function(1, table(entries))], false), "fun(1) -> 5; (_) -> 4 end");
        assert_eq!(printed(&input(1, 0), vec![function(1, table(Vec::new()))], false), "fun(_) -> undefined end");
    }

    #[test]
    fn what_is_called_has_a_name_and_what_is_not_has_none() {
        let returned = Table { entries: vec![entry([Term::Int(7)], answer(Term::Int(9)))], otherwise: None };
        let probe = |function, returned: Table| {
            let (args, params) = (vec![Term::Int(2)], Vec::new());
            Arc::new(FunctionNode::Probe { function, args, params, returned: Arc::new(returned), raised: None })
        };
        let key = || [Term::input_function(1), Term::input_function(1)];
        let second = table(vec![entry(key(), probe(1, returned.clone()))]);
        assert_eq!(printed(&input(2, 0), vec![function(2, second)], false), "fun(_, H) -> H(2), 9 end");
        let mut two = returned;
        two.entries.push(entry([Term::Int(8)], answer(Term::Int(1))));
        let first = table(vec![entry(key(), probe(0, two))]);
        let text = "fun(G, _) -> case G(2) of 7 -> 9; _ -> 1 end end";
        assert_eq!(printed(&input(2, 0), vec![function(2, first)], false), text);
        let nothing = table(vec![entry(key(), probe(0, Table::default()))]);
        assert_eq!(printed(&input(2, 0), vec![function(2, nothing)], false), "fun(G, _) -> G(2) end");
    }

    #[test]
    fn answers_are_functions_and_data_around_them() {
        let inner = function(1, table(vec![entry([Term::Int(0)], answer(Term::atom("a")))]));
        let outer = table(vec![entry([Term::input_function(1)], answer(Term::tuple([input(1, 1), input(1, 2)])))]);
        let functions = vec![function(1, outer), inner, function(1, Is::InScope(0))];
        let data = Term::list([Term::Int(1), input(1, 0)]);
        assert_eq!(printed(&data, functions, false), "[1, fun(G) -> {fun(_) -> a end, G} end]");
    }

    #[test]
    fn what_a_pattern_cannot_distinguish_a_guard_does() {
        let map = Term::Map(Arc::new([(Term::atom("k"), Term::Int(1))]));
        let entries = vec![
            entry([map], answer(Term::Int(1))),
            entry([Term::Float(0.0)], answer(Term::Int(2))),
            entry([Term::Int(0)], answer(Term::Int(3))),
        ];
        let text = "fun(X) when X =:= #{k => 1} -> 1; (X) when X =:= 0.0 -> 2; (_) -> 3 end";
        assert_eq!(printed(&input(1, 0), vec![function(1, table(entries))], false), text);
    }

    #[test]
    fn strict_functions_say_what_they_are_not_for() {
        let is = table(vec![entry([Term::Int(1)], answer(Term::Int(2)))]);
        let sort = path::Sort { params: Some([formula::TypeId(0)].into()), result: formula::TypeId(0) };
        let text = "fun(1) -> 2; (A1) -> error({outside_domain, [A1]}) end";
        assert_eq!(printed(&input(1, 0), vec![Function { arity: 1, sort, is }], true), text);
    }
}
