//! Whole applications: all of it can be lowered, passes the verifier, and the lifted functions have
//! the names and arities that OTP's own compiler gave them.

use crate::compiled::{Scratch, escript, lower_verified};
use std::collections::BTreeSet;
use std::process::Command;
use term::Term;

/// Lowers every module; the names that OTP has and we do not.
fn lower_all(directories: &[String]) -> (usize, Vec<String>) {
    let (dump, script) = (Scratch::new(), Scratch::new());
    let mut args = vec![dump.path().to_str().expect("a path in Unicode")];
    args.extend(directories.iter().map(String::as_str));
    escript(&script, include_str!("compiled/dump_all.escript"), &args);
    let mut missing = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(dump.path()).expect("the dump") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a module");
        let term = etf::decode(&bytes).expect("a term");
        let Some([core, locals]) = term.as_tuple() else { panic!("Core and locals") };
        let module = lower_verified(core);
        let named = |(name, arity): (&str, u32)| format!("{name}/{arity}");
        let ours: BTreeSet<_> = module
            .functions
            .iter()
            .map(|function| named((function.name.text(), function.arity + function.captures)))
            .collect();
        let theirs = locals.as_list().expect("a list").iter().filter_map(|local| match local.as_tuple()? {
            [Term::Atom(name), Term::Int(arity)] => Some((name.text(), *arity as u32)),
            _ => None,
        });
        // Wrappers of functions that are used as values are added much later, by the code generator.
        let theirs = theirs.filter(|(name, _)| name.starts_with('-') && !name.starts_with("-fun.")).map(named);
        missing.extend(theirs.filter(|name| !ours.contains(name)).map(|name| format!("{}:{name}", module.name)));
        count += 1;
    }
    (count, missing)
}

#[test]
fn otp() {
    let scratch = Scratch::new();
    let list = r#"#!/usr/bin/env escript
main([]) -> [io:format("~ts~n", [code:lib_dir(App, ebin)]) || App <- [stdlib, kernel, compiler]].
"#;
    let directories: Vec<String> = escript(&scratch, list, &[]).lines().map(String::from).collect();
    let (count, mut missing) = lower_all(&directories);
    assert!(count > 200, "only {count} modules");
    // Clauses that take binaries apart are numbered in an order of their own.
    missing.retain(|name| !name.starts_with("filename:-win32_splitb/1-lc$^"));
    assert_eq!(missing, Vec::<String>::new());
}

/// The beams may have been compiled by another OTP, so names are not compared.
#[test]
fn elixir() {
    let output = Command::new("elixir").args(["-e", "IO.puts(:code.lib_dir(:elixir))"]).output().expect("elixir");
    let directory = String::from_utf8(output.stdout).expect("a path in Unicode");
    let (count, _) = lower_all(&[format!("{}/ebin", directory.trim())]);
    assert!(count > 200, "only {count} modules");
}
