//! The arguments of the commands.

use beagle::SessionConfig;
use clap::{Args, Parser, Subcommand, ValueEnum};
use machine::Limits;
use std::path::PathBuf;

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
    /// Looks for inputs that crash a function (integer inputs so far).
    Test(TestOptions),
}

#[derive(Args)]
pub struct RunOptions {
    /// An Erlang expression whose calls name their modules: 'lists:map(fun(X) -> X + 1 end, [1,2])'
    pub expression: String,
    #[command(flatten)]
    pub code: CodeOptions,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args)]
pub struct TestOptions {
    /// The function, as module:name/arity.
    #[arg(short, long)]
    pub function: String,
    #[command(flatten)]
    pub code: CodeOptions,
    /// Runs at most.
    #[arg(long, default_value_t = 1000)]
    pub max_runs: usize,
    /// The solver's executable.
    #[arg(long, env = "BEAGLE_SOLVER", default_value = "z3")]
    pub solver: PathBuf,
    /// Milliseconds for one query.
    #[arg(long, default_value_t = 2000)]
    pub solver_time: u64,
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

/// Where code comes from and what a run may use.
#[derive(Args)]
pub struct CodeOptions {
    /// Source files, BEAM files, and folders of them.
    pub files: Vec<PathBuf>,
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
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Megabytes that a run may use.
    #[arg(long, value_name = "MB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    pub memory: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    /// One JSON object per line.
    Jsonl,
}

impl CodeOptions {
    pub fn session(&self) -> SessionConfig {
        let macros = self.macros.iter().map(|text| match text.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (text.clone(), None),
        });
        SessionConfig {
            sources: self.files.clone(),
            code_paths: self.code_paths.clone(),
            include_paths: self.include_paths.clone(),
            macros: macros.collect(),
            cache_dir: self.cache.clone().or_else(loader::default_cache_dir),
            erl: self.erl.clone(),
            limits: Limits {
                steps: self.steps.unwrap_or(u64::MAX),
                memory: (self.memory as usize) << 20,
                ..Limits::default()
            },
        }
    }
}
