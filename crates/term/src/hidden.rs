//! Characters that do not appear as themselves: where text is displayed, they move the cursor, change colours or the
//! direction of the text, or are invisible.

/// Returns whether a character must not be shown to a reader as it is. Line feeds and tabs may be shown.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => false,
        // Control characters of both sets, because terminals obey both.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // Soft hyphen, marks and overrides of direction, zero-width joiners and spaces, line separators, invisible
        // operators, the byte order mark, annotations, tags.
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// Replaces every hidden character by its escape. Returns the text itself if it has none.
pub fn without_hidden<'t>(text: &'t str, escape: impl Fn(char, &mut String)) -> std::borrow::Cow<'t, str> {
    let Some(first) = text.find(is_hidden) else { return text.into() };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_hidden(c) { escape(c, &mut out) } else { out.push(c) }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_hidden() {
        for c in [
            '\0', '\u{7}', '\r', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2069}', '\u{feff}',
        ] {
            assert!(is_hidden(c), "{c:?}");
        }
        for c in ['\n', '\t', ' ', '~', '\u{a0}', 'é', 'λ', '→', '界', '😀'] {
            assert!(!is_hidden(c), "{c:?}");
        }
    }
}
