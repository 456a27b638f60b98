//! `beagle reach`: finds inputs that execute places in the code, or proofs that there are none.

mod covered;
mod dead;
mod targets;

pub use dead::report_dead_code;

use crate::arguments::{Format, ReachOptions, TestOptions};
use crate::languages::{function_name, languages};
use crate::streams::{self, complain};
use crate::test::emission::Emission;
use crate::test::task::Task;
use anyhow::bail;
use campaign::reaching::{Arrived, Direction, Place, Reaching, Resolved};
use campaign::{Files, Judge, SolverOptions, Target, Timed, Warnings};
use frontend::Languages;
use path::Mark;
use search::{Settings, Strategy};
use solver::Distrusted;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use targets::Wanted;
use term::{Atom, FunctionName};

/// The limits of calls for the first attempt of a run, and for the last one.
const STEPS: u64 = 100_000;
const MOST_STEPS: u64 = 10_000_000;

pub fn reach(options: &ReachOptions) -> anyhow::Result<u8> {
    let wanted = targets::wanted(options)?;
    let from = names(&options.from)?;
    let mut libraries: Vec<Atom> =
        wanted.iter().filter(|target| !target.is_file()).filter_map(Wanted::module).collect();
    libraries.dedup();
    let tasks = Task::all(&test_options(options, &wanted, libraries.clone())?)?;
    for failure in tasks.iter().flat_map(|task| &task.failures) {
        complain!("{failure}");
    }
    let languages = Arc::new(languages().with_code(tasks.iter().map(|task| Arc::clone(&task.loaded)).collect()));
    let mut emission = options.emit_tests.as_deref().map(Emission::prepare).transpose()?;
    let warnings = Warnings::new(|words| complain!("{words}"));
    let mut reports = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let marks = Arc::new(marks(task, &wanted, &libraries)?);
        let mut session = task.opaque.session_with_marks(&task.loaded, task.limits, &marks)?;
        let mut solver = Timed::start(&solver_options(options), &Distrusted::default(), &warnings);
        let user_modules: Vec<Atom> = task.loaded.source_modules().map(|(module, _)| module).collect();
        let files = files(task);
        let mut reaching = Reaching {
            session: &mut session,
            solver: &mut solver,
            languages: &languages,
            files: &files,
            settings: settings(options, task),
            from: from.clone(),
            libraries: libraries.iter().copied().filter(|module| !user_modules.contains(module)).collect(),
            user_modules,
            is_confirmed: !options.no_confirm,
            wanted: marks,
            time: options.budget,
            direction: Direction::Both,
        };
        for target in &wanted {
            // With several projects, the first one that has the target is searched.
            let is_here = |task: &Task| {
                let modules: Vec<Atom> =
                    task.loaded.source_modules().map(|(module, _)| module).chain(libraries.iter().copied()).collect();
                let resolved = target.place.resolve(&*task.loaded, &modules);
                resolved.map(|resolved| !matches!(resolved, Resolved::NoCode | Resolved::NoModule))
            };
            let mut home = None;
            for (number, task) in tasks.iter().enumerate() {
                if is_here(task)? {
                    home = Some(number);
                    break;
                }
            }
            if home.unwrap_or(0) != index {
                continue;
            }
            let arrived = reaching.reach(&target.shown, &target.place)?;
            streams::write(&match options.format {
                Format::Human => arrived.report.as_text(),
                Format::Jsonl => format!("{}\n", arrived.report.as_json()),
            });
            if let Some(emission) = &mut emission {
                emit(emission, &languages, task, &arrived, &warnings);
            }
            reports.push(arrived.report);
        }
    }
    if let Some(emission) = emission {
        emission.write()?.iter().for_each(|line| complain!("{line}"));
    }
    Ok(report::reach_exit_code(&reports))
}

/// Returns the marks of all targets in the code of a task.
fn marks(task: &Task, wanted: &[Wanted], libraries: &[Atom]) -> anyhow::Result<HashSet<Mark>> {
    let modules: Vec<Atom> =
        task.loaded.source_modules().map(|(module, _)| module).chain(libraries.iter().copied()).collect();
    let mut marks = HashSet::new();
    for target in wanted {
        if let Resolved::Marks(found) = target.place.resolve(&*task.loaded, &modules)? {
            marks.extend(found);
        }
    }
    Ok(marks)
}

/// Adds a test of what the function does today on the way to the target.
fn emit(emission: &mut Emission, languages: &Languages, task: &Task, arrived: &Arrived, warnings: &Warnings) {
    let Some((name, reached)) = &arrived.reached else { return };
    let Some(module) = task.loaded.load(name.module).ok().flatten() else { return };
    let target = Target { number: 0, name: *name, module, setups: Vec::new(), started: Vec::new(), client: None };
    let judge = Judge::new(true, warnings.clone());
    let tests = campaign::reaching::tests(&judge, &task.loaded, task.limits, languages, &target, reached);
    emission.add(name.module, languages.language(name.module).framework(), tests);
}

fn names(texts: &[String]) -> anyhow::Result<Vec<FunctionName>> {
    let mut names = Vec::new();
    for text in texts {
        match function_name(text) {
            Some(name) => names.push(name),
            None => {
                bail!("--from {text} does not name a function: write module:name/arity, or Module.name/arity in Elixir")
            }
        }
    }
    Ok(names)
}

/// Returns options of `beagle test` with which the code is found.
fn test_options(options: &ReachOptions, wanted: &[Wanted], marked: Vec<Atom>) -> anyhow::Result<TestOptions> {
    let mut test = TestOptions::unsaid()?;
    let mut files: Vec<String> = options.sources.clone();
    files.extend(wanted.iter().filter(|target| target.is_file()).filter_map(|target| match &target.place {
        Place::Line { file, .. } => Some(file.clone()),
        Place::Function(_) => None,
    }));
    files.sort();
    files.dedup();
    if let Some(missing) = options.sources.iter().find(|source| !files::is_there(Path::new(source))) {
        bail!("--source {missing}: there is no such file or folder");
    }
    test.targets = files;
    test.code = options.code.clone();
    test.opaque = options.opaque.clone();
    test.project.no_build = options.no_build;
    test.no_confirm = options.no_confirm;
    test.fresh = true;
    test.marks = Some(marked);
    Ok(test)
}

fn solver_options(options: &ReachOptions) -> SolverOptions {
    SolverOptions { path: options.solver.clone(), time: options.solver_time, dump: None, second: None }
}

fn files(task: &Task) -> Files {
    let modules = task.loaded.source_modules().map(|(module, file)| (module, file.to_path_buf())).collect();
    Files::new(modules, task.code.sources.clone(), task.project.as_ref().map(|project| project.root.as_path()))
}

fn settings(options: &ReachOptions, task: &Task) -> Settings {
    let most_steps = options.code.steps.unwrap_or(MOST_STEPS);
    Settings {
        strategy: Strategy::Coverage,
        max_runs: u64::MAX,
        steps: STEPS.min(most_steps),
        most_steps,
        size_bound: None,
        seeds: Vec::new(),
        seed: options.random_seed,
        memory: task.limits.memory,
        samples: Default::default(),
        goal: None,
    }
}
