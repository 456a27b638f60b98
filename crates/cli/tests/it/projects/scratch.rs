//! Projects in folders of their own, and the binary started in them.

use crate::common::every_category;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of files that is made anew.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Scratch {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects").join(name);
        let _ = fs::remove_dir_all(&folder);
        let scratch = Scratch(folder);
        fs::create_dir_all(&scratch.0).expect("a folder");
        files.iter().for_each(|(file, text)| scratch.write(file, text));
        scratch
    }

    pub fn write(&self, file: &str, text: &str) {
        let file = self.0.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect(file)
    }

    pub fn tool(&self, program: &str, args: &[&str]) {
        let output = Command::new(program).args(args).current_dir(&self.0).output().expect(program);
        assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub fn test_in(&self, folder: &str, args: &[&str]) -> Ended {
        self.command_in(folder, &[&["test"], args].concat())
    }

    pub fn command_in(&self, folder: &str, args: &[&str]) -> Ended {
        self.command_with(folder, args, &[])
    }

    /// With these variables in the environment.
    pub fn test_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Ended {
        self.command_with("", &[&["test"], args].concat(), variables)
    }

    fn command_with(&self, folder: &str, args: &[&str], variables: &[(&str, &str)]) -> Ended {
        let output = Command::new(env!("CARGO_BIN_EXE_beagle"))
            .args(every_category(args))
            .current_dir(self.0.join(folder))
            .env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .env_remove("MIX_ENV")
            .envs(variables.iter().copied())
            .output()
            .expect("beagle can be started");
        Ended::of(&output)
    }

    pub fn test(&self, args: &[&str]) -> Ended {
        self.test_in("", args)
    }

    /// The functions that are chosen.
    pub fn list(&self, args: &[&str]) -> Vec<String> {
        let ended = self.test(&[&["--list"], args].concat());
        assert_eq!(ended.code, 0, "{}", ended.said);
        ended.stdout.lines().map(str::to_string).collect()
    }

    /// What is said of a use that is wrong.
    pub fn refused(&self, args: &[&str]) -> String {
        let ended = self.test(args);
        assert_eq!(ended.code, 2, "{}{}", ended.stdout, ended.said);
        assert!(!ended.said.contains("panicked"), "{}", ended.said);
        ended.said
    }
}

pub struct Ended {
    pub stdout: String,
    pub said: String,
    pub code: i32,
}

impl Ended {
    pub fn of(output: &Output) -> Ended {
        Ended {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    pub fn objects(&self, kind: &str) -> Vec<Value> {
        let lines =
            self.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("one JSON object a line"));
        lines.filter(|object| object["type"] == kind).collect()
    }

    /// Functions and the reasons of their bugs.
    pub fn bugs(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let mut bugs: Vec<_> =
            self.objects("bug").iter().map(|bug| (text(&bug["function"]), text(&bug["reason"]))).collect();
        bugs.sort();
        bugs
    }
}

pub fn bug(function: &str, reason: &str) -> (String, String) {
    (function.to_string(), reason.to_string())
}

pub const APP: &str =
    "{application, shop, [{description, \"\"}, {vsn, \"1\"}, {modules, []}, {applications, [kernel, stdlib]}]}.";
/// The price is wrong for one number, which only the header and the options of the project tell.
pub const SHOP: &str = "-module(shop).\n-export([price/1, helper/1]).\n-include(\"shop.hrl\").\n\
    -spec price(integer()) -> integer().\nprice(?WRONG + ?MORE) -> error(wrong_price);\nprice(N) -> N.\nhelper(_) -> ok.\n";
pub const SHOP_TESTS: &str =
    "-module(shop_tests).\n-export([price_test/0]).\n-spec price_test() -> ok.\nprice_test() -> ok.\n";

pub fn shop(name: &str) -> Scratch {
    Scratch::new(
        name,
        &[
            ("rebar.config", "{erl_opts, [debug_info, {d, 'MORE', 7}]}.\n"),
            ("src/shop.app.src", APP),
            ("include/shop.hrl", "-define(WRONG, 4000).\n"),
            ("src/shop.erl", SHOP),
            ("test/shop_tests.erl", SHOP_TESTS),
        ],
    )
}
