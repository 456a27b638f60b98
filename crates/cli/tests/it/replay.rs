//! Findings on the real runtime once more.

use crate::common::{program, refused, run};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn a_kept_finding_is_replayed_by_its_identity() {
    let cache = text(&scratch("kept"));
    let shipping = [example("shipping.erl")];
    let (lines, _) = run(&["test", "--format", "jsonl", "--cache", &cache], &shipping);
    let bugs: Vec<Value> = objects(&lines).into_iter().filter(|object| object["type"] == "bug").collect();
    assert_eq!(bugs.len(), 2, "{lines}");
    for bug in &bugs {
        let identity = bug["defect"].as_str().expect("an identity");
        let (said, code) = run(&["replay", "--cache", &cache, identity], &shipping);
        assert_eq!(code, 0, "{said}");
        assert!(said.ends_with("the BEAM does what was reported"), "{said}");
        assert!(said.contains(bug["call"].as_str().expect("a call")), "{said}");
        let (said, code) = run(&["replay", "--format", "jsonl", "--cache", &cache, &identity[..8]], &shipping);
        let object = objects(&said).pop().expect("an object");
        assert_eq!((object["same"].as_bool(), &object["call"], code), (Some(true), &bug["call"], 0), "{said}");
    }
    let said = refused(&["replay", "--cache", &cache, "0123456789abcdef"], &shipping);
    assert!(said.contains("has no finding 0123456789abcdef"), "{said}");
}

#[test]
fn an_exception_has_the_stack_of_the_runtime() {
    let (said, code) = run(&["replay", "shipping:cost(30000, home, none)"], &[example("shipping.erl")]);
    let expected = "** exception error: no function clause matching shipping:base(30000,home)";
    assert!(said.contains(expected) && said.contains("in function  shipping:cost/3"), "{said}");
    assert_eq!(code, 1);
}

#[test]
fn lines_and_saved_files_are_replayed() {
    let folder = scratch("files");
    let office = [example("box_office.erl")];
    let saved = text(&folder.join("saved"));
    let (lines, _) =
        run(&["test", "--max-runs", "1000", "--format", "jsonl", "--save", &saved, "-f", "box_office:client"], &office);
    let file = folder.join("lines.jsonl");
    std::fs::write(&file, &lines).expect("a file");
    for file in [text(&file), saved] {
        let (said, code) = run(&["replay", &file], &office);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("box_office:cancel(Pid, a).\n    {ok,-1}\n"), "{said}");
        assert!(said.ends_with("the BEAM does what was reported"), "{said}");
    }
}

#[test]
fn what_is_not_as_reported_is_said() {
    let folder = scratch("otherwise");
    let file = folder.join("line.jsonl");
    let line = r#"{"type":"bug","function":"toy:foo/2","kind":"crash","class":"error","reason":"assertion","call":"toy:foo(1, 2)"}"#;
    std::fs::write(&file, line).expect("a file");
    let (said, code) = run(&["replay", &text(&file)], &[example("toy.erl")]);
    assert!(said.ends_with("the BEAM does something else than what was reported"), "{said}");
    assert_eq!(code, 1);
    std::fs::write(&file, "no json\n").expect("a file");
    let said = refused(&["replay", &text(&file)], &[example("toy.erl")]);
    assert!(said.contains("line.jsonl:1: this is no JSON line"), "{said}");
    std::fs::write(&file, "{\"type\":\"summary\"}\n").expect("a file");
    assert!(refused(&["replay", &text(&file)], &[example("toy.erl")]).contains("has no findings"));
}

#[test]
fn a_line_of_elixir_is_replayed() {
    let folder = scratch("elixir");
    std::fs::write(
        folder.join("short.ex"),
        "defmodule Short do\n  @spec first([integer()]) :: integer()\n  def first(list), do: hd(list)\nend\n",
    )
    .expect("a source");
    let made = std::process::Command::new("elixirc").args(["short.ex", "-o", "."]).current_dir(&folder).output();
    assert!(made.is_ok_and(|made| made.status.success()), "elixirc cannot compile");
    let beam = [folder.join("Elixir.Short.beam")];
    let (lines, _) = run(&["test", "--format", "jsonl"], &beam);
    let file = folder.join("lines.jsonl");
    std::fs::write(&file, &lines).expect("a file");
    let (said, code) = run(&["replay", &text(&file)], &beam);
    assert!(said.contains("Short.first([])") && said.ends_with("the BEAM does what was reported"), "{said}");
    assert_eq!(code, 0);
}

