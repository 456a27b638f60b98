//! SARIF 2.1.0, which code hosts and editors read.
//!
//! It is written with structures of our own: a dozen of the format's hundreds of fields are used, and all of them are
//! in this file.

use crate::defect::identity;
use crate::sentences::{interrupted, title};
use crate::visible::visible_json;
use crate::words::shortened;
use crate::{Judged, Level, Place, Printers, Report, Results, Tested, account, call, kind};
use search::Failure;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use term::{FunctionName, Term};

/// The maximum number of characters of a call in a related location.
const CALL: usize = 300;

pub struct Sarif<'p> {
    pub printers: &'p dyn Printers,
    /// The version of Beagle.
    pub version: &'p str,
}

/// The kinds of findings: identifier, title, and a text that explains the meaning and what to do.
const RULES: [(&str, &str, &str); 5] = [
    (
        "crash",
        "A function raises an exception",
        "For an input that the specification allows, the function, or a process that it starts, raises an exception. Paste the \
         call in the message into a shell to see it. Handle that input, or narrow the specification.",
    ),
    (
        "spec",
        "A function returns a result outside its specification",
        "For an input that the specification allows, the function returns a result that the specification does not allow. Paste the call in the message into a \
         shell to see it. Correct the function, or widen the specification.",
    ),
    (
        "blame",
        "A function violates the type of a function argument or function result",
        "A function input was called with arguments that its declared type does not accept, or a function that was handed out \
         returned a value outside its type. Correct the call, or the types in the specification.",
    ),
    (
        "timeout",
        "A function does not end, or takes very long",
        "For an input that the specification allows, the function does not end; if this is a warning, it only exceeds the \
         limits of a run. Correct its recursion, or narrow the specification.",
    ),
    (
        "deadlock",
        "A function waits forever",
        "For an input that the specification allows, the function waits for a message that no process can send. Add an `after`, \
         or correct the messages that it waits for.",
    ),
];

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    invocations: [Invocation<'a>; 1],
    column_kind: &'static str,
    results: Vec<Found>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'a str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Text,
    full_description: Text,
    help: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'static str,
    message: Message<'a>,
}

#[derive(Serialize)]
struct Message<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    /// Other functions with the same defect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    /// `unchanged` for a known finding, which was there before and is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<[Suppression; 1]>,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    justification: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    logical_locations: [LogicalLocation; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    name: String,
    fully_qualified_name: String,
    kind: &'static str,
}

impl Report for Sarif<'_> {
    fn found(&mut self, _: FunctionName, _: &Judged) -> String {
        String::new()
    }

    fn tested(&mut self, _: usize, _: &Tested) -> String {
        String::new()
    }

    fn finish(&mut self, results: &Results) -> String {
        let rule = |(id, title, help): (&'static str, &'static str, &str)| Rule {
            id,
            name: id,
            short_description: text(title),
            full_description: text(help),
            help: text(help),
        };
        let mut counts = HashMap::new();
        let defects = results.defects(self.printers);
        let mut same: HashMap<String, Vec<(FunctionName, &Judged)>> = HashMap::new();
        for defect in defects.iter().filter(|defect| !defect.others.is_empty()) {
            let all =
                same.entry(identity(self.printers.of(defect.best.0.module), defect.best.0, defect.best.1)).or_default();
            all.extend(std::iter::once(defect.best).chain(defect.others.iter().copied()));
        }
        let mut all = Vec::new();
        for tested in &results.functions {
            for judged in &tested.exploration.findings {
                let mut found = self.result(tested.name, judged, &mut counts);
                let same = same
                    .get(&identity(self.printers.of(tested.name.module), tested.name, judged))
                    .into_iter()
                    .flatten();
                let others = same.filter(|(name, _)| *name != tested.name);
                found.related_locations = others.map(|(name, judged)| self.related(*name, judged)).collect();
                all.push(found);
            }
        }
        let interrupted = results.summary.untested.map(|untested| interrupted(untested, results.summary.functions));
        let log = Log {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run {
                tool: Tool {
                    driver: Driver {
                        name: "Beagle",
                        version: self.version,
                        rules: RULES.into_iter().map(rule).collect(),
                    },
                },
                invocations: [Invocation {
                    execution_successful: results.failures.is_empty() && interrupted.is_none(),
                    tool_execution_notifications: results
                        .failures
                        .iter()
                        .chain(&interrupted)
                        .map(|failure| notification(failure))
                        .collect(),
                }],
                column_kind: "utf16CodeUnits",
                results: all,
            }],
        };
        // These objects contain nothing that JSON cannot represent.
        let mut json = visible_json(&serde_json::to_string_pretty(&log).unwrap_or_default()).into_owned();
        json.push('\n');
        json
    }
}

