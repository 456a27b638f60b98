//! What is said to the user, and how it is said that nobody can hear it.
//!
//! A reader that has seen enough (`beagle test | head -1`) is no failure, and complaints that nobody takes stop nothing.
//! A report that could not be written for another reason, because the disk is full, is one: the command ends as if the
//! report had been a file.
//!
//! All text for people leaves here. Whatever it was made of, terminals have nothing to obey in it but colours of ours.

use indicatif::ProgressBar;
use report::{visible, visible_with_colours};
use std::fmt::Arguments;
use std::io::ErrorKind;
use std::sync::OnceLock;

/// The first reason why standard output took no more.
static REFUSED: OnceLock<std::io::Error> = OnceLock::new();

/// The progress line, if there is one.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// From now on the progress line is hidden while something is written, so that no part of it stays behind.
pub fn hide_while_writing(bar: ProgressBar) {
    let _ = BAR.set(bar);
}

fn alone<T>(write: impl FnOnce() -> T) -> T {
    match BAR.get() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// To standard output, at once.
pub fn write(text: &str) {
    put(&visible(text));
}

/// Likewise, for a report that has put colours into text that was made visible before.
pub fn write_coloured(text: &str) {
    put(&visible_with_colours(text));
}

fn put(text: &str) {
    if text.is_empty() {
        return;
    }
    let written = alone(|| {
        let out = std::io::stdout().lock();
        sandbox::write_all(&out, text.as_bytes())
    });
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        let _ = REFUSED.set(error);
    }
}

/// Was everything written that somebody wanted to read?
pub fn written() -> anyhow::Result<()> {
    match REFUSED.get() {
        Some(error) => anyhow::bail!("standard output cannot be written: {error}"),
        None => Ok(()),
    }
}

/// A line to standard error, for `complain!`.
pub fn line(words: Arguments<'_>) {
    said(&format!("beagle: {words}\n"));
}

/// To standard error, where the log of a workflow may look for commands.
pub fn said(text: &str) {
    let text = without_commands(&visible(text));
    let _ = alone(|| sandbox::write_all(&std::io::stderr().lock(), text.as_bytes()));
}

/// Returns a text in which no line is a command to GitHub's workflows (`::set-env …`): what is said may quote a project's
/// files and tools.
fn without_commands(text: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("::") {
        Some(rest) => format!("{}\\x3a:{rest}", &line[..line.len() - line.trim_start().len()]),
        None => line.to_string(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// As `eprintln!`, which would end a command whose complaints nobody takes.
macro_rules! complain {
    ($($words:tt)*) => { $crate::streams::line(format_args!($($words)*)) };
}
pub(crate) use complain;

#[cfg(test)]
mod tests {
    use super::without_commands;

    #[test]
    fn logs_of_workflows_find_no_commands() {
        assert_eq!(
            without_commands("beagle: a\n::error::b\n  ::c\na::b\n"),
            "beagle: a\n\\x3a:error::b\n  \\x3a:c\na::b\n"
        );
    }
}
