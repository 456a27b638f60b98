//! The cases to replay: kept findings, findings in files, and expressions.

use crate::project::Project;
use crate::test::kept_folder;
use crate::test::saved::Saved;
use crate::test::task::Task;
use anyhow::{Context, bail};
use campaign::{Target, after_setups, is_same, kept_findings};
use frontend::{Code, FrontEnd, Languages, Outcome, Rest, Watched};
use report::Judged;
use search::Failure;
use serde_json::Value;
use std::path::Path;
use term::FunctionName;

/// The minimum length of the beginning of an identity.
const SHORTEST: usize = 6;

pub struct Case {
    /// The function that the finding is about.
    pub name: Option<FunctionName>,
    /// The call, in a form that can be pasted.
    pub shown: String,
    /// The text that the runtime evaluates.
    pub asked: String,
    pub reported: Reported,
}

/// The reported behaviour.
pub enum Reported {
    Nothing,
    Finding {
        title: String,
        failure: Box<Failure>,
    },
    /// A `bug` of JSON lines.
    Line(Box<Value>),
}

/// Refuses a text that means nothing, before anything is built for it.
pub fn check(what: &str) -> anyhow::Result<()> {
    let file = Path::new(what);
    if files::is_any_file(file) {
        return Ok(());
    }
    if what.trim().is_empty() {
        bail!("there is nothing to replay: give the identity of a finding, a file of findings, or an expression");
    }
    if files::is_any_folder(file) {
        bail!("{what} is a folder: name a file of findings, and the code behind it");
    }
    if files::is_there(file) {
        bail!("{what} cannot be read: it is not a regular file");
    }
    // A name of a file could not be evaluated anyway.
    if looks_like_file(what) {
        bail!("{what}: there is no such file, and it is no Erlang expression");
    }
    if what.trim().chars().all(|c| c.is_alphanumeric() || c == '_') && !is_identity(what) {
        bail!(
            "{what} is neither a file nor the identity of a finding, which has at least {SHORTEST} digits from 0 to f, nor \
             an expression with a call"
        );
    }
    Ok(())
}

fn is_identity(what: &str) -> bool {
    what.len() >= SHORTEST && what.chars().all(|c| c.is_ascii_hexdigit())
}

/// All cases that a text means.
pub fn all(what: &str, cache: Option<&Path>, task: &Task, languages: &Languages) -> anyhow::Result<Vec<Case>> {
    let file = Path::new(what);
    if files::is_any_file(file) {
        return in_file(file, task, languages);
    }
    // The project that contains the code is known by now.
    check(what)?;
    if !is_identity(what) {
        let (shown, asked) = (what.to_string(), what.trim().trim_end_matches('.').to_string());
        return Ok(vec![Case { name: None, shown, asked, reported: Reported::Nothing }]);
    }
    let around = Project::around(Path::new("."), false, false)?;
    let Some(folder) = kept_folder(cache, task.project.as_ref().or(around.as_ref())) else {
        bail!("there is no project in this folder, so there are no kept findings; --cache names another folder");
    };
    let is_meant = |(name, judged): &(FunctionName, Judged)| {
        report::identity(languages.language(name.module), *name, judged).starts_with(&what.to_ascii_lowercase())
    };
    let found: Vec<Case> = kept_findings(&folder)
        .into_iter()
        .filter(is_meant)
        .map(|(name, it)| of_finding(name, it, task, languages))
        .collect();
    if found.is_empty() {
        bail!(
            "{} has no finding {what}: `beagle test --format jsonl` shows the identities of findings as `defect`",
            folder.display()
        );
    }
    Ok(found)
}

fn looks_like_file(what: &str) -> bool {
    let extension = Path::new(what).extension().and_then(|extension| extension.to_str());
    let is_usual =
        extension.is_some_and(|extension| ["jsonl", "json", "beagle", "txt", "erl", "ex"].contains(&extension));
    !what.contains(['(', '[', '{', ' ', '"']) && (is_usual || what.starts_with(['/', '.', '~']))
}

fn in_file(file: &Path, task: &Task, languages: &Languages) -> anyhow::Result<Vec<Case>> {
    let bytes = crate::project::read_named(file).with_context(|| format!("{} cannot be read", file.display()))?;
    if Saved::is_in(&bytes) {
        let functions = Saved::decode(file, bytes)?.functions;
        let findings = functions.into_iter().flat_map(|(_, tested)| {
            let name = tested.name;
            tested.exploration.findings.into_iter().map(move |judged| (name, judged))
        });
        let cases: Vec<Case> = findings.map(|(name, judged)| of_finding(name, judged, task, languages)).collect();
        return Ok(cases).and_then(|cases| nonempty(file, cases));
    }
    let text = String::from_utf8(bytes).with_context(|| format!("{} cannot be read", file.display()))?;
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = || format!("{}:{}", file.display(), index + 1);
        let object: Value = serde_json::from_str(line)
            .with_context(|| format!("{}: this is no JSON line of `beagle test --format jsonl`", place()))?;
        if object["type"] == "bug" {
            cases.push(of_line(object, task, languages).with_context(place)?);
        }
    }
    nonempty(file, cases)
}

fn nonempty(file: &Path, cases: Vec<Case>) -> anyhow::Result<Vec<Case>> {
    match cases.is_empty() {
        true => bail!("{} has no findings", file.display()),
        false => Ok(cases),
    }
}

