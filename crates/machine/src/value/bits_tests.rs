//! Bitstrings against a model that has one `bool` per bit.

use super::bits::{BitBuilder, BitsRef, Endianness, INLINE};
use super::heap::{Buffer, Heap};
use super::segments::{Segment, SegmentError, push_segment, read_segment, segment_size};
use super::word::{Kind, Word};
use num_bigint::BigInt;
use program::{BitKind, Endian};
use proptest::prelude::*;

fn heap() -> Heap {
    Heap::new(64 << 20, |_, _| std::cmp::Ordering::Equal).unwrap()
}

type Model = Vec<bool>;

fn bytes_of(model: &[bool]) -> Vec<u8> {
    model
        .chunks(8)
        .map(|byte| (0..8).fold(0, |value, at| value << 1 | u8::from(*byte.get(at).unwrap_or(&false))))
        .collect()
}

fn number_of(model: &[bool]) -> u64 {
    model.iter().fold(0, |value, bit| value << 1 | u64::from(*bit))
}

fn model_of(bits: BitsRef<'_>) -> Model {
    (0..bits.len()).map(|at| bits.read(at, 1) == 1).collect()
}

/// The model as an integer: bit by bit, no shortcut.
fn integer_of(model: &[bool], signed: bool, endianness: Endianness) -> BigInt {
    let ordered: Model = match endianness {
        Endianness::Big => model.to_vec(),
        Endianness::Little => model.chunks(8).rev().flatten().copied().collect(),
    };
    let unsigned = ordered.iter().fold(BigInt::from(0), |value, bit| value * 2 + i32::from(*bit));
    if signed && ordered.first() == Some(&true) { unsigned - (BigInt::from(1) << ordered.len()) } else { unsigned }
}

/// The model with random bits before and behind it, and where it begins.
fn embedded() -> impl Strategy<Value = (Model, Vec<u8>, usize)> {
    (prop::collection::vec(any::<bool>(), 0..700), 0usize..19, prop::collection::vec(any::<bool>(), 0..30)).prop_map(
        |(model, offset, behind)| {
            let mut all: Model = (0..offset).map(|at| at % 3 != 1).collect();
            all.extend(&model);
            all.extend(behind);
            (model, bytes_of(&all), offset)
        },
    )
}

/// A bitstring on the heap of any representation: inline, a whole buffer, a part of one.
fn on_heap(heap: &mut Heap, bytes: &[u8], offset: usize, length: usize, padding: bool) -> Word {
    if !padding {
        return heap.bits(BitsRef::new(bytes, offset, length));
    }
    let mut builder = BitBuilder::default();
    builder.push_bytes(&[0xa5; 100]);
    builder.push(BitsRef::new(bytes, 0, offset + length));
    builder.push_bytes(&[0x5a; 100]);
    let whole = builder.finish(heap);
    heap.bits_part(whole, 800 + offset, length)
}

fn endians() -> impl Strategy<Value = (Endian, Endianness)> {
    prop_oneof![Just((Endian::Big, Endianness::Big)), Just((Endian::Little, Endianness::Little))]
}

fn segment(kind: BitKind, unit: u16, signed: bool, endian: Endian) -> Segment {
    Segment { kind, unit, signed, endian }
}

