//! The tree of decisions: the sides that runs took after the same decisions.
//!
//! A run that leaves the tree adds one chain of decisions to it, however long. So the tree is a list of chains and a
//! map of where they leave each other. A node is a place in a chain.

use path::Decision;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Trie {
    chains: Vec<Chain>,
    /// The chains by the place where they begin: after which decisions, and with which one.
    leaves: FxHashMap<(Prefix, Side), u32>,
    sites: Sites,
    decisions: usize,
}

struct Chain {
    /// The number of decisions before it.
    depth: u32,
    parent: Option<Prefix>,
    steps: Box<[Side]>,
}

/// The numbers of sites, in the order in which they were met.
#[derive(Default)]
pub struct Sites {
    numbers: FxHashMap<path::Site, u32>,
    sites: Vec<path::Site>,
}

/// A taken side of a decision, whose site is given by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    pub site: u32,
    pub way: u32,
}

/// The node after the first `taken` steps of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prefix {
    pub chain: u32,
    pub taken: u32,
}

/// The part that a run added to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grown {
    pub chain: u32,
    /// The index of the first decision that no earlier run met.
    pub fresh: u32,
}

impl Sites {
    pub fn number(&mut self, site: path::Site) -> u32 {
        *self.numbers.entry(site).or_insert_with(|| {
            self.sites.push(site);
            self.sites.len() as u32 - 1
        })
    }

    pub fn site(&self, number: u32) -> path::Site {
        self.sites[number as usize]
    }
}

impl Trie {
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    pub fn step(&mut self, decision: Decision) -> Side {
        Side { site: self.sites.number(decision.site), way: decision.way }
    }

    /// Walks along a path and adds its new part; returns `None` if the tree has all of it.
    pub fn add(&mut self, path: &[Side]) -> Option<Grown> {
        if self.chains.is_empty() {
            return Some(self.grow(None, 0, path, 0));
        }
        let mut node = Prefix { chain: 0, taken: 0 };
        for (index, step) in path.iter().enumerate() {
            if let Some(next) = self.follow(node, *step) {
                node = next;
                continue;
            }
            // If an earlier run was at this decision and took another side, its alternatives have been offered already.
            let known = self.chains[node.chain as usize].steps.get(node.taken as usize);
            let fresh = index + usize::from(known.is_some_and(|known| known.site == step.site));
            return Some(self.grow(Some((node, *step)), index, path, fresh));
        }
        None
    }

    fn grow(&mut self, at: Option<(Prefix, Side)>, from: usize, path: &[Side], fresh: usize) -> Grown {
        let chain = self.chains.len() as u32;
        let steps: Box<[Side]> = path[from..].into();
        self.decisions += steps.len();
        self.chains.push(Chain { depth: from as u32, parent: at.map(|(node, _)| node), steps });
        if let Some(at) = at {
            self.leaves.insert(at, chain);
        }
        Grown { chain, fresh: fresh as u32 }
    }

    fn follow(&self, node: Prefix, step: Side) -> Option<Prefix> {
        if self.chains[node.chain as usize].steps.get(node.taken as usize) == Some(&step) {
            return Some(Prefix { taken: node.taken + 1, ..node });
        }
        self.leaves.get(&(node, step)).map(|&chain| Prefix { chain, taken: 1 })
    }

    /// Returns whether a run took the side `way` at decision `index` (of the whole path) of a chain.
    pub fn is_done(&self, chain: u32, index: u32, way: u32) -> bool {
        let (chain, of) = self.chain_at(chain, index);
        let own = Prefix { chain, taken: index.saturating_sub(of.depth) };
        // The first decision of a chain is at the node where it leaves its parent.
        let node = of.parent.filter(|_| own.taken == 0).unwrap_or(own);
        of.steps.get(own.taken as usize).is_some_and(|step| self.follow(node, Side { way, ..*step }).is_some())
    }