impl Sarif<'_> {
    fn result(&self, name: FunctionName, judged: &Judged, counts: &mut HashMap<String, u32>) -> Found {
        let rule_id = kind(&judged.finding.failure);
        let printer = self.printers.of(name.module);
        let function = printer.function(name);
        let fingerprint = fingerprint(&function, judged);
        let alike = counts.entry(fingerprint.clone()).or_insert(0);
        *alike += 1;
        Found {
            rule_id,
            rule_index: RULES.iter().position(|(id, ..)| *id == rule_id).unwrap_or_default(),
            level: match judged.level() {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note => "note",
            },
            message: Text { text: format!("{}\n\n{}", title(printer, name, judged), account(printer, name, judged)) },
            locations: [self.location(name, judged)],
            related_locations: Vec::new(),
            partial_fingerprints: BTreeMap::from([
                ("beagle/v1", format!("{fingerprint}:{alike}")),
                ("beagle/defect/v1", identity(printer, name, judged)),
            ]),
            baseline_state: judged.is_known.then_some("unchanged"),
            suppressions: judged
                .is_known
                .then_some([Suppression { kind: "external", justification: "It is in the baseline." }]),
        }
    }

    fn location(&self, name: FunctionName, judged: &Judged) -> Location {
        Location {
            physical_location: judged.place.as_ref().map(|place| PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(&place.path) },
                region: Region { start_line: place.line },
            }),
            logical_locations: [LogicalLocation {
                name: name.local(),
                fully_qualified_name: self.printers.of(name.module).function(name),
                kind: "function",
            }],
            message: None,
        }
    }

    /// Returns the location of another function with the same defect.
    fn related(&self, name: FunctionName, judged: &Judged) -> Location {
        let call = call(self.printers.of(name.module), name, &judged.finding);
        let message = Text { text: format!("also through {}", shortened(&call, CALL)) };
        Location { message: Some(message), ..self.location(name, judged) }
    }
}

fn notification(failure: &str) -> Notification<'_> {
    Notification { level: "error", message: Message { text: failure } }
}

fn text(text: &str) -> Text {
    Text { text: text.to_string() }
}

/// Returns a text that is the same for the same defect as long as its line reads the same, wherever the line moves to
/// and whatever input shows the defect.
pub(crate) fn fingerprint(function: &str, judged: &Judged) -> String {
    let mut parts = vec![function.to_string(), kind(&judged.finding.failure).to_string()];
    if let Failure::Crash(raised) = &judged.finding.failure {
        parts.push(raised.class.atom().text().to_string());
        parts.push(tag(&raised.reason));
    }
    parts.extend(judged.place.as_ref().and_then(|place| line(place)).map(|line| line.trim().to_string()));
    let hash = blake3::hash(parts.join("\0").as_bytes()).to_hex();
    hash.as_str().chars().take(32).collect()
}

/// Returns the name of a reason, without its data.
fn tag(reason: &Term) -> String {
    match reason {
        Term::Atom(atom) => atom.text().to_string(),
        Term::Tuple(parts) => match parts.first() {
            Some(Term::Atom(atom)) => format!("{atom}/{}", parts.len()),
            _ => format!("/{}", parts.len()),
        },
        _ => String::new(),
    }
}

fn line(place: &Place) -> Option<&str> {
    place.text.as_deref()?.lines().nth((place.line as usize).checked_sub(1)?)
}

/// Returns a path as a URI reference. Relative paths stay relative.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
