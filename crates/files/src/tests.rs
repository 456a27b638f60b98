//! The rules, tried with links, pipes and files of several names. All tests share the process's authority, so each works in
//! folders of its own.

use super::*;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A project with a folder beside it that it may not touch.
struct World {
    folder: TempDir,
}

impl World {
    fn new() -> World {
        confine(|_| {});
        let folder = tempfile::tempdir().expect("a folder");
        for inner in ["project/src", "outside"] {
            fs::create_dir_all(folder.path().join(inner)).expect("a folder");
        }
        fs::write(folder.path().join("project/src/m.erl"), "code").expect("a file");
        fs::write(folder.path().join("outside/secret"), "secret").expect("a file");
        let world = World { folder };
        add_project(&world.project()).expect("a project");
        world
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    fn secret(&self) -> String {
        fs::read_to_string(self.outside().join("secret")).expect("still there")
    }
}

fn fifo(path: &Path) {
    let path = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).expect("a name");
    assert_eq!(rustix::fs::mkfifoat(rustix::fs::CWD, &*path, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR), Ok(()));
}

#[test]
fn links_are_read_as_far_as_they_stay_inside() {
    let world = World::new();
    let project = world.project();
    symlink("src/m.erl", project.join("relative")).expect("a link");
    symlink(project.join("src"), project.join("absolute")).expect("a link");
    symlink(world.outside().join("secret"), project.join("leaving")).expect("a link");
    symlink("../outside", project.join("folder")).expect("a link");
    for inside in ["src/m.erl", "relative", "absolute/m.erl", "src/../relative"] {
        assert_eq!(read(&project.join(inside)).expect(inside), b"code");
    }
    for leaving in ["leaving", "folder/secret", "../outside/secret", "src/../../outside/secret"] {
        let refused = read(&project.join(leaving)).expect_err(leaving);
        assert!(refused.to_string().contains("outside of the project"), "{refused}");
        assert!(!is_file(&project.join(leaving)) && modified(&project.join(leaving)).is_none());
    }
    assert!(list(&project.join("folder")).is_empty());
    let names: Vec<PathBuf> = list(&project).into_iter().map(|entry| entry.path).collect();
    assert_eq!(names, ["absolute", "relative", "src"].map(|name| project.join(name)));
    assert!(read(&world.outside().join("secret")).is_err(), "nobody has granted it");
    grant(&world.outside());
    assert_eq!(read(&project.join("leaving")).expect("granted"), b"secret");
}

#[test]
fn pipes_and_devices_are_not_waited_for() {
    let world = World::new();
    let pipe = world.project().join("pipe");
    fifo(&pipe);
    assert!(read(&pipe).is_err() && kind(&pipe) == Some(Kind::Other));
    symlink("/dev/zero", world.project().join("zeros")).expect("a link");
    assert!(read(&world.project().join("zeros")).is_err());
    assert!(NewFile::named(&pipe).is_err(), "in a project nothing but files is written");
    assert!(read_named(&pipe).is_err());
    let outer = world.outside().join("pipe");
    fifo(&outer);
    assert!(NewFile::named(&outer).is_err(), "nobody reads it, which is told at once");
    assert!(read(&outer).is_err() && read_named(&outer).is_err());
    // Only the command line names streams, and whoever reads them waits.
    assert!(is_stream(&outer) && !is_stream(&pipe) && is_stream(Path::new("/dev/stdin")));
    assert!(open_stream(&outer).is_ok_and(|file| file.metadata().is_ok_and(|found| !found.is_file())));
    symlink(&outer, world.outside().join("link")).expect("a link");
    assert!(!is_stream(&world.outside().join("link")) && open_stream(&world.outside().join("link")).is_err());
    symlink(world.outside(), world.project().join("out")).expect("a link");
    symlink(world.project(), world.outside().join("in")).expect("a link");
    for path in [world.project().join("out/pipe"), world.outside().join("in/pipe")] {
        assert!(!is_stream(&path), "{}", path.display());
    }
}

