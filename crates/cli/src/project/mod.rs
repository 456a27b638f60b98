//! Projects of rebar3, mix and erlang.mk, and plain folders: finds them, their applications and their code, and builds
//! them.

mod beam;
mod build;
mod code;
mod environment;
mod files;
mod options;
mod owners;
mod rebar;
mod script;
mod tool;

pub use self::files::{files_below, read_named, read_named_text, read_text};
pub use beam::{Beam, release_of};
pub use code::{Code, is_test};
pub use options::ProjectOptions;
pub use rebar::RebarConfig;

use self::files::{files_in, folders_in, has_file, read_direct_text, read_text as read};
use ::files::is_there as exists;
use anyhow::{Context, bail};
use std::path::{Component, Path, PathBuf};

#[derive(Debug)]
pub struct Project {
    /// An absolute path.
    pub root: PathBuf,
    pub tool: Tool,
    pub applications: Vec<Application>,
    pub rebar: RebarConfig,
    /// Whether tools may run: builds, and scripts of configurations.
    may_run: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Rebar,
    Mix,
    /// There is no tool to run: erlang.mk, or only folders.
    None,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    pub name: String,
    pub folder: PathBuf,
}

impl Project {
    /// The project that a folder is in or below of. `plain`: a folder of code without a tool is one, too. `may_run`: a
    /// script of its configuration is evaluated, and it is built later, unless other users have a say in what that runs.
    pub fn around(start: &Path, plain: bool, may_run: bool) -> anyhow::Result<Option<Project>> {
        let Some((root, tool)) = root_around(start, plain)? else { return Ok(None) };
        ::files::add_project(&root).with_context(|| format!("{} cannot be opened", root.display()))?;
        let may_run = may_run && (tool == Tool::None || owners::may_run(&root, &[]));
        let rebar = match tool {
            Tool::Mix => RebarConfig::default(),
            Tool::Rebar => RebarConfig::of(&root, may_run)?,
            Tool::None => RebarConfig::read(&root)?,
        };
        let applications = match tool {
            Tool::Rebar => rebar_applications(&root, &rebar),
            Tool::Mix => mix_applications(&root),
            Tool::None => plain_applications(&root),
        };
        let may_run = may_run && (tool == Tool::None || owners::may_run(&root, &applications));
        let project = Project { root, tool, applications, rebar, may_run };
        let named = project.builds_variable().into_iter().chain(folder_in_variable("MIX_BUILD_PATH"));
        named.for_each(|folder| ::files::grant_outside(&project.root.join(folder)));
        Ok(Some(project))
    }

    /// Declares the current folder, or the project that it is in, to be a project: its files give no permission to any
    /// command.
    pub fn declare_here() -> anyhow::Result<()> {
        if let Some((root, _)) = root_around(Path::new("."), true)? {
            ::files::add_project(&root).with_context(|| format!("{} cannot be opened", root.display()))?;
        }
        Ok(())
    }

    /// Returns the root of the project that a folder or a file is in.
    pub fn root_around(start: &Path) -> anyhow::Result<Option<PathBuf>> {
        let root = root_around(start, false)?.map(|(root, _)| root);
        if let Some(root) = &root {
            ::files::add_project(root).with_context(|| format!("{} cannot be opened", root.display()))?;
        }
        Ok(root)
    }

    /// Returns the folder where Beagle may keep results. Nothing is written to a folder that only has code in it.
    ///
    /// A folder outside of the project is used only if the user's environment names it, not because the project does.
    pub fn own_folder(&self) -> Option<PathBuf> {
        tool_of(&self.root)?;
        let builds = self.builds();
        let inner = builds.strip_prefix(&self.root);
        let is_inside = inner.is_ok_and(|rest| rest.components().all(|part| matches!(part, Component::Normal(_))));
        (is_inside || self.builds_variable().is_some()).then(|| builds.join("beagle"))
    }

    /// Returns the folder of builds, if the user's environment names it.
    fn builds_variable(&self) -> Option<PathBuf> {
        match self.tool {
            Tool::Rebar => folder_in_variable("REBAR_BASE_DIR"),
            Tool::Mix => folder_in_variable("MIX_BUILD_ROOT"),
            Tool::None => None,
        }
    }

    /// Returns the folder of the builds for all profiles: the one that the tool's variable or its configuration names,
    /// or the usual one.
    fn builds(&self) -> PathBuf {
        let configured = self.builds_variable().or_else(|| self.rebar.base_folder());
        self.root.join(configured.unwrap_or("_build".into()))
    }

    /// Returns the folder of the build for a profile.
    fn built(&self, profile: &str) -> PathBuf {
        match folder_in_variable("MIX_BUILD_PATH").filter(|_| self.tool == Tool::Mix) {
            Some(folder) => self.root.join(folder),
            None => self.builds().join(profile),
        }
    }

    fn ebin(&self, application: &Application, profile: &str) -> PathBuf {
        match self.tool {
            Tool::Rebar | Tool::Mix => self.built(profile).join("lib").join(&application.name).join("ebin"),
            Tool::None => application.folder.join("ebin"),
        }
    }
}

fn root_around(start: &Path, plain: bool) -> anyhow::Result<Option<(PathBuf, Tool)>> {
    let start =
        std::path::absolute(start).context("the current folder does not exist any more: change to another one")?;
    let nearest = start.ancestors().find_map(|folder| Some((folder, tool_of(folder)?)));
    let found = match nearest {
        Some((root, tool)) => {
            ::files::add_project(root).with_context(|| format!("{} cannot be opened", root.display()))?;
            Some((umbrella_of(root, tool).unwrap_or_else(|| root.to_path_buf()), tool))
        }
        None if plain => match start.ancestors().find(|folder| is_plain(folder)) {
            Some(root) => Some((root.to_path_buf(), Tool::None)),
            None => has_file(&start, is_code).then_some((start, Tool::None)),
        },
        None => None,
    };
    if let Some((root, _)) = &found
        && root.to_str().is_none()
    {
        bail!(
            "{}: the name of this folder is not valid UTF-8, and Erlang does not start in it: rename the folder",
            root.display()
        );
    }
    Ok(found)
}

