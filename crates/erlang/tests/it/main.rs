//! Erlang's front end against the real runtime.

mod applications;
mod compiled;
mod elixir;
mod lifting;
mod lower;
mod lowered_modules;
mod messages;
mod newer;
mod parse;
mod print;
mod round_trip;
mod shapes;
mod support;
mod support_page;
mod types;
