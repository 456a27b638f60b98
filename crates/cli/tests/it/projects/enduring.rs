//! What goes wrong around a command: streams that nobody takes, disks that are full, files that are not what they were.

use crate::projects::scratch::{Ended, Scratch, bug, shop};
use std::fs;
use std::process::Command;

const TILL: &str = "-module(till).\n-export([open/1, shut/1]).\n-spec open(integer()) -> ok.\nopen(4711) -> error(jammed);\n\
    open(_) -> ok.\n-spec shut(atom()) -> ok.\nshut(lost) -> error(lost);\nshut(_) -> ok.\n";

/// A project that keeps its results, and needs no tool.
fn till(name: &str) -> Scratch {
    Scratch::new(name, &[("erlang.mk", ""), ("src/till.erl", TILL)])
}

impl Scratch {
    /// A script of the shell, in which `$beagle` is the command.
    fn shell(&self, script: &str) -> Ended {
        let output = Command::new("bash")
            .args(["-c", script])
            .current_dir(&self.0)
            .env("beagle", env!("CARGO_BIN_EXE_beagle"))
            .env("BEAGLE_CACHE", std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .output()
            .expect("bash can be started");
        Ended::of(&output)
    }
}

#[test]
fn who_listens_decides_nothing() {
    let till = till("unheard");
    for (script, code) in [
        // Whoever has seen enough of both streams.
        ("$beagle test --fail-on all --fresh --max-runs 1 nowhere_* 2>&1 | true; exit ${PIPESTATUS[0]}", 2),
        ("$beagle test --fail-on all --fresh 2>&1 | true; exit ${PIPESTATUS[0]}", 1),
        ("$beagle test --fail-on all --fresh 2>/dev/full", 1),
        ("$beagle test --fail-on all --fresh >&- 2>&-", 1),
        ("$beagle test --fail-on all --no-such-option 2>/dev/full", 2),
        ("$beagle run '1 + 1' | true; exit ${PIPESTATUS[0]}", 0),
        ("$beagle explain | true; exit ${PIPESTATUS[0]}", 0),
        ("$beagle clean | true; exit ${PIPESTATUS[0]}", 0),
    ] {
        let ended = till.shell(script);
        assert_eq!(ended.code, code, "{script}: {}{}", ended.stdout, ended.said);
        assert!(!ended.said.contains("panicked"), "{script}: {}", ended.said);
    }
    // But a report that is lost is not kept quiet about.
    for command in ["test --fresh", "test --list", "explain", "run 1", "completions bash"] {
        let ended = till.shell(&format!("$beagle {command} >/dev/full"));
        assert_eq!(ended.code, 2, "{command}: {}", ended.said);
        assert!(ended.said.contains("standard output cannot be written: No space left"), "{command}: {}", ended.said);
    }
}

/// No file can have a single byte, as on a disk that is full.
const FULL: &str = "trap '' XFSZ; ulimit -f 0;";

#[test]
fn a_full_disk_harms_nothing_that_is_there() {
    let till = till("full");
    let before = "till:open/1 crash error jammed in till:open/1\n";
    till.write("beagle.baseline", before);
    till.write("report.xml", "an older report");
    for (options, code, words) in [
        ("", 1, "results cannot be kept in"),
        ("--update-baseline", 2, "--update-baseline: "),
        ("--output junit=report.xml", 2, "report.xml cannot be written"),
        ("--save part", 2, "part cannot be written"),
        ("--html pages", 2, "cannot be written"),
        ("--emit-tests test", 2, "cannot be written"),
    ] {
        let ended = till.shell(&format!(
            "{FULL} $beagle test --show all --fail-on all --cache kept {options} 2>&1 | cat; exit ${{PIPESTATUS[0]}}"
        ));
        assert_eq!(ended.code, code, "{options}: {}", ended.stdout);
        assert!(ended.stdout.contains(words), "{options}: {}", ended.stdout);
        assert!(ended.stdout.contains("raises error lost"), "what was found is reported: {options}: {}", ended.stdout);
        assert_eq!(till.read("beagle.baseline"), before, "{options}");
        assert_eq!(till.read("report.xml"), "an older report", "{options}");
        assert!(!till.0.join("part").exists() && !till.0.join("test/till_beagle_tests.erl").exists(), "{options}");
    }
}

#[test]
fn what_cannot_be_written_keeps_nothing_else_from_being_written() {
    let till = till("others");
    let ended =
        till.test(&["--output", "junit=/dev/full", "--save", "part", "--html", "pages", "--emit-tests", "test"]);
    assert!(ended.code == 2 && ended.said.contains("--output: /dev/full cannot be written"), "{}", ended.said);
    assert_eq!(till.command_in("", &["merge", "part"]).code, 1);
    assert!(till.read("pages/index.html").contains("till:open/1"));
    assert!(till.read("test/till_beagle_tests.erl").contains("till:open(4711)"));
}

/// What was found in one state of the code must not be told of another.
#[test]
fn what_may_have_changed_is_tested_again() {
    let transform = "-module(change).\n-export([parse_transform/2]).\nparse_transform(Forms, _) -> Forms.\n";
    let source = |number: u32| {
        format!(
            "-module(m).\n-export([f/1, g/1]).\n-include(\"m.hrl\").\n-spec f(integer()) -> ok.\nf({number}) -> error(found);\n\
             f(?OTHER) -> error(other);\nf(_) -> ok.\n-spec g(integer()) -> types:t().\ng(X) -> callee:h(X).\n"
        )
    };
    let callee =
        |number: u32| format!("-module(callee).\n-export([h/1]).\nh({number}) -> error(called);\nh(_) -> ok.\n");
    let types = |type_: &str| format!("-module(types).\n-export_type([t/0]).\n-type t() :: {type_}.\n");
    for (name, first, prepare, environment) in [
        ("plainly", "", "", ""),
        ("transformed", "-compile({parse_transform, change}).\n", "", ""),
        ("tomorrow", "", "touch -d '+1 day' src/*.erl src/*.hrl;", ""),
        ("homeless", "", "", "env -u HOME -u XDG_CACHE_HOME -u BEAGLE_CACHE"),
        ("unkept", "", "touch no_folder;", "env BEAGLE_CACHE=no_folder/cache"),
    ] {
        let project = Scratch::new(&format!("stale_{name}"), &[("erlang.mk", ""), ("src/change.erl", transform)]);
        let write = |file: &str, text: String| project.write(&format!("src/{file}"), &text);
        let with_head =
            |number: u32| source(number).replace("-export([f/1, g/1]).\n", &format!("-export([f/1, g/1]).\n{first}"));
        let bugs = || {
            let script = format!("{prepare} {environment} $beagle test --fail-on all --format jsonl -j 1 --no-confirm");
            let ended = project.shell(&script);
            assert!(ended.code < 2, "{name}: {}", ended.said);
            let args = ended
                .objects("bug")
                .iter()
                .map(|bug| bug["call"].as_str().unwrap_or_default().to_string())
                .collect::<Vec<_>>();
            (args, ended.said)
        };
        let expect = |calls: &[&str]| {
            let (mut found, said) = bugs();
            found.sort();
            assert_eq!(found, calls, "{name}: {said}");
        };
        write("m.erl", with_head(1001));
        write("m.hrl", "-define(OTHER, 2001).\n".to_string());
        write("callee.erl", callee(3001));
        write("types.erl", types("ok"));
        expect(&["m:f(1001)", "m:f(2001)", "m:g(3001)"]);
        expect(&["m:f(1001)", "m:f(2001)", "m:g(3001)"]);
        if name != "homeless" && name != "unkept" && name != "transformed" && name != "tomorrow" {
            assert!(bugs().1.contains("2 functions are as before"), "{name}");
        }
        write("m.erl", with_head(1002));
        expect(&["m:f(1002)", "m:f(2001)", "m:g(3001)"]);
        write("m.hrl", "-define(OTHER, 2002).\n".to_string());
        expect(&["m:f(1002)", "m:f(2002)", "m:g(3001)"]);
        write("callee.erl", callee(3002));
        expect(&["m:f(1002)", "m:f(2002)", "m:g(3002)"]);
        write("types.erl", types("no"));
        expect(&["m:f(1002)", "m:f(2002)", "m:g(0)", "m:g(3002)"]);
    }
}

#[test]
fn what_is_kept_may_be_anything() {
    let till = till("anything");
    let first = till.test(&["--format", "jsonl"]);
    assert_eq!(first.bugs(), [bug("till:open/1", "jammed"), bug("till:shut/1", "lost")], "{}", first.said);
    for damage in [
        "truncate -s 0 $f",
        "truncate -s 50 $f",
        "truncate -s 500G $f",
        "printf x | dd of=$f bs=1 seek=60 conv=notrunc 2>&-",
        "rm $f; mkdir $f",
        "rm $f; ln -s $f $f",
        "rm $f; mkfifo $f",
        "rm $f; ln -s /dev/zero $f",
        "chmod 0 $f",
    ] {
        let script = format!(
            "for f in $PWD/_build/beagle/functions/*; do {damage}; done; timeout 60 $beagle test --fail-on all --format jsonl"
        );
        let ended = till.shell(&script);
        assert_eq!((ended.bugs(), ended.code), (first.bugs(), 1), "{damage}: {}", ended.said);
        fs::remove_dir_all(till.0.join("_build")).expect("removed");
        till.test(&[]);
    }
    for in_the_way in
        ["mkdir _build; ln -s beagle _build/beagle", "mkdir -p _build/beagle; touch _build/beagle/functions"]
    {
        let ended = till.shell(&format!("rm -rf _build; {in_the_way}; $beagle test --fail-on all --format jsonl"));
        assert_eq!((ended.bugs(), ended.code), (first.bugs(), 1), "{in_the_way}: {}", ended.said);
        assert_eq!(ended.said.matches("results cannot be kept in").count(), 1, "{in_the_way}: {}", ended.said);
    }
}

#[test]
fn what_was_saved_is_whole_or_refused() {
    let till = till("saved");
    till.test(&["--save", "part"]);
    let whole = fs::read(till.0.join("part")).expect("saved");
    let merged = |file: &str| till.command_in("", &["merge", file, "--format", "jsonl"]);
    assert_eq!(merged("part").bugs().len(), 2);
    for index in (0..whole.len()).step_by(whole.len() / 25) {
        fs::write(till.0.join("cut"), &whole[..index]).expect("written");
        let mut flipped = whole.clone();
        flipped[index] ^= 1 << (index % 8);
        fs::write(till.0.join("flipped"), flipped).expect("written");
        for file in ["cut", "flipped"] {
            let ended = merged(file);
            assert_eq!(ended.code, 2, "{file} at {index}: {}{}", ended.stdout, ended.said);
            assert!(
                ended.said.contains(file) && ended.said.contains("save it again"),
                "{file} at {index}: {}",
                ended.said
            );
        }
    }
    for (file, words) in [("/dev/zero", "it does not end"), ("src", "it is a folder"), ("none", "none cannot be read")]
    {
        let ended = merged(file);
        assert!(ended.code == 2 && ended.said.contains(words), "{file}: {}", ended.said);
    }
}

/// What is kept without words is not told to people.
#[test]
fn a_report_for_people_has_words_whatever_was_kept() {
    let till = till("words");
    till.test(&["--format", "jsonl"]);
    till.test(&["--format", "jsonl", "--output", "human=report.txt"]);
    let report = till.read("report.txt");
    assert!(report.contains("** exception error: jammed"), "{report}");
}

/// Exceptions, results and inputs of any depth and length are judged, kept, told again, saved and merged.
#[test]
fn findings_may_be_of_any_size() {
    let source = "-module(huge).\n-export([deep/1, returned/1, long/1]).\n-spec deep(integer()) -> ok.\n\
        deep(5) -> error(nest(200000, []));\ndeep(_) -> ok.\n-spec returned(integer()) -> ok.\n\
        returned(6) -> nest(200000, x);\nreturned(_) -> ok.\n-spec long(integer()) -> ok.\n\
        long(7) -> error(binary:copy(<<255>>, 3000000));\nlong(_) -> ok.\nnest(0, T) -> T;\nnest(N, T) -> nest(N - 1, {T}).\n";
    let huge = Scratch::new("huge", &[("erlang.mk", ""), ("src/huge.erl", source)]);
    let found = |ended: &Ended| {
        assert_eq!(ended.code, 1, "{}", ended.said);
        let bugs = ended.objects("bug");
        let mut found: Vec<(String, String)> =
            bugs.iter().map(|bug| (bug["call"].to_string(), bug["confirmed"].to_string())).collect();
        found.sort();
        found
    };
    let confirmed = |call: &str| (format!("\"{call}\""), "true".to_string());
    let all = [confirmed("huge:deep(5)"), confirmed("huge:long(7)"), confirmed("huge:returned(6)")];
    let options = ["--format", "jsonl", "--save", "part", "--html", "pages", "--output", "sarif=huge.sarif"];
    assert_eq!(found(&huge.test(&options)), all);
    let again = huge.test(&options);
    assert_eq!(found(&again), all);
    assert!(again.said.contains("3 functions are as before"), "{}", again.said);
    assert_eq!(found(&huge.command_in("", &["merge", "part", "--format", "jsonl"])), all);
}

/// Tools that are not there, crash, hang or talk nonsense.
#[test]
fn other_tools_may_do_what_they_like() {
    let shop = shop("tools");
    for (tool, script) in [
        ("crash", "exit 3"),
        ("killed", "kill -9 $$"),
        ("nonsense", "head -c 100000 /dev/urandom; exit 1"),
        ("endless", "exec yes"),
    ] {
        shop.write(&format!("tools/{tool}"), &format!("#!/bin/sh\n{script}\n"));
    }
    shop.write("tools/rebar/rebar3", "#!/bin/sh\nhead -c 1000000 /dev/urandom\nkill -9 $$\n");
    shop.tool("chmod", &["-R", "+x", "tools"]);
    // Programs in PATH are found outside of the project only.
    shop.shell("rm -rf ../tools-of-the-user; mkdir -p ../tools-of-the-user; mv tools/rebar ../tools-of-the-user");
    let found = [bug("shop:price/1", "wrong_price")];
    // The project's own tool: what can be read is tested.
    shop.shell(
        "few=../tools-of-the-user/few; mkdir $few; for t in erl sh sed basename dirname uname; do ln -s $(command -v $t) $few; done",
    );
    for path in ["$PWD/../tools-of-the-user/rebar:$PATH", "$PWD/../tools-of-the-user/few"] {
        let ended = shop.shell(&format!("rm -rf _build; PATH={path} $beagle test --fail-on all --format jsonl"));
        assert_eq!((ended.bugs(), ended.code), (found.to_vec(), 1), "{path}: {}", ended.said);
        assert!(ended.said.contains("rebar3"), "{path}: {}", ended.said);
    }
    // The solver: what needs none is tested.
    for solver in ["crash", "killed", "nonsense", "endless", "no_such_solver"] {
        let ended = shop
            .shell(&format!("$beagle test --fail-on all --fresh --no-build --format jsonl --solver tools/{solver}"));
        assert_eq!((ended.bugs(), ended.code), (found.to_vec(), 1), "{solver}: {}", ended.said);
        assert_eq!(ended.said.matches("Continuing without").count(), 1, "{solver}: {}", ended.said);
    }
    // Without Erlang nothing can be read, which is told once and not of each module.
    for erl in ["crash", "killed", "nonsense", "no_such_erl"] {
        let ended = shop.shell(&format!("$beagle test --fail-on all --fresh --no-build --erl tools/{erl}"));
        assert_eq!(ended.code, 2, "{erl}: {}", ended.said);
        assert_eq!(ended.said.matches("BEAGLE_ERL").count(), 1, "{erl}: {}", ended.said);
        assert!(ended.said.contains(erl), "{}", ended.said);
    }
}

#[test]
fn folders_may_have_any_name() {
    for (number, name) in
        ["with space", "new\nline", "quo'te\"s", "$HOME`id`", "-dash", "ümläut", &"x".repeat(230)].iter().enumerate()
    {
        let till = till(&format!("named/{name}"));
        let ended = till.test(&["--format", "jsonl", "--html", "pages", "--emit-tests", "test", "--save", "part"]);
        assert_eq!((ended.bugs().len(), ended.code), (2, 1), "{name}: {}", ended.said);
        assert_eq!(till.command_in("", &["merge", "part"]).code, 1, "{name}");
        assert!(till.read("test/till_beagle_tests.erl").contains("till:open(4711)"), "{name}");
        // A link to it is as good.
        let link = format!("../linked{number}");
        let script = format!(
            "ln -sfn \"$PWD\" {link}; cd {link} && $beagle test --fail-on all --format jsonl; code=$?; rm -f {link}; exit $code"
        );
        assert_eq!(till.shell(&script).code, 1, "{name}");
    }
    let ended = till("deleted").shell("mkdir gone; cd gone; rmdir ../gone; $beagle test --fail-on all");
    assert!(ended.code == 2 && ended.said.contains("the current folder does not exist"), "{}", ended.said);
    let ended = till("misnamed")
        .shell("cp src/till.erl src/$(printf 'no\\377utf8.erl'); $beagle test --fail-on all --format jsonl");
    assert_eq!((ended.bugs().len(), ended.code), (2, 1), "{}", ended.said);
    assert!(ended.said.contains("utf8.erl is skipped: its name is not valid UTF-8"), "{}", ended.said);
    // Erlang would hang.
    let till = till("named");
    let ended = till.shell(
        "d=$(printf 'no\\377utf8'); mkdir -p $d; cp -r src erlang.mk $d; cd $d; timeout 30 $beagle test --fail-on all",
    );
    assert!(ended.code == 2 && ended.said.contains("is not valid UTF-8"), "{}", ended.said);
    let ended = till.shell("d=$(printf 'no\\377utf8'); cd $d; timeout 30 $beagle run 'lists:sum([1])' --cache none");
    assert!(ended.code == 2 && ended.said.contains("is not valid UTF-8"), "{}", ended.said);
}

/// Code that loads itself, is transformed or compiled in odd ways is no reason not to test and judge the rest.
#[test]
fn one_bad_module_harms_no_other() {
    let transform = |name: &str, body: &str| {
        format!("-module({name}).\n-export([parse_transform/2]).\nparse_transform(Forms, _) -> {body}.\n")
    };
    let function = |name: &str, head: &str| {
        format!(
            "-module({name}).\n{head}-export([f/1]).\n-spec f(integer()) -> ok.\nf(4711) -> error({name});\nf(_) -> ok.\n"
        )
    };
    let native = function("a_native", "-on_load(load/0).\n") + "load() -> erlang:load_nif(\"/nowhere\", 0).\n";
    let project = Scratch::new(
        "one_bad",
        &[
            ("erlang.mk", ""),
            // The same worker meets it first.
            ("src/a_native.erl", &native),
            ("src/b_halts.erl", &transform("b_halts", "halt(1), Forms")),
            ("src/b_nonsense.erl", &transform("b_nonsense", "[{nonsense, 1}, Forms]")),
            ("src/c_halted.erl", &function("c_halted", "-compile({parse_transform, b_halts}).\n")),
            ("src/c_nonsense.erl", &function("c_nonsense", "-compile({parse_transform, b_nonsense}).\n")),
            ("src/d_other_name.erl", &function("another_name", "")),
            ("src/z_good.erl", &function("z_good", "")),
        ],
    );
    project.tool("mkdir", &["-p", "ebin"]);
    fs::write(project.0.join("ebin/e_cut.beam"), b"FOR1\0\0\0\x40BEAMAtU8").expect("written");
    let ended = project.test(&["--format", "jsonl", "-j", "1"]);
    assert_eq!(ended.bugs(), [bug("a_native:f/1", "a_native"), bug("z_good:f/1", "z_good")], "{}", ended.said);
    for (function, confirmed) in [("a_native:f/1", false), ("z_good:f/1", true)] {
        let bugs = ended.objects("bug");
        let bug = bugs.iter().find(|bug| bug["function"] == function).expect("found");
        assert_eq!(bug["confirmed"], confirmed, "{bug}");
    }
    assert_eq!(ended.objects("summary")[0]["unreadable"], 4, "{}", ended.said);
    for words in ["c_halted.erl", "c_nonsense.erl", "d_other_name.erl defines the module another_name", "e_cut.beam"] {
        assert!(ended.said.contains(words), "{words}: {}", ended.said);
    }
    assert!(!ended.said.contains("<<70,79,82,49"), "no bytes are shown: {}", ended.said);
    assert!(ended.said.lines().count() < 60, "nobody reads on: {}", ended.said);
}
