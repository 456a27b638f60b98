//! `beagle test`: finds the functions, tests them side by side, and reports findings as they are made.

mod baseline;
mod changed;
mod choice;
pub mod effects;
pub mod emission;
mod onlooker;
mod output;
mod pages;
mod progress;
pub mod saved;
mod seeds;
mod setups;
mod targets;
pub mod task;
pub mod written;

use crate::arguments::{CleanOptions, ReportFormat, TestOptions};
use crate::languages::{languages, print_name};
use crate::option_table::deciding;
use crate::project::Project;
use crate::streams::{self, complain};
use anyhow::{Context, bail};
use baseline::is_gone;
use campaign::{Campaign, Files, Judge, News, RecordedAgain, Resources, Results, Seeds, SolverOptions, Warnings};
use emission::Emission;
use frontend::Languages;
use onlooker::Onlooker;
use output::Output;
use progress::{Announcement, ProgressLine};
use report::rank::Category;
use report::{Announced, Judged};
use sandbox::interrupt;
use saved::is_in;
pub use saved::merge;
use search::Settings;
use seeds::SeedReader;
use solver::Distrusted;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use task::Task;
use term::FunctionName;
use written::NewFolder;

/// The limits of calls for the first attempt of a run, and for the last one.
const STEPS: u64 = 100_000;
const MOST_STEPS: u64 = 10_000_000;

/// The number of runs of each function that pages show.
const RECORDED_RUNS: u64 = 1000;

/// The maximum length of a call in the line that announces a finding.
const SHORT_CALL: usize = 300;

const NOTHING_WRONG: u8 = 0;
const BUGS: u8 = 1;
const WRONG_USE: u8 = 2;
const OWN_FAILURE: u8 = 3;

