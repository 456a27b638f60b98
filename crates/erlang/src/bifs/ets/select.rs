//! Operations on many objects at once: match, select and their relatives, and match specifications that are used
//! without a table.

use super::absent::bad_call;
use super::access::{reads, writes};
use super::expression::Wrong;
use super::objects::{IN_TABLE, asks_order};
use super::pattern::without_open_shadows;
use super::spec::MatchSpec;
use super::tables::{Cursor, TableKind, decide_key, decide_object, with_table};
use crate::ErlangState;
use crate::bifs::{badarg, badarg_because, rows};
use machine::{Context, Escape, Kind, Primitive, Word, World};
use path::{Concretised, Stop};
use term::{Atom, FunctionName, names};

pub(super) const ROWS: &[Primitive] = rows! {"ets" by Tables;
    "match" (Any) -> Any, badarg, go_on, IN_TABLE;
    "match" (Any, Any) -> ProperList, bad_call, match_bindings, IN_TABLE;
    "match" (Any, Any, Positive) -> Any, bad_call, match_bindings_chunk, IN_TABLE;
    "match_object" (Any) -> Any, badarg, go_on, IN_TABLE;
    "match_object" (Any, Any) -> ProperList, bad_call, match_object, IN_TABLE;
    "match_object" (Any, Any, Positive) -> Any, bad_call, match_object_chunk, IN_TABLE;
    "select" (Any) -> Any, badarg, go_on, IN_TABLE;
    "select" (Any, Any) -> ProperList, bad_call, select, IN_TABLE;
    "select" (Any, Any, Positive) -> Any, bad_call, select_chunk, IN_TABLE;
    "select_reverse" (Any) -> Any, badarg, go_on, IN_TABLE;
    "select_reverse" (Any, Any) -> ProperList, bad_call, select_reverse, IN_TABLE;
    "select_reverse" (Any, Any, Positive) -> Any, bad_call, select_reverse_chunk, IN_TABLE;
    "select_count" (Any, Any) -> NonNegative, bad_call, select_count, IN_TABLE;
    "internal_select_delete" (Any, Any) -> NonNegative, bad_call, select_delete, IN_TABLE;
    "select_replace" (Any, Any) -> NonNegative, bad_call, select_replace, IN_TABLE;
    "match_spec_compile" (NonemptyList) -> Reference, badarg, match_spec_compile, Effect;
    "is_compiled_ms" (Any) -> Boolean, badarg, is_compiled_ms, Effect;
    "match_spec_run_r" (List, Any, Any) -> Any, badarg, match_spec_run_r, Effect;
};

pub(super) const TEST_ROWS: &[Primitive] = rows! {"erlang" by Tables;
    "match_spec_test" (Any, Any, Atom) -> Tuple, badarg, match_spec_test, Effect;
};

fn match_bindings(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let spec = one_clause(context, args[1], names::ALL_BINDINGS);
    select(context, &[args[0], spec])
}

fn match_bindings_chunk(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let spec = one_clause(context, args[1], names::ALL_BINDINGS);
    select_chunk(context, &[args[0], spec, args[2]])
}

fn match_object(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let spec = one_clause(context, args[1], names::WHOLE_OBJECT);
    select(context, &[args[0], spec])
}

fn match_object_chunk(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let spec = one_clause(context, args[1], names::WHOLE_OBJECT);
    select_chunk(context, &[args[0], spec, args[2]])
}

fn select(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    select_all(context, args, false)
}

fn select_reverse(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    select_all(context, args, true)
}

fn select_all(context: &mut Context, args: &[Word], reverse: bool) -> Result<Word, Escape> {
    let mut results = Vec::new();
    let (walk, mut spec) = Walk::begin(context, args[0], args[1], reverse)?;
    let follows_table = walk.follows_table(context)?;
    walk.each(context, &mut spec, |_, _, result| results.push(result))?;
    if follows_table && results.len() > 1 {
        asks_order(context, args[0])?;
    }
    context.heap.ensure_room(2 * results.len());
    Ok(context.heap.list(&results, Word::NIL))
}

fn select_count(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    let mut count = 0;
    let (walk, mut spec) = Walk::begin(context, args[0], args[1], false)?;
    walk.each(context, &mut spec, |context, _, result| count += i64::from(context.is_true(result)))?;
    Ok(Word::small(count))
}

