//! Processes can take turns in many orders, and a seed names one of them.

use frontend::{CodeConfig, Evaluation};
use machine::Limits;
use path::Outcome;
use session::Session;
use std::collections::BTreeSet;

const RACE: &str = include_str!("race.erl");

fn session() -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("race.erl");
    std::fs::write(&source, RACE).expect("the source is written");
    let config = CodeConfig { sources: vec![source], evaluation: Evaluation::Unguarded, ..CodeConfig::default() };
    let code = beam::open(config).expect("the source is found");
    (folder, Session::new(code, Limits::default()).expect("a session"))
}

/// The answers of a function in the orders of these seeds.
fn answers(session: &mut Session, expression: &str, seeds: impl Iterator<Item = Option<u64>>) -> Vec<String> {
    let mut answers = Vec::new();
    for seed in seeds {
        session.machine.interleave(seed);
        match session.evaluate(expression, None) {
            Ok(Outcome::Value(value)) => answers.push(erlang::print(&value)),
            other => panic!("{expression} with seed {seed:?}: {other:?}"),
        }
    }
    answers
}

#[test]
fn every_order_of_three_messages_is_met() {
    let (_folder, mut session) = session();
    let met: BTreeSet<String> = answers(&mut session, "race:arrivals()", (0..200).map(Some)).into_iter().collect();
    let all = ["[a,b,c]", "[a,c,b]", "[b,a,c]", "[b,c,a]", "[c,a,b]", "[c,b,a]"];
    assert_eq!(met, all.into_iter().map(String::from).collect());
}

#[test]
fn a_lost_update_is_met() {
    let (_folder, mut session) = session();
    let met: BTreeSet<String> = answers(&mut session, "race:counted()", (0..200).map(Some)).into_iter().collect();
    assert_eq!(met, ["[{n,1}]", "[{n,2}]", "[{n,3}]"].into_iter().map(String::from).collect());
}

#[test]
fn a_seed_is_one_order_and_none_is_that_of_the_starts() {
    let (_folder, mut session) = session();
    let first = answers(&mut session, "race:arrivals()", (0..20).map(Some));
    assert_eq!(first, answers(&mut session, "race:arrivals()", (0..20).map(Some)));
    assert_eq!(answers(&mut session, "race:arrivals()", std::iter::once(None)), ["[a,b,c]"]);
    assert_eq!(answers(&mut session, "race:counted()", std::iter::once(None)), ["[{n,3}]"]);
}

const LOADED: &str = "-module(loaded).
-export([answer/0]).
-on_load(wait/0).
wait() -> Loader = self(), spawn(fun() -> exit(Loader, kill) end), receive never -> ok end.
answer() -> 42.
";

const CALLS: &str = "-module(calls).
-export([answer/0]).
answer() -> try loaded:answer() catch error:undef -> not_loaded end.
";

#[test]
fn whoever_waits_for_a_loader_that_is_killed_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let sources = [("loaded.erl", LOADED), ("calls.erl", CALLS)].map(|(name, text)| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("the source is written");
        file
    });
    let config = CodeConfig { sources: sources.to_vec(), evaluation: Evaluation::Unguarded, ..CodeConfig::default() };
    let mut session =
        Session::new(beam::open(config).expect("the sources are found"), Limits::default()).expect("a session");
    let seeds = std::iter::once(None).chain((0..10).map(Some));
    let all = answers(&mut session, "calls:answer()", seeds);
    assert!(all.iter().all(|answer| answer == "not_loaded"), "{all:?}");
}
