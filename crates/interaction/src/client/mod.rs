//! The unknown client of a module: chooses its next step and the arguments, and learns from the results.
//!
//! Every step is a choice: to stop, or one of the calls for which arguments can be made. Data in arguments are
//! positions, as everywhere. What cannot be made up (processes, references, values of opaque types) is a part of the
//! result of an earlier step, and which one is a choice, too. The results of all steps are on the heap, in a list that
//! the program passes along (`beagle_client.erl`); this module only records where in them a part is.

mod maker;
mod parts;
mod steps;
mod written;

pub(crate) use parts::{part_at, results_of};
pub(crate) use steps::{Reaction, answer, react, restore};

use crate::parts::{items, observed};
use crate::play::Play;
use formula::{TypeId, Types};
use machine::value::hash;
use machine::{Context, Escape, Kind, Word};
use maker::{APPLY, KILL, Maker, SEND, WAIT};
use parts::{collect, part_given, type_at};
use path::{
    Act, At, Broken, Client, Concretised, Label, Labels, Need, Operation, Part, Place, Role, Signature, Sort, Stop,
    Surrounding, TypeLabel, Wanted, belongs,
};
use std::sync::Arc;
use term::{Atom, Term};

/// The greatest number of steps in a scenario.
const MOST_STEPS: usize = 30;
/// The greatest number of processes that a client brings along.
const MOST_BROUGHT: usize = 2;
/// The number of returned functions, the latest ones, that may be called next.
const MOST_FUNCTIONS: usize = 3;
/// A long wait, in milliseconds.
const LONG_WAIT: i64 = 3_600_000;
/// The number of ticks to wait for before a long wait is tried, if something ticks. `LONGEST_WAIT` is in milliseconds,
/// `MILLISECOND` in nanoseconds.
const TICKS: i64 = 20;
const LONGEST_WAIT: i64 = 86_400_000;
const MILLISECOND: u64 = 1_000_000;

/// The steps of a client in a run, and what it learned from them.
pub(crate) struct Playing {
    client: Arc<Client>,
    steps: Vec<PlayedStep>,
    tokens: Vec<Token>,
    /// Invariants to check before the next step.
    checks: Vec<Act<Filled>>,
    /// The surroundings that the run had asked for before the current step.
    surroundings: Vec<Surrounding>,
}

struct PlayedStep {
    act: Act<Filled>,
    /// The index of the operation and of the clause of its specification.
    operation: Option<(usize, usize)>,
    returned: Option<Term>,
}

/// An argument of a step, or a part of one.
#[derive(Clone)]
pub(crate) enum Filled {
    Position(Label),
    Fixed(Term),
    Value(Term, TypeId),
    Token(usize),
    Tuple(Vec<Filled>),
    List(Vec<Filled>),
    Map { others: Label, fields: Vec<(Filled, Filled)> },
}

/// Something in a result that only the program can have made, or that has a type with a name.
struct Token {
    step: u32,
    at: Vec<At>,
    kind: Option<Kind>,
    /// The number of a process, a reference or a port.
    identity: u64,
    names: Vec<TypeLabel>,
    /// Whether the client has started the process itself.
    is_brought: bool,
    /// Whether a function that starts something has returned it.
    is_started: bool,
    /// Whether a function of another module has returned it.
    is_of_helper: bool,
    /// Whether the client has ended it.
    is_gone: bool,
    /// The arity and the sort of a function.
    sort: Option<(u32, Sort)>,
}

/// A possible next step.
#[derive(Clone, Copy)]
enum Move {
    Call(usize),
    /// The call of a function that was returned.
    Apply(usize),
    Send,
    Wait,
    Bring,
    Kill,
}

/// A way to make an argument.
enum Way<'n> {
    Token(usize),
    Made(&'n Need),
}

impl Playing {
    pub fn new(client: Arc<Client>) -> Playing {
        Playing { client, steps: Vec::new(), tokens: Vec::new(), checks: Vec::new(), surroundings: Vec::new() }
    }

