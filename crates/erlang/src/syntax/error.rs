//! Errors in a text, and their positions.

use std::fmt;

/// A position in a text. Lines and columns are counted from 1, and columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {message}")]
pub struct SyntaxError {
    pub at: Position,
    pub message: String,
}

impl SyntaxError {
    pub fn new(at: Position, message: impl Into<String>) -> SyntaxError {
        SyntaxError { at, message: message.into() }
    }

    /// Returns the message, and the line of `source` that it is about, with a caret under the position.
    pub fn render(&self, source: &str) -> String {
        let (line_index, column_index) =
            (self.at.line.saturating_sub(1) as usize, self.at.column.saturating_sub(1) as usize);
        let Some(line) = source.split('\n').nth(line_index) else {
            return format!("{self}\n");
        };
        // Tabs stay tabs under the line, so that the caret lines up however wide they are shown.
        let indent: String = line.chars().take(column_index).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let missing = column_index.saturating_sub(line.chars().count());
        let number = self.at.line.to_string();
        let margin = " ".repeat(number.len());
        let line = line.trim_end_matches('\r');
        format!("{self}\n{margin} |\n{number} | {line}\n{margin} | {indent}{}^\n", " ".repeat(missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_place() {
        let error = SyntaxError::new(Position { line: 2, column: 3 }, "expected an expression");
        let shown = error.render("a,\n\tb )\nc");
        assert_eq!(shown, "2:3: expected an expression\n  |\n2 | \tb )\n  | \t ^\n");
        let beyond = SyntaxError::new(Position { line: 1, column: 4 }, "m").render("ab");
        assert!(beyond.ends_with("1 | ab\n  |    ^\n"), "{beyond}");
    }
}
