//! The command line: commands, their options, and how values are parsed.

use crate::evaluating::{ReplayOptions, RunOptions, TraceOptions, with_marked_expression};
use crate::project::ProjectOptions;
use crate::test::effects::ExecutorName;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use frontend::CodeConfig;
use machine::Limits;
use report::rank::Category;
use search::Strategy;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Finds inputs that break Erlang and Elixir functions.
#[derive(Parser)]
#[command(name = "beagle", version, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Evaluate an expression on Beagle's own machine and print its value or its exception.
    Run(RunOptions),
    /// Show what an evaluation does: calls, clauses, bindings and results, one after the other.
    Trace(TraceOptions),
    /// Look for inputs that crash functions or break their -spec.
    Test(Box<TestOptions>),
    /// Find inputs that execute a line or a function, or prove that there are none.
    Reach(Box<ReachOptions>),
    /// Evaluate findings once more on the real BEAM, and say whether they are as they were reported.
    Replay(ReplayOptions),
    /// Report the results of several partitions (`beagle test --partition K/N --save FILE`) as one.
    Merge(MergeOptions),
    /// Print the completion script of a shell.
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual pages, one for each command, to a folder.
    Man {
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Remove the kept results of the project in the current folder.
    Clean(CleanOptions),
    /// Explain a code of a report, such as B001, or all codes.
    Explain(ExplainOptions),
}

impl Arguments {
    /// Reads the command line. Ends the process if it is invalid or asks for help.
    pub fn read() -> Arguments {
        let command = Arguments::command();
        let words = with_marked_expression(&command, std::env::args_os().collect());
        let matches = command.try_get_matches_from(words).unwrap_or_else(|error| refuse(&error));
        let mut arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| refuse(&error));
        if let (Command::Test(options), Some((_, matches))) = (&mut arguments.command, matches.subcommand()) {
            options.given = given(matches);
        }
        arguments
    }
}

/// Ends the process with help, or with an error message in which hidden characters are made visible.
fn refuse(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    crate::streams::said(&error.render().to_string());
    std::process::exit(error.exit_code())
}

/// Returns the names of the arguments that the user or the environment has given.
fn given(matches: &ArgMatches) -> HashSet<String> {
    let is_given =
        |id: &&str| matches!(matches.value_source(id), Some(ValueSource::CommandLine | ValueSource::EnvVariable));
    matches.ids().map(clap::Id::as_str).filter(is_given).map(str::to_string).collect()
}

