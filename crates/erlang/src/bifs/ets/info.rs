//! Tables as a whole: creating, naming, fixing, describing and deleting them.

use super::absent::{bad_call, no_table};
use super::access::{looks_at_system, writes};
use super::tables::{Options, Table, TableKind, with_any_table, with_table};
use crate::ErlangState;
use crate::bifs::process::ProcessState;
use crate::bifs::{badarg, badarg_because, rows};
use machine::{Access, CallTarget, Context, Escape, Kind, Object, Primitive, Word, World};
use path::Surrounding;
use term::{Atom, names};

pub(super) const ROWS: &[Primitive] = rows! {"ets" by Tables;
    "new" (Atom, List) -> Any, badarg, new, Effect;
    "delete" (Any) -> Boolean, badarg, delete_table, Effect;
    "rename" (Any, Atom) -> Any, bad_call, rename, Effect;
    "whereis" (Atom) -> Any, badarg, whereis, Effect;
    "safe_fixtable" (Any, Boolean) -> Boolean, bad_call, safe_fixtable, Effect;
    "setopts" (Any, Any) -> Boolean, badarg, setopts, Effect;
    "give_away" (Any, Any, Any) -> Boolean, badarg, give_away, Meaning::Effect(&[Deep, Deep, Moved]);
    "info" (Any) -> Any, badarg, info, Effect;
    "info" (Any, Any) -> Any, badarg, info_item, Effect;
    "internal_request_all" () -> Reference from Tables, badarg, request_all, Effect;
};

fn new(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(mut made) = New::of(args[1]) else { return Err(badarg(context, args)) };
    let (Some(name), owner) = (args[0].as_atom(), context.process.pid) else { return Err(badarg(context, args)) };
    made.settle();
    let number = World::reference_number(&mut context.process);
    let named = made.options.named;
    if named {
        // Others may have a table with that name.
        context.asks(Surrounding::Tables);
    }
    let mut table = Table::new(number, name, made.kind, made.key_index, owner, made.options);
    table.is_of_system = ProcessState::own(context).is_of_system;
    if ErlangState::of(context).ets.add(table).is_none() {
        return Err(badarg_because(context, "already_exists"));
    }
    let bytes = ErlangState::of(context).ets.bytes();
    context.heap.ensure_buffer_room(bytes);
    Ok(if named { args[0] } else { context.heap.identity(Kind::Reference, number) })
}

/// The table that the options of `new/2` ask for.
struct New {
    kind: TableKind,
    key_index: usize,
    options: Options,
    asked_decentralized: Option<bool>,
}

impl New {
    /// Reads the options; `None` if one is wrong.
    fn of(list: Word) -> Option<New> {
        let options = Options {
            named: false,
            protection: Atom::new("protected"),
            heir: names::NONE.into(),
            heir_data: Word::NIL,
            compressed: false,
            read_concurrency: false,
            write_concurrency: Word::FALSE,
            decentralized_counters: false,
        };
        let mut new = New { kind: TableKind::Set, key_index: 0, options, asked_decentralized: None };
        for option in machine::list_items(list)? {
            let option = option.concrete();
            match option.as_tuple() {
                None => new.flag(option.as_atom()?)?,
                Some(parts) => new.setting(&parts.iter().map(|part| part.concrete()).collect::<Vec<_>>())?,
            }
        }
        Some(new)
    }

    fn flag(&mut self, name: Atom) -> Option<()> {
        match name.text() {
            // The default, which does not override an earlier option.
            "set" | "protected" => {}
            "bag" => self.kind = TableKind::Bag,
            "duplicate_bag" => self.kind = TableKind::DuplicateBag,
            "ordered_set" => {
                self.kind = TableKind::OrderedSet;
                self.options.decentralized_counters = true;
            }
            "public" | "private" => self.options.protection = name,
            "named_table" => self.options.named = true,
            "compressed" => self.options.compressed = true,
            _ => return None,
        }
        Some(())
    }

    fn setting(&mut self, parts: &[Word]) -> Option<()> {
        let name = parts.first()?.as_atom()?.text();
        match (name, &parts[1..]) {
            ("keypos", [position]) => {
                self.key_index = usize::try_from(position.as_small()? - 1).ok()?;
            }
            ("heir", [none]) if none.as_atom() == Some(names::NONE) => self.options.heir = *none,
            ("heir", [pid, data]) if pid.is_kind(Kind::Pid) => {
                (self.options.heir, self.options.heir_data) = (*pid, *data);
            }
            ("read_concurrency", [value]) => self.options.read_concurrency = value.as_boolean()?,
            ("decentralized_counters", [value]) => self.asked_decentralized = Some(value.as_boolean()?),
            ("write_concurrency", [value]) => {
                match value.as_boolean() {
                    Some(true) if self.kind != TableKind::OrderedSet => self.options.decentralized_counters = false,
                    Some(_) => {}
                    None if value.as_atom()?.text() == "auto" => self.options.decentralized_counters = true,
                    None => return None,
                }
                self.options.write_concurrency = *value;
            }
            _ => return None,
        }
        Some(())
    }

