//! The committed expectations are what the real BEAM says.

use cases::{Beam, Gaps, run_trials};
use std::process::ExitCode;

fn main() -> ExitCode {
    run_trials(Gaps::Hold, || Box::new(Beam::default()))
}
