//! A run's part of the search: answers the questions of function inputs from the choices and values that the run was
//! given, and records every answer that could have been different as a decision.

mod results;

use crate::client::Playing;
use crate::parts::{Found, functions_in, items, observed, place};
use crate::random::Random;
use crate::scope::{FunctionsInScope, Scoped};
use formula::{TermId, TypeId, TypeNode, Types, Variable};
use machine::{Context, Escape, Player, Question, Word};
use path::functions::has_identities;
use path::{
    Answer, Broken, Class, Client, Concretised, Label, Labels, Part, Place, Plan, Played, Sort, Stop, Witness, belongs,
    labels_inside,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

pub struct Play {
    pub(crate) types: Arc<Types>,
    pub(crate) labels: Labels,
    plan: Plan,
    /// The variable of the first position that the run makes.
    pub(crate) first_variable: u32,
    pub(crate) positions: Vec<Position>,
    pub(crate) position_of: FxHashMap<Label, u32>,
    pub(crate) functions: Vec<Function>,
    pub(crate) function_of: FxHashMap<Label, u32>,
    pub(crate) tables: Vec<Table>,
    pub(crate) table_of: FxHashMap<Label, u32>,
    pub(crate) nodes: Vec<PlayedNode>,
    pub(crate) node_of: FxHashMap<Label, u32>,
    /// The options that were chosen at labels.
    pub(crate) chosen: FxHashMap<Label, u32>,
    asked: FxHashSet<Label>,
    /// The index in scope of functions that are one in scope.
    pub(crate) in_scope: FxHashMap<Label, u32>,
    /// Whether the unit has given a function to one of its inputs.
    handed: bool,
    /// The number of times that a function was brought into a scope.
    brought: u32,
    /// The declared types of the unit's results.
    results: Vec<TypeId>,
    pub broken: Option<Broken>,
    pub(crate) applications: Vec<Applied>,
    /// The client of a module, if the unit is one.
    pub(crate) client: Option<Playing>,
    /// The generator that decides instead of the plan, if nothing is planned.
    random: Option<Random>,
}

/// A piece of data in the answers and arguments of function inputs: a variable.
pub(crate) struct Position {
    pub label: Label,
    pub value: Term,
    pub of: TypeId,
    /// The functions that were in scope where it was made, by their numbers.
    pub around: FxHashSet<u32>,
}

pub(crate) struct Function {
    pub label: Label,
    pub arity: u32,
    pub sort: Sort,
}

/// A table from observations to nodes.
pub(crate) struct Table {
    pub label: Label,
    /// The declared types of the observed values.
    domain: Option<Arc<[TypeId]>>,
    /// The type of the answers of its nodes. `hint` is where they take their first guess from.
    answers: TypeId,
    hint: Option<Label>,
    pub of: Observed,
    pub entries: Vec<Entry>,
}

/// The kind of observations in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observed {
    Arguments,
    Returned,
    Raised,
}

pub(crate) struct Entry {
    pub key: Term,
    formula: TermId,
    pub node: Label,
    /// Which of the functions in the key are in scope.
    pub given: Vec<bool>,
}

pub(crate) struct PlayedNode {
    pub label: Label,
    pub answers: TypeId,
    hint: Option<Label>,
    /// The functions in scope for which arguments can be made, by index.
    pub callable: Vec<u32>,
}

/// An application of a function in a result.
pub(crate) struct Applied {
    /// The index of the function among those in the result.
    pub function: u32,
    /// The result as observed.
    pub result: Term,
    pub args: Vec<Label>,
}

/// The classes of exceptions, in the order in which they are tried.
pub(crate) const CLASSES: [Class; 3] = [Class::Throw, Class::Error, Class::Exit];
/// The greatest number of times that results are applied, one after the other.
const DEEPEST_RESULT: u32 = 3;
/// The number of entries of one table up to which decisions distinguish them.
const MOST_ENTRIES: usize = 400;

impl Play {
    pub fn new(types: Arc<Types>, labels: Labels, plan: Plan, first_variable: u32, results: Vec<TypeId>) -> Play {
        let random = plan.random.map(Random::new);
        Play {
            random,
            types,
            labels,
            plan,
            first_variable,
            positions: Vec::new(),
            position_of: FxHashMap::default(),
            functions: Vec::new(),
            function_of: FxHashMap::default(),
            tables: Vec::new(),
            table_of: FxHashMap::default(),
            nodes: Vec::new(),
            node_of: FxHashMap::default(),
            chosen: FxHashMap::default(),
            asked: FxHashSet::default(),
            in_scope: FxHashMap::default(),
            handed: false,
            brought: 0,
            results,
            broken: None,
            applications: Vec::new(),
            client: None,
        }
    }

