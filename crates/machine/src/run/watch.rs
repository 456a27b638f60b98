//! Watches the calls of a run for a reason why it never ends.
//!
//! The state of a run at a call is the function, the arguments that it uses, and the contents of the process and the
//! world. The stack below is not part of it: until the call returns, nothing there is read. So a call that is made in
//! the same state as one that has not returned yet is repeated for ever, whether it is a tail call or not. That is the
//! first thing to look for (`Goal::Repetition`): calls are compared with a marked one, which is replaced at powers of
//! two (Brent, 1980), and by the next call as soon as it has returned.
//!
//! If the state does not recur, parts of it may change without ever affecting a decision: an accumulator, a counter
//! that has passed its bound. `Goal::Changes` finds the parts that differ when a function is called again inside a call
//! of it; `Goal::Recurrence` replaces them by variables and records the decisions up to that point, so that a proof can
//! show that every value of them leads to the same again.
//!
//! Only watched runs pay for it: the loop is compiled twice.

use super::machine::Machine;
use super::state::{Entry, differences, is_data, is_same, is_same_state, parts_of, same_frame, visit_world};
use super::step::Cursor;
use crate::language::StatePart;
use crate::value::{Collector, Kind, Word, copy_out};
use formula::{Formulas, Range, TermId, TypeId, TypeNode, Types, Variable};
use path::{Goal, Outcome, Recurrence, Repetition, StatePath, Stop, Surrounding, Watched};
use std::sync::Arc;
use term::{FunctionName, Term};

/// The number of words of states that are kept and compared in one watched run.
const BUDGET: usize = 20_000_000;
/// Calls that are marked and stay marked until they return, because loops may begin late or early.
const EARLY: [u64; 3] = [16, 256, 4096];
/// The greatest number of parts of a value that becomes a variable.
const LARGEST: usize = 50_000;

pub(super) struct Watch {
    goal: Goal,
    /// The smallest number of frames since the last call.
    low: u32,
    mark: Option<Mark>,
    next_mark: u64,
    early: [Option<(u64, u32)>; EARLY.len()],
    arrivals: usize,
    budget: usize,
    seen: Watched,
}

/// A call that has not returned yet.
struct Mark {
    call: u64,
    function: u32,
    depth: u32,
    state: Vec<Entry>,
}

impl Machine {
    /// Watches the runs from now on, each from its beginning.
    pub fn watch(&mut self, goal: Goal) {
        let budget = BUDGET;
        self.watch = Some(Box::new(Watch {
            goal,
            low: u32::MAX,
            mark: None,
            next_mark: 1,
            early: [None; EARLY.len()],
            arrivals: 0,
            budget,
            seen: Watched::default(),
        }));
    }

    /// Ends the watch and returns its observations.
    pub fn unwatch(&mut self) -> Watched {
        let Some(watch) = self.watch.take() else { return Watched::default() };
        let mut seen = watch.seen;
        seen.open = watch.early.iter().flatten().map(|(call, _)| *call).collect();
        seen.open.dedup();
        for asked in std::mem::take(&mut self.context.recorder.surroundings) {
            remember(&mut seen.surroundings, asked);
        }
        seen
    }

    /// Observes the entry of a function. Returns an outcome if there is nothing more to see.
    #[cold]
    #[inline(never)]
    pub(super) fn watch_call(&mut self, cursor: Cursor) -> Option<Outcome> {
        if self.context.world.has_started_processes() {
            // Actions of other processes are not part of the states that are compared.
            return Some(Outcome::Stopped(Stop::StepLimit));
        }
        let mut watch = self.watch.take()?;
        let ends = watch.call(self, cursor);
        self.watch = Some(watch);
        ends.then_some(Outcome::Stopped(Stop::StepLimit))
    }

    /// Observes that a return has left `depth` frames.
    #[inline]
    pub(super) fn watch_depth(&mut self, depth: u32) {
        if let Some(watch) = &mut self.watch {
            watch.low = watch.low.min(depth);
        }
    }

    fn called(&self, number: u32) -> FunctionName {
        let (module, id) = self.context.program.function(number);
        let function = module.function(id);
        FunctionName { module: module.name, function: function.name, arity: function.arity }
    }

