//! `beagle test`: finds the functions, tests them side by side, and reports what is found when it is found.

mod baseline;
mod campaign;
mod changed;
mod choice;
mod emission;
mod files;
mod judge;
mod output;
mod parameters;
mod place;
mod printer;
mod progress;
mod results;
mod saved;
mod schedule;
mod seeds;
mod solving;
mod targets;

use crate::arguments::{CleanOptions, ReportFormat, TestOptions};
use crate::configuration::{baseline_file, configured};
use crate::project::{Code, Project};
use crate::streams::{self, complain};
use anyhow::{Context, bail};
use baseline::Baseline;
use beagle::{Opaque, SessionConfig, SessionError};
use campaign::{Begun, Bench, Campaign, Speaker, Turn};
use choice::{Choice, Targets};
use emission::{Emission, Wish};
use judge::Judge;
use loader::Loader;
use machine::Limits;
use output::Output;
use place::Files;
use printer::Languages;
use progress::ProgressLine;
use report::{Judged, Name, Tested};
use results::{Results, kept_folder};
use saved::is_in;
pub use saved::merge;
use schedule::{Job, Schedule};
use search::{Ended, Settings};
use seeds::seeds;
use solving::Timed;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;
use targets::{Target, Wanted, print_name};

/// Megabytes for each worker.
const MEMORY: u64 = 512;
/// Calls of a run's first attempt, and of its last.
const STEPS: u64 = 100_000;
const MOST_STEPS: u64 = 10_000_000;

/// Runs of each function that pages show.
const TOLD_RUNS: u64 = 1000;

const NOTHING_WRONG: u8 = 0;
const BUGS: u8 = 1;
const WRONG_USE: u8 = 2;
const OWN_FAILURE: u8 = 3;

pub fn test(options: &TestOptions) -> anyhow::Result<u8> {
    let start = Instant::now();
    let project = project(options)?;
    let options = &configured(options, project.as_ref())?;
    let wanted = Wanted::of(options)?;
    let baseline = match baseline_file(options, project.as_ref())? {
        Some(file) => Some(Baseline::read(&file, options.project.update_baseline)?),
        None => None,
    };
    let code = wanted.code(options, project.as_ref())?;
    let config = with_code(options.code.session(code.files.clone(), MEMORY), &code);
    let limits = config.limits;
    let loader = Arc::new(config.loader()?);
    if !options.no_confirm && !options.project.list {
        // It boots beside everything else; who finds nothing never waits for it.
        loader.oracle().start();
    }
    let opaque = wanted.opaque(&loader)?;
    let choice =
        Choice { wanted: &wanted, options, code: &code, project: project.as_ref(), loader: &loader, opaque: &opaque };
    let Targets { functions, failures, unchanged } = choice.functions()?;
    for failure in &failures {
        complain!("{failure}");
    }
    if unchanged {
        complain!("no function to test has changed");
    } else if functions.is_empty() {
        if failures.is_empty() && loader.source_modules().next().is_none() {
            bail!("nothing to test: no .erl and no .beam file was found; a project in Elixir has to be built first");
        }
        if failures.is_empty() && !wanted.exclude.is_empty() {
            bail!("nothing to test: what has a -spec is excluded; --list shows what is tested");
        }
        if failures.is_empty() {
            bail!("nothing to test: no exported function that is meant has a -spec; --all tests those without one too");
        }
        return Ok(WRONG_USE);
    }
    let seeds = match options.seeds.as_slice() {
        [] => Vec::new(),
        _ if functions.is_empty() => Vec::new(),
        // They are for any of the functions, whichever part these are in.
        texts => seeds(&mut opaque.session(&loader, limits)?, texts, &functions)?,
    };
    let part = |target: &Target| options.partition.is_none_or(|partition| is_in(partition, target.name));
    let functions: Vec<Target> = functions.into_iter().filter(part).collect();
    if options.project.list {
        functions.iter().for_each(|target| streams::write(&format!("{}\n", print_name(target.name))));
        return Ok(NOTHING_WRONG);
    }
    if let Some(folder) = &options.dump_smt {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("--dump-smt {}: the folder cannot be made", folder.display()))?;
    }
    let mut emission = options.emit_tests.as_ref().map(Emission::prepare).transpose()?;
    let languages = Arc::new(Languages::new(&loader));
    let mut output = Output::new(&options.reports, &languages, start)?;
    let modules = loader.source_modules().map(|(module, file)| (module, file.to_path_buf())).collect();
    let files = Files::new(modules, code.sources.clone(), project.as_ref().map(|project| project.root.as_path()));
    let campaign = Campaign {
        seeds,
        expectations: wanted.expectations,
        baseline,
        results: match results_folder(options, project.as_ref()) {
            Some(folder) => Results::new(folder, &conditions(options, limits)),
            None => Results::default(),
        },
        ..campaign(options, &loader, &languages, limits, &functions, &opaque, files)
    };
    let unreadable = failures.len();
    output.unreadable(failures, unreadable);
    if let Some(file) = &options.save {
        output.save_to(file)?;
    }
    campaign.results.read_samples(&loader, &campaign.settings.samples);
    let failed = run_all(options, &loader, limits, &campaign, &functions, &mut |news| match news {
        News::Found(name, judged) => output.found(name, &judged),
        News::Tested(number, tested, tests) => {
            if let Some(emission) = &mut emission {
                let module = tested.name.module;
                emission.add(module, emission::framework(languages.language(module)), tests);
            }
            if let Some(baseline) = &campaign.baseline {
                baseline.settle(&tested);
            }
            output.tested(number, *tested);
        }
        News::Failed(message) => {
            complain!("{message}");
            output.failed(message);
        }
    });
    campaign.progress.finish();
    campaign.results.keep_samples(&loader, &campaign.settings.samples);
    let unchanged = campaign.unchanged.load(Ordering::Relaxed);
    if unchanged > 0 && !options.reports.quiet {
        let words = if unchanged == 1 { "function is" } else { "functions are" };
        complain!("{unchanged} {words} as before, and decided: not tested again (--fresh does)");
    }
    let reported = output.finish(|results| campaign.files.sources(&functions, results));
    if let Some(emission) = emission {
        emission.write()?.iter().filter(|_| !options.reports.quiet).for_each(|line| complain!("{line}"));
    }
    let mut bugs = reported?;
    if let Some(baseline) = &campaign.baseline {
        baseline.finish(&loader, &functions)?;
        // All that was found is known from now on.
        bugs = if baseline.is_updated() { 0 } else { bugs };
    }
    Ok(match (bugs, failed) {
        (1.., _) => BUGS,
        (0, 1..) => OWN_FAILURE,
        (0, 0) => NOTHING_WRONG,
    })
}

