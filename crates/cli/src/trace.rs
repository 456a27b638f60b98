//! `beagle trace`: a run, event by event.

use crate::arguments::Format;
use crate::evaluating::TraceOptions;
use crate::languages::languages;
use crate::streams::{self, complain};
use anyhow::{bail, ensure};
use campaign::{Explained, Files, SolverOptions, Timed, Warnings};
use frontend::{Code, Languages, Pattern};
use path::{Outcome, Stop, Trace, TraceEvent, TraceLimits, has_functions};
use report::{Alternative, TraceWriter};
use session::{Session, print_outcome};
use solver::Distrusted;
use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{FunctionName, Term};

/// Megabytes.
const MEMORY: u64 = 2048;
/// Calls of a run, if the user does not say.
const STEPS: u64 = 20_000_000;
/// For all questions to the solver together.
const TIME_FOR_ALTERNATIVES: Duration = Duration::from_secs(30);

pub fn trace(options: &TraceOptions) -> anyhow::Result<u8> {
    let only = patterns(&options.only)?;
    let mut config = options.code.config(options.files.clone());
    config.traced = Some(only.iter().filter_map(|pattern| pattern.single_module()).collect());
    let code = languages().open(config)?;
    let languages = languages().with_code(vec![Arc::clone(&code)]);
    let mut limits = options.code.limits(MEMORY);
    limits.steps = options.code.steps.unwrap_or(STEPS);
    let mut session = Session::new(Arc::clone(&code), limits)?;
    let start = Instant::now();
    let prepared = session.prepare(&options.expression, None)?;
    let call = options.alternatives.then(|| call(&mut session, &languages, &options.expression)).transpose()?;
    session.machine.set_trace_limits(TraceLimits {
        events: options.events,
        depth: options.depth.unwrap_or(u32::MAX),
        only: (!only.is_empty()).then(|| {
            let is_wanted = move |name: FunctionName| only.iter().any(|pattern| pattern.covers(name));
            Arc::new(is_wanted) as Arc<dyn Fn(FunctionName) -> bool + Send + Sync>
        }),
    });
    let (outcome, trace, others) = match &call {
        None => {
            let outcome = session.run(&prepared);
            (outcome, std::mem::take(&mut session.machine.recorder_mut().trace), HashMap::new())
        }
        Some((function, args)) => {
            let explained = explained(&mut session, options, limits.steps, *function, args)?;
            said(&explained);
            let others = alternatives(&languages, *function, &explained);
            let Some(outcome) = explained.outcome else { bail!("the call did not come to an end that can be shown") };
            (outcome, explained.trace, others)
        }
    };
    session.machine.set_trace_limits(TraceLimits::default());
    if let Outcome::Stopped(Stop::LoadFailed(message)) = &outcome {
        bail!("{message}");
    }
    print_events(options, &languages, &code, &trace, &others);
    print_end(&mut session, options, &outcome, start.elapsed().as_secs_f64())
}

fn patterns(texts: &[String]) -> anyhow::Result<Vec<Arc<dyn Pattern>>> {
    let mut patterns = Vec::new();
    for text in texts {
        match languages().read_pattern(text) {
            Some(pattern) => patterns.push(pattern),
            None => bail!("--only {text} names no function: write module:name/arity, with * for any text"),
        }
    }
    Ok(patterns)
}

/// The function and the arguments of an expression that is a single call of data.
fn call(session: &mut Session, languages: &Languages, text: &str) -> anyhow::Result<(FunctionName, Vec<Term>)> {
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

fn explained(
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

/// What is missing among the alternatives.
fn said(explained: &Explained) {
    if explained.undecided > 0 {
        complain!("of {} other ways the solver could not say whether inputs take them", explained.undecided);
    }
    if explained.is_cut {
        complain!("not all other ways were looked at in {} s", TIME_FOR_ALTERNATIVES.as_secs());
    }
}

/// The alternatives of each event: those of the decisions that led to it.
fn alternatives(
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

fn print_events(
    options: &TraceOptions,
    languages: &Languages,
    code: &Arc<dyn Code>,
    trace: &Trace,
    others: &HashMap<usize, Vec<Alternative>>,
) {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let first = trace.events.first().map(|event| event.process);
    let modules = code.source_modules().map(|(module, file)| (module, file.to_path_buf())).collect();
    let files = Files::new(modules, HashMap::new(), None);
    let head = |event: &TraceEvent| {
        let text = files.source(event.function.module, event.file.text())?;
        languages.language(event.function.module).clause_head(&text, event.line, event.column)
    };
    let writer = TraceWriter {
        printers: languages,
        shown: &|module, term| languages.language(module).shown(term, None),
        source: &head,
        names_processes: trace.events.iter().any(|event| Some(event.process) != first),
        colour: options.format == Format::Human && std::io::stdout().is_terminal() && !no_colour,
    };
    for (index, event) in trace.events.iter().enumerate() {
        let others = others.get(&index).map(Vec::as_slice).unwrap_or_default();
        match options.format {
            Format::Human => streams::write_coloured(&writer.text(event, others)),
            Format::Jsonl => {
                let line = writer.json(event, others).to_string();
                streams::write(&format!("{}\n", report::visible_json(&line)));
            }
        }
    }
}

/// The last line says how the run ended, as `beagle run` does.
fn print_end(session: &mut Session, options: &TraceOptions, outcome: &Outcome, seconds: f64) -> anyhow::Result<u8> {
    let language = languages().usual();
    let report = print_outcome(session, language, outcome, seconds, options.format == Format::Jsonl);
    let text = match options.format {
        Format::Jsonl => report::visible_json(&report.text).into_owned(),
        Format::Human => language.escaped(&report.text),
    };
    streams::write(&format!("{text}\n"));
    Ok(report.exit_code)
}
