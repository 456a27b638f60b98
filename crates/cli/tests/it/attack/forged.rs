//! Files of results, and caches, that somebody has forged: their digests are right, their content is not what Beagle would
//! write.

use crate::attack::is_full;
use crate::attack::outside::without_landlock;
use crate::attack::watching::{PLAIN, QUICK, Tally, World};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The same numbers in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

/// Changes a few places of a content: single bytes, pieces that are repeated or missing, values nested without an end.
fn changed(content: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = content.to_vec();
    for _ in 0..=chance.below(3) {
        let at = chance.below(bytes.len());
        match chance.below(6) {
            0 => bytes[at] = bytes[at].wrapping_add(1),
            1 => bytes[at] = [0, 1, 2, 127, 128, 255][chance.below(6)],
            2 => bytes.truncate(at.max(1)),
            3 => drop(bytes.splice(at..at, [255, 255, 255, 255, 15])),
            4 => {
                let end = (at + 1 + chance.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, piece));
            }
            _ => {
                // A variant with one element, in which there is one again.
                let tag = chance.below(13) as u8;
                drop(bytes.splice(at..at, [tag, 1].repeat(100_000)));
            }
        }
    }
    bytes
}

#[test]
fn forged_results_are_refused_or_read() {
    let mut tally = Tally::default();
    let mut world = World::new();
    let ran = world.run(&[&QUICK[..], &["--save", "saved", "--show", "all"]].concat());
    assert!(ran.code == Some(0) || ran.code == Some(1), "{}", ran.said);
    let whole = fs::read(world.checkout().join("saved")).expect("saved");
    let head = whole.iter().position(|byte| *byte == b'\n').expect("a first line") + 1;
    let content = &whole[head + blake3::OUT_LEN..];
    assert_eq!(whole[head..head + blake3::OUT_LEN], *blake3::hash(content).as_bytes());
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut read = 0;
    for number in 0..if is_full() { 1500 } else { 9 } {
        let forged = changed(content, &mut chance);
        let digest = blake3::hash(&forged);
        world.write("forged", [&whole[..head], digest.as_bytes(), &forged].concat());
        let args: &[&str] = match number % 3 {
            0 => &["merge", "forged", "--html", "pages", "--show", "all"],
            1 => &["merge", "forged", "--format", "jsonl", "--output", "sarif=report", "--output", "junit=report.xml"],
            _ => &["merge", "forged", "--show", "all", "--update-baseline"],
        };
        let ran = world.run(args);
        read += usize::from(ran.code != Some(2));
        tally.add("forged results", &format!("{number}: {args:?}"), &ran);
    }
    println!("{read} of the forged files could be read");
    tally.finish();
}

/// The helper of runtimes as somebody else would write it: it leaves a mark where it runs.
fn plant_helper(world: &World, cache: &Path, entry: &Path) {
    let folder = world.place("elsewhere/planted");
    fs::create_dir_all(&folder).expect("a folder");
    let text = format!(
        "-module(beagle_helper).\n-export([start/1]).\n\
         start(_) -> prim_file:write_file(\"{}\", <<>>), erlang:halt().\n",
        world.place("marks/helper").display()
    );
    fs::write(folder.join("beagle_helper.erl"), text).expect("a file");
    let made = Command::new("erlc").arg("beagle_helper.erl").current_dir(&folder).status();
    assert!(made.expect("erlc").success());
    let code = fs::read(folder.join("beagle_helper.beam")).expect("code");
    let digest = blake3::hash(&code);
    fs::create_dir_all(cache.join("helper")).expect("a folder");
    fs::write(cache.join(entry), [b"beagle\x00\x01", digest.as_bytes().as_slice(), &code].concat()).expect("a file");
}