pub fn test(options: &TestOptions) -> anyhow::Result<u8> {
    let start = Instant::now();
    let progress = ProgressLine::start(!options.reports.quiet);
    let mut tasks = match Task::all(options) {
        Ok(tasks) => tasks,
        // An interrupted build may have left nothing that can be tested.
        Err(why) if interrupt::is_received() => {
            complain!("{}: {why:#}", report::interrupted(0, 0));
            return Ok(interrupt::exit_code());
        }
        Err(why) => return Err(why),
    };
    // Options that do not concern single functions are taken from the first project.
    let Some(options) = tasks.first().map(|task| task.options.clone()) else { return Ok(NOTHING_WRONG) };
    let options = &options;
    let failures: Vec<String> = tasks.iter_mut().flat_map(|task| std::mem::take(&mut task.failures)).collect();
    for failure in &failures {
        complain!("{failure}");
    }
    if tasks.iter().all(|task| task.functions.is_empty()) && !interrupt::is_received() {
        if tasks.iter().any(|task| task.unchanged) {
            complain!("no function to test has changed");
        } else {
            match tasks.iter().find_map(Task::nothing).filter(|_| failures.is_empty()) {
                Some(why) => bail!("{why}"),
                None => return Ok(WRONG_USE),
            }
        }
    }
    let languages = Arc::new(languages().with_code(tasks.iter().map(|task| Arc::clone(&task.loaded)).collect()));
    let mut seeds = Vec::new();
    for task in &tasks {
        seeds.push(task_seeds(task, &languages, tasks.len() > 1)?);
    }
    for task in &mut tasks {
        let partition = task.options.partition;
        task.functions.retain(|target| partition.is_none_or(|partition| is_in(partition, target.name)));
    }
    let count: usize = tasks.iter().map(|task| task.functions.len()).sum();
    if options.project.list {
        let functions = tasks.iter().flat_map(|task| &task.functions);
        functions.for_each(|target| streams::write(&format!("{}\n", print_name(target.name))));
        return Ok(NOTHING_WRONG);
    }
    if let Some(folder) = &options.dump_smt {
        drop(NewFolder::prepare("--dump-smt", folder)?);
    }
    let mut emission = options.emit_tests.as_deref().map(Emission::prepare).transpose()?;
    let mut output = Output::new(&options.reports, &languages, start)?;
    let unreadable = failures.len();
    output.unreadable(failures, unreadable);
    if let Some(file) = &options.save {
        output.save_to(file, tasks.iter().flat_map(Task::user_functions).collect())?;
    }
    check_second_solver(options);
    let warnings = Warnings::new(|words| complain!("{words}"));
    let distrusted = Distrusted::default();
    let mut failed = 0;
    let mut campaigns = Vec::new();
    let most = tasks.iter().map(longest).sum();
    progress.begin(count, options.total_budget.map_or(most, |total| total.min(most)));
    for (mut task, seeds) in tasks.into_iter().zip(seeds) {
        let share = |total: Duration| total * task.functions.len() as u32 / count.max(1) as u32;
        task.options.total_budget = options.total_budget.map(share);
        task.options.reports = options.reports.clone();
        let onlooker = Arc::new(Onlooker::new(&mut task, &progress));
        let campaign = Campaign {
            distrusted: distrusted.clone(),
            ..campaign(&task, &languages, seeds, Arc::clone(&onlooker), &warnings)
        };
        failed += run(&task, &campaign, &onlooker, &warnings, &mut emission, &mut output);
        campaigns.push((task, campaign, onlooker));
    }
    let announced = progress.finish();
    let is_interrupted = interrupt::is_received();
    if is_interrupted {
        output.interrupted(count.saturating_sub(output.tested_functions() + failed));
    }
    if !options.reports.quiet {
        say_what_is_kept(campaigns.iter().map(|(_, campaign, _)| campaign));
    }
    let reported = output.finish(&announced, |results| {
        let sources = campaigns.iter().map(|(task, campaign, _)| campaign.files.sources(&task.functions, results));
        // If several projects have a module of the same name, the source of the first one counts.
        sources.fold(HashMap::new(), |mut all, more| {
            for (module, source) in more {
                all.entry(module).or_insert(source);
            }
            all
        })
    });
    if let Some(emission) = emission {
        emission.write()?.iter().filter(|_| !options.reports.quiet).for_each(|line| complain!("{line}"));
    }
    let mut bugs = reported?;
    for (task, _, onlooker) in &campaigns {
        if let Some(baseline) = &onlooker.baseline {
            baseline.finish(&|name| is_gone(name, &*task.loaded, &task.functions))?;
            // All findings are known from now on.
            bugs = if baseline.is_updated() { 0 } else { bugs };
        }
    }
    if options.dead_code && !is_interrupted {
        // Everything else has been reported, so an interrupt may end the process.
        interrupt::end_at_once();
        let settings = campaigns.first().map(|(_, campaign, _)| campaign.settings.clone());
        if let Some(settings) = settings {
            crate::reach::report_dead_code(options, &settings, &warnings)?;
        }
    }
    Ok(match (bugs, failed) {
        _ if is_interrupted => interrupt::exit_code(),
        (1.., _) => BUGS,
        (0, 1..) => OWN_FAILURE,
        (0, 0) => NOTHING_WRONG,
    })
}

/// Says how many functions have a kept result, and how many of these were searched to record what it lacks.
fn say_what_is_kept<'c>(campaigns: impl Iterator<Item = &'c Campaign>) {
    let (mut unchanged, mut recorded, mut lacks_runs, mut lacks_inputs) = (0, 0, false, false);
    for campaign in campaigns {
        unchanged += campaign.unchanged.load(Ordering::Relaxed);
        recorded += campaign.recorded_again.functions.load(Ordering::Relaxed);
        lacks_runs |= campaign.recorded_again.lacks_runs.load(Ordering::Relaxed);
        lacks_inputs |= campaign.recorded_again.lacks_inputs.load(Ordering::Relaxed);
    }
    let functions =
        |count: usize| if count == 1 { "1 function is".to_string() } else { format!("{count} functions are") };
    if unchanged > 0 {
        let unchanged = functions(unchanged);
        complain!("{unchanged} as before, with a kept result: not tested again (use --fresh to test)");
    }
    if recorded > 0 {
        let recorded = functions(recorded);
        let lacking = match (lacks_runs, lacks_inputs) {
            (true, true) => "recorded runs and inputs of paths",
            (false, true) => "inputs of paths",
            (_, false) => "recorded runs",
        };
        complain!("{recorded} as before, with a kept result that lacks {lacking}: searched again only for these");
    }
}

