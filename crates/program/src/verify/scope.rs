//! Tracks which variables are visible at a point of the walk, and which were bound on the path to it.
//!
//! Visibility is lexical: leaving a block hides its variables. To be bound once on a path is a weaker requirement than
//! to be bound once: the clauses of a case exclude each other, and may use the same numbers. Every clause is therefore
//! a node of a tree of branches, and a variable records the branch in which it was last bound. The last one is enough,
//! because a later binding that excludes it also excludes those that it excludes: once a clause is left, it is not
//! entered again.

use crate::Var;
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch(usize);

/// Branches of one fork exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fork(usize);

struct BranchNode {
    parent: usize,
    fork: Fork,
    depth: usize,
}

pub(super) struct BoundVariables {
    /// The number of parameters of the function. The first variables are its parameters and bound everywhere.
    parameters: u64,
    visible: HashSet<Var>,
    /// The variables that became visible, in order, so that leaving a block only pops.
    trail: Vec<Var>,
    bound_in: HashMap<Var, Branch>,
    branches: Vec<BranchNode>,
    current: Branch,
    forks: usize,
}

impl BoundVariables {
    pub(super) fn new(parameters: u64) -> BoundVariables {
        BoundVariables {
            parameters,
            visible: HashSet::new(),
            trail: Vec::new(),
            bound_in: HashMap::new(),
            branches: vec![BranchNode { parent: 0, fork: Fork(0), depth: 0 }],
            current: Branch(0),
            forks: 0,
        }
    }

    pub(super) fn sees(&self, var: Var) -> bool {
        self.is_parameter(var) || self.visible.contains(&var)
    }

    /// Records that `var` is bound in the current branch. Returns false if it is already bound on some path to here.
    #[must_use]
    pub(super) fn bind(&mut self, var: Var) -> bool {
        if self.is_parameter(var) {
            return false;
        }
        match self.bound_in.insert(var, self.current) {
            Some(before) => self.exclude_each_other(before, self.current),
            None => true,
        }
    }

    pub(super) fn show(&mut self, var: Var) {
        if self.visible.insert(var) {
            self.trail.push(var);
        }
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Hides the variables that became visible since the mark was taken.
    pub(super) fn hide_since(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            self.visible.remove(&var);
        }
    }

    pub(super) fn fork(&mut self) -> Fork {
        self.forks += 1;
        Fork(self.forks)
    }

    /// Begins a branch. Returns the outer branch, to be passed to `leave`.
    pub(super) fn enter(&mut self, fork: Fork) -> Branch {
        let outer = self.current;
        let depth = self.branches[outer.0].depth + 1;
        self.branches.push(BranchNode { parent: outer.0, fork, depth });
        self.current = Branch(self.branches.len() - 1);
        outer
    }

    pub(super) fn leave(&mut self, outer: Branch) {
        self.current = outer;
    }

    fn is_parameter(&self, var: Var) -> bool {
        u64::from(var.0) < self.parameters
    }

    /// Returns whether no path goes through both branches: below their last common branch they take different sides of
    /// one fork.
    fn exclude_each_other(&self, a: Branch, b: Branch) -> bool {
        let (mut a, mut b) = (a.0, b.0);
        let depth = |branch: usize| self.branches[branch].depth;
        while depth(a) > depth(b) {
            let parent = self.branches[a].parent;
            if parent == b {
                return false;
            }
            a = parent;
        }
        while depth(b) > depth(a) {
            let parent = self.branches[b].parent;
            if parent == a {
                return false;
            }
            b = parent;
        }
        if a == b {
            return false;
        }
        while self.branches[a].parent != self.branches[b].parent {
            a = self.branches[a].parent;
            b = self.branches[b].parent;
        }
        self.branches[a].fork == self.branches[b].fork
    }
}
