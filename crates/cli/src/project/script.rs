//! Evaluates `rebar.config.script`: Erlang code that makes the configuration from the terms of `rebar.config`. It is
//! evaluated as rebar3 does it, in a separate Erlang runtime.

use anyhow::{Context, bail};
use erlang::syntax::{Position, consult};
use sandbox::Ran;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use term::Term;

const TIME: Duration = Duration::from_secs(20);

/// The most bytes of output that are read.
const LONGEST: u64 = 16 << 20;

/// The line after which the configuration begins. The script's own output comes before it.
const MARK: &str = "beagle reads the configuration from here";

/// The program that evaluates the script, and prints one term on each line.
const EVALUATE: &str = r#"
[Folder, Mark] = init:get_plain_arguments(),
io:setopts(standard_io, [{encoding, unicode}]),
Config = case file:consult(filename:join(Folder, "rebar.config")) of
    {ok, Told} -> Told;
    {error, enoent} -> [];
    {error, Wrong} -> io:put_chars(standard_error, file:format_error(Wrong)), halt(1)
end,
Script = filename:join(Folder, "rebar.config.script"),
case file:script(Script, [{'CONFIG', Config}, {'SCRIPT', Script}]) of
    {ok, Terms} when is_list(Terms) ->
        io:format("~n~ts~n", [Mark]),
        lists:foreach(fun(Term) -> io:format("~0tp.~n", [Term]) end, Terms),
        halt(0);
    {ok, _} -> io:put_chars(standard_error, "it makes no list"), halt(1);
    {error, Why} -> io:put_chars(standard_error, file:format_error(Why)), halt(1)
end.
"#;

/// Returns the script of a folder, if it has one.
pub fn script_of(folder: &Path) -> Option<PathBuf> {
    Some(folder.join("rebar.config.script")).filter(|script| files::is_there(script))
}

/// Returns the configuration that the script makes. Terms that cannot be read, such as functions, are left out.
pub fn evaluated(folder: &Path) -> anyhow::Result<Vec<(Position, Term)>> {
    let named = std::env::var_os("BEAGLE_ERL").map(PathBuf::from).unwrap_or("erl".into());
    let erl = files::find_executable(&named).with_context(|| format!("{} was not found", named.display()))?;
    let mut command = Command::new(erl);
    command.args(["-noshell", "-noinput", "-boot", "no_dot_erlang", "-eval", EVALUATE, "-extra"]).arg(folder).arg(MARK);
    command.env("ERL_CRASH_DUMP_SECONDS", "0").current_dir(folder);
    let Ran { status, output, errors } = sandbox::run(command, TIME, LONGEST)?;
    if !status.success() {
        let complained = String::from_utf8_lossy(&errors);
        let first: Vec<&str> = complained.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
        bail!("{}", if first.is_empty() { status.to_string() } else { first.join("\n  ") });
    }
    let output = String::from_utf8_lossy(&output);
    let lines = output.split_once(&format!("{MARK}\n")).map_or("", |(_, lines)| lines).lines();
    Ok(lines.filter_map(|line| consult(line).ok()).flatten().collect())
}
