//! Describes the outcome of a replay.

use super::cases::Case;
use super::language;
use crate::ended::without_result;
use frontend::{FrontEnd, Languages, Order, Outcome, Replay};
use path::{Class, Raised, Turn};
use serde_json::{Value, json};
use session::Session;
use std::time::Duration;
use term::FunctionName;

pub struct Words<'w> {
    pub session: &'w mut Session,
    pub languages: &'w Languages,
    /// The time limit.
    pub time: Duration,
}

impl Words<'_> {
    pub fn text(&mut self, case: &Case, replay: &Replay, same: Option<bool>, schedule: Option<&[Turn]>) -> String {
        let language = language(self.languages, case);
        let mut text = String::new();
        let title = case.reported.title();
        if let Some(title) = &title {
            text.push_str(&format!("{title}\n\n"));
        }
        text.push_str(&indented(&case.shown));
        text.push_str(&indented(&self.outcome(language, replay)));
        for end in &replay.watched.ends {
            let reason = language.shown(&end.reason, None);
            text.push_str(&indented(&format!("a process that it started ended with {reason}")));
        }
        text.push('\n');
        if let Some(schedule) = schedule {
            text.push_str(&format!("  {}\n", order(replay.order.as_ref(), schedule.len())));
        }
        let is_unreadable = matches!(replay.watched.outcome, Outcome::Unreadable { .. });
        let verdict = match same {
            Some(_) if is_unreadable => {
                "the call of this finding cannot be read: take the line as `beagle test --format jsonl` writes it, or \
                 replay the kept finding by its identity"
                    .to_string()
            }
            None if is_unreadable => "this is no Erlang expression, so nothing was evaluated".to_string(),
            Some(true) => format!("{} does what was reported", language.runtime()),
            Some(false) => format!("{} does something else than what was reported", language.runtime()),
            None => format!("evaluated on {}", language.runtime()),
        };
        text.push_str(&format!("  {verdict}\n"));
        language.escaped(&text)
    }

    pub fn json(&mut self, case: &Case, replay: &Replay, same: Option<bool>, schedule: Option<&[Turn]>) -> String {
        let language = language(self.languages, case);
        let mut object = json!({
            "type": "replay",
            "call": case.shown.trim_end_matches(language.end_of_input()),
            "outcome": self.outcome(language, replay),
            "stack": replay.trace.iter().map(|entry| {
                let name = FunctionName { module: entry.module, function: entry.function, arity: entry.arity };
                json!({"function": language.function(name), "file": entry.file, "line": entry.line})
            }).collect::<Vec<Value>>(),
        });
        if let Some(name) = case.name {
            object["function"] = language.function(name).into();
        }
        if let Some(same) = same.filter(|_| !matches!(replay.watched.outcome, Outcome::Unreadable { .. })) {
            object["same"] = same.into();
        }
        if let Some(schedule) = schedule {
            object["schedule"] = schedule.iter().map(Turn::to_string).collect();
            object["followed"] = (replay.order == Some(Order::Followed)).into();
            object["order"] = order(replay.order.as_ref(), schedule.len()).into();
        }
        report::visible_json(&object.to_string()).into_owned()
    }

    /// Describes how the evaluation ended, as a shell shows it.
    fn outcome(&mut self, language: &dyn FrontEnd, replay: &Replay) -> String {
        match &replay.watched.outcome {
            Outcome::Value { term, text } => language.shown(term, text.as_deref()),
            Outcome::Raised { class, reason, .. } => {
                let class = Class::of(*class).unwrap_or(Class::Error);
                let raised = Raised::by_main(class, reason.clone(), replay.trace.clone());
                language.describe(&raised, &mut |text| self.session.value(text, language))
            }
            other => {
                let text = without_result(language, other, replay.watched.rest, self.time);
                format!("** {}", text.unwrap_or_default())
            }
        }
    }
}

/// Describes whether a schedule was followed.
fn order(order: Option<&Order>, length: usize) -> String {
    let operations = if length == 1 { "1 operation".to_string() } else { format!("{length} operations") };
    match order {
        Some(Order::Followed) => format!("the schedule was followed ({operations})"),
        Some(Order::Left { index, expected, wanted }) => {
            let wanted: Vec<String> = wanted.iter().map(Turn::to_string).collect();
            let instead = match wanted.is_empty() {
                true => "nobody asked for it".to_string(),
                false => format!("the processes wanted {}", wanted.join(", ")),
            };
            format!("the schedule was left at operation {index} of {length}, {expected}: {instead}")
        }
        Some(Order::Lost) => "the schedule was lost: the process that forces it was ended".to_string(),
        None => "the evaluation did not come to an end, so nobody knows whether the schedule was followed".to_string(),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.trim().is_empty() { "\n".to_string() } else { format!("    {line}\n") }).collect()
}
