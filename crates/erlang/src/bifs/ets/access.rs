//! Who may do what to a table, and which operations other processes could notice.

use crate::ErlangState;
use crate::bifs::badarg_because;
use machine::{Access, Context, Escape, Object, Word};

/// `badarg` if the table belongs to another process and may not be accessed in this way.
pub fn check_access(context: &mut Context, identifier: Word, access: Access) -> Result<(), Escape> {
    let own = context.process.number();
    let tables = &mut ErlangState::of(context).ets;
    let found = tables.number(identifier).and_then(|number| tables.table(number));
    let Some(table) = found.filter(|table| table.owner.identity() != own) else { return Ok(()) };
    match (table.options.protection.text(), access) {
        ("public", _) | ("protected", Access::Read) => Ok(()),
        _ => Err(badarg_because(context, "access")),
    }
}

/// A row that changes a table or its objects: only who may do that gets further.
pub fn writes(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    let identifier = args[0].concrete();
    touch(context, identifier, Access::Write)?;
    check_access(context, identifier, Access::Write)
}

/// A row that reads objects.
pub fn reads(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    touch(context, args[0].concrete(), Access::Read)
}

/// Announces the operation to the other processes.
fn touch(context: &mut Context, identifier: Word, access: Access) -> Result<(), Escape> {
    if context.world.is_alone() {
        return Ok(());
    }
    match ErlangState::of(context).ets.number(identifier) {
        Some(number) => context.visible(&[(Object::Table(number), access)]),
        None => match identifier.as_atom() {
            Some(name) => context.visible(&[(Object::Name(name), access)]),
            None => Ok(()),
        },
    }
}
