//! Explorations of small programs with a solver that tries values one by one.

use crate::{
    Ended, Exploration, Failure, Finding, Host, InputValue, Loss, Missing, Progress, Settings, Strategy, Unit, Verdict,
    explore,
};
use contract::{Clause, Constructor, Contract, Recipe};
use erlang::ERLANG;
use formula::{Assignment, Formulas, FunctionType, Operator, Range, TermId, TypeId, TypeNode, Types, Variable, holds};
use interaction::MachineExecutor;
use machine::{Limits, Machine, NoModules};
use path::{Alarm, Raised, Stop};
use solver::{Answer, Model, Query, Screened, ScreeningStep, Solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use term::{Atom, Term};

/// Tries integers near nought and near the constants of the formulas.
#[derive(Default)]
pub(crate) struct BruteForce {
    /// Decides nothing before it is asked.
    idle: bool,
    asked: u64,
}

impl BruteForce {
    fn decide(&self, formulas: &Formulas, parent: &Assignment, conditions: &[TermId]) -> Option<Model> {
        let mut variables: Vec<Variable> = parent.keys().copied().collect();
        variables.sort_unstable();
        let mut values: Vec<i64> = (-3..=12).collect();
        for index in 0..formulas.len() as u32 {
            if let Some(Term::Int(value)) = formulas.as_constant(TermId::from_number(index)) {
                values.extend([*value, value + 1, value - 1, value / 2 + 1]);
            }
        }
        values.sort_unstable();
        values.dedup();
        let mut assignment = parent.clone();
        let found = search(formulas, &mut assignment, &variables, &values, conditions);
        let change = |id: TermId| match formulas.operator(id) {
            Operator::Variable(variable) => Some((id, assignment.get(variable)?.clone())),
            _ => None,
        };
        let ids = (0..formulas.len() as u32).map(TermId::from_number);
        found.then(|| Model { changes: ids.filter_map(change).collect() })
    }
}

fn search(
    formulas: &Formulas,
    assignment: &mut Assignment,
    variables: &[Variable],
    values: &[i64],
    conditions: &[TermId],
) -> bool {
    let Some((first, rest)) = variables.split_first() else {
        return conditions.iter().all(|condition| holds(formulas, *condition, assignment) == Some(true));
    };
    if search(formulas, assignment, rest, values, conditions) {
        return true;
    }
    let own = assignment.get(first).cloned();
    for value in values {
        let value = Term::Int(*value);
        if formulas.types().contains(formulas.declared(*first), &value) {
            assignment.insert(*first, value);
            if search(formulas, assignment, rest, values, conditions) {
                return true;
            }
        }
    }
    assignment.extend(own.map(|own| (*first, own)));
    false
}

impl Solver for BruteForce {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[ScreeningStep]) -> Vec<Vec<Screened>> {
        let mut before = Vec::new();
        let mut answers = Vec::new();
        for step in steps {
            let answer = |other: &TermId| match self.idle {
                true => Screened::Open,
                false => {
                    let conditions: Vec<TermId> = before.iter().chain([other]).copied().collect();
                    self.decide(formulas, parent, &conditions).map_or(Screened::Unsat, Screened::Sat)
                }
            };
            answers.push(step.others.iter().map(answer).collect());
            before.push(step.held);
        }
        answers
    }

    fn solve(&mut self, query: &mut Query<'_>) -> Answer {
        self.asked += 1;
        let conditions: Vec<TermId> = query.before.iter().copied().chain([query.wanted]).collect();
        let by = solver::TierName::FewValues;
        match self.decide(query.formulas, query.parent, &conditions) {
            Some(model) => {
                let values = solver::apply(query.formulas, query.parent, &model).expect("it can be laid out");
                Answer::Sat(solver::Solution { by, values, model })
            }
            None => Answer::Unsat { by, refuter: solver::Refuter::Native },
        }
    }
}

#[derive(Default)]
pub(crate) struct Witness {
    found: Vec<Finding>,
    /// Questions until there is no more time.
    patience: Option<u64>,
    /// Rings after it was looked at so often.
    alarm: Option<u64>,
    rang: Arc<AtomicBool>,
    /// What every exception says is not there.
    pub missing: Option<Missing>,
}

