//! A set of constants, such as the cases of a switch, made once and shared by many conditions. It may have thousands of
//! members, so its hash is computed once and its integers are kept as ranges.

use crate::constant::Constant;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;
use term::{Term, order};

#[derive(Clone, Debug)]
pub struct Constants {
    members: Box<[Constant]>,
    /// The small integers, as ranges that include both ends. No two ranges touch.
    ranges: Box<[(i64, i64)]>,
    /// The members that are not small integers.
    others: Box<[Constant]>,
    hash: u64,
}

impl Constants {
    pub fn shared(members: impl IntoIterator<Item = Constant>) -> Arc<Constants> {
        let members: Box<[Constant]> = members.into_iter().collect();
        let mut hasher = FxHasher::default();
        members.hash(&mut hasher);
        let mut integers: Vec<i64> = members.iter().filter_map(|member| member.0.as_int()).collect();
        integers.sort_unstable();
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for integer in integers {
            match ranges.last_mut() {
                Some((_, high)) if integer <= high.saturating_add(1) => *high = integer,
                _ => ranges.push((integer, integer)),
            }
        }
        let others = members.iter().filter(|member| member.0.as_int().is_none()).cloned().collect();
        Arc::new(Constants { others, ranges: ranges.into(), hash: hasher.finish(), members })
    }

    pub fn has(&self, term: &Term) -> bool {
        match term {
            Term::Int(value) => {
                let behind = self.ranges.partition_point(|(low, _)| low <= value);
                behind.checked_sub(1).is_some_and(|index| *value <= self.ranges[index].1)
            }
            _ => self.others.iter().any(|other| order::identical(&other.0, term)),
        }
    }

    pub fn ranges(&self) -> &[(i64, i64)] {
        &self.ranges
    }

    pub fn others(&self) -> &[Constant] {
        &self.others
    }
}

impl Deref for Constants {
    type Target = [Constant];
    fn deref(&self) -> &[Constant] {
        &self.members
    }
}

impl PartialEq for Constants {
    fn eq(&self, other: &Constants) -> bool {
        std::ptr::eq(self, other) || self.hash == other.hash && self.members == other.members
    }
}

impl Eq for Constants {}

impl Hash for Constants {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}
