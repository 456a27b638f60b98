//! Types with few values: the declared types of parameters, and all their inputs within a bound.

use crate::Random;
use term::{Bits, Term};

/// The sort of a value, which determines the expressions that are useful on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Integer,
    Atom,
    List,
    Tuple,
    Map,
    Bits,
    Any,
}

#[derive(Clone, Debug)]
pub enum SmallType {
    Integers(i64, i64),
    Atoms(Vec<&'static str>),
    Pair(Vec<SmallType>),
    List(Box<SmallType>),
    /// Keys that are always present, and one that is optional.
    Map(Vec<(&'static str, bool, SmallType)>),
    /// A record with a single field. `#point{x, y}` would be three elements.
    Record(Box<SmallType>),
    /// Bitstrings of this number of bits.
    Bits(usize),
    Binary,
    Union(Vec<SmallType>),
    /// The type of an expression of which only the sort is known. Inputs are not declared with it.
    Of(Sort),
}

pub const ATOMS: [&str; 3] = ["a", "b", "c"];
pub const RECORD: &str = "-record(cell, {value}).\n";

impl SmallType {
    /// Returns the type of a parameter. Within a bound of one byte, there are few enough binaries.
    pub fn random(random: &mut Random, bound: usize, depth: u32) -> SmallType {
        let kinds = if depth == 0 { 4 } else { 12 };
        match random.below(kinds) {
            0 => SmallType::Integers(0, *random.pick(&[3, 7, 15])),
            1 => SmallType::Integers(*random.pick(&[-2, -6]), *random.pick(&[2, 9])),
            2 => SmallType::Atoms(ATOMS.to_vec()),
            3 => SmallType::Atoms(vec!["false", "true"]),
            4 | 5 if bound < 2 => SmallType::Binary,
            6 if bound < 2 => SmallType::Bits(3 + random.below(6)),
            4 | 5 => {
                SmallType::Pair((0..1 + random.below(2)).map(|_| Self::random(random, bound, depth - 1)).collect())
            }
            6 | 7 => SmallType::List(Box::new(Self::random(random, bound, depth - 1))),
            8 => {
                let optional = random.one_in(2);
                let first = ("k", true, Self::random(random, bound, 0));
                let fields =
                    if bound < 2 { vec![first] } else { vec![first, ("l", !optional, Self::random(random, bound, 0))] };
                SmallType::Map(fields)
            }
            9 if bound >= 2 => SmallType::Record(Box::new(Self::random(random, bound, depth - 1))),
            10 => SmallType::Bits(1 + random.below(4)),
            _ => SmallType::Union(vec![Self::random(random, bound, 0), Self::random(random, bound, depth - 1)]),
        }
    }

    pub fn sort(&self) -> Sort {
        match self {
            SmallType::Integers(..) => Sort::Integer,
            SmallType::Atoms(_) => Sort::Atom,
            SmallType::Pair(_) | SmallType::Record(_) => Sort::Tuple,
            SmallType::List(_) => Sort::List,
            SmallType::Map(_) => Sort::Map,
            SmallType::Bits(_) | SmallType::Binary => Sort::Bits,
            SmallType::Union(_) => Sort::Any,
            SmallType::Of(sort) => *sort,
        }
    }

    /// Returns the type in the notation of specifications.
    pub fn text(&self) -> String {
        let all =
            |types: &[SmallType], between: &str| types.iter().map(SmallType::text).collect::<Vec<_>>().join(between);
        match self {
            SmallType::Integers(low, high) => format!("{low}..{high}"),
            SmallType::Atoms(atoms) => atoms.join(" | "),
            SmallType::Pair(types) => format!("{{{}}}", all(types, ", ")),
            SmallType::List(of) => format!("[{}]", of.text()),
            SmallType::Map(fields) => {
                let field = |(key, required, of): &(&str, bool, SmallType)| {
                    format!("{key} {} {}", if *required { ":=" } else { "=>" }, of.text())
                };
                format!("#{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            SmallType::Record(of) => format!("#cell{{value :: {}}}", of.text()),
            SmallType::Bits(size) => format!("<<_:{size}>>"),
            SmallType::Binary => "binary()".to_owned(),
            SmallType::Union(types) => all(types, " | "),
            SmallType::Of(_) => "any()".to_owned(),
        }
    }

    /// Returns a value of the type, as an expression.
    pub fn sample(&self, random: &mut Random) -> String {
        match self {
            SmallType::Integers(low, high) => random.between(*low, *high).to_string(),
            SmallType::Atoms(atoms) => (*random.pick(atoms)).to_owned(),
            SmallType::Pair(types) => {
                let elements: Vec<String> = types.iter().map(|of| of.sample(random)).collect();
                format!("{{{}}}", elements.join(", "))
            }
            SmallType::List(of) => {
                let items: Vec<String> = (0..random.below(3)).map(|_| of.sample(random)).collect();
                format!("[{}]", items.join(", "))
            }
            SmallType::Map(fields) => {
                let field = |(key, _, of): &(&str, bool, SmallType)| format!("{key} => {}", of.sample(random));
                format!("#{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            SmallType::Record(of) => format!("#cell{{value = {}}}", of.sample(random)),
            SmallType::Bits(size) => format!("<<{}:{size}>>", random.below(1 << size)),
            SmallType::Binary => format!("<<{}>>", random.below(4)),
            SmallType::Union(types) => random.pick(types).sample(random),
            SmallType::Of(sort) => literal(random, *sort),
        }
    }

    /// Returns all values whose parts have at most `bound` parts or bytes; some of them more than once.
    pub fn values(&self, bound: usize) -> Vec<Term> {
        match self {
            SmallType::Integers(low, high) => (*low..=*high).map(Term::Int).collect(),
            SmallType::Atoms(atoms) => atoms.iter().map(|atom| Term::atom(atom)).collect(),
            SmallType::Pair(types) => {
                let parts: Vec<Vec<Term>> = types.iter().map(|of| of.values(bound)).collect();
                product(&parts).into_iter().map(Term::tuple).collect()
            }
            SmallType::List(of) => {
                let items = of.values(bound);
                let of_length = |length| product(&vec![items.clone(); length]).into_iter().map(Term::list);
                (0..=bound).flat_map(of_length).collect()
            }
            SmallType::Map(fields) => {
                let field = |(key, required, of): &(&str, bool, SmallType)| {
                    let with = of.values(bound).into_iter().map(|value| Some((Term::atom(key), value)));
                    with.chain((!required).then_some(None)).collect::<Vec<_>>()
                };
                let fields: Vec<Vec<Option<(Term, Term)>>> = fields.iter().map(field).collect();
                let map = |pairs: Vec<Option<(Term, Term)>>| {
                    Term::Map(pairs.into_iter().flatten().collect::<Vec<_>>().into())
                };
                product(&fields).into_iter().map(map).collect()
            }
            SmallType::Record(of) => {
                of.values(bound).into_iter().map(|value| Term::tuple(vec![Term::atom("cell"), value])).collect()
            }
            SmallType::Bits(size) => bits(*size),
            SmallType::Binary => (0..=bound).flat_map(|bytes| bits(8 * bytes)).collect(),
            SmallType::Union(types) => types.iter().flat_map(|of| of.values(bound)).collect(),
            SmallType::Of(_) => Vec::new(),
        }
    }
}

fn bits(size: usize) -> Vec<Term> {
    let value = |number: u64| Term::Bits(Bits::new((number << (64 - size.max(1))).to_be_bytes().to_vec(), size));
    (0..1u64 << size).map(value).collect()
}

/// Returns every choice of one item from each list.
pub fn product<T: Clone>(parts: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for part in parts {
        all = all
            .iter()
            .flat_map(|begun| part.iter().map(|next| [&begun[..], std::slice::from_ref(next)].concat()))
            .collect();
    }
    all
}

/// Returns a value of this sort, as an expression.
pub fn literal(random: &mut Random, sort: Sort) -> String {
    let literals: &[&str] = match sort {
        Sort::Integer => return random.between(-1, 3).to_string(),
        Sort::Any => &["0", "1", "a", "b", "[]", "{a}", "true"],
        Sort::Atom => &["a", "b", "c", "true", "false", "cell"],
        Sort::List => &["[]", "[a]", "[1, 2]", "[b, 0]", "\"10\""],
        Sort::Tuple => &["{a}", "{1, b}", "{cell, 2}", "{0}"],
        Sort::Map => &["#{}", "#{k => 1}", "#{k => a, l => 0}"],
        Sort::Bits => &["<<>>", "<<1>>", "<<2:3>>", "<<1:1>>"],
    };
    (*random.pick(literals)).to_owned()
}
