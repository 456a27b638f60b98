//! Makes a digest of everything that the binary is made of: part of the key of every kept result, so that no result of another
//! build is taken for one of this build.

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new("../..");
    let sources = built::sources_of_binary(root)?;
    built::watch(root, &sources);
    println!("cargo::rustc-env=BEAGLE_BUILD={}", built::digest(root, &sources)?);
    Ok(())
}
