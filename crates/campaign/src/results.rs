//! Results of functions, kept from one command to the next.
//!
//! An entry is valid as long as nothing has changed: the options, Beagle itself, the solver, and every module that the
//! search called or took types from. A function that was decided is then reported again without a search. A search that
//! was cut short or killed begins with the inputs that had reached something new, and with what it had found.

use crate::observer::Warnings;
use blake3::Hasher;
use formula::{Sample, Samples};
use frontend::{Code, Digest};
use oracle::store;
use path::InputValue;
use report::{Judged, Tested};
use search::Ended;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;
use term::{Atom, FunctionName, Term};

/// The most inputs of one function that are kept.
const MOST_INPUTS: usize = 500;

/// Modules with their digests; `None` where nobody can say what a module was made of.
pub type Needed = Vec<(Atom, Option<Digest>)>;

/// What is known of one function.
#[derive(Serialize, Deserialize)]
struct Kept {
    name: FunctionName,
    needed: Needed,
    /// The result of a search that came to its end.
    tested: Option<Tested>,
    /// The findings of a search that did not.
    findings: Vec<Judged>,
    inputs: Vec<Vec<Term>>,
    /// Inputs of the first paths, if tests of paths were wanted.
    examples: Option<Vec<Vec<InputValue>>>,
}

/// What an earlier command left.
pub enum Known {
    Decided(Box<Decided>),
    /// Findings that are still valid, and inputs that had reached something new.
    Begun {
        findings: Vec<Judged>,
        inputs: Vec<Vec<Term>>,
    },
    Nothing,
}

pub struct Decided {
    pub tested: Tested,
    /// `None` if nobody wanted them then.
    pub examples: Option<Vec<Vec<InputValue>>>,
    pub needed: Needed,
}

#[derive(Default)]
pub struct Results {
    /// `None`: nothing is kept.
    folder: Option<PathBuf>,
    conditions: [u8; 32],
    warnings: Warnings,
    has_warned: AtomicBool,
}

impl Results {
    /// `folder` is where results are kept; `conditions` are what they depend on beside the modules.
    pub fn new(folder: PathBuf, conditions: &[String], warnings: Warnings) -> Results {
        let mut hasher = Hasher::new();
        for text in [&ourselves()].into_iter().chain(conditions) {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        let conditions = *hasher.finalize().as_bytes();
        Results { folder: Some(folder), conditions, warnings, has_warned: AtomicBool::new(false) }
    }

    pub fn is_kept(&self) -> bool {
        self.folder.is_some()
    }

    /// `with_examples`: a result without examples is not enough.
    pub fn known(&self, code: &dyn Code, name: FunctionName, with_examples: bool) -> Known {
        let read = || -> Option<Kept> { postcard::from_bytes(&store::read(&self.file(name)?)?).ok() };
        let Some(kept) = read() else { return Known::Nothing };
        let holds = kept.needed.iter().all(|(module, digest)| is_as_it_was(code, *module, *digest));
        match kept.tested {
            Some(tested) if holds && tested.name == name && (kept.examples.is_some() || !with_examples) => {
                Known::Decided(Box::new(Decided { tested, examples: kept.examples, needed: kept.needed }))
            }
            // Inputs stay useful whatever became of the code.
            _ => Known::Begun { findings: if holds { kept.findings } else { Vec::new() }, inputs: kept.inputs },
        }
    }

    /// Keeps a search that is under way or was cut short.
    pub fn keep_begun(&self, name: FunctionName, needed: Needed, findings: &[Judged], inputs: &[Vec<Term>]) {
        let (findings, inputs) = (findings.to_vec(), inputs.to_vec());
        let kept = Kept { name, needed, tested: None, findings, inputs, examples: None };
        self.keep(name, &kept);
    }

    /// Keeps a search that is over; one that came to its end need not be made again.
    pub fn keep_tested(
        &self,
        needed: Needed,
        tested: &Tested,
        inputs: &[Vec<Term>],
        examples: Option<&[Vec<InputValue>]>,
    ) {
        let name = tested.name;
        if !matches!(tested.exploration.ended, Ended::Done | Ended::Stuck) {
            return self.keep_begun(name, needed, &tested.exploration.findings, inputs);
        }
        let Some(file) = self.file(name) else { return };
        let entry = KeptRef { name, needed, tested: Some(tested), findings: &[], inputs, examples };
        self.write(&file, postcard::to_stdvec(&entry));
    }

    fn keep(&self, name: FunctionName, kept: &Kept) {
        if let Some(file) = self.file(name) {
            self.write(&file, postcard::to_stdvec(kept));
        }
    }

    /// A disk that is full or read-only deserves a warning, but is no reason to stop.
    fn write(&self, file: &Path, bytes: postcard::Result<Vec<u8>>) {
        let written = bytes.map_err(std::io::Error::other).and_then(|bytes| store::write(file, &bytes));
        if let Err(error) = written
            && !self.has_warned.swap(true, Ordering::Relaxed)
        {
            let folder = self.folder.as_deref().unwrap_or(file);
            self.warnings.warn(&format!("results cannot be kept in {}: {error}", folder.display()));
        }
    }

    fn file(&self, name: FunctionName) -> Option<PathBuf> {
        let FunctionName { module, function, arity } = name;
        let mut hasher = Hasher::new();
        hasher.update(&self.conditions).update(format!("{module}\0{function}\0{arity}").as_bytes());
        Some(self.folder.as_ref()?.join("functions").join(hasher.finalize().to_hex().as_str()))
    }

    /// Reads samples of functions without meaning, as far as their modules have not changed.
    pub fn read_samples(&self, code: &dyn Code, samples: &Samples) {
        let read = || -> Option<Vec<KeptSamples>> { postcard::from_bytes(&store::read(&self.samples_file()?)?).ok() };
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
        let Some(file) = self.samples_file() else { return };
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
            self.write(&file, postcard::to_stdvec(&all));
        }
    }

