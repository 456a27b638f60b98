//! What was lowered means what it meant: it is turned back into Core, compiled by OTP, and behaves
//! as the original does on the real BEAM.

use crate::compiled::{Scratch, escript, lower_verified, to_core::to_core};

const MODULES: &[&str] = &[
    "lists", "maps", "string", "proplists", "orddict", "dict", "gb_trees", "gb_sets", "sets", "ordsets", "queue",
    "array", "base64", "uri_string", "calendar", "binary", "unicode", "erl_scan", "io_lib_pretty", "io_lib_format",
    "io_lib", "erl_anno", "filename", "erl_pp", "sofs", "erl_internal", "erl_bits", "otp_internal", "cerl",
];

#[test]
fn the_way_back_behaves_as_the_original() {
    let scratch = Scratch::new();
    let directory = scratch.path().to_str().expect("a path in Unicode");
    let mut args = vec![directory];
    args.extend(MODULES);
    escript(&scratch, include_str!("compiled/dump.escript"), &args);
    let mut compared = vec![directory];
    for module in MODULES {
        let bytes = std::fs::read(scratch.path().join(format!("{module}.etf"))).expect("Core");
        let lowered = lower_verified(&etf::decode(&bytes).expect("a term"));
        if let Some(back) = to_core(&lowered, &format!("back_{module}")) {
            let bytes = etf::encode(&back, etf::OLDEST_RELEASE);
            std::fs::write(scratch.path().join(format!("{module}.back")), bytes).expect("a file");
            compared.push(module);
        }
    }
    let report = escript(&scratch, include_str!("compiled/compare.escript"), &compared);
    let (count, differences) = report.trim_end().rsplit_once("agreed ").map_or(("0", ""), |(rest, n)| (n, rest));
    assert_eq!(differences, "", "{differences}");
    assert!(count.parse::<u32>().expect("a number") > 100_000, "only {count} calls were compared");
}
