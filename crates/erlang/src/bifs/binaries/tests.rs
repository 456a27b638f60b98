//! Comparison of rows over bitstrings with the BEAM: over grids, and over random terms that are nearly valid arguments.

use crate::bifs::testing::{self, Call, agree_on, grid};
use machine::value::copy_in;
use machine::{BitBuilder, BitsRef, Heap, Word};
use term::{Atom, Bits, Term};

/// Pseudorandom numbers, the same in every run (xorshift).
pub(in crate::bifs) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, limit: u64) -> usize {
        (self.next() % limit) as usize
    }

    pub fn one_of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64)].clone()
    }
}

pub(in crate::bifs) fn int(value: i64) -> Term {
    Term::Int(value)
}

pub(in crate::bifs) fn atom(name: &str) -> Term {
    Term::atom(name)
}

pub(in crate::bifs) fn bits(bytes: &[u8], length: usize) -> Term {
    Term::Bits(Bits::new(bytes.to_vec(), length))
}

pub(in crate::bifs) fn binary(bytes: &[u8]) -> Term {
    Term::binary(bytes)
}

/// Returns bytes with few different values, so that patterns are found.
fn some_bytes(random: &mut Random, most: u64) -> Vec<u8> {
    let length = random.below(most);
    (0..length).map(|_| random.one_of(b"aab,c")).collect()
}

fn some_binary(random: &mut Random, most: u64) -> Term {
    binary(&some_bytes(random, most))
}

/// Returns the term, or occasionally one that is not allowed in its place.
fn spoilt(random: &mut Random, term: Term) -> Term {
    if random.below(40) == 0 { random.one_of(&testing::everything()) } else { term }
}

/// Returns a list of bytes, binaries and lists, sometimes improper, sometimes invalid.
fn some_iolist(random: &mut Random, depth: usize, most: u64) -> Term {
    let length = random.below(6);
    let mut items = Vec::new();
    for _ in 0..length {
        let item = match random.below(if depth == 0 { 6 } else { 8 }) {
            0..=2 => int(random.below(256) as i64),
            3 | 4 => some_binary(random, most),
            5 if random.below(12) == 0 => bits(&[0xa5, 0xc0], 11),
            5 => Term::Nil,
            _ => some_iolist(random, depth - 1, most),
        };
        items.push(spoilt_rarely(random, item));
    }
    let tail = match random.below(8) {
        0 => some_binary(random, most),
        1 if random.below(6) == 0 => bits(&[0xff], 3),
        2 if random.below(20) == 0 => int(1),
        _ => Term::Nil,
    };
    Term::list_with_tail(items, tail)
}

pub(in crate::bifs) fn spoilt_rarely(random: &mut Random, term: Term) -> Term {
    if random.below(150) == 0 { random.one_of(&testing::others()) } else { term }
}

/// Copies a term so that every bitstring begins inside a byte of a longer one.
fn unaligned(heap: &mut Heap, term: &Term) -> Word {
    match term {
        Term::Bits(bits) => {
            let mut builder = BitBuilder::default();
            builder.push_number(0b101, 3);
            builder.push(BitsRef::new(bits.bytes(), 0, bits.bit_length()));
            builder.push_bytes(&[0xff; 70]);
            let whole = builder.finish(heap);
            heap.bits_part(whole, 3, bits.bit_length())
        }
        Term::List(items, tail) => {
            let tail = tail.as_ref().map_or(Word::NIL, |tail| unaligned(heap, tail));
            let items: Vec<Word> = items.iter().map(|item| unaligned(heap, item)).collect();
            heap.list(&items, tail)
        }
        Term::Tuple(items) => {
            let items: Vec<Word> = items.iter().map(|item| unaligned(heap, item)).collect();
            heap.tuple(&items)
        }
        other => copy_in(heap, other),
    }
}

