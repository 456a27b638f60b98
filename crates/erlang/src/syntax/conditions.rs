//! Formulas as text that a programmer can read: `length(Xs) > 3`, `hd(Xs) =:= 42`, in Elixir `hd(xs) === 42`.
//!
//! The text is meant to be read, not pasted: a part of an input is named by the usual function, even where the real one
//! would raise, and text that is longer than a line is cut.

use super::Notation;
use super::wording::{Operation, Words, conversion_name, kind_name, numeric_name};
use formula::{
    Arithmetic, BitsPart, Constants, Formulas, Kinds, NumberFormat, Operator, PartKind, TermId, Test, Variable,
};
use term::Term;

/// The maximum number of characters of a condition.
const LONGEST: usize = 240;
/// The maximum number of characters of a single constant.
const LONGEST_CONSTANT: usize = 60;
/// The maximum depth that is shown. Formulas share their parts and can be very deep.
const DEEPEST: usize = 24;
/// The maximum number of constants of a set that are shown.
const MOST_CONSTANTS: usize = 8;

/// Prints a condition, or any other formula, with these names for the inputs.
pub fn print_condition(
    notation: &dyn Notation,
    formulas: &Formulas,
    id: TermId,
    names: &dyn Fn(Variable) -> String,
) -> String {
    let mut printer = Conditions { notation, words: notation.words(), formulas, names, out: String::new(), depth: 0 };
    printer.term(id, Level::Whole);
    match printer.out.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &printer.out[..end]),
        None => printer.out,
    }
}

/// The precedence of the surrounding expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Whole,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Part,
}

struct Conditions<'f> {
    notation: &'f dyn Notation,
    words: &'static Words,
    formulas: &'f Formulas,
    names: &'f dyn Fn(Variable) -> String,
    out: String,
    depth: usize,
}

