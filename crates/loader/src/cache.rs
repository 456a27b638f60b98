//! Lowered modules on disk, under names made of everything that they depend on.
//!
//! A BEAM file depends on nothing but itself. A source file depends on headers and transforms that are known only after
//! it has been compiled, so it has two entries: under its own digest, the list of the files that it needed, each with
//! its digest at that time; and under the digest of all of them, the module.

use blake3::{Hash, Hasher};
use oracle::{Added, CompileOptions, store};
use program::Module;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use term::Atom;

/// The cache, with the digests that all entries depend on: those of the runtime and of Beagle itself.
pub(crate) struct Cache<'a> {
    pub folder: &'a Path,
    pub fingerprint: [u8; 32],
    pub built_from: &'static str,
}

/// The additions to the code of a BEAM file.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Plain,
    Marked,
    Traced,
    /// Code with additions to its Core.
    With(Added),
}

/// Files with the digests that they had; `None` for a file that did not exist.
type Needed = Vec<(PathBuf, Option<[u8; 32]>)>;

impl Cache<'_> {
    pub fn beam_key(&self, beam: &[u8], form: Form) -> Hash {
        let kind = match form {
            Form::Plain => "beam".to_string(),
            Form::Marked => "marked beam".to_string(),
            Form::Traced => format!("traced beam {}", oracle::narration()),
            Form::With(added) => format!("beam with {}", added.option()),
        };
        self.hasher(&kind).update(beam).finalize()
    }

    /// Returns the key of an embedded module, which depends on no other file.
    pub fn embedded_key(&self, source: &[u8]) -> Hash {
        self.hasher("embedded").update(source).finalize()
    }

    /// Returns the key of the list of needed files. The path is part of it, because it appears in the code.
    pub fn source_key(&self, file: &Path, source: &[u8], options: &CompileOptions) -> Hash {
        let mut hasher = self.hasher("source");
        let path = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
        let texts = [format!("{}", file.display()), format!("{}", path.display()), format!("{options:?}")];
        for text in texts {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        hasher.update(source).finalize()
    }

    fn hasher(&self, kind: &str) -> Hasher {
        let mut hasher = Hasher::new();
        hasher.update(kind.as_bytes()).update(&[0]).update(&self.fingerprint);
        hasher.update(self.built_from.as_bytes()).update(&[0]);
        hasher
    }

    pub fn module(&self, key: &Hash, name: Atom) -> Option<Module> {
        let bytes = store::read(&self.module_file(key))?;
        program::decode(bytes.into()).ok().filter(|module| module.name == name)
    }

    /// Keeps a module, unless it cannot be written.
    pub fn keep_module(&self, key: &Hash, module: &Module) {
        if let Ok(bytes) = program::encode(module) {
            let _ = store::write(&self.module_file(key), &bytes);
        }
    }

    /// Returns the object code that the runtime loads for a source file.
    pub fn object_code(&self, key: &Hash) -> Option<Vec<u8>> {
        store::read(&self.object_file(key))
    }

    pub fn keep_object_code(&self, key: &Hash, code: &[u8]) {
        let _ = store::write(&self.object_file(key), code);
    }

    /// Returns the key of the module, if no file that it needed has changed.
    pub fn module_key_of_source(&self, source_key: &Hash) -> Option<Hash> {
        let needed: Needed = postcard::from_bytes(&store::read(&self.needed_file(source_key))?).ok()?;
        needed.iter().all(|(file, known)| digest(file) == *known).then(|| module_key(source_key, &needed))
    }

    /// Keeps the list of needed files and returns the key of the module. If a file has changed since `start`, nothing
    /// is kept, because that may not be the version that was compiled.
    pub fn keep_needed(&self, source_key: &Hash, files: &[PathBuf], start: SystemTime) -> Option<Hash> {
        let is_newer = |file: &PathBuf| files::modified(file).is_some_and(|time| time >= start);
        let needed: Needed = files.iter().map(|file| (file.clone(), digest(file))).collect();
        // A change of a file that the compiler may read and Beagle may not would go unnoticed.
        let is_unseen = |(file, digest): &(PathBuf, Option<[u8; 32]>)| digest.is_none() && files::is_there(file);
        if files.iter().any(is_newer) || needed.iter().any(is_unseen) {
            return None;
        }
        store::write(&self.needed_file(source_key), &postcard::to_stdvec(&needed).ok()?).ok()?;
        Some(module_key(source_key, &needed))
    }

    fn module_file(&self, key: &Hash) -> PathBuf {
        self.folder.join("modules").join(key.to_hex().as_str())
    }

    fn object_file(&self, key: &Hash) -> PathBuf {
        self.folder.join("objects").join(key.to_hex().as_str())
    }

    fn needed_file(&self, key: &Hash) -> PathBuf {
        self.folder.join("sources").join(key.to_hex().as_str())
    }
}

fn digest(file: &Path) -> Option<[u8; 32]> {
    files::read(file).ok().map(|bytes| *blake3::hash(&bytes).as_bytes())
}

fn module_key(source_key: &Hash, needed: &Needed) -> Hash {
    let mut hasher = Hasher::new();
    hasher.update(source_key.as_bytes());
    for (file, digest) in needed {
        let path = file.as_os_str().as_encoded_bytes();
        hasher.update(&(path.len() as u64).to_le_bytes()).update(path).update(&[u8::from(digest.is_some())]);
        hasher.update(&digest.unwrap_or_default());
    }
    hasher.finalize()
}
