//! Processes of Elixir programs: agents, tasks, servers, registries and supervisors, on our machine and on the BEAM.
//!
//! The programs lie in `programs/processes`. Their heads claim the results of calls, in lines `#! f() ==> result`, as
//! Erlang prints them; with `BEAGLE_BLESS` set, the real runtime writes the results.

use crate::common::{program, run};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLAIM: &str = "#!";
const ARROW: &str = " ==> ";

struct Program {
    path: PathBuf,
    text: String,
    module: String,
}

struct Claim<'t> {
    call: &'t str,
    expected: Option<&'t str>,
}

impl Program {
    fn claims(&self) -> Vec<Claim<'_>> {
        let lines = self.text.lines().filter_map(|line| line.strip_prefix(CLAIM));
        lines
            .map(|line| match line.split_once(ARROW) {
                Some((call, expected)) => Claim { call: call.trim(), expected: Some(expected) },
                None => Claim { call: line.trim(), expected: None },
            })
            .collect()
    }

    /// The text with these results behind its claims.
    fn blessed(&self, results: &[String]) -> String {
        let width = self.claims().iter().map(|claim| claim.call.len()).max().unwrap_or_default();
        let mut results = self.claims().into_iter().map(|claim| claim.call).zip(results);
        self.text.lines().fold(String::new(), |mut text, line| {
            let claim = line.starts_with(CLAIM).then(|| results.next()).flatten();
            let _ = match claim {
                Some((call, result)) => writeln!(text, "{CLAIM} {call:width$}{ARROW}{result}"),
                None => writeln!(text, "{line}"),
            };
            text
        })
    }
}

fn programs() -> Vec<Program> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/processes");
    let mut paths: Vec<PathBuf> =
        folder.read_dir().expect("the programs").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let program = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a program");
        let module = text.lines().find_map(|line| line.strip_prefix("defmodule ")?.strip_suffix(" do"));
        let module = module.expect("a module").to_owned();
        Program { path, text, module }
    };
    paths.into_iter().map(program).collect()
}

fn compiled(programs: &[Program]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files = programs.iter().map(|program| &program.path);
    let output = Command::new("elixirc").arg("-o").arg(folder.path()).args(files).output().expect("elixirc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// What the real runtime says to every claim, each asked in a process of its own.
fn their_results(programs: &[Program], code: &Path) -> Vec<Vec<String>> {
    let calls = programs.iter().flat_map(|program| {
        program.claims().into_iter().map(|claim| format!("fn -> {}.{} end", program.module, claim.call))
    });
    let script = format!(
        "Logger.configure(level: :none); me = self()\n\
         for f <- [{}] do\n\
           spawn(fn -> send(me, {{:result, :io_lib.format(\"~0tp~n\", [f.()])}}) end)\n\
           receive do: ({{:result, text}} -> IO.write(text)), after: (20000 -> IO.puts(\"no result\"))\n\
         end",
        calls.collect::<Vec<_>>().join(", ")
    );
    let output = Command::new("elixir").arg("-pa").arg(code).args(["-e", &script]).output().expect("elixir");
    let text = String::from_utf8(output.stdout).expect("Unicode");
    let mut lines = text.lines().map(str::to_owned);
    let results: Vec<Vec<String>> =
        programs.iter().map(|program| lines.by_ref().take(program.claims().len()).collect()).collect();
    let is_complete = programs.iter().zip(&results).all(|(program, results)| program.claims().len() == results.len());
    assert!(is_complete, "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    results
}

#[test]
fn the_runtime_says_what_is_committed() {
    let programs = programs();
    let code = compiled(&programs);
    for (program, results) in programs.iter().zip(their_results(&programs, code.path())) {
        let blessed = program.blessed(&results);
        if std::env::var_os("BEAGLE_BLESS").is_some() {
            std::fs::write(&program.path, blessed).expect("the program is written");
        } else {
            assert_eq!(program.text, blessed, "{}: run `make bless`", program.module);
        }
    }
}

#[test]
fn our_machine_says_the_same() {
    let programs = programs();
    let code = compiled(&programs);
    let mut wrong = String::new();
    for program in &programs {
        for claim in program.claims() {
            let call = format!("'Elixir.{}':{}", program.module, claim.call);
            let (text, _) = run(&["run", &call, "--format", "jsonl"], &[code.path().to_path_buf()]);
            let answer: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let found = answer["value"].as_str().unwrap_or(&text);
            if claim.expected != Some(found) {
                let expected = claim.expected.unwrap_or("nothing yet: run `make bless`");
                let _ = writeln!(wrong, "{call}\n  expected: {expected}\n     found: {found}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What is found in programs that start processes, and by which inputs.
#[test]
fn searches_follow_processes() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = program("process_claims.ex");
    let output = Command::new("elixirc").arg("-o").args([folder.path(), &source]).output().expect("elixirc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = |function: &str| {
        let name = format!("ProcessClaims.{function}");
        let args = ["test", "--format", "jsonl", "--max-runs", "300", "-f", &name];
        let (text, _) = run(&args, &[folder.path().to_path_buf()]);
        let lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let bugs = lines.filter(|line| line["type"] == "bug");
        bugs.map(|bug| bug["call"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("task/1"), ["ProcessClaims.task(7)"]);
    assert_eq!(found("agent/1"), ["ProcessClaims.agent(7)"]);
    assert_eq!(found("server/1"), ["ProcessClaims.server(0)"]);
    assert_eq!(found("stream/1"), ["ProcessClaims.stream([5])"]);
    assert_eq!(found("waits/1"), ["ProcessClaims.waits(true)"]);
    assert_eq!(found("registered/1"), Vec::<String>::new());
}
