//! Printing and reading terms, against `io_lib` and `erl_parse`.

use crate::support::{Random, beam, beam_answers, scaled};
use erlang::syntax::{Printable, parse_term, print_with};
use std::sync::Arc;
use term::{Atom, BigInt, Bits, Fun, Term};

fn assert_same(inputs: &[String], ours: impl Fn(&str) -> String, theirs: &[String]) {
    for (input, theirs) in inputs.iter().zip(theirs) {
        assert_eq!(&ours(input), theirs, "{input:?}");
    }
}

#[test]
fn floats_print_with_the_shortest_digits_in_erlangs_layout() {
    let mut random = Random::new(3);
    let mut values: Vec<f64> = (0..scaled(60_000, 2_000_000))
        .map(|index| match index % 4 {
            0 => f64::from_bits(random.next()),
            1 => (random.next() >> 11) as f64 / 10f64.powi(random.below(20) as i32),
            2 => random.below(100_000) as f64 * 10f64.powi(random.below(40) as i32 - 20),
            _ => ((random.next() >> 8) as f64) * 2f64.powi(random.below(30) as i32 - 15),
        })
        .filter(|value| value.is_finite())
        .collect();
    values.extend((-330..309).map(|power| format!("1e{power}").parse::<f64>().unwrap()));
    values.extend((0..64).flat_map(|power| [-1.0, 0.0, 1.0].map(|offset| 2f64.powi(power) + offset)));
    values.extend([
        0.0,
        -0.0,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::EPSILON,
        5e-324,
        0.1,
        0.3,
        1e15,
        1e16,
        9007199254740992.0,
    ]);
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
    let script = "{ok, Bytes} = file:read_file(Input),\n\
                  ok = file:write_file(Output, [line(F) || <<F:8/binary>> <= Bytes]).\n\
                  line(<<F/float>>) -> [io_lib:format(\"~0tp\", [F]), 10].";
    let output = beam(script, &bytes);
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), values.len());
    for (value, expected) in values.iter().zip(lines) {
        let found = erlang::print(&Term::Float(*value));
        assert_eq!(found, expected, "{value:e}");
        let Ok(Term::Float(read)) = parse_term(&found) else { panic!("{found} reads back as a float") };
        assert_eq!(read.to_bits(), value.to_bits(), "{found}");
    }
}

#[test]
fn atoms_are_quoted_where_io_lib_quotes_them() {
    let mut random = Random::new(4);
    let step = scaled(97, 3);
    let separator = 1;
    let mut texts: Vec<String> = (0..0x11_0000u32)
        .filter(|code| *code != separator && (*code < 0x3000 || (*code as usize).is_multiple_of(step)))
        .filter_map(char::from_u32)
        .flat_map(|c| [c.to_string(), format!("a{c}")])
        .collect();
    let alphabet: Vec<char> = "abzABZ019_@ .-'\"\\\n\t\u{8}\u{7f}\u{80}\u{a0}åÅ÷×ßÿĀЖ😀".chars().collect();
    texts.extend((0..5_000).map(|_| (0..random.below(8)).map(|_| *random.pick(&alphabet)).collect::<String>()));
    let words = "after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let maybe not of \
                 or orelse receive rem try when xor query spec callback record a@b";
    texts.extend(words.split(' ').map(str::to_owned));
    let theirs = beam_answers(&texts, "answer(Text) -> io_lib:format(\"~0tp\", [list_to_atom(Text)]).");
    assert_same(&texts, |text| erlang::print(&Term::atom(text)), &theirs);
    for text in texts.iter().filter(|text| text.chars().all(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))) {
        assert_eq!(parse_term(&erlang::print(&Term::atom(text))), Ok(Term::atom(text)));
    }
}

