//! Files of results that somebody has forged: their digests are right, their content is not what Beagle would write.

use crate::is_full;
use crate::watching::{QUICK, Tally, World};
use std::fs;

/// The same numbers in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// Changes a few places of a content: single bytes, pieces that are repeated or missing, values nested without an end.
fn changed(content: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = content.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len());
        match chance.below(6) {
            0 => bytes[at] = bytes[at].wrapping_add(1),
            1 => bytes[at] = [0, 1, 2, 127, 128, 255][chance.below(6)],
            2 => bytes.truncate(at.max(1)),
            3 => drop(bytes.splice(at..at, [255, 255, 255, 255, 15])),
            4 => {
                let end = (at + 1 + chance.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            _ => {
                // A variant with one element, in which there is one again.
                let tag = chance.below(13) as u8;
                drop(bytes.splice(at..at, [tag, 1].repeat(100_000)));
            }
        }
    }
    bytes
}

#[test]
fn forged_results_are_refused_or_read() {
    let mut tally = Tally::default();
    let mut world = World::new();
    let ran = world.run(&[&QUICK[..], &["--save", "saved", "--show", "all"]].concat());
    assert!(ran.code == Some(0) || ran.code == Some(1), "{}", ran.said);
    let whole = fs::read(world.checkout().join("saved")).expect("saved");
    let head = whole.iter().position(|byte| *byte == b'\n').expect("a first line") + 1;
    let content = &whole[head + blake3::OUT_LEN..];
    assert_eq!(whole[head..head + blake3::OUT_LEN], *blake3::hash(content).as_bytes());
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut read = 0;
    for number in 0..if is_full() { 1500 } else { 9 } {
        let forged = changed(content, &mut chance);
        let digest = blake3::hash(&forged);
        world.write("forged", [&whole[..head], digest.as_bytes(), &forged].concat());
        let args: &[&str] = match number % 3 {
            0 => &["merge", "forged", "--html", "pages", "--show", "all"],
            1 => &["merge", "forged", "--format", "jsonl", "--output", "sarif=report", "--output", "junit=report.xml"],
            _ => &["merge", "forged", "--show", "all", "--update-baseline"],
        };
        let ran = world.run(args);
        read += usize::from(ran.code != Some(2));
        tally.add("forged results", &format!("{number}: {args:?}"), &ran);
    }
    println!("{read} of the forged files could be read");
    tally.finish();
}