/// Nobody here holds other bits of the heap across an append.
fn append(heap: &mut Heap, word: Word, more: BitsRef<'_>) -> Word {
    // SAFETY: as above.
    unsafe { heap.bits_append(word, more) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn reading((model, bytes, offset) in embedded(), at in 0usize..700, count in 0usize..=64) {
        let bits = BitsRef::new(&bytes, offset, model.len());
        prop_assert_eq!(bits.to_bytes().into_owned(), bytes_of(&model));
        prop_assert_eq!(bits.chunks().collect::<Vec<_>>(), model.chunks(64).map(number_of).collect::<Vec<_>>());
        let at = at.min(model.len());
        let count = count.min(model.len() - at);
        prop_assert_eq!(bits.read(at, count), number_of(&model[at..at + count]));
        prop_assert_eq!(model_of(bits.part(at, count)), model[at..at + count].to_vec());
    }

    #[test]
    fn every_representation_is_equal((model, bytes, offset) in embedded(), other_offset in 0usize..9, change in any::<prop::sample::Index>()) {
        let mut heap = heap();
        let plain = on_heap(&mut heap, &bytes, offset, model.len(), false);
        let part = on_heap(&mut heap, &bytes, offset, model.len(), true);
        let mut shifted = BitBuilder::default();
        shifted.push_number(0x155, other_offset);
        for bit in &model {
            shifted.push_number(u64::from(*bit), 1);
        }
        let shifted = shifted.as_ref().part(other_offset, model.len());
        let (a, b) = (plain.as_bits().unwrap(), part.as_bits().unwrap());
        prop_assert!(a == b && a == shifted && b == shifted);
        prop_assert!(super::equal::identical(plain, part));
        prop_assert_eq!(super::equal::hash(plain), super::equal::hash(part));
        prop_assert_eq!(model_of(a), model.clone());
        if !model.is_empty() {
            let mut other = model;
            let at = change.index(other.len());
            other[at] = !other[at];
            let other = heap.bits(BitsRef::new(&bytes_of(&other), 0, other.len()));
            let other = other.as_bits().unwrap();
            prop_assert!(a != other && b != other && other != shifted);
        }
    }

    #[test]
    fn pushing_at_every_alignment(parts in prop::collection::vec((embedded(), any::<bool>()), 0..6)) {
        let mut heap = heap();
        let mut expected = Model::new();
        let mut builder = BitBuilder::default();
        let mut appended = heap.binary(&[]);
        let mut before: Vec<(Word, usize)> = Vec::new();
        for ((model, bytes, offset), padding) in &parts {
            let word = on_heap(&mut heap, bytes, *offset, model.len(), *padding);
            expected.extend(model);
            builder.push(word.as_bits().unwrap());
            appended = append(&mut heap, appended, word.as_bits().unwrap());
            before.push((appended, expected.len()));
        }
        prop_assert_eq!(model_of(builder.as_ref()), expected.clone());
        prop_assert_eq!(builder.as_ref().to_bytes().len(), expected.len().div_ceil(8));
        let built = builder.finish(&mut heap);
        prop_assert_eq!(model_of(built.as_bits().unwrap()), expected.clone());
        // What was there before an append is as it was.
        for (word, length) in before {
            prop_assert_eq!(model_of(word.as_bits().unwrap()), expected[..length].to_vec());
        }
    }

    #[test]
    fn two_appends_to_one_bitstring_do_not_meet((model, bytes, offset) in embedded(), x in prop::collection::vec(any::<bool>(), 1..99), y in prop::collection::vec(any::<bool>(), 1..99)) {
        let mut heap = heap();
        let start = on_heap(&mut heap, &bytes, offset, model.len(), false);
        let (x_bytes, y_bytes) = (bytes_of(&x), bytes_of(&y));
        let first = append(&mut heap, start, BitsRef::new(&x_bytes, 0, x.len()));
        let second = append(&mut heap, start, BitsRef::new(&y_bytes, 0, y.len()));
        let doubled = append(&mut heap, first, first.as_bits().unwrap());
        let both = |a: &Model, b: &Model| [a.clone(), b.clone()].concat();
        prop_assert_eq!(model_of(start.as_bits().unwrap()), model.clone());
        prop_assert_eq!(model_of(first.as_bits().unwrap()), both(&model, &x));
        prop_assert_eq!(model_of(second.as_bits().unwrap()), both(&model, &y));
        let once = both(&model, &x);
        prop_assert_eq!(model_of(doubled.as_bits().unwrap()), both(&once, &once));
    }

    #[test]
    fn integers_are_read((model, bytes, offset) in embedded(), size in 0usize..300, at in 0usize..40, signed: bool, (endian, endianness) in endians(), padding: bool) {
        let mut heap = heap();
        let whole = on_heap(&mut heap, &bytes, offset, model.len(), padding);
        let read = read_segment(&mut heap, whole, at, Some(size), segment(BitKind::Integer, 1, signed, endian));
        if at + size > model.len() {
            prop_assert!(read.is_none());
        } else {
            let (value, next) = read.unwrap();
            prop_assert_eq!(next, at + size);
            prop_assert_eq!(value.as_bigint().unwrap(), integer_of(&model[at..at + size], signed, endianness));
        }
    }

    #[test]
    fn integers_are_written(magnitude in prop::collection::vec(any::<u32>(), 0..9), negative: bool, size in 0usize..300, before in 0usize..9, (endian, endianness) in endians()) {
        let mut heap = heap();
        let value = BigInt::from_biguint(if negative { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus }, num_bigint::BigUint::new(magnitude));
        let word = heap.big(&value);
        let mut builder = BitBuilder::default();
        builder.push_number(0, before);
        push_segment(&heap, &mut builder, word, Some(size), segment(BitKind::Integer, 1, false, endian)).unwrap();
        let model = model_of(builder.as_ref());
        prop_assert_eq!(model.len(), before + size);
        prop_assert!(model[..before].iter().all(|bit| !bit));
        let modulus = BigInt::from(1) << size;
        let expected = ((&value % &modulus) + &modulus) % &modulus;
        prop_assert_eq!(integer_of(&model[before..], false, endianness), expected);
    }

    #[test]
    fn parts_are_read_and_written((model, bytes, offset) in embedded(), at in 0usize..80, size in prop::option::of(0usize..700), unit in 1u16..17, padding: bool) {
        let mut heap = heap();
        let whole = on_heap(&mut heap, &bytes, offset, model.len(), padding);
        let spec = segment(BitKind::Bits, unit, false, Endian::Big);
        let read = read_segment(&mut heap, whole, at, size, spec);
        let left = model.len().checked_sub(at);
        let length = match size {
            Some(size) => left.filter(|left| size <= *left).map(|_| size),
            None => left.filter(|left| left % usize::from(unit) == 0),
        };
        match length {
            None => prop_assert!(read.is_none()),
            Some(length) => {
                let (part, next) = read.unwrap();
                prop_assert_eq!(next, at + length);
                prop_assert_eq!(model_of(part.as_bits().unwrap()), model[at..at + length].to_vec());
            }
        }
        let mut builder = BitBuilder::default();
        builder.push_number(1, 3);
        let pushed = push_segment(&heap, &mut builder, whole, size, spec);
        let length = match size {
            Some(size) => (size <= model.len()).then_some(size),
            None => (model.len() % usize::from(unit) == 0).then_some(model.len()),
        };
        match length {
            None => prop_assert_eq!(pushed, Err(SegmentError::BadValue)),
            Some(length) => prop_assert_eq!(model_of(builder.as_ref())[3..].to_vec(), model[..length].to_vec()),
        }
    }

    #[test]
    fn doubles_survive(value in any::<f64>(), before in 0usize..9, (endian, _) in endians()) {
        let mut heap = heap();
        let spec = segment(BitKind::Float, 1, false, endian);
        let mut builder = BitBuilder::default();
        builder.push_number(0, before);
        let word = heap.float(value);
        push_segment(&heap, &mut builder, word, Some(64), spec).unwrap();
        let bits = builder.finish(&mut heap);
        match read_segment(&mut heap, bits, before, Some(64), spec) {
            None => prop_assert!(!value.is_finite()),
            Some((read, next)) => {
                prop_assert_eq!(next, before + 64);
                prop_assert_eq!(read.as_float().map(f64::to_bits), Some(value.to_bits()));
            }
        }
    }

    #[test]
    fn code_points(code in 0u32..0x11_1000, before in 0usize..9, (endian, endianness) in endians(), kind in 0usize..3) {
        let kind = [BitKind::Utf8, BitKind::Utf16, BitKind::Utf32][kind];
        let mut heap = heap();
        let spec = segment(kind, 1, false, endian);
        let mut builder = BitBuilder::default();
        builder.push_number(0, before);
        let pushed = push_segment(&heap, &mut builder, Word::small(i64::from(code)), None, spec);
        let Some(valid) = char::from_u32(code) else {
            prop_assert_eq!(pushed, Err(SegmentError::BadValue));
            return Ok(());
        };
        let text = String::from(valid);
        let bytes: Vec<u8> = match (kind, endianness) {
            (BitKind::Utf8, _) => text.bytes().collect(),
            (BitKind::Utf16, Endianness::Big) => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            (BitKind::Utf16, Endianness::Little) => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            (_, Endianness::Big) => code.to_be_bytes().to_vec(),
            (_, Endianness::Little) => code.to_le_bytes().to_vec(),
        };
        prop_assert_eq!(builder.as_ref().part(before, bytes.len() * 8).to_bytes().into_owned(), bytes);
        builder.push_number(0x7f, 7);
        let length = builder.len() - before - 7;
        let bits = builder.finish(&mut heap);
        prop_assert_eq!(read_segment(&mut heap, bits, before, None, spec), Some((Word::small(i64::from(code)), before + length)));
    }

    #[test]
    fn utf8_is_read_as_the_standard_library_does(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80u8..0xc0, 0xe0u8..0xf8], 0..6)) {
        let mut heap = heap();
        let bits = heap.binary(&bytes);
        let read = read_segment(&mut heap, bits, 0, None, segment(BitKind::Utf8, 1, false, Endian::Big));
        let expected = (1..=bytes.len().min(4)).find_map(|length| {
            let text = std::str::from_utf8(&bytes[..length]).ok()?;
            text.chars().next().map(|code| (Word::small(i64::from(u32::from(code))), length * 8))
        });
        prop_assert_eq!(read, expected);
    }
}

