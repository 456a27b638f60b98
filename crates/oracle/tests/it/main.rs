//! The oracle with real runtimes.

mod code;
mod common;
mod confined;
mod evaluation;
mod hostile;
mod process;
mod term_format;
mod watched;
