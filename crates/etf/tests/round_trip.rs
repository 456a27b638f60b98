//! What is encoded decodes to itself; what is not a term is an error, never a panic or a flood.

use etf::{EtfError, MinorVersion, OLDEST_RELEASE, decode, decode_prefix, encode, encode_compressed, encode_with};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::sync::Arc;
use term::{Bits, Fun, Term};

fn leaf() -> impl Strategy<Value = Term> {
    prop_oneof![
        any::<i64>().prop_map(Term::Int),
        (-300i64..300).prop_map(Term::Int),
        prop::collection::vec(any::<u8>(), 1..300)
            .prop_map(|bytes| Term::integer(BigInt::from_signed_bytes_le(&bytes))),
        prop::num::f64::NORMAL.prop_map(Term::Float),
        "[a-zé-øα-ω]{0,12}".prop_map(|name| Term::atom(&name)),
        Just(Term::Nil),
        (prop::collection::vec(any::<u8>(), 0..20), 0usize..8).prop_map(|(bytes, cut)| {
            let bit_length = (bytes.len() * 8).saturating_sub(cut);
            Term::Bits(Bits::new(bytes, bit_length))
        }),
        any::<u64>().prop_map(Term::Pid),
        any::<u64>().prop_map(Term::Reference),
        any::<u64>().prop_map(Term::Port),
        (any::<u32>(), any::<u32>(), any::<u8>()).prop_map(|(index, unique, arity)| Term::Fun(Arc::new(Fun::Local {
            module: term::names::LISTS,
            index,
            unique,
            arity: arity.into()
        }))),
        any::<u8>().prop_map(|arity| Term::Fun(Arc::new(Fun::External {
            module: term::names::LISTS,
            function: term::names::OK,
            arity: arity.into()
        }))),
    ]
}

fn any_term() -> impl Strategy<Value = Term> {
    leaf().prop_recursive(5, 60, 8, |inner| {
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

proptest! {
    #[test]
    fn every_term_returns(term in any_term()) {
        for version in [MinorVersion::V0, MinorVersion::V1, MinorVersion::V2] {
            let bytes = encode_with(&term, version, OLDEST_RELEASE);
            prop_assert_eq!(decode_prefix(&bytes), Ok((term.clone(), bytes.len())));
            let compressed = encode_compressed(&term, version, 6, OLDEST_RELEASE);
            prop_assert!(compressed.len() <= bytes.len());
            prop_assert_eq!(decode_prefix(&compressed), Ok((term.clone(), compressed.len())));
        }
    }

    #[test]
    fn a_prefix_is_no_term(term in any_term(), cut in any::<prop::sample::Index>()) {
        let bytes = encode(&term, OLDEST_RELEASE);
        prop_assert_eq!(decode(&bytes[..cut.index(bytes.len())]), Err(EtfError::Truncated));
    }

    #[test]
    fn damage_does_not_panic(term in any_term(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = encode(&term, OLDEST_RELEASE);
        let index = at.index(bytes.len());
        bytes[index] = byte;
        let _ = decode(&bytes);
    }

    #[test]
    fn noise_does_not_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        bytes.insert(0, 131);
        let _ = decode(&bytes);
    }
}

#[test]
fn depth_is_no_danger() {
    let depth = 300_000;
    // {{{…}}}, [[[…]]], #{1 => #{1 => …}}, and a list whose tail is a list whose tail is …
    for opening in [&[104, 1][..], &[108, 0, 0, 0, 1], &[116, 0, 0, 0, 1, 97, 1]] {
        let mut bytes = vec![131];
        (0..depth).for_each(|_| bytes.extend_from_slice(opening));
        bytes.push(106);
        bytes.extend(vec![106; depth]);
        let (term, _) = decode_prefix(&bytes).expect("deep, but a term");
        assert!(encode(&term, OLDEST_RELEASE).len() > depth);
    }
    let mut bytes = vec![131];
    (0..depth).for_each(|_| bytes.extend([108, 0, 0, 0, 1, 97, 7]));
    bytes.extend([107, 0, 2, 1, 2]);
    let term = decode(&bytes).expect("a long list");
    assert_eq!(term.as_list().map(<[Term]>::len), Some(depth + 2));
}

#[test]
fn claims_without_bytes_are_refused() {
    for tag in [108, 109, 111, 116, 77] {
        assert_eq!(decode(&[131, tag, 255, 255, 255, 255, 1, 1]), Err(EtfError::Truncated), "tag {tag}");
    }
    assert_eq!(decode(&[131, 80, 255, 255, 255, 255, 1, 1]), Err(EtfError::TooLarge(u32::MAX as usize)));
    let bomb = encode_compressed(&Term::binary(vec![0; 1 << 20]), MinorVersion::V2, 9, OLDEST_RELEASE);
    let mut lying = bomb.clone();
    lying[5] = lying[5].wrapping_sub(1);
    assert_eq!(decode(&lying), Err(EtfError::BadCompression));
    assert!(decode(&bomb).is_ok());
}

#[test]
fn errors_name_what_is_wrong() {
    assert_eq!(decode(&[]), Err(EtfError::Truncated));
    assert_eq!(decode(&[130, 97, 1]), Err(EtfError::BadVersion(130)));
    assert_eq!(decode(&[131, 1]), Err(EtfError::BadTag(1)));
    assert_eq!(decode(&[131, 119, 2, 255, 255]), Err(EtfError::BadAtom));
    assert_eq!(decode(&[131, 70, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0]), Err(EtfError::BadFloat));
    assert_eq!(decode(&[131, 77, 0, 0, 0, 1, 9, 255]), Err(EtfError::BadBits));
    assert_eq!(decode(&[131, 116, 0, 0, 0, 2, 97, 1, 97, 1, 97, 1, 97, 2]), Err(EtfError::DuplicateKey));
    assert_eq!(decode(&[131, 105, 1, 0, 0, 0, 1, 1]), Err(EtfError::LargeTuple));
    assert_eq!(decode(&[131, 105, 0, 255, 0, 0, 1, 1]), Err(EtfError::Truncated));
    assert_eq!(decode(&[131, 101, 119, 1, b'a', 0, 4, 0, 0, 0]), Err(EtfError::BadIdentifier));
    assert_eq!(decode(&[131, 101, 119, 1, b'a', 0, 3, 0, 0, 4]), Err(EtfError::BadIdentifier));
    assert_eq!(decode(&[131, 113, 97, 1, 97, 1, 97, 1]), Err(EtfError::BadFun));
    let long = [&[131, 100, 1, 0][..], &[b'a'; 256]].concat();
    assert_eq!(decode(&long), Err(EtfError::LongAtom));
}
