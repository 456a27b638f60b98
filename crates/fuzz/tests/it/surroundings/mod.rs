//! An attack on claims: what differs between two real runtimes depends on its surroundings, and the machine has to record
//! that.
//!
//! Exported functions of OTP's and Elixir's basic applications are called on the machine. Where a run ends without having
//! recorded a surrounding, a search would claim that its result follows from the inputs alone. Those calls, and no others, are
//! made in two real runtimes, by themselves or inside of small programs, that differ in flags, locale, node, applications, loaded code, the calling process and what others
//! have done before. If their answers differ, the claim is false. Nothing is called that the machine denies, as it acts on the
//! world outside. `BEAGLE_ATTACK=full` (`make attack`) calls every function several times.

mod questions;
mod runtimes;

use frontend::{CodeConfig, Evaluation};
use fuzz::{Random, Specs, seed};
use machine::Limits;
use path::Outcome;
use questions::{KNOWN, question};
use runtimes::{KINDS, Runtimes};
use session::Session;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use term::Atom;

/// Parts of the paths of applications whose modules are called. Modules of `erts` are in no folder.
const APPLICATIONS: &[&str] = &["/kernel-", "/stdlib-", "/sasl-", "/elixir/lib/elixir/", "/elixir/lib/logger/"];
const PRELOADED: &[&str] = &["erlang", "atomics", "counters", "persistent_term", "init", "erts_internal", "zlib"];
const LIMITS: Limits = Limits { steps: 3_000_000, memory: 128 << 20, result: 100_000, eager_collection: false };
const CALLS_USUALLY: usize = 250;
const CALLS_OF_EACH: usize = 6;
/// Calls that are made before the machine begins anew.
const PER_SESSION: usize = 2000;
const PER_RUNTIME: usize = 400;

/// What the machine says about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// A result, from nothing but the call.
    Claims,
    /// A result, from surroundings that are recorded.
    Depends,
    /// No result.
    Nothing,
}

struct Attack {
    code: Arc<beam::Beam>,
    session: Session,
    runtimes: Runtimes,
    misses: Vec<String>,
    claimed: usize,
    depending: usize,
}

#[test]
fn what_differs_between_runtimes_is_recorded() {
    let mut attack = Attack::new();
    attack.known();
    let functions = attack.functions();
    let mut specs = Specs::default();
    let mut random = Random::new(seed());
    let is_full = std::env::var_os("BEAGLE_ATTACK").is_some_and(|value| value == "full");
    let calls = if is_full { functions.len() * CALLS_OF_EACH } else { CALLS_USUALLY };
    let mut claims = Vec::new();
    let start = random.below(functions.len());
    for call in 0..calls {
        // Usually a different few functions for each seed, and never only those of one module.
        let function =
            if is_full { functions[call % functions.len()] } else { functions[(start + call * 97) % functions.len()] };
        let text = question(&mut specs, &attack.session, &mut random, function);
        if attack.ask(&text) == Said::Claims {
            claims.push(text);
        }
        if call % PER_SESSION == PER_SESSION - 1 {
            attack.session = session(&attack.code);
        }
        if claims.len() == PER_RUNTIME {
            attack.check(&std::mem::take(&mut claims));
        }
    }
    attack.check(&claims);
    println!(
        "seed {}: {} functions, {calls} calls: {} claims checked in two runtimes, {} depend on surroundings, {} misses",
        seed(),
        functions.len(),
        attack.claimed,
        attack.depending,
        attack.misses.len()
    );
    assert!(attack.claimed > 0, "nothing was compared");
    assert!(attack.misses.is_empty(), "replay with BEAGLE_FUZZ_SEED={}:\n{}", seed(), attack.misses.join("\n"));
}

impl Attack {
    fn new() -> Attack {
        let config = CodeConfig {
            sources: vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/surroundings/beagle_programs.erl")],
            cache_dir: loader::cache_dir(None),
            evaluation: Evaluation::Unguarded,
            ..CodeConfig::default()
        };
        let code = beam::open(config).unwrap_or_else(|error| panic!("no code: {error}"));
        let session = session(&code);
        let folders = code.loader.oracle().code_index().expect("the code path");
        let elixir: Vec<PathBuf> = folders
            .into_iter()
            .map(|folder| folder.path)
            .filter(|path| path.to_string_lossy().contains("elixir"))
            .collect();
        Attack { code, session, runtimes: Runtimes::new(elixir), misses: Vec::new(), claimed: 0, depending: 0 }
    }

