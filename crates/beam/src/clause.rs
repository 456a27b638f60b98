//! Heads of clauses as written in the source.

/// The maximum length of a head that is shown.
const LONGEST: usize = 300;

/// Returns the text of a clause of Erlang before its arrow, in one line. Without an arrow, returns the line.
pub fn head(source: &str, line: u32, column: u32) -> Option<String> {
    let start: usize = source.split_inclusive('\n').take((line as usize).checked_sub(1)?).map(str::len).sum();
    let from = source.get(start..)?;
    let skipped: usize = from.chars().take((column as usize).saturating_sub(1)).map(char::len_utf8).sum();
    let from = from.get(skipped..)?;
    // The expansion of a macro is not in the source.
    match column == 0 || from.starts_with('?') {
        true => self::line(source, line),
        false => before_arrow(from).or_else(|| self::line(source, line)),
    }
}

/// Returns a line without its indentation.
pub fn line(source: &str, line: u32) -> Option<String> {
    let text = source.lines().nth((line as usize).checked_sub(1)?)?.trim();
    (!text.is_empty()).then(|| text.chars().take(LONGEST).collect())
}

fn before_arrow(text: &str) -> Option<String> {
    let mut head = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '-' if chars.peek() == Some(&'>') => {
                let words: Vec<&str> = head.split_whitespace().collect();
                return Some(words.join(" "));
            }
            '%' => while chars.next_if(|c| *c != '\n').is_some() {},
            '"' | '\'' => {
                head.push(c);
                while let Some(inner) = chars.next() {
                    head.push(inner);
                    if inner == '\\' {
                        head.extend(chars.next());
                    } else if inner == c {
                        break;
                    }
                }
            }
            '$' => {
                head.push(c);
                let character = chars.next();
                head.extend(character);
                if character == Some('\\') {
                    head.extend(chars.next());
                }
            }
            // The end of a form.
            '.' if chars.peek().is_none_or(|c| c.is_whitespace()) => return None,
            c => head.push(c),
        }
        if head.len() > LONGEST {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::head;

    #[test]
    fn a_head_ends_before_its_arrow() {
        let source = "-module(m).\nf([H | T], \"a->b\") % no -> here\n  when H > $-,\n       T =/= '->' -> ok;\nf(_, _) ->\n  1.\n?F(1). x -> y";
        assert_eq!(head(source, 2, 1).as_deref(), Some("f([H | T], \"a->b\") when H > $-, T =/= '->'"));
        assert_eq!(head(source, 5, 1).as_deref(), Some("f(_, _)"));
        assert_eq!(head(source, 5, 0).as_deref(), Some("f(_, _) ->"));
        assert_eq!(head(source, 6, 3).as_deref(), Some("1."));
        assert_eq!(head(source, 7, 1).as_deref(), Some("?F(1). x -> y"));
        assert_eq!(head(source, 9, 1), None);
    }
}