/// The project that what was named is in; without anything, that of the current folder.
fn project(options: &TestOptions) -> anyhow::Result<Option<Project>> {
    match options.targets.iter().map(Path::new).find(|path| path.exists()) {
        Some(path) => Project::around(path, false),
        None => Project::around(Path::new("."), true),
    }
}

/// With what a project's code needs behind what the command line says.
fn with_code(mut config: SessionConfig, code: &Code) -> SessionConfig {
    config.code_paths.extend(code.code_paths.iter().cloned());
    config.include_paths.extend(code.include_paths.iter().cloned());
    let new = code.macros.iter().filter(|(name, _)| config.macros.iter().all(|(known, _)| known != name));
    let new: Vec<_> = new.cloned().collect();
    config.macros.extend(new);
    config.options.extend(code.options.iter().cloned());
    config
}

/// `beagle clean`.
pub fn clean(options: &CleanOptions) -> anyhow::Result<u8> {
    let project = Project::around(Path::new("."), false)?;
    let Some(folder) = kept_folder(options.cache.as_deref(), project.as_ref()) else {
        bail!("there is no project in this folder: nothing is kept here");
    };
    match std::fs::remove_dir_all(&folder) {
        Ok(()) => streams::write(&format!("removed {}\n", folder.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            streams::write(&format!("nothing is kept in {}\n", folder.display()));
        }
        Err(error) => bail!("{} cannot be removed: {error}", folder.display()),
    }
    Ok(NOTHING_WRONG)
}

/// Without what the project says.
fn campaign(
    options: &TestOptions,
    loader: &Arc<Loader>,
    languages: &Arc<Languages>,
    limits: Limits,
    functions: &[Target],
    opaque: &Opaque,
    files: Files,
) -> Campaign {
    let most_steps = options.code.steps.unwrap_or(MOST_STEPS);
    Campaign {
        opaque: opaque.clone(),
        settings: Settings {
            strategy: options.strategy.into(),
            max_runs: options.max_runs.unwrap_or(u64::MAX),
            steps: STEPS.min(most_steps),
            most_steps,
            size_bound: options.size_bound,
            seeds: Vec::new(),
            seed: options.random_seed,
            memory: limits.memory,
            samples: Default::default(),
        },
        seeds: Vec::new(),
        user_modules: loader.source_modules().map(|(module, _)| module).collect(),
        languages: Arc::clone(languages),
        emits: Wish::of(options),
        in_words: in_words(options),
        told_runs: if options.reports.html.is_some() { TOLD_RUNS } else { 0 },
        judge: Judge::new(!options.no_confirm),
        files,
        progress: ProgressLine::new(functions.len(), !options.reports.quiet),
        expectations: Vec::new(),
        baseline: None,
        results: Results::default(),
        unchanged: AtomicUsize::new(0),
    }
}

/// Where results are kept: in the project's own folder of built things, or where the user says.
fn results_folder(options: &TestOptions, project: Option<&Project>) -> Option<PathBuf> {
    // What tests are made of is not kept.
    if options.fresh || options.emit_tests.is_some() {
        return None;
    }
    kept_folder(options.code.cache.as_deref(), project)
}

/// Everything beside the code that decides what a search comes to.
fn conditions(options: &TestOptions, limits: Limits) -> Vec<String> {
    vec![
        format!("{:?} {:?} {:?}", options.strategy, options.code.steps, options.size_bound),
        format!("{:?} {} {}", options.seeds, options.random_seed, limits.memory),
        format!("{:?} {:?} {}", options.opaque, options.code.erl, options.no_confirm),
        // Those of modules are in these.
        format!("{:?}", options.project.expectations),
        format!("{:?} {:?} {}", options.solver, options.solver_time, solving::version(options)),
        // Not everything is made for every report.
        format!("{} {}", in_words(options), options.reports.html.is_some()),
    ]
}

/// Are outcomes to be put into words, for people?
fn in_words(options: &TestOptions) -> bool {
    options.reports.html.is_some()
        || options.emit_tests.is_some()
        || output::formats(&options.reports).any(|format| format != ReportFormat::Jsonl)
}

/// Tests every function, and returns how many could not be tested because of a defect of ours.
fn run_all(
    options: &TestOptions,
    loader: &Arc<Loader>,
    limits: Limits,
    campaign: &Campaign,
    functions: &[Target],
    tell: &mut dyn FnMut(News),
) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = options.jobs.map_or(processors, |jobs| jobs as usize).min(functions.len());
    let schedule = Schedule::new(functions.len(), workers, options.budget, options.total_budget);
    let (sender, news) = mpsc::channel();
    let mut failed = 0;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let sender = sender.clone();
            let schedule = &schedule;
            scope.spawn(move || {
                work(options, loader, limits, campaign, functions, schedule, &mut |news| {
                    // Nobody listens only if the command is at its end.
                    let _ = sender.send(news);
                });
            });
        }
        drop(sender);
        for news in news {
            failed += usize::from(matches!(news, News::Failed(_)));
            campaign.progress.print(|| tell(news));
        }
    });
    for Job { function, last, .. } in schedule.rest() {
        if let (Some(Turn { tested, tests, .. }), Some(target)) = (last, functions.get(function)) {
            tell(News::Tested(target.number, Box::new(tested), tests));
        }
    }
    failed
}

