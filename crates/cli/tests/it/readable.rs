//! Calls that people can read.

use crate::common::run;
use serde_json::Value;
use std::path::{Path, PathBuf};

const SOURCE: &str = "-module(connection).\n-export([send/2, pad/1]).\n\
    -record(connection, {host = \"localhost\" :: string(), port = 80 :: integer(), timeout = infinity :: infinity | pos_integer(),\n\
    user :: undefined | string(), password :: undefined | string(), buffer = <<>> :: binary(), tries = 3 :: integer(),\n\
    log = [] :: [string()], keep_alive = true :: boolean(), secure = false :: boolean()}).\n\
    -spec send(#connection{}, #connection{}) -> ok | {error, term()}.\n\
    send(#connection{port = Port}, #connection{port = Port}) when Port < 0 -> list_to_integer(\"port\"), ok;\n\
    send(_, _) -> {error, refused}.\n\
    -spec pad(binary()) -> ok | {error, term()}.\n\
    pad(B) when byte_size(B) > 300 -> list_to_integer(\"pad\"), ok;\npad(_) -> {error, short}.\n";

fn file() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readable");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let file = folder.join("connection.erl");
    std::fs::write(&file, SOURCE).expect("a scratch file");
    file
}

/// What is bound to a variable, what has its default, and what repeats: people see none of it twice.
#[test]
fn long_calls_are_laid_out() {
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readable.jsonl");
    let to_file = format!("jsonl={}", output.display());
    let (text, code) = run(&["test", "--budget", "20s", "--show", "all", "--output", &to_file], &[file()]);
    assert_eq!(code, 1, "{text}");
    let default = "undefined,undefined,<<>>,3,[],true,false}";
    let call = format!(
        "Connection = {{connection,\"localhost\",-1,infinity,{default},\n    connection:send(Connection, Connection)."
    );
    assert!(text.contains(&call), "{text}");
    for note in ["% argument 1 is #connection{port = -1}", "% argument 2 is #connection{port = -1}"] {
        assert!(text.contains(note), "{text}");
    }
    assert!(text.contains("connection:pad(binary:copy(<<"), "{text}");
    // The BEAM was asked about this text, and programs get one line that means the same.
    assert_eq!(text.matches("  confirmed on the BEAM").count(), 2, "{text}");
    let lines = std::fs::read_to_string(output).expect("a report");
    for line in lines.lines().filter(|line| line.contains("\"type\":\"bug\"")) {
        let bug: Value = serde_json::from_str(line).expect("an object");
        let call = bug["call"].as_str().expect("a call");
        assert!(!call.contains('\n'), "{call}");
        let (outcome, code) = run(&["run", "--", call], &[file()]);
        assert!(code == 1 && outcome.contains("exception error: bad argument"), "{call}: {outcome}");
    }
}
