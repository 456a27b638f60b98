//! The manual's pages and the shells' completions, made from the arguments.

use crate::arguments::Arguments;
use crate::streams;
use crate::test::written::NewFolder;
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
    let written = NewFolder::prepare("beagle man", folder)?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    // Only then are the names of subcommands those of their pages.
    command.build();
    let own = std::iter::once(&command).chain(command.get_subcommands());
    for command in own {
        let man = clap_mangen::Man::new(command.clone());
        let mut page = Vec::new();
        man.render(&mut page).context("the manual cannot be made")?;
        written.write(Path::new(&man.get_filename()), &page)?;
    }
    let first = folder.join("beagle-test.1");
    streams::write(&format!(
        "wrote the manual pages to {}; read them with man -l {}\n",
        folder.display(),
        first.display()
    ));
    Ok(0)
}
