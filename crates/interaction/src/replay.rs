//! Plays function inputs that are written out.

use crate::client::{Reaction, answer, part_at, react, restore, results_of};
use crate::parts::{Found, functions_in, items, observed, place};
use crate::play::number;
use crate::scope::{FunctionsInScope, Scoped};
use formula::{TypeId, Types};
use machine::{Context, Escape, Player, Question, Word};
use path::{
    Act, Application, Argument, Broken, Client, Function, FunctionNode, Is, Operation, Role, Said, Step, Stop,
    Surrounding, Table, Witness,
};
use std::sync::Arc;
use term::{Atom, Term};

pub struct Replay {
    types: Arc<Types>,
    witness: Arc<Witness>,
    results: Vec<TypeId>,
    tables: Vec<(Arc<Table>, Domain)>,
    nodes: Vec<Arc<FunctionNode>>,
    pub broken: Option<Broken>,
    /// Whether the run asked for something that is not written.
    pub missed: bool,
    /// The results of the unit that were functions or contained some.
    pub applied: Vec<Term>,
    /// The calls and answers of function inputs, as far as they are kept.
    pub said: Vec<Said>,
    client: Option<Arc<Client>>,
    /// The results of the client's steps.
    pub returned: Vec<Option<Term>>,
    /// The surroundings that the run had asked for before the current step.
    pub surroundings: Vec<Surrounding>,
}

/// The greatest number of entries in `said`.
const LONGEST: usize = 200;

/// The declared types of what a table observes.
#[derive(Clone)]
enum Domain {
    /// The arguments of the function with this number.
    Arguments(u32, Option<Arc<[TypeId]>>),
    Returned(TypeId),
    Raised,
}

impl Replay {
    pub fn new(types: Arc<Types>, witness: Arc<Witness>, results: Vec<TypeId>, client: Option<&Arc<Client>>) -> Replay {
        Replay {
            types,
            witness,
            results,
            tables: Vec::new(),
            nodes: Vec::new(),
            broken: None,
            missed: false,
            applied: Vec::new(),
            said: Vec::new(),
            client: client.cloned(),
            returned: Vec::new(),
            surroundings: Vec::new(),
        }
    }

    /// Places a piece of data with its functions.
    pub fn placed(&self, context: &mut Context, term: &Term, scope: Word) -> Word {
        place(context, &self.types, Types::ANY, term, &mut |context, fun, _| {
            let number = match fun {
                term::Fun::Input { number, .. } => *number,
                term::Fun::External { .. } | term::Fun::Local { .. } => 0,
            };
            let declared = self.function(number).is_some_and(|function| function.sort.params.is_some());
            crate::driver::closure(context, fun.arity(), declared, Word::small(number.into()), scope)
        })
    }

    fn say(&mut self, line: Said) {
        if self.said.len() < LONGEST {
            self.said.push(line);
        }
    }

    fn miss(&mut self, context: &mut Context) -> Escape {
        self.missed = true;
        context.stop(Stop::Contract)
    }

    fn function(&self, number: u32) -> Option<&Function> {
        self.witness.functions.get(number as usize)
    }

    fn resolve(&mut self, context: &mut Context, function: Word, scope: Word) -> Result<Word, Escape> {
        let number = number(context, function)?;
        match self.function(number).map(|function| (function.is.clone(), function.sort.params.clone())) {
            Some((Is::Table(table), params)) => {
                self.tables.push((table, Domain::Arguments(number, params)));
                Ok(Word::small(self.tables.len() as i64 - 1))
            }
            Some((Is::InScope(index), _)) => match FunctionsInScope::of(scope).items.get(index as usize) {
                Some(item) => Ok(context.heap.tuple(&[Word::atom(Atom::new("scope")), item.function])),
                None => Err(self.miss(context)),
            },
            None => Err(self.miss(context)),
        }
    }

