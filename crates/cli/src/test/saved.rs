//! Saves the results of a command to a file, and merges several such files.

use super::baseline::Baseline;
use super::output::Output;
use crate::arguments::{MergeOptions, Partition, TestOptions};
use crate::configuration::{baseline_file, configured};
use crate::languages::{languages, print_name};
use crate::project::Project;
use anyhow::{Context, bail};
use frontend::CodeConfig;
use oracle::store;
use report::{Source, Tested};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Instant;
use term::{Atom, FunctionName};

/// The beginning of such a file. A file of another version has another one and is not read.
const HEAD: &str = concat!("beagle results 5, ", env!("CARGO_PKG_VERSION"), "\n");

/// The modules of the user, each with its functions if it could be loaded.
pub type UserFunctions = HashMap<Atom, Option<Vec<(Atom, u32)>>>;

#[derive(Default, Serialize, Deserialize)]
pub struct Saved {
    /// The functions, with their numbers among all functions of all parts.
    pub functions: Vec<(usize, Tested)>,
    pub failures: Vec<String>,
    pub unreadable: usize,
    /// The number of functions that were not tested, if the user ended the command.
    pub untested: Option<usize>,
    pub sources: HashMap<Atom, Source>,
    pub modules: UserFunctions,
}

impl Saved {
    pub fn encoded(&self) -> anyhow::Result<Vec<u8>> {
        Ok([HEAD.as_bytes(), &store::seal(&postcard::to_stdvec(self)?)].concat())
    }

    /// Returns whether a file begins as such files do.
    pub fn is_in(bytes: &[u8]) -> bool {
        bytes.starts_with(HEAD.as_bytes())
    }

    pub fn read(file: &Path) -> anyhow::Result<Saved> {
        let bytes = crate::project::read_named(file).with_context(|| format!("{} cannot be read", file.display()))?;
        Saved::decode(file, bytes)
    }

    /// Decodes the content of a file.
    pub fn decode(file: &Path, mut bytes: Vec<u8>) -> anyhow::Result<Saved> {
        if !Saved::is_in(&bytes) {
            bail!("{} was not written by `beagle test --save` of this version: save it again", file.display());
        }
        bytes.drain(..HEAD.len());
        let saved = store::unseal(bytes).and_then(|bytes| postcard::from_bytes(&bytes).ok());
        saved.with_context(|| format!("{} is damaged or incomplete: copy or save it again", file.display()))
    }
}

/// `beagle merge`: reports the results of several commands as those of one. Returns the exit code.
pub fn merge(options: &MergeOptions) -> anyhow::Result<u8> {
    // Names of modules suffice, so their code need not be here.
    let languages = languages().with_code(vec![languages().open(CodeConfig::default())?]);
    let mut output = Output::new(&options.reports, &languages, Instant::now())?;
    let baseline = baseline(options)?;
    let mut all = Saved::default();
    let mut seen: HashSet<FunctionName> = HashSet::new();
    for file in &options.files {
        let saved = Saved::read(file)?;
        for (number, tested) in saved.functions {
            if !seen.insert(tested.name) {
                bail!(
                    "{} contains {} a second time: name each part only once",
                    file.display(),
                    print_name(tested.name)
                );
            }
            all.functions.push((number, tested));
        }
        // Every part has the same modules that cannot be loaded.
        all.unreadable = all.unreadable.max(saved.unreadable);
        if let Some(untested) = saved.untested {
            *all.untested.get_or_insert(0) += untested;
        }
        for failure in saved.failures {
            if !all.failures.contains(&failure) {
                all.failures.push(failure);
            }
        }
        all.sources.extend(saved.sources);
        all.modules.extend(saved.modules);
    }
    let user_modules: Vec<Atom> = all.modules.keys().copied().collect();
    all.functions.sort_by_key(|(number, _)| *number);
    output.unreadable(all.failures, all.unreadable);
    if let Some(untested) = all.untested {
        output.interrupted(untested);
    }
    for (number, mut tested) in all.functions {
        if let Some(baseline) = &baseline {
            // The current baseline counts, not those of the commands.
            for judged in &mut tested.exploration.findings {
                judged.is_known = judged.is_true() && baseline.meet(tested.name, &judged.finding, &user_modules);
            }
            baseline.settle(&tested);
        }
        tested
            .exploration
            .findings
            .iter()
            .filter(|judged| !judged.is_known)
            .for_each(|judged| output.found(tested.name, judged));
        output.tested(number, tested);
    }
    let mut bugs = output.finish(&[], |_| all.sources)?;
    if let Some(baseline) = &baseline {
        baseline.finish(&|name| {
            let functions = all.modules.get(&name.module).and_then(Option::as_ref);
            functions.is_some_and(|functions| !name.is_client() && !functions.contains(&(name.function, name.arity)))
        })?;
        bugs = if baseline.is_updated() { 0 } else { bugs };
    }
    Ok(if bugs > 0 { super::BUGS } else { super::NOTHING_WRONG })
}

/// Returns the baseline of the command line or of the project in the current folder, or none.
fn baseline(options: &MergeOptions) -> anyhow::Result<Option<Baseline>> {
    if let Some(file) = &options.baseline {
        return Baseline::read(file, options.update_baseline).map(Some);
    }
    let project = Project::around(Path::new("."), true, false)?;
    let mut said = TestOptions::unsaid()?;
    said.project.no_config = options.no_config;
    let mut said = configured(&said, project.as_ref())?;
    said.project.update_baseline = options.update_baseline;
    let file = baseline_file(&said, project.as_ref())?;
    file.map(|file| Baseline::read(&file, options.update_baseline)).transpose()
}

/// Returns whether a function is in a part. This depends on its name only, so a function stays in its part when others
/// are added.
pub fn is_in(partition: Partition, name: FunctionName) -> bool {
    let name = format!("{}:{}/{}", name.module, name.function, name.arity);
    let digest = blake3::hash(name.as_bytes());
    let number = digest.as_bytes().iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    number % partition.parts == partition.index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_in_one_part() {
        let name = |number: u32| FunctionName { module: Atom::new("m"), function: Atom::new("f"), arity: number };
        for parts in 1..6 {
            let mut sizes = vec![0; parts as usize];
            for number in 0..250 {
                let own: Vec<u64> =
                    (0..parts).filter(|index| is_in(Partition { index: *index, parts }, name(number))).collect();
                assert_eq!(own.len(), 1);
                sizes[own[0] as usize] += 1;
            }
            assert!(sizes.iter().all(|size| *size > 250 / parts / 2), "{sizes:?}");
        }
    }

    #[test]
    fn a_function_stays_in_its_part() {
        let name = FunctionName { module: Atom::new("lists"), function: Atom::new("sort"), arity: 1 };
        let part = |parts| (0..parts).find(|index| is_in(Partition { index: *index, parts }, name));
        // Else parts that are tested by different versions would not fit together.
        assert_eq!((part(3), part(7)), (Some(0), Some(5)));
    }
}
