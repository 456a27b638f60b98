//! Modules of branches, calls and loops over small integers, for targets. Whether each line can be reached is known by
//! trying all inputs.

use crate::random::Random;
use std::fmt::Write;

/// The largest input of the exported functions. The smallest is 0.
pub const LARGEST_INPUT: i64 = 5;

/// A module with exported functions of two parameters.
pub struct ReachModule {
    pub text: String,
    pub entries: Vec<String>,
}

/// Writes one statement per line, so that lines are targets.
struct Writer<'r> {
    random: &'r mut Random,
    text: String,
    variables: usize,
    /// The functions that may be called, with their numbers of parameters. None of them calls this one.
    callable: Vec<(String, usize)>,
}

pub fn reach_module(random: &mut Random, name: &str) -> ReachModule {
    let helpers = random.between(2, 5) as usize;
    let entries: Vec<String> = (0..random.between(1, 2)).map(|number| format!("main{number}")).collect();
    let exports: Vec<String> = entries.iter().map(|entry| format!("{entry}/2")).collect();
    let mut text = format!("-module({name}).\n-export([{}]).\n", exports.join(", "));
    let mut callable = Vec::new();
    for number in 0..helpers {
        let name = format!("helper{number}");
        let arity = random.between(1, 2) as usize;
        let mut writer = Writer { random, text: String::new(), variables: 0, callable: callable.clone() };
        match writer.random.below(4) {
            0 => writer.loop_function(&name, arity),
            _ => writer.function(&name, arity),
        }
        text.push_str(&writer.text);
        callable.push((name, arity));
    }
    for entry in &entries {
        let mut writer = Writer { random, text: String::new(), variables: 0, callable: callable.clone() };
        let _ = writeln!(writer.text, "-spec {entry}(0..{LARGEST_INPUT}, 0..{LARGEST_INPUT}) -> term().");
        writer.function(entry, 2);
        text.push_str(&writer.text);
    }
    // Functions that are never called cause only warnings of the compiler.
    ReachModule { text: format!("{text}\n"), entries }
}

