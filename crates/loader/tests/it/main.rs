//! The loader with the real runtime and with caches on disk.

mod built_from;
mod cache;
mod common;
mod places;
