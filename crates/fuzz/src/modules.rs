//! Small modules: functions of several clauses over every kind of expression and pattern.
//!
//! A function calls only functions of lower numbers, or itself with less fuel, so every call ends. Variables are never
//! bound twice and never leave the branch that binds them, so the generated modules compile.

use crate::patterns::{guard, literal, pattern};
use crate::{Random, Terms};
use std::fmt::Write;

pub struct GeneratedModule {
    pub text: String,
    /// Names with arities.
    pub functions: Vec<(String, usize)>,
}

const FUNCTIONS: usize = 10;
const FUEL: usize = 3;

pub fn module(random: &mut Random, name: &str) -> GeneratedModule {
    let mut writer = Writer {
        terms: Terms { random, small: false, plain: true },
        fresh: 0,
        callable: Vec::new(),
        itself: None,
        is_shell: false,
    };
    let mut text =
        format!("-module({name}).\n-compile([export_all, nowarn_export_all]).\n-record(point, {{x = 0, y}}).\n\n");
    text += COERCIONS;
    for number in 1..=FUNCTIONS {
        let arity = 1 + writer.terms.random.below(3);
        let name = format!("f{number}");
        text += &writer.function(&name, arity);
        writer.callable.push((name, arity));
    }
    GeneratedModule { text, functions: writer.callable }
}

/// Returns an expression as typed into a shell, over a few variables that it binds first.
pub fn shell_expression(random: &mut Random) -> String {
    loop {
        let mut terms = Terms { random, small: false, plain: true };
        let values: Vec<String> = (1..=2).map(|index| format!("A{index} = {}, ", terms.any(2))).collect();
        let mut writer = Writer { terms, fresh: 0, callable: Vec::new(), itself: None, is_shell: true };
        let body = writer.body(&vec!["A1".to_owned(), "A2".to_owned()], 4);
        if !body.contains("point") {
            return values.concat() + &body;
        }
    }
}

struct Writer<'a> {
    terms: Terms<'a>,
    fresh: usize,
    callable: Vec<(String, usize)>,
    /// The function that is being written, if it may call itself: its first parameter is the fuel.
    itself: Option<(String, usize)>,
    /// Whether the expression is not in a module, so that it has no records and no local functions.
    is_shell: bool,
}

type Variables = Vec<String>;

/// Functions that convert any term to the wanted kind, so that calls get beyond their first operation.
const COERCIONS: &str = "\
int(X) when is_integer(X) -> X;
int(X) -> erlang:phash2(X, 100).
num(X) when is_number(X) -> X;
num(X) -> int(X) / 4.
list(X) when is_list(X), length(X) >= 0 -> X;
list(X) when is_tuple(X) -> tuple_to_list(X);
list(X) when is_map(X) -> maps:to_list(X);
list(X) -> [X, 1, X].
map(X) when is_map(X) -> X;
map(X) -> #{X => 1, k => X, a => [X]}.
bits(X) when is_bitstring(X) -> X;
bits(X) -> <<(erlang:phash2(X)):31, \"ab\">>.
bin(X) when is_binary(X) -> X;
bin(X) -> term_to_binary(X).
tuple(X) when is_tuple(X), tuple_size(X) > 0 -> X;
tuple(X) -> {X, b, X}.
bool(X) when is_boolean(X) -> X;
bool(X) -> X > 5.
point(X) when is_record(X, point) -> X;
point(X) -> #point{x = X, y = [X]}.

";

