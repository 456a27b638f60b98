//! `rebar.config.script`: Erlang that makes the configuration, from what `rebar.config` says. It is evaluated as rebar3
//! does it, in an Erlang of its own.

use anyhow::{Context, bail};
use erlang::syntax::{Position, consult};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use term::Term;

const TIME: Duration = Duration::from_secs(20);

/// Of what it prints, in bytes.
const LONGEST: u64 = 16 << 20;

/// What the script prints itself comes before it.
const MARK: &str = "beagle reads the configuration from here";

/// One term on each line.
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

/// The script of a folder, if it has one.
pub fn script_of(folder: &Path) -> Option<PathBuf> {
    Some(folder.join("rebar.config.script")).filter(|script| files::is_there(script))
}

/// The configuration that the script makes. What cannot be read, functions for example, is left out.
pub fn evaluated(folder: &Path) -> anyhow::Result<Vec<(Position, Term)>> {
    let named = std::env::var_os("BEAGLE_ERL").map(PathBuf::from).unwrap_or("erl".into());
    let erl = files::find_executable(&named).with_context(|| format!("{} was not found", named.display()))?;
    let mut command = Command::new(erl);
    command.args(["-noshell", "-noinput", "-boot", "no_dot_erlang", "-eval", EVALUATE, "-extra"]).arg(folder).arg(MARK);
    command
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = sandbox::spawn(command).context("erl cannot be started")?;
    let collect = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            stream.map(|stream| stream.take(LONGEST).read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let output = collect(child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let complained = collect(child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let end = Instant::now() + TIME;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                bail!("it takes longer than {} s", TIME.as_secs());
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    // Something that the script has started may keep the streams open.
    let heard = |listener: JoinHandle<String>| {
        while !listener.is_finished() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
        if listener.is_finished() { listener.join().ok() } else { None }
    };
    let (Some(output), Some(complained)) = (heard(output), heard(complained)) else {
        bail!("it starts a program that does not end and keeps its output open");
    };
    if !status.success() {
        let first: Vec<&str> = complained.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
        bail!("{}", if first.is_empty() { status.to_string() } else { first.join("\n  ") });
    }
    let lines = output.split_once(&format!("{MARK}\n")).map_or("", |(_, lines)| lines).lines();
    Ok(lines.filter_map(|line| consult(line).ok()).flatten().collect())
}
