//! Reads `rebar.config`: terms that each end with a full stop, possibly changed by a script beside the file.

use super::files::{read_direct_text, read_text};
use super::script;
use crate::streams::complain;
use anyhow::bail;
use erlang::syntax::{Position, consult};
use sandbox::interrupt;
use std::path::{Path, PathBuf};
use term::Term;

const LONGEST_LINE: usize = 200;

#[derive(Debug, Default)]
pub struct RebarConfig {
    /// The file, or an empty path if there is none.
    pub file: PathBuf,
    terms: Vec<(Position, Term)>,
}

/// Options that sources are compiled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompileOptions {
    /// Relative to the application's folder.
    pub includes: Vec<PathBuf>,
    /// Macros, with their values as Erlang terms.
    pub macros: Vec<(String, Option<String>)>,
    /// Other options, as Erlang terms.
    pub others: Vec<String>,
}

impl RebarConfig {
    /// Returns the configuration as the script changes it, if there is one and it may be run. A failure of the script
    /// is reported.
    pub fn of(folder: &Path, may_run: bool) -> anyhow::Result<RebarConfig> {
        let plain = RebarConfig::read(folder)?;
        let Some(file) = script::script_of(folder).filter(|_| may_run && !interrupt::is_received()) else {
            return Ok(plain);
        };
        super::build::announce(folder, "rebar.config.script");
        match script::evaluated(folder) {
            Ok(terms) => Ok(RebarConfig { file, terms }),
            Err(why) => {
                complain!("{} cannot be evaluated and is ignored: {why:#}", file.display());
                Ok(plain)
            }
        }
    }

    /// Reads the file. The configuration of a folder without the file is empty.
    pub fn read(folder: &Path) -> anyhow::Result<RebarConfig> {
        RebarConfig::read_by(folder, read_text)
    }

    /// Reads the file of a folder around a project, which may or may not be one itself.
    pub fn read_around(folder: &Path) -> anyhow::Result<RebarConfig> {
        RebarConfig::read_by(folder, read_direct_text)
    }

    fn read_by(folder: &Path, read: fn(&Path) -> anyhow::Result<String>) -> anyhow::Result<RebarConfig> {
        let file = folder.join("rebar.config");
        if !files::is_there(&file) {
            return Ok(RebarConfig::default());
        }
        let text = read(&file)?;
        match consult(&text) {
            Ok(terms) => Ok(RebarConfig { file, terms }),
            Err(error) => {
                // Only a line of a length that a person could have written is shown.
                let line = text.lines().nth(error.at.line.saturating_sub(1) as usize).unwrap_or_default();
                let shown = if line.len() > LONGEST_LINE { error.to_string() } else { error.render(&text) };
                bail!("{}:{}", file.display(), shown.trim_end())
            }
        }
    }

    /// Returns the values of a key, with their positions.
    pub fn get(&self, key: &str) -> impl Iterator<Item = (Position, &Term)> {
        self.terms.iter().filter_map(move |(at, term)| Some((*at, value_of(term, key)?)))
    }

    /// Returns the folders of applications, where `*` means all folders in one.
    pub fn application_folders(&self) -> Vec<String> {
        let configured = self.get("project_app_dirs").last().map(|(_, folders)| texts(folders)).unwrap_or_default();
        if configured.is_empty() { ["apps/*", "lib/*", "."].map(str::to_string).to_vec() } else { configured }
    }

    /// Returns the folder of builds, relative to the project's root.
    pub fn base_folder(&self) -> Option<PathBuf> {
        self.get("base_dir").last().and_then(|(_, folder)| text(folder)).map(PathBuf::from)
    }

    /// Returns the folders of an application's sources.
    pub fn source_folders(&self) -> Vec<String> {
        let in_options = self.get("erl_opts").filter_map(|(_, options)| find(options, "src_dirs"));
        let configured = self.get("src_dirs").map(|(_, folders)| folders).chain(in_options).last().map(texts);
        configured.filter(|folders| !folders.is_empty()).unwrap_or_else(|| vec!["src".to_string()])
    }

