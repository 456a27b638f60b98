//! Functions that were made as inputs, as funs that one can paste: tables as clauses, probes as calls and
//! cases, what nobody looks at as `_`.

use super::print::print_pasteable;
use interaction::parts::parts;
use interaction::{Entry, Function, Is, Node, Table, Witness, has_functions};
use machine::Class;
use std::sync::Arc;
use term::{Fun, Term};

/// Data with functions in it. `strict`: functions raise `{outside_domain, Args}` for what they are not for, and
/// `{outside_range, Value}` for what they should not get.
pub fn print_functional(data: &Term, functions: &Witness, strict: bool) -> String {
    Writer { functions, strict, functions_named: 0, values_named: 0 }.data(data, &[])
}

/// The call of a unit, with its result applied as it was.
pub fn print_applied(call: String, functions: &Witness, strict: bool) -> String {
    let mut writer = Writer { functions, strict, functions_named: 0, values_named: 0 };
    let mut text = call;
    let mut scope = Vec::new();
    for application in &functions.applications {
        let mut pattern = Pattern::default();
        let own = scope.len();
        let result = writer.skeleton(&application.result, &mut pattern);
        scope.append(&mut pattern.functions);
        let Some(function) = scope.get(own + application.function as usize).cloned() else { return text };
        let args: Vec<String> = application.args.iter().map(|arg| writer.data(arg, &scope)).collect();
        let args = args.join(", ");
        text = match application.result {
            Term::Fun(_) if functions.applications.len() == 1 => format!("({text})({args})"),
            _ => format!("begin {result} = {text}, {function}({args}) end"),
        };
    }
    text
}

struct Writer<'a> {
    functions: &'a Witness,
    strict: bool,
    functions_named: usize,
    values_named: usize,
}

/// A pattern on its way.
#[derive(Default)]
struct Pattern {
    guards: Vec<String>,
    /// Names of the functions in it, in order.
    functions: Vec<String>,
    /// All names in it, also of functions that are not in scope.
    names: Vec<String>,
    /// How many functions were met.
    met: usize,
}

