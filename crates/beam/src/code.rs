//! Code that runs on the BEAM: the loader finds and lowers it, and the oracle evaluates it.

use crate::{attributes, client, replay};
use erlang::syntax::{lower_expression, parse_expression};
use frontend::{
    Attributes, Call, Code, CodeAround, CodeConfig, CodeError, Digest, Effects, Evaluation, Evaluations, FromOutside,
    Limits, Narrated, Narration, Outcome, OutsideEnd, ProcessEnd, Replay, Rest, Traced, TracedCall, Watched,
};
use loader::{LoadError, Loader, LoaderConfig};
use oracle::{Forbidden, Guard, OracleError};
use path::{Class, ClientPlan, TraceEntry, Turn};
use program::Module;
use search::Blame;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use term::{Atom, FunctionName, Term, names};

/// The code of a program for the BEAM.
pub struct Beam {
    pub loader: Loader,
    /// The configuration of the applications: see [`erlang::configuration`].
    configuration: OnceLock<Arc<Term>>,
    /// The outside functions that code with events may call, once the code is staged for the runtime, or why it cannot
    /// be.
    staged: OnceLock<Result<oracle::Allowed, CodeError>>,
    /// The same for code with events that report values.
    told: OnceLock<Result<oracle::Allowed, CodeError>>,
    effects: Effects,
}

/// Finds the code that a configuration names, without starting anything.
pub fn open(config: CodeConfig) -> Result<Arc<Beam>, CodeError> {
    let lower = |core: &Term| erlang::lower_core(core).map_err(|error| error.to_string());
    let usual = LoaderConfig::new(lower);
    let effects = config.effects;
    let loader = Loader::new(LoaderConfig {
        sources: config.sources,
        code_paths: config.code_paths,
        include_paths: config.include_paths,
        macros: config.macros,
        options: config.options,
        cache_dir: config.cache_dir,
        erl: config.runtime,
        readable: config.readable,
        is_trusting: config.evaluation == Evaluation::Trusting,
        guard: (config.evaluation != Evaluation::Unguarded).then(guard),
        embedded: erlang::prelude::ALL,
        marks: config.marks.map(|libraries| loader::Marks { libraries, module: erlang::prelude::MARK.0 }),
        traced: config.traced,
        conductor: config.is_conducted.then_some(erlang::prelude::CONDUCTOR.0),
        opened: oracle::Opened {
            readable: config.opened_paths,
            programs: config.opened_programs,
            loopback: config.has_loopback,
        },
        events: config
            .has_events
            .then_some(loader::Events { libraries: config.instrumented, module: erlang::prelude::EVENT.0 }),
        compile_time: config.compile_time.unwrap_or(usual.compile_time),
        ..usual
    });
    Ok(Arc::new(Beam {
        loader: loader.map_err(load_error)?,
        configuration: OnceLock::new(),
        staged: OnceLock::new(),
        told: OnceLock::new(),
        effects,
    }))
}

/// Modules that are used by functions that the machine knows (`application:get_env/2`, the loading of a module that is
/// called).
const BEHIND_KNOWN_FUNCTIONS: [&str; 3] = ["application_controller", "code_server", "erl_prim_loader"];

/// Returns the guard by which the real runtime denies the calls that the machine denies to invented inputs.
fn guard() -> Guard {
    let outside = erlang::bifs::effects::OUTSIDE.iter();
    let outside = outside.filter(|(name, _)| !BEHIND_KNOWN_FUNCTIONS.contains(name));
    // The machine runs a function with a row, so it may be called on the runtime.
    let rows = |module: &'static str| erlang::bifs::all().filter(move |row| row.module == module).map(|row| row.name);
    let modules = outside.map(|(name, harmless)| Forbidden::Module {
        name: (*name).to_owned(),
        except: harmless.iter().copied().chain(rows(name)).map(str::to_owned).collect(),
    });
    let denied = erlang::bifs::effects::denied_functions();
    let denied = denied.filter(|(module, name, _)| !rows(module).any(|row| row == *name));
    let functions = denied.map(|(module, name, arity)| Forbidden::Function {
        module: module.to_owned(),
        name: name.to_owned(),
        arity,
    });
    Guard { forbidden: modules.chain(functions).collect() }
}

impl Beam {
    /// Evaluates a text that may act on the outside world as far as the user allows it.
    fn evaluate_outside(&self, text: &str, how: Evaluations) -> Result<Outcome, CodeError> {
        let call = TracedCall::Text { text: text.to_string(), home: None };
        self.trace(&call, how.limits).map(|traced| traced.outcome)
    }

