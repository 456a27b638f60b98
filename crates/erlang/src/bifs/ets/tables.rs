//! The tables of a run, by name and by reference. Objects are values of the run's heap, not copies.

use super::absent::no_table;
use super::access::{check_access, looks_at_system};
use super::hash_store::HashStore;
use super::tree_store::TreeStore;
use crate::ErlangState;
use machine::value::{Collector, hash, identical};
use machine::{Access, Context, Escape, Kind, StatePart, Word};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use term::Atom;

/// All tables of a run. The words in them are roots.
#[derive(Clone, Default)]
pub struct Tables {
    by_number: FxHashMap<u64, Table>,
    by_name: FxHashMap<Atom, u64>,
    /// References of deleted tables: asking about them is no error.
    deleted: FxHashSet<u64>,
    /// Compiled match specifications by the reference that the program has. Equal specifications share a reference, so
    /// that a loop does not fill the memory.
    compiled: FxHashMap<u64, Word>,
    compiled_by_hash: FxHashMap<u64, Vec<u64>>,
    bytes: usize,
}

#[derive(Clone)]
pub struct Table {
    /// The number of the table's reference.
    pub number: u64,
    pub name: Atom,
    pub kind: TableKind,
    /// Position of the key in an object, from 0 on.
    pub key_index: usize,
    /// The processes that have fixed the table with `safe_fixtable`, each once per call.
    fixers: Vec<u64>,
    /// Whether a key may have a shadow. Then it is a decision which of the keys a given key equals.
    pub shadowed_keys: bool,
    pub owner: Word,
    /// Whether the process that created the table replaces a process of the system.
    pub is_of_system: bool,
    pub options: Options,
    store: Store,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    Set,
    OrderedSet,
    Bag,
    DuplicateBag,
}

impl TableKind {
    pub fn name(self) -> &'static str {
        match self {
            TableKind::Set => "set",
            TableKind::OrderedSet => "ordered_set",
            TableKind::Bag => "bag",
            TableKind::DuplicateBag => "duplicate_bag",
        }
    }
}

/// The options of a table. Those for compression, concurrency and counters are only reported back.
#[derive(Clone)]
pub struct Options {
    pub named: bool,
    pub protection: Atom,
    pub heir: Word,
    /// The data in the message to the heir.
    pub heir_data: Word,
    pub compressed: bool,
    pub read_concurrency: bool,
    pub write_concurrency: Word,
    pub decentralized_counters: bool,
}

#[derive(Clone)]
enum Store {
    Hash(HashStore),
    Tree(TreeStore),
}

/// A position of a walk over a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cursor {
    /// The birth of the next key.
    Birth(u64),
    /// The last key that was seen.
    Key(Option<Word>),
}

/// Returns the element of a tuple that is its key, if the tuple is long enough.
pub fn key_of(object: Word, key_index: usize) -> Option<Word> {
    object.concrete().as_tuple()?.get(key_index).copied()
}

impl Tables {
    pub fn roots(&mut self, collector: &mut Collector<'_>) {
        for table in self.by_number.values_mut() {
            collector.root(&mut table.owner);
            collector.root(&mut table.options.heir);
            collector.root(&mut table.options.heir_data);
            collector.root(&mut table.options.write_concurrency);
            match &mut table.store {
                Store::Hash(store) => store.roots(collector),
                Store::Tree(store) => store.roots(collector),
            }
        }
        collector.roots(self.compiled.values_mut());
    }

