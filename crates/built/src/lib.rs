//! Digests of the sources that a build is made of, for build scripts. Does not interpret the sources.
//!
//! A digest is the same on every machine and in every checkout of the same sources: names are relative to a folder and
//! sorted, and neither times nor line endings count. So it can be part of the key of anything that one build leaves for
//! the next.

use std::path::Path;
use std::{fs, io};

/// Files with other names are not sources.
const EXTENSIONS: [&str; 8] = ["rs", "erl", "hrl", "css", "txt", "md", "toml", "lock"];

/// Crates that the binary does not contain.
const NOT_PART: [&str; 3] = ["bench", "cases", "fuzz"];

/// Sources of the binary outside of the crates.
const BESIDES: [&str; 3] = ["Cargo.toml", "Cargo.lock", "docs/codes.md"];

/// Lists the files and folders that decide what the binary does, relative to the root of the workspace.
pub fn sources_of_binary(root: &Path) -> io::Result<Vec<String>> {
    let mut sources: Vec<String> = BESIDES.map(str::to_string).to_vec();
    for entry in fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if NOT_PART.contains(&name.as_str()) {
            continue;
        }
        let parts = ["src", "build.rs", "Cargo.toml"].map(|part| format!("crates/{name}/{part}"));
        sources.extend(parts.into_iter().filter(|part| root.join(part).exists()));
    }
    sources.sort();
    Ok(sources)
}

/// Has cargo run the build script again when one of the sources changes, and only then.
pub fn watch(root: &Path, sources: &[impl AsRef<str>]) {
    for source in sources {
        println!("cargo::rerun-if-changed={}", root.join(source.as_ref()).display());
    }
}

/// Returns the digest of files and folders in `root`.
pub fn digest(root: &Path, sources: &[impl AsRef<str>]) -> io::Result<String> {
    let mut files = Vec::new();
    for source in sources {
        collect(root, source.as_ref(), &mut files)?;
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for (name, text) in &files {
        for part in [name.as_bytes(), text] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Adds the sources in a file or folder, by their names relative to `root`, without carriage returns.
fn collect(root: &Path, source: &str, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let path = root.join(source);
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(root, &format!("{source}/{}", entry?.file_name().to_string_lossy()), files)?;
        }
    } else if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
        let text = fs::read(path)?.into_iter().filter(|byte| *byte != b'\r').collect();
        files.push((source.to_string(), text));
    }
    Ok(())
}
