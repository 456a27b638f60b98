//! Compiles the IR to compact code: slots for variables, labels for joins, decision trees for patterns.

mod calls;
mod conditions;
mod function;
mod instruction;
mod liveness;
mod matching;
mod questions;
mod switch;

pub use function::{Linker, compile};
pub use instruction::{BitsPlan, BitsSize, Code, Instruction, Slot};
pub use questions::questions;
pub use switch::{Switch, SwitchWays};