fn select_delete(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes(context, args)?;
    let mut gone = Vec::new();
    let (walk, mut spec) = Walk::begin(context, args[0], args[1], false)?;
    walk.each(context, &mut spec, |context, object, result| {
        if context.is_true(result) {
            gone.push(object);
        }
    })?;
    for object in &gone {
        decide_object(context, args[0], *object)?;
        with_table(context, args[0], |table| table.remove_object(*object))?;
    }
    Ok(Word::small(gone.len() as i64))
}

/// Replaces matching objects. All objects of a key are replaced at once, because the replacement of one may equal
/// another.
fn select_replace(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    writes(context, args)?;
    let (kind, key_index) = with_table(context, args[0], |table| (table.kind, table.key_index))?;
    if kind == TableKind::Bag {
        return Err(badarg_because(context, "table_type"));
    }
    let (mut walk, mut spec) = Walk::begin(context, args[0], args[1], false)?;
    if !spec.keeps_keys(key_index) {
        return Err(badarg(context, args));
    }
    let mut count = 0;
    let mut changes: Vec<(Word, Vec<Word>)> = Vec::new();
    let mut last_key = None;
    while let Some((object, behind_key)) = walk.next(context)? {
        let result = spec.run(context, object)?;
        count += i64::from(result.is_some());
        let new = result.unwrap_or(object);
        match changes.last_mut() {
            Some((_, objects)) if last_key == Some(behind_key) => objects.push(new),
            _ => changes.push((object, vec![new])),
        }
        last_key = Some(behind_key);
    }
    with_table(context, args[0], |table| {
        for (object, new) in changes {
            if let Some(key) = table.key(object) {
                table.change(key, |objects| *objects = new);
            }
        }
    })?;
    Ok(Word::small(count))
}

/// A pass over the objects of a table that a specification can match.
struct Walk {
    table: Word,
    reverse: bool,
    /// The only keys that can match, if they are known.
    keys: Option<std::vec::IntoIter<Word>>,
    /// The position after the last object that was returned.
    cursor: Cursor,
    /// Objects that were read ahead, in groups by key, each with the position after its key.
    batch: std::vec::IntoIter<(Word, Cursor)>,
}

/// The number of keys that are read from a table at a time.
const BATCH: usize = 256;

impl Walk {
    fn begin(context: &mut Context, table: Word, spec: Word, reverse: bool) -> Result<(Walk, MatchSpec), Escape> {
        let (key_index, cursor) = with_table(context, table, |table| (table.key_index, table.start()))?;
        let spec = without_open_shadows(context, spec);
        let spec = MatchSpec::compile(context, spec)?;
        let mut keys = spec.bound_keys(key_index);
        // The keys were sorted and deduplicated by their concrete values.
        if keys.as_ref().is_some_and(|keys| keys.len() > 1 && keys.iter().any(|key| context.heap.is_shadowed(*key))) {
            context.lose(Concretised::SeveralKeysOfMatch);
        }
        if let (Some(keys), true) = (&mut keys, reverse) {
            keys.reverse();
        }
        let walk = Walk { table, reverse, keys: keys.map(Vec::into_iter), cursor, batch: Vec::new().into_iter() };
        Ok((walk, spec))
    }

    /// Returns the next object and the position after its key.
    fn next(&mut self, context: &mut Context) -> Result<Option<(Word, Cursor)>, Escape> {
        while self.batch.as_slice().is_empty() {
            let objects = match &mut self.keys {
                None => with_table(context, self.table, |table| table.walk(self.cursor, self.reverse, BATCH))?,
                Some(keys) => {
                    let Some(key) = keys.next() else { return Ok(None) };
                    decide_key(context, self.table, key)?;
                    let objects = with_table(context, self.table, |table| table.lookup(key))?;
                    context.charge(1)?;
                    objects.into_iter().map(|object| (object, Cursor::Key(Some(key)))).collect()
                }
            };
            if self.keys.is_none() && objects.is_empty() {
                return Ok(None);
            }
            self.batch = objects.into_iter();
        }
        let next = self.batch.next();
        if let Some((_, behind_key)) = next {
            self.cursor = behind_key;
        }
        Ok(next)
    }

    /// Shows every object that matches, with its result, to `visit`.
    fn each(
        mut self,
        context: &mut Context,
        spec: &mut MatchSpec,
        mut visit: impl FnMut(&mut Context, Word, Word),
    ) -> Result<(), Escape> {
        while let Some((object, _)) = self.next(context)? {
            if let Some(result) = spec.run(context, object)? {
                visit(context, object, result);
            }
        }
        Ok(())
    }

