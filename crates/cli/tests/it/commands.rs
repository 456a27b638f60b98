//! The commands as a user types them: what they print, and their exit codes.

use crate::common::{program, refused, run};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn a_value_is_printed_as_the_shell_prints_it() {
    assert_eq!(run(&["run", "-7 div 2"], &[]), ("-3".to_string(), 0));
    assert_eq!(run(&["run", "-7 rem 2", "--format", "human"], &[]), ("-1".to_string(), 0));
    assert_eq!(run(&["run", "lists:zip([1,2], [a,\"b\"])"], &[]), ("[{1,a},{2,\"b\"}]".to_string(), 0));
}

#[test]
fn an_exception_is_shown_as_the_shell_shows_it() {
    let (text, code) = run(&["run", "lists:sum([1, a])"], &[]);
    let expected = "** exception error: an error occurred when evaluating an arithmetic expression\n     \
                    in operator  +/2\n        called as 1 + a\n     in call from lists:sum/2 (lists.erl, line 319)";
    assert_eq!((text.as_str(), code), (expected, 1));
}

#[test]
fn an_exception_says_which_argument_is_to_blame() {
    let (text, _) = run(&["run", "element(3, {1, 2})"], &[]);
    let expected = "** exception error: bad argument\n     in function  element/2\n        \
                    called as element(3,{1,2})\n        *** argument 1: out of range";
    assert_eq!(text, expected);
}

#[test]
fn funs_in_an_exception_are_shown_and_explained() {
    let (text, _) = run(&["run", "apply(fun(X) -> X end, [1, 2])"], &[]);
    assert_eq!(text, "** exception error: #Fun<beagle_expression.0.0> called with two arguments");
    let (text, _) = run(&["run", "error({'#Fun<', fun(X) -> X end, fun lists:map/2})"], &[]);
    assert_eq!(text, "** exception error: {'#Fun<',#Fun<beagle_expression.0.0>,fun lists:map/2}");
    let (text, _) = run(&["run", "(fun(1) -> ok end)(2)"], &[]);
    assert_eq!(text, "** exception error: no function clause matching erl_eval:'-inside-an-interpreted-fun-'(2)");
}

#[test]
fn what_is_no_code_and_no_folder_is_refused() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    assert!(refused(&["run", "1"], &[manifest]).contains("is neither Erlang source nor a BEAM file"));
    assert!(
        refused(&["run", "--pa", "no/such/folder", "1"], &[])
            .contains("no/such/folder is not a folder: --pa takes a folder")
    );
    assert!(refused(&["run", "-I", "no/such/folder", "1"], &[]).contains("-I takes a folder"));
}

#[test]
fn json_lines_have_the_documented_fields() {
    let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("one JSON object");
    let value = parse(&run(&["run", "--format", "jsonl", "{ok, 1}"], &[]).0);
    assert_eq!((value["type"].as_str(), value["value"].as_str()), (Some("value"), Some("{ok,1}")));
    assert!(value["seconds"].is_number());
    let raised = parse(&run(&["run", "--format", "jsonl", "hd([])"], &[]).0);
    assert_eq!(raised["type"], "exception");
    assert_eq!((raised["class"].as_str(), raised["reason"].as_str()), (Some("error"), Some("badarg")));
    assert_eq!(raised["stack"][0]["function"], "erlang:hd/1");
    let stopped = run(&["run", "--format", "jsonl", "--steps", "1000", "hostile:loop()"], &[program("hostile.erl")]);
    assert_eq!(
        (parse(&stopped.0)["type"].as_str(), parse(&stopped.0)["why"].as_str()),
        (Some("stopped"), Some("step limit"))
    );
}

#[test]
fn hostile_programs_end_with_a_named_outcome() {
    let hostile = [program("hostile.erl")];
    for (expression, outcome) in [
        ("hostile:deep(10000000)", "10000000"),
        ("lists:seq(1, 100000000)", "** stopped: memory limit"),
        ("hostile:zeros(50)", "** stopped: memory limit"),
        ("hostile:atoms(2000000)", "** stopped: atom limit"),
        ("hostile:cells([])", "** stopped: memory limit"),
        ("hostile:doubled(<<1>>)", "** stopped: memory limit"),
        ("hostile:shared(100)", "** stopped: the result is too large"),
        ("receive never -> ok end", "** stopped: deadlock: a receive waits for a message that cannot come"),
        ("file:read_file(\"/etc/hosts\")", "** stopped: effect denied: file:read_file/1"),
        ("erlang:halt(3)", "** stopped: halted with status 3"),
    ] {
        let (text, _) = run(&["run", "--memory", "1024", expression], &hostile);
        assert_eq!(text, outcome, "{expression}");
    }
    let (text, code) = run(&["run", "1 bsl 1000000000"], &[]);
    assert!(text.starts_with("** exception error: a system limit has been reached"), "{text}");
    assert_eq!(code, 1);
    let (text, code) = run(&["run", "hostile:nested(1000000)"], &hostile);
    assert_eq!((text.len(), code), (2_000_002, 0));
}

