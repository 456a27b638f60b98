//! Which files have changed since a revision, as git says.

use anyhow::{Context, anyhow, bail};
use sandbox::Ran;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Committed since, not committed, and not known to git at all. Absolute, links followed.
pub fn changed_since(revision: &str, folder: &Path) -> anyhow::Result<HashSet<PathBuf>> {
    let root = match git(folder, &["rev-parse", "--show-toplevel"])? {
        Ok(root) => PathBuf::from(root.trim_end_matches('\n')),
        Err(_) => bail!("--changed-since {revision}: {} is not in a git repository", folder.display()),
    };
    // What begins with a dash would be an option.
    let commit = format!("{revision}^{{commit}}");
    let commit = match git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])? {
        Ok(commit) if !revision.starts_with('-') => commit.trim().to_string(),
        _ => bail!("--changed-since {revision}: git does not know this revision; name a commit, a branch or a tag"),
    };
    let mut files = HashSet::new();
    collect(&commit, &root, &mut files)?;
    with_includers(&mut files, &root)?;
    Ok(files)
}

/// Files that have changed in a repository, and in those inside of it.
fn collect(commit: &str, root: &Path, files: &mut HashSet<PathBuf>) -> anyhow::Result<()> {
    for args in [
        &["diff", "--name-only", "--no-renames", "--ignore-submodules=none", "-z", commit, "--"][..],
        &["ls-files", "--others", "--exclude-standard", "-z"][..],
    ] {
        let listed = git(root, args)?.map_err(|said| anyhow!("git {}: {}", args.join(" "), said.trim()))?;
        for name in listed.split('\0').filter(|name| !name.is_empty()) {
            let path = root.join(name);
            if path.is_dir() {
                collect_inner(commit, root, name, files)?;
            } else {
                files.insert(path.canonicalize().unwrap_or(path));
            }
        }
    }
    Ok(())
}

/// A folder is listed if it is a repository of its own: the outer one knows the commit that it was at. Without one, or if
/// that was not fetched, all of it is new.
fn collect_inner(commit: &str, root: &Path, name: &str, files: &mut HashSet<PathBuf>) -> anyhow::Result<()> {
    let inner = root.join(name);
    let is_known = |commit: &String| git(&inner, &["cat-file", "-e", commit]).is_ok_and(|found| found.is_ok());
    let object = format!("{commit}:{}", name.trim_end_matches('/'));
    let was = git(root, &["rev-parse", "--verify", "--quiet", &object])?.map(|was| was.trim().to_string());
    if let Some(was) = was.ok().filter(is_known) {
        return collect(&was, &inner, files);
    }
    let listed = git(&inner, &["ls-files", "--cached", "--others", "--exclude-standard", "-z"])?.unwrap_or_default();
    let names = listed.split('\0').filter(|name| !name.is_empty());
    files.extend(names.map(|name| inner.join(name)).filter_map(|file| file.canonicalize().ok()));
    Ok(())
}

/// What a changed header is included in has changed, too; and so on.
fn with_includers(files: &mut HashSet<PathBuf>, root: &Path) -> anyhow::Result<()> {
    let is_header = |file: &Path| file.extension().is_some_and(|extension| extension == "hrl");
    if !files.iter().any(|file| is_header(file)) {
        return Ok(());
    }
    let args = ["ls-files", "--cached", "--recurse-submodules", "-z", "--", "*.erl", "*.hrl"];
    let mut listed = git(root, &args)?.unwrap_or_default();
    // Git lists both at once only of a single repository.
    listed +=
        &git(root, &["ls-files", "--others", "--exclude-standard", "-z", "--", "*.erl", "*.hrl"])?.unwrap_or_default();
    let sources: Vec<(PathBuf, HashSet<String>)> = listed
        .split('\0')
        .filter(|name| !name.is_empty())
        .filter_map(|name| root.join(name).canonicalize().ok())
        .map(|file| (included(&sandbox::read_to_string(&file).unwrap_or_default()), file))
        .map(|(included, file)| (file, included))
        .collect();
    loop {
        let headers: HashSet<String> =
            files.iter().filter(|file| is_header(file)).filter_map(|file| name(file)).collect();
        let more = sources.iter().filter(|(_, included)| !included.is_disjoint(&headers));
        let before = files.len();
        files.extend(more.map(|(file, _)| file.clone()).collect::<Vec<_>>());
        if files.len() == before {
            return Ok(());
        }
    }
}

/// Names of headers, without their folders.
fn included(source: &str) -> HashSet<String> {
    let lines = source.lines().map(str::trim_start).filter(|line| line.starts_with("-include"));
    lines.filter_map(|line| line.split('"').nth(1)).filter_map(|path| name(Path::new(path))).collect()
}

fn name(file: &Path) -> Option<String> {
    Some(file.file_name()?.to_string_lossy().into_owned())
}

/// Longer than git takes for the largest repositories.
const LONGEST_WAIT: Duration = Duration::from_secs(600);
/// Bytes of a list of files.
const MOST_OUTPUT: u64 = 1 << 30;

/// Returns the standard output of git, or its standard error if it failed.
fn git(folder: &Path, args: &[&str]) -> anyhow::Result<Result<String, String>> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(args);
    let Ran { status, output, errors } =
        sandbox::run(command, LONGEST_WAIT, MOST_OUTPUT).context("--changed-since needs git, which did not answer")?;
    Ok(match status.success() {
        true => Ok(String::from_utf8_lossy(&output).into_owned()),
        false => Err(String::from_utf8_lossy(&errors).into_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::included;

    #[test]
    fn included_headers_are_known_by_name() {
        let found = included(
            "-module(m).\n-include(\"a.hrl\").\n -include_lib(\"lib/include/b.hrl\").\n%% -include(\"c.hrl\").\n",
        );
        let mut found: Vec<&str> = found.iter().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found, ["a.hrl", "b.hrl"]);
    }
}