impl Writer<'_> {
    fn function(&mut self, name: &str, arity: usize) -> String {
        match self.terms.random.below(6) {
            0 => return self.recursive(name, arity),
            1 if arity == 2 => return self.loop_over(name),
            _ => {}
        }
        let clauses = 1 + self.terms.random.below(3);
        let mut clauses: Vec<String> =
            (0..clauses).map(|_| format!("{name}{}", self.clause(&Vec::new(), arity, 3))).collect();
        if !self.terms.random.one_in(5) {
            let names: Variables = (1..=arity).map(|index| format!("A{index}")).collect();
            clauses.push(format!("{name}({}) ->\n    {}", names.join(", "), self.body(&names, 4)));
        }
        format!("{}.\n\n", clauses.join(";\n"))
    }

    /// Writes a recursive function: `f(Args)` starts with fuel; `f_go(Fuel, Args)` calls itself with less.
    fn recursive(&mut self, name: &str, arity: usize) -> String {
        let names: Variables = (1..=arity).map(|index| format!("A{index}")).collect();
        let list = names.join(", ");
        let mut text = format!("{name}({list}) -> {name}_go({FUEL}, {list}).\n");
        _ = writeln!(text, "{name}_go(0, {list}) -> {{{list}}};");
        self.itself = Some((format!("{name}_go"), arity));
        let body = self.expression(&names, 3);
        self.itself = None;
        _ = write!(text, "{name}_go(Fuel, {list}) -> _ = Fuel, {body}.\n\n");
        text
    }

    /// Writes a loop with an accumulator over a list or a bitstring.
    fn loop_over(&mut self, name: &str) -> String {
        let scope: Variables = vec!["H".to_owned(), "Acc".to_owned()];
        let body = self.expression(&scope, 3);
        let guard = self.guard(&scope);
        let (part, empty) = *self.terms.random.pick(&[
            ("[H | T]", "[]"),
            ("[H, _ | T]", "[]"),
            ("[{H, _} | T]", "[]"),
            ("<<H, T/binary>>", "<<>>"),
            ("<<H:3, T/bits>>", "<<>>"),
            ("<<H/utf8, T/binary>>", "<<>>"),
            ("<<H:12/signed-little, T/bits>>", "<<>>"),
            ("<<L:2, H:L/unit:5, T/bits>>", "<<>>"),
            ("<<H:2/binary, T/binary>>", "<<>>"),
            ("<<H:16/float, T/bits>>", "<<>>"),
        ]);
        format!(
            "{name}({part}, Acc){guard} -> {name}(T, {body});\n{name}({empty}, Acc) -> Acc;\n\
             {name}(Rest, Acc) -> {{Rest, Acc}}.\n\n"
        )
    }

    /// Writes `(Patterns) when Guard -> Body`.
    fn clause(&mut self, scope: &Variables, arity: usize, depth: u32) -> String {
        let mut bound = Vec::new();
        let patterns: Vec<String> = (0..arity).map(|_| self.pattern(scope, &mut bound)).collect();
        let scope = joined(scope, bound);
        let guard = self.guard(&scope);
        format!("({}){guard} ->\n    {}", patterns.join(", "), self.body(&scope, depth))
    }

    fn pattern(&mut self, scope: &Variables, bound: &mut Vec<String>) -> String {
        pattern(&mut self.terms, &mut self.fresh, scope, bound, 2)
    }

    fn guard(&mut self, scope: &Variables) -> String {
        if self.terms.random.one_in(2) { format!(" when {}", guard(&mut self.terms, scope)) } else { String::new() }
    }

    /// Writes an expression, possibly after a match or two.
    fn body(&mut self, scope: &Variables, depth: u32) -> String {
        let mut scope = scope.clone();
        let mut text = String::new();
        while depth > 0 && self.terms.random.one_in(3) {
            let value = self.expression(&scope, depth - 1);
            let mut bound = Vec::new();
            let pattern = if self.terms.random.one_in(6) {
                self.pattern(&scope, &mut bound)
            } else {
                self.fresh += 1;
                bound.push(format!("V{}", self.fresh));
                format!("V{}", self.fresh)
            };
            _ = write!(text, "{pattern} = {value}, ");
            scope.extend(bound);
        }
        text + &self.expression(&scope, depth)
    }

    fn expression(&mut self, scope: &Variables, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let depth = depth - 1;
        match self.terms.random.below(24) {
            0 | 1 => self.leaf(scope),
            2..5 => self.operation(scope, depth),
            5 => format!("{{{}, {}}}", self.expression(scope, depth), self.expression(scope, depth)),
            6 => format!("[{}, {}]", self.expression(scope, depth), self.expression(scope, depth)),
            7 => format!("[{} | {}]", self.expression(scope, depth), self.expression(scope, depth)),
            8 => format!("#{{{} => {}, k => {}}}", self.leaf(scope), self.expression(scope, depth), self.leaf(scope)),
            9 => {
                let operator = *self.terms.random.pick(&["=>", "=>", "=>", ":="]);
                format!(
                    "({})#{{{} {operator} {}}}",
                    self.of_kind("map", scope, depth),
                    self.leaf(scope),
                    self.leaf(scope)
                )
            }
            10 | 11 => {
                let value = self.expression(scope, depth);
                format!("case {value} of {} end", self.alternatives(scope, depth))
            }
            12 => {
                let test = guard(&mut self.terms, scope);
                format!("if {test} -> {}; true -> {} end", self.expression(scope, depth), self.expression(scope, depth))
            }
            13 | 14 => self.attempt(scope, depth),
            15 => self.application(scope, depth),
            16 => self.comprehension(scope, depth),
            17 => self.construction(scope, depth),
            18..20 => self.call(scope, depth),
            20 => self.record(scope, depth),
            21 => format!("({})", self.body_in_block(scope, depth)),
            22 => self.higher_order(scope, depth),
            _ => self.builtin(scope, depth),
        }
    }

    /// Writes an expression that is usually converted to a kind.
    fn of_kind(&mut self, kind: &str, scope: &Variables, depth: u32) -> String {
        let value = self.expression(scope, depth);
        if self.terms.random.one_in(5) { value } else { self.coerced(kind, &value) }
    }

    fn coerced(&self, kind: &str, value: &str) -> String {
        if !self.is_shell {
            return format!("{kind}({value})");
        }
        // In a shell, there are no functions of a module.
        match kind {
            "int" => format!("erlang:phash2({value}, 50)"),
            "num" => format!("(erlang:phash2({value}, 50) / 4)"),
            "list" => format!("[{value}, 1]"),
            "map" => format!("#{{{value} => 1, k => 2}}"),
            "bits" | "bin" => format!("<<(erlang:phash2({value}, 200)), \"ab\">>"),
            "bool" => format!("({value} > 5)"),
            _ => format!("{{{value}, b}}"),
        }
    }

    fn leaf(&mut self, scope: &Variables) -> String {
        if scope.is_empty() || self.terms.random.one_in(3) {
            literal(&mut self.terms)
        } else {
            self.terms.random.pick(scope).clone()
        }
    }

    fn operation(&mut self, scope: &Variables, depth: u32) -> String {
        // Shifts are by bounded amounts only, to limit the size of results.
        let operator = *self.terms.random.pick(&[
            "+", "-", "*", "div", "rem", "/", "band", "bor", "bxor", "==", "=:=", "<", ">=", "=/=", "++", "--",
            "andalso", "orelse", "and", "xor", "bsl", "bsr",
        ]);
        let kind = match operator {
            "+" | "-" | "*" | "/" => "num",
            "div" | "rem" | "band" | "bor" | "bxor" | "bsl" | "bsr" => "int",
            "++" | "--" => "list",
            "andalso" | "orelse" | "and" | "xor" => "bool",
            _ => "num",
        };
        let left = self.of_kind(kind, scope, depth);
        let right = if operator.starts_with("bs") {
            self.terms.random.between(-70, 70).to_string()
        } else {
            self.of_kind(kind, scope, depth)
        };
        match (self.terms.random.below(8), kind) {
            // Floats are not negated: the negation of 0.0 is 0.0 or -0.0 on the BEAM, depending on whether its compiler
            // infers the type.
            (0, "int") => format!("(- {left})"),
            (0, "bool") => format!("(not {left})"),
            (1, "int") => format!("(bnot {left})"),
            _ if operator == "div" || operator == "rem" || operator == "/" => {
                format!(
                    "({left} {operator} case {right} of Z{0} when Z{0} == 0 -> 3; Z{0} -> Z{0} end)",
                    self.fresh_number()
                )
            }
            _ => format!("({left} {operator} {right})"),
        }
    }

    fn fresh_number(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn alternatives(&mut self, scope: &Variables, depth: u32) -> String {
        let count = 1 + self.terms.random.below(3);
        let mut clauses: Vec<String> = (0..count)
            .map(|_| {
                let mut bound = Vec::new();
                let pattern = self.pattern(scope, &mut bound);
                let scope = joined(scope, bound);
                let guard = self.guard(&scope);
                format!("{pattern}{guard} -> {}", self.expression(&scope, depth))
            })
            .collect();
        if !self.terms.random.one_in(6) {
            clauses.push(format!("_ -> {}", self.expression(scope, depth)));
        }
        clauses.join("; ")
    }

    fn attempt(&mut self, scope: &Variables, depth: u32) -> String {
        let value = self.expression(scope, depth);
        self.fresh += 1;
        let (class, reason) = (format!("C{}", self.fresh), format!("R{}", self.fresh));
        let handled = self.leaf(scope);
        match self.terms.random.below(6) {
            0 => format!(
                "(case catch {value} of {{'EXIT', {{{reason}, _}}}} -> {reason}; {class} -> {{v, {class}}} end)"
            ),
            1 => format!(
                "try {value} of {} catch {class}:{reason} -> {{{class}, {reason}}} end",
                self.alternatives(scope, depth)
            ),
            2 => format!("try {value} catch throw:{reason} -> {reason}; error:badarith -> {handled} after self() end"),
            3 => format!("try throw({value}) catch {reason} -> {{{reason}, {handled}}} end"),
            4 => format!(
                "try {value} catch error:{{{class}, {reason}}} -> [{class}, {reason}]; error:{reason} when is_atom({reason}) -> {reason} end"
            ),
            _ => format!("try exit({value}) catch exit:{reason} -> {reason} end"),
        }
    }

    fn application(&mut self, scope: &Variables, depth: u32) -> String {
        let arity = 1 + self.terms.random.below(2);
        let clauses = 1 + self.terms.random.below(2);
        // A variable in the head of a fun is always a new one, even if the scope has one of the same name.
        let mut clauses: Vec<String> = (0..clauses)
            .map(|_| {
                let mut bound = Vec::new();
                let patterns: Vec<String> = (0..arity).map(|_| self.pattern(&Vec::new(), &mut bound)).collect();
                let scope = joined(scope, bound);
                let guard = self.guard(&scope);
                format!("({}){guard} -> {}", patterns.join(", "), self.expression(&scope, depth))
            })
            .collect();
        if !self.terms.random.one_in(6) {
            let patterns = vec!["_"; arity].join(", ");
            clauses.push(format!("({patterns}) -> {}", self.expression(scope, depth)));
        }
        let args: Vec<String> = (0..arity).map(|_| self.expression(scope, depth)).collect();
        format!("(fun{} end)({})", clauses.join("; "), args.join(", "))
    }

    fn comprehension(&mut self, scope: &Variables, depth: u32) -> String {
        let (source, bits) = (self.of_kind("list", scope, depth), self.of_kind("bits", scope, depth));
        let mut bound = Vec::new();
        let pattern = self.pattern(&Vec::new(), &mut bound);
        let inner = joined(scope, bound);
        let filter = if self.terms.random.one_in(2) {
            format!(", {}", guard(&mut self.terms, &inner).replace("; ", " orelse "))
        } else {
            String::new()
        };
        // For an improper list, the error names the whole list or only its end, depending on the BEAM's compiler.
        let proper = self.coerced("list", &source);
        match self.terms.random.below(5) {
            0 => {
                self.fresh += 1;
                let byte = format!("B{}", self.fresh);
                format!("[{} || <<{byte}:4>> <= {bits}]", self.expression(&joined(scope, vec![byte.clone()]), depth))
            }
            1 => {
                self.fresh += 1;
                let byte = format!("B{}", self.fresh);
                format!("<< <<({byte} + 1):8>> || <<{byte}>> <= {bits} >>")
            }
            2 => format!("<< <<({})>> || {pattern} <- {proper}{filter} >>", self.of_kind("int", &inner, 0)),
            _ => format!("[{} || {pattern} <- {source}{filter}]", self.expression(&inner, depth)),
        }
    }

    fn construction(&mut self, scope: &Variables, depth: u32) -> String {
        let (int, num) = (self.of_kind("int", scope, depth), self.of_kind("num", scope, depth));
        let (bits, bin) = (self.of_kind("bits", scope, 0), self.of_kind("bin", scope, 0));
        match self.terms.random.below(9) {
            0 => format!("<<({int}):8, ({int}):4>>"),
            1 => format!("<<({bin})/binary, ({int}):16/little>>"),
            2 => format!("<<({num}):64/float>>"),
            3 => format!("<<({int})/utf8, ({bits})/bits>>"),
            4 => format!("<<({int}):3/signed>>"),
            5 => format!("<<({bin}):2/binary, 1>>"),
            6 => format!("<<({num}):32/float-little, \"x\">>"),
            7 => format!("<<({int}):70, ({bits})/bitstring>>"),
            _ => format!("<<({int})/utf16-little, ({num})/float>>"),
        }
    }

    fn call(&mut self, scope: &Variables, depth: u32) -> String {
        if let Some((name, arity)) = self.itself.clone()
            && self.terms.random.one_in(2)
        {
            let args: Vec<String> = (0..arity).map(|_| self.leaf(scope)).collect();
            return format!("{name}(Fuel - 1, {})", args.join(", "));
        }
        if self.callable.is_empty() {
            return self.builtin(scope, depth);
        }
        let (name, arity) = self.terms.random.pick(&self.callable).clone();
        let args: Vec<String> = (0..arity).map(|_| self.leaf(scope)).collect();
        format!("{name}({})", args.join(", "))
    }

    fn record(&mut self, scope: &Variables, depth: u32) -> String {
        let value = self.of_kind("point", scope, depth);
        match self.terms.random.below(4) {
            0 => format!("#point{{x = {value}}}"),
            1 => format!("({value})#point.x"),
            2 => format!("({value})#point{{y = {}}}", self.leaf(scope)),
            _ => format!("(#point{{y = {value}}})#point.y"),
        }
    }

    fn body_in_block(&mut self, scope: &Variables, depth: u32) -> String {
        format!("begin {} end", self.body(scope, depth))
    }

    fn higher_order(&mut self, scope: &Variables, depth: u32) -> String {
        self.fresh += 1;
        let (x, y) = (format!("X{}", self.fresh), format!("Y{}", self.fresh));
        let list = self.of_kind("list", scope, depth);
        let inner = joined(scope, vec![x.clone()]);
        match self.terms.random.below(6) {
            0 => format!("lists:map(fun({x}) -> {} end, {list})", self.expression(&inner, depth)),
            1 => format!("lists:filter(fun({x}) -> {x} > {} end, {list})", self.leaf(scope)),
            2 => {
                let body = self.expression(&joined(&inner, vec![y.clone()]), depth);
                format!("lists:foldl(fun({x}, {y}) -> {body} end, {}, {list})", self.leaf(scope))
            }
            3 => format!("maps:map(fun({x}, {y}) -> {{{x}, {y}}} end, {})", self.coerced("map", &list)),
            4 => format!("lists:sort(fun({x}, {y}) -> {x} >= {y} end, {list})"),
            _ => format!("apply(fun({x}) -> {} end, [{list}])", self.leaf(&inner)),
        }
    }

    fn builtin(&mut self, scope: &Variables, depth: u32) -> String {
        let b = self.leaf(scope);
        let (name, kind, more) = *self.terms.random.pick(BUILTINS);
        let a = self.of_kind(kind, scope, depth);
        let args = if more { format!("{a}, {b}") } else { a };
        match name {
            "element" => {
                format!("element(1 + abs({}) rem 3, {})", self.coerced("int", &b), self.of_kind("tuple", scope, depth))
            }
            "get" => format!("maps:get({b}, {}, none)", self.of_kind("map", scope, depth)),
            "map_get" => format!("map_get({b}, {})", self.of_kind("map", scope, depth)),
            "setelement" => format!("setelement(1, {}, {b})", self.of_kind("tuple", scope, depth)),
            name => format!("{name}({args})"),
        }
    }
}

