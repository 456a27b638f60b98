//! Collects the facts about a finding that the ranking uses.

use super::watch::Watch;
use crate::place::Files;
use crate::signals::{Around, Facts};
use crate::target::Target;
use contract::Contract;
use frontend::{Cause, Code, FrontEnd};
use path::{Act, Argument, InputValue, Reach, Value};
use report::Disagreement;
use report::rank::Signals;
use search::{Failure, Finding};
use std::sync::Arc;
use term::Atom;

/// The facts that the ranking of a unit's findings needs besides the findings.
pub(super) struct Ranker<'a> {
    pub code: &'a Arc<dyn Code>,
    pub language: &'a dyn FrontEnd,
    pub target: &'a Target,
    pub contract: &'a Contract,
    pub user_modules: &'a [Atom],
    pub files: &'a Files,
}

impl Watch<'_> {
    /// Returns the signals that a finding is ranked by.
    pub(super) fn signals(&mut self, language: &dyn FrontEnd, finding: &Finding) -> (Signals, Disagreement) {
        let mut facts = self.facts.take();
        let (mut signals, disagreement) = self.ranker(language).signals(&mut facts, finding);
        self.facts = facts;
        // Nothing is said of what clients make.
        if finding.functions.scenario.is_none() {
            signals.never_made = self.is_never_made(finding);
        }
        (signals, disagreement)
    }

    /// Returns the function that the client called last, if the unit is a client.
    pub(super) fn subject(&self, language: &dyn FrontEnd, finding: &Finding) -> Option<Target> {
        self.ranker(language).subject(finding)
    }

    pub(super) fn around<'w>(&'w self, language: &'w dyn FrontEnd) -> Around<'w> {
        self.ranker(language).around()
    }

    fn ranker<'w>(&'w self, language: &'w dyn FrontEnd) -> Ranker<'w> {
        let (code, target, files) = (&self.code, self.target, &self.campaign.files);
        let (contract, user_modules) = (&self.unit.contract, &self.unit.user_modules[..]);
        Ranker { code, language, target, contract, user_modules, files }
    }
}

impl<'a> Ranker<'a> {
    /// Returns what the ranking of a finding uses, except for what only its search knows.
    pub(super) fn signals(&self, facts: &mut Option<Facts>, finding: &Finding) -> (Signals, Disagreement) {
        if let Some(signals) = self.signals_of_client(finding) {
            return signals;
        }
        let Ranker { code, language, target, contract, user_modules, files } = *self;
        let facts = facts.get_or_insert_with(|| Facts::of(&**code, language, target, contract, files, user_modules));
        let around = self.around();
        let disagreement = around.disagreement(finding);
        (around.signals(facts, finding, &disagreement), disagreement)
    }

    /// Returns the function that the client called last, if the unit is a client.
    fn subject(&self, finding: &Finding) -> Option<Target> {
        let (name, _) = finding.functions.scenario.as_ref()?.last_call()?;
        let module = self.code.load(name.module).ok().flatten()?;
        Some(Target { name, module, client: None, ..self.target.clone() })
    }

    /// Returns the signals of a client's finding, with the last call of its scenario as the function that failed.
    fn signals_of_client(&self, finding: &Finding) -> Option<(Signals, Disagreement)> {
        let (_, args) = finding.functions.scenario.as_ref()?.last_call()?;
        let target = self.subject(finding)?;
        let input = |arg: &Argument| match arg {
            Argument::Data { value, .. } => InputValue::Data(Value::new(value.clone(), Some(&finding.functions))),
            // A value that earlier calls made is not data, and gets no signals.
            Argument::Fixed(_)
            | Argument::Part { .. }
            | Argument::Tuple(_)
            | Argument::List(_)
            | Argument::Map { .. } => InputValue::Tuple(Vec::new()),
        };
        let finding = Finding { inputs: args.iter().map(input).collect(), ..finding.clone() };
        let (contract, _) = target.contract(self.code);
        let (code, language, user_modules) = (&**self.code, self.language, self.user_modules);
        let facts = Facts::of(code, language, &target, &contract, self.files, user_modules);
        let around = Around { code, language, target: &target, contract: &contract, user_modules };
        let disagreement = around.disagreement(&finding);
        // A scenario of a single call does not need a client, because any caller can make that call. The same holds if
        // a server does not start.
        let cause = match &finding.failure {
            Failure::Crash(raised) => language.cause(raised, &around),
            Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => Cause::default(),
        };
        let steps = finding.functions.scenario.as_ref().map_or(&[][..], |scenario| &scenario.steps);
        let applied_result = steps.last().is_some_and(|step| matches!(step.act, Act::Apply { .. }));
        let is_message = steps.last().is_some_and(|step| matches!(step.act, Act::Send { .. }));
        let by_client = steps.len() > 1 && !cause.is_in_start;
        let stopped_by_message = is_message && cause.is_own_stop;
        let ends_server = match &finding.failure {
            Failure::Crash(raised) => by_client && !matches!(raised.reach, Reach::Caller),
            Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => false,
        };
        let is_wrong_result = matches!(finding.failure, Failure::Spec { .. });
        let started_twice = by_client && is_wrong_result && around.is_started_twice(&finding.failure);
        let signals = around.signals(&facts, &finding, &disagreement);
        // The code itself claims that its invariants hold.
        let said_impossible = signals.said_impossible || finding.functions.broken_invariant().is_some();
        Some((
            Signals {
                by_client,
                ends_server,
                started_twice,
                stopped_by_message,
                said_impossible,
                applied_result,
                ..signals
            },
            disagreement,
        ))
    }

    fn around(&self) -> Around<'a> {
        let Ranker { code, language, target, contract, user_modules, .. } = *self;
        Around { code: &**code, language, target, contract, user_modules }
    }
}
