//! Modules as text, for people and for tests: `print` and `read` are inverse to each other.
//!
//! ```text
//! (module shapes
//!   (files "shapes.erl")
//!   (attribute vsn [1])
//!   (type shape () (union (is point) (tuple (is circle) float)) exported)
//!   (record point (field x 0) (field y))
//!   (spec area 1 (clause ((named shape)) float))
//!   (function f0 area 1 exported @3:1
//!     (case (v0)
//!       (of @3:1 (point) 0.0)
//!       (of @4:1 ((tuple circle v1)) (when (guard (remote erlang is_float v1)))
//!         (remote @4:27 erlang * v1 v1))
//!       (of (_) (primitive match_fail (tuple function_clause v0))))))
//! ```
//!
//! Brackets distinguish what is computed from what is constant: `(tuple v0 1)` builds a tuple, `{1 2}` is one; lists
//! are `[1 2 | 3]`, maps `#{key value}`, bitstrings `<<digits:bits>>`. Atoms are quoted where they would look like
//! something else. A place `@line:column` or `@file:line:column` follows the word that heads its form. `(cons a b c)`
//! is a chain of cells, so that long lists are not deep. From `;` to the end of the line is a comment.

mod layout;
mod print;
mod read;
mod tree;

pub use print::print;
pub use read::read;

/// The reason why a text is no module. Line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ReadError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}
