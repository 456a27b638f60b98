//! The external term format: terms as the bytes that `term_to_binary` makes and `binary_to_term` reads.
//!
//! Knows no runtime, no file, no process. Both ways work on explicit stacks, so the depth of a term
//! costs memory only, and whatever the bytes claim is checked against what is there before anything is
//! allocated for it.
//!
//! Process identifiers, references and ports are numbers here, and belong to the node that has no
//! name. A process is `serial << 32 | id`; a runtime takes one as its own if the id has at most 15 bits,
//! and a port if its number has at most 28. A reference has 82 bits on the wire (18 + 32 + 32, lowest
//! first): numbers of 64 bits are encoded and decoded exactly; a wider one is decoded to a digest of
//! its bits, good for telling references apart and for nothing else.

mod compressed;
mod decode;
mod encode;
mod tag;

pub use compressed::{MAX_INFLATED, encode_compressed};
pub use decode::{EtfError, MakeAtom, decode, decode_prefix, decode_prefix_with};
pub use encode::{MinorVersion, OLDEST_RELEASE, encode, encode_with};