    /// Returns the functions that act on the outside world and are allowed, and the modules of the user with native
    /// functions, if they are allowed.
    fn allowed(&self) -> Result<oracle::Allowed, CodeError> {
        if self.effects.is_empty() {
            return Ok(oracle::Allowed::default());
        }
        let functions = self.denied_functions()?.into_iter().filter(|name| self.effects.covers(*name));
        let native = |module: &Atom| {
            let module = self.load(*module).ok().flatten();
            module.is_some_and(|module| machine::Language::has_on_load(&erlang::ERLANG, &module))
        };
        let natives = match self.effects.allow_native_code() {
            true => self.source_modules().map(|(module, _)| module).filter(native).collect(),
            false => Vec::new(),
        };
        Ok(oracle::Allowed { functions: functions.collect(), natives })
    }

    /// Returns the functions of OTP that the machine does not run for invented inputs.
    fn denied_functions(&self) -> Result<Vec<FunctionName>, CodeError> {
        let outside = erlang::bifs::effects::OUTSIDE.iter().map(|(module, _)| *module);
        let single = erlang::bifs::effects::denied_functions().map(|(module, _, _)| module);
        let mut modules: Vec<Atom> = outside.chain(single).map(Atom::new).collect();
        modules.sort_unstable();
        modules.dedup();
        let exports = self.loader.oracle().exports(&modules).map_err(oracle_error)?;
        Ok(exports.into_iter().filter(|name| is_denied(*name)).collect())
    }
}

/// Returns whether the machine does not run a function for invented inputs.
fn is_denied(name: FunctionName) -> bool {
    let FunctionName { module, function, arity } = name;
    let has_row = erlang::bifs::find(module, function, arity).is_some();
    !has_row && erlang::bifs::effects::denied(module, function, arity)
}

fn from_outside(told: oracle::FromOutside) -> FromOutside {
    match told {
        oracle::FromOutside::Message(message) => FromOutside::Message(message),
        oracle::FromOutside::Call { function, args, ended } => {
            let ended = match ended {
                oracle::OutsideEnd::Returned(value) => OutsideEnd::Returned(value),
                oracle::OutsideEnd::Raised { class, reason } => OutsideEnd::Raised { class, reason },
            };
            FromOutside::Call { function, args, ended }
        }
    }
}

/// The applications of OTP and Elixir that releases leave out unless a program names them.
const OPTIONAL: [&str; 36] = [
    "asn1", "common_test", "compiler", "crypto", "debugger", "dialyzer", "diameter", "edoc", "eex", "eldap",
    "erl_interface", "et", "eunit", "ex_unit", "ftp", "iex", "inets", "logger", "megaco", "mix", "mnesia", "observer",
    "odbc", "os_mon", "parsetools", "public_key", "reltool", "runtime_tools", "sasl", "snmp", "ssh", "ssl",
    "syntax_tools", "tftp", "tools", "wx",
];

/// Functions that compilers generate.
const GENERATED: [&str; 4] = ["module_info", "behaviour_info", "__info__", "__struct__"];

/// The code around a module, with the modules of the user.
struct Near<'b> {
    beam: &'b Beam,
    users: &'b [Atom],
}

impl CodeAround for Near<'_> {
    fn is_users(&self, module: Atom) -> bool {
        self.users.contains(&module)
    }

    fn load(&self, module: Atom) -> Option<Arc<Module>> {
        self.beam.load(module).ok().flatten()
    }
}

