//! The releases of OTP in which functions were added, for functions that have rows and are newer than the oldest
//! supported release. In older releases they are undefined.

use super::{badarg, binaries, rows};
use machine::Primitive;

/// A name and an arity.
type Function = (&'static str, u32);

/// The release, a module, and functions of it with their arities.
const SINCE: &[(u32, &str, &[Function])] = &[
    (26, "application_controller", &[("get_env", 3)]),
    (26, "ets", &[("lookup_element", 4)]),
    (
        27,
        "ets",
        &[("first_lookup", 1), ("last_lookup", 1), ("next_lookup", 2), ("prev_lookup", 2), ("update_element", 4)],
    ),
    (28, "persistent_term", &[("put_new", 2)]),
    (28, "re", &[("import", 1)]),
    (29, "erlang", &[("is_integer", 3), ("is_record", 1)]),
];

/// Rows of functions whose domain is different from OTP 27 on: bitstrings that are not binaries are refused.
pub(super) const STRICT: &[&[Primitive]] = &[
    rows! {"erlang" by Arguments;
        "binary_part" (Binary, Tuple) -> Binary, badarg, binaries::binary_part_2, Prelude("part_of_binary");
        "binary_part" (Binary, Integer, Integer) -> Binary, badarg, binaries::binary_part_3, Prelude("part_of_binary");
        "binary_to_list" (Binary, Positive, Positive) -> ProperList, badarg, binaries::binary_to_list_3, Prelude("part_to_list");
    },
    rows! {"binary" by Arguments;
        "part" (Binary, Tuple) -> Binary, badarg, binaries::binary_part_2, Prelude("part_of_binary");
        "part" (Binary, Integer, Integer) -> Binary, badarg, binaries::binary_part_3, Prelude("part_of_binary");
        "copy" (Binary, NonNegative) -> Binary, badarg, binaries::copy_2, Prelude("binary_copies");
    },
];

/// Returns the first release that has the function of a row.
pub fn first_release(row: &Primitive) -> u32 {
    let has = |functions: &[Function]| functions.contains(&(row.name, row.arity()));
    let found = SINCE.iter().find(|(_, module, functions)| *module == row.module && has(functions));
    found.map_or(crate::otp::OLDEST, |(release, ..)| *release)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_a_row_and_hidden_before_its_time() {
        for (release, module, functions) in SINCE {
            for (name, arity) in *functions {
                let is_it = |row: &&Primitive| (row.module, row.name, row.arity()) == (*module, *name, *arity);
                let row = super::super::all().find(is_it).unwrap_or_else(|| panic!("{module}:{name}/{arity}"));
                assert_eq!(first_release(row), *release);
            }
        }
    }
}
