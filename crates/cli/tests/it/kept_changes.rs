//! Kept results are not used where something that they follow from has changed.

use crate::kept::{SHOP, beagle, lines, project, said, test};
use std::process::Command;

/// Whether a module is the user's or a library's decides what is counted and blamed, though its code is the same.
#[test]
fn a_module_that_becomes_the_users_is_noticed() {
    let calls = "-module(shop).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(X) -> other:g(X).\n";
    let folder = project("users", calls);
    std::fs::remove_file(folder.join("rebar.config")).expect("removable");
    let library = folder.join("library");
    std::fs::create_dir(&library).expect("a folder");
    std::fs::write(library.join("other.erl"), "-module(other).\n-export([g/1]).\ng(5) -> error(found);\ng(_) -> ok.\n")
        .expect("a file");
    let compiled = Command::new("erlc").args(["+debug_info", "other.erl"]).current_dir(&library).status();
    assert!(compiled.expect("erlc").success());
    let run = |files: &[&str]| {
        let common = ["test", "--format", "jsonl", "-j", "1", "--cache", "cache", "--pa", "library", "-f", "shop:f/1"];
        said(&beagle(&folder, &[&common[..], files].concat()).output().expect("beagle"))
    };
    let (alone, _) = run(&["src/shop.erl"]);
    assert!(run(&["src/shop.erl"]).1.contains("1 function is as before"));
    let (both, err) = run(&["src/shop.erl", "library/other.beam"]);
    assert!(!err.contains("as before"), "{err}");
    assert_ne!(lines(&both), lines(&alone));
}

/// A search that asks which modules do something depends on all of them, and on those that come later.
#[test]
fn modules_that_are_new_or_export_more_are_noticed() {
    let calls = "-module(shop).
-export([f/1, order/1, known/0, exported/0]).
-spec f(atom()) -> any().
f(M) -> M:go().
-spec order(integer()) -> any().
order(N) -> ets:lookup(orders, N).
-spec known() -> ok.
known() -> case code:ensure_loaded(zz) of {module, zz} -> error(found); _ -> ok end.
-spec exported() -> ok.
exported() -> case erlang:function_exported(zz, go, 0) of true -> error(found); false -> ok end.
";
    let folder = project("new_modules", calls);
    std::fs::write(folder.join("src/other.erl"), "-module(other).\n-export([stay/0]).\nstay() -> ok.\n")
        .expect("a file");
    let args = ["--no-build", "-j", "1", "--no-confirm"];
    let (first, ..) = test(&folder, &args);
    let (again, err, _) = test(&folder, &args);
    assert!(err.contains("4 functions are as before"), "{err}");
    assert_eq!(lines(&again), lines(&first));

    // A module that has the function, and another that makes the table.
    std::fs::write(folder.join("src/zz.erl"), "-module(zz).\n-export([go/0]).\ngo() -> error(zz).\n").expect("a file");
    let makes = "-module(other).\n-export([stay/0, start_link/0]).\nstay() -> ok.\nstart_link() -> ets:new(orders, [named_table]).\n";
    std::fs::write(folder.join("src/other.erl"), makes).expect("a file");
    let (kept, ..) = test(&folder, &args);
    let (fresh, ..) = test(&folder, &[&args[..], &["--fresh"]].concat());
    assert_eq!(lines(&kept), lines(&fresh));
    assert!(kept.contains("shop:f(zz)") && kept.contains("other:start_link/0"), "{kept}");

    // The module is there as before, and exports something else.
    std::fs::write(folder.join("src/zz.erl"), "-module(zz).\n-export([gone/0]).\ngone() -> ok.\n").expect("a file");
    let (kept, ..) = test(&folder, &args);
    assert!(!kept.contains("\"reason\":\"zz\""), "{kept}");
}

/// Who calls a function decides the ranking of its findings, and not its result: the search is not made again.
#[test]
fn findings_are_ranked_by_the_callers_of_today() {
    let folder = project("callers", "-module(shop).\n-export([k/1]).\nk(7) -> error(seven);\nk(_) -> ok.\n");
    let args = ["--all", "-j", "1", "--no-confirm", "-f", "shop:k/1"];
    let (first, ..) = test(&folder, &args);
    let catches = "-module(caller).\n-export([c/0]).\nc() -> try shop:k(7) catch _:_ -> ok end.\n";
    std::fs::write(folder.join("src/caller.erl"), catches).expect("a file");
    let (kept, err, _) = test(&folder, &args);
    assert!(err.contains("1 function is as before"), "{err}");
    assert_ne!(lines(&kept), lines(&first));
    let (fresh, ..) = test(&folder, &[&args[..], &["--fresh"]].concat());
    assert_eq!(lines(&kept), lines(&fresh));
    // The ranking of today was kept.
    let (again, err, _) = test(&folder, &args);
    assert!(err.contains("1 function is as before"), "{err}");
    assert_eq!(lines(&again), lines(&fresh));

    // Tests that expect the exception count, too.
    std::fs::create_dir(folder.join("test")).expect("a folder");
    let tests =
        "-module(shop_tests).\n-include_lib(\"eunit/include/eunit.hrl\").\nk_test() -> ?assertError(_, shop:k(7)).\n";
    std::fs::write(folder.join("test/shop_tests.erl"), tests).expect("a file");
    let (kept, err, _) = test(&folder, &args);
    assert!(err.contains("1 function is as before"), "{err}");
    let (fresh, ..) = test(&folder, &[&args[..], &["--fresh"]].concat());
    assert_eq!(lines(&kept), lines(&fresh));
    assert_ne!(lines(&kept), lines(&again));
}

