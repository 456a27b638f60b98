//! Files that tools read by themselves, and programs that a checkout puts in their place.

use crate::attack::is_full;
use crate::attack::watching::{PLAIN, QUICK, Tally, World};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Every program that Beagle may start.
const PROGRAMS: [&str; 9] = ["erl", "erlc", "elixir", "mix", "rebar3", "git", "z3", "cvc5", "sh"];

/// A search that asks the runtime, too.
const WHOLE: [&str; 6] = ["test", "--no-build", "--fresh", "--budget", "300ms", "-q"];

fn path() -> String {
    std::env::var("PATH").expect("there is a PATH")
}

/// The programs of a checkout leave marks if they run.
fn with_programs() -> World {
    let world = World::new();
    for place in ["", "bin", "_build/bin", "node_modules/.bin"] {
        PROGRAMS.iter().for_each(|name| world.program(&world.checkout().join(place).join(name), "exit 1"));
    }
    world.program(&world.checkout().join("evil.sh"), "");
    let repository = Command::new("git").args(["init", "-q"]).current_dir(world.checkout()).status();
    assert!(repository.expect("git").success());
    world
}

#[test]
fn programs_of_a_checkout_do_not_run() {
    let mut tally = Tally::default();
    let paths = [
        "", ".", "bin", "./bin", "src/../bin", "CHECKOUT/bin", "CHECKOUT", "CHECKOUT/src/../bin", "LINK", "_build/bin",
    ];
    let whole = paths.join(":");
    let whole = std::iter::once(whole.as_str()).chain(paths.into_iter().filter(|_| is_full()));
    for folders in whole {
        for place in ["checkout", "checkout/src", "home"] {
            let mut world = with_programs();
            symlink(world.checkout().join("bin"), world.place("tools/link")).expect("a link");
            let folders = folders
                .replace("CHECKOUT", &world.checkout().display().to_string())
                .replace("LINK", &world.place("tools/link").display().to_string());
            world.variables.insert("PATH", Some(format!("{folders}:{}", path())));
            let checkout = world.checkout().display().to_string();
            // From elsewhere the checkout is named.
            let named: &[&str] = if place == "home" { &[&checkout] } else { &[] };
            for more in [&["--changed-since", "HEAD"][..], &["--second-solver", "cvc5"]] {
                let command = world.command(&world.place(place), &[&WHOLE[..], more, named].concat());
                let ran = world.observe(command);
                tally.add("programs in PATH", &format!("{folders} in {place} with {more:?}"), &ran);
            }
        }
    }
    tally.finish();
}

/// Programs of the user's are often scripts that look for their interpreter in `PATH`, as shims of version managers do.
#[test]
fn scripts_find_no_interpreter_of_a_checkout() {
    let mut tally = Tally::default();
    let mut world = World::new();
    for name in ["bash", "sh", "env", "escript", "erl"] {
        world.program(&world.checkout().join("bin").join(name), "exit 1");
    }
    for name in ["erl", "z3", "git"] {
        let found = path().split(':').map(|folder| Path::new(folder).join(name)).find(|file| file.is_file());
        let Some(real) = found else { continue };
        let script = world.place("tools").join(name);
        world.program(&script, "");
        fs::write(script, format!("#!/usr/bin/env bash\nexec {} \"$@\"\n", real.display())).expect("a file");
    }
    assert!(Command::new("git").args(["init", "-q"]).current_dir(world.checkout()).status().expect("git").success());
    let folders =
        ["CHECKOUT/bin", "bin", ""].map(|folder| folder.replace("CHECKOUT", &world.checkout().display().to_string()));
    let folders = format!("{}:{}:{}", folders.join(":"), world.place("tools").display(), path());
    // The script itself finds it.
    let mut shim = Command::new(world.place("tools/git"));
    shim.arg("--version").env("PATH", &folders).current_dir(world.checkout());
    assert!(!shim.output().expect("a script").status.success());
    assert_eq!(world.marks(), ["bash"]);
    fs::remove_file(world.place("marks/bash")).expect("a mark");
    world.variables.insert("PATH", Some(folders));
    // A solver is needed.
    world.write(
        "src/hard.erl",
        "-module(hard).\n-export([f/2]).\n-spec f(integer(), integer()) -> ok.\n\
        f(X, Y) when X * 3 + Y * 5 =:= 4711, X - Y > 17, Y > 3 -> error(found);\nf(_, _) -> ok.\n",
    );
    for more in [&["--changed-since", "HEAD"][..], &[]] {
        let ran = world.run(&[&WHOLE[..], more].concat());
        tally.add("interpreters", &more.join(" "), &ran);
    }
    tally.finish();
}