fn folder_in_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn tool_of(folder: &Path) -> Option<Tool> {
    let has = |name: &str| exists(&folder.join(name));
    if has("rebar.config") || has("rebar.config.script") || has("rebar.lock") {
        return Some(Tool::Rebar);
    }
    if has("mix.exs") {
        return Some(Tool::Mix);
    }
    let names_erlang_mk = || read_direct_text(&folder.join("Makefile")).is_ok_and(|text| text.contains("erlang.mk"));
    (has("erlang.mk") || names_erlang_mk()).then_some(Tool::None)
}

fn is_plain(folder: &Path) -> bool {
    let has_source = |name: &str| has_file(&folder.join(name), |file| is_code(file) || is_app_source(file));
    has_source("src") || has_source("ebin")
}

fn is_code(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "erl" || extension == "beam")
}

fn is_app_source(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.ends_with(".app.src") || name.ends_with(".app.src.script")
}

/// Returns the umbrella project of an application, which the application is built and tested with.
fn umbrella_of(folder: &Path, tool: Tool) -> Option<PathBuf> {
    let is_application = |above: &Path| match tool {
        Tool::Rebar => RebarConfig::read_around(above).is_ok_and(|config| {
            let lies_in = |pattern: &String| match pattern.strip_suffix("/*") {
                Some(outer) => folder.parent() == Some(&above.join(outer)),
                None => folder == above.join(pattern),
            };
            config.application_folders().iter().any(lies_in) && described(folder).is_some()
        }),
        Tool::Mix => {
            let text = read_direct_text(&above.join("mix.exs")).unwrap_or_default();
            keyword(&text, "apps_path:").is_some_and(|apps| folder.parent() == Some(&above.join(apps)))
        }
        Tool::None => false,
    };
    let mut outer = folder.ancestors().skip(1).filter(|above| tool_of(above) == Some(tool));
    outer.find(|above| is_application(above)).map(Path::to_path_buf)
}

/// Returns the applications: folders with a description of an application in `src`. The description gives the name.
fn rebar_applications(root: &Path, config: &RebarConfig) -> Vec<Application> {
    let mut found: Vec<Application> = Vec::new();
    for pattern in config.application_folders() {
        let folders = match pattern.strip_suffix("/*") {
            Some(above) => folders_in(&root.join(above)),
            None if pattern == "." || pattern.is_empty() => vec![root.to_path_buf()],
            None => vec![root.join(pattern)],
        };
        for folder in folders {
            if let Some(name) = described(&folder)
                && found.iter().all(|known| known.folder != folder)
            {
                found.push(Application { name, folder });
            }
        }
    }
    if found.is_empty() {
        found.push(Application { name: folder_name(root), folder: root.to_path_buf() });
    }
    found
}

fn described(folder: &Path) -> Option<String> {
    let described = |place: &str, end: &str| {
        let files = files_in(&folder.join(place));
        files.iter().find_map(|file| Some(file.file_name()?.to_str()?.strip_suffix(end)?.to_string()))
    };
    described("src", ".app.src").or_else(|| described("src", ".app.src.script")).or_else(|| described("ebin", ".app"))
}

/// Returns the applications of a mix project. What such a project says of itself is code, so only its usual form is
/// recognised.
fn mix_applications(root: &Path) -> Vec<Application> {
    let text = read(&root.join("mix.exs")).unwrap_or_default();
    let application = |folder: &Path, text: &str| Application {
        name: keyword(text, "app:").unwrap_or_else(|| folder_name(folder)),
        folder: folder.to_path_buf(),
    };
    match keyword(&text, "apps_path:") {
        Some(apps) => {
            let folders = folders_in(&root.join(apps)).into_iter().filter(|folder| exists(&folder.join("mix.exs")));
            folders.map(|folder| application(&folder, &read(&folder.join("mix.exs")).unwrap_or_default())).collect()
        }
        None => vec![application(root, &text)],
    }
}

/// Returns the atom or the string after a key, outside of comments.
fn keyword(text: &str, key: &str) -> Option<String> {
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.find_map(|line| {
        let at = line.match_indices(key).find(|(at, _)| {
            line.get(..*at).and_then(|before| before.chars().last()).is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })?;
        let value = line.get(at.0 + key.len()..)?.trim_start().trim_start_matches([':', '"']);
        let name: String = value.chars().take_while(|c| c.is_alphanumeric() || "_-./@".contains(*c)).collect();
        (!name.is_empty() && !name.starts_with('@')).then_some(name)
    })
}

fn plain_applications(root: &Path) -> Vec<Application> {
    let inner = folders_in(&root.join("apps")).into_iter().filter(|folder| is_plain(folder));
    let all = std::iter::once(root.to_path_buf()).chain(inner);
    all.map(|folder| Application { name: described(&folder).unwrap_or_else(|| folder_name(&folder)), folder }).collect()
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_project_of_mix_says_of_itself_is_found() {
        let text = "  # app: :old\n  def project do\n    [\n      app: :shop,\n      apps_path: \"apps\",\n";
        assert_eq!(keyword(text, "app:").as_deref(), Some("shop"));
        assert_eq!(keyword(text, "apps_path:").as_deref(), Some("apps"));
        assert_eq!(keyword("mapp: :x, app: @app", "app:"), None);
    }
}
