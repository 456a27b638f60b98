//! Calls that are made before each run.

use serde::{Deserialize, Serialize};
use term::Atom;

/// A call that is made before each run to start processes and set state that the unit needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Setup {
    pub module: Atom,
    pub function: Atom,
    pub args: Vec<Atom>,
}