#[test]
fn an_order_is_forced_and_can_be_forced_again() {
    let folder = scratch("orders");
    let schedule = text(&folder.join("schedule"));
    let counter = [example("processes/counter.erl")];
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..12 {
        let seed = seed.to_string();
        let args = ["replay", "--format", "jsonl", "--order", &seed, "--save-schedule", &schedule, "counter:counted()"];
        let (said, code) = run(&args, &counter);
        let object = objects(&said).pop().expect("an object");
        assert_eq!((object["followed"].as_bool(), code), (Some(true), 0), "{said}");
        let outcome = object["outcome"].as_str().expect("an outcome").to_string();
        seen.entry(outcome).or_insert_with(|| std::fs::read_to_string(&schedule).expect("a schedule"));
    }
    assert!(seen.contains_key("[{n,1}]") || seen.contains_key("[{n,2}]"), "no update was lost: {seen:?}");
    for (outcome, turns) in &seen {
        std::fs::write(&schedule, turns).expect("a schedule");
        let (said, code) = run(&["replay", "--schedule", &schedule, "counter:counted()"], &counter);
        assert!(said.contains(&format!("    {outcome}\n")) && said.contains("the schedule was followed"), "{said}");
        assert_eq!(code, 0);
    }
}

#[test]
fn an_order_is_forced_on_elixir() {
    let folder = scratch("elixir_orders");
    let source = "defmodule Races do\n  def agents do\n    {:ok, agent} = Agent.start_link(fn -> 0 end)\n    tasks = for _ <- 1..2 do\n      \
        Task.async(fn ->\n        n = Agent.get(agent, & &1)\n        Agent.update(agent, fn _ -> n + 1 end)\n      end)\n    end\n    \
        Enum.each(tasks, &Task.await/1)\n    Agent.get(agent, & &1)\n  end\nend\n";
    std::fs::write(folder.join("races.ex"), source).expect("a source");
    let made = std::process::Command::new("elixirc").args(["races.ex", "-o", "."]).current_dir(&folder).output();
    assert!(made.is_ok_and(|made| made.status.success()), "elixirc cannot compile");
    let beam = [folder.join("Elixir.Races.beam")];
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let args = ["replay", "--format", "jsonl", "--order", &seed.to_string(), "'Elixir.Races':agents()"];
        let (said, code) = run(&args, &beam);
        let object = objects(&said).pop().expect("an object");
        assert_eq!((object["followed"].as_bool(), code), (Some(true), 0), "{said}");
        seen.insert(object["outcome"].as_str().expect("an outcome").to_string());
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["1", "2"]);
}

#[test]
fn a_schedule_that_cannot_be_followed_is_left_by_name() {
    let folder = scratch("left");
    let schedule = folder.join("schedule");
    std::fs::write(&schedule, "# what does not happen\nmain ets:new/2\nmain ets:delete/1\n").expect("a schedule");
    let counter = [example("processes/counter.erl")];
    let (said, code) = run(&["replay", "--schedule", &text(&schedule), "counter:counted()"], &counter);
    let left = "the schedule was left at operation 2 of 2, main ets:delete/1: the processes wanted main ets:insert/2";
    assert!(said.contains(left), "{said}");
    assert_eq!(code, 4);
    std::fs::write(&schedule, "main ets:new/2\nsomebody sends\n").expect("a schedule");
    let said = refused(&["replay", "--schedule", &text(&schedule), "counter:counted()"], &counter);
    assert!(said.contains("schedule:2: write a process and what it does"), "{said}");
}

#[test]
fn what_acts_on_the_outside_is_stopped() {
    let (said, code) = run(&["replay", "file:write_file(\"/tmp/beagle_replayed\", <<>>)"], &[program("tested.erl")]);
    assert!(said.contains("which acts on the outside"), "{said}");
    assert_eq!(code, 4);
}