#[test]
fn funs_are_named_as_the_runtime_names_them() {
    let texts: Vec<String> = (0..0x300u32)
        .chain([0x416, 0x1f600])
        .filter(|code| *code != 1)
        .filter_map(char::from_u32)
        .flat_map(|c| [c.to_string(), format!("a{c}")])
        .chain(["if", "lists", "a@b", "aB_1", "", "it's"].map(str::to_owned))
        .collect();
    let theirs = beam_answers(&texts, "answer(Text) -> A = list_to_atom(Text), io_lib:format(\"~0tp\", [fun A:A/3]).");
    let fun = |text: &str| {
        let name = Atom::new(text);
        Term::Fun(Arc::new(Fun::External { module: name, function: name, arity: 3 }))
    };
    assert_same(&texts, |text| erlang::print(&fun(text)), &theirs);
    for text in &texts {
        assert_eq!(parse_term(&erlang::print_pasteable(&fun(text))), Ok(fun(text)));
    }
}

/// Small and large, printable and not, nested.
fn term(random: &mut Random, depth: usize) -> Term {
    let leaf = depth == 0;
    match random.below(if leaf { 9 } else { 15 }) {
        0 => Term::Int(random.below(300) as i64 - 20),
        1 => Term::Int(random.next() as i64),
        2 => Term::integer(BigInt::from(random.next() as i64) * BigInt::from(random.next() as i64) * 3),
        3 => Term::Float(random.below(1000) as f64 / 8.0 - 10.0),
        4 => Term::atom(random.pick::<&str>(&["a", "ok", "hello world", "Ж", "", "å", "x@y", "if"])),
        5 => characters(random),
        6 | 7 => bits(random),
        8 => Term::Nil,
        9 => Term::list((0..random.below(4)).map(|_| term(random, depth - 1)).collect::<Vec<_>>()),
        10 => {
            let items = (0..1 + random.below(3)).map(|_| term(random, depth - 1)).collect();
            let tail = term(random, depth - 1);
            Term::list_with_tail(items, tail)
        }
        11 | 12 => Term::tuple((0..random.below(4)).map(|_| term(random, depth - 1)).collect::<Vec<_>>()),
        13 => {
            let fields: Vec<String> = (0..random.below(5))
                .map(|_| format!("{} => {}", erlang::print_pasteable(&term(random, depth - 1)), random.below(10)))
                .collect();
            parse_term(&format!("#{{{}}}", fields.join(","))).expect("a map of constants")
        }
        _ => Term::Fun(Arc::new(Fun::External { module: Atom::new("lists"), function: Atom::new("map"), arity: 2 })),
    }
}

fn characters(random: &mut Random) -> Term {
    let alphabet: Vec<char> = "abc \"\\\n\t\u{8}\u{1b}\u{c}\u{b}\r~å".chars().collect();
    let strange: Vec<char> = "\u{7f}\u{80}\u{9f}\u{a0}ÿĀЖ😀\u{0}\u{fffd}\u{fffe}".chars().collect();
    let mut text: String = (0..random.below(8)).map(|_| *random.pick(&alphabet)).collect();
    if random.chance(3) {
        text.push(*random.pick(&strange));
    }
    Term::string(&text)
}

fn bits(random: &mut Random) -> Term {
    let mut bytes: Vec<u8> = match random.below(3) {
        0 => (0..random.below(30)).map(|_| random.next() as u8).collect(),
        1 => (0..random.below(30)).map(|_| b'a' + random.below(5) as u8).collect(),
        _ => characters(random).as_text().unwrap_or_default().into_bytes(),
    };
    if random.chance(8) {
        bytes.push(0xe5);
    }
    let length = (bytes.len() * 8).saturating_sub(if random.chance(3) { random.below(8) } else { 0 });
    Term::Bits(Bits::new(bytes, length))
}

