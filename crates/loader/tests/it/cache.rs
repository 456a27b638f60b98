//! The cache: a warm one needs no runtime, a damaged one is rebuilt, and nothing stale comes out of it.

use crate::common::{config, folder, keep_core, load, loader, write};
use loader::Loader;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use term::Atom;

fn files_of(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            if entry.path().is_dir() { pending.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files
}

#[test]
fn a_warm_cache_needs_no_runtime() {
    let (cache, project) = (folder(), folder());
    write(project.path(), "src/warm.erl", "-module(warm).\n-export([f/1]).\nf(X) -> lists:reverse(X).\n");
    let cold = loader(cache.path(), &[project.path()]);
    let warm = loader(cache.path(), &[project.path()]);
    for module in ["warm", "queue", "erlang", "prim_eval", "Elixir.Integer"] {
        let (first, started) = load(&cold, module);
        assert!(started);
        assert_eq!(load(&warm, module), (first, false), "{module}");
    }
    assert!(warm.load(Atom::new("no_such_module_here")).expect("an answer").is_none());
    assert!(!warm.oracle().is_started());
}

#[test]
fn damaged_entries_are_rebuilt() {
    let (cache, project) = (folder(), folder());
    write(project.path(), "damaged.erl", "-module(damaged).\n-export([f/1]).\nf(X) -> X.\n");
    let load_both = || {
        let loader = loader(cache.path(), &[project.path()]);
        (load(&loader, "damaged").0, load(&loader, "queue").0, loader.oracle().is_started())
    };
    let (own, library, _) = load_both();
    let files = files_of(cache.path());
    assert_eq!(files.len(), 5, "a helper, an index, a list of needed files, two modules: {files:?}");
    let damages: [&dyn Fn(&Path); 4] = [
        &|file| fs::write(file, "").expect("writable"),
        &|file| fs::write(file, "another program's file ".repeat(100)).expect("writable"),
        &|file| {
            let bytes = fs::read(file).expect("readable");
            fs::write(file, &bytes[..bytes.len() / 2]).expect("writable");
        },
        &|file| {
            let mut bytes = fs::read(file).expect("readable");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x10;
            fs::write(file, bytes).expect("writable");
        },
    ];
    for damage in damages {
        files.iter().for_each(|file| damage(file));
        assert_eq!(load_both(), (own.clone(), library.clone(), true));
        assert_eq!(load_both(), (own.clone(), library.clone(), false), "it is whole again");
    }
    // Whole, but not what it should be.
    for file in &files {
        oracle::store::write(file, b"\x05 no module, no index").expect("writable");
    }
    assert_eq!(load_both(), (own, library, true));
}

#[test]
fn what_a_source_depends_on_is_watched() {
    let (cache, project) = (folder(), folder());
    let transform = |to: &str| {
        let text = "-module(watched_transform).\n-export([parse_transform/2]).\nparse_transform(Forms, _) ->\n\
                    [case F of {function, L, old, A, C} -> {function, L, TO, A, C}; _ -> F end || F <- Forms].\n";
        write(project.path(), "watched_transform.erl", &text.replace("TO", to));
    };
    transform("new");
    let source = "-module(watched).\n-compile({parse_transform, watched_transform}).\n-compile(nowarn_unused_function).\n\
                  -include(\"watched.hrl\").\nf() -> {?HEADER, ?FLAG}.\nold() -> 1.\n";
    write(project.path(), "src/watched.erl", source);
    write(project.path(), "include/watched.hrl", "-define(HEADER, first).\n");
    let load_with = |flag: &str| {
        let mut config = config(cache.path(), &[project.path()]);
        config.macros = vec![("FLAG".into(), Some(flag.into()))];
        let loader = Loader::new(config).expect("sources");
        load(&loader, "watched")
    };
    let (first, _) = load_with("one");
    assert!(first.contains("'first'") && first.contains("'one'") && first.contains("new/0"), "{first}");
    assert_eq!(load_with("one"), (first.clone(), false));
    let (flag, started) = load_with("two");
    assert!(started && flag.contains("'two'"));
    write(project.path(), "include/watched.hrl", "-define(HEADER, second).\n");
    let (header, started) = load_with("one");
    assert!(started && header.contains("'second'"), "{header}");
    transform("newer");
    let (transformed, started) = load_with("one");
    assert!(started && transformed.contains("newer/0"), "{transformed}");
    write(project.path(), "src/watched.erl", &source.replace("-> 1", "-> 2"));
    let (changed, started) = load_with("one");
    assert!(started && changed.contains("Int(2)"), "{changed}");
    // Back to what it was: still known.
    write(project.path(), "src/watched.erl", source);
    write(project.path(), "include/watched.hrl", "-define(HEADER, first).\n");
    transform("new");
    let (again, _) = load_with("one");
    assert_eq!(again, first);
}

#[test]
fn versions_are_part_of_the_key() {
    let cache = folder();
    load(&loader(cache.path(), &[]), "queue");
    let mut newer = config(cache.path(), &[]);
    newer.built_from = "other sources";
    let newer = Loader::new(newer).expect("no sources");
    assert!(load(&newer, "queue").1);
}

#[test]
fn without_a_folder_that_can_be_written() {
    for cache in ["/dev/null/cache", "/proc/cache"] {
        assert!(load(&loader(Path::new(cache), &[]), "queue").0.contains("new/0"));
    }
    let none = Loader::new(loader::LoaderConfig::new(keep_core)).expect("no sources");
    assert!(load(&none, "queue").0.contains("new/0"));
}

/// Run once by itself, and twice at the same time by the next test.
#[test]
fn a_writer() {
    let own = folder();
    let cache = std::env::var_os("BEAGLE_TEST_CACHE").map_or_else(|| own.path().to_path_buf(), PathBuf::from);
    for round in 0..3 {
        let loader = loader(&cache, &[]);
        for module in ["queue", "orddict", "ordsets", "proplists"] {
            assert!(load(&loader, module).0.starts_with(module), "round {round}");
        }
    }
}

#[test]
fn two_processes_write_one_cache() {
    let cache = folder();
    let this = std::env::current_exe().expect("a test has a file");
    let mut command = Command::new(this);
    command.args(["--exact", "cache::a_writer"]).env("BEAGLE_TEST_CACHE", cache.path());
    let writers: Vec<_> = (0..2).map(|_| command.spawn().expect("it starts")).collect();
    for mut writer in writers {
        assert!(writer.wait().expect("it ends").success());
    }
    let files = files_of(cache.path());
    assert_eq!(files.len(), 6, "a helper, an index, four modules and nothing half-written: {files:?}");
    for file in files {
        assert!(oracle::store::read(&file).is_some(), "{}", file.display());
    }
}

#[test]
fn threads_share_a_loader() {
    let cache = folder();
    let loader = loader(cache.path(), &[]);
    let modules: Vec<_> = std::thread::scope(|scope| {
        let load = || loader.load(Atom::new("queue")).expect("it loads").expect("a module");
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(modules.iter().all(|module| std::sync::Arc::ptr_eq(module, &modules[0])));
}
