//! What is printed in Elixir, read by the real Elixir: it means what the same means in Erlang, and gives no warning.

use crate::support::{Random, SEPARATOR, follow_release, scaled, seed};
use erlang::syntax::elixir::{self, Elixir, Structs};
use erlang::syntax::{Dialect, Erlang, Notation, lay_out, parse_term, print_applied, print_functional};
use path::{Application, Class, Entry, Function, FunctionNode, Is, Sort, Table, Witness};
use std::process::Command;
use std::sync::Arc;
use term::{Atom, BigInt, Bits, Fun, Term};

/// Evaluates pairs of an Erlang and an Elixir text; functions are applied to what else the line has.
const JUDGE: &str = r##"
[input, output] = System.argv()

eval = fn text ->
  {:ok, tokens, _} = :erl_scan.string(String.to_charlist(text <> "."))
  {:ok, exprs} = :erl_parse.parse_exprs(tokens)
  {:value, value, _} = :erl_eval.exprs(exprs, [])
  value
end

# Functions have no equality: what they answer is compared.
blank = fn blank, term ->
  cond do
    is_function(term) and match?({:type, :external}, Function.info(term, :type)) -> term
    is_function(term) -> {:function, Function.info(term, :arity)}
    is_tuple(term) -> term |> Tuple.to_list() |> Enum.map(&blank.(blank, &1)) |> List.to_tuple()
    is_list(term) and List.improper?(term) -> term
    is_list(term) -> Enum.map(term, &blank.(blank, &1))
    is_map(term) -> Map.new(Map.to_list(term), fn {key, value} -> {key, blank.(blank, value)} end)
    true -> term
  end
end

outcome = fn function ->
  try do
    {:value, blank.(blank, function.())}
  catch
    class, reason -> {class, blank.(blank, reason)}
  end
end

answers =
  for item <- String.split(File.read!(input), <<1, 1, 10>>) do
    [erlang, elixir | calls] = String.split(item, <<2, 10>>)
    {theirs, ours} = {outcome.(fn -> eval.(erlang) end), outcome.(fn -> Code.eval_string(elixir) |> elem(0) end)}

    called =
      for args <- calls, args != "" do
        {outcome.(fn -> apply(eval.(erlang), eval.(args)) end),
         outcome.(fn -> apply(Code.eval_string(elixir) |> elem(0), eval.(args)) end)}
      end

    case Enum.find([{theirs, ours} | called], fn {theirs, ours} -> theirs !== ours end) do
      nil -> "same"
      {theirs, ours} -> "#{inspect(theirs)} in Erlang, #{inspect(ours)} in Elixir"
    end
  end

File.write!(output, Enum.join(answers, "\n"))
"##;

/// Each item: Erlang, Elixir, and lists of arguments in Erlang.
fn judge(items: &[Vec<String>]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let items_text: Vec<String> = items.iter().map(|texts| texts.join("\u{2}\n")).collect();
    std::fs::write(file("judge.exs"), JUDGE).expect("a script");
    std::fs::write(file("input"), items_text.join(SEPARATOR)).expect("the input");
    let run = Command::new("elixir").args([file("judge.exs"), file("input"), file("output")]).output().expect("elixir");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert_eq!(said, "", "without warnings");
    let output = std::fs::read_to_string(file("output")).expect("answers");
    let answers: Vec<&str> = output.split('\n').collect();
    assert_eq!(answers.len(), items.len());
    for (texts, answer) in items.iter().zip(answers) {
        assert_eq!(answer, "same", "{texts:#?}");
    }
}

/// What every Elixir has.
struct Known;

impl Structs for Known {
    fn fields(&self, module: Atom) -> Option<Vec<Atom>> {
        match module.text() {
            "Elixir.Range" => Some(["first", "last", "step"].map(Atom::new).to_vec()),
            "Elixir.URI" => Some(URI_FIELDS.map(Atom::new).to_vec()),
            _ => None,
        }
    }

    fn defaults(&self, module: Atom) -> Option<Vec<(Atom, Term)>> {
        let nil = |name| (Atom::new(name), Term::atom("nil"));
        (module.text() == "Elixir.URI").then(|| URI_FIELDS.map(nil).to_vec())
    }
}

