//! Results of functions, kept from one command to the next.
//!
//! An entry is valid as long as nothing has changed: the conditions that the caller names (options that decide results, the build
//! of Beagle, the solver, the runtime), the unit itself, and every module that the search called or took types from. A search
//! that asked which modules there are, or which of them does something, depends on all of the user's modules. A function that was decided is then reported again without a search. A search that was cut short or killed begins with the
//! inputs that had reached something new, and with what it had found.
//!
//! The ranking of a finding depends on more than the search: on callers in other modules and on tests, for example. It is made
//! anew when these have changed.
//!
//! Some reports need parts of a result that others do not. An entry states which of them it has ([`Parts`]): who needs another
//! one makes it, and nothing else.

use crate::observer::Warnings;
use crate::target::Target;
use blake3::Hasher;
use files::Manifest;
use formula::{Sample, Samples};
use frontend::{Code, Digest};
use oracle::store;
use path::InputValue;
use report::{Judged, Tested};
use search::Ended;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use term::{Atom, FunctionName, Term};

/// The most inputs of one function that are kept.
const MOST_INPUTS: usize = 500;

/// A module that a result depends on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NeededModule {
    pub name: Atom,
    /// `None` if it is unknown which files the module was compiled from.
    digest: Option<Digest>,
    /// Whether it is one of the user's modules: branches of others are not counted, and failures are not blamed on
    /// them.
    is_users: bool,
}

/// The questions of a search about the user's modules as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Asked {
    #[default]
    Nothing,
    /// Which modules exist.
    Names,
    /// Which of them does something: exports a function whose module is an input, or creates what is missing.
    Contents,
}

/// The dependencies of a result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Needed {
    pub modules: Vec<NeededModule>,
    pub asked: Asked,
    /// A digest of what was asked. `None` if nothing was asked, or if the digest is unknown.
    program: Option<[u8; 32]>,
}

/// Parts of a result that only some reports need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    /// The outcomes of findings as a shell shows them.
    pub words: bool,
    /// The first runs, and the sides of branches.
    pub runs: bool,
    /// Inputs of the first paths.
    pub examples: bool,
}

impl Parts {
    /// Returns whether everything that is wanted and that only a search can record is there.
    pub fn are_recorded(self, wanted: Parts) -> bool {
        (self.runs || !wanted.runs) && (self.examples || !wanted.examples)
    }
}

/// An entry: the kept result of one function.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// The key of the entry. A file that was copied from another entry has the key of that one.
    key: [u8; 32],
    name: FunctionName,
    needed: Needed,
    parts: Parts,
    /// The result of a search that was completed.
    tested: Option<Tested>,
    /// The findings of a search that was not.
    findings: Vec<Judged>,
    ranked_from: Option<[u8; 32]>,
    inputs: Vec<Vec<Term>>,
    /// Inputs of the first paths.
    examples: Vec<Vec<InputValue>>,
}

/// The result of an earlier command.
pub enum Known {
    Decided(Box<Decided>),
    /// Findings that are still valid, and inputs that had reached something new.
    Begun {
        findings: Vec<Judged>,
        ranked_from: Option<[u8; 32]>,
        inputs: Vec<Vec<Term>>,
    },
    Nothing,
}

/// The result of a search that was completed.
#[derive(Clone)]
pub struct Decided {
    pub tested: Tested,
    /// The parts that it has.
    pub parts: Parts,
    /// Inputs of the first paths.
    pub examples: Vec<Vec<InputValue>>,
    /// Inputs that had reached something new.
    pub inputs: Vec<Vec<Term>>,
    pub needed: Needed,
    /// A digest of what the ranking of the findings was made from, see [`Results::ranked_from`].
    pub ranked_from: Option<[u8; 32]>,
}

impl Decided {
    /// Returns the result with the parts that it lacks and that another search of the same function has recorded.
    /// Decided parts stay as they are, even if that search was cut short.
    pub fn with_recorded(&self, search: Tested, examples: Vec<Vec<InputValue>>, wanted: Parts) -> Decided {
        let mut all = self.clone();
        let is_whole = is_decided(search.exploration.ended);
        let is_found_again = search.exploration.findings.len() == self.tested.exploration.findings.len();
        all.parts.words &= wanted.words || is_found_again;
        all.tested.exploration.findings = search.exploration.findings;
        if wanted.runs && !self.parts.runs {
            all.tested.tree = search.tree;
            // An interrupted search proves nothing about sides that it has not taken.
            all.tested.exploration.sites = if is_whole { search.exploration.sites } else { Vec::new() };
            all.parts.runs = is_whole;
        }
        if wanted.examples && !self.parts.examples {
            all.examples = examples;
            all.parts.examples = is_whole;
        }
        all
    }
}

