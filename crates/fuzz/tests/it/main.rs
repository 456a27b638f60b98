//! Differential fuzzing against the BEAM.

mod fuzz_bifs;
mod fuzz_conditions;
mod fuzz_exact;
mod fuzz_expressions;
mod fuzz_functions;
mod fuzz_modules;
mod fuzz_otp;
mod fuzz_processes;
mod fuzz_reach;
mod fuzz_searches;
mod fuzz_sides;
mod generated;
mod surroundings;
