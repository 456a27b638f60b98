//! The executor of functions, and the effects on the outside that the user allows them.

use crate::arguments::TestOptions;
use crate::languages::languages;
use crate::streams::complain;
use anyhow::{anyhow, bail};
use clap::ValueEnum;
use frontend::{Code, CodeConfig, Effects, Limits, TracedCall};
use std::path::{Path, PathBuf};
use std::sync::Once;
use term::Atom;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExecutorName {
    /// Beagle's machine. Runs that do what --allow-effects allows are made on the BEAM first.
    Machine,
    /// Every run is made on the BEAM, and rebuilt by the machine from what is logged there.
    Beam,
    /// Both, each for itself: a run that differs is a defect of Beagle.
    Both,
}

impl From<ExecutorName> for tracer::Mode {
    fn from(name: ExecutorName) -> tracer::Mode {
        match name {
            ExecutorName::Machine => tracer::Mode::Machine,
            ExecutorName::Beam => tracer::Mode::Beam,
            ExecutorName::Both => tracer::Mode::Both,
        }
    }
}

/// One thing that is allowed.
enum Effect<'t> {
    /// Functions, as a pattern.
    Functions(&'t str),
    /// A file or folder that may be read.
    Reading(&'t str),
    /// A program that may be started.
    Program(&'t str),
    /// Sockets of a loopback interface that no other program shares.
    Loopback,
}

fn effect(text: &str) -> Effect<'_> {
    match text.split_once('=') {
        Some(("read", path)) => Effect::Reading(path),
        Some(("exec", program)) => Effect::Program(program),
        None if text == "loopback" => Effect::Loopback,
        _ => Effect::Functions(text),
    }
}

/// The shell with which some functions start programs.
const SHELL: &str = "/bin/sh";

/// Adds to the configuration what the user allows.
pub fn open(config: &mut CodeConfig, allowed: &[String]) -> anyhow::Result<()> {
    let mut patterns = Vec::new();
    for text in allowed.iter().map(|text| text.trim()).filter(|text| !text.is_empty()) {
        match effect(text) {
            Effect::Functions(text) => {
                let pattern = languages().read_pattern(text).filter(|pattern| pattern.names_functions());
                patterns.push(pattern.ok_or_else(|| {
                    anyhow!("--allow-effects {text}: write module:name/arity, with * for any text, read=PATH, exec=PROGRAM or loopback")
                })?);
            }
            Effect::Reading(path) => {
                // A path inside the project may also come from the project's configuration.
                files::grant_outside(Path::new(path));
                let whole = files::resolve(Path::new(path));
                config.opened_paths.push(whole.map_err(|error| anyhow!("--allow-effects read={path}: {error}"))?);
            }
            Effect::Loopback => config.has_loopback = true,
            Effect::Program(program) => {
                let Some(found) = files::find_executable(Path::new(program)) else {
                    bail!("--allow-effects exec={program}: there is no such program in PATH");
                };
                config.opened_programs.push(found);
                let shell = PathBuf::from(SHELL);
                config.opened_programs.extend(files::find_executable(&shell));
            }
        }
    }
    let opens = config.has_loopback || !config.opened_paths.is_empty() || !config.opened_programs.is_empty();
    if patterns.is_empty() && opens {
        bail!("--allow-effects names no function: say which may be called, file:read_file/1 for example");
    }
    config.effects = Effects::new(patterns);
    if !config.opened_programs.is_empty() {
        tell_what_may_stay();
    }
    // Native code of a file outside of any application is in the same folder as the sources.
    if config.effects.allow_native_code() {
        let whole = config.sources.iter().filter_map(|file| files::resolve(file).ok());
        let folder =
            |file: PathBuf| if files::is_folder(&file) { Some(file) } else { file.parent().map(Path::to_path_buf) };
        let folders: Vec<PathBuf> = whole.filter_map(folder).collect();
        config.opened_paths.extend(folders);
    }
    Ok(())
}

/// Says once that nothing ends programs together with Beagle, where that is so.
fn tell_what_may_stay() {
    static TOLD: Once = Once::new();
    let missing = sandbox::availability().err().map(|why| why.reason).or_else(sandbox::lacks_process_namespace);
    if let Some(reason) = missing {
        let words = "if Beagle is killed, programs that --allow-effects exec= allows may keep running: the runtime that starts \
                     them has no process namespace here";
        TOLD.call_once(|| complain!("{words} ({reason})"));
    }
}

/// Refuses effects that match no function, such as a misspelt name.
pub fn check(code: &dyn Code) -> anyhow::Result<()> {
    match code.idle_effects()?.first() {
        Some(idle) => bail!("--allow-effects {idle}: there is no such function whose effects are denied otherwise"),
        None => Ok(()),
    }
}

/// Has the code compiled with events, and a runtime started that has it, so that this does not count as time of the
/// first function. Errors are reported by the first run.
pub fn prepare_traces(code: &dyn Code) {
    let nothing = TracedCall::Text { text: "ok".to_string(), home: None };
    drop(code.trace(&nothing, Limits::default()));
}

/// Returns the modules of libraries that get events.
pub fn instrumented(options: &TestOptions) -> anyhow::Result<Vec<Atom>> {
    if !options.instrument.is_empty() && options.executor == ExecutorName::Machine {
        bail!("--instrument has nothing to compare: add --executor both, or --executor beam");
    }
    let module = |text: &String| {
        let pattern = languages().read_pattern(text.trim()).filter(|pattern| !pattern.names_functions());
        let module = pattern.and_then(|pattern| pattern.single_module());
        module.ok_or_else(|| anyhow!("--instrument {text} does not name a module"))
    };
    options.instrument.iter().map(module).collect()
}

/// Checks that a configuration may allow an effect. For the sake of users who have just cloned a project, its
/// configuration allows neither programs nor native code, nor files outside of the project.
pub fn configurable(text: &str, inside: impl Fn(&str) -> Result<PathBuf, String>) -> Result<String, String> {
    match effect(text.trim()) {
        Effect::Program(_) => {
            Err(format!("{text}: only the command line and your own configuration can allow programs to be started"))
        }
        Effect::Loopback => Ok(text.trim().to_string()),
        // The targets of links in the path are checked when it is opened.
        Effect::Reading(path) => Ok(format!("read={}", inside(path)?.display())),
        Effect::Functions(text) => {
            let pattern = languages().read_pattern(text).filter(|pattern| pattern.names_functions());
            let pattern = pattern.ok_or_else(|| format!("{text} does not name functions: write module:name/arity"))?;
            match Effects::new(vec![pattern]).allow_native_code() {
                true => Err(format!(
                    "{text}: only the command line and your own configuration can allow native code to be loaded"
                )),
                false => Ok(text.to_string()),
            }
        }
    }
}
