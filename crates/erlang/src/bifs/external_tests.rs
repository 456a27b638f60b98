//! Comparison of encoded terms with the BEAM, and terms that cross to the real runtime.

use super::binaries::tests::{Random, agree_everywhere, atom, binary, call, int};
use super::testing;
use machine::Word;
use machine::value::copy_in;
use term::{Atom, Fun, FunctionName, Term};

fn some_term(random: &mut Random, depth: usize) -> Term {
    let leaves = testing::everything();
    let parts = |random: &mut Random| -> Vec<Term> {
        let count = random.below(5);
        (0..count).map(|_| some_term(random, depth - 1)).collect()
    };
    match random.below(if depth == 0 { 3 } else { 8 }) {
        // Processes and references of this node differ from those of the other one.
        0..=2 => match random.one_of(&leaves) {
            Term::Pid(_) | Term::Reference(_) => atom("b"),
            leaf => leaf,
        },
        3 | 4 => Term::list(parts(random)),
        5 => Term::list_with_tail(parts(random), random.one_of(&[int(3), Term::string("xyz"), atom("t")])),
        6 => Term::tuple(parts(random)),
        _ => Term::Map(vec![(int(1), some_term(random, depth - 1)), (atom("k"), some_term(random, depth - 1))].into()),
    }
}

#[test]
fn external_terms() {
    let mut random = Random(0x0123_4567_89ab_cdef);
    let version = |number: i64| Term::tuple(vec![atom("minor_version"), int(number)]);
    let mut options: Vec<Term> = (-1..4).map(|number| Term::list([version(number)])).collect();
    options.extend([Term::Nil, Term::list([version(0), version(1)]), Term::list([version(2), atom("x")])]);
    options.extend([Term::list_with_tail(vec![version(1)], int(1)), atom("a")]);
    options.extend([
        Term::list([Term::tuple(vec![atom("compressed"), int(0)])]),
        Term::list([Term::tuple(vec![atom("compressed"), int(10)])]),
        Term::list([Term::tuple(vec![atom("compressed"), atom("x")])]),
        Term::list([Term::tuple(vec![atom("x"), int(1)])]),
    ]);
    let mut calls = Vec::new();
    for round in 0..800 {
        let term = some_term(&mut random, if round % 8 == 0 { 5 } else { 2 });
        calls.push(call("erlang", "term_to_binary", vec![term.clone()]));
        calls.push(call("erlang", "external_size", vec![term.clone()]));
        let encoded = etf::encode(&term, crate::otp::release());
        calls.push(call("erlang", "term_to_binary", vec![term.clone(), random.one_of(&options)]));
        calls.push(call("erlang", "external_size", vec![term.clone(), random.one_of(&options)]));
        // The encoded term unchanged, with one byte changed, truncated, and with additional bytes.
        let mut damaged = encoded.clone();
        let at = random.below(damaged.len() as u64);
        damaged[at] = random.one_of(&[0, 1, 2, 70, 77, 97, 100, 104, 106, 107, 108, 109, 110, 116, 119, 131, 255]);
        let cut = encoded[..random.below(encoded.len() as u64 + 1)].to_vec();
        let longer = [&encoded[..], b"more"].concat();
        for bytes in [encoded, damaged, cut, longer] {
            if bytes.windows(2).any(|pair| matches!(pair[0], 80 | 88..=90 | 101..=103 | 112..=114 | 120) && pair[1] < 4)
            {
                continue;
            }
            calls.push(call("erlang", "binary_to_term", vec![binary(&bytes)]));
            calls.push(call("erlang", "binary_to_term", vec![binary(&bytes), Term::list([atom("used")])]));
        }
    }
    for options in [Term::list([atom("safe")]), Term::list([atom("used"), atom("safe")]), Term::list([atom("x")])] {
        for name in ["ok", "an atom that nobody has ever made before this test"] {
            // Written by hand, because encoding the term would create the atom.
            let text = name.as_bytes();
            let bytes = [&[131, 119, text.len() as u8][..], text].concat();
            calls.push(call("erlang", "binary_to_term", vec![binary(&bytes), options.clone()]));
        }
    }
    agree_everywhere(&calls);
}

