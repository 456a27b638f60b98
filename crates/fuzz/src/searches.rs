//! Functions to be searched: few inputs, many decisions, and errors at the ends of some paths.
//!
//! Every function ends, and all of its inputs within its bound can be tried. Each error has a name of its own, so that
//! it is known which of them were found.

mod forms;

use crate::Random;
use crate::inputs::{RECORD, SmallType, Sort, literal};

pub struct GeneratedSearch {
    pub function: String,
    pub params: Vec<SmallType>,
    /// The bound on the size of inputs.
    pub bound: usize,
    /// The text of the function, with its specification and its helpers.
    pub text: String,
}

pub struct SearchModule {
    pub text: String,
    pub searches: Vec<GeneratedSearch>,
}

const FUNCTIONS: usize = 12;
/// The maximum number of inputs of a function, which are tried one by one.
const MOST_INPUTS: usize = 1_000;
/// The minimum and the maximum number of nested decisions.
const DEPTHS: std::ops::RangeInclusive<i64> = 4..=7;
/// The maximum length of a function in letters. If it is longer, a shallower one is made.
const LONGEST: usize = 5_000;

pub fn search_module(random: &mut Random, name: &str) -> SearchModule {
    let mut text = format!("-module({name}).\n-compile([export_all, nowarn_export_all]).\n{RECORD}\n");
    let searches: Vec<GeneratedSearch> = (1..=FUNCTIONS).map(|number| search(random, number)).collect();
    searches.iter().for_each(|search| text += &search.text);
    SearchModule { text, searches }
}

fn search(random: &mut Random, number: usize) -> GeneratedSearch {
    let bound = if random.one_in(5) { 1 } else { 2 };
    let mut params: Vec<SmallType> = Vec::new();
    let mut inputs = 1;
    for _ in 0..1 + random.below(4) {
        let param = SmallType::random(random, bound, 2);
        let values = param.values(bound).len();
        if inputs * values <= MOST_INPUTS {
            inputs *= values;
            params.push(param);
        }
    }
    if params.is_empty() {
        params.push(SmallType::Integers(0, 3));
    }
    let function = format!("f{number}");
    let scope: SmallVariables =
        params.iter().enumerate().map(|(index, of)| (format!("A{}", index + 1), of.clone())).collect();
    let mut depth = random.between(*DEPTHS.start(), *DEPTHS.end()) as u32;
    let (body, helpers) = loop {
        let mut writer = Writer { random, function: function.clone(), depth, fresh: 0, bugs: 0, helpers: Vec::new() };
        let body = writer.body(&scope, depth);
        let helpers = writer.helpers.concat();
        if body.len() + helpers.len() <= LONGEST || depth <= 2 {
            break (body, helpers);
        }
        depth -= 1;
    };
    let result =
        if random.one_in(2) { "any()".to_owned() } else { SmallType::random(random, bound, 1).text() + " | ok" };
    let types: Vec<String> = params.iter().map(SmallType::text).collect();
    let names: Vec<String> = scope.into_iter().map(|(name, _)| name).collect();
    let spec = format!("-spec {function}({}) -> {result}.", types.join(", "));
    let text = format!("{spec}\n{function}({}) ->\n    {body}.\n{helpers}\n", names.join(", "));
    GeneratedSearch { function, params, bound, text }
}

type SmallVariables = Vec<(String, SmallType)>;

const ANY: SmallType = SmallType::Of(Sort::Any);

struct Writer<'a> {
    random: &'a mut Random,
    function: String,
    depth: u32,
    fresh: usize,
    bugs: usize,
    helpers: Vec<String>,
}

const SORTS: [Sort; 6] = [Sort::Integer, Sort::Atom, Sort::List, Sort::Tuple, Sort::Map, Sort::Bits];

