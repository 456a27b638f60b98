//! How the system was started, and what code there is. OTP has these functions as conversations with
//! processes that are not there.

use super::{badarg, rows};
use machine::{Context, Escape, Primitive, Word, list_items};
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"init";
        "get_arguments" () -> List, badarg, no_arguments, Effect;
        "get_plain_arguments" () -> List, badarg, no_arguments, Effect;
        "get_argument" (Any) -> Any, badarg, no_argument, Effect;
        "get_status" () -> Tuple, badarg, started, Effect;
    },
    rows! {"code";
        "ensure_loaded" (Atom) -> Tuple, badarg, ensure_loaded, Effect;
        "ensure_modules_loaded" (ProperList) -> Any, badarg, ensure_modules_loaded, Effect;
        "get_mode" () -> Atom, badarg, get_mode, Effect;
    },
    rows! {"erlang";
        "module_loaded" (Atom) -> Boolean, badarg, module_loaded, Effect;
    },
];

fn no_arguments(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::NIL)
}

fn no_argument(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::ERROR.into())
}

fn started(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let started = Word::atom(Atom::new("started"));
    Ok(context.heap.tuple(&[started, started]))
}

/// Code is loaded when it is needed: what can be loaded, is.
fn ensure_loaded(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let pair = match is_there(context, args[0])? {
        true => [names::MODULE.into(), args[0]],
        false => [names::ERROR.into(), Atom::new("nofile").into()],
    };
    Ok(context.heap.tuple(&pair))
}

fn ensure_modules_loaded(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut missing = Vec::new();
    for module in list_items(args[0]).unwrap_or_default() {
        if !is_there(context, module.concrete())? {
            missing.push(context.heap.tuple(&[module, Atom::new("nofile").into()]));
        }
    }
    if missing.is_empty() {
        return Ok(names::OK.into());
    }
    let missing = context.heap.list(&missing, Word::NIL);
    Ok(context.heap.tuple(&[names::ERROR.into(), missing]))
}

fn is_there(context: &mut Context, module: Word) -> Result<bool, Escape> {
    match module.as_atom() {
        Some(module) => Ok(context.module(module)?.is_some()),
        None => Err(context.error(names::FUNCTION_CLAUSE)),
    }
}

fn get_mode(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Atom::new("interactive").into())
}

fn module_loaded(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(is_there(context, args[0])?.into())
}
