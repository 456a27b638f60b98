//! Calls that are made before each run: those that start applications, functions that the user names, and those that
//! modules name for themselves.

use super::task::Task;
use crate::languages::print_name;
use crate::project::Project;
use crate::streams::complain;
use anyhow::{Context, bail};
use campaign::{Start, Target};
use frontend::Code;
use machine::Limits;
use path::{Outcome, Setup, Stop};
use session::Opaque;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use term::{Atom, FunctionName, Term};

/// The name that means all applications of the project.
const ALL_OF_PROJECT: &str = ".";

/// The name that means no application, not even one that a function needs.
const NOTHING: &str = "none";

/// The limit of calls for a setup. A setup that makes more would take too much time before every evaluation.
const MOST_CALLS: u64 = 10_000_000;

/// Returns the calls that start applications with their dependencies.
pub fn starts(names: &[String], project: Option<&Project>) -> anyhow::Result<Vec<Setup>> {
    let mut applications: Vec<&str> = Vec::new();
    if names.len() > 1 && names.iter().any(|name| name == NOTHING) {
        bail!("--start none starts nothing, and other applications are named beside it: leave out one or the other");
    }
    for name in names.iter().filter(|name| *name != NOTHING) {
        if name != ALL_OF_PROJECT {
            applications.push(name);
            continue;
        }
        let own = project.map_or(&[][..], |project| &project.applications);
        if own.is_empty() {
            bail!("--start .: there is no project with applications here; name the application");
        }
        applications.extend(own.iter().map(|application| application.name.as_str()));
    }
    applications.iter().map(|name| start(name)).collect()
}

fn start(name: &str) -> anyhow::Result<Setup> {
    let name = Atom::try_new(name).map_err(|_| anyhow::anyhow!("--start {name}: the name is too long"))?;
    let (module, function) = starter();
    Ok(Setup { module, function, args: vec![name] })
}

/// Starts applications of a project for functions that need them, unless the user has said what is started. Each is
/// started once to see whether that works; one that fails is named on standard error.
pub fn on_demand(task: &Task) -> Option<campaign::Starter> {
    let options = &task.options;
    let project = task.project.as_ref()?;
    if !options.start.is_empty() || !options.setups.is_empty() {
        return None;
    }
    let own: HashSet<String> = project.applications.iter().map(|application| application.name.clone()).collect();
    let (code, opaque, limits) = (Arc::clone(&task.loaded), task.opaque.clone(), task.limits);
    let is_quiet = options.reports.quiet;
    let tried: Mutex<HashMap<String, Start>> = Mutex::default();
    Some(Box::new(move |name| {
        if !own.contains(name) {
            return Start::Foreign;
        }
        let mut tried = tried.lock().unwrap_or_else(PoisonError::into_inner);
        let try_out = || match start(name).and_then(|setup| check(&setup, &code, &opaque, limits).map(|()| setup)) {
            Ok(setup) => Start::By(setup),
            Err(why) => {
                let why = why.root_cause().to_string();
                if !is_quiet {
                    complain!("functions need the application {name}, which was not started: {why}");
                }
                Start::Failed(why)
            }
        };
        tried.entry(name.to_string()).or_insert_with(try_out).clone()
    }))
}

fn starter() -> (Atom, Atom) {
    (Atom::new("application"), Atom::new("ensure_all_started"))
}

/// Returns the call of a function without parameters.
pub fn call(FunctionName { module, function, .. }: FunctionName) -> Setup {
    Setup { module, function, args: Vec::new() }
}

/// Gives every function its setups, and runs each of them once, because a setup that fails would fail before every run.
pub fn prepare(
    targets: &mut [Target],
    named: &[Setup],
    code: &Arc<dyn Code>,
    opaque: &Opaque,
    limits: Limits,
) -> anyhow::Result<()> {
    let mut checked = HashSet::new();
    for target in targets {
        let FunctionName { module, function, arity } = target.name;
        // Invalid attributes were reported when the functions were chosen.
        let own = code.attributes(&target.module).unwrap_or_default().setups.into_iter();
        let own = own.map(|function| call(FunctionName { module, function, arity: 0 }));
        let is_other =
            |setup: &Setup| (setup.module, setup.function, setup.args.len()) != (module, function, arity as usize);
        target.setups = named.iter().cloned().chain(own).filter(is_other).collect();
        for setup in &target.setups {
            if checked.insert(setup.clone()) {
                check(setup, code, opaque, limits)?;
            }
        }
    }
    Ok(())
}

/// Runs a setup once, as every run will.
fn check(setup: &Setup, code: &Arc<dyn Code>, opaque: &Opaque, limits: Limits) -> anyhow::Result<()> {
    let Setup { module, function, args } = setup;
    let name = FunctionName { module: *module, function: *function, arity: args.len() as u32 };
    let run = || {
        let args: Vec<Term> = args.iter().copied().map(Term::Atom).collect();
        let mut session = opaque.session(code, limits)?;
        session.machine.set_steps(limits.steps.min(MOST_CALLS));
        anyhow::Ok(session.machine.run(*module, *function, &args))
    };
    match &args[..] {
        [application] if (*module, *function) == starter() => {
            run().and_then(check_started).with_context(|| format!("--start {}", application.text()))
        }
        _ => {
            let found = check_exported(name, code).and_then(|()| run());
            found.and_then(check_returned).map(drop).with_context(|| format!("setup {}", print_name(name)))
        }
    }
}

fn check_exported(name: FunctionName, code: &Arc<dyn Code>) -> anyhow::Result<()> {
    let Some(program) = code.load(name.module)? else { bail!("the module was not found: name its file as well") };
    if !program.find(name.function, name.arity).is_some_and(|id| program.function(id).exported) {
        bail!("there is no such function, or it is not exported");
    }
    Ok(())
}

fn check_returned(outcome: Outcome) -> anyhow::Result<Term> {
    match outcome {
        Outcome::Value(value) => Ok(value),
        Outcome::Raised(raised) => bail!("it raises {} {}", raised.class.atom(), erlang::print(&raised.reason)),
        Outcome::Stopped(Stop::StepLimit) => bail!("it has not come to rest after {MOST_CALLS} calls"),
        Outcome::Stopped(stop) => {
            let why = report::stopped(&stop, &print_name);
            bail!("{why}. A setup may start processes and make tables, terms and settings, but not act on the outside")
        }
    }
}

fn check_started(outcome: Outcome) -> anyhow::Result<()> {
    let value = check_returned(outcome)?;
    match value.as_tuple() {
        Some([Term::Atom(tag), why]) if tag.text() == "error" => {
            bail!("the application cannot be started: {}", erlang::print(why))
        }
        _ => Ok(()),
    }
}
