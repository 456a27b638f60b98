//! Traces of runs, in words and as JSON lines.

use crate::{Printers, visible};
use path::{TraceEvent, TraceKind};
use serde_json::{Map, Value, json};
use term::{Atom, FunctionName, Term};

/// The maximum number of characters of a value.
const LONGEST: usize = 120;
/// The maximum number of levels of nested calls that are indented.
const DEEPEST: u32 = 40;
/// The marks for parts of a large value that were left out.
const LEFT_OUT: [&str; 2] = ["'...'", ":..."];

/// A writer of events. The caller provides whatever depends on a language or a file.
pub struct TraceWriter<'w> {
    pub printers: &'w dyn Printers,
    /// Returns a value as the runtime shows it, in the language of a module.
    pub shown: &'w dyn Fn(Atom, &Term) -> String,
    /// Returns the source at the place of an event: the head of a clause.
    pub source: &'w dyn Fn(&TraceEvent) -> Option<String>,
    /// Whether each line begins with the process in which the event happened.
    pub names_processes: bool,
    pub colour: bool,
}

/// Other inputs, with which a run reaches the same decision and takes another side there.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    pub call: String,
    /// The first event in which the run with these inputs differs, if it has one.
    pub way: Option<TraceEvent>,
    /// The end of that run.
    pub end: Option<String>,
}

#[derive(Clone, Copy)]
enum Colour {
    Call,
    Result,
    Exception,
    Alternative,
    Place,
}

impl TraceWriter<'_> {
    /// Returns the lines of an event.
    pub fn text(&self, event: &TraceEvent, alternatives: &[Alternative]) -> String {
        let mut lines: Vec<(u32, String)> = Vec::new();
        let level = event.level;
        let values: Vec<String> = event.values.iter().map(|value| self.value(event, value)).collect();
        let place = self.coloured(Colour::Place, &format!("({})", place(event)));
        let head = || match has_head(event.kind).then(|| (self.source)(event)).flatten() {
            Some(source) => format!(": {}", visible(&source)),
            None => String::new(),
        };
        let clause = || match ((self.source)(event), event.clauses) {
            // If there is only one clause, its head says everything.
            (Some(source), 1) if has_head(event.kind) => format!("{} {place}", visible(&source)),
            _ => format!("{}{} {place}", words_of_clause(event), head()),
        };
        let bindings = || {
            let bound = event.bindings.iter();
            let bound: Vec<String> =
                bound.map(|(name, value)| format!("{} = {}", visible(name.text()), self.value(event, value))).collect();
            bound.join(", ")
        };
        match event.kind {
            TraceKind::Call | TraceKind::Fun | TraceKind::NoClause | TraceKind::NoFunClause => {
                let tail = if event.is_tail { "tail call: " } else { "" };
                let call = self.coloured(Colour::Call, &self.call(event, &values));
                lines.push((level, format!("{tail}{call}")));
                lines.push((level + 1, clause()));
            }
            TraceKind::Case => lines.push((level, format!("case {}: {}", values.concat(), clause()))),
            TraceKind::If => lines.push((level, format!("if: {}", clause()))),
            TraceKind::Receive => lines.push((level, format!("receive {}: {}", values.concat(), clause()))),
            TraceKind::After => lines.push((level, format!("receive: no message came in time {place}"))),
            TraceKind::Of => lines.push((level, format!("of {}: {}", values.concat(), clause()))),
            TraceKind::Catch => {
                let caught = self.coloured(Colour::Exception, &format!("catch {}", values.join(":")));
                lines.push((level, format!("{caught}: {}", clause())));
            }
            TraceKind::Else => lines.push((level, format!("else {}: {}", values.concat(), clause()))),
            TraceKind::Test => lines.push((level, format!("condition is {}{} {place}", values.concat(), head()))),
            TraceKind::Bind => lines.push((level, format!("{} {place}", bindings()))),
            TraceKind::Generate => lines.push((level, format!("for {} {place}", bindings()))),
            TraceKind::Send => {
                let to = values.first().map(String::as_str).unwrap_or_default();
                let message = values.get(1).map(String::as_str).unwrap_or_default();
                lines.push((level, format!("send {message} to {to} {place}")));
            }
            TraceKind::Return => {
                let returned = self.coloured(Colour::Result, &format!("returns {}", values.concat()));
                lines.push((level + 1, returned));
            }
        }
        let has_own_line = matches!(event.kind, TraceKind::Bind | TraceKind::Generate);
        if !event.bindings.is_empty() && !has_own_line {
            lines.push((level + 1, bindings()));
        }
        for alternative in alternatives {
            let way = self.elsewhere(alternative).map(|way| format!(": {way}"));
            let text = format!("otherwise {}{}", visible(&alternative.call), way.unwrap_or_default());
            lines.push((level + 1, self.coloured(Colour::Alternative, &text)));
        }
        let process = match self.names_processes {
            true => format!("{} ", self.value(event, &event.pid)),
            false => String::new(),
        };
        let line = |(level, text): (u32, String)| format!("{process}{}{text}\n", indentation(level));
        lines.into_iter().map(line).collect()
    }

    /// Returns an event as one object.
    pub fn json(&self, event: &TraceEvent, alternatives: &[Alternative]) -> Value {
        let values: Vec<String> = event.values.iter().map(|value| self.value(event, value)).collect();
        let bindings: Map<String, Value> = event
            .bindings
            .iter()
            .map(|(name, value)| (name.text().to_string(), Value::from(self.value(event, value))))
            .collect();
        let mut object = json!({
            "type": event.kind.name(),
            "function": self.function(event.function),
            "file": event.file.text(),
            "line": event.line,
            "level": event.level,
            "process": self.value(event, &event.pid),
            "values": values,
        });
        if event.column > 0 {
            object["column"] = event.column.into();
        }
        if event.clauses > 0 {
            object["clause"] = event.clause.into();
            object["clauses"] = event.clauses.into();
        }
        if let Some(source) = has_head(event.kind).then(|| (self.source)(event)).flatten() {
            object["source"] = source.into();
        }
        if !bindings.is_empty() {
            object["bindings"] = bindings.into();
        }
        if event.is_tail {
            object["tail"] = true.into();
        }
        if !alternatives.is_empty() {
            object["alternatives"] = alternatives.iter().map(|alternative| self.alternative(alternative)).collect();
        }
        object
    }

    fn alternative(&self, alternative: &Alternative) -> Value {
        let mut object = json!({"call": alternative.call});
        if let Some(way) = self.elsewhere(alternative) {
            object["way"] = way.into();
        }
        object
    }

    fn elsewhere(&self, alternative: &Alternative) -> Option<String> {
        let end = || alternative.end.as_ref().map(|end| visible(end).into_owned());
        alternative.way.as_ref().map(|way| self.way(way)).or_else(end)
    }

    /// Describes in a few words what another run does instead.
    fn way(&self, event: &TraceEvent) -> String {
        let function = self.function(event.function);
        match event.kind {
            TraceKind::Call => format!("{function}, {}", words_of_clause(event)),
            TraceKind::Fun => format!("fun of {function}, {}", words_of_clause(event)),
            TraceKind::NoClause => format!("{function} has no clause for it"),
            TraceKind::NoFunClause => format!("fun of {function} has no clause for it"),
            TraceKind::Case
            | TraceKind::If
            | TraceKind::Receive
            | TraceKind::Of
            | TraceKind::Catch
            | TraceKind::Else => {
                format!("{} at {}, {}", event.kind.name(), place(event), words_of_clause(event))
            }
            TraceKind::After => format!("no message in time at {}", place(event)),
            TraceKind::Test => {
                let value = event.values.first().map(|value| self.value(event, value)).unwrap_or_default();
                format!("condition at {} is {value}", place(event))
            }
            TraceKind::Bind | TraceKind::Generate | TraceKind::Send => format!("{} is reached", place(event)),
            TraceKind::Return => format!("{function} returns"),
        }
    }

    fn call(&self, event: &TraceEvent, args: &[String]) -> String {
        let FunctionName { module, function, .. } = event.function;
        match matches!(event.kind, TraceKind::Fun | TraceKind::NoFunClause) {
            true => format!("fun of {} with ({})", self.function(event.function), args.join(", ")),
            false => visible(&self.printers.of(module).call(module, function, args)).into_owned(),
        }
    }

    fn function(&self, name: FunctionName) -> String {
        visible(&self.printers.of(name.module).function(name)).into_owned()
    }

    /// Returns a value, shortened.
    fn value(&self, event: &TraceEvent, value: &Term) -> String {
        let text = (self.shown)(event.function.module, value);
        let text = LEFT_OUT.iter().fold(text, |text, mark| text.replace(mark, "..."));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((at, _)) => visible(&format!("{}...", &text[..at])).into_owned(),
            None => visible(&text).into_owned(),
        }
    }

    fn coloured(&self, colour: Colour, text: &str) -> String {
        let code = match colour {
            Colour::Call => "1",
            Colour::Result => "32",
            Colour::Exception => "31",
            Colour::Alternative => "36",
            Colour::Place => "2",
        };
        match self.colour {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_string(),
        }
    }
}

