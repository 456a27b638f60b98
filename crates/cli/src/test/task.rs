//! A task: everything that is tested with one configuration, which are the functions of one project, or of files that
//! are in no project. A command may name several projects. What a project's configuration says of functions holds for
//! its own functions; other settings, such as those of reports, are taken from the first project.

use super::baseline::Baseline;
use super::choice::{Choice, Targets};
use super::effects::ExecutorName;
use super::saved::UserFunctions;
use super::targets::Wanted;
use crate::arguments::{Confirm, TestOptions};
use crate::configuration::{baseline_file, configured};
use crate::languages::languages;
use crate::project::{Code, Project};
use anyhow::bail;
use campaign::Target;
use frontend::{CodeConfig, Evaluation};
use machine::Limits;
use session::Opaque;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The default memory limit of each run in megabytes.
pub const MEMORY: u64 = 512;

pub struct Task {
    /// The options, including those of the project's configuration.
    pub options: TestOptions,
    pub project: Option<Project>,
    pub wanted: Wanted,
    pub code: Code,
    pub limits: Limits,
    pub loaded: Arc<dyn frontend::Code>,
    pub opaque: Opaque,
    pub functions: Vec<Target>,
    /// Messages about modules that could not be loaded.
    pub failures: Vec<String>,
    /// Whether nothing is tested because nothing has changed.
    pub unchanged: bool,
    pub baseline: Option<Baseline>,
}

impl Task {
    /// Makes one task for each project that is named, in this order; without any, for the project of the current
    /// folder.
    pub fn all(options: &TestOptions) -> anyhow::Result<Vec<Task>> {
        let may_run = !options.project.no_build;
        if may_run {
            files::allow_project_tools();
        }
        // All projects are known before anything is done for one of them: none of them is trusted.
        for target in options.targets.iter().map(Path::new).filter(|path| files::is_there(path)) {
            Project::root_around(target)?;
        }
        let mut groups: Vec<(Option<Project>, Vec<String>)> = Vec::new();
        let mut others = Vec::new();
        for target in &options.targets {
            let path = Path::new(target);
            if !files::is_there(path) {
                others.push(target.clone());
                continue;
            }
            let root = Project::root_around(path)?;
            files::grant_named(path);
            let known = |(project, _): &&mut (Option<Project>, Vec<String>)| {
                project.as_ref().map(|project| &project.root) == root.as_ref()
            };
            match groups.iter_mut().find(known) {
                Some((_, paths)) => paths.push(target.clone()),
                None => groups.push((Project::around(path, false, may_run)?, vec![target.clone()])),
            }
        }
        // Files that are in no project are tested together with the first project, if there is one.
        if let Some(at) = groups.iter().position(|(project, _)| project.is_none())
            && groups.len() > 1
        {
            let (_, paths) = groups.remove(at);
            groups.iter_mut().take(1).for_each(|(_, all)| all.extend(paths.iter().cloned()));
        }
        if groups.is_empty() {
            groups.push((Project::around(Path::new("."), true, may_run)?, Vec::new()));
        }
        let mut asked = (groups.len() > 1).then(Asked::default);
        let mut tasks = Vec::new();
        for (project, mut targets) in groups {
            targets.extend(others.iter().cloned());
            tasks.push(Task::prepare(&TestOptions { targets, ..options.clone() }, project, asked.as_mut())?);
        }
        if let Some(nowhere) = asked.as_ref().and_then(Asked::nowhere) {
            bail!("{nowhere}: none of the named projects contains it");
        }
        // Functions are numbered across all tasks.
        for (number, target) in tasks.iter_mut().flat_map(|task| &mut task.functions).enumerate() {
            target.number = number;
        }
        Ok(tasks)
    }

