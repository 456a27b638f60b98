//! Where a checkout lies, and what the user's environment says of places inside of it.

use crate::attack::is_full;
use crate::attack::watching::{PLAIN, QUICK, Tally, World};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Without `--fresh`: results are kept in the project.
fn kept() -> Vec<&'static str> {
    QUICK.iter().copied().filter(|arg| *arg != "--fresh").collect()
}

/// Variables of the user's that name folders of the checkout, where links lead out.
#[test]
fn variables_grant_nothing_of_a_checkout() {
    let reading = format!(
        "-module(reading).\n-export([f/1]).\n-on_load(init/0).\ninit() -> case file:read_file(\"@/secret\") of {{ok, B}} -> \
         persistent_term:put(secret, B); _ -> ok end.\n{}",
        "-spec f(boolean()) -> ok.\nf(X) -> error({X, persistent_term:get(secret, none)}).\n"
    );
    let mut tally = Tally::default();
    let mut tried = Vec::new();
    for (name, value, link) in [
        ("ERL_LIBS", "deps", "deps"),
        ("ERL_LIBS", "deps", "deps/x"),
        ("ERL_LIBS", "CHECKOUT/deps", "deps/x"),
        ("REBAR_BASE_DIR", "CHECKOUT/out", "out"),
        ("REBAR_BASE_DIR", "_build", "_build"),
        ("BEAGLE_CACHE", "CHECKOUT/cache", "cache"),
        ("XDG_CACHE_HOME", "CHECKOUT/cache", "cache"),
        ("TMPDIR", "CHECKOUT/missing", "tmp"),
    ] {
        // In the short form one of each variable; without a cache, everything is lowered again, so only once.
        if !is_full() && (tried.contains(&name) || name == "BEAGLE_CACHE") {
            continue;
        }
        tried.push(name);
        let mut world = World::new();
        world.link(link, world.out());
        world.write("src/reading.erl", reading.replace('@', &world.out().display().to_string()));
        if name == "XDG_CACHE_HOME" {
            world.variables.insert("BEAGLE_CACHE", None);
        }
        let value = value.replace("CHECKOUT", &world.checkout().display().to_string());
        world.variables.insert(name, Some(value.clone()));
        let ran = world.run(&["test", "--no-build", "--budget", "300ms", "--show", "all"]);
        tally.add("variables", &format!("{name}={value}, {link} is a link"), &ran);
        if is_full() {
            let ran = world.run(&["clean"]);
            tally.add("variables", &format!("{name}={value}, {link} is a link, clean"), &ran);
        }
    }
    tally.finish();
}

/// A container whose home is the checkout: its configuration and its cache are not the user's.
#[test]
fn a_checkout_that_is_the_home_names_no_programs() {
    let mut tally = Tally::default();
    for variable in ["HOME", "XDG_CONFIG_HOME"] {
        let mut world = World::new();
        let evil = world.checkout().join("evil.sh");
        world.program(&evil, "exit 1");
        let own = format!(
            "solver = \"{0}\"\nsecond_solver = \"{0}\"\nread_roots = [\"{1}\"]\n",
            evil.display(),
            world.out().display()
        );
        world.write(".config/beagle/beagle.toml", &own);
        world.write("beagle/beagle.toml", &own);
        world.link("src/stolen.erl", world.out().join("stolen.erl"));
        let checkout = world.checkout().display().to_string();
        world.variables.insert("XDG_CONFIG_HOME", None);
        world.variables.insert(variable, Some(checkout.clone()));
        let ran = world.run(&QUICK);
        tally.add_ending("home", &format!("{variable} is the checkout"), &ran, &[0, 1]);
        let command = world.command(&world.place("elsewhere"), &[&QUICK[..], &[&checkout]].concat());
        let ran = world.observe(command);
        tally.add("home", &format!("{variable} is the checkout, which is named"), &ran);
    }
    tally.finish();
}

/// Makes the checkout lie at another place. Returns how the user gets there.
type Move = fn(&World) -> PathBuf;

