//! How a solver is started, and what it understands beyond the standard.

use super::Limit;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Z3, and every solver that takes its arguments.
    Z3,
    /// cvc4 and cvc5.
    Cvc,
}

impl Dialect {
    pub fn of(path: &Path) -> Dialect {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
        if name.is_some_and(|name| name.starts_with("cvc")) { Dialect::Cvc } else { Dialect::Z3 }
    }

    /// Returns the command line arguments. `variation` is a seed that makes the solver search in another way than
    /// usual.
    pub fn arguments(self, limit: Limit, variation: Option<u64>) -> Vec<String> {
        match self {
            Dialect::Z3 => vec!["-in".to_string(), "-smt2".to_string()],
            Dialect::Cvc => {
                let limit = format!("--tlimit-per={}", limit.milliseconds);
                let mut arguments = vec!["--quiet".to_string(), "--lang=smt2".to_string(), "--incremental".to_string()];
                arguments.push(limit);
                arguments.extend(variation.map(|seed| format!("--seed={}", seed % u64::from(u32::MAX))));
                arguments
            }
        }
    }

    /// Returns the options that are sent first.
    pub fn options(self, limit: Limit, variation: Option<u64>) -> String {
        let Limit { work, milliseconds } = limit;
        let mut options = match self {
            Dialect::Z3 => format!("(set-option :timeout {milliseconds})\n(set-option :rlimit {work})\n"),
            Dialect::Cvc => String::new(),
        };
        options += "(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n";
        match (self, variation) {
            // The older solver of linear arithmetic shares little code with the usual one.
            (Dialect::Z3, Some(seed)) => {
                let seed = seed % (1 << 30);
                options += &format!(
                    "(set-option :smt.random_seed {seed})\n(set-option :sat.random_seed {seed})\n\
                     (set-option :smt.arith.solver 2)\n"
                );
            }
            (Dialect::Cvc, _) => options += "(set-logic ALL)\n",
            (Dialect::Z3, None) => {}
        }
        options
    }

    /// Returns whether the limits can be changed while the solver runs, and whether it reports how much it has worked.
    pub fn counts_work(self) -> bool {
        match self {
            Dialect::Z3 => true,
            Dialect::Cvc => false,
        }
    }

    /// Returns the oldest version that understands all requests.
    pub fn oldest(self) -> (u32, u32) {
        match self {
            Dialect::Z3 => (4, 8),
            Dialect::Cvc => (1, 0),
        }
    }
}
