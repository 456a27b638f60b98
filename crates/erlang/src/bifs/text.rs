//! (rows to come)

use machine::Primitive;

pub(super) const TABLES: &[&[Primitive]] = &[];