/// What a worker has to say.
enum News {
    Found(Name, Box<Judged>),
    /// The function of that number, and tests of what came of it, if they are wanted.
    Tested(usize, Box<Tested>, Vec<emit::Test>),
    Failed(String),
}

/// Takes one function after the other, until none is left.
fn work(
    options: &TestOptions,
    loader: &Arc<Loader>,
    limits: Limits,
    campaign: &Campaign,
    functions: &[Target],
    schedule: &Schedule<Turn>,
    tell: &mut dyn FnMut(News),
) {
    let mut ready: Option<Bench> = None;
    while let Some((job, time)) = schedule.next() {
        let Some(target) = functions.get(job.function) else { return };
        let name = print_name(target.name);
        let begun = match job.last {
            Some(Turn { tested, inputs, .. }) => Begun { findings: tested.findings, inputs, seconds: tested.seconds },
            None => {
                let mut found = |name, judged: &Judged| tell(News::Found(name, Box::new(judged.clone())));
                match campaign.known(loader, target.name, &mut found) {
                    Ok(tested) => {
                        tell(News::Tested(target.number, Box::new(tested), Vec::new()));
                        continue;
                    }
                    Err(begun) => begun,
                }
            }
        };
        let mut bench = match ready.take().map_or_else(|| bench(options, loader, limits, &campaign.opaque), Ok) {
            Ok(bench) => bench,
            Err(error) => {
                tell(News::Failed(format!("{name}: {error}")));
                continue;
            }
        };
        let searched = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let mut found = |name, judged: &Judged| tell(News::Found(name, Box::new(judged.clone())));
            let turn = campaign.test(&mut bench, target, begun, time, &mut found);
            (turn, bench)
        }));
        match searched {
            Ok((turn, bench)) => {
                ready = Some(bench);
                let is_over = turn.tested.exploration.ended != Ended::OutOfTime;
                let spent = job.spent + time;
                let job = Job { spent, has_progressed: turn.has_progressed, last: Some(turn), ..job };
                let done = if is_over { Some(job) } else { schedule.take_back(job).err() };
                if let Some(Job { last: Some(turn), .. }) = done {
                    campaign.progress.done();
                    tell(News::Tested(target.number, Box::new(turn.tested), turn.tests));
                }
            }
            // What it was tested with may be in any state: the next function gets everything anew.
            Err(_) => {
                tell(News::Failed(format!("{name} could not be tested: a defect of Beagle; please report it")));
            }
        }
    }
}

fn bench(options: &TestOptions, loader: &Arc<Loader>, limits: Limits, opaque: &Opaque) -> Result<Bench, SessionError> {
    Ok(Bench {
        session: opaque.session(loader, limits)?,
        solver: Timed::start(options),
        speaker: Speaker::new(loader, limits),
    })
}