    /// Asks what is known to differ: that shows that the runtimes do differ, and that the comparison notices it.
    fn known(&mut self) {
        let said: Vec<Said> = KNOWN.iter().map(|text| self.ask(text)).collect();
        let answers = KINDS.each_ref().map(|kind| self.runtimes.ask(kind, KNOWN));
        let mut differing = 0;
        for (index, text) in KNOWN.iter().enumerate() {
            if is_difference(&answers[0][index], &answers[1][index]) {
                differing += 1;
                if said[index] == Said::Claims {
                    self.misses.push(format!("{text}\n    {}\n    {}", answers[0][index], answers[1][index]));
                }
            }
        }
        assert!(differing > KNOWN.len() / 2, "only {differing} of {} answers differ", KNOWN.len());
    }

    fn functions(&self) -> Vec<(Atom, Atom, u32)> {
        let folders = self.code.loader.oracle().code_index().expect("the code path");
        let is_ours = |path: &PathBuf| APPLICATIONS.iter().any(|part| format!("{}/", path.display()).contains(part));
        let mut modules: BTreeSet<String> = PRELOADED.iter().map(|name| (*name).to_owned()).collect();
        modules.extend(folders.into_iter().filter(|folder| is_ours(&folder.path)).flat_map(|folder| folder.modules));
        let modules: Vec<Atom> = modules.iter().map(|name| Atom::new(name)).collect();
        let exported = self.code.loader.oracle().exports(&modules).expect("exported functions");
        let mut functions: Vec<(Atom, Atom, u32)> = exported
            .into_iter()
            .map(|name| (name.module, name.function, name.arity))
            .filter(|(module, function, arity)| !erlang::bifs::effects::denied(*module, *function, *arity))
            .collect();
        functions.sort_unstable_by_key(|(module, function, arity)| (module.text(), function.text(), *arity));
        assert!(functions.len() > 1000, "only {} functions", functions.len());
        functions
    }

    fn ask(&mut self, text: &str) -> Said {
        let Ok(outcome) = self.session.evaluate(text, None) else { return Said::Nothing };
        let recorder = self.session.machine.recorder_mut();
        let is_settled = recorder.surroundings.is_empty() && !recorder.has_choice;
        match outcome {
            Outcome::Value(_) | Outcome::Raised(_) if is_settled => Said::Claims,
            Outcome::Value(_) | Outcome::Raised(_) => {
                self.depending += 1;
                Said::Depends
            }
            Outcome::Stopped(_) => Said::Nothing,
        }
    }

    /// Compares the answers of the runtimes. A difference counts if it is there as well where nothing was called before.
    fn check(&mut self, claims: &[String]) {
        let texts: Vec<&str> = claims.iter().map(String::as_str).collect();
        let answers = KINDS.each_ref().map(|kind| self.runtimes.ask(kind, &texts));
        self.claimed += texts.len();
        for (index, text) in texts.iter().enumerate() {
            if !is_difference(&answers[0][index], &answers[1][index]) {
                continue;
            }
            let [plain, rich] = KINDS.each_ref().map(|kind| self.runtimes.ask(kind, &[text]).remove(0));
            if is_difference(&plain, &rich) {
                println!("{text}\n    {plain}\n    {rich}");
                self.misses.push(format!("{text}\n    {plain}\n    {rich}"));
            }
        }
    }
}

/// Parts of answers that are excepted (`docs/guide/verdicts.md`). Claims are about systems in which the program does not run already, so that the names of
/// its own servers are free, and in which nobody is too slow.
const ASSUMED: &[&str] = &["{already_started,'<pid>'}", "{error,timeout}", "{timeout,{"];

fn is_difference(one: &str, other: &str) -> bool {
    let is_decided =
        |answer: &str| !answer.starts_with("undecided") && !ASSUMED.iter().any(|part| answer.contains(part));
    is_decided(one) && is_decided(other) && one != other
}

fn session(code: &Arc<beam::Beam>) -> Session {
    Session::new(code.clone(), LIMITS).unwrap_or_else(|error| panic!("no session: {error}"))
}
