//! Searching for one or several patterns. If several match, the match that begins first counts, and of those that begin
//! at the same position the longest. Matches do not overlap.

use super::{contents, range, whole_bytes};
use crate::bifs::{badarg, rows};
use crate::otp;
use crate::runtime::ErlangState;
use machine::{Context, Escape, Kind, Primitive, Word, World};
use std::borrow::Cow;
use term::{Atom, names};

pub(super) const BINARY: &[Primitive] = rows! {"binary" by Arguments;
    "compile_pattern" (Any) -> Tuple,                badarg, compile_pattern, Opaque;
    "match"           (Binary, Any) -> Any,          badarg, match_2,         Prelude("binary_match");
    "match"           (Binary, Any, List) -> Any,    badarg, match_3,         Prelude("binary_match");
    "matches"         (Binary, Any) -> ProperList,   badarg, matches_2,       Prelude("binary_matches");
    "matches"         (Binary, Any, List) -> ProperList, badarg, matches_3,   Prelude("binary_matches");
    "split"           (Binary, Any) -> ProperList,   badarg, split_2,         Prelude("binary_split");
    "split"           (Binary, Any, List) -> ProperList, badarg, split_3,     Prelude("binary_split");
};

/// Returns a reference to the pattern, which the run's state keeps: a program cannot forge one.
fn compile_pattern(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let patterns = patterns_of(context, args[0])?;
    let tag = if patterns.len() == 1 { BOYER_MOORE } else { AHO_CORASICK };
    let number = World::reference_number(&mut context.process);
    ErlangState::of(context).patterns.insert(number, args[0]);
    let reference = context.heap.identity(Kind::Reference, number);
    Ok(context.heap.tuple(&[Word::atom(Atom::new(tag)), reference]))
}

const BOYER_MOORE: &str = "bm";
const AHO_CORASICK: &str = "ac";

fn match_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let scope = whole_scope(args[0]);
    first_match(context, args, scope)
}

fn match_3(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let scope = match_scope(context, args[0], args[2])?;
    first_match(context, args, scope)
}

fn first_match(context: &mut Context, args: &[Word], scope: Section) -> Result<Word, Escape> {
    match search(context, args[0], args[1], scope, Many::First)?[..] {
        [] => Ok(Word::atom(Atom::new("nomatch"))),
        [found, ..] => Ok(pair(context, found)),
    }
}

fn matches_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let scope = whole_scope(args[0]);
    all_matches(context, args, scope)
}

fn matches_3(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let scope = match_scope(context, args[0], args[2])?;
    all_matches(context, args, scope)
}

fn all_matches(context: &mut Context, args: &[Word], scope: Section) -> Result<Word, Escape> {
    let found = search(context, args[0], args[1], scope, Many::All)?;
    let pairs: Vec<Word> = found.into_iter().map(|found| pair(context, found)).collect();
    Ok(context.heap.list(&pairs, Word::NIL))
}

fn pair(context: &mut Context, found: Found) -> Word {
    context.heap.tuple(&[Word::small(found.at as i64), Word::small(found.length as i64)])
}

fn split_2(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let options = SplitOptions { scope: whole_scope(args[0]), many: Many::First, trim: false, trim_all: false };
    split(context, args, options)
}

fn split_3(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let options = split_options(context, args[0], args[2])?;
    split(context, args, options)
}

/// Splits a binary at the matches. The pieces are built from the last to the first, so that empty pieces at the end can
/// be recognised.
fn split(context: &mut Context, args: &[Word], options: SplitOptions) -> Result<Word, Escape> {
    let found = search(context, args[0], args[1], options.scope, options.many)?;
    let size = whole_bytes(contents(&args[0]));
    let mut trim = options.trim || options.trim_all;
    let mut result = Word::NIL;
    let mut end = size;
    let starts = found.iter().rev().map(|found| (found.at + found.length, found.at)).chain([(0, 0)]);
    for (start, next_end) in starts {
        if !(start == end && trim) {
            let piece = context.heap.bits_part(args[0], start * 8, (end - start) * 8);
            result = context.heap.cons(piece, result);
            trim = options.trim_all;
        }
        end = next_end;
    }
    Ok(result)
}

#[derive(Clone, Copy)]
enum Many {
    First,
    All,
}

#[derive(Clone, Copy)]
struct Section {
    start: usize,
    end: usize,
}

#[derive(Clone, Copy)]
struct Found {
    at: usize,
    length: usize,
}

struct SplitOptions {
    scope: Section,
    many: Many,
    trim: bool,
    trim_all: bool,
}

fn whole_scope(binary: Word) -> Section {
    Section { start: 0, end: whole_bytes(contents(&binary)) }
}

/// Reads the options of a match. If several scopes are given, the last one counts, but all must be valid. The tail of
/// an improper list is not examined.
fn match_scope(context: &mut Context, binary: Word, options: Word) -> Result<Section, Escape> {
    let mut scope = whole_scope(binary);
    let mut rest = options;
    while rest.is_cons() {
        context.charge(1)?;
        scope = scope_option(binary, rest.head().concrete()).ok_or_else(|| context.error(names::BADARG))?;
        rest = rest.tail().concrete();
    }
    Ok(scope)
}

