//! The tree of choices: its ways, which of them are refuted, and which one to try next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The relation between the options of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The target is reached by one of them, if at all, so all must be refuted.
    Every,
    /// Each option covers all possible cases, the later ones more precisely, so it is enough to refute one.
    Either,
    /// The first option covers all possible cases; the others are only proposals.
    First,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    Refuted,
    /// It was tried and not refuted.
    Left,
}

struct Node {
    kind: Kind,
    results: Vec<State>,
    below: Vec<Option<usize>>,
    /// For each option, whether a way has taken it.
    is_begun: Vec<bool>,
    parent: Option<(usize, usize)>,
}

type Waiting = Reverse<(u32, u64, usize, usize)>;

/// All choices that were made so far.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<Node>,
    root: Option<State>,
    queue: BinaryHeap<Waiting>,
    born: u64,
    /// The number of segments that were evaluated.
    pub segments: u64,
}

/// One way through the tree: it follows the options of its prefix and takes the first options from there on.
#[derive(Clone, Default)]
pub struct Course {
    prefix: Vec<(usize, usize)>,
    at: usize,
    last: Option<(usize, usize)>,
    cost: u32,
}

impl Course {
    /// Returns the same way, to be evaluated once more from its beginning.
    pub fn again(&self) -> Course {
        Course { at: 0, last: None, ..self.clone() }
    }
}

impl Tree {
    /// Returns the next way to try, the cheapest first.
    pub fn next(&mut self) -> Option<Course> {
        if self.root.is_none() && self.nodes.is_empty() {
            self.segments += 1;
            return Some(Course::default());
        }
        while let Some(Reverse((cost, _, node, option))) = self.queue.pop() {
            if self.is_needless(node) || self.nodes[node].is_begun[option] {
                continue;
            }
            self.nodes[node].is_begun[option] = true;
            self.segments += 1;
            let mut prefix = vec![(node, option)];
            let mut at = node;
            while let Some((parent, option)) = self.nodes[at].parent {
                prefix.push((parent, option));
                at = parent;
            }
            prefix.reverse();
            return Some(Course { prefix, at: 0, last: None, cost });
        }
        None
    }

    /// Returns whether a choice above is already decided.
    fn is_needless(&self, node: usize) -> bool {
        let mut at = Some(node);
        while let Some(node) = at {
            if self.state(node) != State::Open {
                return true;
            }
            at = self.nodes[node].parent.map(|(parent, _)| parent);
        }
        false
    }

    /// Chooses among options, given the additional cost of each. There are at least two.
    pub fn choose(&mut self, course: &mut Course, kind: Kind, costs: &[u32]) -> usize {
        if let Some((node, option)) = course.prefix.get(course.at).copied() {
            course.at += 1;
            course.last = Some((node, option));
            return option;
        }
        let node = self.nodes.len();
        let options = costs.len();
        self.nodes.push(Node {
            kind,
            results: vec![State::Open; options],
            below: vec![None; options],
            is_begun: vec![false; options],
            parent: course.last,
        });
        self.nodes[node].is_begun[0] = true;
        course.prefix.push((node, 0));
        course.at += 1;
        if let Some((parent, option)) = course.last {
            self.nodes[parent].below[option] = Some(node);
        }
        for (option, cost) in costs.iter().enumerate().skip(1) {
            self.born += 1;
            self.queue.push(Reverse((course.cost + cost, self.born, node, option)));
        }
        course.cost += costs.first().copied().unwrap_or(0);
        course.last = Some((node, 0));
        self.segments += 1;
        0
    }

    /// Queues the options that look into the functions that a way left open, because its inputs did not reach the
    /// target.
    pub fn look_closer(&mut self, course: &Course) {
        for (node, option) in &course.prefix {
            if self.nodes[*node].kind == Kind::Either && *option == 0 {
                for other in 1..self.nodes[*node].results.len() {
                    self.born += 1;
                    self.queue.push(Reverse((0, self.born, *node, other)));
                }
            }
        }
    }

    /// Records the result of a way.
    pub fn settle(&mut self, course: &Course, state: State) {
        let mut next = course.last;
        if next.is_none() {
            self.root = Some(state);
        }
        let mut state = state;
        while let Some((node, option)) = next {
            self.nodes[node].results[option] = state;
            state = self.state(node);
            if state == State::Open {
                return;
            }
            next = self.nodes[node].parent;
            if next.is_none() {
                self.root = Some(state);
            }
        }
    }

    fn state(&self, node: usize) -> State {
        let Node { kind, results, .. } = &self.nodes[node];
        let is = |wanted: State| move |state: &State| *state == wanted;
        let is_refuted = match kind {
            Kind::Every => results.iter().all(is(State::Refuted)),
            Kind::Either => results.iter().any(is(State::Refuted)),
            Kind::First => results.first().is_some_and(is(State::Refuted)),
        };
        if is_refuted {
            State::Refuted
        } else if results.iter().any(is(State::Open)) {
            State::Open
        } else {
            State::Left
        }
    }

    /// Returns whether every way is refuted.
    pub fn is_refuted(&self) -> bool {
        self.root == Some(State::Refuted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks through a tree whose ways ask twice, with two options each.
    fn states(kinds: [Kind; 2], leaf: impl Fn(usize, usize) -> State) -> (bool, u32) {
        let mut tree = Tree::default();
        let mut ways = 0;
        while let Some(mut course) = tree.next() {
            ways += 1;
            let first = tree.choose(&mut course, kinds[0], &[0, 1]);
            let second = tree.choose(&mut course, kinds[1], &[0, 1]);
            tree.settle(&course, leaf(first, second));
        }
        (tree.is_refuted(), ways)
    }

    #[test]
    fn a_way_is_taken_once_more_and_what_it_left_open_comes_next() {
        let mut tree = Tree::default();
        let take = |tree: &mut Tree, mut course: Course| {
            let first = tree.choose(&mut course, Kind::Every, &[0, 1]);
            let second = tree.choose(&mut course, Kind::Either, &[0, 9]);
            (course, (first, second))
        };
        let first = tree.next().unwrap_or_default();
        let (course, chosen) = take(&mut tree, first);
        assert_eq!(chosen, (0, 0));
        tree.settle(&course, State::Left);
        assert_eq!(take(&mut tree, course.again()).1, (0, 0));
        tree.look_closer(&course);
        let closer = tree.next().unwrap_or_default();
        assert_eq!(take(&mut tree, closer).1, (0, 1));
        let other = tree.next().unwrap_or_default();
        assert_eq!(take(&mut tree, other).1, (1, 0));
    }

    #[test]
    fn all_ways_have_to_be_refuted_unless_one_covers_the_others() {
        assert_eq!(states([Kind::Every; 2], |_, _| State::Refuted), (true, 4));
        assert_eq!(states([Kind::Every; 2], |a, b| if a + b == 2 { State::Left } else { State::Refuted }), (false, 4));
        assert_eq!(states([Kind::Either; 2], |_, _| State::Refuted), (true, 1));
        assert_eq!(
            states([Kind::Every, Kind::Either], |_, b| if b == 1 { State::Refuted } else { State::Left }),
            (true, 4)
        );
        assert_eq!(states([Kind::First; 2], |a, _| if a == 1 { State::Refuted } else { State::Left }), (false, 3));
    }
}
