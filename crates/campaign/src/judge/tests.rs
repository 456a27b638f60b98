//! Findings that were made up, and what the real BEAM says of them.

use super::{Opinion, opinion};
use crate::target::Target;
use beam::ERLANG;
use frontend::{Code, CodeConfig, Evaluation};
use path::{Class, ProcessId, ProcessName, Raised, Reach};
use program::Module;
use report::Judgement;
use search::{CutAt, Endless, Failure, Finding, Proof, Unended};
use std::sync::{Arc, OnceLock};
use term::{Atom, FunctionName, Term};

const PROGRAM: &str = r#"-module(judged).
-export([unlinked/0, linked/0, chained/0, late/0, harmless/0, supervised/0, init/1, child/0, waits/0, busy/0, asks/0,
         sleeps/0, races/0, deaf/0, waits_in_vain/0, raises/0]).

unlinked() -> spawn(fun() -> error(boom) end), ok.
linked() -> spawn_link(fun() -> error(boom) end), receive never -> ok end.
chained() -> spawn_link(fun() -> spawn_link(fun() -> throw(ball) end), receive never -> ok end end),
             receive never -> ok end.
late() -> spawn(fun() -> receive after 60000 -> error(boom) end end), ok.
harmless() -> spawn(fun() -> exit(normal) end), ok.
waits_in_vain() -> spawn(fun() -> exit(boom) end), receive never -> ok end.

supervised() ->
    {ok, Pid} = supervisor:start_link({local, judged_sup}, judged, []),
    unlink(Pid),
    ok.
init([]) -> {ok, {#{intensity => 1, period => 5}, [#{id => child, start => {judged, child, []}}]}}.
child() -> {ok, spawn_link(fun() -> error(boom) end)}.

waits() -> receive never -> ok end.
busy() -> busy().
sleeps() -> receive after 60000 -> error(boom) end.
deaf() -> receive _ -> deaf() end.
asks() -> gen_server:call(spawn(fun deaf/0), question, 100).

%% One time in two it crashes.
races() ->
    N = case persistent_term:get(races, 0) of 0 -> 1; 1 -> 0 end,
    persistent_term:put(races, N),
    spawn(fun() -> 1 div N end),
    ok.

raises() -> error(boom).
"#;

/// The code, loaded once.
fn program() -> &'static (Arc<dyn Code>, Arc<Module>) {
    static PROGRAM_CODE: OnceLock<(Arc<dyn Code>, Arc<Module>)> = OnceLock::new();
    PROGRAM_CODE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("judged.erl");
        std::fs::write(&source, PROGRAM).expect("a file");
        let config = CodeConfig { sources: vec![source], evaluation: Evaluation::Unguarded, ..CodeConfig::default() };
        let code: Arc<dyn Code> = beam::open(config).expect("code");
        code.load_into_runtime(Atom::new("judged")).expect("a module");
        let module = code.load(Atom::new("judged")).expect("code").expect("a module");
        (code, module)
    })
}

fn judgement(function: &str, failure: Failure) -> Judgement {
    let name = FunctionName { module: Atom::new("judged"), function: Atom::new(function), arity: 0 };
    let (code, module) = program();
    let target =
        Target { number: 0, name, module: Arc::clone(module), setups: Vec::new(), started: Vec::new(), client: None };
    let finding = Finding {
        inputs: Vec::new(),
        functions: Arc::default(),
        said: Vec::new(),
        failure,
        runs: 1,
        depends_on: Vec::new(),
        refused: None,
        made_wrong: None,
        compares_functions: false,
    };
    match opinion(&**code, &ERLANG, &target, &finding) {
        Opinion::Shown { judgement, .. } => judgement,
        Opinion::Slow => panic!("{function} is slow"),
    }
}

fn crash(class: Class, reason: &str, reach: Reach) -> Failure {
    let process = ProcessName { id: ProcessId(1), initial: None, registered: None };
    Failure::Crash(Raised { process, class, reason: Term::atom(reason), trace: Vec::new(), reach })
}

fn supervisor(name: &str) -> Reach {
    Reach::Supervisor(ProcessName { id: ProcessId(1), initial: None, registered: Some(Atom::new(name)) })
}