/// What cannot be read is named as such, and not as something else than what was reported.
#[test]
fn what_cannot_be_read_is_named() {
    let folder = scratch("unreadable");
    let toy = [example("toy.erl")];
    let (lines, _) = run(&["test", "--format", "jsonl"], &toy);
    let bug = lines.lines().find(|line| line.contains("\"type\":\"bug\"")).expect("a finding");
    let file = folder.join("findings");
    for broken in ["toy:foo(100000, ", "toy:foo(#Fun<a.1.2>, <0.1.2>)"] {
        std::fs::write(&file, bug.replace("toy:foo(100000, 50001)", broken)).expect("a file");
        let (said, code) = run(&["replay", &text(&file)], &toy);
        assert!(
            code == 2 && said.contains("the call of this finding cannot be read: take the line as"),
            "{code} {said}"
        );
        let (said, code) = run(&["replay", "--format", "jsonl", &text(&file)], &toy);
        assert!(code == 2 && objects(&said)[0]["same"].is_null(), "{code} {said}");
    }
    let (said, code) = run(&["replay", "toy:foo(1"], &toy);
    assert!(code == 2 && said.ends_with("this is no Erlang expression, so nothing was evaluated"), "{code} {said}");
    std::fs::write(&file, bug).expect("a file");
    let elsewhere = refused(&["replay", &text(&file)], &[example("shipping.erl")]);
    assert!(elsewhere.contains("the finding is of module toy, which is not among the code"), "{elsewhere}");
    for (what, why) in [
        ("nothing.jsonl", "there is no such file, and it is no Erlang expression"),
        ("/nowhere/findings", "there is no such file, and it is no Erlang expression"),
        (&*text(&folder), "is a folder: name a file of findings"),
        ("", "there is nothing to replay"),
    ] {
        let said = refused(&["replay", what], &toy);
        assert!(said.contains(why), "{what}: {said}");
    }
}

#[test]
fn identities_are_others_in_every_run() {
    let folder = scratch("identities");
    let source = folder.join("gone.erl");
    std::fs::write(
        &source,
        "-module(gone).\n-export([ask/1]).\n-spec ask(integer()) -> term().\n\
         ask(X) ->\n    Pid = spawn(fun() -> ok end),\n    {Pid, Monitor} = {Pid, monitor(process, Pid)},\n    \
         receive {'DOWN', Monitor, process, Pid, _} -> error({gone, Pid, make_ref(), X}) end.\n",
    )
    .expect("a source");
    let (lines, _) = run(&["test", "--format", "jsonl"], std::slice::from_ref(&source));
    let file = folder.join("lines.jsonl");
    std::fs::write(&file, &lines).expect("a file");
    let (said, code) = run(&["replay", &text(&file)], &[source]);
    assert!(said.contains("gone:ask(0)") && said.ends_with("the BEAM does what was reported"), "{said}");
    assert_eq!(code, 0);
}

#[test]
fn an_order_that_ends_the_caller_is_told() {
    let folder = scratch("ended");
    let source = folder.join("linked.erl");
    std::fs::write(
        &source,
        "-module(linked).\n-export([wait/0, late/0]).\n\
         wait() -> spawn_link(fun() -> exit(bad) end), receive never -> ok end.\n\
         late() -> Me = self(), spawn_link(fun() -> Me ! go, exit(bad) end), receive go -> done end.\n",
    )
    .expect("a source");
    for call in ["linked:wait()", "linked:late()"] {
        let args = ["replay", "--format", "jsonl", "--order", "1", call];
        let (said, code) = run(&args, std::slice::from_ref(&source));
        let object = objects(&said).pop().expect("an object");
        assert_eq!((object["followed"].as_bool(), code), (Some(true), 1), "{said}");
        assert!(object["outcome"].as_str().is_some_and(|outcome| outcome.contains("bad")), "{said}");
    }
}

#[test]
fn a_word_is_neither_an_identity_nor_an_expression() {
    for word in ["zzzzzz", "Zz_1", "abcdefgh"] {
        let said = refused(&["replay", word], &[example("toy.erl")]);
        assert!(said.contains(&format!("{word} is neither a file nor the identity of a finding")), "{said}");
    }
}
