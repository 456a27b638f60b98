//! What forbids to say that everything was explored, and failures that are no crashes.

use crate::tests::{Witness, contract, data, explored, integer, integers, machine, settings, unit};
use crate::{Ended, Exploration, Failure, Loss, Missing, Obstacle, Settings, Unit, Verdict, explore};
use contract::{Clause, Contract, Limit, Recipe};
use formula::{ConsType, Range, TypeId, TypeNode, Types};
use interaction::MachineExecutor;
use path::Surrounding;
use solver::Chain;
use std::fmt::Write;
use term::{Atom, FunctionName, Term};

/// With the native tiers of the real solver, which knows lists.
fn natively(text: &str, unit: &Unit, settings: &Settings) -> Exploration {
    explore(
        &mut MachineExecutor::new(&mut machine(text)),
        unit,
        &mut Chain::native(),
        settings,
        &mut Witness::default(),
    )
}

fn range(low: i64, high: i64) -> TypeNode {
    TypeNode { integers: vec![Range { low: Some(low.into()), high: Some(high.into()) }], ..TypeNode::default() }
}

/// One clause for each pair of ranges: of the argument, and of the result.
fn ranges(clauses: &[(TypeNode, TypeNode)]) -> Contract {
    let mut types = Types::default();
    let mut add = |node: &TypeNode| types.add(node.clone());
    let clauses: Vec<(TypeId, TypeId)> = clauses.iter().map(|(param, result)| (add(param), add(result))).collect();
    let clause = |(param, result): &(TypeId, TypeId)| Clause {
        params: Some(vec![Recipe::Data(*param)]),
        accepts: vec![*param],
        result: *result,
        by_hand: false,
    };
    Contract { clauses: clauses.iter().map(clause).collect(), ..contract(types, Vec::new()) }
}

/// Ways of decisions with very many wait in line, and each has its turn.
#[test]
fn every_way_of_a_long_switch_is_tried() {
    let mut text = String::from("(module toy (files \"toy.erl\") (function f0 f 1 exported (case (v0)");
    for number in 1..=80 {
        // What only loads a constant would be a table, and no decision.
        let body = if number == 77 { "(remote @1:1 erlang error bug)" } else { "(remote erlang abs v0)" };
        let _ = write!(text, " (of ({number}) {body})");
    }
    text += " (of (_) ok))))";
    let exploration = natively(&text, &unit("f", integers(1)), &settings());
    assert_eq!(exploration.findings.len(), 1, "{:?}", exploration.losses);
    assert_eq!(data(&exploration.findings[0]), [Term::Int(77)]);
    assert_eq!(exploration.runs, 81);
    assert!(exploration.is_exhaustive(), "{:?}", exploration.losses);
}

#[test]
fn what_the_bound_on_sizes_excludes_is_a_loss() {
    let mut types = Types::default();
    let item = types.add(integer(None));
    let list = types.reserve();
    let cons = vec![ConsType { head: item, tail: list }];
    types.fill(list, TypeNode { nil: true, cons, ..TypeNode::default() });
    let text = "(module toy (files \"toy.erl\") (function f0 f 1 exported
      (case ((remote erlang length v0)) (of (5) (remote @1:1 erlang error five)) (of (2) two) (of (_) ok))))";
    let unit = unit("f", contract(types, vec![(vec![Recipe::Data(list)], vec![list])]));
    let bounded = natively(text, &unit, &Settings { size_bound: Some(3), ..settings() });
    assert_eq!(bounded.verdict(), Verdict::Incomplete);
    assert!(bounded.losses.contains_key(&Loss::SizeBound), "{:?}", bounded.losses);
    let free = natively(text, &unit, &settings());
    assert_eq!(free.findings.len(), 1);
    assert!(free.is_exhaustive(), "{:?}", free.losses);
}

