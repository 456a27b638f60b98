//! Chooses the functions that are tested.

use super::changed::changed_since;
use super::targets::{Naming, Request, Wanted};
use crate::arguments::TestOptions;
use crate::languages::{languages, print_module, print_name};
use crate::project::{Beam, Code, Project, is_test, release_of};
use anyhow::{anyhow, bail};
use campaign::Target;
use erlang::syntax::print_atom;
use frontend::{CodeError, Pattern};
use program::{Function, Module, Origin, for_each_module};
use sandbox::interrupt;
use session::{Opaque, contract_and_modules};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use term::{Atom, FunctionName};

/// The most lines of a message about a module that cannot be loaded.
const MOST_LINES: usize = 25;

/// The functions to test, and messages about modules that cannot be tested.
#[derive(Default)]
pub struct Targets {
    pub functions: Vec<Target>,
    /// Messages, one for each module that could not be loaded.
    pub failures: Vec<String>,
    /// Whether nothing is tested because nothing has changed.
    pub unchanged: bool,
}

/// The choice of functions: where they are chosen from, and by which options.
pub struct Choice<'c> {
    pub wanted: &'c Wanted,
    pub options: &'c TestOptions,
    pub code: &'c Code,
    pub project: Option<&'c Project>,
    pub loaded: &'c Arc<dyn frontend::Code>,
    pub opaque: &'c Opaque,
}

/// A module that functions are chosen from.
struct Candidate {
    module: Arc<Module>,
    /// Whether the user has named the module itself, and not only its folder.
    is_named: bool,
}

