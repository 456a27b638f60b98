//! The arguments of the commands.

use crate::project::ProjectOptions;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use frontend::CodeConfig;
use machine::Limits;
use search::Strategy;
use std::collections::HashSet;
use std::ffi::OsString;
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
    /// Reports what several commands saved (`beagle test --partition K/N --save FILE`) as if it had been one.
    Merge(MergeOptions),
    /// Prints what a shell needs to complete commands and options.
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Writes the pages of the manual, one for each command, to a folder.
    Man {
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Forgets what earlier commands found out about the project in the current folder.
    Clean(CleanOptions),
    /// Explains a code of a report, B001 for example; all of them without one.
    Explain(ExplainOptions),
}

impl Arguments {
    /// Ends the process if they are wrong, or if help was wanted.
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

/// Ends the command: with the help that was asked for, or with what is wrong with the arguments, which may hold anything.
fn refuse(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    crate::streams::said(&error.render().to_string());
    std::process::exit(error.exit_code())
}

/// Marks an expression of `beagle run` that begins with a minus sign. clap takes such a word for options, and its own
/// remedy (`allow_hyphen_values`) would take `-Ifolder` for an expression.
fn with_marked_expression(command: &clap::Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let (Some(run), true) = (command.find_subcommand("run"), words.get(1).is_some_and(|word| word == "run")) else {
        return words;
    };
    for word in words.iter_mut().skip(2).take_while(|word| *word != "--") {
        if let Some(text) = word.to_str().filter(|text| is_negative(run, text)) {
            *word = format!("{MARK}{text}").into();
        }
    }
    words
}

/// Stands before an expression that begins with a minus sign, so that it does not look like an option.
const MARK: char = ' ';

/// Whether a word is an expression that begins with a minus sign: `-7 div 2`, `-hd([1])`, but neither an option nor
/// what could be a misspelt one.
fn is_negative(run: &clap::Command, word: &str) -> bool {
    let Some(rest) = word.strip_prefix('-') else { return false };
    let takes_value = |letter: char| {
        let option = run.get_arguments().find(|option| option.get_short() == Some(letter));
        option.is_some_and(|option| option.get_action().takes_values())
    };
    let could_be_option = rest.chars().all(|letter| letter.is_alphabetic() || letter == '-') || rest.starts_with('-');
    !could_be_option && !rest.starts_with(takes_value)
}

/// The expression without its mark.
fn expression(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.strip_prefix(MARK).filter(|rest| rest.starts_with('-')).unwrap_or(text).to_string())
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
    #[arg(value_parser = expression)]
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
    /// Arguments to begin with, as an Erlang list, or an Elixir one for functions of Elixir: '[1, "abc"]'; @FILE for a
    /// file with one such list on each line. May be repeated.
    #[arg(long = "seed", value_name = "[ARGS]|@FILE")]
    pub seeds: Vec<String>,
    /// Time for one function: 500ms, 30s, 2m.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub budget: Duration,
    /// Time for all functions together: each has a short turn first, the rest goes to those that make progress.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub total_budget: Option<Duration>,
    /// Runs for one function.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_runs: Option<u64>,
    /// Which way of which branch is tried first.
    #[arg(long, value_enum, default_value = "coverage")]
    pub strategy: StrategyName,
    /// Test everything again, whatever earlier commands found out.
    #[arg(long)]
    pub fresh: bool,
    /// Test one part of the functions only: 2/3 is the second of three. Every function is in one part, always the same.
    #[arg(long, value_name = "K/N", value_parser = partition)]
    pub partition: Option<Partition>,
    /// Write what came of everything to a file that `beagle merge` reads.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Functions that are tested side by side; as many as there are processors if not given.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub jobs: Option<u32>,
    /// Megabytes that the whole command may use; three quarters of what there is if not given. A function that takes too
    /// much of it is given up, with a verdict that says so.
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(16..=1 << 30))]
    pub total_memory: Option<u64>,
    /// No list, tuple, map or binary of an input is longer.
    #[arg(long, value_name = "N")]
    pub size_bound: Option<usize>,
    /// Changes the order of what is tried where nothing else decides it; the same number, the same search.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random_seed: u64,
    /// An SMT-LIB 2 solver: path or name.
    #[arg(long, env = "BEAGLE_SOLVER", value_name = "PATH", default_value = "z3")]
    pub solver: PathBuf,
    /// Another solver that is asked again about what the first called impossible, before everything is said to be
    /// explored; cvc5 if it is installed, else the first with another seed.
    #[arg(long, value_name = "PATH")]
    pub second_solver: Option<PathBuf>,
    /// Time for one query to the solver.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration)]
    pub solver_time: Duration,
    /// Write regression tests of what was found to this folder: EUnit modules, and ExUnit files for Elixir. Files that
    /// are there are added to.
    #[arg(long, value_name = "DIR", conflicts_with = "no_confirm")]
    pub emit_tests: Option<PathBuf>,
    /// What the tests are of.
    #[arg(long, value_enum, default_value = "bugs", requires = "emit_tests")]
    pub emit_tests_for: EmitFor,
    /// How the BEAM is asked whether what was found is true. Only the command line can say so, not a configuration.
    #[arg(long, value_enum, default_value = "sandboxed", value_name = "HOW")]
    pub confirm: Confirm,
    /// Do not ask the BEAM whether what was found is true: the same as --confirm never.
    #[arg(long, conflicts_with = "confirm")]
    pub no_confirm: bool,
    /// Write every query to the solver to a file in this folder.
    #[arg(long, value_name = "DIR")]
    pub dump_smt: Option<PathBuf>,
    #[command(flatten)]
    pub project: ProjectOptions,
    #[command(flatten)]
    pub reports: ReportOptions,
    #[command(flatten)]
    pub code: CodeOptions,
    /// Arguments that were given: a configuration says nothing about these.
    #[arg(skip)]
    pub given: HashSet<String>,
}

