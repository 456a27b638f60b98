//! Comparison of functions on characters and atoms with the BEAM.

use super::binaries::tests::{Random, agree_everywhere, atom, binary, bits, call, int, spoilt_rarely};
use super::testing;
use term::Term;

/// Returns code points and binaries in UTF-8, which may be cut inside a character.
fn some_characters(random: &mut Random, depth: usize) -> Term {
    let length = random.below(5);
    let mut items = Vec::new();
    for _ in 0..length {
        let item = match random.below(if depth == 0 { 7 } else { 9 }) {
            0 | 1 => int(random.one_of(&[0, 65, 127, 128, 255, 256, 0x7ff, 0x800, 0x20ac, 0xffff, 0x10000, 0x10ffff])),
            2 if random.below(5) == 0 => {
                random.one_of(&[int(-1), int(0xd800), int(0xdfff), int(0x11_0000), int(1 << 59), int((1 << 59) - 1)])
            }
            2 if random.below(5) == 0 => {
                random.one_of(&[testing::power(2, 70, 0), int(-(1 << 59)), int(-(1 << 59) - 1)])
            }
            2 => Term::Nil,
            3..=6 => some_utf8(random),
            _ => some_characters(random, depth - 1),
        };
        items.push(spoilt_rarely(random, item));
    }
    let tail = match random.below(8) {
        0 => some_utf8(random),
        1 if random.below(10) == 0 => bits(&[0xff], 3),
        2 if random.below(20) == 0 => int(1),
        _ => Term::Nil,
    };
    Term::list_with_tail(items, tail)
}

fn some_utf8(random: &mut Random) -> Term {
    let pieces: &[&[u8]] = &[
        b"a",
        b"bc",
        "ö".as_bytes(),
        "€".as_bytes(),
        "𝄞".as_bytes(),
        &[0xc3],
        &[0xe2],
        &[0xe2, 0x82],
        &[0x82, 0xac],
        &[0xac],
        &[0xf0],
        &[0xf0, 0x9d],
        &[0xf0, 0x9d, 0x84],
        &[0x9e],
        &[0x84, 0x9e],
        &[0x80],
        &[0xc0, 0x80],
        &[0xc0],
        &[0xe0, 0x80],
        &[0xed, 0xa0],
        &[0xed, 0xa0, 0x80],
        &[0xf4, 0x90],
        &[0xf5],
        &[0xf8],
        &[0xff],
        &[0xe2, 0x41],
    ];
    let count = random.below(4);
    let bytes: Vec<u8> = (0..count)
        .flat_map(|_| if random.below(3) > 0 { random.one_of(&pieces[..5]) } else { random.one_of(pieces) }.to_vec())
        .collect();
    binary(&bytes)
}

#[test]
fn characters() {
    let mut random = Random(0xdead_beef_cafe_f00d);
    let mut calls = Vec::new();
    let functions = ["characters_to_binary", "characters_to_list"];
    for _ in 0..3000 {
        let data = match random.below(5) {
            0 => some_utf8(&mut random),
            1 => Term::list([some_utf8(&mut random)]),
            _ => some_characters(&mut random, 3),
        };
        let encoding = random.one_of(&["unicode", "utf8", "unicode", "latin1"]);
        calls.extend(functions.iter().map(|function| call("unicode", function, vec![data.clone(), atom(encoding)])));
    }
    for value in testing::everything() {
        calls.extend(functions.iter().map(|function| call("unicode", function, vec![value.clone(), atom("unicode")])));
        calls.push(call("unicode", "characters_to_list", vec![value, atom("latin1")]));
    }
    agree_everywhere(&calls);
}

