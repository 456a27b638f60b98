//! `beagle replay`: evaluates findings and expressions again on the real runtime, optionally with a forced order of
//! processes.
//!
//! The exit codes are 0: everything is as it was reported, and an expression has a value; 1: something is different, or
//! an expression has no value; 2: something cannot be read; 4: the runtime could not be asked, or a schedule could not
//! be followed.

mod cases;
mod words;

use crate::arguments::{Confirm, Format, TestOptions};
use crate::evaluating::ReplayOptions;
use crate::languages::languages;
use crate::project::read_named_text;
use crate::streams;
use crate::test::task::Task;
use crate::test::written::NewFile;
use anyhow::{Context, bail};
use cases::Case;
use frontend::{Evaluations, Languages, Limits, Order, Outcome, Replay};
use path::Turn;
use session::Session;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use term::{Atom, Term};
use words::Words;

const AS_REPORTED: u8 = 0;
const OTHERWISE: u8 = 1;
const UNREADABLE: u8 = 2;
const UNDECIDED: u8 = 4;

/// The limit of calls for the run on our machine, which finds out the modules that are needed.
const STEPS: u64 = 10_000_000;
/// How long processes are waited for after the call has ended.
const LINGER: Duration = Duration::from_millis(500);

/// Modules of OTP whose operations are conducted in any case.
const CONVERSATIONS: [&str; 8] =
    ["gen", "gen_event", "gen_server", "gen_statem", "proc_lib", "supervisor", "sys", "timer"];

pub fn replay(options: &ReplayOptions) -> anyhow::Result<u8> {
    cases::check(&options.what)?;
    let schedule = options.schedule.as_deref().map(read_schedule).transpose()?;
    let mut tasks = Task::all(&test_options(options, schedule.is_some())?)?;
    if tasks.len() > 1 {
        bail!("the files are of several projects: name those of one");
    }
    let Some(task) = tasks.pop() else { bail!("there is no code") };
    let languages = languages().with_code(vec![Arc::clone(&task.loaded)]);
    let cases = cases::all(&options.what, options.code.cache.as_deref(), &task, &languages)?;
    for module in cases.iter().filter_map(|case| case.name).map(|name| name.module) {
        if task.loaded.load(module)?.is_none() {
            bail!("the finding is of module {module}, which is not among the code: name its file behind the finding");
        }
    }
    let mut code = AS_REPORTED;
    for (index, case) in cases.iter().enumerate() {
        let mut session = Session::new(Arc::clone(&task.loaded), task.limits)?;
        let own = prepare(&mut session, options, case)?;
        let forced = schedule.as_ref().or(own.as_ref());
        if let (Some(file), Some(forced)) = (&options.save_schedule, forced) {
            write_schedule(file, forced)?;
        }
        let limits = Limits { time: options.time, ..Limits::default() };
        let how = Evaluations { limits, is_printed: true, is_fresh: false };
        let replay = task.loaded.replay(&case.asked, how, LINGER, forced.map(Vec::as_slice));
        let replay = replay.map_err(|error| anyhow::anyhow!("the BEAM could not be asked: {error}"))?;
        let same = case.reported.is_same(&*task.loaded, language(&languages, case), &replay.watched);
        code = worse(code, exit_code(&replay, same, forced.is_some()));
        let mut words = Words { session: &mut session, languages: &languages, time: options.time };
        let between = if index > 0 { "\n" } else { "" };
        streams::write(&match options.format {
            Format::Human => between.to_string() + &words.text(case, &replay, same, forced.map(Vec::as_slice)),
            Format::Jsonl => format!("{}\n", words.json(case, &replay, same, forced.map(Vec::as_slice))),
        });
    }
    Ok(code)
}

fn test_options(options: &ReplayOptions, has_schedule: bool) -> anyhow::Result<TestOptions> {
    let mut test = TestOptions::unsaid()?;
    test.targets = options.paths.clone();
    if let Some(missing) = options.paths.iter().find(|path| !files::is_there(Path::new(path))) {
        bail!("{missing}: there is no such file or folder");
    }
    test.code = options.code.clone();
    test.project.no_build = options.no_build;
    test.confirm = if options.trusting { Confirm::Trusting } else { Confirm::Sandboxed };
    test.is_conducted = has_schedule || options.order.is_some();
    Ok(test)
}

/// Gives the runtime the modules that the case needs. The run on our machine finds out which these are, and chooses an
/// order if one is wanted.
fn prepare(session: &mut Session, options: &ReplayOptions, case: &Case) -> anyhow::Result<Option<Vec<Turn>>> {
    session.machine.set_steps(options.code.steps.unwrap_or(STEPS));
    session.machine.interleave(options.order);
    let outcome = session.evaluate(&case.asked, None);
    let turns = session.machine.recorder_mut().turns.schedule(Term::OWN_PID);
    session.machine.interleave(None);
    let is_whole = matches!(&outcome, Ok(path::Outcome::Value(_) | path::Outcome::Raised(_)));
    if options.order.is_some() && !is_whole {
        bail!("Beagle's own machine cannot choose an order for {}: it does not evaluate it to an end", case.asked);
    }
    let own: Vec<Atom> = session.code.source_modules().map(|(module, _)| module).collect();
    let mut modules = session.usage().all();
    if !is_whole {
        modules.extend(own.iter().copied());
        modules.extend(CONVERSATIONS.map(Atom::new));
    }
    modules.sort_by_key(|module| module.text());
    modules.dedup();
    let is_conducted = options.order.is_some() || options.schedule.is_some();
    for module in modules.into_iter().filter(|module| is_conducted || own.contains(module)) {
        session.code.load_into_runtime(module).with_context(|| format!("{module} cannot be given to the BEAM"))?;
    }
    Ok(options.order.map(|_| turns))
}

/// Returns the more important of two exit codes. An unreadable input comes before an undecided result, since the user
/// has to change it.
fn worse(one: u8, other: u8) -> u8 {
    let weight = |code: u8| if code == UNREADABLE { u8::MAX } else { code };
    if weight(other) > weight(one) { other } else { one }
}

fn exit_code(replay: &Replay, same: Option<bool>, is_forced: bool) -> u8 {
    match (&replay.watched.outcome, same) {
        (Outcome::Unreadable { .. }, _) => UNREADABLE,
        (Outcome::RuntimeDied { .. } | Outcome::Stopped { .. }, _) => UNDECIDED,
        _ if is_forced && replay.order != Some(Order::Followed) => UNDECIDED,
        (_, Some(true)) | (Outcome::Value { .. }, None) => AS_REPORTED,
        (_, Some(false) | None) => OTHERWISE,
    }
}

fn read_schedule(file: &Path) -> anyhow::Result<Vec<Turn>> {
    let text = read_named_text(file).with_context(|| format!("--schedule {}", file.display()))?;
    let mut turns = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.parse() {
            Ok(turn) => turns.push(turn),
            Err(why) => bail!("{}:{}: {why}", file.display(), index + 1),
        }
    }
    Ok(turns)
}

fn write_schedule(file: &Path, turns: &[Turn]) -> anyhow::Result<()> {
    let text: String = turns.iter().map(|turn| format!("{turn}\n")).collect();
    NewFile::prepare("--save-schedule", file)?.write(text.as_bytes())
}

/// Returns the language of a case.
fn language<'l>(languages: &'l Languages, case: &Case) -> &'l dyn frontend::FrontEnd {
    case.name.map_or_else(|| languages.usual(), |name| languages.language(name.module))
}
