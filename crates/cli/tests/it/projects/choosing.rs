//! Which functions are tested.

use crate::projects::scratch::{SHOP, SHOP_TESTS, Scratch, bug};

#[test]
fn plain_folders_are_projects_too() {
    let plain = Scratch::new(
        "plain",
        &[
            ("src/shop.erl", &SHOP.replace("?MORE", "1")),
            ("include/shop.hrl", "-define(WRONG, 4000).\n"),
            ("test/shop_tests.erl", SHOP_TESTS),
        ],
    );
    let ended = plain.test_in("include", &["--format", "jsonl"]);
    assert_eq!(ended.bugs(), [bug("shop:price/1", "wrong_price")], "{}", ended.said);
    assert_eq!(plain.list(&["--all"]), ["shop:price/1", "shop:helper/1"]);
    assert_eq!(plain.list(&["--module", "*_tests"]), ["shop_tests:price_test/0"]);
    assert_eq!(plain.list(&["test/shop_tests.erl"]), ["shop_tests:price_test/0"]);
}

#[test]
fn functions_are_chosen_by_name() {
    let source = "-module(names).\n-export([parse_a/1, parse_b/1, parse_b/2, other/1]).\n-spec parse_a(any()) -> ok.\n\
        parse_a(_) -> ok.\n-spec parse_b(any()) -> ok.\nparse_b(_) -> ok.\nparse_b(_, _) -> ok.\n\
        -spec other(any()) -> ok.\nother(_) -> ok.\n";
    let names = Scratch::new(
        "names",
        &[("src/names.erl", source), ("src/my_names.erl", &source.replace("(names)", "(my_names)"))],
    );
    assert_eq!(names.list(&["-f", "names:parse_*/1"]), ["names:parse_a/1", "names:parse_b/1"]);
    assert_eq!(names.list(&["-f", "*:parse_b/2"]), ["my_names:parse_b/2", "names:parse_b/2"]);
    assert_eq!(names.list(&["--module", "my_*"]).len(), 3);
    assert_eq!(names.list(&["--module", "my_*", "--all"]).len(), 4);
    assert_eq!(names.list(&["--exclude", "my_*", "--exclude", "names:parse_*"]), ["names:other/1"]);
    assert!(names.refused(&["-f", "names:nothing_*"]).contains("no exported function has this name"));
    assert!(names.refused(&["--module", "nothing_*"]).contains("there is no such module"));
    assert!(names.refused(&["--module", "names:f/1"]).contains("write -f"));
    assert!(names.refused(&["--exclude", "a b"]).contains("--exclude a b"));
    assert!(names.refused(&["--exclude", "*"]).contains("excluded"));
}

#[test]
fn what_has_changed_is_known_to_git() {
    let module = |name: &str, body: &str| {
        format!("-module({name}).\n-export([f/1]).\n-spec f(integer()) -> integer().\nf(X) -> {body}.\n")
    };
    let repository = Scratch::new(
        "changed",
        &[
            ("src/called.erl", &module("called", "X")),
            ("src/caller.erl", &module("caller", "called:f(X)")),
            ("src/apart.erl", &format!("-include(\"apart.hrl\").\n{}", module("apart", "X"))),
            ("src/apart.hrl", "-define(A, 1).\n"),
        ],
    );
    let git = |args: &[&str]| {
        repository.tool("git", &[&["-c", "user.name=n", "-c", "user.email=e@example.com"], args].concat());
    };
    git(&["init", "--quiet"]);
    git(&["add", "-A"]);
    git(&["commit", "--quiet", "-m", "First"]);
    let none = repository.test(&["--changed-since", "HEAD"]);
    assert_eq!((none.code, none.said.contains("has changed")), (0, true), "{}", none.said);
    repository.write("src/called.erl", &module("called", "X + 1"));
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["called:f/1"], "not committed");
    git(&["commit", "--quiet", "-am", "Second"]);
    assert_eq!(repository.list(&["--changed-since", "HEAD~1"]), ["called:f/1"]);
    assert_eq!(repository.list(&["--changed-since", "HEAD~1", "--with-callers"]), ["called:f/1", "caller:f/1"]);
    repository.write("src/apart.hrl", "-define(A, 2).\n");
    repository.write("src/fresh.erl", &module("fresh", "X"));
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["apart:f/1", "fresh:f/1"], "a header; a new file");
    git(&["add", "-A"]);
    git(&["commit", "--quiet", "-m", "Third"]);
    git(&["mv", "src/fresh.erl", "src/stale.erl"]);
    repository.write("src/stale.erl", &module("stale", "X"));
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["stale:f/1"], "renamed");
    git(&["rm", "--quiet", "src/called.erl"]);
    let callers = repository.list(&["--changed-since", "HEAD", "--with-callers"]);
    assert_eq!(callers, ["caller:f/1", "stale:f/1"], "what calls something that is not there any more");
    git(&["reset", "--quiet", "--hard"]);

    // A repository in it: not known to the outer one, then a part of it, then changed, then committed.
    repository.write("apps/inner/src/inner.erl", &module("inner", "X"));
    let inner = |args: &[&str]| git(&[&["-C", "apps/inner"], args].concat());
    inner(&["init", "--quiet"]);
    inner(&["add", "-A"]);
    inner(&["commit", "--quiet", "-m", "Inner"]);
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["inner:f/1"], "a new repository");
    git(&["-c", "advice.addEmbeddedRepo=false", "add", "apps/inner"]);
    git(&["commit", "--quiet", "-m", "Fourth"]);
    assert_eq!(repository.test(&["--changed-since", "HEAD", "--list"]).stdout, "");
    repository.write("apps/inner/src/inner.erl", &module("inner", "X + 1"));
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["inner:f/1"], "changed inside");
    inner(&["commit", "--quiet", "-am", "Changed"]);
    assert_eq!(repository.list(&["--changed-since", "HEAD"]), ["inner:f/1"], "committed inside");
    assert!(repository.refused(&["--changed-since", "no_such_tag"]).contains("git does not know this revision"));
    assert!(repository.refused(&["--changed-since=--output=/tmp/x"]).contains("--changed-since"));
    assert!(repository.refused(&["--with-callers"]).contains("--changed-since"));
}
