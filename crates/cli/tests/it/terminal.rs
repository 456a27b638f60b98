//! Nothing that a program, a file or a tool says is obeyed by a terminal: no control character but line feeds and tabs,
//! and nothing that turns text around, is in what Beagle prints.

use crate::common::beagle;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A title for the window, a cleared screen, colours, a bell, text backwards, and what leaves no trace.
const NASTY: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200b}\u{7f}\u{8}\u{85}";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal").join(name);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

fn file(folder: &Path, name: &str, text: &[u8]) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a scratch file");
    file
}

/// What was printed, if all of it can be seen.
fn seen(output: &Output, doing: &str) -> String {
    let mut all = String::new();
    for (stream, bytes) in [("standard output", &output.stdout), ("standard error", &output.stderr)] {
        let text = String::from_utf8(bytes.clone()).unwrap_or_else(|_| panic!("{doing}: {stream} is UTF-8"));
        if let Some(hidden) = text.chars().find(|c| term::is_hidden(*c)) {
            panic!("{doing}: {hidden:?} on {stream}: {text:?}");
        }
        all.push_str(&text);
    }
    all
}

fn source(module: &str) -> String {
    format!(
        "%% {NASTY}\n-module({module}).\n-author(\"{NASTY}\").\n-export([crash/1, throws/1, name/0, result/1, '{NASTY}'/1]).\n\
         -spec crash(0 | 1) -> ok.\ncrash(0) -> ok;\ncrash(1) -> error({{\"{NASTY}\", '{NASTY}', <<\"{NASTY}\"/utf8>>}}). % {NASTY}\n\
         -spec throws(binary()) -> ok.\nthrows(<<\"{NASTY}\"/utf8>> = X) -> throw({{X, binary_to_list(X)}}); % {NASTY}\nthrows(_) -> ok.\n\
         name() -> {{'{NASTY}', \"{NASTY}\", <<\"{NASTY}\"/utf8>>, [27, $a]}}.\n\
         -spec result(a) -> b.\nresult(a) -> '{NASTY}'.\n\
         -spec '{NASTY}'(integer()) -> ok.\n'{NASTY}'(X) when X > 5 -> exit('{NASTY}'); '{NASTY}'(_) -> ok.\n"
    )
}

#[test]
fn reports_show_every_character() {
    // No module has such a name, but its folder may, and the file that it says to come from.
    let named = source("other").replacen("-spec", &format!("-file(\"{NASTY}.hrl\", 7).\n-spec"), 1);
    for (folder, name, text) in [
        (folder("reports"), "plain.erl", source("plain").replace('\n', "\r\n")),
        (folder(&format!("r{NASTY}")), "elsewhere.erl", source("elsewhere")),
        (folder("reports"), "other.erl", named),
    ] {
        let file = file(&folder, name, text.as_bytes());
        for format in ["human", "jsonl", "junit", "sarif", "github"] {
            let output = beagle(&["test", "-v", "--budget", "5s", "--format", format], std::slice::from_ref(&file));
            let text = seen(&output, &format!("{format} of {name:?}"));
            assert!(text.contains("crash/1"), "{format}: {text}");
            if format == "human" && name == "plain.erl" {
                assert_eq!(output.status.code(), Some(1), "{text}");
                assert!(text.contains("\\x1b]0;owned\\x07"), "the line of the source: {text}");
            }
        }
    }
}

#[test]
fn results_can_be_pasted() {
    let folder = folder("results");
    let file = file(&folder, "named.erl", source("named").as_bytes());
    let files = std::slice::from_ref(&file);
    let run = |expression: &str, format: &str| {
        let output = beagle(&["run", "--format", format, "--", expression], files);
        seen(&output, expression)
    };
    let value = run("named:name()", "human");
    assert!(value.contains("\"\\ea\"") && value.contains("\\x{202E}"), "{value}");
    assert!(run(&format!("{} =:= named:name()", value.trim()), "human").contains("true"), "{value}");
    assert!(run("named:crash(1)", "human").contains("exception error"));
    assert!(run(&format!("named:'{NASTY}'(6)"), "human").contains("exit"));
    assert!(run("named:crash(1)", "jsonl").contains("\"exception\""));
    run(&format!("no_such:'{NASTY}'()"), "human");
    run(&format!("\"{NASTY}"), "human");
    run(NASTY, "human");
}

#[test]
fn messages_show_every_character() {
    let folder = folder("messages");
    let text = |args: &[&str], files: &[PathBuf]| {
        let output = beagle(args, files);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        seen(&output, &format!("{args:?} {files:?}"))
    };
    let broken = file(&folder, &format!("b{NASTY}.erl"), format!("-module(b).\nf( -> '{NASTY}'.\n").as_bytes());
    assert!(text(&["test"], &[broken]).contains("\\x1b]0;owned"));
    let misnamed =
        file(&folder, "misnamed.erl", format!("-module(misnamed).\n'{NASTY}'() -> '{NASTY}x'().\n").as_bytes());
    text(&["test"], &[misnamed]);
    assert!(text(&["test"], &[folder.join(format!("missing{NASTY}.erl"))]).contains("\\x1b]0;owned"));
    assert!(text(&["test", &format!("--{NASTY}")], &[]).contains("unexpected argument"));
    assert!(text(&["test", "--budget", NASTY], &[]).contains("--budget"));
    assert!(text(&["test", "-f", &format!("m:'{NASTY}'/1")], &[]).contains("owned"));
    text(&[&format!("no{NASTY}")], &[]);
    let bytes = file(&folder, "latin.erl", b"-module(latin).\n\xff\xfe\x9b\x1b[2J");
    text(&["test"], &[bytes]);
    let ebin = file(&folder, &format!("c{NASTY}.beam"), NASTY.as_bytes());
    text(&["test"], &[ebin]);
    let project = folder.join("project");
    std::fs::create_dir_all(&project).expect("a scratch folder");
    for wrong in
        [format!("{NASTY} = 1"), format!("budget = \"{NASTY}\""), format!("\"{NASTY}\" = ["), "\u{1b}[2J".to_string()]
    {
        file(&project, "beagle.toml", wrong.as_bytes());
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_beagle"));
        let output = command.arg("test").current_dir(&project).output().expect("beagle can be started");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {output:?}");
        seen(&output, &format!("{wrong:?}"));
    }
}

#[test]
fn traces_and_replays_show_every_character() {
    let folder = folder("traces");
    let file = file(&folder, "traced_plain.erl", source("traced_plain").as_bytes());
    for command in ["trace", "replay"] {
        for expression in ["traced_plain:crash(1)", "traced_plain:name()", &format!("traced_plain:'{NASTY}'(6)")] {
            for format in ["human", "jsonl"] {
                let output = beagle(&[command, "--format", format, expression], std::slice::from_ref(&file));
                let text = seen(&output, &format!("{command} {expression} as {format}"));
                assert!(text.contains("owned"), "{text}");
            }
        }
    }
}
