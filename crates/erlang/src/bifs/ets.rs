//! (rows to come)

use machine::Primitive;
use machine::value::Collector;

pub(super) const TABLES: &[&[Primitive]] = &[];

/// The tables of a run.
#[derive(Default)]
pub struct Tables;

impl Tables {
    pub fn roots(&mut self, _: &mut Collector<'_>) {}
}
