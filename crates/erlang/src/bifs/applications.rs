//! Applications. Those of the program count as loaded, and run once they were started (`beagle_applications`). Their
//! descriptions and the configuration of the program can be read, and the environment can be set, too. In OTP, these
//! functions talk to a process that does not exist here.
//!
//! What is configured is a part of the program, so a function that reads it depends on nothing else. Anything that is
//! not configured may be configured on another system, which counts as a surrounding.

use super::process::group_leader_of;
use super::{badarg, rows};
use crate::configuration::applications;
use crate::runtime::ErlangState;
use machine::value::copy_in;
use machine::{Access, CallTarget, Context, Escape, Kind, Object, Primitive, Word, list_items};
use path::Surrounding;
use std::sync::Arc;
use term::{Atom, Term, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"application_controller" by Applications;
    "get_env" (Any, Any) -> Any, badarg, get_env, Keeps;
    "get_env" (Any, Any, Any) -> Any, badarg, get_env_or, Keeps;
    "get_all_env" (Any) -> List, badarg, get_all_env, Effect;
    "set_env" (Any, Any) -> Any, badarg, set_all_env, Effect;
    "set_env" (Any, Any, Any) -> Atom, badarg, set_env, Keeps;
    "set_env" (Any, Any, Any, Any) -> Atom, badarg, set_env, Keeps;
    "unset_env" (Any, Any) -> Atom, badarg, unset_env, Keeps;
    "unset_env" (Any, Any, Any) -> Atom, badarg, unset_env, Keeps;
    "get_pid_env" (Any, Any) -> Any, badarg, get_pid_env, Effect;
    "get_pid_all_env" (Any) -> List, badarg, get_pid_all_env, Effect;
    "get_key" (Any, Any) -> Any, badarg, get_key, Effect;
    "get_all_key" (Any) -> Any, badarg, get_all_key, Effect;
    "get_pid_key" (Any, Any) -> Any, badarg, get_pid_key, Effect;
    "get_pid_all_key" (Any) -> Any, badarg, get_pid_all_key, Effect;
    "get_application" (Any) -> Any, badarg, get_application, Effect;
    "get_application_module" (Any) -> Any, badarg, get_application_module, Effect;
    "loaded_applications" () -> List from Applications, badarg, loaded_applications, Effect;
    "which_applications" () -> List from Applications, badarg, which_applications, Effect;
    "which_applications" (Any) -> List from Applications, badarg, which_applications, Effect;
    "is_running" (Any) -> Boolean, badarg, is_running, Effect;
    "load_application" (Any) -> Any, badarg, load_application, Effect;
    "unload_application" (Any) -> Any, badarg, unload_application, Effect;
    "start_application" (Any, Any) -> Any, badarg, start_application, Effect;
    "stop_application" (Any) -> Any, badarg, stop_application, Effect;
}];

/// Rows that `beagle_applications` needs.
pub(super) const OWN_TABLES: &[&[Primitive]] = &[rows! {"beagle_application" by Applications;
    "is_running" (Any) -> Boolean, badarg, is_running, Effect;
    "started" (Atom, Pid) -> Atom, badarg, started, Effect;
    "stopped" (Atom) -> Atom, badarg, stopped, Effect;
    "master" (Any) -> Any, badarg, master, Effect;
}];

/// Returns the environment, configured or set by the program: a map with the keys `{Application, Key}`.
fn environment(context: &mut Context) -> Word {
    if let Some(map) = ErlangState::of(context).application_environment {
        return map;
    }
    let mut map = context.heap.empty_map();
    let Some(configured) = ErlangState::of(context).configuration.clone() else { return map };
    for (application, _, pairs) in applications(&configured) {
        for (key, value) in pairs.iter().filter_map(pair) {
            let key = context.heap.tuple(&[application.into(), key.into()]);
            let value = copy_in(&mut context.heap, value);
            map = context.heap.map_put(map, key, value);
        }
    }
    ErlangState::of(context).application_environment = Some(map);
    map
}

fn pair(term: &Term) -> Option<(Atom, &Term)> {
    match term.as_tuple() {
        Some([Term::Atom(key), value]) => Some((*key, value)),
        _ => None,
    }
}