impl Conditions<'_> {
    fn term(&mut self, id: TermId, around: Level) {
        // Text that is too long is cut anyway, and shared parts would be written again and again.
        if self.out.len() > 4 * LONGEST || self.depth >= DEEPEST {
            self.out.push('…');
            return;
        }
        self.depth += 1;
        self.operator(self.formulas.operator(id), around);
        self.depth -= 1;
    }

    fn operator(&mut self, operator: &Operator, around: Level) {
        match operator {
            Operator::Variable(variable) => self.out.push_str(&(self.names)(*variable)),
            Operator::Constant(constant) => self.constant(&constant.0),
            Operator::Cons(head, tail) => {
                self.out.push('[');
                self.term(*head, Level::Whole);
                self.out.push_str(" | ");
                self.term(*tail, Level::Whole);
                self.out.push(']');
            }
            Operator::Tuple(parts) => {
                self.out.push('{');
                self.all(parts);
                self.out.push('}');
            }
            Operator::Bits(parts) => self.bits(parts),
            Operator::MapPut { map, key, value } => {
                if let Some(put) = self.words.put {
                    return self.call(put, &[*map, *key, *value]);
                }
                self.term(*map, Level::Part);
                self.out.push_str("#{");
                self.term(*key, Level::Whole);
                self.out.push_str(" => ");
                self.term(*value, Level::Whole);
                self.out.push('}');
            }
            Operator::MapRemove { map, key } => self.call("maps:remove", &[*key, *map]),
            Operator::SetElementAt { tuple, index, value } => {
                if let Some(put) = self.words.put_element {
                    return self.call(put, &[*tuple, *index, *value]);
                }
                self.out.push_str("setelement(1 + ");
                self.term(*index, Level::Product);
                self.out.push_str(", ");
                self.all(&[*tuple, *value]);
                self.out.push(')');
            }
            Operator::Item(list, 0) => self.call("hd", &[*list]),
            Operator::Item(list, index) => self.numbered("nth", *index + self.words.first, *list),
            Operator::Rest(list, 1) => self.call("tl", &[*list]),
            Operator::Rest(list, count) => self.numbered("nthtail", *count, *list),
            Operator::ItemAt(list, index) => self.counted_from_one("nth", *index, *list),
            Operator::RestAt(list, count) => self.call("nthtail", &[*count, *list]),
            Operator::Element(tuple, index) => self.numbered("element", *index + self.words.first, *tuple),
            Operator::ElementAt(tuple, index) => self.counted_from_one("element", *index, *tuple),
            Operator::MapGet { map, key } => self.call("map_get", &[*key, *map]),
            Operator::MapKeyAt(map, index) => self.numbered("key", *index + self.words.first, *map),
            Operator::MapValueAt(map, index) => self.numbered("value", *index + self.words.first, *map),
            Operator::BitsNumber { bits, at, size, format } => {
                let name = match format {
                    NumberFormat::Integer { .. } => "integer",
                    NumberFormat::Float { .. } => "float",
                };
                self.slice(name, *bits, *at, *size);
            }
            Operator::BitsSlice { bits, at, size } => self.slice("bits", *bits, *at, *size),
            Operator::Length(list) => self.call("length", &[*list]),
            Operator::TupleSize(tuple) => self.call("tuple_size", &[*tuple]),
            Operator::MapSize(map) => self.call("map_size", &[*map]),
            Operator::BitSize(bits) => self.call("bit_size", &[*bits]),
            Operator::Test(Test::Kind(..))
            | Operator::Test(Test::TupleOf(..))
            | Operator::Test(Test::FunctionOf(..))
            | Operator::Test(Test::OneOf(..))
            | Operator::Test(Test::ProperList(_))
            | Operator::Test(Test::HasItem(..))
            | Operator::Test(Test::MapHas { .. })
            | Operator::Test(Test::Identical(..))
            | Operator::Test(Test::Equal(..))
            | Operator::Test(Test::Less(..))
            | Operator::Test(Test::Defined(_))
            | Operator::Test(Test::Converts(..)) => self.test(operator, true, around),
            Operator::Test(Test::Not(inner)) => self.test(self.formulas.operator(*inner), false, around),
            Operator::Test(Test::And(left, right)) => self.infix(*left, self.words.and, *right, Level::And, around),
            Operator::Test(Test::Or(left, right)) => self.infix(*left, self.words.or, *right, Level::Or, around),
            Operator::Arithmetic(arithmetic, left, right) => self.arithmetic(*arithmetic, *left, *right, around),
            Operator::Numeric(numeric, of) => self.call(numeric_name(*numeric), &[*of]),
            Operator::Convert(conversion, of) => self.call(conversion_name(*conversion), &[*of]),
            Operator::Lookup(key, mapping) => {
                self.out.push_str(&format!("table of {} keys at ", mapping.entries().len()));
                self.term(*key, Level::Part);
            }
            Operator::Apply { function, args, .. } => {
                let call = self.notation.call(function.module, function.function, &[]);
                self.call(call.strip_suffix("()").unwrap_or(&call), args);
            }
        }
    }

    /// Writes a comparison. A constant goes to the right side, as is customary, with the second of the operators.
    fn comparison(&mut self, left: TermId, right: TermId, operators: (&str, &str), around: Level) {
        let is_constant = |id| self.formulas.as_constant(id).is_some();
        match is_constant(left) && !is_constant(right) {
            true => self.infix(right, operators.1, left, Level::Compare, around),
            false => self.infix(left, operators.0, right, Level::Compare, around),
        }
    }

    /// Writes a test that holds, or its negation.
    fn test(&mut self, test: &Operator, holds: bool, around: Level) {
        let words = self.words;
        match test {
            Operator::Test(Test::Identical(a, b)) => {
                let same = pick(holds, words.same, words.not_same);
                self.comparison(*a, *b, (same, same), around);
            }
            Operator::Test(Test::Equal(a, b)) => {
                let equal = pick(holds, "==", words.not_equal);
                self.comparison(*a, *b, (equal, equal), around);
            }
            Operator::Test(Test::Less(a, b)) => {
                self.comparison(*a, *b, pick(holds, ("<", ">"), (">=", words.at_most)), around)
            }
            Operator::Test(Test::HasItem(list, count)) => self.compared(around, |printer| {
                printer.call("length", &[*list]);
                printer.out.push_str(&format!(" {} ", pick(holds, ">", words.at_most)));
                printer.term(*count, Level::Sum);
            }),
            Operator::Test(Test::OneOf(of, constants)) => {
                self.compared(around, |printer| printer.one_of(*of, constants, holds))
            }
            Operator::Test(Test::Kind(of, kinds)) => self.kind(*of, *kinds, holds, around),
            Operator::Test(Test::TupleOf(of, size)) => self.compared(around, |printer| {
                printer.term(*of, Level::Sum);
                match size {
                    0..=6 => {
                        let holes = vec!["_"; *size as usize].join(words.comma);
                        printer.out.push_str(&format!(" {} {{{holes}}}", pick(holds, "is", "is no")));
                    }
                    _ => printer.out.push_str(&format!(" {} a tuple of {size}", pick(holds, "is", "is not"))),
                }
            }),
            Operator::Test(Test::FunctionOf(of, arity)) => self.negated(holds, around, |printer| {
                printer.out.push_str("is_function(");
                printer.term(*of, Level::Whole);
                printer.out.push_str(&format!(", {arity})"));
            }),
            Operator::Test(Test::ProperList(of)) => self.named_test("is_proper_list", &[*of], holds, around),
            Operator::Test(Test::MapHas { map, key }) => self.named_test("is_map_key", &[*key, *map], holds, around),
            Operator::Test(Test::Defined(of)) => self.compared(around, |printer| {
                printer.term(*of, Level::Sum);
                printer.out.push_str(pick(holds, " has a value", " has no value"));
            }),
            Operator::Test(Test::Converts(conversion, of)) => self.compared(around, |printer| {
                printer.call(conversion_name(*conversion), &[*of]);
                printer.out.push_str(pick(holds, " has a value", " has no value"));
            }),
            other => self.negated(holds, around, |printer| printer.operator(other, Level::Part)),
        }
    }

    fn kind(&mut self, of: TermId, kinds: Kinds, holds: bool, around: Level) {
        let list = match kinds {
            Kinds::NIL => Some(format!(" {} []", pick(holds, self.words.same, self.words.not_same))),
            Kinds::CONS => Some(format!(" {} {}", pick(holds, "is", "is no"), self.words.cons)),
            _ => None,
        };
        if let Some(list) = list {
            return self.compared(around, |printer| {
                printer.term(of, Level::Sum);
                printer.out.push_str(&list);
            });
        }
        // Either the set or its complement, whichever is shorter.
        let rest = Kinds::ALL.without(kinds);
        let (kinds, holds) = if rest.each().count() < kinds.each().count() { (rest, !holds) } else { (kinds, holds) };
        let mut names = Vec::new();
        let mut left = kinds;
        for (whole, name) in [(Kinds::NUMBER, "is_number"), (Kinds::LIST, "is_list")] {
            if whole.within(left) {
                left = left.without(whole);
                names.push(name);
            }
        }
        names.extend(left.each().map(kind_name));
        let several = names.len() > 1;
        self.negated(holds, around, |printer| {
            let parentheses = several && (!holds || around > Level::Or);
            printer.parentheses(parentheses, |printer| {
                for (index, name) in names.iter().enumerate() {
                    if index > 0 {
                        printer.out.push_str(&format!(" {} ", printer.words.or));
                    }
                    printer.call(name, &[of]);
                }
            });
        });
    }

    fn one_of(&mut self, of: TermId, constants: &Constants, holds: bool) {
        self.term(of, Level::Sum);
        if let [only] = &constants[..] {
            self.out.push_str(&format!(" {} ", pick(holds, self.words.same, self.words.not_same)));
            return self.constant(&only.0);
        }
        self.out.push_str(if holds { " in [" } else { " not in [" });
        let ranges = constants.ranges().iter().map(|(low, high)| match high - low {
            0 => low.to_string(),
            1 => format!("{low}, {high}"),
            _ => format!("{low}..{high}"),
        });
        let others = constants.others().iter().map(|other| shortened(&self.notation.term(&other.0)));
        let all: Vec<String> = ranges.chain(others).collect();
        self.out.push_str(&all.iter().take(MOST_CONSTANTS).cloned().collect::<Vec<_>>().join(", "));
        if all.len() > MOST_CONSTANTS {
            self.out.push_str(&format!(", and {} more", all.len() - MOST_CONSTANTS));
        }
        self.out.push(']');
    }

    fn arithmetic(&mut self, arithmetic: Arithmetic, left: TermId, right: TermId, around: Level) {
        if let (Arithmetic::Add, Some(Term::Int(negative @ ..0))) = (arithmetic, self.formulas.as_constant(right)) {
            return self.parentheses(around > Level::Sum, |printer| {
                printer.term(left, Level::Sum);
                printer.out.push_str(&format!(" - {}", negative.unsigned_abs()));
            });
        }
        let (name, level) = match (self.words.arithmetic)(arithmetic) {
            Operation::Sum(name) => (name, Level::Sum),
            Operation::Product(name) => (name, Level::Product),
            Operation::Call(name) => return self.call(name, &[left, right]),
        };
        self.infix(left, name, right, level, around);
    }

    fn bits(&mut self, parts: &[BitsPart]) {
        self.out.push_str("<<");
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.term(part.value, Level::Part);
            let kind = match part.kind {
                PartKind::Bits => Some("bits"),
                PartKind::Number(NumberFormat::Float { .. }) => Some("float"),
                PartKind::Number(NumberFormat::Integer { .. }) => None,
            };
            self.segment(part.size, kind);
        }
        self.out.push_str(">>");
    }

    /// Writes the size and type after the value of a part: `:8/float`, `::size(8)-float`.
    fn segment(&mut self, size: Option<TermId>, kind: Option<&str>) {
        let Words { size: (before_size, behind_size), kind: (behind, alone), .. } = *self.words;
        if let Some(size) = size {
            self.out.push_str(before_size);
            self.term(size, Level::Part);
            self.out.push_str(behind_size);
        }
        if let Some(kind) = kind {
            self.out.push_str(if size.is_some() { behind } else { alone });
            self.out.push_str(kind);
        }
    }

    /// Writes a piece of a bitstring: `integer(Bits, from bit 8, 16 bits)`.
    fn slice(&mut self, name: &str, bits: TermId, at: TermId, size: TermId) {
        self.out.push_str(&format!("{name}("));
        self.term(bits, Level::Whole);
        self.out.push_str(", from bit ");
        self.term(at, Level::Whole);
        self.out.push_str(", ");
        self.term(size, Level::Sum);
        self.out.push_str(" bits)");
    }

    fn infix(&mut self, left: TermId, operator: &str, right: TermId, level: Level, around: Level) {
        self.parentheses(around > level, |printer| {
            printer.term(left, level);
            printer.out.push_str(&format!(" {operator} "));
            // All of them associate to the left, or are clearer with parentheses.
            let right_level = match level {
                Level::Or | Level::And => level,
                Level::Compare => Level::Sum,
                Level::Sum => Level::Product,
                Level::Whole | Level::Product | Level::Part => Level::Part,
            };
            printer.term(right, right_level);
        });
    }

    fn compared(&mut self, around: Level, write: impl FnOnce(&mut Self)) {
        self.parentheses(around > Level::Compare, write);
    }

    fn negated(&mut self, holds: bool, around: Level, write: impl FnOnce(&mut Self)) {
        self.parentheses(!holds && around > Level::And, |printer| {
            if !holds {
                printer.out.push_str("not ");
            }
            write(printer);
        });
    }

    fn named_test(&mut self, name: &str, args: &[TermId], holds: bool, around: Level) {
        self.negated(holds, around, |printer| printer.call(name, args));
    }

    fn parentheses(&mut self, are_needed: bool, write: impl FnOnce(&mut Self)) {
        if are_needed {
            self.out.push('(');
        }
        write(self);
        if are_needed {
            self.out.push(')');
        }
    }

    fn call(&mut self, name: &str, args: &[TermId]) {
        let (name, is_swapped) = (self.words.function)(name);
        self.out.push_str(name);
        self.out.push('(');
        match args {
            [first, second] if is_swapped => self.all(&[*second, *first]),
            args => self.all(args),
        }
        self.out.push(')');
    }

    fn numbered(&mut self, name: &str, number: u32, of: TermId) {
        let (name, is_swapped) = (self.words.function)(name);
        self.out.push_str(&format!("{name}("));
        if !is_swapped {
            self.out.push_str(&format!("{number}, "));
        }
        self.term(of, Level::Whole);
        if is_swapped {
            self.out.push_str(&format!(", {number}"));
        }
        self.out.push(')');
    }

    /// Writes a call with a number that is counted from 0 in the formula, and perhaps from 1 in the language.
    fn counted_from_one(&mut self, name: &str, number: TermId, of: TermId) {
        if self.words.first == 0 {
            return self.call(name, &[number, of]);
        }
        self.out.push_str(&format!("{name}(1 + "));
        self.term(number, Level::Product);
        self.out.push_str(", ");
        self.term(of, Level::Whole);
        self.out.push(')');
    }

    fn all(&mut self, args: &[TermId]) {
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.term(*arg, Level::Whole);
        }
    }

    fn constant(&mut self, term: &Term) {
        self.out.push_str(&shortened(&self.notation.term(term)));
    }
}

