//! The arguments that speak of projects.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Clone, Default)]
pub struct ProjectOptions {
    /// Test the functions of these modules only: a name, with * for any text. May be repeated. Modules of tests
    /// (*_tests, *_SUITE, test/) are left out unless they are named.
    #[arg(long = "module", value_name = "GLOB")]
    pub modules: Vec<String>,
    /// Leave out modules, or functions as module:name/arity; with * for any text. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Test only modules whose source has changed since this revision of git, or is not committed.
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
    /// With --changed-since: modules that call a changed one, too.
    #[arg(long, requires = "changed_since")]
    pub with_callers: bool,
    /// Print the functions that would be tested, and end.
    #[arg(long)]
    pub list: bool,
    /// The profile of rebar3, or the environment of mix, whose build is tested.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Take what is built as it is: run neither rebar3 nor mix.
    #[arg(long)]
    pub no_build: bool,
    /// Read neither beagle.toml nor beagle_opts of rebar.config.
    #[arg(long)]
    pub no_config: bool,
    /// Exceptions that are raised on purpose: '{throw, _}', or of functions 'm:parse_*/1 {error, badarg}'. May be
    /// repeated.
    #[arg(long = "expect", value_name = "[GLOB] EXCEPTION")]
    pub expectations: Vec<String>,
    /// Findings that are known: counted, not reported. `beagle.baseline` of the project if it is there.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write what is found to the baseline.
    #[arg(long)]
    pub update_baseline: bool,
}