const URI_FIELDS: [&str; 8] = ["authority", "fragment", "host", "path", "port", "query", "scheme", "userinfo"];

fn elixir() -> Elixir {
    Elixir { structs: Box::new(Known) }
}

const ATOMS: [&str; 38] = [
    "a", "ok", "nil", "true", "false", "hello world", "Ж", "", "å", "x@y", "if", "do", "end", "fn", "and", "foo?",
    "foo!", "a?b", "Abc", "Elixir", "Elixir.Foo.Bar", "Elixir.Elixir.Foo", "Elixir.Elixir", "Elixir.foo", "Elixir.A.b",
    "Elixir.", "+", "=:=", "<>", "..", "{}", "%{}", "#{x}", "\"quoted\"", "back\\slash", "new\nline\0\u{1f}\u{85}",
    "\u{202e}\u{2028}", "__struct__",
];

fn term(random: &mut Random, depth: usize) -> Term {
    match random.below(if depth == 0 { 9 } else { 17 }) {
        0 => Term::Int(random.below(300) as i64 - 20),
        1 => Term::Int(random.next() as i64),
        2 => Term::integer(BigInt::from(random.next() as i64) * BigInt::from(random.next() as i64) * 3),
        3 => Term::Float((random.below(1000) as f64 / 8.0 - 10.0) * 10f64.powi(random.below(60) as i32 - 30)),
        4 | 5 => Term::atom(random.pick::<&str>(&ATOMS)),
        6 => Term::string(&characters(random)),
        7 => bits(random),
        8 => Term::Nil,
        9 => Term::list(terms(random, depth)),
        10 => Term::list_with_tail(terms(random, depth), term(random, depth - 1)),
        11 | 12 => Term::tuple(terms(random, depth)),
        13 => {
            let pair = |random: &mut Random| {
                let key = Term::atom(random.pick::<&str>(&ATOMS));
                Term::tuple([key, term(random, depth - 1)])
            };
            Term::list((0..1 + random.below(3)).map(|_| pair(random)).collect::<Vec<_>>())
        }
        14 => map((0..random.below(4)).map(|_| (term(random, depth - 1), Term::Int(1))).collect()),
        15 => {
            let key = |random: &mut Random| Term::atom(random.pick::<&str>(&["first", "last", "step", "other"]));
            let mut fields: Vec<(Term, Term)> = (0..4).map(|_| (key(random), term(random, depth - 1))).collect();
            fields.push((Term::atom("__struct__"), Term::atom(random.pick::<&str>(&["Elixir.Range", "Elixir.None"]))));
            map(fields)
        }
        _ => {
            let function = Atom::new(random.pick::<&str>(&ATOMS));
            let module = Atom::new(random.pick::<&str>(&["lists", "Elixir.Enum", "odd one"]));
            Term::Fun(Arc::new(Fun::External { module, function, arity: random.below(4) as u32 }))
        }
    }
}

fn terms(random: &mut Random, depth: usize) -> Vec<Term> {
    (0..random.below(4)).map(|_| term(random, depth - 1)).collect()
}

/// With its keys in order, and none of them twice.
fn map(pairs: Vec<(Term, Term)>) -> Term {
    let fields: Vec<String> =
        pairs.iter().map(|(key, value)| format!("{} => {}", Erlang.term(key), Erlang.term(value))).collect();
    parse_term(&format!("#{{{}}}", fields.join(","))).expect("a map of constants")
}

fn characters(random: &mut Random) -> String {
    let usual: Vec<char> = "abc #{}\"\\\n\t\u{8}\u{1b}\u{c}\u{b}\r~'å\u{7}".chars().collect();
    let strange: Vec<char> = "\u{7f}\u{80}\u{9f}\u{a0}ÿĀЖ😀\u{0}\u{fffd}\u{202e}\u{2028}\u{2069}".chars().collect();
    let mut text: String = (0..random.below(8)).map(|_| *random.pick(&usual)).collect();
    if random.chance(3) {
        text.push(*random.pick(&strange));
    }
    text
}

fn bits(random: &mut Random) -> Term {
    let bytes: Vec<u8> = match random.below(3) {
        0 => (0..random.below(9)).map(|_| random.next() as u8).collect(),
        _ => characters(random).into_bytes(),
    };
    let length = (bytes.len() * 8).saturating_sub(if random.chance(3) { random.below(8) } else { 0 });
    Term::Bits(Bits::new(bytes, length))
}

