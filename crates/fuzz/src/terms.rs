//! Terms of every kind, as the text of an expression.

use crate::Random;

/// A generator of terms with restrictions.
pub struct Terms<'a> {
    pub random: &'a mut Random,
    /// Whether to leave out integers that, as sizes, would exceed the memory.
    pub small: bool,
    /// Whether to leave out closures, processes and references.
    pub plain: bool,
}

const ATOMS: &[&str] =
    &["a", "b", "ok", "true", "false", "undefined", "error", "''", "'hello world'", "'ö'", "infinity", "key", "'日本'"];
pub(crate) const STRINGS: &[&str] = &[
    "\"\"",
    "\"abc\"",
    "\"12\"",
    "\"-7\"",
    "\"1.5\"",
    "\"1.0e10\"",
    "\"a b  c\"",
    "\"äöü\"",
    "\"日本語\"",
    "\"e\\x{301}x\"",
    "\"A,B;c\\n\"",
    "\"YWJj\"",
    "\"YQ==\"",
    "\"http://u@h.org:80/p/a?q=1&r=%20#f\"",
    "\"foo(X, {a,1.5}) -> [X|\\\"s\\\"].\"",
    "\"\\tTab \"",
    "\"ß\"",
    "\"16#FF\"",
    "\"xyzxyz\"",
    "\"x = fun(Y) -> Y + 1 end.\"",
    "\"\\x{1F600}\\x{1F468}\\x{200D}\\x{1F469}\"",
];
const BINARIES: &[&str] = &[
    "<<>>", "<<1,2,3>>", "<<\"abc\">>", "<<\"12\">>", "<<255,254>>", "<<5:3>>", "<<1,2,1:1>>", "<<\"äö\"/utf8>>",
    "<<0:70/unit:8>>", "<<\"YWJj\">>", "<<\"a b c\">>", "<<131,97,5>>", "<<\"日本\"/utf8>>", "<<195>>", "<<\"1.5\">>",
];
const FLOATS: &[&str] = &[
    "0.0", "-0.0", "0.5", "-0.5", "1.0", "1.5", "2.5", "-2.5", "0.1", "3.0", "1.0e10", "9007199254740992.0", "1.0e22",
    "1.0e23", "-1.0e100", "1.7976931348623157e308", "5.0e-324", "100.0", "123456.789", "1.0e-5", "-7.0",
];
const BIG: &[&str] = &[
    "9007199254740993",
    "288230376151711743",
    "576460752303423487",
    "576460752303423488",
    "-576460752303423488",
    "-576460752303423489",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000000000000000000000000",
    "-170141183460469231731687303715884105728",
];
const FUNS: &[&str] = &[
    "fun(X) -> X end", "fun(X, Y) -> {X, Y} end", "fun() -> ok end", "fun erlang:abs/1", "fun(X) -> X + 1 end",
    "fun(X, Y) -> X =< Y end", "fun lists:reverse/1", "fun(X) -> is_integer(X) end", "fun(X, Y) -> X + Y end",
];
const EXTERNAL_FUNS: &[&str] = &["fun erlang:abs/1", "fun lists:reverse/1", "fun erlang:max/2", "fun erlang:self/0"];

impl Terms<'_> {
    pub fn any(&mut self, depth: u32) -> String {
        let kinds = if depth == 0 { 7 } else { 12 };
        match self.random.below(kinds) {
            0 | 1 => self.integer(),
            2 => self.float(),
            3 => self.atom(),
            4 => self.string(),
            5 => self.bits(),
            6 if !self.plain && self.random.one_in(3) => self.special(),
            6 => "[]".to_owned(),
            7 | 8 => self.list(depth - 1),
            9 => self.tuple(depth - 1),
            10 => self.map(depth - 1),
            _ => format!("[{}|{}]", self.any(depth - 1), self.any(depth - 1)),
        }
    }

    pub fn integer(&mut self) -> String {
        if self.small {
            return if self.random.one_in(8) { self.random.between(-3, 70) } else { self.random.between(0, 6) }
                .to_string();
        }
        match self.random.below(8) {
            0..3 => self.random.between(-3, 10).to_string(),
            3 => self.random.between(-300, 300).to_string(),
            4 => self.random.between(0, 1_114_115).to_string(),
            5 => ((self.random.number() as i64) >> self.random.below(5)).to_string(),
            _ => (*self.random.pick(BIG)).to_owned(),
        }
    }

    pub fn float(&mut self) -> String {
        if self.random.one_in(3) {
            let value = f64::from_bits(self.random.number());
            if value.is_finite() {
                let text = format!("{value:e}");
                // Erlang requires a decimal point.
                return if text.contains('.') { text } else { text.replace('e', ".0e") };
            }
        }
        (*self.random.pick(FLOATS)).to_owned()
    }

    pub fn atom(&mut self) -> String {
        (*self.random.pick(ATOMS)).to_owned()
    }

    pub fn string(&mut self) -> String {
        (*self.random.pick(STRINGS)).to_owned()
    }

    pub fn bits(&mut self) -> String {
        (*self.random.pick(BINARIES)).to_owned()
    }

    pub fn binary(&mut self) -> String {
        loop {
            let text = self.bits();
            if !text.contains(":1>>") && !text.contains(":3>>") {
                return text;
            }
        }
    }

    pub fn function(&mut self) -> String {
        let funs = if self.plain { EXTERNAL_FUNS } else { FUNS };
        (*self.random.pick(funs)).to_owned()
    }

    pub fn list(&mut self, depth: u32) -> String {
        format!("[{}]", self.several(depth))
    }

    pub fn tuple(&mut self, depth: u32) -> String {
        format!("{{{}}}", self.several(depth))
    }

    /// Returns a map. Keys may occur twice, in which case the last one counts.
    pub fn map(&mut self, depth: u32) -> String {
        let count = self.random.below(4);
        let pairs: Vec<String> = (0..count).map(|_| format!("{} => {}", self.key(depth), self.any(depth))).collect();
        format!("#{{{}}}", pairs.join(", "))
    }

    /// Returns a key without closures, because the order of closures differs between runtimes, and keys are ordered.
    fn key(&mut self, depth: u32) -> String {
        let plain = std::mem::replace(&mut self.plain, true);
        let key = self.any(depth);
        self.plain = plain;
        key
    }

    fn several(&mut self, depth: u32) -> String {
        let count = self.random.below(5);
        (0..count).map(|_| self.any(depth)).collect::<Vec<_>>().join(", ")
    }

    fn special(&mut self) -> String {
        match self.random.below(4) {
            0 => "self()".to_owned(),
            1 => "make_ref()".to_owned(),
            _ => self.function(),
        }
    }
}