impl Host for Witness {
    fn alarm(&mut self) -> Option<Alarm> {
        let (left, rang) = (AtomicU64::new(self.alarm?), Arc::clone(&self.rang));
        Some(Arc::new(move || {
            let rings = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err();
            rang.fetch_or(rings, Ordering::Relaxed);
            rings
        }))
    }

    fn out_of_time(&mut self) -> bool {
        match &mut self.patience {
            _ if self.rang.load(Ordering::Relaxed) => true,
            Some(0) => true,
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        }
    }
    fn missing(&mut self, _: &Raised) -> Option<Missing> {
        self.missing.clone()
    }
    fn progress(&mut self, _: &Progress) {}
    fn found(&mut self, finding: &Finding) {
        self.found.push(finding.clone());
    }
}

pub(crate) fn settings() -> Settings {
    Settings {
        strategy: Strategy::Coverage,
        max_runs: 1000,
        steps: 1000,
        most_steps: 8000,
        size_bound: None,
        seeds: Vec::new(),
        seed: 0,
        memory: 64 << 20,
        samples: crate::Samples::default(),
        goal: None,
    }
}

fn atom(name: &str) -> Atom {
    Atom::new(name)
}

pub(crate) fn integer(low: Option<i64>) -> TypeNode {
    TypeNode { integers: vec![Range { low: low.map(Into::into), high: None }], ..TypeNode::default() }
}

/// Everything is an integer.
pub(crate) fn integers(arity: u32) -> Contract {
    let mut types = Types::default();
    let of = types.add(integer(None));
    contract(types, vec![(vec![Recipe::Data(of); arity as usize], vec![of; arity as usize])])
}

pub(crate) fn contract(types: Types, clauses: Vec<(Vec<Recipe>, Vec<TypeId>)>) -> Contract {
    let clause = |(params, accepts)| Clause { params: Some(params), accepts, result: Types::ANY, by_hand: false };
    Contract {
        types: Arc::new(types),
        clauses: clauses.into_iter().map(clause).collect(),
        declared: true,
        behaviour: None,
        limits: Vec::new(),
        client: None,
    }
}

pub(crate) fn unit(function: &str, contract: Contract) -> Unit {
    let arity = contract.clauses[0].accepts.len() as u32;
    Unit {
        module: atom("toy"),
        function: atom(function),
        arity,
        contract,
        user_modules: vec![atom("toy")],
        expected: Default::default(),
    }
}

pub(crate) fn machine(text: &str) -> Machine {
    let limits = Limits { memory: 64 << 20, ..Limits::default() };
    let mut machine = Machine::new(&ERLANG, Box::new(NoModules), limits).expect("address space");
    let module = program::read(text).expect("a module");
    program::verify(&module).expect("a sound module");
    machine.add(Arc::new(module));
    machine
}

pub(crate) fn explored(text: &str, unit: &Unit, settings: &Settings) -> Exploration {
    let mut witness = Witness::default();
    let exploration = explore(
        &mut MachineExecutor::new(&mut machine(text)),
        unit,
        &mut BruteForce::default(),
        settings,
        &mut witness,
    );
    assert_eq!(witness.found.len(), exploration.findings.len(), "the host hears of every finding");
    exploration
}

pub(crate) fn data(finding: &Finding) -> Vec<Term> {
    let term = |input: &InputValue| match input {
        InputValue::Data(value) => value.data.clone(),
        other => panic!("not data: {other:?}"),
    };
    finding.inputs.iter().map(term).collect()
}

fn reason(finding: &Finding) -> Term {
    match &finding.failure {
        Failure::Crash(raised) => raised.reason.clone(),
        other => panic!("no crash: {other:?}"),
    }
}

const TOY: &str = "(module toy (files \"toy.erl\")
  (function f0 foo 2 exported @1:1
    (case ((remote erlang == v0 1000))
      (of (true) (case ((remote erlang < v0 (remote erlang * 2 v1)))
        (of (true) (remote @3:1 erlang error bug))
        (of (_) ok)))
      (of (_) ok))))";

