//! The records of runs, kept while some of their alternatives are still to be tried: always the inputs, and the
//! formulas and decisions as long as there is memory. Those that were dropped are made again by a replay.

use crate::runner::Inputs;
use formula::{Assignment, Formulas, TermId};
use path::{Event, Recorder};
use rustc_hash::FxHashMap;
use solver::Screened;
use std::collections::VecDeque;
use term::Term;

/// The record of one run, indexed by the number of the chain that the run added to the tree.
pub struct Record {
    inputs: Option<Inputs>,
    pub steps: u64,
    /// The number of successive runs, up to this one, that saw nothing new.
    pub stale: u32,
    /// The number of candidates in the queue.
    waiting: u32,
    path: Option<Box<Path>>,
    /// The value of the clock when the path was last kept.
    kept: u64,
    input_bytes: usize,
    path_bytes: usize,
}

/// The decisions of a run.
pub struct Path {
    pub formulas: Formulas,
    /// The events that are decisions.
    pub events: Vec<Event>,
    /// The condition that held at each event.
    pub held: Vec<TermId>,
    /// The results of the screening for the sides that it did not refute, by decision and side.
    pub screened: FxHashMap<(u32, u32), Screened>,
}

#[derive(Default)]
pub struct Records {
    records: Vec<Record>,
    /// The runs with a path and the time when it was kept, in the order in which they are dropped. A path that was kept
    /// again has a later entry, too.
    kept: VecDeque<(u32, u64)>,
    clock: u64,
    path_bytes: usize,
    input_bytes: usize,
}

impl Records {
    /// Adds a record and returns its number, which is that of the run's chain.
    pub fn add(&mut self, inputs: Inputs, steps: u64, stale: u32) -> u32 {
        let input_bytes = assignment_bytes(&inputs.values);
        self.input_bytes += input_bytes;
        self.records.push(Record {
            inputs: Some(inputs),
            steps,
            stale,
            waiting: 0,
            path: None,
            kept: 0,
            input_bytes,
            path_bytes: 0,
        });
        self.records.len() as u32 - 1
    }

    pub fn get(&self, run: u32) -> &Record {
        &self.records[run as usize]
    }

    pub fn set_steps(&mut self, run: u32, steps: u64) {
        self.records[run as usize].steps = steps;
    }

    pub fn inputs(&self, run: u32) -> Option<Inputs> {
        self.records[run as usize].inputs.clone()
    }

    /// Counts a candidate of the run that was put into the queue.
    pub fn wait(&mut self, run: u32) {
        self.records[run as usize].waiting += 1;
    }

    /// Counts a candidate of the run that left the queue. A run without candidates is forgotten.
    pub fn release(&mut self, run: u32) {
        let record = &mut self.records[run as usize];
        record.waiting = record.waiting.saturating_sub(1);
        self.forget_if_idle(run);
    }

    /// Drops the record of a run if it has no candidates, since nothing of it is needed.
    pub fn forget_if_idle(&mut self, run: u32) {
        let record = &mut self.records[run as usize];
        if record.waiting == 0 {
            self.input_bytes -= std::mem::take(&mut record.input_bytes);
            self.path_bytes -= std::mem::take(&mut record.path_bytes);
            record.inputs = None;
            record.path = None;
        }
    }

    pub fn take_path(&mut self, run: u32) -> Option<Box<Path>> {
        let record = &mut self.records[run as usize];
        self.path_bytes -= std::mem::take(&mut record.path_bytes);
        record.path.take()
    }

    /// Keeps the path of a run that has candidates, and drops the oldest ones beyond `memory`.
    pub fn keep_path(&mut self, run: u32, path: Box<Path>, memory: usize) {
        let record = &mut self.records[run as usize];
        if record.waiting == 0 {
            return;
        }
        record.path_bytes = path.bytes();
        self.path_bytes += record.path_bytes;
        record.path = Some(path);
        self.clock += 1;
        record.kept = self.clock;
        self.kept.push_back((run, self.clock));
        while let Some(&(oldest, kept)) = self.kept.front() {
            let current = self.get(oldest).path.is_some() && self.get(oldest).kept == kept;
            if current && self.path_bytes <= memory {
                break;
            }
            self.kept.pop_front();
            if current {
                drop(self.take_path(oldest));
            }
        }
    }

    pub fn input_bytes(&self) -> usize {
        self.input_bytes
    }
}

impl Path {
    pub fn new(recorder: Recorder) -> Path {
        let (formulas, events) = recorder.into_path();
        Path::of(formulas, events.into_iter().filter(|event| event.decision().is_some()).collect())
    }

    /// Creates the path of inputs that cannot be made.
    pub fn of_choices(events: Vec<Event>) -> Path {
        Path::of(Formulas::default(), events)
    }

    fn of(formulas: Formulas, events: Vec<Event>) -> Path {
        Path { formulas, events, held: Vec::new(), screened: FxHashMap::default() }
    }

    /// Computes the condition that held at each decision.
    pub fn hold(&mut self) {
        let Path { formulas, events, held, .. } = self;
        let way = |event: &Event| event.decision().map_or(0, |decision| decision.way);
        *held = events.iter().map(|event| event.condition(way(event), formulas)).collect();
    }

    /// Returns the approximate size.
    fn bytes(&self) -> usize {
        // A formula is in the table and in its index.
        let formulas = self.formulas.len() * 2 * (size_of::<formula::Operator>() + 16);
        let bytes = |screened: &Screened| match screened {
            Screened::Sat(model) => 64 + model.changes.len() * 64,
            Screened::Unsat | Screened::Open | Screened::Late => 64,
        };
        let screened: usize = self.screened.values().map(bytes).sum();
        formulas + self.events.len() * (size_of::<Event>() + size_of::<TermId>()) + screened
    }
}

fn assignment_bytes(values: &Assignment) -> usize {
    values.values().map(|term| 32 + term_bytes(term)).sum()
}

/// Returns the approximate size. Parts that are shared with other inputs count in each.
fn term_bytes(term: &Term) -> usize {
    let mut bytes = 0;
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        bytes += size_of::<Term>();
        match term {
            Term::List(items, tail) => left.extend(items.iter().chain(tail.as_deref())),
            Term::Tuple(items) => left.extend(items.iter()),
            Term::Map(pairs) => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            Term::Bits(bits) => bytes += bits.bytes().len(),
            Term::Big(value) => bytes += value.bits() as usize / 8,
            Term::Int(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Nil
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => {}
        }
    }
    bytes
}
