//! Units that fail only for inputs that behave like a function that is hidden in them.
//!
//! A hidden function is a simply typed term in canonical form: it answers constants, its arguments, or functions; it
//! calls functions that it was given and continues depending on their results. The unit calls its input and the hidden
//! function with the same arguments, compares the results (functions by applying them), and fails if there was no
//! difference. So there is exactly one failure to find.

use crate::Random;
use std::fmt::Write;

pub struct HiddenFunction {
    pub unit: String,
    pub arity: u32,
    /// Whether the unit has a specification. Without one, it accepts anything.
    pub specified: bool,
    /// The maximum number of choices in a hidden function.
    pub size: usize,
    pub text: String,
}

pub struct HiddenModule {
    pub text: String,
    pub units: Vec<HiddenFunction>,
}

/// Generates a module of units. `unitN(F, …)` is the unit to search. `checkN()` applies it to the hidden functions and
/// must fail. `countN()` returns how often these call functions that they are given.
pub fn hidden_module(random: &mut Random, name: &str, sizes: &[usize]) -> HiddenModule {
    let mut text = format!("-module({name}).\n-compile([export_all, nowarn_export_all]).\n{COUNTING}\n");
    let units: Vec<HiddenFunction> =
        sizes.iter().enumerate().map(|(index, size)| hidden_function(random, index + 1, *size)).collect();
    units.iter().for_each(|unit| text += &unit.text);
    HiddenModule { text, units }
}

const COUNTING: &str = "count(X) -> put(calls, get(calls) + 1), X.\n";
/// The placeholder around every call that a hidden function makes.
const COUNTED: &str = "$count";
/// The placeholder before the names of results of an input, or of the hidden function.
const RETURNED: &str = "$R";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Sort {
    Integer,
    Atom,
    /// A sort inside a structure.
    Inside(Around, Box<Sort>),
    Function(Vec<Sort>, Box<Sort>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Tuple,
    List,
    Map,
}

impl Around {
    fn random(random: &mut Random) -> Around {
        *random.pick(&[Around::Tuple, Around::Tuple, Around::List, Around::Map])
    }

    /// Returns the structure with a value, or with a type, inside it.
    fn value(self, inside: &str) -> String {
        match self {
            Around::Tuple => format!("{{ok, {inside}}}"),
            Around::List => format!("[{inside}]"),
            Around::Map => format!("#{{k => {inside}}}"),
        }
    }

    fn pattern(self, inside: &str) -> String {
        self.value(inside).replacen("=>", ":=", 1)
    }
}

impl Sort {
    fn random(random: &mut Random, order: usize) -> Sort {
        if order == 0 {
            return match random.below(6) {
                0 => Sort::Atom,
                1 => Sort::Inside(Around::random(random), Box::new(Sort::Integer)),
                _ => Sort::Integer,
            };
        }
        if random.one_in(8) {
            return Sort::Inside(Around::random(random), Box::new(Sort::random(random, order)));
        }
        let mut params = vec![Sort::random(random, order - 1)];
        if random.one_in(4) {
            let other = random.below(order);
            params.insert(random.below(2), Sort::random(random, other));
        }
        let result = if random.one_in(4) { random.below(order + 1).min(2) } else { 0 };
        Sort::Function(params, Box::new(Sort::random(random, result)))
    }

    fn is_function(&self) -> bool {
        matches!(self, Sort::Function(..))
    }

    fn text(&self) -> String {
        match self {
            Sort::Integer => "integer()".to_owned(),
            Sort::Atom => "atom()".to_owned(),
            Sort::Inside(around, of) => around.pattern(&of.text()),
            Sort::Function(params, result) => {
                let params: Vec<String> = params.iter().map(Sort::text).collect();
                format!("fun(({}) -> {})", params.join(", "), result.text())
            }
        }
    }
}

type SortedVariables = Vec<(String, Sort)>;

fn hidden_function(random: &mut Random, number: usize, size: usize) -> HiddenFunction {
    let throws = random.one_in(4);
    let mut writer = Writer { random, fresh: 0, throws };
    let inputs = if writer.random.one_in(6) { 2 } else { 1 };
    let sorts: Vec<Sort> = (0..inputs)
        .map(|_| {
            let order = *writer.random.pick(&[1, 2, 2, 2, 3, 3]);
            Sort::random(writer.random, order)
        })
        .collect();
    let hidden: Vec<String> = sorts.iter().map(|sort| writer.hidden(sort, &SortedVariables::new(), size)).collect();
    let body = writer.unit(&sorts, 1 + size);
    let names = |letter: &str| (1..=inputs).map(|index| format!("{letter}{index}")).collect::<Vec<_>>().join(", ");
    let (unit, specified) = (format!("unit{number}"), random.one_in(2));
    let mut text = String::new();
    if specified {
        let types: Vec<String> = sorts.iter().map(Sort::text).collect();
        let _ = writeln!(text, "-spec {unit}({}) -> ok.", types.join(", "));
    }
    let (inputs, hidden_inputs) = (names("F"), names("H"));
    let _ = writeln!(text, "{unit}({inputs}) ->\n    {{{hidden_inputs}}} = hidden{number}(),\n{body}.");
    let hidden = format!("{{{}}}", hidden.join(",\n    "));
    let _ = writeln!(text, "hidden{number}() ->\n    {}.", hidden.replace(COUNTED, ""));
    let _ = writeln!(text, "counted{number}() ->\n    {}.", hidden.replace(COUNTED, "count"));
    let _ = writeln!(text, "check{number}() ->\n    {{{inputs}}} = hidden{number}(), {unit}({inputs}).");
    let calls = format!("put(calls, 0), {{{inputs}}} = counted{number}(), catch {unit}({inputs}), get(calls)");
    let _ = writeln!(text, "count{number}() ->\n    {calls}.\n");
    HiddenFunction { unit, arity: sorts.len() as u32, specified, size, text }
}

struct Writer<'a> {
    random: &'a mut Random,
    fresh: usize,
    /// Whether the hidden function throws, and the unit compares the thrown terms.
    throws: bool,
}