#[test]
fn atoms() {
    let mut calls = Vec::new();
    let texts: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"ok".to_vec(),
        "größe".as_bytes().to_vec(),
        "日本".as_bytes().to_vec(),
        vec![0xff],
        vec![b'x'; 255],
        vec![b'x'; 256],
        vec![b'x'; 1020],
        vec![b'x'; 1021],
        "ö".repeat(255).into_bytes(),
        "ö".repeat(256).into_bytes(),
        [&"ö".repeat(255).into_bytes()[..], &[0xff]].concat(),
        [&vec![b'x'; 254][..], &[0xff]].concat(),
        [&vec![b'x'; 300][..], &[0xff]].concat(),
    ];
    for text in &texts {
        for encoding in ["latin1", "utf8", "unicode", "utf16"] {
            calls.push(call("erlang", "binary_to_atom", vec![binary(text), atom(encoding)]));
        }
        calls.push(call("erlang", "binary_to_existing_atom", vec![binary(text), atom("utf8")]));
    }
    for name in ["", "ok", "größe", "日本", "ÿ", "Ā"] {
        for encoding in ["latin1", "utf8", "unicode", "utf16"] {
            calls.push(call("erlang", "atom_to_binary", vec![atom(name), atom(encoding)]));
        }
        calls.push(call("erlang", "atom_to_list", vec![atom(name)]));
    }
    let characters = |count: usize, last: Term| Term::list_with_tail(vec![int(120); count], last);
    for list in [
        Term::string("ok"),
        Term::string("日本"),
        characters(255, Term::Nil),
        characters(256, Term::Nil),
        characters(255, int(1)),
        characters(256, int(1)),
        characters(255, Term::list([atom("a")])),
        characters(254, Term::list([atom("a")])),
        characters(3, Term::list([int(0xd800)])),
        characters(3, Term::list([int(0x10ffff)])),
        characters(3, Term::list([int(0x11_0000)])),
        characters(3, Term::list([int(-1)])),
        characters(3, Term::list([binary(b"a")])),
    ] {
        calls.push(call("erlang", "list_to_atom", vec![list.clone()]));
        if list != Term::string("日本") && list.as_list().is_none_or(|items| items.len() > 4) {
            calls.push(call("erlang", "list_to_existing_atom", vec![list]));
        }
    }
    agree_everywhere(&calls);
}

#[test]
fn numbers_at_the_beginning_of_a_list() {
    let mut random = Random(0x1357_9bdf_0246_8ace);
    let mut calls = Vec::new();
    for _ in 0..1500 {
        let length = random.below(9);
        let items = (0..length)
            .map(|_| {
                let item = int(i64::from(random.one_of(b"0123456789+-..,,eE x")));
                spoilt_rarely(&mut random, item)
            })
            .collect();
        let tail = if random.below(12) == 0 { random.one_of(&[atom("t"), int(49), binary(b"1")]) } else { Term::Nil };
        let list = Term::list_with_tail(items, tail);
        calls.push(call("string", "list_to_integer", vec![list.clone()]));
        calls.push(call("string", "list_to_float", vec![list]));
    }
    let texts =
        ["1.5e400", "1.0e-400", "-1,5e+3z", "+1.5e--", "2.3e.", "2.3e+.", "1.5E10e", "123456789012345678901234x"];
    let others = testing::everything().into_iter().chain(texts.into_iter().map(Term::string));
    for value in others {
        calls.push(call("string", "list_to_integer", vec![value.clone()]));
        calls.push(call("string", "list_to_float", vec![value]));
    }
    agree_everywhere(&calls);
}

/// Compares with the list of functions that the real runtime implements itself.
#[test]
fn every_native_of_these_modules_has_a_row() {
    let modules = ["binary", "io", "re", "string", "unicode"];
    let script = "[io:format(\"~s ~s ~b~n\", [M, F, A]) || {M, F, A} <- erlang:system_info(snifs)], halt().";
    let output = std::process::Command::new("erl").args(["-noshell", "-eval", script]).output().expect("erl runs");
    let text = String::from_utf8(output.stdout).expect("names are text");
    let natives: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    assert!(natives.len() > 300);
    for native in natives {
        let (module, function, arity) = (native[0], native[1], native[2].parse().expect("an arity"));
        if modules.contains(&module) {
            let row = super::find(term::Atom::new(module), term::Atom::new(function), arity);
            assert!(row.is_some(), "{module}:{function}/{arity}");
        }
    }
}
