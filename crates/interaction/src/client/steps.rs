//! The behaviour that played and replayed clients share: how the program learns the next step, and who is to blame for
//! an exception.

use crate::parts::observed;
use machine::{Context, Word};
use path::{Act, Class, Operation, Role, Surrounding};
use term::{Atom, names};

/// Makes the answer to the program's question for the next step: a tuple that begins with the kind of step.
pub(crate) fn answer(context: &mut Context, act: &Act<Word>) -> Word {
    let named = |name: &str| Word::atom(Atom::new(name));
    match act {
        Act::Call { function, args, .. } => {
            let args = context.heap.list(args, Word::NIL);
            let (module, function) = (Word::atom(function.module), Word::atom(function.function));
            context.heap.tuple(&[named("call"), module, function, args])
        }
        Act::Apply { function, args } => {
            let args = context.heap.list(args, Word::NIL);
            context.heap.tuple(&[named("apply"), *function, args])
        }
        Act::Send { to, message } => context.heap.tuple(&[named("send"), *to, *message]),
        Act::Wait { time } => context.heap.tuple(&[named("wait"), *time]),
        Act::Bring => named("bring"),
        Act::Kill { process } => context.heap.tuple(&[named("kill"), *process]),
        Act::Check { function, of, is_state } => {
            let what = named(if *is_state { "check_state" } else { "check" });
            context.heap.tuple(&[what, Word::atom(function.module), Word::atom(function.function), *of])
        }
    }
}

/// The reaction of a client to an exception of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reaction {
    /// The module is to blame.
    Blame,
    /// The client itself is to blame, and the scenario ends.
    End,
}

/// Adds the surroundings that the run had asked for before a step to those of the step.
pub(crate) fn restore(context: &mut Context, before: &[Surrounding]) {
    for surrounding in before {
        context.recorder.asks(*surrounding);
    }
}

/// Decides who is to blame for an exception. `before` are the surroundings that the run had asked for before the step.
pub(crate) fn react(
    context: &mut Context,
    called: Option<&Operation>,
    [class, reason, trace]: [Word; 3],
    before: &[Surrounding],
) -> Reaction {
    if context.world.failure.is_some() {
        return Reaction::Blame;
    }
    let class = class.concrete().as_atom().and_then(Class::of);
    let is_lost =
        class == Some(Class::Exit) && observed(reason).is_some_and(|reason| context.language.is_lost(&reason));
    let asks_for = |surrounding: Surrounding| context.recorder.surroundings.contains(&surrounding);
    // A table, a name or a process is missing because the client has not started it yet.
    let is_badarg = reason.concrete() == Word::atom(names::BADARG);
    let is_missing = class == Some(Class::Error)
        && is_badarg
        && [Surrounding::Tables, Surrounding::Processes, Surrounding::PersistentTerms].into_iter().any(asks_for);
    // The client cannot know how to start something if that is not declared.
    let is_start = called.is_some_and(|operation| operation.role == Role::Start);
    let is_guessed = is_start && called.is_some_and(|operation| !operation.is_declared);
    let is_repeated = is_start && observed(reason).is_some_and(|reason| context.language.is_started_twice(&reason));
    let is_refused = class == Some(Class::Error)
        && reason.concrete() == Word::atom(names::FUNCTION_CLAUSE)
        && called.is_some_and(|operation| !operation.is_declared && is_head(context, trace, operation));
    if is_lost || is_missing {
        context.recorder.surroundings.clear();
    }
    restore(context, before);
    let is_own_fault = is_lost || is_missing || is_refused || is_guessed || is_repeated;
    if is_own_fault { Reaction::End } else { Reaction::Blame }
}

/// Returns whether an exception comes from the head of the function that was called.
fn is_head(context: &mut Context, trace: Word, operation: &Operation) -> bool {
    let entries = context.stacktrace(trace);
    let first = if entries.is_cons() { entries.head().concrete() } else { return false };
    let Some([module, function, ..]) = first.as_tuple() else { return false };
    let name = &operation.name;
    (module.concrete(), function.concrete()) == (Word::atom(name.module), Word::atom(name.function))
}
