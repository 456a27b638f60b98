//! Finds the program that loads a dynamically linked executable. The kernel executes it, too, so it needs the right.

use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const INTERPRETER: u32 = 3;
/// The maximum size in bytes of an executable's program headers, and of the name of its loader.
const LONGEST: u64 = 64 << 10;

/// Returns the loader of an executable, or `None` if it is linked statically, or is not a 64-bit little-endian ELF
/// file.
pub(crate) fn interpreter(executable: &Path) -> io::Result<Option<PathBuf>> {
    let mut file = files::open_system(executable)?;
    let header = read_at(&mut file, 0, 64)?;
    if header.get(..6) != Some(b"\x7fELF\x02\x01") {
        return Ok(None);
    }
    let (offset, size, count) = (number(&header, 32, 8), number(&header, 54, 2), number(&header, 56, 2));
    let table = read_at(&mut file, offset, size.saturating_mul(count))?;
    for entry in table.chunks_exact((size as usize).max(56)) {
        if number(entry, 0, 4) == u64::from(INTERPRETER) {
            let name = read_at(&mut file, number(entry, 8, 8), number(entry, 32, 8))?;
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            return Ok(Some(PathBuf::from(std::ffi::OsStr::from_bytes(name))));
        }
    }
    Ok(None)
}

fn read_at(file: &mut (impl Read + Seek), offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.take(length.min(LONGEST)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    let field = bytes.get(at..at + length).unwrap_or_default();
    field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_its_loader() {
        let own = std::env::current_exe().expect("this test");
        let loader = interpreter(&own).expect("readable").expect("dynamically linked");
        assert!(loader.is_file(), "{}", loader.display());
        assert_eq!(interpreter(Path::new("/etc/passwd")).expect("readable"), None);
    }
}
