//! Exceptions that functions raise on purpose.

use super::Campaign;
use crate::target::Target;
use frontend::{Code, Expectation};
use path::{Raised, TraceEntry};
use search::Expected;
use std::sync::Arc;
use term::FunctionName;

impl Campaign {
    /// Returns the exceptions that the function under test may raise on purpose.
    pub(super) fn expected(&self, code: &dyn Code, target: &Target) -> Expected {
        // Invalid attributes were reported when the functions were chosen.
        let declared = code.attributes(&target.module).unwrap_or_default().expected;
        let all = self.expectations.iter().cloned().chain(declared);
        let (name, is_client) = (target.name, target.client.is_some());
        // A client may see any exception that the functions it calls may raise.
        let meant: Vec<Arc<dyn Expectation>> = all.filter(|one| is_client || one.is_for(name)).collect();
        if meant.is_empty() {
            return Expected::default();
        }
        let is_called = |one: &dyn Expectation, raised: &Raised| {
            raised.process.is_main()
                && raised.trace.iter().any(|&TraceEntry { module, function, arity, .. }| {
                    one.is_for(FunctionName { module, function, arity })
                })
        };
        Expected::new(move |raised| {
            meant.iter().any(|one| (one.is_for(name) || is_called(&**one, raised)) && one.covers(raised))
        })
    }
}