    /// Sets the client of a module to play, if there is one.
    pub fn with_client(mut self, client: Option<&Arc<Client>>) -> Play {
        self.client = client.map(|client| Playing::new(Arc::clone(client)));
        self
    }

    /// Places an input of the unit, with its functions.
    pub fn input(&mut self, context: &mut Context, index: u32, of: TypeId, term: &Term, formula: TermId) -> Word {
        let label = self.labels.of(Labels::ROOT, Part::Input(index));
        let word = self.placed(context, label, of, term, &FunctionsInScope::default());
        shadowed(context, word, formula)
    }

    /// Puts a term on the heap, with closures in the place of its functions.
    fn placed(
        &mut self,
        context: &mut Context,
        label: Label,
        of: TypeId,
        term: &Term,
        scope: &FunctionsInScope,
    ) -> Word {
        let types = Arc::clone(&self.types);
        let mut inside = Vec::new();
        labels_inside(Some(label), term, &mut |label, part| Some(self.labels.of(label, part)), &mut inside);
        let mut inside = inside.into_iter().flatten();
        let scope = scope.word(context);
        place(context, &types, of, term, &mut |context, fun, of| {
            let label = inside.next().unwrap_or(label);
            if Sort::is_ambiguous(&types, of, fun.arity()) {
                context.recorder.concretised(Concretised::SeveralSortsOfFunctions);
            }
            self.function(context, label, fun.arity(), Sort::of(&types, of, fun.arity()), scope)
        })
    }

    fn function(&mut self, context: &mut Context, label: Label, arity: u32, sort: Sort, scope: Word) -> Word {
        let declared = sort.params.is_some();
        let number = *self.function_of.entry(label).or_insert_with(|| {
            self.functions.push(Function { label, arity, sort });
            self.functions.len() as u32 - 1
        });
        let number = context.unknown_identity(number);
        crate::driver::closure(context, arity, declared, number, scope)
    }

    /// Returns the value at a position, with its shadow. At the first call, the position becomes a new variable.
    pub(crate) fn position(
        &mut self,
        context: &mut Context,
        label: Label,
        of: TypeId,
        scope: &FunctionsInScope,
        hint: Option<Label>,
    ) -> Result<Word, Escape> {
        let index = match self.position_of.get(&label) {
            Some(index) => *index,
            None => {
                let known = |label: &Label| {
                    let own = self.position_of.get(label).map(|index| &self.positions[*index as usize].value);
                    own.or_else(|| self.plan.values.get(label)).cloned()
                };
                let fits = |value: &Term| self.types.contains(of, value);
                let made = self.random.as_mut().and_then(|random| random.term(&self.types, of));
                let kept =
                    made.or_else(|| known(&label).filter(fits)).or_else(|| hint.as_ref().and_then(known).filter(fits));
                let Some(value) = kept.or_else(|| self.types.smallest(of)) else {
                    return Err(context.stop(Stop::Fault("an answer of a type without values".to_string())));
                };
                let index = self.positions.len() as u32;
                self.positions.push(Position { label, value, of, around: FxHashSet::default() });
                self.position_of.insert(label, index);
                context.recorder.formulas.declare(Variable(self.first_variable + index), of);
                index
            }
        };
        let position = &mut self.positions[index as usize];
        position.around.extend(scope.items.iter().map(|item| item.number));
        let (value, of) = (position.value.clone(), position.of);
        let word = self.placed(context, label, of, &value, scope);
        if self.random.is_some() {
            return Ok(word);
        }
        let formula = context.recorder.formulas.variable(Variable(self.first_variable + index));
        Ok(shadowed(context, word, formula))
    }

    /// Chooses an option at a label, once for each run.
    pub(crate) fn choose(&mut self, context: &mut Context, label: Label, options: u32, probes: Range<u32>) -> u32 {
        let planned = self.plan.choices.get(&label).copied().filter(|chosen| *chosen < options).unwrap_or(0);
        let chosen = match (&mut self.random, self.chosen.get(&label)) {
            (Some(_), Some(known)) => *known,
            (Some(random), None) => {
                // A client that chooses at random seldom stops by choice.
                let goes_on = probes.end > probes.start && random.below(16) > 0;
                let range = if goes_on { probes.clone() } else { 0..options };
                range.start + random.below(u64::from(range.end - range.start)) as u32
            }
            (None, _) => planned,
        };
        if self.asked.insert(label) {
            context.recorder.enter(Place::Choice(label));
            context.recorder.choice(chosen, options, probes);
            self.chosen.insert(label, chosen);
        }
        chosen
    }

