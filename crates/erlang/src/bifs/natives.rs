//! Functions that only the prelude calls: formulas that no function of the language corresponds to, and native
//! functions without the meaning that the prelude gives them.

use super::atoms::{Encoding, text_of_binary};
use super::rows;
use super::{atoms, badarg, binaries, kinds, lists, maps, output, summaries, tuples, unicode};
use machine::{Context, Escape, Primitive, Question, Word, proper_length};
use term::{Atom, FunctionName, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"beagle_play" by Search;
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
    rows! {"beagle_native" by Arguments;
        "bits_slice"           (Any, Any, Any) -> Bits,  badarg, bits_slice,                    Term(meaning::bits_slice);
        "is_plain_list"        (Any) -> Boolean by Search,         badarg, is_plain_list,                 Meaning::Effect(&[Moved]);
        "member"               (Any, ProperList) -> Boolean, badarg, lists::member,             Term(meaning::member);
        "map_pairs"            (Map) -> ProperList by Order Identities,      badarg, maps::pairs,                   Meaning::Opened(meaning::TOP);
        "atom_to_utf8"         (Atom) -> Binary,         badarg, atom_to_utf8,                  Term(meaning::atom_to_utf8);
        "is_known_atom"        (List) -> Boolean by Atoms,        badarg, atoms::is_known_atom,          Opaque;
        "is_known_atom"        (Binary, Atom) -> Boolean by Atoms, badarg, atoms::is_known_atom,         Opaque;
        "utf8_to_atom"         (Binary) -> Atom,         badarg, utf8_to_atom,                  Partial(meaning::utf8_is_atom, meaning::utf8_to_atom);
        "nth_tail"             (Positive, List) -> Any,  summaries::no_position, summaries::nth_tail,   PartialOver(&[Top, Spine], meaning::has_nth, meaning::nth_tail);
        "make_tuple"           (NonNegative, Any) -> Tuple, badarg, tuples::make_tuple,         Meaning::Opaque(&[Top, Moved]);
        "binary_copy"          (Bits, NonNegative) -> Binary, badarg, binaries::copy_2,         Opaque;
        "is_record"            (Any, Any, Any) -> Boolean, badarg, kinds::is_record_of_size,    Meaning::Opaque(&[Moved, Moved, Top]);
        "is_function"          (Any, Any) -> Boolean,    badarg, kinds::is_function_of_arity,   Term(meaning::is_function_of_arity);
        "compiled_pattern"     (Tuple) -> Any,           badarg, binaries::compiled_pattern,    Effect;
        "characters_to_binary" (Any, Any) -> Any,        badarg, unicode::characters_to_binary, Opaque;
        "characters_to_list"   (Any, Any) -> Any,        badarg, unicode::characters_to_list,   Opaque;
        "format"               (Any, Any) -> Atom by Output,       badarg, output::format,                Meaning::Effect(&[Moved, Moved]);
        "format"               (Any, Any, Any) -> Atom by Output,  badarg, output::format,                Meaning::Effect(&[Top, Moved, Moved]);
    },
];

/// The functions that the natives implement.
const KNOWN_AS: &[(&str, &str, &str, u32)] = &[
    ("bits_slice", "binary", "part", 3),
    ("member", "lists", "member", 2),
    ("map_pairs", "maps", "to_list", 1),
    ("atom_to_utf8", "erlang", "atom_to_binary", 1),
    ("is_known_atom", "erlang", "binary_to_existing_atom", 1),
    ("utf8_to_atom", "erlang", "binary_to_atom", 1),
    ("nth_tail", "lists", "nthtail", 2),
    ("make_tuple", "erlang", "make_tuple", 2),
    ("binary_copy", "binary", "copy", 2),
    ("is_record", "erlang", "is_record", 3),
    ("is_function", "erlang", "is_function", 2),
    ("compiled_pattern", "binary", "compile_pattern", 1),
    ("characters_to_binary", "unicode", "characters_to_binary", 2),
    ("characters_to_list", "unicode", "characters_to_list", 2),
    ("format", "io", "format", 2),
];

/// Returns the public name of a function that only the prelude calls.
pub fn known_as(function: FunctionName) -> FunctionName {
    let is_it = |known: &&(&str, &str, &str, u32)| known.0 == function.function.text();
    match KNOWN_AS.iter().find(is_it).filter(|_| function.module.text() == "beagle_native") {
        Some((_, module, name, arity)) => {
            FunctionName { module: Atom::new(module), function: Atom::new(name), arity: *arity }
        }
        None => function,
    }
}

/// Defines questions to the player of function inputs.
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

/// Returns whether all other processes wait.
fn is_alone(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::boolean(context.world.is_alone()))
}

/// Forgets the surroundings that the setups of a run have observed, because they do not count for the call.
fn prepared(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.recorder.surroundings.clear();
    Ok(names::OK.into())
}

/// `(Bits, Start, Count)`: returns a part of a bitstring. The prelude has checked that the part exists.
fn bits_slice(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(bits), Some(at), Some(size)) = (args[0].as_bits(), args[1].as_usize(), args[2].as_usize()) else {
        return Err(badarg(context, args));
    };
    match at.checked_add(size) {
        Some(end) if end <= bits.len() => Ok(context.heap.bits_part(args[0], at, size)),
        Some(_) | None => Err(badarg(context, args)),
    }
}

/// Returns whether a term is a proper list without shadows in any part.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_lost_in_a_native_has_a_name_that_people_know() {
        for row in TABLES.iter().copied().flatten().filter(|row| row.module == "beagle_native") {
            let [module, function] = [row.module, row.name].map(Atom::new);
            let known = known_as(FunctionName { module, function, arity: row.arity() });
            assert!(row.name == "is_plain_list" || known.module != module, "{}", row.name);
        }
    }
}