#[test]
fn terms_mean_the_same_in_elixir() {
    follow_release();
    let mut random = Random::new(seed(11));
    let mut all: Vec<Term> = (0..scaled(800, 20_000)).map(|_| term(&mut random, 3)).collect();
    all.extend(ATOMS.iter().map(|text| Term::atom(text)));
    let items: Vec<Vec<String>> = all.iter().map(|term| vec![Erlang.term(term), elixir().term(term)]).collect();
    judge(&items);
}

#[test]
fn terms_look_as_elixir_shows_them() {
    follow_release();
    let shown = |erlang: &str| elixir().term(&parse_term(erlang).expect("a term"));
    for (erlang, expected) in [
        ("#{a => 1, b => 2}", "%{a: 1, b: 2}"),
        ("#{a => 1, <<\"k\">> => 2}", "%{:a => 1, \"k\" => 2}"),
        ("#{'__struct__' => 'Elixir.Range', first => 1, last => 2, step => 1}", "%Range{first: 1, last: 2, step: 1}"),
        ("#{'__struct__' => 'Elixir.Range', first => 1}", "%{__struct__: Range, first: 1}"),
        ("#{'__struct__' => 'Elixir.Unknown'}", "%{__struct__: Unknown}"),
        ("<<\"say \\\"#{x}\\\"\">>", "\"say \\\"\\#{x}\\\"\""),
        ("\"abc\"", "~c\"abc\""),
        ("[nil, true, ok, 'odd atom', 'Elixir.My.App']", "[nil, true, :ok, :\"odd atom\", My.App]"),
        ("[{a, 1}, {'b c', 2}]", "[a: 1, \"b c\": 2]"),
        ("[{'Elixir.A', 1}]", "[{A, 1}]"),
        ("<<1, 5:3>>", "<<1, 5::size(3)>>"),
        ("[1 | 2]", "[1 | 2]"),
        ("1.0e-5", "1.0e-5"),
        ("fun lists:map/2", "&:lists.map/2"),
        ("<<>>", "\"\""),
        ("{}", "{}"),
    ] {
        assert_eq!(shown(erlang), expected);
    }
}

/// Terms in which much repeats, with others between.
fn long(random: &mut Random, depth: usize) -> Term {
    let some = |random: &mut Random| match random.below(3) {
        0 => random.below(40),
        1 => 30 + random.below(8),
        _ => 60 + random.below(200),
    };
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 => {
            let part: Vec<u8> = (0..1 + random.below(9)).map(|_| *random.pick(b"ab\0\xff\"\\#{")).collect();
            let bytes = part.repeat(some(random));
            let length = bytes.len() * 8;
            Term::Bits(Bits::new(bytes, length))
        }
        1 => {
            let mut bytes = Vec::new();
            for _ in 0..random.below(5) {
                match random.below(3) {
                    0 => bytes.extend(vec![*random.pick(b"a\0\xff\""); some(random)]),
                    1 => bytes.extend(characters(random).into_bytes()),
                    _ => bytes.extend((0..random.below(6)).map(|_| random.next() as u8)),
                }
            }
            let length = bytes.len() * 8 - if random.chance(4) && !bytes.is_empty() { random.below(8) } else { 0 };
            Term::Bits(Bits::new(bytes, length))
        }
        2 => term(random, 1),
        3 => Term::Nil,
        4 | 5 => {
            let mut items = Vec::new();
            for _ in 0..random.below(4) {
                let item = if random.chance(2) { Term::Int(random.below(120) as i64) } else { term(random, 1) };
                let count = if random.chance(2) { some(random) } else { 1 };
                items.extend(vec![item; count]);
            }
            let tail = if random.chance(4) { long(random, depth - 1) } else { Term::Nil };
            Term::list_with_tail(items, tail)
        }
        6 => {
            let part = long(random, depth - 1);
            Term::tuple([term(random, 1), part.clone(), Term::list(vec![part.clone(), part])])
        }
        _ => {
            let mut field = |name: &str| {
                let value = if random.chance(3) { long(random, depth - 1) } else { Term::atom("nil") };
                (Term::atom(name), value)
            };
            let mut fields: Vec<(Term, Term)> = URI_FIELDS.iter().map(|name| field(name)).collect();
            fields.push((Term::atom("__struct__"), Term::atom("Elixir.URI")));
            map(fields)
        }
    }
}

