//! Files that every program reads when it starts.

use std::path::{Path, PathBuf};

/// Returns shared libraries and the files by which they are found, locales, time zones, devices without hardware, and
/// the list of processors.
pub(crate) fn files() -> Vec<PathBuf> {
    let fixed = [
        "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64",
        "/nix/store", "/gnu/store", "/home/linuxbrew/.linuxbrew", "/etc/ld.so.cache", "/etc/ld.so.preload",
        "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale",
        "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/sys/devices/system/cpu", "/sys/devices/system/node",
    ];
    let mut files: Vec<PathBuf> = fixed.iter().map(PathBuf::from).collect();
    add_library_folders(Path::new("/etc/ld.so.conf"), &mut files, 3);
    files
}

/// Adds the folders that the configuration of the dynamic linker names, one on each line.
fn add_library_folders(configuration: &Path, folders: &mut Vec<PathBuf>, depth: usize) {
    let Ok(text) = files::read_system(configuration) else { return };
    let text = String::from_utf8_lossy(&text);
    for line in text.lines().map(str::trim) {
        if line.starts_with('/') {
            folders.push(PathBuf::from(line));
        } else if let Some(pattern) = line.strip_prefix("include ")
            && let Some((folder, "*.conf")) = pattern.trim().rsplit_once('/')
            && let Some(base) = configuration.parent()
            && depth > 0
        {
            for entry in files::names_in(&base.join(folder)) {
                add_library_folders(&entry, folders, depth - 1);
            }
        }
    }
}
