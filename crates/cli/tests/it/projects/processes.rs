//! What is said of functions that start processes and report errors.

use crate::projects::scratch::Scratch;

const NOISY: &str = "-module(noisy).\n-export([note/1, quiet/1]).\n\
    -spec note(boolean()) -> ok.\n\
    note(true) -> logger:error(\"one\"), error_logger:error_msg(\"two\"), ok;\n\
    note(false) -> logger:warning(\"none\"), ok.\n\
    -spec quiet(boolean()) -> boolean().\n\
    quiet(B) -> not B.\n";

#[test]
fn errors_that_are_reported_to_the_logger_are_counted() {
    let noisy = Scratch::new("noisy", &[("src/noisy.erl", NOISY)]);
    let ended = noisy.test(&["--format", "jsonl"]);
    let count = |name: &str| {
        let told = ended.objects("function").into_iter().find(|told| told["function"] == name).expect(name);
        assert_eq!(told["verdict"], "exhausted", "{told}");
        told["error_reports"].clone()
    };
    assert_eq!((count("noisy:note/1"), count("noisy:quiet/1")), (2.into(), 0.into()), "{}", ended.stdout);
    let shown = noisy.test(&["-v"]);
    assert!(shown.stdout.contains("1 run reported 2 errors to the logger"), "{}", shown.stdout);
    assert_eq!(shown.stdout.matches("to the logger").count(), 1, "{}", shown.stdout);
}

/// The BEAM lets the other process run when the reductions are used up, Beagle does not count these.
const EARLY: &str = "-module(early).\n-export([looked/1]).\n\
    -spec looked(integer()) -> integer().\n\
    looked(N) ->\n    Me = self(),\n    spawn(fun() -> Me ! done end),\n    erlang:bump_reductions(100000),\n    answer(N).\n\
    answer(N) -> receive done -> N after 0 -> error(early) end.\n";

#[test]
fn a_finding_of_another_order_of_turns_says_so() {
    let early = Scratch::new("early", &[("src/early.erl", EARLY)]);
    let ended = early.test(&["--format", "jsonl"]);
    let order = "the order in which its processes take turns";
    assert!(ended.stdout.contains(order), "{}{}", ended.stdout, ended.said);
    let shown = early.test(&[]);
    let title = format!("{order}: early:looked/1 raises error early");
    assert!(
        shown.stdout.contains("not confirmed, as it depends on") && shown.stdout.contains(&title),
        "{}",
        shown.stdout
    );
}

const LINKED: &str = "-module(linked).\n-export([late/1]).\n\
    -spec late(integer()) -> integer().\n\
    late(N) when N > 5 ->\n    {P, R} = spawn_monitor(fun() -> ok end),\n    \
    receive {'DOWN', R, process, P, normal} -> ok end,\n    link(P),\n    N;\n\
    late(N) -> N.\n";

#[test]
fn a_process_that_has_ended_is_not_missing() {
    let linked = Scratch::new("linked", &[("src/linked.erl", LINKED)]);
    let ended = linked.test(&["--format", "jsonl"]);
    let bugs = ended.objects("bug");
    assert_eq!(bugs.len(), 1, "{}{}", ended.stdout, ended.said);
    assert_eq!((&bugs[0]["reason"], &bugs[0]["confirmed"]), (&"noproc".into(), &true.into()), "{}", ended.stdout);
    assert_ne!(bugs[0]["category"], "environment", "{}", ended.stdout);
}
