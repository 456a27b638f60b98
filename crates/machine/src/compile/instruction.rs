//! The compact form of a function: instructions over the slots of its frame.
//!
//! A frame's slots hold parameters, variables and temporaries. A call's arguments lie in consecutive
//! slots from `first` on, which become the callee's slots 0, 1, …; its result comes back in `first`.
//! Jumps go forward only. Every instruction that allocates may collect *before* it reads its operands,
//! with the slots that are live there as roots (`liveness`).

use crate::path::Way;
use crate::primitive::{Arithmetic, Compare, Primitive, Test};
use crate::value::{Kind, Segment, Word};
use formula::Constant;
use program::Span;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};
use term::Term;

pub type Slot = u16;
/// An instruction's index; while compiling, a label's number.
pub type Target = u32;

#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    Move {
        to: Slot,
        from: Slot,
    },
    Load {
        to: Slot,
        constant: u32,
    },
    Cons {
        to: Slot,
        head: Slot,
        tail: Slot,
    },
    Tuple {
        to: Slot,
        first: Slot,
        count: u16,
    },
    Closure {
        to: Slot,
        first: Slot,
        count: u16,
        function: u32,
    },
    /// Keys and values alternate from `first` on.
    UpdateMap {
        to: Slot,
        base: Slot,
        first: Slot,
        plan: u32,
    },
    BuildBits {
        to: Slot,
        first: Slot,
        plan: u32,
    },

    Call {
        first: Slot,
        count: u16,
        function: u32,
    },
    TailCall {
        first: Slot,
        count: u16,
        function: u32,
    },
    CallNamed {
        first: Slot,
        count: u16,
        export: u32,
    },
    TailCallNamed {
        first: Slot,
        count: u16,
        export: u32,
    },
    /// The function lies behind the arguments.
    CallValue {
        first: Slot,
        count: u16,
    },
    TailCallValue {
        first: Slot,
        count: u16,
    },
    /// Module and function lie behind the arguments.
    CallComputed {
        first: Slot,
        count: u16,
    },
    TailCallComputed {
        first: Slot,
        count: u16,
    },
    Return {
        from: Slot,
    },
    ReturnSeveral {
        first: Slot,
        count: u16,
    },

    /// Arguments from `first` on, result in `first`.
    Primitive {
        first: Slot,
        count: u16,
        row: u16,
    },
    /// A primitive that delivers a tuple, taken apart into the slots from `first` on.
    PrimitiveSeveral {
        first: Slot,
        count: u16,
        results: u16,
        row: u16,
    },
    Add {
        to: Slot,
        a: Slot,
        b: Slot,
        row: u16,
    },
    AddSmall {
        to: Slot,
        a: Slot,
        row: u16,
        value: i32,
    },
    SubtractSmall {
        to: Slot,
        a: Slot,
        row: u16,
        value: i32,
    },
    Arithmetic {
        operation: Arithmetic,
        to: Slot,
        a: Slot,
        b: Slot,
        row: u16,
    },
    /// The right operand is a small constant.
    ArithmeticSmall {
        operation: Arithmetic,
        to: Slot,
        a: Slot,
        row: u16,
        value: i32,
    },
    Head {
        to: Slot,
        from: Slot,
    },
    Tail {
        to: Slot,
        from: Slot,
    },
    /// Head and tail of what was tested to be a cons cell.
    Uncons {
        head: Slot,
        tail: Slot,
        from: Slot,
    },
    /// An element of what was tested to be a tuple of that size.
    Element {
        to: Slot,
        from: Slot,
        index: u16,
    },

    Jump {
        target: Target,
    },
    Branch {
        compare: Compare,
        a: Slot,
        b: Slot,
        otherwise: Target,
    },
    BranchSmall {
        compare: Compare,
        a: Slot,
        value: i32,
        otherwise: Target,
    },
    BranchTest {
        test: Test,
        value: Slot,
        otherwise: Target,
    },
    IsCons {
        value: Slot,
        otherwise: Target,
    },
    IsTuple {
        value: Slot,
        size: u16,
        otherwise: Target,
    },
    /// Small integer, atom or `[]`.
    IsImmediate {
        value: Slot,
        constant: u32,
        otherwise: Target,
    },
    IsConstant {
        value: Slot,
        constant: u32,
        otherwise: Target,
    },
    Switch {
        value: Slot,
        table: u32,
    },
    MapGet {
        to: Slot,
        map: Slot,
        key: Slot,
        otherwise: Target,
    },
    /// `position` becomes 0.
    BitsStart {
        value: Slot,
        position: Slot,
        otherwise: Target,
    },
    BitsRead {
        read: u32,
        otherwise: Target,
    },
    BitsEnd {
        whole: Slot,
        position: Slot,
        otherwise: Target,
    },

    /// No clause matched although the front end promised one.
    Unreachable,
}

