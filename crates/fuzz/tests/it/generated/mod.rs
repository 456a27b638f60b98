//! What fuzzers of generated modules share: the batches, the code of a module, and calls of its functions.

pub mod sides;

use formula::{Types, Variable};
use frontend::{Code, CodeConfig, Evaluation};
use fuzz::{Random, seed, wanted_duration};
use machine::Limits;
use path::{Call, Input};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{Atom, FunctionName, Term};

/// For one question, on a computer that does something else.
pub const TIME: Duration = Duration::from_secs(20);
pub const STEPS: u64 = 100_000;
pub const LIMITS: Limits = Limits { steps: STEPS, memory: 256 << 20, result: 100_000, eager_collection: false };

/// Asks for modules in batches of this size, one batch or as many as there is time for. Each has a number in its batch, a
/// name, and a folder.
pub fn in_batches(of: usize, names: &str, mut module: impl FnMut(&mut Random, usize, &str, &Path)) {
    let (start, mut random) = (Instant::now(), Random::new(seed()));
    let folder = tempfile::tempdir().expect("a folder for modules");
    let mut batch = 0;
    while batch == 0 || wanted_duration().is_some_and(|wanted| start.elapsed() < wanted) {
        batch += 1;
        for number in 0..of {
            module(&mut random, number, &format!("{names}_{batch}_{number}"), folder.path());
        }
    }
}

/// Writes a module and opens its code, with marks if these are wanted.
pub fn open(text: &str, name: &str, folder: &Path, has_marks: bool) -> (Arc<dyn Code>, PathBuf) {
    let file = folder.join(format!("{name}.erl"));
    std::fs::write(&file, text).expect("a module is written");
    let config = CodeConfig {
        sources: vec![file.clone()],
        cache_dir: None,
        evaluation: Evaluation::Unguarded,
        marks: has_marks.then(Vec::<Atom>::new),
        ..CodeConfig::default()
    };
    (beam::open(config).expect("the module is found"), file)
}

/// Inputs of a function, each a piece of data.
pub fn inputs(arity: u32) -> Vec<Input<Variable>> {
    (0..arity).map(|index| Input::Data(Variable(index))).collect()
}

pub fn call<'a>(
    function: FunctionName,
    args: &'a [Input<Variable>],
    data: &'a [Term],
    types: &'a Arc<Types>,
) -> Call<'a> {
    Call { function, args, data, types, applied: None, client: None, steps: STEPS }
}