    pub fn visit(&mut self, see: &mut dyn FnMut(StatePart<'_>)) {
        let mut numbers: Vec<u64> = self.by_number.keys().copied().collect();
        numbers.sort_unstable();
        see(StatePart::Number(numbers.len() as u64));
        for number in numbers {
            let Some(table) = self.by_number.get_mut(&number) else { continue };
            let Options { named, protection, heir, compressed, read_concurrency, write_concurrency, .. } =
                table.options;
            for part in [
                number,
                table.kind as u64,
                table.key_index as u64,
                table.fixers.len() as u64,
                u64::from(named),
                u64::from(compressed),
                u64::from(read_concurrency),
                u64::from(table.options.decentralized_counters),
            ] {
                see(StatePart::Number(part));
            }
            for part in [Word::atom(table.name), Word::atom(protection), table.owner, heir, write_concurrency] {
                see(StatePart::Fixed(part));
            }
            match &mut table.store {
                Store::Hash(store) => store.visit(see),
                Store::Tree(store) => store.visit(see),
            }
        }
        for mut numbers in [self.deleted.iter().copied().collect::<Vec<u64>>(), self.compiled.keys().copied().collect()]
        {
            numbers.sort_unstable();
            see(StatePart::Number(numbers.len() as u64));
            numbers.into_iter().for_each(|number| see(StatePart::Number(number)));
        }
    }

    /// Adds a table; `None` if the name is taken.
    pub fn add(&mut self, table: Table) -> Option<()> {
        if table.options.named {
            if self.by_name.contains_key(&table.name) {
                return None;
            }
            self.by_name.insert(table.name, table.number);
        }
        self.bytes += size_of::<Table>();
        self.by_number.insert(table.number, table);
        Some(())
    }

    pub fn remove(&mut self, number: u64) {
        if let Some(table) = self.by_number.remove(&number) {
            self.bytes -= (table.bytes() + size_of::<Table>()).min(self.bytes);
            self.deleted.insert(number);
            if table.options.named {
                self.by_name.remove(&table.name);
            }
        }
    }

    /// Returns the numbers of the tables that a process owns, oldest first.
    pub fn owned_by(&self, owner: u64) -> Vec<u64> {
        let is_its = |(_, table): &(&u64, &Table)| table.owner.identity() == owner;
        let mut numbers: Vec<u64> = self.by_number.iter().filter(is_its).map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Renames a table; `None` if the name is taken.
    pub fn rename(&mut self, number: u64, name: Atom) -> Option<()> {
        let table = self.by_number.get_mut(&number)?;
        if table.options.named {
            if self.by_name.contains_key(&name) {
                return None;
            }
            self.by_name.remove(&table.name);
            self.by_name.insert(name, number);
        }
        table.name = name;
        Some(())
    }

    /// Returns the memory in use besides the objects.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn number(&self, identifier: Word) -> Option<u64> {
        let number = match identifier.as_atom() {
            Some(name) => *self.by_name.get(&name)?,
            None if identifier.is_kind(Kind::Reference) => identifier.identity(),
            None => return None,
        };
        self.by_number.contains_key(&number).then_some(number)
    }

    /// Returns whether it is a name or the reference of a deleted table: there is no table then, but that is no error.
    pub fn may_be_gone(&self, identifier: Word) -> bool {
        identifier.is_atom() || identifier.is_kind(Kind::Reference) && self.deleted.contains(&identifier.identity())
    }

    /// Ends all fixations by a process.
    pub fn release(&mut self, process: u64) {
        self.by_number.values_mut().for_each(|table| table.release(process));
    }

    pub fn table(&mut self, number: u64) -> Option<&mut Table> {
        self.by_number.get_mut(&number)
    }

    /// Returns the numbers of all tables, oldest first.
    pub fn numbers(&self) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.by_number.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    /// Returns the number of the reference to a compiled specification: that of an equal one, or the new one.
    pub fn compile(&mut self, spec: Word, new_number: u64) -> u64 {
        let known = self.compiled_by_hash.entry(hash(spec)).or_default();
        let equal = known.iter().find(|number| self.compiled.get(number).is_some_and(|other| identical(*other, spec)));
        if let Some(&number) = equal {
            return number;
        }
        known.push(new_number);
        self.compiled.insert(new_number, spec);
        new_number
    }

    /// Returns the source of a compiled specification.
    pub fn compiled(&self, reference: Word) -> Option<Word> {
        if !reference.is_kind(Kind::Reference) {
            return None;
        }
        self.compiled.get(&reference.identity()).copied()
    }
}

/// Works on the table that `identifier` means; `badarg` if there is none, or if the running process may not read it.
pub fn with_table<T>(context: &mut Context, identifier: Word, work: impl FnOnce(&mut Table) -> T) -> Result<T, Escape> {
    check_access(context, identifier, Access::Read)?;
    with_any_table(context, identifier, work)
}

/// Works on the table that `identifier` means, even if the running process may not read it; `badarg` if there is none.
pub fn with_any_table<T>(
    context: &mut Context,
    identifier: Word,
    work: impl FnOnce(&mut Table) -> T,
) -> Result<T, Escape> {
    let tables = &mut ErlangState::of(context).ets;
    let found = tables.number(identifier).and_then(|number| tables.by_number.get_mut(&number));
    let Some(table) = found else { return Err(no_table(context, identifier)) };
    let is_of_system = table.is_of_system;
    let before = table.bytes();
    let result = work(table);
    let after = table.bytes();
    tables.bytes = (tables.bytes + after).saturating_sub(before);
    if after > before {
        let bytes = tables.bytes;
        context.heap.ensure_buffer_room(bytes);
    }
    if is_of_system {
        looks_at_system(context);
    }
    Ok(result)
}

/// Decides which key of the table the given key equals, if any, where shadows matter. Keys of an ordered table are
/// found by their order, so that iterating over them needs no further decision.
pub fn decide_key(context: &mut Context, identifier: Word, key: Word) -> Result<(), Escape> {
    if !context.heap.has_shadows() {
        return Ok(());
    }
    let is_shadowed = context.heap.is_shadowed(key);
    let (kind, keys) = with_table(context, identifier, |table| {
        let matters = is_shadowed || table.shadowed_keys;
        (table.kind, if matters { table.keys() } else { Vec::new() })
    })?;
    if kind != TableKind::OrderedSet {
        context.decide_key_among(key, &keys);
        return Ok(());
    }
    let (mut low, mut high) = (0, keys.len());
    while low < high {
        let middle = (low + high) / 2;
        match context.decide_order(key, keys[middle]) {
            Ordering::Less => high = middle,
            Ordering::Greater => low = middle + 1,
            Ordering::Equal => break,
        }
    }
    Ok(())
}

/// Inserts an object that has a key, and takes the decisions that this needs. Returns how many objects it was compared
/// with.
pub fn insert(context: &mut Context, identifier: Word, object: Word) -> Result<usize, Escape> {
    if context.heap.has_shadows() {
        let (key, kind) = with_table(context, identifier, |table| (table.key(object), table.kind))?;
        let Some(key) = key else { return Ok(0) };
        decide_key(context, identifier, key)?;
        if kind == TableKind::Bag {
            decide_object(context, identifier, object)?;
        }
        let is_shadowed = context.heap.is_shadowed(key);
        with_table(context, identifier, |table| table.shadowed_keys |= is_shadowed)?;
    }
    with_table(context, identifier, |table| table.insert(object))
}

/// Decides which object of its key the given object equals, if any.
pub fn decide_object(context: &mut Context, identifier: Word, object: Word) -> Result<(), Escape> {
    let others =
        with_table(context, identifier, |table| table.key(object).map_or_else(Vec::new, |key| table.lookup(key)))?;
    for other in others {
        context.decide_identical(other, object);
    }
    Ok(())
}

impl Table {
    pub fn new(number: u64, name: Atom, kind: TableKind, key_index: usize, owner: Word, options: Options) -> Table {
        let store = match kind {
            TableKind::OrderedSet => Store::Tree(TreeStore::default()),
            TableKind::Set | TableKind::Bag | TableKind::DuplicateBag => Store::Hash(HashStore::new(key_index)),
        };
        Table {
            number,
            name,
            kind,
            key_index,
            fixers: Vec::new(),
            shadowed_keys: false,
            owner,
            is_of_system: false,
            options,
            store,
        }
    }

