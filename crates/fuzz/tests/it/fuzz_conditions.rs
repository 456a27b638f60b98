//! Conditions from both evaluators of the IR: those that the machine records along a run, and those that are found
//! backwards from a line, on demand.
//!
//! Over all inputs of generated functions: whoever fulfils the recorded conditions of a run comes to the same lines as it
//! did, and fulfils the conditions of some way from each of these lines back to the entry. Where these are exact and
//! nothing can raise, whoever fulfils them comes to the line.

use formula::{Assignment, Evaluation, Formulas, Samples, Types, Variable};
use frontend::{Code, CodeConfig, Evaluation as How};
use fuzz::{LARGEST_INPUT, Random, ReachModule, reach_module, seed};
use interaction::MachineExecutor;
use machine::Limits;
use path::{Call, Executor, Following, Input, Labels, Mark};
use reach::{CallGraph, Entries, Entry, Program, Reachable, Walk, Walked, Words, marks_of};
use session::{Opaque, Rows, WantedMarks};
use solver::{Answer, Chain, Query, Screened, ScreeningStep, Solver, Unknown};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

const MODULES: usize = 8;
const STEPS: u64 = 100_000;
/// Ways back from one line.
const MOST_WAYS: usize = 24;

type Pair = (i64, i64);

/// A run of one input: what held, and where it came.
struct Ran {
    input: Pair,
    marks: BTreeSet<Mark>,
    holds_for: Vec<Pair>,
}

/// Refutes what is refuted at once, and looks for no inputs.
struct Screening(Chain);

impl Solver for Screening {
    fn screen(&mut self, formulas: &mut Formulas, parent: &Assignment, steps: &[ScreeningStep]) -> Vec<Vec<Screened>> {
        self.0.screen(formulas, parent, steps)
    }

    fn solve(&mut self, _: &mut Query<'_>) -> Answer {
        Answer::Unknown(Unknown::NoSmtSolver)
    }
}

struct Silent;

impl Words for Silent {
    fn condition(
        &self,
        _: &Formulas,
        _: formula::TermId,
        _: &dyn Fn(Variable) -> Option<(FunctionName, u32)>,
    ) -> String {
        String::new()
    }
}

/// The exported functions of a module, with inputs of any kind.
struct All {
    module: Atom,
    entries: Vec<Atom>,
}

impl Entries for All {
    fn clauses(&self, name: FunctionName) -> usize {
        usize::from(name.module == self.module && self.entries.contains(&name.function) && name.arity == 2)
    }

    fn is_users(&self, name: FunctionName) -> bool {
        name.module == self.module
    }

    fn is_typed(&self, _: FunctionName) -> bool {
        false
    }

    fn types(&self, _: FunctionName, _: usize) -> Entry {
        Entry { types: Arc::default(), parameters: vec![Types::ANY; 2] }
    }
}

#[test]
fn both_evaluators_agree() {
    let mut random = Random::new(seed());
    let folder = tempfile::tempdir().expect("a folder for modules");
    let (mut recorded, mut backwards, mut exact) = (0, 0, 0);
    for number in 0..MODULES {
        let name = format!("conditions_{number}");
        let generated = reach_module(&mut random, &name);
        let (runs, ways, sure) = compare(&generated, &name, folder.path());
        (recorded, backwards, exact) = (recorded + runs, backwards + ways, exact + sure);
    }
    println!("conditions: {recorded} runs, {backwards} ways from lines, {exact} of them exact");
    assert!(recorded > 300 && backwards > 100 && exact > 20, "{recorded}, {backwards}, {exact}");
}