    /// Returns whether the order of the objects is that of the table. Several known keys of an ordered table are in its order,
    /// too.
    fn follows_table(&self, context: &mut Context) -> Result<bool, Escape> {
        Ok(self.keys.is_none() || with_table(context, self.table, |table| table.is_ordered())?)
    }

    /// Returns whether more objects with the key of the last one follow.
    fn is_inside_a_key(&self) -> bool {
        self.batch.as_slice().first().is_some_and(|(_, behind_key)| *behind_key == self.cursor)
    }
}

fn select_chunk(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    begin_chunk(context, args, false)
}

fn select_reverse_chunk(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    reads(context, args)?;
    begin_chunk(context, args, true)
}

fn begin_chunk(context: &mut Context, args: &[Word], reverse: bool) -> Result<Word, Escape> {
    let Some(limit) = args[2].as_small() else { return Err(badarg(context, args)) };
    // Equal specifications are stored once, whatever shadows they have.
    if context.heap.is_shadowed(args[1]) {
        context.lose(Concretised::TablePattern);
    }
    let source = context.heap.without_shadows(args[1]);
    let (walk, mut spec) = Walk::begin(context, args[0], source, reverse)?;
    let reference = compiled(context, source);
    chunk(context, walk, &mut spec, Chunk { limit: limit as usize, reference, results: Vec::new(), done: false })
}

/// The contents of a continuation besides the position in the table.
struct Chunk {
    limit: usize,
    /// The reference to the compiled specification.
    reference: Word,
    /// Results that were found but not returned yet.
    results: Vec<Word>,
    /// Whether no further objects are to be examined.
    done: bool,
}

/// Returns `{Results, Continuation}`. `'$end_of_table'` replaces the continuation if nothing is left, and the whole if
/// there are no results.
fn chunk(context: &mut Context, mut walk: Walk, spec: &mut MatchSpec, mut chunk: Chunk) -> Result<Word, Escape> {
    // A walk over known keys has no position to continue from, so all its objects are examined in the first turn.
    let known_keys = walk.keys.is_some();
    if walk.follows_table(context)? {
        asks_order(context, walk.table)?;
    }
    while !chunk.done && (known_keys || chunk.results.len() < chunk.limit || walk.is_inside_a_key()) {
        match walk.next(context)? {
            None => chunk.done = true,
            Some((object, _)) => chunk.results.extend(spec.run(context, object)?),
        }
    }
    if chunk.results.is_empty() {
        return Ok(names::END_OF_TABLE.into());
    }
    let rest = chunk.results.split_off(chunk.results.len().min(chunk.limit));
    let results = context.heap.list(&chunk.results, Word::NIL);
    let continuation = if chunk.done && rest.is_empty() {
        names::END_OF_TABLE.into()
    } else {
        continuation(context, &walk, &Chunk { results: rest, ..chunk })?
    };
    Ok(context.heap.tuple(&[results, continuation]))
}

/// Makes a continuation in the shape that `ets:repair_continuation/2` knows: six elements for tables without order,
/// eight for those with one.
fn continuation(context: &mut Context, walk: &Walk, chunk: &Chunk) -> Result<Word, Escape> {
    let (table, kind) = (walk.table, with_table(context, walk.table, |table| table.kind)?);
    let limit = context.heap.integer(chunk.limit as i64);
    let results = context.heap.list(&chunk.results, Word::NIL);
    let count = Word::small(chunk.results.len() as i64);
    let reverse = Word::small(i64::from(walk.reverse));
    let done = if chunk.done { Word::TRUE } else { Word::NIL };
    Ok(match (kind, walk.cursor) {
        (TableKind::OrderedSet, Cursor::Key(key)) => {
            let key = key.unwrap_or(Word::NIL);
            context.heap.tuple(&[table, key, done, limit, chunk.reference, results, reverse, count])
        }
        (_, Cursor::Birth(birth)) if !chunk.done => {
            let birth = context.heap.integer_u64(birth);
            context.heap.tuple(&[table, birth, limit, chunk.reference, results, count])
        }
        _ => context.heap.tuple(&[table, Word::small(-1), limit, chunk.reference, results, count]),
    })
}