/// Returns the configuration and the name of an application that has a description. Another application may be
/// described on another system.
fn description(context: &mut Context, application: Word) -> Option<(Arc<Term>, Atom)> {
    let name = application.concrete().as_atom();
    let configured = ErlangState::of(context).configuration.clone().unwrap_or_else(|| Arc::new(Term::Nil));
    let known = name.filter(|name| is_described(&configured, *name));
    if known.is_none() {
        context.asks(Surrounding::Applications);
    }
    known.map(|name| (configured, name))
}

fn is_described(configured: &Term, name: Atom) -> bool {
    applications(configured).any(|(known, keys, _)| known == name && keys.is_some())
}

/// Returns whether an application of the program names another one as one that it needs.
pub(super) fn is_needed(context: &mut Context, name: Atom) -> bool {
    let configured = ErlangState::of(context).configuration.clone().unwrap_or_else(|| Arc::new(Term::Nil));
    let names_it = |keys: &[Term]| {
        keys.iter().filter_map(pair).any(|(key, value)| {
            matches!(key.text(), "applications" | "included_applications")
                && value.as_list().is_some_and(|needed| needed.contains(&Term::Atom(name)))
        })
    };
    applications(&configured).any(|(own, keys, _)| own == name || keys.is_some_and(names_it))
}

/// Returns the value of a key that an application's description leaves out.
fn usual(key: &str) -> Option<Term> {
    match key {
        "description"
        | "id"
        | "vsn"
        | "modules"
        | "registered"
        | "included_applications"
        | "optional_applications"
        | "applications"
        | "mod" => Some(Term::Nil),
        "maxP" | "maxT" => Some(Term::atom("infinity")),
        "start_phases" => Some(Term::Atom(names::UNDEFINED)),
        _ => None,
    }
}

/// The keys of a description, in the order in which OTP lists them.
const KEYS: [&str; 13] = [
    "description", "id", "vsn", "modules", "maxP", "maxT", "registered", "included_applications",
    "optional_applications", "applications", "env", "mod", "start_phases",
];

fn key_of(context: &mut Context, configured: &Term, application: Atom, key: &str) -> Option<Word> {
    if key == "env" {
        return get_all_env(context, &[application.into()]).ok();
    }
    let keys = applications(configured).find(|(name, ..)| *name == application).and_then(|(_, keys, _)| keys);
    let own = keys.unwrap_or_default().iter().filter_map(pair).find(|(name, _)| name.text() == key);
    let value = own.map(|(_, value)| value.clone()).or_else(|| usual(key))?;
    Some(copy_in(&mut context.heap, &value))
}

fn get_key(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let key = args[1].concrete().as_atom();
    // All that is known of a library is that no other application has to be started before it.
    let is_library = args[0].concrete().as_atom().is_some_and(|name| LIBRARIES.contains(&name.text()));
    if is_library && key.is_some_and(|key| key.text().ends_with("applications")) {
        return Ok(context.heap.tuple(&[names::OK.into(), Word::NIL]));
    }
    let Some((configured, application)) = description(context, args[0]) else { return Ok(names::UNDEFINED.into()) };
    Ok(match key.and_then(|key| key_of(context, &configured, application, key.text())) {
        Some(value) => context.heap.tuple(&[names::OK.into(), value]),
        None => names::UNDEFINED.into(),
    })
}

fn get_all_key(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some((configured, application)) = description(context, args[0]) else { return Ok(names::UNDEFINED.into()) };
    let mut pairs = Vec::new();
    for key in KEYS {
        let value = key_of(context, &configured, application, key).unwrap_or(Word::NIL);
        pairs.push(context.heap.tuple(&[Atom::new(key).into(), value]));
    }
    let pairs = context.heap.list(&pairs, Word::NIL);
    Ok(context.heap.tuple(&[names::OK.into(), pairs]))
}

/// Returns the application that a module belongs to.
fn get_application_module(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let configured = ErlangState::of(context).configuration.clone();
    let module = args[0].concrete().as_atom();
    let found = configured.as_deref().zip(module).and_then(|(configured, module)| {
        applications(configured).find_map(|(name, keys, _)| {
            let modules = keys?.iter().filter_map(pair).find(|(key, _)| key.text() == "modules")?.1;
            modules.as_list()?.contains(&Term::Atom(module)).then_some(name)
        })
    });
    Ok(match found {
        Some(application) => context.heap.tuple(&[names::OK.into(), application.into()]),
        None => {
            context.asks(Surrounding::Applications);
            names::UNDEFINED.into()
        }
    })
}

