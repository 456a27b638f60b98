//! Bitstrings of any length in bits.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A bitstring. The unused low bits of the last byte are zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bits {
    bytes: Arc<[u8]>,
    bit_length: usize,
}

impl Bits {
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Bits {
        let bytes = bytes.into();
        let bit_length = bytes.len() * 8;
        Bits { bytes, bit_length }
    }

    /// Makes a bitstring of the first `bit_length` bits of `bytes`; surplus bytes are cut off, surplus bits zeroed.
    pub fn new(mut bytes: Vec<u8>, bit_length: usize) -> Bits {
        assert!(bit_length <= bytes.len() * 8, "a bitstring cannot be longer than its bytes");
        bytes.truncate(bit_length.div_ceil(8));
        if let (Some(last), used @ 1..) = (bytes.last_mut(), bit_length % 8) {
            *last &= 0xffu8 << (8 - used);
        }
        Bits { bytes: bytes.into(), bit_length }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn bit_length(&self) -> usize {
        self.bit_length
    }

    pub fn is_binary(&self) -> bool {
        self.bit_length.is_multiple_of(8)
    }
}
