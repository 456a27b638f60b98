//! Counts how many conditions beyond the reach of SMT solvers a whole search solves: in the manner of the CORAL set,
//! the zeros of classic test functions, arithmetic of machine words; and some that have no solution.
//!
//! Each function of the modules raises `solved` if its condition holds. Every input that is found has been run on the
//! machine, so a solution of an unsolvable condition would be a defect of the machine.

use super::lab::{Lab, settings};
use super::{Bar, Bench, Measured};
use anyhow::Context;
use search::{Failure, Settings, Unit};
use solver::WalkSettings;
use std::time::Duration;
use term::Atom;

/// The published results are 78 % for the concolic walk and 85 % for the best tool of its time.
const SOLVED_SHARE: f64 = 90.0;
const SECONDS: f64 = 1.0;

const POSSIBLE: [&str; 4] = ["coral", "zeros", "wrapped", "entangled"];
const IMPOSSIBLE: &str = "impossible";

/// The results for one condition.
struct Condition {
    name: String,
    runs: u64,
    /// The times of the searches that solved it, or of all searches if none did.
    times: Vec<f64>,
    solved: u32,
    searches: u32,
}

impl Condition {
    fn share(&self) -> f64 {
        100.0 * f64::from(self.solved) / f64::from(self.searches.max(1))
    }

    fn line(&self) -> String {
        let runs = self.runs as f64 / f64::from(self.searches.max(1));
        let time = super::measures::median(self.times.clone());
        format!("{:<36}{:>5.0} %{:>10.3} s{:>8.1} runs", self.name, self.share(), time, runs)
    }
}

/// Measures the conditions with 20 seeds each, and with parts of the walk switched off.
pub fn conditions(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let seeds = if bench.quick { 2 } else { 20 };
    let full = WalkSettings::default();
    let mut possible = Vec::new();
    for module in POSSIBLE {
        possible.extend(searched(bench, module, seeds, &full)?);
    }
    let impossible = searched(bench, IMPOSSIBLE, seeds.min(3), &full)?;
    let share = average(&possible);
    let slowest = possible.iter().map(|condition| super::measures::median(condition.times.clone()));
    let mut details: Vec<String> = possible.iter().map(Condition::line).collect();
    details.extend(impossible.iter().map(Condition::line));
    let without = [
        ("the walk without tabu", WalkSettings { tabu: false, ..full.clone() }),
        ("the walk without secants", WalkSettings { secant: false, ..full.clone() }),
        ("the walk without joint steps", WalkSettings { newton: false, ..full.clone() }),
        ("the walk without the solver's proposals", WalkSettings { proposals: false, ..full.clone() }),
        ("no walk at all", WalkSettings { first_work: 0, work: 0, linear_work: 0, ..full.clone() }),
    ];
    for (what, walk) in without.into_iter().filter(|_| !bench.quick) {
        let mut possible = Vec::new();
        for module in POSSIBLE {
            possible.extend(searched(bench, module, 1, &walk)?);
        }
        details.push(format!("{what}: {:.1} % with one seed", average(&possible)));
    }
    Ok(vec![
        Measured {
            what: format!("{} conditions solved, {seeds} seeds each", possible.len()),
            value: share,
            unit: "%",
            bar: Bar::AtLeast(SOLVED_SHARE),
            details,
        },
        Measured {
            what: "the slowest condition, median".to_string(),
            value: slowest.fold(0.0, f64::max),
            unit: "s",
            bar: Bar::AtMost(SECONDS),
            details: Vec::new(),
        },
        Measured {
            what: format!("solved of {} conditions without solutions", impossible.len()),
            value: impossible.iter().map(|condition| f64::from(condition.solved)).sum(),
            unit: "",
            bar: Bar::AtMost(0.0),
            details: Vec::new(),
        },
    ])
}

fn average(conditions: &[Condition]) -> f64 {
    conditions.iter().map(Condition::share).sum::<f64>() / conditions.len().max(1) as f64
}

fn searched(bench: &Bench, module: &str, seeds: u32, walk: &WalkSettings) -> anyhow::Result<Vec<Condition>> {
    let mut lab = Lab::open(vec![bench.conditions.clone()], bench.erl.clone(), bench.cache.clone())?;
    let mut found = Vec::new();
    for (function, arity) in lab.functions(module)? {
        if bench.only.as_ref().is_some_and(|only| !function.contains(only.as_str())) {
            continue;
        }
        let unit = lab.unit(module, &function, arity)?;
        let mut condition =
            Condition { name: format!("{module}:{function}"), runs: 0, times: Vec::new(), solved: 0, searches: seeds };
        let mut failed = Vec::new();
        for seed in 1..=seeds {
            lab.renew(walk.clone());
            let (solved, runs, seconds) = search(&mut lab, &unit, u64::from(seed));
            condition.runs += runs;
            condition.solved += u32::from(solved);
            if solved { condition.times.push(seconds) } else { failed.push(seconds) }
        }
        if condition.times.is_empty() {
            condition.times = failed;
        }
        found.push(condition);
    }
    (!found.is_empty() || bench.only.is_some()).then_some(found).context("no conditions")
}

/// Returns whether the condition is solved, after how many runs and how many seconds.
fn search(lab: &mut Lab, unit: &Unit, seed: u64) -> (bool, u64, f64) {
    let settings = Settings { seed, ..settings(Vec::new(), u64::MAX) };
    let (explored, seconds) = lab.explore_until(unit, &settings, Duration::from_secs_f64(SECONDS), is_solved);
    let solved = explored.findings.iter().any(|finding| is_solved(&finding.failure));
    (solved, explored.runs, seconds)
}

fn is_solved(failure: &Failure) -> bool {
    matches!(failure, Failure::Crash(raised) if raised.reason.as_atom() == Some(Atom::new("solved")))
}
