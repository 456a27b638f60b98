//! Every option of `beagle test`, and what it affects.
//!
//! Results are kept from one command to the next. An option that affects the result of a search is part of their key;
//! any other must not be, or results would be computed again for no reason. A test goes through the command line and
//! through this table, and tries each option, so none can be forgotten. `configuration.rs` has a similar table of the
//! keys of configurations.

use crate::arguments::{Confirm, TestOptions};
use crate::test::task::MEMORY;

/// One option of `beagle test`.
pub struct OptionRow {
    /// The name of its argument, which is that of its field.
    pub name: &'static str,
    pub effect: Effect,
}

/// The effect of an option, after the configuration was read.
#[derive(Clone, Copy)]
pub enum Effect {
    /// It decides the result of a search: the text that the function returns is part of the key of kept results.
    Results(fn(&TestOptions) -> String),
    /// It decides which units are tested, and their content. The key of a result has the unit itself: its name, the calls and
    /// invariants of its clients, and the calls before each run.
    Units,
    /// It decides the content of the code, or the runtime. A result has digests of all modules that it depends on, and states
    /// which of them are the user's; the key has a digest of the runtime, and the configuration of the program.
    Code,
    /// It limits the time, memory or work of a search. A result is kept as decided only if none of these limits ended the
    /// search; otherwise the search continues in the next command.
    Effort,
    /// It decides the content or the place of reports. If a kept result lacks a part that a report needs, the part is computed
    /// for the report.
    Reports,
    /// It decides where other options or kept results come from.
    Origin,
}

use Effect::{Code, Effort, Origin, Reports, Results, Units};

/// The options in the order of the command line.
pub const OPTIONS: &[OptionRow] = &[
    row("targets", Units),
    row("functions", Units),
    // Only with this option, clients call functions without a specification.
    row("all", Units),
    // In a module without any other specification, clients call functions without a specification. Those of callbacks count
    // only with this option.
    row("callbacks", Units),
    row("invariants", Units),
    row("opaque", Results(|options| format!("{:?}", options.opaque))),
    // Without setups and names of applications, Beagle starts what a function needs.
    row("setups", Results(|options| format!("{:?}", options.setups))),
    row("start", Results(|options| format!("{:?}", options.start))),
    // The content of the files is part of the key as well.
    row("seeds", Results(|options| format!("{:?}", options.seeds))),
    row("budget", Effort),
    row("total_budget", Effort),
    row("max_runs", Effort),
    row("strategy", Results(|options| format!("{:?}", options.strategy))),
    row("fresh", Origin),
    row("partition", Units),
    row("save", Reports),
    row("jobs", Effort),
    row("total_memory", Effort),
    row("size_bound", Results(|options| format!("{:?}", options.size_bound))),
    row("random_seed", Results(|options| options.random_seed.to_string())),
    // The version that the solver reports is part of the key as well.
    row("solver", Results(|options| format!("{:?}", options.solver))),
    row("second_solver", Results(|options| format!("{:?}", options.second_solver))),
    // A query that takes longer is left undecided, and the search goes on.
    row("solver_time", Results(|options| format!("{:?}", options.solver_time))),
    row("emit_tests", Reports),
    row("emit_tests_for", Reports),
    row("confirm", Results(confirmation)),
    row("no_confirm", Results(confirmation)),
    row("executor", Results(|options| format!("{:?}", options.executor))),
    row("allow_effects", Results(|options| format!("{:?}", options.allow_effects))),
    row("instrument", Results(|options| format!("{:?}", options.instrument))),
    row("dead_code", Reports),
    row("dump_smt", Reports),
    row("modules", Units),
    row("exclude", Units),
    row("changed_since", Units),
    row("with_callers", Units),
    row("list", Reports),
    row("profile", Code),
    row("no_build", Code),
    row("no_config", Origin),
    row("expectations", Results(|options| format!("{:?}", options.project.expectations))),
    // Whether a finding is known is decided anew each time.
    row("baseline", Reports),
    row("update_baseline", Reports),
    row("quiet", Reports),
    row("verbose", Reports),
    row("format", Reports),
    row("outputs", Reports),
    row("show", Reports),
    row("fail_on", Reports),
    row("html", Reports),
    row("code_paths", Code),
    row("include_paths", Code),
    row("macros", Code),
    row("cache", Origin),
    row("erl", Code),
    // A module that takes longer is not tested at all.
    row("compile_time", Code),
    // These limits end single runs, and the search goes on.
    row("steps", Results(|options| format!("{:?}", options.code.steps))),
    row("memory", Results(|options| options.code.limits(MEMORY).memory.to_string())),
];

const fn row(name: &'static str, effect: Effect) -> OptionRow {
    OptionRow { name, effect }
}

/// Returns how findings are confirmed. `--no-confirm` is short for `--confirm never`.
fn confirmation(options: &TestOptions) -> String {
    let confirm = if options.confirms() { options.confirm } else { Confirm::Never };
    format!("{confirm:?}")
}