#[test]
fn the_toy_of_the_papers() {
    let exploration = explored(TOY, &unit("foo", integers(2)), &settings());
    assert_eq!(exploration.verdict(), Verdict::Bugs);
    assert!(exploration.is_exhaustive(), "{:?}", exploration.losses);
    assert_eq!(exploration.findings.len(), 1);
    assert_eq!(reason(&exploration.findings[0]), Term::atom("bug"));
    assert_eq!(data(&exploration.findings[0]), [Term::Int(1000), Term::Int(501)]);
    assert_eq!(exploration.runs, 3);
    assert_eq!((exploration.covered, exploration.branches), (4, 4));
}

#[test]
fn every_strategy_and_a_late_solver_come_to_the_same() {
    for strategy in [Strategy::Coverage, Strategy::BreadthFirst, Strategy::DepthFirst] {
        for idle in [false, true] {
            let settings = Settings { strategy, ..settings() };
            let mut solver = BruteForce { idle, ..BruteForce::default() };
            let unit = unit("foo", integers(2));
            let exploration = explore(
                &mut MachineExecutor::new(&mut machine(TOY)),
                &unit,
                &mut solver,
                &settings,
                &mut Witness::default(),
            );
            assert!(exploration.is_exhaustive());
            assert_eq!((exploration.runs, exploration.findings.len()), (3, 1));
            assert_eq!(solver.asked > 0, idle);
            assert_eq!(exploration.native > 0, !idle);
        }
    }
}

/// Several comparisons, one after the other, with a bug behind some of them.
const MAZE: &str = "(module toy (files \"toy.erl\")
  (function f0 maze 2 exported
    (case ((remote erlang < v0 5))
      (of (true) (call f1 v0 v1))
      (of (_) (case ((remote erlang < v1 7)) (of (true) (call f1 v1 v0)) (of (_) (call f1 v0 v0))))))
  (function f1 walk 2
    (case ((remote erlang =:= v0 v1))
      (of (true) (case ((remote erlang < v0 (remote erlang - 0 1)))
        (of (true) (remote @9:1 erlang error low))
        (of (_) same)))
      (of (_) (case ((remote erlang < v0 v1))
        (of (true) (case ((remote erlang > v1 9)) (of (true) (remote @11:1 erlang error high)) (of (_) ok)))
        (of (_) other))))))";

#[test]
fn the_same_search_twice_is_the_same_search() {
    let [first, second] = [(), ()].map(|()| explored(MAZE, &unit("maze", integers(2)), &settings()));
    assert_eq!(format!("{first:?}"), format!("{second:?}"));
    assert_eq!(first.findings.len(), 2);
    assert!(first.is_exhaustive());
    assert_eq!(first.covered, first.branches);
}

#[test]
fn without_memory_runs_are_replayed() {
    let all = explored(MAZE, &unit("maze", integers(2)), &settings());
    let none = explored(MAZE, &unit("maze", integers(2)), &Settings { memory: 4 << 10, ..settings() });
    assert_eq!(all.replays, 0);
    assert!(none.replays > 0);
    assert_eq!(format!("{:?}", all.findings), format!("{:?}", none.findings));
    assert_eq!(all.runs, none.runs);
    assert!(none.is_exhaustive(), "{:?}", none.losses);
}

#[test]
fn a_failure_is_reported_once_and_made_small() {
    let text = "(module toy (files \"toy.erl\") (function f0 f 2 exported
      (case ((remote erlang > v0 3))
        (of (true) (case ((remote erlang > v1 4)) (of (true) (call f1 v0)) (of (_) (call f1 v1))))
        (of (_) ok)))
      (function f1 fail 1 (remote @7:1 erlang error (tuple wrong v0))))";
    let settings = Settings { seeds: vec![vec![Term::Int(900), Term::Int(77)]], ..settings() };
    let exploration = explored(text, &unit("f", integers(2)), &settings);
    assert_eq!(exploration.findings.len(), 1);
    assert_eq!(data(&exploration.findings[0]), [Term::Int(4), Term::Int(0)]);
    assert_eq!(exploration.findings[0].runs, 1);
}

