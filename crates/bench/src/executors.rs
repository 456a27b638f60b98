//! The BEAM as an executor: the cost of instrumentation, the number of runs of a search with either executor, the
//! length from which a run without shadows is faster on the BEAM, and the benefit of that for shrinking findings.

use crate::name_of;
use crate::searches::Bench;
use anyhow::{Context, bail};
use beam::ErlangFrontEnd;
use campaign::{Until, settings};
use frontend::{Call, Code, CodeConfig, Evaluation, Evaluations, Limits, Outcome, TracedCall};
use interaction::MachineExecutor;
use path::{Call as RunCall, Executor, Followed, Following, Replayed, Witness, Wrapper};
use session::Session;
use solver::{Chain, SmtSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{Atom, Term};
use tracer::{LONG, Ledger, Mode, RelayingExecutor, Runtime, TracingExecutor};

/// The maximum ratio of the times of instrumented and plain code, in the geometric mean.
const BAR: f64 = 10.0;
/// The limits of one run of a search on the BEAM.
const RUN: Limits = Limits { time: Duration::from_secs(20), heap_words: 16 << 20 };
const LIMITS: Limits = Limits { time: Duration::from_secs(120), heap_words: 0 };
/// The time of a search with each executor.
const BUDGET: Duration = Duration::from_secs(5);
/// The number of runs of which the least time counts, since disturbance only adds.
const TIMES: usize = 5;

/// The functions that are searched with either executor.
const SEARCHED: [(&str, &str, u32); 3] = [("toy", "foo", 2), ("trees", "delete", 2), ("frames", "decode", 1)];

/// A loop with a given number of calls.
const LOOP: &str = "-module(beagle_loop).\n-export([run/1]).\nrun(N) -> run(N, 0).\nrun(0, Sum) -> Sum;\n\
                    run(N, Sum) -> run(N - 1, Sum + N rem 7).\n";

/// A bug that occurs only after a long computation, which every smaller input has to repeat.
const LATE: &str = "-module(beagle_late).\n-export([check/2]).\n\
                    -spec check([integer()], integer()) -> number().\n\
                    check(Readings, Rounds) when length(Readings) > 6, Rounds > 2 ->\n    \
                    Noise = spin(3000000, 1),\n    \
                    case lists:max(Readings) > 1000 of\n        \
                    true -> Noise div (hd(Readings) - hd(Readings));\n        \
                    false -> Noise\n    end;\ncheck(_, _) -> 0.\n\
                    spin(0, Sum) -> Sum;\nspin(N, Sum) -> spin(N - 1, (Sum * 31 + N) rem 65536).\n";

/// Measures one part, or everything if `part` is empty.
pub fn measure(bench: &Bench, programs: &[PathBuf], part: &str) -> anyhow::Result<()> {
    let is_wanted = |name: &str| part.is_empty() || part == name;
    if is_wanted("instrumented") {
        instrumentation(bench, programs)?;
    }
    if is_wanted("searches") {
        searches(bench)?;
    }
    if is_wanted("lengths") {
        lengths(bench)?;
    }
    if is_wanted("shrinking") {
        shrinking(bench)?;
    }
    Ok(())
}

fn instrumentation(bench: &Bench, programs: &[PathBuf]) -> anyhow::Result<()> {
    println!("instrumented code on the BEAM     plain s  instrumented s   times    events");
    let code = open(bench, programs.to_vec(), Evaluation::Unguarded)?;
    for (module, _) in code.source_modules() {
        code.load_into_runtime(module)?;
    }
    let mut ratios = Vec::new();
    for program in programs {
        let name = name_of(program);
        let (divisor, events) = whole(&*code, &name)?;
        let call = timed(&name, divisor);
        let plain = least(|| plain(&*code, &call))?;
        let instrumented = least(|| instrumented(&*code, &call).map(|(seconds, _)| seconds))?;
        let ratio = instrumented / plain;
        println!("  {name:<28} {plain:>10.4} {instrumented:>15.4} {ratio:>7.1} {events:>9}");
        ratios.push(ratio);
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!("  geometric mean {mean:.1} (bar {BAR}): {}", if mean <= BAR { "met" } else { "missed" });
    Ok(())
}

fn open(bench: &Bench, sources: Vec<PathBuf>, evaluation: Evaluation) -> anyhow::Result<Arc<dyn Code>> {
    let config = CodeConfig {
        sources,
        cache_dir: Some(bench.cache.clone()),
        runtime: Some(bench.erl.clone()),
        evaluation,
        has_events: true,
        ..CodeConfig::default()
    };
    Ok(beam::open(config)?)
}

/// Returns an expression for the nanoseconds that the call takes on the runtime itself.
fn timed(name: &str, divisor: u64) -> String {
    format!(
        "Size = {name}:size() div {divisor}, Start = erlang:monotonic_time(nanosecond), _ = {name}:main(Size), \
         erlang:monotonic_time(nanosecond) - Start"
    )
}

/// Returns the divisor of the size at which all events of a program are reported, and their number.
fn whole(code: &dyn Code, name: &str) -> anyhow::Result<(u64, usize)> {
    let mut divisor = 1;
    loop {
        let traced = code.trace(&text(timed(name, divisor)), LIMITS)?;
        if traced.is_whole {
            return Ok((divisor, traced.events.len()));
        }
        if divisor > 1 << 30 {
            bail!("{name} has too many events at any size");
        }
        divisor *= 2;
    }
}

fn text(text: String) -> TracedCall {
    TracedCall::Text { text, home: None }
}

fn instrumented(code: &dyn Code, call: &str) -> anyhow::Result<(f64, usize)> {
    let traced = code.trace(&text(call.to_string()), LIMITS)?;
    Ok((seconds(&traced.outcome)?, traced.events.len()))
}

fn plain(code: &dyn Code, call: &str) -> anyhow::Result<f64> {
    let how = Evaluations { limits: LIMITS, is_printed: false, is_fresh: false };
    let outcomes = code.evaluate(&[call.to_string()], how)?;
    seconds(outcomes.first().context("an outcome")?)
}

fn seconds(outcome: &Outcome) -> anyhow::Result<f64> {
    match outcome {
        Outcome::Value { term: Term::Int(nanoseconds), .. } => Ok((*nanoseconds).max(1) as f64 / 1e9),
        other => bail!("the runtime answers {other:?}"),
    }
}

fn least(run: impl Fn() -> anyhow::Result<f64>) -> anyhow::Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..TIMES {
        least = least.min(run()?);
    }
    Ok(least)
}

/// An executor that counts the runs of a search, including those that shrink a finding or are tried in addition.
struct Counting<E> {
    executor: E,
    runs: u64,
}

impl<E: Executor> Wrapper for Counting<E> {
    fn inner(&self) -> &dyn Executor {
        &self.executor
    }

    fn inner_mut(&mut self) -> &mut dyn Executor {
        &mut self.executor
    }

    fn follow(&mut self, call: &RunCall<'_>, following: Following<'_>) -> Followed {
        self.runs += 1;
        self.executor.follow(call, following)
    }

    fn replay(&mut self, call: &RunCall<'_>, written: Option<&Arc<Witness>>) -> Replayed {
        self.runs += 1;
        self.executor.replay(call, written)
    }
}

fn searches(bench: &Bench) -> anyhow::Result<()> {
    println!("\nruns of a search in a second      machine        beam");
    for (name, function, arity) in SEARCHED {
        let sources = vec![Path::new("examples").join(format!("{name}.erl"))];
        let mut rates = Vec::new();
        for mode in [Mode::Machine, Mode::Beam] {
            let code = open(bench, sources.clone(), Evaluation::Unguarded)?;
            let mut session = Session::new(Arc::clone(&code), machine::Limits::default())?;
            let unit = session.unit(Atom::new(name), Atom::new(function), arity)?;
            let mut solver = Chain::start(&SmtSettings::default());
            // The runtime must be up and have the code before the time counts.
            code.trace(&text("ok".to_string()), LIMITS)?;
            let machine = MachineExecutor::new(&mut session.machine);
            let (mut ledger, language) = (Ledger::default(), ErlangFrontEnd::without_code());
            let runtime = Runtime { mode, code, language: &language, setups: Vec::new(), ledger: &mut ledger };
            let mut executor = Counting { executor: TracingExecutor::new(machine, runtime), runs: 0 };
            let start = Instant::now();
            let settings = settings(u64::MAX, 1_000_000);
            search::explore(&mut executor, &unit, &mut solver, &settings, &mut Until::passed(BUDGET));
            rates.push(executor.runs as f64 / start.elapsed().as_secs_f64());
        }
        println!("  {name:<28} {:>10.0} {:>11.0}", rates[0], rates[1]);
    }
    Ok(())
}

/// Measures runs without shadows of a loop of increasing length. The BEAM runs plain code, over the pipe and guarded,
/// as for a search.
fn lengths(bench: &Bench) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("beagle_loop.erl");
    std::fs::write(&file, LOOP)?;
    let code = open(bench, vec![file], Evaluation::Guarded)?;
    let mut session =
        Session::new(Arc::clone(&code), machine::Limits { steps: u64::MAX, ..machine::Limits::default() })?;
    let (module, function) = (Atom::new("beagle_loop"), Atom::new("run"));
    code.load_into_runtime(module)?;
    let call = |calls: i64| Call { module, function, args: vec![Term::Int(calls)] };
    code.evaluate_call(&call(1), RUN)?;
    println!("\na run without shadows             machine s      beam s");
    for power in 8..=26 {
        let calls = 1i64 << power;
        let args = [Term::Int(calls)];
        let mut ours = f64::INFINITY;
        let mut theirs = f64::INFINITY;
        for _ in 0..TIMES {
            let start = Instant::now();
            session.machine.run(module, function, &args);
            ours = ours.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            code.evaluate_call(&call(calls), RUN)?;
            theirs = theirs.min(start.elapsed().as_secs_f64());
        }
        println!("  {calls:>9} calls {ours:>26.5} {theirs:>11.5}");
        if theirs < ours {
            println!("  the BEAM is quicker from about {calls} calls on; searches ask it from {LONG} on");
            return Ok(());
        }
    }
    println!("  the machine is quicker at all lengths");
    Ok(())
}