    /// Returns the tokens that fit, the latest first.
    fn fitting(&self, wanted: &Wanted) -> impl Iterator<Item = usize> {
        let has_started = self.tokens.iter().any(|token| token.is_started);
        let fits = |token: &Token| {
            if token.is_gone && !token.is_brought {
                return false;
            }
            // If types have names of their own, a process of one kind must not be passed for another.
            if wanted.label.is_some_and(|label| !token.names.is_empty() && !token.names.contains(&label)) {
                return false;
            }
            let kind = match token.kind {
                // A process to which the module gives a name of its own is not passed where a server is expected.
                Some(Kind::Pid) if wanted.only_servers => {
                    wanted.pids
                        && !token.is_brought
                        && !token.is_of_helper
                        && (token.is_started || !has_started && token.names.is_empty())
                }
                Some(Kind::Pid) => wanted.pids,
                Some(Kind::Reference) => wanted.references,
                Some(Kind::Port) => wanted.ports,
                _ => false,
            };
            let is_function = token
                .sort
                .as_ref()
                .is_some_and(|(arity, _)| wanted.functions.iter().any(|wanted| wanted.is_none_or(|it| it == *arity)));
            kind || is_function || token.names.iter().any(|name| wanted.names.contains(name))
        };
        let mut fitting: Vec<usize> =
            self.tokens.iter().enumerate().filter(|(_, token)| fits(token)).map(|it| it.0).collect();
        fitting.reverse();
        // If no server is expected, servers are passed last.
        if !wanted.only_servers {
            fitting.sort_by_key(|token| self.tokens[*token].is_started && self.tokens[*token].kind == Some(Kind::Pid));
        }
        fitting.into_iter()
    }

    /// Marks the arguments of the latest step as no longer usable if the step ended them: a process that has ended, or
    /// a value. Returns whether a value was among them.
    fn retire(&mut self, context: &Context) -> bool {
        let Some(PlayedStep { act: Act::Call { args, .. }, operation: Some((number, _)), .. }) = self.steps.last()
        else {
            return false;
        };
        if self.client.operations[*number].role != Role::End {
            return false;
        }
        let mut is_value = false;
        for argument in args {
            let Filled::Token(token) = argument else { continue };
            let token = &mut self.tokens[*token];
            let is_alive = token.kind == Some(Kind::Pid) && context.world.process(token.identity).is_some();
            token.is_gone = !is_alive;
            is_value |= token.kind != Some(Kind::Pid);
        }
        is_value
    }

