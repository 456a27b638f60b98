//! The baseline of known findings: a text with one finding on each line, sorted, to be kept beside the code.
//!
//! A finding is identified by its function, its kind, and what kind of error occurred in which function. Its arguments
//! are left out, because they change with every search, and its line, because it changes with every edit. Two findings
//! that look alike are two equal lines.

use super::written::NewFile;
use crate::languages::{function_name, languages, print_name};
use crate::project::read_named_text;
use crate::streams::complain;
use anyhow::bail;
use campaign::Target;
use erlang::syntax::print_atom;
use frontend::Code;
use program::Module;
use report::{Tested, data};
use search::{Blame, Failure, Finding, Shape};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use term::{Atom, FunctionName, Term};

const OPTION: &str = "--update-baseline";
const HEAD: &str = "# Findings of `beagle test` that are known and not reported, one on each line.\n\
    # `beagle test --update-baseline` writes this file; a line that is deleted is reported again.\n";

pub struct Baseline {
    file: PathBuf,
    is_updated: bool,
    entries: Mutex<BTreeMap<String, Entry>>,
}

/// One or several findings that look alike.
#[derive(Clone, Debug, Default, PartialEq)]
struct Entry {
    /// The line in the file, for a user who wants to delete it.
    line: usize,
    known: usize,
    seen: usize,
    /// Whether the function was tested completely or does not exist any more, so that findings that were not seen are
    /// gone.
    is_decided: bool,
}

impl Baseline {
    /// Reads a baseline. The file may be missing if it is to be updated.
    pub fn read(file: &Path, is_updated: bool) -> anyhow::Result<Baseline> {
        if is_updated {
            // A file that cannot be written is reported now, not when all is done.
            drop(NewFile::prepare(OPTION, file)?);
        }
        let text = match files::is_there(file) {
            false if is_updated => String::new(),
            false => bail!("--baseline {}: there is no such file; --update-baseline writes it", file.display()),
            true => read_named_text(file)?,
        };
        let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if function_of(line).is_none() {
                let shown: String = line.chars().take(60).collect();
                bail!(
                    "{}:{}: {shown:?} is not a finding: write it in the format of --update-baseline",
                    file.display(),
                    index + 1
                );
            }
            let entry = entries.entry(line.to_string()).or_default();
            entry.known += 1;
            entry.line = index + 1;
        }
        Ok(Baseline { file: file.to_path_buf(), is_updated, entries: Mutex::new(entries) })
    }

    /// Notes a finding, and returns whether it is known.
    pub fn meet(&self, name: FunctionName, finding: &Finding, user_modules: &[Atom]) -> bool {
        let mut entries = self.entries();
        let entry = entries.entry(fingerprint(name, finding, user_modules)).or_default();
        entry.seen += 1;
        entry.seen <= entry.known
    }

    /// Notes that a function was tested. If it was tested completely, its findings that were not seen are gone.
    pub fn settle(&self, tested: &Tested) {
        if !tested.is_exhaustive() {
            return;
        }
        for (words, entry) in self.entries().iter_mut() {
            entry.is_decided |= function_of(words) == Some(tested.name);
        }
    }

    /// Reports entries whose findings are gone, or writes the new baseline. `is_gone` says whether a function does not
    /// exist any more.
    pub fn finish(&self, is_gone: &dyn Fn(FunctionName) -> bool) -> anyhow::Result<()> {
        let mut entries = self.entries();
        for (words, entry) in entries.iter_mut() {
            entry.is_decided |= function_of(words).is_some_and(is_gone);
        }
        if self.is_updated {
            let lines: String = entries.iter().map(|(words, entry)| entry.kept(words)).collect();
            let count = lines.lines().count();
            NewFile::prepare(OPTION, &self.file)?.write(format!("{HEAD}{lines}").as_bytes())?;
            complain!("{} has {count} known findings", self.file.display());
            return Ok(());
        }
        for (words, entry) in entries.iter().filter(|(_, entry)| entry.is_decided && entry.seen < entry.known) {
            complain!(
                "{}:{}: this finding is gone: delete the line, or use --update-baseline: {words}",
                self.file.display(),
                entry.line
            );
        }
        Ok(())
    }

    pub fn is_updated(&self) -> bool {
        self.is_updated
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// Returns the lines of the next file.
    fn kept(&self, words: &str) -> String {
        let number = if self.is_decided { self.seen } else { self.seen.max(self.known) };
        format!("{words}\n").repeat(number)
    }
}

