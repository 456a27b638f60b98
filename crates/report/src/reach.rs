//! Reports whether places in the code can be reached, in words and as JSON lines.

use crate::Code;
use serde_json::json;

/// The result for one target.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The target as the user named it.
    pub target: String,
    pub verdict: ReachVerdict,
    /// Number of straight pieces of code between choices that were evaluated backwards.
    pub segments: u64,
    pub runs: u64,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub enum ReachVerdict {
    /// A call executes the target. The real runtime has confirmed it, unless it was not asked.
    Reached(Arrival),
    /// A call executes the target on Beagle's machine, but not on the real runtime.
    Unconfirmed {
        arrival: Arrival,
        why: String,
    },
    /// No input leads there.
    Unreachable {
        /// The functions that count as entries, in words.
        from: String,
        why: Vec<Dead>,
    },
    Undecided {
        why: Vec<String>,
    },
    /// There is no executable code at the target.
    NoCode,
}

/// A call that reaches the target.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub entry: String,
    pub call: String,
    /// The reason why the real runtime was not asked; `None` if it was.
    pub not_asked: Option<String>,
    /// Places on the way, as `file:line`.
    pub trail: Vec<String>,
}

/// The reason why no way leads to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dead {
    /// These conditions contradict each other: the place that needs each one, and the condition.
    Contradiction(Vec<(String, String)>),
    NeverCalled,
    /// The compiler found that the code is never executed and removed it.
    Removed,
    /// All paths of all entries were explored.
    Exhausted,
}

/// The exit codes of the command.
pub const ALL_REACHED: u8 = 0;
pub const SOME_UNREACHABLE: u8 = 1;
pub const SOME_UNDECIDED: u8 = 4;

/// Returns the exit code for all targets together. Undecided or unconfirmed targets outweigh unreachable ones.
pub fn reach_exit_code(all: &[Reach]) -> u8 {
    let code = |reach: &Reach| match reach.verdict {
        ReachVerdict::Reached(_) => ALL_REACHED,
        ReachVerdict::Unreachable { .. } | ReachVerdict::NoCode => SOME_UNREACHABLE,
        ReachVerdict::Undecided { .. } | ReachVerdict::Unconfirmed { .. } => SOME_UNDECIDED,
    };
    all.iter().map(code).max().unwrap_or(ALL_REACHED)
}

/// Returns the message for a line of a file from which no module was compiled.
pub fn no_module_of_file(file: &str) -> String {
    format!(
        "no module that was loaded was compiled from {file}: compile it (Elixir with mix or elixirc), and name the .beam \
         file or its folder with --source"
    )
}

/// Returns the message for a function of a module that does not exist.
pub fn no_module(name: &str) -> String {
    format!("there is no module {name}: name the file or the folder that has it with --source")
}

/// Reports lines that nothing reaches from these entries as findings, in text for people.
pub fn dead_code_as_text(from: &str, dead: &[(String, u32, Vec<Dead>)]) -> String {
    let mut text = String::new();
    for (file, line, why) in dead {
        let code = Code::DeadCode.text();
        text.push_str(&format!("warning[{code}]: dead code: {file}:{line} is never executed from {from}\n"));
        why.iter().for_each(|why| text.push_str(&format!("  {}\n", why.in_words())));
    }
    text
}

/// Reports lines that nothing reaches from these entries as findings, in JSON lines.
pub fn dead_code_as_json(from: &str, dead: &[(String, u32, Vec<Dead>)]) -> String {
    let line = |(file, line, why): &(String, u32, Vec<Dead>)| {
        let why: Vec<String> = why.iter().map(Dead::in_words).collect();
        let code = Code::DeadCode.text();
        let object = json!({"type": "dead_code", "code": code, "file": file, "line": line, "from": from, "why": why});
        format!("{object}\n")
    };
    dead.iter().map(line).collect()
}

impl Dead {
    fn in_words(&self) -> String {
        match self {
            Dead::Contradiction(needed) if needed.is_empty() => "what it needs is never there".to_string(),
            Dead::Contradiction(needed) => {
                let all: Vec<String> = needed.iter().map(|(place, words)| format!("{place} needs {words}")).collect();
                all.join(", ")
            }
            Dead::NeverCalled => "nothing calls the function that it is in".to_string(),
            Dead::Removed => "the compiler has found out that it is never executed, and removed it".to_string(),
            Dead::Exhausted => "all paths of the functions that lead to it were explored".to_string(),
        }
    }
}

impl Arrival {
    /// Returns the call and the way, indented.
    fn as_text(&self) -> String {
        format!("  {}\n  way: {}\n", self.call.replace('\n', "\n  "), self.trail.join(", "))
    }

    fn as_json(&self, verdict: &str, is_confirmed: bool, why: Option<&String>) -> serde_json::Value {
        json!({
            "verdict": verdict,
            "entry": self.entry,
            "call": self.call,
            "confirmed": is_confirmed,
            "trail": self.trail,
            "why": why.into_iter().collect::<Vec<_>>(),
        })
    }
}

impl Reach {
    pub fn as_text(&self) -> String {
        let target = &self.target;
        let effort = format!("{} segments, {} runs, {:.2} s", self.segments, self.runs, self.seconds);
        match &self.verdict {
            ReachVerdict::Reached(arrival) => {
                let confirmed = match &arrival.not_asked {
                    None => "confirmed on the BEAM".to_string(),
                    Some(why) => format!("not confirmed: {why}"),
                };
                format!("{target} is reached ({confirmed}):\n{}  {effort}\n", arrival.as_text())
            }
            ReachVerdict::Unconfirmed { arrival, why } => {
                format!(
                    "{target} is unconfirmed: Beagle's machine reaches it, but {why}\n{}  {effort}\n",
                    arrival.as_text()
                )
            }
            ReachVerdict::Unreachable { from, why } => {
                let mut text = format!("{target} is unreachable from {from}:\n");
                for dead in why {
                    text.push_str(&format!("  {}\n", dead.in_words()));
                }
                text.push_str(&format!("  {effort}\n"));
                text
            }
            ReachVerdict::Undecided { why } => {
                let mut text = format!("{target} is undecided: no input was found, and no proof that there is none\n");
                for reason in why {
                    text.push_str(&format!("  {reason}\n"));
                }
                text.push_str(&format!("  {effort}\n"));
                text
            }
            ReachVerdict::NoCode => format!("{target}: there is no code that is executed there\n"),
        }
    }

    pub fn as_json(&self) -> String {
        let mut object = json!({"type": "reach", "target": self.target});
        let fields = match &self.verdict {
            ReachVerdict::Reached(arrival) => {
                arrival.as_json("reached", arrival.not_asked.is_none(), arrival.not_asked.as_ref())
            }
            ReachVerdict::Unconfirmed { arrival, why } => arrival.as_json("unconfirmed", false, Some(why)),
            ReachVerdict::Unreachable { from, why } => json!({
                "verdict": "unreachable",
                "from": from,
                "why": why.iter().map(Dead::in_words).collect::<Vec<_>>(),
            }),
            ReachVerdict::Undecided { why } => json!({"verdict": "undecided", "why": why}),
            ReachVerdict::NoCode => json!({"verdict": "no_code", "why": ["no code is executed there"]}),
        };
        let effort = json!({"segments": self.segments, "runs": self.runs, "seconds": self.seconds});
        for part in [fields, effort] {
            if let (Some(object), serde_json::Value::Object(part)) = (object.as_object_mut(), part) {
                object.extend(part);
            }
        }
        object.to_string()
    }
}
