//! Every side of the branches of generated functions: what is proved of it, against what all inputs do.
//!
//! No side that an input takes may be called unreachable. Without `BEAGLE_FUZZ_SECONDS` the work is always the same.

use crate::generated::sides::sides;
use crate::generated::{LIMITS, TIME, in_batches, open};
use fuzz::{LARGEST_INPUT, inputs_of, reach_module, search_module, seed};
use session::Opaque;
use std::path::Path;
use term::{Atom, FunctionName, Term};

const MODULES_PER_BATCH: usize = 6;
/// Of the sides that no input takes, so many of a hundred must be refuted. Of others it takes more than what is known of
/// single values, or a larger input takes them.
const BAR: usize = 50;

#[derive(Default)]
struct Score {
    functions: usize,
    sides: usize,
    taken: usize,
    refuted: usize,
    wrong: Vec<String>,
}

/// A function and all inputs that are tried.
struct Tried {
    function: String,
    inputs: Vec<Vec<Term>>,
}

#[test]
fn sides_that_inputs_take_are_not_refuted() {
    let mut score = Score::default();
    in_batches(MODULES_PER_BATCH, "sides", |random, number, name, folder| {
        let (text, tried) = match number % 2 {
            0 => {
                let generated = search_module(random, name);
                let tried = generated.searches.iter();
                let tried = tried.map(|search| Tried { function: search.function.clone(), inputs: inputs_of(search) });
                (generated.text.clone(), tried.collect::<Vec<_>>())
            }
            _ => {
                let generated = reach_module(random, name);
                let entries = generated.entries.into_iter();
                let tried = entries.map(|function| Tried { function, inputs: pairs() });
                (generated.text, tried.collect())
            }
        };
        compare(&text, name, &tried, folder, &mut score);
    });
    let Score { functions, sides, taken, refuted, wrong } = score;
    let open = sides - taken;
    println!("sides: {functions} functions, {sides} sides, {taken} taken, {refuted} of the other {open} refuted");
    assert!(wrong.is_empty(), "seed {}: {}", seed(), wrong.join("\n"));
    assert!(refuted * 100 >= BAR * open, "seed {}: only {refuted} of {open} are refuted", seed());
}

fn pairs() -> Vec<Vec<Term>> {
    let all = || (0..=LARGEST_INPUT).map(Term::Int);
    all().flat_map(|first| all().map(move |second| vec![first.clone(), second])).collect()
}

fn compare(text: &str, name: &str, tried: &[Tried], folder: &Path, score: &mut Score) {
    let (code, _) = open(text, name, folder, false);
    let mut session = Opaque::default().session(&code, LIMITS).expect("a session");
    for Tried { function, inputs } in tried {
        score.functions += 1;
        let arity = inputs.first().map_or(0, Vec::len) as u32;
        let unit = FunctionName { module: Atom::new(name), function: Atom::new(function), arity };
        for side in sides(&code, &mut session, unit, inputs, LIMITS, TIME) {
            score.sides += 1;
            score.taken += usize::from(side.is_taken);
            score.refuted += usize::from(side.is_refuted && !side.is_taken);
            if side.is_refuted && side.is_taken {
                score.wrong.push(format!("{unit} takes {}:\n{text}", side.shown));
            }
        }
    }
}