fn go_on(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if args[0].as_atom() == Some(names::END_OF_TABLE) {
        return Ok(args[0]);
    }
    // The condition that a shadow of the key adds is already decided: the key is in the table.
    let parts: Option<Vec<Word>> = args[0].as_tuple().map(|parts| parts.iter().map(|part| part.concrete()).collect());
    if args[0].as_tuple().is_some_and(|parts| parts.iter().skip(2).any(|part| part.is_symbolic())) {
        context.lose(Concretised::TableContinuation);
    }
    let decoded = match parts.as_deref() {
        Some(&[table, key, done, limit, reference, results, reverse, _]) => {
            let reverse = reverse.as_small() == Some(1);
            Some((table, Cursor::Key(Some(key)), done == Word::TRUE, limit, reference, results, reverse))
        }
        Some(&[table, birth, limit, reference, results, _]) => {
            let cursor = Cursor::Birth(birth.as_usize().unwrap_or(0) as u64);
            Some((table, cursor, birth == Word::small(-1), limit, reference, results, false))
        }
        _ => None,
    };
    let Some((table, cursor, done, limit, reference, results, reverse)) = decoded else {
        return Err(badarg(context, args));
    };
    let same_shape = with_table(context, table, |table| {
        matches!((table.kind, cursor), (TableKind::OrderedSet, Cursor::Key(_)))
            || matches!((table.kind == TableKind::OrderedSet, cursor), (false, Cursor::Birth(_)))
    })?;
    let source = ErlangState::of(context).ets.compiled(reference);
    let (Some(source), Some(limit), Some(results)) = (source, limit.as_usize(), machine::list_items(results)) else {
        return Err(badarg(context, args));
    };
    if !same_shape || limit == 0 {
        return Err(badarg(context, args));
    }
    let mut spec = MatchSpec::compile(context, source)?;
    let walk = Walk { table, reverse, keys: None, cursor, batch: Vec::new().into_iter() };
    chunk(context, walk, &mut spec, Chunk { limit, reference, results, done })
}

fn match_spec_compile(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    MatchSpec::compile(context, args[0])?;
    Ok(compiled(context, args[0]))
}

fn is_compiled_ms(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::boolean(ErlangState::of(context).ets.compiled(args[0]).is_some()))
}

/// Prepends the results of the items that match to the third argument, the last one first.
fn match_spec_run_r(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(source) = ErlangState::of(context).ets.compiled(args[1]) else { return Err(badarg(context, args)) };
    let mut spec = MatchSpec::compile(context, source)?;
    let mut results = args[2];
    let mut rest = args[0].concrete();
    while rest.is_cons() {
        if let Some(result) = spec.run(context, rest.head())? {
            results = context.heap.cons(result, results);
        }
        rest = rest.tail().concrete();
    }
    if rest.is_nil() { Ok(results) } else { Err(badarg(context, args)) }
}

/// Tests a specification for tables: `{ok, Result, [], []}`, with `false` as the result if nothing matches. The
/// messages about errors in a specification are our own and differ from the BEAM's.
fn match_spec_test(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[2].as_atom().map(Atom::text) {
        Some("table") => {}
        Some("trace") => {
            let function = Atom::new("match_spec_test");
            return Err(context.stop(Stop::Unsupported(FunctionName { module: names::ERLANG, function, arity: 3 })));
        }
        _ => return Err(badarg(context, args)),
    }
    let compiled = match args[1].is_cons() {
        true => MatchSpec::try_compile(args[1]),
        false => Err(Wrong::NotAnExpression),
    };
    match compiled {
        Ok(mut spec) => {
            let result = spec.run(context, args[0])?.unwrap_or(Word::FALSE);
            Ok(context.heap.tuple(&[names::OK.into(), result, Word::NIL, Word::NIL]))
        }
        Err(wrong) => {
            let text = context.heap.string(&wrong.to_string());
            let error = context.heap.tuple(&[names::ERROR.into(), text]);
            let errors = context.heap.list(&[error], Word::NIL);
            Ok(context.heap.tuple(&[names::ERROR.into(), errors]))
        }
    }
}

/// Returns the reference to a specification that was compiled successfully.
fn compiled(context: &mut Context, spec: Word) -> Word {
    let before = context.process.history;
    let next = World::reference_number(&mut context.process);
    let number = ErlangState::of(context).ets.compile(spec, next);
    if number != next {
        context.process.history = before;
    }
    context.heap.identity(Kind::Reference, number)
}

/// Makes the specification `[{Head, [], [Result]}]`.
fn one_clause(context: &mut Context, head: Word, result: Atom) -> Word {
    let body = context.heap.list(&[result.into()], Word::NIL);
    let clause = context.heap.tuple(&[head, Word::NIL, body]);
    context.heap.list(&[clause], Word::NIL)
}