fn compare(generated: &ReachModule, name: &str, folder: &Path) -> (usize, usize, usize) {
    let file = folder.join(format!("{name}.erl"));
    std::fs::write(&file, &generated.text).expect("a module is written");
    let config = CodeConfig {
        sources: vec![file],
        cache_dir: None,
        evaluation: How::Unguarded,
        marks: Some(Vec::new()),
        ..CodeConfig::default()
    };
    let code: Arc<dyn Code> = beam::open(config).expect("the module is found");
    let limits = Limits { steps: STEPS, memory: 256 << 20, result: 100_000, eager_collection: false };
    let module = Atom::new(name);
    let program = code.load(module).expect("it is compiled").expect("it is there");
    let wanted: WantedMarks = Arc::new(marks_of(&program).iter().map(|place| place.mark).collect());
    let mut session = Opaque::default().session_with_marks(&code, limits, &wanted).expect("a session");
    let mut executor = MachineExecutor::new(&mut session.machine);
    let entries: Vec<Atom> = generated.entries.iter().map(|entry| Atom::new(entry)).collect();
    let runs: Vec<(Atom, Vec<Ran>)> = entries
        .iter()
        .map(|entry| (*entry, all_inputs().map(|input| run(&mut executor, module, *entry, input)).collect()))
        .collect();
    for (entry, runs) in &runs {
        for ran in runs {
            let other = |input: &Pair| runs.iter().find(|other| other.input == *input).expect("all inputs ran");
            assert!(ran.holds_for.contains(&ran.input), "{entry:?}{:?}: {}", ran.input, generated.text);
            for input in &ran.holds_for {
                let marks = &other(input).marks;
                assert_eq!(&ran.marks, marks, "{entry:?}{:?} and {input:?}: {}", ran.input, generated.text);
            }
        }
    }
    let (mut ways, mut exact) = (0, 0);
    let whole = Program::new(vec![program, code.load(code.language().prelude()).expect("it is there").expect("code")]);
    let rows = Rows(code.language());
    let graph = CallGraph::new(&whole, &rows);
    let all = All { module, entries };
    let reachable = Reachable::new(&graph, &all);
    let is_total = !generated.text.contains("try ");
    for mark in wanted.iter() {
        let mut walk = Walk::new(&graph, &rows, (&all, &reachable), &Silent, &[*mark], Samples::default());
        let mut solver = Screening(Chain::native());
        // The inputs that each entry's ways allow, as far as anybody knows.
        let mut allowed: BTreeSet<(Atom, Pair)> = BTreeSet::new();
        let (mut is_complete, mut is_open) = (false, false);
        for _ in 0..MOST_WAYS {
            if !walk.follow(&mut solver) {
                is_complete = true;
                break;
            }
            let (entry, formulas, conditions) = match walk.walked() {
                Walked::Entry { entry, formulas, conditions } => (entry.function, formulas, conditions),
                Walked::Refuted => continue,
                Walked::Open => {
                    is_open = true;
                    continue;
                }
            };
            ways += 1;
            let is_input = |variable: &Variable| variable.0 < 2;
            let is_exact = conditions.iter().all(|id| formulas.variables(*id).iter().all(is_input));
            exact += usize::from(is_exact);
            for input in all_inputs() {
                let values = values(input);
                let mut evaluation = Evaluation::new(formulas, &values);
                let held: Vec<Option<bool>> = conditions.iter().map(|id| evaluation.holds(*id)).collect();
                if !held.contains(&Some(false)) {
                    allowed.insert((entry, input));
                }
                if is_exact && is_total && held.iter().all(|held| *held == Some(true)) {
                    let ran = ran(&runs, entry, input);
                    assert!(ran.marks.contains(mark), "{input:?} should come to {mark:?}: {}", generated.text);
                }
            }
        }
        for (entry, runs) in runs.iter().filter(|_| is_complete && !is_open) {
            for ran in runs.iter().filter(|ran| ran.marks.contains(mark)) {
                let is_allowed = allowed.contains(&(*entry, ran.input));
                assert!(is_allowed, "no way to {mark:?} for {entry:?}{:?}: {}", ran.input, generated.text);
            }
        }
    }
    (runs.iter().map(|(_, runs)| runs.len()).sum(), ways, exact)
}

fn all_inputs() -> impl Iterator<Item = Pair> {
    (0..=LARGEST_INPUT).flat_map(|first| (0..=LARGEST_INPUT).map(move |second| (first, second)))
}

fn values((first, second): Pair) -> Assignment {
    [(Variable(0), Term::Int(first)), (Variable(1), Term::Int(second))].into_iter().collect()
}

fn ran(runs: &[(Atom, Vec<Ran>)], entry: Atom, input: Pair) -> &Ran {
    let (_, runs) = runs.iter().find(|(name, _)| *name == entry).expect("an entry");
    runs.iter().find(|ran| ran.input == input).expect("all inputs ran")
}

/// Runs an input with shadows; it could have been anything.
fn run(executor: &mut MachineExecutor<'_>, module: Atom, entry: Atom, input: Pair) -> Ran {
    let data = [Term::Int(input.0), Term::Int(input.1)];
    let args = [0, 1].map(|index| Input::Data(Variable(index)));
    let function = FunctionName { module, function: entry, arity: 2 };
    let types = Arc::new(Types::default());
    let call = Call { function, args: &args, data: &data, types: &types, applied: None, client: None, steps: STEPS };
    let (labels, samples) = (Labels::default(), Samples::default());
    let following = Following {
        declared: &[Types::ANY; 2],
        plan: None,
        labels: &labels,
        samples: &samples,
        before: Vec::new(),
        wants_result: false,
    };
    let mut recorder = executor.follow(&call, following).recorder;
    let marks = std::mem::take(&mut recorder.marks).in_order().iter().copied().collect();
    let (mut formulas, events) = recorder.into_path();
    let held: Vec<formula::TermId> = events
        .iter()
        .filter_map(|event| event.decision().map(|decision| event.condition(decision.way, &mut formulas)))
        .collect();
    let fulfils = |input: &Pair| {
        let values = values(*input);
        let mut evaluation = Evaluation::new(&formulas, &values);
        held.iter().all(|id| evaluation.holds(*id) == Some(true))
    };
    Ran { input, marks, holds_for: all_inputs().filter(fulfils).collect() }
}
