//! Functions whose outcomes depend on the limits of floats, or on the identity of functions.
//!
//! Their inputs cannot all be tried, because integers have any size and there are infinitely many functions. Each
//! generated function comes with a small grid of inputs around the limits, written as Erlang expressions, and with a
//! second function that takes indices into the grid. So no closure has to be sent to another runtime.

use crate::Random;

/// The subject of a generated module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Integers that are too large for a float, floats that overflow, divisors that may be zero.
    Numbers,
    /// Functions that are compared: inputs with inputs, and with functions that the code makes.
    Functions,
}

pub struct ExactFunction {
    pub name: String,
    /// The function that takes indices into the grid, and calls the function with the values there.
    pub by_place: String,
    /// The number of values that the grid has for each parameter.
    pub values: Vec<usize>,
}

pub struct ExactModule {
    pub text: String,
    pub functions: Vec<ExactFunction>,
}

/// A declared type, and values of it.
type Domain = (&'static str, &'static [&'static str]);

const FUNCTIONS: usize = 8;
/// The maximum number of inputs of one function that are tried.
const MOST_INPUTS: usize = 400;

/// The least integer that is too large for a float, as an expression.
const LIMIT: &str = "((1 bsl 1024) - (1 bsl 970))";

const NUMBERS: &[Domain] = &[
    (
        "integer()",
        &[
            "0", "1", "-1", "2", "-7", "9007199254740993", "(1 bsl 1023)", "((1 bsl 1024) - (1 bsl 970) - 1)",
            "((1 bsl 1024) - (1 bsl 970))", "-((1 bsl 1024) - (1 bsl 970))", "(1 bsl 1024)", "-(1 bsl 1030)",
        ],
    ),
    ("pos_integer()", &["1", "2", "3", "10", "(1 bsl 1023)", "((1 bsl 1024) - (1 bsl 970))", "(1 bsl 1025)"]),
    ("0..7", &["0", "1", "2", "3", "4", "5", "6", "7"]),
    (
        "float()",
        &[
            "0.0", "1.0", "-1.5", "0.5", "1.0e16", "2.0e154", "1.0e308", "-1.7976931348623157e308", "1.0e-308",
            "5.0e-324",
        ],
    ),
    (
        "number()",
        &["0", "3", "-2.5", "0.0", "1.0e308", "(1 bsl 1023)", "((1 bsl 1024) - (1 bsl 970))", "-(1 bsl 1024)"],
    ),
    ("integer() | none", &["none", "0", "5", "(1 bsl 1024)", "-(1 bsl 1024)"]),
];

const CONSTANTS: &[&str] =
    &["0", "1", "2", "-3", "10", "0.0", "1.0", "0.5", "2.5", "1.0e300", "1.0e-300", "(1 bsl 1023)", "(1 bsl 1025)"];

const OF_FUNCTIONS: &[Domain] = &[
    ("fun(() -> 0..3)", &["made(0)", "made(1)", "fun ?MODULE:zero/0", "fun ?MODULE:one/0", "fun() -> 0 end"]),
    ("fun(() -> 0..3)", &["made(0)", "made(0)", "made(2)", "fun ?MODULE:zero/0"]),
    ("fun((0..3) -> 0..3)", &["adding(0)", "adding(1)", "fun ?MODULE:same/1", "fun(_) -> 3 end"]),
    ("[fun(() -> 0..3)]", &["[]", "[made(0)]", "[made(1), made(0)]", "[made(0), made(0)]"]),
    ("{fun(() -> 0..3), 0..1}", &["{made(0), 0}", "{made(0), 1}", "{made(1), 0}", "{fun ?MODULE:one/0, 0}"]),
    ("any()", &["0", "a", "made(0)", "made(1)", "adding(1)", "[made(0)]", "fun ?MODULE:zero/0"]),
    ("0..3", &["0", "1", "2", "3"]),
];

/// Helper functions of a module about functions.
const HELPERS: &str = "zero() -> 0.
one() -> 1.
same(X) -> X.
made(N) -> fun() -> N end.
adding(N) -> fun(M) -> min(N + M, 3) end.
wrapped(F) -> fun() -> {F, 1} end.
";

pub fn exact_module(random: &mut Random, name: &str, about: About) -> ExactModule {
    let mut text = format!("-module({name}).\n-compile([export_all, nowarn_export_all]).\n");
    if about == About::Functions {
        text += HELPERS;
    }
    let mut functions = Vec::new();
    for number in 1..=FUNCTIONS {
        let (function, code) = function(random, number, about);
        text += &code;
        functions.push(function);
    }
    ExactModule { text, functions }
}

fn function(random: &mut Random, number: usize, about: About) -> (ExactFunction, String) {
    let domains = if about == About::Numbers { NUMBERS } else { OF_FUNCTIONS };
    let mut params: Vec<Domain> = Vec::new();
    let mut inputs = 1;
    let wanted = 1 + random.below(3) + usize::from(about == About::Functions);
    while params.len() < wanted {
        let param = *random.pick(domains);
        if inputs * param.1.len() > MOST_INPUTS {
            break;
        }
        inputs *= param.1.len();
        params.push(param);
    }
    let (name, by_place) = (format!("f{number}"), format!("t{number}"));
    let scope: Vec<(String, &str)> =
        params.iter().enumerate().map(|(index, param)| (format!("A{}", index + 1), param.0)).collect();
    let mut writer = Writer { random, about, fresh: 0, bugs: 0 };
    let depth = 2 + writer.random.below(2) as u32;
    let body = writer.body(&scope, depth);
    let types: Vec<&str> = params.iter().map(|param| param.0).collect();
    let names: Vec<&str> = scope.iter().map(|(name, _)| name.as_str()).collect();
    let mut code =
        format!("-spec {name}({}) -> any().\n{name}({}) ->\n    {body}.\n", types.join(", "), names.join(", "));
    let places: Vec<String> = (1..=params.len()).map(|index| format!("P{index}")).collect();
    let passed: Vec<String> = (1..=params.len()).map(|index| format!("{by_place}_{index}(P{index})")).collect();
    code += &format!("{by_place}({}) -> {name}({}).\n", places.join(", "), passed.join(", "));
    for (index, (_, values)) in params.iter().enumerate() {
        let clauses: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(place, value)| format!("{by_place}_{}({place}) -> {value}", index + 1))
            .collect();
        code += &format!("{}.\n", clauses.join(";\n"));
    }
    let values = params.iter().map(|param| param.1.len()).collect();
    (ExactFunction { name, by_place, values }, code)
}

struct Writer<'a> {
    random: &'a mut Random,
    about: About,
    fresh: usize,
    bugs: usize,
}