fn split_options(context: &mut Context, binary: Word, options: Word) -> Result<SplitOptions, Escape> {
    let mut result = SplitOptions { scope: whole_scope(binary), many: Many::First, trim: false, trim_all: false };
    let mut rest = options;
    while rest.is_cons() {
        context.charge(1)?;
        let option = rest.head().concrete();
        match option.as_atom().map(Atom::text) {
            Some("global") => result.many = Many::All,
            Some("trim") => result.trim = true,
            Some("trim_all") => result.trim_all = true,
            Some(_) | None => {
                result.scope = scope_option(binary, option).ok_or_else(|| context.error(names::BADARG))?;
            }
        }
        rest = rest.tail().concrete();
    }
    Ok(result)
}

/// Reads the option `{scope, {Position, Length}}`.
fn scope_option(binary: Word, option: Word) -> Option<Section> {
    let &[tag, part] = option.as_tuple()? else { return None };
    let &[at, length] = part.concrete().as_tuple()? else { return None };
    if tag.concrete().as_atom().map(Atom::text) != Some("scope") {
        return None;
    }
    let (start, count) = range(at, length, whole_bytes(contents(&binary)))?;
    Some(Section { start, end: start + count })
}

/// Searches a scope for a pattern. A scope that ends at the beginning of the binary contains no match; older releases
/// do not even check the pattern then.
fn search(
    context: &mut Context,
    binary: Word,
    pattern: Word,
    scope: Section,
    many: Many,
) -> Result<Vec<Found>, Escape> {
    if scope.end == 0 && !otp::has_strict_binaries() {
        return Ok(Vec::new());
    }
    let patterns = patterns_of(context, pattern)?;
    let patterns: Vec<Cow<'_, [u8]>> = patterns.iter().map(|pattern| contents(pattern).to_bytes()).collect();
    let bytes = contents(&binary).to_bytes();
    let Section { start, end } = scope;
    context.charge((end - start) / 64)?;
    match &patterns[..] {
        [only] => find_one(context, &bytes[..end], start, only, many),
        several => find_several(context, &bytes[..end], start, several, many),
    }
}

fn find_one(
    context: &mut Context,
    bytes: &[u8],
    start: usize,
    pattern: &[u8],
    many: Many,
) -> Result<Vec<Found>, Escape> {
    let mut result = Vec::new();
    for at in memchr::memmem::find_iter(&bytes[start..], pattern) {
        context.charge(1)?;
        result.push(Found { at: start + at, length: pattern.len() });
        match many {
            Many::First => break,
            Many::All => {}
        }
    }
    Ok(result)
}

fn find_several(
    context: &mut Context,
    bytes: &[u8],
    start: usize,
    patterns: &[Cow<'_, [u8]>],
    many: Many,
) -> Result<Vec<Found>, Escape> {
    // Patterns by first byte, the longest first: each position is compared only with patterns that may begin there.
    let mut by_first: Vec<Vec<&[u8]>> = vec![Vec::new(); 256];
    for pattern in patterns {
        if let Some(first) = pattern.first() {
            by_first[usize::from(*first)].push(pattern);
        }
    }
    for group in &mut by_first {
        group.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        group.dedup();
    }
    let mut result = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        let group = &by_first[usize::from(bytes[at])];
        context.charge(group.len() / 4)?;
        match group.iter().find(|pattern| bytes[at..].starts_with(pattern)) {
            Some(pattern) => {
                context.charge(1)?;
                result.push(Found { at, length: pattern.len() });
                at += pattern.len();
                match many {
                    Many::First => break,
                    Many::All => {}
                }
            }
            None => at += 1,
        }
    }
    Ok(result)
}

/// Returns the patterns of an argument that is a compiled pattern, a binary or a list of binaries: at least one, none
/// empty.
fn patterns_of(context: &mut Context, pattern: Word) -> Result<Vec<Word>, Escape> {
    let pattern = match pattern.as_tuple() {
        None => pattern,
        Some(tuple) => compiled(context, tuple).ok_or_else(|| context.error(names::BADARG))?,
    };
    if is_searchable(pattern) {
        return Ok(vec![pattern]);
    }
    let mut result = Vec::new();
    let mut rest = pattern;
    while rest.is_cons() {
        context.charge(1)?;
        let part = rest.head().concrete();
        if !is_searchable(part) {
            return Err(context.error(names::BADARG));
        }
        result.push(part);
        rest = rest.tail().concrete();
    }
    if rest.is_nil() && !result.is_empty() { Ok(result) } else { Err(context.error(names::BADARG)) }
}

/// Returns whether it is a binary that is not empty.
fn is_searchable(word: Word) -> bool {
    word.as_bits().is_some_and(|bits| bits.is_binary() && !bits.is_empty())
}

/// `(Compiled)`: returns the pattern that was compiled.
pub(in crate::bifs) fn compiled_pattern(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    compiled(context, args[0].payload()).ok_or_else(|| context.error(names::BADARG))
}

/// Returns the pattern that was given to `compile_pattern`; the tag must be the one that it returned.
fn compiled(context: &mut Context, tuple: &[Word]) -> Option<Word> {
    let &[tag, reference] = tuple else { return None };
    let (tag, reference) = (tag.concrete(), reference.concrete());
    if !reference.is_kind(Kind::Reference) {
        return None;
    }
    let pattern = ErlangState::of(context).patterns.get(&reference.identity()).copied()?;
    let single = pattern.is_bits() || pattern.is_cons() && pattern.tail().concrete().is_nil();
    let expected = if single { BOYER_MOORE } else { AHO_CORASICK };
    (tag.as_atom().map(Atom::text) == Some(expected)).then_some(pattern)
}