impl Writer<'_> {
    fn body(&mut self, scope: &SmallVariables, depth: u32) -> String {
        if depth == 0 {
            return self.end(scope);
        }
        // Expressions that may raise are inside some decisions; otherwise few inputs would get any further.
        let is_outside = depth + 2 > self.depth;
        match self.random.below(18) {
            0 if depth + 1 < self.depth => self.end(scope),
            3 | 5..=10 if is_outside => self.case(scope, depth),
            1 | 2 => self.conditional(scope, depth),
            3 => {
                let name = self.name();
                let sort = self.sort_in(scope);
                let bound = self.expression(scope, sort, 2);
                let scope = with(scope, [(name.clone(), SmallType::Of(sort))]);
                format!("{name} = {bound},\n    {}", self.body(&scope, depth - 1))
            }
            4 => {
                let tried = self.body(scope, depth - 1);
                let reason = self.name();
                let mut inner = with(scope, [(reason.clone(), ANY)]);
                let class = if self.random.one_in(3) {
                    "throw".to_owned()
                } else {
                    self.bind(SmallType::Of(Sort::Atom), &mut inner)
                };
                let handler = self.body(&inner, depth - 1);
                format!("try {tried}\n    catch {class}:{reason} -> {handler} end")
            }
            5 => self.recursion(scope, depth),
            6 => self.mutual(scope, depth),
            7 => self.clauses(scope, depth),
            8 => self.comprehension(scope, depth),
            9 => self.fold(scope, depth),
            10 => self.try_of(scope, depth),
            _ => self.case(scope, depth),
        }
    }

    fn end(&mut self, scope: &SmallVariables) -> String {
        match self.random.below(8) {
            0..=3 => {
                self.bugs += 1;
                let class = *self.random.pick(&["error", "error", "error", "throw", "exit"]);
                format!("{class}(bug{})", self.bugs)
            }
            4 => "ok".to_owned(),
            _ => self.any(scope, 2),
        }
    }

    fn conditional(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let guard = self.guard(scope, 2);
        let (yes, no) = (self.body(scope, depth - 1), self.body(scope, depth - 1));
        format!("if {guard} ->\n    {yes};\n    true ->\n    {no} end")
    }

    fn case(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let (subject, of) = if self.random.one_in(4) {
            let sort = self.sort_in(scope);
            (self.expression(scope, sort, 2), SmallType::Of(sort))
        } else {
            self.random.pick(scope).clone()
        };
        let mut clauses = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let mut bound = Vec::new();
            let pattern = self.pattern(scope, &of, 2, &mut bound);
            let inner = with(scope, bound);
            let guard = if self.random.one_in(2) { format!(" when {}", self.guard(&inner, 1)) } else { String::new() };
            clauses.push(format!("{pattern}{guard} ->\n    {}", self.body(&inner, depth - 1)));
        }
        if !self.random.one_in(4) {
            clauses.push(format!("_ ->\n    {}", self.body(scope, depth - 1)));
        }
        format!("case {subject} of\n    {} end", clauses.join(";\n    "))
    }

    /// Writes a helper that iterates over a list, or counts down from a small number.
    fn recursion(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let helper = format!("{}_h{}", self.function, self.helpers.len() + 1);
        self.helpers.push(String::new());
        let slot = self.helpers.len() - 1;
        let inner: SmallVariables = vec![("H".to_owned(), ANY), ("Acc".to_owned(), ANY)];
        let next = format!("begin {} end", self.body(&inner, 1));
        let last = self.body(&vec![("Acc".to_owned(), ANY)], depth - 1);
        let (sort, clauses) = if self.random.one_in(2) {
            (Sort::List, format!("{helper}([], Acc) -> {last};\n{helper}([H | T], Acc) -> {helper}(T, {next})."))
        } else {
            let walk = format!("{helper}(H, Acc) when is_integer(H), H < 9 -> {helper}(H - 1, {next})");
            (Sort::Integer, format!("{helper}(H, Acc) when H =< 0 -> {last};\n{walk}."))
        };
        self.helpers[slot] = clauses + "\n";
        let (over, start) = (self.expression(scope, sort, 1), self.any(scope, 1));
        format!("{helper}({over}, {start})")
    }

    fn guard(&mut self, scope: &SmallVariables, depth: u32) -> String {
        if let Some(guard) = self.arithmetic_guard(scope) {
            return guard;
        }
        let (any, of) = self.guard_term(scope);
        let other = match self.random.below(3) {
            0 => of.sample(self.random),
            1 => self.guard_term(scope).0,
            _ => self.like(scope, &of),
        };
        // A comparison of a term with itself decides nothing.
        let other = if other == any { of.sample(self.random) } else { other };
        match self.random.below(if depth == 0 { 7 } else { 10 }) {
            0..=3 => {
                let operator = *self.random.pick(&["<", "=<", ">", ">=", "==", "/=", "=:=", "=/="]);
                format!("{any} {operator} {other}")
            }
            4 => {
                let tests = [
                    "is_integer", "is_atom", "is_list", "is_tuple", "is_map", "is_binary", "is_bitstring",
                    "is_boolean", "is_number",
                ];
                format!("{}({any})", self.random.pick(&tests))
            }
            5 => format!("length({}) {} {}", self.variable(scope), self.random.pick(&[">", "==", "<"]), self.digit()),
            6 => {
                let tests = [
                    "element(1, X) == Y", "hd(X) =:= Y", "tuple_size(X) > 1", "is_map_key(Y, X)", "map_size(X) < 2",
                    "byte_size(X) > 1", "bit_size(X) > 3", "X + Y > 1", "X rem 2 == 0", "is_record(X, cell)",
                    "X band Y > 0", "X bxor Y < X", "X bor 2 =:= Y", "X bsl Y > 3", "X bsr 1 =:= Y",
                    "{X, [1, {Y, 2}]} < {Y, [1, {X, 3}]}", "[1, 2, 3, X] =< [1, 2, 3, Y, a]", "#{k => X} < #{k => Y}",
                    "[{X, Y} | Y] >= [{Y, X} | X]", "<<(X):3, 1:2>> < <<2:3, (Y):2>>", "[X | Y] =:= [Y | X]",
                ];
                let text = *self.random.pick(&tests);
                text.replace('X', &self.variable(scope)).replace('Y', &other)
            }
            7 => format!("({}) andalso ({})", self.guard(scope, depth - 1), self.guard(scope, depth - 1)),
            8 => format!("({}) orelse ({})", self.guard(scope, depth - 1), self.guard(scope, depth - 1)),
            _ => format!("not ({})", self.guard(scope, depth - 1)),
        }
    }

    /// Returns a relation between integers, if there are any.
    fn arithmetic_guard(&mut self, scope: &SmallVariables) -> Option<String> {
        let integers: Vec<&String> =
            scope.iter().filter(|(_, of)| of.sort() == Sort::Integer).map(|(name, _)| name).collect();
        if integers.is_empty() || !self.random.one_in(3) {
            return None;
        }
        const RELATIONS: [&str; 12] = [
            "X + Y =:= N", "X - Y > N", "2 * X + 3 * Y =:= N", "X * Y =:= N", "(X + Y) rem 3 =:= N", "X * X - Y < N",
            "X div 2 + Y == N", "X + Y < 2 * Z", "3 * X - Y =:= Z + N", "(X bxor Y) band 5 =:= N", "X < Y, Y < Z",
            "abs(X - Y) + abs(Y - N) =< 2",
        ];
        let mut text = (*self.random.pick(&RELATIONS)).to_owned();
        for operand in ["X", "Y", "Z"] {
            let name = (*self.random.pick(&integers)).clone();
            text = text.replace(operand, &name);
        }
        let text = text.replace('N', &self.digit());
        // A comma is allowed only at the top level of a guard.
        Some(if text.contains(',') { format!("({})", text.replace(',', " andalso")) } else { format!("({text})") })
    }

    fn guard_term(&mut self, scope: &SmallVariables) -> (String, SmallType) {
        let (name, of) = self.random.pick(scope).clone();
        match self.random.below(8) {
            0 => (format!("{{{name}, {}}}", self.literal()), SmallType::Of(Sort::Tuple)),
            1 => (format!("[{name} | {}]", self.random.pick(&["[]", "[a]", "b"])), SmallType::Of(Sort::List)),
            2 => (self.literal(), ANY),
            _ => (name, of),
        }
    }

    /// Returns a variable that may be compared with values of this type.
    fn like(&mut self, scope: &SmallVariables, of: &SmallType) -> String {
        let alike: Vec<&String> =
            scope.iter().filter(|(_, other)| other.sort() == of.sort()).map(|(name, _)| name).collect();
        if alike.is_empty() { self.variable(scope) } else { (*self.random.pick(&alike)).clone() }
    }

    fn pattern(&mut self, scope: &SmallVariables, of: &SmallType, depth: u32, bound: &mut SmallVariables) -> String {
        if depth == 0 || self.random.one_in(6) {
            return match self.random.below(6) {
                0 | 1 => self.bind(of.clone(), bound),
                2 => self.like(scope, of),
                3 => "_".to_owned(),
                4 => of.sample(self.random).replace("=>", ":="),
                _ => self.literal().replace("=>", ":="),
            };
        }
        let below = depth - 1;
        match of {
            SmallType::Pair(types) => {
                let elements: Vec<String> = types.iter().map(|of| self.pattern(scope, of, below, bound)).collect();
                format!("{{{}}}", elements.join(", "))
            }
            SmallType::Record(of) => format!("#cell{{value = {}}}", self.pattern(scope, of, below, bound)),
            SmallType::List(item) => match self.random.below(6) {
                0 => "[]".to_owned(),
                1 => format!("[{}]", self.pattern(scope, item, below, bound)),
                2 => {
                    let first = self.pattern(scope, item, below, bound);
                    format!("[{first}, {}]", self.pattern(scope, item, below, bound))
                }
                3 => format!("[_, {} | _]", self.pattern(scope, item, below, bound)),
                _ => {
                    let head = self.pattern(scope, item, below, bound);
                    format!("[{head} | {}]", self.bind(of.clone(), bound))
                }
            },
            SmallType::Map(fields) => {
                let (key, _, value) = self.random.pick(fields);
                let key = if self.random.one_in(5) { self.variable(scope) } else { (*key).to_owned() };
                format!("#{{{key} := {}}}", self.pattern(scope, value, below, bound))
            }
            SmallType::Union(types) => {
                let one = self.random.pick(types);
                self.pattern(scope, one, depth, bound)
            }
            SmallType::Integers(..) | SmallType::Atoms(_) => of.sample(self.random),
            SmallType::Bits(_) | SmallType::Binary => self.pattern_of(scope, Sort::Bits, below, bound),
            SmallType::Of(sort) => self.pattern_of(scope, *sort, below, bound),
        }
    }

    fn pattern_of(&mut self, scope: &SmallVariables, sort: Sort, below: u32, bound: &mut SmallVariables) -> String {
        let sort = match sort {
            Sort::Any if self.random.one_in(2) => *self.random.pick(&[Sort::Integer, Sort::Atom]),
            Sort::Any => self.sort(),
            sort => sort,
        };
        let any = |writer: &mut Self, bound: &mut SmallVariables| writer.pattern(scope, &ANY, below, bound);
        match sort {
            Sort::Integer | Sort::Any => self.digit(),
            Sort::Atom => (*self.random.pick(&["a", "b", "c", "true", "false"])).to_owned(),
            Sort::List => match self.random.below(5) {
                0 => "[]".to_owned(),
                1 => format!("[{}]", any(self, bound)),
                2 => format!("[{}, {}]", any(self, bound), any(self, bound)),
                _ => {
                    let head = any(self, bound);
                    format!("[{head} | {}]", self.bind(SmallType::Of(Sort::List), bound))
                }
            },
            Sort::Tuple => match self.random.below(4) {
                0 => format!("{{{}}}", any(self, bound)),
                1 => format!("#cell{{value = {}}}", any(self, bound)),
                _ => format!("{{{}, {}}}", any(self, bound), any(self, bound)),
            },
            Sort::Map => match self.random.below(4) {
                0 => format!("#{{l := {}}}", any(self, bound)),
                1 => format!("#{{k := {}, l := {}}}", any(self, bound), any(self, bound)),
                2 => format!("#{{{} := {}}}", self.variable(scope), any(self, bound)),
                _ => format!("#{{k := {}}}", any(self, bound)),
            },
            Sort::Bits => {
                let number = SmallType::Of(Sort::Integer);
                let bits = SmallType::Of(Sort::Bits);
                match self.random.below(9) {
                    0 => "<<>>".to_owned(),
                    1 => format!("<<{}, _/bits>>", self.bind(number, bound)),
                    2 => format!("<<{}:2, {}/bits>>", self.bind(number, bound), self.bind(bits, bound)),
                    3 => format!("<<{}:3/signed, _/bits>>", self.bind(number, bound)),
                    4 => format!("<<_:1, {}/bits>>", self.bind(bits, bound)),
                    5 => format!("<<{}:3>>", self.digit()),
                    6 => format!("<<{}:2, {}/bits>>", self.digit(), self.bind(bits, bound)),
                    7 => format!("<<{}:4/little-signed, _/bits>>", self.bind(number, bound)),
                    _ => {
                        let size = self.bind(number.clone(), bound);
                        format!("<<{size}:2, {}:{size}, _/bits>>", self.bind(number, bound))
                    }
                }
            }
        }
    }

    fn any(&mut self, scope: &SmallVariables, depth: u32) -> String {
        let sort = self.sort_in(scope);
        self.expression(scope, sort, depth)
    }

    fn expression(&mut self, scope: &SmallVariables, sort: Sort, depth: u32) -> String {
        let fitting: Vec<&String> =
            scope.iter().filter(|(_, of)| of.sort() == sort || of.sort() == Sort::Any).map(|(name, _)| name).collect();
        if !fitting.is_empty() && (depth == 0 || self.random.one_in(2)) {
            return (*self.random.pick(&fitting)).clone();
        }
        if depth == 0 {
            return literal(self.random, sort);
        }
        let choices = match sort {
            Sort::Integer | Sort::Any => INTEGERS,
            Sort::Atom => ATOMS,
            Sort::List => LISTS,
            Sort::Tuple => TUPLES,
            Sort::Map => MAPS,
            Sort::Bits => BITS,
        };
        let mut text = String::new();
        for part in self.random.pick(choices).split('$').enumerate() {
            match part {
                (0, first) => text += first,
                (_, part) => {
                    let sort = match part.chars().next() {
                        Some('i') => Sort::Integer,
                        Some('a') => Sort::Atom,
                        Some('l') => Sort::List,
                        Some('t') => Sort::Tuple,
                        Some('m') => Sort::Map,
                        Some('b') => Sort::Bits,
                        _ => self.sort(),
                    };
                    text += &self.expression(scope, sort, depth - 1);
                    text += part.get(1..).unwrap_or_default();
                }
            }
        }
        text
    }

    /// Returns a sort, usually that of a variable in scope, so that inputs matter.
    fn sort_in(&mut self, scope: &SmallVariables) -> Sort {
        let known = if self.random.one_in(3) { Sort::Any } else { self.random.pick(scope).1.sort() };
        if known == Sort::Any { self.sort() } else { known }
    }

    fn sort(&mut self) -> Sort {
        *self.random.pick(&SORTS)
    }

    fn variable(&mut self, scope: &SmallVariables) -> String {
        self.random.pick(scope).0.clone()
    }

    fn bind(&mut self, of: SmallType, bound: &mut SmallVariables) -> String {
        let name = self.name();
        bound.push((name.clone(), of));
        name
    }

    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    fn digit(&mut self) -> String {
        if self.random.one_in(3) { self.random.between(-6, 15) } else { self.random.between(-1, 3) }.to_string()
    }

    fn literal(&mut self) -> String {
        let sort = self.sort();
        literal(self.random, sort)
    }
}

