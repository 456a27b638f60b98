//! `beagle test` in projects as their own tools make them: nothing is fetched, everything lies in a folder of its own.

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
