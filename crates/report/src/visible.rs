//! Makes every character of a text visible: texts of programs, files and other tools may contain characters that
//! control terminals or reverse the direction of text.

use std::borrow::Cow;
use std::fmt::Write;
use term::without_hidden;

/// Returns the text for a terminal or a log: hidden characters except for line feeds and tabs are shown as `\x1b` or
/// `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.contains("\r\n") {
        // A carriage return at the end of a line has no meaning of its own.
        true => Cow::Owned(visible_line_ends(&text.replace("\r\n", "\n")).into_owned()),
        false => visible_line_ends(text),
    }
}

fn visible_line_ends(text: &str) -> Cow<'_, str> {
    without_hidden(text, |c, out| {
        // Writing to a string cannot fail.
        let _ = match u32::from(c) {
            code @ 0..=0xff => write!(out, "\\x{code:02x}"),
            code => write!(out, "\\u{{{code:x}}}"),
        };
    })
}

/// Returns the text for a terminal, but keeps our own colours: `ESC [ numbers m`. To be used only on text that was made
/// visible before colours were added.
pub fn visible_with_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, sequence) = rest.split_at(at);
        out.push_str(&visible(before));
        let is_number = |c: char| c.is_ascii_digit() || c == ';';
        let body = sequence[2..].trim_start_matches(is_number);
        let end = match body.starts_with('m') {
            true => sequence.len() - body.len() + 1,
            false => 2,
        };
        match body.starts_with('m') {
            true => out.push_str(&sequence[..end]),
            false => out.push_str(&visible(&sequence[..end])),
        }
        rest = &sequence[end..];
    }
    out.push_str(&visible(rest));
    out
}

/// Escapes hidden characters in the strings of JSON. They can only occur in strings, nowhere else in JSON.
pub fn visible_json(json: &str) -> Cow<'_, str> {
    without_hidden(json, |c, out| {
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(visible("a\u{1b}[2J\u{7}b\tc\n"), "a\\x1b[2J\\x07b\tc\n");
        assert_eq!(visible("\u{9b}31m \u{202e}x\u{2066}"), "\\x9b31m \\u{202e}x\\u{2066}");
        assert_eq!(visible("one\r\ntwo\rthree"), "one\ntwo\\x0dthree");
        assert!(matches!(visible("plain, für alle 界"), Cow::Borrowed(_)));
    }

    #[test]
    fn only_colours_pass() {
        assert_eq!(visible_with_colours("\u{1b}[31mred\u{1b}[0m"), "\u{1b}[31mred\u{1b}[0m");
        assert_eq!(visible_with_colours("\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}["), "\\x1b[2J\\x1b]0;x\\x07\\x1b[");
        assert_eq!(visible_with_colours("\u{1b}[1;3"), "\\x1b[1;3");
    }

    #[test]
    fn json_stays_json() {
        let text = "a\u{7f}\u{202e}\u{e0041}\n\"";
        let json = serde_json::to_string(text).unwrap();
        let shown = visible_json(&json);
        assert!(!shown.chars().any(term::is_hidden), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }
}
