//! (rows to come)

use machine::Primitive;

pub(super) const ROWS: &[Primitive] = &[];
