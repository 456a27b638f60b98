//! Access rights of processes to tables, and the announcement of operations that other processes could notice.

use crate::ErlangState;
use crate::bifs::badarg_because;
use crate::bifs::process::ProcessState;
use machine::value::hash;
use machine::{Access, Context, Escape, Object, Word};
use path::Surrounding;

/// Raises `badarg` if the table belongs to another process and may not be accessed in this way.
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

/// Announces that a row changes a table or its objects, and checks that the process may do that.
pub fn writes(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    let identifier = args[0].concrete();
    touch(context, identifier, None, Access::Write)?;
    check_access(context, identifier, Access::Write)
}

/// Announces that a row changes only the objects with a key, and checks that the process may do that.
pub fn writes_key(context: &mut Context, args: &[Word], key: Word) -> Result<(), Escape> {
    let identifier = args[0].concrete();
    touch(context, identifier, Some(key), Access::Write)?;
    check_access(context, identifier, Access::Write)
}

/// Announces that a row reads objects.
pub fn reads(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    touch(context, args[0].concrete(), None, Access::Read)
}

/// Announces that a row reads the objects with a key.
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

/// Returns a hash that is the same for all keys that the table takes to be equal; `None` for keys that have no such
/// hash.
fn hash_of(context: &mut Context, table: u64, key: Word) -> Option<u64> {
    if context.heap.is_shadowed(key) {
        return None;
    }
    let is_ordered = ErlangState::of(context).ets.table(table)?.is_ordered();
    // In an ordered set, numbers can be equal without being identical.
    let is_same_only = key.is_atom() || key.as_small().is_some() || key.as_bits().is_some();
    (!is_ordered || is_same_only).then(|| hash(key))
}