/// Shorter forms, line breaks and variables change nothing.
#[test]
fn what_is_made_readable_means_the_same() {
    follow_release();
    let mut random = Random::new(seed(13));
    let (mut items, mut is_shorter, mut has_variables, mut has_lines) = (Vec::new(), 0, 0, 0);
    for _ in 0..scaled(600, 10_000) {
        let one = long(&mut random, 3);
        let both = Term::tuple([one.clone(), Term::tuple([term(&mut random, 2), one])]);
        let (ours, theirs) = (Erlang.term(&both), elixir().term(&both));
        let (short, elixir_short) = (Erlang.expression(&both), elixir().expression(&both));
        is_shorter += usize::from(short.len() < ours.len());
        let width = 20 + random.below(60);
        let laid_out = lay_out(&short, Dialect::Erlang, true, width);
        let elixir_laid_out = lay_out(&elixir_short, Dialect::Elixir, true, width);
        has_variables += usize::from(laid_out.contains(" = ") && elixir_laid_out.contains(" = "));
        has_lines += usize::from(laid_out.contains('\n'));
        items.push(vec![ours.clone(), elixir_short]);
        items.push(vec![short, theirs]);
        items.push(vec![laid_out, elixir_laid_out.clone()]);
        items.push(vec![ours, elixir_laid_out]);
    }
    assert!(is_shorter > 100 && has_variables > 100 && has_lines > 200, "{is_shorter} {has_variables} {has_lines}");
    judge(&items);
}

#[test]
fn what_repeats_is_written_shortly() {
    follow_release();
    let both = |term: &Term| (Erlang.expression(term), elixir().expression(term));
    let bytes = |bytes: &[u8]| Term::Bits(Bits::new(bytes.to_vec(), bytes.len() * 8));
    let texts = |erlang: &str, elixir: &str| (erlang.to_string(), elixir.to_string());
    assert_eq!(both(&bytes(&[0; 4096])), texts("binary:copy(<<0>>,4096)", ":binary.copy(<<0>>, 4096)"));
    assert_eq!(both(&bytes(b"abc\0def\xff")), texts("<<\"abc\",0,\"def\",255>>", "<<\"abc\", 0, \"def\", 255>>"));
    assert_eq!(both(&bytes(b"plain text")), texts("<<\"plain text\">>", "\"plain text\""));
    let zeros = vec![Term::Int(0); 100];
    assert_eq!(both(&Term::list(zeros.clone())), texts("lists:duplicate(100,0)", "List.duplicate(0, 100)"));
    let more = [&[Term::Int(1)], &zeros[..]].concat();
    assert_eq!(both(&Term::list(more)), texts("[1] ++ lists:duplicate(100,0)", "[1] ++ List.duplicate(0, 100)"));
    let letters = Term::string(&"a".repeat(200));
    assert_eq!(both(&letters), texts("lists:duplicate(200,$a)", "List.duplicate(?a, 200)"));
    let few = Term::list(vec![Term::Int(0); 5]);
    assert_eq!(both(&few), texts("[0,0,0,0,0]", "[0, 0, 0, 0, 0]"));
}

fn input(arity: u32, number: u32) -> Term {
    Term::Fun(Arc::new(Fun::Input { arity, number }))
}

/// Functions that answer, raise and call what they are given.
struct Maker<'r> {
    random: &'r mut Random,
    functions: Vec<Function>,
}