    /// Returns the options for a profile: the general ones, then those of the profile.
    pub fn compile_options(&self, profile: &str) -> CompileOptions {
        let mut options = CompileOptions::default();
        for (_, configured) in self.get("erl_opts") {
            options.add(configured);
        }
        let profiles = self.get("profiles").filter_map(|(_, profiles)| find(profiles, profile));
        for configured in profiles.filter_map(|profile| find(profile, "erl_opts")) {
            options.add(configured);
        }
        // Rebar3 defines this macro for its profile `test`.
        if profile.split([',', '+']).any(|profile| profile == "test") {
            options.macros.push(("TEST".to_string(), None));
        }
        options
    }
}

impl CompileOptions {
    fn add(&mut self, options: &Term) {
        for option in options.as_list().unwrap_or_default() {
            match option.as_tuple() {
                Some([Term::Atom(key), folder]) if key.text() == "i" => {
                    self.includes.extend(text(folder).map(PathBuf::from));
                }
                Some([Term::Atom(key), Term::Atom(name)]) if key.text() == "d" => {
                    self.macros.push((name.text().to_string(), None));
                }
                Some([Term::Atom(key), Term::Atom(name), value]) if key.text() == "d" => {
                    self.macros.push((name.text().to_string(), Some(erlang::print_pasteable(value))));
                }
                Some([Term::Atom(key), _]) if ["parse_transform", "core_transform"].contains(&key.text()) => {
                    self.others.push(erlang::print_pasteable(option));
                }
                // All other options affect warnings or the speed of the code only.
                _ => {}
            }
        }
    }
}

fn value_of<'t>(term: &'t Term, key: &str) -> Option<&'t Term> {
    match term.as_tuple() {
        Some([Term::Atom(name), value]) if name.text() == key => Some(value),
        _ => None,
    }
}

fn find<'t>(properties: &'t Term, key: &str) -> Option<&'t Term> {
    properties.as_list()?.iter().find_map(|property| value_of(property, key))
}

/// Returns the text of a string, an atom or a binary.
fn text(term: &Term) -> Option<String> {
    match term {
        Term::Atom(atom) => Some(atom.text().to_string()),
        Term::Bits(bits) if bits.is_binary() => String::from_utf8(bits.bytes().to_vec()).ok(),
        _ => term.as_text().filter(|text| !text.is_empty()),
    }
}

/// Returns the folders of a list. An element may be `{Folder, Options}`.
fn texts(term: &Term) -> Vec<String> {
    if let Some(one) = term.as_text().filter(|text| !text.is_empty()) {
        return vec![one];
    }
    let folder = |item: &Term| text(item).or_else(|| text(item.as_tuple()?.first()?));
    term.as_list().unwrap_or_default().iter().filter_map(folder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> RebarConfig {
        RebarConfig { file: PathBuf::new(), terms: consult(text).expect(text) }
    }

    #[test]
    fn options_of_the_compiler_are_found() {
        let config = config(
            "%% Options.\n{erl_opts, [debug_info, warnings_as_errors, {i, \"shared\"}, {d, 'LEVEL', 3}, {d, 'ON'}]}.\n\
             {erl_opts, [{parse_transform, lager_transform}, {src_dirs, [\"src\", \"gen\"]}]}.\n\
             {profiles, [{test, [{erl_opts, [{d, 'SLOW'}]}]}]}.\n{deps, []}.\n",
        );
        let options = config.compile_options("default");
        assert_eq!(options.includes, [PathBuf::from("shared")]);
        assert_eq!(options.macros, [("LEVEL".to_string(), Some("3".to_string())), ("ON".to_string(), None)]);
        assert_eq!(options.others, ["{parse_transform,lager_transform}"]);
        let names: Vec<String> = config.compile_options("test").macros.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["LEVEL", "ON", "SLOW", "TEST"]);
        assert_eq!(config.source_folders(), ["src", "gen"]);
        assert_eq!(config.application_folders(), ["apps/*", "lib/*", "."]);
        assert_eq!(config.base_folder(), None);
    }

    #[test]
    fn what_is_of_another_form_is_passed_over() {
        for text in ["a.", "{erl_opts, x}.", "{erl_opts, [{i}, {d, 1}, 7, {d, [], 1}]}.", "{project_app_dirs, 1}."] {
            let config = config(text);
            assert_eq!(config.compile_options("default"), CompileOptions::default(), "{text}");
            assert!(!config.application_folders().is_empty() && !config.source_folders().is_empty());
        }
    }
}
