//! The measurements of searches.

use super::lab::{Explored, Flips, Lab, settings};
use super::{Bar, Bench, Measured};
use crate::child::{self, Ended};
use anyhow::{Context, bail};
use cases::{Case, Order, SearchClaim, corpus_root, read_corpus};
use erlang::syntax::parse_term;
use search::{Settings, Strategy};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use term::Term;

const RUNS_PER_SECOND: f64 = 20_000.0;
const NATIVE_SHARE: f64 = 70.0;
/// Linear growth from 100 to 1000 elements gives 0.67, quadratic growth 6.7.
const GROWTH: f64 = 1.2;
const TOY_SECONDS: f64 = 0.05;
const TOY_CONFIRMED_SECONDS: f64 = 0.25;
const PEAK_MB: f64 = 1000.0;
const SHADOW_RATIO: f64 = 1.1;

/// Measures the time from the start of a process to its end, with everything in the cache.
pub fn toy(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let times = if bench.quick { 5 } else { 15 };
    let mut measured = Vec::new();
    for (what, options, bar) in [
        ("the toy, from start to exit, not confirmed", &["--no-confirm"][..], TOY_SECONDS),
        ("the toy, from start to exit, confirmed", &[], TOY_CONFIRMED_SECONDS),
    ] {
        let mut walls = Vec::new();
        let mut processors = Vec::new();
        for time in 0..=times {
            let ended = test(bench, &bench.toy, options)?;
            let bugs = lines(&ended, "bug")?;
            if bugs.len() != 1 || options.is_empty() && bugs[0]["confirmed"] != Value::Bool(true) {
                bail!("the toy has one bug: {}", ended.output);
            }
            // The first run fills the cache.
            if time > 0 {
                walls.push(ended.used.wall_seconds);
                processors.push(ended.used.cpu_seconds);
            }
        }
        let least = walls.iter().copied().fold(f64::INFINITY, f64::min);
        let detail = format!(
            "median of {times}; the least {least:.3} s; processor time {:.3} s, with that of the processes it starts",
            median(processors)
        );
        measured.push(Measured {
            what: what.to_string(),
            value: median(walls),
            unit: "s",
            bar: Bar::AtMost(bar),
            details: vec![detail],
        });
    }
    Ok(measured)
}

/// Measures the memory of endless searches that are stopped after a while.
pub fn memory(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let seconds = match (bench.long, bench.quick) {
        (true, _) => 60,
        (false, true) => 2,
        (false, false) => 10,
    };
    let budget = format!("{seconds}s");
    let mut details = Vec::new();
    let mut peak = 0f64;
    for function in ["tiny:classify/1", "tiny:rising/1"] {
        let options = ["--no-confirm", "--jobs", "1", "--budget", &budget, "--function", function];
        let ended = test(bench, &bench.searches.join("tiny.erl"), &options)?;
        let functions = lines(&ended, "function")?;
        let runs =
            functions.first().and_then(|function| function["runs"].as_u64()).context("no report of the function")?;
        peak = peak.max(ended.used.peak_mb);
        details.push(format!("{function}: {:.0} MB after {seconds} s and {runs} runs", ended.used.peak_mb));
    }
    Ok(vec![Measured {
        what: format!("peak memory of an endless search of {seconds} s"),
        value: peak,
        unit: "MB",
        bar: Bar::AtMost(PEAK_MB),
        details,
    }])
}

/// Measures a tiny function whose flips need no SMT solver.
pub fn tiny(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let mut lab = lab(bench)?;
    let unit = lab.unit("tiny", "classify", 1)?;
    let budget = Duration::from_secs(if bench.quick { 1 } else { 3 });
    let explored = lab.explore(&unit, &settings(Vec::new(), u64::MAX), budget);
    let share = |part: f64| 100.0 * part / explored.seconds;
    let Explored { seconds, screening, solving, .. } = explored;
    let flips = explored.flips();
    let short = short_paths(&mut lab, budget / 3)?;
    Ok(vec![Measured {
        what: "runs per second of a tiny function".to_string(),
        value: explored.exploration.runs as f64 / seconds,
        unit: "",
        bar: Bar::AtLeast(RUNS_PER_SECOND),
        details: vec![
            format!(
                "{} runs in {seconds:.2} s: {:.0} % screening, {:.0} % solving, {:.0} % running and queueing",
                explored.exploration.runs,
                share(screening),
                share(solving),
                share(seconds - screening - solving)
            ),
            format!("{} flips, {:.2} % of them native", flips.all, 100.0 * flips.share()),
            format!("with paths that stay short: {short:.0} runs per second"),
        ],
    }])
}

