//! The tree of decisions: which way was gone behind which decisions.
//!
//! A run that leaves the tree adds one chain of decisions to it, however long; so the tree is a list of
//! chains and a map of where they leave each other. A node is a place in a chain.

use path::Decision;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Trie {
    chains: Vec<Chain>,
    /// Where a chain begins: behind which decisions, and with which.
    leaves: FxHashMap<(Prefix, Side), u32>,
    sites: Sites,
    decisions: usize,
}

struct Chain {
    /// How many decisions lie before it.
    depth: u32,
    parent: Option<Prefix>,
    steps: Box<[Side]>,
}

/// Numbers of sites, in the order in which they were met.
#[derive(Default)]
pub struct Sites {
    numbers: FxHashMap<path::Site, u32>,
    sites: Vec<path::Site>,
}

/// A decision with its site by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    pub site: u32,
    pub way: u32,
}

/// What lies behind the first `taken` steps of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prefix {
    pub chain: u32,
    pub taken: u32,
}

/// What a run added to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grown {
    pub chain: u32,
    /// The first of its decisions that nobody stood before yet.
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

    /// Walks along a path and adds what is not there; nothing if all of it is.
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
            // Where a run stood before and went another way, the ways are on offer already.
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

    /// Was another way than its own taken where a chain takes its decision `index` (of the whole path)?
    pub fn is_done(&self, chain: u32, index: u32, way: u32) -> bool {
        let (chain, of) = self.chain_at(chain, index);
        let own = Prefix { chain, taken: index.saturating_sub(of.depth) };
        // A chain's first decision is taken where its parent is left.
        let node = of.parent.filter(|_| own.taken == 0).unwrap_or(own);
        of.steps.get(own.taken as usize).is_some_and(|step| self.follow(node, Side { way, ..*step }).is_some())
    }

    /// The chain that has a decision of the path to the end of a chain.
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

    /// Where a decision of the path to the end of a chain is taken: the same for all that come there alike.
    pub fn place(&self, chain: u32, index: u32) -> (u32, u32) {
        (self.chain_at(chain, index).0, index)
    }

    /// How many decisions of its path a chain shares with those before it.
    pub fn depth(&self, chain: u32) -> usize {
        self.chains.get(chain as usize).map_or(0, |chain| chain.depth as usize)
    }

    /// A decision of the path to the end of a chain.
    pub fn step_at(&self, chain: u32, index: u32) -> Option<Side> {
        let (_, of) = self.chain_at(chain, index);
        of.steps.get(index.checked_sub(of.depth)? as usize).copied()
    }

    /// The whole path to the end of a chain.
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

    /// Bytes, about.
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