/// Copies a term so that every part of a list or tuple has a formula, which no row may notice.
fn shadowed(heap: &mut Heap, term: &Term) -> Word {
    let shadow = |heap: &mut Heap, part: &Term| {
        let part = shadowed(heap, part);
        heap.symbolic(part, formula::TermId::from_number(7))
    };
    match term {
        Term::List(items, tail) => {
            let mut list = tail.as_ref().map_or(Word::NIL, |tail| shadow(heap, tail));
            for (index, item) in items.iter().enumerate().rev() {
                let item = shadow(heap, item);
                list = heap.cons(item, list);
                if index % 2 == 1 {
                    list = heap.symbolic(list, formula::TermId::from_number(8));
                }
            }
            list
        }
        Term::Tuple(items) => {
            let items: Vec<Word> = items.iter().map(|item| shadow(heap, item)).collect();
            heap.tuple(&items)
        }
        other => copy_in(heap, other),
    }
}

pub(in crate::bifs) fn agree_everywhere(calls: &[Call]) {
    agree_on(calls, &[copy_in, unaligned, shadowed]);
}

pub(in crate::bifs) fn call(module: &'static str, function: &'static str, args: Vec<Term>) -> Call {
    Call { module, function, args }
}

#[test]
fn every_row_over_every_kind_of_argument() {
    let everything = testing::everything();
    let mut calls = Vec::new();
    let ones: &[(&str, &[&str])] = &[
        (
            "erlang",
            &[
                "byte_size", "bit_size", "binary_to_list", "bitstring_to_list", "list_to_binary", "list_to_bitstring",
                "iolist_to_binary", "iolist_size", "iolist_to_iovec", "atom_to_list", "list_to_existing_atom",
                "binary_to_term",
            ],
        ),
        (
            "binary",
            &[
                "first", "last", "copy", "list_to_bin", "longest_common_prefix", "longest_common_suffix",
                "decode_unsigned", "encode_unsigned",
            ],
        ),
        ("unicode", &["bin_is_7bit"]),
    ];
    for (module, names) in ones {
        for name in *names {
            calls.extend(grid(module, &[(name, 1)], &everything));
        }
    }
    let values = testing::others();
    let twos: &[(&str, &[&str])] = &[
        (
            "erlang",
            &[
                "binary_part", "split_binary", "atom_to_binary", "binary_to_atom", "binary_to_existing_atom",
                "binary_to_term",
            ],
        ),
        ("binary", &["part", "at", "match", "matches", "split", "decode_unsigned", "encode_unsigned"]),
    ];
    for (module, names) in twos {
        for name in *names {
            calls.extend(grid(module, &[(name, 2)], &values));
        }
    }
    agree_everywhere(&calls);
}

#[test]
fn parts() {
    let wholes = [binary(&[]), binary(b"abcdef"), bits(b"abcdef", 45), binary(&[7; 90]), atom("a")];
    let mut positions: Vec<Term> = [-7, -6, -1, 0, 1, 2, 5, 6, 7, 90, 91].into_iter().map(int).collect();
    positions.extend([testing::power(2, 63, 0), testing::power(2, 63, -1), testing::power(2, 64, 0)]);
    positions.extend([testing::power(-2, 63, 0), Term::Float(1.0), atom("x")]);
    let mut calls = Vec::new();
    for whole in &wholes {
        for at in &positions {
            for function in ["at", "split_binary", "copy"] {
                let module = if function == "split_binary" { "erlang" } else { "binary" };
                // Large numbers of copies are not worth testing.
                if function != "copy" || at.as_int().is_some_and(|at| at < 100) || at.as_atom().is_some() {
                    calls.push(call(module, function, vec![whole.clone(), at.clone()]));
                }
            }
            for length in &positions {
                let pair = Term::tuple(vec![at.clone(), length.clone()]);
                let scope = Term::tuple(vec![atom("scope"), pair.clone()]);
                calls.push(call("erlang", "binary_part", vec![whole.clone(), at.clone(), length.clone()]));
                calls.push(call("binary", "part", vec![whole.clone(), at.clone(), length.clone()]));
                calls.push(call("erlang", "binary_part", vec![whole.clone(), pair]));
                calls.push(call("erlang", "binary_to_list", vec![whole.clone(), at.clone(), length.clone()]));
                calls.push(call("binary", "match", vec![whole.clone(), binary(b"c"), Term::list([scope])]));
            }
        }
        for endianness in ["big", "little", "native"] {
            calls.push(call("binary", "decode_unsigned", vec![whole.clone(), atom(endianness)]));
        }
    }
    for number in testing::integers() {
        for endianness in ["big", "little", "native"] {
            calls.push(call("binary", "encode_unsigned", vec![number.clone(), atom(endianness)]));
        }
    }
    agree_everywhere(&calls);
}

