//! `beagle test` in projects as their own tools make them: nothing is fetched, everything lies in a folder of its own.

#[path = "../common/mod.rs"]
mod common;

mod building;
mod choosing;
mod configuring;
mod enduring;
mod environment;
mod processes;
mod scratch;
mod starting;
mod together;
mod tolerating;