const _: () = assert!(size_of::<Instruction>() <= 12);

/// A compiled function.
pub struct Code {
    pub function: u32,
    /// What traces show it as: for a join point, the function that it is a part of.
    pub shown_as: u32,
    /// Slots of the frame, and of what its calls leave beyond it.
    pub slots: u16,
    pub instructions: Vec<Instruction>,
    pub constants: Vec<Word>,
    pub rows: Vec<&'static Primitive>,
    pub switches: Vec<Switch>,
    pub map_plans: Vec<MapPlan>,
    pub bit_plans: Vec<BitsPlan>,
    pub bit_reads: Vec<BitsRead>,
    /// Inner regions before outer ones.
    pub handlers: Vec<Handler>,
    /// Places of instructions that can raise, in order of instructions.
    pub spans: Vec<(u32, Span)>,
    pub(super) live: OnceLock<super::liveness::Liveness>,
}

/// Instructions from `start` up to `end` whose exceptions go to `target`.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub start: Target,
    pub end: Target,
    pub target: Target,
    /// Where class, reason and trace go; nothing for a guard, which wants none of them.
    pub first: Option<Slot>,
}

/// One decision over many constructors.
#[derive(Debug)]
pub struct Switch {
    pub immediates: Immediates,
    pub cons: Target,
    /// Sizes and where to go.
    pub tuples: Vec<(u32, Target)>,
    pub otherwise: Target,
    /// Made when a symbolic value is first switched on.
    pub(super) ways: OnceLock<SwitchWays>,
}

/// The ways of a switch: what goes to one target goes one way.
#[derive(Debug)]
pub struct SwitchWays {
    pub ways: Arc<[Way]>,
    /// Of each way.
    targets: FxHashMap<Target, u32>,
}

impl SwitchWays {
    /// The last one is that of everything that has no way of its own.
    pub fn way_of(&self, target: Target) -> u32 {
        self.targets.get(&target).copied().unwrap_or(self.ways.len() as u32)
    }
}

#[derive(Debug)]
pub enum Immediates {
    /// Few: compared one by one.
    Few(Vec<(Word, Target)>),
    /// Small integers from `low` on, without many gaps.
    Dense {
        low: i64,
        targets: Vec<Target>,
    },
    Many(FxHashMap<u64, Target>),
}

#[derive(Debug)]
pub struct MapPlan {
    /// For every pair: must the key be there?
    pub exact: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BitsSize {
    /// The whole value or the whole rest.
    All,
    /// The encoding says.
    Encoded,
    /// A constant number of bits.
    Fixed(u32),
    /// Units in a slot.
    Slot(Slot),
}

/// Values lie from `first` on, one a segment.
#[derive(Debug)]
pub struct BitsPlan {
    pub segments: Vec<(Segment, BitsSize)>,
}

#[derive(Debug)]
pub struct BitsRead {
    pub whole: Slot,
    pub position: Slot,
    pub segment: Segment,
    pub size: BitsSize,
    /// Where the value goes, if anybody wants it.
    pub to: Option<Slot>,
    pub next: Slot,
}

impl Code {
    /// The function number of code that belongs to no function.
    pub const BOOT: u32 = u32::MAX;

    /// Calls a named function with the arguments that lie in the first slots.
    pub fn boot(export: u32, count: u16) -> Code {
        let instructions = vec![
            Instruction::CallNamed { first: 0, count, export },
            Instruction::Return { from: 0 },
            Instruction::Unreachable,
        ];
        Code::nameless(count.max(1) + 2, instructions, Vec::new())
    }

