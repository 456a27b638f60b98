//! Ways out of a checkout: links of all kinds, paths, devices, pipes, names that nobody expects.

use crate::attack::watching::World;
use std::ffi::{CString, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::lchown;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Plants a way that leads to a path outside. Returns how the checkout names it.
type Plant = fn(&World, &Path) -> PathBuf;

/// Each with its name.
pub const WAYS: &[(&str, Plant)] = &[
    ("an absolute path", |_, target| target.to_path_buf()),
    ("a relative path", relative),
    ("a way up behind a folder", |world, target| Path::new("src/..").join(relative(world, target))),
    ("a link", |world, target| linked(world, "way", target)),
    ("a relative link", |world, target| linked(world, "way", &relative(world, target))),
    ("a chain of links", |world, target| {
        world.link("chain3", target);
        world.link("chain2", "chain3");
        linked(world, "chain1", Path::new("src/../chain2"))
    }),
    ("a dangling link", |world, _| linked(world, "way", &world.out().join("new"))),
    ("a linked folder", |world, target| {
        world.link("way", parent(target));
        Path::new("way").join(target.file_name().expect("a name"))
    }),
    ("a linked folder further down", |world, target| {
        world.link("deep/er/way", Path::new("../..").join(relative(world, parent(target))));
        Path::new("deep/er/way").join(target.file_name().expect("a name"))
    }),
    ("a way up behind a linked folder", |world, target| {
        world.link("way", world.out().join("folder/deeper"));
        Path::new("way/../..").join(target.strip_prefix(world.out()).expect("outside"))
    }),
    ("a link to the root", |world, target| {
        world.link("root", "/");
        Path::new("root").join(target.strip_prefix("/").expect("absolute"))
    }),
    ("a link to the folder of processes", |world, target| {
        world.link("way", Path::new("/proc/self/root").join(target.strip_prefix("/").expect("absolute")));
        PathBuf::from("way")
    }),
    ("a link to itself", |world, _| linked(world, "way", Path::new("way"))),
    ("a link to its own folder", |world, target| {
        world.link("way", ".");
        Path::new("way/way/way").join(relative(world, target))
    }),
    ("a link to a device without an end", |world, _| linked(world, "way", Path::new("/dev/zero"))),
    ("a device", |_, _| PathBuf::from("/dev/stdin")),
    ("a pipe", |world, _| {
        world.fifo("way");
        PathBuf::from("way")
    }),
    ("a link to a pipe", |world, _| {
        world.fifo("pipe");
        linked(world, "way", Path::new("pipe"))
    }),
    ("a socket", |world, _| {
        drop(UnixListener::bind(world.checkout().join("way")).expect("a socket"));
        PathBuf::from("way")
    }),
    ("a second name of a file", |world, _| {
        fs::hard_link(world.out().join("victim"), world.checkout().join("way")).expect("a second name");
        PathBuf::from("way")
    }),
    ("a name with the end of a line", |world, target| linked(world, "w\n::error::owned", target)),
    ("a name that terminals obey", |world, target| linked(world, "w\u{1b}]0;owned\u{7}\u{1b}[2J", target)),
    ("a name that is not UTF-8", |world, target| linked(world, OsString::from_vec(b"w\xff\xfey".to_vec()), target)),
    ("a path that is too long", |world, target| {
        world.link("way", parent(target));
        let mut path = PathBuf::from("way");
        (0..1500).for_each(|_| path.push("../w"));
        path
    }),
    ("a link of another user's", |world, target| {
        let way = linked(world, "way", target);
        // Only root can give files away; for others it is a link of their own.
        let _ = lchown(world.checkout().join(&way), Some(65534), Some(65534));
        way
    }),
];

fn linked(world: &World, name: impl AsRef<Path>, target: &Path) -> PathBuf {
    world.link(&name, target);
    name.as_ref().to_path_buf()
}

fn parent(path: &Path) -> &Path {
    path.parent().expect("a folder")
}

/// The way from the checkout by `..`: as many as there are, and more do no harm.
fn relative(world: &World, target: &Path) -> PathBuf {
    let ups = world.checkout().components().count();
    let mut path = PathBuf::new();
    (0..ups).for_each(|_| path.push(".."));
    path.join(target.strip_prefix("/").expect("absolute"))
}

/// A folder of the checkout that is exchanged for a link to the outside, to and fro, as fast as can be.
pub struct Exchange {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<u64>>,
}

impl Exchange {
    /// Exchanges the folder `name`, which is there, for a link to `target`.
    pub fn begin(world: &World, name: &str, target: &Path) -> Exchange {
        let other = format!("{name}.other");
        world.link(&other, target);
        let [one, two] = [name, &other].map(|name| c_path(&world.checkout().join(name)));
        let is_over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let mut count = 0;
            while !seen.load(Ordering::Relaxed) {
                // SAFETY: both paths end with a zero.
                let done = unsafe {
                    let (here, flags) = (libc::AT_FDCWD, libc::RENAME_EXCHANGE);
                    libc::syscall(libc::SYS_renameat2, here, one.as_ptr(), here, two.as_ptr(), flags)
                };
                assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
                count += 1;
                if count % 16 == 0 {
                    std::thread::yield_now();
                }
            }
            count
        });
        Exchange { is_over, thread: Some(thread) }
    }

    /// Ends it, and returns how often the folder was exchanged.
    pub fn end(mut self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().expect("not ended yet").join().expect("exchanges")
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("a path")
}