#[derive(Args)]
pub struct ExplainOptions {
    /// The code, as shown in a report; all codes if omitted.
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

#[derive(Args, Clone)]
pub struct TestOptions {
    /// Source files, BEAM files, folders of them, and single functions as module:name/arity. Tests the exported
    /// functions with a -spec in the files; without arguments, those of the project in the current folder.
    #[arg(value_name = "PATH|M:F/A")]
    pub targets: Vec<String>,
    /// Test only this function: module:name/arity, with * for any text. May be repeated.
    #[arg(short = 'f', long = "function", value_name = "M:F/A")]
    pub functions: Vec<String>,
    /// Also test exported functions without a -spec: their inputs may be any terms.
    #[arg(long)]
    pub all: bool,
    /// Also test callbacks of behaviours by themselves, with states that no client may be able to bring about.
    #[arg(long)]
    pub callbacks: bool,
    /// A function with one parameter (module:name/1) that must be true of the state of its module's servers, or of its
    /// values of an opaque type, after every step of a client. May be repeated.
    #[arg(long = "invariant", value_name = "M:F/1")]
    pub invariants: Vec<String>,
    /// Do not execute this function (module:name/arity) symbolically: learn it from samples. May be repeated.
    #[arg(long = "opaque", value_name = "M:F/A")]
    pub opaque: Vec<String>,
    /// Call this function (module:name/0) before each run, so that what it starts and sets is there. May be repeated.
    #[arg(long = "setup", value_name = "M:F/0")]
    pub setups: Vec<String>,
    /// Start this application, and those that it needs, before each run; a dot means the applications of the project.
    /// May be repeated. Without it, an application of the project is started for the functions that need it; "none" starts
    /// nothing.
    #[arg(long = "start", value_name = "APP")]
    pub start: Vec<String>,
    /// Arguments to start with, as an Erlang list, or an Elixir list for Elixir functions: '[1, "abc"]'. @FILE names a
    /// file with one list per line. May be repeated.
    #[arg(long = "seed", value_name = "[ARGS]|@FILE")]
    pub seeds: Vec<String>,
    /// Time limit for one function: 500ms, 30s, 2m.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub budget: Duration,
    /// Time limit for all functions together: each gets a short turn, then those that make progress get the rest.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub total_budget: Option<Duration>,
    /// Limit of runs for one function.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_runs: Option<u64>,
    /// Which branches to try first.
    #[arg(long, value_enum, default_value = "coverage")]
    pub strategy: StrategyName,
    /// Ignore kept results and test everything again.
    #[arg(long)]
    pub fresh: bool,
    /// Test only one part of the functions: 2/3 is the second of three. A function is always in the same part.
    #[arg(long, value_name = "K/N", value_parser = partition)]
    pub partition: Option<Partition>,
    /// Write all results to a file that `beagle merge` reads.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Number of functions to test in parallel [default: number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Memory limit of the whole command in megabytes [default: three quarters of the memory]. A function that takes
    /// too much of it is stopped, and its verdict says so.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1 << 30))]
    pub total_memory: Option<u64>,
    /// Largest size of a list, tuple, map or binary in an input.
    #[arg(long, value_name = "N")]
    pub size_bound: Option<usize>,
    /// Seed for random choices of the search: the same number gives the same search.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random_seed: u64,
    /// The SMT-LIB 2 solver: a path or a name.
    #[arg(long, env = "BEAGLE_SOLVER", value_name = "PATH", default_value = "z3")]
    pub solver: PathBuf,
    /// A second solver that checks queries which the first called unsatisfiable, before Beagle says that all paths are
    /// explored [default: cvc5 if it is installed, else the first solver with another seed]
    #[arg(long, value_name = "PATH")]
    pub second_solver: Option<PathBuf>,
    /// Time limit for one query to the solver.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    pub solver_time: Duration,
    /// Write regression tests for the findings to this folder: EUnit modules, and ExUnit files for Elixir. Adds to
    /// existing files.
    #[arg(long, value_name = "DIR", conflicts_with = "no_confirm")]
    pub emit_tests: Option<PathBuf>,
    /// The results to write tests for.
    #[arg(long, value_enum, default_value = "bugs", requires = "emit_tests")]
    pub emit_tests_for: EmitFor,
    /// How the BEAM confirms findings. Only the command line accepts this option, not a configuration.
    #[arg(long, value_enum, default_value = "sandboxed", value_name = "HOW")]
    pub confirm: Confirm,
    /// Do not confirm findings on the BEAM: the same as --confirm never.
    #[arg(long, conflicts_with = "confirm")]
    pub no_confirm: bool,
    /// The executor of the functions: Beagle's own machine, the BEAM with instrumented code, or both to compare them.
    #[arg(long, value_enum, default_value = "machine", value_name = "WHO")]
    pub executor: ExecutorName,
    /// The effects that functions may have outside, run by the BEAM in a sandbox: functions (file:read_file/1, gen_tcp:*),
    /// read=PATH, exec=PROGRAM, loopback for sockets; erlang:load_nif/2 for native code. May be repeated.
    #[arg(long = "allow-effects", value_name = "EFFECT,...", value_delimiter = ',')]
    pub allow_effects: Vec<String>,
    /// Also compare the clauses that these modules of libraries choose: lists,string. Needs --executor beam or both.
    #[arg(long, value_name = "MODULE,...", value_delimiter = ',')]
    pub instrument: Vec<String>,
    /// Also report lines of the user's modules that no input executes.
    #[arg(long)]
    pub dead_code: bool,
    /// Write each query to the solver to a file in this folder.
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    #[command(flatten)]
    pub project: ProjectOptions,
    #[command(flatten)]
    pub reports: ReportOptions,
    #[command(flatten)]
    pub code: CodeOptions,
    /// Names of the arguments that were given, which take precedence over a configuration.
    #[arg(skip)]
    pub given: HashSet<String>,
    /// Whether the code gets marks, which other modules than the sources have them, too.
    #[arg(skip)]
    pub marks: Option<Vec<term::Atom>>,
    /// Whether the order of the code's processes can be forced.
    #[arg(skip)]
    pub is_conducted: bool,
}

#[derive(Args)]
pub struct ReachOptions {
    /// The places to reach: FILE:LINE, FILE:LINE:COLUMN where a line has several expressions, or a function as
    /// module:name/arity. @FILE names a file with one target per line.
    #[arg(value_name = "TARGET|@FILE")]
    pub targets: Vec<String>,
    /// Also the lines that the tests of the project do not cover: a file that cover:export/1 has written.
    #[arg(long, value_name = "COVERDATA")]
    pub uncovered: Option<PathBuf>,
    /// Start from this function only: module:name/arity. May be repeated [default: all exported functions]
    #[arg(long, value_name = "M:F/A")]
    pub from: Vec<String>,
    /// Further source files, BEAM files, and folders of them. May be repeated.
    #[arg(long = "source", value_name = "PATH")]
    pub sources: Vec<String>,
    /// Time limit for one target: 500ms, 30s, 2m.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub budget: Duration,
    /// Format of the output.
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// Write a test for each target that is reached to this folder. Adds to existing files.
    #[arg(long, value_name = "DIR", conflicts_with = "no_confirm")]
    pub emit_tests: Option<PathBuf>,
    /// Do not execute this function (module:name/arity) symbolically: learn it from samples. May be repeated.
    #[arg(long = "opaque", value_name = "M:F/A")]
    pub opaque: Vec<String>,
    /// Do not confirm on the BEAM that targets are reached.
    #[arg(long)]
    pub no_confirm: bool,
    /// Do not build the project first.
    #[arg(long)]
    pub no_build: bool,
    /// Seed for random choices of the search: the same number gives the same search.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random_seed: u64,
    /// The SMT-LIB 2 solver: a path or a name.
    #[arg(long, env = "BEAGLE_SOLVER", value_name = "PATH", default_value = "z3")]
    pub solver: PathBuf,
    /// Time limit for one query to the solver.
    #[arg(long, value_name = "TIME", default_value = "250ms", value_parser = duration)]
    pub solver_time: Duration,
    #[command(flatten)]
    pub code: CodeOptions,
}

#[derive(Args)]
pub struct MergeOptions {
    /// Files written by `beagle test --save`.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Baseline of known findings, which are counted and not reported [default: that of the project in the current
    /// folder, else those of the saved parts]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to the baseline.
    #[arg(long)]
    pub update_baseline: bool,
    /// Ignore beagle.toml and beagle_opts in rebar.config.
    #[arg(long)]
    pub no_config: bool,
    #[command(flatten)]
    pub reports: ReportOptions,
}

#[derive(Args)]
pub struct CleanOptions {
    /// The folder that was passed to `beagle test --cache`.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl TestOptions {
    /// Returns whether the BEAM is asked about findings.
    pub fn confirms(&self) -> bool {
        !self.no_confirm && self.confirm != Confirm::Never
    }

