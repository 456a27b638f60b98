//! Modules for the tests, compiled by the real compiler.

pub mod to_core;

use program::{Function, Module};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use term::{Atom, Term};

/// A directory of its own that goes away with the value.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("beagle-erlang-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a scratch directory");
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs `escript` on a program of ours and gives back what it printed.
pub fn escript(scratch: &Scratch, program: &str, args: &[&str]) -> String {
    let script = scratch.path().join("script");
    std::fs::write(&script, program).expect("a script");
    let output =
        Command::new("escript").arg(&script).args(args).current_dir(scratch.path()).output().expect("OTP is installed");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

const COMPILE: &str = r#"#!/usr/bin/env escript
main([Options]) ->
    {ok, Tokens, _} = erl_scan:string(Options ++ "."),
    {ok, More} = erl_parse:parse_term(Tokens),
    {ok, _, Core} = compile:file("m", [to_core, binary, report_errors, {feature, maybe_expr, enable} | More]),
    ok = file:write_file("m.etf", term_to_binary(Core, [{minor_version, 2}])).
"#;

/// The module whose text, without its `-module`, is `source`.
pub fn lower(source: &str) -> Module {
    compile("m.erl", &format!("-module(m).\n{source}"), "[]")
}

/// The module whose text in Core Erlang is `source`: what other compilers may write.
pub fn lower_core_text(source: &str) -> Module {
    compile("m.core", source, "[from_core]")
}

fn compile(file: &str, source: &str, options: &str) -> Module {
    let scratch = Scratch::new();
    std::fs::write(scratch.path().join(file), source).expect("a source");
    escript(&scratch, COMPILE, &[options]);
    let bytes = std::fs::read(scratch.path().join("m.etf")).expect("Core of the module");
    lower_verified(&etf::decode(&bytes).expect("a term"))
}

/// What the verifier says is part of every test.
pub fn lower_verified(core: &Term) -> Module {
    let module = erlang::lower_core(core).expect("Core that can be lowered");
    if let Err(errors) = program::verify(&module) {
        panic!("{}: {}", module.name, errors.iter().map(|error| format!("{error}\n")).collect::<String>());
    }
    module
}

pub fn find<'m>(module: &'m Module, name: &str) -> &'m Function {
    let function = module.functions.iter().find(|function| function.name == Atom::new(name));
    function.unwrap_or_else(|| panic!("no {name} in\n{}", program::print(module)))
}

/// The function in the IR's text form, on one line and without places.
pub fn text(module: &Module, name: &str) -> String {
    let wanted = find(module, name) as *const Function;
    let index = module.functions.iter().position(|function| std::ptr::eq(function, wanted)).expect("it was found");
    let all = program::print(module);
    let start = all.find(&format!("(function f{index} ")).expect("its text");
    let end =
        all[start..].find(&format!("(function f{} ", index + 1)).map_or(all.trim_end().len() - 1, |at| start + at);
    let words = all[start..end].split_whitespace().filter(|word| !word.starts_with('@')).collect::<Vec<_>>().join(" ");
    words.replace("( ", "(")
}
