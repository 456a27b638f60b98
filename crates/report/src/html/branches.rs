//! The coverage of a module's branches by the explorations of all functions together.

use crate::Results;
use search::BranchWay;
use std::collections::BTreeMap;
use term::Atom;

/// The branches of a module, by line and by position within the line.
#[derive(Default)]
pub struct Branches {
    /// Branches in the module's own file.
    pub by_line: BTreeMap<u32, BTreeMap<Number, Branch>>,
    /// Number of branches in included files or without a line.
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
    /// Whether a function that reaches the branch has unexplored paths, and no proof that it does not take this side.
    unfinished: bool,
}

/// The knowledge about one side of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideState {
    Taken,
    /// No function that reaches the branch takes this side: it is fully explored, or there is a proof.
    Impossible,
    /// None of this many attempts had a solution, but not all paths are explored.
    Refuted(u32),
    /// This many attempts are undecided.
    NotTaken(u32),
}

impl Way {
    pub fn state(&self) -> SideState {
        match self {
            Way { taken: true, .. } => SideState::Taken,
            Way { unfinished: false, .. } => SideState::Impossible,
            Way { open: 0, refuted: 1.., .. } => SideState::Refuted(self.refuted),
            Way { open, .. } => SideState::NotTaken(*open),
        }
    }

    fn add(&mut self, way: &BranchWay, is_exhaustive: bool) {
        if self.words.is_empty() {
            self.words.clone_from(&way.words);
        }
        self.taken |= way.taken;
        self.refuted = self.refuted.saturating_add(way.refuted);
        self.open = self.open.saturating_add(way.open);
        self.unfinished |= !is_exhaustive && !way.unreachable;
    }
}

impl Branches {
    /// Returns the number of sides of all branches, how many of them are covered, and how many are unreachable.
    pub fn count(&self) -> (usize, usize, usize) {
        let branches = self.by_line.values().flat_map(BTreeMap::values);
        branches.fold((0, 0, 0), |(all, taken, unreachable), branch| {
            let own = |state: SideState| branch.ways.iter().filter(|way| way.state() == state).count();
            let all = all + branch.ways.len() + branch.more_ways;
            (all, taken + own(SideState::Taken) + branch.more_taken, unreachable + own(SideState::Impossible))
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
