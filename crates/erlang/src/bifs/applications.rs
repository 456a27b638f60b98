//! Applications: none is loaded or runs, but their configuration can be set and asked for. OTP has these
//! functions as conversations with a process that is not there.

use super::{badarg, rows};
use crate::runtime::ErlangState;
use machine::{Context, Escape, Primitive, Word, list_items};
use path::Surrounding;
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"application_controller";
    "get_env" (Any, Any) -> Any, badarg, get_env, Keeps;
    "get_env" (Any, Any, Any) -> Any, badarg, get_env_or, Keeps;
    "get_all_env" (Any) -> List from Applications, badarg, get_all_env, Effect;
    "set_env" (Any, Any) -> Any, badarg, set_all_env, Effect;
    "set_env" (Any, Any, Any) -> Atom, badarg, set_env, Keeps;
    "set_env" (Any, Any, Any, Any) -> Atom, badarg, set_env, Keeps;
    "unset_env" (Any, Any) -> Atom, badarg, unset_env, Keeps;
    "unset_env" (Any, Any, Any) -> Atom, badarg, unset_env, Keeps;
    "get_pid_env" (Any, Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_pid_all_env" (Any) -> List from Applications, badarg, none, Effect;
    "get_key" (Any, Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_all_key" (Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_pid_key" (Any, Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_pid_all_key" (Any) -> List from Applications, badarg, none, Effect;
    "get_application" (Any) -> Atom from Applications, badarg, undefined, Effect;
    "get_application_module" (Any) -> Atom from Applications, badarg, undefined, Effect;
}];

/// What was set: a map of `{Application, Key}`.
fn environment(context: &mut Context) -> Word {
    match ErlangState::of(context).application_environment {
        Some(map) => map,
        None => context.heap.empty_map(),
    }
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