impl Choice<'_> {
    /// Loads the modules and chooses the functions. Fails if something was named that does not exist. A module that
    /// cannot be loaded is only left out.
    pub fn functions(&self) -> anyhow::Result<Targets> {
        let mut targets = Targets::default();
        let is_only_functions = !self.wanted.functions.is_empty()
            && self.wanted.functions.iter().all(|request| matches!(request, Request::One(_)));
        let needs_modules = !is_only_functions || self.options.project.with_callers;
        let candidates = if needs_modules { self.candidates(&mut targets)? } else { Vec::new() };
        if self.wanted.functions.is_empty() {
            for Candidate { module, is_named } in &candidates {
                targets.functions.extend(self.of_module(module, *is_named));
            }
        }
        for request in &self.wanted.functions {
            if interrupt::is_received() {
                break;
            }
            match request {
                Request::One(name) => match self.loaded.load(name.module) {
                    Ok(Some(module)) if name.is_client() => {
                        // A user who names the clients means all functions, if none of them has a specification.
                        let client = self.client(&module, self.options.all).or_else(|| self.client(&module, true));
                        targets.functions.push(client.ok_or_else(|| {
                            let name = print_module(module.name);
                            anyhow!("{name} has no clients: it exports no function that starts a process, and no opaque type")
                        })?);
                    }
                    Ok(Some(module)) => targets.functions.push(exported(*name, module)?),
                    Ok(None) => bail!("the module of {} was not found: name its file as well", print_name(*name)),
                    Err(error) if error.is_of_runtime => return Err(error.into()),
                    Err(error) => targets.failures.push(error.to_string()),
                },
                Request::Some(pattern, text) => self.matching(&**pattern, text, &candidates, &mut targets)?,
            }
        }
        for invariant in &self.wanted.invariants {
            if let Ok(Some(module)) = self.loaded.load(invariant.module) {
                exported(*invariant, module)?;
            }
        }
        let mut seen = HashSet::new();
        targets.functions.retain(|target| seen.insert((target.name.module, target.name.function, target.name.arity)));
        if let Some(revision) = &self.options.project.changed_since {
            let had_functions = !targets.functions.is_empty();
            let changed = self.changed(revision, &candidates)?;
            targets.functions.retain(|target| changed.contains(&target.name.module));
            targets.unchanged = had_functions && targets.functions.is_empty();
        }
        targets.functions.iter_mut().enumerate().for_each(|(number, target)| target.number = number);
        Ok(targets)
    }

    /// Returns the modules that are meant and can be loaded.
    fn candidates(&self, targets: &mut Targets) -> anyhow::Result<Vec<Candidate>> {
        let mut candidates = Vec::new();
        let mut left: Vec<&Arc<dyn Pattern>> = self.wanted.modules.iter().collect();
        // If the user ends the command while modules are compiled, the others are not compiled.
        for (module, file) in self.loaded.source_modules().take_while(|_| !interrupt::is_received()) {
            left.retain(|pattern| !pattern.covers_module(module));
            let Some(is_named) = self.is_meant(module, file) else { continue };
            match self.loaded.load(module) {
                Ok(Some(module)) => {
                    self.loaded.attributes(&module).map_err(|why| anyhow!("{}: {why}", file.display()))?;
                    candidates.push(Candidate { module, is_named });
                }
                Ok(None) => targets.failures.push(format!("{} has gone away", file.display())),
                // All other modules would fail in the same way.
                Err(error) if error.is_of_runtime => return Err(error.into()),
                Err(error) => targets.failures.push(self.failure(&error, file)),
            }
        }
        // Modules that are not in the sources may be named as well, such as those of OTP.
        for pattern in left.into_iter().take_while(|_| !interrupt::is_received()) {
            match pattern.single_module().map(|module| self.loaded.load(module)) {
                Some(Ok(Some(module))) => candidates.push(Candidate { module, is_named: true }),
                Some(Err(error)) => targets.failures.push(error.to_string()),
                Some(Ok(None)) | None => bail!("--module {pattern}: there is no such module"),
            }
        }
        Ok(candidates)
    }

    /// Returns whether a wanted module was named itself, or `None` if it is not wanted.
    fn is_meant(&self, module: Atom, file: &Path) -> Option<bool> {
        let source = self.code.sources.get(&module).map(PathBuf::as_path);
        let naming = match self.project {
            Some(_) => self.wanted.names(file, source),
            // Without a project, there is no code except what was named.
            None if self.wanted.paths.iter().any(|path| path == file) => Naming::ByItself,
            None => Naming::ByFolder,
        };
        let covering = self.wanted.modules.iter().find(|pattern| pattern.covers_module(module));
        if naming == Naming::Not || (covering.is_none() && !self.wanted.modules.is_empty()) {
            return None;
        }
        let is_excluded = |pattern: &Arc<dyn Pattern>| !pattern.names_functions() && pattern.covers_module(module);
        if self.wanted.exclude.iter().any(is_excluded) {
            return None;
        }
        let is_named = naming == Naming::ByItself || covering.is_some_and(|pattern| pattern.single_module().is_some());
        if is_named || covering.is_some() || !is_test(module, source.or(Some(file)), &self.bases()) {
            Some(is_named)
        } else {
            None
        }
    }

    /// Returns the folders below which folders named `test` contain tests.
    fn bases(&self) -> Vec<PathBuf> {
        let named = self.wanted.paths.iter().filter(|path| files::is_folder(path));
        let named: Vec<PathBuf> =
            named.flat_map(|path| [Some(path.clone()), std::path::absolute(path).ok()]).flatten().collect();
        match self.project {
            Some(project) if named.is_empty() => {
                let folders = project.applications.iter().map(|application| application.folder.clone());
                folders.chain([project.root.clone()]).collect()
            }
            _ => named,
        }
    }

    /// Returns the functions of a module that are tested by default: those with a specification or, if no function has
    /// one and the module was named itself, all.
    fn of_module(&self, module: &Arc<Module>, is_named: bool) -> Vec<Target> {
        let has_own = |name: FunctionName| {
            module.types.specs.iter().any(|spec| spec.name == name.function && spec.arity == name.arity)
        };
        // The callback of a behaviour serves as the specification of a function without one.
        let has_spec = |name: FunctionName| {
            has_own(name) || contract_and_modules(self.loaded, module, name.function, name.arity).0.declared
        };
        // A callback would be tested with states that no client can bring about, so the clients of a server are tested
        // instead.
        let callbacks = match self.options.callbacks {
            true => HashSet::new(),
            false => self.loaded.callbacks(module),
        };
        let is_callback = |name: &FunctionName| callbacks.contains(&(name.function, name.arity));
        let names: Vec<FunctionName> =
            written(module).map(|function| name_of(module, function)).filter(|name| !is_callback(name)).collect();
        let none_says_anything = is_named && !names.iter().any(|name| has_spec(*name));
        // Functions that are not executed symbolically are not tested.
        let hidden = self.opaque.of(&**self.loaded, module);
        let chosen = names.into_iter().filter(|name| {
            (self.options.all || none_says_anything || has_spec(*name))
                && !hidden.contains(&(name.function, name.arity))
                && !self.is_excluded(*name)
        });
        let mut chosen: Vec<Target> = chosen.map(|name| target(name, module)).collect();
        // Functions that talk to a process of the module are tested by the clients, which have such a process.
        if let Some(client) = self.client(module, self.options.all || none_says_anything) {
            let talks = |name: FunctionName| client.client.as_ref().is_some_and(|plan| plan.talks(name));
            chosen.retain(|target| !talks(target.name));
        }
        if let Some(client) = self.client(module, self.options.all || none_says_anything)
            && !self.is_excluded(client.name)
        {
            chosen.insert(0, client);
        }
        chosen
    }

    /// Returns the unit of the clients of a module, if it has any.
    fn client(&self, module: &Arc<Module>, all: bool) -> Option<Target> {
        let users: Vec<Atom> = self.loaded.source_modules().map(|(module, _)| module).collect();
        let mut plan = self.loaded.client(module, &users, all)?;
        let named = self.wanted.invariants.iter().filter(|invariant| invariant.module == module.name);
        plan.invariants.extend(named);
        plan.operations.retain(|call| !plan.invariants.contains(&call.name));
        Some(Target { client: Some(Arc::new(plan)), ..target(FunctionName::client_of(module.name), module) })
    }

    fn is_excluded(&self, name: FunctionName) -> bool {
        self.wanted.exclude.iter().any(|pattern| pattern.covers(name))
    }

    fn matching(
        &self,
        pattern: &dyn Pattern,
        text: &str,
        candidates: &[Candidate],
        targets: &mut Targets,
    ) -> anyhow::Result<()> {
        let mut modules: Vec<Arc<Module>> = candidates.iter().map(|candidate| Arc::clone(&candidate.module)).collect();
        if let Some(single) =
            pattern.single_module().filter(|single| modules.iter().all(|module| module.name != *single))
        {
            match self.loaded.load(single) {
                Ok(Some(module)) => modules.push(module),
                Ok(None) => bail!("-f {text}: there is no module {}", print_module(single)),
                Err(error) => {
                    targets.failures.push(error.to_string());
                    return Ok(());
                }
            }
        }
        let before = targets.functions.len();
        for module in &modules {
            let names = written(module).map(|function| name_of(module, function));
            let chosen = names.filter(|name| pattern.covers(*name) && !self.is_excluded(*name));
            targets.functions.extend(chosen.map(|name| target(name, module)));
            let client = FunctionName::client_of(module.name);
            if pattern.covers(client) && !self.is_excluded(client) {
                // A user who names the clients means all functions, if none of them has a specification.
                let client = self.client(module, self.options.all).or_else(|| self.client(module, true));
                targets.functions.extend(client);
            }
        }
        if targets.functions.len() == before {
            bail!("-f {text}: no exported function has this name");
        }
        Ok(())
    }

    /// Returns the modules whose source has changed, and those that call them if that is wanted.
    fn changed(&self, revision: &str, candidates: &[Candidate]) -> anyhow::Result<HashSet<Atom>> {
        let folder = match (self.project, self.wanted.paths.first()) {
            (Some(project), _) => project.root.clone(),
            (None, Some(path)) if files::is_folder(path) => path.clone(),
            (None, Some(path)) => {
                path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new(".")).into()
            }
            (None, None) => PathBuf::from("."),
        };
        let changed = changed_since(revision, &folder)?;
        let is_changed = |(module, file): &(Atom, &Path)| {
            let source = self.code.sources.get(module).map_or(*file, PathBuf::as_path);
            files::resolve(source).is_ok_and(|source| changed.contains(&source))
        };
        let modules: HashSet<Atom> =
            self.loaded.source_modules().filter(is_changed).map(|(module, _)| module).collect();
        if !self.options.project.with_callers {
            return Ok(modules);
        }
        // Deleted modules cannot be tested, but their callers can.
        let deleted = changed
            .iter()
            .filter(|file| file.extension().is_some_and(|found| found == "erl") && !files::is_there(file));
        let deleted = deleted.filter_map(|file| oracle::module_of_file(file)).map(Atom::new);
        let called: HashSet<Atom> = modules.iter().copied().chain(deleted).collect();
        let mut with_callers = modules;
        for Candidate { module, .. } in candidates {
            let mut calls = false;
            for body in module.functions.iter().filter_map(|function| function.body.get().ok()) {
                for_each_module(body, |module| calls |= called.contains(&module));
            }
            if calls {
                with_callers.insert(module.name);
            }
        }
        Ok(with_callers)
    }

    /// Describes why a module could not be loaded, with the release that it is for if that may be the reason.
    fn failure(&self, error: &CodeError, file: &Path) -> String {
        let mut words = error.to_string();
        if !words.contains(&*file.to_string_lossy()) {
            words = format!("{}: {words}", file.display());
        }
        // A compiler that fails on the output of a transform may print that output as a whole.
        let surplus = words.lines().count().saturating_sub(MOST_LINES);
        if surplus > 0 {
            words = words.lines().take(MOST_LINES).collect::<Vec<_>>().join("\n");
            words.push_str(&format!("\n  (and {surplus} more lines)"));
        }
        let compiler = Beam::read(file).and_then(|beam| beam.compiler);
        let release = compiler.as_deref().and_then(release_of);
        let ours = self.loaded.release();
        if let (Some(release), Some(ours)) = (release, ours)
            && release > ours
        {
            // The messages of the older compiler are of no use, and may have any length.
            words = words.lines().take(3).collect::<Vec<_>>().join("\n");
            words.push_str(&format!(
                "\n  It was compiled by Erlang/OTP {release}, and this is {ours}: let --erl or BEAGLE_ERL name the erl of \
                 {release}, or build it with {ours}"
            ));
        } else if file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("Elixir.")) && !error.is_defect
        {
            words.push_str("\n  Build it with the release of Elixir that is in PATH (mix compile --force)");
        }
        words
    }
}