    /// Returns the ways to make an argument. Empty if it cannot be made yet.
    fn ways<'n>(&self, types: &Types, need: &'n Need) -> Vec<Way<'n>> {
        match need {
            Need::OneOf(options) => options.iter().flat_map(|option| self.ways(types, option)).collect(),
            Need::Token(wanted) => self.fitting(wanted).map(Way::Token).collect(),
            Need::Data(of) => types.smallest(*of).map(|_| Way::Made(need)).into_iter().collect(),
            Need::Fixed(_) => vec![Way::Made(need)],
            Need::Tuple(parts) | Need::List(parts) => {
                let can_be_made = parts.iter().all(|part| !self.ways(types, part).is_empty());
                can_be_made.then_some(Way::Made(need)).into_iter().collect()
            }
            Need::Map { others, fields } => {
                let mut parts = fields.iter().flat_map(|(key, value)| [key, value]);
                let can_be_made =
                    types.smallest(*others).is_some() && parts.all(|part| !self.ways(types, part).is_empty());
                can_be_made.then_some(Way::Made(need)).into_iter().collect()
            }
        }
    }

    /// Returns the clauses of an operation for which arguments can be made.
    fn clauses(&self, types: &Types, operation: &Operation) -> Vec<usize> {
        let can_be_called =
            |signature: &Signature| signature.params.iter().all(|need| !self.ways(types, need).is_empty());
        let clauses = operation.clauses.iter().enumerate();
        clauses.filter(|(_, signature)| can_be_called(signature)).map(|(index, _)| index).collect()
    }

    /// Returns the possible next steps in the order in which they are tried.
    fn moves(&self, types: &Types) -> Vec<Move> {
        if self.steps.len() >= MOST_STEPS {
            return Vec::new();
        }
        let has_begun = !self.steps.is_empty();
        let operations = &self.client.operations;
        let mut calls: Vec<usize> =
            (0..operations.len()).filter(|index| !self.clauses(types, &operations[*index]).is_empty()).collect();
        // Use what was started before starting something else.
        calls.sort_by_key(|index| has_begun && operations[*index].role == Role::Start);
        let mut moves: Vec<Move> = calls.into_iter().map(Move::Call).collect();
        let can_be_called = |token: &Token| {
            token
                .sort
                .as_ref()
                .is_some_and(|(arity, sort)| (0..*arity as usize).all(|index| types.is_makeable(sort.param(index))))
        };
        let functions = self.tokens.iter().enumerate().rev().filter(|(_, token)| can_be_called(token));
        moves.extend(functions.take(MOST_FUNCTIONS).map(|(index, _)| Move::Apply(index)));
        let servers = Wanted { pids: true, only_servers: true, ..Wanted::default() };
        if self.client.message.is_some() && self.fitting(&servers).next().is_some() {
            moves.push(Move::Send);
        }
        let is_waiting = matches!(self.steps.last(), Some(PlayedStep { act: Act::Wait { .. }, .. }));
        if self.client.waits && has_begun && !is_waiting {
            moves.push(Move::Wait);
        }
        let brought = || self.tokens.iter().filter(|token| token.is_brought);
        if self.client.brings_processes && brought().count() < MOST_BROUGHT {
            moves.push(Move::Bring);
        }
        if brought().any(|token| !token.is_gone) {
            moves.push(Move::Kill);
        }
        moves
    }

    /// Records the parts of the latest result that can be used.
    fn learn(&mut self, types: &Types, result: Word, signature: Option<&Signature>) {
        let step = self.steps.len() as u32 - 1;
        let is_brought = matches!(self.steps.last(), Some(PlayedStep { act: Act::Bring, .. }));
        let operation = self.steps.last().and_then(|step| step.operation);
        let role = operation.map(|(number, _)| self.client.operations[number].role);
        let is_started = role == Some(Role::Start);
        let is_of_helper = role == Some(Role::Help);
        let mut found: Vec<(Vec<At>, Word, Vec<TypeLabel>)> = Vec::new();
        for given in signature.iter().flat_map(|signature| &signature.gives) {
            let Some((at, part)) = part_given(result, &given.inside) else { continue };
            if !observed(part).is_some_and(|term| types.contains(given.of, &term)) {
                continue;
            }
            match found.iter_mut().find(|(other, ..)| *other == at) {
                Some((_, _, names)) => names.push(given.name),
                None => found.push((at, part, vec![given.name])),
            }
        }
        collect(result, &mut Vec::new(), &mut found);
        for (at, part, names) in found {
            let concrete = part.concrete();
            let kind = concrete.kind().filter(|kind| matches!(kind, Kind::Pid | Kind::Reference | Kind::Port));
            let identity = if kind.is_some() { concrete.identity() } else { 0 };
            let sort = match (concrete.is_function(), signature, observed(result)) {
                (true, Some(signature), Some(term)) => {
                    let arity = concrete.header().aux().into();
                    let of = type_at(types, signature.result, &term, &at);
                    Some((arity, Sort::of_another(types, of, arity).0))
                }
                _ => None,
            };
            if kind == Some(Kind::Pid) && identity == Term::OWN_PID {
                continue;
            }
            let is_same = |token: &&mut Token| kind.is_some() && token.kind == kind && token.identity == identity;
            match self.tokens.iter_mut().find(is_same) {
                Some(known) => known.names.extend(names),
                None => {
                    let is_gone = false;
                    self.tokens.push(Token {
                        step,
                        at,
                        kind,
                        identity,
                        names,
                        is_brought,
                        is_started,
                        is_of_helper,
                        is_gone,
                        sort,
                    });
                }
            }
        }
    }

    /// Returns the values with a type of the module's own that the latest step has made.
    fn made_last(&self, result: Word) -> impl Iterator<Item = Word> {
        let latest = self.steps.len() as u32 - 1;
        let is_made = |token: &&Token| token.step == latest && token.kind.is_none() && token.at.len() <= 1;
        let part = |token: &Token| match token.at.first() {
            Some(At::Element(index)) => result.concrete().as_tuple()?.get(*index as usize).copied(),
            Some(At::Item(_) | At::Value(_)) => None,
            None => Some(result),
        };
        let parts: Vec<Word> = self.tokens.iter().filter(is_made).filter_map(part).collect();
        parts.into_iter()
    }

    /// Returns the invariants to check after the latest step.
    fn due(&self) -> Vec<Act<Filled>> {
        let is_checked = matches!(self.steps.last(), Some(PlayedStep { act: Act::Check { .. }, .. }));
        if self.client.invariants.is_empty() || is_checked {
            return Vec::new();
        }
        let latest = self.steps.len() as u32 - 1;
        let is_meant = |token: &&(usize, &Token)| match self.client.has_states {
            true => token.1.kind == Some(Kind::Pid) && !token.1.is_brought,
            false => token.1.kind.is_none() && token.1.step == latest,
        };
        let tokens: Vec<(usize, &Token)> = self.tokens.iter().enumerate().collect();
        let mut due = Vec::new();
        for (index, _) in tokens.iter().filter(is_meant) {
            for function in &self.client.invariants {
                let (function, is_state) = (*function, self.client.has_states);
                due.push(Act::Check { function, of: Filled::Token(*index), is_state });
            }
        }
        due
    }
}