#[test]
fn terms_print_as_io_lib_prints_them_and_read_back() {
    let mut random = Random::new(5);
    let terms: Vec<Term> = (0..scaled(4_000, 200_000)).map(|_| term(&mut random, 3)).collect();
    let texts: Vec<String> = terms.iter().map(erlang::print_pasteable).collect();
    let answer = "answer(Text) -> {ok, Tokens, _} = erl_scan:string(Text ++ \".\"),\n\
                  {ok, Term} = erl_parse:parse_term(Tokens), io_lib:format(\"~0tp\", [Term]).";
    let theirs = beam_answers(&texts, answer);
    for ((term, text), expected) in terms.iter().zip(&texts).zip(&theirs) {
        assert_eq!(&erlang::print(term), expected, "{text}");
        assert_eq!(parse_term(text).as_ref(), Ok(term), "{text}");
    }
}

#[test]
fn the_printable_range_is_a_choice() {
    assert_eq!(erlang::print(&Term::string("Ж")), "[1046]");
    assert_eq!(print_with(&Term::string("Ж"), Printable::Unicode), "\"Ж\"");
    assert_eq!(print_with(&Term::binary("Ж".as_bytes()), Printable::Unicode), "<<\"Ж\"/utf8>>");
    assert_eq!(print_with(&Term::string("\u{fffe}"), Printable::Unicode), "[65534]");
}

#[test]
fn identities_print_by_number_and_paste_as_calls() {
    let closure = Fun::Local { module: Atom::new("m"), index: 0, unique: 123, arity: 1 };
    let term = Term::tuple([Term::Pid(83), Term::Reference(5), Term::Port(3), Term::Fun(Arc::new(closure))]);
    assert_eq!(erlang::print(&term), "{<0.83.0>,#Ref<0.0.0.5>,#Port<0.3>,#Fun<m.0.123>}");
    let pasted = erlang::print_pasteable(&term);
    assert_eq!(
        pasted,
        "{list_to_pid(\"<0.83.0>\"),list_to_ref(\"#Ref<0.0.0.5>\"),list_to_port(\"#Port<0.3>\"),#Fun<m.0.123>}"
    );
}

#[test]
fn any_depth_prints() {
    let mut deep = Term::Nil;
    for _ in 0..1_000_000 {
        deep = Term::tuple([deep]);
    }
    let text = erlang::print(&deep);
    assert_eq!(text.len(), 2_000_002);
    // Dropping it would recurse a million times.
    std::mem::forget(deep);
}

#[test]
fn constant_binaries_are_those_of_the_beam() {
    let values = [
        "0", "1", "-1", "255", "256", "16#D800", "16#10000", "123456789012345678901234567890", "1.5", "-0.1",
        "65520.0", "1.0e300", "$a", "\"ab\"", "a", "<<1,2:3>>", "<<\"xyz\">>",
    ];
    let sizes = ["", ":0", ":1", ":3", ":8", ":12", ":16", ":32", ":64", ":65", ":100", ":1.0", ":a"];
    let types = [
        "", "/integer", "/little", "/native", "/signed-little", "/float", "/float-little", "/binary", "/bits",
        "/bytes", "/utf8", "/utf16", "/utf16-little", "/utf32", "/unit:8", "/integer-unit:3", "/binary-unit:1",
        "/bits-unit:8", "/integer-float", "/unit:0", "/unit:257", "/foo", "/big-little", "/integer-integer",
    ];
    let mut texts = Vec::new();
    for value in values {
        for size in sizes {
            for types in types {
                texts.push(format!("<<5:3,{value}{size}{types}>>"));
            }
        }
    }
    let answer = "answer(Text) -> {ok, Tokens, _} = erl_scan:string(Text ++ \".\"),\n\
                  case erl_parse:parse_term(Tokens) of {ok, Term} -> io_lib:format(\"~0tp\", [Term]); _ -> \"error\" end.";
    let theirs = beam_answers(&texts, answer);
    let ours = |text: &str| parse_term(text).map_or_else(|_| "error".into(), |term| erlang::print(&term));
    assert_same(&texts, ours, &theirs);
}
