//! The manual's pages and the shells' completions, made from the arguments.

use crate::arguments::Arguments;
use crate::streams;
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use std::path::Path;

pub fn completions(shell: Shell) -> anyhow::Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "beagle", &mut text);
    streams::write(&String::from_utf8_lossy(&text));
    Ok(0)
}

pub fn pages(folder: &Path) -> anyhow::Result<u8> {
    let unwritable = || format!("the manual cannot be written to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(unwritable)?;
    clap_mangen::generate_to(Arguments::command(), folder).with_context(unwritable)?;
    let first = folder.join("beagle-test.1");
    streams::write(&format!(
        "wrote the manual pages to {}; read them with man -l {}\n",
        folder.display(),
        first.display()
    ));
    Ok(0)
}
