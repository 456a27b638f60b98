//! Finds the files of code that have changed since a revision, with the help of git.
//!
//! A repository's own configuration and attributes can name programs: filters, drivers of differences, monitors,
//! helpers that fetch missing objects. So git is asked only for what it has stored and for digests of files as they
//! are, by commands that start no program, and the comparison is made here. A file that git would filter or convert
//! first counts as changed.

use anyhow::{Context, anyhow, bail};
use files::Kind;
use sandbox::Ran;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The number of files that git is asked about at once.
const MOST_NAMES: usize = 500;

/// The extensions of files of code.
const EXTENSIONS: [&str; 4] = ["erl", "hrl", "ex", "exs"];

/// Returns the files of a folder that were committed since the revision, are not committed, or are unknown to git.
/// Their paths are absolute, and links are followed.
pub fn changed_since(revision: &str, folder: &Path) -> anyhow::Result<HashSet<PathBuf>> {
    let root = match git(folder, &["rev-parse", "--show-toplevel"])? {
        Ok(root) => PathBuf::from(root.trim_end_matches('\n')),
        Err(_) => bail!("--changed-since {revision}: {} is not in a git repository", folder.display()),
    };
    // The configuration of a repository can name any other folder.
    let scope = files::resolve(folder).unwrap_or_else(|_| folder.to_path_buf());
    if !files::is_below(&scope, &root) {
        bail!("--changed-since {revision}: {} is not in the working tree of its git repository", folder.display());
    }
    // git would take a revision that begins with a dash for an option.
    let commit = format!("{revision}^{{commit}}");
    let commit = match git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])? {
        Ok(commit) if !revision.starts_with('-') => commit.trim().to_string(),
        _ => bail!("--changed-since {revision}: git does not know this revision; name a commit, a branch or a tag"),
    };
    let mut changed = HashSet::new();
    collect(&commit, &root, &scope, &mut changed)?;
    with_includers(&mut changed, &scope);
    Ok(changed)
}

/// Collects what has changed in the part of a repository that is in `scope`, and in the repositories inside of it.
fn collect(commit: &str, root: &Path, scope: &Path, changed: &mut HashSet<PathBuf>) -> anyhow::Result<()> {
    let args = ["ls-tree", "-r", "-z", "--full-tree", commit];
    let listed = git(root, &args)?.map_err(|said| anyhow!("git {}: {}", args.join(" "), said.trim()))?;
    let (mut stored, mut known) = (Vec::new(), HashSet::new());
    // Each line has the form `100644 blob 0123…<TAB>src/m.erl`.
    for (head, name) in listed.split('\0').filter_map(|line| line.split_once('\t')) {
        let path = root.join(name);
        match head.split(' ').collect::<Vec<_>>()[..] {
            _ if !path.starts_with(scope) => {}
            [_, "commit", inner] => collect_inner(Some(inner), &path, scope, changed)?,
            [_, "blob", digest] if is_code(&path) => {
                known.insert(path.clone());
                stored.push((path, digest));
            }
            _ => {}
        }
    }
    let (present, others): (Vec<_>, Vec<_>) = stored.into_iter().partition(|(path, _)| files::is_file(path));
    changed.extend(others.into_iter().map(|(path, _)| real(path)));
    for some in present.chunks(MOST_NAMES) {
        let names: Vec<&str> = some.iter().filter_map(|(path, _)| path.to_str()).collect();
        let digests = git(root, &[&["hash-object", "--no-filters", "--"], &names[..]].concat())?;
        let digests = digests.map_err(|said| anyhow!("git hash-object: {}", said.trim()))?;
        let mut digests = digests.lines();
        changed.extend(some.iter().filter(|(_, was)| digests.next() != Some(*was)).map(|(path, _)| real(path.clone())));
    }
    collect_new(root, scope, &known, changed)
}

/// Collects the files that the commit does not have and git does not ignore. A folder is listed if it is a repository
/// of its own.
fn collect_new(
    root: &Path,
    scope: &Path,
    known: &HashSet<PathBuf>,
    changed: &mut HashSet<PathBuf>,
) -> anyhow::Result<()> {
    let args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let listed = git(root, &args)?.map_err(|said| anyhow!("git {}: {}", args.join(" "), said.trim()))?;
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let path = root.join(name);
        match name.ends_with('/') {
            _ if !path.starts_with(scope) => {}
            true => collect_inner(None, &path, scope, changed)?,
            false if is_code(&path) && !known.contains(&path) => drop(changed.insert(real(path))),
            false => {}
        }
    }
    Ok(())
}