    fn look_up(&mut self, context: &mut Context, table: Word, values: Word, scope: Word) -> Result<Word, Escape> {
        let number = number(context, table)? as usize;
        let (table, domain) = self.tables[number].clone();
        let mut scope = FunctionsInScope::of(scope);
        let mut keys = Vec::new();
        let mut found = Vec::new();
        for (index, value) in items(values).into_iter().enumerate() {
            let Some(key) = observed(value) else { return Err(context.stop(Stop::ResultTooLarge)) };
            let declared = match &domain {
                Domain::Arguments(_, Some(params)) => params.get(index).copied().unwrap_or(Types::ANY),
                Domain::Returned(result) => *result,
                Domain::Arguments(_, None) | Domain::Raised => Types::ANY,
            };
            if !self.types.contains(declared, &key) {
                self.broken = Some(match domain {
                    Domain::Arguments(..) => {
                        Broken::Domain { args: items(values).into_iter().filter_map(observed).collect() }
                    }
                    Domain::Returned(_) | Domain::Raised => Broken::Range { value: key },
                });
                return Err(context.stop(Stop::Contract));
            }
            found.extend(functions_in(&self.types, declared, &key, value, &|_| true));
            keys.push(key);
        }
        self.say(match (&domain, &keys[..]) {
            (Domain::Arguments(function, _), args) => Said::Called { function: *function, args: args.to_vec() },
            (Domain::Raised, [class, reason]) => Said::GotException { class: class.clone(), reason: reason.clone() },
            (_, [value, ..]) => Said::Got { value: value.clone() },
            (_, []) => Said::Got { value: Term::Nil },
        });
        let key = Term::tuple(keys);
        let entry = table.entries.iter().find(|entry| term::order::identical(&entry.key, &key));
        if let Some(entry) = entry {
            let given = found.into_iter().zip(&entry.given).filter(|(_, given)| **given);
            scope.items.extend(given.map(|(Found { function, sort, .. }, _)| Scoped { function, sort, number: 0 }));
        }
        match entry.map(|entry| &entry.node).or(table.otherwise.as_ref()) {
            Some(node) => {
                self.nodes.push(Arc::clone(node));
                let scope = scope.word(context);
                Ok(context.heap.tuple(&[Word::small(self.nodes.len() as i64 - 1), scope]))
            }
            None => Err(self.miss(context)),
        }
    }

    fn act(&mut self, context: &mut Context, node: Word, scope: Word) -> Result<Word, Escape> {
        let number = number(context, node)? as usize;
        match &*Arc::clone(&self.nodes[number]) {
            FunctionNode::Answer(value) => {
                self.say(Said::Answered { value: value.clone() });
                let value = self.placed(context, value, scope);
                Ok(context.heap.tuple(&[Word::atom(Atom::new("answer")), value]))
            }
            FunctionNode::Raise(class, reason) => {
                self.say(Said::Raised { class: *class, reason: reason.clone() });
                let reason = self.placed(context, reason, scope);
                Ok(context.heap.tuple(&[Word::atom(Atom::new("raise")), Word::atom(class.atom()), reason]))
            }
            FunctionNode::Probe { function, args: asked, returned, raised, .. } => {
                let args: Vec<Word> = asked.iter().map(|arg| self.placed(context, arg, scope)).collect();
                let Some(Scoped { function, sort, .. }) =
                    FunctionsInScope::of(scope).items.get(*function as usize).cloned()
                else {
                    return Err(self.miss(context));
                };
                if usize::from(function.header().aux()) != args.len() {
                    return Err(self.miss(context));
                }
                self.say(Said::Asked { args: asked.clone() });
                let args = context.heap.list(&args, Word::NIL);
                self.tables.push((Arc::clone(returned), Domain::Returned(sort.result)));
                let returned = Word::small(self.tables.len() as i64 - 1);
                let raised = match raised {
                    Some(raised) => {
                        self.tables.push((Arc::clone(raised), Domain::Raised));
                        Word::small(self.tables.len() as i64 - 1)
                    }
                    None => Word::NIL,
                };
                Ok(context.heap.tuple(&[Word::atom(Atom::new("probe")), function, args, returned, raised]))
            }
        }
    }

