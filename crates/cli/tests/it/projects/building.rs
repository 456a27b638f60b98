//! Finding the code of a project, and building it.

use crate::projects::scratch::{APP, SHOP, Scratch, bug, shop};
use std::fs;

#[test]
fn an_application_of_rebar3_is_built_and_tested_from_any_folder_of_it() {
    let shop = shop("single");
    fs::create_dir_all(shop.0.join("src/deep/er")).expect("a folder");
    let ended = shop.test_in("src/deep/er", &["--format", "jsonl"]);
    assert!(ended.said.contains("building with `rebar3 compile`"), "{}", ended.said);
    assert_eq!((ended.bugs(), ended.code), (vec![bug("shop:price/1", "wrong_price")], 1), "{}", ended.said);
    assert_eq!(ended.objects("bug")[0]["args"][0], "4007");
    assert_eq!(ended.objects("function").len(), 1, "neither tests nor what has no -spec: {}", ended.stdout);

    let again = shop.test(&["--format", "jsonl"]);
    assert!(!again.said.contains("building"), "nothing has changed: {}", again.said);
    assert_eq!(again.bugs(), ended.bugs());

    shop.write("src/shop.erl", &SHOP.replace("error(wrong_price)", "error(wronger_price)"));
    let unbuilt = shop.test(&["--format", "jsonl", "--no-build"]);
    assert!(!unbuilt.said.contains("building"), "{}", unbuilt.said);
    assert_eq!(unbuilt.bugs(), [bug("shop:price/1", "wronger_price")], "the source is newer: {}", unbuilt.said);
    let built = shop.test(&["--format", "jsonl", "--profile", "test"]);
    assert!(built.said.contains("rebar3 as test compile"), "{}", built.said);
    assert_eq!(built.bugs(), unbuilt.bugs());
    assert!(shop.refused(&["--profile", "../../etc"]).contains("is not the name of a profile"));
}

#[test]
fn what_is_compiled_without_debug_info_is_compiled_from_its_source() {
    let shop = shop("stripped");
    shop.write("rebar.config", "{erl_opts, [no_debug_info, {debug_info, false}, {d, 'MORE', 7}]}.\n");
    shop.tool("rebar3", &["compile"]);
    shop.tool(
        "erl",
        &["-noshell", "-eval", "{ok, _} = beam_lib:strip_files([\"_build/default/lib/shop/ebin/shop.beam\"]), halt()."],
    );
    let ended = shop.test(&["--format", "jsonl"]);
    assert!(
        ended.said.contains("was compiled without debug_info") && ended.said.contains("src/shop.erl"),
        "{}",
        ended.said
    );
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);
}

/// Without a build, because a dependency cannot be fetched, sources are compiled as the project would compile them.
#[test]
fn the_projects_transforms_and_macros_are_used_without_a_build() {
    let transform = "-module(other).\n-export([parse_transform/2]).\nparse_transform(Forms, _) -> changed(Forms).\n\
        changed({integer, L, 42}) -> {integer, L, 43};\nchanged(T) when is_tuple(T) -> list_to_tuple(changed(tuple_to_list(T)));\n\
        changed([H | T]) -> [changed(H) | changed(T)];\nchanged(T) -> T.\n";
    let source =
        "-module(made).\n-export([f/1]).\n-spec f(integer()) -> atom().\nf(42) -> error(?REASON);\nf(_) -> ok.\n";
    let made = Scratch::new(
        "transformed",
        &[
            (
                "rebar.config",
                "{erl_opts, [{parse_transform, other}, {d, 'REASON', no_good}]}.\n{deps, [no_such_dependency]}.\n",
            ),
            ("src/shop.app.src", APP),
            ("src/other.erl", transform),
            ("src/made.erl", source),
        ],
    );
    let ended = made.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("`rebar3 compile` failed"), "{}", ended.said);
    assert_eq!(ended.bugs(), [bug("made:f/1", "no_good")], "{}", ended.said);
    assert_eq!(ended.objects("bug")[0]["args"][0], "43");
}