/// Measures the time until a bug after a long computation is found and shrunk, by the machine alone and with the BEAM
/// for long runs.
fn shrinking(bench: &Bench) -> anyhow::Result<()> {
    println!("\na bug behind a long run            machine s   with BEAM s   times   runs there");
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("beagle_late.erl");
    std::fs::write(&file, LATE)?;
    let (mut times, mut long, mut found) = (Vec::new(), 0, Vec::new());
    for is_relayed in [false, true] {
        let code = open(bench, vec![file.clone()], Evaluation::Guarded)?;
        let mut session = Session::new(Arc::clone(&code), machine::Limits::default())?;
        let unit = session.unit(Atom::new("beagle_late"), Atom::new("check"), 2)?;
        let mut solver = Chain::start(&SmtSettings::default());
        code.start_runtime();
        session.machine.watch_modules();
        let machine = MachineExecutor::new(&mut session.machine);
        let settings = settings(u64::MAX, 10_000_000);
        let start = Instant::now();
        let mut host = Until::passed(BUDGET * 12).or_found(|_| true);
        let explored = match is_relayed {
            true => {
                let mut relaying = RelayingExecutor::new(machine, code, &mut long);
                search::explore(&mut relaying, &unit, &mut solver, &settings, &mut host)
            }
            false => {
                let mut machine = machine;
                search::explore(&mut machine, &unit, &mut solver, &settings, &mut host)
            }
        };
        times.push(start.elapsed().as_secs_f64());
        found.push(explored.findings.iter().map(|finding| format!("{:?}", finding.inputs)).collect::<Vec<_>>());
    }
    if found[0] != found[1] || found[0].is_empty() {
        bail!("the executors find other inputs: {found:?}");
    }
    println!("  {:<28} {:>14.2} {:>13.2} {:>7.1} {long:>12}", "beagle_late", times[0], times[1], times[0] / times[1]);
    Ok(())
}
