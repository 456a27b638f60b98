//! Primitives: the operations that a language's runtime implements natively, one row each.
//!
//! A row says everything about one operation: its name, its domain, what is raised outside, what it
//! does to values, what it means to the solver, and whether the compiler has an instruction for it.
//! Tests, documentation and the machine's dispatch are made from the rows.

use crate::context::{Context, Escape};
use crate::value::{Heap, Kind, Word};
use formula::{Formulas, TermId};
use path::Surrounding;
use term::names;

pub type Concrete = fn(&mut Context, &[Word]) -> Result<Word, Escape>;
/// Raises what the language raises for arguments outside the domain.
pub type Outside = fn(&mut Context, &[Word]) -> Escape;
/// Makes a formula from those of the arguments.
pub type Formula = fn(&mut Formulas, &[TermId]) -> TermId;
/// Likewise where that can be said.
pub type Requires = fn(&mut Formulas, &[TermId]) -> Option<TermId>;
/// The largest integer that is delivered for arguments.
pub type Most = fn(&Formulas, &[TermId]) -> Option<i64>;

pub struct Primitive {
    pub module: &'static str,
    pub name: &'static str,
    pub domain: &'static [Domain],
    pub result: Domain,
    pub outside: Outside,
    pub concrete: Concrete,
    pub meaning: Meaning,
    pub looks: Looks,
    pub fast: Fast,
    /// What its answer comes from beside its arguments and the run itself. The concrete function writes it down:
    /// whoever makes a row wraps it (`erlang::bifs::rows`), so that other rows pay nothing.
    pub surroundings: &'static [Surrounding],
}

/// What an operation means to the solver. It is asked only where one of the arguments has a shadow as
/// deep as the operation looks (`Look`); else the concrete function alone is right, and parts that are
/// only moved keep their shadows.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// A formula over the arguments' formulas.
    Term(Symbolic),
    /// A function of the prelude, written in the language over other rows, gets the arguments.
    Prelude(&'static [Look], &'static str),
    /// It asks one argument, a map, for one key, another argument (`maps:get`, `put`, `remove` …).
    /// Whether the map has the key is decided first; then the concrete function does its work on the
    /// arguments as they are. `whole` is what it means to a map that is an input itself; its looks are
    /// those of the other arguments, too.
    Keyed { key: usize, map: usize, whole: Symbolic },
    /// It looks through a whole map or list. One that is an input is opened first: its size is decided,
    /// and the concrete function gets one of that size whose parts are those of the input. The order of
    /// a map's symbolic keys is decided, too.
    Opened(&'static [Look]),
    /// It reads or changes process or world.
    Effect(&'static [Look]),
    /// Nothing that could be told, but it depends on its arguments alone: known by samples. It returns where
    /// `requires` holds; `None`: that too is known by samples only. If it delivers integers, `most` may be the largest.
    Sampled { looks: &'static [Look], requires: Option<Requires>, most: Option<Most> },
    /// Nothing: what it looks at is made concrete.
    Opaque(&'static [Look]),
}

#[derive(Clone, Copy)]
pub struct Symbolic {
    pub looks: &'static [Look],
    /// For arguments of the domain: when there is a result. Exactly when this is false the concrete
    /// function raises. `None`: always.
    pub requires: Option<Formula>,
    pub result: Formula,
}

impl Meaning {
    /// How deep it looks into each argument; what is missing is moved.
    pub const fn looks(&self) -> &'static [Look] {
        match self {
            Meaning::Term(symbolic) | Meaning::Keyed { whole: symbolic, .. } => symbolic.looks,
            Meaning::Prelude(looks, _)
            | Meaning::Opened(looks)
            | Meaning::Effect(looks)
            | Meaning::Opaque(looks)
            | Meaning::Sampled { looks, .. } => looks,
        }
    }
}

/// How deep an operation looks into an argument, from the shallowest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Not at all: it is moved.
    Moved,
    /// At the value, not at its parts.
    Top,
    /// At the cells of a list, not at its items.
    Spine,
    /// At everything.
    Deep,
}

/// How deep a row looks into each argument, with the check of its domain: three bits each, from the lowest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks(u64);

impl Looks {
    const BITS: usize = 3;
    const EACH: u64 = 7;
    /// Beside a [`Look`]: of a map, the keys are looked at.
    const KEYS: u64 = 4;
    /// Every call is of interest, whether it looks at a shadow or not.
    const ALL_CALLS: u64 = 1 << 63;

    pub const fn of(domain: &[Domain], meaning: &Meaning) -> Looks {
        let looks = meaning.looks();
        let mut all = if matches!(meaning, Meaning::Sampled { .. }) { Looks::ALL_CALLS } else { 0 };
        let mut index = 0;
        while index < domain.len() || index < looks.len() {
            assert!(index < u64::BITS as usize / Looks::BITS - 1);
            let of_domain = if index < domain.len() { domain[index].look() } else { Look::Moved };
            let of_meaning = if index < looks.len() { looks[index] } else { Look::Moved };
            let deeper = if of_domain as u64 > of_meaning as u64 { of_domain } else { of_meaning };
            let keys = match meaning {
                Meaning::Keyed { map, .. } => index == *map,
                Meaning::Opened(_) => of_meaning as u64 != Look::Moved as u64,
                _ => false,
            };
            all |= (deeper as u64 | if keys { Looks::KEYS } else { 0 }) << (index * Looks::BITS);
            index += 1;
        }
        Looks(all)
    }

    /// Is it certain at first sight that the row looks at no shadow?
    #[inline]
    pub fn miss_shadows(self, args: &[Word]) -> bool {
        let mut looks = self.0;
        if looks >= Looks::ALL_CALLS {
            return false;
        }
        for arg in args {
            let look = looks & Looks::EACH;
            if look != 0 && !arg.is_immediate() {
                let has_parts = look > Look::Top as u64 && !arg.is_leaf();
                if has_parts || arg.is_symbolic() {
                    return false;
                }
            }
            looks >>= Looks::BITS;
        }
        true
    }

    /// Does the row look at a shadow?
    pub fn meet_shadow(self, heap: &Heap, args: &[Word]) -> bool {
        args.iter().enumerate().any(|(index, arg)| self.meet_shadow_of(heap, index, *arg))
    }

    /// Does it look at one of the argument at `index`?
    pub fn meet_shadow_of(self, heap: &Heap, index: usize, arg: Word) -> bool {
        let look = self.0.checked_shr((index * Looks::BITS) as u32).unwrap_or(0) & Looks::EACH;
        if look == 0 || arg.is_immediate() {
            return false;
        }
        if look & Looks::KEYS != 0 && arg.is_map() && arg.map_has_shadowed_keys() {
            return true;
        }
        match look & !Looks::KEYS {
            depth if depth == Look::Deep as u64 => heap.is_shadowed(arg),
            depth if depth == Look::Spine as u64 => heap.is_spine_shadowed(arg),
            depth => depth == Look::Top as u64 && arg.is_symbolic(),
        }
    }
}

impl Symbolic {
    pub const fn new(looks: &'static [Look], result: Formula) -> Symbolic {
        Symbolic { looks, requires: None, result }
    }

    pub const fn when(self, requires: Formula) -> Symbolic {
        Symbolic { requires: Some(requires), ..self }
    }
}

/// What an argument must be. The check is the machine's, before the concrete function: that function
/// sees arguments of its domain only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// As a result: it does not return.
    Never,
    Any,
    Integer,
    /// An integer ≥ 0.
    NonNegative,
    /// An integer > 0.
    Positive,
    Byte,
    /// `infinity`, or milliseconds that fit into 32 bits.
    Timeout,
    Float,
    Number,
    Atom,
    Boolean,
    /// A cons cell or `[]`; whether it ends properly is the function's to find out.
    List,
    ProperList,
    NonemptyList,
    Tuple,
    Map,
    Bits,
    Binary,
    Function,
    Pid,
    Reference,
    Port,
}

