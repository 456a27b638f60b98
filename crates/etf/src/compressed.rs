//! Terms behind zlib. The compressor is not the runtime's own: what it makes inflates to the same
//! bytes, but is not byte for byte what `term_to_binary(T, [compressed])` gives.

use crate::decode::EtfError;
use crate::encode::{MinorVersion, encode_with};
use crate::tag;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{Read, Write};
use term::Term;

/// A few bytes can claim gigabytes; more than this is refused.
pub const MAX_INFLATED: usize = 1 << 30;

/// Compressed only if that makes it shorter, as the runtime does. Level 0 to 9.
pub fn encode_compressed(term: &Term, version: MinorVersion, level: u32, release: u32) -> Vec<u8> {
    let plain = encode_with(term, version, release);
    let body = &plain[1..];
    let Ok(size) = u32::try_from(body.len()) else { return plain };
    let mut bytes = vec![tag::VERSION, tag::COMPRESSED];
    bytes.extend_from_slice(&size.to_be_bytes());
    let mut encoder = ZlibEncoder::new(bytes, Compression::new(level.min(9)));
    match encoder.write_all(body).and_then(|()| encoder.finish()) {
        Ok(bytes) if bytes.len() < plain.len() => bytes,
        Ok(_) | Err(_) => plain,
    }
}

/// `bytes` follow the tag. The inflated term, without the version byte, and how many bytes it took.
pub(crate) fn inflate(bytes: &[u8]) -> Result<(Vec<u8>, usize), EtfError> {
    let (size, data) = bytes.split_first_chunk::<4>().ok_or(EtfError::Truncated)?;
    let size = u32::from_be_bytes(*size) as usize;
    if size > MAX_INFLATED {
        return Err(EtfError::TooLarge(size));
    }
    let mut decoder = ZlibDecoder::new(data);
    let mut inflated = Vec::new();
    let limit = size as u64 + 1;
    decoder.by_ref().take(limit).read_to_end(&mut inflated).map_err(|_| EtfError::BadCompression)?;
    if inflated.len() != size {
        return Err(EtfError::BadCompression);
    }
    Ok((inflated, 4 + decoder.total_in() as usize))
}
