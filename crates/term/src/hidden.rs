//! Characters that are not seen as themselves: where a text is read, they move the cursor, change colours, turn its
//! direction or leave no trace.

/// Whether a character must not reach a reader as it is. Line feeds and tabs may.
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => false,
        // Controls, of which terminals obey both sets.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // Soft hyphen, marks and overrides of direction, joiners and spaces without width, separators of lines,
        // invisible operators, the mark of byte order, annotations, tags.
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

/// The text with something in the place of every hidden character; itself if it has none.
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