    /// Switches off options that have no effect on a private table, and counters that need write concurrency.
    fn settle(&mut self) {
        if self.options.protection.text() == "private" {
            self.options.read_concurrency = false;
            self.options.write_concurrency = Word::FALSE;
        }
        let wanted = self.asked_decentralized.unwrap_or(self.options.decentralized_counters);
        self.options.decentralized_counters = wanted && self.options.write_concurrency != Word::FALSE;
    }
}

fn delete_table(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes(context, args)?;
    let number = with_any_table(context, args[0], |table| table.number)?;
    ErlangState::of(context).ets.remove(number);
    Ok(Word::TRUE)
}

fn rename(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes(context, args)?;
    let (number, named) = with_any_table(context, args[0], |table| (table.number, table.options.named))?;
    if named {
        context.asks(Surrounding::Tables);
    }
    let renamed = args[1].as_atom().and_then(|name| ErlangState::of(context).ets.rename(number, name));
    match renamed {
        Some(()) => Ok(if named { args[1] } else { args[0] }),
        None => Err(badarg(context, args)),
    }
}

fn whereis(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(match ErlangState::of(context).ets.number(args[0]) {
        Some(number) => {
            if ErlangState::of(context).ets.table(number).is_some_and(|table| table.is_of_system) {
                looks_at_system(context);
            }
            context.heap.identity(Kind::Reference, number)
        }
        None => {
            context.asks(Surrounding::Tables);
            names::UNDEFINED.into()
        }
    })
}

fn safe_fixtable(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let own = context.process.number();
    with_table(context, args[0], |table| table.fix(own, args[1] == Word::TRUE))?;
    Ok(Word::TRUE)
}

/// Sets options: `{heir, none}`, `{heir, Pid, Data}`, `{protection, Level}` or a list of them, each at most once.
fn setopts(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    own_table(context, args)?;
    let settings = match args[1].as_tuple() {
        Some(_) => Some(vec![args[1]]),
        None => machine::list_items(args[1]),
    };
    let (mut heir, mut protection) = (None, None);
    let mut well_formed = settings.is_some();
    for setting in settings.unwrap_or_default() {
        let parts: Vec<Word> =
            setting.concrete().as_tuple().unwrap_or(&[]).iter().map(|part| part.concrete()).collect();
        let name = parts.first().and_then(|name| name.as_atom()).map_or("", Atom::text);
        well_formed &= match (name, parts.get(1..).unwrap_or(&[])) {
            ("heir", [none]) if none.as_atom() == Some(names::NONE) => heir.replace((*none, Word::NIL)).is_none(),
            ("heir", [pid, data]) if pid.is_kind(Kind::Pid) => heir.replace((*pid, *data)).is_none(),
            ("protection", [level]) => match level.as_atom() {
                Some(level) if ["public", "protected", "private"].contains(&level.text()) => {
                    protection.replace(level).is_none()
                }
                _ => false,
            },
            _ => false,
        };
    }
    if !well_formed {
        return Err(badarg(context, args));
    }
    with_table(context, args[0], |table| {
        (table.options.heir, table.options.heir_data) = heir.unwrap_or((table.options.heir, table.options.heir_data));
        table.options.protection = protection.unwrap_or(table.options.protection);
    })?;
    Ok(Word::TRUE)
}

/// Returns the number of a table that the running process owns; `badarg` for the table of another process.
fn own_table(context: &mut Context, args: &[Word]) -> Result<u64, Escape> {
    let own = context.process.number();
    let (number, owner) = with_any_table(context, args[0], |table| (table.number, table.owner.identity()))?;
    if owner == own { Ok(number) } else { Err(badarg_because(context, "not_owner")) }
}

fn give_away(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let number = own_table(context, args)?;
    if !args[1].is_kind(Kind::Pid) {
        return Err(badarg(context, args));
    }
    let (own, to) = (context.process.number(), args[1].identity());
    if to == own {
        return Err(badarg_because(context, "owner"));
    }
    context.visible(&[(Object::Table(number), Access::Write), (Object::Mailbox(to), Access::Write)])?;
    if transfer(context, number, args[1], args[2]) { Ok(Word::TRUE) } else { Err(badarg(context, args)) }
}

/// Gives a table to another process and sends it a message about that. Returns false if there is no such process.
fn transfer(context: &mut Context, number: u64, to: Word, data: Word) -> bool {
    if context.process_of(to.identity()).is_none() {
        return false;
    }
    let Some(table) = ErlangState::of(context).ets.table(number) else { return false };
    let from = std::mem::replace(&mut table.owner, to);
    let name = table.options.named.then_some(table.name);
    let identifier = match name {
        Some(name) => name.into(),
        None => context.heap.identity(Kind::Reference, number),
    };
    let message = context.heap.tuple(&[Atom::new("ETS-TRANSFER").into(), identifier, from, data]);
    context.deliver(to.identity(), message)
}