/// The applications of OTP that always run.
const ALWAYS: [(&str, &str); 2] = [("stdlib", "ERTS  CXC 138 10"), ("kernel", "ERTS  CXC 138 10")];

fn loaded_applications(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let configured = ErlangState::of(context).configuration.clone();
    let mut loaded = Vec::new();
    if let Some(configured) = configured {
        for (name, keys, _) in applications(&configured) {
            let Some(keys) = keys else { continue };
            let text = |wanted: &str| {
                let found = keys.iter().filter_map(pair).find(|(key, _)| key.text() == wanted);
                found.map_or(Term::Nil, |(_, value)| value.clone())
            };
            let (description, version) = (text("description"), text("vsn"));
            let parts = [description, version].map(|term| copy_in(&mut context.heap, &term));
            loaded.push(context.heap.tuple(&[name.into(), parts[0], parts[1]]));
        }
    }
    loaded.extend(always(context));
    Ok(context.heap.list(&loaded, Word::NIL))
}

fn which_applications(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let mut running = Vec::new();
    let configured = ErlangState::of(context).configuration.clone().unwrap_or_else(|| Arc::new(Term::Nil));
    for (name, _) in ErlangState::of(context).running.clone().into_iter().rev() {
        let parts = ["description", "vsn"].map(|key| key_of(context, &configured, name, key).unwrap_or(Word::NIL));
        running.push(context.heap.tuple(&[name.into(), parts[0], parts[1]]));
    }
    running.extend(always(context));
    Ok(context.heap.list(&running, Word::NIL))
}

fn always(context: &mut Context) -> Vec<Word> {
    let mut all = Vec::new();
    for (name, description) in ALWAYS {
        let description = context.heap.string(description);
        all.push(context.heap.tuple(&[Atom::new(name).into(), description, Word::NIL]));
    }
    all
}

fn get_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("environments of applications"), Access::Read)])?;
    match value_of(context, args) {
        Some(value) => Ok(context.heap.tuple(&[names::OK.into(), value])),
        None => Ok(names::UNDEFINED.into()),
    }
}

fn get_env_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("environments of applications"), Access::Read)])?;
    Ok(value_of(context, args).unwrap_or(args[2]))
}

fn value_of(context: &mut Context, args: &[Word]) -> Option<Word> {
    let key = context.heap.tuple(&[args[0], args[1]]);
    let map = environment(context);
    context.decide_key(map, key);
    let value = map.map_get(key);
    if value.is_none() {
        context.asks(Surrounding::Applications);
    }
    value
}

fn get_all_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    description(context, args[0]);
    let mut pairs = Vec::new();
    let all = environment(context);
    context.decide_key_order(all);
    for (key, value) in all.map_iter() {
        if let Some(&[application, name]) = key.as_tuple()
            && context.decide_identical(application, args[0])
        {
            pairs.push(context.heap.tuple(&[name, value]));
        }
    }
    if pairs.len() > 1 {
        context.asks(Surrounding::HashOrder);
    }
    Ok(context.heap.list(&pairs, Word::NIL))
}

/// Sets the environment of several applications: `[{Application, [{Key, Value}]}]`. The `badarg` for a wrong list does
/// not say what is wrong.
fn set_all_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("environments of applications"), Access::Write)])?;
    let Some(settings) = settings(args[0]) else { return Err(badarg(context, args)) };
    for (application, key, value) in settings {
        set(context, application, key, value);
    }
    Ok(names::OK.into())
}

fn settings(configuration: Word) -> Option<Vec<(Word, Word, Word)>> {
    let mut settings = Vec::new();
    for entry in list_items(configuration)? {
        let &[application, pairs] = entry.concrete().as_tuple()? else { return None };
        if !application.concrete().is_atom() {
            return None;
        }
        for pair in list_items(pairs.concrete())? {
            let &[key, value] = pair.concrete().as_tuple()? else { return None };
            if !key.concrete().is_atom() {
                return None;
            }
            settings.push((application, key, value));
        }
    }
    Some(settings)
}

