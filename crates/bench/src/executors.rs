//! The BEAM as an executor: what instrumentation costs there, how many runs a search makes with either executor, and from
//! which length on a run without shadows is quicker on the BEAM.

use crate::name_of;
use crate::searches::Bench;
use anyhow::{Context, bail};
use beam::ErlangFrontEnd;
use campaign::{Until, settings};
use frontend::{Code, CodeConfig, Evaluation, Evaluations, Limits, Outcome, TracedCall};
use interaction::MachineExecutor;
use session::Session;
use solver::{Chain, SmtSettings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{Atom, Term};
use tracer::{Ledger, Mode, Runtime, TracingExecutor};

/// Instrumented code takes at most so many times as long as plain code, in the geometric mean.
const BAR: f64 = 10.0;
const LIMITS: Limits = Limits { time: Duration::from_secs(120), heap_words: 0 };
/// A search for each executor.
const BUDGET: Duration = Duration::from_secs(5);
/// The least time of so many runs counts, since disturbance only adds.
const TIMES: usize = 5;

/// The functions that are searched with either executor.
const SEARCHED: [(&str, &str, u32); 3] = [("toy", "foo", 2), ("trees", "delete", 2), ("frames", "decode", 1)];

/// A loop of as many calls as it is told.
const LOOP: &str = "-module(beagle_loop).\n-export([run/1]).\nrun(N) -> run(N, 0).\nrun(0, Sum) -> Sum;\n\
                    run(N, Sum) -> run(N - 1, Sum + N rem 7).\n";

pub fn measure(bench: &Bench, programs: &[PathBuf]) -> anyhow::Result<()> {
    println!("instrumented code on the BEAM     plain s  instrumented s   times    events");
    let code = open(bench, programs.to_vec())?;
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
    searches(bench)?;
    lengths(bench)
}

fn open(bench: &Bench, sources: Vec<PathBuf>) -> anyhow::Result<Arc<dyn Code>> {
    let config = CodeConfig {
        sources,
        cache_dir: Some(bench.cache.clone()),
        runtime: Some(bench.erl.clone()),
        evaluation: Evaluation::Unguarded,
        has_events: true,
        ..CodeConfig::default()
    };
    Ok(beam::open(config)?)
}

/// Nanoseconds that the call takes on the runtime itself.
fn timed(name: &str, divisor: u64) -> String {
    format!(
        "Size = {name}:size() div {divisor}, Start = erlang:monotonic_time(nanosecond), _ = {name}:main(Size), \
         erlang:monotonic_time(nanosecond) - Start"
    )
}

/// The size at which all events of a program are told, and their number.
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

/// Runs of the whole loop in a second: run, solve, and again.
fn searches(bench: &Bench) -> anyhow::Result<()> {
    println!("\nruns of a search in a second      machine        beam");
    for (name, function, arity) in SEARCHED {
        let sources = vec![Path::new("examples").join(format!("{name}.erl"))];
        let mut rates = Vec::new();
        for mode in [Mode::Machine, Mode::Beam] {
            let code = open(bench, sources.clone())?;
            let mut session = Session::new(Arc::clone(&code), machine::Limits::default())?;
            let unit = session.unit(Atom::new(name), Atom::new(function), arity)?;
            let mut solver = Chain::start(&SmtSettings::default());
            // The runtime is up and has the code before the time counts.
            code.trace(&text("ok".to_string()), LIMITS)?;
            let machine = MachineExecutor::new(&mut session.machine);
            let (mut ledger, language) = (Ledger::default(), ErlangFrontEnd::without_code());
            let runtime = Runtime { mode, code, language: &language, setups: Vec::new(), ledger: &mut ledger };
            let mut executor = TracingExecutor::new(machine, runtime);
            let start = Instant::now();
            let settings = settings(u64::MAX, 1_000_000);
            let explored = search::explore(&mut executor, &unit, &mut solver, &settings, &mut Until::passed(BUDGET));
            rates.push(explored.runs as f64 / start.elapsed().as_secs_f64());
        }
        println!("  {name:<28} {:>10.0} {:>11.0}", rates[0], rates[1]);
    }
    Ok(())
}

/// Runs without shadows, of a loop that becomes longer and longer: plain code on the BEAM, asked for over the pipe.
fn lengths(bench: &Bench) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("beagle_loop.erl");
    std::fs::write(&file, LOOP)?;
    let code = open(bench, vec![file])?;
    let mut session =
        Session::new(Arc::clone(&code), machine::Limits { steps: u64::MAX, ..machine::Limits::default() })?;
    let (module, function) = (Atom::new("beagle_loop"), Atom::new("run"));
    code.load_into_runtime(module)?;
    let how = Evaluations { limits: LIMITS, is_printed: false, is_fresh: false };
    println!("\na run without shadows             machine s      beam s");
    for power in (8..=26).step_by(3) {
        let calls = 1i64 << power;
        let args = [Term::Int(calls)];
        let mut ours = f64::INFINITY;
        let mut theirs = f64::INFINITY;
        for _ in 0..TIMES {
            let start = Instant::now();
            session.machine.run(module, function, &args);
            ours = ours.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            code.evaluate(&[format!("{module}:{function}({calls})")], how)?;
            theirs = theirs.min(start.elapsed().as_secs_f64());
        }
        println!("  {calls:>9} calls {ours:>26.5} {theirs:>11.5}");
        if theirs < ours {
            println!("  the BEAM is quicker from about {calls} calls on");
            return Ok(());
        }
    }
    println!("  the machine is quicker at all lengths");
    Ok(())
}
