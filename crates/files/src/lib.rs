//! All of Beagle's own access to files, and the rules about what it may read, write, delete and execute.
//!
//! A project is written by other people: its files, links and names are data and give no permission. Permissions to
//! read or write outside of a project follow from the command line, the environment and the user's own configuration,
//! and are recorded here ([`confine`], [`add_project`], [`grant`]). The record belongs to the process, as file
//! permissions do: a check that callers would have to pass on could be forgotten.
//!
//! - *Reading* follows links, and what a path leads to must lie in a project or in a place that the user has granted.
//!   Only regular files are read, so that no pipe or device is waited for, unless the command line names one outside of
//!   all projects.
//! - *Writing and deleting* follow no link. Below a project's root every part of a path is opened by itself, relative to
//!   the root that was opened once. New files are created exclusively and renamed into place, so that a file with
//!   several names keeps its content under the others.
//! - *Programs* are looked for in the parts of `PATH` that are absolute and outside of all projects.
//!
//! This crate knows no formats, no configuration and no children. It prints nothing: a refusal is passed to the
//! function that was given to [`confine`].

mod authority;
mod directory;
mod folder;
mod manifest;
mod owners;
mod programs;
mod reading;
mod temporary;
#[cfg(test)]
mod tests;
mod walk;

pub use authority::{
    add_project, allow_project_tools, confine, forbid_project_tools, grant, grant_by, grant_links, grant_named,
    grant_outside, is_in_project, is_tested, may_run_project_tools, tell_if_refused, tell_ignored, warn, whole,
};
pub use folder::{Folder, NewFile, is_unread_pipe, remove_empty, secret, write};
pub use manifest::{Manifest, remove_listed};
pub use owners::{is_foreign, is_shared};
pub use programs::{find_executable, is_executable, read_program, search_path};
pub use reading::{
    Entry, Kind, folders_of_system, is_any_file, is_any_folder, is_below, is_file, is_folder, is_link, is_same,
    is_stream, is_there, kind, list, modified, names_in, names_of_folders, open_stream, open_system, read, read_direct,
    read_head, read_named, read_system, read_text, read_up_to, resolve, resolve_system, size, stamp,
};
pub use temporary::{Temporary, remove_temporary};
pub use walk::open_place;
