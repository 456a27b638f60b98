//! The committed expectations are what the real BEAM says.

use cases::{Beam, run_trials};
use std::process::ExitCode;

fn main() -> ExitCode {
    run_trials(|| Box::new(Beam::default()))
}