    fn samples_file(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("samples").join(blake3::Hash::from(self.conditions).to_hex().as_str()))
    }
}

/// All findings in a folder of results, whatever they depend on, without repetitions.
pub fn kept_findings(folder: &Path) -> Vec<(FunctionName, Judged)> {
    let mut found: Vec<(FunctionName, Judged)> = Vec::new();
    for entry in files::list(&folder.join("functions")) {
        let kept: Option<Kept> = store::read(&entry.path).and_then(|bytes| postcard::from_bytes(&bytes).ok());
        let Some(Kept { name, tested, findings, .. }) = kept else { continue };
        let decided = tested.map(|tested| tested.exploration.findings).unwrap_or_default();
        for judged in decided.into_iter().chain(findings) {
            let same = |(other, known): &(FunctionName, Judged)| {
                *other == name && known.shown == judged.shown && known.finding.inputs == judged.finding.inputs
            };
            if !found.iter().any(same) {
                found.push((name, judged));
            }
        }
    }
    found
}

/// [`Kept`], to be written.
#[derive(Serialize)]
struct KeptRef<'a> {
    name: FunctionName,
    needed: Needed,
    tested: Option<&'a Tested>,
    findings: &'a [Judged],
    inputs: &'a [Vec<Term>],
    examples: Option<&'a [Vec<InputValue>]>,
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

/// The modules with their digests.
pub fn needed(code: &dyn Code, modules: impl Iterator<Item = Atom>) -> Needed {
    let mut modules: Vec<Atom> = modules.collect();
    modules.sort_by_key(|module| module.text());
    modules.dedup();
    modules.into_iter().map(|module| (module, code.digest(module))).collect()
}

/// Whether a module has not changed. Without a digest, nobody can say.
fn is_as_it_was(code: &dyn Code, module: Atom, digest: Option<Digest>) -> bool {
    digest.is_some() && code.digest(module) == digest
}

/// Identifies this build of Beagle.
fn ourselves() -> String {
    let file = std::env::current_exe().and_then(std::fs::metadata);
    let stamp = file.map(|data| (data.len(), data.modified().unwrap_or(SystemTime::UNIX_EPOCH)));
    format!("{} {stamp:?}", env!("CARGO_PKG_VERSION"))
}
