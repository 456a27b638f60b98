//! The tiers that try values: all of them where there are few, likely ones where there are many, and those that mend
//! one broken condition after the other.

pub(crate) mod few;
pub(crate) mod repair;
pub(crate) mod values;