/// Returns whether a search ended by itself, so that more time, memory or runs would not have changed its result.
pub fn is_decided(ended: Ended) -> bool {
    match ended {
        Ended::Done | Ended::Stuck => true,
        Ended::OutOfRuns | Ended::OutOfTime | Ended::OutOfMemory | Ended::Interrupted => false,
    }
}

#[derive(Default)]
pub struct Results {
    /// `None` if nothing is kept.
    folder: Option<PathBuf>,
    conditions: [u8; 32],
    warnings: Warnings,
    has_warned: AtomicBool,
    written: Manifest,
    /// A digest of all of the user's modules, once it is needed.
    program: OnceLock<Option<[u8; 32]>>,
}

impl Results {
    /// Keeps results in `folder`. `conditions` are the things that they depend on besides the units and modules, by
    /// name.
    pub fn new(folder: PathBuf, conditions: &[(&str, String)], warnings: Warnings) -> Results {
        let mut hasher = Hasher::new();
        conditions.iter().flat_map(|(name, value)| [*name, value]).for_each(|text| add_text(&mut hasher, text));
        hasher.update(&secret());
        let conditions = *hasher.finalize().as_bytes();
        Results { folder: Some(folder), conditions, warnings, ..Results::default() }
    }

    pub fn is_kept(&self) -> bool {
        self.folder.is_some()
    }

    /// Returns the entry of a unit, if it is still valid.
    pub fn known(&self, code: &dyn Code, target: &Target) -> Known {
        let Some(kept) = self.read(target) else { return Known::Nothing };
        let users: HashSet<Atom> = code.source_modules().map(|(module, _)| module).collect();
        let is_unchanged = |module: &NeededModule| {
            module.is_users == users.contains(&module.name) && is_as_it_was(code, module.name, module.digest)
        };
        let Needed { asked, program, .. } = kept.needed;
        let holds = kept.needed.modules.iter().all(is_unchanged)
            && (asked == Asked::Nothing || program.is_some() && self.asked(code, asked) == program);
        let Kept { needed, parts, tested, findings, ranked_from, inputs, examples, .. } = kept;
        match tested {
            Some(tested) if holds && tested.name == target.name => {
                Known::Decided(Box::new(Decided { tested, parts, examples, inputs, needed, ranked_from }))
            }
            // Inputs stay useful even if the code has changed.
            _ => Known::Begun { findings: if holds { findings } else { Vec::new() }, ranked_from, inputs },
        }
    }

    fn read(&self, target: &Target) -> Option<Kept> {
        let key = self.key(target)?;
        let kept: Kept = postcard::from_bytes(&store::read(&self.folder.as_ref()?.join(file_of(&key)))?).ok()?;
        (kept.key == key && kept.name == target.name).then_some(kept)
    }

    /// Keeps a search that is running or was cut short.
    pub fn keep_begun(
        &self,
        target: &Target,
        needed: &Needed,
        findings: &[Judged],
        ranked_from: Option<[u8; 32]>,
        inputs: &[Vec<Term>],
    ) {
        self.keep(target, |key| KeptRef {
            key,
            name: target.name,
            needed,
            parts: Parts::default(),
            tested: None,
            findings,
            ranked_from,
            inputs,
            examples: &[],
        });
    }

    /// Keeps a search that is over. One that was completed need not be repeated.
    pub fn keep_tested(&self, target: &Target, over: &Decided) {
        let Decided { tested, parts, examples, inputs, needed, ranked_from } = over;
        if !is_decided(tested.exploration.ended) {
            return self.keep_begun(target, needed, &tested.exploration.findings, *ranked_from, inputs);
        }
        let (name, parts, ranked_from) = (target.name, *parts, *ranked_from);
        let tested = Some(tested);
        self.keep(target, |key| KeptRef {
            key,
            name,
            needed,
            parts,
            tested,
            findings: &[],
            ranked_from,
            inputs,
            examples,
        });
    }

