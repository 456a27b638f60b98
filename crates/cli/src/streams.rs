//! Writes to standard output and standard error, and notes if that is not possible.
//!
//! If a reader has seen enough (`beagle test | head -1`), that is no failure, and messages that cannot be written to
//! standard error stop nothing. If standard output cannot be written for another reason, such as a full disk, the
//! command fails, as it does if the report is a file.
//!
//! All text for people is written here. Whatever it was made of, the only control sequences in it are Beagle's own
//! colours.

use indicatif::ProgressBar;
use report::{visible, visible_with_colours};
use std::fmt::Arguments;
use std::io::ErrorKind;
use std::sync::OnceLock;

/// The first reason why standard output could not be written.
static REFUSED: OnceLock<std::io::Error> = OnceLock::new();

/// The progress line, if there is one.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Hides the progress line from now on while something is written, so that no part of it is left on the screen.
pub fn hide_while_writing(bar: ProgressBar) {
    let _ = BAR.set(bar);
}

fn alone<T>(write: impl FnOnce() -> T) -> T {
    match BAR.get() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Writes a text to standard output, at once.
pub fn write(text: &str) {
    put(&visible(text));
}

/// Writes a report that has put colours into text that was made visible before.
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

/// Fails if standard output could not be written, except if its reader had gone away.
pub fn written() -> anyhow::Result<()> {
    match REFUSED.get() {
        Some(error) => anyhow::bail!("standard output cannot be written: {error}"),
        None => Ok(()),
    }
}

/// Writes a line to standard error, for `complain!`.
pub fn line(words: Arguments<'_>) {
    said(&format!("beagle: {words}\n"));
}

/// Writes a text to standard error, without lines that the log of a workflow could take for commands.
pub fn said(text: &str) {
    let text = without_commands(&visible(text));
    let _ = alone(|| sandbox::write_all(&std::io::stderr().lock(), text.as_bytes()));
}

/// Returns a text in which no line is a command to GitHub's workflows (`::set-env …`), since messages may quote a
/// project's files and tools.
fn without_commands(text: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("::") {
        Some(rest) => format!("{}\\x3a:{rest}", &line[..line.len() - line.trim_start().len()]),
        None => line.to_string(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Writes a line to standard error. Unlike `eprintln!`, does not panic if that is closed.
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