const PLACES: &[(&str, Move)] = &[
    ("by a link", |world| {
        symlink(world.checkout(), world.place("alias")).expect("a link");
        world.place("alias")
    }),
    ("below a link", |world| {
        symlink(world.place(""), world.place("alias")).expect("a link");
        world.place("alias/checkout")
    }),
    ("below the home", |world| {
        let folder = world.place("home/work");
        fs::rename(world.checkout(), &folder).expect("renamed");
        symlink(&folder, world.checkout()).expect("a link");
        folder
    }),
    ("below another project", |world| {
        fs::write(world.place("rebar.config"), "").expect("a file");
        world.checkout()
    }),
    ("in an umbrella", |world| {
        fs::write(world.place("rebar.config"), "{project_app_dirs, [\"checkout\"]}.").expect("a file");
        world.checkout()
    }),
    ("with another project inside", |world| {
        world.write("apps/inner/rebar.config", "{erl_opts, [{i, \"../../..\"}]}.");
        world.write("apps/inner/src/inner.app.src", "{application, inner, [{vsn, \"1\"}]}.");
        world.write("apps/inner/src/inner.erl", PLAIN.replace("plain", "inner"));
        world.link("apps/stolen", world.out());
        world.checkout().join("apps/inner")
    }),
    ("with folders without an end", |world| {
        let mut path = PathBuf::from("src");
        (0..400).for_each(|_| path.push("d"));
        fs::create_dir_all(world.checkout().join(&path)).expect("folders");
        world.link(path.join("loop"), world.checkout());
        world.link("src/loop", ".");
        world.link("lib", "apps");
        world.link("apps", "lib");
        world.checkout()
    }),
    ("in the memory", |world| {
        let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return world.checkout() };
        let folder = folder.keep();
        fs::remove_dir(&folder).expect("empty");
        let copied = std::process::Command::new("cp").arg("-a").arg(world.checkout()).arg(&folder).status();
        assert!(copied.expect("cp").success());
        folder
    }),
];

#[test]
fn a_checkout_is_one_wherever_it_lies() {
    let mut tally = Tally::default();
    const LINKS: [(&str, &str, &[&str]); 4] = [
        ("beagle.baseline", "secret", &[]),
        ("way", "folder", &["--html", "way/new"]),
        ("_build", "folder", &[]),
        ("way", "folder", &["--cache", "way"]),
    ];
    for (number, (name, place)) in PLACES.iter().enumerate() {
        let links = LINKS.iter().enumerate().filter(|(at, _)| is_full() || (number + 1) % LINKS.len() == *at);
        for (link, aim, args) in links.map(|(_, link)| link) {
            let mut world = World::new();
            world.link(link, world.out().join(aim));
            let folder = place(&world);
            // The user may also have named the folder, whatever its name.
            let args: Vec<String> =
                args.iter().map(|arg| arg.replace("way", &folder.join("way").display().to_string())).collect();
            let args: Vec<&str> = kept().into_iter().chain(args.iter().map(String::as_str)).collect();
            let command = world.command(&folder, &args);
            let ran = world.observe(command);
            tally.add("places", &format!("{name}, {link}: {}", args.join(" ")), &ran);
            if folder.starts_with("/dev/shm") {
                let _ = fs::remove_file(folder.join("beagle.baseline"));
                make_pipe(&folder.join("beagle.baseline"));
                let command = world.command(&folder, &args);
                let ran = world.observe(command);
                tally.add("places", &format!("{name}, the baseline is a pipe"), &ran);
                fs::remove_dir_all(&folder).expect("removed");
            }
        }
    }
    tally.finish();
}

fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// Files that belong to somebody else, in folders that everybody may write to.
#[test]
fn files_of_other_users() {
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } != 0 {
        println!("only root can give files away: files of other users were not tried");
        return;
    }
    let mut tally = Tally::default();
    for name in ["beagle.baseline", "report.jsonl", "pages", "_build", "_build/beagle", "saved", "."] {
        let mut world = World::new();
        let file = world.checkout().join(name);
        match name.contains(".b") || name.contains(".j") || name == "saved" {
            true => world.write(name, ""),
            false => fs::create_dir_all(&file).expect("a folder"),
        }
        std::os::unix::fs::chown(&file, Some(65534), Some(65534)).expect("given away");
        let more = ["--update-baseline", "--output", "jsonl=report.jsonl", "--html", "pages", "--save", "saved"];
        let ran = world.run(&[&kept()[..], &more].concat());
        tally.add("files of other users", name, &ran);
    }
    tally.finish();
}

/// Makes something in the world that another user has a say in.
type Share = fn(&World);

fn give_away(path: &Path) {
    std::os::unix::fs::lchown(path, Some(65534), Some(65534)).expect("given away");
}