impl Writer<'_> {
    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    fn integer(&mut self) -> String {
        self.random.between(-1, 6).to_string()
    }

    fn atom(&mut self) -> String {
        (*self.random.pick(&["a", "b", "c"])).to_owned()
    }

    fn params(&mut self, sorts: &[Sort]) -> SortedVariables {
        sorts.iter().map(|sort| (self.name(), sort.clone())).collect()
    }

    /// Returns a term of a hidden function, with at most `fuel` choices in it.
    fn hidden(&mut self, sort: &Sort, scope: &SortedVariables, fuel: usize) -> String {
        if fuel == 0 {
            return self.plain(sort, scope);
        }
        let functions: SortedVariables = scope.iter().filter(|(_, sort)| sort.is_function()).cloned().collect();
        let data: SortedVariables =
            scope.iter().filter(|(_, sort)| matches!(sort, Sort::Integer | Sort::Atom)).cloned().collect();
        match self.random.below(8) {
            0 if scope.iter().any(|(_, other)| other == sort) => self.plain(sort, scope),
            1..=4 if !functions.is_empty() => {
                let called = self.random.pick(&functions).clone();
                self.probe(sort, scope, &called, fuel - 1)
            }
            5 if !data.is_empty() => {
                let (name, of) = self.random.pick(&data).clone();
                self.cases(sort, scope, &name, &of, fuel - 1)
            }
            _ => match sort {
                Sort::Function(params, result) => {
                    let params = self.params(params);
                    let body = self.hidden(result, &with(scope, &params), fuel);
                    function(&params, &body)
                }
                Sort::Inside(around, of) => around.value(&self.hidden(of, scope, fuel)),
                Sort::Integer | Sort::Atom if functions.is_empty() && data.is_empty() => self.plain(sort, scope),
                Sort::Integer | Sort::Atom => match functions.is_empty() {
                    false => {
                        let called = self.random.pick(&functions).clone();
                        self.probe(sort, scope, &called, fuel - 1)
                    }
                    true => {
                        let (name, of) = self.random.pick(&data).clone();
                        self.cases(sort, scope, &name, &of, fuel - 1)
                    }
                },
            },
        }
    }

    /// Returns a term without choices.
    fn plain(&mut self, sort: &Sort, scope: &SortedVariables) -> String {
        let alike: Vec<&String> = scope.iter().filter(|(_, other)| other == sort).map(|(name, _)| name).collect();
        if !alike.is_empty() && !self.random.one_in(3) {
            return (*self.random.pick(&alike)).clone();
        }
        if self.throws && self.random.one_in(4) {
            return format!("throw({})", self.atom());
        }
        match sort {
            Sort::Integer => self.integer(),
            Sort::Atom => self.atom(),
            Sort::Inside(around, of) => around.value(&self.plain(of, scope)),
            Sort::Function(params, result) => {
                let params = self.params(params);
                let body = self.plain(result, &with(scope, &params));
                function(&params, &body)
            }
        }
    }

    /// Calls a function that is in scope and continues depending on its result.
    fn probe(&mut self, sort: &Sort, scope: &SortedVariables, called: &(String, Sort), fuel: usize) -> String {
        let (name, Sort::Function(params, result)) = called else { return self.plain(sort, scope) };
        let inner = if self.random.one_in(3) { self.random.below(fuel + 1) } else { 0 };
        let args: Vec<String> = params.iter().map(|param| self.hidden(param, scope, inner)).collect();
        let call = format!("{COUNTED}({name}({}))", args.join(", "));
        let fuel = fuel - inner;
        if !result.is_function() && !matches!(**result, Sort::Inside(..)) && self.random.one_in(2) {
            return self.cases(sort, scope, &call, result, fuel);
        }
        let bound = self.name();
        let (pattern, of) = match &**result {
            Sort::Inside(around, of) => (around.pattern(&bound), &**of),
            of => (bound.clone(), of),
        };
        let scope = with(scope, &[(bound, of.clone())]);
        format!("begin {pattern} = {call}, {} end", self.hidden(sort, &scope, fuel))
    }

    fn cases(&mut self, sort: &Sort, scope: &SortedVariables, subject: &str, of: &Sort, fuel: usize) -> String {
        let key = if *of == Sort::Atom { self.atom() } else { self.integer() };
        let first = self.random.below(fuel + 1);
        let (yes, no) = (self.hidden(sort, scope, first), self.hidden(sort, scope, fuel - first));
        format!("case {subject} of {key} -> {yes}; _ -> {no} end")
    }

    /// Returns the body of a unit that makes this number of calls of inputs and hidden functions alike, and fails if
    /// there was no difference.
    fn unit(&mut self, sorts: &[Sort], calls: usize) -> String {
        let mut lines = Vec::new();
        let mut scope = SortedVariables::new();
        for call in 0..calls.max(sorts.len()) {
            let index = call % sorts.len();
            self.compare(&sorts[index], &format!("$F{}", index + 1), &mut scope, &mut lines, 2);
        }
        let mut text: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        text += "    error(bug)";
        text += &"; _ -> ok end".repeat(lines.len());
        text
    }

    /// Adds lines that compare both sides of a call. The placeholders `$F` and `$R` get different names on each side.
    fn compare(
        &mut self,
        sort: &Sort,
        subject: &str,
        scope: &mut SortedVariables,
        lines: &mut Vec<String>,
        deep: usize,
    ) {
        let sides = |text: &str| {
            let own = text.replace("$F", "F").replace(RETURNED, "R");
            (own, text.replace("$F", "H").replace(RETURNED, "E"))
        };
        let (own, hidden) = sides(subject);
        match sort {
            Sort::Integer | Sort::Atom => {
                self.fresh += 1;
                let (left, right) = (format!("R{}", self.fresh), format!("E{}", self.fresh));
                if self.throws {
                    let caught = |call: &str, name: &str| {
                        format!("try {{value, {call}}} catch throw:{name} -> {{thrown, {name}}} end")
                    };
                    lines.push(format!("case {} =:= {} of true ->", caught(&own, &left), caught(&hidden, &right)));
                    return;
                }
                let compared = format!("begin {left} = {own}, {right} = {hidden}, {left} =:= {right} end");
                lines.push(format!("case {compared} of true ->"));
                scope.push((format!("{RETURNED}{}", self.fresh), sort.clone()));
            }
            Sort::Inside(around, of) => {
                self.fresh += 1;
                let name = format!("{RETURNED}{}", self.fresh);
                let (left, right) = sides(&name);
                let (left, right) = (around.pattern(&left), around.pattern(&right));
                lines.push(format!("case {{{own}, {hidden}}} of {{{left}, {right}}} ->"));
                self.compare(of, &name, scope, lines, deep);
            }
            Sort::Function(params, result) => {
                let times = if deep < 2 && self.random.one_in(2) { 2 } else { 1 };
                for _ in 0..times {
                    let args: Vec<String> = params.iter().map(|param| self.given(param, scope, 2)).collect();
                    let call = format!("{subject}({})", args.join(", "));
                    if deep == 0 || !contains_function(result) {
                        self.compare(result, &format!("({call})"), scope, lines, 0);
                    } else {
                        self.fresh += 1;
                        let name = format!("{RETURNED}{}", self.fresh);
                        let ((left, right), (own, hidden)) = (sides(&name), sides(&call));
                        lines.push(format!("case {{{own}, {hidden}}} of {{{left}, {right}}} ->"));
                        self.compare(result, &name, scope, lines, deep - 1);
                    }
                }
            }
        }
    }

    /// Returns an argument that the unit passes to its inputs.
    fn given(&mut self, sort: &Sort, scope: &SortedVariables, depth: usize) -> String {
        let alike: Vec<String> = scope.iter().filter(|(_, of)| of == sort).map(|(name, _)| name.clone()).collect();
        if !alike.is_empty() && self.random.one_in(if sort.is_function() { 2 } else { 4 }) {
            return self.random.pick(&alike).clone();
        }
        match sort {
            Sort::Integer => self.given_integer(scope, depth),
            Sort::Atom => self.atom(),
            Sort::Inside(around, of) => around.value(&self.given(of, scope, depth)),
            Sort::Function(params, result) => {
                let params = self.params(params);
                let body = self.given(result, &with(scope, &params), depth);
                function(&params, &body)
            }
        }
    }

    fn given_integer(&mut self, scope: &SortedVariables, depth: usize) -> String {
        let mut ways = vec![self.integer()];
        for (name, of) in scope {
            match of {
                Sort::Integer => {
                    let (factor, more) = (self.random.between(-1, 3), self.random.between(-2, 4));
                    ways.push(format!("{factor} * {name} + {more}"));
                    ways.push(format!("if {name} =:= {} -> 0; true -> 1 end", self.integer()));
                }
                Sort::Atom => ways.push(format!("if {name} =:= {} -> 0; true -> 1 end", self.atom())),
                Sort::Function(params, result) if **result == Sort::Integer && depth > 0 => {
                    let mut call = || {
                        let args: Vec<String> =
                            params.iter().map(|param| self.given(param, scope, depth - 1)).collect();
                        format!("{name}({})", args.join(", "))
                    };
                    let (once, again) = (call(), call());
                    ways.push(format!("{once} + {again}"));
                    ways.push(once);
                }
                Sort::Inside(..) | Sort::Function(..) => {}
            }
        }
        self.random.pick(&ways).clone()
    }
}

fn contains_function(sort: &Sort) -> bool {
    match sort {
        Sort::Integer | Sort::Atom => false,
        Sort::Inside(_, of) => contains_function(of),
        Sort::Function(..) => true,
    }
}

fn function(params: &SortedVariables, body: &str) -> String {
    let params: Vec<&str> = params.iter().map(|(name, _)| name.as_str()).collect();
    format!("fun({}) -> {body} end", params.join(", "))
}

fn with(scope: &SortedVariables, more: &[(String, Sort)]) -> SortedVariables {
    scope.iter().chain(more).cloned().collect()
}