/// Returns the parts of the key of kept results that follow from the options, by their names.
pub fn deciding(options: &TestOptions) -> Vec<(&'static str, String)> {
    let part = |row: &OptionRow| match row.effect {
        Results(value) => Some((row.name, value(options))),
        Units | Code | Effort | Reports | Origin => None,
    };
    OPTIONS.iter().filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, ArgAction, Args, CommandFactory, FromArgMatches};
    use std::collections::HashSet;

    /// The arguments of `beagle test` that have a value: neither help nor the version.
    fn arguments() -> Vec<Arg> {
        let mut command = crate::arguments::Arguments::command();
        command.build();
        let test = command.find_subcommand("test").expect("the command");
        let is_option = |arg: &&Arg| {
            !matches!(
                arg.get_action(),
                ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
            )
        };
        test.get_arguments().filter(is_option).cloned().collect()
    }

    fn read(words: &[String]) -> TestOptions {
        let command = TestOptions::augment_args(clap::Command::new("test"));
        let matches = command.try_get_matches_from(std::iter::once("test").chain(words.iter().map(String::as_str)));
        let matches = matches.unwrap_or_else(|error| panic!("{words:?}: {error}"));
        TestOptions::from_arg_matches(&matches).expect("options")
    }

    /// A value that is not the default.
    fn sample(arg: &Arg) -> String {
        let default = arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
        let possible = arg.get_possible_values();
        if let Some(other) = possible.iter().find(|value| Some(value.get_name()) != default.as_deref()) {
            return other.get_name().to_string();
        }
        let name = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
        let text = match name {
            "TIME" => "7s",
            "N" | "MB" => "77",
            "K/N" => "1/2",
            "CATEGORIES" => "unlikely",
            "FORMAT=FILE" => "junit=file",
            "[ARGS]|@FILE" => "[1]",
            "[GLOB] EXCEPTION" => "throw _",
            "PATH" | "DIR" | "FILE" | "PATH|M:F/A" | "M:F/A" | "M:F/1" | "M:F/0" | "APP" | "EFFECT,..."
            | "MODULE,..." | "GLOB" | "REV" | "NAME" | "NAME[=VALUE]" => "sample",
            other => panic!("there is no sample for values called {other:?}"),
        };
        text.to_string()
    }

    /// The words of a command line that set an argument.
    fn words(arg: &Arg) -> Vec<String> {
        let name = match (arg.get_long(), arg.get_short()) {
            (Some(long), _) => vec![format!("--{long}")],
            (None, Some(short)) => vec![format!("-{short}")],
            (None, None) => Vec::new(),
        };
        let value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append).then(|| sample(arg));
        name.into_iter().chain(value).collect()
    }

    /// Other options that an option requires.
    fn required(name: &str) -> Vec<String> {
        let words: &[&str] = match name {
            "emit_tests_for" => &["--emit-tests", "folder"],
            "with_callers" => &["--changed-since", "HEAD"],
            _ => &[],
        };
        words.iter().map(|word| (*word).to_string()).collect()
    }

    #[test]
    fn every_option_has_a_row_and_every_row_an_option() {
        let options: Vec<String> = arguments().iter().map(|arg| arg.get_id().to_string()).collect();
        let rows: Vec<&str> = OPTIONS.iter().map(|row| row.name).collect();
        let missing: Vec<&String> = options.iter().filter(|name| !rows.contains(&name.as_str())).collect();
        assert!(missing.is_empty(), "no row says what these decide: {missing:?}");
        let surplus: Vec<&&str> = rows.iter().filter(|name| !options.iter().any(|option| option == *name)).collect();
        assert!(surplus.is_empty(), "there are no such options: {surplus:?}");
        assert_eq!(rows.iter().collect::<HashSet<_>>().len(), rows.len(), "a row stands twice");
    }

    #[test]
    fn exactly_the_options_that_decide_results_change_the_key() {
        let all = arguments();
        let (mut deciding_rows, mut others) = (0, 0);
        for row in OPTIONS {
            let arg = all.iter().find(|arg| arg.get_id() == row.name).expect("an option");
            let before = read(&required(row.name));
            let after = read(&[required(row.name), words(arg)].concat());
            let (before, after) = (deciding(&before), deciding(&after));
            match row.effect {
                Results(_) => {
                    assert_ne!(before, after, "{} decides results, and the key does not change", row.name);
                    deciding_rows += 1;
                }
                Units | Code | Effort | Reports | Origin => {
                    assert_eq!(before, after, "{} decides no results, and the key changes", row.name);
                    others += 1;
                }
            }
        }
        assert!(deciding_rows > 10 && others > 10);
    }

    #[test]
    fn equivalent_options_have_the_same_key() {
        let key = |words: &[&str]| deciding(&read(&words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>()));
        assert_eq!(key(&["--no-confirm"]), key(&["--confirm", "never"]));
        assert_eq!(key(&["--memory", &MEMORY.to_string()]), key(&[]));
    }

    /// The page on kept results names the options that decide them.
    #[test]
    fn the_documented_options_are_those_that_decide_results() {
        let page = include_str!("../../../docs/guide/results.md");
        let line = |start: &str| page.split("\n\n").find(|text| text.starts_with(start)).expect("a paragraph");
        let listed = line("Options that decide results");
        for arg in arguments() {
            let row = OPTIONS.iter().find(|row| arg.get_id() == row.name).expect("a row");
            let Some(long) = arg.get_long() else { continue };
            let is_listed = listed.contains(&format!("`--{long}`"));
            assert_eq!(is_listed, matches!(row.effect, Results(_)), "--{long}");
        }
    }

    /// The page on options names all of them.
    #[test]
    fn every_option_is_documented() {
        let page = include_str!("../../../docs/guide/options.md");
        for long in arguments().iter().filter_map(Arg::get_long) {
            assert!(page.contains(&format!("`--{long}")), "--{long}");
        }
    }

    /// The digest of this build is that of the sources, wherever they lie.
    #[test]
    fn the_build_is_known_by_its_sources() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sources = built::sources_of_binary(&root).expect("a workspace");
        assert_eq!(env!("BEAGLE_BUILD"), built::digest(&root, &sources).expect("the sources"));
    }
}
