//! The manual's pages and the shells' completions, made from the arguments.

use crate::arguments::Arguments;
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;
use std::path::Path;

pub fn completions(shell: Shell) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "beagle", &mut text);
    // A reader that has seen enough is no failure.
    let _ = std::io::stdout().write_all(&text);
    Ok(0)
}

pub fn pages(folder: &Path) -> anyhow::Result<u8> {
    let unwritable = || format!("the manual cannot be written to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(unwritable)?;
    clap_mangen::generate_to(Arguments::command(), folder).with_context(unwritable)?;
    println!("{} has the pages now: man -l {}", folder.display(), folder.join("beagle-test.1").display());
    Ok(0)
}
