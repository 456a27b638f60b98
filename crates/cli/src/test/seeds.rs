//! Inputs to begin with: from the command line, and from files with many of them.

use crate::project::read_text;
use anyhow::{Context, anyhow, bail};
use campaign::{Seeds, Target};
use erlang::print;
use erlang::syntax::elixir;
use path::Outcome;
use session::{Language, Languages, Session};
use std::path::Path;
use term::{Term, order};

/// What a text of `--seed` begins with that names a file.
const FILE: char = '@';

/// Where seeds are read.
pub struct SeedReader<'r> {
    pub session: &'r mut Session,
    pub languages: &'r Languages,
    pub functions: &'r [Target],
    /// Seeds that no function takes may be for those of another project.
    pub is_one_of_several: bool,
    pub seeds: Seeds,
}

impl SeedReader<'_> {
    /// The arguments that `texts` name, each for the functions that take so many.
    pub fn read(mut self, texts: &[String]) -> anyhow::Result<Seeds> {
        for text in texts {
            match text.strip_prefix(FILE) {
                Some(file) => self.read_corpus(file)?,
                None => self.add(text).with_context(|| format!("--seed {text}"))?,
            }
        }
        Ok(self.seeds)
    }

    /// One list of arguments on each line; a full stop behind it, empty lines and comments do no harm.
    fn read_corpus(&mut self, file: &str) -> anyhow::Result<()> {
        let corpus = read_text(Path::new(file)).with_context(|| format!("--seed @{file}: the file cannot be read"))?;
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

    /// For the functions of either language that reads it.
    fn add(&mut self, text: &str) -> anyhow::Result<()> {
        let erlang = evaluated(self.session, text);
        // What is no plain term is an expression, and these are Erlang's.
        let elixir = match elixir::parse_term(text) {
            Ok(term) => Ok(self.completed(&term)),
            Err(_) => erlang.as_ref().cloned().map_err(|error| anyhow!("{error:#}")),
        };
        let arities = |is_elixir: bool| -> Vec<usize> {
            let of = self.functions.iter().map(|target| target.name);
            let of = of.filter(|name| matches!(self.languages.language(name.module), Language::Elixir(_)) == is_elixir);
            of.map(|name| name.arity as usize).collect()
        };
        let (of_erlang, of_elixir) = (arities(false), arities(true));
        let mut taken = Vec::new();
        for (read, arities, seeds) in
            [(erlang, of_erlang, &mut self.seeds.erlang), (elixir, of_elixir, &mut self.seeds.elixir)]
        {
            if !arities.is_empty() {
                taken.push(read.and_then(|term| {
                    let args = arguments(&term)?;
                    if arities.contains(&args.len()) {
                        seeds.push(args);
                    } else if !self.is_one_of_several {
                        bail!("no function that is tested takes {} arguments", args.len());
                    }
                    Ok(())
                }));
            }
        }
        if taken.iter().any(Result::is_ok) { Ok(()) } else { taken.into_iter().next().unwrap_or(Ok(())) }
    }

    /// With the fields of structs that were not written.
    fn completed(&self, term: &Term) -> Term {
        let all = |parts: &[Term]| parts.iter().map(|part| self.completed(part)).collect::<Vec<_>>();
        match term {
            Term::Tuple(parts) => Term::tuple(all(parts)),
            Term::List(items, tail) => {
                Term::list_with_tail(all(items), tail.as_ref().map_or(Term::Nil, |tail| self.completed(tail)))
            }
            Term::Map(pairs) => {
                let known = elixir::struct_name(term).and_then(|module| self.languages.struct_fields(module));
                let mut fields: Vec<(Term, Term)> =
                    pairs.iter().map(|(key, value)| (key.clone(), self.completed(value))).collect();
                let missing = known.unwrap_or_default().into_iter();
                let missing: Vec<_> = missing.filter(|(key, _)| fields.iter().all(|(own, _)| own != key)).collect();
                fields.extend(missing);
                fields.sort_by(|(left, _), (right, _)| order::key_order(left, right));
                Term::Map(fields.into())
            }
            other => other.clone(),
        }
    }
}

fn evaluated(session: &mut Session, text: &str) -> anyhow::Result<Term> {
    match session.evaluate(text, None)? {
        Outcome::Value(value) => Ok(value),
        Outcome::Raised(raised) => bail!("it raises {} {}", raised.class.atom(), print(&raised.reason)),
        Outcome::Stopped(stop) => bail!("{}", report::stopped(&stop, &|name| name.to_string())),
    }
}

fn arguments(term: &Term) -> anyhow::Result<Vec<Term>> {
    let Some(args) = term.as_list() else {
        bail!("it is no list: write the arguments between brackets, as in '[1, abc]'");
    };
    Ok(args.to_vec())
}
