//! Texts that look like Erlang expressions: grammatical mostly, meaningful not at all. Operators are
//! put between operands without parentheses, so that reading them right is a matter of precedence.

use super::Random;

pub fn expressions(random: &mut Random) -> String {
    let mut text = Text { random, out: String::new() };
    text.exprs(3);
    if text.random.chance(2) {
        text.out.push('.');
    }
    text.out
}

/// The text with a few characters or words moved, lost or doubled: mostly wrong, and wrong for both.
pub fn damaged(random: &mut Random) -> String {
    let text = expressions(random);
    let mut words: Vec<&str> = text.split_inclusive(' ').collect();
    for _ in 0..1 + random.below(2) {
        let from = random.below(words.len());
        let other = random.below(words.len());
        match random.below(4) {
            0 => {
                words.remove(from);
            }
            1 => words.insert(from, words[other]),
            2 => words.swap(from, other),
            _ => words.insert(
                from,
                *random.pick(&["( ", ") ", "-> ", ", ", "= ", "end ", "; ", ": ", "# ", "|| ", "catch "]),
            ),
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

const OPERATORS: &[&str] = &[
    "=", "!", "orelse", "andalso", "==", "/=", "=<", "<", ">=", ">", "=:=", "=/=", "++", "--", "+", "-", "bor", "bxor",
    "bsl", "bsr", "or", "xor", "/", "*", "div", "rem", "band", "and",
];

const LITERALS: &[&str] = &[
    "0", "1", "42", "1_000", "16#fF_0", "2#1011", "36#Zz", "12345678901234567890123", "1.0", "0.5e-3", "1.5E+10",
    "1_0.2_5", "$a", "$\\n", "$\\x{1F600}", "$\\^A", "$\\101", "$ ", "$\\s", "$%", "a", "ok", "'an atom'", "'\\x41b'",
    "åtom", "a@b", "node1@host", "maybe", "else", "\"\"", "\"text\"", "\"a\\\"b\\n\\x{416}\\x41\\7\"",
    "\"one\" \"two\"", "[]", "{}", "#{}", "<<>>", "''",
];

const VARIABLES: &[&str] = &["X", "Y", "Zz", "_", "_A", "Ö@1", "X1_2"];

struct Text<'r> {
    random: &'r mut Random,
    out: String,
}

impl Text<'_> {
    fn word(&mut self, word: &str) {
        self.out.push_str(word);
        self.out.push(' ');
    }

    fn blank(&mut self) {
        match self.random.below(12) {
            0 => self.out.push('\n'),
            1 => self.out.push_str(" % a comment, \"with\" 'quotes'\n "),
            2 => self.out.push('\t'),
            _ => {}
        }
    }

    fn exprs(&mut self, depth: usize) {
        self.expr(depth);
        while self.random.chance(3) {
            self.word(",");
            self.expr(depth);
        }
    }

    fn expr(&mut self, depth: usize) {
        self.operand(depth);
        while depth > 0 && self.random.below(5) < 2 {
            let operator = *self.random.pick(OPERATORS);
            self.word(operator);
            self.blank();
            self.operand(depth - 1);
        }
    }

    fn operand(&mut self, depth: usize) {
        if self.random.chance(8) {
            let prefix = *self.random.pick(&["-", "+", "not", "bnot", "catch"]);
            self.word(prefix);
        }
        match self.random.below(12) {
            0 if depth > 0 => self.call(depth),
            1 if depth > 0 => {
                if self.random.chance(2) {
                    self.primary(depth - 1);
                }
                for _ in 0..1 + self.random.below(2) {
                    self.map_fields(depth - 1);
                }
            }
            _ => self.primary(depth),
        }
    }

    fn call(&mut self, depth: usize) {
        self.primary(depth - 1);
        if self.random.chance(2) {
            self.out.push(':');
            self.primary(depth - 1);
        }
        if self.random.chance(20) {
            return;
        }
        self.word("(");
        if self.random.chance(4) {
            self.word(")");
        } else {
            self.exprs(depth - 1);
            self.word(")");
        }
    }

    fn map_fields(&mut self, depth: usize) {
        self.word("#{");
        for index in 0..self.random.below(3) {
            if index > 0 {
                self.word(",");
            }
            self.expr(depth);
            let arrow = *self.random.pick(&["=>", ":="]);
            self.word(arrow);
            self.expr(depth);
        }
        self.word("}");
    }

    fn leaf(&mut self) {
        let word = if self.random.chance(3) { *self.random.pick(VARIABLES) } else { *self.random.pick(LITERALS) };
        self.word(word);
    }

    fn primary(&mut self, depth: usize) {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.random.below(18) {
            0 => self.bracketed("(", depth, ")"),
            1 => self.list(depth),
            2 => self.binary(depth),
            3 => {
                self.word("{");
                self.exprs(depth);
                self.word("}");
            }
            4 => {
                self.word("[");
                self.expr(depth);
                self.qualifiers(depth);
                self.word("]");
            }
            5 => {
                self.word("<<");
                self.primary(depth);
                self.qualifiers(depth);
                self.word(">>");
            }
            6 => {
                self.word("begin");
                self.exprs(depth);
                self.word("end");
            }
            7 => self.conditional(depth),
            8 => {
                self.word("case");
                self.expr(depth);
                self.word("of");
                self.clauses(depth);
                self.word("end");
            }
            9 => self.receive(depth),
            10 => self.attempt(depth),
            11 | 12 => self.fun(depth),
            _ => self.leaf(),
        }
    }

    fn bracketed(&mut self, open: &str, depth: usize, close: &str) {
        self.word(open);
        self.expr(depth);
        self.word(close);
    }

    fn list(&mut self, depth: usize) {
        self.word("[");
        self.exprs(depth);
        if self.random.chance(3) {
            self.word("|");
            self.expr(depth);
        }
        self.word("]");
    }

    fn binary(&mut self, depth: usize) {
        self.word("<<");
        for index in 0..self.random.below(4) {
            if index > 0 {
                self.word(",");
            }
            if self.random.chance(6) {
                self.word("-");
            }
            self.primary(depth);
            if self.random.chance(3) {
                self.out.push(':');
                self.primary(depth);
            }
            if self.random.chance(2) {
                self.out.push('/');
                let types = ["integer", "binary", "utf8", "little-signed", "unit:8", "float-big-unit:1", "bits", "foo"];
                let types = *self.random.pick(&types);
                self.word(types);
            }
        }
        self.word(">>");
    }

    fn qualifiers(&mut self, depth: usize) {
        self.word("||");
        for index in 0..1 + self.random.below(3) {
            if index > 0 {
                self.word(",");
            }
            match self.random.below(3) {
                0 => self.expr(depth),
                1 => {
                    self.expr(depth);
                    self.word("<-");
                    self.expr(depth);
                }
                _ => {
                    self.binary(depth);
                    self.word("<=");
                    self.expr(depth);
                }
            }
        }
    }

    fn guard(&mut self, depth: usize) {
        self.exprs(depth);
        while self.random.chance(4) {
            self.word(";");
            self.exprs(depth);
        }
    }

    fn guard_and_body(&mut self, depth: usize) {
        if self.random.chance(3) {
            self.word("when");
            self.guard(depth);
        }
        self.word("->");
        self.exprs(depth);
    }

    fn clauses(&mut self, depth: usize) {
        for index in 0..1 + self.random.below(2) {
            if index > 0 {
                self.word(";");
            }
            self.expr(depth);
            self.guard_and_body(depth);
        }
    }

    fn conditional(&mut self, depth: usize) {
        self.word("if");
        for index in 0..1 + self.random.below(2) {
            if index > 0 {
                self.word(";");
            }
            self.guard(depth);
            self.word("->");
            self.exprs(depth);
        }
        self.word("end");
    }

    fn receive(&mut self, depth: usize) {
        self.word("receive");
        let clauses = self.random.below(3) > 0;
        if clauses {
            self.clauses(depth);
        }
        if !clauses || self.random.chance(2) {
            self.word("after");
            self.expr(depth);
            self.word("->");
            self.exprs(depth);
        }
        self.word("end");
    }

    fn attempt(&mut self, depth: usize) {
        self.word("try");
        self.exprs(depth);
        if self.random.chance(2) {
            self.word("of");
            self.clauses(depth);
        }
        let handlers = self.random.below(3) > 0;
        if handlers {
            self.word("catch");
            for index in 0..1 + self.random.below(2) {
                if index > 0 {
                    self.word(";");
                }
                if self.random.chance(2) {
                    let class = *self.random.pick(&["error", "throw", "C", "_"]);
                    self.out.push_str(class);
                    self.out.push(':');
                    self.pattern(depth);
                    if self.random.chance(2) {
                        self.word(":S");
                    }
                } else {
                    self.pattern(depth);
                }
                self.guard_and_body(depth);
            }
        }
        if !handlers || self.random.chance(2) {
            self.word("after");
            self.exprs(depth);
        }
        self.word("end");
    }

    fn pattern(&mut self, depth: usize) {
        match self.random.below(8) {
            0 => self.list(depth.saturating_sub(1)),
            1 => {
                self.word("{");
                self.exprs(depth.saturating_sub(1));
                self.word("}");
            }
            2 => self.map_fields(depth.saturating_sub(1)),
            3 => self.binary(depth.saturating_sub(1)),
            4 => {
                self.leaf();
                let operator = *self.random.pick(&["=", "+", "++", "*", "-", "=="]);
                self.word(operator);
                self.leaf();
            }
            5 => {
                self.word("-");
                self.leaf();
            }
            _ => self.leaf(),
        }
    }

    fn fun(&mut self, depth: usize) {
        self.word("fun");
        match self.random.below(6) {
            0 => self.word("f/1"),
            1 => self.word("m:'F x'/2"),
            2 => self.word("M:f/A"),
            choice => {
                let name = if choice == 3 { "Self" } else { "" };
                let arity = self.random.below(3);
                for index in 0..1 + self.random.below(2) {
                    if index > 0 {
                        self.word(";");
                    }
                    self.out.push_str(name);
                    self.word("(");
                    for parameter in 0..arity {
                        if parameter > 0 {
                            self.word(",");
                        }
                        self.pattern(depth);
                    }
                    self.word(")");
                    self.guard_and_body(depth);
                }
                self.word("end");
            }
        }
    }
}
