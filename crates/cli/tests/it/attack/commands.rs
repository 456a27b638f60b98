//! Every command with paths of the checkout that lead out, which are refused, and with paths elsewhere, which work.

use crate::attack::is_full;
use crate::attack::watching::{QUICK, Tally, World};
use crate::attack::ways::WAYS;
use std::fs;
use std::path::Path;

/// Commands that read what `@` names, or write to it. `test …` stands for a quick search.
const COMMANDS: &[&str] = &[
    "test @",
    "test --baseline @",
    "test --baseline @ --update-baseline",
    "test --html @",
    "test --save @",
    "test --output jsonl=@",
    "test --output junit=@",
    "test --output sarif=@",
    "test --output human=@",
    "test --output github=@",
    "test --dump-smt @",
    "test --cache @",
    "test --seed @@",
    "test -I @",
    "test --pa @",
    "test --allow-effects file:read_file/1,read=@",
    "test src @",
    "emit --emit-tests @",
    "emit --emit-tests @ --emit-tests-for paths",
    "reach @",
    "reach @:1",
    "reach @@",
    "reach plain:f/1 --uncovered @",
    "reach plain:f/1 --source @",
    "reach plain:f/1 --emit-tests @",
    "reach plain:f/1 --pa @",
    "replay @",
    "replay plain:f(7) @",
    "replay plain:f(7) --schedule @",
    "replay plain:f(7) --order 1 --save-schedule @",
    "run plain:f(7) @",
    "run plain:f(7) src/plain.erl --pa @",
    "run plain:f(7) src/plain.erl -I @",
    "trace plain:f(7) @",
    "trace plain:f(7) src/plain.erl --allow-effects file:read_file/1,read=@",
    "merge @",
    "merge saved @",
    "merge saved --html @",
    "merge saved --output jsonl=@",
    "merge saved --baseline @",
    "merge saved --baseline @ --update-baseline",
    "clean --cache @",
    "man @",
];

fn words<'w>(command: &'w str) -> Vec<&'w str> {
    let mut words: Vec<&'w str> = command.split(' ').collect();
    match words.first() {
        Some(&"test") => drop(words.splice(..1, QUICK)),
        // Tests are written of what the runtime has confirmed.
        Some(&"emit") => drop(words.splice(..1, ["test", "--no-build", "--fresh", "--budget", "200ms", "-q"])),
        Some(&("reach" | "replay")) => words.push("--no-build"),
        _ => {}
    }
    if words.first() == Some(&"reach") {
        words.extend(["--budget", "200ms"]);
    }
    words
}

fn filled(word: &str, path: &str) -> String {
    match word.strip_prefix("@@") {
        Some(rest) => format!("@{path}{rest}"),
        None => word.replace('@', path),
    }
}

#[test]
fn links_on_the_command_line_are_refused() {
    // What the user writes with `..` or from the root on is meant.
    const MEANT: [&str; 4] = ["an absolute path", "a relative path", "a way up behind a folder", "a device"];
    const AIMS: [&str; 3] = ["secret", "folder", "stolen.erl"];
    let mut tally = Tally::default();
    let ways: Vec<_> = WAYS.iter().filter(|(name, _)| !MEANT.contains(name)).collect();
    for (number, command) in COMMANDS.iter().enumerate() {
        for (at, (way, plant)) in ways.iter().enumerate() {
            for (index, aim) in AIMS.iter().enumerate() {
                // Of each second command one way to one aim.
                if !is_full()
                    && (number % 2 == 1 || at != number * 5 / 2 % ways.len() || index != number / 2 % AIMS.len())
                {
                    continue;
                }
                let mut world = World::new();
                let path = plant(&world, &world.out().join(aim));
                let Some(path) = path.to_str() else { continue };
                saved(&mut world, command);
                let args: Vec<String> = words(command).iter().map(|word| filled(word, path)).collect();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let ran = world.run(&args);
                let area = command.split(' ').next().unwrap_or_default();
                tally.add(&format!("links in {area}"), &format!("{command} by {way} to {aim}"), &ran);
            }
        }
    }
    tally.finish();
}

/// A file for `beagle merge`.
fn saved(world: &mut World, command: &str) {
    if command.starts_with("merge saved") {
        let ran = world.run(&[&QUICK[..], &["--save", "saved"]].concat());
        assert!(ran.code == Some(0) || ran.code == Some(1), "{}", ran.said);
    }
}

