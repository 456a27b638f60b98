//! The targets that the command line names: directly, in files, and as lines that tests leave uncovered.

use super::covered;
use crate::arguments::ReachOptions;
use crate::languages::function_name;
use crate::project::read_named_text;
use anyhow::{Context, bail};
use campaign::reaching::Place;
use std::path::Path;
use term::Atom;

/// A target, and its text as the user wrote it.
pub struct Wanted {
    pub shown: String,
    pub place: Place,
}

impl Wanted {
    /// Returns whether the target names a source file that exists and can be compiled by itself.
    pub fn is_file(&self) -> bool {
        matches!(&self.place, Place::Line { file, .. } if file.ends_with(".erl") && files::is_file(Path::new(file)))
    }

    pub fn module(&self) -> Option<Atom> {
        self.place.module()
    }

    /// Lets Beagle read the file of the target if the user has named it. A list in a project is not the user's.
    fn grant_if(&self, is_users: bool) {
        if let (Place::Line { file, .. }, true) = (&self.place, is_users) {
            files::grant_named(Path::new(file));
        }
    }
}

pub fn wanted(options: &ReachOptions) -> anyhow::Result<Vec<Wanted>> {
    let mut all = Vec::new();
    for text in &options.targets {
        match text.strip_prefix('@') {
            Some(file) => {
                let lines = read_named_text(Path::new(file))
                    .with_context(|| format!("{text}: the file with targets cannot be read"))?;
                for line in lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
                    let wanted = read(line).with_context(|| format!("in {file}"))?;
                    wanted.grant_if(!files::is_in_project(Path::new(file)));
                    all.push(wanted);
                }
            }
            None => {
                let wanted = read(text)?;
                wanted.grant_if(true);
                all.push(wanted);
            }
        }
    }
    if let Some(file) = &options.uncovered {
        let uncovered = covered::uncovered_lines(file)?;
        if uncovered.is_empty() && all.is_empty() {
            bail!("{}: the tests cover all lines", file.display());
        }
        for (source, line) in uncovered {
            let place = Place::Line { file: source.clone(), line, column: None };
            all.push(Wanted { shown: format!("{source}:{line}"), place });
        }
    }
    if all.is_empty() {
        bail!("name what to reach: FILE:LINE, FILE:LINE:COLUMN, module:name/arity, @FILE, or --uncovered FILE");
    }
    Ok(all)
}

fn read(text: &str) -> anyhow::Result<Wanted> {
    let place = Place::read_line(text).or_else(|| function_name(text).map(Place::Function));
    match place {
        Some(place) => Ok(Wanted { shown: text.to_string(), place }),
        None => bail!(
            "{text} names no place: write FILE:LINE or FILE:LINE:COLUMN, or a function as module:name/arity or \
             Module.name/arity"
        ),
    }
}