    fn go_on(&mut self, context: &mut Context, result: Word, depth: Word, scope: Word) -> Result<Word, Escape> {
        let depth = number(context, depth)? as usize;
        let done = Ok(Word::atom(Atom::new("done")));
        let Some(term) = observed(result) else { return done };
        let of = std::mem::take(&mut self.results);
        let declared = of.iter().copied().find(|of| self.types.contains(*of, &term));
        if declared.is_none() && !of.is_empty() {
            self.broken = Some(Broken::Result { result: term, function: None });
            return Err(context.stop(Stop::Contract));
        }
        let functions: Vec<Scoped> =
            functions_in(&self.types, declared.unwrap_or(Types::ANY), &term, result, &|_| true)
                .into_iter()
                .map(|Found { function, sort, .. }| Scoped { function, sort, number: 0 })
                .collect();
        let witness = Arc::clone(&self.witness);
        let Some(Application { function, args, .. }) = witness.applications.get(depth) else { return done };
        let Some(Scoped { function, sort, .. }) = functions.get(*function as usize).cloned() else {
            return Err(self.miss(context));
        };
        if usize::from(function.header().aux()) != args.len() {
            return Err(self.miss(context));
        }
        let mut scope = FunctionsInScope::of(scope);
        scope.items.extend(functions);
        let scope = scope.word(context);
        let args: Vec<Word> = args.iter().map(|arg| self.placed(context, arg, scope)).collect();
        self.applied.push(term);
        self.results = vec![sort.result];
        let args = context.heap.list(&args, Word::NIL);
        Ok(context.heap.tuple(&[Word::atom(Atom::new("apply")), function, args, scope]))
    }
}

/// The steps of a client, repeated.
impl Replay {
    fn step(&self, index: usize) -> Option<&Step> {
        self.witness.scenario.as_ref()?.steps.get(index)
    }

    /// Returns the operation that the latest step calls.
    fn operation(&self) -> Option<&Operation> {
        let Act::Call { function, .. } = &self.step(self.returned.len().checked_sub(1)?)?.act else { return None };
        self.client.as_ref()?.operations.iter().find(|operation| operation.name == *function)
    }

    /// Returns whether the start is declared if the client was starting something when the run ended.
    pub fn is_starting(&self) -> Option<bool> {
        let operation = self.operation().filter(|called| called.role == Role::Start)?;
        matches!(self.returned.last(), Some(None)).then_some(operation.is_declared)
    }

    /// Answers the program with `done` or with the next step.
    fn next_act(&mut self, context: &mut Context, results: Word) -> Result<Word, Escape> {
        let results: Vec<Word> = items(results).into_iter().rev().collect();
        let Some(act) = self.step(self.returned.len()).map(|step| step.act.clone()) else {
            return Ok(Word::atom(Atom::new("done")));
        };
        self.surroundings = std::mem::take(&mut context.recorder.surroundings);
        self.returned.push(None);
        let mut lacks = false;
        let act = act.map(&mut |argument| {
            let made = self.argument(context, argument, &results);
            lacks |= made.is_none();
            made.unwrap_or(Word::NIL)
        });
        if lacks {
            return Err(self.miss(context));
        }
        Ok(answer(context, &act))
    }

    fn argument(&self, context: &mut Context, argument: &Argument, results: &[Word]) -> Option<Word> {
        Some(match argument {
            Argument::Data { value, .. } => self.placed(context, value, Word::NIL),
            Argument::Fixed(term) => machine::value::copy_in(&mut context.heap, term),
            Argument::Part { step, at } => part_at(context, *results.get(*step as usize)?, at)?,
            Argument::Tuple(parts) => {
                let parts: Option<Vec<Word>> = parts.iter().map(|part| self.argument(context, part, results)).collect();
                context.heap.tuple(&parts?)
            }
            Argument::List(parts) => {
                let parts: Option<Vec<Word>> = parts.iter().map(|part| self.argument(context, part, results)).collect();
                context.heap.list(&parts?, Word::NIL)
            }
            Argument::Map { others, fields } => {
                let others = self.argument(context, others, results)?;
                let mut pairs: Vec<(Word, Word)> = others.map_iter().collect();
                for (key, value) in fields {
                    let key = self.argument(context, key, results)?;
                    pairs.push((key, self.argument(context, value, results)?));
                }
                context.heap.map_of(&pairs)
            }
        })
    }

