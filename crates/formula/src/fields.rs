//! The fields of a map type, with an index for types that have thousands of them: the field of a key is looked up for
//! every key of every map of the type.

use crate::constant::Constant;
use crate::types::{FieldType, TypeId, Types};
use rustc_hash::FxHashMap;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;
use term::Term;

/// The largest number of fields for which looking at one after the other is faster than an index.
const FEW: usize = 16;

/// The fields in the order of the declaration.
#[derive(Default)]
pub struct Fields {
    fields: Vec<FieldType>,
    /// The index, which is made when it is first needed because the types of the keys have to be known.
    index: OnceLock<Index>,
}

struct Index {
    /// The first field of each named key.
    named: FxHashMap<Constant, usize>,
    /// Fields whose keys are a type of more than one term.
    others: Vec<usize>,
}

impl Fields {
    /// Returns the index of the first field whose type of keys contains the key.
    pub(crate) fn position(&self, types: &Types, key: &Term) -> Option<usize> {
        if self.fields.len() <= FEW {
            return self.fields.iter().position(|field| types.contains(field.key, key));
        }
        let index = self.index.get_or_init(|| Index::new(types, &self.fields));
        let named = index.named.get(&Constant(key.clone())).copied();
        let before = |at: &usize| named.is_none_or(|named| *at < named);
        let mut others = index.others.iter().copied().take_while(before);
        others.find(|at| types.contains(self.fields[*at].key, key)).or(named)
    }
}

impl Index {
    fn new(types: &Types, fields: &[FieldType]) -> Index {
        let mut index = Index { named: FxHashMap::default(), others: Vec::new() };
        for (at, field) in fields.iter().enumerate() {
            match indexed(types, field.key) {
                Some(key) => _ = index.named.entry(Constant(key)).or_insert(at),
                None => index.others.push(at),
            }
        }
        index
    }
}

/// Returns the only key of a field, if the index can look it up.
fn indexed(types: &Types, key: TypeId) -> Option<Term> {
    types.single(key).filter(|key| matches!(key, Term::Int(_) | Term::Big(_) | Term::Atom(_) | Term::Nil))
}

impl Deref for Fields {
    type Target = Vec<FieldType>;

    fn deref(&self) -> &Vec<FieldType> {
        &self.fields
    }
}

impl DerefMut for Fields {
    fn deref_mut(&mut self) -> &mut Vec<FieldType> {
        self.index.take();
        &mut self.fields
    }
}

impl From<Vec<FieldType>> for Fields {
    fn from(fields: Vec<FieldType>) -> Fields {
        Fields { fields, index: OnceLock::new() }
    }
}

impl FromIterator<FieldType> for Fields {
    fn from_iter<I: IntoIterator<Item = FieldType>>(fields: I) -> Fields {
        Fields::from(fields.into_iter().collect::<Vec<_>>())
    }
}

impl<'a> IntoIterator for &'a Fields {
    type Item = &'a FieldType;
    type IntoIter = std::slice::Iter<'a, FieldType>;

    fn into_iter(self) -> Self::IntoIter {
        self.fields.iter()
    }
}

/// A copy may be changed or belong to other types, so it makes an index of its own.
impl Clone for Fields {
    fn clone(&self) -> Fields {
        Fields::from(self.fields.clone())
    }
}

impl PartialEq for Fields {
    fn eq(&self, other: &Fields) -> bool {
        self.fields == other.fields
    }
}

impl std::fmt::Debug for Fields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.fields.fmt(f)
    }
}
