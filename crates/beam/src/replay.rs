//! Evaluations on the BEAM that are shown to users: with their stacks, and with a forced order of their processes.

use crate::code::{oracle_error, their_limits, watched};
use erlang::prelude::CONDUCTOR;
use erlang::syntax::print_atom;
use frontend::{CodeError, Evaluations, Order, Outcome, Replay};
use oracle::Oracle;
use path::{TraceEntry, Turn};
use std::time::Duration;
use term::{FunctionName, Term};

/// Modules that evaluate on the runtime. Stack entries from them on belong to Beagle.
const EVALUATORS: [&str; 4] = ["erl_eval", "beagle_helper", "beagle_expression", CONDUCTOR.0];

pub fn replay(
    oracle: &Oracle,
    text: &str,
    how: Evaluations,
    linger: Duration,
    schedule: Option<&[Turn]>,
) -> Result<Replay, CodeError> {
    let text = match schedule {
        Some(schedule) => format!("{}:run({}, fun() -> {text} end)", CONDUCTOR.0, written(schedule)),
        None => text.to_string(),
    };
    let call = oracle::Call::Text { text, home: None };
    let Evaluations { limits, is_printed, is_fresh } = how;
    let is_printed = is_printed && schedule.is_none();
    let seen = oracle.evaluate_watched(&call, their_limits(limits), is_printed, is_fresh, linger);
    let seen = seen.map_err(oracle_error)?;
    let stack = match &seen.outcome {
        oracle::Outcome::Raised { stacktrace, .. } => stack(stacktrace),
        _ => Vec::new(),
    };
    let mut replay = Replay { watched: watched(seen), trace: stack, order: None };
    if schedule.is_some() {
        take_apart(&mut replay);
    }
    Ok(replay)
}

/// Writes a schedule in the form that the conductor reads.
fn written(schedule: &[Turn]) -> String {
    let turn = |turn: &Turn| format!("{{{:?},{}}}", turn.process, print_atom(turn.operation));
    format!("[{}]", schedule.iter().map(turn).collect::<Vec<_>>().join(","))
}

/// Returns a schedule as a term that the conductor reads.
pub fn schedule(turns: &[Turn]) -> Term {
    let numbers = |turn: &Turn| turn.process.iter().map(|number| Term::Int(i64::from(*number))).collect::<Vec<_>>();
    let turn = |turn: &Turn| Term::tuple([Term::list(numbers(turn)), Term::Atom(turn.operation)]);
    Term::list(turns.iter().map(turn).collect::<Vec<_>>())
}

/// Takes the conductor's answer apart: how the call ended, and whether the schedule was followed.
fn take_apart(replay: &mut Replay) {
    let Outcome::Value { term, .. } = &replay.watched.outcome else { return };
    let Some([ended, order]) = term.as_tuple() else { return };
    let outcome = match ended.as_tuple() {
        Some([Term::Atom(_), value]) => Outcome::Value { term: value.clone(), text: None },
        Some([Term::Atom(_), signal, _]) => Outcome::Killed { reason: signal.clone() },
        Some([Term::Atom(_), Term::Atom(class), reason, stacktrace]) => {
            replay.trace = stack(stacktrace);
            Outcome::Raised { class: *class, reason: reason.clone(), text: None }
        }
        _ => return,
    };
    replay.order = order_of(order);
    replay.watched.outcome = outcome;
    // The end of the calling process is already part of the outcome.
    let is_caller =
        |name: FunctionName| name.module.text() == CONDUCTOR.0 && name.function.text().starts_with("-run/2");
    replay.watched.ends.retain(|end| !end.initial.is_some_and(is_caller));
}

pub fn order_of(term: &Term) -> Option<Order> {
    match term.as_tuple() {
        None => Some(Order::Followed),
        Some([_, index, expected, wanted]) => {
            let wanted = wanted.as_list().unwrap_or_default().iter().filter_map(turn).collect();
            Some(Order::Left { index: usize::try_from(index.as_int()?).ok()?, expected: turn(expected)?, wanted })
        }
        Some(_) => Some(Order::Lost),
    }
}

fn turn(term: &Term) -> Option<Turn> {
    let [process, Term::Atom(operation)] = term.as_tuple()? else { return None };
    // The list of numbers may look like a text, and a process that is not part of the schedule has none.
    let numbers = process.as_list().unwrap_or_default().iter();
    let process = numbers.filter_map(|number| u32::try_from(number.as_int()?).ok()).collect();
    Some(Turn { process, operation: *operation })
}

/// Returns the entries of a stack, without those of the evaluator.
pub(crate) fn stack(term: &Term) -> Vec<TraceEntry> {
    let entries = term.as_list().unwrap_or_default().iter().filter_map(entry);
    entries.take_while(|entry| !EVALUATORS.contains(&entry.module.text())).collect()
}

fn entry(term: &Term) -> Option<TraceEntry> {
    let [Term::Atom(module), Term::Atom(function), called, location] = term.as_tuple()? else { return None };
    let (arity, args) = match called.as_int() {
        Some(arity) => (u32::try_from(arity).ok()?, None),
        None => {
            let args = called.as_list()?.to_vec();
            (args.len() as u32, Some(args))
        }
    };
    let mut entry = TraceEntry {
        module: *module,
        function: *function,
        arity,
        args,
        file: String::new(),
        line: 0,
        details: Vec::new(),
    };
    for pair in location.as_list().unwrap_or_default() {
        match pair.as_tuple() {
            Some([Term::Atom(key), value]) if key.text() == "line" => {
                entry.line = value.as_int().and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
            }
            Some([Term::Atom(key), value]) if key.text() == "file" => {
                let codes = value.as_list().unwrap_or_default().iter();
                entry.file = codes.filter_map(|code| char::from_u32(u32::try_from(code.as_int()?).ok()?)).collect();
            }
            _ => entry.details.push(pair.clone()),
        }
    }
    Some(entry)
}

#[cfg(test)]
mod tests {
    use super::{order_of, stack, written};
    use frontend::Order;
    use path::Turn;
    use term::Term;

    fn read(text: &str) -> Term {
        erlang::syntax::parse_term(text).expect("a term")
    }

    #[test]
    fn a_schedule_is_written_for_the_conductor() {
        let turns: Vec<Turn> = ["main ets:new/2", "main.2.1 receive"].map(|turn| turn.parse().expect("a turn")).into();
        assert_eq!(written(&turns), "[{[],'ets:new/2'},{[2, 1],'receive'}]");
    }

    #[test]
    fn the_place_where_a_schedule_was_left_is_read() {
        assert_eq!(order_of(&read("followed")), Some(Order::Followed));
        let left = order_of(&read("{left,3,{[1],'erlang:send/2'},[{[2],'receive'},{unknown,a}]}"));
        let Some(Order::Left { index: 3, expected, wanted }) = left else { panic!("{left:?}") };
        assert_eq!(expected.to_string(), "main.1 erlang:send/2");
        assert_eq!(wanted.iter().map(Turn::to_string).collect::<Vec<_>>(), ["main.2 receive", "main a"]);
    }

    #[test]
    fn a_stack_ends_where_ours_begins() {
        let text = "[{m,f,[1],[{file,\"m.erl\"},{line,3}]},{m,g,2,[]},{erl_eval,do_apply,6,[]},{m,h,0,[]}]";
        let entries = stack(&read(text));
        let shown: Vec<String> =
            entries.iter().map(|e| format!("{}/{} {}:{} {:?}", e.function, e.arity, e.file, e.line, e.args)).collect();
        assert_eq!(shown, ["f/1 m.erl:3 Some([Int(1)])", "g/2 :0 None"]);
    }
}
