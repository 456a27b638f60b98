//! Hashes that programs can see: `phash`, `phash2` and the checksums of bytes.

mod md5;
mod portable;

use super::{badarg, rows, seen};
use crate::runtime::ErlangState;
use machine::value::identical;
use machine::{Context, Escape, Primitive, Word};
use path::Concretised;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Arguments;
    "phash" (Any, Any) -> Positive by Identities Code, badarg, phash, Meaning::Opaque(&[Moved, Deep]);
    "phash2" (Any) -> NonNegative by Identities Code, badarg, phash2, SampledWithin(meaning::always, meaning::bits_27);
    "phash2" (Any, Any) -> NonNegative by Identities Code, badarg, phash2_in_range, SampledWithin(meaning::has_range, meaning::below_range);
    "crc32" (Any) -> NonNegative, badarg, crc32, SampledWithin(meaning::is_bytes, meaning::bits_32);
    "crc32" (Any, Any) -> NonNegative, badarg, crc32_continued, Sampled;
    "crc32_combine" (Any, Any, Any) -> NonNegative, badarg, crc32_combine, Sampled;
    "adler32" (Any) -> NonNegative, badarg, adler32, SampledWithin(meaning::is_bytes, meaning::bits_32);
    "adler32" (Any, Any) -> NonNegative, badarg, adler32_continued, Sampled;
    "adler32_combine" (Any, Any, Any) -> NonNegative, badarg, adler32_combine, Sampled;
    "md5" (Any) -> Binary, badarg, md5, SampledWhere(meaning::is_bytes);
    "md5_init" () -> Binary from System, badarg, md5_init, Sampled;
    "md5_update" (Binary, Any) -> Binary from System, badarg, md5_update, Sampled;
    "md5_final" (Binary) -> Binary by Platform, badarg, md5_final, Sampled;
}];

/// Reads a range from 1 to 2^32.
fn range(word: Word) -> Option<u64> {
    word.as_i64().filter(|range| (1..=1 << 32).contains(range)).map(|range| range as u64)
}

/// The maximum number of terms that are compared with each other before they are hashed.
const MOST_HASHED: usize = 64;

/// Returns the term without shadows. Its hash is known for this value only. But whether it equals one of the terms that
/// were hashed before becomes a decision, so that a lookup in a table of hashes finds entries correctly. OTP's own
/// containers use the hash as a position: following the hash there is worth less than knowing which keys are the same.
fn hashed(context: &mut Context, term: Word) -> Word {
    if !context.heap.has_shadows() {
        return term;
    }
    let before = ErlangState::of(context).hashed.clone();
    context.decide_key_among(term, &before);
    if before.len() < MOST_HASHED && !before.iter().any(|other| identical(*other, term)) {
        ErlangState::of(context).hashed.push(term);
    }
    if context.heap.is_shadowed(term) {
        context.lose(Concretised::Hash);
    }
    context.heap.without_shadows(term)
}

fn phash(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let term = hashed(context, args[0]);
    seen::numbers(context, term);
    match range(args[1]) {
        Some(range) => Ok(Word::small((u64::from(portable::phash(term)) % range + 1) as i64)),
        None => Err(badarg(context, args)),
    }
}

fn phash2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    seen::numbers(context, args[0]);
    Ok(Word::small(i64::from(portable::phash2(args[0]) & ((1 << 27) - 1))))
}

fn phash2_in_range(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    seen::numbers(context, args[0]);
    match range(args[1]) {
        Some(range) => Ok(Word::small((u64::from(portable::phash2(args[0])) % range) as i64)),
        None => Err(badarg(context, args)),
    }
}

fn crc32(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    crc32_continued(context, &[Word::small(0), args[0]])
}

fn crc32_continued(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(start), Some(bytes)) = (as_u32(args[0]), iodata(context, args[1])?) else {
        return Err(badarg(context, args));
    };
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(&bytes);
    Ok(Word::small(i64::from(hasher.finalize())))
}