/// A cache that comes with a checkout, because the user's environment names a folder in it: code in it is not used, where there
/// is no sandbox and where there is one.
#[test]
fn caches_of_a_checkout_are_not_believed() {
    const ARGS: [&str; 6] = ["test", "--no-build", "--fresh", "--budget", "300ms", "-q"];
    let mut tally = Tally::default();
    let mut world = World::new();
    // The user's own cache tells the name of the entry.
    let own = world.place("elsewhere/cache");
    world.variables.insert("BEAGLE_CACHE", Some(own.display().to_string()));
    let ran = world.run(&ARGS);
    let helpers: Vec<_> = fs::read_dir(own.join("helper")).expect("a folder").flatten().collect();
    assert_eq!(helpers.len(), 1, "{}", ran.said);
    let entry = Path::new("helper").join(helpers[0].file_name());
    let unconfined = |world: &mut World, folder: &str, args: &[&str]| {
        let mut command = world.command(&world.place(folder), args);
        without_landlock(&mut command);
        world.observe(command)
    };
    // Otherwise what follows would prove nothing.
    plant_helper(&world, &own, &entry);
    world.write("src/plain.erl", format!("%% Not in the cache.\n{PLAIN}"));
    let ran = unconfined(&mut world, "checkout", &ARGS);
    assert!(ran.wrongs.iter().any(|wrong| wrong == "helper ran"), "{:?}: {}", ran.wrongs, ran.said);

    let checkout = world.checkout().display().to_string();
    plant_helper(&world, &world.checkout().join(".cache/beagle"), &entry);
    symlink(world.checkout().join(".cache"), world.place("tools/link")).expect("a link");
    let link = world.place("tools/link/beagle").display().to_string();
    let named: &[&str] = &[&ARGS[..], &[&checkout]].concat();
    let file = format!("{checkout}/src/plain.erl");
    let option: &[&str] = &[&ARGS[..], &["--cache", ".cache/beagle"]].concat();
    let cases: &[(&'static str, &str, &str, &[&str])] = &[
        ("HOME", &checkout, "checkout", &ARGS),
        ("XDG_CACHE_HOME", &format!("{checkout}/.cache"), "checkout/src", &ARGS),
        ("BEAGLE_CACHE", ".cache/beagle", "checkout", &ARGS),
        ("BEAGLE_CACHE", &link, "checkout", &ARGS),
        ("HOME", &checkout, "home", named),
        ("HOME", &checkout, "home", &["run", "plain:f(7)", &file]),
        ("HOME", &checkout, "checkout", &["replay", "plain:f(7)", "--no-build"]),
        ("HOME", &checkout, "checkout", &["test", "--no-build", "--list"]),
        ("MIX_ENV", "dev", "checkout", option),
    ];
    let before = fs::read(world.checkout().join(".cache/beagle").join(&entry)).expect("an entry");
    for (name, value, folder, args) in cases {
        world.variables.clear();
        if *name != "MIX_ENV" {
            world.variables.insert("BEAGLE_CACHE", None);
        }
        world.variables.insert(name, Some((*value).to_owned()));
        let what = format!("{name}={value} in {folder}: {}", args.join(" "));
        let mut ran = unconfined(&mut world, folder, args);
        if ran.said.matches("is not used as a cache of code").count() != 1 {
            ran.wrongs.push("it does not say once that the cache is not used".to_owned());
        }
        tally.add("planted caches", &what, &ran);
        let command = world.command(&world.place(folder), args);
        let ran = world.observe(command);
        tally.add("planted caches", &format!("{what}, with a sandbox"), &ran);
        let inside: Vec<_> =
            fs::read_dir(world.checkout().join(".cache/beagle")).expect("a folder").flatten().collect();
        // Results may be kept where the command line says.
        assert!(inside.iter().all(|found| *name == "MIX_ENV" || found.file_name() == "helper"), "{what}: {inside:?}");
        assert_eq!(fs::read(world.checkout().join(".cache/beagle").join(&entry)).expect("an entry"), before, "{what}");
        let left = fs::read_dir(world.place("tmp")).expect("a folder").flatten();
        let left: Vec<_> = left.flat_map(|own| fs::read_dir(own.path()).into_iter().flatten().flatten()).collect();
        assert!(left.is_empty(), "{what}: {left:?}");
    }
    tally.finish();
}