/// A version manager stands before the real program, and executes what a file of the current folder says.
#[test]
fn version_managers_are_not_led() {
    let mut tally = Tally::default();
    let mut world = World::new();
    for name in ["erl", "elixir", "z3", "git"] {
        let found = path().split(':').map(|folder| Path::new(folder).join(name)).find(|file| file.is_file());
        let Some(real) = found else { continue };
        let script = format!(
            "#!/bin/sh\nfolder=$PWD\nwhile :; do [ -f \"$folder/.tool-versions\" ] && . \"$folder/.tool-versions\"\n\
             [ \"$folder\" = / ] && break; folder=${{folder%/*}}; folder=${{folder:-/}}; done\nexec {} \"$@\"\n",
            real.display()
        );
        world.program(&world.place("tools").join(name), "");
        fs::write(world.place("tools").join(name), script).expect("a file");
    }
    world.variables.insert("PATH", Some(format!("{}:{}", world.place("tools").display(), path())));
    world.write(".tool-versions", format!("{}\n", world.mark("tool-versions")));
    world.write("mix.exs", "");
    assert!(Command::new("git").args(["init", "-q"]).current_dir(world.checkout()).status().expect("git").success());
    // The wrapper itself does it, if it is started here.
    let mut wrapper = Command::new(world.place("tools/git"));
    assert!(wrapper.arg("--version").current_dir(world.checkout()).output().expect("a script").status.success());
    assert_eq!(world.marks(), ["tool-versions"]);
    fs::remove_file(world.place("marks/tool-versions")).expect("a mark");
    for args in
        [&WHOLE[..], &[&WHOLE[..], &["--changed-since", "HEAD"]].concat(), &["run", "plain:f(7)", "src/plain.erl"]]
    {
        let ran = world.run(args);
        tally.add("version managers", &args.join(" "), &ran);
    }
    tally.finish();
}

/// What the build of a project would execute, which `--no-build` leaves alone.
fn with_builds() -> World {
    let world = World::new();
    let mark = |name: &str| world.mark(name);
    let erlang = |name: &str| format!("os:cmd(\"{}\")", mark(name));
    world.write(
        "rebar.config",
        format!(
            "{{erl_opts, [debug_info]}}.\n{{pre_hooks, [{{compile, \"{0}\"}}, {{clean, \"{0}\"}}]}}.\n{{post_hooks, [{{compile, \"{0}\"}}]}}.\n\
             {{provider_hooks, [{{pre, [{{compile, evil}}]}}]}}.\n{{project_plugins, [evil]}}.\n{{plugins, [evil]}}.\n\
             {{shell, [{{script_file, \"evil.escript\"}}]}}.\n{{escript_wrappers_windows, [\"evil\"]}}.\n",
            mark("hook")
        ),
    );
    world.write("rebar.config.script", format!("{}, CONFIG.\n", erlang("script")));
    world.write("src/plain.app.src.script", format!("{}, CONFIG.\n", erlang("app-script")));
    let plugin = format!(
        "-module(evil).\n-export([init/1, f/0]).\n-on_load(f/0).\nf() -> {}, ok.\ninit(S) -> {0}, {{ok, S}}.\n",
        erlang("plugin")
    );
    world.write("_checkouts/evil/src/evil.erl", plugin);
    world.write("_checkouts/evil/src/evil.app.src", "{application, evil, [{vsn, \"1\"}]}.");
    world.write("_checkouts/evil/rebar.config", "");
    world.write(".erlang", format!("{}.\n", erlang("dot-erlang")));
    world.write("evil.escript", format!("#!/usr/bin/env escript\nmain(_) -> {}.\n", erlang("escript")));
    world.write(".iex.exs", elixir(&mark("iex")));
    world.write("config/sys.config", "[].\n");
    world.write("config/vm.args", format!("-eval '{}'\n", erlang("vm-args")));
    world.link("erl_crash.dump", world.out().join("victim"));
    world.write(".envrc", format!("{}\n", mark("envrc")));
    world.write("Makefile", format!("all:\n\t{0}\nx := $(shell {0})\n", mark("make")));
    world
}

