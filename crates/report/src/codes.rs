//! A short, stable code for everything that a report can say, so that users can look it up: each code has a section in
//! `docs/codes.md`. A code is never used for anything else later.

use crate::{Judged, RuntimeLimit};
use search::{Blame, CutAt, Failure, Verdict};

macro_rules! codes {
    ($($(#[$words:meta])* $name:ident = $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code { $($(#[$words])* $name,)* }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            pub fn text(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }
        }
    };
}

codes! {
    // Findings.
    Crash = "B001",
    Specification = "B002",
    OutsideDomain = "B003",
    WrongArity = "B004",
    OutsideRange = "B005",
    NoEnd = "B006",
    Deadlock = "B007",
    /// The real runtime did something else.
    Suspected = "B008",
    TooLong = "B009",
    MuchMemory = "B010",
    DeadCode = "B011",
    // Verdicts.
    Bugs = "B020",
    Exhausted = "B021",
    Bounded = "B022",
    Budget = "B023",
    Incomplete = "B024",
    // Reasons why an exploration is incomplete.
    MadeConcrete = "B040",
    Undecided = "B041",
    StepLimit = "B042",
    MemoryLimit = "B043",
    AtomLimit = "B044",
    Unsupported = "B045",
    EffectDenied = "B046",
    Surroundings = "B047",
    SizeBound = "B048",
    LongPath = "B049",
    NoInputs = "B050",
    ResultTooLarge = "B051",
    ModuleNotLoaded = "B052",
    TooSlow = "B053",
    TypeNotFollowed = "B054",
    SomeExpected = "B055",
    WrongRefutation = "B056",
    Missing = "B057",
    ProcessLimit = "B058",
    OwnDefect = "B059",
    NotReturned = "B060",
}

impl Code {
    /// Reads a code in the forms in which users write it: `B001`, `b1`.
    pub fn read(text: &str) -> Option<Code> {
        let number: u32 = text.trim().trim_start_matches(['b', 'B']).parse().ok()?;
        let wanted = format!("B{number:03}");
        Code::ALL.iter().copied().find(|code| code.text() == wanted)
    }

    pub fn of_finding(judged: &Judged) -> Code {
        if judged.is_suspect() {
            return Code::Suspected;
        }
        match &judged.finding.failure {
            Failure::Crash(_) => Code::Crash,
            Failure::Spec { .. } => Code::Specification,
            Failure::Blame(Blame::Domain(_)) => Code::OutsideDomain,
            Failure::Blame(Blame::Arity(_)) => Code::WrongArity,
            Failure::Blame(Blame::Range(_)) => Code::OutsideRange,
            Failure::Timeout(_) if !judged.is_only_long() => Code::NoEnd,
            Failure::Timeout(unended) => match (judged.limit, unended.limit) {
                (Some(RuntimeLimit::Memory { .. }), _) | (_, CutAt::Memory(_)) => Code::MuchMemory,
                (Some(RuntimeLimit::Time { .. }) | None, CutAt::Calls(_)) => Code::TooLong,
            },
            Failure::Deadlock(_) => Code::Deadlock,
        }
    }

    pub fn of_verdict(verdict: Verdict) -> Code {
        match verdict {
            Verdict::Bugs => Code::Bugs,
            Verdict::Exhausted => Code::Exhausted,
            Verdict::Bounded(_) => Code::Bounded,
            Verdict::Budget => Code::Budget,
            Verdict::Incomplete => Code::Incomplete,
        }
    }
}

/// The page with the sections of all codes.
pub const PAGE: &str = include_str!("../../../docs/codes.md");

pub fn explained(code: Code) -> Option<&'static str> {
    let start = PAGE.find(&format!("\n## {} ", code.text()))? + 1;
    let section = PAGE.get(start..)?;
    // The section ends where the next one, or the next group, begins.
    let end = ["\n## ", "\n# "].iter().filter_map(|next| section.find(next)).min().unwrap_or(section.len());
    section.get(..end).map(str::trim_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        for code in Code::ALL {
            let section = explained(*code).unwrap_or_else(|| panic!("{} has no section", code.text()));
            for part in ["**What it means.**", "**Example.**", "**What to do.**"] {
                assert!(section.contains(part), "{}: no {part}", code.text());
            }
        }
        let sections: Vec<&str> = PAGE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        for section in &sections {
            let code = section.split(' ').next().and_then(Code::read);
            assert!(code.is_some(), "{section} is no code");
        }
        assert_eq!(sections.len(), Code::ALL.len());
        let distinct: HashSet<&str> = Code::ALL.iter().map(|code| code.text()).collect();
        assert_eq!(distinct.len(), Code::ALL.len());
    }

    #[test]
    fn codes_are_read_as_users_write_them() {
        assert_eq!(Code::read("b1"), Some(Code::Crash));
        assert_eq!(Code::read(" B046 "), Some(Code::EffectDenied));
        for wrong in ["", "B", "B999", "crash", "B1x", "99999999999999"] {
            assert_eq!(Code::read(wrong), None, "{wrong}");
        }
    }
}
