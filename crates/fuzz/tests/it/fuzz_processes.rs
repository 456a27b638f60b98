//! Scripts for several processes: what each step gives and how each process ends, on our machine and on the BEAM.

use fuzz::{Duel, PROCESS_GAPS, RUNNER, RUNNER_NAME, Random, Script, seed, wanted_duration};
use tempfile::TempDir;

/// Without a time to fuzz for, always the same work.
const SCRIPTS: usize = 150;
/// What earlier scripts left behind is gone after so many.
const PER_SESSION: usize = 50;

/// A duel in which both sides have the module that runs scripts.
fn duel(name: &'static str) -> (TempDir, Duel) {
    let folder = tempfile::tempdir().expect("a folder for the runner");
    let mut duel = Duel::new(name, PROCESS_GAPS);
    load(&folder, &mut duel);
    (folder, duel)
}

fn load(folder: &TempDir, duel: &mut Duel) {
    let file = folder.path().join(format!("{RUNNER_NAME}.erl"));
    std::fs::write(&file, RUNNER).expect("the runner is written");
    assert!(duel.with_sources(vec![file]).is_empty(), "the runner does not compile");
}

#[test]
fn scripts_of_processes() {
    let (folder, mut duel) = duel("scripts of processes");
    let mut random = Random::new(seed());
    let mut scripts = 0;
    while wanted_duration().map_or(scripts < SCRIPTS, |_| duel.has_time()) && !duel.has_enough() {
        duel.ask_shrinking("script", Script::random(&mut random), [Script::call, Script::shaken], Script::smaller);
        scripts += 1;
        if scripts % PER_SESSION == 0 {
            load(&folder, &mut duel);
        }
    }
    duel.conclude();
}

/// Else a difference would say nothing about our machine. A signal that ends an actor races with its result, which the
/// BEAM shows about once in 500 scripts.
#[test]
fn scripts_have_one_outcome() {
    const TIMES: usize = 4;
    const MOST_VARIOUS: usize = 1;
    let mut various = Vec::new();
    let (_folder, duel) = duel("outcomes of scripts");
    let mut random = Random::new(seed() + 1_000_000);
    for _ in 0..SCRIPTS / 3 {
        let call = Script::random(&mut random).call();
        let answers: Vec<_> = (0..TIMES).map(|_| duel.their_words(&call)).collect();
        if std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some() {
            println!("{call}\n  {}", answers[0]);
        }
        assert!(answers[0].starts_with("Final"), "{call}\n{}", answers[0]);
        if answers.iter().any(|answer| *answer != answers[0]) {
            various.push(format!("{call}\n{answers:#?}"));
        }
    }
    assert!(various.len() <= MOST_VARIOUS, "{}", various.join("\n"));
}