    /// Decides whether a function is new or one of those in scope.
    fn resolve(&mut self, context: &mut Context, function: Word, scope: Word) -> Result<Word, Escape> {
        let number = number(context, function)? as usize;
        match self.resolved(context, number, scope) {
            Some(other) => Ok(context.heap.tuple(&[Word::atom(Atom::new("scope")), other])),
            None => {
                let Function { label, ref sort, .. } = self.functions[number];
                let sort = sort.clone();
                let table = self.table(label, sort.params, sort.result, None, Observed::Arguments);
                Ok(Word::small(table.into()))
            }
        }
    }

    /// Returns the function in scope that a function is, or `None` if it is new.
    fn resolved(&mut self, context: &mut Context, number: usize, scope: Word) -> Option<Word> {
        let Function { label, arity, ref sort } = self.functions[number];
        let scope = FunctionsInScope::of(scope);
        let fits = |(_, item): &(usize, &Scoped)| {
            u32::from(item.function.header().aux()) == arity && item.sort.stands_for(sort)
        };
        let others: Vec<(usize, Word)> =
            scope.items.iter().enumerate().filter(fits).map(|(index, item)| (index, item.function)).collect();
        let chosen = self.choose(context, label, 1 + others.len() as u32, 0..0);
        let (index, function) = *others.get((chosen as usize).checked_sub(1)?)?;
        self.in_scope.insert(label, index as u32);
        Some(function)
    }

    fn table(
        &mut self,
        label: Label,
        domain: Option<Arc<[TypeId]>>,
        answers: TypeId,
        hint: Option<Label>,
        of: Observed,
    ) -> u32 {
        *self.table_of.entry(label).or_insert_with(|| {
            self.tables.push(Table { label, domain, answers, hint, of, entries: Vec::new() });
            self.tables.len() as u32 - 1
        })
    }

    /// Looks up observed values in a table. Returns `{Node, Scope}`.
    fn look_up(&mut self, context: &mut Context, table: Word, values: Word, scope: Word) -> Result<Word, Escape> {
        let number = number(context, table)? as usize;
        let values = items(values);
        let mut scope = FunctionsInScope::of(scope);
        let Table { label, of, answers, hint, .. } = self.tables[number];
        let domain = self.tables[number].domain.clone();
        let mut keys = Vec::with_capacity(values.len());
        let mut formulas = Vec::with_capacity(values.len());
        let mut found = Vec::new();
        let at_hand: FxHashSet<u32> = scope.items.iter().map(|item| item.number).collect();
        for (index, value) in values.iter().enumerate() {
            let declared = domain.as_ref().and_then(|domain| domain.get(index).copied()).unwrap_or(Types::ANY);
            context.recorder.enter(Place::Observed(label));
            self.open(context, *value, &at_hand);
            let Some(key) = observed(*value) else {
                return Err(context.stop(Stop::ResultTooLarge));
            };
            let formula = match context.observe(*value) {
                Ok(formula) => formula,
                Err(_) => {
                    context.recorder.concretised(Concretised::ArgumentOfInput);
                    context.recorder.formulas.constant(key.clone())
                }
            };
            if !belongs(&mut context.recorder, Place::Domain, &self.types, &[declared], formula, &key) {
                let args: Vec<Term> = values.iter().filter_map(|value| observed(*value)).collect();
                self.broken = Some(match of {
                    Observed::Arguments => Broken::Domain { args },
                    Observed::Returned | Observed::Raised => Broken::Range { value: key },
                });
                return Err(context.stop(Stop::Contract));
            }
            let opened = |formula| self.hides(&context.recorder.formulas, formula, &at_hand);
            found.extend(functions_in(&self.types, declared, &key, *value, &opened));
            keys.push(key);
            formulas.push(formula);
        }
        if found.iter().any(|found| found.ambiguous) {
            context.recorder.concretised(Concretised::SeveralSortsOfFunctions);
        }
        let key = Term::tuple(keys);
        if has_identities(&key) {
            context.recorder.concretised(Concretised::IdentitiesGivenToInput);
        }
        let formula = context.recorder.formulas.tuple(&formulas);
        let given: Vec<bool> = found.iter().map(|found| found.given).collect();
        self.handed |= given.contains(&true);
        context.charge(self.tables[number].entries.len() / 8)?;
        let (node, given) = self.entry(context, number, key, formula, given);
        let found = found.into_iter().zip(given).filter(|(_, given)| *given);
        for (Found { function, sort, .. }, _) in found {
            self.bring(&mut scope, function, sort);
        }
        let handle = *self.node_of.entry(node).or_insert_with(|| {
            self.nodes.push(PlayedNode { label: node, answers, hint, callable: Vec::new() });
            self.nodes.len() as u32 - 1
        });
        let scope = scope.word(context);
        Ok(context.heap.tuple(&[Word::small(handle.into()), scope]))
    }

