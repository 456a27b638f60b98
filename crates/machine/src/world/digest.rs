//! A digest of the state of all processes that do not run: equal for equal states, however they were reached.

use super::World;
use crate::language::StatePart;
use crate::run::live_words;
use crate::value::hash;
use rustc_hash::FxHasher;
use std::hash::Hasher;

impl World {
    /// Returns a digest of the processes that do not run and of the state that all processes share.
    pub fn digest(&mut self) -> u64 {
        let mut hasher = FxHasher::default();
        let time = self.time;
        for number in self.others() {
            let Some(process) = self.processes.get_mut(&number) else { continue };
            hasher.write_u64(number);
            hasher.write_u64(hash(process.dictionary));
            process.mailbox.iter().for_each(|message| hasher.write_u64(hash(*message)));
            hasher.write_u64(process.receive_deadline.map_or(u64::MAX, |deadline| deadline.saturating_sub(time)));
            let saved = &mut process.saved;
            if !saved.code.is_null() {
                hasher.write_u32(saved.pc);
                // SAFETY: the stacks were saved whole, and code lives as long as the program.
                unsafe {
                    let fp = saved.words.as_mut_ptr().add(saved.fp);
                    live_words(saved.code, saved.pc, fp, &saved.frames, &mut |word| hasher.write_u64(hash(*word)));
                }
            }
        }
        self.state.visit(time, &mut |part| match part {
            StatePart::Value(word) => hasher.write_u64(hash(*word)),
            StatePart::Fixed(word) => hasher.write_u64(hash(word)),
            StatePart::Number(number) => hasher.write_u64(number),
        });
        hasher.finish()
    }
}