#[test]
fn other_users_are_noticed() {
    use crate::owners::is_not_of;
    let world = World::new();
    let secret = world.outside().join("secret");
    let user = fs::metadata(&secret).expect("there").uid();
    assert!(!is_not_of(&secret, user, None) && is_not_of(&secret, user + 1, None));
    assert!(!is_not_of(&secret, user + 1, Some(user)) && is_not_of(&secret, user + 1, Some(user + 2)));
    assert!(!is_not_of(&world.outside().join("absent"), user + 1, None));
    let link = world.outside().join("link");
    symlink(&secret, &link).expect("a link");
    assert!(!is_not_of(&link, user, None) && is_not_of(&link, user + 1, None));
    symlink("nowhere", world.outside().join("dangling")).expect("a link");
    assert!(!is_not_of(&world.outside().join("dangling"), user, None));
    assert!(is_shared(Path::new("/tmp")) && !is_shared(&world.outside()));
}

#[test]
fn writing_follows_no_link_in_a_project() {
    let world = World::new();
    let project = world.project();
    symlink(world.outside().join("secret"), project.join("report")).expect("a link");
    symlink(world.outside().join("new"), project.join("dangling")).expect("a link");
    symlink(world.outside(), project.join("pages")).expect("a link");
    symlink("src", project.join("inner")).expect("a link");
    for path in ["report", "dangling", "pages/secret", "pages/new", "inner/x", "pages/../new"] {
        assert!(NewFile::named(&project.join(path)).is_err(), "{path}");
        assert!(write(&project.join(path), b"changed").is_err(), "{path}");
        assert!(Folder::create(&project.join(path).join("deeper")).is_err(), "{path}");
    }
    assert_eq!(world.secret(), "secret");
    assert_eq!(fs::read_dir(world.outside()).expect("a folder").count(), 1);
    write(&project.join("new/folder/file"), b"content").expect("a plain path");
    assert_eq!(fs::read(project.join("new/folder/file")).expect("written"), b"content");
}

/// Whatever name a project is given by links of the user's own, its own links are not followed.
#[test]
fn a_project_has_the_same_rules_under_all_its_names() {
    let world = World::new();
    let alias = world.folder.path().join("alias");
    symlink(world.folder.path(), &alias).expect("a link");
    symlink(world.project().join("src"), world.folder.path().join("inner")).expect("a link");
    symlink(world.outside(), world.project().join("way")).expect("a link");
    symlink(world.outside(), world.project().join("src/way")).expect("a link");
    for path in ["alias/project/way", "outside/../project/way", "project/src/../way", "inner/way", "project/way/../x"] {
        let path = world.folder.path().join(path);
        assert!(Folder::create(&path.join("deeper")).is_err(), "{}", path.display());
        assert!(NewFile::named(&path.join("new")).is_err(), "{}", path.display());
        grant_outside(&path);
        grant_links(&path);
        grant_named(&path);
        assert!(read(&world.outside().join("secret")).is_err(), "{} grants nothing", path.display());
    }
    assert_eq!(fs::read_dir(world.outside()).expect("a folder").count(), 1);
    grant_links(&world.project());
    assert!(read(&world.outside().join("secret")).is_err(), "links of a project grant nothing");
    write(&alias.join("project/file"), b"content").expect("a plain path");
    assert_eq!(fs::read(world.project().join("file")).expect("written"), b"content");
}

#[test]
fn the_command_line_may_go_up() {
    let world = World::new();
    let up = world.project().join("src/../../outside");
    NewFile::named(&up.join("report")).expect("a file").write(b"report").expect("written");
    assert_eq!(fs::read(world.outside().join("report")).expect("written"), b"report");
    Folder::create(&up.join("pages")).expect("a folder").write(Path::new("page"), b"page").expect("written");
    assert_eq!(read_named(&up.join("secret")).expect("a file"), b"secret");
    assert!(read(&up.join("secret")).is_err(), "nobody has granted it");
    grant_outside(&up);
    assert_eq!(read(&up.join("secret")).expect("granted"), b"secret");
}

#[test]
fn ordinary_folders_of_dev_are_ordinary() {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return };
    confine(|_| {});
    let file = folder.path().join("file");
    NewFile::named(&file).expect("a file").write(b"one").expect("written");
    NewFile::named(&file).expect("a file").write(b"two").expect("written");
    assert_eq!(read_named(&file).expect("a file"), b"two");
    fifo(&folder.path().join("pipe"));
    add_project(folder.path()).expect("a project");
    assert!(read_named(&folder.path().join("pipe")).is_err(), "it is not waited for");
    symlink("/etc/hostname", folder.path().join("link")).expect("a link");
    assert!(read_named(&folder.path().join("link")).is_err());
}