impl Play {
    /// Answers the program with `done` or with the next step.
    pub(crate) fn next_act(&mut self, context: &mut Context, results: Word) -> Result<Word, Escape> {
        let results: Vec<Word> = items(results).into_iter().rev().collect();
        let Some(mut playing) = self.client.take() else {
            return Err(context.stop(Stop::Fault("a step of nobody".to_string())));
        };
        let act = self.choose_act(context, &mut playing, &results);
        self.client = Some(playing);
        match act? {
            Some(act) => Ok(answer(context, &act)),
            None => Ok(Word::atom(Atom::new("done"))),
        }
    }

    fn choose_act(
        &mut self,
        context: &mut Context,
        playing: &mut Playing,
        results: &[Word],
    ) -> Result<Option<Act<Word>>, Escape> {
        // During a step, the recorder has only what the step itself asks for.
        playing.surroundings = std::mem::take(&mut context.recorder.surroundings);
        if let Some(check) = playing.checks.pop() {
            let Act::Check { function, of: Filled::Token(token), is_state } = check else { return Ok(None) };
            let of = self.token(context, playing, token, results)?;
            playing.steps.push(PlayedStep { act: check, operation: None, returned: None });
            return Ok(Some(Act::Check { function, of, is_state }));
        }
        let label = self.labels.of(Labels::ROOT, Part::Step(playing.steps.len() as u32));
        let types = Arc::clone(&self.types);
        let moves = playing.moves(&types);
        if playing.steps.len() >= MOST_STEPS {
            context.recorder.concretised(Concretised::LongScenario);
        }
        let options = 1 + moves.len() as u32;
        let chosen = self.choose(context, label, options, 1..options);
        let Some(chosen) = (chosen as usize).checked_sub(1).and_then(|index| moves.get(index)) else {
            restore(context, &playing.surroundings);
            return Ok(None);
        };
        let mut maker = Maker { play: self, context, playing, results };
        let (act, filled, operation) = match *chosen {
            Move::Call(number) => {
                let client = Arc::clone(&maker.playing.client);
                let operation = &client.operations[number];
                let clauses = maker.playing.clauses(&types, operation);
                let which = maker.play.labels.of(label, Part::Clause(number as u32));
                let clause = maker.play.choose(maker.context, which, clauses.len() as u32, 0..0);
                let clause = clauses.get(clause as usize).copied().unwrap_or(0);
                let (mut args, mut filled) = (Vec::new(), Vec::new());
                for (index, need) in operation.clauses[clause].params.iter().enumerate() {
                    let (act, clause, index) = (number as u32, clause as u32, index as u32);
                    let part = maker.play.labels.of(label, Part::Operand { act, clause, index });
                    let (word, how) = maker.make(need, part)?;
                    args.push(word);
                    filled.push(how);
                }
                let function = operation.name;
                let act = Act::Call { function, args, catches: false };
                (act, Act::Call { function, args: filled, catches: false }, Some((number, clause)))
            }
            Move::Apply(token) => {
                let sort = maker.playing.tokens[token].sort.clone();
                let (arity, sort) = sort.unwrap_or((0, Sort::ANY));
                let function = maker.play.token(maker.context, maker.playing, token, results)?;
                let (mut args, mut filled) = (Vec::new(), Vec::new());
                for index in 0..arity {
                    let need = Need::Data(sort.param(index as usize));
                    let part = Part::Operand { act: APPLY, clause: token as u32, index };
                    let part = maker.play.labels.of(label, part);
                    let (word, how) = maker.make(&need, part)?;
                    args.push(word);
                    filled.push(how);
                }
                let act = Act::Apply { function, args };
                (act, Act::Apply { function: Filled::Token(token), args: filled }, None)
            }
            Move::Send => {
                let server = Need::Token(Wanted { pids: true, only_servers: true, ..Wanted::default() });
                let message = Need::Data(maker.playing.client.message.unwrap_or(Types::ANY));
                let ((to, to_filled), (message, message_filled)) = (
                    maker.make(&server, maker.operand(label, SEND, 0))?,
                    maker.make(&message, maker.operand(label, SEND, 1))?,
                );
                (Act::Send { to, message }, Act::Send { to: to_filled, message: message_filled }, None)
            }
            Move::Wait => {
                let which = maker.operand(label, WAIT, 0);
                let time = maker.play.choose_time(maker.context, which);
                let filled = Filled::Value(Term::Int(time), maker.playing.client.time);
                (Act::Wait { time: Word::small(time) }, Act::Wait { time: filled }, None)
            }
            Move::Bring => (Act::Bring, Act::Bring, None),
            Move::Kill => {
                let alive: Vec<usize> = (0..maker.playing.tokens.len())
                    .filter(|index| maker.playing.tokens[*index].is_brought && !maker.playing.tokens[*index].is_gone)
                    .collect();
                let which = maker.operand(label, KILL, 0);
                let chosen = maker.play.choose(maker.context, which, alive.len() as u32, 0..0);
                let token = alive.get(chosen as usize).copied().unwrap_or(0);
                let process = maker.play.token(maker.context, maker.playing, token, results)?;
                maker.playing.tokens[token].is_gone = true;
                (Act::Kill { process }, Act::Kill { process: Filled::Token(token) }, None)
            }
        };
        playing.steps.push(PlayedStep { act: filled, operation, returned: None });
        Ok(Some(act))
    }

