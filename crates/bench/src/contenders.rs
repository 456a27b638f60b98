//! The two contenders, Beagle and the BEAM, and how each runs a program.

use crate::child::{self, Used};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The memory in megabytes of programs that get less than the default of a run.
const CAPS: &[(&str, u64)] = &[("allocation_churn", 512)];

/// A run by Beagle. The processor time is that of the whole process, including its start.
pub struct OurRun {
    /// The value as an Erlang term, or the failure.
    pub value: Result<String, String>,
    pub used: Used,
}

impl OurRun {
    /// Returns the faster of two runs, with the larger memory of both. A run without a value is kept, because it must
    /// be reported.
    pub fn better(self, other: OurRun) -> OurRun {
        let peak_mb = self.used.peak_mb.max(other.used.peak_mb);
        let mut better = match (&self.value, &other.value) {
            (Err(_), _) => self,
            (_, Err(_)) => other,
            (Ok(_), Ok(_)) if self.used.cpu_seconds <= other.used.cpu_seconds => self,
            (Ok(_), Ok(_)) => other,
        };
        better.used.peak_mb = peak_mb;
        better
    }
}

pub struct Ours {
    pub beagle: PathBuf,
    pub cache: PathBuf,
}

impl Ours {
    pub fn run(&self, program: &Path, divisor: u32) -> anyhow::Result<OurRun> {
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        let mut command = self.command(&format!("{name}:main({name}:size() div {divisor})"));
        command.args(["--format", "jsonl"]);
        if let Some((_, megabytes)) = CAPS.iter().find(|(capped, _)| *capped == name) {
            command.args(["--memory", &megabytes.to_string()]);
        }
        let ended = child::run(command.arg(program))?;
        Ok(OurRun { value: value_of(&ended.output), used: ended.used })
    }

    fn command(&self, expression: &str) -> Command {
        let mut command = Command::new(&self.beagle);
        command.args(["run", expression, "--cache"]).arg(&self.cache);
        command
    }
}

fn value_of(output: &str) -> Result<String, String> {
    let answer: serde_json::Value = serde_json::from_str(output.trim()).map_err(|_| "no answer".to_string())?;
    match answer["value"].as_str() {
        Some(value) => Ok(value.to_string()),
        None => Err(output.trim().to_string()),
    }
}

/// A run by the BEAM, and its judgement on our value.
pub struct BeamRun {
    pub value: String,
    pub same: bool,
    /// The processor time of the call alone, as counted by the BEAM over all its threads.
    pub cpu_seconds: f64,
    pub peak_mb: f64,
}

impl BeamRun {
    /// Combines two runs: the smaller time and the larger memory. The values are the same only if they were in both
    /// runs.
    pub fn better(self, other: BeamRun) -> BeamRun {
        BeamRun {
            value: if self.same { other.value } else { self.value },
            same: self.same && other.same,
            cpu_seconds: self.cpu_seconds.min(other.cpu_seconds),
            peak_mb: self.peak_mb.max(other.peak_mb),
        }
    }
}

pub struct Beam {
    erl: PathBuf,
    code: PathBuf,
}

impl Beam {
    pub fn compile(erl: &Path, programs: &[PathBuf], code: &Path) -> anyhow::Result<Beam> {
        let files: Vec<String> = programs.iter().map(|file| format!("{:?}", file.to_string_lossy())).collect();
        let compile = format!(
            "[{{ok, _}} = compile:file(F, [{{outdir, {:?}}}, report]) || F <- [{}]], io:put_chars(\"compiled\"), halt().",
            code.to_string_lossy(),
            files.join(",")
        );
        let ended = child::run(Command::new(erl).args(["-noshell", "-eval", &compile]))?;
        if ended.output != "compiled" {
            bail!("the programs do not compile: {}", ended.output);
        }
        Ok(Beam { erl: erl.to_path_buf(), code: code.to_path_buf() })
    }

    /// Runs a program. The BEAM reads our value back and compares the terms, so printing cannot hide a difference.
    pub fn run(&self, name: &str, divisor: u32, our_value: Option<&str>) -> anyhow::Result<BeamRun> {
        let script = format!(
            "erlang:statistics(runtime), \
             Value = {name}:main({name}:size() div {divisor}), \
             {{_, Milliseconds}} = erlang:statistics(runtime), \
             Same = case os:getenv(\"OUR_VALUE\") of \
                 false -> false; \
                 Text -> {{ok, Tokens, _}} = erl_scan:string(Text ++ \".\"), \
                         {{ok, Term}} = erl_parse:parse_term(Tokens), Term =:= Value \
             end, \
             io:format(\"~w ~w ~0tp\", [Milliseconds, Same, Value]), halt()."
        );
        let mut command = self.command(&script);
        if let Some(text) = our_value {
            command.env("OUR_VALUE", text);
        }
        let ended = child::run(&mut command)?;
        let mut parts = ended.output.splitn(3, ' ');
        let mut next = || parts.next().with_context(|| format!("the BEAM's answer for {name}: {}", ended.output));
        let cpu_seconds = next()?.parse::<f64>()? / 1000.0;
        let same = next()? == "true";
        Ok(BeamRun { value: next()?.to_string(), same, cpu_seconds, peak_mb: ended.used.peak_mb })
    }

    /// Returns the command for a script. The schedulers do not spin when idle, since that is not the program's time.
    fn command(&self, script: &str) -> Command {
        let mut command = Command::new(&self.erl);
        command.args(["+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none", "-noshell", "-pa"]);
        command.arg(&self.code).args(["-eval", script]);
        command
    }
}

/// The least time from the command to its end for `1+1`, with everything in the cache. The least counts, because load
/// only adds.
pub struct StartUp {
    pub ours: Used,
    pub beam: Used,
}

impl StartUp {
    pub fn measure(beam: &Beam, ours: &Ours) -> anyhow::Result<StartUp> {
        const TIMES: usize = 7;
        let least = |run: &dyn Fn() -> anyhow::Result<Used>| {
            let runs: anyhow::Result<Vec<Used>> = (0..TIMES).map(|_| run()).collect();
            let least = runs?.into_iter().min_by(|a, b| a.wall_seconds.total_cmp(&b.wall_seconds));
            least.context("at least one run")
        };
        let start_ours = || {
            let ended = child::run(&mut ours.command("1+1"))?;
            if ended.output.trim() != "2" {
                bail!("1+1 gave {}", ended.output);
            }
            Ok(ended.used)
        };
        let start_beam = || Ok(child::run(&mut beam.command("io:format(\"~p\", [1+1]), halt()."))?.used);
        Ok(StartUp { ours: least(&start_ours)?, beam: least(&start_beam)? })
    }
}
