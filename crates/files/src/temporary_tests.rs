use super::*;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use tempfile::TempDir;

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn of_user(temporary: &TempDir) -> PathBuf {
    // SAFETY: a plain system call.
    temporary.path().join(format!("beagle-{}", unsafe { libc::geteuid() }))
}

fn home(temporary: &TempDir) -> Arc<Home> {
    Arc::new(Home::below(temporary.path()).expect("a folder"))
}

/// A folder as a killed process leaves it, with a name of its own.
fn abandoned(temporary: &TempDir, content: &dyn Fn(&Path)) -> PathBuf {
    drop(home(temporary));
    let folder = of_user(temporary).join("run-abandoned");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(LOCK), format!("{MARK}run-abandoned\n")).expect("a file");
    content(&folder);
    folder
}

#[test]
fn folders_go_with_their_owners() {
    let temporary = temporary();
    let home = home(&temporary);
    let (first, second) = (Temporary::inside(Arc::clone(&home)), Temporary::inside(Arc::clone(&home)));
    let (first, second) = (first.expect("a folder"), second.expect("a folder"));
    assert_eq!(fs::metadata(of_user(&temporary)).expect("there").mode() & 0o7777, 0o700);
    assert_eq!(second.path().parent(), Some(home.path.as_path()));
    let gone = first.path().to_path_buf();
    drop(first);
    assert!(!gone.exists() && second.path().is_dir());
    remove_abandoned(&Directory::own(&of_user(&temporary)).expect("a folder"));
    assert!(second.path().is_dir(), "its owner lives");
    let path = home.path.clone();
    drop(home);
    drop(second);
    assert!(!path.exists());
}

#[test]
fn what_a_killed_process_left_is_removed() {
    let temporary = temporary();
    let elsewhere = tempfile::tempdir().expect("a folder");
    fs::write(elsewhere.path().join("victim"), "content").expect("a file");
    let folder = abandoned(&temporary, &|folder| {
        fs::create_dir_all(folder.join("a/b/c")).expect("a folder");
        fs::write(folder.join("a/b/c/file"), "x").expect("a file");
        symlink(elsewhere.path(), folder.join("a/link")).expect("a link");
        symlink("nowhere", folder.join("a/b/dangling")).expect("a link");
        // Code in a sandbox cannot change modes, but makes folders with any.
        fs::create_dir(folder.join("closed")).expect("a folder");
        fs::write(folder.join("closed/file"), "x").expect("a file");
        fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o300)).expect("its mode");
    });
    let home = home(&temporary);
    assert!(!folder.exists());
    let left: Vec<_> = fs::read_dir(of_user(&temporary)).expect("there").flatten().map(|entry| entry.path()).collect();
    assert_eq!(left, std::slice::from_ref(&home.path));
    assert_eq!(fs::read_to_string(elsewhere.path().join("victim")).expect("there"), "content");
}

/// As deep as code can nest it by going down step by step, which no path can name.
#[test]
fn however_deep_folders_are_nested_they_are_removed() {
    let temporary = temporary();
    let folder = abandoned(&temporary, &|folder| {
        let mut inner = Directory::open(folder).expect("a folder");
        for _ in 0..3_000 {
            inner.make(c"deeper").expect("a folder");
            inner.create(c"file").expect("a file");
            inner = inner.below(c"deeper").expect("a folder");
        }
    });
    let _home = home(&temporary);
    assert!(!folder.exists());
}

/// Nothing that somebody else has made is removed, whatever it looks like.
#[test]
fn what_is_not_ours_stays() {
    let temporary = temporary();
    let own = of_user(&temporary);
    drop(home(&temporary));
    let lookalike = |name: &str, lock: &dyn Fn(&Path)| {
        let folder = own.join(name);
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("precious"), "x").expect("a file");
        lock(&folder.join(LOCK));
        folder.join("precious")
    };
    let pipe = |path: &Path| {
        let path = CString::new(path.as_os_str().as_bytes()).expect("no zero in it");
        // SAFETY: the path is a C string.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    };
    let target = temporary.path().join("marked");
    fs::write(&target, format!("{MARK}run-linked\n")).expect("a file");
    let kept = [
        lookalike("run-unmarked", &|_| {}),
        lookalike("run-empty", &|path| fs::write(path, "").expect("a file")),
        lookalike("run-other", &|path| fs::write(path, "somebody else's lock").expect("a file")),
        lookalike("run-copied", &|path| fs::write(path, format!("{MARK}run-abandoned\n")).expect("a file")),
        lookalike("run-longer", &|path| fs::write(path, format!("{MARK}run-longer\nmore")).expect("a file")),
        lookalike("run-linked", &|path| symlink(&target, path).expect("a link")),
        lookalike("run-folder", &|path| fs::create_dir(path).expect("a folder")),
        // Whoever opens it to read waits for somebody who writes.
        lookalike("run-pipe", &pipe),
        lookalike("notes", &|path| fs::write(path, format!("{MARK}notes\n")).expect("a file")),
    ];
    // A link to a folder that was abandoned elsewhere.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let distant = elsewhere.path().join("run-distant");
    fs::create_dir(&distant).expect("a folder");
    fs::write(distant.join(LOCK), format!("{MARK}run-distant\n")).expect("a file");
    symlink(&distant, own.join("run-distant")).expect("a link");
    // Folders as earlier versions made them, beside the user's.
    let old = temporary.path().join("beagle-notes");
    fs::create_dir(&old).expect("a folder");
    fs::write(old.join(LOCK), "").expect("a file");
    drop(home(&temporary));
    for path in kept.iter().chain([&distant.join(LOCK), &old.join(LOCK)]) {
        assert!(path.exists(), "{}", path.display());
    }
}