#[test]
fn candidates_dropped_for_lack_of_memory_are_a_loss() {
    let mut text = String::from("(module toy (files \"toy.erl\") (function f0 f 2 exported (call f1 v0 v1))");
    for number in 1..=12 {
        let _ = write!(
            text,
            " (function f{number} step{number} 2 (case ((remote erlang > v{} {})) (of (true) (call f{next} v0 v1)) \
             (of (_) (call f{next} v0 v1))))",
            number % 2,
            number * 7,
            next = number + 1
        );
    }
    text += " (function f13 last 2 ok))";
    let small = natively(&text, &unit("f", integers(2)), &Settings { memory: 256, ..settings() });
    assert!(small.losses.contains_key(&Loss::CandidatesDropped), "{:?}", small.losses);
    assert_ne!(small.verdict(), Verdict::Exhausted);
    let roomy = natively(&text, &unit("f", integers(2)), &settings());
    assert_eq!(roomy.verdict(), Verdict::Exhausted, "{:?}", roomy.losses);
}

const IDENTITY: &str = "(module toy (files \"toy.erl\") (function f0 f 1 exported v0))";

#[test]
fn a_result_outside_its_type_is_a_failure() {
    let exploration = natively(IDENTITY, &unit("f", ranges(&[(range(0, 9), range(0, 6))])), &settings());
    assert_eq!(exploration.findings.len(), 1, "{:?}", exploration.losses);
    assert!(matches!(exploration.findings[0].failure, Failure::Spec { result: Term::Int(7), .. }));
    assert!(exploration.is_exhaustive(), "{:?}", exploration.losses);
    let fine = natively(IDENTITY, &unit("f", ranges(&[(range(0, 9), range(0, 9))])), &settings());
    assert_eq!(fine.verdict(), Verdict::Exhausted, "{:?}", fine.losses);
}

/// Which clauses speak of the arguments decides what the result may be.
#[test]
fn clauses_that_overlap_allow_more_where_they_do() {
    let clauses = [(range(0, 5), range(0, 5)), (range(3, 10), range(7, 10))];
    let exploration = natively(IDENTITY, &unit("f", ranges(&clauses)), &settings());
    assert_eq!(exploration.findings.len(), 1, "{:?}", exploration.losses);
    assert_eq!(data(&exploration.findings[0]), [Term::Int(6)]);
    assert!(exploration.is_exhaustive(), "{:?}", exploration.losses);
}

#[test]
fn waiting_for_ever_is_a_failure() {
    let text = "(module toy (files \"toy.erl\") (function f0 f 1 exported
      (case ((remote erlang > v0 3)) (of (true) (primitive recv_wait_timeout infinity)) (of (_) ok))))";
    let exploration = natively(text, &unit("f", integers(1)), &settings());
    assert_eq!(exploration.findings.len(), 1, "{:?}", exploration.losses);
    assert!(matches!(exploration.findings[0].failure, Failure::Deadlock(_)));
    assert_eq!(data(&exploration.findings[0]), [Term::Int(4)]);
    assert_eq!((exploration.ended, exploration.is_exhaustive()), (Ended::Done, true), "{:?}", exploration.losses);
}

/// What is neither an input nor the same everywhere was seen once only.
#[test]
fn the_time_is_no_input() {
    let text = "(module toy (files \"toy.erl\") (function f0 f 1 exported
      (case ((remote erlang > v0 (remote erlang system_time))) (of (true) (remote @1:1 erlang error late)) (of (_) ok))))";
    let exploration = natively(text, &unit("f", integers(1)), &settings());
    assert_eq!(exploration.findings[0].depends_on, [path::Surrounding::Time]);
    assert!(exploration.losses.contains_key(&Loss::DependsOn(Surrounding::Time)), "{:?}", exploration.losses);
    assert!(!exploration.is_exhaustive());
}

#[test]
fn what_a_type_leaves_out_is_a_loss() {
    let contract = Contract { limits: vec![Limit::ShortOpaqueLists { most: 2 }], ..integers(1) };
    let exploration = explored(IDENTITY, &unit("f", contract), &settings());
    assert_eq!(exploration.verdict(), Verdict::Incomplete);
}