fn elixir(command: &str) -> String {
    format!("System.cmd(\"sh\", [\"-c\", \"{command}\"])\n:os.cmd(~c\"{command}\")\n")
}

#[test]
fn without_a_build_nothing_is_executed() {
    let mut tally = Tally::default();
    let mut world = with_builds();
    // What a parse transform or the loading of code does is done in the sandbox.
    let transform = format!(
        "-module(transform).\n-export([parse_transform/2]).\nparse_transform(F, _) -> os:cmd(\"{}\"), F.\n",
        world.mark("transform")
    );
    world.write("src/transform.erl", transform);
    world.write(
        "src/user.erl",
        PLAIN.replace("-module(plain).", "-module(user).\n-compile({parse_transform, transform})."),
    );
    let ending = "-module(ending).\n-export([f/1]).\n-spec f(boolean()) -> ok.\nf(true) -> erlang:halt(\"crash\");\nf(_) -> error(x).\n";
    world.write("src/ending.erl", ending);
    let commands: &[&[&str]] = &[
        &WHOLE,
        &["reach", "plain:f/1", "--no-build", "--budget", "300ms"],
        &["replay", "plain:f(7)", "--no-build"],
        &["run", "plain:f(7)", "src"],
        &["trace", "plain:f(7)", "src/plain.erl"],
        &["clean"],
        &["test", "--no-build", "--list"],
        &["test", "--no-build", "--fresh", "--dead-code", "--budget", "200ms"],
        &["test", "--no-build", "--fresh", "--executor", "both", "--budget", "200ms", "src/plain.erl"],
    ];
    let count = if is_full() { commands.len() } else { 5 };
    for args in commands.iter().take(count) {
        let ran = world.run(args);
        tally.add("builds of rebar3", &args.join(" "), &ran);
    }
    tally.finish();
}

#[test]
fn scripts_of_mix_are_not_executed() {
    let mut tally = Tally::default();
    let mut world = World::new();
    fs::remove_file(world.checkout().join("rebar.config")).expect("a file");
    let mark = |name: &str| elixir(&world.mark(name));
    let project =
        "defmodule P.MixProject do\n  use Mix.Project\n  def project, do: [app: :plain, version: \"1.0.0\"]\nend\n";
    world.write("mix.exs", mark("mix") + project);
    world.write("config/config.exs", format!("import Config\n{}import_config \"other.exs\"\n", mark("config")));
    world.write(
        "config/other.exs",
        format!(
            "import Config\n{}config :plain, key: File.read(\"{}\")\n",
            mark("other"),
            world.out().join("secret").display()
        ),
    );
    world.write("config/runtime.exs", format!("import Config\n{}", mark("runtime")));
    world.write(".formatter.exs", mark("formatter"));
    world.write("lib/plain.ex", format!("{}defmodule Plain do\nend\n", mark("lib")));
    let text = PLAIN.replace("f(7) -> no;", "f(7) -> application:get_env(plain, key);");
    world.write("src/plain.erl", text);
    for args in [&WHOLE[..], &["test", "--no-build", "--list"], &["clean"]] {
        let ran = world.run(args);
        tally.add("scripts of mix", &args.join(" "), &ran);
    }
    tally.finish();
}

/// With a build the same files do leave marks: otherwise the tests above would prove nothing.
#[test]
fn with_a_build_the_hooks_run() {
    let world = with_builds();
    fs::remove_dir_all(world.checkout().join("_checkouts")).expect("a folder");
    world.write("rebar.config", format!("{{pre_hooks, [{{compile, \"{}\"}}]}}.\n", world.mark("hook")));
    let output = world.command(&world.checkout(), &["test", "--fresh", "--no-confirm", "--budget", "200ms"]).output();
    let marks = world.marks();
    assert!(
        marks.contains(&"script".to_owned()) && marks.contains(&"hook".to_owned()),
        "{marks:?}: {}",
        crate::attack::said(&output.expect("beagle"))
    );
}

/// The user's own configuration can name a program: the marks of the tests above can be made.
#[test]
fn the_users_own_configuration_may_name_programs() {
    let mut world = World::new();
    world.program(&world.place("tools/own"), "exit 1");
    let folder = world.place("config/beagle");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("beagle.toml"), format!("solver = \"{}\"\n", world.place("tools/own").display()))
        .expect("a file");
    let ran = world.run(&QUICK);
    assert!(ran.wrongs.iter().any(|wrong| wrong == "own ran"), "{:?}: {}", ran.wrongs, ran.said);
}