    /// Returns the options of a command line without arguments.
    pub fn unsaid() -> Result<TestOptions, clap::Error> {
        let command = TestOptions::augment_args(clap::Command::new("test"));
        TestOptions::from_arg_matches(&command.try_get_matches_from(["test"])?)
    }
}

/// Which reports are written, and where.
#[derive(Args, Clone)]
pub struct ReportOptions {
    /// Print only findings and the summary.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also print queries and times.
    #[arg(short, long)]
    pub verbose: bool,
    /// Format of standard output.
    #[arg(long, value_enum, default_value = "human")]
    pub format: ReportFormat,
    /// Also write a report to a file at the end: --output junit=report.xml. May be repeated.
    #[arg(long = "output", value_name = "FORMAT=FILE", value_parser = output)]
    pub outputs: Vec<(ReportFormat, PathBuf)>,
    /// Which findings are shown besides likely bugs: specification, unlikely, deliberate, environment, or all; several
    /// with commas. The others are counted for each function.
    #[arg(long, value_name = "CATEGORIES", default_value = "likely", value_parser = categories)]
    pub show: Categories,
    /// For which findings the exit code is 1: likely, specification, unlikely, deliberate, environment, or all; several
    /// with commas.
    #[arg(long, value_name = "CATEGORIES", default_value = "likely", value_parser = categories)]
    pub fail_on: Categories,
    /// Write HTML pages to this folder at the end: findings, branches in the source, and runs.
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
    /// Where the configuration of a project names places of reports, by these places.
    #[arg(skip)]
    origins: BTreeMap<PathBuf, String>,
}

impl ReportOptions {
    /// Records the origin of the places that these options have and `before` did not have: a line of a file in the project.
    pub fn note_origin(&mut self, before: &ReportOptions, origin: &str) {
        let places = |options: &ReportOptions| -> Vec<PathBuf> {
            let files = options.outputs.iter().map(|(_, file)| file.clone());
            files.chain(options.html.clone()).collect()
        };
        let known = places(before);
        for place in places(self).into_iter().filter(|place| !known.contains(place)) {
            self.origins.insert(place, origin.to_string());
        }
    }

    /// Adds to an error where a project's configuration names the place that it is about.
    pub fn with_origin<T>(&self, place: &Path, result: anyhow::Result<T>) -> anyhow::Result<T> {
        result.map_err(|error| match self.origins.get(place) {
            Some(origin) => anyhow::anyhow!(
                "{origin}: {error:#}. A project can only name places inside of it that no link leads to; any other can be \
                 named on the command line"
            ),
            None => error,
        })
    }
}

/// One of `parts` parts of the functions; the first has index 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    pub index: u64,
    pub parts: u64,
}

