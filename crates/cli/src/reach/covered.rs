//! Reads the lines that tests do not cover from a file of `cover:export/1`.
//!
//! The file is a sequence of terms in the external format, each after its size: one byte, or the term `{'$size', N}`
//! after its own size, where N is the size of the next term. `{file, Module, Source}` names the source of a module, and
//! `{{bump, Module, Function, Arity, Clause, Line}, Count}` says how often a line was executed.

use anyhow::{Context, bail};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use term::{Atom, Term};

/// Returns the source files and lines that were never executed, in order.
pub fn uncovered_lines(file: &Path) -> anyhow::Result<Vec<(String, u32)>> {
    let bytes =
        crate::project::read_named(file).with_context(|| format!("--uncovered {} cannot be read", file.display()))?;
    let terms = match terms(&bytes) {
        Some(terms) => terms,
        None => bail!("--uncovered {}: this is no file that cover:export/1 has written", file.display()),
    };
    let mut sources: HashMap<Atom, String> = HashMap::new();
    let mut counts: BTreeMap<(String, u32), i64> = BTreeMap::new();
    for term in &terms {
        match term.as_tuple() {
            Some([tag, Term::Atom(module), source]) if *tag == Term::atom("file") => {
                let source = text(source).unwrap_or_default();
                // A file in a project is not the user's, and names no files elsewhere.
                if !files::is_in_project(file) {
                    files::grant_named(Path::new(&source));
                }
                sources.insert(*module, source);
            }
            Some([bump, Term::Int(count)]) => {
                if let Some((module, line)) = bumped(bump) {
                    let source = sources.get(&module).filter(|source| files::is_file(Path::new(source)));
                    let source = source.cloned().unwrap_or_else(|| format!("{module}.erl"));
                    *counts.entry((source, line)).or_default() += count;
                }
            }
            _ => {}
        }
    }
    Ok(counts.into_iter().filter(|(_, count)| *count == 0).map(|(place, _)| place).collect())
}

fn bumped(term: &Term) -> Option<(Atom, u32)> {
    let [tag, Term::Atom(module), _, _, _, Term::Int(line)] = term.as_tuple()? else { return None };
    (*tag == Term::atom("bump") && *line > 0).then_some((*module, u32::try_from(*line).ok()?))
}

fn text(term: &Term) -> Option<String> {
    let letters = term.as_list()?.iter().map(|letter| char::from_u32(u32::try_from(letter.as_int()?).ok()?));
    letters.collect()
}

fn terms(mut bytes: &[u8]) -> Option<Vec<Term>> {
    let mut terms = Vec::new();
    let mut size = None;
    while !bytes.is_empty() {
        let length = match size.take() {
            Some(length) => length,
            None => {
                let (first, rest) = bytes.split_first()?;
                bytes = rest;
                usize::from(*first)
            }
        };
        let (one, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        let term = etf::decode(one).ok()?;
        match term.as_tuple() {
            Some([tag, Term::Int(length)]) if *tag == Term::atom("$size") => size = usize::try_from(*length).ok(),
            _ => terms.push(term),
        }
    }
    Some(terms)
}