impl Maker<'_> {
    fn function(&mut self, arity: u32, scope: u32, depth: usize) -> u32 {
        let number = self.functions.len();
        let strict = self.random.chance(3);
        let params = strict.then(|| vec![formula::TypeId(0); arity as usize].into());
        let sort = Sort { params, ..Sort::ANY };
        self.functions.push(Function { arity, sort, is: Is::InScope(0) });
        let is = match self.random.below(8) {
            0 if scope > 0 => Is::InScope(self.random.below(scope as usize) as u32),
            _ => Is::Table(Arc::new(self.table(arity as usize, scope, depth))),
        };
        self.functions[number].is = is;
        number as u32
    }

    fn table(&mut self, width: usize, scope: u32, depth: usize) -> Table {
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..if width == 0 { 1 } else { self.random.below(3) } {
            let part = |random: &mut Random| match random.chance(3) {
                true => Term::input_function(1),
                false => term(random, 1),
            };
            let key = Term::tuple((0..width).map(|_| part(self.random)).collect::<Vec<_>>());
            if entries.iter().any(|entry| entry.key == key) {
                continue;
            }
            let given = path::functions::parts(&key)
                .iter()
                .filter(|part| matches!(part, Term::Fun(fun) if matches!(**fun, Fun::Input { .. })))
                .count();
            let node = self.node(scope + given as u32, depth);
            entries.push(Entry { key, given: Vec::new(), node });
        }
        let otherwise = self.random.chance(3).then(|| Arc::new(FunctionNode::Answer(Term::atom("else"))));
        Table { entries, otherwise }
    }

    fn node(&mut self, scope: u32, depth: usize) -> Arc<FunctionNode> {
        Arc::new(match self.random.below(6) {
            0 => {
                let class = *self.random.pick(&[Class::Throw, Class::Error, Class::Exit]);
                FunctionNode::Raise(class, term(self.random, 1))
            }
            1 | 2 if scope > 0 && depth > 0 => {
                let returned = Arc::new(self.table(1, scope, depth - 1));
                let raised = self.random.chance(2).then(|| {
                    let key = Term::tuple([Term::atom("error"), Term::atom("a")]);
                    let entry = Entry { key, given: Vec::new(), node: Arc::new(FunctionNode::Answer(Term::Int(5))) };
                    Arc::new(Table {
                        entries: vec![entry],
                        otherwise: Some(Arc::new(FunctionNode::Answer(Term::Int(6)))),
                    })
                });
                let function = self.random.below(scope as usize) as u32;
                let args = vec![self.answer(scope, depth - 1)];
                FunctionNode::Probe { function, args, params: Vec::new(), returned, raised }
            }
            _ => FunctionNode::Answer(self.answer(scope, depth)),
        })
    }

    fn answer(&mut self, scope: u32, depth: usize) -> Term {
        let plain = term(self.random, 1);
        if depth == 0 || self.random.chance(2) {
            return plain;
        }
        let arity = self.random.below(3) as u32;
        let function = input(arity, self.function(arity, scope, depth - 1));
        match self.random.below(4) {
            0 => Term::tuple([Term::atom("ok"), function]),
            1 => Term::list([function]),
            2 => Term::Map(Arc::new([(Term::atom("k"), function)])),
            _ => function,
        }
    }
}

/// Erlang's evaluator has no variables of its own to call: it gets the text of functions.
const GIVEN: [&str; 3] = ["fun(_) -> 7 end", "fun(_) -> error(a) end", "fun lists:reverse/1"];

#[test]
fn functions_do_the_same_in_elixir() {
    follow_release();
    let mut random = Random::new(seed(12));
    let mut items = Vec::new();
    for _ in 0..scaled(400, 10_000) {
        let arity = random.below(3) as u32;
        let mut maker = Maker { random: &mut random, functions: Vec::new() };
        maker.function(arity, 0, 3);
        let functions = Witness { functions: maker.functions, ..Witness::default() };
        let strict = random.chance(2);
        let print = |notation: &dyn Notation| print_functional(notation, &input(arity, 0), &functions, strict);
        let mut texts = vec![print(&Erlang), print(&elixir())];
        let mut calls: Vec<Vec<String>> = Vec::new();
        if let Is::Table(table) = &functions.functions[0].is {
            for entry in &table.entries {
                let parts = path::functions::parts(&entry.key);
                calls.extend(GIVEN.iter().map(|given| {
                    let one = |part: &&Term| match part {
                        Term::Fun(fun) if matches!(**fun, Fun::Input { .. }) => (*given).to_string(),
                        part => Erlang.term(part),
                    };
                    parts.iter().map(one).collect()
                }));
            }
        }
        calls.push((0..arity).map(|_| Erlang.term(&term(&mut random, 1))).collect());
        texts.extend(calls.iter().map(|args| format!("[{}]", args.join(", "))));
        items.push(texts);
    }
    judge(&items);
}

