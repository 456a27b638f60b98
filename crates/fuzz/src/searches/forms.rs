//! Bodies that contain functions: helpers with clauses, funs, comprehensions, handlers.

use super::{ANY, SmallVariables, Writer, with};
use crate::SmallType;
use crate::inputs::Sort;

impl Writer<'_> {
    /// Writes a helper with several clauses, which match all of its arguments at once.
    pub(super) fn clauses(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let slot = self.helper();
        let args: Vec<(String, SmallType)> = (0..1 + self.random.below(2))
            .map(|_| {
                if self.random.one_in(3) {
                    let sort = self.sort_in(scope);
                    (self.expression(scope, sort, 1), SmallType::Of(sort))
                } else {
                    self.random.pick(scope).clone()
                }
            })
            .collect();
        let name = self.helper_name(slot);
        let mut clauses = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let mut bound = Vec::new();
            let nothing = Vec::from([("_".to_owned(), ANY)]);
            let patterns: Vec<String> =
                args.iter().map(|(_, of)| self.closed_pattern(&nothing, of, &mut bound)).collect();
            let guard = match bound.is_empty() {
                false if self.random.one_in(2) => format!(" when {}", self.guard(&bound, 1)),
                _ => String::new(),
            };
            let body = if bound.is_empty() { self.literal_end() } else { self.body(&bound, depth - 1) };
            clauses.push(format!("{name}({}){guard} ->\n    {body}", patterns.join(", ")));
        }
        if !self.random.one_in(3) {
            let names: Vec<String> = args.iter().map(|_| self.name()).collect();
            let scope: SmallVariables = names.iter().cloned().zip(args.iter().map(|(_, of)| of.clone())).collect();
            clauses.push(format!("{name}({}) ->\n    {}", names.join(", "), self.body(&scope, depth - 1)));
        }
        self.helpers[slot] = clauses.join(";\n") + ".\n";
        let texts: Vec<String> = args.into_iter().map(|(text, _)| text).collect();
        format!("{name}({})", texts.join(", "))
    }

    /// Writes two helpers that call each other, fewer times than a small number.
    pub(super) fn mutual(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let (even, odd) = (self.helper(), self.helper());
        let (first, second) = (self.helper_name(even), self.helper_name(odd));
        let inner: SmallVariables = vec![("N".to_owned(), SmallType::Of(Sort::Integer)), ("Acc".to_owned(), ANY)];
        let ends = [self.body(&inner, depth - 1), self.body(&inner, 1)];
        let (step, next) = (self.body(&inner, 1), self.any(&inner, 1));
        let counts = "is_integer(N), N > 0, N < 6";
        self.helpers[even] = format!(
            "{first}(N, Acc) when {counts} -> {second}(N - 1, begin {step} end);\n{first}(N, Acc) -> {}.\n",
            ends[0]
        );
        self.helpers[odd] =
            format!("{second}(N, Acc) when {counts} -> {first}(N - 1, {next});\n{second}(N, Acc) -> {}.\n", ends[1]);
        let (over, start) = (self.expression(scope, Sort::Integer, 1), self.any(scope, 1));
        format!("{first}({over}, {start})")
    }

    /// Writes a comprehension over a bitstring or a list, and a body that may use its result.
    pub(super) fn comprehension(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let (all, one) = (self.name(), self.name());
        let inner = with(scope, [(one.clone(), ANY)]);
        let of_each = if self.random.one_in(2) { self.any(&inner, 1) } else { self.body(&inner, 1) };
        let filter = if self.random.one_in(2) { format!(", {}", self.guard(&inner, 1)) } else { String::new() };
        let (text, sort) = match self.random.below(4) {
            0 => {
                let bits = self.expression(scope, Sort::Bits, 1);
                (format!("[begin {of_each} end || <<{one}:2>> <= {bits}{filter}]"), Sort::List)
            }
            1 => {
                let bits = self.expression(scope, Sort::Bits, 1);
                let number = self.expression(&inner, Sort::Integer, 1);
                (format!("<< <<({number}):3>> || <<{one}:3>> <= {bits}{filter} >>"), Sort::Bits)
            }
            2 => {
                let list = self.expression(scope, Sort::List, 1);
                let number = self.expression(&inner, Sort::Integer, 1);
                (format!("<< <<({number}):2>> || {one} <- {list}{filter} >>"), Sort::Bits)
            }
            _ => {
                let list = self.expression(scope, Sort::List, 1);
                (format!("[begin {of_each} end || {one} <- {list}{filter}]"), Sort::List)
            }
        };
        let scope = with(scope, [(all.clone(), SmallType::Of(sort))]);
        format!("{all} = {text},\n    {}", self.body(&scope, depth - 1))
    }

    /// Writes a fold over a list or a map, and a body that may use its result.
    pub(super) fn fold(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let [all, one, other, result] = [(); 4].map(|()| self.name());
        let inner = with(scope, [(one.clone(), ANY), (all.clone(), ANY)]);
        let start = self.any(scope, 1);
        let text = if self.random.one_in(3) {
            let inner = with(&inner, [(other.clone(), SmallType::Of(Sort::Atom))]);
            let (body, map) = (self.body(&inner, 1), self.expression(scope, Sort::Map, 1));
            format!("maps:fold(fun({other}, {one}, {all}) -> {body} end, {start}, {map})")
        } else {
            let (body, list) = (self.body(&inner, 1), self.expression(scope, Sort::List, 1));
            format!("lists:foldl(fun({one}, {all}) -> {body} end, {start}, {list})")
        };
        let scope = with(scope, [(result.clone(), ANY)]);
        format!("{result} = {text},\n    {}", self.body(&scope, depth - 1))
    }

    /// Writes a `try` with clauses for its value, a handler that may have a guard, and sometimes an `after`.
    pub(super) fn try_of(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let tried = if self.random.one_in(2) { self.any(scope, 2) } else { self.body(scope, depth - 1) };
        let mut bound = Vec::new();
        let pattern = self.pattern(scope, &ANY, 2, &mut bound);
        let right = self.body(&with(scope, bound), depth - 1);
        let (value, class, reason) = (self.name(), self.name(), self.name());
        let other = self.body(&with(scope, [(value.clone(), ANY)]), 1);
        let caught = with(scope, [(reason.clone(), ANY), (class.clone(), SmallType::Of(Sort::Atom))]);
        let guard = if self.random.one_in(2) { format!(" when {}", self.guard(&caught, 1)) } else { String::new() };
        let handler = self.body(&caught, 1);
        let after = if self.random.one_in(4) { "\n    after ok" } else { "" };
        format!(
            "try {tried} of\n    {pattern} -> {right};\n    {value} -> {other}\n    catch {class}:{reason}{guard} -> \
             {handler}{after} end"
        )
    }

    /// Returns a pattern for the head of a function, without references to variables in scope.
    fn closed_pattern(&mut self, scope: &SmallVariables, of: &SmallType, bound: &mut SmallVariables) -> String {
        let before = bound.len();
        let pattern = self.pattern(scope, of, 2, bound);
        // A key or a size must be known before the head is matched.
        if pattern.contains("#{_ ") {
            bound.truncate(before);
            return self.bind(of.clone(), bound);
        }
        pattern
    }

    fn literal_end(&mut self) -> String {
        let scope = Vec::from([("ok".to_owned(), ANY)]);
        self.end(&scope)
    }

    fn helper(&mut self) -> usize {
        self.helpers.push(String::new());
        self.helpers.len() - 1
    }

    fn helper_name(&self, slot: usize) -> String {
        format!("{}_h{}", self.function, slot + 1)
    }
}