#[test]
fn the_applications_of_an_umbrella_are_tested_and_its_dependencies_are_not() {
    let umbrella = Scratch::new(
        "umbrella",
        &[
            ("rebar.config", "{erl_opts, [debug_info]}.\n{deps, [third]}.\n"),
            ("apps/one/src/one.app.src", &APP.replace("shop", "one")),
            ("apps/one/include/one.hrl", "-define(SECRET, 99).\n"),
            (
                "apps/one/src/one.erl",
                "-module(one).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(5) -> error(one);\nf(_) -> ok.\n",
            ),
            ("apps/two/src/two.app.src", &APP.replace("shop", "two")),
            (
                "apps/two/src/two.erl",
                "-module(two).\n-export([g/1]).\n-include_lib(\"one/include/one.hrl\").\n-spec g(integer()) -> ok.\n\
             g(?SECRET) -> third:h(two);\ng(_) -> ok.\n",
            ),
            ("_checkouts/third/src/third.app.src", &APP.replace("shop", "third")),
            (
                "_checkouts/third/src/third.erl",
                "-module(third).\n-export([h/1]).\n-spec h(any()) -> ok.\nh(X) -> error(X).\n",
            ),
        ],
    );
    let ended = umbrella.test_in("apps/two/src", &["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("one:f/1", "one"), bug("two:g/1", "two")], "{}", ended.said);
    assert_eq!(ended.objects("function").len(), 2, "a dependency is not tested: {}", ended.stdout);
    assert_eq!(umbrella.list(&["apps/two"]), ["two:g/1"], "a part of the project");
    assert_eq!(umbrella.list(&["apps/one/src/one.erl"]), ["one:f/1"]);
}

#[test]
fn a_module_that_does_not_compile_does_not_stop_the_others() {
    let shop = shop("broken");
    shop.write("src/aaa_broken.erl", "-module(aaa_broken).\n-export([f/0]).\n-spec f() -> ok.\nf() -> X.\n");
    let ended = shop.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("`rebar3 compile` failed"), "{}", ended.said);
    assert!(ended.said.contains("aaa_broken.erl:4"), "{}", ended.said);
    assert_eq!((ended.bugs(), ended.code), (vec![bug("shop:price/1", "wrong_price")], 1), "{}", ended.said);
    assert_eq!(ended.objects("summary")[0]["unreadable"], 1);
}

#[test]
fn a_project_that_cannot_be_written_to_is_tested_all_the_same() {
    let shop = shop("read_only");
    shop.write("_build", "This is no folder.");
    let ended = shop.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("`rebar3 compile` failed"), "{}", ended.said);
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);

    // The administrator may write everywhere; everybody else is refused here.
    fs::remove_file(shop.0.join("_build")).expect("removed");
    let set = |mode: &str| shop.tool("chmod", &["-R", mode, "."]);
    set("a-w");
    let ended = shop.test(&["--format", "jsonl"]);
    set("u+w");
    assert_eq!((ended.bugs(), ended.code), (vec![bug("shop:price/1", "wrong_price")], 1), "{}", ended.said);
}

const ELIXIR: &str = "defmodule Cart do\n  Module.register_attribute(__MODULE__, :beagle, persist: true, accumulate: true)\n  \
    @beagle {:expect, {{:add, 1}, [ArgumentError]}}\n  @spec add(integer()) :: :ok\n  def add(3), do: raise(ArgumentError, \"3\")\n  \
    def add(4), do: raise(\"four\")\n  def add(_), do: :ok\n  @spec shown(integer()) :: String.t()\n  def shown(n), do: \"#{n}\"\nend\n";

fn mix(app: &str, more: &str) -> String {
    format!(
        "defmodule {}.MixProject do\n  use Mix.Project\n  def project do\n    [\n      # app: :other\n      app: :{app},\n      \
         version: \"0.1.0\",{more}\n      deps: []\n    ]\n  end\nend\n",
        app[..1].to_uppercase() + &app[1..]
    )
}