/// Where code comes from, and the limits of a run.
#[derive(Args, Clone)]
pub struct CodeOptions {
    /// A folder of BEAM files, searched before OTP's own. May be repeated.
    #[arg(long = "pa", value_name = "DIR")]
    pub code_paths: Vec<PathBuf>,
    /// A folder of include files. May be repeated.
    #[arg(short = 'I', value_name = "DIR")]
    pub include_paths: Vec<PathBuf>,
    /// A macro for source files. May be repeated.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub macros: Vec<String>,
    /// The folder for lowered modules, unless it lies in a project [default: the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// The `erl` of the OTP to use.
    #[arg(long, env = "BEAGLE_ERL", value_name = "PATH")]
    pub erl: Option<PathBuf>,
    /// Time limit for compiling one module, including its parse transforms.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub compile_time: Duration,
    /// Limit of calls for one run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Memory limit of one run in megabytes [default: 2048 for `run`, 512 for `test`]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    pub memory: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    /// One JSON object per line.
    Jsonl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Text for people.
    Human,
    /// One JSON object per line.
    Jsonl,
    /// JUnit XML, for CI servers.
    Junit,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
    /// Annotations in the log of a GitHub workflow.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Confirm {
    /// In a sandbox, so that invented inputs cannot harm your machine. Without a sandbox, nothing is confirmed.
    Sandboxed,
    /// Without a sandbox: only for code that is harmless with any input.
    Trusting,
    /// Do not confirm findings.
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EmitFor {
    /// Findings: a test fails as long as the bug exists.
    Bugs,
    /// Findings, and what the function does today on each of its first paths.
    Paths,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrategyName {
    /// Branches that are not covered yet.
    Coverage,
    /// The earliest branches of a path.
    Breadth,
    /// The latest branches of a path.
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
    /// Returns the limits of a run. `memory` is the default memory limit in megabytes.
    pub fn limits(&self, memory: u64) -> Limits {
        Limits {
            steps: self.steps.unwrap_or(u64::MAX),
            memory: (self.memory.unwrap_or(memory) as usize) << 20,
            ..Limits::default()
        }
    }

    /// Returns the configuration of the code. Permits reading the paths outside of projects that the command line
    /// names.
    pub fn config(&self, sources: Vec<PathBuf>) -> CodeConfig {
        let named = self.code_paths.iter().chain(&self.include_paths).chain(&self.cache);
        named.for_each(|folder| files::grant_outside(folder));
        let macros = self.macros.iter().map(|text| match text.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (text.clone(), None),
        });
        CodeConfig {
            sources,
            code_paths: self.code_paths.clone(),
            include_paths: self.include_paths.clone(),
            readable: self.include_paths.clone(),
            macros: macros.collect(),
            options: Vec::new(),
            cache_dir: loader::cache_dir(self.cache.clone()),
            runtime: self.erl.clone(),
            compile_time: Some(self.compile_time),
            ..CodeConfig::default()
        }
    }
}

/// Parses a report and its file: `sarif=beagle.sarif`.
pub fn output(text: &str) -> Result<(ReportFormat, PathBuf), String> {
    let (format, file) = text.split_once('=').filter(|(_, file)| !file.is_empty()).ok_or("write FORMAT=FILE")?;
    Ok((ReportFormat::from_str(format, false)?, PathBuf::from(file)))
}

/// Categories of findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Categories(pub Vec<Category>);

/// Parses categories: `likely,specification`, or `all`.
pub fn categories(text: &str) -> Result<Categories, String> {
    let mut chosen = Vec::new();
    for word in text.split(',').map(str::trim) {
        match Category::ALL.into_iter().find(|category| category.name() == word) {
            Some(category) => chosen.push(category),
            None if word == "all" => chosen.extend(Category::ALL),
            None => {
                let names: Vec<&str> = Category::ALL.iter().map(|category| category.name()).collect();
                return Err(format!("{word:?} is no category: write {} or all", names.join(", ")));
            }
        }
    }
    chosen.sort();
    chosen.dedup();
    Ok(Categories(chosen))
}

/// Parses a partition: `2/3`.
fn partition(text: &str) -> Result<Partition, String> {
    let wrong = || "write K/N with 1 <= K <= N".to_string();
    let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    match (number(part)?, number(parts)?) {
        (part, parts) if (1..=parts).contains(&part) => Ok(Partition { index: part - 1, parts }),
        _ => Err(wrong()),
    }
}

/// Parses a time: `500ms`, `30s`, `2m`, `1.5h`.
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

/// The longest time limit. Sums of such times are far below any overflow.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 86400);

#[cfg(test)]
mod tests {
    use super::{ReportFormat, duration, output};
    use std::time::Duration;

    #[test]
    fn an_output_is_a_format_and_a_file() {
        assert_eq!(output("junit=a=b.xml"), Ok((ReportFormat::Junit, "a=b.xml".into())));
        for wrong in ["", "junit", "junit=", "=a", "pdf=a"] {
            assert!(output(wrong).is_err(), "{wrong}");
        }
    }

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
