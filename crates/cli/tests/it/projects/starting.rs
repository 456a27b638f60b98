//! What applications make when they are started, and functions that need it.

use crate::projects::scratch::Scratch;

const SHOP: &[(&str, &str)] = &[
    ("rebar.config", "{erl_opts, [debug_info]}."),
    (
        "src/shop.app.src",
        "{application, shop, [{vsn, \"1\"}, {applications, [kernel, stdlib]}, {mod, {shop_app, []}}]}.",
    ),
    (
        "src/shop_app.erl",
        "-module(shop_app).\n-behaviour(application).\n-export([start/2, stop/1]).\n\
         start(_, _) ->\n    persistent_term:put({shop, limit}, 37), persistent_term:put(shop_shade, 5),\n    \
         {ok, spawn_link(fun() -> receive stop -> ok end end)}.\nstop(_) -> ok.\n",
    ),
    (
        "src/shop.erl",
        "-module(shop).\n-export([rest/1, shade/1, any/1]).\n\
         -spec rest(integer()) -> integer().\nrest(N) -> 1 div (persistent_term:get({shop, limit}) - N).\n\
         -spec shade(integer()) -> integer().\nshade(N) -> 1 div (persistent_term:get(shop_shade) - N).\n\
         -spec any(integer()) -> integer().\nany(N) -> persistent_term:get({shop, N}).\n",
    ),
];

#[test]
fn persistent_terms_come_with_their_application() {
    let shop = Scratch::new("persistent_terms", SHOP);
    let ended = shop.test(&["-f", "shop:rest/1", "-f", "shop:shade/1"]);
    for call in ["shop:rest(37).\n", "shop:shade(5).\n"] {
        let calls = format!("    application:ensure_all_started(shop).\n    {call}");
        assert!(ended.stdout.contains(&calls), "{}{}", ended.stdout, ended.said);
    }
    let without = shop.test(&["--start", "none", "-f", "shop:rest/1", "-f", "shop:shade/1"]);
    for (function, key) in [("shop:rest/1", "{shop,limit}"), ("shop:shade/1", "shop_shade")] {
        let needs = format!("{function}: needs persistent term `{key}`, created by shop_app:start/2");
        assert!(without.stdout.contains(&needs), "{}", without.stdout);
    }
    assert!(without.stdout.contains("the persistent term {shop,limit} is not there"), "{}", without.stdout);
    // Nobody puts a key for every number.
    let any = shop.test(&["-f", "shop:any/1"]);
    assert!(any.stdout.contains("needs persistent term that is asked for;"), "{}", any.stdout);
}

#[test]
fn a_registry_comes_with_its_application() {
    let mix = "defmodule Names.MixProject do\n  use Mix.Project\n  def project do\n    [app: :names, version: \"0.1.0\"]\n  end\n  \
        def application do\n    [extra_applications: [], mod: {Names.Application, []}]\n  end\nend\n";
    let application = "defmodule Names.Application do\n  use Application\n  def start(_, _) do\n    \
        children = [{Registry, keys: :unique, name: Names.Registry}]\n    \
        Supervisor.start_link(children, strategy: :one_for_one)\n  end\nend\n";
    let source = "defmodule Names do\n  @spec count(integer()) :: integer()\n  def count(n) do\n    \
        div(1, length(Registry.lookup(Names.Registry, n)) + n - 12)\n  end\nend\n";
    let names =
        Scratch::new("names", &[("mix.exs", mix), ("lib/names/application.ex", application), ("lib/names.ex", source)]);
    let without = names.test(&["--start", "none", "-f", "Names.count/1"]);
    let needs = "Names.count/1: needs process `Names.Registry`, created by Names.Application.start/2";
    assert!(without.stdout.contains(needs), "{}{}", without.stdout, without.said);
    let ended = names.test(&["-f", "Names.count/1"]);
    let calls = ":application.ensure_all_started(:names)\n    Names.count(12)";
    assert!(ended.stdout.contains(calls), "{}{}", ended.stdout, ended.said);
}