#[test]
fn a_project_of_mix_is_built_and_tested() {
    let cart = Scratch::new("mix", &[("mix.exs", &mix("cart", "")), ("lib/cart.ex", ELIXIR), ("lib/deep/.keep", "")]);
    let ended = cart.test_in("lib/deep", &["--format", "jsonl", "--max-runs", "50"]);
    assert!(ended.said.contains("building with `mix compile`"), "{}", ended.said);
    let bugs = ended.bugs();
    assert_eq!(bugs.len(), 1, "{bugs:?} {}", ended.said);
    assert!(bugs[0].0 == "Cart.add/1" && bugs[0].1.contains("four"), "{bugs:?}");
    let add = ended.objects("function").into_iter().find(|function| function["function"] == "Cart.add/1");
    let add = add.expect("tested");
    assert_eq!((&add["expected"], &add["exhaustive"]), (&1.into(), &true.into()), "{add}");
    for function in ["Cart:a*", "Cart.a*", "Cart.add/1", "C*.add/*", "Elixir.Cart.a*/1"] {
        assert_eq!(cart.list(&["-f", function]), ["Cart.add/1"], "{function}");
    }
    for excluded in ["Cart:shown", "Cart.shown/1", "*.sh*"] {
        assert_eq!(cart.list(&["lib/cart.ex", "--exclude", excluded]), ["Cart.add/1"], "{excluded}");
    }
    assert_eq!(cart.list(&["--module", "Car*"]), ["Cart.add/1", "Cart.shown/1"]);
    let said = cart.refused(&["--module", "Basket"]);
    assert!(said.contains("--module Basket: there is no such module"), "{said}");
    let written = cart.test(&["--update-baseline", "--max-runs", "50"]);
    assert_eq!(written.code, 0, "{}", written.said);
    assert!(cart.read("beagle.baseline").contains("Cart.add/1 crash error"), "{}", cart.read("beagle.baseline"));
    assert_eq!(cart.test(&["--max-runs", "50"]).code, 0);

    cart.write("lib/cart.ex", &ELIXIR.replace("raise(\"four\")", "raise("));
    let broken = cart.test(&["--format", "jsonl", "--max-runs", "50"]);
    assert!(broken.said.contains("`mix compile` failed") && broken.said.contains("lib/cart.ex"), "{}", broken.said);
}

