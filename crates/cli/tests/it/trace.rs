//! Runs, event by event.

use crate::common::{program, refused, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn lines(args: &[&str], files: &[PathBuf]) -> (Vec<Value>, i32) {
    let (text, code) = run(&[&["trace", "--format", "jsonl"], args].concat(), files);
    let object = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    (text.lines().map(object).collect(), code)
}

/// Types, and what else matters of each event.
fn steps(events: &[Value]) -> Vec<String> {
    let step = |event: &Value| {
        let kind = event["type"].as_str().expect("a type");
        let values: Vec<&str> = event["values"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let clause = event["clause"].as_u64().map(|clause| format!(" clause {clause}")).unwrap_or_default();
        let tail = if event["tail"] == true { " tail" } else { "" };
        format!("{} {kind}{clause}{tail} {}", event["level"], values.join(" "))
    };
    events.iter().filter(|event| event["values"].is_array()).map(step).collect()
}

fn traced() -> [PathBuf; 1] {
    [program("traced.erl")]
}

#[test]
fn a_run_of_append_takes_clause_2_and_then_clause_1() {
    let (events, code) = lines(&["--alternatives", "traced:main([a])"], &traced());
    let expected = [
        "0 call clause 1 [a]", "0 call clause 2 tail [a] [a]", "1 call clause 1 [] [a]", "1 return [a]",
        "0 return [a,a]",
    ];
    assert_eq!((steps(&events), code), (expected.map(String::from).to_vec(), 0));
    assert_eq!(events[1]["source"], "app([H | T], Ys)");
    assert_eq!(events[1]["bindings"], serde_json::json!({"H": "a", "T": "[]", "Ys": "[a]"}));
    // The inputs of the other ways, and what they lead to.
    let others = |event: &Value| -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let all = event["alternatives"].as_array().cloned().unwrap_or_default();
        all.iter().map(|other| (text(&other["call"]), text(&other["way"]))).collect()
    };
    assert!(others(&events[0]).is_empty());
    let first = others(&events[1]);
    assert!(first.contains(&("traced:main([])".to_string(), "traced:app/2, clause 1 of 2".to_string())), "{first:?}");
    let second = others(&events[2]);
    let longer = second.iter().find(|(_, way)| way == "traced:app/2, clause 2 of 2").expect("a longer list");
    assert!(longer.0.starts_with("traced:main([a,"), "{longer:?}");
    assert!(second.iter().any(|(_, way)| way == "traced:app/2 has no clause for it"), "{second:?}");
    assert_eq!(events.last().map(|event| &event["value"]), Some(&Value::from("[a,a]")));
}

/// What a run decides later does not speak against what it could have decided before.
#[test]
fn alternatives_of_kinds_are_shown() {
    let text = "-module(alt).\n-export([f/1]).\n\
                f(X) when is_integer(X) -> int;\nf(X) when is_atom(X) -> atom;\nf(_) -> other.\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("alt.erl");
    std::fs::write(&file, text).expect("a file");
    let (text, code) = run(&["trace", "--alternatives", "alt:f(a)"], &[file]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("clause 1 of 3") && text.contains("clause 3 of 3"), "{text}");
}

#[test]
fn every_choice_is_shown_as_it_stands_in_the_source() {
    let (text, code) = run(&["trace", "traced:choices(3, {b, 4})"], &traced());
    let expected = "\
traced:choices(3, {b,4})
  choices(N, Value) (traced.erl:8)
  N = 3, Value = {b,4}
  case {b,4}: clause 2 of 3: {b, X} when X > N, is_integer(X) (traced.erl:10)
    X = 4
  A = 4 (traced.erl:9)
  if: clause 2 of 2: true (traced.erl:14)
  B = small (traced.erl:13)
  catch error:badarith: clause 1 of 2: error:Why (traced.erl:17)
    Why = badarith
  C = badarith (traced.erl:16)
  for Y = 1 (traced.erl:20)
  returns {4,small,badarith,[2]}
{4,small,badarith,[2]}";
    assert_eq!((text.as_str(), code), (expected, 0));
}

#[test]
fn exceptions_leave_calls_and_a_call_without_a_clause_is_shown() {
    let (events, code) = lines(&["traced:caught({a, {t, 5}})"], &traced());
    let expected = [
        "0 call clause 1 {a,{t,5}}", "1 call clause 1 {a,{t,5}}", "1 call clause 2 tail {t,5}",
        "1 catch clause 2 throw 5", "0 return {thrown,5}",
    ];
    assert_eq!((steps(&events), code), (expected.map(String::from).to_vec(), 0));
    let (text, code) = run(&["trace", "traced:deep({a, b})"], &traced());
    assert!(text.contains("tail call: traced:deep(b)\n  none of 2 clauses fits (traced.erl:26)\n"), "{text}");
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("** exception error: no function clause matching traced:deep(b) ("), "{text}");
    assert!(last.ends_with("traced.erl, line 26)"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn funs_are_calls_of_their_own() {
    let (events, code) = lines(&["traced:applied(2)"], &traced());
    let expected = [
        "0 call clause 1 2", "1 fun clause 1 1", "1 return one", "1 no_fun_clause clause 0 2",
        "1 catch clause 1 error function_clause", "0 return {one,none}",
    ];
    assert_eq!((steps(&events), code), (expected.map(String::from).to_vec(), 0));
}

#[test]
fn a_call_that_ends_in_a_library_has_a_result() {
    let (events, _) = lines(&["traced:sorted([2, 1])"], &traced());
    let expected = [
        "0 call clause 1 [2,1]", "1 call clause 1 [2,1]", "2 call clause 1 2 1", "2 return false", "1 return [1,2]",
        "1 bind ", "0 return {[1,2]}",
    ];
    assert_eq!(steps(&events), expected);
}

#[test]
fn depth_and_functions_can_be_chosen() {
    let (events, _) = lines(&["--depth", "1", "traced:main([a, b])"], &traced());
    assert_eq!(steps(&events).len(), 3, "{events:?}");
    let (events, _) = lines(&["--only", "lists:sort/2", "traced:sorted([2, 1])"], &traced());
    assert!(events.len() > 1 && events[..events.len() - 1].iter().all(|event| event["function"] == "lists:sort/2"));
    let (events, _) = lines(&["--only", "traced:app/*", "traced:main([])"], &traced());
    assert_eq!(steps(&events), ["0 call clause 1 tail [] []", "0 return []"]);
}

#[test]
fn processes_are_named_when_there_are_several() {
    let (text, code) = run(&["trace", "traced:asked(7)"], &traced());
    assert_eq!(code, 0, "{text}");
    for line in [
        "<0.80.0> traced:asked(7)",
        "<0.4097.0> traced:answering()",
        "<0.4097.0>     From = <0.80.0>, X = 7",
        "<0.4097.0>   send {answer,8} to <0.80.0> (traced.erl:38)",
        "<0.80.0>   receive {answer,8}: {answer, Y} (traced.erl:34)",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    let (text, _) = run(&["trace", "traced:nobody()"], &traced());
    assert!(text.contains("  receive: no message came in time (traced.erl:41)\n  returns late\n"), "{text}");
}

#[test]
fn an_endless_run_ends_with_a_name() {
    let (text, code) = run(&["trace", "--events", "5", "traced:endless(0)"], &traced());
    assert!(text.ends_with("** stopped: trace limit: more events than the trace may have"), "{text}");
    assert_eq!((text.matches("tail call").count(), code), (4, 1));
    let (text, code) = run(&["trace", "--depth", "1", "--steps", "1000", "traced:deeper(0)"], &traced());
    assert!(text.starts_with("traced:deeper(0)\n") && text.ends_with("** stopped: step limit"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn long_values_are_shortened() {
    let (text, _) = run(&["trace", "traced:long(100000)"], &traced());
    assert!(text.contains("  L = [1,2,3,4,5,6,7,8,...] (traced.erl:46)\n"), "{text}");
    assert!(text.lines().all(|line| line.len() < 400), "{text}");
}

#[test]
fn wrong_use_says_what_to_do() {
    assert!(refused(&["trace", "--only", "no function", "1"], &[]).contains("--only no function names no function"));
    let said = refused(&["trace", "--alternatives", "traced:main([a]) ++ []"], &traced());
    assert!(said.contains("write 'module:name(arguments)'"), "{said}");
    let said = refused(&["trace", "--alternatives", "traced:main([self()])"], &traced());
    assert!(said.contains("the arguments contain functions or processes"), "{said}");
    assert!(refused(&["trace", "--depth", "0", "1"], &[]).contains("--depth"));
}

/// A negative number is an expression here, too.
#[test]
fn an_expression_may_begin_with_a_minus_sign() {
    assert_eq!(run(&["trace", "-7 div 2"], &[]), ("-3".to_string(), 0));
}

#[test]
fn elixir_is_shown_as_elixir() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("traced_elixir");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let source = "defmodule Traced do\n  def total([]), do: 0\n\n  def total([{name, price} | rest]) when price > 0 do\n    \
        off = if price > 100, do: 10, else: 0\n    label =\n      case name do\n        :apple -> 1\n        \
        other when is_atom(other) -> 2\n      end\n\n    cond do\n      label > 5 -> 0\n      label == 1 -> price - off + total(rest)\n      \
        true -> price\n    end\n  end\nend\n";
    std::fs::write(folder.join("traced.ex"), source).expect("a source");
    let made = Command::new("elixirc").args(["traced.ex", "-o", "."]).current_dir(&folder).output();
    assert!(made.is_ok_and(|made| made.status.success()), "elixirc cannot compile");
    let beam = [folder.join("Elixir.Traced.beam")];
    let (text, code) = run(&["trace", "'Elixir.Traced':total([{apple, 200}])"], &beam);
    let expected = "\
Traced.total([apple: 200])
  clause 2 of 2: def total([{name, price} | rest]) when price > 0 do (traced.ex:4)
  name = :apple, price = 200, rest = []
  condition is true: off = if price > 100, do: 10, else: 0 (traced.ex:5)
  off = 10 (traced.ex:5)
  case :apple: clause 1 of 2: :apple -> 1 (traced.ex:8)
  label = 1 (traced.ex:6)
  condition is false: label > 5 -> 0 (traced.ex:13)
  condition is true: label == 1 -> price - off + total(rest) (traced.ex:14)
  Traced.total([])
    clause 1 of 2: def total([]), do: 0 (traced.ex:2)
    returns 0
  returns 190
190";
    assert_eq!((text.as_str(), code), (expected, 0));
}

/// Every trace of this file, once more on the BEAM: the events are the same, with values, levels and tail calls.
#[test]
fn both_executors_tell_the_same() {
    let calls = [
        "traced:main([a])",
        "traced:main([a|b])",
        "traced:choices(3, {b, 4})",
        "traced:choices(7, c)",
        "traced:caught(1)",
        "traced:deep([1, 2, 3])",
        "traced:sorted([3, 1, 2])",
        "traced:asked(1)",
        "traced:nobody()",
        "traced:applied(1)",
        "traced:deeper(1)",
        "traced:endless(1)",
        "traced:long(5)",
        "lists:foldl(fun(X, A) -> traced:main([X | A]) end, [], [1, 2, 3])",
    ];
    for call in calls {
        let (text, code) = run(&["trace", "--executor", "both", call], &traced());
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("the machine and the BEAM do the same ("), "{call}: {code}\n{text}");
        // What one of them shows, the other does, to the byte; processes and funs have other names.
        if code == 0 && !text.starts_with('<') && !text.contains("#Fun") {
            let here = run(&["trace", "--executor", "machine", call], &traced());
            assert_eq!(run(&["trace", "--executor", "beam", call], &traced()), here, "{call}");
        }
    }
}

#[test]
fn options_and_alternatives_are_those_of_either_executor() {
    for options in [
        &["--alternatives", "traced:main([a])"][..],
        &["--depth", "1", "traced:main([a, b])"],
        &["--only", "traced:app/2", "traced:main([a])"],
        &["--only", "lists:*", "traced:long(5)"],
        &["--events", "3", "traced:main([a, b])"],
    ] {
        let shown = |executor: &str| {
            let (events, code) = lines(&[&["--executor", executor], options].concat(), &traced());
            let without_time = |mut event: Value| {
                event.as_object_mut().expect("an object").remove("seconds");
                event["process"] = Value::Null;
                event
            };
            (events.into_iter().map(without_time).collect::<Vec<Value>>(), code)
        };
        assert_eq!(shown("beam"), shown("machine"), "{options:?}");
    }
}

/// What our machine does not do, the BEAM shows.
#[test]
fn allowed_effects_are_traced_on_the_beam() {
    let text = "-module(outside).\n-export([echo/1, read/1]).\n\
                echo(Text) ->\n    P = open_port({spawn, \"cat\"}, [binary]),\n    port_command(P, Text),\n    \
                receive {P, {data, D}} -> {got, D} end.\n\
                read(F) ->\n    case file:read_file(F) of\n        {ok, B} -> B;\n        {error, E} -> E\n    end.\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("outside.erl");
    std::fs::write(&file, text).expect("a file");
    let data = folder.path().join("data");
    std::fs::write(&data, "abc").expect("a file");
    let ports = ["--allow-effects", "erlang:*port*/*, exec=cat", "outside:echo(<<\"hi\">>)"];
    let reading = format!("file:read_file/1, read={}", data.display());
    let read = format!("outside:read({:?})", data.display().to_string());
    let files = ["--allow-effects", &reading, &read];
    for executor in ["beam", "both", "machine"] {
        let (text, code) = run(&[&["trace", "--executor", executor], &ports[..]].concat(), std::slice::from_ref(&file));
        assert!(code == 0 && text.contains("{data,<<\"hi\">>}}: {P, {data, D}}"), "{executor}: {code}\n{text}");
        let (text, code) = run(&[&["trace", "--executor", executor], &files[..]].concat(), std::slice::from_ref(&file));
        assert!(code == 0 && text.contains("case {ok,<<\"abc\">>}: clause 1 of 2"), "{executor}: {code}\n{text}");
    }
    let (text, code) = run(&["trace", "--executor", "beam", &read], &[file]);
    let end = "** stopped: it was stopped when it called file:read_file/1, which acts on the outside";
    assert_eq!((text.lines().last(), code), (Some(end), 1), "{text}");
}

/// Every end of a run on the BEAM has a name.
#[test]
fn runs_on_the_beam_end_with_a_name() {
    let ends = [
        ("traced:endless(1)", &["--events", "100"][..], "** stopped: trace limit: more events than the trace may have"),
        ("receive never -> ok end", &["--time", "200ms"], "** stopped: it did not end within 200 ms"),
        ("traced:no(1)", &[], "** exception error: undefined function traced:no/1"),
        ("absent:f(1)", &[], "** exception error: undefined function absent:f/1"),
        ("exit(self(), kill)", &[], "** stopped: it was ended by a signal: killed"),
        ("lists:seq(1, 50000000)", &["--memory", "64"], "** stopped: it ran out of memory"),
    ];
    for (call, options, end) in ends {
        let (text, code) = run(&[&["trace", "--executor", "beam", call], options].concat(), &traced());
        assert_eq!((text.lines().last(), code), (Some(end), 1), "{call}: {text}");
    }
    let (text, code) = run(&["trace", "--executor", "beam", "halt(7)"], &traced());
    assert!(code == 1 && text.starts_with("** stopped: the whole runtime ended: "), "{text}");
}
