//! Builds a project with its own tool, if one of its sources is newer than its build.

use super::files::{files_below, files_in};
use super::tool::{Ended, PATIENCE, run};
use super::{Application, Project, Tool};
use crate::streams::complain;
use files::modified;
use sandbox::interrupt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The number of lines of a tool's output that are shown when it fails.
const TAIL: usize = 15;
/// The profiles whose builds are used if nothing was built for the usual one.
const OTHER_PROFILES: [&str; 4] = ["default", "test", "dev", "prod"];

impl Project {
    /// Builds the project if necessary, and returns the profile of the build to use. A failure is reported, and the
    /// existing build is used.
    pub fn build(&self, wanted: Option<&str>, may_run: bool) -> anyhow::Result<String> {
        let profile = self.profile(wanted)?;
        // A signal may have come while a script of the configuration ran.
        if may_run && self.may_run && !interrupt::is_received() && self.needs_build(&profile) {
            self.run(&profile);
        }
        if wanted.is_some() || self.is_built(&profile) {
            return Ok(profile);
        }
        let other = OTHER_PROFILES.iter().find(|other| self.is_built(other));
        if let Some(other) = other {
            complain!("there is no build for {profile}: using the build for {other}");
        }
        Ok(other.map_or(profile, |other| (*other).to_string()))
    }

