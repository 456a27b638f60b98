//! The prelude says what the native functions do: both are run on the same arguments, and answer or
//! raise the same.

use crate::rows::support::{arguments, context, owned, said, session, values};
use erlang::print;
use machine::value::copy_in;
use machine::{Meaning, Primitive};
use term::{Atom, Term};

fn compare(rows: impl Iterator<Item = &'static Primitive>) {
    let mut session = session();
    let values = values(&mut session);
    let mut differences = Vec::new();
    let mut functions = 0;
    for row in rows {
        let Meaning::Prelude(_, function) = row.meaning else { continue };
        functions += 1;
        for args in arguments(row, &values, 2_000) {
            let native = said(session.machine.run(Atom::new(row.module), Atom::new(row.name), &args));
            let prelude = said(session.machine.run(Atom::new(erlang::prelude::NAME), Atom::new(function), &args));
            // The natives answer at once where the prelude would build for ever.
            let limited = ["stopped: step limit", "stopped: memory limit"].contains(&prelude.as_str());
            if native != prelude && !limited {
                let args: Vec<String> = args.iter().map(print).collect();
                differences.push(format!(
                    "{}:{}({})\n  native  {native}\n  prelude {prelude}",
                    row.module,
                    row.name,
                    args.join(", ")
                ));
            }
        }
    }
    assert!(functions > 0);
    let count = differences.len();
    differences.truncate(40);
    assert!(count == 0, "{count} calls differ:\n{}", differences.join("\n"));
}

#[test]
fn the_prelude_says_what_natives_do() {
    compare(erlang::bifs::available());
}

#[test]
fn the_prelude_says_what_summarised_functions_do() {
    compare(erlang::bifs::summaries());
}

/// What need not be looked at is left out, and nothing else: formats that fit their arguments and formats
/// that do not end the same, whatever stands before the letter.
#[test]
fn formats_are_read_as_the_code_reads_them() {
    let mut session = session();
    let formats = r#"["~p", "~w~n", "~s", "~ts", "~p ~s", "~s ~p", "~i~s", "~~~p", "~*w", "~*p~s", "~10.2.*p", "~10.2.pw",
        "~..*w", "~.*f", "~-8.3.0f", "~W", "~P~s", "~x", "~.16X~s", "~.8b", "~c", "~tp~s", "~lp", "~q", "~", "~10", "~.", "~p~p~p",
        <<"~p~s">>, <<"~s">>, '~p~s', abc, 1, "~kp"]"#;
    let lists = r#"[[], [a], ["ab"], [1], [2.5], [a, "b"], ["b", a], [3, a], [3, a, "x"], [5, $*, a], [$*, a], [2, 1.5], [a, 3],
        [[1, 2, 3], 2, "x"], [255, "p"], [255, "p", "y"], [{}, {}], [#{}, 1.0, <<1>>], [a, b, c], [a | b], x, "ab", [{a}, -1], [1 bsl 70]]"#;
    let read = |session: &mut crate::rows::support::Session, text: &str| match session.evaluate(text, None) {
        Ok(path::Outcome::Value(Term::List(ref items, None))) => items.to_vec(),
        other => panic!("a list: {other:?}"),
    };
    let (formats, lists) = (read(&mut session, formats), read(&mut session, lists));
    let mut fitting = 0;
    for format in &formats {
        for list in &lists {
            let args = [format.clone(), list.clone()];
            let native = said(session.machine.run(Atom::new("io"), Atom::new("format"), &args));
            let prelude =
                said(session.machine.run(Atom::new(erlang::prelude::NAME), Atom::new("output_formatted"), &args));
            assert_eq!(native, prelude, "{} {}", print(format), print(list));
            fitting += usize::from(native == "ok");
        }
    }
    assert!(fitting > 50, "{fitting} formats fit");
}

/// Outside their domain too.
#[test]
fn summaries_say_what_the_code_does() {
    let mut session = session();
    let values = values(&mut session);
    let lists =
        [Term::Nil, Term::atom("x")].into_iter().chain(values.iter().filter(|v| matches!(v, Term::List(..))).cloned());
    let lists: Vec<Term> = lists.collect();
    for row in erlang::bifs::summaries() {
        for position in &values {
            for list in &lists {
                let args = [position.clone(), list.clone()];
                let code = said(session.machine.run(Atom::new(row.module), Atom::new(row.name), &args));
                let mut context = context();
                let words = args.each_ref().map(|arg| copy_in(&mut context.heap, arg));
                let summary = match row.apply(&mut context, &words) {
                    Ok(value) => print(&owned(value)),
                    Err(_) => match context.take_exception() {
                        Some(raised) => format!("{} {}", raised.class.atom(), print(&owned(raised.reason))),
                        None => "nothing".to_string(),
                    },
                };
                assert_eq!(code, summary, "{}({}, {})", row.name, print(position), print(list));
            }
        }
    }
}
