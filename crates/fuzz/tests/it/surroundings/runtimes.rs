//! Real runtimes that differ in everything that a program should not depend on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The code that evaluates questions there.
const RUNNER: &str = include_str!("beagle_surroundings.erl");
/// Programs that questions call.
const PROGRAMS: &str = include_str!("beagle_programs.erl");
const START: &str =
    "[{module, _} = code:load_file(M) || M <- [beagle_programs, beagle_surroundings]], beagle_surroundings:main().";

/// How a runtime is started, and what `beagle_surroundings` does in it before a call.
pub struct Kind {
    name: &'static str,
    environment: &'static [(&'static str, &'static str)],
    flags: &'static [&'static str],
}

pub const KINDS: [Kind; 2] = [
    Kind {
        name: "plain",
        environment: &[("LANG", "C"), ("LC_ALL", "C"), ("TZ", "UTC")],
        flags: &["+pc", "latin1", "+fnl", "+S", "1", "-mode", "interactive"],
    },
    Kind {
        name: "rich",
        environment: &[
            ("LANG", "C.UTF-8"),
            ("LC_ALL", "C.UTF-8"),
            ("TZ", "Asia/Tokyo"),
            ("ERL_FULLSWEEP_AFTER", "7"),
            ("ERL_MAX_ETS_TABLES", "9000"),
            ("key", "value"),
        ],
        flags: &[
            "+pc", "unicode", "+fnu", "+S", "2:2", "+A", "3", "+P", "1024", "+ec", "+hms", "4181", "+hmqd", "off_heap",
            "-mode", "embedded", "-name", "rich@127.0.0.1", "-setcookie", "beagle", "-start_epmd", "false",
            "-dist_listen", "false", "-key", "value", "-kernel", "key", "1",
        ],
    },
];

/// Where the runtimes find their code, and leave their answers.
pub struct Runtimes {
    folder: tempfile::TempDir,
    code: Vec<PathBuf>,
    started: usize,
}

impl Runtimes {
    pub fn new(code: Vec<PathBuf>) -> Runtimes {
        let folder = tempfile::tempdir().expect("a folder");
        let sources = ["beagle_surroundings.erl", "beagle_programs.erl"].map(|name| folder.path().join(name));
        for (source, text) in sources.iter().zip([RUNNER, PROGRAMS]) {
            fs::write(source, text).expect("a file");
        }
        let compiled = Command::new("erlc").arg("-o").arg(folder.path()).args(&sources).status().expect("erlc starts");
        assert!(compiled.success(), "the code for the runtimes is not compiled");
        Runtimes { folder, code, started: 0 }
    }

    /// Returns the answers of a runtime of some kind to all questions, in their order. Where a question ends the runtime, the
    /// next one is asked in a new one.
    pub fn ask(&mut self, kind: &Kind, questions: &[&str]) -> Vec<String> {
        let home = self.folder.path().join(format!("{}{}", kind.name, self.started));
        self.started += 1;
        fs::create_dir(&home).expect("a folder");
        let (asked, answered) = (home.join("questions"), home.join("answers"));
        fs::write(&asked, questions.join("\n")).expect("a file");
        let mut answers = Vec::new();
        while answers.len() < questions.len() {
            fs::write(&answered, "").expect("a file");
            self.run(kind, &home, [&asked, &answered], answers.len());
            let text = fs::read(&answered).expect("answers");
            let text = String::from_utf8_lossy(&text);
            let before = answers.len();
            answers.extend(text.lines().map(str::to_owned));
            assert!(answers.len() <= questions.len(), "{}: more answers than questions", kind.name);
            if answers.len() < questions.len() {
                let is_up = before > 0 || answers.len() > before || questions.len() == 1;
                assert!(is_up, "the {} runtime does not start", kind.name);
                answers.push("undecided: the runtime ended".to_owned());
            }
        }
        answers
    }

    fn run(&self, kind: &Kind, home: &Path, [asked, answered]: [&PathBuf; 2], skipped: usize) {
        let mut command = Command::new("erl");
        command.env_clear().env("HOME", home).env("ERL_CRASH_DUMP_SECONDS", "0");
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.envs(kind.environment.iter().copied());
        command.arg("-noinput").args(kind.flags).arg("-pa").arg(self.folder.path()).args(&self.code);
        command
            .args(["-eval", START, "-extra"])
            .arg(asked)
            .arg(answered)
            .args([skipped.to_string().as_str(), kind.name]);
        command.current_dir(home).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Whatever its status is: the answers say how far it came.
        command.status().expect("erl starts");
    }
}