    /// Returns everything that determines how the run continues from the entry of a function.
    fn state(&mut self, cursor: Cursor, limit: usize) -> Option<Vec<Entry>> {
        let mut state = Vec::new();
        // SAFETY: the cursor points to live code, at whose entry the arguments are valid words.
        unsafe {
            for slot in (*cursor.code).liveness().slots(0) {
                state.push(Entry::Value { word: *cursor.fp.add(slot), whole: true });
            }
        }
        visit_world(&mut self.context, &mut |part| {
            if state.len() <= limit {
                state.push(match part {
                    StatePart::Value(word) => Entry::Value { word: *word, whole: false },
                    StatePart::Fixed(word) => Entry::Fixed(word),
                    StatePart::Number(number) => Entry::Number(number),
                });
            }
        });
        (state.len() <= limit).then_some(state)
    }

    /// Replaces parts of the state by variables. Returns these with the values that they replaced.
    fn generalise(&mut self, cursor: Cursor, parts: &[StatePath]) -> Option<Vec<(Variable, Term)>> {
        let count = self.state(cursor, usize::MAX)?.len();
        // A variable that replaces an integer ranges over integers only: other values would be a different question.
        let mut types = Types::default();
        let range = Range { low: None, high: None };
        let integers = types.add(TypeNode { integers: vec![range], ..TypeNode::default() });
        self.context.recorder.formulas = Formulas::with_types(Arc::new(types));
        let mut replaced = vec![Vec::new(); count];
        let mut variables = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            replaced.get_mut(part.value)?.push((part.path.as_slice(), Variable(index as u32)));
        }
        let mut at = 0;
        // SAFETY: as in `state`. Nothing moves while no instruction is run.
        unsafe {
            for slot in (*cursor.code).liveness().slots(0).collect::<Vec<_>>() {
                let word = &mut *cursor.fp.add(slot);
                *word = self.with_variables(*word, &replaced[at], 0, integers, &mut variables)?;
                at += 1;
            }
        }
        let mut words = Vec::new();
        visit_world(&mut self.context, &mut |part| {
            if let StatePart::Value(word) = part {
                words.push((at, *word));
            }
            at += 1;
        });
        let mut new = Vec::with_capacity(words.len());
        for (at, word) in words {
            new.push(self.with_variables(word, replaced.get(at)?, 0, integers, &mut variables)?);
        }
        let mut new = new.into_iter();
        visit_world(&mut self.context, &mut |part| {
            if let StatePart::Value(word) = part
                && let Some(changed) = new.next()
            {
                *word = changed;
            }
        });
        Some(variables)
    }

    fn with_variables(
        &mut self,
        word: Word,
        parts: &[(&[usize], Variable)],
        depth: usize,
        integers: TypeId,
        variables: &mut Vec<(Variable, Term)>,
    ) -> Option<Word> {
        if parts.is_empty() {
            return Some(word);
        }
        if let [(path, variable)] = parts
            && path.len() == depth
        {
            let context = &mut self.context;
            let name = |function, arity| context.fun_name(function, arity);
            let value = copy_out(word, LARGEST, &name).filter(is_data)?;
            variables.push((*variable, value));
            let of = if word.is_integer() { integers } else { Types::ANY };
            context.recorder.formulas.declare(*variable, of);
            let formula = context.recorder.formulas.variable(*variable);
            return Some(context.heap.symbolic(word, formula));
        }
        let mut elements = parts_of(word)?;
        for (index, element) in elements.iter_mut().enumerate() {
            let below: Vec<(&[usize], Variable)> =
                parts.iter().filter(|(path, _)| path.get(depth) == Some(&index)).copied().collect();
            *element = self.with_variables(*element, &below, depth + 1, integers, variables)?;
        }
        if word.is_kind(Kind::Tuple) {
            return Some(self.context.heap.tuple(&elements));
        }
        let keys = word.payload()[0].payload();
        let mut map = word;
        for (key, value) in keys.iter().zip(elements) {
            map = self.context.heap.map_put(map, *key, value);
        }
        Some(map)
    }

    /// Returns the current formulas of the replaced parts. `None` if anything else changed, or depends on them.
    fn recurrence(&mut self, mark: &Mark, state: &[Entry], parts: &[StatePath]) -> Option<Vec<(Variable, TermId)>> {
        if mark.state.len() != state.len() {
            return None;
        }
        let mut found = Vec::new();
        for (index, (before, now)) in mark.state.iter().zip(state).enumerate() {
            let of_value: Vec<(&[usize], Variable)> = parts
                .iter()
                .enumerate()
                .filter(|(_, part)| part.value == index)
                .map(|(number, part)| (part.path.as_slice(), Variable(number as u32)))
                .collect();
            match (*before, *now) {
                (Entry::Number(before), Entry::Number(now)) if before == now => {}
                (Entry::Fixed(before), Entry::Fixed(now)) if self.is_unchanged(before, now) => {}
                (Entry::Value { word: before, .. }, Entry::Value { word: now, .. }) => {
                    self.became(before, now, &of_value, 0, &mut found)?;
                }
                (Entry::Number(_) | Entry::Fixed(_) | Entry::Value { .. }, _) => return None,
            }
        }
        Some(found)
    }

    fn became(
        &mut self,
        before: Word,
        now: Word,
        parts: &[(&[usize], Variable)],
        depth: usize,
        found: &mut Vec<(Variable, TermId)>,
    ) -> Option<()> {
        if parts.is_empty() {
            return self.is_unchanged(before, now).then_some(());
        }
        if let [(path, variable)] = parts
            && path.len() == depth
        {
            found.push((*variable, self.context.reify(now).ok()?));
            return Some(());
        }
        let (before, now) = (parts_of(before)?, parts_of(now).filter(|_| same_frame(before, now))?);
        for (index, (before, now)) in before.into_iter().zip(now).enumerate() {
            let below: Vec<(&[usize], Variable)> =
                parts.iter().filter(|(path, _)| path.get(depth) == Some(&index)).copied().collect();
            self.became(before, now, &below, depth + 1, found)?;
        }
        Some(())
    }

    fn is_unchanged(&self, before: Word, now: Word) -> bool {
        let mut unlimited = usize::MAX;
        is_same(before, now, &mut unlimited) && !self.context.heap.is_shadowed(now)
    }
}