impl Domain {
    /// How deep its check looks.
    pub const fn look(self) -> Look {
        match self {
            Domain::Any => Look::Moved,
            Domain::ProperList => Look::Spine,
            _ => Look::Top,
        }
    }

    pub fn contains(self, word: Word) -> bool {
        match self {
            Domain::Never => false,
            Domain::Any => true,
            Domain::Integer => word.is_integer(),
            Domain::NonNegative => match word.as_small() {
                Some(value) => value >= 0,
                None => word.as_limbs().is_some_and(|(negative, _)| !negative),
            },
            Domain::Positive => match word.as_small() {
                Some(value) => value > 0,
                None => word.as_limbs().is_some_and(|(negative, _)| !negative),
            },
            Domain::Byte => word.as_small().is_some_and(|value| (0..256).contains(&value)),
            Domain::Timeout => {
                word == Word::atom(names::INFINITY) || word.as_small().is_some_and(|value| u32::try_from(value).is_ok())
            }
            Domain::Float => word.is_float(),
            Domain::Number => word.is_number(),
            Domain::Atom => word.is_atom(),
            Domain::Boolean => word.as_boolean().is_some(),
            Domain::List => word.is_list(),
            Domain::ProperList => proper_length(word).is_some(),
            Domain::NonemptyList => word.is_cons(),
            Domain::Tuple => word.is_kind(Kind::Tuple),
            Domain::Map => word.is_map(),
            Domain::Bits => word.is_bits(),
            Domain::Binary => word.as_bits().is_some_and(|bits| bits.is_binary()),
            Domain::Function => word.is_function(),
            Domain::Pid => word.is_kind(Kind::Pid),
            Domain::Reference => word.is_kind(Kind::Reference),
            Domain::Port => word.is_kind(Kind::Port),
        }
    }
}

/// The instruction, if there is one, that does this operation's common case without a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fast {
    None,
    Arithmetic(Arithmetic),
    Compare(Compare),
    /// A test with a boolean result that looks at one argument only.
    Test(Test),
    Head,
    Tail,
    /// `element(Constant, Tuple)` where the position is known.
    Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// Equal as the language's numbers are.
    Equal,
    NotEqual,
    Identical,
    NotIdentical,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Integer,
    Float,
    Number,
    Atom,
    Boolean,
    List,
    Tuple,
    Map,
    Bits,
    Binary,
    Function,
    Pid,
    Reference,
    Port,
}

impl Primitive {
    pub fn arity(&self) -> u32 {
        self.domain.len() as u32
    }

    /// The concrete meaning: the domain's check, then the function.
    #[inline]
    pub fn apply(&self, context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
        for (domain, arg) in self.domain.iter().zip(args) {
            if *domain != Domain::Any && !domain.contains(*arg) {
                return Err((self.outside)(context, args));
            }
        }
        (self.concrete)(context, args)
    }
}

/// The number of items if `word` is a proper list.
pub fn proper_length(word: Word) -> Option<usize> {
    let mut length = 0;
    let mut rest = word.concrete();
    while rest.is_cons() {
        length += 1;
        rest = rest.tail().concrete();
    }
    rest.is_nil().then_some(length)
}

/// The items of a proper list.
pub fn list_items(word: Word) -> Option<Vec<Word>> {
    let mut items = Vec::new();
    let mut rest = word.concrete();
    while rest.is_cons() {
        items.push(rest.head());
        rest = rest.tail().concrete();
    }
    rest.is_nil().then_some(items)
}
