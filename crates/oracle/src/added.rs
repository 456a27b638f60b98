//! Code that is added to Core Erlang before it is compiled for the runtime and lowered for the machine.

use term::Term;

/// The kinds of code to add to the Core of a module: see `beagle_core.hrl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// An event at every choice among clauses.
    pub events: bool,
    /// Questions to the conductor around visible operations.
    pub conduct: bool,
}

impl Added {
    pub fn is_nothing(self) -> bool {
        self == Added::default()
    }

    fn kinds(self) -> impl Iterator<Item = &'static str> {
        [(self.events, "events"), (self.conduct, "conduct")]
            .into_iter()
            .filter(|(is_added, _)| *is_added)
            .map(|(_, kind)| kind)
    }

    pub(crate) fn term(self) -> Term {
        Term::list(self.kinds().map(Term::atom).collect::<Vec<_>>())
    }

    /// Returns the option of the compiler for sources. It contains a digest of the code that makes the additions, so
    /// that caches distinguish code with different additions.
    pub fn option(self) -> String {
        let texts = [
            include_str!("beagle_core.hrl"),
            include_str!("beagle_events.hrl"),
            include_str!("beagle_conduct.hrl"),
            include_str!("../../erlang/src/prelude/visible.erl"),
        ];
        let how = blake3::hash(texts.concat().as_bytes()).to_hex();
        format!("{{beagle_core,[{}],\"{how}\"}}", self.kinds().collect::<Vec<_>>().join(","))
    }
}