fn crc32_combine(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(first), Some(second), Some(length)) = (as_u32(args[0]), as_u32(args[1]), as_u32(args[2])) else {
        return Err(badarg(context, args));
    };
    // If the length is zero, zlib still combines the sums.
    if length == 0 {
        return Ok(Word::small(i64::from(first ^ second)));
    }
    let mut hasher = crc32fast::Hasher::new_with_initial(first);
    hasher.combine(&crc32fast::Hasher::new_with_initial_len(second, u64::from(length)));
    Ok(Word::small(i64::from(hasher.finalize())))
}

const ADLER_BASE: u64 = 65_521;

fn adler32(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    adler32_continued(context, &[Word::small(1), args[0]])
}

fn adler32_continued(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    /// The number of bytes that can be summed before the sums must be reduced.
    const BLOCK: usize = 5_552;
    let (Some(start), Some(bytes)) = (as_u32(args[0]), iodata(context, args[1])?) else {
        return Err(badarg(context, args));
    };
    let (mut low, mut high) = (u64::from(start & 0xffff), u64::from(start >> 16));
    for block in bytes.chunks(BLOCK) {
        for byte in block {
            low += u64::from(*byte);
            high += low;
        }
        low %= ADLER_BASE;
        high %= ADLER_BASE;
    }
    Ok(Word::small((high << 16 | low) as i64))
}

fn adler32_combine(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(first), Some(second), Some(length)) = (as_u32(args[0]), as_u32(args[1]), as_u32(args[2])) else {
        return Err(badarg(context, args));
    };
    if length == 0 {
        return Ok(args[0]);
    }
    let parts = |sum: u32| (u64::from(sum & 0xffff), u64::from(sum >> 16));
    let ((low, high), (more_low, more_high)) = (parts(first), parts(second));
    let length = u64::from(length) % ADLER_BASE;
    let new_low = (low + more_low + ADLER_BASE - 1) % ADLER_BASE;
    let new_high = (length * low + high + more_high + ADLER_BASE - length) % ADLER_BASE;
    Ok(Word::small((new_high << 16 | new_low) as i64))
}

fn as_u32(word: Word) -> Option<u32> {
    word.as_i64().and_then(|value| u32::try_from(value).ok())
}

fn md5(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(bytes) = iodata(context, args[0])? else { return Err(badarg(context, args)) };
    let mut state = md5::Md5::default();
    state.update(&bytes);
    Ok(context.heap.binary(&state.finish()))
}

fn md5_init(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.binary(&md5::Md5::default().to_bytes()))
}

fn md5_update(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match (md5_state(args[0]), iodata(context, args[1])?) {
        (Some(mut state), Some(bytes)) => {
            state.update(&bytes);
            Ok(context.heap.binary(&state.to_bytes()))
        }
        _ => Err(badarg(context, args)),
    }
}

fn md5_final(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match md5_state(args[0]) {
        Some(state) => Ok(context.heap.binary(&state.finish())),
        None => Err(badarg(context, args)),
    }
}

fn md5_state(word: Word) -> Option<md5::Md5> {
    md5::Md5::of_bytes(&word.as_bits()?.to_bytes())
}

/// Returns the bytes of a binary or of a list of bytes, binaries and such lists; `None` for anything else.
fn iodata(context: &mut Context, word: Word) -> Result<Option<Vec<u8>>, Escape> {
    let mut bytes = Vec::new();
    let mut open = vec![word];
    // A byte is allowed only as an item of a list, not as a tail or alone.
    while let Some(word) = open.pop() {
        term::work::tick();
        let mut rest = word.concrete();
        while rest.is_cons() {
            let item = rest.head().concrete();
            match item.as_small() {
                Some(byte) => match u8::try_from(byte) {
                    Ok(byte) => bytes.push(byte),
                    Err(_) => return Ok(None),
                },
                None if item.is_cons() => {
                    open.push(rest.tail());
                    rest = item;
                    continue;
                }
                None if item.is_nil() => {}
                None => {
                    if !append_binary(context, &mut bytes, item) {
                        return Ok(None);
                    }
                }
            }
            rest = rest.tail().concrete();
        }
        if !rest.is_nil() && !append_binary(context, &mut bytes, rest) {
            return Ok(None);
        }
    }
    context.charge(bytes.len() / 16)?;
    Ok(Some(bytes))
}