    /// Returns the node of a key's entry, which may be new, and which functions of the key are in scope. The choice of
    /// the entry is a decision; the functions in scope are always the same for an entry.
    fn entry(
        &mut self,
        context: &mut Context,
        table: usize,
        key: Term,
        formula: TermId,
        given: Vec<bool>,
    ) -> (Label, Vec<bool>) {
        let Table { label, entries, .. } = &mut self.tables[table];
        // A key is compared with all others. Beyond a limit, that is no longer followed.
        let followed = entries.len() < MOST_ENTRIES;
        if entries.len() == MOST_ENTRIES {
            context.recorder.concretised(Concretised::ManyCallsOfInput);
        }
        let compared = if followed { entries.as_slice() } else { &[] };
        let formulas = &mut context.recorder.formulas;
        let mut ways = Vec::with_capacity(entries.len() + 1);
        let mut new = formulas.boolean(true);
        for entry in compared {
            let same = formulas.identical(entry.formula, formula);
            ways.push(same);
            let other = formulas.not(same);
            new = formulas.and(new, other);
        }
        ways.push(new);
        let hit = entries.iter().position(|entry| term::order::identical(&entry.key, &key));
        if followed {
            context.recorder.enter(Place::Lookup(*label));
            context.recorder.lookup(hit.unwrap_or(entries.len()) as u32, &ways);
        }
        match hit {
            Some(index) => (entries[index].node, entries[index].given.clone()),
            None => {
                let node = self.labels.of(*label, Part::Entry(entries.len() as u32));
                entries.push(Entry { key, formula, node, given: given.clone() });
                (node, given)
            }
        }
    }

    fn bring(&mut self, scope: &mut FunctionsInScope, function: Word, sort: Sort) {
        self.brought += 1;
        scope.items.push(Scoped { function, sort, number: self.brought });
    }

    /// Chooses what a node does: `{answer, Value}`, `{raise, Class, Reason}` or `{probe, Function, Args, Returned,
    /// Raised}`.
    fn act(&mut self, context: &mut Context, node: Word, scope: Word, watched: bool) -> Result<Word, Escape> {
        let number = number(context, node)? as usize;
        let PlayedNode { label, answers, hint, .. } = self.nodes[number];
        let scope = FunctionsInScope::of(scope);
        // Functions for which no arguments can be made are not called.
        let mut callable = Vec::with_capacity(scope.items.len());
        for (index, item) in scope.items.iter().enumerate() {
            if self.can_be_called(context, &item.sort, item.function) {
                callable.push(index as u32);
            }
        }
        let probes = callable.len() as u32;
        self.nodes[number].callable.clone_from(&callable);
        let answerable = self.types.smallest(answers).is_some();
        // If a client gives a server a function that raises an exception, the client is to blame for it.
        let may_raise = watched && self.client.is_none() || !answerable;
        let raises = if may_raise { CLASSES.len() as u32 } else { 0 };
        let options = u32::from(answerable) + probes + raises;
        let first = u32::from(answerable);
        let chosen = self.choose(context, label, options, first..first + probes) + 1 - first;
        if chosen == 0 {
            let answer = self.labels.of(label, Part::Answer);
            let value = self.position(context, answer, answers, &scope, hint)?;
            return Ok(context.heap.tuple(&[Word::atom(Atom::new("answer")), value]));
        }
        if let Some(class) = chosen.checked_sub(1 + probes).and_then(|class| CLASSES.get(class as usize)) {
            let reason = self.labels.of(label, Part::Reason);
            let reason = self.position(context, reason, Types::ANY, &scope, None)?;
            let class = Word::atom(class.atom());
            return Ok(context.heap.tuple(&[Word::atom(Atom::new("raise")), class, reason]));
        }
        let probed = callable[chosen as usize - 1];
        let Scoped { function, sort, .. } = scope.items[probed as usize].clone();
        let mut args = Vec::new();
        for index in 0..u32::from(function.header().aux()) {
            let argument = self.labels.of(label, Part::Argument { probed, index });
            args.push(self.position(context, argument, sort.param(index as usize), &scope, None)?);
        }
        let args = context.heap.list(&args, Word::NIL);
        let start = Some(self.labels.of(label, Part::Answer));
        let returned = self.labels.of(label, Part::Returned { probed });
        let returned = self.table(returned, Some([sort.result].into()), answers, start, Observed::Returned);
        let raised = self.labels.of(label, Part::Raised { probed });
        let raised = self.table(raised, None, answers, start, Observed::Raised);
        let tables = [Word::small(returned.into()), Word::small(raised.into())];
        Ok(context.heap.tuple(&[Word::atom(Atom::new("probe")), function, args, tables[0], tables[1]]))
    }

