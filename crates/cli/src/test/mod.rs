//! `beagle test`: finds the functions, tests them side by side, and reports what is found when it is found.

mod baseline;
mod campaign;
mod changed;
mod choice;
mod judge;
mod place;
mod printer;
mod progress;
mod seeds;
mod solving;
mod targets;

use crate::arguments::{Format, TestOptions};
use crate::configuration::{baseline_file, configured};
use crate::project::{Code, Project};
use anyhow::{Context, bail};
use baseline::Baseline;
use beagle::{Opaque, SessionConfig, SessionError};
use campaign::{Bench, Campaign, Speaker};
use choice::{Choice, Targets};
use judge::Judge;
use loader::Loader;
use machine::Limits;
use place::Files;
use printer::Erlang;
use progress::ProgressLine;
use report::{Detail, Human, Judged, Lines, Name, Summary, Tested};
use search::Settings;
use seeds::seeds;
use solving::Timed;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;
use targets::{Target, Wanted, print_name};

/// Megabytes for each worker.
const MEMORY: u64 = 512;
/// Calls of a run's first attempt, and of its last.
const STEPS: u64 = 100_000;
const MOST_STEPS: u64 = 10_000_000;

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
        eprintln!("beagle: {failure}");
    }
    if unchanged {
        eprintln!("beagle: no function to test has changed");
        return Ok(NOTHING_WRONG);
    }
    if functions.is_empty() {
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
    if options.project.list {
        functions.iter().for_each(|target| write(&format!("{}\n", print_name(target.name))));
        return Ok(NOTHING_WRONG);
    }
    if let Some(folder) = &options.dump_smt {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("--dump-smt {}: the folder cannot be made", folder.display()))?;
    }
    let mut campaign = campaign(options, &loader, limits, &functions, &opaque, &code)?;
    campaign.expectations = wanted.expectations;
    campaign.baseline = baseline;
    let mut output = Output::new(options, start);
    output.summary.unreadable = failures.len();
    let failed = run_all(options, &loader, limits, &campaign, &functions, &mut output);
    campaign.progress.finish();
    output.finish();
    let mut bugs = output.summary.bugs;
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

fn campaign(
    options: &TestOptions,
    loader: &Arc<Loader>,
    limits: Limits,
    functions: &[Target],
    opaque: &Opaque,
    code: &Code,
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
        in_words: options.format == Format::Human,
        judge: Judge::new(!options.no_confirm),
        files: Files::new(sources().map(|(module, file)| (module, file.to_path_buf())).collect(), code.sources.clone()),
        progress: ProgressLine::new(functions.len(), !options.quiet),
        expectations: Vec::new(),
        baseline: None,
    })
}

/// Tests every function, and returns how many could not be tested because of a defect of ours.
fn run_all(
    options: &TestOptions,
    loader: &Arc<Loader>,
    limits: Limits,
    campaign: &Campaign,
    functions: &[Target],
    output: &mut Output<'_>,
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
            campaign.progress.print(|| match &news {
                News::Found(name, judged) => output.found(*name, judged),
                News::Tested(index, tested) => {
                    if let Some(baseline) = &campaign.baseline {
                        baseline.settle(tested);
                    }
                    output.tested(*index, tested);
                }
                News::Failed(message) => {
                    eprintln!("beagle: {message}");
                    failed += 1;
                }
            });
        }
    });
    failed
}

/// What a worker has to say.
enum News {
    Found(Name, Box<Judged>),
    /// The function of that number.
    Tested(usize, Box<Tested>),
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
            let tested = campaign.test(&mut bench, target, &mut found);
            tell(News::Tested(index, Box::new(tested)));
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

/// What goes to standard output: findings as they come, whatever function they are of; what became of each
/// function behind its findings, and for people behind all findings and in the order of the functions.
struct Output<'o> {
    options: &'o TestOptions,
    human: Human<'o>,
    start: Instant,
    /// Lines of functions, by their number.
    functions: BTreeMap<usize, String>,
    summary: Summary,
}

impl<'o> Output<'o> {
    fn new(options: &'o TestOptions, start: Instant) -> Output<'o> {
        let detail = match (options.quiet, options.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        };
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = std::io::stdout().is_terminal() && !no_colour;
        let human = Human { printer: &Erlang, colour, detail };
        Output { options, human, start, functions: BTreeMap::new(), summary: Summary::default() }
    }

    fn found(&self, name: Name, judged: &Judged) {
        write(&match self.options.format {
            Format::Human => self.human.finding(name, judged),
            Format::Jsonl => Lines { printer: &Erlang }.finding(name, judged),
        });
    }

    fn tested(&mut self, index: usize, tested: &Tested) {
        self.summary.add(tested);
        match self.options.format {
            Format::Human => {
                self.functions.insert(index, self.human.function(tested));
            }
            Format::Jsonl => write(&Lines { printer: &Erlang }.function(tested)),
        }
    }

    fn finish(&mut self) {
        self.summary.seconds = self.start.elapsed().as_secs_f64();
        match self.options.format {
            Format::Human => {
                let functions: String = self.functions.values().map(String::as_str).collect();
                write(&format!("{functions}{}", self.human.summary(&self.summary)));
            }
            Format::Jsonl => write(&Lines { printer: &Erlang }.summary(&self.summary)),
        }
    }
}

/// A reader that has seen enough is no failure.
fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