    /// Returns the chain that has decision `index` of the path to the end of a chain.
    fn chain_at(&self, chain: u32, index: u32) -> (u32, &Chain) {
        let mut number = chain;
        loop {
            let chain = &self.chains[number as usize];
            match chain.parent {
                Some(parent) if index < chain.depth => number = parent.chain,
                _ => return (number, chain),
            }
        }
    }

    /// Returns the place of a decision on the path to the end of a chain. It is the same for all runs with this prefix.
    pub fn place(&self, chain: u32, index: u32) -> (u32, u32) {
        (self.chain_at(chain, index).0, index)
    }

    /// Returns the number of decisions that the path of a chain shares with earlier chains.
    pub fn depth(&self, chain: u32) -> usize {
        self.chains.get(chain as usize).map_or(0, |chain| chain.depth as usize)
    }

    /// Returns a decision on the path to the end of a chain.
    pub fn step_at(&self, chain: u32, index: u32) -> Option<Side> {
        let (_, of) = self.chain_at(chain, index);
        of.steps.get(index.checked_sub(of.depth)? as usize).copied()
    }

    /// Returns the whole path to the end of a chain.
    pub fn path(&self, chain: u32) -> Vec<Side> {
        let mut pieces: Vec<&[Side]> = Vec::new();
        let mut end = Prefix { chain, taken: self.chains[chain as usize].steps.len() as u32 };
        loop {
            let chain = &self.chains[end.chain as usize];
            pieces.push(&chain.steps[..end.taken as usize]);
            match chain.parent {
                Some(parent) => end = parent,
                None => break,
            }
        }
        pieces.iter().rev().flat_map(|piece| piece.iter().copied()).collect()
    }

    /// Returns the approximate size in bytes.
    pub fn size(&self) -> usize {
        self.decisions * size_of::<Side>() + self.chains.len() * (size_of::<Chain>() + 3 * size_of::<(Prefix, Side)>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(ways: &[u32]) -> Vec<Side> {
        ways.iter().enumerate().map(|(site, way)| Side { site: site as u32, way: *way }).collect()
    }

    #[test]
    fn a_path_is_added_once_and_ways_are_known_by_their_prefix() {
        let mut trie = Trie::default();
        assert_eq!(trie.add(&path(&[0, 0, 0])), Some(Grown { chain: 0, fresh: 0 }));
        assert_eq!(trie.add(&path(&[0, 0, 0])), None);
        assert!(!trie.is_done(0, 1, 1));
        assert_eq!(trie.add(&path(&[0, 1, 0])), Some(Grown { chain: 1, fresh: 2 }));
        assert!(trie.is_done(0, 1, 1));
        assert!(!trie.is_done(0, 2, 1));
        assert!(!trie.is_done(1, 2, 1), "the same way behind other decisions is another one");
        assert_eq!(trie.add(&path(&[0, 1, 1])), Some(Grown { chain: 2, fresh: 3 }));
        assert!(trie.is_done(1, 2, 1));
        assert_eq!(trie.path(2), path(&[0, 1, 1]));
        assert_eq!(trie.path(0), path(&[0, 0, 0]));
    }

    #[test]
    fn a_longer_run_goes_on_where_the_shorter_one_was_cut() {
        let mut trie = Trie::default();
        trie.add(&path(&[0, 0]));
        assert_eq!(trie.add(&path(&[0, 0, 1, 1])), Some(Grown { chain: 1, fresh: 2 }));
        assert_eq!(trie.add(&path(&[0, 0, 1])), None);
        assert_eq!(trie.path(1), path(&[0, 0, 1, 1]));
        assert!(!trie.is_done(1, 2, 0));
        trie.add(&path(&[0, 0, 0]));
        assert!(trie.is_done(1, 2, 0));
    }

    #[test]
    fn the_empty_path_is_a_path() {
        let mut trie = Trie::default();
        assert_eq!(trie.add(&[]), Some(Grown { chain: 0, fresh: 0 }));
        assert_eq!(trie.add(&[]), None);
        assert_eq!(trie.add(&path(&[1])), Some(Grown { chain: 1, fresh: 0 }));
    }
}
