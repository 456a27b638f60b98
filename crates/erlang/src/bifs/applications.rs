//! Applications: those of the program count as loaded, none but OTP's own runs. What their descriptions and the
//! configuration of the program say is answered; the environment can be set, too. OTP has these functions as
//! conversations with a process that is not there.
//!
//! What is configured is a part of the program: who asks for it depends on nothing else. What is not configured may be so
//! elsewhere, which counts as a surrounding.

use super::{badarg, rows};
use crate::configuration::applications;
use crate::runtime::ErlangState;
use machine::value::copy_in;
use machine::{Context, Escape, Primitive, Word, list_items};
use path::Surrounding;
use std::sync::Arc;
use term::{Atom, Term, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"application_controller";
    "get_env" (Any, Any) -> Any, badarg, get_env, Keeps;
    "get_env" (Any, Any, Any) -> Any, badarg, get_env_or, Keeps;
    "get_all_env" (Any) -> List, badarg, get_all_env, Effect;
    "set_env" (Any, Any) -> Any, badarg, set_all_env, Effect;
    "set_env" (Any, Any, Any) -> Atom, badarg, set_env, Keeps;
    "set_env" (Any, Any, Any, Any) -> Atom, badarg, set_env, Keeps;
    "unset_env" (Any, Any) -> Atom, badarg, unset_env, Keeps;
    "unset_env" (Any, Any, Any) -> Atom, badarg, unset_env, Keeps;
    "get_pid_env" (Any, Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_pid_all_env" (Any) -> List from Applications, badarg, none, Effect;
    "get_key" (Any, Any) -> Any, badarg, get_key, Effect;
    "get_all_key" (Any) -> Any, badarg, get_all_key, Effect;
    "get_pid_key" (Any, Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_pid_all_key" (Any) -> List from Applications, badarg, none, Effect;
    "get_application" (Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_application_module" (Any) -> Any, badarg, get_application_module, Effect;
    "loaded_applications" () -> List from Applications, badarg, loaded_applications, Effect;
    "which_applications" () -> List from Applications, badarg, which_applications, Effect;
    "which_applications" (Any) -> List from Applications, badarg, which_applications, Effect;
}];

/// What is configured or was set: a map of `{Application, Key}`.
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

/// The keys of an application that has a description. Of another one, somebody else may know more.
fn description(context: &mut Context, application: Word) -> Option<(Arc<Term>, Atom)> {
    let name = application.concrete().as_atom();
    let configured = ErlangState::of(context).configuration.clone();
    let known = configured
        .zip(name)
        .filter(|(configured, name)| applications(configured).any(|(known, keys, _)| known == *name && keys.is_some()));
    if known.is_none() {
        context.asks(Surrounding::Applications);
    }
    known
}

/// What an application has that says nothing of a key.
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

/// In the order in which OTP lists them.
const KEYS: [&str; 13] = [
    "description", "id", "vsn", "modules", "maxP", "maxT", "registered", "included_applications",
    "optional_applications", "applications", "env", "mod", "start_phases",
];

fn key_of(context: &mut Context, configured: &Term, application: Atom, key: &str) -> Option<Word> {
    if key == "env" {
        return get_all_env(context, &[application.into()]).ok();
    }
    let (_, keys, _) = applications(configured).find(|(name, ..)| *name == application)?;
    let own = keys.unwrap_or_default().iter().filter_map(pair).find(|(name, _)| name.text() == key);
    let value = own.map(|(_, value)| value.clone()).or_else(|| usual(key))?;
    Some(copy_in(&mut context.heap, &value))
}

fn get_key(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some((configured, application)) = description(context, args[0]) else { return Ok(names::UNDEFINED.into()) };
    let key = args[1].concrete().as_atom();
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

/// The application that has a module.
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

/// Of OTP's own applications, two always run.
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
    let running = always(context);
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
    match value_of(context, args) {
        Some(value) => Ok(context.heap.tuple(&[names::OK.into(), value])),
        None => Ok(names::UNDEFINED.into()),
    }
}

fn get_env_or(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
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
    Ok(context.heap.list(&pairs, Word::NIL))
}

/// Of several applications: `[{Application, [{Key, Value}]}]`. What is wrong in it is not put into words.
fn set_all_env(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
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
    let map = environment(context);
    let key = context.heap.tuple(&[args[0], args[1]]);
    context.decide_key(map, key);
    let map = context.heap.map_remove(map, key);
    ErlangState::of(context).application_environment = Some(map);
    Ok(names::OK.into())
}

fn undefined(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::UNDEFINED.into())
}

fn none(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::NIL)
}