    /// Prepares the task of one project. `asked` collects the requests that may be for another project.
    fn prepare(options: &TestOptions, project: Option<Project>, asked: Option<&mut Asked>) -> anyhow::Result<Task> {
        let options = configured(options, project.as_ref())?;
        let mut wanted = Wanted::of(&options)?;
        let baseline = match baseline_file(&options, project.as_ref())? {
            Some(file) => Some(Baseline::read(&file, options.project.update_baseline)?),
            None => None,
        };
        let code = wanted.code(&options, project.as_ref())?;
        let mut config = with_code(options.code.config(code.files.clone()), &code);
        if let Some(project) = &project {
            config.readable.push(project.root.clone());
        }
        if options.confirm == Confirm::Trusting {
            config.evaluation = Evaluation::Trusting;
        }
        config.marks = options.marks.clone();
        config.is_conducted = options.is_conducted || options.executor == ExecutorName::Both;
        super::effects::open(&mut config, &options.allow_effects)?;
        config.has_events = options.executor != ExecutorName::Machine || !config.effects.is_empty();
        config.instrumented = super::effects::instrumented(&options)?;
        let limits = options.code.limits(MEMORY);
        let instrumented = config.instrumented.clone();
        let loaded = languages().open(config)?;
        super::effects::check(&*loaded)?;
        for module in instrumented {
            loaded.check_instrumented(module).map_err(|why| anyhow::anyhow!("--instrument {module}: {why}"))?;
        }
        if options.confirms() && !options.project.list {
            // The runtime starts in parallel with everything else, and only a finding has to wait for it.
            loaded.start_runtime();
        }
        if options.executor != ExecutorName::Machine && !options.project.list {
            super::effects::prepare_traces(&*loaded);
        }
        if let Some(project) = &project
            && !options.project.list
        {
            configure(project, &code, &*loaded);
        }
        let is_meant = asked.is_none_or(|asked| wanted.restrict(&*loaded, asked));
        let opaque = wanted.opaque(&*loaded)?;
        let choice = Choice {
            wanted: &wanted,
            options: &options,
            code: &code,
            project: project.as_ref(),
            loaded: &loaded,
            opaque: &opaque,
        };
        let Targets { mut functions, failures, unchanged } =
            if is_meant { choice.functions()? } else { Targets::default() };
        if !options.project.list {
            let mut setups = super::setups::starts(&options.start, project.as_ref())?;
            setups.extend(wanted.setups.iter().copied().map(super::setups::call));
            super::setups::prepare(&mut functions, &setups, &loaded, &opaque, limits)?;
        }
        Ok(Task { options, project, wanted, code, limits, loaded, opaque, functions, failures, unchanged, baseline })
    }

    /// Returns the reason why there is no function to test, if the user can do something about it.
    pub fn nothing(&self) -> Option<&'static str> {
        if self.unchanged || !self.functions.is_empty() || !self.failures.is_empty() {
            return None;
        }
        Some(if self.loaded.source_modules().next().is_none() {
            "nothing to test: no .erl or .beam files were found; build an Elixir project first"
        } else if !self.wanted.exclude.is_empty() {
            "nothing to test: all functions with a -spec are excluded; --list shows the functions that are tested"
        } else {
            "nothing to test: none of the selected exported functions has a -spec; --all also tests functions without one"
        })
    }

    /// Returns the modules of the user, with their functions if these are known.
    pub fn user_functions(&self) -> UserFunctions {
        let functions = |module| {
            let module = self.loaded.load(module).ok().flatten()?;
            Some(module.functions.iter().map(|function| (function.name, function.arity)).collect())
        };
        self.loaded.source_modules().map(|(module, _)| (module, functions(module))).collect()
    }
}

/// The requests of the user, with whether one of several projects has them.
#[derive(Default)]
pub struct Asked(BTreeMap<String, bool>);

impl Asked {
    /// Notes a request, and returns `is_here`.
    pub fn note(&mut self, name: String, is_here: bool) -> bool {
        *self.0.entry(name).or_default() |= is_here;
        is_here
    }

    fn nowhere(&self) -> Option<&str> {
        self.0.iter().find(|(_, is_somewhere)| !**is_somewhere).map(|(name, _)| name.as_str())
    }
}

/// Configures the code according to the files of a project.
fn configure(project: &Project, code: &Code, loaded: &dyn frontend::Code) {
    let mut evaluate =
        |files: &[PathBuf], profile: &str| loaded.read_configuration(files, profile).map_err(|error| error.to_string());
    let applications = project.configuration(&code.profile, &code.code_paths, &mut evaluate);
    if !applications.is_empty() {
        loaded.configure(erlang::configuration::encode(&applications));
    }
}

/// Returns the configuration of the code, with the requirements of the project after those of the command line.
fn with_code(mut config: CodeConfig, code: &Code) -> CodeConfig {
    config.code_paths.extend(code.code_paths.iter().cloned());
    config.include_paths.extend(code.include_paths.iter().cloned());
    let new = code.macros.iter().filter(|(name, _)| config.macros.iter().all(|(known, _)| known != name));
    let new: Vec<_> = new.cloned().collect();
    config.macros.extend(new);
    config.options.extend(code.options.iter().cloned());
    config
}
