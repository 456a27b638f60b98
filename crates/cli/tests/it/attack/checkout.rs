//! A hostile checkout: everything that it can say about paths and programs, by every way out.

use crate::attack::is_full;
use crate::attack::settings::{SETTINGS, Setting};
use crate::attack::watching::{QUICK, Ran, Tally, World};
use crate::attack::ways::{Exchange, WAYS};
use std::fs;
use std::path::Path;

/// Some of all combinations, so that each setting and each way is among them.
fn is_chosen(setting: usize, way: usize) -> bool {
    const EVERY: usize = 25;
    is_full() || (setting * 7 + way).is_multiple_of(EVERY)
}

fn run(world: &mut World, setting: &Setting) -> Ran {
    match setting.args {
        ["clean"] => world.run(&["clean"]),
        args => world.run(&[&QUICK[..], args].concat()),
    }
}

#[test]
fn settings_lead_nowhere() {
    let mut tally = Tally::default();
    for (number, setting) in SETTINGS.iter().enumerate() {
        for (index, (way, plant)) in WAYS.iter().enumerate().filter(|(index, _)| is_chosen(number, *index)) {
            let mut world = World::new();
            let path = plant(&world, &setting.aim.path(&world));
            // A text cannot say every name.
            let said = path.to_string_lossy();
            (setting.say)(&world, &said);
            let ran = run(&mut world, setting);
            tally.add("settings", &format!("{} by {way} ({number}, {index})", setting.name), &ran);
        }
    }
    tally.finish();
}

/// A folder on the way is exchanged for a link all the time, so that what was checked is something else when it is opened.
#[test]
fn exchanged_folders_lead_nowhere() {
    let mut tally = Tally::default();
    let mut exchanged = 0;
    let rounds = if is_full() { 12 } else { 1 };
    let most = if is_full() { usize::MAX } else { 2 };
    let raced = [
        "html", "outputs", "baseline", "seeds", "allow_effects", "base_dir", "src_dirs", "project_app_dirs",
        "config of shell", "-include", "baseline that is written",
    ];
    for setting in SETTINGS.iter().filter(|setting| raced.contains(&setting.name)).take(most) {
        for round in 0..rounds {
            let mut world = World::new();
            // The folder has what the one outside has, with other content.
            for name in ["secret", "victim", "secret.config"] {
                world.write(Path::new("turning").join(name), "[].\n");
            }
            fs::create_dir_all(world.checkout().join("turning/folder")).expect("a folder");
            let out = world.out();
            let aim = setting.aim.path(&world);
            let path = Path::new("turning").join(aim.strip_prefix(&out).expect("outside"));
            (setting.say)(&world, path.to_str().expect("a path"));
            let exchange = Exchange::begin(&world, "turning", &out);
            let command = world.command(&world.checkout(), &[&QUICK[..], setting.args].concat());
            let ran = world.observe_until(command, || exchanged += exchange.end());
            tally.add("exchanged folders", &format!("{}, round {round}", setting.name), &ran);
        }
    }
    println!("a folder was exchanged for a link {exchanged} times");
    tally.finish();
}

/// Files that Beagle looks for by itself, each by every way.
#[test]
fn files_of_a_project_lead_nowhere() {
    const FILES: &[&str] = &[
        "rebar.config",
        "rebar.config.script",
        "rebar.lock",
        "mix.exs",
        "Makefile",
        "erlang.mk",
        "beagle.toml",
        "beagle.baseline",
        "config/sys.config",
        "src/plain.erl",
        "src/other.erl",
        "src/other.hrl",
        "src/other.app.src",
        "ebin/plain.app",
        "ebin/other.beam",
        "include",
        "src",
        "apps",
        "lib",
        "deps",
        "_build",
        "_build/default",
        "_build/default/lib/plain",
        "_build/default/lib/plain/ebin",
        "_build/default/lib/other/ebin",
        "_build/default/lib/plain/ebin/plain.app",
        "_build/default/lib/plain/ebin/plain.beam",
        "_build/beagle",
        "_build/beagle/functions",
        "_build/beagle/samples",
        "_build/beagle/written",
        "_build/beagle/written/list",
        ".gitignore",
        "priv",
        "erl_crash.dump",
    ];
    let mut tally = Tally::default();
    for (number, file) in FILES.iter().enumerate() {
        let is_folder = !file.contains('.') || *file == ".";
        for (way, plant) in WAYS
            .iter()
            .enumerate()
            .filter(|(way, _)| is_chosen(number, *way) && (is_full() || number % 4 == 0))
            .map(|(_, way)| way)
        {
            let mut world = World::new();
            let aim = if is_folder { world.out().join("folder") } else { world.out().join("secret") };
            let path = plant(&world, &aim);
            remove(&world.checkout().join(file));
            if path.as_os_str().len() > 1000 {
                // No link can say it.
                continue;
            }
            world.link(file, world.checkout().join(path));
            // Results are kept, and so may be looked for.
            let args: Vec<&str> = QUICK.iter().copied().filter(|arg| *arg != "--fresh").collect();
            let ran = world.run(&args);
            tally.add("files of a project", &format!("{file} by {way}"), &ran);
            let ran = world.run(&["clean"]);
            tally.add("clean", &format!("{file} by {way}"), &ran);
        }
        let kinds = [("a pipe", pipe as fn(&World, &Path)), ("an endless link", endless)];
        let kinds = kinds.into_iter().enumerate().filter(|(kind, _)| is_full() || number % 9 == *kind);
        for (what, plant) in kinds.map(|(_, kind)| kind) {
            let mut world = World::new();
            remove(&world.checkout().join(file));
            fs::create_dir_all(world.checkout().join(file).parent().expect("a folder")).expect("a folder");
            plant(&world, Path::new(file));
            let ran = world.run(&QUICK);
            tally.add("files of a project", &format!("{file} is {what}"), &ran);
        }
    }
    tally.finish();
}

fn pipe(world: &World, file: &Path) {
    world.fifo(file);
}

fn endless(world: &World, file: &Path) {
    world.link(file, "/dev/zero");
}

fn remove(path: &Path) {
    let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
}

/// Names of files, which come into messages, reports and pages.
#[test]
fn names_are_only_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    const NAMES: &[&[u8]] = &[
        b"n\n::error::owned", b"n\x1b]0;owned\x07", b"n\x1b[2J\x1b[31m", b"n\xff\xfe", b"n\r\x08\x08\x08",
        b"n\xe2\x80\xae", b"-rf", b"--help", b"@secret", b"<script>alert(1)</script>",
        b"\"'&;$(touch owned)`touch owned`", b"%s%n", b"a b", b"\xc2\x9b31m",
    ];
    let mut tally = Tally::default();
    for format in ["human", "jsonl", "junit", "sarif", "github"] {
        let mut world = World::new();
        for (number, name) in NAMES.iter().enumerate() {
            let name = OsStr::from_bytes(name);
            let file = |end: &str| {
                let mut name = name.to_os_string();
                name.push(end);
                Path::new("src").join(name)
            };
            world.write(file(".erl"), "-module(wrong).\n-export([f/1]).\nf(");
            world.write(file(".hrl"), "");
            world.write(file(".app.src"), "no description");
            world.write(Path::new("deps").join(name).join("ebin/x.app"), "no description");
            world.link(file(&format!("{number}.erl")), world.out().join("stolen.erl"));
        }
        let args = [&QUICK[..], &["--format", format, "--html", "pages", "--show", "all"]].concat();
        let ran = world.run(&args);
        tally.add("names", format, &ran);
        if !is_full() {
            break;
        }
    }
    tally.finish();
}
