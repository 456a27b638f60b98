//! Expressions that mean something: most of them evaluate, some raise, and some are wrong in the way
//! of a variable that is not bound where it is used.

use super::Random;

pub fn expressions(random: &mut Random) -> String {
    let mut text = Text { random, out: String::new() };
    if text.random.chance(2) {
        let depth = if text.random.chance(3) { 3 } else { 2 };
        text.body(depth, &mut vec![]);
    } else {
        // Several, none of which keeps the others from being looked at.
        text.put("A = 1, B = [1,2], C = <<1,2>>, D = #{a => 1}, E = a, F = {a,1}, [");
        for index in 0..3 {
            text.put(if index == 0 { "catch " } else { ", catch " });
            text.expr(2, &mut NAMES.to_vec());
        }
        text.put("]");
    }
    text.out
}

type Scope = Vec<&'static str>;

const NAMES: &[&str] = &["A", "B", "C", "D", "E", "F"];

struct Text<'r> {
    random: &'r mut Random,
    out: String,
}

impl Text<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn body(&mut self, depth: usize, scope: &mut Scope) {
        for _ in 0..self.random.below(3) {
            self.statement(depth, scope);
            self.put(", ");
        }
        self.expr(depth, scope);
    }

    fn statement(&mut self, depth: usize, scope: &mut Scope) {
        match self.random.below(8) {
            0 => self.put("self() ! {a, 1}"),
            1 => self.put("self() ! [2 | 3]"),
            2 => self.expr(depth, scope),
            _ => {
                // The value first: it does not see what the pattern binds.
                let before = self.out.len();
                self.expr(depth.saturating_sub(1), scope);
                let value = self.out.split_off(before);
                let complexity = if self.random.chance(3) { 2 } else { 0 };
                self.pattern(complexity, scope);
                self.put(" = ");
                self.put(&value);
            }
        }
    }

    fn variable(&mut self, scope: &Scope) {
        let name = if scope.is_empty() || self.random.chance(60) {
            *self.random.pick(NAMES)
        } else {
            *self.random.pick(scope)
        };
        self.put(name);
    }

    fn leaf(&mut self, scope: &Scope) {
        if !scope.is_empty() && self.random.below(3) > 0 {
            return self.variable(scope);
        }
        let leaf = *self.random.pick(&[
            "0", "1", "2", "-1", "10", "1.5", "a", "b", "true", "false", "[]", "[1,2,3]", "[a,{a,1}]", "\"abc\"",
            "{a,1}", "{}", "#{}", "#{a => 1, b => [2]}", "<<1,2,3>>", "<<\"abc\">>", "<<5:3>>", "self()",
        ]);
        self.put(leaf);
    }

    fn comma_separated(&mut self, count: usize, depth: usize, scope: &mut Scope) {
        for index in 0..count {
            if index > 0 {
                self.put(", ");
            }
            self.expr(depth, scope);
        }
    }

    fn expr(&mut self, depth: usize, scope: &mut Scope) {
        if depth == 0 {
            return self.leaf(scope);
        }
        let depth = depth - 1;
        match self.random.below(26) {
            0 | 1 => self.operation(depth, scope),
            2 => {
                self.put("[");
                let count = 1 + self.random.below(3);
                self.comma_separated(count, depth, scope);
                if self.random.chance(3) {
                    self.put(" | ");
                    self.expr(depth, scope);
                }
                self.put("]");
            }
            3 => {
                self.put("{");
                let count = self.random.below(4);
                self.comma_separated(count, depth, scope);
                self.put("}");
            }
            4 => self.map(depth, scope),
            5 | 6 => self.binary(depth, scope),
            7 | 8 => self.case(depth, scope),
            9 => self.conditional(depth, scope),
            10 | 11 => self.fun(depth, scope),
            12 | 13 => self.comprehension(depth, scope),
            14 | 15 => self.attempt(depth, scope),
            16 => {
                self.put("(catch ");
                self.expr(depth, scope);
                self.put(")");
            }
            17 => self.receive(depth, scope),
            18 => {
                self.put("begin ");
                self.body(depth, scope);
                self.put(" end");
            }
            19 | 20 => self.call(depth, scope),
            21 => {
                self.put("(");
                self.statement(depth, scope);
                self.put(")");
            }
            22 => {
                let raising = *self.random.pick(&["throw(", "error(", "exit("]);
                self.put(raising);
                self.expr(depth, scope);
                self.put(")");
            }
            _ => self.leaf(scope),
        }
    }

    fn operation(&mut self, depth: usize, scope: &mut Scope) {
        self.put("(");
        if self.random.chance(6) {
            let operator = *self.random.pick(&["- ", "not ", "bnot "]);
            self.put(operator);
            self.expr(depth, scope);
        } else {
            self.expr(depth, scope);
            let operator = *self.random.pick(&[
                " + ", " - ", " * ", " div ", " rem ", " == ", " =:= ", " < ", " >= ", " andalso ", " orelse ",
                " and ", " ++ ", " -- ", " bsl ", " / ",
            ]);
            self.put(operator);
            self.expr(depth, scope);
        }
        self.put(")");
    }

    fn map(&mut self, depth: usize, scope: &mut Scope) {
        let update = self.random.chance(2);
        if update {
            self.put("(");
            self.expr(depth, scope);
            self.put(")");
        }
        self.put("#{");
        for index in 0..self.random.below(3) {
            if index > 0 {
                self.put(", ");
            }
            self.expr(depth, scope);
            let exact = update && self.random.chance(3);
            self.put(if exact { " := " } else { " => " });
            self.expr(depth, scope);
        }
        self.put("}");
    }

    fn binary(&mut self, depth: usize, scope: &mut Scope) {
        self.put("<<");
        for index in 0..1 + self.random.below(3) {
            if index > 0 {
                self.put(", ");
            }
            match self.random.below(5) {
                0 => self.put("\"xy\":12/little"),
                1 => self.put("\"zå\"/utf8"),
                _ => {
                    self.put("(");
                    self.expr(depth, scope);
                    self.put(")");
                    let types = *self.random.pick(&[
                        "", ":8", ":3", ":16/little", "/binary", "/bits", ":2/binary", ":32/float", "/utf8", "/utf16",
                        "/float", ":(1 + 2)", ":2/unit:3", ":16/signed", ":1/binary-unit:4",
                    ]);
                    self.put(types);
                }
            }
        }
        self.put(">>");
    }

    fn call(&mut self, depth: usize, scope: &mut Scope) {
        let (function, arity) = *self.random.pick(&[
            ("length", 1),
            ("hd", 1),
            ("is_list", 1),
            ("lists:reverse", 1),
            ("lists:sum", 1),
            ("element", 2),
            ("lists:map", 2),
            ("lists:foldl", 3),
            ("erlang:'+'", 2),
            ("maps:get", 2),
            ("tuple_to_list", 1),
            ("byte_size", 1),
            ("is_function", 1),
            ("apply", 2),
            ("lists:nosuch", 1),
            ("max", 2),
            ("(fun lists:append/2)", 2),
            ("(fun length/1)", 1),
            ("get", 0),
        ]);
        self.put(function);
        self.put("(");
        self.comma_separated(arity, depth, scope);
        self.put(")");
    }

    fn pattern(&mut self, depth: usize, scope: &mut Scope) {
        match self.random.below(if depth == 0 { 5 } else { 14 }) {
            0..=3 => {
                let name = *self.random.pick(NAMES);
                self.put(name);
                if !scope.contains(&name) {
                    scope.push(name);
                }
            }
            4 => self.put("_"),
            5 | 6 => {
                let literal = *self.random.pick(&["1", "a", "[]", "\"abc\"", "true", "1 + 1", "-1", "1.5", "{a,1}"]);
                self.put(literal);
            }
            7 | 8 => {
                self.put("{");
                for index in 0..self.random.below(3) {
                    if index > 0 {
                        self.put(", ");
                    }
                    self.pattern(depth - 1, scope);
                }
                self.put("}");
            }
            9 | 10 => {
                self.put("[");
                self.pattern(depth - 1, scope);
                self.put(" | ");
                self.pattern(depth - 1, scope);
                self.put("]");
            }
            11 => {
                let key = *self.random.pick(&["a", "b", "{a}", "1 + 0", "hd([a])", "1 div 0"]);
                self.put("#{");
                self.put(key);
                self.put(" := ");
                self.pattern(depth - 1, scope);
                self.put("}");
            }
            12 => {
                let literal = *self.random.pick(&[
                    "<<A, B/binary>>", "<<C:3, D/bits>>", "<<A, B:A/binary, _/bits>>", "<<\"ab\", E>>",
                    "<<F/utf8, _/binary>>", "<<B:4/little-signed, C:(2 * 2)>>", "<<A, A, _/bits>>", "<<1, D:16>>",
                    "<<_:(1 div 0)>>", "\"ab\" ++ C", "<<-1:8>>", "<<-1:8/signed>>", "<<1/float>>",
                    "<<A:16/float, B:32/float>>",
                ]);
                self.put(literal);
                for name in NAMES.iter().filter(|name| literal.contains(**name)) {
                    if !scope.contains(name) {
                        scope.push(name);
                    }
                }
            }
            _ => {
                self.pattern(depth - 1, scope);
                self.put(" = ");
                self.pattern(depth - 1, scope);
            }
        }
    }

    fn guard(&mut self, scope: &Scope) {
        self.put(" when ");
        for index in 0..1 + self.random.below(2) {
            if index > 0 {
                let separator = *self.random.pick(&[", ", "; "]);
                self.put(separator);
            }
            let form = *self.random.pick(&[
                "is_list(?)", "? > 1", "hd(?) == 1", "?", "is_tuple(?) andalso element(1, ?) == a", "? =:= ?", "not ?",
                "length(?) < 3 orelse ?", "is_map_key(a, ?)", "? + 1 > 1", "<<?>> == <<1>>", "#{a => ?} =:= #{}",
                "[? | ?] == ?",
            ]);
            for part in form.split_inclusive('?') {
                match part.strip_suffix('?') {
                    Some(before) => {
                        self.put(before);
                        self.leaf(scope);
                    }
                    None => self.put(part),
                }
            }
        }
    }

    /// What follows knows of the variables that all branches bind.
    fn branch(&mut self, depth: usize, scope: &Scope, head: impl FnOnce(&mut Self, &mut Scope)) -> Scope {
        let mut inner = scope.clone();
        head(self, &mut inner);
        if self.random.chance(3) {
            self.guard(&inner);
        }
        self.put(" -> ");
        self.body(depth, &mut inner);
        inner
    }

    fn keep_common(scope: &mut Scope, branches: &[Scope]) {
        if let Some((first, others)) = branches.split_first() {
            let common = first.iter().filter(|name| others.iter().all(|other| other.contains(name)));
            *scope = common.copied().collect();
        }
    }

    fn case(&mut self, depth: usize, scope: &mut Scope) {
        self.put("case ");
        self.expr(depth, scope);
        self.put(" of ");
        let mut branches = vec![self.branch(depth, scope, |text, inner| text.pattern(2, inner))];
        for _ in 0..self.random.below(2) {
            self.put("; ");
            branches.push(self.branch(depth, scope, |text, inner| text.pattern(1, inner)));
        }
        if self.random.below(3) > 0 {
            self.put("; ");
            branches.push(self.branch(depth, scope, |text, _| text.put("_")));
        }
        self.put(" end");
        Self::keep_common(scope, &branches);
    }

    fn conditional(&mut self, depth: usize, scope: &mut Scope) {
        self.put("if ");
        self.leaf(scope);
        self.put(" > 1 -> ");
        let mut first = scope.clone();
        self.body(depth, &mut first);
        self.put("; true -> ");
        let mut second = scope.clone();
        self.body(depth, &mut second);
        self.put(" end");
        Self::keep_common(scope, &[first, second]);
    }

    fn fun(&mut self, depth: usize, scope: &mut Scope) {
        let applied = self.random.below(3) > 0;
        if applied {
            self.put("(");
        }
        // The compiler matches a head's variable of the fun's own name with the fun; shell and linter do not.
        let name = if self.random.chance(4) { "Self" } else { "" };
        let arity = self.random.below(3);
        self.put("fun ");
        for index in 0..1 + self.random.below(2) {
            if index > 0 {
                self.put("; ");
            }
            self.put(name);
            self.put("(");
            let mut inner = scope.clone();
            if !name.is_empty() {
                inner.push("Self");
            }
            for parameter in 0..arity {
                if parameter > 0 {
                    self.put(", ");
                }
                self.pattern(1, &mut inner);
            }
            self.put(")");
            if self.random.chance(4) {
                self.guard(&inner);
            }
            self.put(" -> ");
            self.body(depth, &mut inner);
        }
        self.put(" end");
        if applied {
            self.put(")(");
            let given = if self.random.chance(15) { arity + 1 } else { arity };
            self.comma_separated(given, depth, scope);
            self.put(")");
        }
    }

    fn comprehension(&mut self, depth: usize, scope: &mut Scope) {
        let bits = self.random.chance(3);
        let before = self.out.len();
        let mut inner = scope.clone();
        for index in 0..1 + self.random.below(3) {
            self.put(if index == 0 { " || " } else { ", " });
            match self.random.below(if index == 0 { 4 } else { 7 }) {
                0 => {
                    let pattern = *self.random.pick(&[
                        "<<A>>", "<<B:4>>", "<<A, B:A/bits>>", "<<1:4, C:4>>", "<<D/utf8>>", "<<A:2, A:2>>", "<<1>>",
                    ]);
                    self.put(pattern);
                    self.put(" <= ");
                    self.expr(depth, &mut inner);
                    inner.extend(NAMES.iter().filter(|name| pattern.contains(**name)));
                }
                1..=3 => {
                    let at = self.out.len();
                    self.expr(depth, &mut inner.clone());
                    let value = self.out.split_off(at);
                    self.pattern(1, &mut inner);
                    self.put(" <- ");
                    self.put(&value);
                }
                4 => {
                    self.leaf(&inner);
                    self.put(" > 1");
                }
                5 => {
                    self.put("is_atom(");
                    self.leaf(&inner);
                    self.put(")");
                }
                _ => self.expr(depth, &mut inner),
            }
        }
        let qualifiers = self.out.split_off(before);
        self.put(if bits { "<<" } else { "[" });
        if bits {
            if self.random.chance(2) {
                self.put("<<(");
                self.expr(depth, &mut inner);
                self.put("):8>>");
            } else {
                self.put("(");
                self.expr(depth, &mut inner);
                self.put(")");
            }
        } else {
            self.expr(depth, &mut inner);
        }
        self.put(&qualifiers);
        self.put(if bits { ">>" } else { "]" });
    }

    fn attempt(&mut self, depth: usize, scope: &mut Scope) {
        self.put("try ");
        let mut body = scope.clone();
        self.body(depth, &mut body);
        if self.random.chance(3) {
            self.put(" of ");
            self.branch(depth, &body, |text, inner| text.pattern(1, inner));
        }
        let handled = self.random.below(4) > 0;
        if handled {
            self.put(" catch ");
            let class = *self.random.pick(&["error:", "throw:", "_:", "C:", "", "exit:"]);
            self.branch(depth, scope, |text, inner| {
                text.put(class);
                if class == "C:" && !inner.contains(&"C") {
                    inner.push("C");
                }
                text.pattern(1, inner);
                if !class.is_empty() && text.random.chance(4) {
                    text.put(":Stack");
                }
            });
        }
        if !handled || self.random.chance(4) {
            self.put(" after ");
            self.body(depth, &mut scope.clone());
        }
        self.put(" end");
    }

    fn receive(&mut self, depth: usize, scope: &mut Scope) {
        self.put("receive ");
        let mut branches = Vec::new();
        let clauses = self.random.below(3);
        for index in 0..clauses {
            if index > 0 {
                self.put("; ");
            }
            branches.push(self.branch(depth, scope, |text, inner| text.pattern(1, inner)));
        }
        self.put(" after 0 -> ");
        let mut timeout = scope.clone();
        self.body(depth, &mut timeout);
        branches.push(timeout);
        self.put(" end");
        Self::keep_common(scope, &branches);
    }
}