/// The right-hand sides are OTP 25's.
#[test]
fn floats_of_fewer_bits() {
    let mut heap = heap();
    let spec = segment(BitKind::Float, 1, false, Endian::Big);
    let (huge, too_huge) = (BigInt::from(1) << 1023, BigInt::from(1) << 1024);
    let (huge, too_huge, word) = (heap.big(&huge), heap.big(&too_huge), heap.float(3.402_823_567_797_336_6e38));
    let half = heap.float(0.1);
    let cases: &[(Word, usize, Option<&[u8]>)] = &[
        (word, 32, Some(&[127, 128, 0, 0])),
        (half, 16, Some(b".f")),
        (half, 8, None),
        (half, 0, None),
        (Word::small(1), 16, Some(&[60, 0])),
        (huge, 64, Some(&[127, 224, 0, 0, 0, 0, 0, 0])),
        (huge, 32, Some(&[127, 128, 0, 0])),
        (too_huge, 64, None),
        (too_huge, 16, None),
        (Word::NIL, 64, None),
    ];
    for (value, size, expected) in cases {
        let mut builder = BitBuilder::default();
        let pushed = push_segment(&heap, &mut builder, *value, Some(*size), spec);
        match expected {
            Some(bytes) => assert_eq!(&*builder.as_ref().to_bytes(), *bytes),
            None => assert_eq!(pushed, Err(SegmentError::BadValue)),
        }
    }
    for (bytes, size, expected) in [
        (&[0u8, 1][..], 16, Some(5.960_464_477_539_063e-8)),
        (&[0x7c, 0], 16, None),
        (&[0x7b, 0xff], 16, Some(65504.0)),
        (&[0x7f, 0x80, 0, 0], 32, None),
        (&[0, 0, 0, 1], 32, Some(1.401_298_464_324_817e-45)),
        (&[0, 0, 0, 1], 0, Some(0.0)),
        (&[0, 0, 0, 1], 8, None),
        (&[0x7f, 0xf0, 0, 0, 0, 0, 0, 0], 64, None),
    ] {
        let bits = heap.binary(bytes);
        let read = read_segment(&mut heap, bits, 0, Some(size), spec);
        assert_eq!(read.and_then(|(value, _)| value.as_float()), expected, "{bytes:?}:{size}");
    }
}