/// Reads the seeds of a task. They may be for any of its functions, in whichever part these are tested.
fn task_seeds(task: &Task, languages: &Languages, is_one_of_several: bool) -> anyhow::Result<Seeds> {
    if task.options.seeds.is_empty() || task.functions.is_empty() {
        return Ok(Seeds::default());
    }
    let session = &mut task.opaque.session(&task.loaded, task.limits)?;
    let functions = &task.functions;
    SeedReader { session, languages, functions, is_one_of_several, seeds: Seeds::default() }.read(&task.options.seeds)
}

/// Tests the functions of a task, and returns how many could not be tested because of a defect of Beagle.
fn run(
    task: &Task,
    campaign: &Campaign,
    onlooker: &Onlooker,
    warnings: &Warnings,
    emission: &mut Option<Emission>,
    output: &mut Output<'_>,
) -> usize {
    let (progress, languages) = (&onlooker.progress, &*campaign.languages);
    let mut announce = |news| match news {
        News::Found(name, judged) => {
            output.found(name, &judged);
            if judged.is_bug() && judged.ranking().category == Category::Likely {
                let is_told = task.options.reports.format != ReportFormat::Jsonl;
                let announcement = || Announcement {
                    words: in_short(languages, name, &judged),
                    of: Announced::new(languages, name, &judged),
                };
                progress.found(&judged, is_told.then(announcement));
            }
        }
        News::Tested(number, tested, tests) => {
            if let Some(emission) = emission {
                let module = tested.name.module;
                emission.add(module, languages.language(module).framework(), tests);
            }
            if let Some(baseline) = &onlooker.baseline {
                baseline.settle(&tested);
            }
            output.tested(number, *tested);
        }
        News::Failed(message) => {
            complain!("{message}");
            output.failed(message);
        }
    };
    campaign.results.read_samples(&*task.loaded, &campaign.settings.samples);
    let failed = campaign::run(campaign, &resources(task, warnings), &task.functions, &mut |news| match news {
        Some(news) => announce(news),
        None => progress.beat(),
    });
    campaign.results.keep_samples(&*task.loaded, &campaign.settings.samples);
    failed
}

fn resources(task: &Task, warnings: &Warnings) -> Resources {
    let options = &task.options;
    Resources {
        code: Arc::clone(&task.loaded),
        limits: task.limits,
        solver: solver_options(options),
        workers: options.jobs.map(|jobs| jobs as usize),
        budget: options.budget,
        total_budget: options.total_budget,
        total_memory: options.total_memory.map(|megabytes| megabytes << 20),
        warnings: warnings.clone(),
    }
}

fn solver_options(options: &TestOptions) -> SolverOptions {
    SolverOptions {
        path: options.solver.clone(),
        time: options.solver_time,
        dump: options.dump_smt.clone(),
        second: options.second_solver.clone(),
    }
}

/// Reports that a second solver which was asked for by name does not work.
fn check_second_solver(options: &TestOptions) {
    if let Some(path) = &options.second_solver
        && let Err(why) = solver::solver_name(path)
    {
        complain!("--second-solver: {why}. Using the first solver instead");
    }
}

/// `beagle clean`: removes kept results.
pub fn clean(options: &CleanOptions) -> anyhow::Result<u8> {
    let project = Project::around(Path::new("."), false, false)?;
    let Some(folder) = kept_folder(options.cache.as_deref(), project.as_ref()) else {
        bail!("there is no project in this folder, so there are no kept results");
    };
    let unremovable = || format!("the kept results in {} cannot be removed", folder.display());
    match files::Folder::open(&folder).and_then(|folder| files::remove_listed(&folder)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error).with_context(unremovable),
        Ok(removed @ 1..) => {
            // Files that the user has put there stay.
            files::remove_empty(&folder);
            let files = if removed == 1 { "1 file".to_string() } else { format!("{removed} files") };
            streams::write(&format!("removed {files} of kept results from {}\n", folder.display()));
        }
        Ok(0) | Err(_) => streams::write(&format!("nothing is kept in {}\n", folder.display())),
    }
    Ok(NOTHING_WRONG)
}

