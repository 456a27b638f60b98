//! Conversion of pids, references, ports and functions to text and back.
//!
//! A pid's number has 28 bits and a serial number above them; a reference's number is shown in three parts of 32 bits.
//! Only identities of the local node are known.

use super::kinds::as_beam_small;
use super::{badarg, rows};
use machine::{Context, Escape, Kind, Primitive, Word, list_items};
use path::Surrounding;
use term::Fun;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" from Identities;
    "pid_to_list" (Pid) -> List, badarg, pid_to_list, Opaque;
    "list_to_pid" (ProperList) -> Pid, badarg, list_to_pid, Opaque;
    "ref_to_list" (Reference) -> List, badarg, ref_to_list, Opaque;
    "list_to_ref" (ProperList) -> Reference, badarg, list_to_ref, Opaque;
    "port_to_list" (Port) -> List, badarg, port_to_list, Opaque;
    "list_to_port" (ProperList) -> Port, badarg, list_to_port, Opaque;
    "fun_to_list" (Function) -> List by Code, badarg, fun_to_list, Opaque;
}];

const NUMBER_BITS: u32 = 28;
const MAX_SERIAL: u64 = 8_191;

fn pid_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let identity = args[0].identity();
    let (number, serial) = (identity & ((1 << NUMBER_BITS) - 1), identity >> NUMBER_BITS);
    Ok(context.heap.string(&format!("<0.{number}.{serial}>")))
}

fn list_to_pid(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match numbers(args[0], "<", ".").as_deref() {
        Some(&[0, number, serial]) if number >> NUMBER_BITS == 0 && serial <= MAX_SERIAL => {
            Ok(context.heap.identity(Kind::Pid, serial << NUMBER_BITS | number))
        }
        _ => Err(badarg(context, args)),
    }
}

fn ref_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let identity = args[0].identity();
    Ok(context.heap.string(&format!("#Ref<0.0.{}.{}>", identity >> 32, identity & 0xffff_ffff)))
}

fn list_to_ref(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match numbers(args[0], "#Ref<", ".").as_deref() {
        Some(&[0, _, high, low]) if high >> 32 == 0 && low >> 32 == 0 => {
            Ok(context.heap.identity(Kind::Reference, high << 32 | low))
        }
        _ => Err(badarg(context, args)),
    }
}

fn port_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let identity = args[0].identity();
    Ok(context.heap.string(&format!("#Port<0.{identity}>")))
}

fn list_to_port(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match numbers(args[0], "#Port<", ".").as_deref() {
        Some(&[0, number]) if number >> NUMBER_BITS == 0 => Ok(context.heap.identity(Kind::Port, number)),
        _ => Err(badarg(context, args)),
    }
}

/// Returns the numbers in a list of characters such as `#Ref<0.1.2.3>`.
fn numbers(list: Word, before: &str, between: &str) -> Option<Vec<u64>> {
    let character = |word: Word| as_beam_small(word.concrete()).and_then(|code| u8::try_from(code).ok());
    let text: Vec<u8> = list_items(list)?.into_iter().map(character).collect::<Option<_>>()?;
    let text = String::from_utf8(text).ok()?;
    let inner = text.strip_prefix(before)?.strip_suffix('>')?;
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?;
    inner.split(between).map(number).collect()
}

fn fun_to_list(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let arity = args[0].header().aux();
    let text = match args[0].as_closure() {
        Some((function, _)) => {
            context.asks(Surrounding::Compilation);
            match context.fun_name(function, arity) {
                Fun::Local { module, index, unique, .. } => format!("#Fun<{module}.{index}.{unique}>"),
                Fun::External { module, function, arity } => format!("fun {module}:{function}/{arity}"),
                Fun::Input { arity, .. } => format!("#Fun<input/{arity}>"),
            }
        }
        None => {
            let quoted =
                |word: Word| word.as_atom().map(|atom| crate::print(&term::Term::Atom(atom))).unwrap_or_default();
            format!("fun {}:{}/{arity}", quoted(args[0].payload()[0]), quoted(args[0].payload()[1]))
        }
    };
    Ok(context.heap.string(&text))
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{Call, agree, everything, grid};
    use term::Term;

    #[test]
    fn text_of_identities() {
        let texts = [
            "<0.80.0>", "<0.80.1>", "<0.1.>", "<1.2.3>", "<0.999999999.0>", "<0.5.8191>", "<0.5.8192>", " <0.1.0>",
            "<0.1.0> ", "<0.-1.0>", "<0.01.0>", "<0.1>", "<>", "#Ref<0.1.2.3>", "#Ref<0.1.2>", "#Ref<1.1.2.3>",
            "#Ref<0.4294967295.2.3>", "#Port<0.1>", "#Port<0.1.2>", "#Port<1.1>", "", "<0.+1.0>",
        ];
        let mut calls = Vec::new();
        for function in ["list_to_pid", "list_to_ref", "list_to_port"] {
            for text in texts {
                calls.push(Call { module: "erlang", function, args: vec![Term::string(text)] });
            }
        }
        let into = ["list_to_pid", "list_to_ref", "list_to_port"].map(|name| (name, 1));
        calls.extend(grid("erlang", &into, &everything()));
        let others: Vec<Term> =
            everything().into_iter().filter(|term| !matches!(term, Term::Pid(_) | Term::Reference(_))).collect();
        calls.extend(grid(
            "erlang",
            &["pid_to_list", "ref_to_list", "port_to_list", "fun_to_list"].map(|n| (n, 1)),
            &others,
        ));
        agree(&calls);
    }
}
