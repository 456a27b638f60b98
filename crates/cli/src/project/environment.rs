//! The configuration of a project's applications: their descriptions (`.app`, `.app.src`), and their environment as
//! `sys.config` and the files of Elixir's `Config` set it.

use super::files::{files_in, read_text};
use super::{Project, Tool};
use crate::streams::complain;
use erlang::configuration::Application;
use erlang::syntax::consult;
use std::path::{Path, PathBuf};
use term::{Atom, Term};

/// Evaluates files of Elixir for a profile. `Err` has the reason if that is not possible.
type Evaluate<'e> = dyn FnMut(&[PathBuf], &str) -> Result<Term, String> + 'e;

/// The number of configuration files that are read. A file may name others, possibly in a circle.
const MOST_FILES: usize = 100;

impl Project {
    /// Returns the known applications of the project and its dependencies. Files that cannot be read are reported and
    /// left out.
    pub fn configuration(
        &self,
        profile: &str,
        code_paths: &[PathBuf],
        evaluate: &mut Evaluate<'_>,
    ) -> Vec<Application> {
        let mut all = Vec::new();
        let built = code_paths.iter().flat_map(|folder| files_in(folder)).filter(|file| is_named(file, ".app"));
        let own = self.applications.iter().flat_map(|application| {
            ["ebin", "src"].into_iter().flat_map(|place| files_in(&application.folder.join(place)))
        });
        let own = own.filter(|file| is_named(file, ".app") || is_named(file, ".app.src"));
        for file in built.chain(own) {
            match described(&file) {
                // Built descriptions have precedence over the sources of descriptions.
                Ok(application) => {
                    if all.iter().all(|known: &Application| known.name != application.name) {
                        all.push(application);
                    }
                }
                Err(why) => complain!("{} is ignored: {why}", file.display()),
            }
        }
        if let Some(file) = self.configuration_file() {
            let mut read = 0;
            self.read_configuration(&file, &mut read, &mut all);
        }
        let scripts = self.configuration_scripts();
        if !scripts.is_empty() {
            match evaluate(&scripts, profile) {
                Ok(settings) => merge(&mut all, &settings),
                Err(why) => complain!("{} is ignored: {why}", self.root.join("config").display()),
            }
        }
        all
    }

    /// Applies the settings of a file in their order. Where a file names another one, the settings of that one take its
    /// place.
    fn read_configuration(&self, file: &Path, files_read: &mut usize, all: &mut Vec<Application>) {
        *files_read += 1;
        if *files_read > MOST_FILES {
            return;
        }
        let terms = match read(file) {
            Ok(terms) => terms,
            Err(why) => return complain!("{} is ignored: {why}", file.display()),
        };
        let folder = file.parent().unwrap_or(&self.root);
        for item in terms.iter().flat_map(|term| term.as_list().unwrap_or_default()) {
            match item.as_text().filter(|name| !name.is_empty()) {
                Some(name) => {
                    let name = if name.ends_with(".config") { name } else { format!("{name}.config") };
                    let beside = [folder, &self.root].map(|folder| folder.join(&name));
                    match beside.iter().find(|file| files::is_there(file)) {
                        Some(other) => self.read_configuration(other, files_read, all),
                        None => complain!("{} names {name}, which is not there", file.display()),
                    }
                }
                None => merge(all, &Term::list(vec![item.clone()])),
            }
        }
    }

    /// Returns the file of Erlang terms that `rebar3 shell` or a release starts with, or else the usual one.
    fn configuration_file(&self) -> Option<PathBuf> {
        let told = ["shell", "relx"].into_iter().flat_map(|key| self.rebar.get(key)).flat_map(|(_, options)| {
            let options = options.as_list().unwrap_or_default().iter().filter_map(Term::as_tuple);
            options.filter_map(|option| match option {
                [Term::Atom(key), file] if matches!(key.text(), "config" | "sys_config") => file.as_text(),
                _ => None,
            })
        });
        told.chain(["config/sys.config".to_string()])
            .map(|file| self.root.join(file))
            .find(|file| files::is_there(file))
    }

    fn configuration_scripts(&self) -> Vec<PathBuf> {
        if self.tool != Tool::Mix {
            return Vec::new();
        }
        let files = ["config.exs", "runtime.exs"].map(|name| self.root.join("config").join(name));
        files.into_iter().filter(|file| files::is_there(file)).collect()
    }
}

fn is_named(file: &Path, end: &str) -> bool {
    file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(end))
}

/// Reads a description `{application, Name, [{Key, Value}]}.`
fn described(file: &Path) -> Result<Application, String> {
    let terms = read(file)?;
    let Some([Term::Atom(tag), Term::Atom(name), Term::List(keys, None)]) = terms.first().and_then(Term::as_tuple)
    else {
        return Err("it does not describe an application".to_string());
    };
    if tag.text() != "application" {
        return Err("it does not describe an application".to_string());
    }
    let mut application = Application { name: *name, keys: None, environment: Vec::new() };
    let mut own = Vec::new();
    for (key, value) in keys.iter().filter_map(pair) {
        match key.text() {
            "env" => application.environment = value.as_list().unwrap_or_default().iter().filter_map(pair).collect(),
            // rebar3 replaces `{vsn, git}` when it builds.
            "vsn" if value.as_text().is_none() => own.push((key, Term::Nil)),
            _ => own.push((key, value)),
        }
    }
    application.keys = Some(own);
    Ok(application)
}

fn read(file: &Path) -> Result<Vec<Term>, String> {
    let text = read_text(file).map_err(|error| format!("{error:#}"))?;
    let terms = consult(&text).map_err(|error| error.to_string())?;
    Ok(terms.into_iter().map(|(_, term)| term).collect())
}

fn pair(term: &Term) -> Option<(Atom, Term)> {
    match term.as_tuple() {
        Some([Term::Atom(key), value]) => Some((*key, value.clone())),
        _ => None,
    }
}

/// Adds the settings `[{Application, [{Key, Value}]}]`, which replace known values.
fn merge(all: &mut Vec<Application>, settings: &Term) {
    for (name, pairs) in settings.as_list().unwrap_or_default().iter().filter_map(pair) {
        let at = all.iter().position(|known| known.name == name).unwrap_or_else(|| {
            all.push(Application { name, keys: None, environment: Vec::new() });
            all.len() - 1
        });
        let Some(application) = all.get_mut(at) else { continue };
        for (key, value) in pairs.as_list().unwrap_or_default().iter().filter_map(pair) {
            match application.environment.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) => *known = value,
                None => application.environment.push((key, value)),
            }
        }
    }
}