impl Code for Beam {
    fn language(&self) -> &'static dyn machine::Language {
        // Without a runtime, only expressions can be evaluated, and the oldest release is assumed.
        if let Ok(release) = self.loader.release() {
            erlang::otp::work_with(release);
        }
        &erlang::ERLANG
    }

    fn source_modules(&self) -> Box<dyn Iterator<Item = (Atom, &Path)> + '_> {
        Box::new(self.loader.source_modules())
    }

    fn load(&self, module: Atom) -> Result<Option<Arc<Module>>, CodeError> {
        self.loader.load(module).map_err(load_error)
    }

    fn load_for_runs(&self, module: Atom) -> Result<Option<Arc<Module>>, CodeError> {
        self.loader.load_instrumented(module).map_err(load_error)
    }

    fn instrumented(&self) -> &[Atom] {
        self.loader.instrumented_libraries()
    }

    fn has_events(&self, module: Atom) -> bool {
        self.loader.has_events(module)
    }

    fn check_instrumented(&self, module: Atom) -> Result<(), String> {
        let loaded = self.load(module).map_err(|error| error.to_string())?;
        let Some(code) = loaded else { return Err(format!("there is no module {module}")) };
        let is_native = |function: &&program::Function| {
            let has_row = erlang::bifs::find(module, function.name, function.arity).is_some();
            has_row && !self.language().is_native_stub(function)
        };
        match code.functions.iter().find(is_native) {
            Some(function) => Err(format!(
                "{module}:{}/{} is a native function of Beagle's machine, so the code of {module} cannot be compared",
                function.name, function.arity
            )),
            None => Ok(()),
        }
    }

    fn lower_expression(&self, text: &str, home: Option<Atom>) -> Result<Module, String> {
        let expression = parse_expression(text).map_err(|error| error.render(text).to_string())?;
        lower_expression(&expression, home).map_err(|error| error.render(text).to_string())
    }

    fn attributes(&self, module: &Module) -> Result<Attributes, String> {
        attributes::of(module)
    }

    fn client(&self, module: &Arc<Module>, users: &[Atom], all: bool) -> Option<ClientPlan> {
        let around = Near { beam: self, users };
        let is_generated = |name: Atom| GENERATED.contains(&name.text()) || name.text().starts_with("__");
        let mut plan = client::plan(module, &around, all, &is_generated)?;
        // Wrong attributes were already reported when the functions were chosen.
        let invariants = attributes::of(module).unwrap_or_default().invariants;
        let name = |function| FunctionName { module: module.name, function, arity: 1 };
        plan.invariants = invariants.into_iter().map(name).collect();
        plan.operations.retain(|call| !plan.invariants.contains(&call.name));
        Some(plan)
    }

    fn callbacks(&self, module: &Module) -> HashSet<(Atom, u32)> {
        client::callbacks_of(module, &Near { beam: self, users: &[] })
    }

    fn configure(&self, configuration: Term) {
        if self.configuration.set(Arc::new(configuration.clone())).is_ok() {
            self.loader.oracle().configure(configuration);
        }
    }

    fn configuration(&self) -> Option<Arc<Term>> {
        self.configuration.get().cloned()
    }

    fn application_of(&self, module: Atom) -> Option<Atom> {
        erlang::configuration::started_with(self.configuration.get()?, module)
    }

    fn read_configuration(&self, files: &[PathBuf], environment: &str) -> Result<Term, CodeError> {
        self.loader.oracle().elixir_configuration(files, environment).map_err(oracle_error)
    }

    fn optional_application(&self, module: Atom) -> Option<Atom> {
        let application = self.loader.application_of_library(module)?;
        OPTIONAL.contains(&application.as_str()).then(|| Atom::new(&application))
    }

    fn digest(&self, module: Atom) -> Option<Digest> {
        self.loader.digest(module).map(|digest| match digest {
            loader::Digest::Of(bytes) => Digest::Of(bytes),
            loader::Digest::Absent => Digest::Absent,
        })
    }

    fn release(&self) -> Option<u32> {
        self.loader.oracle().info().ok()?.release.parse().ok()
    }

    fn runtime_digest(&self) -> Option<[u8; 32]> {
        self.loader.fingerprint().ok()
    }

    fn start_runtime(&self) {
        self.loader.oracle().start();
    }

    fn load_into_runtime(&self, module: Atom) -> Result<bool, CodeError> {
        // With allowed effects, calls are evaluated by the tracer, which loads its code itself.
        if !self.effects.is_empty() {
            return self.load(module).map(|module| module.is_some());
        }
        self.loader.load_into_runtime(module).map_err(load_error)
    }

    fn evaluate(&self, texts: &[String], how: Evaluations) -> Result<Vec<Outcome>, CodeError> {
        if !self.effects.is_empty() {
            return texts.iter().map(|text| self.evaluate_outside(text, how)).collect();
        }
        let calls: Vec<oracle::Call> =
            texts.iter().map(|text| oracle::Call::Text { text: text.clone(), home: None }).collect();
        let (oracle, limits) = (self.loader.oracle(), their_limits(how.limits));
        let outcomes = match how.is_fresh {
            true => oracle.evaluate_afresh(&calls, limits, how.is_printed),
            false => oracle.evaluate_batch(&calls, limits, how.is_printed),
        };
        Ok(outcomes.map_err(oracle_error)?.into_iter().map(outcome).collect())
    }

    fn evaluate_call(&self, call: &Call, limits: Limits) -> Result<(Outcome, Vec<TraceEntry>), CodeError> {
        let Call { module, function, args } = call.clone();
        let call = oracle::Call::Apply { module, function, args };
        let ended = self.loader.oracle().evaluate(&call, their_limits(limits)).map_err(oracle_error)?;
        let stack = match &ended {
            oracle::Outcome::Raised { stacktrace, .. } => replay::stack(stacktrace),
            _ => Vec::new(),
        };
        Ok((outcome(ended), stack))
    }

    fn evaluate_watched(&self, text: &str, how: Evaluations, linger: Duration) -> Result<Watched, CodeError> {
        if !self.effects.is_empty() {
            let outcome = self.evaluate_outside(text, how)?;
            return Ok(Watched { outcome, ends: Vec::new(), rest: Rest::Ended, started: 0 });
        }
        let call = oracle::Call::Text { text: text.to_string(), home: None };
        let Evaluations { limits, is_printed, is_fresh } = how;
        let oracle = self.loader.oracle();
        let seen = oracle.evaluate_watched(&call, their_limits(limits), is_printed, is_fresh, linger);
        seen.map(watched).map_err(oracle_error)
    }

    fn replay(
        &self,
        text: &str,
        how: Evaluations,
        linger: Duration,
        schedule: Option<&[Turn]>,
    ) -> Result<Replay, CodeError> {
        if schedule.is_some() {
            self.loader.load_into_runtime(Atom::new(erlang::prelude::CONDUCTOR.0)).map_err(load_error)?;
        }
        replay::replay(self.loader.oracle(), text, how, linger, schedule)
    }

    fn trace_in_order(
        &self,
        call: &TracedCall,
        limits: Limits,
        schedule: Option<&[Turn]>,
    ) -> Result<Traced, CodeError> {
        // Modules that stay without events have none on the machine either, or cannot be run there at all.
        let stage = || {
            self.loader.stage_instrumented().map_err(load_error)?;
            self.allowed()
        };
        let allowed = self.staged.get_or_init(stage).as_ref().map_err(CodeError::clone)?;
        if schedule.is_some() {
            self.loader.stage_conducted().map_err(load_error)?;
        }
        let call = match call.clone() {
            TracedCall::Plain(Call { module, function, args }) => oracle::Call::Apply { module, function, args },
            TracedCall::Text { text, home } => oracle::Call::Text { text, home },
        };
        let (oracle, most) = (self.loader.oracle(), path::Clauses::MOST as u64);
        let schedule = schedule.map(replay::schedule);
        let traced =
            oracle.trace(&call, their_limits(limits), most, allowed, schedule.as_ref()).map_err(oracle_error)?;
        let oracle::Traced { outcome: ended, events, is_whole, outside, others, is_waiting, order } = traced;
        let life = |process: oracle::TracedProcess| path::Life {
            process: process.path,
            events: process.events,
            end: process.end,
        };
        Ok(Traced {
            outcome: outcome(ended),
            events,
            is_whole,
            outside: outside.into_iter().map(from_outside).collect(),
            others: others.into_iter().map(life).collect(),
            is_waiting,
            order: order.as_ref().and_then(replay::order_of),
        })
    }

    fn rest(&self) -> Option<String> {
        self.is_conducted().then(|| format!("{}:rest()", erlang::prelude::CONDUCTOR.0))
    }

    fn is_conducted(&self) -> bool {
        self.loader.has_conductor()
    }

    fn tell(
        &self,
        text: &str,
        limits: Limits,
        hear: &mut dyn FnMut(Narrated) -> ControlFlow<()>,
    ) -> Result<Narration, CodeError> {
        let stage = || {
            if let Some((_, error)) = self.loader.stage_told(erlang::prelude::TRACE.0).map_err(load_error)?.pop() {
                return Err(load_error(error));
            }
            self.allowed()
        };
        let allowed = self.told.get_or_init(stage).as_ref().map_err(CodeError::clone)?;
        let told = self.loader.oracle().tell(text, their_limits(limits), allowed, |event| {
            let oracle::Narrated { pid, depth, info, values, result } = event;
            match erlang::trace::told(&info, values, result, pid.clone()) {
                Some(told) => hear(Narrated { told, pid, depth }),
                None => ControlFlow::Continue(()),
            }
        });
        let oracle::Narration { outcome: ended, outside } = told.map_err(oracle_error)?;
        let stack = match &ended {
            Some(oracle::Outcome::Raised { stacktrace, .. }) => replay::stack(stacktrace),
            _ => Vec::new(),
        };
        let outside = outside.into_iter().map(from_outside).collect();
        Ok(Narration { outcome: ended.map(outcome), stack, outside })
    }

    fn idle_effects(&self) -> Result<Vec<String>, CodeError> {
        if self.effects.is_empty() {
            return Ok(Vec::new());
        }
        let denied = self.denied_functions()?;
        Ok(self.effects.covering_none_of(&denied))
    }

    fn effects(&self) -> &Effects {
        &self.effects
    }

    fn call_library(&self, call: &Call, limits: Limits) -> Result<Outcome, CodeError> {
        let Call { module, function, args } = call.clone();
        let call = oracle::Call::Apply { module, function, args };
        self.loader.oracle().call_pure(&call, their_limits(limits)).map(outcome).map_err(oracle_error)
    }

    fn are_alike(&self, left: &Term, right: &Term) -> bool {
        oracle::alike(left, right)
    }

    fn is_undefined(&self, reason: &Term) -> bool {
        *reason == Term::Atom(names::UNDEF)
    }

    fn is_blame(&self, blame: &Blame, class: Atom, reason: &Term) -> bool {
        let tag = match blame {
            Blame::Domain(_) => Term::atom("outside_domain"),
            Blame::Arity(_) => Term::Atom(names::BADARITY),
            Blame::Range(_) => Term::atom("outside_range"),
        };
        class == names::ERROR && reason.as_tuple().and_then(|reason| reason.first()) == Some(&tag)
    }

    fn is_end_of(&self, class: Class, reason: &Term, end: &Term) -> bool {
        // The reasons of errors and of thrown values include the stack.
        let without_stack = match end.as_tuple() {
            Some([reason, stack]) if stack.as_list().is_some() => Some(reason),
            _ => None,
        };
        match class {
            Class::Exit => oracle::alike(reason, end),
            Class::Error => without_stack.is_some_and(|end| oracle::alike(reason, end)),
            Class::Throw => match without_stack.and_then(Term::as_tuple) {
                Some([Term::Atom(tag), ball]) => tag.text() == "nocatch" && oracle::alike(reason, ball),
                _ => false,
            },
        }
    }

    /// Returns whether the reason is `{timeout, {gen_server, call, Arguments}}` or that of another behaviour.
    fn is_unanswered(&self, class: Atom, reason: &Term) -> bool {
        let Some([Term::Atom(tag), call]) = reason.as_tuple() else { return false };
        let is_call = matches!(call.as_tuple(), Some([Term::Atom(_), Term::Atom(_), args]) if args.as_list().is_some());
        class == names::EXIT && tag.text() == "timeout" && is_call
    }
}

