//! Reports for other programs: what they hold, where they go, and what happens where they cannot go.

use crate::common::{beagle, program, refused, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn toy() -> [PathBuf; 1] {
    [Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/toy.erl")]
}

/// An empty folder.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reports").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    names
}

#[test]
fn one_run_makes_many_reports() {
    let folder = scratch("many");
    let output = |format: &str, name: &str| format!("{format}={}", folder.join(name).display());
    std::fs::write(folder.join("beagle.sarif"), "old").expect("an older report");
    let outputs = [
        output("junit", "junit.xml"),
        output("sarif", "beagle.sarif"),
        output("jsonl", "beagle.jsonl"),
        output("github", "log"),
        output("human", "text"),
    ];
    let mut args = vec!["test"];
    outputs.iter().for_each(|output| args.extend(["--output", output]));
    let (screen, code) = run(&args, &toy());
    assert_eq!(code, 1);
    assert_eq!(files(&folder), ["beagle.jsonl", "beagle.sarif", "junit.xml", "log", "text"], "and nothing else");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a report");
    let jsonl: Vec<Value> =
        read("beagle.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let call = jsonl[0]["call"].as_str().expect("a call");
    assert_eq!((jsonl.len(), call), (4, "toy:foo(100000, 50001)"));
    let sarif: Value = serde_json::from_str(&read("beagle.sarif")).expect("JSON");
    let found = &sarif["runs"][0]["results"][0];
    assert_eq!((&found["ruleId"], &found["level"]), (&"crash".into(), &"error".into()));
    assert_eq!(found["locations"][0]["physicalLocation"]["region"]["startLine"], 9);
    for name in ["junit.xml", "beagle.sarif", "log", "text"] {
        assert!(read(name).contains(call), "{name}: {}", read(name));
    }
    assert!(screen.contains(call));
    assert_eq!(read("text").trim_end(), screen, "the same as on the screen");
    assert!(read("log").starts_with("::error file="), "{}", read("log"));
    assert!(read("junit.xml").contains("<testcase name=\"foo/2\" classname=\"toy\""), "{}", read("junit.xml"));
}

/// Seen from the project, wherever it was compiled.
#[test]
fn places_are_named_from_the_folder_of_the_project() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a folder");
    for file in [PathBuf::from("examples/toy.erl"), PathBuf::from("./examples/toy.erl"), root.join("examples/toy.erl")]
    {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_beagle"))
            .args(["test", "--format", "github", "--no-confirm"])
            .arg(&file)
            .current_dir(&root)
            .output();
        let text = String::from_utf8(output.expect("beagle can be started").stdout).expect("UTF-8");
        assert!(text.starts_with("::warning file=examples/toy.erl,line=9,title=toy%3Afoo/2 raises"), "{text}");
    }
}

#[test]
fn what_cannot_be_written_is_reported_before_anything_runs() {
    let folder = scratch("unwritable");
    let there = folder.display();
    for (args, message) in [
        (vec!["--output".to_string(), format!("junit={there}/no/such/a.xml")], "no/such/a.xml cannot be written"),
        (vec!["--output".to_string(), format!("junit={there}")], "it is a folder"),
        (vec!["--output".to_string(), "junit=/dev/null/a.xml".to_string()], "/dev/null/a.xml cannot be written"),
        (vec!["--output".to_string(), format!("pdf={there}/a.pdf")], "pdf"),
        (vec!["--output".to_string(), "junit".to_string()], "FORMAT=FILE"),
        (vec!["--html".to_string(), "/dev/null/pages".to_string()], "--html /dev/null/pages"),
    ] {
        let mut all = vec!["test"];
        all.extend(args.iter().map(String::as_str));
        let output = beagle(&all, &toy());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(message), "{args:?}: {said}");
    }
    assert!(files(&folder).is_empty(), "nothing is left behind");
}

/// A run that ends in an error before it begins leaves an older report as it was.
#[test]
fn an_older_report_stays_until_there_is_a_new_one() {
    let folder = scratch("older");
    let file = folder.join("report.xml");
    std::fs::write(&file, "old").expect("an older report");
    let output = format!("junit={}", file.display());
    refused(&["test", "--output", &output, "-f", "toy:no_such/1"], &toy());
    assert_eq!(std::fs::read_to_string(&file).expect("a report"), "old");
    assert_eq!(files(&folder), ["report.xml"]);
}

/// A stream or a device is written to, and stays what it is.
#[cfg(target_os = "linux")]
#[test]
fn streams_and_devices_are_not_replaced() {
    let script = format!(
        "{} test -q --output jsonl=/dev/stderr --output junit=/dev/null {} 2>&1 >/dev/null; test -c /dev/null -a -L /dev/stderr",
        env!("CARGO_BIN_EXE_beagle"),
        toy()[0].display()
    );
    let output = std::process::Command::new("bash").args(["-c", &script]).output().expect("bash can be started");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 4, "{output:?}");
}