#[test]
fn budgets_end_the_search() {
    let unit = unit("maze", integers(2));
    let exploration = explored(MAZE, &unit, &Settings { max_runs: 1, ..settings() });
    assert_eq!((exploration.runs, exploration.ended, exploration.verdict()), (1, Ended::OutOfRuns, Verdict::Budget));
    let mut witness = Witness { patience: Some(2), ..Witness::default() };
    let exploration = explore(
        &mut MachineExecutor::new(&mut machine(MAZE)),
        &unit,
        &mut BruteForce::default(),
        &settings(),
        &mut witness,
    );
    assert_eq!(exploration.ended, Ended::OutOfTime);
}

/// Neither a run nor what it is repeated with lasts longer than the time, however many steps there are.
#[test]
fn the_end_of_time_ends_a_run() {
    let settings = Settings { steps: u64::MAX, most_steps: u64::MAX, ..settings() };
    let beside = "(module toy (files \"toy.erl\")
      (function f0 f 1 exported (call f1 v0))
      (function f1 spin 1 (call f1 v0)))";
    for text in [ENDLESS, beside] {
        let mut witness = Witness { alarm: Some(5), ..Witness::default() };
        let inputs = Settings { seeds: vec![vec![Term::Int(-1)]], ..settings.clone() };
        let exploration = explore(
            &mut MachineExecutor::new(&mut machine(text)),
            &unit("f", integers(1)),
            &mut BruteForce::default(),
            &inputs,
            &mut witness,
        );
        assert_eq!((exploration.ended, exploration.runs), (Ended::OutOfTime, 1), "{exploration:?}");
        assert!(exploration.findings.is_empty() && exploration.losses.is_empty(), "{exploration:?}");
    }
}

const ENDLESS: &str = "(module toy (files \"toy.erl\")
  (function f0 f 1 exported
    (case ((remote erlang =:= v0 0)) (of (true) done) (of (_) (call f0 (remote erlang - v0 1))))))";

#[test]
fn what_does_not_end_is_suspected() {
    let exploration =
        explored(ENDLESS, &unit("f", integers(1)), &Settings { max_runs: 60, steps: 20, most_steps: 40, ..settings() });
    assert_eq!(exploration.findings.len(), 1, "{exploration:?}");
    assert!(matches!(exploration.findings[0].failure, Failure::Timeout(_)));
    assert_eq!(data(&exploration.findings[0]), [Term::Int(-1)]);
    assert!(exploration.losses.contains_key(&Loss::Stopped(Stop::StepLimit)));
}

#[test]
fn a_slow_run_gets_its_steps() {
    let text = "(module toy (files \"toy.erl\")
      (function f0 f 1 exported (case ((remote erlang =:= (call f1 3000 v0) 7)) (of (true) (remote erlang error slow)) (of (_) ok)))
      (function f1 wait 2 (case (v0) (of (0) v1) (of (_) (call f1 (remote erlang - v0 1) v1)))))";
    let exploration = explored(text, &unit("f", integers(1)), &settings());
    assert_eq!(exploration.findings.len(), 1, "{exploration:?}");
    assert_eq!(data(&exploration.findings[0]), [Term::Int(7)]);
    assert!(exploration.is_exhaustive(), "{:?}", exploration.losses);
}

const HEADS: &str = "(module toy (files \"toy.erl\") (function f0 f 1 exported
  (case (v0)
    (of (1) one)
    (of (2) (remote @2:1 erlang error two))
    (of (_) (primitive function_clause v0)))))";

#[test]
fn without_a_specification_the_heads_are_the_domain() {
    let declared = explored(HEADS, &unit("f", integers(1)), &settings());
    assert_eq!(declared.findings.len(), 2);
    let undeclared = unit("f", Contract { declared: false, ..integers(1) });
    let exploration = explored(HEADS, &undeclared, &settings());
    assert_eq!(exploration.findings.len(), 1, "{:?}", exploration.findings);
    assert_eq!(reason(&exploration.findings[0]), Term::atom("two"));
    assert!(exploration.edges > 0);
}

