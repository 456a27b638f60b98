//! A repository whose configuration, attributes and content name programs: none of them runs when git is asked what has
//! changed.

use crate::attack::is_full;
use crate::attack::watching::{QUICK, Tally, World};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Configurations, each with a name. `@` is a program that leaves a mark.
const CONFIGURATIONS: &[(&str, &str)] = &[
    ("fsmonitor", "[core]\nfsmonitor = @\n"),
    ("fsmonitor as a hook", "[core]\nfsmonitor = true\nhooksPath = hooks\nfsmonitorHookVersion = 2\n"),
    ("hooks", "[core]\nhooksPath = HOOKS\n"),
    ("a filter", "[filter \"x\"]\nclean = @\nsmudge = @\nrequired = true\n"),
    ("a process of a filter", "[filter \"x\"]\nprocess = @\nrequired = true\n"),
    (
        "a driver of differences",
        "[diff \"x\"]\ntextconv = @\ncommand = @\ncachetextconv = true\n[diff]\nexternal = @\n",
    ),
    ("a driver of merges", "[merge \"x\"]\ndriver = @\n"),
    ("ssh", "[core]\nsshCommand = @\ngitProxy = @\naskPass = @\n[credential]\nhelper = \"!@\"\n"),
    ("a pager and an editor", "[core]\npager = @\neditor = @\n[pager]\nls-files = @\nls-tree = @\nrev-parse = @\n"),
    ("aliases", "[alias]\nls-files = \"!@\"\nls-tree = \"!@\"\nrev-parse = \"!@\"\nhash-object = \"!@\"\n"),
    ("signatures", "[gpg]\nprogram = @\n[log]\nshowSignature = true\n[gpg \"ssh\"]\nprogram = @\n"),
    ("an included file", "[include]\npath = ../evil.gitconfig\n[includeIf \"gitdir:**\"]\npath = ../evil.gitconfig\n"),
    ("objects from elsewhere", "[core]\nalternateRefsCommand = @\n[uploadpack]\npackObjectsHook = @\n"),
    ("a working tree elsewhere", "[core]\nworktree = OUT\n"),
    ("the root as working tree", "[core]\nworktree = /\n"),
    ("excludes from elsewhere", "[core]\nexcludesFile = OUT/secret\nattributesFile = OUT/secret\n"),
    ("traces", "[trace2]\nnormalTarget = OUT/new\neventTarget = OUT/new\nperfTarget = OUT/new\n"),
    (
        "a partial clone",
        "[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = evil\n[remote \"evil\"]\nurl = \"ext::@\"\n\
         promisor = true\npartialclonefilter = blob:none\nuploadpack = @\nvcs = evil\n[protocol \"ext\"]\nallow = always\n\
         [protocol]\nallow = always\n",
    ),
];

/// Where a repository can be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// `.git` of the checkout.
    Usual,
    /// `.git` is a file that names a folder of the checkout.
    Named,
    /// The checkout is the repository: its files can be committed to another one.
    Bare,
    /// A folder inside the checkout, which the checkout's own repository knows as a module.
    Inner,
}

fn git(folder: &Path, args: &[&str]) -> Output {
    // Git may wait for a program for ever that the configuration names.
    let mut command = Command::new("timeout");
    command
        .args([
            "--kill-after=1", "30", "git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main",
        ])
        .args(args);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command.stdin(Stdio::null()).output().expect("git")
}

fn commit_all(folder: &Path) {
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "x"]] {
        let output = git(folder, args);
        assert!(output.status.success(), "{}", crate::attack::said(&output));
    }
}

