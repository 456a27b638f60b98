//! The record of permissions: the projects that Beagle works on, and the paths that the user has granted besides.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static AUTHORITY: RwLock<Authority> = RwLock::new(Authority::new());

/// The number of refusals that are reported.
const MOST_TOLD: usize = 5;

struct Authority {
    /// The function that refusals are reported to. Without it nothing is refused, because there is no user who could
    /// grant anything.
    warn: Option<fn(&str)>,
    projects: Vec<Project>,
    /// Folders without a project that are tested, each by its name and by where it leads.
    tested: Vec<[PathBuf; 2]>,
    granted: Vec<Grant>,
    told: Option<HashSet<PathBuf>>,
    runs_tools: bool,
    /// Whether a project of another user takes part.
    forbids_tools: bool,
}

/// The user lets Beagle read a file, or a folder with everything below it.
#[derive(PartialEq, Eq)]
struct Grant {
    real: PathBuf,
    /// The file of the user's own that says so.
    by: Option<PathBuf>,
}

struct Project {
    /// The path by which paths below it are named.
    named: PathBuf,
    /// The same path with all links followed.
    real: PathBuf,
    folder: Arc<OwnedFd>,
}

/// Lets this process read only projects and what is granted from now on. `warn` gets a sentence for each refusal.
pub fn confine(warn: fn(&str)) {
    change().warn = Some(warn);
}

/// Declares a folder to be a project: its content may be read, and is not trusted. Its root is opened once, here.
pub fn add_project(root: &Path) -> io::Result<()> {
    let named = std::path::absolute(root)?;
    let real = fs::canonicalize(&named)?;
    let mut authority = change();
    if authority.projects.iter().all(|known| known.named != named) {
        let folder = Arc::new(crate::walk::open_real_folder(&real)?);
        authority.projects.push(Project { named, real, folder });
    }
    drop(authority);
    revoke_tested();
    Ok(())
}

/// Records that the user lets Beagle read a file, or a folder with everything below it, which need not exist yet.
pub fn grant(path: &Path) {
    grant_for(path, None);
}

/// Records the same because a file of the user's own says so: until that file turns out to lie in a folder that is tested,
/// whose author may have written it.
pub fn grant_by(file: &Path, path: &Path) {
    grant_for(path, Some(file));
}

fn grant_for(path: &Path, by: Option<&Path>) {
    let Ok(absolute) = std::path::absolute(path) else { return };
    let existing = absolute.ancestors().find_map(|outer| Some((outer, fs::canonicalize(outer).ok()?)));
    if let Some((outer, real)) = existing {
        let real = absolute.strip_prefix(outer).map_or_else(|_| real.clone(), |rest| real.join(rest));
        let grant = Grant { real, by: by.map(Path::to_path_buf) };
        let mut authority = change();
        if !authority.granted.contains(&grant) {
            authority.granted.push(grant);
        }
    }
}

/// Takes back what files of the user's own have granted that lie in what is tested.
fn revoke_tested() {
    let files: HashSet<PathBuf> = look().granted.iter().filter_map(|grant| grant.by.clone()).collect();
    for file in files.into_iter().filter(|file| is_tested(file)) {
        change().granted.retain(|grant| grant.by.as_ref() != Some(&file));
        tell_ignored(&file);
    }
}

/// Tells the user, once, that a file of their own is ignored because it lies in what is tested.
pub fn tell_ignored(file: &Path) {
    let mut authority = change();
    let is_new = authority.told.get_or_insert_with(HashSet::new).insert(file.to_path_buf());
    let warn = authority.warn.filter(|_| is_new);
    drop(authority);
    if let Some(warn) = warn {
        warn(&format!("{} lies in a folder that is tested, and is ignored: only you may write it", file.display()));
    }
}

