//! Functions of OTP that are written in Erlang and nevertheless have a formula: if an argument that they inspect is
//! symbolic, a row states in one step what their code would decide cell by cell. Concrete arguments never reach these
//! rows. Results and errors are those of the code.

use super::rows;
use crate::otp;
use machine::{Context, Escape, Primitive, TraceStart, Word};
use path::{Class, Concretised};
use term::names;

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"lists" by Arguments;
    "nth"     (Positive, List) -> Any,    no_position, nth,      PartialOver(&[Top, Spine], meaning::has_nth, meaning::nth);
    "nthtail" (NonNegative, List) -> Any, no_position, nth_tail, PreludeOver(&[Top, Spine], "nth_tail");
}];

fn nth(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let index = args[0].as_usize().and_then(|position| position.checked_sub(1));
    match behind(context, args[1], index.unwrap_or(usize::MAX))? {
        Some(rest) if rest.is_cons() => Ok(rest.head()),
        Some(_) | None => Err(function_clause(context)),
    }
}

pub(super) fn nth_tail(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let rest = behind(context, args[1], args[0].as_usize().unwrap_or(usize::MAX))?;
    rest.ok_or_else(|| function_clause(context))
}

/// Returns the rest of a list after `cells` cells, if it has that many.
fn behind(context: &mut Context, list: Word, cells: usize) -> Result<Option<Word>, Escape> {
    let mut rest = list.concrete();
    for _ in 0..cells {
        if !rest.is_cons() {
            return Ok(None);
        }
        context.charge(1)?;
        rest = rest.tail().concrete();
    }
    Ok(Some(rest))
}

/// Raises the error for an invalid position. Terms that are no numbers are larger than all numbers, so the code of
/// older releases subtracts from them while the list has cells. It is not decided whether a term that is no integer is
/// a number, nor whether the list has cells: other inputs on the same path may raise the other error, which was not
/// searched for.
pub(super) fn no_position(context: &mut Context, args: &[Word]) -> Escape {
    if !otp::checks_positions() && !args[0].concrete().is_integer() {
        context.lose(Concretised::WhichOfTwoErrors);
    }
    if !otp::checks_positions() && !args[0].concrete().is_number() && args[1].concrete().is_cons() {
        return context.raise(Class::Error, names::BADARITH.into(), TraceStart::Caller);
    }
    function_clause(context)
}

fn function_clause(context: &mut Context) -> Escape {
    context.raise(Class::Error, names::FUNCTION_CLAUSE.into(), TraceStart::Caller)
}