/// A checkout with a repository that has this configuration.
fn repository(place: Place, configuration: &str) -> World {
    let world = World::new();
    let checkout = world.checkout();
    let program = checkout.join("evil.sh");
    world.program(&program, "cat");
    world.write(".gitattributes", "* filter=x diff=x merge=x\n");
    let hooks = [
        "post-index-change", "reference-transaction", "post-checkout", "pre-commit", "pre-auto-gc",
        "fsmonitor-watchman", "query-watchman", "sendemail-validate",
    ];
    hooks.iter().for_each(|hook| world.program(&checkout.join("hooks").join(hook), ""));
    let text = configuration
        .replace('@', &program.display().to_string())
        .replace("HOOKS", &checkout.join("hooks").display().to_string())
        .replace("OUT", &world.out().display().to_string());
    world.write("evil.gitconfig", format!("[core]\nfsmonitor = {}\n", program.display()));
    let home = match place {
        Place::Inner => checkout.join("deps/inner"),
        _ => checkout.clone(),
    };
    if place == Place::Inner {
        world.write("deps/inner/src/inner.erl", "-module(inner).\n");
        world.write(
            ".gitmodules",
            "[submodule \"inner\"]\npath = deps/inner\nurl = ./x\nupdate = !./evil.sh\nignore = none\n",
        );
        commit_all(&home);
    }
    commit_all(&checkout);
    let real = match place {
        Place::Usual | Place::Inner => home.join(".git"),
        Place::Named => {
            fs::rename(checkout.join(".git"), checkout.join("hidden")).expect("renamed");
            world.write(".git", "gitdir: hidden\n");
            checkout.join("hidden")
        }
        Place::Bare => {
            for name in ["HEAD", "objects", "refs", "index", "info", "config"] {
                fs::rename(checkout.join(".git").join(name), checkout.join(name)).expect("renamed");
            }
            fs::remove_dir_all(checkout.join(".git")).expect("removed");
            checkout.clone()
        }
    };
    let is_bare =
        if place == Place::Bare && !text.contains("worktree") { "[core]\nbare = false\nworktree = .\n" } else { "" };
    let known = fs::read_to_string(real.join("config")).expect("a configuration");
    fs::write(real.join("config"), format!("{known}{is_bare}{text}")).expect("written");
    for hook in fs::read_dir(checkout.join("hooks")).expect("hooks").flatten() {
        fs::create_dir_all(real.join("hooks")).expect("a folder");
        let _ = fs::copy(hook.path(), real.join("hooks").join(hook.file_name()));
    }
    let alternates = format!("{0}\n../../{0}\n", world.out().join("folder").display());
    fs::create_dir_all(real.join("objects/info")).expect("a folder");
    fs::write(real.join("objects/info/alternates"), alternates).expect("written");
    if configuration.contains("promisor") {
        // An object that has to be fetched.
        let missing = git(&checkout, &["-c", "core.fsmonitor=false", "rev-parse", "HEAD:src/plain.erl"]);
        let digest = String::from_utf8_lossy(&missing.stdout).trim().to_owned();
        if let Some((folder, file)) = digest.split_at_checked(2) {
            let _ = fs::remove_file(real.join("objects").join(folder).join(file));
        }
    }
    // What git would have to look at.
    world.write("src/plain.erl", format!("{}\n", crate::attack::watching::PLAIN));
    let marks = fs::read_dir(world.place("marks")).expect("a folder").flatten();
    marks.for_each(|mark| fs::remove_file(mark.path()).expect("a mark"));
    world
}

#[test]
fn git_starts_nothing() {
    let mut tally = Tally::default();
    let places = [Place::Usual, Place::Named, Place::Bare, Place::Inner];
    for (number, (name, configuration)) in CONFIGURATIONS.iter().enumerate() {
        for place in
            places.into_iter().enumerate().filter(|(at, _)| is_full() || number % 8 == *at * 2).map(|(_, at)| at)
        {
            let mut world = repository(place, configuration);
            let ran = world.run(&[&QUICK[..], &["--changed-since", "HEAD", "--with-callers"]].concat());
            tally.add("git", &format!("{name}, {place:?}"), &ran);
        }
    }
    for revision in ["--output=OUT/new", "-h", "HEAD;touch x", "@{upstream}", "$(touch x)", ":/x", "\u{1b}[2J"] {
        let mut world = repository(Place::Usual, "");
        let revision = revision.replace("OUT", &world.out().display().to_string());
        let since = format!("--changed-since={revision}");
        let ran = world.run(&[&QUICK[..], &[&since]].concat());
        tally.add_ending("git", &format!("{revision:?}"), &ran, &[2]);
        if !is_full() {
            break;
        }
    }
    tally.finish();
}

/// Without Beagle's care the same repositories do start programs: otherwise the test above would prove nothing.
#[test]
fn git_by_itself_starts_programs() {
    const WANTED: [&str; 7] = [
        "fsmonitor", "hooks", "a filter", "a process of a filter", "a driver of differences", "an included file",
        "a partial clone",
    ];
    let tried = CONFIGURATIONS.iter().filter(|(name, _)| is_full() || WANTED.contains(name));
    let fired = tried.clone().filter(|(_, configuration)| {
        let world = repository(Place::Usual, configuration);
        let mut calls = [&["status"][..], &["diff"], &["show", "HEAD:src/plain.erl"]].into_iter();
        calls.any(|call| {
            git(&world.checkout(), call);
            !world.marks().is_empty()
        })
    });
    let fired: Vec<&str> = fired.map(|(name, _)| *name).collect();
    for name in WANTED {
        assert!(fired.contains(&name), "{name} did nothing: {fired:?}");
    }
    println!("{} of {} configurations start programs if git is asked in the usual way", fired.len(), tried.count());
}

/// Pipes that git reads by itself: it is ended after a minute, so they are tried only if there is time.
#[test]
fn git_does_not_wait_for_pipes() {
    if !is_full() {
        println!("pipes that git reads are tried with BEAGLE_ATTACK=full");
        return;
    }
    let mut tally = Tally::default();
    for pipe in [".gitignore", ".git/info/exclude", ".git/HEAD", "fifo.gitconfig"] {
        let mut world = repository(Place::Usual, "[include]\npath = ../fifo.gitconfig\n");
        let _ = fs::remove_file(world.checkout().join(pipe));
        world.fifo(pipe);
        let ran = world.run(&[&QUICK[..], &["--changed-since", "HEAD"]].concat());
        tally.add_ending("pipes of git", pipe, &ran, &[2]);
    }
    tally.finish();
}
