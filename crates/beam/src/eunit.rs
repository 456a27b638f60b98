//! Regression tests for EUnit.

use emit::{Body, Conditions, FileError, Framework, HEAD, PREFIX, Test, pattern};
use erlang::syntax::print_atom;
use report::Printer;
use term::{Atom, Term};

const COMMENT: &str = "%%";

/// EUnit, the test framework of Erlang/OTP.
pub struct EUnit;

impl Framework for EUnit {
    fn path(&self, module: Atom) -> String {
        path(module)
    }

    fn empty(&self, module: Atom) -> String {
        empty(module)
    }

    fn comment(&self) -> &'static str {
        COMMENT
    }

    fn name(&self, function: &str, arity: Option<u32>, what: &str) -> String {
        let arity = arity.map_or_else(String::new, |arity| format!("_{arity}"));
        format!("{function}{arity}_{}", what.replace(' ', "_"))
    }

    fn numbered(&self, name: &str, number: u32) -> String {
        format!("{name}_{number}")
    }

    fn definitions(&self, name: &str) -> [String; 2] {
        [format!("{}()", print_atom(Atom::new(&format!("{name}_test")))), format!("{}()", generator(name))]
    }

    fn test(&self, test: &Test, name: &str) -> String {
        text_of(test, name)
    }

    fn with_test(&self, file: &str, test: &str) -> Result<String, FileError> {
        Ok(format!("{}{test}", file.trim_end()))
    }

    fn on_path(&self, does: &str) -> String {
        format!("path {does}")
    }

    fn exception(&self, _: Atom, label: Option<String>, _: &str) -> Option<String> {
        label
    }

    fn asserted(&self, printer: &dyn Printer, _: Atom, reason: &Term, _: &str) -> String {
        pattern(printer, reason)
    }

    fn is_specification(&self, line: &str) -> bool {
        line.starts_with("-spec")
    }

    fn conditions(&self) -> Option<&Conditions> {
        Some(&CONDITIONS)
    }
}

const CONDITIONS: Conditions = Conditions {
    result: "Result",
    item: "Item",
    and: " andalso ",
    or: " orelse ",
    at_most: "=<",
    same: "=:=",
    differs: "=/=",
    all: |item, condition, list| format!("lists:all(fun({item}) -> {condition} end, {list})"),
    element: |tuple, index| format!("element({}, {tuple})", index + 1),
    has_key: |map, key| format!("is_map_key({key}, {map})"),
    value: |map, key| format!("map_get({key}, {map})"),
};

/// Returns the path of a test file: `src/m.erl` is tested by `m_beagle_tests.erl`.
fn path(module: Atom) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "_-.@".contains(c) { c } else { '_' };
    format!("{}.erl", test_module(module).chars().map(plain).collect::<String>())
}

fn test_module(module: Atom) -> String {
    format!("{module}_beagle_tests")
}

fn empty(module: Atom) -> String {
    let mut text = format!("{COMMENT} Regression tests for {}, found by Beagle.\n{COMMENT}\n", print_atom(module));
    HEAD.iter().for_each(|line| text.push_str(&format!("{}\n", format!("{COMMENT} {line}").trim_end())));
    let name = print_atom(Atom::new(&test_module(module)));
    text.push_str(&format!("-module({name}).\n\n-include_lib(\"eunit/include/eunit.hrl\").\n"));
    text
}

fn generator(name: &str) -> String {
    print_atom(Atom::new(&format!("{name}_test_")))
}

fn text_of(test: &Test, name: &str) -> String {
    let mut text = format!("{COMMENT} {PREFIX}{}\n", test.id);
    test.comment.iter().for_each(|line| text.push_str(&format!("{COMMENT} {line}\n")));
    match &test.body {
        Body::Ends { call } => {
            text.push_str(&within_time(test, call, name));
            return text;
        }
        Body::Survives { call } => {
            text.push_str(&within_time(test, &format!("{call}, timer:sleep(200)"), name));
            return text;
        }
        Body::NoneEnds { call, reason } => {
            text.push_str(&without_end(test, call, reason, name));
            return text;
        }
        Body::Returns { .. }
        | Body::Satisfies { .. }
        | Body::Differs { .. }
        | Body::Equals { .. }
        | Body::Raises { .. } => {}
    }
    let body = statements(&test.body);
    if test.setups.is_empty() {
        let plain = print_atom(Atom::new(&format!("{name}_test")));
        text.push_str(&format!("{plain}() ->\n    {}.\n", body.join(",\n    ")));
    } else {
        // If the test has a process of its own, the tables of its setup are deleted when it ends.
        let lines: Vec<String> = test.setups.iter().cloned().chain(body).collect();
        let lines = lines.join(",\n        ");
        text.push_str(&format!("{}() ->\n    {{spawn, fun() ->\n        {lines}\n    end}}.\n", generator(name)));
    }
    text
}

fn statements(body: &Body) -> Vec<String> {
    match body {
        Body::Returns { call } | Body::Ends { call } | Body::Survives { call } | Body::NoneEnds { call, .. } => {
            vec![call.clone()]
        }
        Body::Satisfies { call, condition } => vec![format!("Result = {call}"), format!("?assert({condition})")],
        Body::Differs { call, from } => vec![format!("?assertNotEqual({from}, {call})")],
        Body::Equals { call, value } => vec![format!("?assertEqual({value}, {call})")],
        Body::Raises { call, class, what } => {
            let assert = match class.text() {
                "throw" => "assertThrow",
                "exit" => "assertExit",
                _ => "assertError",
            };
            vec![format!("?{assert}({what}, {call})")]
        }
    }
}

/// Returns a call after the setups of its function.
fn after_setups(test: &Test, call: &str) -> String {
    test.setups.iter().map(String::as_str).chain([call]).collect::<Vec<_>>().join(", ")
}

/// Writes a test that no process ends with a reason. Processes are traced, so that links between them do not matter; no
/// other process receives the trace messages.
fn without_end(test: &Test, call: &str, reason: &str, name: &str) -> String {
    let call = after_setups(test, call);
    format!(
        "{}() ->\n    {{spawn, fun() ->\n        \
         Process = spawn(fun() -> receive go -> {call} end end),\n        \
         erlang:trace(Process, true, [procs, set_on_spawn]),\n        \
         Process ! go,\n        \
         receive\n            \
         {{trace, _, exit, {reason} = Reason}} -> error(Reason)\n        \
         after 1000 -> ok\n        \
         end\n    end}}.\n",
        generator(name)
    )
}

/// Writes a test that a call ends in time. The call runs in a process of its own, which can be ended and whose memory
/// is limited.
fn within_time(test: &Test, call: &str, name: &str) -> String {
    let call = after_setups(test, call);
    format!(
        "{}() ->\n    {{timeout, 30, fun() ->\n        \
         {{Process, Monitor}} = spawn_opt(fun() -> {call} end, [monitor, {{max_heap_size, 50000000}}]),\n        \
         receive\n            \
         {{'DOWN', Monitor, process, _, normal}} -> ok;\n            \
         {{'DOWN', Monitor, process, _, Reason}} -> error(Reason)\n        \
         after 5000 -> exit(Process, kill), error(does_not_end)\n        \
         end\n    end}}.\n",
        generator(name)
    )
}