/// Passes the tables of a process that ends to their heirs, or deletes them.
pub fn owner_ended(context: &mut Context, owner: u64) {
    ErlangState::of(context).ets.release(owner);
    for number in ErlangState::of(context).ets.owned_by(owner) {
        let table = ErlangState::of(context).ets.table(number);
        let Some((heir, data)) = table.map(|table| (table.options.heir, table.options.heir_data)) else { continue };
        let is_other = heir.is_kind(Kind::Pid) && heir.identity() != owner;
        if !(is_other && transfer(context, number, heir, data)) {
            ErlangState::of(context).ets.remove(number);
        }
    }
}

const ITEMS: [&str; 15] = [
    "id", "decentralized_counters", "read_concurrency", "write_concurrency", "compressed", "memory", "owner", "heir",
    "name", "size", "node", "named_table", "type", "keypos", "protection",
];

fn info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let Some(answer) = missing(context, args) {
        return answer;
    }
    let mut items = Vec::with_capacity(ITEMS.len());
    for name in ITEMS {
        let value = item(context, args[0], name)?.unwrap_or(Word::NIL);
        items.push(context.heap.tuple(&[Atom::new(name).into(), value]));
    }
    Ok(context.heap.list(&items, Word::NIL))
}

fn info_item(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(name) = args[1].as_atom() else {
        return missing(context, args).unwrap_or_else(|| Err(badarg(context, args)));
    };
    if name.text() == "binary" {
        let (module, function) = (Atom::new("erts_internal"), Atom::new("ets_info_binary"));
        return Err(context.call(CallTarget::Named { module, function }, vec![args[0]]));
    }
    if let Some(answer) = missing(context, args) {
        return answer;
    }
    match item(context, args[0], name.text())? {
        Some(value) => Ok(value),
        None => Err(badarg(context, args)),
    }
}

/// Returns the answer about a table that does not exist; `None` if it exists.
fn missing(context: &mut Context, args: &[Word]) -> Option<Result<Word, Escape>> {
    let tables = &ErlangState::of(context).ets;
    if tables.number(args[0]).is_some() {
        return None;
    }
    let gone = tables.may_be_gone(args[0]);
    if args[0].is_atom() {
        context.asks(Surrounding::Tables);
    }
    Some(if gone { Ok(names::UNDEFINED.into()) } else { Err(no_table(context, args[0])) })
}

/// Returns an item of information about a table; `None` if there is no such item.
fn item(context: &mut Context, identifier: Word, name: &str) -> Result<Option<Word>, Escape> {
    if name == "id" {
        let number = with_any_table(context, identifier, |table| table.number)?;
        return Ok(Some(context.heap.identity(Kind::Reference, number)));
    }
    match name {
        "memory" => context.asks(Surrounding::System),
        "node" => context.asks(Surrounding::Node),
        // The runtime compresses all tables if it was started with `+ec`.
        "compressed" if !with_any_table(context, identifier, |table| table.options.compressed)? => {
            context.asks(Surrounding::CommandLine);
        }
        _ => {}
    }
    with_any_table(context, identifier, |table| {
        Some(match name {
            "decentralized_counters" => Word::boolean(table.options.decentralized_counters),
            "read_concurrency" => Word::boolean(table.options.read_concurrency),
            "write_concurrency" => table.options.write_concurrency,
            "compressed" => Word::boolean(table.options.compressed),
            // Words besides the objects, which are shared with the process here.
            "memory" => Word::small((table.bytes() / 8) as i64 + 300),
            "owner" => table.owner,
            "heir" => table.options.heir,
            "name" => table.name.into(),
            "size" => Word::small(table.len() as i64),
            "node" => names::NONODE.into(),
            "named_table" => Word::boolean(table.options.named),
            "type" => Atom::new(table.kind.name()).into(),
            "keypos" => Word::small(table.key_index as i64 + 1),
            "protection" => table.options.protection.into(),
            "fixed" => Word::boolean(table.is_fixed()),
            _ => return None,
        })
    })
}

/// Sends the list of tables as a message: on the BEAM, each scheduler sends one, and here there is one scheduler.
fn request_all(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let number = World::reference_number(&mut context.process);
    let reference = context.heap.identity(Kind::Reference, number);
    let mut identifiers = Vec::new();
    for number in ErlangState::of(context).ets.numbers() {
        let name =
            ErlangState::of(context).ets.table(number).filter(|table| table.options.named).map(|table| table.name);
        identifiers.push(match name {
            Some(name) => name.into(),
            None => context.heap.identity(Kind::Reference, number),
        });
    }
    let list = context.heap.list(&identifiers, Word::NIL);
    let message = context.heap.tuple(&[reference, list]);
    context.process.mailbox.push_back(message);
    Ok(reference)
}
