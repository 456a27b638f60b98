//! Tests of the descriptions of runs and branches, and that asking for them changes nothing.

use crate::tests::{BruteForce, explored, integers, machine, settings, unit};
use crate::{BranchWay, End, Exploration, Finding, Host, Progress, Ran, Settings, VariableIs, Where, explore};
use formula::{Formulas, TermId, Variable};
use interaction::MachineExecutor;

/// Two conditions behind each other, the second of which nothing fulfils behind the first.
const NESTED: &str = "(module toy (files \"toy.erl\")
  (function f0 nested 1 exported @1:1
    (case ((remote @2:5 erlang > v0 10))
      (of (true) (case ((remote @3:9 erlang < v0 5))
        (of (true) (remote @4:13 erlang error never))
        (of (_) large)))
      (of (_) (case ((remote @6:9 erlang =:= v0 7)) (of (true) (remote @7:13 erlang error seven)) (of (_) small))))))";

#[derive(Default)]
struct Onlooker {
    wanted: u64,
    runs: Vec<Ran>,
}

impl Host for Onlooker {
    fn out_of_time(&mut self) -> bool {
        false
    }
    fn progress(&mut self, _: &Progress) {}
    fn found(&mut self, _: &Finding) {}
    fn wanted_runs(&mut self) -> u64 {
        self.wanted
    }
    fn ran(&mut self, ran: Ran) {
        self.runs.push(ran);
    }
    fn in_words(&mut self, formulas: &Formulas, condition: TermId, is: &dyn Fn(Variable) -> VariableIs) -> String {
        assert!(formulas.variables(condition).into_iter().all(|variable| is(variable) == VariableIs::Argument(0)));
        format!("{:?}", formulas.operator(condition))
    }
}

fn watched(wanted: u64, settings: &Settings) -> (Exploration, Vec<Ran>) {
    let mut onlooker = Onlooker { wanted, ..Onlooker::default() };
    let unit = unit("nested", integers(1));
    let exploration = explore(
        &mut MachineExecutor::new(&mut machine(NESTED)),
        &unit,
        &mut BruteForce::default(),
        settings,
        &mut onlooker,
    );
    (exploration, onlooker.runs)
}

#[test]
fn runs_are_described_with_their_decisions_and_ends() {
    let (exploration, runs) = watched(100, &settings());
    assert_eq!(runs.len() as u64, exploration.runs);
    for (index, ran) in runs.iter().enumerate() {
        assert_eq!((ran.number, ran.decisions.len(), ran.more_decisions), (index as u64 + 1, 2, 0));
        let lines = ran.decisions.iter().map(|decided| match &decided.place {
            Where::Code(place) => (place.module.text(), place.function.text(), place.line),
            other => panic!("{other:?}"),
        });
        let second = if ran.decisions[0].way == 1 { 3 } else { 6 };
        assert_eq!(lines.collect::<Vec<_>>(), [("toy", "nested", 2), ("toy", "nested", second)]);
        // Decisions that are shared with an earlier run are described with that one.
        let shared = |at: usize| {
            let path =
                |ran: &Ran| ran.decisions[..=at].iter().map(|decided| (decided.site, decided.way)).collect::<Vec<_>>();
            runs[..index].iter().any(|before| path(before) == path(ran))
        };
        for (at, decided) in ran.decisions.iter().enumerate() {
            assert_eq!(decided.words.is_empty(), shared(at), "{index}: {at}");
        }
    }
    assert!(runs.iter().any(|ran| matches!(ran.end, End::Failed(_))));
    assert!(runs.iter().any(|ran| matches!(&ran.end, End::Fine(Some(result)) if *result == term::Term::atom("large"))));
}

#[test]
fn both_sides_of_each_branch_are_described() {
    let (exploration, _) = watched(1, &settings());
    let lines: Vec<u32> = exploration.sites.iter().map(|site| site.place.line).collect();
    assert_eq!(lines, [2, 3, 6]);
    let states = |index: usize| {
        let state = |way: &BranchWay| (way.taken, way.refuted > 0, way.open > 0);
        exploration.sites[index].ways.iter().map(state).collect::<Vec<_>>()
    };
    let taken = (true, false, false);
    assert_eq!(states(0), [taken, taken]);
    // Way 1 is where the condition holds.
    assert_eq!(states(1), [taken, (false, true, false)]);
    assert_eq!(states(2), [taken, taken]);
    assert!(exploration.sites.iter().flat_map(|site| &site.ways).all(|way| !way.words.is_empty()));
    assert_eq!(exploration.sites.iter().map(|site| site.ways.len()).sum::<usize>(), exploration.branches);
}

#[test]
fn what_was_not_tried_is_open() {
    let (exploration, runs) = watched(100, &Settings { max_runs: 1, ..settings() });
    assert_eq!(runs.len(), 1);
    let open = exploration.sites.iter().flat_map(|site| &site.ways).filter(|way| !way.taken && way.open > 0);
    assert_eq!(open.count(), 2);
}

#[test]
fn looking_on_changes_nothing_and_costs_nothing_if_nobody_does() {
    let unwatched = explored(NESTED, &unit("nested", integers(1)), &settings());
    assert!(unwatched.sites.is_empty());
    for wanted in [1, 2, 100] {
        let (exploration, runs) = watched(wanted, &settings());
        assert_eq!(runs.len() as u64, wanted.min(exploration.runs), "the first ones");
        let figures = |exploration: &Exploration| {
            (exploration.runs, exploration.queries, exploration.unsat, exploration.covered, exploration.findings.len())
        };
        assert_eq!(figures(&exploration), figures(&unwatched));
    }
}