fn load_error(error: LoadError) -> CodeError {
    let is_defect = matches!(error, LoadError::Lower { .. });
    let is_of_runtime = error.is_of_runtime();
    CodeError::new(error, is_of_runtime, is_defect)
}

pub(crate) fn oracle_error(error: OracleError) -> CodeError {
    let is_of_runtime = error.is_of_runtime();
    CodeError::new(error, is_of_runtime, false)
}

pub(crate) fn their_limits(Limits { time, heap_words }: Limits) -> oracle::Limits {
    oracle::Limits { time, heap_words }
}

pub(crate) fn watched(watched: oracle::Watched) -> Watched {
    let end = |end: oracle::ProcessEnd| {
        let oracle::ProcessEnd { initial, registered, reason, gave_up } = end;
        ProcessEnd { initial, registered, reason, gave_up }
    };
    Watched {
        outcome: outcome(watched.outcome),
        ends: watched.ends.into_iter().map(end).collect(),
        rest: match watched.rest {
            oracle::Rest::Ended => Rest::Ended,
            oracle::Rest::Waiting => Rest::Waiting,
            oracle::Rest::Running => Rest::Running,
        },
        started: watched.started,
    }
}

fn outcome(outcome: oracle::Outcome) -> Outcome {
    match outcome {
        oracle::Outcome::Value { term, text } => Outcome::Value { term, text },
        oracle::Outcome::Raised { class, reason, stacktrace: _, text } => Outcome::Raised { class, reason, text },
        oracle::Outcome::Timeout { reductions } => Outcome::Timeout { reductions },
        oracle::Outcome::HeapExceeded => Outcome::HeapExceeded,
        oracle::Outcome::Killed { reason } => Outcome::Killed { reason },
        oracle::Outcome::Unreadable { message } => Outcome::Unreadable { message },
        oracle::Outcome::Stopped { module, function, arity } => Outcome::Stopped { module, function, arity },
        oracle::Outcome::RuntimeDied { message } => Outcome::RuntimeDied { message },
    }
}
