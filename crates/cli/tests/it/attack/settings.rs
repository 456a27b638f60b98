//! Everything that a checkout can say about paths and programs: keys of its configuration, settings of its build tools,
//! and what its sources name.

use crate::attack::watching::{PLAIN, World};
use std::fs;
use std::process::Command;

/// What a setting should lead to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// A file that would be read.
    Secret,
    /// A file that would be replaced.
    Victim,
    /// A folder that would be written to, or searched.
    Folder,
    /// The folder of the secret.
    Out,
    /// A file of code that has the secret in it.
    Source,
}

impl Aim {
    pub fn path(self, world: &World) -> std::path::PathBuf {
        match self {
            Aim::Secret => world.out().join("secret"),
            Aim::Victim => world.out().join("victim"),
            Aim::Folder => world.out().join("folder"),
            Aim::Out => world.out(),
            Aim::Source => world.out().join("stolen.erl"),
        }
    }
}

/// Writes a checkout that says it.
type Say = fn(&World, &str);

pub struct Setting {
    pub name: &'static str,
    pub aim: Aim,
    pub say: Say,
    /// Further arguments of the command, with which it is looked at.
    pub args: &'static [&'static str],
}

const fn setting(name: &'static str, aim: Aim, say: Say) -> Setting {
    Setting { name, aim, say, args: &[] }
}