/// Makes a target without setups.
fn target(name: FunctionName, module: &Arc<Module>) -> Target {
    Target { number: 0, name, module: Arc::clone(module), setups: Vec::new(), started: Vec::new(), client: None }
}

/// Returns the functions that a person has written and exported.
fn written(module: &Module) -> impl Iterator<Item = &Function> {
    let language = languages().language(module.name);
    module.functions.iter().filter(move |function| {
        function.exported && function.origin == Origin::Named && !language.is_generated(function.name)
    })
}

fn name_of(module: &Module, function: &Function) -> FunctionName {
    FunctionName { module: module.name, function: function.name, arity: function.arity }
}

fn exported(name: FunctionName, module: Arc<Module>) -> anyhow::Result<Target> {
    let Some(id) = module.find(name.function, name.arity) else {
        let others = module.functions.iter().filter(|function| function.exported && function.name == name.function);
        let others: Vec<String> =
            others.map(|function| format!("{}/{}", print_atom(function.name), function.arity)).collect();
        let hint = match others.as_slice() {
            [] => exports(&module),
            others => format!("; there is {}", others.join(" and ")),
        };
        bail!("there is no function {}{hint}", print_name(name));
    };
    if !module.function(id).exported {
        bail!("{} is not exported: export it, or test the functions that call it", print_name(name));
    }
    Ok(target(name, &module))
}

/// Describes the functions that a module exports instead.
fn exports(module: &Module) -> String {
    const MOST: usize = 20;
    let mut names: Vec<String> =
        written(module).map(|function| format!("{}/{}", print_atom(function.name), function.arity)).collect();
    names.sort();
    let own = print_module(module.name);
    match names.len() {
        0 => format!("; {own} exports none"),
        count if count > MOST => {
            format!("; {own} exports {} and {} others", names[..MOST].join(", "), count - MOST)
        }
        _ => format!("; {own} exports {}", names.join(", ")),
    }
}