/// A folder that is not the user's own is neither used nor cleaned.
#[test]
fn a_folder_that_cannot_be_trusted_is_not_used() {
    type Plant = fn(&Path, &Path);
    let plants: [(&str, Plant); 4] = [
        ("link", |own, target| symlink(target, own).expect("a link")),
        ("dangling link", |own, _| symlink("nowhere", own).expect("a link")),
        ("file", |own, _| fs::write(own, "").expect("a file")),
        ("foreign", |own, _| {
            fs::create_dir(own).expect("a folder");
            // Only root can give it away; for others the folder is their own.
            let _ = std::os::unix::fs::chown(own, Some(12_345), None);
        }),
    ];
    for (what, plant) in plants {
        let (temporary, target) = (temporary(), tempfile::tempdir().expect("a folder"));
        let left = target.path().join("run-left");
        fs::create_dir(&left).expect("a folder");
        fs::write(left.join(LOCK), format!("{MARK}run-left\n")).expect("a file");
        plant(&of_user(&temporary), target.path());
        // SAFETY: a plain system call.
        let is_foreign = what != "foreign" || unsafe { libc::geteuid() } == 0;
        let home = home(&temporary);
        assert_eq!(home.path.parent() == Some(temporary.path()), is_foreign, "{what}: {}", home.path.display());
        assert_eq!(fs::metadata(&home.path).expect("there").mode() & 0o7777, 0o700);
        assert!(left.join(LOCK).exists(), "{what}");
        let folder = Temporary::inside(Arc::clone(&home)).expect("a folder");
        fs::write(folder.path().join("file"), "x").expect("a file");
        let (inner, outer) = (folder.path().to_path_buf(), home.path.clone());
        drop((folder, home));
        assert!(!inner.exists() && !outer.exists(), "{what}");
    }
}

/// Whoever could enter the folder may have put anything into it: it is left as it is.
#[test]
fn a_folder_that_others_may_enter_is_not_used() {
    for mode in [0o777, 0o1777, 0o755, 0o710, 0o500] {
        let temporary = temporary();
        let left = abandoned(&temporary, &|_| {});
        let own = of_user(&temporary);
        fs::set_permissions(&own, fs::Permissions::from_mode(mode)).expect("its mode");
        let home = home(&temporary);
        assert_eq!(home.path.parent(), Some(temporary.path()), "{mode:o}");
        assert_eq!(fs::metadata(&home.path).expect("there").mode() & 0o7777, 0o700);
        assert_eq!(fs::metadata(&own).expect("there").mode() & 0o7777, mode, "it is not changed");
        fs::set_permissions(&own, fs::Permissions::from_mode(0o700)).expect("its mode");
        assert!(left.join(LOCK).exists(), "{mode:o}: nothing in it is removed");
    }
}

/// A bit that new folders take over from the one around them lets nobody in.
#[test]
fn the_group_of_new_folders_does_not_matter() {
    let temporary = temporary();
    fs::set_permissions(temporary.path(), fs::Permissions::from_mode(0o2700)).expect("its mode");
    for _ in 0..2 {
        assert_eq!(home(&temporary).path.parent(), Some(of_user(&temporary).as_path()));
        fs::set_permissions(of_user(&temporary), fs::Permissions::from_mode(0o2700)).expect("its mode");
    }
}

/// Whoever is killed while it removes a folder leaves the rest of it to the next command.
#[test]
fn what_a_killed_removal_left_is_removed() {
    let temporary = temporary();
    let folder = abandoned(&temporary, &|folder| {
        fs::create_dir_all(folder.join(["deeper"; 60].join("/"))).expect("a folder");
        // Named as by a process that had the number of this one.
        fs::create_dir_all(folder.join(format!("removed-{}-0/inner/most", std::process::id()))).expect("a folder");
        fs::write(folder.join("file"), "x").expect("a file");
    });
    let names = |path: &Path| {
        let mut names: Vec<_> = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        names.sort();
        names
    };
    // Watches what lies where while the folder is removed.
    let own = of_user(&temporary);
    let watching = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut seen = Vec::new();
            while watching.load(Ordering::Relaxed) {
                let is_strange =
                    |path: &PathBuf| !path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"run-"));
                seen.extend(names(&own).into_iter().filter(is_strange));
                let is_marked = folder.join(LOCK).exists();
                if !is_marked && !names(&folder).is_empty() && !folder.join(LOCK).exists() {
                    seen.push("content without a mark".into());
                }
            }
            seen
        });
        for _ in 0..20 {
            remove_abandoned(&Directory::own(&own).expect("a folder"));
            assert!(!folder.exists());
            abandoned(&temporary, &|folder| {
                fs::create_dir_all(folder.join(["deeper"; 60].join("/"))).expect("a folder");
            });
        }
        watching.store(false, Ordering::Relaxed);
        assert_eq!(watcher.join().expect("a watcher"), Vec::<PathBuf>::new());
    });
}
