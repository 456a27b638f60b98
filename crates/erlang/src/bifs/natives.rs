//! What only the prelude calls: formulas that no function of the language means, and native functions
//! without the meaning that the prelude gives them.

use super::atoms::{Encoding, text_of_binary};
use super::rows;
use super::{atoms, badarg, binaries, kinds, lists, maps, output, summaries, tuples, unicode};
use machine::{Context, Escape, Primitive, Question, Word, proper_length};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"beagle_play";
        "resolve"  (Any, Any) -> Any,           badarg, resolve,     Meaning::Effect(&[]);
        "look_up"  (Any, Any, Any) -> Any,      badarg, look_up,     Meaning::Effect(&[]);
        "choose"   (Any, Any) -> Any,           badarg, choose,      Meaning::Effect(&[]);
        "caught"   (Any, Any, Any, Any) -> Any, badarg, caught,      Meaning::Effect(&[]);
        "continue" (Any, Any, Any) -> Any,      badarg, continue_on, Meaning::Effect(&[]);
        "prepared" () -> Atom,                  badarg, prepared,    Meaning::Effect(&[]);
        "act"      (Any) -> Any,                badarg, act,         Meaning::Effect(&[]);
        "acted"    (Any, Any) -> Any,           badarg, acted,       Meaning::Effect(&[]);
        "refused"  (Any, Any, Any, Any) -> Any, badarg, refused,     Meaning::Effect(&[]);
        "is_alone" () -> Boolean,               badarg, is_alone,    Meaning::Effect(&[]);
    },
    rows! {"beagle_native";
        "bits_slice"           (Any, Any, Any) -> Bits,  badarg, bits_slice,                    Term(meaning::bits_slice);
        "is_plain_list"        (Any) -> Boolean,         badarg, is_plain_list,                 Meaning::Effect(&[Moved]);
        "member"               (Any, ProperList) -> Boolean, badarg, lists::member,             Term(meaning::member);
        "map_pairs"            (Map) -> ProperList,      badarg, maps::pairs,                   Meaning::Opened(meaning::TOP);
        "atom_to_utf8"         (Atom) -> Binary,         badarg, atom_to_utf8,                  Term(meaning::atom_to_utf8);
        "is_known_atom"        (List) -> Boolean,        badarg, atoms::is_known_atom,          Opaque;
        "is_known_atom"        (Binary, Atom) -> Boolean, badarg, atoms::is_known_atom,         Opaque;
        "utf8_to_atom"         (Binary) -> Atom,         badarg, utf8_to_atom,                  Partial(meaning::utf8_is_atom, meaning::utf8_to_atom);
        "nth_tail"             (Positive, List) -> Any,  summaries::no_position, summaries::nth_tail,   PartialOver(&[Top, Spine], meaning::has_nth, meaning::nth_tail);
        "make_tuple"           (NonNegative, Any) -> Tuple, badarg, tuples::make_tuple,         Meaning::Opaque(&[Top, Moved]);
        "binary_copy"          (Bits, NonNegative) -> Binary, badarg, binaries::copy_2,         Opaque;
        "is_record"            (Any, Any, Any) -> Boolean, badarg, kinds::is_record_of_size,    Meaning::Opaque(&[Moved, Moved, Top]);
        "is_function"          (Any, Any) -> Boolean,    badarg, kinds::is_function_of_arity,   Term(meaning::is_function_of_arity);
        "compiled_pattern"     (Tuple) -> Any,           badarg, binaries::compiled_pattern,    Effect;
        "characters_to_binary" (Any, Any) -> Any,        badarg, unicode::characters_to_binary, Opaque;
        "characters_to_list"   (Any, Any) -> Any,        badarg, unicode::characters_to_list,   Opaque;
        "format"               (Any, Any) -> Atom,       badarg, output::format,                Meaning::Effect(&[Moved, Moved]);
        "format"               (Any, Any, Any) -> Atom,  badarg, output::format,                Meaning::Effect(&[Top, Moved, Moved]);
    },
];

/// Questions to the player of function inputs.
macro_rules! questions {
    ($($name:ident = $question:ident;)*) => {$(
        fn $name(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
            Err(Escape::Ask(Question::$question))
        }
    )*};
}

questions! {
    resolve = Resolve;
    look_up = LookUp;
    choose = Choose;
    caught = Catch;
    continue_on = Continue;
    act = Act;
    acted = Acted;
    refused = Refused;
}

/// Whether all other processes wait.
fn is_alone(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::boolean(context.world.is_alone()))
}

/// The setups of a run are done: what they asked for in the surroundings is theirs alone.
fn prepared(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.recorder.surroundings.clear();
    Ok(names::OK.into())
}

/// The bits from a place on, so many: `(Bits, Place, Count)`. The prelude has made sure that they are there.
fn bits_slice(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(bits), Some(at), Some(size)) = (args[0].as_bits(), args[1].as_usize(), args[2].as_usize()) else {
        return Err(badarg(context, args));
    };
    match at.checked_add(size) {
        Some(end) if end <= bits.len() => Ok(context.heap.bits_part(args[0], at, size)),
        Some(_) | None => Err(badarg(context, args)),
    }
}

/// A proper list of which no part has a shadow.
fn is_plain_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let plain = !context.heap.is_shadowed(args[0]) && proper_length(args[0]).is_some();
    Ok(Word::boolean(plain))
}

fn atom_to_utf8(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.binary(atoms::text_of(args[0]).as_bytes()))
}

fn utf8_to_atom(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match text_of_binary(args[0], Encoding::Utf8) {
        Ok(text) => context.make_atom(&text),
        Err(bad) => Err(bad.raise(context)),
    }
}
