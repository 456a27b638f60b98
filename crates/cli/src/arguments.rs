//! The arguments of the commands.

use crate::project::ProjectOptions;
use beagle::SessionConfig;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use machine::Limits;
use search::Strategy;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

/// Finds the inputs that break functions of Erlang programs.
#[derive(Parser)]
#[command(name = "beagle", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Evaluates an expression on Beagle's own machine and prints its value or its exception.
    Run(RunOptions),
    /// Looks for inputs that crash functions or break their -spec.
    Test(Box<TestOptions>),
    /// Explains a code of a report, B001 for example; all of them without one.
    Explain(ExplainOptions),
}

impl Arguments {
    /// Ends the process if they are wrong, or if help was wanted.
    pub fn read() -> Arguments {
        let matches = Arguments::command().get_matches();
        let mut arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        if let (Command::Test(options), Some((_, matches))) = (&mut arguments.command, matches.subcommand()) {
            options.given = given(matches);
        }
        arguments
    }
}

/// The names of arguments that the user or the environment has given.
fn given(matches: &ArgMatches) -> HashSet<String> {
    let is_given =
        |id: &&str| matches!(matches.value_source(id), Some(ValueSource::CommandLine | ValueSource::EnvVariable));
    matches.ids().map(clap::Id::as_str).filter(is_given).map(str::to_string).collect()
}

#[derive(Args)]
pub struct ExplainOptions {
    /// A code, as reports show it.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

#[derive(Args)]
pub struct RunOptions {
    /// An Erlang expression whose calls name their modules: 'lists:map(fun(X) -> X + 1 end, [1,2])'
    pub expression: String,
    /// Source files, BEAM files, and folders of them.
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub code: CodeOptions,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args, Clone)]
pub struct TestOptions {
    /// Source files, BEAM files, folders of them, and single functions as module:name/arity. Of files, the
    /// exported functions with a -spec are tested. Without any, the project in the current folder is.
    #[arg(value_name = "PATH|M:F/A")]
    pub targets: Vec<String>,
    /// Test this function only, as module:name/arity, with * for any text. May be repeated.
    #[arg(short = 'f', long = "function", value_name = "M:F/A")]
    pub functions: Vec<String>,
    /// Test exported functions without a -spec as well: their inputs may be anything.
    #[arg(long)]
    pub all: bool,
    /// Do not look into this function, module:name/arity: what it does is known by samples only. May be repeated.
    #[arg(long = "opaque", value_name = "M:F/A")]
    pub opaque: Vec<String>,
    /// Arguments to begin with, as an Erlang list: '[1, "abc"]'; @FILE for a file with one such list on each line.
    /// May be repeated.
    #[arg(long = "seed", value_name = "[ARGS]|@FILE")]
    pub seeds: Vec<String>,
    /// Time for one function: 500ms, 30s, 2m.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub budget: Duration,
    /// Runs for one function.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_runs: Option<u64>,
    /// Which way of which branch is tried first.
    #[arg(long, value_enum, default_value = "coverage")]
    pub strategy: StrategyName,
    /// Functions that are tested side by side; as many as there are processors if not given.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// No list, tuple, map or binary of an input is longer.
    #[arg(long, value_name = "N")]
    pub size_bound: Option<usize>,
    /// Changes the order of what is tried where nothing else decides it; the same number, the same search.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random_seed: u64,
    /// An SMT-LIB 2 solver: path or name.
    #[arg(long, env = "BEAGLE_SOLVER", value_name = "PATH", default_value = "z3")]
    pub solver: PathBuf,
    /// Time for one query to the solver.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    pub solver_time: Duration,
    /// Do not ask the BEAM whether what was found is true.
    #[arg(long)]
    pub no_confirm: bool,
    /// Write every query to the solver to a file in this folder.
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    /// Show findings and the summary only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show queries and times too.
    #[arg(short, long)]
    pub verbose: bool,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    #[command(flatten)]
    pub project: ProjectOptions,
    #[command(flatten)]
    pub code: CodeOptions,
    /// Arguments that were given: a configuration says nothing about these.
    #[arg(skip)]
    pub given: HashSet<String>,
}

/// Where code comes from and what a run may use.
#[derive(Args, Clone)]
pub struct CodeOptions {
    /// A folder of BEAM files, searched before OTP's own.
    #[arg(long = "pa", value_name = "DIR")]
    pub code_paths: Vec<PathBuf>,
    /// A folder of include files.
    #[arg(short = 'I', value_name = "DIR")]
    pub include_paths: Vec<PathBuf>,
    /// A macro for source files.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub macros: Vec<String>,
    /// Where lowered modules are kept; the user's cache folder if not given.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// The `erl` of the OTP to use.
    #[arg(long, env = "BEAGLE_ERL", value_name = "PATH")]
    pub erl: Option<PathBuf>,
    /// Calls that a run may make.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Megabytes that a run may use (2048; 512 for each function that is tested at a time).
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    pub memory: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    /// One JSON object per line.
    Jsonl,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyName {
    /// Sides of branches that were never taken.
    Coverage,
    /// The earliest branches.
    Breadth,
    /// The latest branches.
    Depth,
}

impl From<StrategyName> for Strategy {
    fn from(name: StrategyName) -> Strategy {
        match name {
            StrategyName::Coverage => Strategy::Coverage,
            StrategyName::Breadth => Strategy::BreadthFirst,
            StrategyName::Depth => Strategy::DepthFirst,
        }
    }
}

impl CodeOptions {
    /// With the megabytes that a run has if nothing else was said.
    pub fn session(&self, sources: Vec<PathBuf>, memory: u64) -> SessionConfig {
        let macros = self.macros.iter().map(|text| match text.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (text.clone(), None),
        });
        SessionConfig {
            sources,
            code_paths: self.code_paths.clone(),
            include_paths: self.include_paths.clone(),
            macros: macros.collect(),
            options: Vec::new(),
            cache_dir: self.cache.clone().or_else(loader::default_cache_dir),
            erl: self.erl.clone(),
            limits: Limits {
                steps: self.steps.unwrap_or(u64::MAX),
                memory: (self.memory.unwrap_or(memory) as usize) << 20,
                ..Limits::default()
            },
        }
    }
}

/// `500ms`, `30s`, `2m`, `1.5h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a number and a unit: 500ms, 30s, 2m or 1h".to_string();
    let units = text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(units);
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
    if time.is_zero() || time > LONGEST { Err(wrong()) } else { Ok(time) }
}

/// Sums with it stay far from any overflow.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 86400);

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "5", "s", "-1s", "0s", "5 weeks", "1e300h", "infs", "nans"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
