//! Bitstrings: patterns over symbolic bits with symbolic sizes, and construction.

use crate::runs::exact;
use crate::{bits, distinct, everything, ints, singles};
use term::Term;

fn binaries(all: &[&[u8]]) -> Vec<Term> {
    all.iter().map(|bytes| bits(bytes, bytes.len() * 8)).collect()
}

fn case_of(pattern: &str, body: &str, inputs: &[Vec<Term>]) -> usize {
    let arity = inputs[0].len();
    let text = format!("(function f0 main {arity} exported (case (v0) (of ((bits {pattern})) {body}) (of (_) none)))");
    distinct(&exact(&text, inputs))
}

#[test]
fn integers_and_rests() {
    let inputs =
        [everything(), binaries(&[&[1, 2], &[1, 3, 4], &[255, 254], &[2, 0, 5, 6], &[7]]), vec![bits(&[1, 0x80], 9)]];
    let inputs = singles(inputs.concat());
    assert!(case_of("(integer 1 (times 8) 1 unsigned big) (bits v1 all 1 unsigned big)", "v1", &inputs) > 3);
    assert!(case_of("(integer v1 (times 8) 1 signed big) (bits v2 all 8 unsigned big)", "(tuple v1 v2)", &inputs) > 3);
    assert!(case_of("(integer v1 (times 16) 1 signed little)", "v1", &inputs) > 2);
    assert!(case_of("(integer _ (times 3) 1 unsigned big) (integer v1 (times 5) 1 unsigned big)", "v1", &inputs) > 2);
    assert!(case_of("", "empty", &inputs) == 2);
    let nested =
        "(case (v1) (of ((bits (integer 2 (times 8) 1 unsigned big) (bits v2 all 1 unsigned big))) v2) (of (_) v1))";
    assert!(case_of("(integer _ (times 8) 1 unsigned big) (bits v1 all 1 unsigned big)", nested, &inputs) > 3);
}

#[test]
fn sizes_from_the_bits_themselves_and_from_elsewhere() {
    let all = binaries(&[&[1, 2], &[0, 3, 4], &[2, 7, 7, 9], &[3, 1, 2], &[], &[1, 9, 8]]);
    let own = "(integer v1 (times 8) 1 unsigned big) (bits v2 (times v1) 8 unsigned big) (bits v3 all 8 unsigned big)";
    assert!(case_of(own, "(tuple v2 v3)", &singles(all.clone())) > 3);
    let given =
        "(integer v2 (times v1) 4 unsigned big) (integer v3 (times 8) 1 unsigned big) (bits _ all 1 unsigned big)";
    let sizes =
        [ints([0, 2, 4, -1]), vec![Term::atom("a"), Term::Float(2.0), Term::integer((1i128 << 80).into())]].concat();
    let inputs: Vec<Vec<Term>> =
        all.iter().flat_map(|bits| sizes.iter().map(move |size| vec![bits.clone(), size.clone()])).collect();
    assert!(case_of(given, "(tuple v2 v3)", &inputs) > 3);
}

#[test]
fn floats() {
    let floats = |value: f64| [value.to_be_bytes().to_vec(), value.to_le_bytes().to_vec()];
    let mut all: Vec<Term> = [1.0, -2.5, f64::INFINITY, f64::NAN, f64::MAX]
        .into_iter()
        .flat_map(floats)
        .map(|bytes| bits(&bytes, 64))
        .collect();
    all.extend(binaries(&[
        &[0x3f, 0x80, 0, 0],
        &[0x7f, 0x80, 0, 0],
        &[0, 0, 0x80, 0x7f],
        &[0, 0x3c],
        &[0x7c, 0],
        &[0, 0x7c],
    ]));
    for size in [16, 32, 64] {
        for endian in ["big", "little"] {
            let pattern = format!("(float v1 (times {size}) 1 unsigned {endian}) (bits _ all 1 unsigned big)");
            assert!(case_of(&pattern, "v1", &singles(all.clone())) > 2, "{pattern}");
        }
    }
    let inputs: Vec<Vec<Term>> =
        all.iter().flat_map(|bits| ints([0, 2, 4, 5]).into_iter().map(move |size| vec![bits.clone(), size])).collect();
    assert!(case_of("(float v2 (times v1) 16 unsigned big) (bits _ all 1 unsigned big)", "v2", &inputs) > 2);
}

#[test]
fn characters() {
    let texts = ["a", "é", "€", "𐍈", "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{ffff}", "\u{10ffff}", ""];
    let mut all: Vec<Term> = texts.iter().map(|text| bits(text.as_bytes(), text.len() * 8)).collect();
    all.extend(binaries(&[
        &[0xc0, 0x80],
        &[0xc3],
        &[0xe0, 0x80, 0x80],
        &[0xed, 0xa0, 0x80],
        &[0xf4, 0x90, 0x80, 0x80],
        &[0xf5],
        &[0x80],
        &[0xe2, 0x28, 0xa1],
        &[0xd8, 0, 0xdc, 0],
        &[0xd8, 0, 0, 0],
        &[0xdc, 0],
        &[0, 0, 0xd8, 0],
        &[0, 0x11, 0, 0],
        &[0, 0, 0, 97],
        &[97, 0, 0, 0],
    ]));
    for kind in ["utf8", "utf16", "utf32"] {
        for endian in ["big", "little"] {
            let pattern = format!("({kind} v1 encoded 1 unsigned {endian}) (bits v2 all 1 unsigned big)");
            assert!(case_of(&pattern, "(tuple v1 v2)", &singles(all.clone())) > 1, "{pattern}");
        }
    }
}

#[test]
fn construction() {
    let build = |segments: &str, inputs: &[Vec<Term>]| {
        let arity = inputs[0].len();
        // What was built is read again: its formula is asked.
        let body = format!(
            "(case ((bits {segments})) (of ((bits (integer 1 (times 8) 1 unsigned big) (bits v8 all 1 unsigned big))) (tuple one v8))
               (of ((as v9 _))  v9))"
        );
        distinct(&exact(&format!("(function f0 main {arity} exported {body})"), inputs))
    };
    let inputs = singles(everything());
    assert!(build("(integer v0 (times 8) 1 unsigned big)", &inputs) > 3);
    assert!(build("(integer 1 (times 8) 1 unsigned big) (integer v0 (times 20) 1 unsigned little)", &inputs) > 3);
    assert!(build("(bits v0 all 8 unsigned big) (integer 7 (times 8) 1 unsigned big)", &inputs) > 2);
    assert!(build("(bits v0 (times 4) 1 unsigned big)", &inputs) > 1);
    assert!(
        build("(integer 1 (times v0) 8 unsigned big)", &singles([ints([0, 1, 2, -1]), vec![Term::Nil]].concat())) > 3
    );
    let floats = [everything(), vec![Term::integer(term::BigInt::from(1) << 2000)]].concat();
    assert!(build("(float v0 (times 64) 1 unsigned big)", &singles(floats)) > 3);
    let codes =
        ints([0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xffff, 0x1_0000, 0x10_ffff, 0x11_0000, -1]);
    for kind in ["utf8", "utf16", "utf32"] {
        let inputs = singles([codes.clone(), vec![Term::atom("a"), Term::Float(1.0)]].concat());
        assert!(build(&format!("({kind} v0 encoded 1 unsigned big)"), &inputs) > 3, "{kind}");
    }
}
