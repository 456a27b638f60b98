//! Our external term format against the runtime's own: the same bytes from the same terms, and the same
//! terms, or none, from the same bytes.

use crate::common::{atom, shared};
use etf::{EtfError, MinorVersion};
use num_bigint::BigInt;
use oracle::{Call, Limits, Outcome};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::sync::Arc;
use term::{Bits, Fun, Term};

fn leaf() -> impl Strategy<Value = Term> {
    prop_oneof![
        any::<i64>().prop_map(Term::Int),
        (-300i64..300).prop_map(Term::Int),
        (0u32..64, any::<bool>(), -2i64..3).prop_map(|(shift, negative, off)| {
            let power = BigInt::from(1) << shift;
            Term::integer(if negative { -power } else { power } + off)
        }),
        prop::collection::vec(any::<u8>(), 1..300)
            .prop_map(|bytes| Term::integer(BigInt::from_signed_bytes_le(&bytes))),
        (prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO).prop_map(Term::Float),
        prop::sample::select(vec!["a", "", "Hello world", "ö", "ÿ", "Ā", "ω", "日本"]).prop_map(Term::atom),
        prop::sample::select(vec!["a", "ö", "日"]).prop_map(|letter| Term::atom(&letter.repeat(255))),
        Just(Term::Nil),
        (prop::collection::vec(any::<u8>(), 0..20), 0usize..8).prop_map(|(bytes, cut)| {
            let bit_length = (bytes.len() * 8).saturating_sub(cut);
            Term::Bits(Bits::new(bytes, bit_length))
        }),
        prop::collection::vec(any::<u8>(), 1..20)
            .prop_map(|bytes| Term::list(bytes.into_iter().map(|byte| Term::Int(byte.into())).collect::<Vec<_>>())),
        any::<u8>().prop_map(|arity| Term::Fun(Arc::new(Fun::External {
            module: term::names::LISTS,
            function: term::names::OK,
            arity: arity.into()
        }))),
    ]
}

/// Within what a runtime accepts as its own.
fn identifier() -> impl Strategy<Value = Term> {
    prop_oneof![
        (0u64..1 << 15, 0u64..1 << 13).prop_map(|(id, serial)| Term::Pid(serial << 32 | id)),
        any::<u64>().prop_map(Term::Reference),
        (0u64..1 << 28).prop_map(Term::Port),
    ]
}

/// Maps are small and their keys ascend, as the runtime orders them.
fn nested(leaf: impl Strategy<Value = Term> + 'static) -> impl Strategy<Value = Term> {
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Term::tuple),
            prop::collection::vec(inner.clone(), 0..6).prop_map(Term::list),
            (prop::collection::vec(inner.clone(), 1..4), inner.clone())
                .prop_map(|(items, tail)| Term::list_with_tail(items, tail)),
            prop::collection::vec(inner, 0..4).prop_map(|values| {
                let pairs = values.into_iter().enumerate().map(|(key, value)| (Term::Int(key as i64), value));
                Term::Map(pairs.collect())
            }),
        ]
    })
}

fn samples<T>(strategy: impl Strategy<Value = T>, count: usize) -> Vec<T> {
    let rng = TestRng::from_seed(RngAlgorithm::XorShift, b"the fixed origin");
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..count).map(|_| strategy.new_tree(&mut runner).expect("a sample").current()).collect()
}

fn on_runtime(function: &str, args: Vec<Vec<Term>>) -> Vec<Outcome> {
    let call = |args| Call::Apply { module: atom("erlang"), function: atom(function), args };
    let calls: Vec<Call> = args.into_iter().map(call).collect();
    shared().evaluate_batch(&calls, Limits::default(), false).expect("outcomes")
}

/// From OTP 26 on, the order of a map's pairs is that in which the runtime came to know their atoms.
fn has_map(term: &Term) -> bool {
    match term {
        Term::Map(_) => true,
        Term::List(items, end) => items.iter().any(has_map) || end.as_deref().is_some_and(has_map),
        Term::Tuple(items) => items.iter().any(has_map),
        _ => false,
    }
}

fn agrees_on(terms: &[Term]) {
    let release = shared().info().expect("a runtime").release_number();
    term::floats::tell_zeros_apart(release >= 27);
    let ordered: Vec<Term> = terms.iter().filter(|term| release == 25 || !has_map(term)).cloned().collect();
    let terms = &ordered[..];
    for (number, version) in [(0, MinorVersion::V0), (1, MinorVersion::V1), (2, MinorVersion::V2)] {
        let options = Term::list([Term::tuple([Term::atom("minor_version"), Term::Int(number)])]);
        let args = terms.iter().map(|term| vec![term.clone(), options.clone()]).collect();
        for (term, outcome) in terms.iter().zip(on_runtime("term_to_binary", args)) {
            let expected = Term::binary(etf::encode_with(term, version, release));
            assert_eq!(outcome, Outcome::Value { term: expected, text: None }, "{term:?}, version {number}");
        }
    }
    let args = terms.iter().map(|term| vec![term.clone()]).collect();
    for (term, outcome) in terms.iter().zip(on_runtime("term_to_binary", args)) {
        assert_eq!(outcome, Outcome::Value { term: Term::binary(etf::encode(term, release)), text: None });
    }
    let args = terms.iter().map(|term| vec![Term::binary(etf::encode(term, release))]).collect();
    for (term, outcome) in terms.iter().zip(on_runtime("binary_to_term", args)) {
        assert_eq!(outcome, Outcome::Value { term: term.clone(), text: None });
    }
}