/// Returns the runs per second of a function that is explored completely, again and again.
fn short_paths(lab: &mut Lab, budget: Duration) -> anyhow::Result<f64> {
    let unit = lab.unit("tiny", "colour", 3)?;
    let settings = settings(Vec::new(), u64::MAX);
    let (mut runs, mut seconds) = (0, 0.0);
    while seconds < budget.as_secs_f64() {
        let explored = lab.explore(&unit, &settings, budget);
        runs += explored.exploration.runs;
        seconds += explored.seconds;
    }
    Ok(runs as f64 / seconds)
}

/// Measures the cost of one run and all queries about its decisions, relative to the length of its path.
pub fn growth(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    const SIZES: [usize; 3] = [10, 100, 1000];
    let mut lab = lab(bench)?;
    let mut measured = Vec::new();
    for (function, following) in [("above", 0), ("rising", 0), ("above", 20), ("rising", 20)] {
        let unit = lab.unit("tiny", function, 1)?;
        let mut costs = Vec::new();
        let mut details = Vec::new();
        for size in SIZES {
            let list: Vec<Term> = (0..size as i64).map(Term::Int).collect();
            let settings = settings(vec![vec![Term::list(list)]], 1 + following);
            let mut least: Option<Explored> = None;
            let mut spent = 0.0;
            while spent < if bench.quick { 0.1 } else { 0.4 } {
                let explored = lab.explore(&unit, &settings, Duration::from_secs(60));
                spent += explored.seconds;
                if least.as_ref().is_none_or(|least| explored.seconds < least.seconds) {
                    least = Some(explored);
                }
            }
            let least = least.context("at least one exploration")?;
            let runs = least.exploration.runs.max(1) as f64;
            let of = &least.statistics;
            details.push(format!(
                "{size} elements: {:.3} ms a run ({:.0} % screening, {:.0} % solving), {:.2} us an element; {} of {} ways decided by screening",
                1e3 * least.seconds / runs,
                100.0 * least.screening / least.seconds,
                100.0 * least.solving / least.seconds,
                1e6 * least.seconds / runs / size as f64,
                of.native,
                of.screened
            ));
            costs.push(least.seconds / runs);
        }
        let runs = if following == 0 { "one run".to_string() } else { format!("{} runs", 1 + following) };
        let n_log_n = |size: usize| size as f64 * (size as f64).log2();
        measured.push(Measured {
            what: format!("growth to n log n, {function}/1, {runs}"),
            value: (costs[2] / costs[1]) / (n_log_n(SIZES[2]) / n_log_n(SIZES[1])),
            unit: "",
            bar: Bar::AtMost(GROWTH),
            details,
        });
    }
    Ok(measured)
}

/// Measures the same work with and without one symbolic value that is unrelated to it.
pub fn shadows(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let times = if bench.quick { 3 } else { 7 };
    let mut lab = lab(bench)?;
    let args = vec![Term::Int(7)];
    let settings = settings(vec![args.clone()], 1);
    let mut details = Vec::new();
    let mut worst = 0f64;
    let mut ratios = Vec::new();
    for function in lab.exports("concrete")? {
        let unit = lab.unit("concrete", &function, 1)?;
        lab.run(&unit, &args)?;
        let (mut plain, mut shadowed) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..times {
            plain = plain.min(lab.run(&unit, &args)?);
            let explored = lab.explore(&unit, &settings, Duration::from_secs(60));
            if explored.exploration.runs != 1 || !explored.exploration.findings.is_empty() {
                bail!("concrete:{function} was to be run once: {:?}", explored.exploration);
            }
            shadowed = shadowed.min(explored.seconds);
        }
        let ratio = shadowed / plain;
        ratios.push(ratio);
        worst = worst.max(ratio);
        if ratio > SHADOW_RATIO {
            let (plain, shadowed) = (1e3 * plain, 1e3 * shadowed);
            details.push(format!("{function}: {plain:.1} ms plain, {shadowed:.1} ms with a shadow, ratio {ratio:.2}"));
        }
    }
    details.push(format!("median of {} programs {:.3}", ratios.len(), median(ratios)));
    Ok(vec![Measured {
        what: "concrete code beside a shadow, worst ratio to plain".to_string(),
        value: worst,
        unit: "",
        bar: Bar::AtMost(SHADOW_RATIO),
        details,
    }])
}