impl Watch {
    /// Drops the mark, because its words belong to one run.
    pub fn forget_words(&mut self) {
        self.mark = None;
    }

    pub fn roots(&mut self, collector: &mut Collector<'_>) {
        for entry in self.mark.iter_mut().flat_map(|mark| &mut mark.state) {
            match entry {
                Entry::Value { word, .. } | Entry::Fixed(word) => collector.root(word),
                Entry::Number(_) => {}
            }
        }
    }

    /// Observes a call. Returns whether there is nothing more to see.
    fn call(&mut self, machine: &mut Machine, cursor: Cursor) -> bool {
        // SAFETY: the cursor points to live code, its frame into the frames.
        let (function, depth) =
            unsafe { ((*cursor.code).function, cursor.frame.offset_from(machine.frames.start()) as u32) };
        self.seen.calls += 1;
        let call = self.seen.calls;
        let low = std::mem::replace(&mut self.low, depth).min(depth);
        let has_returned = self.mark.as_ref().is_some_and(|mark| low < mark.depth);
        match self.goal {
            Goal::Repetition => {
                for (early, first) in self.early.iter_mut().zip(EARLY) {
                    if call == first || early.is_some_and(|(_, depth)| low < depth) {
                        *early = Some((call, depth));
                    }
                }
                if has_returned || call == self.next_mark {
                    self.next_mark = if call >= self.next_mark { call.saturating_mul(2) } else { self.next_mark };
                    self.set_mark(machine, cursor, function, depth);
                    return false;
                }
                self.repeats(machine, cursor, function, depth)
            }
            Goal::Changes { at, .. } | Goal::Recurrence { at, .. } if call < at => false,
            Goal::Changes { at, arrivals } => {
                if call == at {
                    self.set_mark(machine, cursor, function, depth);
                } else if !has_returned && self.mark.as_ref().is_some_and(|mark| mark.function == function) {
                    let changes = self.changes(machine, cursor);
                    self.seen.changes.push(changes);
                }
                has_returned || self.seen.changes.len() >= arrivals || self.mark.is_none()
            }
            Goal::Recurrence { at, arrival, .. } => {
                if call == at {
                    return !self.generalise(machine, cursor, function, depth);
                }
                if has_returned || self.mark.is_none() {
                    return true;
                }
                let arrives = self.mark.as_ref().is_some_and(|mark| mark.function == function);
                self.arrivals += usize::from(arrives);
                let ends = arrives && self.arrivals > arrival;
                if ends {
                    self.recur(machine, cursor);
                }
                ends
            }
        }
    }

    /// Marks the current call: following states are compared with its state.
    fn set_mark(&mut self, machine: &mut Machine, cursor: Cursor, function: u32, depth: u32) {
        for asked in std::mem::take(&mut machine.context.recorder.surroundings) {
            remember(&mut self.seen.surroundings, asked);
        }
        self.mark = machine.state(cursor, self.budget).map(|state| {
            self.budget -= state.len();
            Mark { call: self.seen.calls, function, depth, state }
        });
    }

