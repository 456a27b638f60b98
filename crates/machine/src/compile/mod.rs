//! From the IR to compact code: slots for variables, labels for joins, patterns to decision trees.

mod calls;
mod conditions;
mod function;
mod instruction;
mod liveness;
mod matching;
mod switch;

pub use function::{Linker, compile};
pub use instruction::{BitsPlan, BitsSize, Code, Instruction, Slot};
pub use switch::{Switch, SwitchWays};
