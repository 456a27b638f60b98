//! Options that are written down permanently: by a project in `beagle.toml` at its root and in `{beagle_opts, [...]}`
//! of `rebar.config`, and by the user in a file of their own. The command line has precedence, then come the files in
//! this order; lists add up.
//!
//! The author of a project decides nothing outside of it. The project's files can neither name a program nor a path
//! that leads out of the project; the user's own file can.

mod entries;

use crate::arguments::{StrategyName, TestOptions, categories, duration, output};
use crate::languages::{function_name, languages};
use crate::project::{Project, read_text};
use crate::test::effects::{ExecutorName, configurable};
use anyhow::{Context, anyhow};
use clap::ValueEnum;
use entries::{Entry, Value, rebar_entries, toml_entries};
use std::path::{Component, Path, PathBuf};

const FILE: &str = "beagle.toml";

/// The author of a configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Author {
    Project,
    User,
}

/// The origin of a value.
#[derive(Clone, Copy)]
struct Place<'p> {
    author: Author,
    /// The folder that paths are relative to.
    folder: &'p Path,
    file: &'p Path,
}

impl Place<'_> {
    /// Returns a path that Beagle may read or write because it is written here: in a project's file, only one below the
    /// project's folder. Whether a link on the path leads elsewhere is checked when the file is opened.
    fn path(&self, text: &str) -> Result<PathBuf, String> {
        let path = Path::new(text);
        let is_plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        match self.author {
            Author::User => Ok(self.folder.join(from_home(text))),
            Author::Project if is_plain => Ok(self.folder.join(path)),
            Author::Project => Err(only_the_user("a path that leads out of the project")),
        }
    }

    /// Refuses values that a project may not decide.
    fn check_authority(&self, what: &str) -> Result<(), String> {
        match self.author {
            Author::User => Ok(()),
            Author::Project => Err(only_the_user(what)),
        }
    }
}

fn only_the_user(what: &str) -> String {
    let file = user_file().map_or_else(|| "your own beagle.toml".to_string(), |file| file.display().to_string());
    format!("a project cannot name {what}: only the command line and {file} can")
}

/// Replaces `~/` at the beginning of a path by the user's home.
fn from_home(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(text),
    }
}

/// Returns the user's own configuration file: `$XDG_CONFIG_HOME/beagle/beagle.toml`, or the one below `~/.config`.
pub fn user_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")));
    folder.map(|folder| folder.join("beagle").join(FILE))
}