fn set_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("environments of applications"), Access::Write)])?;
    set(context, args[0], args[1], args[2]);
    Ok(names::OK.into())
}

fn set(context: &mut Context, application: Word, key: Word, value: Word) {
    let map = environment(context);
    let key = context.heap.tuple(&[application, key]);
    context.decide_key(map, key);
    let map = context.heap.map_put(map, key, value);
    ErlangState::of(context).application_environment = Some(map);
}

fn unset_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.visible(&[(Object::Shared("environments of applications"), Access::Write)])?;
    let map = environment(context);
    let key = context.heap.tuple(&[args[0], args[1]]);
    context.decide_key(map, key);
    let map = context.heap.map_remove(map, key);
    ErlangState::of(context).application_environment = Some(map);
    Ok(names::OK.into())
}

/// Returns the application whose processes have this group leader.
fn application_of(context: &mut Context, leader: Word) -> Option<Atom> {
    let leader = leader.concrete();
    let number = leader.is_kind(Kind::Pid).then(|| leader.identity());
    let running = &ErlangState::of(context).running;
    let found = running.iter().find(|(_, master)| master.is_some() && *master == number).map(|(name, _)| *name);
    if found.is_none() {
        context.asks(Surrounding::Applications);
    }
    found
}

fn get_pid_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match application_of(context, args[0]) {
        Some(application) => get_env(context, &[application.into(), args[1]]),
        None => Ok(names::UNDEFINED.into()),
    }
}

fn get_pid_all_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match application_of(context, args[0]) {
        Some(application) => get_all_env(context, &[application.into()]),
        None => Ok(Word::NIL),
    }
}

fn get_pid_key(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match application_of(context, args[0]) {
        Some(application) => get_key(context, &[application.into(), args[1]]),
        None => Ok(names::UNDEFINED.into()),
    }
}

fn get_pid_all_key(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match application_of(context, args[0]) {
        Some(application) => get_all_key(context, &[application.into()]),
        None => Ok(Word::NIL),
    }
}

/// `(GroupLeader)`: returns the application of a group leader.
fn get_application(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(match application_of(context, args[0]) {
        Some(application) => context.heap.tuple(&[names::OK.into(), application.into()]),
        None => names::UNDEFINED.into(),
    })
}

fn error(context: &mut Context, tag: &str, name: Word) -> Word {
    let reason = context.heap.tuple(&[Atom::new(tag).into(), name]);
    context.heap.tuple(&[names::ERROR.into(), reason])
}

/// Loads an application, given by its name or by its description `{application, Name, Keys}`. Applications of OTP and
/// Elixir count as libraries.
fn load_application(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let described = args[0].concrete().as_tuple().map(<[Word]>::to_vec);
    let name = described.as_deref().and_then(|parts| parts.get(1).copied()).unwrap_or(args[0]).concrete();
    let Some(atom) = name.as_atom() else { return Err(badarg(context, args)) };
    let configured = ErlangState::of(context).configuration.clone().unwrap_or_else(|| Arc::new(Term::Nil));
    if is_described(&configured, atom) {
        return Ok(error(context, "already_loaded", name));
    }
    let Some(&[_, _, keys]) = described.as_deref() else {
        context.asks(Surrounding::Applications);
        if LIBRARIES.contains(&atom.text()) {
            return Ok(names::OK.into());
        }
        let (reason, file) = (context.heap.string("no such file or directory"), format!("{}.app", atom.text()));
        let file = context.heap.string(&file);
        let reason = context.heap.tuple(&[reason, file]);
        return Ok(context.heap.tuple(&[names::ERROR.into(), reason]));
    };
    // Somebody may have loaded it before.
    context.asks(Surrounding::Applications);
    let Some(keys) = context.lasting_term(keys) else { return Err(badarg(context, args)) };
    let (environment, keys): (Vec<Term>, Vec<Term>) = keys
        .as_list()
        .unwrap_or_default()
        .iter()
        .cloned()
        .partition(|key| pair(key).is_some_and(|(name, _)| name.text() == "env"));
    let environment: Vec<Term> =
        environment.iter().filter_map(pair).flat_map(|(_, env)| env.as_list().unwrap_or_default().to_vec()).collect();
    for (key, value) in environment.iter().filter_map(pair) {
        let value = copy_in(&mut context.heap, value);
        set(context, name, key.into(), value);
    }
    let mut all = configured.as_list().unwrap_or_default().to_vec();
    all.push(Term::tuple(vec![Term::Atom(atom), Term::list(keys), Term::list(environment)]));
    ErlangState::of(context).configuration = Some(Arc::new(Term::list(all)));
    Ok(names::OK.into())
}

