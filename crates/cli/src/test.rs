//! `beagle test`: explores a function over integer inputs and confirms what it finds on the BEAM.

use crate::arguments::{Format, TestOptions};
use anyhow::{Context, bail};
use beagle::{Session, stack};
use erlang::{print, print_pasteable};
use search::{Exploration, Finding, Unit, explore};
use serde_json::json;
use solver::{Checked, SmtProcess};
use std::time::Instant;
use term::Atom;

pub fn test(options: &TestOptions) -> anyhow::Result<u8> {
    let start = Instant::now();
    let unit = unit_of(&options.function)?;
    let mut session = Session::new(options.code.session())?;
    let module = session.loader.load(unit.module)?.with_context(|| format!("there is no module {}", unit.module))?;
    let exported = module.find(unit.function, unit.arity).is_some_and(|id| module.function(id).exported);
    if !exported {
        bail!("{} is not an exported function of {}", options.function, unit.module);
    }
    let mut solver = Checked(SmtProcess::start(&options.solver, options.solver_time)?);
    let exploration = explore(&mut session.machine, &unit, &mut solver, options.max_runs);
    for finding in &exploration.findings {
        let confirmed = confirm(&session, &unit, finding)?;
        report_finding(options, &unit, finding, confirmed, start);
    }
    report_function(options, &exploration, start);
    Ok(u8::from(!exploration.findings.is_empty()))
}

fn unit_of(text: &str) -> anyhow::Result<Unit> {
    let parse = || {
        let (module, rest) = text.split_once(':')?;
        let (function, arity) = rest.rsplit_once('/')?;
        Some(Unit { module: Atom::new(module), function: Atom::new(function), arity: arity.parse().ok()? })
    };
    parse().with_context(|| format!("`{text}` is not a function: write it as module:name/arity"))
}

fn call(unit: &Unit, finding: &Finding) -> String {
    let args: Vec<String> = finding.args.iter().map(print_pasteable).collect();
    format!("{}:{}({})", unit.module, unit.function, args.join(", "))
}

/// Does the real runtime show the same failure for the printed call?
fn confirm(session: &Session, unit: &Unit, finding: &Finding) -> anyhow::Result<bool> {
    session.loader.load_into_runtime(unit.module)?;
    let call = oracle::Call::Text { text: call(unit, finding), home: None };
    let outcome = session.loader.oracle().evaluate(&call, oracle::Limits::default())?;
    Ok(matches!(outcome, oracle::Outcome::Raised { class, reason, .. }
        if class == finding.raised.class.atom() && reason == finding.raised.reason))
}

fn report_finding(options: &TestOptions, unit: &Unit, finding: &Finding, confirmed: bool, start: Instant) {
    let raised = &finding.raised;
    match options.format {
        Format::Jsonl => println!(
            "{}",
            json!({
                "type": "bug",
                "function": options.function,
                "kind": "crash",
                "class": raised.class.atom().text(),
                "reason": print(&raised.reason),
                "args": finding.args.iter().map(print_pasteable).collect::<Vec<_>>(),
                "call": call(unit, finding),
                "stack": stack(&raised.trace),
                "confirmed": confirmed,
                "runs": finding.runs,
                "seconds": start.elapsed().as_secs_f64(),
            })
        ),
        Format::Human => {
            println!("{}", call(unit, finding));
            println!("  {}: {}", raised.class.atom(), print(&raised.reason));
            for entry in &raised.trace {
                println!(
                    "    in {}:{}/{} ({}, line {})",
                    entry.module, entry.function, entry.arity, entry.file, entry.line
                );
            }
            let judged = if confirmed { "confirmed on the BEAM" } else { "NOT confirmed: suspected defect of Beagle" };
            println!("  {judged}, found in run {}", finding.runs);
        }
    }
}

fn report_function(options: &TestOptions, exploration: &Exploration, start: Instant) {
    let verdict = match (exploration.findings.is_empty(), exploration.is_exhaustive(), exploration.out_of_budget) {
        (false, ..) => "bugs",
        (true, true, _) => "exhausted",
        (true, false, true) => "budget",
        (true, false, false) => "incomplete",
    };
    match options.format {
        Format::Jsonl => println!(
            "{}",
            json!({
                "type": "function",
                "function": options.function,
                "verdict": verdict,
                "runs": exploration.runs,
                "queries": exploration.queries,
                "seconds": start.elapsed().as_secs_f64(),
                "unknown": exploration.unknown,
            })
        ),
        Format::Human => println!(
            "{}: {verdict} ({} runs, {} queries{})",
            options.function,
            exploration.runs,
            exploration.queries,
            if exploration.is_exhaustive() { ", all paths taken" } else { "" }
        ),
    }
}
