//! One decision over many constructors: where each goes, and which ways there are for the path.

use super::instruction::Target;
use crate::path::{Way, Ways};
use crate::value::{Kind, Word};
use formula::Constant;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use term::Term;

#[derive(Debug)]
pub struct Switch {
    pub immediates: Immediates,
    pub cons: Target,
    /// Sizes and where to go.
    pub tuples: Vec<(u32, Target)>,
    pub otherwise: Target,
    /// Made when a symbolic value is first switched on.
    pub(super) ways: OnceLock<SwitchWays>,
}

/// The ways of a switch: what goes to one target goes one way.
#[derive(Debug)]
pub struct SwitchWays {
    pub ways: Arc<Ways>,
    /// Of each way.
    targets: FxHashMap<Target, u32>,
}

impl SwitchWays {
    /// The last one is that of everything that has no way of its own.
    pub fn way_of(&self, target: Target) -> u32 {
        self.targets.get(&target).copied().unwrap_or(self.ways.len() as u32)
    }
}

#[derive(Debug)]
pub enum Immediates {
    /// Few: compared one by one.
    Few(Vec<(Word, Target)>),
    /// Small integers from `low` on, without many gaps.
    Dense {
        low: i64,
        targets: Vec<Target>,
    },
    Many(FxHashMap<u64, Target>),
}

impl Switch {
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        let immediates: Box<dyn Iterator<Item = Target>> = match &self.immediates {
            Immediates::Few(cases) => Box::new(cases.iter().map(|(_, target)| *target)),
            Immediates::Dense { targets, .. } => Box::new(targets.iter().copied()),
            Immediates::Many(cases) => Box::new(cases.values().copied()),
        };
        immediates.chain([self.cons, self.otherwise]).chain(self.tuples.iter().map(|(_, target)| *target))
    }

    /// Turns labels into instructions.
    pub fn resolve(&mut self, resolve: impl Fn(Target) -> Target) {
        match &mut self.immediates {
            Immediates::Few(cases) => cases.iter_mut().for_each(|(_, target)| *target = resolve(*target)),
            Immediates::Dense { targets, .. } => targets.iter_mut().for_each(|target| *target = resolve(*target)),
            Immediates::Many(cases) => cases.values_mut().for_each(|target| *target = resolve(*target)),
        }
        self.tuples.iter_mut().for_each(|(_, target)| *target = resolve(*target));
        self.cons = resolve(self.cons);
        self.otherwise = resolve(self.otherwise);
    }

    #[inline]
    pub fn immediate(&self, word: Word) -> Target {
        match &self.immediates {
            Immediates::Few(cases) => {
                cases.iter().find(|(case, _)| *case == word).map_or(self.otherwise, |(_, target)| *target)
            }
            Immediates::Dense { low, targets } => match word.as_small() {
                Some(value) => {
                    let index = value.wrapping_sub(*low) as u64;
                    targets.get(usize::try_from(index).unwrap_or(usize::MAX)).copied().unwrap_or(self.otherwise)
                }
                None => self.otherwise,
            },
            Immediates::Many(cases) => cases.get(&word.0).copied().unwrap_or(self.otherwise),
        }
    }

    /// For any value without a shadow.
    pub fn target(&self, word: Word) -> Target {
        if word.is_cons() {
            self.cons
        } else if word.is_immediate() {
            self.immediate(word)
        } else if word.is_kind(Kind::Tuple) {
            self.tuple(word.header().payload())
        } else {
            self.otherwise
        }
    }

    pub fn ways(&self) -> &SwitchWays {
        self.ways.get_or_init(|| self.find_ways())
    }

    fn find_ways(&self) -> SwitchWays {
        let mut cases: Vec<(Word, Target)> = match &self.immediates {
            Immediates::Few(cases) => cases.clone(),
            Immediates::Dense { low, targets } => {
                (*low..).zip(targets).map(|(value, target)| (Word::small(value), *target)).collect()
            }
            Immediates::Many(cases) => cases.iter().map(|(word, target)| (Word(*word), *target)).collect(),
        };
        // The order of a hash table is nobody's; targets are in the order of the clauses.
        cases.sort_by_key(|(word, target)| (*target, word.0));
        let mut constants: Vec<Vec<Constant>> = Vec::new();
        let mut ways: Vec<Way> = Vec::new();
        let mut targets = FxHashMap::default();
        let mut way_of = |target: Target, ways: &mut Vec<Way>, constants: &mut Vec<Vec<Constant>>| {
            (target != self.otherwise).then(|| {
                *targets.entry(target).or_insert_with(|| {
                    ways.push(Way::default());
                    constants.push(Vec::new());
                    ways.len() as u32 - 1
                }) as usize
            })
        };
        for (word, target) in cases {
            if let Some(way) = way_of(target, &mut ways, &mut constants) {
                constants[way].push(Constant(immediate_term(word)));
            }
        }
        if let Some(way) = way_of(self.cons, &mut ways, &mut constants) {
            ways[way].cons = true;
        }
        for (size, target) in &self.tuples {
            if let Some(way) = way_of(*target, &mut ways, &mut constants) {
                ways[way].tuples.push(*size);
            }
        }
        for (way, constants) in ways.iter_mut().zip(constants) {
            way.constants = Way::of(constants).constants;
        }
        SwitchWays { ways: Ways::shared(ways), targets }
    }

    pub fn tuple(&self, size: usize) -> Target {
        self.tuples.iter().find(|(case, _)| *case as usize == size).map_or(self.otherwise, |(_, target)| *target)
    }
}

fn immediate_term(word: Word) -> Term {
    match (word.as_small(), word.as_atom()) {
        (Some(value), _) => Term::Int(value),
        (None, Some(atom)) => Term::Atom(atom),
        (None, None) => Term::Nil,
    }
}