/// Applications of OTP and Elixir that are useful without a process, or whose processes would not be run here.
const LIBRARIES: [&str; 20] = [
    "asn1", "compiler", "crypto", "eex", "elixir", "eunit", "ex_unit", "iex", "inets", "kernel", "logger", "mix",
    "os_mon", "parsetools", "public_key", "runtime_tools", "sasl", "ssl", "stdlib", "syntax_tools",
];

fn unload_application(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(name) = args[0].concrete().as_atom() else { return Err(badarg(context, args)) };
    if is_running_name(context, name) {
        return Ok(error(context, "running", args[0]));
    }
    let configured = ErlangState::of(context).configuration.clone().unwrap_or_else(|| Arc::new(Term::Nil));
    if !is_described(&configured, name) {
        context.asks(Surrounding::Applications);
        return Ok(error(context, "not_loaded", args[0]));
    }
    let environment = environment(context);
    let of_it = |key: &Word| key.as_tuple().is_some_and(|parts| parts[0].concrete() == Word::atom(name));
    let keys: Vec<Word> = environment.map_iter().map(|(key, _)| key).filter(of_it).collect();
    let left = keys.into_iter().fold(environment, |map, key| context.heap.map_remove(map, key));
    let is_other = |entry: &&Term| entry.as_tuple().is_none_or(|parts| parts.first() != Some(&Term::Atom(name)));
    let all: Vec<Term> = configured.as_list().unwrap_or_default().iter().filter(is_other).cloned().collect();
    let state = ErlangState::of(context);
    state.application_environment = Some(left);
    state.configuration = Some(Arc::new(Term::list(all)));
    Ok(names::OK.into())
}

fn start_application(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(own_code(context, "start", args))
}

fn stop_application(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Err(own_code(context, "stop", args))
}

fn own_code(context: &mut Context, function: &str, args: &[Word]) -> Escape {
    let (module, function) = (Atom::new("beagle_applications"), Atom::new(function));
    context.call(CallTarget::Named { module, function }, args.to_vec())
}

/// Returns whether a process is the master of an application. Output that is sent to it goes where all output goes.
pub(super) fn is_master(context: &mut Context, number: u64) -> bool {
    ErlangState::of(context).running.iter().any(|(_, master)| *master == Some(number))
}

fn is_running_name(context: &mut Context, name: Atom) -> bool {
    ALWAYS.iter().any(|(always, _)| *always == name.text())
        || ErlangState::of(context).running.iter().any(|(running, _)| *running == name)
}

fn is_running(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_running = args[0].concrete().as_atom().is_some_and(|name| is_running_name(context, name));
    if !is_running {
        // If the application is no part of the program, the system may have started it.
        description(context, args[0]);
    }
    Ok(is_running.into())
}

/// Records that an application was started. It has a master if its processes have another group leader than the process
/// that started it.
fn started(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(name) = args[0].as_atom() else { return Err(badarg(context, args)) };
    let number = args[1].identity();
    let has_master = group_leader_of(context).identity() == number;
    ErlangState::of(context).running.push((name, has_master.then_some(number)));
    Ok(names::OK.into())
}

fn stopped(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let name = args[0].as_atom();
    ErlangState::of(context).running.retain(|(running, _)| Some(*running) != name);
    Ok(names::OK.into())
}

/// Returns the master of a running application: `none` if the application has no processes.
fn master(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let name = args[0].concrete().as_atom();
    let found = ErlangState::of(context).running.iter().find(|(running, _)| Some(*running) == name);
    Ok(match found.map(|(_, master)| *master) {
        None => {
            description(context, args[0]);
            names::UNDEFINED.into()
        }
        Some(None) => names::NONE.into(),
        Some(Some(number)) => context.process_of(number).map_or(names::NONE.into(), |process| process.pid),
    })
}