/// The reason that a link carries; of the stack, that it is one is all that matters.
fn with_stack(reason: Term) -> Term {
    let frame = Term::tuple([Term::atom("m"), Term::atom("f"), Term::Int(0), Term::Nil]);
    Term::tuple([reason, Term::list([frame])])
}

fn nocatch(ball: &str) -> Term {
    Term::tuple([Term::atom("nocatch"), Term::atom(ball)])
}

fn endless() -> Failure {
    let name = Atom::new("judged");
    let endless = Endless { proof: Proof::SameState, module: name, function: name, arity: 0, period: 1, calls: 10 };
    Failure::Timeout(Unended { endless: Some(endless), limit: CutAt::Calls(100) })
}

fn deadlock() -> Failure {
    Failure::Deadlock(Vec::new())
}

#[test]
fn crashes_of_other_processes_are_confirmed() {
    let confirmed = |function, failure| assert_eq!(judgement(function, failure), Judgement::Confirmed, "{function}");
    confirmed("unlinked", crash(Class::Error, "boom", Reach::Nobody));
    confirmed("waits_in_vain", crash(Class::Exit, "boom", Reach::Nobody));
    confirmed("linked", crash(Class::Error, "boom", Reach::Link(with_stack(Term::atom("boom")))));
    confirmed("chained", crash(Class::Throw, "ball", Reach::Link(with_stack(nocatch("ball")))));
    confirmed("supervised", crash(Class::Error, "boom", supervisor("judged_sup")));
    confirmed("raises", crash(Class::Error, "boom", Reach::Caller));
}

#[test]
fn what_the_runtime_does_not_show_is_not_confirmed() {
    let said = |function, failure| match judgement(function, failure) {
        Judgement::Refuted { said } => said,
        other => panic!("{function}: {other:?}"),
    };
    assert_eq!(
        said("harmless", crash(Class::Error, "boom", Reach::Nobody)),
        "ok, and no process that it started crashed"
    );
    let said_of_class = said("unlinked", crash(Class::Exit, "boom", Reach::Nobody));
    assert!(said_of_class.starts_with("ok, and processes that it started ended with {boom,"), "{said_of_class}");
    assert_eq!(said("unlinked", crash(Class::Error, "boom", Reach::Link(with_stack(Term::atom("boom"))))), "ok");
    said("unlinked", crash(Class::Error, "boom", supervisor("judged_sup")));
    said("supervised", crash(Class::Error, "boom", supervisor("other_sup")));
    assert!(said("raises", crash(Class::Error, "boom", Reach::Nobody)).starts_with("error boom"));
}

#[test]
fn what_takes_long_is_not_waited_for() {
    let why = |function, failure| match judgement(function, failure) {
        Judgement::NotAsked { why } => why,
        other => panic!("{function}: {other:?}"),
    };
    assert_eq!(
        why("late", crash(Class::Error, "boom", Reach::Nobody)),
        "on the BEAM processes of it were left 500 ms after the call, and were not waited for"
    );
    assert_eq!(
        why("sleeps", crash(Class::Error, "boom", Reach::Caller)),
        "on the BEAM it still waited for a message after 5 s, and was not waited for"
    );
    assert_eq!(why("sleeps", endless()), "on the BEAM it waited for a message after 2 s, and was not waited for");
}

#[test]
fn who_waits_does_not_work() {
    assert_eq!(judgement("waits", deadlock()), Judgement::Confirmed);
    assert_eq!(judgement("asks", deadlock()), Judgement::Confirmed);
    assert_eq!(judgement("busy", deadlock()), Judgement::Refuted { said: "without an end within 2 s".to_string() });
    assert_eq!(judgement("busy", endless()), Judgement::Confirmed);
    assert_eq!(judgement("unlinked", deadlock()), Judgement::Refuted { said: "ok".to_string() });
}

#[test]
fn what_happens_only_sometimes_varies() {
    let judged = judgement("races", crash(Class::Error, "badarith", Reach::Nobody));
    let said = "ok, and no process that it started crashed".to_string();
    assert_eq!(judged, Judgement::Varies { said });
}
