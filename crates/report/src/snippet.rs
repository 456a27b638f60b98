//! Shows a line of source with a message about it.

use crate::visible::visible;
use codespan_reporting::diagnostic::{Diagnostic, Label, Severity};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{Config, emit_to_write_style};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A line of the user's code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The file name as the compiler knew it.
    pub file: String,
    /// The path relative to the project folder, with slashes; absolute if the file is outside of it.
    pub path: String,
    /// The number of the line, counted from 1.
    pub line: u32,
    /// The text of the file, if it could be read.
    pub text: Option<String>,
}

/// Writes `bug: title`, and the line below it.
pub(crate) fn write(out: &mut Buffer, severity: Severity, title: &str, place: Option<&Place>) {
    let diagnostic = Diagnostic::new(severity).with_message(visible(title));
    let name = place.map(|place| visible(&place.file)).unwrap_or_default();
    // Escapes do not change the number of lines, and marks refer to the escaped text.
    let text = place.and_then(|place| place.text.as_deref()).map(visible);
    let marked = place.and_then(|place| {
        let text = text.as_deref()?;
        Some((SimpleFile::new(&*name, text), line_range(text, place.line)?))
    });
    let mut emit = |file: &SimpleFile<&str, &str>, diagnostic: &Diagnostic<()>| {
        // Writing to a buffer cannot fail, and the range is inside the file.
        let _ = emit_to_write_style(out, &Config::default(), file, diagnostic);
    };
    match marked {
        Some((file, range)) => emit(&file, &diagnostic.with_labels(vec![Label::primary((), range)])),
        None => {
            let at = place.map(|place| format!("at {name}:{}", place.line));
            emit(&SimpleFile::new("", ""), &diagnostic.with_notes(at.into_iter().collect()));
        }
    }
}

/// Returns the range of a line's text, without the space around it.
fn line_range(text: &str, line: u32) -> Option<Range<usize>> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let whole = text[start..].lines().next()?;
    let from = start + (whole.len() - whole.trim_start().len());
    Some(from..from + whole.trim().len())
}

#[cfg(test)]
mod tests {
    use super::line_range;

    #[test]
    fn a_line_is_marked_without_the_space_around_it() {
        let text = "a\n  bc \n\nd";
        assert_eq!(line_range(text, 1), Some(0..1));
        assert_eq!(line_range(text, 2), Some(4..6));
        assert_eq!(line_range(text, 3), Some(8..8));
        assert_eq!(line_range(text, 4), Some(9..10));
        assert_eq!(line_range(text, 5), None);
    }
}
