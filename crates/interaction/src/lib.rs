//! Functions as inputs.

mod belongs;
pub mod driver;
mod labels;
mod open;
pub mod parts;
pub mod places;
mod play;
mod replay;
mod scope;
mod witness;

pub use belongs::belongs;
pub use labels::{Label, Labels};
pub use parts::{Sort, has_functions};
pub use play::{Broken, Plan, Play, by_label};
pub use replay::{Replay, Said};
pub use witness::{Application, Entry, Function, Is, Node, Table, Witness};