/// Records that the user's environment lets Beagle read a folder, and the targets of the links in it, unless it is in a
/// project: then its links lead only as far as those of the project. Returns the targets.
pub fn grant_links(folder: &Path) -> Vec<PathBuf> {
    if lies_in_project(folder) {
        // The folder itself may be a link: one that leads out of the project is not opened.
        let links = crate::list(folder).into_iter().filter(|entry| entry.is_link);
        return links.filter_map(|entry| crate::resolve(&entry.path).ok()).collect();
    }
    grant(folder);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let links = entries.filter(|path| path.is_symlink());
    let targets: Vec<PathBuf> = links.filter_map(|path| fs::canonicalize(path).ok()).collect();
    targets.iter().for_each(|target| grant(target));
    targets
}

/// Records that the command line or the environment lets Beagle read a file or a folder, unless it is in a project,
/// whose rules apply to it.
pub fn grant_outside(path: &Path) {
    if !lies_in_project(path) {
        grant(path);
    }
}

/// Returns whether a path is in a project, before the last link in the path is followed.
fn lies_in_project(path: &Path) -> bool {
    whole(path).is_ok_and(|path| look().project_of(&path).is_some())
}

/// Returns a path from the root of the file system on. `..` is resolved if the folder before it is not a link.
/// Otherwise it stays, because it leads to another folder than the path suggests.
pub fn whole(path: &Path) -> io::Result<PathBuf> {
    let mut whole = PathBuf::new();
    for part in std::path::absolute(path)?.components() {
        let is_resolved = || !whole.is_symlink() && whole.components().next_back() != Some(Component::ParentDir);
        match part {
            Component::ParentDir if is_resolved() => drop(whole.pop()),
            part => whole.push(part),
        }
    }
    Ok(whole)
}

/// Records that the command line names a file or a folder of code. A path in a project grants nothing that the project
/// does not have. Elsewhere it grants the folder that it names, or the folder of a named file, unless that is the
/// user's home or the root of the file system: then it grants the file alone.
pub fn grant_named(path: &Path) {
    let Ok(absolute) = whole(path) else { return };
    if look().project_of(&absolute).is_some() {
        return;
    }
    let is_wide = |folder: &Path| {
        let home = std::env::var_os("HOME").and_then(|home| fs::canonicalize(home).ok());
        folder.parent().is_none() || fs::canonicalize(folder).is_ok_and(|folder| Some(folder) == home)
    };
    if absolute.is_dir() {
        let real = fs::canonicalize(&absolute).unwrap_or_else(|_| absolute.clone());
        change().tested.push([absolute.clone(), real]);
        revoke_tested();
    }
    match absolute.parent().filter(|folder| !absolute.is_dir() && !is_wide(folder)) {
        // If the file is a link, it is resolved like the links next to it.
        Some(folder) => grant(folder),
        None if absolute.is_symlink() && !absolute.is_dir() => {}
        None => grant(&absolute),
    }
}

/// Lets tools of projects run outside of any sandbox: their builds, and programs that read a project's files by
/// themselves.
pub fn allow_project_tools() {
    change().runs_tools = true;
}

/// Takes that back for the rest of this process, because other users have a say in what they run.
pub fn forbid_project_tools() {
    change().forbids_tools = true;
}

/// Returns whether tools of projects may run outside of any sandbox.
pub fn may_run_project_tools() -> bool {
    let authority = look();
    authority.runs_tools && !authority.forbids_tools
}

/// Returns whether a path is in a project, by its name or by the target of its links.
pub fn is_in_project(path: &Path) -> bool {
    lies_in_project(path) || fs::canonicalize(path).is_ok_and(|real| look().is_in_real_project(&real))
}

/// Returns whether a path lies in a project, or in another folder that is tested.
pub fn is_tested(path: &Path) -> bool {
    let is_below = |path: &Path| look().tested.iter().flatten().any(|folder| path.starts_with(folder));
    is_in_project(path)
        || whole(path).is_ok_and(|path| is_below(&path))
        || fs::canonicalize(path).is_ok_and(|real| is_below(&real))
}

/// Returns the opened root of the project that contains an absolute path, with the project's path and the rest of the
/// path.
pub(crate) fn root_of(path: &Path) -> Option<(Arc<OwnedFd>, PathBuf, PathBuf)> {
    let authority = look();
    let (project, rest) = authority.project_of(path)?;
    Some((Arc::clone(&project.folder), project.named.clone(), rest))
}

