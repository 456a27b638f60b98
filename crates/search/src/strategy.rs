//! The orders in which a search tries candidates.

/// An order in which a search tries candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Branch sides that are not covered come first.
    #[default]
    Coverage,
    BreadthFirst,
    DepthFirst,
}
