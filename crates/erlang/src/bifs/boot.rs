//! How the system was started, and which code exists. In OTP, these functions talk to processes that do not exist here.

use super::applications::is_needed;
use super::{badarg, rows};
use machine::value::copy_in;
use machine::{CallTarget, Context, Escape, Primitive, Word, list_items};
use path::Surrounding;
use program::Function;
use term::{Atom, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"init" from CommandLine;
        "get_arguments" () -> List, badarg, no_arguments, Effect;
        "get_plain_arguments" () -> List, badarg, no_arguments, Effect;
        "get_argument" (Any) -> Any, badarg, no_argument, Effect;
        "get_status" () -> Tuple, badarg, started, Effect;
    },
    rows! {"code" by Code;
        "ensure_loaded" (Atom) -> Tuple, badarg, ensure_loaded, Effect;
        "ensure_modules_loaded" (ProperList) -> Any, badarg, ensure_modules_loaded, Effect;
        "get_mode" () -> Atom from CommandLine, badarg, get_mode, Effect;
    },
    rows! {"file";
        "native_name_encoding" () -> Atom from CommandLine, badarg, native_name_encoding, Effect;
        "get_cwd" () -> Tuple from Directory, badarg, get_cwd, Effect;
    },
    rows! {"erlang" by Code;
        "module_loaded" (Atom) -> Boolean from Code, badarg, module_loaded, Effect;
        "get_module_info" (Atom) -> List, badarg, get_module_info, Effect;
        "get_module_info" (Atom, Atom) -> Any, badarg, get_module_item, Effect;
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

/// Treats every module that can be loaded as loaded, because code is loaded when it is needed.
fn ensure_loaded(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let Some(name) = args[0].as_atom()
        && context.is_to_be_loaded(name)?
    {
        is_there(context, args[0])?;
        let (module, function) = (Atom::new("beagle_load"), Atom::new("ensure"));
        return Err(context.call(CallTarget::Named { module, function }, vec![args[0]]));
    }
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
        Some(module) => {
            let found = context.module(module)?.is_some();
            // Another system may have it, or be without it.
            if !found || context.optional_application(module).is_some_and(|name| !is_needed(context, name)) {
                context.asks(Surrounding::Code);
            }
            Ok(found)
        }
        None => Err(context.error(names::FUNCTION_CLAUSE)),
    }
}

fn get_mode(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Atom::new("interactive").into())
}

fn module_loaded(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(is_there(context, args[0])?.into())
}

fn native_name_encoding(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Atom::new("utf8").into())
}

/// Returns the root directory, in every run.
fn get_cwd(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let root = context.heap.string("/");
    Ok(context.heap.tuple(&[names::OK.into(), root]))
}

fn get_module_info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let mut pairs = Vec::new();
    for item in ["module", "exports", "attributes", "compile", "md5"] {
        let item = Word::atom(Atom::new(item));
        let value = get_module_item(context, &[args[0], item])?;
        pairs.push(context.heap.tuple(&[item, value]));
    }
    Ok(context.heap.list(&pairs, Word::NIL))
}

/// Returns one item of `module_info`. What the compiler stores in a module about the compilation is not kept.
fn get_module_item(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(name), Some(item)) = (args[0].as_atom(), args[1].as_atom()) else { return Err(badarg(context, args)) };
    let Some(module) = context.module(name)? else { return Err(badarg(context, args)) };
    if item != names::MODULE {
        context.asks(Surrounding::Compilation);
    }
    let functions = module.functions.iter().filter(|function| function.captures == 0);
    Ok(match item.text() {
        "module" => args[0],
        "exports" => {
            let exported: Vec<&Function> = functions.filter(|function| function.exported).collect();
            functions_list(context, &exported)
        }
        "functions" => {
            let all: Vec<&Function> = functions.collect();
            functions_list(context, &all)
        }
        "attributes" => {
            let mut pairs = Vec::with_capacity(module.attributes.len());
            for (name, value) in &module.attributes {
                let value = copy_in(&mut context.heap, value);
                pairs.push(context.heap.tuple(&[(*name).into(), value]));
            }
            context.heap.list(&pairs, Word::NIL)
        }
        "compile" | "native_addresses" => Word::NIL,
        "native" => Word::FALSE,
        "md5" => context.heap.binary(&[0; 16]),
        _ => return Err(badarg(context, args)),
    })
}

fn functions_list(context: &mut Context, functions: &[&Function]) -> Word {
    let mut pairs = Vec::with_capacity(functions.len());
    for function in functions {
        pairs.push(context.heap.tuple(&[function.name.into(), Word::small(i64::from(function.arity))]));
    }
    context.heap.list(&pairs, Word::NIL)
}
