//! The facets of a cell, which are its properties for the solver: one variable each.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Facet {
    Kind,
    Integer,
    Float,
    Atom,
    /// The number of cells of a list.
    Cells,
    /// The kind of the end of a list.
    End,
    TupleSize,
    BitSize,
    Arity,
    Content,
    /// The place in the order of all terms, for terms whose encoded parts do not determine their order.
    Order,
    /// Whether a map has the key of this `MapGet`.
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