#[test]
fn the_same_bytes_and_the_same_terms() {
    agrees_on(&samples(nested(prop_oneof![5 => leaf(), 1 => identifier()]), 1500));
}

#[test]
fn the_edges_of_every_form() {
    let bytes = |length| Term::list(vec![Term::Int(7); length]);
    let big = |bytes: u32| Term::integer(BigInt::from(1) << (bytes * 8 - 1));
    agrees_on(&[
        Term::Int(255),
        Term::Int(256),
        Term::Int(-1),
        Term::Int(i32::MAX.into()),
        Term::Int(i64::from(i32::MAX) + 1),
        Term::Int(i32::MIN.into()),
        Term::Int(i64::from(i32::MIN) - 1),
        Term::Int(i64::MAX),
        Term::Int(i64::MIN),
        big(255),
        big(256),
        big(2000),
        bytes(65535),
        bytes(65536),
        Term::tuple(vec![Term::Nil; 255]),
        Term::tuple(vec![Term::Nil; 256]),
        Term::Float(-0.0),
        Term::Float(5e-324),
        Term::Float(f64::MAX),
        Term::Float(1e22),
        Term::Float(0.1),
    ]);
}

#[test]
fn damaged_bytes_are_refused_alike() {
    let strategy = (nested(leaf()), prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..3));
    let damaged: Vec<Vec<u8>> = samples(strategy, 4000)
        .into_iter()
        .map(|(term, damages)| {
            let mut bytes = etf::encode(&term, etf::OLDEST_RELEASE);
            for (place, byte) in damages {
                let index = place.index(bytes.len() - 1) + 1;
                bytes[index] = byte;
            }
            bytes
        })
        .collect();
    let args = damaged.iter().map(|bytes| vec![Term::binary(bytes.as_slice())]).collect();
    let mut accepted = 0;
    for (bytes, outcome) in damaged.iter().zip(on_runtime("binary_to_term", args)) {
        match (etf::decode(bytes), outcome) {
            (Ok(ours), Outcome::Value { term, .. }) => {
                accepted += 1;
                assert!(is_same(&ours, &term), "{bytes:?}\n{ours:?}\n{term:?}");
            }
            (Err(_), Outcome::Raised { .. }) => {}
            // Numbers of the runtime's own atom table, which it uses for itself alone.
            (Err(EtfError::BadTag(73 | 75)), Outcome::Value { .. }) => {}
            (ours, theirs) => panic!("{bytes:?}\n{ours:?}\n{theirs:?}"),
        }
    }
    assert!((500..3500).contains(&accepted), "{accepted} of 4000 were still terms");
}

/// The runtime puts the keys of a map into its own order; we keep that of the bytes.
fn is_same(ours: &Term, theirs: &Term) -> bool {
    let all = |ours: &[Term], theirs: &[Term]| {
        ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| is_same(ours, theirs))
    };
    match (ours, theirs) {
        (Term::Map(ours), Term::Map(theirs)) => {
            let has = |(key, value): &(Term, Term)| {
                theirs.iter().any(|(other_key, other)| is_same(key, other_key) && is_same(value, other))
            };
            ours.len() == theirs.len() && ours.iter().all(has)
        }
        (Term::List(ours, None), Term::List(theirs, None)) | (Term::Tuple(ours), Term::Tuple(theirs)) => {
            all(ours, theirs)
        }
        (Term::List(ours, Some(our_tail)), Term::List(theirs, Some(their_tail))) => {
            all(ours, theirs) && is_same(our_tail, their_tail)
        }
        _ => ours == theirs,
    }
}

/// What other nodes, other releases and `compressed` send is understood, too.
#[test]
fn everything_the_runtime_emits_is_read() {
    let read = |expression: &str| {
        let Term::Bits(ref bits) = crate::common::value(shared(), expression) else { panic!("{expression}") };
        etf::decode(bits.bytes()).unwrap_or_else(|error| panic!("{expression}: {error}"))
    };
    assert_eq!(
        read("term_to_binary(lists:duplicate(1000, abc), [compressed])"),
        Term::list(vec![Term::atom("abc"); 1000])
    );
    let Term::Fun(ref fun) = read("term_to_binary(fun(X) -> X end)") else { panic!() };
    assert!(matches!(**fun, Fun::Local { module, arity: 1, .. } if module.text() == "erl_eval"), "{fun:?}");
    assert!(matches!(read("term_to_binary(self())"), Term::Pid(_)));
    assert!(matches!(read("term_to_binary(make_ref())"), Term::Reference(_)));
    assert!(matches!(read("term_to_binary(hd(erlang:ports()))"), Term::Port(_)));
    let Term::Tuple(ref pair) = read("R = make_ref(), term_to_binary({R, R, make_ref()})") else { panic!() };
    assert_eq!(pair[0], pair[1]);
    assert_ne!(pair[0], pair[2]);
    // Larger maps come in the runtime's own order.
    let Term::Map(ref pairs) = read("term_to_binary(maps:from_list([{N, N * N} || N <- lists:seq(1, 100)]))") else {
        panic!()
    };
    assert_eq!(pairs.len(), 100);
    // Later releases list keys in another order than they send them.
    if shared().info().expect("a runtime").release_number() != 25 {
        return;
    }
    let order = crate::common::value(shared(), "maps:keys(maps:from_list([{N, N * N} || N <- lists:seq(1, 100)]))");
    assert_eq!(Term::list(pairs.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>()), order);
}
