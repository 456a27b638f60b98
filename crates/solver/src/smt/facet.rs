//! What a cell is made of for the solver: one variable each.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Facet {
    Kind,
    Integer,
    Float,
    Atom,
    /// Cells of a list.
    Cells,
    /// The kind of what a list ends with.
    End,
    TupleSize,
    BitSize,
    Arity,
    Content,
    /// Where it stands in the order of all terms, for terms whose order is not told by their parts.
    Order,
    /// Has a map the key of this `MapGet`?
    Present,
    Condition,
}

pub(super) fn letter(facet: Facet) -> &'static str {
    match facet {
        Facet::Kind => "k",
        Facet::Integer => "i",
        Facet::Float => "r",
        Facet::Atom => "a",
        Facet::Cells => "n",
        Facet::End => "e",
        Facet::TupleSize => "s",
        Facet::BitSize => "b",
        Facet::Arity => "y",
        Facet::Content => "o",
        Facet::Order => "g",
        Facet::Present => "p",
        Facet::Condition => "c",
    }
}

pub(super) fn sort(facet: Facet) -> &'static str {
    match facet {
        Facet::Float => "Real",
        Facet::Present | Facet::Condition => "Bool",
        _ => "Int",
    }
}