    /// Returns whether a key has at most one object.
    pub fn is_set(&self) -> bool {
        match self.kind {
            TableKind::Set | TableKind::OrderedSet => true,
            TableKind::Bag | TableKind::DuplicateBag => false,
        }
    }

    /// Returns whether the order of the keys is one that a program can rely on.
    pub fn is_ordered(&self) -> bool {
        match self.kind {
            TableKind::OrderedSet => true,
            TableKind::Set | TableKind::Bag | TableKind::DuplicateBag => self.len() < 2,
        }
    }

    /// Returns whether the order of its keys depends on the numbers of identities.
    pub fn shows_identities(&self) -> bool {
        match &self.store {
            Store::Tree(store) => store.is_order_arbitrary(),
            Store::Hash(_) => false,
        }
    }

    /// Returns the number of objects.
    pub fn len(&self) -> usize {
        match &self.store {
            Store::Hash(store) => store.len(),
            Store::Tree(store) => store.len(),
        }
    }

    pub fn bytes(&self) -> usize {
        match &self.store {
            Store::Hash(store) => store.bytes(),
            Store::Tree(store) => store.bytes(),
        }
    }

    /// Returns the key of an object, if it is a tuple that has one.
    pub fn key(&self, object: Word) -> Option<Word> {
        key_of(object, self.key_index)
    }

