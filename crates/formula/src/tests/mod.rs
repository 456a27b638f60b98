//! Properties over generated terms, types and values.

mod canonical;
mod generate;
mod rules;
mod types;