#[test]
fn compressed_terms_come_back() {
    let mut context = testing::context();
    let row = |function: &str, arity| crate::bifs::find(Atom::new("erlang"), Atom::new(function), arity).unwrap();
    let term = Term::list(vec![atom("compressed"); 500]);
    let word = copy_in(&mut context.heap, &term);
    let options = copy_in(&mut context.heap, &Term::list([atom("compressed")]));
    let packed = row("term_to_binary", 2).apply(&mut context, &[word, options]).unwrap();
    assert!(packed.as_bits().unwrap().len() / 8 < 200);
    let back = row("binary_to_term", 1).apply(&mut context, &[packed]).unwrap();
    assert_eq!(testing::owned(back), term);
}

#[test]
fn closures_and_missing_runtimes_are_unsupported() {
    let mut context = testing::context();
    let find =
        |module: &str, function: &str, arity| crate::bifs::find(Atom::new(module), Atom::new(function), arity).unwrap();
    // SAFETY: the closure is never called.
    let closure = unsafe { context.heap.closure(0, 1, &[]) };
    let list = context.heap.list(&[closure], Word::NIL);
    for (module, function, args) in [
        ("erlang", "term_to_binary", vec![list]),
        ("erlang", "external_size", vec![list]),
        ("re", "run", vec![list, list]),
    ] {
        let row = find(module, function, args.len() as u32);
        assert_eq!(row.apply(&mut context, &args), Err(machine::Escape::Stop));
        let expected = path::Stop::Unsupported(FunctionName {
            module: Atom::new(module),
            function: Atom::new(function),
            arity: args.len() as u32,
        });
        assert_eq!(context.take_stop(), Some(expected));
    }
}

/// A runtime that answers with the call that it was asked to make.
struct Echo;

impl machine::Foreign for Echo {
    fn call(
        &mut self,
        module: Atom,
        function: Atom,
        args: &[Term],
    ) -> Result<machine::ForeignAnswer, machine::NoAnswer> {
        if args.first() == Some(&atom("raise")) {
            return Ok(machine::ForeignAnswer::Raised { class: path::Class::Error, reason: atom("badarg") });
        }
        if args.first() == Some(&atom("dead")) {
            return Err(machine::NoAnswer::Failed("the runtime is gone".into()));
        }
        let answer = vec![Term::Atom(module), Term::Atom(function), Term::list(args.to_vec())];
        Ok(machine::ForeignAnswer::Value(Term::tuple(answer)))
    }
}

#[test]
fn pure_natives_are_asked_of_the_runtime() {
    let mut context = testing::context();
    context.foreign = Some(Box::new(Echo));
    for (module, function, arity) in crate::bifs::foreign::PURE {
        assert!(crate::bifs::foreign::is_pure(module, function, *arity));
        let is_it = |row: &&machine::Primitive| (row.module, row.name, row.arity()) == (*module, *function, *arity);
        let row = crate::bifs::all().find(is_it).expect("a row for every pure native");
        let external = Term::Fun(Fun::External { module: Atom::new("m"), function: Atom::new("f"), arity: 1 }.into());
        let args: Vec<Term> = (0..*arity).map(|_| external.clone()).collect();
        let words: Vec<Word> = args.iter().map(|arg| copy_in(&mut context.heap, arg)).collect();
        let answer = row.apply(&mut context, &words).unwrap();
        assert_eq!(testing::owned(answer), Term::tuple(vec![atom(module), atom(function), Term::list(args)]));
    }
    let row = crate::bifs::find(Atom::new("re"), Atom::new("compile"), 1).unwrap();
    assert_eq!(row.apply(&mut context, &[Word::atom(Atom::new("raise"))]), Err(machine::Escape::Raise));
    assert_eq!(row.apply(&mut context, &[Word::atom(Atom::new("dead"))]), Err(machine::Escape::Stop));
    assert!(context.foreign.is_some());
}