impl Writer<'_> {
    fn function(&mut self, name: &str, arity: usize) {
        let clauses = self.random.between(1, 3);
        for clause in 0..clauses {
            let mut scope: Vec<String> = (0..arity).map(|index| format!("P{index}")).collect();
            let is_last = clause + 1 == clauses;
            let head: Vec<String> = scope
                .iter()
                .map(|parameter| match !is_last && self.random.one_in(4) {
                    true => format!("{} = {parameter}", self.random.between(0, LARGEST_INPUT)),
                    false => parameter.clone(),
                })
                .collect();
            let guard = match !is_last {
                true => format!(" when {}", self.guard(&scope)),
                false => String::new(),
            };
            let _ = writeln!(self.text, "{name}({}){guard} ->", head.join(", "));
            self.body(&mut scope, 2, 1);
            self.text.push_str(if is_last { ".\n" } else { ";\n" });
        }
    }

    /// Writes a function that counts up or down, and changes a second number in every step.
    fn loop_function(&mut self, name: &str, arity: usize) {
        let parameters: Vec<String> = (0..arity).map(|index| format!("P{index}")).collect();
        let start = self.random.between(0, 3);
        let _ = writeln!(self.text, "{name}({}) ->", parameters.join(", "));
        let _ = writeln!(self.text, "    {name}_loop(P0, {start}).");
        let condition = self.guard(&["N".to_string(), "Sum".to_string()]);
        let (one, other) = (self.expression(&["N".into(), "Sum".into()]), self.expression(&["Sum".into()]));
        let _ = writeln!(self.text, "{name}_loop(N, Sum) when N =< 0; N > 20 ->\n    Sum;");
        let _ = writeln!(self.text, "{name}_loop(N, Sum) when {condition} ->\n    {name}_loop(N - 1, {one});");
        let _ = writeln!(self.text, "{name}_loop(N, Sum) ->\n    {name}_loop(N - 1, {other}).");
    }

    /// Writes statements, each on a line of its own; the last one is the value.
    fn body(&mut self, scope: &mut Vec<String>, depth: usize, indent: usize) {
        let space = "    ".repeat(indent);
        for _ in 0..self.random.below(3) {
            let value = self.value(scope);
            self.variables += 1;
            let variable = format!("V{}", self.variables);
            let _ = writeln!(self.text, "{space}{variable} = {value},");
            scope.push(variable);
        }
        if depth == 0 {
            let value = self.value(scope);
            let _ = write!(self.text, "{space}{value}");
            return;
        }
        match self.random.below(4) {
            0 => {
                let subject = self.expression(scope);
                let _ = writeln!(self.text, "{space}case {subject} of");
                let values = self.random.between(1, 2);
                for _ in 0..values {
                    let value = self.random.between(-2, 9);
                    let _ = writeln!(self.text, "{space}    {value} ->");
                    self.body(&mut scope.clone(), depth - 1, indent + 2);
                    self.text.push_str(";\n");
                }
                let _ = writeln!(self.text, "{space}    _ ->");
                self.body(&mut scope.clone(), depth - 1, indent + 2);
                let _ = write!(self.text, "\n{space}end");
            }
            1 => {
                let guard = self.guard(scope);
                let _ = writeln!(self.text, "{space}if\n{space}    {guard} ->");
                self.body(&mut scope.clone(), depth - 1, indent + 2);
                let _ = writeln!(self.text, ";\n{space}    true ->");
                self.body(&mut scope.clone(), depth - 1, indent + 2);
                let _ = write!(self.text, "\n{space}end");
            }
            2 if self.random.one_in(2) => {
                let attempt = match self.random.below(4) {
                    0 => format!("{} div ({})", self.expression(scope), self.expression(scope)),
                    1 => format!("throw({})", self.expression(scope)),
                    _ => self.value(scope),
                };
                self.variables += 1;
                let mut inner = scope.clone();
                inner.push(format!("V{}", self.variables));
                let _ = writeln!(self.text, "{space}try {attempt} of\n{space}    V{} ->", self.variables);
                self.body(&mut inner, depth - 1, indent + 2);
                let handler = *self.random.pick(&["throw:3", "throw:_", "error:badarith", "_:_"]);
                let _ = writeln!(self.text, "\n{space}catch\n{space}    {handler} ->");
                self.body(&mut scope.clone(), depth - 1, indent + 2);
                let _ = write!(self.text, "\n{space}end");
            }
            _ => {
                let value = self.value(scope);
                let _ = write!(self.text, "{space}{value}");
            }
        }
    }

    fn value(&mut self, scope: &[String]) -> String {
        if self.callable.is_empty() || self.random.one_in(2) {
            return self.expression(scope);
        }
        let (name, arity) = self.random.pick(&self.callable).clone();
        let args: Vec<String> = (0..arity).map(|_| self.expression(scope)).collect();
        format!("{name}({})", args.join(", "))
    }

    fn expression(&mut self, scope: &[String]) -> String {
        let first = self.random.pick(scope).clone();
        match self.random.below(6) {
            0 => self.random.between(-2, 6).to_string(),
            1 => first,
            2 => format!("{first} + {}", self.random.between(-3, 3)),
            3 => format!("{first} * {}", self.random.between(-2, 3)),
            4 => format!("{first} - {}", self.random.pick(scope)),
            _ => format!("{first} rem {}", self.random.between(2, 4)),
        }
    }

    fn guard(&mut self, scope: &[String]) -> String {
        let operators = ["=:=", "<", ">", "=/=", ">=", "=<"];
        let test = |writer: &mut Self| {
            let (left, right) = (writer.expression(scope), writer.expression(scope));
            format!("{left} {} {right}", writer.random.pick(&operators))
        };
        match self.random.below(3) {
            0 => format!("{}, {}", test(self), test(self)),
            1 => format!("({}) andalso ({})", test(self), test(self)),
            _ => test(self),
        }
    }
}