/// Collects what has changed in a repository inside of another. `was` is the commit that the outer one recorded for it.
/// Without that commit, or if it was not fetched, all files are new.
fn collect_inner(was: Option<&str>, inner: &Path, scope: &Path, changed: &mut HashSet<PathBuf>) -> anyhow::Result<()> {
    if files::kind(inner) != Some(Kind::Folder) || !files::is_there(&inner.join(".git")) {
        return Ok(());
    }
    let is_known = |commit: &&str| git(inner, &["cat-file", "-e", commit]).is_ok_and(|found| found.is_ok());
    if let Some(was) = was.filter(is_known) {
        return collect(was, inner, scope, changed);
    }
    let args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let listed = git(inner, &args)?.unwrap_or_default();
    let paths = listed.split('\0').filter(|name| !name.is_empty()).map(|name| inner.join(name));
    changed.extend(paths.filter(|path| is_code(path)).map(real));
    Ok(())
}

fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|found| EXTENSIONS.iter().any(|wanted| found == *wanted))
}

fn real(path: PathBuf) -> PathBuf {
    files::resolve(&path).unwrap_or(path)
}

/// Adds the files that include a changed header, directly or through other headers.
fn with_includers(changed: &mut HashSet<PathBuf>, scope: &Path) {
    let is_header = |file: &Path| file.extension().is_some_and(|extension| extension == "hrl");
    if !changed.iter().any(|file| is_header(file)) {
        return;
    }
    let sources = crate::project::files_below(scope, &["erl", "hrl"]).into_iter();
    let sources: Vec<(PathBuf, HashSet<String>)> = sources
        .map(|file| (included(&files::read_text(&file).unwrap_or_default()), real(file)))
        .map(|(included, file)| (file, included))
        .collect();
    loop {
        let headers: HashSet<String> =
            changed.iter().filter(|file| is_header(file)).filter_map(|file| name(file)).collect();
        let more = sources.iter().filter(|(_, included)| !included.is_disjoint(&headers));
        let before = changed.len();
        changed.extend(more.map(|(file, _)| file.clone()).collect::<Vec<_>>());
        if changed.len() == before {
            return;
        }
    }
}

/// Returns the names of the headers that a source includes, without their folders.
fn included(source: &str) -> HashSet<String> {
    let lines = source.lines().map(str::trim_start).filter(|line| line.starts_with("-include"));
    lines.filter_map(|line| line.split('"').nth(1)).filter_map(|path| name(Path::new(path))).collect()
}

fn name(file: &Path) -> Option<String> {
    Some(file.file_name()?.to_string_lossy().into_owned())
}

/// Settings that keep git from starting programs, even if the repository's own configuration says otherwise. They also
/// keep git from reading files that this configuration names; its lists of ignored files do not matter for code.
const SETTINGS: [&str; 9] = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false", "core.sshCommand=false",
    "core.gitProxy=", "core.alternateRefsCommand=false", "protocol.allow=never", "core.excludesFile=/dev/null",
    "core.attributesFile=/dev/null",
];

/// The longest time that is granted to git, which suffices for the largest repositories. The limit is needed because
/// git reads files of the repository by itself, and one of them could be a pipe without an end.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// The number of bytes of the longest list of files.
const MOST_OUTPUT: u64 = 1 << 30;

/// Returns the standard output of git, or its standard error if it failed.
fn git(folder: &Path, args: &[&str]) -> anyhow::Result<Result<String, String>> {
    let program =
        files::find_executable(Path::new("git")).context("--changed-since needs git, which is not in PATH")?;
    let mut command = Command::new(program);
    command.arg("--no-pager").arg("-C").arg(std::path::absolute(folder)?);
    command.args(SETTINGS.iter().flat_map(|setting| ["-c", *setting])).args(args);
    // A wrapper of a version manager that is found in place of the real git may look for files in the current folder.
    command.current_dir("/");
    // Objects that a partial clone lacks are not fetched, and the index is not refreshed.
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none").env("GIT_OPTIONAL_LOCKS", "0");
    command.env("GIT_TERMINAL_PROMPT", "0");
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