    fn keep<'k>(&self, target: &Target, entry: impl FnOnce([u8; 32]) -> KeptRef<'k>) {
        if let Some(key) = self.key(target) {
            self.write(&file_of(&key), postcard::to_stdvec(&entry(key)));
        }
    }

    /// Writes an entry. If the disk is full or read-only, warns once and goes on.
    fn write(&self, file: &Path, bytes: postcard::Result<Vec<u8>>) {
        let Some(folder) = self.folder.as_deref() else { return };
        let written = bytes
            .map_err(std::io::Error::other)
            .and_then(|bytes| self.written.write(&files::Folder::create(folder)?, file, &store::file_of(&bytes)));
        if let Err(error) = written
            && !self.has_warned.swap(true, Ordering::Relaxed)
        {
            self.warnings.warn(&format!("results cannot be kept in {}: {error}", folder.display()));
        }
    }

    /// Returns what a result depends on that was made with these modules, and for which this was asked of all of the user's.
    pub fn needed(&self, code: &dyn Code, modules: impl Iterator<Item = Atom>, asked: Asked) -> Needed {
        let users: HashSet<Atom> = code.source_modules().map(|(module, _)| module).collect();
        let mut modules: Vec<Atom> = modules.collect();
        modules.sort_by_key(|module| module.text());
        modules.dedup();
        let needed = |name| NeededModule { name, digest: code.digest(name), is_users: users.contains(&name) };
        Needed { modules: modules.into_iter().map(needed).collect(), asked, program: self.asked(code, asked) }
    }

    /// Returns a digest of what was asked of the user's modules.
    fn asked(&self, code: &dyn Code, asked: Asked) -> Option<[u8; 32]> {
        match asked {
            Asked::Nothing => None,
            Asked::Names => {
                let mut hasher = Hasher::new();
                users(code).into_iter().for_each(|module| add_text(&mut hasher, module.text()));
                Some(*hasher.finalize().as_bytes())
            }
            Asked::Contents => *self.program.get_or_init(|| program(code)),
        }
    }

    /// Returns a digest of what findings are ranked from, beside what their search depends on: all of the user's modules, and
    /// these texts. `None` if the digest is unknown.
    pub fn ranked_from(&self, code: &dyn Code, texts: &[Arc<str>]) -> Option<[u8; 32]> {
        let mut hasher = Hasher::new();
        hasher.update(&self.asked(code, Asked::Contents)?);
        texts.iter().for_each(|text| add_text(&mut hasher, text));
        Some(*hasher.finalize().as_bytes())
    }

    fn key(&self, target: &Target) -> Option<[u8; 32]> {
        let mut hasher = Hasher::new();
        hasher.update(&self.conditions).update(&target.identity()?);
        Some(*hasher.finalize().as_bytes())
    }

    /// Reads samples of functions without meaning, except those whose modules have changed.
    pub fn read_samples(&self, code: &dyn Code, samples: &Samples) {
        let read = || -> Option<Vec<KeptSamples>> {
            postcard::from_bytes(&store::read(&self.folder.as_ref()?.join(self.samples_file()))?).ok()
        };
        for KeptSamples { module, function, arity, digest, points } in read().unwrap_or_default() {
            if is_as_it_was(code, module, digest) {
                for (args, delivered) in points {
                    let sample = delivered.map_or(Sample::Raised, Sample::Returned);
                    samples.record(FunctionName { module, function, arity }, &args, &sample);
                }
            }
        }
    }

    pub fn keep_samples(&self, code: &dyn Code, samples: &Samples) {
        if !self.is_kept() {
            return;
        }
        let all = samples.all().into_iter().map(|(FunctionName { module, function, arity }, points)| {
            let points = points.into_iter().map(|(args, sample)| {
                let args = args.iter().map(|arg| arg.0.clone()).collect();
                match sample {
                    Sample::Returned(value) => (args, Some(value)),
                    Sample::Raised => (args, None),
                }
            });
            KeptSamples { module, function, arity, digest: code.digest(module), points: points.collect() }
        });
        let all: Vec<KeptSamples> = all.collect();
        if !all.is_empty() {
            self.write(&self.samples_file(), postcard::to_stdvec(&all));
        }
    }

    fn samples_file(&self) -> PathBuf {
        Path::new("samples").join(blake3::Hash::from(self.conditions).to_hex().as_str())
    }
}

/// Returns the file of an entry, relative to the folder of results.
fn file_of(key: &[u8; 32]) -> PathBuf {
    Path::new("functions").join(blake3::Hash::from(*key).to_hex().as_str())
}