#[test]
fn wrong_use_says_what_to_do() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken.erl");
    std::fs::write(&file, "-module(broken).\n-export([f/0]).\nf() -> X.\n").expect("a scratch file");
    assert!(refused(&["run", "broken:f()"], &[file]).contains("broken.erl:3"));
    assert!(refused(&["run", "1 +"], &[]).contains("1:4"));
    assert!(refused(&["run", "f(1)"], &[]).contains("f/1"));
    assert!(refused(&["run", "1"], &[PathBuf::from("no_such.erl")]).contains("no_such.erl"));
    assert!(
        refused(&["run", "--erl", "/no/such/erl", "--cache", "/no/such/cache", "lists:sum([1])"], &[])
            .contains("/no/such/erl")
    );
}

#[test]
fn an_error_names_its_cause_once() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_beagle"));
    command.args(["run", "lists:sum([1])"]).env("TMPDIR", "/no/such/folder");
    let output = command.output().expect("beagle can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.matches("No such file or directory").count(), 1, "{said}");
}

#[test]
fn there_is_a_manual_and_shells_complete() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    let (_, code) = run(&["man", &folder.display().to_string()], &[]);
    let page = std::fs::read_to_string(folder.join("beagle-test.1")).expect("a page");
    assert!(code == 0 && page.contains("opaque") && page.contains(".TH"), "{page}");
    for shell in ["bash", "zsh", "fish"] {
        let (text, code) = run(&["completions", shell], &[]);
        assert!(code == 0 && text.contains("beagle") && text.contains("opaque"), "{shell}: {text}");
    }
    let said = refused(&["man", "/dev/null/folder"], &[]);
    assert!(said.contains("/dev/null/folder"), "{said}");
}

#[test]
fn the_readme_tells_the_truth() {
    assert!(true_commands("README.md") >= 3, "the README has lost its sessions");
}

#[test]
fn the_page_on_first_steps_tells_the_truth() {
    assert!(true_commands("docs/guide/first-steps.md") >= 3, "the page has lost its sessions");
}

#[test]
fn the_page_on_functions_tells_the_truth() {
    assert!(true_commands("docs/guide/functions.md") >= 1, "the page has lost its session");
}

#[test]
fn the_page_on_unknown_functions_tells_the_truth() {
    assert!(true_commands("docs/guide/unknown.md") >= 1, "the page has lost its session");
}

#[test]
fn the_page_on_projects_tells_the_truth() {
    assert!(true_commands("docs/guide/projects.md") >= 1, "the page has lost its session");
}

#[test]
fn the_page_on_elixir_tells_the_truth() {
    assert!(true_commands("docs/guide/elixir.md") >= 1, "the page has lost its session");
}

#[test]
fn the_page_on_regression_tests_tells_the_truth() {
    assert!(true_commands("docs/guide/tests.md") >= 2, "the page has lost its session");
}

#[test]
fn the_page_on_running_code_tells_the_truth() {
    assert!(true_commands("docs/guide/run.md") >= 5, "the page has lost its sessions");
}

#[test]
fn the_page_on_executors_tells_the_truth() {
    assert!(true_commands("docs/guide/executors.md") >= 1, "the page has lost its session");
}

#[test]
fn the_page_on_reports_tells_the_truth() {
    assert!(true_commands("docs/reports.md") >= 9, "the page has lost its sessions");
}

#[test]
fn the_page_on_processes_tells_the_truth() {
    assert!(true_commands("docs/guide/processes.md") >= 6, "the page has lost its sessions");
}

#[test]
fn the_page_on_reaching_lines_tells_the_truth() {
    assert!(true_commands("docs/guide/reach.md") >= 1, "the page has lost its session");
}

#[test]
fn the_page_on_traces_tells_the_truth() {
    assert!(true_commands("docs/guide/trace.md") >= 4, "the page has lost its sessions");
}

#[test]
fn the_page_on_replays_tells_the_truth() {
    assert!(true_commands("docs/guide/replay.md") >= 3, "the page has lost its sessions");
}

#[test]
fn the_page_on_servers_tells_the_truth() {
    assert!(true_commands("docs/guide/servers.md") >= 3, "the page has lost its sessions");
}

/// Runs every command of a page's sessions and compares with the output that stands below it; how many there are.
fn true_commands(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join(page)).expect("a page");
    // Where reports may be written.
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sessions").join(page.replace('/', "-"));
    let _ = std::fs::remove_dir_all(&here);
    std::fs::create_dir_all(&here).expect("a scratch folder");
    // A copy without builds: a session may build a project.
    let copied =
        Command::new("cp").arg("-a").args([&root.join("examples"), &here]).status().expect("cp can be started");
    assert!(copied.success(), "the examples are not copied");
    for project in std::fs::read_dir(here.join("examples")).expect("the examples") {
        let _ = std::fs::remove_dir_all(project.expect("an entry").path().join("_build"));
    }
    let mut commands: Vec<(&str, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command, String::new())),
                (None, Some((_, output))) => output.push_str(&format!("{line}\n")),
                (None, None) => panic!("output without a command: {line}"),
            },
        }
    }
    let plain = ["beagle ", "cd ", "grep ", "ls "];
    commands.retain(|(command, _)| plain.iter().any(|plain| command.starts_with(plain)));
    let folder = Path::new(env!("CARGO_BIN_EXE_beagle")).parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    for (command, expected) in &commands {
        let output = Command::new("bash")
            .args(["-c", command])
            .current_dir(&here)
            .env("PATH", &path)
            .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .output()
            .expect("bash can be started");
        assert_eq!(String::from_utf8_lossy(&output.stdout), *expected, "{command}");
    }
    commands.len()
}
