//! Numbers and long texts in sentences.

/// Returns a number with its noun: `1 run`, `2 runs`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

/// Returns a number with its digits in groups of three: `10,000,000`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn times(number: u64) -> String {
    match number {
        1 => String::new(),
        2 => " (twice)".to_string(),
        _ => format!(" ({number} times)"),
    }
}

/// Returns the beginning of a text if it is too long for a line.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Returns the beginning of a text that is too long to be read, and how much is missing.
pub(crate) fn capped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let left = text[end..].chars().count();
            format!("{} …\n(and {left} more characters, which --format jsonl shows)", &text[..end])
        }
        None => text.to_string(),
    }
}

/// Indents each line by this number of spaces.
pub(crate) fn indented(text: &str, spaces: usize) -> String {
    let mut out = String::with_capacity(text.len() + spaces);
    for line in text.lines() {
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', spaces));
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}