    /// Checks the result of a step. Answers `go_on` or `over`.
    fn acted(&mut self, context: &mut Context, result: Word) -> Result<Word, Escape> {
        restore(context, &self.surroundings);
        let Some(term) = observed(result) else { return Err(context.stop(Stop::ResultTooLarge)) };
        if let Some(returned) = self.returned.last_mut() {
            *returned = Some(term.clone());
        }
        if let Some(operation) = self.operation().filter(|operation| operation.is_declared) {
            let args: Vec<Option<Term>> = match self.step(self.returned.len() - 1).map(|step| &step.act) {
                Some(Act::Call { args, .. }) => args.iter().map(plain).collect(),
                _ => Vec::new(),
            };
            let of = results_of(&self.types, operation, None, &args);
            let is_repeated = operation.role == Role::Start && context.language.is_started_twice(&term);
            if !is_repeated && !of.is_empty() && !of.iter().any(|of| self.types.contains(*of, &term)) {
                self.broken = Some(Broken::Result { result: term, function: Some(operation.name) });
                return Err(context.stop(Stop::Contract));
            }
        }
        let goes_on = context.world.failure.is_none();
        Ok(Word::atom(Atom::new(if goes_on { "go_on" } else { "over" })))
    }

    /// Reacts to an exception of a step. Answers `raise`, `go_on` or `over`.
    fn refused(&mut self, context: &mut Context, exception: [Word; 3]) -> Result<Word, Escape> {
        let reaction = react(context, self.operation(), exception, &self.surroundings);
        let step = self.returned.len().checked_sub(1).and_then(|index| self.step(index));
        let catches = matches!(step, Some(Step { act: Act::Call { catches: true, .. }, .. }));
        let answer = match reaction {
            Reaction::End => "over",
            Reaction::Blame if catches && context.world.failure.is_none() => "go_on",
            Reaction::Blame => "raise",
        };
        Ok(Word::atom(Atom::new(answer)))
    }
}

/// Returns an argument that consists of data only.
fn plain(argument: &Argument) -> Option<Term> {
    match argument {
        Argument::Data { value, .. } | Argument::Fixed(value) => Some(value.clone()),
        Argument::Part { .. } | Argument::Tuple(_) | Argument::List(_) | Argument::Map { .. } => None,
    }
}

impl Player for Replay {
    fn answer(&mut self, context: &mut Context, question: Question, args: &[Word], _: bool) -> Result<Word, Escape> {
        match (question, args) {
            (Question::Resolve, [function, scope]) => self.resolve(context, *function, *scope),
            (Question::LookUp, [table, values, scope]) => self.look_up(context, *table, *values, *scope),
            (Question::Choose, [node, scope]) => self.act(context, *node, *scope),
            (Question::Catch, [table, class, reason, scope]) if !table.is_nil() => {
                let values = context.heap.list(&[*class, *reason], Word::NIL);
                self.look_up(context, *table, values, *scope)
            }
            (Question::Catch, _) => Ok(Word::atom(Atom::new("reraise"))),
            (Question::Continue, [result, depth, scope]) => self.go_on(context, *result, *depth, *scope),
            (Question::Act, [results]) => self.next_act(context, *results),
            (Question::Acted, [result, _]) => self.acted(context, *result),
            (Question::Refused, [class, reason, trace, _]) => self.refused(context, [*class, *reason, *trace]),
            _ => Err(context.stop(Stop::Fault("a question that no player knows".to_string()))),
        }
    }
}
