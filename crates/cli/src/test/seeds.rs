//! Inputs to begin with: from the command line, and from files with many of them.

use super::targets::Target;
use crate::project::read_text;
use anyhow::{Context, bail};
use beagle::Session;
use erlang::print;
use machine::Outcome;
use std::path::Path;
use term::Term;

/// What a text of `--seed` begins with that names a file.
const FILE: char = '@';

/// The arguments that `texts` name, each for the functions that take so many.
pub fn seeds(session: &mut Session, texts: &[String], functions: &[Target]) -> anyhow::Result<Vec<Vec<Term>>> {
    let mut seeds = Vec::new();
    for text in texts {
        match text.strip_prefix(FILE) {
            Some(file) => read_corpus(session, file, functions, &mut seeds)?,
            None => seeds.push(seed(session, text, functions).with_context(|| format!("--seed {text}"))?),
        }
    }
    Ok(seeds)
}

/// One list of arguments on each line; a full stop behind it, empty lines and comments do no harm.
fn read_corpus(
    session: &mut Session,
    file: &str,
    functions: &[Target],
    seeds: &mut Vec<Vec<Term>>,
) -> anyhow::Result<()> {
    let corpus = read_text(Path::new(file)).with_context(|| format!("--seed @{file}: the file cannot be read"))?;
    for (index, line) in corpus.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('%') {
            continue;
        }
        let text = line.strip_suffix('.').unwrap_or(line);
        seeds.push(seed(session, text, functions).with_context(|| format!("{file}:{}", index + 1))?);
    }
    Ok(())
}

fn seed(session: &mut Session, text: &str, functions: &[Target]) -> anyhow::Result<Vec<Term>> {
    let value = match session.evaluate(text, None)? {
        Outcome::Value(value) => value,
        Outcome::Raised(raised) => bail!("it raises {} {}", raised.class.atom(), print(&raised.reason)),
        Outcome::Stopped(stop) => bail!("{stop}"),
    };
    let Some(args) = value.as_list() else {
        bail!("it is no list: write the arguments between brackets, as in '[1, abc]'");
    };
    if !functions.iter().any(|target| target.name.arity as usize == args.len()) {
        bail!("no function that is tested takes {} arguments", args.len());
    }
    Ok(args.to_vec())
}
