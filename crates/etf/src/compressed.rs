//! Terms compressed with zlib. The compressor differs from the runtime's: its output inflates to the same bytes, but is
//! not byte for byte what `term_to_binary(T, [compressed])` returns.

use crate::decode::EtfError;
use crate::encode::{MinorVersion, encode_with};
use crate::tag;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{Read, Write};
use term::Term;

/// The largest inflated size that is accepted, because a few bytes can claim gigabytes.
pub const MAX_INFLATED: usize = 1 << 30;

/// Encodes a term, compressed only if that makes it shorter, as the runtime does. `level` is 0 to 9.
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

/// Inflates the `bytes` that follow the tag. Returns the inflated term, without the version byte, and the number of
/// bytes read.
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