/// Measures the searches that the case corpus makes claims about.
pub fn corpus(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let cases = read_corpus(&corpus_root())?;
    let sources = cases.iter().map(|case| case.path.clone()).collect();
    let mut lab = Lab::open(sources, bench.erl.clone(), bench.cache.clone())?;
    let claims = cases.iter().flat_map(|case| case.searches.iter().map(move |claim| (case, claim)));
    let claims: Vec<(&Case, &SearchClaim)> = claims.step_by(if bench.quick { 5 } else { 1 }).collect();
    let (mut runs, mut seconds, mut waited) = (0, 0.0, Duration::ZERO);
    let (mut screened, mut decided, mut cached, mut guessed, mut smt, mut unknown) = (0, 0, 0, 0, 0, 0);
    let mut total = Flips::default();
    let mut shares = Vec::new();
    for (case, claim) in &claims {
        let unit = match &claim.function {
            Some((function, arity)) => lab.unit(&case.module, function, *arity)?,
            None => lab.client(&case.module)?,
        };
        let explored = lab.explore(&unit, &claimed(claim)?, Duration::from_secs(1));
        let (flips, of) = (explored.flips(), &explored.statistics);
        total = Flips { all: total.all + flips.all, native: total.native + flips.native };
        if flips.all > 0 {
            shares.push(flips.share());
        }
        runs += explored.exploration.runs;
        seconds += explored.seconds;
        waited += of.waited;
        screened += of.screened;
        decided += of.native;
        cached += of.cached;
        guessed += of.guessed;
        smt += of.smt;
        unknown += of.unknown;
    }
    let mean = 100.0 * shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    Ok(vec![Measured {
        what: "flips of the corpus answered without the SMT solver".to_string(),
        value: 100.0 * total.share(),
        unit: "%",
        bar: Bar::AtLeast(NATIVE_SHARE),
        details: vec![
            format!(
                "{} searches, {runs} runs, {seconds:.1} s, and {:.1} s of waiting for the SMT solver",
                claims.len(),
                waited.as_secs_f64()
            ),
            format!(
                "{} flips: {decided} by screening (of {screened} ways), {guessed} by guesses, {cached} by the cache, {smt} by the SMT solver, {unknown} by nobody",
                total.all
            ),
            format!(
                "every search weighing the same: {mean:.1} %; of all ways met, asked for or not: {:.1} %",
                100.0 * decided as f64 / screened.max(1) as f64
            ),
        ],
    }])
}

fn claimed(claim: &SearchClaim) -> anyhow::Result<Settings> {
    let options = &claim.options;
    let mut seeds = Vec::new();
    for seed in &options.seeds {
        let list = parse_term(&format!("[{seed}]")).map_err(|error| anyhow::anyhow!("{seed}: {error}"))?;
        seeds.push(list.as_list().with_context(|| format!("{seed} are no arguments"))?.to_vec());
    }
    Ok(Settings {
        strategy: match options.order {
            Order::Coverage => Strategy::Coverage,
            Order::Breadth => Strategy::BreadthFirst,
            Order::Depth => Strategy::DepthFirst,
        },
        steps: options.steps,
        most_steps: options.steps,
        size_bound: options.bound,
        ..settings(seeds, options.max_runs)
    })
}

fn lab(bench: &Bench) -> anyhow::Result<Lab> {
    let sources = vec![bench.programs.clone(), bench.searches.clone()];
    Lab::open(sources, bench.erl.clone(), bench.cache.clone())
}

/// Runs `beagle test` for a file.
fn test(bench: &Bench, file: &Path, options: &[&str]) -> anyhow::Result<Ended> {
    let mut command = Command::new(&bench.beagle);
    command.arg("test").arg(file).args(["--fresh", "--format", "jsonl", "--cache"]).arg(&bench.cache);
    child::run(command.arg("--erl").arg(&bench.erl).args(options))
}

/// Returns the JSON objects of a type in the output of a process.
fn lines(ended: &Ended, of: &str) -> anyhow::Result<Vec<Value>> {
    let mut found = Vec::new();
    for line in ended.output.lines() {
        let object: Value = serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
        if object["type"] == of {
            found.push(object);
        }
    }
    Ok(found)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