/// `$` and a letter is a placeholder for an operand: `$i` for an integer, `$_` for anything.
const INTEGERS: &[&str] = &[
    "($i + $i)",
    "($i - $i)",
    "($i * $i)",
    "($i div $i)",
    "($i rem $i)",
    "($i band $i)",
    "($i bor $i)",
    "($i bxor $i)",
    "($i bsl 1)",
    "($i bsr 1)",
    "($i bsl ($i band 7))",
    "($i bsr $i)",
    "(($i band $i) bor ($i bxor $i))",
    "length(integer_to_list($i))",
    "hd(integer_to_list($i))",
    "binary_to_integer(integer_to_binary($i))",
    "byte_size(integer_to_binary($i))",
    "length(atom_to_list($a))",
    "element(($i band 3) + 1, {7, 1, $i, a})",
    "list_to_integer([48 + ($i band 7), 48 + ($i band 3)])",
    "abs($i)",
    "length($l)",
    "hd($l)",
    "element($i, $t)",
    "tuple_size($t)",
    "map_size($m)",
    "maps:get(k, $m)",
    "byte_size($b)",
    "bit_size($b)",
    "lists:nth($i, $l)",
    "min($_, $_)",
    "max($_, $_)",
    "lists:sum($l)",
    "lists:max($l)",
    "list_to_integer($l)",
    "maps:get(l, $m, $i)",
    "binary:at($b, $i)",
    "(bnot $i)",
    "- $i",
    "list_to_integer(integer_to_list($i))",
    "lists:last($l)",
];
const ATOMS: &[&str] = &[
    "($_ == $_)", "($_ =:= $_)", "($_ < $_)", "($_ =< $_)", "lists:member($_, $l)", "is_integer($_)", "(not $a)",
    "maps:is_key($_, $m)", "lists:keymember($_, 1, $l)", "list_to_atom(atom_to_list($a))", "maps:get($_, $m)",
    "(is_list($_) orelse $a)", "($a andalso $a)", "($a xor $a)", "lists:all(fun is_atom/1, $l)", "element(2, $t)",
];
const LISTS: &[&str] = &[
    "[$_]", "[$_ | $l]", "[$_, $_]", "tl($l)", "($l ++ $l)", "($l -- $l)", "lists:reverse($l)", "lists:sort($l)",
    "tuple_to_list($t)", "maps:keys($m)", "maps:values($m)", "maps:to_list($m)", "integer_to_list($i)",
    "atom_to_list($a)", "binary_to_list($b)", "lists:usort($l)", "lists:seq(1, $i)", "[X || X <- $l, X > $_]",
    "lists:delete($_, $l)", "lists:nthtail($i, $l)", "lists:sublist($l, $i)", "lists:map(fun abs/1, $l)",
    "[Y || <<Y:2>> <= $b]", "lists:filter(fun is_integer/1, $l)", "lists:duplicate($i, $_)", "lists:flatten($l)",
];
const TUPLES: &[&str] = &[
    "{$_}", "{$_, $_}", "setelement($i, $t, $_)", "list_to_tuple($l)", "#cell{value = $_}", "lists:keyfind($_, 1, $l)",
    "lists:split($i, $l)", "maps:find(k, $m)", "erlang:append_element($t, $_)", "lists:partition(fun is_atom/1, $l)",
];
const MAPS: &[&str] = &[
    "#{k => $_}", "#{$_ => $_}", "maps:put(k, $_, $m)", "maps:put($_, $_, $m)", "maps:remove(k, $m)",
    "maps:remove($_, $m)", "maps:merge($m, $m)", "($m)#{k := $_}", "($m)#{l => $_}", "maps:with([k], $m)",
];
const BITS: &[&str] = &[
    "<<($i)>>", "<<($i):3>>", "<<($b)/bits, ($b)/bits>>", "<<($i):2, ($b)/bits>>", "binary_part($b, 0, $i)",
    "list_to_binary($l)", "integer_to_binary($i)", "atom_to_binary($a)", "<<(length($l)):4>>",
];

fn with(scope: &SmallVariables, more: impl IntoIterator<Item = (String, SmallType)>) -> SmallVariables {
    scope.iter().cloned().chain(more).collect()
}