const SHARES: &[(&str, Share)] = &[
    ("all of it", |world| {
        give_away(&world.place("shared"));
        give_away(&world.place("shared/rebar.config"));
    }),
    ("its folder", |world| give_away(&world.place("shared"))),
    ("the configuration", |world| give_away(&world.place("shared/rebar.config"))),
    ("what the configuration leads to", |world| {
        fs::rename(world.place("shared/rebar.config"), world.place("elsewhere/rebar.config")).expect("renamed");
        give_away(&world.place("elsewhere/rebar.config"));
        symlink(world.place("elsewhere/rebar.config"), world.place("shared/rebar.config")).expect("a link");
    }),
    ("a link", |world| {
        fs::rename(world.place("shared/rebar.config"), world.place("elsewhere/rebar.config")).expect("renamed");
        symlink(world.place("elsewhere/rebar.config"), world.place("shared/rebar.config")).expect("a link");
        give_away(&world.place("shared/rebar.config"));
    }),
    ("the script", |world| {
        fs::rename(world.place("shared/rebar.config"), world.place("shared/rebar.config.script")).expect("renamed");
        fs::write(world.place("shared/rebar.config.script"), format!("os:cmd(\"{}\"), CONFIG.", world.mark("script")))
            .expect("a file");
        give_away(&world.place("shared/rebar.config.script"));
    }),
    ("an application", |world| {
        let script = format!("os:cmd(\"{}\"), CONFIG.", world.mark("script"));
        for (file, text) in [("rebar.config.script", &*script), ("src/a.app.src", "{application, a, []}.")] {
            let file = world.place("shared/apps/a").join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(&file, text).expect("a file");
        }
        give_away(&world.place("shared/apps/a"));
    }),
    ("mix.exs", |world| {
        fs::remove_file(world.place("shared/rebar.config")).expect("removed");
        let text = format!(":os.cmd(~c\"{}\")\n", world.mark("mix"));
        fs::write(world.place("shared/mix.exs"), text).expect("a file");
        give_away(&world.place("shared/mix.exs"));
    }),
    ("a folder that everybody may write to", |world| {
        fs::set_permissions(world.place("shared"), fs::Permissions::from_mode(0o1777)).expect("its mode");
    }),
];

/// A project that lies around the user's folder and that other users can change: nothing of it runs, and a version manager
/// does not look there.
#[test]
fn projects_of_other_users_are_not_built() {
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } != 0 {
        println!("only root can give files away: projects of other users were not tried");
        return;
    }
    let shared = || {
        let mut world = World::new();
        fs::create_dir_all(world.place("shared/mine/src")).expect("a folder");
        fs::write(world.place("shared/mine/src/plain.erl"), PLAIN).expect("a file");
        let hooks = format!("{{pre_hooks, [{{compile, \"{}\"}}]}}.\n", world.mark("hook"));
        fs::write(world.place("shared/rebar.config"), hooks).expect("a file");
        fs::write(world.place("shared/.tool-versions"), format!("{}\n", world.mark("tool-versions"))).expect("a file");
        let path = std::env::var("PATH").expect("there is a PATH");
        let real = path.split(':').map(|folder| Path::new(folder).join("erl")).find(|file| file.is_file());
        let script = format!(
            "#!/bin/sh\nfolder=$PWD\nwhile :; do [ -f \"$folder/.tool-versions\" ] && . \"$folder/.tool-versions\"\n\
             [ \"$folder\" = / ] && break; folder=${{folder%/*}}; folder=${{folder:-/}}; done\nexec {} \"$@\"\n",
            real.expect("erl").display()
        );
        world.program(&world.place("tools/erl"), "");
        fs::write(world.place("tools/erl"), script).expect("a file");
        world.variables.insert("PATH", Some(format!("{}:{path}", world.place("tools").display())));
        world
    };
    let args: Vec<&str> = QUICK.iter().copied().filter(|arg| *arg != "--no-build").collect();
    // What is the user's own is built: otherwise what follows would prove nothing.
    let mut world = shared();
    let command = world.command(&world.place("shared/mine"), &args);
    let ran = world.observe(command);
    for name in ["hook ran", "tool-versions ran"] {
        assert!(ran.wrongs.iter().any(|wrong| wrong == name), "{name}: {:?}: {}", ran.wrongs, ran.said);
    }
    let mut tally = Tally::default();
    for (name, share) in SHARES {
        let mut world = shared();
        share(&world);
        for (folder, more) in [("shared/mine", &[][..]), ("elsewhere", &["../shared/mine/src"])] {
            let command = world.command(&world.place(folder), &[&args[..], more].concat());
            let mut ran = world.observe(command);
            if ran.said.matches("is built or run, as with --no-build").count() != 1 {
                ran.wrongs.push("it does not say once that nothing is built".to_owned());
            }
            tally.add("projects of other users", &format!("{name} is another user's, in {folder}"), &ran);
        }
    }
    tally.finish();
}