/// Returns the indentation of a level. Levels that are too deep for it get their number.
fn indentation(level: u32) -> String {
    let shown = "  ".repeat(level.min(DEEPEST) as usize);
    if level > DEEPEST { format!("{shown}[{level}] ") } else { shown }
}

/// Returns whether the source at the event's place is the head of a clause.
fn has_head(kind: TraceKind) -> bool {
    match kind {
        TraceKind::Call
        | TraceKind::Fun
        | TraceKind::Case
        | TraceKind::If
        | TraceKind::Receive
        | TraceKind::Of
        | TraceKind::Catch
        | TraceKind::Else
        | TraceKind::Test => true,
        TraceKind::NoClause
        | TraceKind::NoFunClause
        | TraceKind::After
        | TraceKind::Bind
        | TraceKind::Generate
        | TraceKind::Send
        | TraceKind::Return => false,
    }
}

fn words_of_clause(event: &TraceEvent) -> String {
    match (event.kind, event.clauses) {
        (TraceKind::NoClause | TraceKind::NoFunClause, 1) => "its clause does not fit".to_string(),
        (TraceKind::NoClause | TraceKind::NoFunClause, count) => format!("none of {count} clauses fits"),
        (_, 1) => "its only clause".to_string(),
        (_, count) => format!("clause {} of {count}", event.clause),
    }
}

/// Returns the name of the file without its folders, and the line.
fn place(event: &TraceEvent) -> String {
    let file = event.file.text();
    format!("{}:{}", visible(file.rsplit('/').next().unwrap_or(file)), event.line)
}
