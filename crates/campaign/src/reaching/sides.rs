//! Proposals for a search that makes no progress: the clauses at branches with sides that no run took are targets for a
//! while.

use super::Asking;
use super::entries::Exported;
use formula::Samples;
use frontend::Code;
use interaction::MachineExecutor;
use machine::Limits;
use path::SitePlace;
use program::Module;
use reach::{CallGraph, Found, Program, Proposal, Walk, Words};
use session::{Opaque, Rows};
use solver::Chain;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::{Atom, FunctionName, Term};

/// Ways to one clause.
const MOST_WAYS: u32 = 12;
/// Proposals for one search.
const MOST_PROPOSALS: usize = 64;

/// Nobody reads the reasons.
struct Silent;

impl Words for Silent {
    fn condition(
        &self,
        _: &formula::Formulas,
        _: formula::TermId,
        _: &dyn Fn(formula::Variable) -> Option<(FunctionName, u32)>,
    ) -> String {
        String::new()
    }
}

/// Arguments of a function that may come to the clauses at these places. Takes no longer than `time`.
pub fn proposals(
    code: &Arc<dyn Code>,
    limits: Limits,
    unit: FunctionName,
    user_modules: &[Atom],
    places: &[SitePlace],
    samples: &Samples,
    time: Duration,
) -> Vec<Vec<Term>> {
    let start = Instant::now();
    let prelude = code.language().prelude();
    let load = |name: &Atom| -> Option<Arc<Module>> { code.load(*name).ok().flatten() };
    // Modules that nobody has loaded so far have nothing to do with it.
    let needed: Vec<Atom> = places.iter().map(|place| place.module).chain([unit.module, prelude]).collect();
    let mut modules: Vec<Arc<Module>> = Vec::new();
    for name in needed {
        if !modules.iter().any(|module| module.name == name) {
            modules.extend(load(&name));
        }
    }
    let program = Program::new(modules);
    let rows = Rows(code.language());
    let graph = CallGraph::new(&program, &rows);
    let from = [unit];
    let entries = Exported::new(code, user_modules, &from);
    let Ok(mut session) = Opaque::default().session(code, limits) else { return Vec::new() };
    let mut solver = Chain::native();
    let mut found: Vec<Vec<Term>> = Vec::new();
    for place in places {
        let name = FunctionName { module: place.module, function: place.function, arity: place.arity };
        for target in graph.clauses_at(name, place.line) {
            let mut walk = Walk::to(&graph, &rows, &entries, &Silent, vec![target], samples.clone());
            for _ in 0..MOST_WAYS {
                if start.elapsed() >= time || found.len() >= MOST_PROPOSALS {
                    return found;
                }
                let mut executor = MachineExecutor::new(&mut session.machine);
                let end = start + time;
                path::Executor::set_alarm(&mut executor, Some(Arc::new(move || Instant::now() > end)));
                match walk.step(&mut solver, &Asking(RefCell::new(executor))) {
                    Found::Proposal(Proposal { args, .. }) => {
                        if !found.contains(&args) {
                            found.push(args);
                        }
                        break;
                    }
                    Found::Nothing => {}
                    Found::Done(_) => break,
                }
            }
        }
    }
    found
}
