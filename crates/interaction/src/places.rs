//! Where decisions belong that are taken in no code.

/// Options that were chosen, by their label.
pub const CHOICE: u32 = u32::MAX - 3;
/// Which entry of a table an observation is, by the table's label.
pub const LOOKUP: u32 = u32::MAX - 4;
/// What is observed, by the table's label.
pub const OBSERVED: u32 = u32::MAX - 5;
/// Whether arguments of function inputs are of their types.
pub const DOMAIN: u32 = u32::MAX - 6;
/// Whether the result is of its type.
pub const RESULT: u32 = u32::MAX - 7;

/// Is a decision one of function inputs, or about what they are given?
pub fn is_inputs_own(place: u32) -> bool {
    matches!(place, CHOICE | LOOKUP | OBSERVED | DOMAIN)
}