/// All keys, each with the function that applies its value. A key is the name of an argument, by which it is known
/// whether the command line has given it already.
const KEYS: &[(&str, Set)] = &[
    ("all", |options, value, _| set_flag(&mut options.all, value)),
    ("allow_effects", |options, value, place| {
        for text in value.texts()? {
            options.allow_effects.push(match place.author {
                Author::User => text,
                Author::Project => configurable(&text, |path| place.path(path))?,
            });
        }
        Ok(())
    }),
    ("baseline", |options, value, place| {
        options.project.baseline = Some(place.path(&value.text()?)?);
        Ok(())
    }),
    ("budget", |options, value, _| set(&mut options.budget, duration(&value.text()?))),
    ("callbacks", |options, value, _| set_flag(&mut options.callbacks, value)),
    ("exclude", |options, value, _| {
        for text in value.texts()? {
            languages().read_pattern(&text).ok_or_else(|| format!("{text} names neither a module nor a function"))?;
            options.project.exclude.push(text);
        }
        Ok(())
    }),
    ("executor", |options, value, _| {
        let names = ExecutorName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names = names.map(|name| name.get_name().to_string()).collect::<Vec<_>>().join(", ");
        let executor = <ExecutorName as ValueEnum>::from_str(&value.text()?, false);
        set(&mut options.executor, executor.map_err(|_| format!("expected one of {names}")))
    }),
    ("expectations", |options, value, _| {
        for text in value.texts()? {
            languages().read_expectation(&text)?;
            options.project.expectations.push(text);
        }
        Ok(())
    }),
    ("fail_on", |options, value, _| set(&mut options.reports.fail_on, categories(&value.texts()?.join(",")))),
    ("fresh", |options, value, _| set_flag(&mut options.fresh, value)),
    ("html", |options, value, place| {
        options.reports.html = Some(place.path(&value.text()?)?);
        Ok(())
    }),
    ("invariants", |options, value, _| {
        for text in value.texts()? {
            let is_invariant = function_name(&text).is_some_and(|name| name.arity == 1);
            if !is_invariant {
                return Err(format!("{text} does not name a function with one parameter: write module:name/1"));
            }
            options.invariants.push(text);
        }
        Ok(())
    }),
    ("jobs", |options, value, _| set(&mut options.jobs, value.number(1, 256).map(|jobs| Some(jobs as u32)))),
    ("max_runs", |options, value, _| set(&mut options.max_runs, value.number(1, i64::MAX as u64).map(Some))),
    ("memory", |options, value, _| set(&mut options.code.memory, value.number(16, 1 << 20).map(Some))),
    ("modules", |options, value, _| {
        for text in value.texts()? {
            languages().read_pattern(&text).ok_or_else(|| format!("{text} does not name a module"))?;
            options.project.modules.push(text);
        }
        Ok(())
    }),
    ("opaque", |options, value, _| {
        for text in value.texts()? {
            languages()
                .read_pattern(&text)
                .filter(|pattern| pattern.names_functions() && text.contains('/') && !text.contains('*'))
                .ok_or_else(|| format!("{text} does not name a function: write module:name/arity"))?;
            options.opaque.push(text);
        }
        Ok(())
    }),
    ("outputs", |options, value, place| {
        for text in value.texts()? {
            let (format, file) = output(&text)?;
            options.reports.outputs.push((format, place.path(&file.to_string_lossy())?));
        }
        Ok(())
    }),
    ("profile", |options, value, _| set(&mut options.project.profile, value.text().map(Some))),
    ("random_seed", |options, value, _| set(&mut options.random_seed, value.number(0, i64::MAX as u64))),
    ("read_roots", |_, value, place| {
        place.check_authority("folders outside of it that may be read")?;
        for text in value.texts()? {
            let folder = from_home(&text);
            if !folder.is_absolute() {
                return Err(format!("{text} is not an absolute path: write it from / or from ~/ on"));
            }
            match place.author {
                Author::User => files::grant_by(place.file, &folder),
                Author::Project => {}
            }
        }
        Ok(())
    }),
    ("second_solver", |options, value, place| {
        place.check_authority("a program")?;
        options.second_solver = Some(from_home(&value.text()?));
        Ok(())
    }),
    ("seeds", |options, value, place| {
        for text in value.texts()? {
            // Files are named from the project's root, even if the command runs in another folder.
            let seed = match text.strip_prefix('@') {
                Some(file) => format!("@{}", place.path(file)?.display()),
                None => text,
            };
            options.seeds.push(seed);
        }
        Ok(())
    }),
    ("setup", |options, value, _| {
        for text in value.texts()? {
            function_name(&text)
                .filter(|name| name.arity == 0)
                .ok_or_else(|| format!("{text} does not name a function without parameters: write module:name/0"))?;
            options.setups.push(text);
        }
        Ok(())
    }),
    ("show", |options, value, _| set(&mut options.reports.show, categories(&value.texts()?.join(",")))),
    ("size_bound", |options, value, _| {
        set(&mut options.size_bound, value.number(0, u32::MAX.into()).map(|bound| Some(bound as usize)))
    }),
    ("solver", |options, value, place| {
        place.check_authority("a program")?;
        options.solver = from_home(&value.text()?);
        Ok(())
    }),
    ("solver_time", |options, value, _| set(&mut options.solver_time, duration(&value.text()?))),
    ("steps", |options, value, _| set(&mut options.code.steps, value.number(1, i64::MAX as u64).map(Some))),
    ("start", |options, value, _| {
        options.start.extend(value.texts()?);
        Ok(())
    }),
    ("strategy", |options, value, _| {
        set(
            &mut options.strategy,
            <StrategyName as ValueEnum>::from_str(&value.text()?, false).map_err(|_| {
                let names = StrategyName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
                format!(
                    "expected one of {}",
                    names.map(|name| name.get_name().to_string()).collect::<Vec<_>>().join(", ")
                )
            }),
        )
    }),
    ("total_memory", |options, value, _| set(&mut options.total_memory, value.number(16, 1 << 30).map(Some))),
    ("total_budget", |options, value, _| set(&mut options.total_budget, duration(&value.text()?).map(Some))),
];