const fn with(name: &'static str, aim: Aim, args: &'static [&'static str], say: Say) -> Setting {
    Setting { name, aim, say, args }
}

/// The keys that take paths or programs, each as TOML and as a term: `@` stands for the path.
const KEYS: &[(&str, &str, &str)] = &[
    ("html", "html = \"@\"", "{html, \"@\"}"),
    ("outputs", "outputs = [\"jsonl=@\"]", "{outputs, [\"jsonl=@\"]}"),
    ("baseline", "baseline = \"@\"", "{baseline, \"@\"}"),
    ("seeds", "seeds = [\"@@\"]", "{seeds, [\"@@\"]}"),
    (
        "allow_effects",
        "allow_effects = [\"file:read_file/1\", \"read=@\"]",
        "{allow_effects, [\"file:read_file/1\", \"read=@\"]}",
    ),
    ("solver", "solver = \"@\"", "{solver, \"@\"}"),
    ("second_solver", "second_solver = \"@\"", "{second_solver, \"@\"}"),
    ("read_roots", "read_roots = [\"@\"]", "{read_roots, [\"@\"]}"),
    // The name of a folder below that of the build, and that of an application, which has a folder and a file.
    ("profile", "profile = \"@\"", "{profile, \"@\"}"),
    ("start", "start = [\"@\"]", "{start, [\"@\"]}"),
];

/// The keys whose values name neither files nor programs.
const WITHOUT_PATHS: &[&str] = &[
    "all", "budget", "callbacks", "exclude", "executor", "expectations", "fail_on", "fresh", "invariants", "jobs",
    "max_runs", "memory", "modules", "opaque", "random_seed", "setup", "show", "size_bound", "solver_time", "steps",
    "strategy", "total_memory", "total_budget",
];

/// The message about a key that does not exist lists those that do: each of them is attacked, or known to need no attack.
#[test]
fn every_key_is_attacked_or_names_no_path() {
    let mut world = World::new();
    world.write("beagle.toml", "a_key_that_does_not_exist = 1\n");
    let ran = world.run(&["test", "--no-build", "--list"]);
    let listed = ran.said.split("the options are ").nth(1).and_then(|rest| rest.lines().next()).expect("a list");
    let mut listed: Vec<&str> = listed.split(", ").collect();
    listed.sort_unstable();
    let mut known: Vec<&str> = KEYS.iter().map(|(key, ..)| *key).chain(WITHOUT_PATHS.iter().copied()).collect();
    known.sort_unstable();
    assert_eq!(listed, known, "keys of a configuration, and those that this test knows");
    for (key, ..) in KEYS {
        let is_tried = |setting: &&Setting| setting.name == *key || setting.name == format!("{key} in beagle_opts");
        assert_eq!(SETTINGS.iter().filter(is_tried).count(), 2, "{key}");
    }
}

pub const SETTINGS: &[Setting] = &[
    setting("html", Aim::Folder, |world, path| toml(world, "html", path)),
    setting("outputs", Aim::Victim, |world, path| toml(world, "outputs", path)),
    setting("baseline", Aim::Secret, |world, path| toml(world, "baseline", path)),
    with("baseline that is written", Aim::Victim, &["--update-baseline"], |world, path| toml(world, "baseline", path)),
    setting("seeds", Aim::Secret, |world, path| toml(world, "seeds", path)),
    setting("allow_effects", Aim::Secret, |world, path| toml(world, "allow_effects", path)),
    setting("solver", Aim::Victim, |world, path| toml(world, "solver", path)),
    setting("second_solver", Aim::Victim, |world, path| toml(world, "second_solver", path)),
    setting("read_roots", Aim::Out, |world, path| toml(world, "read_roots", path)),
    setting("profile", Aim::Folder, |world, path| toml(world, "profile", path)),
    setting("start", Aim::Source, |world, path| toml(world, "start", path)),
    setting("html in beagle_opts", Aim::Folder, |world, path| options(world, "html", path)),
    setting("outputs in beagle_opts", Aim::Victim, |world, path| options(world, "outputs", path)),
    setting("baseline in beagle_opts", Aim::Secret, |world, path| options(world, "baseline", path)),
    setting("seeds in beagle_opts", Aim::Secret, |world, path| options(world, "seeds", path)),
    setting("allow_effects in beagle_opts", Aim::Secret, |world, path| options(world, "allow_effects", path)),
    setting("solver in beagle_opts", Aim::Victim, |world, path| options(world, "solver", path)),
    setting("second_solver in beagle_opts", Aim::Victim, |world, path| options(world, "second_solver", path)),
    setting("read_roots in beagle_opts", Aim::Out, |world, path| options(world, "read_roots", path)),
    setting("profile in beagle_opts", Aim::Folder, |world, path| options(world, "profile", path)),
    setting("start in beagle_opts", Aim::Source, |world, path| options(world, "start", path)),
    setting("base_dir", Aim::Folder, |world, path| rebar(world, "{base_dir, \"@\"}.", path)),
    with("base_dir that is cleaned", Aim::Folder, &["clean"], |world, path| rebar(world, "{base_dir, \"@\"}.", path)),
    setting("project_app_dirs", Aim::Out, |world, path| {
        rebar(world, "{project_app_dirs, [\"@\", \"@/*\", \".\"]}.", path);
    }),
    setting("src_dirs", Aim::Out, |world, path| rebar(world, "{src_dirs, [\"src\", \"@\"]}.", path)),
    setting("src_dirs in erl_opts", Aim::Out, |world, path| {
        rebar(world, "{erl_opts, [{src_dirs, [\"src\", \"@\"]}]}.", path);
    }),
    setting("i in erl_opts", Aim::Out, |world, path| {
        rebar(world, "{erl_opts, [{i, \"@\"}]}.", path);
        source(world, "-include(\"secret\").\n", path);
    }),
    setting("config of shell", Aim::Secret, |world, path| rebar(world, "{shell, [{config, \"@\"}]}.", path)),
    setting("sys_config of relx", Aim::Secret, |world, path| rebar(world, "{relx, [{sys_config, \"@\"}]}.", path)),
    setting("a name in sys.config", Aim::Secret, |world, path| {
        // A name gets the ending of a configuration, and there is such a file.
        world.write("config/sys.config", format!("[\"{0}\", \"../{0}\"].", erlang(path)));
    }),
    setting("-include", Aim::Secret, |world, path| source(world, "-include(\"@\").\n-include(\"../@\").\n", path)),
    setting("-include_lib", Aim::Secret, |world, path| {
        source(world, "-include_lib(\"@\").\n-include_lib(\"plain/@\").\n", path);
    }),
    with(
        "-file",
        Aim::Source,
        &["--html", "pages", "--output", "sarif=report.sarif", "--show", "all"],
        |world, path| {
            let text = PLAIN.replace("-spec", &format!("-file(\"{}\", 1).\n-spec", erlang(path)));
            world.write("src/plain.erl", text);
        },
    ),
    with("source of a BEAM file", Aim::Source, &["--html", "pages", "--show", "all"], built_from),
    setting("apps_path of mix.exs", Aim::Out, |world, path| mix(world, "apps_path", path)),
    setting("app of mix.exs", Aim::Out, |world, path| mix(world, "app", path)),
];

fn toml(world: &World, key: &str, path: &str) {
    world.write("beagle.toml", said(key, false, &toml_text(path)));
}

fn options(world: &World, key: &str, path: &str) {
    world.write("rebar.config", format!("{{beagle_opts, [{}]}}.\n", said(key, true, &erlang(path))));
}

fn said(key: &str, is_term: bool, path: &str) -> String {
    let (_, toml, term) = KEYS.iter().find(|(name, ..)| *name == key).expect("a key");
    let text = if is_term { term } else { toml };
    // `@@` is the name of a file of seeds.
    text.replace("@@", "\0@").replace('@', path).replace('\0', "@")
}

fn rebar(world: &World, text: &str, path: &str) {
    world.write("rebar.config", text.replace('@', &erlang(path)));
}

fn source(world: &World, attributes: &str, path: &str) {
    let attributes = attributes.replace('@', &erlang(path));
    world.write("src/plain.erl", PLAIN.replace("-spec", &format!("{attributes}-spec")));
}

fn mix(world: &World, key: &str, path: &str) {
    fs::remove_file(world.checkout().join("rebar.config")).expect("a file");
    let text =
        format!("defmodule P.MixProject do\n  def project do\n    [\n      {key}: \"{path}\",\n    ]\n  end\nend\n");
    world.write("mix.exs", text);
}

/// A BEAM file of the checkout whose compiler has read a file outside, by the way that was planted.
fn built_from(world: &World, path: &str) {
    let ebin = world.checkout().join("_build/default/lib/plain/ebin");
    fs::create_dir_all(&ebin).expect("a folder");
    let source = world.checkout().join(path);
    let is_code = source.extension().is_some_and(|extension| extension == "erl") && source.is_file();
    // By other ways there is nothing to compile.
    let source = if is_code { source } else { Aim::Source.path(world) };
    let mut compiler = Command::new("erlc");
    compiler.args(["+debug_info", "-o"]).arg(&ebin).arg(source).current_dir(world.checkout());
    assert!(compiler.status().expect("erlc").success());
}

/// A text between quotes of Erlang.
fn erlang(text: &str) -> String {
    escaped(text, |c| format!("\\x{{{:x}}}", c as u32))
}

fn toml_text(text: &str) -> String {
    escaped(text, |c| format!("\\u{:04x}", c as u32))
}

fn escaped(text: &str, control: impl Fn(char) -> String) -> String {
    let one = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => control(c),
        c => c.to_string(),
    };
    text.chars().map(one).collect()
}