#[test]
fn lists_to_binaries() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let functions = ["list_to_binary", "list_to_bitstring", "iolist_to_binary", "iolist_size", "iolist_to_iovec"];
    let mut calls = Vec::new();
    for round in 0..1500 {
        let most = if round % 5 == 0 { 700 } else { 9 };
        let list = some_iolist(&mut random, 3, most);
        calls.extend(functions.iter().map(|function| call("erlang", function, vec![list.clone()])));
    }
    // The pieces of a vector are cut between large pieces.
    for length in [0, 1, 64, 65, 200, 255, 256, 257, 300, 511, 512, 513, 1000, 9000] {
        for other in [0, 1, 255, 256, 300, 9000] {
            let (a, b) = (binary(&vec![1; length]), binary(&vec![2; other]));
            let bytes = Term::list(vec![int(7); other]);
            calls.push(call("erlang", "iolist_to_iovec", vec![Term::list([a.clone(), b.clone(), a.clone()])]));
            calls.push(call("erlang", "iolist_to_iovec", vec![Term::list([bytes, int(1), a, b])]));
        }
    }
    agree_everywhere(&calls);
}

fn some_pattern(random: &mut Random) -> Term {
    match random.below(5) {
        0 | 1 => some_binary(random, 4),
        _ => {
            let count = random.below(5);
            let patterns: Vec<Term> = (0..count)
                .map(|_| {
                    let pattern = if random.below(30) == 0 {
                        Vec::new()
                    } else {
                        [&b"a"[..], &some_bytes(random, 4)[..]].concat()
                    };
                    let pattern = if random.below(3) == 0 { pattern[pattern.len().min(1)..].to_vec() } else { pattern };
                    spoilt(random, binary(&pattern))
                })
                .collect();
            Term::list(patterns)
        }
    }
}

fn some_options(random: &mut Random, splitting: bool) -> Term {
    let count = random.below(3);
    let mut options: Vec<Term> = (0..count)
        .map(|_| {
            let pair = Term::tuple(vec![int(random.below(30) as i64), int(random.below(30) as i64 - 12)]);
            let option = Term::tuple(vec![atom("scope"), pair]);
            spoilt(random, option)
        })
        .collect();
    if splitting {
        for option in ["global", "trim", "trim_all"] {
            if random.below(2) == 0 {
                options.push(atom(option));
            }
        }
    }
    let tail = if random.below(30) == 0 { atom("tail") } else { Term::Nil };
    Term::list_with_tail(options, tail)
}

#[test]
fn searching() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut calls = Vec::new();
    for _ in 0..4000 {
        let subject = some_binary(&mut random, 30);
        let subject = spoilt(&mut random, subject);
        let pattern = some_pattern(&mut random);
        let pattern = spoilt(&mut random, pattern);
        let function = random.one_of(&["match", "matches", "split"]);
        let mut args = vec![subject, pattern];
        if random.below(3) > 0 {
            let options = some_options(&mut random, function == "split");
            args.push(spoilt(&mut random, options));
        }
        calls.push(call("binary", function, args));
    }
    for _ in 0..300 {
        let prefix = some_bytes(&mut random, 4);
        let count = random.below(4);
        let binaries: Vec<Term> = (0..count)
            .map(|_| {
                let item = [&prefix[..], &some_bytes(&mut random, 3)[..], &prefix[..]].concat();
                spoilt(&mut random, binary(&item))
            })
            .collect();
        for function in ["longest_common_prefix", "longest_common_suffix"] {
            calls.push(call("binary", function, vec![Term::list(binaries.clone())]));
        }
    }
    agree_everywhere(&calls);
}

