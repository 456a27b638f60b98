//! The compact form of a function: instructions over the slots of its frame.
//!
//! A frame's slots hold parameters, variables and temporaries. The arguments of a call are in consecutive slots from
//! `first` on, which become the callee's slots 0, 1, …; its result is returned in `first`. Jumps go forward only. Every
//! instruction that allocates may collect *before* it reads its operands, with the slots that are live there as roots
//! (`liveness`).

use super::switch::Switch;
use crate::primitive::{Arithmetic, Compare, Primitive, Test};
use crate::value::{Segment, Word};
use program::Span;
use std::sync::OnceLock;

pub type Slot = u16;
/// The index of an instruction; during compilation, the number of a label.
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
    /// Updates a map. Keys and values alternate from `first` on.
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
    /// Calls the function in the slot after the arguments.
    CallValue {
        first: Slot,
        count: u16,
    },
    TailCallValue {
        first: Slot,
        count: u16,
    },
    /// Calls the function whose module and name are in the slots after the arguments.
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

    /// Calls a primitive with the arguments from `first` on. The result goes to `first`.
    Primitive {
        first: Slot,
        count: u16,
        row: u16,
    },
    /// Calls a primitive that returns a tuple, whose elements go to the slots from `first` on.
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
    /// Arithmetic with a small constant as the right operand.
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
    /// Loads head and tail of a value that is known to be a cons cell.
    Uncons {
        head: Slot,
        tail: Slot,
        from: Slot,
    },
    /// Loads an element of a value that is known to be a tuple with this element.
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
    /// Jumps unless the value is a constant that is a small integer, an atom or `[]`.
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
    /// Starts to read a bitstring: sets `position` to 0.
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

    /// No clause matched although the front end promised that one does.
    Unreachable,
}

const _: () = assert!(size_of::<Instruction>() <= 12);

/// A compiled function.
pub struct Code {
    pub function: u32,
    /// The function that traces show: for a join point, the function that it is a part of.
    pub shown_as: u32,
    /// The number of slots of the frame, including those that its calls use for arguments and results.
    pub slots: u16,
    pub instructions: Vec<Instruction>,
    pub constants: Vec<Word>,
    pub rows: Vec<&'static Primitive>,
    pub switches: Vec<Switch>,
    pub map_plans: Vec<MapPlan>,
    pub bit_plans: Vec<BitsPlan>,
    pub bit_reads: Vec<BitsRead>,
    /// Handlers, those of inner regions before those of outer ones.
    pub handlers: Vec<Handler>,
    /// The source places of instructions that can raise, in the order of the instructions.
    pub spans: Vec<(u32, Span)>,
    /// The source places of instructions that decide, in order: the clause or the condition. They are for display.
    pub decisions: Vec<(u32, Span)>,
    pub(super) live: OnceLock<super::liveness::Liveness>,
}

/// The handler of exceptions of the instructions from `start` up to `end`.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub start: Target,
    pub end: Target,
    pub target: Target,
    /// The first of three slots for class, reason and trace. `None` for a guard, which needs none of them.
    pub first: Option<Slot>,
}

#[derive(Debug)]
pub struct MapPlan {
    /// For each pair, whether the key must already exist.
    pub exact: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BitsSize {
    /// The whole value or the whole rest.
    All,
    /// The size that the encoding determines.
    Encoded,
    /// A constant number of bits.
    Fixed(u32),
    /// The number of units that a slot holds.
    Slot(Slot),
}

/// A plan for building a bitstring. The values are in the slots from `first` on, one for each segment.
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
    /// The slot for the value, if the value is used.
    pub to: Option<Slot>,
    pub next: Slot,
}

impl Code {
    /// The function number of code that belongs to no function.
    pub const BOOT: u32 = u32::MAX;
    /// The first instruction of the code of a single operation.
    pub const STUB: u32 = 1;

    /// Makes code that calls a named function with the arguments in the first slots.
    pub fn boot(export: u32, count: u16) -> Code {
        let instructions = vec![
            Instruction::CallNamed { first: 0, count, export },
            Instruction::Return { from: 0 },
            Instruction::Unreachable,
        ];
        Code::nameless(count.max(1) + 2, instructions, Vec::new())
    }

    /// Makes code that applies `row` to the result of a call. Its first instruction represents the call, which is
    /// already in progress when this code is entered.
    pub fn finish(row: &'static Primitive) -> Code {
        let instructions = vec![
            Instruction::CallValue { first: 0, count: 0 },
            Instruction::Primitive { first: 0, count: 1, row: 0 },
            Instruction::Return { from: 0 },
            Instruction::Unreachable,
        ];
        Code::nameless(1, instructions, vec![row])
    }

    /// Makes code that applies `row` to the arguments in the slots, from the instruction [`Code::STUB`] on. The
    /// instruction before it represents a call that is made first, if there is one.
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

    /// Makes the code of a function without instructions.
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

    /// Returns the place of an instruction: that of the last marked instruction up to it.
    pub fn span(&self, instruction: u32) -> Span {
        let after = self.spans.partition_point(|(at, _)| *at <= instruction);
        match after.checked_sub(1) {
            Some(index) => self.spans[index].1,
            None => Span::default(),
        }
    }

    /// Returns the first known place of the code.
    pub fn first_span(&self) -> Span {
        self.spans.iter().map(|(_, span)| *span).find(|span| span.line > 0).unwrap_or_default()
    }

    /// Returns the place of a decision that an instruction takes.
    pub fn decision_span(&self, instruction: u32) -> Span {
        match self.decisions.binary_search_by_key(&instruction, |(at, _)| *at) {
            Ok(index) => self.decisions[index].1,
            Err(_) => self.span(instruction),
        }
    }

    /// Returns the innermost handler around an instruction.
    pub fn handler(&self, instruction: u32) -> Option<&Handler> {
        self.handlers.iter().find(|handler| (handler.start..handler.end).contains(&instruction))
    }
}

impl Instruction {
    /// Returns whether the instruction decides between several next instructions.
    pub fn decides(&mut self) -> bool {
        !matches!(self, Instruction::Jump { .. })
            && (matches!(self, Instruction::Switch { .. }) || self.target_mut().is_some())
    }

    /// Returns the label or target in the instruction (switches and handlers have theirs in the code's tables).
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

    /// Returns whether control never continues with the next instruction.
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
