//! The digest of the binary's sources covers everything that the binary is made of, and nothing else.

use built::{digest, sources_of_binary};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder").filter_map(Result::ok) {
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(from, to).expect("a copy");
    }
}

fn own_digest(root: &Path) -> String {
    digest(root, &sources_of_binary(root).expect("a workspace")).expect("the sources")
}

#[test]
fn a_change_of_any_crate_changes_the_digest_and_another_checkout_does_not() {
    let (own, other) = (root(), tempfile::tempdir().expect("a folder"));
    let sources = sources_of_binary(&own).expect("a workspace");
    sources.iter().for_each(|source| copy(&own.join(source), &other.path().join(source)));
    let before = own_digest(&own);
    assert_eq!(own_digest(other.path()), before);
    for source in sources.iter().filter(|source| source.ends_with("/src")) {
        let added = other.path().join(source).join("a_new_source.rs");
        fs::write(&added, "// Changed.\n").expect("a file");
        assert_ne!(own_digest(other.path()), before, "{source}");
        fs::remove_file(added).expect("removable");
    }
    for source in sources.iter().filter(|source| !source.ends_with("/src")) {
        let file = other.path().join(source);
        let text = fs::read_to_string(&file).expect("a source");
        fs::write(&file, text.replace('\n', "\r\n")).expect("a file");
        assert_eq!(own_digest(other.path()), before, "{source}: ends of lines are not the program");
        fs::write(&file, format!("{text}\n")).expect("a file");
        assert_ne!(own_digest(other.path()), before, "{source}");
        fs::write(&file, text).expect("a file");
    }
    assert_eq!(own_digest(other.path()), before);
}

/// What is not in the digest must not be in the binary.
#[test]
fn crates_of_the_binary_use_no_crate_that_is_left_out() {
    let sources = sources_of_binary(&root()).expect("a workspace");
    let is_part = |name: &str| sources.contains(&format!("crates/{name}/src"));
    let mut manifests = 0;
    for source in sources.iter().filter(|source| source.starts_with("crates/") && source.ends_with("/Cargo.toml")) {
        let text = fs::read_to_string(root().join(source)).expect("a manifest");
        let used = text.split("[dev-dependencies]").next().unwrap_or_default();
        for line in used.lines().filter_map(|line| line.strip_prefix("beagle-")) {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            assert!(is_part(name), "{source} uses {name}");
        }
        manifests += 1;
    }
    assert!(manifests > 20);
}

/// Files that sources include are sources.
#[test]
fn included_files_are_in_the_digest() {
    let root = root().canonicalize().expect("a workspace");
    let sources = sources_of_binary(&root).expect("a workspace");
    let mut pending: Vec<PathBuf> = sources.iter().map(|source| root.join(source)).collect();
    let mut included = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(path).expect("a folder").filter_map(Result::ok).map(|entry| entry.path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        // Tests may include what they like.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for rest in ["include_str!(\"", "include_bytes!(\""].iter().flat_map(|start| text.split(start).skip(1)) {
            let name = rest.split('"').next().unwrap_or_default();
            let file = path.parent().expect("a folder").join(name).canonicalize().expect("an included file");
            let name = file.strip_prefix(&root).expect("a file of the workspace").to_string_lossy().into_owned();
            let is_in = |source: &String| name == *source || name.starts_with(&format!("{source}/"));
            assert!(sources.iter().any(is_in), "{name} is included and not in the digest");
            let alone = digest(&root, &[&name]).expect("a source");
            assert_ne!(alone, digest(&root, &[] as &[&str]).expect("nothing"), "{name} does not count as a source");
            included += 1;
        }
    }
    assert!(included > 10, "only {included}");
}