    pub fn lookup(&self, key: Word) -> Vec<Word> {
        match &self.store {
            Store::Hash(store) => store.lookup(key).to_vec(),
            Store::Tree(store) => store.lookup(key).into_iter().collect(),
        }
    }

    pub fn contains(&self, key: Word) -> bool {
        match &self.store {
            Store::Hash(store) => !store.lookup(key).is_empty(),
            Store::Tree(store) => store.lookup(key).is_some(),
        }
    }

    /// Inserts an object that has a key. Returns how many objects it was compared with.
    pub fn insert(&mut self, object: Word) -> usize {
        let Some(key) = self.key(object) else { return 0 };
        match &mut self.store {
            Store::Tree(store) => store.replace(key, object),
            Store::Hash(store) => match self.kind {
                TableKind::Set | TableKind::OrderedSet => store.replace(key, object),
                TableKind::DuplicateBag => store.append(key, object),
                TableKind::Bag => {
                    let others = store.lookup(key);
                    let count = others.len();
                    if !others.iter().any(|other| identical(*other, object)) {
                        store.append(key, object);
                    }
                    return count;
                }
            },
        }
        0
    }

    pub fn remove(&mut self, key: Word) {
        let fixed = self.is_fixed();
        match &mut self.store {
            Store::Hash(store) => store.change(key, fixed, Vec::clear),
            Store::Tree(store) => {
                store.remove(key);
            }
        }
    }

    /// Removes every object that is identical to this one.
    pub fn remove_object(&mut self, object: Word) {
        let Some(key) = self.key(object) else { return };
        let fixed = self.is_fixed();
        match &mut self.store {
            Store::Hash(store) => {
                store.change(key, fixed, |objects| objects.retain(|other| !identical(*other, object)));
            }
            Store::Tree(store) => {
                if store.lookup(key).is_some_and(|other| identical(other, object)) {
                    store.remove(key);
                }
            }
        }
    }

    /// Changes the objects of a key in place; objects that `change` takes out of the list are removed.
    pub fn change(&mut self, key: Word, change: impl FnOnce(&mut Vec<Word>)) {
        let fixed = self.is_fixed();
        match &mut self.store {
            Store::Hash(store) => store.change(key, fixed, change),
            Store::Tree(store) => {
                let Some(object) = store.lookup(key) else { return };
                let mut objects = vec![object];
                change(&mut objects);
                match objects.first() {
                    Some(object) => store.replace(key_of(*object, self.key_index).unwrap_or(key), *object),
                    None => {
                        store.remove(key);
                    }
                }
            }
        }
    }

