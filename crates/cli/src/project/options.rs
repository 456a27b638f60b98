//! The options for projects.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Clone, Default)]
pub struct ProjectOptions {
    /// Test only functions of these modules: a name, with * for any text. May be repeated. Test modules (*_tests,
    /// *_SUITE, test/) are skipped unless they are named.
    #[arg(long = "module", value_name = "GLOB")]
    pub modules: Vec<String>,
    /// Skip modules, or functions as module:name/arity, with * for any text. May be repeated.
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Test only modules whose source has changed since this git revision, or is not committed.
    #[arg(long, value_name = "REV")]
    pub changed_since: Option<String>,
    /// With --changed-since: also test modules that call a changed module.
    #[arg(long, requires = "changed_since")]
    pub with_callers: bool,
    /// Only print the functions that would be tested.
    #[arg(long)]
    pub list: bool,
    /// The rebar3 profile or mix environment to test.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Do not run rebar3 or mix: test the existing build.
    #[arg(long)]
    pub no_build: bool,
    /// Ignore beagle.toml and beagle_opts in rebar.config.
    #[arg(long)]
    pub no_config: bool,
    /// An expected exception: '{throw, _}', or for certain functions 'm:parse_*/1 {error, badarg}'. May be repeated.
    #[arg(long = "expect", value_name = "[GLOB] EXCEPTION")]
    pub expectations: Vec<String>,
    /// Baseline of known findings, which are counted and not reported [default: beagle.baseline of the project]
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to the baseline.
    #[arg(long)]
    pub update_baseline: bool,
}
