//! Searches come to what the cases claim of them, and the BEAM confirms every failure they find.

use crate::{config, open_corpus};
use beam::ERLANG;
use campaign::Until;
use cases::{Case, End, Failure, Found, Order, SearchClaim, Searched, Searcher};
use erlang::print;
use erlang::syntax::parse_term;
use interaction::MachineExecutor;
use machine::Limits;
use report::Printer;
use search::{Blame, Ended, Exploration, Finding, Loss, Settings, Strategy};
use session::Session;
use solver::{Chain, Limit, SmtSettings};
use std::time::Duration;
use term::{Atom, FunctionName, Term};

/// For one claim: whoever needs longer on a slow computer has lost sight of the size of a case.
const TIME: Duration = Duration::from_secs(300);
const LIMITS: Limits = Limits { steps: u64::MAX, memory: 1 << 30, result: 1_000_000, eager_collection: false };

pub struct Ours {
    session: Session,
}

impl Ours {
    pub fn new() -> Ours {
        Ours { session: Session::new(open_corpus(config()), LIMITS).expect("a session over the corpus") }
    }
}

impl Searcher for Ours {
    fn search(&mut self, case: &Case, claim: &SearchClaim) -> Result<Searched, String> {
        let module = Atom::new(&case.module);
        let name = match &claim.function {
            Some((function, arity)) => FunctionName { module, function: Atom::new(function), arity: *arity },
            None => FunctionName::client_of(module),
        };
        let unit = self.session.unit(module, name.function, name.arity).map_err(|error| error.to_string())?;
        let settings = Settings {
            strategy: match claim.options.order {
                Order::Coverage => Strategy::Coverage,
                Order::Breadth => Strategy::BreadthFirst,
                Order::Depth => Strategy::DepthFirst,
            },
            size_bound: claim.options.bound,
            seeds: claim.options.seeds.iter().map(|seed| arguments(seed)).collect::<Result<_, _>>()?,
            ..campaign::settings(claim.options.max_runs, claim.options.steps)
        };
        // The work decides, and each claim has a solver of its own: neither how busy the computer is nor what was asked
        // before changes what a claim says.
        let limit = Limit { milliseconds: 20_000, ..Limit::about(2000) };
        let smt = SmtSettings { limit, ..SmtSettings::default() };
        let mut solver = Chain::start(&smt);
        let exploration = search::explore(
            &mut MachineExecutor::new(&mut self.session.machine),
            &unit,
            &mut solver,
            &settings,
            &mut Until::passed(TIME),
        );
        let end = match exploration.ended {
            _ if is_exhaustive(&exploration, claim) => End::Exhausted,
            Ended::OutOfRuns => End::OutOfBudget,
            Ended::OutOfMemory => End::Incomplete("it takes too much memory".to_string()),
            Ended::OutOfTime | Ended::Interrupted => {
                End::Incomplete(format!("it takes more than {} s", TIME.as_secs()))
            }
            Ended::Done | Ended::Stuck => End::Incomplete(format!(
                "{:?} unknown, {} diverged, {:?}, {:?}",
                exploration.unknown, exploration.diverged, exploration.losses, exploration.unsupported
            )),
        };
        let failures = exploration.findings.iter().map(|finding| found(name, finding)).collect();
        let bound = exploration.decided_probes().map(u64::from);
        Ok(Searched { failures, runs: exploration.runs, end, bound })
    }
}

/// A bound that the claim asked for is no loss.
fn is_exhaustive(exploration: &Exploration, claim: &SearchClaim) -> bool {
    let mut within_bound = exploration.clone();
    if claim.options.bound.is_some() {
        within_bound.losses.remove(&Loss::SizeBound);
    }
    within_bound.is_exhaustive()
}

fn arguments(text: &str) -> Result<Vec<Term>, String> {
    let list = parse_term(&format!("[{text}]")).map_err(|error| error.to_string())?;
    Ok(list.as_list().ok_or_else(|| format!("`{text}` are no arguments"))?.to_vec())
}

fn found(name: FunctionName, finding: &Finding) -> Found {
    let strict = matches!(finding.failure, search::Failure::Blame(_));
    let report::Arguments { before, args } = report::arguments(&ERLANG, &finding.inputs, strict);
    let call = match report::steps(&ERLANG, finding) {
        None if before.is_empty() => {
            ERLANG.applied(format!("{}({})", name.function, args.join(", ")), &finding.functions, strict)
        }
        _ => format!("begin {} end", report::call(&ERLANG, name, finding)),
    };
    // What is bound before the call is not bound where patterns look at the arguments.
    let arguments = if before.is_empty() { args } else { Vec::new() };
    let failure = match &finding.failure {
        search::Failure::Crash(raised) => Failure::Raises(format!("{} {}", raised.class.atom(), print(&raised.reason))),
        search::Failure::Spec { result, .. } => Failure::Result(print(result)),
        search::Failure::Blame(blame) => Failure::Raises(match blame {
            Blame::Domain(args) => format!("error {{outside_domain,{}}}", print(&Term::list(args.clone()))),
            Blame::Arity(_) => "error badarity".to_string(),
            Blame::Range(value) => format!("error {{outside_range,{}}}", print(value)),
        }),
        search::Failure::Timeout(_) => Failure::Timeout,
        search::Failure::Deadlock(_) => Failure::Deadlock,
    };
    Found { arguments, call, failure, runs: finding.runs }
}
