//! `beagle trace`: shows a run, event by event, on our machine or on the real runtime.

mod alternatives;

use crate::arguments::Format;
use crate::ended::without_result;
use crate::evaluating::{TraceOptions, named};
use crate::languages::languages;
use crate::streams::{self, complain};
use crate::test::effects::{self, ExecutorName};
use anyhow::bail;
use campaign::Files;
use frontend::{Code, Languages, Outcome as Theirs, Pattern, Rest};
use path::{Class, Outcome, Raised, Stop, Surrounding, Trace, TraceEvent, TraceLimits};
use report::{Alternative, TraceWriter};
use serde_json::{Value, json};
use session::{Prepared, Report, Session, print_outcome};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Instant;
use term::{FunctionName, Term};
use tracer::{Compared, Excuse, FirstDifference, Log, Observed, compare_traces, observe};

/// The default memory limit in megabytes.
const MEMORY: u64 = 2048;
/// The default limit of calls for a run.
const STEPS: u64 = 20_000_000;
/// The exit code if the executors differ, which is a defect of Beagle.
const DIFFERS: u8 = 3;

pub fn trace(options: &TraceOptions) -> anyhow::Result<u8> {
    let only = patterns(&options.only)?;
    let mut config = options.code.config(named(&options.files));
    config.traced = Some(only.iter().filter_map(|pattern| pattern.single_module()).collect());
    effects::open(&mut config, &options.allow_effects)?;
    let code = languages().open(config)?;
    effects::check(&*code)?;
    let languages = languages().with_code(vec![Arc::clone(&code)]);
    let mut limits = options.code.limits(MEMORY);
    limits.steps = options.code.steps.unwrap_or(STEPS);
    let mut session = Session::new(Arc::clone(&code), limits)?;
    let start = Instant::now();
    let prepared = session.prepare(&options.expression, None)?;
    let call =
        options.alternatives.then(|| alternatives::call(&mut session, &languages, &options.expression)).transpose()?;
    let wanted = TraceLimits {
        events: options.events,
        depth: options.depth.unwrap_or(u32::MAX),
        only: (!only.is_empty()).then(|| {
            let is_wanted = move |name: FunctionName| only.iter().any(|pattern| pattern.covers(name));
            Arc::new(is_wanted) as Arc<dyn Fn(FunctionName) -> bool + Send + Sync>
        }),
    };
    // The runtime does what may act on the outside, even if the machine is to show the run.
    let needs_runtime = options.executor != ExecutorName::Machine || !code.effects().is_empty();
    let runtime_limits = frontend::Limits { time: options.time, heap_words: limits.memory / size_of::<u64>() };
    let there = match needs_runtime {
        true => Some(
            observe(&*code, &asked(&options.expression), runtime_limits, wanted.clone())
                .map_err(|error| anyhow::anyhow!("the BEAM could not be asked: {error}"))?,
        ),
        false => None,
    };
    let command = Command { options, languages: &languages, code: &code, start };
    // Without alternatives, the machine is not needed to show what the runtime does.
    if let (ExecutorName::Beam, None, Some(there)) = (options.executor, &call, &there) {
        command.print_events(&there.trace, &HashMap::new());
        return command.print_end_there(&mut session, there);
    }
    session.machine.set_trace_limits(wanted);
    let here = command.run_here(&mut session, &prepared, call.as_ref(), there.as_ref())?;
    session.machine.set_trace_limits(TraceLimits::default());
    if let Outcome::Stopped(Stop::LoadFailed(message)) = &here.outcome {
        bail!("{message}");
    }
    match (options.executor, &there) {
        (ExecutorName::Beam, Some(there)) => {
            let (difference, _) = compare_traces(&*code, (&here.trace, &here.outcome), there);
            let same = difference.map_or(usize::MAX, |difference| difference.index);
            if difference.is_some() {
                complain!(
                    "the machine goes another way than the BEAM after {same} events: no alternatives behind them"
                );
            }
            let others = here.others.into_iter().filter(|(index, _)| *index < same).collect();
            command.print_events(&there.trace, &others);
            command.print_end_there(&mut session, there)
        }
        (ExecutorName::Both, Some(there)) => command.print_both(&mut session, &here, there),
        (ExecutorName::Machine | ExecutorName::Beam | ExecutorName::Both, _) => {
            command.print_events(&here.trace, &here.others);
            command.print_end(&mut session, &here.outcome)
        }
    }
}