/// The keys of lists, to which each source of options adds.
const LISTS: [&str; 11] = [
    "allow_effects", "exclude", "expectations", "invariants", "modules", "opaque", "outputs", "read_roots", "seeds",
    "setup", "start",
];

/// Puts a value into the options.
type Set = fn(&mut TestOptions, &Value, Place<'_>) -> Result<(), String>;

/// Returns the options of the command line, completed from the project's files and the user's own file.
pub fn configured(options: &TestOptions, project: Option<&Project>) -> anyhow::Result<TestOptions> {
    let mut options = options.clone();
    if let Some(project) = project.filter(|_| !options.project.no_config) {
        let place = |file| Place { author: Author::Project, folder: &project.root, file };
        let file = project.root.join(FILE);
        if files::is_there(&file) {
            let entries = toml_entries(&read_text(&file)?).map_err(|(line, why)| wrong(&file, line, &why))?;
            apply(&mut options, entries, place(&file))?;
        }
        apply(&mut options, rebar_entries(&project.rebar)?, place(&project.rebar.file))?;
    }
    if let Some((file, entries)) = user_entries()? {
        let here = std::env::current_dir().unwrap_or_default();
        let folder = project.map_or(here.as_path(), |project| &project.root);
        apply(&mut options, entries, Place { author: Author::User, folder, file: &file })?;
    }
    Ok(options)
}

/// Grants the paths that the user's own file lets every command read.
pub fn grant_read_roots() -> anyhow::Result<()> {
    let Some((file, entries)) = user_entries()? else { return Ok(()) };
    let place = Place { author: Author::User, folder: Path::new(""), file: &file };
    let entries = entries.into_iter().filter(|entry| entry.key == "read_roots").collect();
    apply(&mut TestOptions::unsaid()?, entries, place)
}

/// Returns the entries of the user's own file, if there is one.
fn user_entries() -> anyhow::Result<Option<(PathBuf, Vec<Entry>)>> {
    let Some(file) = user_file().filter(|file| files::is_there(file)) else { return Ok(None) };
    if files::is_tested(&file) {
        // The author of the project may have written the file: if a container's home is the project's folder, for
        // example.
        files::tell_ignored(&file);
        return Ok(None);
    }
    // The user's own file may be a link, as configuration files often are.
    files::grant(&file);
    let entries = toml_entries(&read_text(&file)?).map_err(|(line, why)| wrong(&file, line, &why))?;
    Ok(Some((file, entries)))
}

fn apply(options: &mut TestOptions, entries: Vec<Entry>, place: Place<'_>) -> anyhow::Result<()> {
    let file = place.file;
    for Entry { key, value, line } in entries {
        let Some((name, set)) = KEYS.iter().find(|(known, _)| *known == key) else {
            return Err(wrong(file, line, &unknown(&key)));
        };
        // An option that is overridden is checked, too.
        let mut changed = options.clone();
        set(&mut changed, &value, place).map_err(|why| wrong(file, line, &format!("{key}: {why}")))?;
        if place.author == Author::Project {
            let origin = format!("{}:{line}: {key}", file.display());
            changed.reports.note_origin(&options.reports, &origin);
        }
        if options.given.insert((*name).to_string()) || LISTS.contains(name) {
            changed.given = std::mem::take(&mut options.given);
            *options = changed;
        }
    }
    Ok(())
}

fn wrong(file: &Path, line: usize, why: &str) -> anyhow::Error {
    anyhow!("{}:{line}: {why}", file.display())
}

fn unknown(key: &str) -> String {
    let nearest = KEYS.iter().map(|(known, _)| (distance(key, known), *known)).min();
    let hint = match nearest {
        Some((distance, known)) if distance <= (known.len() / 3).max(1) => format!("; did you mean {known}?"),
        _ => format!("; the options are {}", KEYS.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ")),
    };
    let shown: String = key.chars().take(60).collect();
    format!("there is no option {shown:?}{hint}")
}

/// Returns the edit distance: the number of characters to add, to drop or to change.
fn distance(left: &str, right: &str) -> usize {
    const LONGEST: usize = 40;
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().take(LONGEST).collect(), right.chars().collect());
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, c) in left.iter().enumerate() {
        let mut next = vec![index + 1];
        for (at, other) in right.iter().enumerate() {
            let kept = row.get(at).copied().unwrap_or(0) + usize::from(c != other);
            let dropped = row.get(at + 1).copied().unwrap_or(0) + 1;
            let added = next.last().copied().unwrap_or(0) + 1;
            next.push(kept.min(dropped).min(added));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

fn set<T>(place: &mut T, value: Result<T, String>) -> Result<(), String> {
    *place = value?;
    Ok(())
}

fn set_flag(place: &mut bool, value: &Value) -> Result<(), String> {
    match value {
        Value::Flag(flag) => {
            *place = *flag;
            Ok(())
        }
        other => Err(format!("expected true or false, not {}", other.kind())),
    }
}

/// Returns the file of the baseline: the one that is named, or else the usual one, if that exists or has to be written.
pub fn baseline_file(options: &TestOptions, project: Option<&Project>) -> anyhow::Result<Option<PathBuf>> {
    const USUAL: &str = "beagle.baseline";
    if let Some(named) = &options.project.baseline {
        return Ok(Some(named.clone()));
    }
    let folder = match project {
        Some(project) => project.root.clone(),
        None => std::env::current_dir().context("the current folder does not exist")?,
    };
    let usual = folder.join(USUAL);
    Ok((options.project.update_baseline || files::is_there(&usual)).then_some(usual))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::ReportFormat;
    use clap::Parser;

    fn options(args: &[&str]) -> TestOptions {
        let args = ["beagle", "test"].iter().chain(args);
        match crate::arguments::Arguments::parse_from(args).command {
            crate::arguments::Command::Test(options) => *options,
            _ => panic!("another command"),
        }
    }

    fn read(text: &str) -> Result<TestOptions, String> {
        read_of(Author::Project, text)
    }

    fn read_of(author: Author, text: &str) -> Result<TestOptions, String> {
        let mut options = options(&[]);
        let file = Path::new("beagle.toml");
        let entries = toml_entries(text).map_err(|(line, why)| wrong(file, line, &why).to_string())?;
        let place = Place { author, folder: Path::new("/root"), file };
        apply(&mut options, entries, place).map_err(|error| error.to_string())?;
        Ok(options)
    }

    #[test]
    fn keys_become_options() {
        let text = "budget = \"5s\"\nmax_runs = 1_000\njobs = 0x2\nall = true\nexclude = [\"my_*\", \"m:f/1\"]\n\
            strategy = \"depth\"\nseeds = [\"[1]\", \"@corpus.txt\"]\nbaseline = \"known\"\nexpectations = \"throw _\"\n";
        let options = read(text).expect("options");
        assert_eq!((options.budget.as_secs(), options.max_runs, options.jobs), (5, Some(1000), Some(2)));
        assert!(options.all && options.strategy == StrategyName::Depth);
        assert_eq!(options.project.exclude, ["my_*", "m:f/1"]);
        assert_eq!(options.seeds, ["[1]", "@/root/corpus.txt"]);
        assert_eq!(options.project.baseline, Some(PathBuf::from("/root/known")));
        assert_eq!(options.project.expectations, ["throw _"]);
        let options = read("total_budget = \"2m\"\nfresh = true\noutputs = \"junit=out/a.xml\"\nhtml = \"pages\"")
            .expect("options");
        assert_eq!((options.total_budget.map(|time| time.as_secs()), options.fresh), (Some(120), true));
        assert_eq!(options.reports.outputs, [(ReportFormat::Junit, PathBuf::from("/root/out/a.xml"))]);
        assert_eq!(options.reports.html, Some(PathBuf::from("/root/pages")));
    }

    /// Tests that the example in the documentation of projects is valid and contains every key.
    #[test]
    fn the_documented_configuration_is_read() {
        let page = include_str!("../../../docs/guide/projects.md");
        let example = page.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
        read(example).expect("options");
        let own = page.split("```toml").nth(2).and_then(|rest| rest.split("```").next()).expect("a second example");
        read_of(Author::User, own).expect("options");
        for (key, _) in KEYS {
            let is_shown = [example, own].iter().any(|text| text.contains(&format!("\n{key} = ")));
            assert!(is_shown, "{key} is not documented");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, message) in [
            ("\nbudgett = \"5s\"", "beagle.toml:2: there is no option \"budgett\"; did you mean budget?"),
            ("colour = 1", "the options are all, allow_effects, baseline, budget"),
            ("budget = 5", "beagle.toml:1: budget: expected a string, not a number"),
            ("budget = \"5 weeks\"", "budget: write a number and a unit"),
            ("jobs = 0", "jobs: expected an integer from 1 to 256"),
            ("max_runs = 99999999999999999999999999999999", "max_runs: expected an integer"),
            ("max_runs = -1", "max_runs: expected an integer"),
            ("max_runs = 1.5", "max_runs: expected a number, not a number with a fraction"),
            ("all = \"yes\"", "all: expected true or false, not a string"),
            ("exclude = [1]", "exclude: expected a string, not a number"),
            ("exclude = [[[]]]", "exclude: expected a string, not a list"),
            ("expectations = [\"m:f/1 {\"]", "expectations: { is not a pattern"),
            ("opaque = [\"m\"]", "opaque: m does not name a function"),
            ("executor = \"jvm\"", "executor: expected one of machine, beam, both"),
            ("allow_effects = [\"file\"]", "allow_effects: file does not name functions"),
            ("allow_effects = [\"exec=sh\"]", "only the command line and your own configuration can allow programs"),
            (
                "allow_effects = [\"erlang:*\"]",
                "only the command line and your own configuration can allow native code",
            ),
            ("allow_effects = [\"read=/etc\"]", "a project cannot name a path that leads out of the project"),
            ("solver = \"z3\"", "solver: a project cannot name a program: only the command line and "),
            ("second_solver = \"mix\"", "second_solver: a project cannot name a program"),
            ("read_roots = [\"/\"]", "read_roots: a project cannot name folders outside of it"),
            ("html = \"../pages\"", "html: a project cannot name a path that leads out"),
            ("outputs = [\"junit=/tmp/a.xml\"]", "outputs: a project cannot name a path"),
            ("baseline = \"a/../../known\"", "baseline: a project cannot name a path"),
            ("seeds = [\"@/etc/passwd\"]", "seeds: a project cannot name a path"),
            ("outputs = [\"pdf=a\"]", "beagle.toml:1: outputs: "),
            ("strategy = \"random\"", "strategy: expected one of coverage, breadth, depth"),
            ("[budget]\nx = 1", "budget: expected a string, not a table"),
            ("profile = \"a\\u0000b\"", "profile: a string must not"),
            ("jobs = ", "beagle.toml:1: this is not TOML"),
            ("\u{0}\u{1}\u{2}", "this is not TOML"),
            ("jobs = 1\njobs = 2", "beagle.toml:2: this is not TOML"),
        ] {
            let said = read(text).err().unwrap_or_default();
            assert!(said.contains(message), "{text:?}: {said}");
        }
        assert!(read(&format!("exclude = {}", "[".repeat(100_000))).is_err());
    }

    #[test]
    fn the_users_own_file_may_name_programs_and_other_paths() {
        let text =
            "solver = \"/opt/z3\"\nhtml = \"/tmp/pages\"\nbaseline = \"../known\"\nallow_effects = [\"exec=sh\"]";
        let options = read_of(Author::User, text).expect("options");
        assert_eq!(options.solver, PathBuf::from("/opt/z3"));
        assert_eq!(options.reports.html, Some(PathBuf::from("/tmp/pages")));
        assert_eq!(options.project.baseline, Some(PathBuf::from("/root/../known")));
        assert_eq!(options.allow_effects, ["exec=sh"]);
        let said = read_of(Author::User, "read_roots = [\"shared\"]").err().unwrap_or_default();
        assert!(said.contains("shared is not an absolute path"), "{said}");
    }

    #[test]
    fn the_command_line_comes_first_and_lists_add_up() {
        let mut options = options(&["--budget", "1s", "--exclude", "a"]);
        options.given.insert("budget".to_string());
        options.given.insert("exclude".to_string());
        let entries = toml_entries("budget = \"9s\"\nexclude = [\"b\"]\njobs = 3").unwrap_or_default();
        let place = |file| Place { author: Author::Project, folder: Path::new("/"), file: Path::new(file) };
        apply(&mut options, entries, place("t")).expect("options");
        let later = toml_entries("jobs = 4\nmax_runs = 7").unwrap_or_default();
        apply(&mut options, later, place("r")).expect("options");
        assert_eq!((options.budget.as_secs(), options.jobs, options.max_runs), (1, Some(3), Some(7)));
        assert_eq!(options.project.exclude, ["a", "b"]);
    }
}