#[test]
fn sizes() {
    let mut heap = heap();
    let (long, negative) = (heap.integer(i64::MAX), heap.integer(i64::MIN));
    assert_eq!(segment_size(Word::small(3), 8), Ok(24));
    assert_eq!(segment_size(Word::small(0), 256), Ok(0));
    assert_eq!(segment_size(Word::small(-1), 8), Err(SegmentError::BadValue));
    assert_eq!(segment_size(Word::small(1 << 60), 8), Err(SegmentError::TooLong));
    assert_eq!(segment_size(Word::small(1 << 60), 256), Err(SegmentError::TooLong));
    assert_eq!(segment_size(long, 1), Err(SegmentError::TooLong));
    assert_eq!(segment_size(negative, 1), Err(SegmentError::BadValue));
    assert_eq!(segment_size(Word::NIL, 1), Err(SegmentError::BadValue));
}

#[test]
fn appending_byte_by_byte_costs_a_constant() {
    let mut heap = heap();
    let mut word = heap.binary(&[]);
    let mut moves = 0;
    let mut last = std::ptr::null();
    const COUNT: usize = 200_000;
    for at in 0..COUNT {
        word = append(&mut heap, word, BitsRef::new(&[at as u8], 0, 8));
        if word.is_kind(Kind::BitsSlice) {
            // SAFETY: the buffer of a slice lives as long as the heap that nobody collects.
            let buffer = unsafe { &*(word.raw(2) as *const Buffer) };
            assert!(buffer.bytes.capacity() <= 2 * (at + 1) + 256, "{} for {at}", buffer.bytes.capacity());
            if buffer.bytes.as_ptr() != last {
                moves += 1;
                last = buffer.bytes.as_ptr();
            }
        }
    }
    assert!(moves < 30, "{moves} moves");
    let bits = word.as_bits().unwrap();
    assert_eq!(bits.len(), COUNT * 8);
    assert!(bits.to_bytes().iter().enumerate().all(|(at, byte)| *byte == at as u8));
    // Memory is counted: at most the buffer that is left and what its predecessors had.
    assert!(heap.used_bytes() < 16 * COUNT * 8);
}