/// Returns whether the code has no such function any more.
pub fn is_gone(name: FunctionName, code: &dyn Code, functions: &[Target]) -> bool {
    let lacks = |module: &Module| !name.is_client() && module.find(name.function, name.arity).is_none();
    functions.iter().find(|target| target.name.module == name.module).map_or_else(
        || {
            let is_ours = code.source_modules().any(|(module, _)| module == name.module);
            is_ours && matches!(code.load(name.module), Ok(Some(module)) if lacks(&module))
        },
        |target| lacks(&target.module),
    )
}

/// Returns the line that identifies a finding.
fn fingerprint(name: FunctionName, finding: &Finding, user_modules: &[Atom]) -> String {
    let function = print_name(name);
    let data = data(finding);
    match &finding.failure {
        Failure::Crash(raised) => {
            let is_users = |module: Atom| module == name.module || user_modules.contains(&module);
            let site = raised.trace.iter().find(|entry| is_users(entry.module)).or(raised.trace.first());
            let site = site.map(|entry| {
                let (module, function, arity) = (entry.module, entry.function, entry.arity);
                format!(" in {}", print_name(FunctionName { module, function, arity }))
            });
            let reason = match Shape::of(&raised.reason, &data) {
                Shape::Other => {
                    languages().language(name.module).type_name(&raised.reason).map_or("_".to_string(), print_atom)
                }
                shape => print_shape(&shape),
            };
            format!("{function} crash {} {reason}{}", raised.class.atom(), site.unwrap_or_default())
        }
        Failure::Spec { result, .. } => {
            let shape = match Shape::of(result, &data) {
                Shape::Other => kind(result).to_string(),
                shape => print_shape(&shape),
            };
            format!("{function} spec {shape}")
        }
        Failure::Blame(Blame::Domain(args)) => format!("{function} blame domain/{}", args.len()),
        Failure::Blame(Blame::Arity(args)) => format!("{function} blame arity/{}", args.len()),
        Failure::Blame(Blame::Range(_)) => format!("{function} blame range"),
        Failure::Timeout(_) => format!("{function} timeout"),
        Failure::Deadlock(_) => format!("{function} deadlock"),
    }
}

/// Returns the function of a line, or `None` if it is not a line of a baseline.
fn function_of(line: &str) -> Option<FunctionName> {
    let ends = [" crash ", " spec ", " blame "].iter().filter_map(|kind| line.find(kind));
    let whole = [" timeout", " deadlock"].iter().filter_map(|kind| line.strip_suffix(kind).map(str::len));
    function_name(line.get(..ends.chain(whole).min()?)?)
}

fn print_shape(shape: &Shape) -> String {
    match shape {
        Shape::Atom(atom) => print_atom(*atom),
        Shape::Tuple(parts) => format!("{{{}}}", parts.iter().map(print_shape).collect::<Vec<_>>().join(",")),
        Shape::Other => "_".to_string(),
    }
}

fn kind(term: &Term) -> &'static str {
    match term {
        Term::Int(_) | Term::Big(_) => "integer",
        Term::Float(_) => "float",
        Term::Atom(_) => "atom",
        Term::Nil | Term::List(..) => "list",
        Term::Tuple(_) => "tuple",
        Term::Map(_) => "map",
        Term::Bits(_) => "bitstring",
        Term::Fun(_) => "function",
        Term::Pid(_) => "pid",
        Term::Reference(_) => "reference",
        Term::Port(_) => "port",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_their_functions() {
        let name = |line: &str| function_of(line).map(print_name);
        assert_eq!(name("m:f/1 crash error {badmatch,_} in m:g/2").as_deref(), Some("m:f/1"));
        assert_eq!(name("'a b':'any?'/2 timeout").as_deref(), Some("'a b':'any?'/2"));
        assert_eq!(name("m:f/1 spec integer").as_deref(), Some("m:f/1"));
        for wrong in ["m:f/1", "crash error", "m:f crash error x", "\u{0}", "m:f/1 other x"] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_was_not_looked_for_is_kept() {
        let entry = |known, seen, is_decided| Entry { line: 1, known, seen, is_decided }.kept("x").lines().count();
        assert_eq!([entry(2, 1, true), entry(2, 1, false), entry(0, 1, false), entry(1, 0, true)], [1, 2, 1, 0]);
    }
}