/// A program that reports the same version as before may be another one.
#[test]
fn a_solver_whose_program_has_changed_is_noticed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = project("solver", SHOP);
    let solver = folder.join("solver");
    let write = |comment: &str| {
        std::fs::write(&solver, format!("#!/bin/sh\n# {comment}\nexec z3 \"$@\"\n")).expect("a file");
        std::fs::set_permissions(&solver, std::fs::Permissions::from_mode(0o755)).expect("executable");
    };
    let path = solver.display().to_string();
    for option in ["--solver", "--second-solver"] {
        let args = ["-j", "1", "-f", "shop:label/1", option, &path];
        write("one");
        assert!(!test(&folder, &args).1.contains("as before"), "{option}");
        assert!(test(&folder, &args).1.contains("1 function is as before"), "{option}");
        write("two");
        assert!(!test(&folder, &args).1.contains("as before"), "{option}");
    }
}

/// What decides the code keeps results apart as far as it changes modules; a limit that ends a search leaves nothing decided.
#[test]
fn options_that_change_code_or_end_searches_keep_results_apart() {
    let source = "-module(shop).\n-export([f/1]).\n-include(\"limit.hrl\").\n-ifndef(MORE).\n-define(MORE, 0).\n-endif.\n\
                  -spec f(integer()) -> ok.\nf(N) when N =:= ?LIMIT + ?MORE -> error(found);\nf(_) -> other:g().\n";
    let folder = project("code_options", source);
    std::fs::remove_file(folder.join("rebar.config")).expect("removable");
    for (name, limit) in [("one", 10), ("two", 20)] {
        let library = folder.join(name);
        std::fs::create_dir(&library).expect("a folder");
        std::fs::write(library.join("limit.hrl"), format!("-define(LIMIT, {limit}).\n")).expect("a file");
        std::fs::write(
            library.join("other.erl"),
            format!("-module(other).\n-export([g/0]).\ng() -> _ = {limit}, ok.\n"),
        )
        .expect("a file");
        let compiled = Command::new("erlc").args(["+debug_info", "other.erl"]).current_dir(&library).status();
        assert!(compiled.expect("erlc").success());
    }
    let run = |args: &[&str]| {
        let common = ["test", "--format", "jsonl", "--cache", "cache", "src/shop.erl"];
        said(&beagle(&folder, &[&common[..], args].concat()).output().expect("beagle"))
    };
    let usual = ["-I", "one", "--pa", "one"];
    let (first, err) = run(&usual);
    assert!(first.contains("shop:f(10)") && !err.contains("as before"), "{err}{first}");
    let variants: [(&[&str], &str); 3] = [
        (&["-I", "two", "--pa", "one"], "shop:f(20)"),
        (&["-I", "one", "--pa", "two"], "shop:f(10)"),
        (&["-I", "one", "--pa", "one", "-D", "MORE=5"], "shop:f(15)"),
    ];
    for (variant, found) in variants {
        let (other, err) = run(variant);
        assert!(!err.contains("as before") && other.contains(found), "{variant:?}: {err}{other}");
    }
    // Limits that were not reached, and the number of workers, decide nothing.
    let (_, _) = run(&usual);
    let limits: [&[&str]; 5] = [
        &["--budget", "77s"],
        &["--total-budget", "99s"],
        &["--max-runs", "100000"],
        &["--total-memory", "4096"],
        &["--jobs", "2"],
    ];
    for limit in limits {
        let (again, err) = run(&[&usual[..], limit].concat());
        assert!(err.contains("1 function is as before"), "{limit:?}: {err}");
        assert_eq!(lines(&again), lines(&run(&usual).0), "{limit:?}");
    }
    // A search that a limit has cut goes on with the next command, whatever its limits are.
    let cut = ["-f", "shop:endless/2", "--no-confirm", "-j", "1"];
    let folder = project("cut_options", SHOP);
    let limits: [&[&str]; 3] = [&["--max-runs", "2"], &["--budget", "1ms"], &["--total-budget", "1ms"]];
    for limit in limits {
        for _ in 0..2 {
            let (text, err, _) = test(&folder, &[&cut[..], limit].concat());
            assert!(!err.contains("as before") && !text.contains("\"exhaustive\":true"), "{limit:?}: {err}{text}");
        }
    }
}