/// What the user names elsewhere is read and written: the whole path, one that goes up, or one by a link of the user's own.
#[test]
fn paths_elsewhere_work() {
    const READING: [(&str, &str, &str); 7] = [
        ("test @/stolen.erl", "stolen:f(7)", "a file"),
        ("test @", "stolen:f(7)", "a folder"),
        ("test --seed @@/seeds --show all", "plain:f(7)", "seeds"),
        ("test --baseline @/known", "", "a baseline"),
        ("test src/user.erl -I @ --show all", "user:f(7)", "a header"),
        ("run stolen:f(7) @/stolen.erl", "no", "a file"),
        ("run stolen:f(7) src/plain.erl --pa @/ebin", "no", "object code"),
    ];
    const WRITING: [(&str, &str); 9] = [
        ("test --html @/pages", "pages/index.html"),
        ("test --save @/saved", "saved"),
        ("test --output jsonl=@/report", "report"),
        ("test --baseline @/new --update-baseline", "new"),
        ("test --cache @/cache", "cache"),
        ("test --dump-smt @/smt", "smt"),
        ("emit --emit-tests @/tests", "tests/plain_beagle_tests.erl"),
        ("man @/man", "man/beagle.1"),
        ("replay plain:f(7) --order 1 --save-schedule @/order", "order"),
    ];
    let mut tally = Tally::default();
    let count = if is_full() { 3 } else { 1 };
    for (number, name) in ["../elsewhere", "ABSOLUTE", "LINKED"].into_iter().enumerate().take(count) {
        let mut world = World::new();
        let elsewhere = world.place("elsewhere");
        let code = crate::attack::watching::PLAIN.replace("plain", "stolen");
        fs::create_dir(elsewhere.join("ebin")).expect("a folder");
        for (file, text) in
            [("stolen.erl", code.as_str()), ("seeds", "[7].\n"), ("known", ""), ("own.hrl", "-define(N, 7).")]
        {
            fs::write(elsewhere.join(file), text).expect("a file");
        }
        let compiled = std::process::Command::new("erlc")
            .args(["+debug_info", "-o", "ebin", "stolen.erl"])
            .current_dir(&elsewhere)
            .status();
        assert!(compiled.expect("erlc").success());
        let user = "-module(user).\n-export([f/1]).\n-include(\"own.hrl\").\n-spec f(integer()) -> ok.\nf(?N) -> no;\nf(_) -> ok.\n";
        let name = match name {
            "ABSOLUTE" => elsewhere.display().to_string(),
            "LINKED" => {
                let link = world.place("own-link");
                std::os::unix::fs::symlink(&elsewhere, &link).expect("a link");
                link.display().to_string()
            }
            name => name.to_owned(),
        };
        let mut run = |command: &str| {
            if command.contains("user.erl") {
                world.write("src/user.erl", user);
            }
            let args: Vec<String> = words(command).iter().map(|word| filled(word, &name)).collect();
            let ran = world.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
            let _ = fs::remove_file(world.checkout().join("src/user.erl"));
            ran
        };
        for (command, heard, what) in READING {
            let mut ran = run(command);
            if !ran.said.contains(heard) {
                ran.wrongs.push(format!("{what} was not read"));
            }
            tally.add_ending("paths elsewhere", &format!("{command} ({number})"), &ran, &[0, 1]);
        }
        for (command, file) in WRITING {
            let mut ran = run(command);
            if !elsewhere.join(file).exists() {
                ran.wrongs.push(format!("{file} was not written"));
            }
            tally.add_ending("paths elsewhere", &format!("{command} ({number})"), &ran, &[0, 1]);
        }
    }
    tally.finish();
}

/// Lists and kept files of earlier commands that the checkout has forged.
#[test]
fn forged_lists_remove_nothing() {
    let mut tally = Tally::default();
    let mut world = World::new();
    let out = world.out();
    let digest = |path: &Path| blake3::hash(&fs::read(path).expect("a file")).to_hex().to_string();
    fs::write(out.join("victim.html"), "content").expect("a file");
    world.write("precious.html", "precious");
    world.link("pages/way", &out);
    world.link("pages/victim.html", out.join("victim.html"));
    let (victim, precious) = (digest(&out.join("victim.html")), digest(&world.checkout().join("precious.html")));
    let list = format!(
        "# Pages that Beagle wrote, and may remove.\n{victim} way/victim.html\n{victim} victim.html\n{victim} {0}/victim.html\n\
         {victim} ../../{0}/victim.html\n{precious} ../precious.html\n{precious} ./../precious.html\n",
        out.display()
    );
    world.write("pages/.beagle-pages", list);
    let ran = world.run(&[&QUICK[..], &["--html", "pages"]].concat());
    tally.add_ending("forged lists", "pages", &ran, &[0, 1]);
    assert!(world.checkout().join("precious.html").exists());
    // The same for kept results.
    let secret = digest(&out.join("victim"));
    world.link("_build/beagle/functions", &out);
    world.link("_build/beagle/victim", out.join("victim"));
    world.write(
        "_build/beagle/written/0123",
        format!(
            "beagle wrote these files, and may remove them\n{secret} functions/victim\n{secret} victim\n{secret} {0}/victim\n\
             {secret} ../../../{0}/victim\n{precious} ../../precious.html\n",
            out.display()
        ),
    );
    let ran = world.run(&["clean"]);
    tally.add_ending("forged lists", "kept results", &ran, &[0, 2]);
    assert!(world.checkout().join("precious.html").exists());
    let args: Vec<&str> = QUICK.iter().copied().filter(|arg| *arg != "--fresh").collect();
    let ran = world.run(&args);
    tally.add_ending("forged lists", "kept results are written", &ran, &[0, 1]);
    for (name, list) in [("pages", "pages/.beagle-pages"), ("kept results", "_build/beagle/written/0123")] {
        let file = world.checkout().join(list);
        let _ = fs::remove_file(&file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        // A file that takes no place, and has no end that anybody could read.
        fs::File::create(&file).and_then(|file| file.set_len(1 << 42)).expect("a file with holes");
        let ran = match name {
            "pages" => world.run(&[&QUICK[..], &["--html", "pages"]].concat()),
            _ => world.run(&["clean"]),
        };
        tally.add("forged lists", &format!("{name} without an end"), &ran);
    }
    tally.finish();
}