#[test]
fn results_are_applied_alike() {
    follow_release();
    let result = Term::tuple([Term::atom("ok"), Term::list([Term::input_function(1), Term::input_function(2)])]);
    let call = |function, args: &[i64]| Application {
        params: Vec::new(),
        result: result.clone(),
        function,
        args: args.iter().map(|arg| Term::Int(*arg)).collect(),
    };
    let printed = |notation: &dyn Notation, unit: &str, applications: &[Application]| {
        let functions = Witness { applications: applications.to_vec(), ..Witness::default() };
        print_applied(notation, unit.to_string(), &functions, false)
    };
    let erlang = "element(1, {{ok, [fun(X) -> X end, fun(X, Y) -> {X, Y} end]}})";
    let elixir_text = "elem({{:ok, [fn x -> x end, fn x, y -> {x, y} end]}}, 0)";
    let applied = [call(1, &[3, 4])];
    assert_eq!(printed(&elixir(), "M.f(1)", &applied), "({_, [_, h]} = M.f(1); h.(3, 4))");
    assert_eq!(printed(&Erlang, "m:f(1)", &applied), "begin {_, [_, H]} = m:f(1), H(3, 4) end");
    let alone = [Application { result: Term::input_function(1), ..call(0, &[5]) }];
    assert_eq!(printed(&elixir(), "M.f(1)", &alone), "M.f(1).(5)");
    judge(&[vec![printed(&Erlang, erlang, &applied), printed(&elixir(), elixir_text, &applied)]]);
}

/// What is printed is read back, unless it is a call.
#[test]
fn terms_are_read_back() {
    let mut random = Random::new(seed(12));
    let mut all: Vec<Term> = (0..scaled(3_000, 50_000)).map(|_| term(&mut random, 3)).collect();
    all.extend(ATOMS.iter().map(|text| Term::atom(text)));
    let mut read = 0;
    for term in &all {
        let text = elixir().term(term);
        if !text.contains("Function.capture(") {
            assert_eq!(elixir::parse_term(&text).as_ref(), Ok(term), "{text}");
            read += 1;
        }
    }
    assert!(read > all.len() / 2, "{read} of {}", all.len());
    // Whatever is between is refused, or is a term.
    for term in &all {
        let mut letters: Vec<char> = elixir().term(term).chars().collect();
        for _ in 0..3 {
            let at = random.below(letters.len().max(1)).min(letters.len());
            match random.below(2) {
                0 if at < letters.len() => drop(letters.remove(at)),
                _ => letters
                    .insert(at, *random.pick(&['[', '}', '"', '%', ':', '\\', '&', '/', '.', '<', 'é', '~', '_'])),
            }
        }
        let _ = elixir::parse_term(&letters.into_iter().collect::<String>());
    }
}

/// What a person writes is read as Elixir reads it.
#[test]
fn terms_are_read_as_elixir_reads_them() {
    let texts = [
        "[1_000, -0x1F, 0b101, +0o17, 2.5e-3, 1_0.0, -0.0]",
        "{:a, :\"b c\", :a?, :b!, :+, :<>, :==, true, nil, Foo.Bar, Elixir.Foo, Elixir}",
        "[a: 1, b?: 2, \"c d\": 3, if: 4]",
        "{:a, b: 1, c: 2}",
        "%{:a => 1, \"b\" => [2 | 3], 1 => 1, 1.0 => 2}",
        "%{\"a\" => 1, b: 2,}",
        "\"é\\u{1F600}\\u00e9\\x41\\xFF\\e\\s\\d\\0\\q\\\"\\#{x}\"",
        "~c\"text é\"",
        "[?a, ?\\n, ?\\s, ?é]",
        "<<1, 255, 256, -1, \"ab\", 5::size(3), 5::3>>",
        "[&:lists.map/2, &Enum.map/2, &:erlang.+/2, &:erlang.//2, &:\"odd one\".\"f g\"/1]",
        "[ # nothing\n ]",
        "%Range{first: 1, last: 2, step: 1}",
        "<<>>",
    ];
    let pair = |text: &&str| {
        let term = elixir::parse_term(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        vec![Erlang.term(&term), text.to_string()]
    };
    judge(&texts.iter().map(pair).collect::<Vec<_>>());
}
