//! Checks that only the user decides what the tools of a project run.
//!
//! A project is looked for in all folders above the current one, and other users may have put one there, for example in `/tmp`.

use super::Application;
use crate::streams::complain;
use files::{is_foreign, is_shared};
use std::path::{Path, PathBuf};

/// The files and folders of a project or an application that tools read or run.
const DECIDING: [&str; 14] = [
    "rebar.config", "rebar.config.script", "rebar.lock", "rebar3", "mix.exs", "mix.lock", "mix", "config", "src",
    "lib", "deps", "_build", "_checkouts", ".tool-versions",
];

/// Returns whether tools of the project may run as far as its owners are concerned. If not, that is said, and nothing of any
/// project runs in this process.
pub fn may_run(root: &Path, applications: &[Application]) -> bool {
    let folders = std::iter::once(root).chain(applications.iter().map(|application| application.folder.as_path()));
    let places = folders.flat_map(|folder| std::iter::once(folder.to_path_buf()).chain(deciding(folder)));
    let Some((place, why)) = places.into_iter().find_map(|place| why_not(&place).map(|why| (place, why))) else {
        return true;
    };
    files::forbid_project_tools();
    let whole = if place == root { "nothing of it".to_owned() } else { format!("nothing of {}", root.display()) };
    complain!("{} {why}: {whole} is built or run, as with --no-build", place.display());
    false
}

fn deciding(folder: &Path) -> Vec<PathBuf> {
    DECIDING.iter().map(|name| folder.join(name)).collect()
}

fn why_not(place: &Path) -> Option<&'static str> {
    match (is_foreign(place), is_shared(place)) {
        (true, _) => Some("belongs to another user"),
        (false, true) => Some("is a folder in which every user may make files"),
        (false, false) => None,
    }
}
