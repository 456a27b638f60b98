//! `beagle test`: finds the functions, tests them side by side, and reports what is found when it is found.

mod campaign;
mod emission;
mod files;
mod judge;
mod output;
mod parameters;
mod place;
mod printer;
mod progress;
mod seeds;
mod solving;
mod targets;

use crate::arguments::{ReportFormat, TestOptions};
use anyhow::{Context, bail};
use beagle::{Opaque, SessionError};
use campaign::{Bench, Campaign, Speaker};
use emission::{Emission, Wish};
use judge::Judge;
use loader::Loader;
use machine::Limits;
use output::Output;
use place::Files;
use printer::Languages;
use progress::ProgressLine;
use report::{Judged, Name, Tested};
use search::Settings;
use seeds::seeds;
use solving::Timed;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;
use targets::{Target, Targets, Wanted, print_name};

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
    let wanted = Wanted::of(options)?;
    let mut emission = options.emit_tests.as_ref().map(Emission::prepare).transpose()?;
    let config = options.code.session(wanted.paths.clone(), MEMORY);
    let limits = config.limits;
    let loader = Arc::new(config.loader()?);
    let languages = Arc::new(Languages::new(&loader));
    let mut output = Output::new(options, &languages, start)?;
    if !options.no_confirm {
        // It boots beside everything else; who finds nothing never waits for it.
        loader.oracle().start();
    }
    let opaque = wanted.opaque(&loader)?;
    let Targets { functions, failures } = wanted.find(&loader, options.all, &opaque)?;
    for failure in &failures {
        eprintln!("beagle: {failure}");
    }
    if functions.is_empty() {
        if failures.is_empty() && loader.source_modules().next().is_none() {
            bail!("nothing to test: no .erl and no .beam file was found; a project in Elixir has to be built first");
        }
        if failures.is_empty() {
            bail!("nothing to test: no exported function has a -spec; --all tests those without one too");
        }
        return Ok(WRONG_USE);
    }
    if let Some(folder) = &options.dump_smt {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("--dump-smt {}: the folder cannot be made", folder.display()))?;
    }
    let campaign = campaign(options, &loader, &languages, limits, &functions, &opaque)?;
    output.unreadable(failures);
    let failed = run_all(options, &loader, limits, &campaign, &functions, &mut |news| match news {
        News::Found(name, judged) => output.found(name, &judged),
        News::Tested(number, tested, tests) => {
            if let Some(emission) = &mut emission {
                let module = tested.name.module;
                emission.add(module, emission::framework(languages.language(module)), tests);
            }
            output.tested(number, *tested);
        }
        News::Failed(message) => {
            eprintln!("beagle: {message}");
            output.failed(message);
        }
    });
    campaign.progress.finish();
    let bugs = output.finish(|results| campaign.files.sources(&functions, results))?;
    if let Some(emission) = emission {
        emission.write()?.iter().filter(|_| !options.quiet).for_each(|line| eprintln!("beagle: {line}"));
    }
    Ok(match (bugs, failed) {
        (1.., _) => BUGS,
        (0, 1..) => OWN_FAILURE,
        (0, 0) => NOTHING_WRONG,
    })
}

fn campaign(
    options: &TestOptions,
    loader: &Arc<Loader>,
    languages: &Arc<Languages>,
    limits: Limits,
    functions: &[Target],
    opaque: &Opaque,
) -> anyhow::Result<Campaign> {
    let most_steps = options.code.steps.unwrap_or(MOST_STEPS);
    let sources = || loader.source_modules();
    Ok(Campaign {
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
        budget: options.budget,
        seeds: match options.seeds.as_slice() {
            [] => Vec::new(),
            texts => seeds(&mut opaque.session(loader, limits)?, texts, functions)?,
        },
        user_modules: sources().map(|(module, _)| module).collect(),
        languages: Arc::clone(languages),
        emits: Wish::of(options),
        in_words: options.html.is_some()
            || options.emit_tests.is_some()
            || output::formats(options).any(|format| format != ReportFormat::Jsonl),
        told_runs: if options.html.is_some() { TOLD_RUNS } else { 0 },
        judge: Judge::new(!options.no_confirm),
        files: Files::new(sources().map(|(module, file)| (module, file.to_path_buf())).collect()),
        progress: ProgressLine::new(functions.len(), !options.quiet),
    })
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
    let next = AtomicUsize::new(0);
    let (sender, news) = mpsc::channel();
    let mut failed = 0;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                work(options, loader, limits, campaign, functions, next, &mut |news| {
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
    next: &AtomicUsize,
    tell: &mut dyn FnMut(News),
) {
    let mut ready: Option<Bench> = None;
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(target) = functions.get(index) else { return };
        let name = print_name(target.name);
        let mut bench = match ready.take().map_or_else(|| bench(options, loader, limits, &campaign.opaque), Ok) {
            Ok(bench) => bench,
            Err(error) => {
                tell(News::Failed(format!("{name}: {error}")));
                continue;
            }
        };
        let tested = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let mut found = |name, judged: &Judged| tell(News::Found(name, Box::new(judged.clone())));
            let (tested, tests) = campaign.test(&mut bench, target, &mut found);
            tell(News::Tested(index, Box::new(tested), tests));
            bench
        }));
        match tested {
            Ok(bench) => ready = Some(bench),
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
