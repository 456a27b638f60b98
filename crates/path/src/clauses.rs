//! The clauses that a run chose, in code with events.

/// The clauses that the main process of a run chose, by the numbers of their events, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    chosen: Vec<u64>,
    is_cut: bool,
}

impl Clauses {
    /// As many as are kept of a run.
    pub const MOST: usize = 1 << 20;

    pub fn add(&mut self, event: u64) {
        match self.chosen.len() < Clauses::MOST {
            true => self.chosen.push(event),
            false => self.is_cut = true,
        }
    }

    pub fn chosen(&self) -> &[u64] {
        &self.chosen
    }

    /// Whether the run chose more clauses than are kept.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}
