//! Computes which slots of a frame hold values that are still needed, for each instruction: the roots of a collection.
//! Computed when a collection first meets the function, in one pass backwards, because jumps go forward only.

use super::instruction::{BitsSize, Code, Instruction, Slot};

/// A bit set for each instruction: the slots that are live before it.
pub struct Liveness {
    words: usize,
    bits: Vec<u64>,
}

impl Liveness {
    pub fn slots(&self, instruction: u32) -> impl Iterator<Item = usize> + '_ {
        let start = instruction as usize * self.words;
        self.bits[start..start + self.words].iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    index * 64 + bit
                })
            })
        })
    }
}

impl Code {
    pub fn liveness(&self) -> &Liveness {
        self.live.get_or_init(|| compute(self))
    }

    /// Returns the slots that a frame needs while it waits for a call: all that are live after the call, except its
    /// result.
    pub fn live_across(&self, call: u32) -> impl Iterator<Item = usize> + '_ {
        let first = call_start(&self.instructions[call as usize]).unwrap_or(0);
        let handler = self.handler(call).map(|handler| self.handler_slots(handler.target, handler.first));
        self.liveness()
            .slots(call + 1)
            .chain(handler.into_iter().flatten())
            // Slots from the arguments on belong to the callee.
            .filter(move |slot| *slot < usize::from(first))
    }

    fn handler_slots(&self, target: u32, first: Option<Slot>) -> impl Iterator<Item = usize> + '_ {
        let defined = first.map_or(0..0, |first| usize::from(first)..usize::from(first) + 3);
        self.liveness().slots(target).filter(move |slot| !defined.contains(slot))
    }
}

/// Returns the first slot of the frame of the function that the instruction calls.
fn call_start(instruction: &Instruction) -> Option<Slot> {
    match *instruction {
        Instruction::Call { first, .. }
        | Instruction::CallNamed { first, .. }
        | Instruction::CallValue { first, .. }
        | Instruction::CallComputed { first, .. }
        | Instruction::Primitive { first, .. }
        | Instruction::PrimitiveSeveral { first, .. } => Some(first),
        _ => None,
    }
}

fn compute(code: &Code) -> Liveness {
    let count = code.instructions.len();
    let words = usize::from(code.slots).div_ceil(64).max(1);
    let mut bits = vec![0u64; (count + 1) * words];
    for index in (0..count).rev() {
        let instruction = &code.instructions[index];
        let (before, after) = bits.split_at_mut((index + 1) * words);
        let live = &mut before[index * words..];
        if !instruction.ends() {
            live.copy_from_slice(&after[..words]);
        }
        let mut join = |target: u32| {
            let start = (target as usize - index - 1) * words;
            for (to, from) in live.iter_mut().zip(&after[start..start + words]) {
                *to |= from;
            }
        };
        let mut copy = *instruction;
        if let Some(target) = copy.target_mut() {
            join(*target);
        }
        if let Instruction::Switch { table, .. } = instruction {
            code.switches[*table as usize].targets().for_each(&mut join);
        }
        // A callee's frame overwrites all slots from the first argument on.
        if let Some(first) = call_start(instruction) {
            (first..code.slots).for_each(|slot| live[usize::from(slot) / 64] &= !(1 << (slot % 64)));
        }
        operands(code, instruction, &mut |slot| live[usize::from(slot) / 64] &= !(1 << (slot % 64)), &mut |_| {});
        operands(code, instruction, &mut |_| {}, &mut |slot| live[usize::from(slot) / 64] |= 1 << (slot % 64));
        // An exception may leave the instruction: the slots that the handler needs must be kept, and those that the
        // instruction defines do not have their values yet.
        for handler in code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&(index as u32))) {
            let start = (handler.target as usize - index - 1) * words;
            let mut needed = after[start..start + words].to_vec();
            for slot in handler.first.map_or(0..0, |first| first..first + 3) {
                needed[usize::from(slot) / 64] &= !(1 << (slot % 64));
            }
            live.iter_mut().zip(&needed).for_each(|(to, from)| *to |= from);
        }
    }
    Liveness { words, bits }
}

/// Calls `defines` and `uses` with the slots that an instruction writes and reads.
fn operands(code: &Code, instruction: &Instruction, defines: &mut dyn FnMut(Slot), uses: &mut dyn FnMut(Slot)) {
    use Instruction::*;
    match *instruction {
        Move { to, from } | Head { to, from } | Tail { to, from } | Element { to, from, .. } => {
            defines(to);
            uses(from);
        }
        Load { to, .. } => defines(to),
        Cons { to, head, tail } => {
            defines(to);
            uses(head);
            uses(tail);
        }
        Tuple { to, first, count } | Closure { to, first, count, .. } => {
            defines(to);
            (first..first + count).for_each(uses);
        }
        UpdateMap { to, base, first, plan } => {
            defines(to);
            uses(base);
            (first..first + 2 * code.map_plans[plan as usize].exact.len() as u16).for_each(uses);
        }
        BuildBits { to, first, plan } => {
            defines(to);
            let plan = &code.bit_plans[plan as usize];
            (first..first + plan.segments.len() as u16).for_each(&mut *uses);
            for (_, size) in &plan.segments {
                if let BitsSize::Slot(slot) = size {
                    uses(*slot);
                }
            }
        }
        Call { first, count, .. } | CallNamed { first, count, .. } | Primitive { first, count, .. } => {
            defines(first);
            (first..first + count).for_each(uses);
        }
        CallValue { first, count } => {
            defines(first);
            (first..=first + count).for_each(uses);
        }
        CallComputed { first, count } => {
            defines(first);
            (first..=first + count + 1).for_each(uses);
        }
        TailCall { first, count, .. } | TailCallNamed { first, count, .. } | ReturnSeveral { first, count } => {
            (first..first + count).for_each(uses);
        }
        TailCallValue { first, count } => (first..=first + count).for_each(uses),
        TailCallComputed { first, count } => (first..=first + count + 1).for_each(uses),
        Return { from } => uses(from),
        PrimitiveSeveral { first, count, results, .. } => {
            (first..first + results).for_each(defines);
            (first..first + count).for_each(uses);
        }
        Add { to, a, b, .. } | Arithmetic { to, a, b, .. } => {
            defines(to);
            uses(a);
            uses(b);
        }
        AddSmall { to, a, .. } | SubtractSmall { to, a, .. } | ArithmeticSmall { to, a, .. } => {
            defines(to);
            uses(a);
        }
        Uncons { head, tail, from } => {
            defines(head);
            defines(tail);
            uses(from);
        }
        Jump { .. } | Unreachable => {}
        Branch { a, b, .. } => {
            uses(a);
            uses(b);
        }
        BranchSmall { a, .. } => uses(a),
        BranchTest { value, .. }
        | IsCons { value, .. }
        | IsTuple { value, .. }
        | IsImmediate { value, .. }
        | IsConstant { value, .. }
        | Switch { value, .. } => uses(value),
        MapGet { to, map, key, .. } => {
            defines(to);
            uses(map);
            uses(key);
        }
        BitsStart { value, position, .. } => {
            defines(position);
            uses(value);
        }
        BitsRead { read, .. } => {
            let read = &code.bit_reads[read as usize];
            read.to.iter().copied().for_each(&mut *defines);
            defines(read.next);
            uses(read.whole);
            uses(read.position);
            if let BitsSize::Slot(slot) = read.size {
                uses(slot);
            }
        }
        BitsEnd { whole, position, .. } => {
            uses(whole);
            uses(position);
        }
    }
}