/// Checks that the target of `path`, which is `real`, may be read, and informs the user if not.
pub(crate) fn check_readable(path: &Path, real: &Path) -> io::Result<()> {
    let warn = {
        let authority = look();
        let Some(warn) = authority.warn else { return Ok(()) };
        if authority.is_in_real_project(real) || authority.granted.iter().any(|grant| real.starts_with(&grant.real)) {
            return Ok(());
        }
        warn
    };
    let refusal = refusal(path, real);
    // The user is only informed about paths in projects. Elsewhere, Beagle also looks for files that may not exist.
    if std::path::absolute(path).is_ok_and(|path| look().is_named_in_project(&path)) {
        tell(warn, real, &refusal);
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, refusal))
}

/// Informs the user if a path that a project's configuration names may not be read.
pub fn tell_if_refused(path: &Path) {
    let Ok(real) = fs::canonicalize(path) else { return };
    // The lock on the record is released here, because `tell` changes the record.
    let warn = look().warn;
    if let (Err(refusal), Some(warn)) = (check_readable(path, &real), warn) {
        tell(warn, &real, &refusal.to_string());
    }
}

/// Warns the user about something that concerns files, if there is a user.
pub fn warn(words: &str) {
    let warn = look().warn;
    if let Some(warn) = warn {
        warn(words);
    }
}

fn tell(warn: fn(&str), real: &Path, refusal: &str) {
    let mut authority = change();
    let told = authority.told.get_or_insert_with(HashSet::new);
    if told.len() < MOST_TOLD && told.insert(real.to_path_buf()) {
        drop(authority);
        warn(refusal);
    }
}

fn refusal(path: &Path, real: &Path) -> String {
    let place = match std::path::absolute(path).is_ok_and(|absolute| absolute == real) {
        true => format!("{} lies outside of the project", path.display()),
        false => format!("{} leads to {}, outside of the project", path.display(), real.display()),
    };
    format!(
        "{place}, and is not read: name its folder with --pa, -I or --source, or in read_roots of your own configuration"
    )
}

impl Project {
    /// Returns the rest of a path that begins with the path of the project.
    fn rest_of<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.named).or_else(|_| path.strip_prefix(&self.real)).ok()
    }
}

impl Authority {
    const fn new() -> Authority {
        Authority {
            warn: None,
            projects: Vec::new(),
            tested: Vec::new(),
            granted: Vec::new(),
            told: None,
            runs_tools: false,
            forbids_tools: false,
        }
    }

    /// Returns the project that contains an absolute path, before links inside of the project are followed, and the
    /// rest of the path. That is the innermost project that the path is named by, or else the first one that a link
    /// outside of all projects leads to.
    fn project_of(&self, path: &Path) -> Option<(&Project, PathBuf)> {
        let named = self.projects.iter().filter_map(|project| Some((project, project.rest_of(path)?.to_path_buf())));
        let inside = |folder: &Path, rest: &Path| {
            let real = fs::canonicalize(folder).ok()?;
            let project = self.projects.iter().find(|project| real.starts_with(&project.real))?;
            Some((project, real.strip_prefix(&project.real).ok()?.join(rest)))
        };
        named.min_by_key(|(_, rest)| rest.components().count()).or_else(|| {
            let folders: Vec<&Path> = path.ancestors().collect();
            folders.into_iter().rev().find_map(|folder| inside(folder, path.strip_prefix(folder).ok()?))
        })
    }

    fn is_named_in_project(&self, path: &Path) -> bool {
        self.projects.iter().any(|project| project.rest_of(path).is_some())
    }

    fn is_in_real_project(&self, real: &Path) -> bool {
        self.projects.iter().any(|project| real.starts_with(&project.real))
    }
}

fn look() -> RwLockReadGuard<'static, Authority> {
    AUTHORITY.read().unwrap_or_else(PoisonError::into_inner)
}

fn change() -> RwLockWriteGuard<'static, Authority> {
    AUTHORITY.write().unwrap_or_else(PoisonError::into_inner)
}
