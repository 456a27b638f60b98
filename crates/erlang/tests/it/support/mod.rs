//! What the tests of the surface syntax share: the real BEAM as a judge, and a seeded generator.

pub mod abstract_format;
pub mod generate;
pub mod meaning;
pub mod unlower;

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The release of OTP that judges; ours is as that one from here on.
pub fn follow_release() -> u32 {
    static RELEASE: LazyLock<u32> = LazyLock::new(|| {
        let print = "io:put_chars(erlang:system_info(otp_release)), halt().";
        let run = Command::new("erl").args(["-noshell", "-eval", print]).output().expect("erl is installed");
        String::from_utf8_lossy(&run.stdout).trim().parse().expect("a number")
    });
    erlang::otp::work_with(*RELEASE);
    *RELEASE
}

/// Between the items of a batch; no generated text contains it.
pub const SEPARATOR: &str = "\u{1}\u{1}\n";

/// Runs the body of an escript's `main/1` (more functions may follow) with `input` in the file that
/// `Input` names, and gives what it wrote to the file `Output`, as text.
pub fn beam(main: &str, input: &[u8]) -> String {
    follow_release();
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let folder: PathBuf = std::env::temp_dir().join(format!(
        "beagle-syntax-{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    ));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let script = format!(
        "#!/usr/bin/env escript\n%% -*- coding: utf-8 -*-\n-mode(compile).\nmain([Input, Output]) ->\n{main}\n"
    );
    std::fs::write(folder.join("batch"), script).expect("the script");
    std::fs::write(folder.join("input"), input).expect("the input");
    let run = Command::new("escript")
        .arg(folder.join("batch"))
        .arg(folder.join("input"))
        .arg(folder.join("output"))
        .current_dir(&folder)
        .output()
        .expect("escript is installed");
    let output = std::fs::read(folder.join("output")).unwrap_or_default();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(
        run.status.success(),
        "the BEAM failed:\n{}\n{}",
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr)
    );
    String::from_utf8(output).expect("the BEAM writes UTF-8")
}

/// A batch of texts in, one answer for each out. `main` is as for [`beam`], with `answer/1` from text
/// (a list of code points) to text defined after it.
pub fn beam_answers(texts: &[String], answer: &str) -> Vec<String> {
    let main = format!(
        "{{ok, Bytes}} = file:read_file(Input),\n\
         Separator = <<1,1,10>>,\n\
         Texts = binary:split(Bytes, Separator, [global]),\n\
         Answers = [[unicode:characters_to_binary(answer(unicode:characters_to_list(T))), Separator] || T <- Texts],\n\
         ok = file:write_file(Output, Answers).\n{answer}"
    );
    let output = beam(&main, texts.join(SEPARATOR).as_bytes());
    let mut answers: Vec<String> = output.split(SEPARATOR).map(str::to_owned).collect();
    answers.pop();
    assert_eq!(answers.len(), texts.len(), "one answer for each text");
    answers
}

/// xorshift64*: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A larger run for those who ask for it.
pub fn scaled(usual: usize, large: usize) -> usize {
    if std::env::var_os("BEAGLE_SYNTAX_LARGE").is_some() { large } else { usual }
}

/// Another seed for those who ask for it.
pub fn seed(usual: u64) -> u64 {
    std::env::var("BEAGLE_SYNTAX_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(usual)
}
