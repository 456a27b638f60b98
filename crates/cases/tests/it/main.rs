//! The corpus with processes, in orders that are chosen and forced, and with both executors.

mod both;
mod forced;
mod forced_corpus;
mod orders;
mod turns;