const ABSENT: &str = "(module toy (files \"toy.erl\") (function f0 f 1 exported
  (case ((remote erlang > v0 3)) (of (true) (remote @1:1 erlang error gone)) (of (_) (remote @2:1 erlang error gone)))))";

/// A search whose runs all lack the same is not exhausted, and says what they lack.
#[test]
fn what_all_runs_lack_is_named() {
    let missing = Missing::Table("orders".to_string());
    let mut host = Witness::default();
    host.missing = Some(missing.clone());
    let unit = unit("f", integers(1));
    let mut machine = machine(ABSENT);
    let mut executor = MachineExecutor::new(&mut machine);
    let told = explore(&mut executor, &unit, &mut Chain::native(), &settings(), &mut host);
    let obstacle = Obstacle::Missing { missing: missing.clone(), created_by: None, application: None };
    assert_eq!((told.runs, told.ended), (2, Ended::Done));
    assert_eq!(told.losses.get(&Loss::AllEndAt(obstacle)), Some(&2), "{:?}", told.losses);
    assert_eq!(told.losses.get(&Loss::Missing(missing)), Some(&2), "{:?}", told.losses);
    assert!(!told.is_exhaustive());
}

/// Each number of a list is compared by library code, so that there are very many paths to the same end.
fn many_paths(last: &str) -> String {
    let mut text = String::from("(module other (files \"other.erl\") (function f0 f 8 exported (call f1");
    (0..8).for_each(|number| write!(text, " v{number}").expect("text"));
    text += ")";
    for number in 1..=24 {
        let args: String = (0..8).fold(String::new(), |all, arg| all + &format!(" v{arg}"));
        let next = number + 1;
        let bound = number * 3;
        let arg = number % 8;
        let _ = write!(
            text,
            ") (function f{number} step{number} 8 (case ((remote erlang > v{arg} {bound})) (of (true) (call f{next}{args})) \
             (of (_) (call f{next}{args})))"
        );
    }
    let _ = write!(text, ") (function f25 last 8 {last}))");
    text
}

#[test]
fn a_search_stops_where_all_runs_end_at_the_same_denied_function() {
    let read = "(remote @1:1 file read_file v0)";
    let mut stuck = unit("f", integers(8));
    stuck.module = Atom::new("other");
    let told = natively(&many_paths(read), &stuck, &Settings { max_runs: 5000, ..settings() });
    let name = FunctionName { module: Atom::new("file"), function: Atom::new("read_file"), arity: 1 };
    assert_eq!((told.ended, told.verdict()), (Ended::Stuck, Verdict::Incomplete), "{} {:?}", told.runs, told.losses);
    assert_eq!(told.losses.get(&Loss::AllEndAt(Obstacle::Denied(name))), Some(&told.runs), "{:?}", told.losses);
    assert!(told.runs < 400, "{}", told.runs);
    // One run that ends elsewhere is reason enough to go on.
    let some = "(case (v7) (of (5) ok) (of (_) (remote @1:1 file read_file v0)))";
    let told = natively(&many_paths(some), &stuck, &Settings { max_runs: 600, ..settings() });
    assert_eq!(told.ended, Ended::OutOfRuns, "{:?}", told.losses);
}

/// As long as a branch of the user's code waits to be covered, a search goes on.
#[test]
fn a_search_goes_on_while_branches_of_the_user_are_open() {
    let read = "(remote @1:1 file read_file v0)";
    let mut own = unit("f", integers(8));
    own.module = Atom::new("other");
    own.user_modules = vec![own.module];
    let depth = Settings { max_runs: 5000, strategy: crate::Strategy::BreadthFirst, ..settings() };
    let told = natively(&many_paths(read), &own, &depth);
    assert_eq!((told.ended, told.covered), (Ended::Stuck, told.branches), "{} {:?}", told.runs, told.losses);
}