    /// Applies `row` to the result of a call. The call itself is made by whoever enters here.
    pub fn finish(row: &'static Primitive) -> Code {
        let instructions = vec![
            Instruction::CallValue { first: 0, count: 0 },
            Instruction::Primitive { first: 0, count: 1, row: 0 },
            Instruction::Return { from: 0 },
            Instruction::Unreachable,
        ];
        Code::nameless(1, instructions, vec![row])
    }

    fn nameless(slots: u16, instructions: Vec<Instruction>, rows: Vec<&'static Primitive>) -> Code {
        Code { instructions, rows, ..Code::empty(Code::BOOT, slots) }
    }

    /// Of a function, before anything is compiled.
    pub fn empty(function: u32, slots: u16) -> Code {
        Code {
            function,
            shown_as: function,
            slots,
            instructions: Vec::new(),
            constants: Vec::new(),
            rows: Vec::new(),
            switches: Vec::new(),
            map_plans: Vec::new(),
            bit_plans: Vec::new(),
            bit_reads: Vec::new(),
            handlers: Vec::new(),
            spans: Vec::new(),
            live: OnceLock::new(),
        }
    }

    /// The place of an instruction: that of the last marked one up to it.
    pub fn span(&self, instruction: u32) -> Span {
        let after = self.spans.partition_point(|(at, _)| *at <= instruction);
        match after.checked_sub(1) {
            Some(index) => self.spans[index].1,
            None => Span::default(),
        }
    }

    /// The innermost handler around an instruction.
    pub fn handler(&self, instruction: u32) -> Option<&Handler> {
        self.handlers.iter().find(|handler| (handler.start..handler.end).contains(&instruction))
    }
}

impl Switch {
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        let immediates: Box<dyn Iterator<Item = Target>> = match &self.immediates {
            Immediates::Few(cases) => Box::new(cases.iter().map(|(_, target)| *target)),
            Immediates::Dense { targets, .. } => Box::new(targets.iter().copied()),
            Immediates::Many(cases) => Box::new(cases.values().copied()),
        };
        immediates.chain([self.cons, self.otherwise]).chain(self.tuples.iter().map(|(_, target)| *target))
    }

    /// Turns labels into instructions.
    pub fn resolve(&mut self, resolve: impl Fn(Target) -> Target) {
        match &mut self.immediates {
            Immediates::Few(cases) => cases.iter_mut().for_each(|(_, target)| *target = resolve(*target)),
            Immediates::Dense { targets, .. } => targets.iter_mut().for_each(|target| *target = resolve(*target)),
            Immediates::Many(cases) => cases.values_mut().for_each(|target| *target = resolve(*target)),
        }
        self.tuples.iter_mut().for_each(|(_, target)| *target = resolve(*target));
        self.cons = resolve(self.cons);
        self.otherwise = resolve(self.otherwise);
    }

    #[inline]
    pub fn immediate(&self, word: Word) -> Target {
        match &self.immediates {
            Immediates::Few(cases) => {
                cases.iter().find(|(case, _)| *case == word).map_or(self.otherwise, |(_, target)| *target)
            }
            Immediates::Dense { low, targets } => match word.as_small() {
                Some(value) => {
                    let index = value.wrapping_sub(*low) as u64;
                    targets.get(usize::try_from(index).unwrap_or(usize::MAX)).copied().unwrap_or(self.otherwise)
                }
                None => self.otherwise,
            },
            Immediates::Many(cases) => cases.get(&word.0).copied().unwrap_or(self.otherwise),
        }
    }

    /// For any value without a shadow.
    pub fn target(&self, word: Word) -> Target {
        if word.is_cons() {
            self.cons
        } else if word.is_immediate() {
            self.immediate(word)
        } else if word.is_kind(Kind::Tuple) {
            self.tuple(word.header().payload())
        } else {
            self.otherwise
        }
    }

    pub fn ways(&self) -> &SwitchWays {
        self.ways.get_or_init(|| self.find_ways())
    }