/// Returns a secret that no project knows. It is part of all keys, so that results which come with a checkout are not
/// believed.
fn secret() -> [u8; 32] {
    let kept = store::default_folder().and_then(|folder| files::secret(&folder.join("secret")).ok());
    kept.unwrap_or_else(|| {
        let mut own = [0; 32];
        // Without any secret, no kept result is found again.
        let _ = getrandom::fill(&mut own);
        own
    })
}

/// Returns all findings in a folder of results, even of outdated ones, without repetitions.
pub fn kept_findings(folder: &Path) -> Vec<(FunctionName, Judged)> {
    let mut found: Vec<(FunctionName, Judged)> = Vec::new();
    for entry in files::list(&folder.join("functions")) {
        let kept: Option<Kept> = store::read(&entry.path).and_then(|bytes| postcard::from_bytes(&bytes).ok());
        let Some(Kept { name, tested, findings, .. }) = kept else { continue };
        let decided = tested.map(|tested| tested.exploration.findings).unwrap_or_default();
        for judged in decided.into_iter().chain(findings) {
            // Findings that were kept for a report without words have no words to compare.
            let is_same = |(other, known): &&mut (FunctionName, Judged)| {
                let are_words_same = known.shown == judged.shown || known.shown.is_empty() || judged.shown.is_empty();
                *other == name && are_words_same && known.finding.inputs == judged.finding.inputs
            };
            match found.iter_mut().find(is_same) {
                Some((_, known)) if known.shown.is_empty() => *known = judged,
                Some(_) => {}
                None => found.push((name, judged)),
            }
        }
    }
    found
}

/// A borrowed [`Kept`], for writing.
#[derive(Serialize)]
struct KeptRef<'a> {
    key: [u8; 32],
    name: FunctionName,
    needed: &'a Needed,
    parts: Parts,
    tested: Option<&'a Tested>,
    findings: &'a [Judged],
    ranked_from: Option<[u8; 32]>,
    inputs: &'a [Vec<Term>],
    examples: &'a [Vec<InputValue>],
}

#[derive(Serialize, Deserialize)]
struct KeptSamples {
    module: Atom,
    function: Atom,
    arity: u32,
    digest: Option<Digest>,
    /// Arguments with what the function returned; `None` if it raised.
    points: Vec<(Vec<Term>, Option<Term>)>,
}

/// The inputs of a search that are worth keeping, without repetitions.
#[derive(Default)]
pub struct Inputs(Vec<Vec<Term>>);

impl Inputs {
    pub fn new(inputs: Vec<Vec<Term>>) -> Inputs {
        Inputs(inputs)
    }

    pub fn add(&mut self, args: &[Term]) {
        if self.0.len() < MOST_INPUTS && !self.0.iter().any(|known| known == args) {
            self.0.push(args.to_vec());
        }
    }

    pub fn all(&self) -> &[Vec<Term>] {
        &self.0
    }
}

/// The user's modules, in the order of their names.
fn users(code: &dyn Code) -> Vec<Atom> {
    let mut modules: Vec<Atom> = code.source_modules().map(|(module, _)| module).collect();
    modules.sort_by_key(|module| module.text());
    modules
}

/// Returns a digest of all of the user's modules; `None` if it is unknown whether one of them has changed.
fn program(code: &dyn Code) -> Option<[u8; 32]> {
    let mut hasher = Hasher::new();
    for module in users(code) {
        add_text(&mut hasher, module.text());
        // A source has a digest once it was compiled. A broken one has no content, whatever it says.
        let digest =
            code.digest(module).map_or_else(|| code.load(module).map(|_| code.digest(module)), |it| Ok(Some(it)));
        match digest {
            Ok(Some(Digest::Of(digest))) => hasher.update(&[1]).update(&digest),
            Ok(Some(Digest::Absent)) => hasher.update(&[2]),
            Ok(None) => return None,
            Err(_) => hasher.update(&[3]),
        };
    }
    Some(*hasher.finalize().as_bytes())
}

/// Adds a text with its length.
fn add_text(hasher: &mut Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
}

/// Returns whether a module is known not to have changed, which takes a digest.
fn is_as_it_was(code: &dyn Code, module: Atom, digest: Option<Digest>) -> bool {
    digest.is_some() && code.digest(module) == digest
}