fn pick<T>(holds: bool, yes: T, no: T) -> T {
    if holds { yes } else { no }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_CONSTANT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Erlang;
    use crate::syntax::elixir::{Elixir, NoStructs};
    use formula::Constant;

    fn printed(make: impl FnOnce(&mut Formulas, TermId, TermId) -> TermId) -> String {
        printed_in(&Erlang, ["Xs", "Y"], make)
    }

    fn printed_in(
        notation: &dyn Notation,
        names: [&str; 2],
        make: impl FnOnce(&mut Formulas, TermId, TermId) -> TermId,
    ) -> String {
        let mut formulas = Formulas::default();
        let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
        let id = make(&mut formulas, x, y);
        print_condition(notation, &formulas, id, &|variable| names[usize::from(variable.0 != 0)].to_string())
    }

    #[test]
    fn conditions_read_as_erlang() {
        let check = |expected: &str, make: fn(&mut Formulas, TermId, TermId) -> TermId| {
            assert_eq!(printed(make), expected);
        };
        check("Y < Xs", |f, x, y| f.less(y, x));
        check("Xs > 3", |f, x, _| {
            let three = f.integer(3);
            f.less(three, x)
        });
        check("Xs =< 3", |f, x, _| {
            let three = f.integer(3);
            let less = f.less(three, x);
            f.not(less)
        });
        check("hd(Xs) =:= 42", |f, x, _| {
            let (item, answer) = (f.item(x, 0), f.integer(42));
            f.identical(item, answer)
        });
        check("Y =/= nth(3, Xs)", |f, x, y| {
            let item = f.item(x, 2);
            let same = f.identical(item, y);
            f.not(same)
        });
        check("length(Xs) > 3", |f, x, _| {
            let three = f.integer(3);
            f.has_item(x, three)
        });
        check("Xs =/= []", |f, x, _| {
            let nil = f.kind(x, Kinds::NIL);
            f.not(nil)
        });
        check("Y =:= (length(Xs) - 8) rem 3", |f, x, y| {
            let (length, eight, three) = (f.length(x), f.integer(8), f.integer(3));
            let less = f.arithmetic(Arithmetic::Subtract, length, eight);
            let rest = f.arithmetic(Arithmetic::Remainder, less, three);
            f.identical(rest, y)
        });
        check("Xs is {_,_}", |f, x, _| f.tuple_of(x, 2));
        check("not is_list(Xs)", |f, x, _| {
            let list = f.kind(x, Kinds::LIST);
            f.not(list)
        });
        check("Xs in [1..9, a]", |f, x, _| {
            let digits = (1..10).map(|digit| Constant(Term::Int(digit)));
            f.one_of(x, Constants::shared(digits.chain([Constant(Term::atom("a"))])))
        });
        check("Xs =/= '<b>'", |f, x, _| {
            let is = f.one_of(x, Constants::shared([Constant(Term::atom("<b>"))]));
            f.not(is)
        });
    }

    #[test]
    fn conditions_read_as_elixir() {
        let elixir = Elixir { structs: Box::new(NoStructs) };
        let check = |expected: &str, make: fn(&mut Formulas, TermId, TermId) -> TermId| {
            assert_eq!(printed_in(&elixir, ["xs", "y"], make), expected);
        };
        check("y !== Enum.at(xs, 2)", |f, x, y| {
            let item = f.item(x, 2);
            let same = f.identical(item, y);
            f.not(same)
        });
        check("length(xs) <= 3", |f, x, _| {
            let three = f.integer(3);
            let has = f.has_item(x, three);
            f.not(has)
        });
        check("y === rem(length(xs) - 8, 3)", |f, x, y| {
            let (length, eight, three) = (f.length(x), f.integer(8), f.integer(3));
            let less = f.arithmetic(Arithmetic::Subtract, length, eight);
            let rest = f.arithmetic(Arithmetic::Remainder, less, three);
            f.identical(rest, y)
        });
        check("xs is {_, _}", |f, x, _| f.tuple_of(x, 2));
        check("xs is [_ | _]", |f, x, _| f.kind(x, Kinds::CONS));
        check("xs === :\"<b>\"", |f, x, _| f.one_of(x, Constants::shared([Constant(Term::atom("<b>"))])));
        check("elem(xs, 1) === \"a\"", |f, x, _| {
            let text = f.constant(Term::binary(*b"a"));
            let element = f.element(x, 1);
            f.identical(element, text)
        });
        check("not is_map_key(xs, :a)", |f, x, _| {
            let key = f.constant(Term::atom("a"));
            let has = f.map_has(x, key);
            f.not(has)
        });
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let text = printed(|f, x, y| {
            let mut whole = f.less(x, y);
            for number in 0..1000 {
                let number = f.integer(number);
                let next = f.identical(x, number);
                whole = f.or(next, whole);
            }
            whole
        });
        assert!(text.chars().count() <= LONGEST + 1 && text.ends_with('…'), "{text}");
    }
}