    fn find_ways(&self) -> SwitchWays {
        let mut cases: Vec<(Word, Target)> = match &self.immediates {
            Immediates::Few(cases) => cases.clone(),
            Immediates::Dense { low, targets } => {
                (*low..).zip(targets).map(|(value, target)| (Word::small(value), *target)).collect()
            }
            Immediates::Many(cases) => cases.iter().map(|(word, target)| (Word(*word), *target)).collect(),
        };
        // The order of a hash table is nobody's; targets are in the order of the clauses.
        cases.sort_by_key(|(word, target)| (*target, word.0));
        let mut constants: Vec<Vec<Constant>> = Vec::new();
        let mut ways: Vec<Way> = Vec::new();
        let mut targets = FxHashMap::default();
        let mut way_of = |target: Target, ways: &mut Vec<Way>, constants: &mut Vec<Vec<Constant>>| {
            (target != self.otherwise).then(|| {
                *targets.entry(target).or_insert_with(|| {
                    ways.push(Way::default());
                    constants.push(Vec::new());
                    ways.len() as u32 - 1
                }) as usize
            })
        };
        for (word, target) in cases {
            if let Some(way) = way_of(target, &mut ways, &mut constants) {
                constants[way].push(Constant(immediate_term(word)));
            }
        }
        if let Some(way) = way_of(self.cons, &mut ways, &mut constants) {
            ways[way].cons = true;
        }
        for (size, target) in &self.tuples {
            if let Some(way) = way_of(*target, &mut ways, &mut constants) {
                ways[way].tuples.push(*size);
            }
        }
        for (way, constants) in ways.iter_mut().zip(constants) {
            way.constants = constants.into();
        }
        SwitchWays { ways: ways.into(), targets }
    }

    pub fn tuple(&self, size: usize) -> Target {
        self.tuples.iter().find(|(case, _)| *case as usize == size).map_or(self.otherwise, |(_, target)| *target)
    }
}

fn immediate_term(word: Word) -> Term {
    match (word.as_small(), word.as_atom()) {
        (Some(value), _) => Term::Int(value),
        (None, Some(atom)) => Term::Atom(atom),
        (None, None) => Term::Nil,
    }
}

impl Instruction {
    /// Every label or target in it (switches and handlers have theirs in the code's tables).
    pub fn target_mut(&mut self) -> Option<&mut Target> {
        use Instruction::*;
        match self {
            Jump { target } => Some(target),
            Branch { otherwise, .. }
            | BranchSmall { otherwise, .. }
            | BranchTest { otherwise, .. }
            | IsCons { otherwise, .. }
            | IsTuple { otherwise, .. }
            | IsImmediate { otherwise, .. }
            | IsConstant { otherwise, .. }
            | MapGet { otherwise, .. }
            | BitsStart { otherwise, .. }
            | BitsRead { otherwise, .. }
            | BitsEnd { otherwise, .. } => Some(otherwise),
            Move { .. }
            | Load { .. }
            | Cons { .. }
            | Tuple { .. }
            | Closure { .. }
            | UpdateMap { .. }
            | BuildBits { .. }
            | Call { .. }
            | TailCall { .. }
            | CallNamed { .. }
            | TailCallNamed { .. }
            | CallValue { .. }
            | TailCallValue { .. }
            | CallComputed { .. }
            | TailCallComputed { .. }
            | Return { .. }
            | ReturnSeveral { .. }
            | Primitive { .. }
            | PrimitiveSeveral { .. }
            | Add { .. }
            | AddSmall { .. }
            | SubtractSmall { .. }
            | Arithmetic { .. }
            | ArithmeticSmall { .. }
            | Head { .. }
            | Tail { .. }
            | Uncons { .. }
            | Element { .. }
            | Switch { .. }
            | Unreachable => None,
        }
    }

    /// Does control never go on to the next instruction?
    pub fn ends(&self) -> bool {
        use Instruction::*;
        matches!(
            self,
            Jump { .. }
                | Switch { .. }
                | Return { .. }
                | ReturnSeveral { .. }
                | TailCall { .. }
                | TailCallNamed { .. }
                | TailCallValue { .. }
                | TailCallComputed { .. }
                | Unreachable
        )
    }
}