/// The name, the kind of the first argument, and whether there is a second argument.
const BUILTINS: &[(&str, &str, bool)] = &[
    ("hd", "list", false),
    ("tl", "list", false),
    ("length", "list", false),
    ("element", "int", false),
    ("abs", "num", false),
    ("size", "tuple", false),
    ("get", "map", false),
    ("map_get", "map", false),
    ("setelement", "tuple", false),
    ("integer_to_list", "int", false),
    ("integer_to_binary", "int", false),
    ("float_to_list", "num", false),
    ("lists:reverse", "list", false),
    ("lists:sum", "list", false),
    ("list_to_tuple", "list", false),
    ("tuple_to_list", "tuple", false),
    ("trunc", "num", false),
    ("round", "num", false),
    ("floor", "num", false),
    ("float", "num", false),
    ("max", "num", true),
    ("min", "list", true),
    ("is_integer", "int", false),
    ("lists:sort", "list", false),
    ("lists:usort", "list", false),
    ("maps:to_list", "map", false),
    ("maps:keys", "map", false),
    ("map_size", "map", false),
    ("bit_size", "bits", false),
    ("byte_size", "bits", false),
    ("list_to_binary", "list", false),
    ("binary_to_list", "bin", false),
    ("error", "list", false),
];

fn joined(scope: &Variables, more: Vec<String>) -> Variables {
    let mut all = scope.clone();
    all.extend(more);
    all
}
