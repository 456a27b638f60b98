//! Primitives: the operations that a language's runtime implements natively, one row each.
//!
//! A row defines everything about one operation: its name, its domain, the error outside the domain, its effect on
//! values, its meaning for the solver, and its instruction, if there is one. Tests, documentation and the machine's
//! dispatch are derived from the rows.

use crate::context::{Context, Escape};
use crate::value::{Heap, Kind, Word};
use formula::{Formulas, TermId};
use path::{OwnState, Surrounding};
use term::names;

pub type Concrete = fn(&mut Context, &[Word]) -> Result<Word, Escape>;
/// Raises the language's error for arguments outside the domain.
pub type Outside = fn(&mut Context, &[Word]) -> Escape;
/// Makes the formula of the result from the formulas of the arguments.
pub type Formula = fn(&mut Formulas, &[TermId]) -> TermId;
/// Makes a condition from the formulas of the arguments. `None` if there is none.
pub type Requires = fn(&mut Formulas, &[TermId]) -> Option<TermId>;
/// Returns an upper bound of the integers that the operation returns for these arguments.
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
    pub basis: Basis,
}

/// The basis of an operation: everything that its result or its exception depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The arguments alone.
    Arguments,
    /// The arguments, and state of these kinds that the run itself has made. If a call observes more than that, the
    /// concrete function records it (`Context::asks`).
    Run(&'static [OwnState]),
    /// These surroundings. The concrete function records them with every call: the macro that makes a row wraps it
    /// (`erlang::bifs::rows`), so other rows pay nothing.
    Surroundings(&'static [Surrounding]),
}

impl Basis {
    /// Returns whether every result comes from surroundings.
    pub const fn is_outside(self) -> bool {
        matches!(self, Basis::Surroundings(_))
    }

    /// Returns whether a call may record this surrounding.
    pub fn admits(self, surrounding: Surrounding) -> bool {
        match self {
            Basis::Arguments => false,
            Basis::Run(states) => states.iter().any(|state| state.beyond().contains(&surrounding)),
            Basis::Surroundings(_) => true,
        }
    }
}

/// The meaning of an operation for the solver. It is used only if an argument has a shadow as deep as the operation
/// inspects it (`Look`). Otherwise the concrete function is sufficient, and parts that are only moved keep their
/// shadows.
#[derive(Clone, Copy)]
pub enum Meaning {
    /// A formula over the arguments' formulas.
    Term(Symbolic),
    /// A function of the prelude, written in the language in terms of other rows, is called instead.
    Prelude(&'static [Look], &'static str),
    /// It looks up one argument, a key, in another one, a map (`maps:get`, `put`, `remove` …). Whether the map has the
    /// key is decided first; then the concrete function works on the arguments as they are. `whole` is the meaning for
    /// a map that is itself an input; its looks also apply to the other arguments.
    Keyed { key: usize, map: usize, whole: Symbolic },
    /// It walks through a whole map or list. A symbolic one is opened first: its size is decided, and the concrete
    /// function gets a map or list of that size with the parts of the input. The order of a map's symbolic keys is
    /// decided as well.
    Opened(&'static [Look]),
    /// It reads or changes the process or the outside world.
    Effect(&'static [Look]),
    /// It has no formula, but depends only on its arguments, so it is known by samples. It returns if `requires` holds;
    /// with `None`, samples decide that as well. If it returns integers, `most` gives an upper bound.
    Sampled { looks: &'static [Look], requires: Option<Requires>, most: Option<Most> },
    /// It has no meaning: the parts that it inspects are made concrete.
    Opaque(&'static [Look]),
}

#[derive(Clone, Copy)]
pub struct Symbolic {
    pub looks: &'static [Look],
    /// When there is a result, for arguments of the domain. The concrete function raises exactly if this is false. With
    /// `None`, there is always a result.
    pub requires: Option<Formula>,
    pub result: Formula,
}

impl Meaning {
    /// Returns how deeply it inspects each argument. Arguments without an entry are moved.
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

/// How deeply an operation inspects an argument, in increasing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Not at all: it is only moved.
    Moved,
    /// The value, but not its parts.
    Top,
    /// The cells of a list, but not its items.
    Spine,
    /// All parts.
    Deep,
}

/// How deeply a row inspects each argument, including the check of its domain: three bits for each argument, lowest
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks(u64);

impl Looks {
    const BITS: usize = 3;
    const EACH: u64 = 7;
    /// A flag in addition to a [`Look`]: the keys of a map are inspected.
    const KEYS: u64 = 4;
    /// Every call is of interest, whether it inspects a shadow or not.
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

    /// Returns whether a quick test shows that the row inspects no shadow.
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

    /// Returns whether the row inspects a shadow.
    pub fn meet_shadow(self, heap: &Heap, args: &[Word]) -> bool {
        args.iter().enumerate().any(|(index, arg)| self.meet_shadow_of(heap, index, *arg))
    }

    /// Returns whether the row inspects all of the argument at `index`.
    pub fn is_deep(self, index: usize) -> bool {
        let look = self.0.checked_shr((index * Looks::BITS) as u32).unwrap_or(0) & Looks::EACH;
        look & !Looks::KEYS == Look::Deep as u64
    }

    /// Returns whether the row inspects a shadow of the argument at `index`.
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

/// The values that an argument may have. The machine checks it before it calls the concrete function, which only sees
/// arguments of its domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// As a result: the operation does not return.
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
    /// A cons cell or `[]`. The function itself checks whether the list is proper.
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
    /// Returns how deeply the check of the domain inspects the argument.
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

/// The instruction, if there is one, for the common case of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fast {
    None,
    Arithmetic(Arithmetic),
    Compare(Compare),
    /// A test of one argument with a boolean result.
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
    /// Equal as the language compares numbers.
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

    /// Applies the operation to concrete arguments: checks the domain, then calls the function.
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

/// Returns the number of items if `word` is a proper list.
pub fn proper_length(word: Word) -> Option<usize> {
    let mut length = 0;
    let mut rest = word.concrete();
    while rest.is_cons() {
        length += 1;
        rest = rest.tail().concrete();
    }
    rest.is_nil().then_some(length)
}

/// Returns the items of a proper list.
pub fn list_items(word: Word) -> Option<Vec<Word>> {
    let mut items = Vec::new();
    let mut rest = word.concrete();
    while rest.is_cons() {
        items.push(rest.head());
        rest = rest.tail().concrete();
    }
    rest.is_nil().then_some(items)
}