#[test]
fn the_applications_of_an_umbrella_of_mix_are_tested() {
    let paths =
        "\n      build_path: \"../../_build\",\n      deps_path: \"../../deps\",\n      lockfile: \"../../mix.lock\",";
    let umbrella = Scratch::new(
        "mix_umbrella",
        &[
            ("mix.exs", &mix("all", "\n      apps_path: \"apps\",").replace("      app: :all,\n", "")),
            ("apps/first/mix.exs", &mix("first", paths)),
            (
                "apps/first/lib/first.ex",
                "defmodule First do\n  @spec f(integer()) :: :ok\n  def f(7), do: throw(:first)\n  def f(_), do: :ok\nend\n",
            ),
            ("apps/second/mix.exs", &mix("second", paths)),
            (
                "apps/second/src/second.erl",
                "-module(second).\n-export([g/1]).\n-spec g(integer()) -> ok.\ng(8) -> throw(second);\ng(_) -> ok.\n",
            ),
        ],
    );
    let ended = umbrella.test_in("apps/first/lib", &["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("First.f/1", ":first"), bug("second:g/1", "second")], "{}", ended.said);
    let shown = umbrella.test(&["-f", "First:f/1"]);
    assert!(shown.stdout.contains("def f(7), do: throw(:first)"), "the source is found: {}", shown.stdout);
}

#[test]
fn a_project_of_erlang_mk_is_tested_with_its_dependencies_and_they_are_not() {
    let project = Scratch::new(
        "erlang_mk",
        &[
            ("Makefile", "PROJECT = shop\ninclude erlang.mk\n"),
            ("include/shop.hrl", "-define(WRONG, 4000).\n-define(MORE, dependency:more()).\n"),
            (
                "src/shop.erl",
                &SHOP.replace("price(?WRONG + ?MORE)", "price(?WRONG) when ?WRONG > 0 -> ?MORE;\nprice(1)"),
            ),
            (
                "deps/dependency/src/dependency.erl",
                "-module(dependency).\n-export([more/0]).\n-spec more() -> no_return().\nmore() -> error(more).\n",
            ),
            ("deps/dependency/ebin/.keep", ""),
        ],
    );
    project.tool("erlc", &["+debug_info", "-o", "deps/dependency/ebin", "deps/dependency/src/dependency.erl"]);
    let ended = project.test_in("include", &["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("shop:price/1", "more"), bug("shop:price/1", "wrong_price")], "{}", ended.said);
    assert_eq!(ended.objects("function").len(), 1, "{}", ended.stdout);
}

/// Makes object code that says it comes from a later release, with forms that nobody knows yet.
const FUTURE: &str = r#"#!/usr/bin/env escript
main([]) ->
    Head = [{attribute, 1, file, {"future.erl", 1}}, {attribute, 1, module, future}, {attribute, 1, export, [{f, 1}]}],
    Clause = fun(Body) -> {function, 3, f, 1, [{clause, 3, [{var, 3, 'X'}], [], [Body]}]} end,
    {ok, future, Beam} = compile:forms(Head ++ [Clause({var, 3, 'X'})], [debug_info]),
    {ok, _, Chunks} = beam_lib:all_chunks(Beam),
    Later = [{"CInf", [{version, "8.5.1"}, {source, "/nowhere/future.erl"}]},
             {"Dbgi", {debug_info_v1, erl_abstract_code, {Head ++ [Clause({new_syntax, 3})], []}}}],
    New = [case lists:keyfind(Name, 1, Later) of
               {_, Term} -> {Name, term_to_binary(Term)};
               false -> {Name, Data}
           end || {Name, Data} <- Chunks],
    {ok, Made} = beam_lib:build_module(New),
    ok = filelib:ensure_dir("ebin/x"),
    ok = file:write_file("ebin/future.beam", Made).
"#;

#[test]
fn code_of_a_later_release_is_named_and_the_rest_tested() {
    let plain = Scratch::new(
        "future",
        &[
            ("future.escript", FUTURE),
            ("src/present.erl", "-module(present).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(_) -> ok.\n"),
        ],
    );
    plain.tool("escript", &["future.escript"]);
    plain.write("ebin/junk.beam", "This is no code.");
    let ended = plain.test(&["--format", "jsonl"]);
    assert!(ended.said.contains("future.beam") && ended.said.contains("compiled by Erlang/OTP 27"), "{}", ended.said);
    assert!(ended.said.contains("BEAGLE_ERL") && ended.said.contains("junk.beam"), "{}", ended.said);
    assert_eq!((ended.objects("function").len(), ended.code), (1, 0), "{}", ended.stdout);
    assert_eq!(ended.objects("summary")[0]["unreadable"], 2);
    assert!(plain.test(&["--module", "future"]).code == 2, "nothing at all can be tested");
}
#[test]
fn folders_that_lead_round_in_a_circle_are_left() {
    let shop = shop("circle");
    fs::create_dir_all(shop.0.join("apps")).expect("a folder");
    shop.tool("ln", &["-s", "..", "apps/round"]);
    shop.tool("ln", &["-s", ".", "src/round"]);
    shop.tool("ln", &["-s", "self", "lib"]);
    assert_eq!(shop.list(&["--no-build"]), ["shop:price/1"]);
}

/// What a script makes of the configuration is what counts, as for rebar3.
#[test]
fn a_script_of_the_configuration_is_evaluated() {
    let shop = shop("scripted");
    shop.write("rebar.config", "{erl_opts, [debug_info]}.\n{beagle_opts, [{exclude, [\"shop:cost/1\"]}]}.\n");
    shop.write(
        "rebar.config.script",
        "io:format(\"noise~n\"),\n{erl_opts, Options} = lists:keyfind(erl_opts, 1, CONFIG),\n\
         \"rebar.config.script\" = filename:basename(SCRIPT),\n\
         lists:keystore(erl_opts, 1, CONFIG, {erl_opts, [{d, 'MORE', 7} | Options]}) ++ [{base_dir, \"out\"}, {f, fun() -> ok end}].\n",
    );
    let ended = shop.test(&["--format", "jsonl"]);
    assert_eq!((ended.bugs(), ended.code), (vec![bug("shop:price/1", "wrong_price")], 1), "{}", ended.said);
    assert_eq!(ended.objects("bug")[0]["args"][0], "4007");
    assert!(shop.0.join("out/default/lib/shop/ebin").is_dir() && !shop.0.join("_build").exists());
    assert!(shop.test(&["--format", "jsonl"]).said.contains("as before"), "it is kept where things are built");

    // Without a build nothing of the project is run.
    let unbuilt = shop.test(&["--no-build"]);
    assert!(!unbuilt.said.contains("noise") && !unbuilt.said.contains("cannot be evaluated"), "{}", unbuilt.said);
    shop.write("rebar.config.script", "error(broken).\n");
    let broken = shop.test(&["--format", "jsonl", "-D", "MORE=7"]);
    assert!(broken.said.contains("rebar.config.script cannot be evaluated"), "{}", broken.said);
}

#[test]
fn tools_build_where_they_are_told_to() {
    let shop = shop("elsewhere");
    shop.write("rebar.config", "{erl_opts, [debug_info, {d, 'MORE', 7}]}.\n{base_dir, \"made\"}.\n");
    let ended = shop.test(&["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);
    assert!(shop.0.join("made/default/lib/shop/ebin").is_dir() && !shop.0.join("_build").exists());
    let ended = shop.test_with(&["--format", "jsonl"], &[("REBAR_BASE_DIR", "other")]);
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);
    assert!(ended.said.contains("building") && shop.0.join("other/default/lib/shop/ebin").is_dir(), "{}", ended.said);

    let source = "defmodule Till do\n  @spec open(integer()) :: :ok\n  def open(7), do: raise(\"jammed\")\n  def open(_), do: :ok\nend\n";
    let till = Scratch::new("mix_elsewhere", &[("mix.exs", &mix("till", "")), ("lib/till.ex", source)]);
    for (variable, folder, built) in
        [("MIX_BUILD_ROOT", "root", "root/dev/lib/till/ebin"), ("MIX_BUILD_PATH", "whole", "whole/lib/till/ebin")]
    {
        let folder = till.0.join(folder);
        let ended = till.test_with(&["--format", "jsonl"], &[(variable, &folder.display().to_string())]);
        assert_eq!(ended.bugs().len(), 1, "{variable}: {}", ended.said);
        assert!(till.0.join(built).is_dir() && !till.0.join("_build/dev").exists(), "{variable}: {}", ended.said);
        let again = till.test_with(&["--format", "jsonl"], &[(variable, &folder.display().to_string())]);
        assert!(!again.said.contains("building"), "{variable}: {}", again.said);
    }
}

/// Where the runtime works is its own affair: a folder is found from where the user is.
#[test]
fn folders_of_beam_files_may_be_relative() {
    let folder = Scratch::new(
        "relative",
        &[("near.erl", "-module(near).\n-export([f/1]).\n-spec f(1..9) -> 1..9.\nf(X) -> X + 1.\n")],
    );
    std::fs::create_dir_all(folder.0.join("ebin")).expect("a folder");
    folder.tool("erlc", &["+debug_info", "-o", "ebin", "near.erl"]);
    let cache = folder.0.join("cache").display().to_string();
    let ended = folder.test(&["--cache", &cache, "--no-config", "--format", "jsonl", "ebin"]);
    assert_eq!((ended.code, ended.objects("bug").len()), (1, 1), "{}{}", ended.stdout, ended.said);
}