    /// Returns whether arguments of a function can be made. If not, the missing type is recorded as a loss, unless it
    /// is empty.
    fn can_be_called(&self, context: &mut Context, sort: &Sort, function: Word) -> bool {
        let params = (0..usize::from(function.header().aux())).map(|index| sort.param(index));
        let Some(lacking) = params.into_iter().find(|param| !self.types.is_makeable(*param)) else { return true };
        let node = self.types.node(lacking);
        if *node == TypeNode::default() {
            return false;
        }
        let opaque = node.opaque.first();
        context.recorder.concretised(Concretised::NoArgumentFor(opaque.map(|of| FunctionName {
            module: of.module,
            function: of.name,
            arity: of.args.len() as u32,
        })));
        false
    }

    /// Chooses whether an input catches an exception: `reraise` or `{Node, Scope}`.
    fn catch(&mut self, context: &mut Context, args: [Word; 4]) -> Result<Word, Escape> {
        let [table, class, reason, scope] = args;
        let number = number(context, table)? as usize;
        let label = self.tables[number].label;
        match self.choose(context, label, 2, 0..0) {
            0 => Ok(Word::atom(Atom::new("reraise"))),
            _ => {
                let values = context.heap.list(&[class, reason], Word::NIL);
                self.look_up(context, table, values, scope)
            }
        }
    }
}

impl Played for Play {
    fn answers(&self) -> Vec<(Variable, Answer)> {
        let entries = self.tables.iter().flat_map(|table| {
            let entry = |(index, entry): (usize, &Entry)| (entry.node, table.label, index as u32);
            table.entries.iter().enumerate().map(entry)
        });
        let answer = |(node, table, entry)| {
            let answer = self.labels.get(node, Part::Answer)?;
            let index = self.position_of.get(&answer)?;
            Some((Variable(self.first_variable + index), Answer { node, table, entry }))
        };
        entries.filter_map(answer).collect()
    }

    fn values(&self) -> Vec<(Variable, Label, Term)> {
        let number = |index: usize| Variable(self.first_variable + index as u32);
        let value = |(index, position): (usize, &Position)| (number(index), position.label, position.value.clone());
        self.positions.iter().enumerate().map(value).collect()
    }

    fn has_handed_functions(&self) -> bool {
        self.handed || self.client.is_some()
    }

    fn witness(&self, data: &[Term]) -> (Vec<Term>, Witness) {
        self.written(data)
    }
}

impl Player for Play {
    fn answer(
        &mut self,
        context: &mut Context,
        question: Question,
        args: &[Word],
        watched: bool,
    ) -> Result<Word, Escape> {
        match (question, args) {
            (Question::Resolve, [function, scope]) => self.resolve(context, *function, *scope),
            (Question::LookUp, [table, values, scope]) => self.look_up(context, *table, *values, *scope),
            (Question::Choose, [node, scope]) => self.act(context, *node, *scope, watched),
            (Question::Catch, [table, class, reason, scope]) => self.catch(context, [*table, *class, *reason, *scope]),
            (Question::Continue, [result, depth, scope]) => self.go_on(context, *result, *depth, *scope),
            (Question::Act, [results]) => self.next_act(context, *results),
            (Question::Acted, [result, _]) => self.acted(context, *result),
            (Question::Refused, [class, reason, trace, _]) => self.refused(context, [*class, *reason, *trace]),
            _ => Err(context.stop(Stop::Fault("a question that no player knows".to_string()))),
        }
    }
}

/// Adds its formula to a value. A function of which everything is known needs none.
fn shadowed(context: &mut Context, word: Word, formula: TermId) -> Word {
    if word.is_function() {
        let condition = context.recorder.formulas.function_of(formula, word.header().aux().into());
        if context.recorder.formulas.as_boolean(condition) == Some(true) {
            return word;
        }
    }
    context.heap.symbolic(word, formula)
}

pub(crate) fn number(context: &mut Context, word: Word) -> Result<u32, Escape> {
    let number = word.concrete().as_small().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| context.stop(Stop::Fault("a handle that is no number".to_string())))
}