#[test]
fn other_names_of_a_file_keep_its_content() {
    let world = World::new();
    let report = world.project().join("report");
    fs::hard_link(world.outside().join("secret"), &report).expect("a second name");
    write(&report, b"a report").expect("written");
    assert_eq!(world.secret(), "secret");
    assert_eq!(fs::read(&report).expect("a file"), b"a report");
    assert_eq!(fs::metadata(&report).expect("a file").nlink(), 1);
    assert_eq!(fs::read_dir(world.project()).expect("a folder").count(), 2, "nothing else is left");
}

/// A folder that is exchanged for a link while the command runs: what was opened stays what it was.
#[test]
fn a_folder_that_is_exchanged_leads_nowhere() {
    let world = World::new();
    let pages = world.project().join("pages");
    let folder = Folder::create(&pages).expect("a folder");
    let prepared = folder.prepare(Path::new("index.html")).expect("a file");
    fs::rename(&pages, world.project().join("moved")).expect("moved");
    symlink(world.outside(), &pages).expect("a link");
    prepared.write(b"page").expect("written");
    folder.write(Path::new("inner/secret"), b"page").expect("written");
    assert_eq!(fs::read_dir(world.outside()).expect("a folder").count(), 1);
    assert_eq!(fs::read(world.project().join("moved/index.html")).expect("there"), b"page");
    assert!(Folder::create(&pages).is_err());
}

#[test]
fn elsewhere_the_folder_is_the_users_choice() {
    let world = World::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    symlink(elsewhere.path(), world.outside().join("link")).expect("a link");
    let named = world.outside().join("link/report");
    NewFile::named(&named).expect("a file").write(b"report").expect("written");
    assert_eq!(fs::read(elsewhere.path().join("report")).expect("written"), b"report");
    symlink(world.outside().join("secret"), elsewhere.path().join("other")).expect("a link");
    assert!(NewFile::named(&elsewhere.path().join("other")).is_err(), "below that folder no link is followed");
    assert!(read_named(&elsewhere.path().join("other")).is_err());
    assert!(NewFile::named(&elsewhere.path().join("absent/report")).is_err());
    assert!(NewFile::named(Path::new("/dev/null")).expect("a device").write(b"x").is_ok());
}

#[test]
fn only_what_is_listed_and_unchanged_is_removed() {
    let world = World::new();
    let kept = world.project().join("_build/beagle");
    let folder = Folder::create(&kept).expect("a folder");
    let manifest = Manifest::default();
    for name in ["functions/a", "functions/b", "samples/c"] {
        manifest.write(&folder, Path::new(name), name.as_bytes()).expect("written");
    }
    fs::write(kept.join("functions/b"), "the user's").expect("changed");
    fs::write(kept.join("notes"), "the user's").expect("a file");
    let digest = blake3::hash(b"secret").to_hex();
    let lies = format!(
        "beagle wrote these files, and may remove them\n{digest} ../../../outside/secret\n{digest} {}\n{digest} link\nx\n",
        world.outside().join("secret").display()
    );
    fs::write(kept.join("written/lies"), lies).expect("a list");
    symlink(world.outside().join("secret"), kept.join("link")).expect("a link");
    assert_eq!(remove_listed(&folder).expect("a folder"), 2);
    assert_eq!(world.secret(), "secret");
    assert!(!kept.join("functions/a").exists() && !kept.join("samples").exists() && !kept.join("written").exists());
    assert!(kept.join("functions/b").exists() && kept.join("notes").exists());
    assert!(kept.join("link").symlink_metadata().is_ok());
}

#[test]
fn programs_of_a_project_are_not_found() {
    let world = World::new();
    let program = world.project().join("z3");
    fs::write(&program, "#!/bin/sh\n").expect("a file");
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("executable");
    let path = std::env::join_paths([world.project().as_path(), Path::new("."), Path::new(""), Path::new("/bin")]);
    let folders = programs::folders_of(&path.expect("a path"));
    assert_eq!(folders, [PathBuf::from("/bin")]);
}