    fn repeats(&mut self, machine: &mut Machine, cursor: Cursor, function: u32, depth: u32) -> bool {
        let Some(mark) = self.mark.as_ref().filter(|mark| mark.function == function) else { return false };
        if !machine.context.recorder.surroundings.is_empty() || self.budget == 0 {
            return false;
        }
        // Arguments first, from the last one on: most loops differ there, and the world may be large.
        let arguments = mark.state.iter().take_while(|entry| matches!(entry, Entry::Value { whole: true, .. }));
        // SAFETY: as in `state`.
        let slots = unsafe { (*cursor.code).liveness().slots(0) };
        for (entry, slot) in arguments.zip(slots) {
            let Entry::Value { word, .. } = entry else { return false };
            // SAFETY: as in `state`.
            if !is_same(*word, unsafe { *cursor.fp.add(slot) }, &mut self.budget) {
                return false;
            }
        }
        let Some(state) = machine.state(cursor, self.budget) else {
            // The state was walked, although it is too large to be compared.
            self.budget = 0;
            return false;
        };
        self.budget = self.budget.saturating_sub(state.len());
        if !is_same_state(&mark.state, &state, &mut self.budget) {
            return false;
        }
        self.seen.repeats = Some(Repetition {
            function: machine.called(function),
            period: self.seen.calls - mark.call,
            is_nested: depth > mark.depth,
        });
        true
    }

    fn changes(&mut self, machine: &mut Machine, cursor: Cursor) -> Option<Vec<StatePath>> {
        let mark = self.mark.as_ref()?;
        let state = machine.state(cursor, self.budget).filter(|state| state.len() == mark.state.len())?;
        if !machine.context.recorder.surroundings.is_empty() {
            return None;
        }
        let mut parts = Vec::new();
        for (value, (before, now)) in mark.state.iter().zip(&state).enumerate() {
            match (*before, *now) {
                (Entry::Number(before), Entry::Number(now)) if before == now => {}
                (Entry::Fixed(before), Entry::Fixed(now)) if is_same(before, now, &mut self.budget) => {}
                (Entry::Value { word: before, whole }, Entry::Value { word: now, .. }) => {
                    let first = parts.len();
                    differences(before, now, &mut Vec::new(), &mut self.budget, &mut |path| {
                        parts.push(StatePath { value, path: path.to_vec() });
                    });
                    if !whole && parts[first..].iter().any(|part| part.path.is_empty()) {
                        return None;
                    }
                }
                (Entry::Number(_) | Entry::Fixed(_) | Entry::Value { .. }, _) => return None,
            }
        }
        Some(parts)
    }

    fn generalise(&mut self, machine: &mut Machine, cursor: Cursor, function: u32, depth: u32) -> bool {
        let Goal::Recurrence { parts, .. } = &self.goal else { return false };
        let parts = parts.clone();
        self.set_mark(machine, cursor, function, depth);
        let Some(variables) = machine.generalise(cursor, &parts) else { return false };
        let function = machine.called(function);
        let variables = variables.into_iter().map(|(variable, value)| (variable, value, TermId::from_number(0)));
        self.seen.recurs = Some(Recurrence { function, period: 0, variables: variables.collect() });
        true
    }

    fn recur(&mut self, machine: &mut Machine, cursor: Cursor) {
        let (Goal::Recurrence { parts, .. }, Some(mark)) = (&self.goal, &self.mark) else { return };
        let asked = !machine.context.recorder.surroundings.is_empty();
        let state = machine.state(cursor, self.budget);
        let became = state.filter(|_| !asked).and_then(|state| machine.recurrence(mark, &state, parts));
        let (Some(became), Some(mut recurrence)) = (became, self.seen.recurs.take()) else {
            self.seen.recurs = None;
            return;
        };
        recurrence.period = self.seen.calls - mark.call;
        for (variable, _, next) in &mut recurrence.variables {
            match became.iter().find(|(other, _)| other == variable) {
                Some((_, formula)) => *next = *formula,
                None => return,
            }
        }
        self.seen.recurs = Some(recurrence);
    }
}

fn remember(all: &mut Vec<Surrounding>, one: Surrounding) {
    if !all.contains(&one) {
        all.push(one);
    }
}
