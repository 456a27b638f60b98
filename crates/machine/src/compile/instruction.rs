//! The compact form of a function: instructions over the slots of its frame.
//!
//! A frame's slots hold parameters, variables and temporaries. A call's arguments lie in consecutive
//! slots from `first` on, which become the callee's slots 0, 1, …; its result comes back in `first`.
//! Jumps go forward only. Every instruction that allocates may collect *before* it reads its operands,
//! with the slots that are live there as roots (`liveness`).

use super::switch::Switch;
use crate::primitive::{Arithmetic, Compare, Primitive, Test};
use crate::value::{Segment, Word};
use program::Span;
use std::sync::OnceLock;

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
    /// Places of instructions that decide, in order: the clause or the condition that asks. For those who show them.
    pub decisions: Vec<(u32, Span)>,
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
    /// Where the code of a single operation begins.
    pub const STUB: u32 = 1;

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

    /// Applies `row` to the arguments that lie in the slots, from the instruction [`Code::STUB`] on. The one before it
    /// stands for a call that is made first, if there is one.
    pub fn stub(row: &'static Primitive) -> Code {
        let count = row.arity() as u16;
        let instructions = vec![
            Instruction::CallValue { first: count, count: 0 },
            Instruction::Primitive { first: 0, count, row: 0 },
            Instruction::Return { from: 0 },
            Instruction::Unreachable,
        ];
        Code::nameless(count + 1, instructions, vec![row])
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
            decisions: Vec::new(),
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

    /// The first place that is known of the code.
    pub fn first_span(&self) -> Span {
        self.spans.iter().map(|(_, span)| *span).find(|span| span.line > 0).unwrap_or_default()
    }

    /// The place of a decision that an instruction takes.
    pub fn decision_span(&self, instruction: u32) -> Span {
        match self.decisions.binary_search_by_key(&instruction, |(at, _)| *at) {
            Ok(index) => self.decisions[index].1,
            Err(_) => self.span(instruction),
        }
    }

    /// The innermost handler around an instruction.
    pub fn handler(&self, instruction: u32) -> Option<&Handler> {
        self.handlers.iter().find(|handler| (handler.start..handler.end).contains(&instruction))
    }
}

impl Instruction {
    /// Does it go one way or another?
    pub fn decides(&mut self) -> bool {
        !matches!(self, Instruction::Jump { .. })
            && (matches!(self, Instruction::Switch { .. }) || self.target_mut().is_some())
    }

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
