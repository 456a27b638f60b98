//! Settles sides of branches that no run of a function took: makes each a target for a while, to find arguments that
//! take it, or a proof that none do.

use super::Asking;
use super::entries::Exported;
use crate::signals::for_each_type;
use formula::Samples;
use frontend::Code;
use interaction::MachineExecutor;
use machine::Limits;
use path::Executor;
use program::{Module, Type, for_each_atom};
use reach::{CallGraph, Found, Invariants, Outcome, Program, Proposal, Reachable, Side, Target, Walk, Words};
use search::{MissingSide, Settled};
use session::{Opaque, Rows};
use solver::Chain;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::work::{self, Overdue};
use term::{Atom, FunctionName, Term};

/// The number of ways that are tried for one side.
const MOST_WAYS: u32 = 48;
/// The number of proposals for one side, and for all of them.
const MOST_OF_ONE: usize = 2;
const MOST_PROPOSALS: usize = 64;
/// The factor by which a side may exceed its even share of the time.
const GENEROSITY: u32 = 4;
/// The number of modules that are analysed. Nothing is proved unless all modules related to the function are among
/// them.
const MOST_MODULES: usize = 200;

/// Drops the reasons of proofs, which nothing reads here.
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

/// Returns what is known about branch sides that no run of a function took, and the names of the modules that this follows
/// from. Takes hardly longer than `time`.
pub fn settle(
    code: &Arc<dyn Code>,
    limits: Limits,
    unit: FunctionName,
    user_modules: &[Atom],
    sides: &[MissingSide],
    samples: &Samples,
    time: Duration,
) -> (Vec<Settled>, Vec<Atom>) {
    let start = Instant::now();
    let mut settled = vec![Settled::Open; sides.len()];
    let mut looked_at = Vec::new();
    let overdue = start + time + time / 4;
    let watcher: work::Watcher = Rc::new(move || (Instant::now() > overdue).then_some(Overdue::Time));
    // The results from before the deadline are kept.
    let _ = work::watched(Some(watcher), || {
        let (modules, is_whole, is_cut) = modules_around(&**code, unit, user_modules, sides);
        looked_at.extend(modules.iter().map(|module| module.name));
        let program = Program::new(modules);
        let rows = Rows(code.language());
        let graph = CallGraph::new(&program, &rows).of_part(!is_whole, is_cut);
        let from = [unit];
        let entries = Exported::new(code, user_modules, &from);
        let Ok(mut session) = Opaque::default().session(code, limits) else { return };
        let reachable = Reachable::new(&graph, &entries);
        let invariants = Invariants::new(&graph, &rows, &entries, &reachable);
        let mut solver = Chain::native();
        let mut proposals = 0;
        let mut left = sides.len() as u32;
        for (side, settled) in sides.iter().zip(&mut settled) {
            // Each side gets some of the time that the sides before it have left.
            let rest = time.saturating_sub(start.elapsed());
            let end = Instant::now() + rest.min(rest / left.max(1) * GENEROSITY);
            left -= 1;
            let Some(target) = target(&program, side) else { continue };
            let walk = Walk::to(&graph, &rows, (&entries, &reachable), &Silent, vec![target], samples.clone());
            let mut walk = walk.knowing(&invariants);
            let mut found: Vec<Vec<Term>> = Vec::new();
            for _ in 0..MOST_WAYS {
                if Instant::now() >= end || found.len() >= MOST_OF_ONE || proposals >= MOST_PROPOSALS {
                    break;
                }
                let mut executor = MachineExecutor::new(&mut session.machine);
                executor.set_alarm(Some(Arc::new(move || Instant::now() > end)));
                match walk.step(&mut solver, &Asking(RefCell::new(executor))) {
                    Found::Proposal(Proposal { args, .. }) => {
                        proposals += 1;
                        found.push(args);
                    }
                    Found::Nothing => {}
                    Found::Done(Outcome::Unreachable(_)) => {
                        *settled = Settled::Unreachable;
                        break;
                    }
                    Found::Done(Outcome::Open) => break,
                }
            }
            if matches!(settled, Settled::Open) && !found.is_empty() {
                *settled = Settled::Proposed(found);
            }
        }
    });
    (settled, looked_at)
}

/// Returns the modules of the unit, of the sides and of the prelude, and all of the user's modules that these mention,
/// directly or not. Returns also whether these include all of the user's modules, and whether some code is missing
/// because it could not be loaded or there is too much of it.
fn modules_around(
    code: &dyn Code,
    unit: FunctionName,
    user_modules: &[Atom],
    sides: &[MissingSide],
) -> (Vec<Arc<Module>>, bool, bool) {
    let prelude = code.language().prelude();
    let mut open: Vec<Atom> = sides.iter().map(|side| side.question.module).collect();
    open.extend([unit.module, prelude]);
    let mut names: Vec<Atom> = Vec::new();
    let mut modules: Vec<Arc<Module>> = Vec::new();
    let mut is_cut = false;
    while let Some(name) = open.pop() {
        if names.contains(&name) {
            continue;
        }
        names.push(name);
        let loaded = if modules.len() < MOST_MODULES { code.load_for_runs(name) } else { Ok(None) };
        let Ok(Some(module)) = loaded else {
            is_cut = true;
            continue;
        };
        if name != prelude {
            for part in module.types.specs.iter().flat_map(|spec| &spec.clauses).flat_map(|clause| &clause.params) {
                for_each_type(part, |part| match part {
                    Type::Literal(Term::Atom(atom)) if user_modules.contains(atom) => open.push(*atom),
                    _ => {}
                });
            }
            for function in &module.functions {
                let Ok(body) = function.body.get() else {
                    is_cut = true;
                    continue;
                };
                for_each_atom(body, |atom| open.extend(user_modules.contains(&atom).then_some(atom)));
                program::for_each_module(body, |name| open.extend(user_modules.contains(&name).then_some(name)));
            }
        }
        modules.push(module);
    }
    let is_whole = user_modules.iter().all(|name| modules.iter().any(|module| module.name == *name));
    (modules, is_whole, is_cut)
}

/// Returns the place of a side in the program.
fn target<'p>(program: &'p Program, side: &MissingSide) -> Option<Target<'p>> {
    let question = &side.question;
    let function = program.functions_of(question.module).nth(question.function as usize)?;
    let expr = program.expression(function, question.expr as usize)?;
    let side = Side { asks: Arc::new(question.asks.clone()), way: side.way };
    Some(Target { function, expr, side: Some(side) })
}
