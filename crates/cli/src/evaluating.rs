//! The options of commands that evaluate an expression, and how an expression is distinguished from an option.

use crate::arguments::{CodeOptions, Format, duration};
use crate::project::Project;
use crate::test::effects::ExecutorName;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub struct RunOptions {
    /// An Erlang expression with fully qualified calls: 'lists:map(fun(X) -> X + 1 end, [1,2])'
    #[arg(value_parser = expression)]
    pub expression: String,
    /// Source files, BEAM files, and folders of them.
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub code: CodeOptions,
    /// Format of the output.
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
}

#[derive(Args)]
pub struct TraceOptions {
    /// An Erlang expression with fully qualified calls: 'lists:map(fun(X) -> X + 1 end, [1,2])'
    #[arg(value_parser = expression)]
    pub expression: String,
    /// Source files, BEAM files, and folders of them: the functions that are shown.
    pub files: Vec<PathBuf>,
    /// For each decision, also show arguments of the expression's call that decide otherwise.
    #[arg(long)]
    pub alternatives: bool,
    /// Show at most this number of levels of nested calls.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Show only this function, also one of OTP: module:name/arity, with * for any text. May be repeated.
    #[arg(long, value_name = "M:F/A")]
    pub only: Vec<String>,
    /// End the run when there are more events than this.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub events: usize,
    /// Format of the output.
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    /// The executor of the expression: Beagle's own machine, the BEAM with instrumented code, or both to compare them.
    #[arg(long, value_enum, default_value = "machine", value_name = "WHO")]
    pub executor: ExecutorName,
    /// The effects that it may have outside, run by the BEAM in a sandbox: functions (file:read_file/1, gen_tcp:*),
    /// read=PATH, exec=PROGRAM, loopback for sockets; erlang:load_nif/2 for native code. May be repeated.
    #[arg(long = "allow-effects", value_name = "EFFECT,...", value_delimiter = ',')]
    pub allow_effects: Vec<String>,
    /// Time limit of the run on the BEAM.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub time: Duration,
    /// The SMT-LIB 2 solver, for --alternatives: a path or a name.
    #[arg(long, env = "BEAGLE_SOLVER", value_name = "PATH", default_value = "z3")]
    pub solver: PathBuf,
    /// Time limit for one query to the solver.
    #[arg(long, value_name = "TIME", default_value = "250ms", value_parser = duration)]
    pub solver_time: Duration,
    #[command(flatten)]
    pub code: CodeOptions,
}

#[derive(Args)]
pub struct ReplayOptions {
    /// The identity of a kept finding (the field `defect` of JSON lines, or its beginning), a file (JSON lines of `beagle
    /// test`, or what `--save` has written), or an Erlang expression.
    #[arg(value_name = "FINDING|FILE|EXPRESSION")]
    pub what: String,
    /// Source files, BEAM files, and folders of them; without any, the project in the current folder.
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Force this order on the processes: a file with a line for each operation, such as `main.1 erlang:send/2`.
    #[arg(long, value_name = "FILE", conflicts_with = "order")]
    pub schedule: Option<PathBuf>,
    /// Force an order that Beagle's own machine has chosen by chance: the same number gives the same order.
    #[arg(long, value_name = "N")]
    pub order: Option<u64>,
    /// Write the order that is forced to this file.
    #[arg(long, value_name = "FILE")]
    pub save_schedule: Option<PathBuf>,
    /// Time limit for each evaluation.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub time: Duration,
    /// Evaluate without a sandbox: only for code that is harmless.
    #[arg(long)]
    pub trusting: bool,
    /// Do not build the project first.
    #[arg(long)]
    pub no_build: bool,
    /// Format of the output.
    #[arg(long, value_enum, default_value = "human")]
    pub format: Format,
    #[command(flatten)]
    pub code: CodeOptions,
}

/// Marks an expression of `beagle run` or `beagle trace` that begins with a minus sign. clap takes such a word for
/// options, and its own remedy (`allow_hyphen_values`) would take `-Ifolder` for an expression.
pub fn with_marked_expression(command: &clap::Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.get(1).and_then(|word| word.to_str()).filter(|word| EVALUATING.contains(word));
    let Some(run) = name.and_then(|name| command.find_subcommand(name)) else { return words };
    for word in words.iter_mut().skip(2).take_while(|word| *word != "--") {
        if let Some(text) = word.to_str().filter(|text| is_negative(run, text)) {
            *word = format!("{MARK}{text}").into();
        }
    }
    words
}

/// Returns the files of code that the command line names, after granting them for reading.
pub fn named(files: &[PathBuf]) -> Vec<PathBuf> {
    for file in files {
        // The project that it lies in is not trusted. Where none can be used, nothing of it is needed.
        let _ = Project::root_around(file);
        files::grant_named(file);
    }
    files.to_vec()
}

/// The commands whose first argument is an expression.
const EVALUATING: [&str; 2] = ["run", "trace"];

/// The prefix of an expression that begins with a minus sign, so that it does not look like an option.
const MARK: char = ' ';

/// Returns whether a word is an expression that begins with a minus sign, such as `-7 div 2` or `-hd([1])`, and neither
/// an option nor what could be a misspelt one.
fn is_negative(run: &clap::Command, word: &str) -> bool {
    let Some(rest) = word.strip_prefix('-') else { return false };
    let takes_value = |letter: char| {
        let option = run.get_arguments().find(|option| option.get_short() == Some(letter));
        option.is_some_and(|option| option.get_action().takes_values())
    };
    let could_be_option = rest.chars().all(|letter| letter.is_alphabetic() || letter == '-') || rest.starts_with('-');
    !could_be_option && !rest.starts_with(takes_value)
}

/// Returns the expression without its mark.
fn expression(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.strip_prefix(MARK).filter(|rest| rest.starts_with('-')).unwrap_or(text).to_string())
}

#[cfg(test)]
mod tests {
    use super::with_marked_expression;
    use crate::arguments::{Arguments, Command};
    use clap::{CommandFactory, Parser};
    use std::path::PathBuf;

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
}
