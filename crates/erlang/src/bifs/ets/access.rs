//! Who may do what to a table, and which operations other processes could notice.

use crate::ErlangState;
use crate::bifs::badarg_because;
use crate::bifs::process::ProcessState;
use machine::value::hash;
use machine::{Access, Context, Escape, Object, Word};
use path::Surrounding;

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

/// Records that a process of the run reads or changes a table of the system, which other processes use as well.
pub fn looks_at_system(context: &mut Context) {
    if !ProcessState::own(context).is_of_system {
        context.asks(Surrounding::Tables);
    }
}

/// A row that changes a table or its objects: only who may do that gets further.
pub fn writes(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    let identifier = args[0].concrete();
    touch(context, identifier, None, Access::Write)?;
    check_access(context, identifier, Access::Write)
}

/// Likewise only what is there under a key.
pub fn writes_key(context: &mut Context, args: &[Word], key: Word) -> Result<(), Escape> {
    let identifier = args[0].concrete();
    touch(context, identifier, Some(key), Access::Write)?;
    check_access(context, identifier, Access::Write)
}

/// A row that reads objects.
pub fn reads(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    touch(context, args[0].concrete(), None, Access::Read)
}

/// A row that reads what is there under a key.
pub fn reads_key(context: &mut Context, args: &[Word], key: Word) -> Result<(), Escape> {
    touch(context, args[0].concrete(), Some(key), Access::Read)
}

/// Announces the operation to the other processes.
fn touch(context: &mut Context, identifier: Word, key: Option<Word>, access: Access) -> Result<(), Escape> {
    if context.world.is_alone() {
        return Ok(());
    }
    match ErlangState::of(context).ets.number(identifier) {
        Some(number) => {
            let hash = key.and_then(|key| hash_of(context, number, key));
            let object = hash.map_or(Object::Table(number), |hash| Object::Entry(number, hash));
            context.visible(&[(object, access)])
        }
        None => match identifier.as_atom() {
            Some(name) => context.visible(&[(Object::Name(name), access)]),
            None => Ok(()),
        },
    }
}

/// Keys that a table takes to be equal have the same hash. Of others there is none.
fn hash_of(context: &mut Context, table: u64, key: Word) -> Option<u64> {
    if context.heap.is_shadowed(key) {
        return None;
    }
    let is_ordered = ErlangState::of(context).ets.table(table)?.is_ordered();
    // There, numbers are equal that are not the same.
    let is_same_only = key.is_atom() || key.as_small().is_some() || key.as_bits().is_some();
    (!is_ordered || is_same_only).then(|| hash(key))
}