impl Writer<'_> {
    fn data(&mut self, term: &Term, scope: &[String]) -> String {
        match term {
            Term::Fun(fun) => match **fun {
                Fun::Input { number, .. } => self.function(number, scope),
                Fun::External { .. } | Fun::Local { .. } => print_pasteable(term),
            },
            _ if !has_functions(term) => print_pasteable(term),
            Term::List(items, tail) => {
                let items: Vec<String> = items.iter().map(|item| self.data(item, scope)).collect();
                let tail = tail.as_deref().map(|tail| format!(" | {}", self.data(tail, scope))).unwrap_or_default();
                format!("[{}{tail}]", items.join(", "))
            }
            Term::Map(pairs) => {
                let pair = |(key, value): &(Term, Term)| {
                    let key = self.data(key, scope);
                    format!("{key} => {}", self.data(value, scope))
                };
                format!("#{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            _ => {
                let parts: Vec<String> = parts(term).into_iter().map(|part| self.data(part, scope)).collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    fn function(&mut self, number: u32, scope: &[String]) -> String {
        let Some(Function { arity, is, sort }) = self.functions.functions.get(number as usize) else {
            return "undefined".to_string();
        };
        match is {
            Is::InScope(index) => scope.get(*index as usize).cloned().unwrap_or_else(|| "undefined".to_string()),
            Is::Table(table) => {
                let names = (self.functions_named, self.values_named);
                let strict = self.strict && sort.params.is_some();
                let mut clauses: Vec<String> = self
                    .clauses(table, *arity as usize, scope, strict)
                    .into_iter()
                    .map(|Clause { patterns, guard, body }| format!("({}){guard} -> {body}", patterns.join(", ")))
                    .collect();
                if strict {
                    let args: Vec<String> = (1..=*arity).map(|index| format!("A{index}")).collect();
                    let args = args.join(", ");
                    clauses.push(format!("({args}) -> error({{outside_domain, [{args}]}})"));
                }
                (self.functions_named, self.values_named) = names;
                format!("fun{} end", clauses.join("; "))
            }
        }
    }

    /// At least one clause. The commonest plain answer comes last, for everything else.
    fn clauses(&mut self, table: &Table, width: usize, scope: &[String], strict: bool) -> Vec<Clause> {
        let rest = if strict { None } else { commonest(table) };
        let mut clauses = Vec::new();
        let others: Vec<&Entry> = table.entries.iter().filter(|entry| Some(&entry.node) != rest.as_ref()).collect();
        for entry in &others {
            let alone = !strict && rest.is_none() && others.len() == 1;
            clauses.push(self.clause(entry, scope, alone));
        }
        if let Some(node) = rest {
            let body = self.node(&node, scope);
            clauses.push(Clause { patterns: vec!["_".to_string(); width], guard: String::new(), body });
        }
        if clauses.is_empty() && !strict {
            clauses.push(Clause {
                patterns: vec!["_".to_string(); width],
                guard: String::new(),
                body: "undefined".to_string(),
            });
        }
        clauses
    }

    /// `alone`: there is no other clause, so only what is used must be named.
    fn clause(&mut self, entry: &Entry, scope: &[String], alone: bool) -> Clause {
        let names = (self.functions_named, self.values_named);
        let mut pattern = Pattern::default();
        let mut patterns: Vec<String> = Vec::new();
        for part in parts(&entry.key) {
            patterns.push(match alone && !has_functions(part) {
                true => "_".to_string(),
                false => self.pattern(part, &entry.given, &mut pattern),
            });
        }
        if alone {
            pattern.guards.clear();
        }
        let inner = [scope, &pattern.functions].concat();
        let body = self.node(&entry.node, &inner);
        for name in &pattern.names {
            // What nobody uses has no name.
            if !mentions(&body, name) && !pattern.guards.iter().any(|guard| mentions(guard, name)) {
                patterns.iter_mut().for_each(|pattern| *pattern = replaced(pattern, name));
            }
        }
        (self.functions_named, self.values_named) = names;
        let guard =
            if pattern.guards.is_empty() { String::new() } else { format!(" when {}", pattern.guards.join(", ")) };
        Clause { patterns, guard, body }
    }

    /// `given`: which of the functions get names; all if it is empty.
    fn pattern(&mut self, term: &Term, given: &[bool], out: &mut Pattern) -> String {
        match term {
            Term::Fun(fun) => {
                let is_given = given.get(out.met).copied().unwrap_or(true);
                out.met += 1;
                let name = self.function_name();
                out.guards.push(format!("is_function({name}, {})", fun.arity()));
                out.names.push(name.clone());
                if is_given {
                    out.functions.push(name.clone());
                }
                name
            }
            Term::Float(_) => self.guarded(out, |name| format!("{name} =:= {}", print_pasteable(term))),
            Term::Pid(_) => self.guarded(out, |name| format!("is_pid({name})")),
            Term::Reference(_) => self.guarded(out, |name| format!("is_reference({name})")),
            Term::Port(_) => self.guarded(out, |name| format!("is_port({name})")),
            Term::Map(pairs) if has_functions(term) => {
                let pair = |(key, value): &(Term, Term)| {
                    format!("{} := {}", print_pasteable(key), self.pattern(value, given, out))
                };
                format!("#{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            Term::Map(_) => self.guarded(out, |name| format!("{name} =:= {}", print_pasteable(term))),
            Term::List(items, tail) if !is_plain(term) => {
                let items: Vec<String> = items.iter().map(|item| self.pattern(item, given, out)).collect();
                let tail = tail.as_deref().map(|tail| format!(" | {}", self.pattern(tail, given, out)));
                format!("[{}{}]", items.join(", "), tail.unwrap_or_default())
            }
            Term::Tuple(items) if !is_plain(term) => {
                let items: Vec<String> = items.iter().map(|item| self.pattern(item, given, out)).collect();
                format!("{{{}}}", items.join(", "))
            }
            _ => print_pasteable(term),
        }
    }

    /// A pattern that names the functions in a term and asks for nothing else.
    fn skeleton(&mut self, term: &Term, out: &mut Pattern) -> String {
        match term {
            Term::Fun(_) => {
                let name = self.function_name();
                out.functions.push(name.clone());
                name
            }
            _ if !has_functions(term) => "_".to_string(),
            Term::List(items, tail) => {
                let items: Vec<String> = items.iter().map(|item| self.skeleton(item, out)).collect();
                let tail = tail.as_deref().map(|tail| format!(" | {}", self.skeleton(tail, out)));
                format!("[{}{}]", items.join(", "), tail.unwrap_or_default())
            }
            Term::Map(pairs) => {
                let with = pairs.iter().filter(|(_, value)| has_functions(value));
                let pair =
                    |(key, value): &(Term, Term)| format!("{} := {}", print_pasteable(key), self.skeleton(value, out));
                format!("#{{{}}}", with.map(pair).collect::<Vec<_>>().join(", "))
            }
            _ => {
                let items: Vec<String> = parts(term).into_iter().map(|part| self.skeleton(part, out)).collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    fn guarded(&mut self, out: &mut Pattern, guard: impl Fn(&str) -> String) -> String {
        let name = self.value_name();
        out.guards.push(guard(&name));
        name
    }

    /// The body of a clause.
    fn node(&mut self, node: &Node, scope: &[String]) -> String {
        match node {
            Node::Answer(value) => self.data(value, scope),
            Node::Raise(class, reason) => {
                let reason = self.data(reason, scope);
                match class {
                    Class::Throw => format!("throw({reason})"),
                    Class::Error => format!("error({reason})"),
                    Class::Exit => format!("exit({reason})"),
                }
            }
            Node::Probe { function, args, returned, raised, .. } => {
                let name = scope.get(*function as usize).map_or("undefined", String::as_str);
                let args: Vec<String> = args.iter().map(|arg| self.data(arg, scope)).collect();
                let call = format!("{name}({})", args.join(", "));
                self.probe(&call, returned, raised.as_deref(), scope)
            }
        }
    }

    fn probe(&mut self, call: &str, returned: &Table, raised: Option<&Table>, scope: &[String]) -> String {
        // Nothing came of it.
        if returned.entries.is_empty() && returned.otherwise.is_none() && raised.is_none() && !self.strict {
            return call.to_string();
        }
        let mut clauses = self.clauses(returned, 1, scope, self.strict);
        if self.strict {
            let (patterns, guard) = (vec!["Other".to_string()], String::new());
            clauses.push(Clause { patterns, guard, body: "error({outside_range, Other})".to_string() });
        }
        let shown = |Clause { patterns, guard, body }: &Clause| format!("{}{guard} -> {body}", patterns.join(", "));
        let texts: Vec<String> = clauses.iter().map(shown).collect();
        match (raised, &clauses[..]) {
            (None, [Clause { patterns, guard, body }]) if patterns[0] == "_" && guard.is_empty() => {
                format!("{call}, {body}")
            }
            (None, _) => format!("case {call} of {} end", texts.join("; ")),
            (Some(raised), _) => {
                let caught = self.clauses(raised, 2, scope, false);
                let caught: Vec<String> = caught
                    .iter()
                    .map(|Clause { patterns, guard, body }| format!("{}{guard} -> {body}", patterns.join(":")))
                    .collect();
                format!("try {call} of {} catch {} end", texts.join("; "), caught.join("; "))
            }
        }
    }

    fn function_name(&mut self) -> String {
        self.functions_named += 1;
        name(&["G", "H", "K", "L"], self.functions_named - 1)
    }

    fn value_name(&mut self) -> String {
        self.values_named += 1;
        name(&["X", "Y", "Z"], self.values_named - 1)
    }
}

struct Clause {
    patterns: Vec<String>,
    /// With its `when`, or nothing.
    guard: String,
    body: String,
}

fn name(letters: &[&str], number: usize) -> String {
    let letter = letters[number % letters.len()];
    match number / letters.len() {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// The answer that stands for most, if it needs nothing that an entry brings into scope.
fn commonest(table: &Table) -> Option<Arc<Node>> {
    if table.otherwise.is_some() {
        return table.otherwise.clone();
    }
    let is_plain = |node: &Arc<Node>| match &**node {
        Node::Answer(value) | Node::Raise(_, value) => !has_functions(value),
        Node::Probe { .. } => false,
    };
    let count = |node: &Arc<Node>| table.entries.iter().filter(|entry| entry.node == *node).count();
    // Of equals the last one.
    table.entries.iter().map(|entry| &entry.node).filter(|node| is_plain(node)).max_by_key(|node| count(node)).cloned()
}

/// A constant that matches itself and nothing else.
fn is_plain(term: &Term) -> bool {
    match term {
        Term::Fun(_) | Term::Float(_) | Term::Map(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => false,
        _ => parts(term).into_iter().all(is_plain),
    }
}

/// Does a variable stand in a text?
fn mentions(text: &str, name: &str) -> bool {
    words(text).any(|(_, word)| word == name)
}

/// The text with `_` for a variable.
fn replaced(text: &str, name: &str) -> String {
    let mut out = String::new();
    let mut behind = 0;
    for (start, word) in words(text) {
        if word == name {
            out.push_str(&text[behind..start]);
            out.push('_');
            behind = start + word.len();
        }
    }
    out.push_str(&text[behind..]);
    out
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '@';
    let mut start = None;
    let mut found = Vec::new();
    for (index, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (is_part(c), start) {
            (true, None) => start = Some(index),
            (false, Some(begin)) => {
                found.push((begin, &text[begin..index]));
                start = None;
            }
            _ => {}
        }
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_expression;
    use interaction::Sort;

    fn function(arity: u32, is: Is) -> Function {
        Function { arity, sort: Sort::ANY, is }
    }

    fn answer(value: Term) -> Arc<Node> {
        Arc::new(Node::Answer(value))
    }

    fn entry(key: impl Into<Arc<[Term]>>, node: Arc<Node>) -> Entry {
        let key = Term::tuple(key);
        let given = vec![true; 4];
        Entry { key, given, node }
    }

    fn table(entries: Vec<Entry>) -> Is {
        Is::Table(Arc::new(Table { entries, otherwise: None }))
    }

    /// What is printed can be read.
    fn printed(data: &Term, functions: Vec<Function>, strict: bool) -> String {
        let text = print_functional(data, &Witness { functions, applications: Vec::new() }, strict);
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
            Arc::new(Node::Probe { function, args, params, returned: Arc::new(returned), raised: None })
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
    fn what_a_pattern_cannot_tell_is_told_by_a_guard() {
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
        let sort = Sort { params: Some([formula::TypeId(0)].into()), result: formula::TypeId(0) };
        let text = "fun(1) -> 2; (A1) -> error({outside_domain, [A1]}) end";
        assert_eq!(printed(&input(1, 0), vec![Function { arity: 1, sort, is }], true), text);
    }
}