#[test]
fn a_short_bitstring_lies_on_the_heap_and_a_long_one_beside_it() {
    let mut heap = heap();
    assert!(heap.binary(&[1; INLINE]).is_kind(Kind::Bits));
    let long = heap.binary(&[1; INLINE + 1]);
    assert!(long.is_kind(Kind::BitsSlice));
    assert!(heap.bits_part(long, 3, 400).is_kind(Kind::BitsSlice));
    assert!(heap.bits_part(long, 3, 100).is_kind(Kind::Bits));
}

#[test]
fn a_segment_beyond_the_budget_ends_the_run() {
    let heap = heap();
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut builder = BitBuilder::default();
        push_segment(
            &heap,
            &mut builder,
            Word::small(0),
            Some(1 << 50),
            segment(BitKind::Integer, 1, false, Endian::Big),
        )
    }));
    assert!(outcome.is_err_and(|payload| payload.is::<super::heap::MemoryExhausted>()));
}

/// The right-hand sides are OTP 25's: long integers are rounded limb by limb, and again for a short float.
#[test]
fn integers_as_floats() {
    let mut heap = heap();
    let spec = segment(BitKind::Float, 1, false, Endian::Big);
    let power = |exponent: u32| BigInt::from(1) << exponent;
    for (value, size, expected) in [
        (power(54) + power(30) + 1, 32, 1_518_338_049),
        (power(60) + power(36) + 1, 32, 1_568_669_696),
        (-power(58) - power(34) - 1, 32, 3_699_376_129),
        (power(64) + power(11) + 1, 64, 4_895_412_794_951_729_153),
        (power(128) + power(75) + power(11), 64, 5_183_643_171_103_440_896),
        (power(200) - 1, 64, 5_507_902_344_274_116_608),
    ] {
        let word = heap.big(&value);
        let mut builder = BitBuilder::default();
        push_segment(&heap, &mut builder, word, Some(size), spec).unwrap();
        assert_eq!(builder.as_ref().read(0, size), expected, "{value}:{size}");
    }
}