fn of_finding(name: FunctionName, judged: Judged, task: &Task, languages: &Languages) -> Case {
    let language = languages.language(name.module);
    let calls = |printer: &dyn report::Printer| {
        let before = judged.started.iter().map(|setup| report::setup_call(printer, setup));
        before.chain([report::laid_out(printer, name, &judged.finding)]).collect::<Vec<String>>()
    };
    let (shown, call) = (lines(language, &calls(language)), calls(language.asking()).join(", "));
    let title = report::title(language, name, &judged);
    let reported = Reported::Finding { title, failure: Box::new(judged.finding.failure) };
    Case { name: Some(name), shown, asked: with_setups(language, name, task, call), reported }
}

fn of_line(object: Value, task: &Task, languages: &Languages) -> anyhow::Result<Case> {
    let text = |field: &str| object[field].as_str().with_context(|| format!("the finding has no field {field:?}"));
    let (function, call) = (text("function")?, text("call")?);
    let name = languages.read_name(function).with_context(|| format!("{function:?} is no function"))?;
    let language = languages.language(name.module);
    let before = object["before"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let calls: Vec<String> = before.chain([call]).map(str::to_string).collect();
    let shown = lines(language, &calls);
    let calls: Vec<String> = calls.iter().map(|call| language.asked(call)).collect();
    let asked = with_setups(language, name, task, calls.join(", "));
    Ok(Case { name: Some(name), shown, asked, reported: Reported::Line(Box::new(object)) })
}

/// Returns calls in the form in which people paste them.
fn lines(language: &dyn FrontEnd, calls: &[String]) -> String {
    let lines = calls.iter().map(|call| format!("{call}{}", language.end_of_input()));
    lines.collect::<Vec<_>>().join("\n")
}

/// Puts the setups of the function before a call.
fn with_setups(language: &dyn FrontEnd, name: FunctionName, task: &Task, call: String) -> String {
    let is_meant = |target: &&Target| target.name == name;
    match task.functions.iter().find(is_meant) {
        Some(target) => after_setups(language, target, call),
        None => call,
    }
}

impl Reported {
    /// Returns whether the runtime did what was reported.
    pub fn is_same(&self, code: &dyn Code, language: &dyn FrontEnd, watched: &Watched) -> Option<bool> {
        match self {
            Reported::Nothing => None,
            Reported::Finding { failure, .. } => Some(is_same(code, failure, watched)),
            Reported::Line(line) => Some(is_as_in(line, language, watched)),
        }
    }

    /// Describes in one line what was reported.
    pub fn title(&self) -> Option<String> {
        match self {
            Reported::Nothing => None,
            Reported::Finding { title, .. } => Some(title.clone()),
            Reported::Line(line) => {
                let part = |field: &str| line[field].as_str().map(|text| format!(" {text}")).unwrap_or_default();
                let (function, kind) = (part("function"), part("kind"));
                Some(format!("{}:{kind}{}{}{}", function.trim(), part("class"), part("reason"), part("result")))
            }
        }
    }
}

/// Returns whether the outcome is the one of a JSON line. Texts are compared, because a line has nothing else.
fn is_as_in(line: &Value, language: &dyn FrontEnd, watched: &Watched) -> bool {
    let is_text = |field: &str, term: &term::Term| {
        line[field].as_str().is_some_and(|text| without_identities(text) == without_identities(&language.term(term)))
    };
    match (line["kind"].as_str().unwrap_or_default(), &watched.outcome) {
        ("crash", outcome) => match (line["reach"].as_str(), outcome) {
            (None, Outcome::Raised { class, reason, .. }) => {
                line["class"].as_str() == Some(class.text()) && is_text("reason", reason)
            }
            (None, Outcome::Killed { reason }) => line["class"] == "exit" && is_text("reason", reason),
            (Some("link"), Outcome::Killed { .. }) => true,
            (Some("nobody"), _) => !watched.ends.is_empty(),
            (Some("supervisor"), _) => watched.ends.iter().any(|end| end.gave_up),
            _ => false,
        },
        ("spec", Outcome::Value { term, .. }) => is_text("result", term),
        ("blame", Outcome::Raised { class, .. }) => class.text() == "error",
        ("timeout", Outcome::Timeout { .. } | Outcome::HeapExceeded) => true,
        ("deadlock", Outcome::Timeout { .. }) => watched.rest == Rest::Waiting,
        ("deadlock", Outcome::Raised { class, .. }) => class.text() == "exit",
        _ => false,
    }
}

/// Returns a text without the numbers of processes, ports and references, which differ in every run: `<0.81.0>` becomes
/// `<>`. The calling process is treated like any other.
fn without_identities(text: &str) -> String {
    let mut parts = text.split('<');
    let mut plain = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let numbers = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let is_identity = part[numbers..].starts_with('>') && part[..numbers].contains('.');
        plain.push('<');
        plain.push_str(if is_identity { &part[numbers..] } else { part });
    }
    plain.replace("self()", r#"list_to_pid("<>")"#)
}

#[cfg(test)]
mod tests {
    use super::without_identities;

    #[test]
    fn only_the_numbers_of_identities_are_left_out() {
        let text = r##"{noproc,[list_to_pid("<0.4097.0>"),#Ref<0.1.2.3>,<<1,2>>,<<"a">>,1 < 2.5]}"##;
        let plain = r##"{noproc,[list_to_pid("<>"),#Ref<>,<<1,2>>,<<"a">>,1 < 2.5]}"##;
        assert_eq!(without_identities(text), plain);
        assert_eq!(without_identities("{noproc,self()}"), without_identities(r#"{noproc,list_to_pid("<0.9.0>")}"#));
    }
}