    /// Chooses how long a client waits, in milliseconds: until the next timer, for several ticks of it, or long.
    fn choose_time(&mut self, context: &mut Context, label: Label) -> i64 {
        let now = context.world.time;
        let next = context.language.next_moment(context);
        let next = next.map(|at| (at.saturating_sub(now).div_ceil(MILLISECOND) as i64).clamp(1, LONGEST_WAIT));
        let ticks = next.map(|next| next.saturating_mul(TICKS)).filter(|ticks| *ticks < LONG_WAIT);
        let times: Vec<i64> = next.into_iter().chain(ticks).chain([LONG_WAIT]).collect();
        let chosen = self.choose(context, label, times.len() as u32, 0..0);
        times.get(chosen as usize).copied().unwrap_or(LONG_WAIT)
    }

    /// Returns a part of an earlier result.
    fn token(&self, context: &mut Context, playing: &Playing, token: usize, results: &[Word]) -> Result<Word, Escape> {
        let Token { step, at, .. } = &playing.tokens[token];
        let part = results.get(*step as usize).and_then(|result| part_at(context, *result, at));
        part.ok_or_else(|| context.stop(Stop::Fault("a part of a result that is not there".to_string())))
    }

    /// Learns from the result of a step. Answers `go_on` or `over`.
    pub(crate) fn acted(&mut self, context: &mut Context, result: Word) -> Result<Word, Escape> {
        let Some(mut playing) = self.client.take() else {
            return Err(context.stop(Stop::Fault("a step of nobody".to_string())));
        };
        restore(context, &playing.surroundings);
        let held = self.check_result(context, &mut playing, result);
        if held.is_ok() {
            let client = Arc::clone(&playing.client);
            let operation = playing.steps.last().and_then(|step| step.operation);
            let signature = operation.map(|(number, clause)| &client.operations[number].clauses[clause]);
            playing.learn(&self.types, result, signature);
            if playing.retire(context) {
                context.recorder.concretised(Concretised::ValuesThatWereEnded);
            }
            playing.checks = playing.due();
            let made = playing.made_last(result);
            let state = context.world.digest();
            context.recorder.states.push(made.fold(state, |state, part| state.rotate_left(7) ^ hash(part)));
        }
        self.client = Some(playing);
        held?;
        let goes_on = context.world.failure.is_none();
        Ok(Word::atom(Atom::new(if goes_on { "go_on" } else { "over" })))
    }