    /// Returns the name of the profile, which becomes a part of paths and of commands.
    fn profile(&self, wanted: Option<&str>) -> anyhow::Result<String> {
        let profile = match (wanted, self.tool) {
            (Some(wanted), _) => wanted.to_string(),
            (None, Tool::Mix) => std::env::var("MIX_ENV").ok().filter(|name| !name.is_empty()).unwrap_or("dev".into()),
            (None, Tool::Rebar | Tool::None) => "default".to_string(),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '+';
        if profile.is_empty() || profile.starts_with('-') || !profile.chars().all(is_name) {
            anyhow::bail!("{profile:?} is not the name of a profile: use letters, digits and _");
        }
        Ok(profile)
    }

    fn is_built(&self, profile: &str) -> bool {
        self.applications.iter().any(|application| files::is_folder(&self.ebin(application, profile)))
    }

    fn needs_build(&self, profile: &str) -> bool {
        match self.tool {
            Tool::Rebar => self.applications.iter().any(|application| self.is_stale_erlang(application, profile)),
            Tool::Mix => self.applications.iter().any(|application| self.is_stale_elixir(application, profile)),
            Tool::None => false,
        }
    }

    /// Returns whether a source is newer than its object code, or a header newer than all object code.
    fn is_stale_erlang(&self, application: &Application, profile: &str) -> bool {
        let ebin = self.ebin(application, profile);
        let latest = files_in(&ebin).iter().filter_map(|file| modified(file)).max();
        let Some(latest) = latest else { return true };
        let folders = self.rebar.source_folders().into_iter().chain(["include".to_string()]);
        let mut files =
            folders.flat_map(|folder| files_below(&application.folder.join(folder), &["erl", "hrl", "src"]));
        files.any(|file| {
            let built = match file.extension().is_some_and(|extension| extension == "erl") {
                true => match beam_of(&ebin, &file) {
                    Some(built) => built,
                    None => return true,
                },
                false => latest,
            };
            modified(&file).is_some_and(|changed| changed > built)
        })
    }

    /// Returns whether a source is newer than the last build. Mix notes when it last compiled an application.
    fn is_stale_elixir(&self, application: &Application, profile: &str) -> bool {
        let ebin = self.ebin(application, profile);
        let notes = ebin.parent().map(|built| built.join(".mix/compile.elixir"));
        let latest = files_in(&ebin).into_iter().chain(notes).filter_map(|file| modified(&file)).max();
        let Some(latest) = latest else { return true };
        let sources = ["lib", "src", "include"].iter();
        let sources = sources.flat_map(|folder| {
            files_below(&application.folder.join(folder), &["ex", "erl", "hrl", "eex", "heex", "xrl", "yrl"])
        });
        let mut files = sources.chain([application.folder.join("mix.exs")]);
        files.any(|file| modified(&file).is_some_and(|changed| changed > latest))
    }

    fn run(&self, profile: &str) {
        let (program, args, environment): (_, Vec<&str>, _) = match self.tool {
            Tool::Rebar if profile == "default" => ("rebar3", vec!["compile"], None),
            Tool::Rebar => ("rebar3", vec!["as", profile, "compile"], None),
            Tool::Mix => ("mix", vec!["compile"], Some(("MIX_ENV", profile))),
            Tool::None => return,
        };
        // The project may bring its own tool, which is a part of the build.
        let own = self.root.join(program);
        let found = files::find_executable(Path::new(program));
        let is_own = found.is_none() && files::is_executable(&own);
        let shown = format!("{}{program} {}", if is_own { "./" } else { "" }, args.join(" "));
        announce(&self.root, &shown);
        complain!("building with `{shown}` in {}", self.root.display());
        let found = found.or_else(|| files::find_executable(&own));
        let Some(found) = found else {
            complain!("{program} was not found in PATH: install it, or build the project yourself (--no-build)");
            return;
        };
        let mut command = Command::new(found);
        command.args(&args).envs(environment).env("TERM", "dumb").env("NO_COLOR", "1").current_dir(&self.root);
        match run(command, PATIENCE) {
            Ok(Ended { failure: None, .. }) => {}
            Ok(Ended { failure: Some(why), said }) => {
                complain!("`{shown}` failed ({why}); continuing with the modules that can be read:\n{}", tail(&said));
            }
            Err(error) => complain!("{program} cannot be started: {error}"),
        }
    }
}

/// Says, before code of a project first runs outside of the sandbox, what is run and what that means. The user's cache
/// has a list of the projects for which this was said.
pub fn announce(root: &Path, what: &str) {
    let Some(file) = oracle::store::default_folder().map(|folder| folder.join("built")) else { return };
    files::grant_outside(&file);
    let known = files::read_text(&file).unwrap_or_default();
    // A folder's name may contain anything, even newlines.
    let mut hasher = blake3::Hasher::new();
    hasher.update(root.as_os_str().as_encoded_bytes()).update(&[0]).update(what.as_bytes());
    let line = hasher.finalize().to_hex().to_string();
    if known.lines().any(|known| known == line) {
        return;
    }
    complain!(
        "first build of {}: `{what}` runs its hooks and plugins with your rights; --no-build runs nothing of it",
        root.display()
    );
    // If it cannot be written, the message appears again the next time.
    let _ = files::write(&file, format!("{known}{line}\n").as_bytes());
}

fn beam_of(ebin: &Path, source: &Path) -> Option<SystemTime> {
    let name: PathBuf = source.with_extension("beam").file_name()?.into();
    modified(&ebin.join(name))
}

/// Returns the last lines that are not blank, without colours.
fn tail(said: &str) -> String {
    let mut plain = String::with_capacity(said.len());
    let mut rest = said.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            // `ESC [ 3 1 m`
            rest.by_ref().find(|c| c.is_ascii_alphabetic());
        } else {
            plain.push(c);
        }
    }
    let lines: Vec<&str> = plain.lines().filter(|line| !line.trim().is_empty()).collect();
    let start = lines.len().saturating_sub(TAIL);
    lines.iter().skip(start).map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::tail;

    #[test]
    fn the_end_of_what_a_tool_says_is_shown() {
        assert_eq!(tail("\u{1b}[31m===> no\u{1b}[0m\n\n"), "    ===> no");
        let long: String = (0..100).map(|number| format!("{number}\n")).collect();
        assert_eq!(tail(&long).lines().next(), Some("    85"));
    }
}
