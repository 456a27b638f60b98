//! Which variables are visible at a point of the walk, and which were bound on the way to it.
//!
//! Visibility is lexical: a block that is left takes its variables with it. To be bound once *on a
//! path* is a weaker demand than to be bound once: the clauses of a case exclude each other, and may
//! use the same numbers. Every clause is therefore a node of a tree of branches, and a variable
//! remembers the branch it was last bound in. The last one is enough, because a later binding that
//! excludes it also excludes those that it excludes: a clause once left is not entered again.

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
    /// The first variables, as many as the function has parameters, are bound everywhere.
    parameters: u64,
    visible: HashSet<Var>,
    /// What became visible, in order, so that leaving a block is popping.
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

    /// Notes that `var` is bound in the current branch; false if it was already, on some path here.
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

    /// Hides what became visible since the mark was taken.
    pub(super) fn hide_since(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            self.visible.remove(&var);
        }
    }

    pub(super) fn fork(&mut self) -> Fork {
        self.forks += 1;
        Fork(self.forks)
    }

    /// Begins a branch; the answer is what `leave` wants back.
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

    /// Whether no path goes through both: below their last common branch they take different ways of
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