fn append_binary(context: &Context, bytes: &mut Vec<u8>, word: Word) -> bool {
    match word.as_bits() {
        Some(bits) if bits.is_binary() => {
            context.heap.ensure_buffer_room(bytes.len() + bits.len() / 8);
            bytes.extend_from_slice(&bits.to_bytes());
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{Call, agree, everything, grid, integers, power};
    use term::Term;

    /// Returns values whose hashes are comparable: the BEAM has other pids and references.
    fn values() -> Vec<Term> {
        let mut values: Vec<Term> =
            everything().into_iter().filter(|term| !matches!(term, Term::Pid(_) | Term::Reference(_))).collect();
        for length in 0..30 {
            values.push(Term::binary((0..length).collect::<Vec<u8>>()));
            values.push(Term::list((0..length).map(|byte| Term::Int(i64::from(byte))).collect::<Vec<_>>()));
            values.push(Term::tuple(vec![Term::atom("x"); length as usize]));
            values.push(Term::Bits(term::Bits::new(vec![0xa5; length as usize + 1], usize::from(length) * 8 + 5)));
        }
        let large = (0..50).map(|key| (Term::Int(key), Term::list(vec![Term::Int(key), Term::atom("v")]))).collect();
        values.push(Term::Map(large));
        values.push(Term::list(vec![Term::tuple(values.clone()), Term::list(values.clone()), Term::Nil]));
        values.push(Term::list_with_tail(vec![Term::Int(1), Term::atom("a"), Term::Int(2)], Term::Int(3)));
        values.extend([134_217_727, 134_217_728, -134_217_728, -134_217_729, i64::from(u32::MAX)].map(Term::Int));
        values
    }

    #[test]
    fn hashes_of_terms() {
        let mut calls = grid("erlang", &[("phash2", 1)], &values());
        for range in [Term::Int(1), Term::Int(1000), power(2, 32, 0), power(2, 32, -1)] {
            for value in values() {
                for function in ["phash", "phash2"] {
                    calls.push(Call { module: "erlang", function, args: vec![value.clone(), range.clone()] });
                }
            }
        }
        let ranges: Vec<Term> = everything();
        for range in ranges {
            for function in ["phash", "phash2"] {
                calls.push(Call { module: "erlang", function, args: vec![Term::atom("a"), range.clone()] });
            }
        }
        agree(&calls);
    }

    #[test]
    fn checksums() {
        let mut calls = grid("erlang", &[("crc32", 1), ("adler32", 1), ("md5", 1)], &values());
        let nested = Term::list_with_tail(
            vec![Term::string("ab"), Term::list(vec![Term::binary(b"cd".to_vec()), Term::Nil]), Term::Int(255)],
            Term::binary(vec![9; 200]),
        );
        calls.extend(grid("erlang", &[("crc32", 1), ("adler32", 1), ("md5", 1)], std::slice::from_ref(&nested)));
        for start in integers() {
            for function in ["crc32", "adler32"] {
                calls.push(Call { module: "erlang", function, args: vec![start.clone(), nested.clone()] });
            }
        }
        let some = [0, 1, 5, 1000, 0x1234_5678, 0x00ff_00ff, 1 << 40, -1].map(Term::Int);
        calls.extend(grid("erlang", &[("crc32_combine", 3)], &some));
        // Sums beyond the base are not Adler sums, and zlib's results for them are arbitrary.
        calls.extend(grid("erlang", &[("adler32_combine", 3)], &some));
        agree(&calls);
    }

    #[test]
    fn md5_in_steps() {
        let mut context = crate::bifs::testing::context();
        let find = |name: &str, arity| crate::bifs::find(term::names::ERLANG, term::Atom::new(name), arity).unwrap();
        let data: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let whole = context.heap.binary(&data);
        let expected = find("md5", 1).apply(&mut context, &[whole]).unwrap();
        let mut state = find("md5_init", 0).apply(&mut context, &[]).unwrap();
        for chunk in data.chunks(37) {
            let chunk = context.heap.binary(chunk);
            state = find("md5_update", 2).apply(&mut context, &[state, chunk]).unwrap();
        }
        let result = find("md5_final", 1).apply(&mut context, &[state]).unwrap();
        assert!(machine::value::identical(result, expected));
        assert_eq!(state.as_bits().map(|bits| bits.len()), Some(88 * 8));
    }
}