    pub fn clear(&mut self) {
        match &mut self.store {
            Store::Hash(store) => store.clear(!self.fixers.is_empty()),
            Store::Tree(store) => store.clear(),
        }
    }

    pub fn is_fixed(&self) -> bool {
        !self.fixers.is_empty()
    }

    /// Fixes the table for a process, or undoes that once.
    pub fn fix(&mut self, process: u64, fixed: bool) {
        if fixed {
            self.fixers.push(process);
        } else if let Some(index) = self.fixers.iter().position(|fixer| *fixer == process) {
            self.fixers.remove(index);
            self.unfixed();
        }
    }

    /// Ends all fixations by a process.
    pub fn release(&mut self, process: u64) {
        if self.fixers.contains(&process) {
            self.fixers.retain(|fixer| *fixer != process);
            self.unfixed();
        }
    }

    fn unfixed(&mut self) {
        if let (Store::Hash(store), true) = (&mut self.store, self.fixers.is_empty()) {
            store.unfix();
        }
    }

    /// Returns all keys, in order if there is one, including those that were deleted while the table was fixed.
    pub fn keys(&self) -> Vec<Word> {
        match &self.store {
            Store::Hash(store) => store.all_keys(),
            Store::Tree(store) => store.beyond(None, false).map(|(key, _)| key).collect(),
        }
    }

    /// Returns the first key, or the last one if `last` is set and the keys have an order.
    pub fn end_key(&mut self, last: bool) -> Option<Word> {
        match &mut self.store {
            Store::Hash(store) => store.first_key(),
            Store::Tree(store) => store.beyond(None, last).next().map(|(key, _)| key),
        }
    }

    /// Returns the key after `key`, or before it; an error if a table without order does not contain `key`.
    pub fn key_beyond(&self, key: Word, reverse: bool) -> Result<Option<Word>, ()> {
        match &self.store {
            Store::Hash(store) => store.next_key(key),
            Store::Tree(store) => Ok(store.beyond(Some(key), reverse).next().map(|(key, _)| key)),
        }
    }

    /// Returns the objects in the n-th slot; `Ok(None)` directly after the last slot, and an error further on.
    pub fn slot(&self, index: usize) -> Result<Option<Vec<Word>>, ()> {
        let (found, count) = match &self.store {
            Store::Hash(store) => (store.nth(index).map(<[Word]>::to_vec), store.keys()),
            Store::Tree(store) => (store.nth(index).map(|object| vec![object]), store.len()),
        };
        if found.is_none() && index > count { Err(()) } else { Ok(found) }
    }

    pub fn start(&self) -> Cursor {
        match &self.store {
            Store::Hash(_) => Cursor::Birth(0),
            Store::Tree(_) => Cursor::Key(None),
        }
    }

    /// Returns the objects of the next keys, about `count` of them, each with the position after its key.
    pub fn walk(&self, cursor: Cursor, reverse: bool, count: usize) -> Vec<(Word, Cursor)> {
        match (&self.store, cursor) {
            (Store::Hash(store), Cursor::Birth(birth)) => {
                let mut found = Vec::new();
                for (objects, next) in store.born_from(birth).take(count) {
                    found.extend(objects.iter().map(|object| (*object, Cursor::Birth(next))));
                }
                found
            }
            (Store::Tree(store), Cursor::Key(last)) => {
                let pairs = store.beyond(last, reverse).take(count);
                pairs.map(|(key, object)| (object, Cursor::Key(Some(key)))).collect()
            }
            (Store::Hash(_), Cursor::Key(_)) | (Store::Tree(_), Cursor::Birth(_)) => Vec::new(),
        }
    }
}