#[test]
fn every_clause_of_an_overloaded_specification_has_its_turn() {
    let mut types = Types::default();
    let [low, high] = [0, 100].map(|low| types.add(integer(Some(low))));
    let low = (vec![Recipe::Data(low)], vec![low]);
    let high = (vec![Recipe::Data(high)], vec![high]);
    let text = "(module toy (files \"toy.erl\") (function f0 f 1 exported
      (case ((remote erlang > v0 200)) (of (true) (remote erlang error large)) (of (_) ok))))";
    let exploration = explored(text, &unit("f", contract(types, vec![low, high])), &settings());
    assert_eq!(exploration.runs, 4);
    assert!(exploration.is_exhaustive());
    assert_eq!(data(&exploration.findings[0]), [Term::Int(201)]);
}

#[test]
fn opaque_values_are_made_by_their_constructors() {
    let mut types = Types::default();
    let number = types.add(integer(Some(0)));
    let new = Constructor { module: atom("toy"), function: atom("new"), args: Vec::new() };
    let from =
        |inner| Constructor { module: atom("toy"), function: atom("from"), args: vec![Recipe::Data(number), inner] };
    let made = Recipe::Made(vec![new.clone(), from(Recipe::Made(vec![new]))]);
    let text = "(module toy (files \"toy.erl\")
      (function f0 new 0 exported empty)
      (function f1 from 2 exported
        (case ((remote erlang =:= v0 5)) (of (true) (remote erlang error five)) (of (_) (tuple v0 v1))))
      (function f2 f 2 exported
        (case (v0)
          (of (empty) ok)
          (of ((tuple v2 v3)) (case ((remote erlang > v2 v1)) (of (true) (remote @5:1 erlang error more)) (of (_) ok))))))";
    let contract = contract(types, vec![(vec![made, Recipe::Data(number)], vec![Types::ANY, number])]);
    let exploration = explored(text, &unit("f", contract), &settings());
    assert_eq!(
        exploration.findings.len(),
        1,
        "what a constructor raises is not the unit's: {:?}",
        exploration.findings
    );
    assert_eq!(reason(&exploration.findings[0]), Term::atom("more"));
    let call = |function: &str, args| InputValue::Call { module: atom("toy"), function: atom(function), args };
    let expected = call("from", vec![InputValue::from(Term::Int(1)), call("new", Vec::new())]);
    assert_eq!(exploration.findings[0].inputs, [expected, InputValue::from(Term::Int(0))]);
    match &exploration.findings[0].failure {
        Failure::Crash(raised) => assert!(raised.trace.iter().all(|entry| !entry.module.text().starts_with('$'))),
        other => panic!("{other:?}"),
    }
    assert!(exploration.is_exhaustive(), "{:?}", exploration.losses);
}

#[test]
fn functions_are_made() {
    let mut types = Types::default();
    let functions = vec![FunctionType { params: Some(vec![Types::ANY]), result: Types::ANY }];
    let function = types.add(TypeNode { functions, ..TypeNode::default() });
    let contract = contract(types, vec![(vec![Recipe::Data(function)], vec![function])]);
    let text = "(module toy (files \"toy.erl\") (function f0 f 1 exported
      (case ((remote erlang is_function v0)) (of (true) ok) (of (_) (remote @1:1 erlang error bug)))))";
    let exploration = explored(text, &unit("f", contract), &settings());
    assert_eq!((exploration.runs, exploration.verdict()), (1, Verdict::Exhausted), "{:?}", exploration.losses);
}

#[test]
fn seeds_of_other_types_are_rejected() {
    let seeds = vec![vec![Term::atom("x"), Term::Int(1)], vec![Term::Int(1000), Term::Int(600)]];
    let exploration = explored(TOY, &unit("foo", integers(2)), &Settings { seeds, ..settings() });
    assert_eq!(exploration.rejected_seeds, 1);
    assert_eq!(exploration.findings[0].runs, 1);
}