    /// Decides whether a result is of the type that is declared for it, and stops the run if not.
    fn check_result(&mut self, context: &mut Context, playing: &mut Playing, result: Word) -> Result<(), Escape> {
        let Some(term) = observed(result) else { return Err(context.stop(Stop::ResultTooLarge)) };
        let Some(step) = playing.steps.last_mut() else { return Ok(()) };
        step.returned = Some(term.clone());
        let Some((number, clause)) = step.operation else { return Ok(()) };
        let operation = &playing.client.operations[number];
        let is_repeated = operation.role == Role::Start && context.language.is_started_twice(&term);
        if !operation.is_declared || is_repeated {
            return Ok(());
        }
        let args: Vec<Option<Term>> = match &step.act {
            Act::Call { args, .. } => args.iter().map(|arg| self.plain(arg)).collect(),
            _ => Vec::new(),
        };
        let of = results_of(&self.types, operation, Some(clause), &args);
        let held = match context.observe(result) {
            Ok(formula) => belongs(&mut context.recorder, Place::Result, &self.types, &of, formula, &term),
            Err(_) => of.iter().any(|of| self.types.contains(*of, &term)),
        };
        if held {
            return Ok(());
        }
        self.broken = Some(Broken::Result { result: term, function: Some(operation.name) });
        Err(context.stop(Stop::Contract))
    }

    /// Returns an argument that consists of data only.
    fn plain(&self, argument: &Filled) -> Option<Term> {
        match argument {
            Filled::Position(label) => {
                self.position_of.get(label).map(|index| self.positions[*index as usize].value.clone())
            }
            Filled::Fixed(term) | Filled::Value(term, _) => Some(term.clone()),
            Filled::Token(_) | Filled::Tuple(_) | Filled::List(_) | Filled::Map { .. } => None,
        }
    }

    /// Reacts to an exception of a step. Answers `raise`, `go_on` or `over`.
    pub(crate) fn refused(&mut self, context: &mut Context, exception: [Word; 3]) -> Result<Word, Escape> {
        let Some(playing) = self.client.take() else {
            return Err(context.stop(Stop::Fault("a step of nobody".to_string())));
        };
        let operation = playing.steps.last().and_then(|step| step.operation);
        let called = operation.map(|(number, _)| &playing.client.operations[number]);
        let reaction = react(context, called, exception, &playing.surroundings);
        let label = self.labels.of(Labels::ROOT, Part::Step(playing.steps.len() as u32 - 1));
        self.client = Some(playing);
        let answer = match reaction {
            Reaction::End => "over",
            Reaction::Blame if context.world.failure.is_some() => "raise",
            Reaction::Blame => {
                let rescue = self.labels.of(label, Part::Rescue);
                match self.choose(context, rescue, 2, 0..0) {
                    0 => "raise",
                    _ => {
                        let step = self.client.as_mut().and_then(|playing| playing.steps.last_mut());
                        if let Some(PlayedStep { act: Act::Call { catches, .. }, .. }) = step {
                            *catches = true;
                        }
                        "go_on"
                    }
                }
            }
        };
        Ok(Word::atom(Atom::new(answer)))
    }

    /// Returns the surroundings that the run had asked for before the step in which it ended.
    pub(crate) fn surroundings(&self) -> &[Surrounding] {
        self.client.as_ref().map_or(&[], |playing| &playing.surroundings)
    }

    /// Returns whether the start is declared if the client was starting something when the run ended.
    pub(crate) fn is_starting(&self) -> Option<bool> {
        let playing = self.client.as_ref()?;
        let (number, _) = playing.steps.last()?.operation?;
        let operation = &playing.client.operations[number];
        (operation.role == Role::Start).then_some(operation.is_declared)
    }
}
