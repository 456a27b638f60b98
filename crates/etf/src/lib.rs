//! The external term format: terms as the bytes that `term_to_binary` writes and `binary_to_term` reads.
//!
//! This crate knows no runtime, no file and no process. Encoding and decoding use explicit stacks, so a deep term only
//! costs memory. Sizes that the bytes claim are compared with the bytes that exist before anything is allocated.
//!
//! Process identifiers, references and ports are numbers here, and belong to the node without a name. A process is
//! `serial << 32 | id`; a runtime accepts it as its own if the id has at most 15 bits, and a port if its number has at
//! most 28. A reference has 82 bits in the format (18 + 32 + 32, lowest first): numbers of up to 64 bits are encoded
//! and decoded exactly; a wider one is decoded to a digest of its bits, which only serves to tell references apart.

mod compressed;
mod decode;
mod encode;
mod tag;

pub use compressed::{MAX_INFLATED, encode_compressed};
pub use decode::{EtfError, MakeAtom, decode, decode_prefix, decode_prefix_with};
pub use encode::{MinorVersion, OLDEST_RELEASE, encode, encode_with};
