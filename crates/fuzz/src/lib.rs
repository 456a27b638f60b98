//! Differential fuzzing: evaluates the same expressions on Beagle's machine and on the real BEAM, which is always
//! right.
//!
//! Every question is an expression as typed into a shell, so every disagreement can be pasted. A generator makes
//! questions from a seed, and a [`Duel`] asks both sides and keeps the score. This crate knows no solver and no
//! symbolic values.

mod answer;
mod brute;
mod domains;
mod duel;
mod exact;
mod gaps;
mod hidden;
mod inputs;
mod modules;
mod patterns;
mod processes;
mod random;
mod reaching;
mod searches;
mod specs;
mod terms;

pub use brute::{BruteForce, Observed, inputs_of};
pub use domains::in_domain;
pub use duel::{Duel, Question};
pub use exact::{About, ExactFunction, ExactModule, exact_module};
pub use gaps::{BIF_GAPS, EXPRESSION_GAPS, Gap, MODULE_GAPS, OTP_GAPS, PROCESS_GAPS};
pub use hidden::{HiddenFunction, HiddenModule, hidden_module};
pub use inputs::{SmallType, product};
pub use modules::{GeneratedModule, module, shell_expression};
pub use processes::{RUNNER, RUNNER_NAME, Script};
pub use random::Random;
pub use reaching::{LARGEST_INPUT, ReachModule, reach_module};
pub use searches::{GeneratedSearch, SearchModule, search_module};
pub use specs::Specs;
pub use terms::Terms;

use std::time::Duration;

/// Returns how long one fuzzer runs: `BEAGLE_FUZZ_SECONDS`, or a few seconds by default.
pub fn duration() -> Duration {
    wanted_duration().unwrap_or(Duration::from_secs(5))
}

/// Returns `BEAGLE_FUZZ_SECONDS`. Without it, a fuzzer that always does the same work does it once.
pub fn wanted_duration() -> Option<Duration> {
    std::env::var("BEAGLE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs)
}

/// Returns `BEAGLE_FUZZ_SEED`, or a fixed seed.
pub fn seed() -> u64 {
    std::env::var("BEAGLE_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}
