//! Reads seeds: from the command line, and from files with many of them.

use crate::project::read_named_text;
use anyhow::{Context, bail};
use campaign::{Seeds, Target};
use frontend::Languages;
use session::Session;
use std::path::Path;
use term::Term;

/// The prefix of a value of `--seed` that names a file.
const FILE: char = '@';

/// The reader of seeds, with the session that evaluates them and the functions that they are for.
pub struct SeedReader<'r> {
    pub session: &'r mut Session,
    pub languages: &'r Languages,
    pub functions: &'r [Target],
    /// Whether seeds that no function takes are ignored, because they may be for functions of another project.
    pub is_one_of_several: bool,
    pub seeds: Seeds,
}

impl SeedReader<'_> {
    /// Reads the arguments in `texts`, each for the functions with this number of parameters.
    pub fn read(mut self, texts: &[String]) -> anyhow::Result<Seeds> {
        for text in texts {
            match text.strip_prefix(FILE) {
                Some(file) => self.read_corpus(file)?,
                None => self.add(text).with_context(|| format!("--seed {text}"))?,
            }
        }
        Ok(self.seeds)
    }

    /// Reads a file with one list of arguments on each line. Allows a full stop after a list, empty lines and comments.
    fn read_corpus(&mut self, file: &str) -> anyhow::Result<()> {
        let corpus =
            read_named_text(Path::new(file)).with_context(|| format!("--seed @{file}: the file cannot be read"))?;
        for (index, line) in corpus.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['%', '#']) {
                continue;
            }
            let text = line.strip_suffix('.').unwrap_or(line);
            self.add(text).with_context(|| format!("{file}:{}", index + 1))?;
        }
        Ok(())
    }

    /// Adds a seed for the functions of every language that can read it.
    fn add(&mut self, text: &str) -> anyhow::Result<()> {
        let SeedReader { session, languages, functions, is_one_of_several, seeds } = self;
        let mut taken = Vec::new();
        for language in languages.all() {
            let names = functions.iter().map(|target| target.name).filter(|name| !name.is_client());
            let own = names.filter(|name| languages.language(name.module).name() == language.name());
            let arities: Vec<usize> = own.map(|name| name.arity as usize).collect();
            if arities.is_empty() {
                continue;
            }
            let read = language.read(text, &mut |text| session.value(text, languages.usual()));
            taken.push(read.map_err(anyhow::Error::msg).and_then(|term| {
                let args = arguments(&term)?;
                if arities.contains(&args.len()) {
                    seeds.add(language, args);
                } else if !*is_one_of_several {
                    bail!("none of the tested functions takes {} arguments", args.len());
                }
                Ok(())
            }));
        }
        if taken.iter().any(Result::is_ok) { Ok(()) } else { taken.into_iter().next().unwrap_or(Ok(())) }
    }
}

fn arguments(term: &Term) -> anyhow::Result<Vec<Term>> {
    let Some(args) = term.as_list() else {
        bail!("this is not a list: write the arguments in brackets, as in '[1, abc]'");
    };
    Ok(args.to_vec())
}