/// Names of variables, each with its declared type, or with `number()` for computed values.
type Scope<'a> = [(String, &'a str)];

impl Writer<'_> {
    fn body(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return self.end();
        }
        match self.about {
            About::Numbers => self.numbers(scope, depth),
            About::Functions => {
                let condition = self.compared(scope);
                self.case(&condition, scope, depth)
            }
        }
    }

    fn end(&mut self) -> String {
        self.bugs += 1;
        match self.random.below(3) {
            0 => "ok".to_owned(),
            _ => format!("error(bug{})", self.bugs),
        }
    }

    fn case(&mut self, condition: &str, scope: &Scope, depth: u32) -> String {
        let (yes, no) = (self.body(scope, depth - 1), self.body(scope, depth - 1));
        format!("case {condition} of\n    true -> {yes};\n    false -> {no} end")
    }

    fn numbers(&mut self, scope: &Scope, depth: u32) -> String {
        let value = self.number(scope, 2);
        match self.random.below(6) {
            0 => {
                let (name, most) = (self.variable(scope), *self.random.pick(&["100", "1.0e10", "(1 bsl 1000)", LIMIT]));
                self.case(&format!("{name} < {most} andalso {name} > -{most}"), scope, depth)
            }
            1 => {
                let name = self.variable(scope);
                let test = *self.random.pick(&["is_integer", "is_float", "is_number"]);
                self.case(&format!("{test}({name})"), scope, depth)
            }
            2 => {
                let (than, constant) = (*self.random.pick(&["<", ">", "==", "=:="]), *self.random.pick(CONSTANTS));
                self.case(&format!("({value}) {than} {constant}"), scope, depth)
            }
            3 => {
                self.fresh += 1;
                let name = format!("V{}", self.fresh);
                let mut inner = scope.to_vec();
                inner.push((name.clone(), "number()"));
                format!("{name} = {value},\n    {}", self.body(&inner, depth - 1))
            }
            _ => {
                let (fine, arith, other) =
                    (self.body(scope, depth - 1), self.body(scope, depth - 1), self.body(scope, depth - 1));
                format!(
                    "try {value} of\n    _ -> {fine}\n    catch error:badarith -> {arith};\n    error:badarg -> {other} end"
                )
            }
        }
    }

    fn variable(&mut self, scope: &Scope) -> String {
        self.random.pick(scope).0.clone()
    }

    fn number(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return match self.random.one_in(3) {
                true => (*self.random.pick(CONSTANTS)).to_owned(),
                false => self.variable(scope),
            };
        }
        let first = self.number(scope, depth - 1);
        match self.random.below(12) {
            0..=4 => {
                let second = self.number(scope, 0);
                format!("({first}) {} ({second})", self.random.pick(&["/", "/", "*", "+", "-"]))
            }
            5 => format!("{} * 0.0", self.variable(scope)),
            6 => format!("{} / {}", self.variable(scope), self.random.pick(&["2", "1", "0.5", "3.0"])),
            7 => format!("{} / {}", self.random.pick(&["0", "1", "0.0", "-5"]), self.variable(scope)),
            8 => format!("float({first})"),
            9 => {
                let function = self.random.pick(&["sqrt", "log", "sin", "atan", "floor", "exp", "acos"]);
                format!("math:{function}({first})")
            }
            10 => {
                let function = self.random.pick(&["atan2", "fmod", "pow"]);
                let second = self.variable(scope);
                format!("math:{function}({second}, {})", self.random.pick(&["1", "2", "0.5", "3"]))
            }
            _ => match self.random.below(3) {
                0 => format!("byte_size(<<({first})/float>>)"),
                1 => format!("abs({first})"),
                _ => format!("trunc({first})"),
            },
        }
    }

    /// Returns a condition on the identity of functions, or on their results.
    fn compared(&mut self, scope: &Scope) -> String {
        let (a, b) = (self.variable(scope), self.variable(scope));
        let b = match self.random.below(8) {
            0 => "fun ?MODULE:zero/0".to_owned(),
            1 => format!("made({})", self.random.below(2)),
            2 => "adding(1)".to_owned(),
            _ => b,
        };
        match self.random.below(24) {
            0..=2 => format!("{a} =:= {b}"),
            3 => format!("{a} == {b}"),
            4 => format!("{a} < {b}"),
            5 => format!("{{{a}, 1}} =:= {{{b}, 1}}"),
            6 => format!("lists:member({a}, [{b}, 0])"),
            7 => format!("maps:is_key({a}, #{{{b} => 1}})"),
            8 => format!("map_size(#{{{a} => 1, {b} => 2}}) =:= 1"),
            9 => format!("length(lists:usort([{a}, {b}])) =:= 1"),
            10 => format!("lists:sort([{a}, {b}]) =:= [{a}, {b}]"),
            11 => format!("(case {{{a}, {b}}} of {{Same, Same}} -> true; _ -> false end)"),
            12 => format!("lists:keyfind({a}, 1, [{{{b}, 1}}]) =:= false"),
            13 => format!("[{a}] -- [{b}] =:= []"),
            14 => format!("wrapped({a}) =:= wrapped({b})"),
            15 => format!("max({a}, {b}) =:= {a}"),
            16 => format!("maps:get({a}, #{{{b} => 1}}, 0) =:= 1"),
            17 => format!("erlang:phash2({a}) =:= erlang:phash2({b})"),
            18 => format!("begin put({a}, 1), X = get({b}), erase({a}), X =:= 1 end").replace('X', &self.name()),
            19 => format!("sets:is_element({a}, sets:from_list([{b}]))"),
            20 => format!("is_function({a})"),
            21 => format!("is_function({a}, 0) andalso is_function({b}, 0)"),
            22 => format!("is_function({a}, 0) andalso {a}() =:= 1"),
            _ => format!("is_function({a}, 0) andalso is_function({b}, 0) andalso {a} =/= {b}"),
        }
        .replace("Same", &self.name())
    }

    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }
}
