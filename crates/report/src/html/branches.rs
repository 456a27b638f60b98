//! What all functions together know of the branches of a module.

use crate::Results;
use search::BranchWay;
use std::collections::BTreeMap;
use term::Atom;

/// By line and by what tells branches of one line apart.
#[derive(Default)]
pub struct Branches {
    /// Of the module's own file.
    pub by_line: BTreeMap<u32, BTreeMap<Number, Branch>>,
    /// How many lie in files that it includes, or nowhere.
    pub elsewhere: usize,
}

type Number = (u16, (u32, u32, u32));

#[derive(Default)]
pub struct Branch {
    pub ways: Vec<Way>,
    pub more_ways: usize,
    pub more_taken: usize,
}

#[derive(Default)]
pub struct Way {
    pub words: String,
    taken: bool,
    refuted: u32,
    open: u32,
    /// Some function that comes to the branch was not explored to the end.
    unfinished: bool,
}

/// What is known of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Taken,
    /// No path of any function that comes there leads on to it.
    Impossible,
    /// So many attempts had no solution, and no other is known; but not every path was taken.
    Refuted(u32),
    /// So many attempts are open.
    NotTaken(u32),
}

impl Way {
    pub fn state(&self) -> State {
        match self {
            Way { taken: true, .. } => State::Taken,
            Way { unfinished: false, .. } => State::Impossible,
            Way { open: 0, refuted: 1.., .. } => State::Refuted(self.refuted),
            Way { open, .. } => State::NotTaken(*open),
        }
    }

    fn add(&mut self, way: &BranchWay, is_exhaustive: bool) {
        if self.words.is_empty() {
            self.words.clone_from(&way.words);
        }
        self.taken |= way.taken;
        self.refuted = self.refuted.saturating_add(way.refuted);
        self.open = self.open.saturating_add(way.open);
        self.unfinished |= !is_exhaustive;
    }
}

impl Branches {
    /// Ways, and those that were taken.
    pub fn count(&self) -> (usize, usize) {
        let branches = self.by_line.values().flat_map(BTreeMap::values);
        branches.fold((0, 0), |(all, taken), branch| {
            let own = branch.ways.iter().filter(|way| way.state() == State::Taken).count();
            (all + branch.ways.len() + branch.more_ways, taken + own + branch.more_taken)
        })
    }
}

pub fn of(results: &Results) -> BTreeMap<Atom, Branches> {
    let mut modules: BTreeMap<Atom, Branches> = BTreeMap::new();
    for tested in &results.functions {
        let is_exhaustive = tested.is_exhaustive();
        for site in &tested.exploration.sites {
            let place = &site.place;
            let branches = modules.entry(place.module).or_default();
            let source = results.sources.get(&place.module);
            if place.line == 0 || source.is_some_and(|source| source.file != place.file) {
                branches.elsewhere += 1;
                continue;
            }
            let line = branches.by_line.entry(place.line).or_default();
            let branch = line.entry((place.column, place.number)).or_default();
            for (index, way) in site.ways.iter().enumerate() {
                if branch.ways.len() <= index {
                    branch.ways.push(Way::default());
                }
                if let Some(known) = branch.ways.get_mut(index) {
                    known.add(way, is_exhaustive);
                }
            }
            branch.more_ways = branch.more_ways.max(site.more_ways);
            branch.more_taken = branch.more_taken.max(site.more_taken);
        }
    }
    modules
}
