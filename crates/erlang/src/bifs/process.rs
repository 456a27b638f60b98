//! (rows to come)

use machine::Primitive;

pub(super) const TABLES: &[&[Primitive]] = &[];

/// Lets the earliest timer that fires up to `deadline` put its message into the mailbox; false if
/// there is none.
pub(super) fn deliver_timer(_: &mut machine::Context, _: u64) -> bool {
    false
}
