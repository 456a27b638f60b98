//! Tests as EUnit's.

use crate::file::{HEAD, PREFIX};
use crate::{Body, Test};
use erlang::syntax::print_atom;
use term::Atom;

pub const COMMENT: &str = "%%";

/// `src/m.erl` is tested by `m_beagle_tests.erl`.
pub fn path(module: Atom) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "_-.@".contains(c) { c } else { '_' };
    format!("{}.erl", test_module(module).chars().map(plain).collect::<String>())
}

fn test_module(module: Atom) -> String {
    format!("{module}_beagle_tests")
}

/// A file without tests.
pub fn empty(module: Atom) -> String {
    let mut text = format!("{COMMENT} Regression tests for {}, found by Beagle.\n{COMMENT}\n", print_atom(module));
    HEAD.iter().for_each(|line| text.push_str(&format!("{}\n", format!("{COMMENT} {line}").trim_end())));
    let name = print_atom(Atom::new(&test_module(module)));
    text.push_str(&format!("-module({name}).\n\n-include_lib(\"eunit/include/eunit.hrl\").\n"));
    text
}

/// What stands in the file if the name is taken.
pub fn definition(name: &str) -> [String; 2] {
    [format!("{}()", print_atom(Atom::new(&format!("{name}_test")))), format!("{}()", generator(name))]
}

fn generator(name: &str) -> String {
    print_atom(Atom::new(&format!("{name}_test_")))
}

pub fn test(test: &Test, name: &str) -> String {
    let mut text = format!("{COMMENT} {PREFIX}{}\n", test.id);
    test.comment.iter().for_each(|line| text.push_str(&format!("{COMMENT} {line}\n")));
    let plain = print_atom(Atom::new(&format!("{name}_test")));
    text.push_str(&match &test.body {
        Body::Returns { call } => format!("{plain}() ->\n    {call}.\n"),
        Body::Satisfies { call, condition } => {
            format!("{plain}() ->\n    Result = {call},\n    ?assert({condition}).\n")
        }
        Body::Differs { call, from } => format!("{plain}() ->\n    ?assertNotEqual({from}, {call}).\n"),
        Body::Equals { call, value } => format!("{plain}() ->\n    ?assertEqual({value}, {call}).\n"),
        Body::Raises { call, class, what } => {
            let assert = match class.text() {
                "throw" => "assertThrow",
                "exit" => "assertExit",
                _ => "assertError",
            };
            format!("{plain}() ->\n    ?{assert}({what}, {call}).\n")
        }
        // In a process of its own, which can be ended and does not take all memory until then.
        Body::Ends { call } => format!(
            "{}() ->\n    {{timeout, 30, fun() ->\n        \
             {{Process, Monitor}} = spawn_opt(fun() -> {call} end, [monitor, {{max_heap_size, 50000000}}]),\n        \
             receive\n            \
             {{'DOWN', Monitor, process, _, normal}} -> ok;\n            \
             {{'DOWN', Monitor, process, _, Reason}} -> error(Reason)\n        \
             after 5000 -> exit(Process, kill), error(does_not_end)\n        \
             end\n    end}}.\n",
            generator(name)
        ),
    });
    text
}