/// A compiled pattern finds the same as the pattern itself.
#[test]
fn compiled_patterns() {
    let mut context = testing::context();
    let row = |function: &str, arity| crate::bifs::find(Atom::new("binary"), Atom::new(function), arity).unwrap();
    for (pattern, tag) in [
        (binary(b"ab"), "bm"),
        (Term::list([binary(b"ab")]), "bm"),
        (Term::list([binary(b"ab"), binary(b"abc")]), "ac"),
    ] {
        let subject = copy_in(&mut context.heap, &binary(b"xxabcabab"));
        let plain = copy_in(&mut context.heap, &pattern);
        let compiled = row("compile_pattern", 1).apply(&mut context, &[plain]).unwrap();
        assert_eq!(compiled.as_tuple().unwrap()[0].as_atom().unwrap().text(), tag);
        let expected = row("matches", 2).apply(&mut context, &[subject, plain]).unwrap();
        let found = row("matches", 2).apply(&mut context, &[subject, compiled]).unwrap();
        assert_eq!(testing::owned(found), testing::owned(expected));
        // A tag that does not belong to the reference, and a reference that does not exist.
        let wrong = context.heap.tuple(&[Word::atom(Atom::new("b")), compiled.as_tuple().unwrap()[1]]);
        assert!(row("match", 2).apply(&mut context, &[subject, wrong]).is_err());
        let stranger = context.heap.identity(machine::Kind::Reference, 1 << 40);
        let forged = context.heap.tuple(&[compiled.as_tuple().unwrap()[0], stranger]);
        assert!(row("match", 2).apply(&mut context, &[subject, forged]).is_err());
    }
}

#[test]
fn lists_that_are_longer_than_memory_end_the_run() {
    let mut context = testing::context();
    context.allow_steps(10_000_000);
    // Each level is twice as large as the one below, and takes four words.
    let mut list = context.heap.string("abcdefgh");
    for _ in 0..60 {
        list = context.heap.list(&[list, list], Word::NIL);
    }
    for function in ["iolist_size", "iolist_to_binary", "list_to_bitstring", "iolist_to_iovec", "term_to_binary"] {
        context.allow_steps(10_000_000);
        let row = crate::bifs::find(Atom::new("erlang"), Atom::new(function), 1).unwrap();
        assert_eq!(row.apply(&mut context, &[list]), Err(machine::Escape::Stop), "{function}");
    }
    let deep = (0..1_000_000).fold(Word::NIL, |inner, _| context.heap.list(&[inner], Word::NIL));
    context.allow_steps(10_000_000);
    let row = crate::bifs::find(Atom::new("erlang"), Atom::new("iolist_to_binary"), 1).unwrap();
    assert!(row.apply(&mut context, &[deep]).is_ok());
}

/// Whatever the arguments are, a row returns, raises or ends the run.
#[test]
fn rows_survive_everything() {
    let mut random = Random(0xfeed_5eed_1234_5678);
    let everything = testing::everything();
    use crate::bifs::{atoms, external, floats, text, unicode};
    let tables = [super::TABLES, atoms::TABLES, external::TABLES, floats::TABLES, text::TABLES, unicode::TABLES];
    let rows: Vec<_> = tables.into_iter().flatten().copied().flatten().collect();
    assert!(rows.len() > 40);
    let mut ends = 0;
    for row in rows {
        for _ in 0..200 {
            let mut context = testing::context();
            context.allow_steps(100_000);
            let args: Vec<Word> = (0..row.arity())
                .map(|_| {
                    let arg = match random.below(4) {
                        0 => some_iolist(&mut random, 2, 90),
                        1 => some_binary(&mut random, 90),
                        _ => random.one_of(&everything),
                    };
                    copy_in(&mut context.heap, &arg)
                })
                .collect();
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| row.apply(&mut context, &args)));
            if let Err(payload) = outcome {
                assert!(payload.is::<machine::value::MemoryExhausted>(), "{}:{}", row.module, row.name);
                ends += 1;
            }
        }
    }
    // Some calls make more copies than the memory has room for.
    assert!(ends > 0);
}