fn campaign(
    task: &Task,
    languages: &Arc<Languages>,
    seeds: Seeds,
    observer: Arc<Onlooker>,
    warnings: &Warnings,
) -> Campaign {
    let (options, code, limits) = (&task.options, &task.loaded, task.limits);
    let most_steps = options.code.steps.unwrap_or(MOST_STEPS);
    let modules = code.source_modules().map(|(module, file)| (module, file.to_path_buf())).collect();
    let root = task.project.as_ref().map(|project| project.root.as_path());
    let results = match results_folder(options, task.project.as_ref()) {
        Some(folder) => Results::new(folder, &conditions(task, &seeds, warnings), warnings.clone()),
        None => Results::default(),
    };
    Campaign {
        opaque: task.opaque.clone(),
        executor: options.executor.into(),
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
            goal: None,
        },
        seeds,
        user_modules: code.source_modules().map(|(module, _)| module).collect(),
        languages: Arc::clone(languages),
        emits: emission::wish(options),
        in_words: in_words(options),
        recorded_runs: if options.reports.html.is_some() { RECORDED_RUNS } else { 0 },
        judge: Judge::new(options.confirms(), warnings.clone()),
        files: Files::new(modules, task.code.sources.clone(), root),
        observer,
        expectations: task.wanted.expectations.clone(),
        results,
        unchanged: AtomicUsize::new(0),
        recorded_again: RecordedAgain::default(),
        starter: setups::on_demand(task),
        distrusted: Distrusted::default(),
    }
}

/// Returns whether any report needs outcomes as a shell shows them.
fn in_words(options: &TestOptions) -> bool {
    options.reports.html.is_some()
        || options.emit_tests.is_some()
        || output::formats(&options.reports).any(|format| format != ReportFormat::Jsonl)
}

/// Returns the folder of kept results, or `None` if results are neither used nor kept.
fn results_folder(options: &TestOptions, project: Option<&Project>) -> Option<PathBuf> {
    if options.fresh {
        return None;
    }
    kept_folder(options.code.cache.as_deref(), project)
}

/// Returns the folder that results are kept in: below the one that the user names, or in the project's build folder.
pub fn kept_folder(said: Option<&Path>, project: Option<&Project>) -> Option<PathBuf> {
    match said {
        Some(folder) => Some(folder.join("results")),
        None => project?.own_folder(),
    }
}

/// Returns everything besides units and modules that affects the result of a search, by name.
fn conditions(task: &Task, seeds: &Seeds, warnings: &Warnings) -> Vec<(&'static str, String)> {
    let mut conditions = deciding(&task.options);
    conditions.extend([
        ("build", env!("BEAGLE_BUILD").to_string()),
        ("solvers", campaign::versions(&solver_options(&task.options), warnings)),
        ("runtime", format!("{:?}", task.loaded.runtime_digest())),
        ("configuration", format!("{:?}", task.loaded.configuration())),
        ("arguments to start with", format!("{seeds:?}")),
        // Only applications of a project are started on demand.
        ("is in a project", task.project.is_some().to_string()),
    ]);
    conditions
}

/// Describes a finding and a call that shows it, so that the line is useful even if no report follows.
fn in_short(languages: &Languages, name: FunctionName, judged: &Judged) -> String {
    let language = languages.language(name.module);
    let call = report::call(language, name, &judged.finding);
    let call = if call.len() <= SHORT_CALL { format!(": {call}") } else { String::new() };
    format!("{}{call}", report::title(language, name, judged)).replace('\n', " ")
}

/// Returns the time that a task takes if every function needs all of its own.
fn longest(task: &Task) -> Duration {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = task.options.jobs.map_or(processors, |jobs| jobs as usize).max(1);
    let turns = task.functions.len().div_ceil(workers);
    task.options.budget.saturating_mul(u32::try_from(turns).unwrap_or(u32::MAX))
}