/// Returns the expression as the runtime reads it.
fn asked(expression: &str) -> String {
    expression.trim().trim_end_matches('.').to_string()
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

/// A run on our machine.
struct Here {
    outcome: Outcome,
    trace: Trace,
    has_processes: bool,
    surroundings: Vec<Surrounding>,
    others: HashMap<usize, Vec<Alternative>>,
}

struct Command<'c> {
    options: &'c TraceOptions,
    languages: &'c Languages,
    code: &'c Arc<dyn Code>,
    start: Instant,
}

impl Command<'_> {
    /// Runs the expression on our machine. `there` is the run on the runtime, which has the results that came from
    /// outside.
    fn run_here(
        &self,
        session: &mut Session,
        prepared: &Prepared,
        call: Option<&(FunctionName, Vec<Term>)>,
        there: Option<&Observed>,
    ) -> anyhow::Result<Here> {
        if let Some(there) = there.filter(|_| !self.code.effects().is_empty()) {
            let log = Log::new(self.code, frontend::Limits { time: self.options.time, ..frontend::Limits::default() });
            log.begin(Some((&there.narration.outside, there.narration.outcome.as_ref())));
            session.machine.set_outside(Some(Box::new(log)));
        }
        let Some((function, args)) = call else {
            let outcome = session.run(prepared);
            let recorder = session.machine.recorder_mut();
            let trace = std::mem::take(&mut recorder.trace);
            let (has_processes, surroundings) = (recorder.has_processes, std::mem::take(&mut recorder.surroundings));
            return Ok(Here { outcome, trace, has_processes, surroundings, others: HashMap::new() });
        };
        let steps = self.options.code.steps.unwrap_or(STEPS);
        let explained = alternatives::explained(session, self.options, steps, *function, args)?;
        alternatives::said(&explained);
        let others = alternatives::of_events(self.languages, *function, &explained);
        let Some(outcome) = explained.outcome else { bail!("the call did not come to an end that can be shown") };
        let campaign::Explained { trace, has_processes, surroundings, .. } = explained;
        Ok(Here { outcome, trace, has_processes, surroundings, others })
    }

    fn print_events(&self, trace: &Trace, others: &HashMap<usize, Vec<Alternative>>) {
        self.print_some(trace, trace.events.len(), others);
    }

    /// Prints the first events of a trace.
    fn print_some(&self, trace: &Trace, count: usize, others: &HashMap<usize, Vec<Alternative>>) {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let first = trace.events.first().map(|event| event.process);
        let modules = self.code.source_modules().map(|(module, file)| (module, file.to_path_buf())).collect();
        let files = Files::new(modules, HashMap::new(), None);
        let head = |event: &TraceEvent| {
            let text = files.source(event.function.module, event.file.text())?;
            self.languages.language(event.function.module).clause_head(&text, event.line, event.column)
        };
        let writer = TraceWriter {
            printers: self.languages,
            shown: &|module, term| self.languages.language(module).shown(term, None),
            source: &head,
            names_processes: trace.events.iter().any(|event| Some(event.process) != first),
            colour: !self.is_json() && std::io::stdout().is_terminal() && !no_colour,
        };
        for (index, event) in trace.events.iter().enumerate().take(count) {
            let others = others.get(&index).map(Vec::as_slice).unwrap_or_default();
            match self.options.format {
                Format::Human => streams::write_coloured(&writer.text(event, others)),
                Format::Jsonl => self.print_object(writer.json(event, others)),
            }
        }
    }

    /// Prints the events up to the first difference between the executors.
    fn print_both(&self, session: &mut Session, here: &Here, there: &Observed) -> anyhow::Result<u8> {
        let (difference, ended) = compare_traces(&**self.code, (&here.trace, &here.outcome), there);
        let count = difference.map_or(here.trace.events.len(), |difference| difference.index);
        self.print_some(&here.trace, count, &here.others);
        let excuse = if here.has_processes {
            Some("the BEAM runs processes in an order of its own")
        } else if !here.surroundings.is_empty() {
            Some("the run depends on the time or other surroundings")
        } else {
            match ended {
                Compared::Excused(Excuse::StoppedHere) => Some("the machine stopped the run"),
                Compared::Excused(_) => Some("the BEAM stopped the run"),
                Compared::Same | Compared::Differs(_) => None,
            }
        };
        let code = self.print_end(session, &here.outcome)?;
        if difference.is_none() && matches!(ended, Compared::Same) {
            let events = if count == 1 { "1 event".to_string() } else { format!("{count} events") };
            let sentence = format!("the machine and the BEAM do the same ({events})");
            self.print_verdict(&sentence, json!({"type": "compared", "same": true, "events": count}));
            return Ok(code);
        }
        let how = match difference {
            Some(difference) => self.difference_in_words(&difference),
            None => format!(
                "the machine ends with {}, the BEAM with {}",
                self.end_here(session, &here.outcome),
                self.end_there(session, there)
            ),
        };
        let reason = excuse.map(|excuse| format!(" ({excuse})")).unwrap_or_default();
        let object = json!({"type": "compared", "same": false, "how": how, "events": count, "reason": excuse});
        self.print_verdict(&format!("{how}{reason}"), object);
        if excuse.is_none() {
            complain!("the executors differ: this is a defect of Beagle, please report it");
        }
        Ok(if excuse.is_none() { DIFFERS } else { code })
    }

    fn print_verdict(&self, sentence: &str, object: Value) {
        match self.options.format {
            Format::Human => streams::write(&format!("{sentence}\n")),
            Format::Jsonl => self.print_object(object),
        }
    }

    fn difference_in_words(&self, difference: &FirstDifference<'_>) -> String {
        let event = |event: Option<&TraceEvent>| match event {
            None => "nothing more".to_string(),
            Some(event) => {
                let language = self.languages.language(event.function.module);
                let values: Vec<String> = event.values.iter().map(|value| language.shown(value, None)).collect();
                let clause = if event.clause > 0 { format!(", clause {}", event.clause) } else { String::new() };
                let TraceEvent { file, line, level, .. } = event;
                let (kind, function) = (event.kind.name(), language.function(event.function));
                let tail = if event.is_tail { " as a tail call" } else { "" };
                let values = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
                format!("{kind}{tail} in {function}{clause} ({file}:{line}, level {level}){values}")
            }
        };
        let (number, ours, theirs) = (difference.index + 1, event(difference.ours), event(difference.theirs));
        format!("event {number} differs: the machine has {ours}; the BEAM has {theirs}")
    }

    fn end_here(&self, session: &mut Session, outcome: &Outcome) -> String {
        print_outcome(session, self.languages.usual(), outcome, 0.0, false).text
    }

    fn end_there(&self, session: &mut Session, there: &Observed) -> String {
        match self.ended_there(there) {
            Ok(outcome) => self.end_here(session, &outcome),
            Err(why) => why,
        }
    }

    /// Returns the outcome of a run on the runtime, or a message if it has neither a value nor an exception.
    fn ended_there(&self, there: &Observed) -> Result<Outcome, String> {
        match &there.narration.outcome {
            None => Ok(Outcome::Stopped(Stop::TraceLimit)),
            Some(Theirs::Value { term, .. }) => Ok(Outcome::Value(term.clone())),
            Some(Theirs::Raised { class, reason, .. }) => {
                let class = Class::of(*class).unwrap_or(Class::Error);
                Ok(Outcome::Raised(Raised::by_main(class, reason.clone(), there.narration.stack.clone())))
            }
            Some(other) => {
                let language = self.languages.usual();
                Err(without_result(language, other, Rest::Running, self.options.time).unwrap_or_default())
            }
        }
    }

    fn print_end_there(&self, session: &mut Session, there: &Observed) -> anyhow::Result<u8> {
        if let Some(Theirs::Unreadable { message }) = &there.narration.outcome {
            bail!("the BEAM cannot read the expression: {message}");
        }
        match self.ended_there(there) {
            Ok(outcome) => self.print_end(session, &outcome),
            Err(why) => {
                let seconds = self.start.elapsed().as_secs_f64();
                let object = json!({"type": "stopped", "why": why, "seconds": seconds});
                self.print_verdict(&format!("** stopped: {why}"), object);
                Ok(1)
            }
        }
    }

    /// Prints the last line, which says how the run ended, as `beagle run` does.
    fn print_end(&self, session: &mut Session, outcome: &Outcome) -> anyhow::Result<u8> {
        let language = languages().usual();
        let seconds = self.start.elapsed().as_secs_f64();
        let Report { text, exit_code } = print_outcome(session, language, outcome, seconds, self.is_json());
        let text = match self.options.format {
            Format::Jsonl => report::visible_json(&text).into_owned(),
            Format::Human => language.escaped(&text),
        };
        streams::write(&format!("{text}\n"));
        Ok(exit_code)
    }

    fn print_object(&self, object: Value) {
        streams::write(&format!("{}\n", report::visible_json(&object.to_string())));
    }

    fn is_json(&self) -> bool {
        self.options.format == Format::Jsonl
    }
}
