//! The front ends with the real runtime.

mod emitted;
mod files;
