//! The IR: its text and its verifier.

mod generate;
mod text;
mod verify;
