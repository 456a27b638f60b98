//! A decision over many constructors: the target of each, and the sides that the path records.

use super::instruction::{Code, Instruction, Slot, Target};
use crate::value::{Kind, Word, copy_out};
use formula::{Constant, Mapping};
use path::{Way, Ways};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, OnceLock};
use term::{Fun, Term, names};

#[derive(Debug)]
pub struct Switch {
    pub immediates: Immediates,
    pub cons: Target,
    /// Sizes and their targets.
    pub tuples: Vec<(u32, Target)>,
    pub otherwise: Target,
    /// Computed when the machine first switches on a symbolic value.
    pub(super) ways: OnceLock<SwitchWays>,
}

/// The sides of a switch. Constructors with the same target share a side, and so do all constants that are only looked
/// up.
#[derive(Debug)]
pub struct SwitchWays {
    pub ways: Arc<Ways>,
    /// The side of each target.
    targets: FxHashMap<Target, u32>,
    /// The constants that are only looked up, if there are many.
    lookup: Option<Lookup>,
}

#[derive(Debug)]
struct Lookup {
    mapping: Arc<Mapping>,
    to: Slot,
    /// The targets that load it, and the first of them, whose side all of them use.
    targets: FxHashSet<Target>,
    first: Target,
}

/// The continuation after a constant is loaded: it is the result, or the code jumps to a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    Return,
    Jump(Target),
}

/// The number of cases from which on those that only load a constant are one side.
const LOOKED_UP: usize = 8;

impl SwitchWays {
    /// Returns the mapping and the slot of a target that only loads a constant.
    pub fn lookup_at(&self, target: Target) -> Option<(&Arc<Mapping>, Slot)> {
        let lookup = self.lookup.as_ref().filter(|lookup| lookup.targets.contains(&target))?;
        Some((&lookup.mapping, lookup.to))
    }

    /// Returns the side of a target. The last one is that of all values without a side of their own.
    pub fn way_of(&self, target: Target) -> u32 {
        self.targets.get(&way_target(&self.lookup, target)).copied().unwrap_or(self.ways.len() as u32)
    }
}

#[derive(Debug)]
pub enum Immediates {
    /// A few cases, which are compared one by one.
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

    /// Replaces labels by instructions.
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

    /// Returns the target of a value without a shadow.
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

    /// Returns the sides of the switch. `code` is the code that contains it.
    pub fn ways(&self, code: &Code) -> &SwitchWays {
        self.ways.get_or_init(|| self.find_ways(code))
    }

    fn find_ways(&self, code: &Code) -> SwitchWays {
        let mut cases: Vec<(Word, Target)> = match &self.immediates {
            Immediates::Few(cases) => cases.clone(),
            Immediates::Dense { low, targets } => {
                (*low..).zip(targets).map(|(value, target)| (Word::small(value), *target)).collect()
            }
            Immediates::Many(cases) => cases.iter().map(|(word, target)| (Word::from_bits(*word), *target)).collect(),
        };
        // A hash table has no meaningful order; targets are in the order of the clauses.
        cases.sort_by_key(|(word, target)| (*target, word.0));
        let lookup = self.find_lookup(&cases, code);
        let mut constants: Vec<Vec<Constant>> = Vec::new();
        let mut ways: Vec<Way> = Vec::new();
        let mut targets = FxHashMap::default();
        let mut way_of = |target: Target, ways: &mut Vec<Way>, constants: &mut Vec<Vec<Constant>>| {
            (target != self.otherwise).then(|| {
                *targets.entry(way_target(&lookup, target)).or_insert_with(|| {
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
        SwitchWays { ways: Ways::shared(ways), targets, lookup }
    }

    /// Finds the largest group of cases that load a constant into the same slot and continue at the same place.
    fn find_lookup(&self, cases: &[(Word, Target)], code: &Code) -> Option<Lookup> {
        // Keys and the constants that are loaded for them, by slot and continuation.
        let mut groups: FxHashMap<(Slot, Next), Vec<[Word; 2]>> = FxHashMap::default();
        let mut places: FxHashMap<(Slot, Next), FxHashSet<Target>> = FxHashMap::default();
        for (key, target) in cases {
            if *target != self.otherwise
                && let Some((to, constant, next)) = loaded_at(code, *target)
            {
                groups.entry((to, next)).or_default().push([*key, constant]);
                places.entry((to, next)).or_default().insert(*target);
            }
        }
        let (place, cases) = groups.into_iter().max_by_key(|(place, cases)| (cases.len(), *place))?;
        let targets = places.remove(&place)?;
        let shared = targets.contains(&self.cons) || self.tuples.iter().any(|(_, target)| targets.contains(target));
        if shared || cases.len() < LOOKED_UP {
            return None;
        }
        // Literals contain no closures.
        let no_name = |_, _| Fun::Local { module: names::EMPTY, index: 0, unique: 0, arity: 0 };
        let entries: Option<Vec<(Constant, Constant)>> = cases
            .iter()
            .map(|&[key, value]| {
                let value = copy_out(value, usize::MAX, &no_name)?;
                Some((Constant(immediate_term(key)), Constant(value)))
            })
            .collect();
        let first = *targets.iter().min()?;
        Some(Lookup { mapping: Mapping::shared(entries?), to: place.0, first, targets })
    }

    pub fn tuple(&self, size: usize) -> Target {
        self.tuples.iter().find(|(case, _)| *case as usize == size).map_or(self.otherwise, |(_, target)| *target)
    }
}

/// Returns the target whose side a target uses.
fn way_target(lookup: &Option<Lookup>, target: Target) -> Target {
    match lookup {
        Some(lookup) if lookup.targets.contains(&target) => lookup.first,
        _ => target,
    }
}

/// Returns the slot, the constant and the continuation of a target that only loads a constant.
fn loaded_at(code: &Code, target: Target) -> Option<(Slot, Word, Next)> {
    let at = target as usize;
    let Instruction::Load { to, constant } = *code.instructions.get(at)? else { return None };
    let next = match *code.instructions.get(at + 1)? {
        Instruction::Return { from } if from == to => Next::Return,
        Instruction::Jump { target } => Next::Jump(target),
        _ => return None,
    };
    Some((to, *code.constants.get(constant as usize)?, next))
}

fn immediate_term(word: Word) -> Term {
    match (word.as_small(), word.as_atom()) {
        (Some(value), _) => Term::Int(value),
        (None, Some(atom)) => Term::Atom(atom),
        (None, None) => Term::Nil,
    }
}