#[derive(Args)]
pub struct MergeOptions {
    /// What was saved.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Findings that are known: counted, not reported. What the project in the current folder says, or its
    /// `beagle.baseline`, if it is there; else what each of the commands knew.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what was found to the baseline.
    #[arg(long)]
    pub update_baseline: bool,
    /// Read neither beagle.toml nor beagle_opts of rebar.config.
    #[arg(long)]
    pub no_config: bool,
    #[command(flatten)]
    pub reports: ReportOptions,
}

#[derive(Args)]
pub struct CleanOptions {
    /// Where lowered modules and results were kept, if it was said.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl TestOptions {
    /// Whether the BEAM is asked about findings.
    pub fn confirms(&self) -> bool {
        !self.no_confirm && self.confirm != Confirm::Never
    }

    /// As if nothing had been said.
    pub fn unsaid() -> Result<TestOptions, clap::Error> {
        let command = TestOptions::augment_args(clap::Command::new("test"));
        TestOptions::from_arg_matches(&command.try_get_matches_from(["test"])?)
    }
}

/// What is written, and where.
#[derive(Args, Clone)]
pub struct ReportOptions {
    /// Show findings and the summary only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Show queries and times too.
    #[arg(short, long)]
    pub verbose: bool,
    /// What standard output is written in.
    #[arg(long, value_enum, default_value = "human")]
    pub format: ReportFormat,
    /// Write a report to a file as well, when all is done: --output junit=report.xml. May be repeated.
    #[arg(long = "output", value_name = "FORMAT=FILE", value_parser = output)]
    pub outputs: Vec<(ReportFormat, PathBuf)>,
    /// Write pages for a browser to this folder, when all is done: findings, branches in the source, and runs.
    #[arg(long, value_name = "DIR")]
    pub html: Option<PathBuf>,
}

/// One of so many parts, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    pub index: u64,
    pub parts: u64,
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
    /// Time for OTP to compile one module, with its parse transforms.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub compile_time: Duration,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Human,
    /// One JSON object per line.
    Jsonl,
    /// JUnit's XML: for servers of builds.
    Junit,
    /// SARIF 2.1.0: for code hosts and editors.
    Sarif,
    /// Annotations in the log of a GitHub workflow.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Confirm {
    /// In a sandbox: nothing that Beagle invents is done to your machine. Where there is none, nothing is confirmed.
    Sandboxed,
    /// Without a sandbox: only for code that does no harm with any input.
    Trusting,
    /// Not at all.
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EmitFor {
    /// Findings: a test fails as long as the bug is there.
    Bugs,
    /// Findings, and what the function does today on each of the first paths that were taken.
    Paths,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
    /// What a run may use. `memory`: megabytes, if nothing else was said.
    pub fn limits(&self, memory: u64) -> Limits {
        Limits {
            steps: self.steps.unwrap_or(u64::MAX),
            memory: (self.memory.unwrap_or(memory) as usize) << 20,
            ..Limits::default()
        }
    }

    /// Where the code comes from.
    pub fn config(&self, sources: Vec<PathBuf>) -> CodeConfig {
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
            cache_dir: self.cache.clone().or_else(loader::default_cache_dir),
            runtime: self.erl.clone(),
            compile_time: Some(self.compile_time),
            ..CodeConfig::default()
        }
    }
}

/// `sarif=beagle.sarif`.
pub fn output(text: &str) -> Result<(ReportFormat, PathBuf), String> {
    let (format, file) = text.split_once('=').filter(|(_, file)| !file.is_empty()).ok_or("write FORMAT=FILE")?;
    Ok((ReportFormat::from_str(format, false)?, PathBuf::from(file)))
}

/// `2/3`.
fn partition(text: &str) -> Result<Partition, String> {
    let wrong = || "write K/N with 1 <= K <= N".to_string();
    let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    match (number(part)?, number(parts)?) {
        (part, parts) if (1..=parts).contains(&part) => Ok(Partition { index: part - 1, parts }),
        _ => Err(wrong()),
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
    use super::{Arguments, Command, ReportFormat, duration, output, with_marked_expression};
    use clap::{CommandFactory, Parser};
    use std::path::PathBuf;
    use std::time::Duration;

    #[test]
    fn an_expression_may_begin_with_a_minus_sign() {
        let read = |words: &[&str]| {
            let words = ["beagle", "run"].iter().chain(words).map(Into::into).collect();
            let words = with_marked_expression(&Arguments::command(), words);
            match Arguments::try_parse_from(words).map(|arguments| arguments.command) {
                Ok(Command::Run(options)) => Some((options.expression, options.code.include_paths)),
                _ => None,
            }
        };
        let include = || vec![PathBuf::from("include")];
        for text in ["-7", "-7 div 2", "- 7", "-(1 + 2)", "-hd([1])", "-$a", " -1", "1 - 2"] {
            assert_eq!(read(&[text]), Some((text.trim_start().to_string(), vec![])), "{text}");
            assert_eq!(read(&["-Iinclude", text]), Some((text.trim_start().to_string(), include())), "{text}");
            assert_eq!(read(&[text, "-I", "include"]), Some((text.trim_start().to_string(), include())), "{text}");
        }
        assert_eq!(read(&["--", "-x"]), Some(("-x".to_string(), vec![])));
        for wrong in ["-h", "-pa", "-x", "--no-such=1", "--format"] {
            assert_eq!(read(&[wrong]), None, "{wrong}");
        }
    }

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
