//! Finds inputs with which a run would have taken other sides.

use crate::evaluating::TraceOptions;
use crate::streams::complain;
use anyhow::{bail, ensure};
use campaign::{Explained, SolverOptions, Timed, Warnings};
use frontend::Languages;
use path::{Outcome, has_functions};
use report::Alternative;
use session::Session;
use solver::Distrusted;
use std::collections::HashMap;
use std::time::Duration;
use term::{FunctionName, Term};

/// The time for all queries to the solver together.
const TIME_FOR_ALTERNATIVES: Duration = Duration::from_secs(30);

/// Returns the function and the arguments of an expression that is a single call with data.
pub fn call(session: &mut Session, languages: &Languages, text: &str) -> anyhow::Result<(FunctionName, Vec<Term>)> {
    let wanted = "--alternatives changes the arguments of a call: write 'module:name(arguments)'";
    let text = text.trim().trim_end_matches('.').trim_end();
    let parts = text.split_once('(').and_then(|(name, args)| Some((name, args.strip_suffix(')')?)));
    let Some((name, args)) = parts else { bail!("{wanted}") };
    let Ok(Outcome::Value(args)) = session.evaluate(&format!("[{args}]"), None) else { bail!("{wanted}") };
    let args: Vec<Term> = match &args {
        Term::Nil => Vec::new(),
        Term::List(items, None) => items.to_vec(),
        _ => bail!("{wanted}"),
    };
    ensure!(args.iter().all(is_data), "--alternatives changes data: the arguments contain functions or processes");
    match languages.read_name(&format!("{}/{}", name.trim(), args.len())) {
        Some(function) => Ok((function, args)),
        None => bail!("{wanted}"),
    }
}

fn is_data(term: &Term) -> bool {
    !path::functions::has_identities(term) && !has_functions(term)
}

pub fn explained(
    session: &mut Session,
    options: &TraceOptions,
    steps: u64,
    function: FunctionName,
    args: &[Term],
) -> anyhow::Result<Explained> {
    let settings = SolverOptions { path: options.solver.clone(), time: options.solver_time, dump: None, second: None };
    let mut solver = Timed::start(&settings, &Distrusted::default(), &Warnings::new(|words| complain!("{words}")));
    Ok(campaign::explain(session, &mut solver, function, args, steps, TIME_FOR_ALTERNATIVES)?)
}

/// Reports that alternatives are missing.
pub fn said(explained: &Explained) {
    if explained.undecided > 0 {
        complain!("of {} other ways the solver could not say whether inputs take them", explained.undecided);
    }
    if explained.is_cut {
        complain!("not all other ways were looked at in {} s", TIME_FOR_ALTERNATIVES.as_secs());
    }
}

/// Returns the alternatives of each event: those of the decisions that led to it.
pub fn of_events(
    languages: &Languages,
    function: FunctionName,
    explained: &Explained,
) -> HashMap<usize, Vec<Alternative>> {
    let mut all: HashMap<usize, Vec<Alternative>> = HashMap::new();
    let events = &explained.trace.events;
    let printer = languages.language(function.module);
    for other in &explained.others {
        let args: Vec<String> = other.args.iter().map(|arg| printer.term(arg)).collect();
        let call = printer.call(function.module, function.function, &args);
        let follows = events.iter().position(|event| event.decisions > other.decision);
        let at = follows.unwrap_or(events.len().saturating_sub(1));
        let end = other.outcome.as_ref().map(|outcome| match outcome {
            Outcome::Value(value) => format!("returns {}", printer.shown(value, None)),
            Outcome::Raised(raised) => format!("raises {}", printer.raised(raised.class.atom(), &raised.reason, "")),
            Outcome::Stopped(stop) => report::stopped(stop, &|name| printer.function(name)),
        });
        let alternative = Alternative { call, way: other.way.clone(), end };
        let known = all.entry(at).or_default();
        if !known.contains(&alternative) {
            known.push(alternative);
        }
    }
    all
}