#[test]
fn looking_on_changes_nothing() {
    let folder = scratch("pages").display().to_string();
    let test = |more: &[&str]| {
        let args = [&["test", "-j", "1", "--format", "jsonl", "--steps", "100000", "--max-runs", "60"], more].concat();
        let (text, code) = run(&args, &[program("tested.erl")]);
        let without_times = |line: &str| {
            let mut line: Value = serde_json::from_str(line).expect("JSON");
            ["seconds", "solver_seconds", "smt_seconds", "rechecked", "note"]
                .iter()
                .for_each(|field| line[*field] = 0.into());
            line.to_string()
        };
        (text.lines().map(without_times).collect::<Vec<_>>(), code)
    };
    assert_eq!(test(&[]), test(&["--html", &folder]));
    assert_eq!(files(Path::new(&folder)), [".beagle-pages", "functions", "index.html", "modules"]);
}

/// Pages of what is gone go, too; what the user keeps in the folder, or has changed there, stays.
#[test]
fn pages_of_what_is_gone_are_removed() {
    let folder = scratch("gone");
    let source = folder.join("shrinking.erl");
    let write = |exports: &str| {
        let text = format!(
            "-module(shrinking).\n-export([{exports}]).\n-spec f() -> ok.\nf() -> ok.\n-spec g() -> ok.\ng() -> ok.\n\
            -spec h() -> ok.\nh() -> f(), g().\n-spec i() -> ok.\ni() -> h().\n"
        );
        std::fs::write(&source, text).expect("a source");
    };
    let pages = folder.join("pages");
    let test = || run(&["test", "-q", "--html", &pages.display().to_string()], std::slice::from_ref(&source));
    write("f/0, g/0, h/0, i/0");
    assert_eq!(test().1, 0);
    let page = |name: &str| pages.join("functions").join(name);
    std::fs::write(page("notes.html"), "mine").expect("a page of the user");
    std::fs::write(page("shrinking.g-0.html"), "changed").expect("a page that the user has changed");
    let list = pages.join(".beagle-pages");
    let known = std::fs::read_to_string(&list).expect("a list");
    let forged =
        format!("{known}{} ../shrinking.erl\n{} ../outside.html\n", "0".repeat(64), blake3::hash(b"x").to_hex());
    std::fs::write(folder.join("outside.html"), "x").expect("a file outside");
    std::fs::write(&list, forged).expect("a list");
    write("f/0, i/0");
    assert_eq!(test().1, 0);
    assert_eq!(
        files(&pages.join("functions")),
        ["notes.html", "shrinking.f-0.html", "shrinking.g-0.html", "shrinking.i-0.html"]
    );
    assert!(source.exists() && folder.join("outside.html").exists());
}

/// Clauses of heads and cases, guards, conditions and matches, each on the line where it is written.
#[test]
fn branches_stand_on_their_lines() {
    let folder = scratch("lines");
    let source = [
        "-module(lines).",
        "-export([f/2]).",
        "-spec f(integer(), [integer()]) -> atom().",
        "f(Limit, List) when Limit > 3 ->",
        "    case List of",
        "        [] -> empty;",
        "        [First, Second | _]",
        "          when First > Second -> falling;",
        "        [First | _] ->",
        "            if",
        "                First =:= Limit -> same;",
        "                true -> other",
        "            end",
        "    end;",
        "f(_, List) ->",
        "    [_] = List,",
        "    single.",
        "",
    ];
    let file = folder.join("lines.erl");
    std::fs::write(&file, source.join("\n")).expect("a source");
    let pages = folder.join("pages");
    let (_, code) = run(&["test", "-q", "--html", &pages.display().to_string()], &[file]);
    assert_eq!(code, 1);
    let page = std::fs::read_to_string(pages.join("modules/lines.html")).expect("a page");
    let lines: Vec<(&str, Vec<&str>)> = page
        .split("<tr id=\"L")
        .skip(1)
        .filter(|row| row.contains("<details"))
        .map(|row| {
            let ways = row.split("<li>").skip(1).filter_map(|way| way.split("<code>").nth(1)?.split('<').next());
            (row.split('"').next().unwrap_or_default(), ways.collect())
        })
        .collect();
    let said = |line: &str| lines.iter().find(|(number, _)| *number == line).map(|(_, ways)| ways.join(", "));
    assert_eq!(said("4").as_deref(), Some("Limit =&lt; 3, Limit &gt; 3"));
    assert_eq!(said("11").as_deref(), Some("Limit =/= hd(List), Limit =:= hd(List)"));
    let numbers: Vec<&str> = lines.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, ["4", "6", "7", "8", "11", "16"], "{lines:?}");
}
