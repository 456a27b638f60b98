//! Layout of long calls over several lines, so that they are readable.
//!
//! The input is the text of any expression. Its meaning does not change: line breaks are inserted only after commas and
//! opening brackets, and before closing ones, where all notations ignore them; and only expressions without calls are
//! bound to variables, because it does not matter how often those are evaluated. A text whose brackets are not
//! understood remains unchanged.

use std::collections::HashSet;

/// The language that determines brackets, quotes and variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Erlang,
    Elixir,
}

/// The minimum length of an expression that is bound to a variable.
const SHORTEST_SHARED: usize = 16;
const MOST_VARIABLES: usize = 6;
/// The depth below which groups are written in one line.
const DEEPEST: usize = 12;
const INDENT: usize = 2;
/// The maximum length of items that fill their lines. Among many items, a few may be longer.
const SHORT_ITEM: usize = 12;
const MANY_ITEMS: usize = 6;

/// Lays out a text. With `shares`, expressions that occur more than once are bound to variables. The text must then
/// contain no functions, because patterns in them would match against the variables.
pub fn lay_out(text: &str, dialect: Dialect, shares: bool, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let (call, bindings) = if shares { shared(text, dialect) } else { (text.to_string(), Vec::new()) };
    let mut lines: Vec<String> = Vec::new();
    for (name, value) in bindings {
        let end = match dialect {
            Dialect::Erlang => ",",
            Dialect::Elixir => "",
        };
        lines.push(format!("{}{end}", broken(&format!("{name} = {value}"), dialect, width)));
    }
    lines.push(broken(&call, dialect, width));
    lines.join("\n")
}

/// A bracketed part of the text, by positions in it.
struct Group {
    /// The position where it begins, including the prefix of its bracket (`#{`, `%Name{`).
    start: usize,
    /// The positions after the opening bracket, and of the closing one.
    inside: usize,
    close: usize,
    end: usize,
    commas: Vec<usize>,
    groups: Vec<Group>,
}

impl Group {
    fn is_leaf(&self) -> bool {
        self.inside == self.start
    }
}

/// Returns the outermost groups. Binaries and strings are groups without an inside.
fn groups(text: &str, dialect: Dialect) -> Option<Vec<Group>> {
    let bytes = text.as_bytes();
    let mut open: Vec<Group> = vec![leaf(0, 0)];
    // Opening brackets that are too deep for groups of their own.
    let mut deeper: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let depth = open.len();
        match byte {
            b'"' | b'\'' => {
                let end = behind_quotes(bytes, at)?;
                if deeper.is_empty() && *byte == b'"' {
                    open.last_mut()?.groups.push(leaf(before_quotes(bytes, at, dialect), end));
                }
                at = end;
                continue;
            }
            b'<' if bytes.get(at + 1) == Some(&b'<') => {
                let end = behind_bits(bytes, at)?;
                if deeper.is_empty() {
                    open.last_mut()?.groups.push(leaf(at, end));
                }
                at = end;
                continue;
            }
            b'(' | b'[' | b'{' if !deeper.is_empty() || depth > DEEPEST => deeper.push(*byte),
            b'(' | b'[' | b'{' => {
                let start = before_bracket(bytes, at, dialect);
                open.push(Group { inside: at + 1, ..leaf(start, at) });
            }
            b')' | b']' | b'}' => {
                let opening = match deeper.pop() {
                    Some(opening) => opening,
                    None => {
                        let group = open.pop().filter(|_| depth > 1)?;
                        let opening = *bytes.get(group.inside.checked_sub(1)?)?;
                        open.last_mut()?.groups.push(Group { close: at, end: at + 1, ..group });
                        opening
                    }
                };
                if !matches!((opening, byte), (b'(', b')') | (b'[', b']') | (b'{', b'}')) {
                    return None;
                }
            }
            b',' if deeper.is_empty() => open.last_mut()?.commas.push(at),
            _ => {}
        }
        at += 1;
    }
    match (open.pop(), open.is_empty(), deeper.is_empty()) {
        (Some(all), true, true) => Some(all.groups),
        _ => None,
    }
}

fn leaf(start: usize, end: usize) -> Group {
    Group { start, inside: start, close: end, end, commas: Vec::new(), groups: Vec::new() }
}

fn behind_quotes(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes.get(start)?;
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

fn behind_bits(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut depth) = (start, 0);
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'"' | b'\'', _) => at = behind_quotes(bytes, at)?,
            (b'<', Some(b'<')) => (at, depth) = (at + 2, depth + 1),
            (b'>', Some(b'>')) if depth == 1 => return Some(at + 2),
            (b'>', Some(b'>')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
}

/// Returns where an expression begins that has this opening bracket.
fn before_bracket(bytes: &[u8], at: usize, dialect: Dialect) -> usize {
    let before = |at: usize| at.checked_sub(1).and_then(|at| bytes.get(at));
    match dialect {
        Dialect::Erlang if bytes.get(at) == Some(&b'{') && before(at) == Some(&b'#') => at - 1,
        Dialect::Elixir if bytes.get(at) == Some(&b'{') => {
            let mut start = at;
            while before(start).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')) {
                start -= 1;
            }
            if before(start) == Some(&b'%') { start - 1 } else { at }
        }
        Dialect::Erlang | Dialect::Elixir => at,
    }
}

/// Returns where an expression begins that has this opening quote: `~c"text"` begins before it.
fn before_quotes(bytes: &[u8], at: usize, dialect: Dialect) -> usize {
    match dialect {
        Dialect::Elixir if bytes.get(..at).is_some_and(|before| before.ends_with(b"~c")) => at - 2,
        Dialect::Erlang | Dialect::Elixir => at,
    }
}

/// Returns the text with variables for expressions that occur more than once, and the bindings of the variables, each
/// before its uses.
fn shared(text: &str, dialect: Dialect) -> (String, Vec<(String, String)>) {
    let mut texts = vec![text.to_string()];
    let mut names: Vec<String> = Vec::new();
    while names.len() < MOST_VARIABLES
        && let Some(value) = longest_repeated(&texts, dialect)
    {
        let name = unused(name(&value, dialect), dialect, &names);
        for text in &mut texts {
            *text = replaced(text, &value, &name, dialect);
        }
        names.push(name);
        texts.push(value);
    }
    // Longer expressions were found first, and may contain others that were found later.
    let mut values = texts.into_iter();
    let call = values.next().unwrap_or_default();
    let mut bindings: Vec<(String, String)> = names.into_iter().zip(values).collect();
    bindings.reverse();
    (call, bindings)
}

fn longest_repeated(texts: &[String], dialect: Dialect) -> Option<String> {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut longest: Option<&str> = None;
    for text in texts {
        for (start, end) in shareable(text, dialect) {
            let part = text.get(start..end)?;
            if !seen.insert(part) && longest.is_none_or(|longest| part.len() > longest.len()) {
                longest = Some(part);
            }
        }
    }
    longest.map(str::to_string)
}

fn replaced(text: &str, value: &str, name: &str, dialect: Dialect) -> String {
    let mut out = String::new();
    let mut done = 0;
    for (start, end) in shareable(text, dialect) {
        if start >= done && text.get(start..end) == Some(value) {
            out.push_str(text.get(done..start).unwrap_or_default());
            out.push_str(name);
            done = end;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Returns the expressions inside the text that may be bound to a variable, outer ones before inner ones.
fn shareable(text: &str, dialect: Dialect) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut open: Vec<Group> = groups(text, dialect).unwrap_or_default();
    open.reverse();
    while let Some(Group { start, end, groups, .. }) = open.pop() {
        let before = start.checked_sub(1).and_then(|at| bytes.get(at));
        let is_whole = before.is_none_or(|byte| matches!(byte, b'(' | b'[' | b'{' | b',' | b' ' | b'|'))
            && bytes.get(end).is_none_or(|byte| matches!(byte, b')' | b']' | b'}' | b',' | b' ' | b'|'));
        let part = text.get(start..end).unwrap_or_default();
        // Parentheses belong to calls, and a call may have a different result each time.
        if is_whole && part.len() >= SHORTEST_SHARED && part.len() < text.len() && !part.contains('(') {
            found.push((start, end));
        }
        open.extend(groups.into_iter().rev());
    }
    found
}

/// Returns a name that describes the value: that of its record or struct, or its kind.
fn name(value: &str, dialect: Dialect) -> String {
    let tag = match dialect {
        Dialect::Erlang => value.strip_prefix('{'),
        Dialect::Elixir => value.strip_prefix("{:"),
    };
    let tag = tag.and_then(|rest| rest.split(',').next()).filter(|tag| is_tag(tag)).map(str::to_string);
    let named =
        value.strip_prefix('%').and_then(|rest| rest.split('{').next()).and_then(|name| name.rsplit('.').next());
    let word = match (tag, named.map(str::to_lowercase).filter(|name| is_tag(name))) {
        (Some(tag), _) => tag,
        (None, Some(named)) => named,
        (None, None) => match value.as_bytes() {
            [b'[', ..] => "list".to_string(),
            [b'#' | b'%', ..] => "map".to_string(),
            [b'{', ..] => "tuple".to_string(),
            [b'<', ..] => "bytes".to_string(),
            _ => "text".to_string(),
        },
    };
    match dialect {
        Dialect::Erlang => {
            let parts = word.split('_').filter(|part| !part.is_empty());
            let capital =
                |part: &str| part.chars().next().map(|first| first.to_ascii_uppercase().to_string() + &part[1..]);
            parts.filter_map(capital).collect()
        }
        Dialect::Elixir => word,
    }
}

/// Words that cannot be variables in Elixir.
const RESERVED: [&str; 15] =
    ["true", "false", "nil", "when", "and", "or", "not", "in", "fn", "do", "end", "catch", "rescue", "after", "else"];

/// Returns the name, with a number if it is already in use.
fn unused(name: String, dialect: Dialect, taken: &[String]) -> String {
    let is_reserved = |name: &String| dialect == Dialect::Elixir && RESERVED.contains(&name.as_str());
    let is_free = |name: &String| !taken.contains(name) && !is_reserved(name);
    let numbered = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

/// Returns the text with line breaks in the groups that do not fit into a line.
fn broken(text: &str, dialect: Dialect, width: usize) -> String {
    match groups(text, dialect) {
        Some(groups) => {
            let mut writer = Writer { text, width, out: String::new(), column: 0 };
            writer.part(0, text.len(), &groups, 0);
            writer.out
        }
        None => text.to_string(),
    }
}

struct Writer<'t> {
    text: &'t str,
    width: usize,
    out: String,
    /// The number of characters in the line so far.
    column: usize,
}

impl Writer<'_> {
    fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn write(&mut self, start: usize, end: usize) {
        let part = self.text.get(start..end).unwrap_or_default();
        self.column += part.chars().count();
        self.out.push_str(part);
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Returns whether a part of the text fits into the line, with a comma after it.
    fn fits(&self, start: usize, end: usize) -> bool {
        self.column + self.slice(start, end).chars().count() < self.width
    }

    /// Writes a part of the text with the groups in it.
    fn part(&mut self, start: usize, end: usize, groups: &[Group], indent: usize) {
        let mut at = start;
        for group in groups.iter().filter(|group| group.start >= start && group.end <= end) {
            self.write(at, group.start);
            self.group(group, indent);
            at = group.end;
        }
        self.write(at, end);
    }

    /// Writes a group. The recursion is at most as deep as the groups.
    fn group(&mut self, group: &Group, indent: usize) {
        if group.is_leaf() || self.fits(group.start, group.end) || group.inside == group.close {
            return self.write(group.start, group.end);
        }
        self.write(group.start, group.inside);
        // Brackets that contain only another pair of brackets share lines with it.
        if let [only] = group.groups.as_slice()
            && (only.start, only.end) == (group.inside, group.close)
        {
            self.group(only, indent);
            return self.write(group.close, group.end);
        }
        let inner = indent + INDENT;
        let starts = std::iter::once(group.inside).chain(group.commas.iter().map(|comma| comma + 1));
        let items: Vec<(usize, usize)> = starts
            .zip(group.commas.iter().copied().chain([group.close]))
            .map(|(start, end)| (start + self.slice(start, end).len() - self.slice(start, end).trim_start().len(), end))
            .collect();
        // A tag stays on the line of its bracket.
        let is_tagged = self.slice(group.start, group.inside) == "{"
            && items.first().is_some_and(|(start, end)| is_tag(self.slice(*start, *end)));
        let short = items.iter().filter(|(start, end)| self.slice(*start, *end).len() <= SHORT_ITEM).count();
        let fills = short == items.len() || items.len() > MANY_ITEMS && short * 4 >= items.len() * 3;
        for (index, (start, end)) in items.iter().enumerate() {
            let begins_line = if index == 0 { !is_tagged } else { !fills || !self.fits(start - 1, *end) };
            if begins_line {
                self.line(inner);
            } else if index > 0 {
                self.out.push(' ');
                self.column += 1;
            }
            self.part(*start, *end, &group.groups, inner);
            if index + 1 < items.len() {
                self.out.push(',');
                self.column += 1;
            }
        }
        self.line(indent);
        self.write(group.close, group.end);
    }
}

/// Returns whether the item is an atom that may be the name of a record.
fn is_tag(item: &str) -> bool {
    let name = item.strip_prefix(':').unwrap_or(item);
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn erlang(text: &str) -> String {
        lay_out(text, Dialect::Erlang, true, 40)
    }

    fn elixir(text: &str) -> String {
        lay_out(text, Dialect::Elixir, true, 40)
    }

    #[test]
    fn what_fits_into_a_line_stays_there() {
        assert_eq!(erlang("m:f({state,1,[]}, {state,1,[]})"), "m:f({state,1,[]}, {state,1,[]})");
    }

    #[test]
    fn what_comes_more_than_once_gets_a_name() {
        assert_eq!(
            erlang("m:f({my_state,undefined,[]}, [{my_state,undefined,[]}])"),
            "MyState = {my_state,undefined,[]},\nm:f(MyState, [MyState])"
        );
        assert_eq!(
            erlang("m:f(#{a => [1,2,3,4,5,6,7,8], b => 1}, [#{a => [1,2,3,4,5,6,7,8], b => 1}], [1,2,3,4,5,6,7,8])"),
            "List = [1,2,3,4,5,6,7,8],\nMap = #{a => List, b => 1},\nm:f(Map, [Map], List)"
        );
        assert_eq!(
            elixir("M.f(%My.Conn{port: -1, host: nil}, [%My.Conn{port: -1, host: nil}])"),
            "conn = %My.Conn{port: -1, host: nil}\nM.f(conn, [conn])"
        );
        assert_eq!(
            elixir("M.f({:nil, \"some text, no more\"}, {:nil, \"some text, no more\"})"),
            "nil2 = {:nil, \"some text, no more\"}\nM.f(nil2, nil2)"
        );
    }

    #[test]
    fn calls_and_parts_of_other_expressions_are_not_shared() {
        for text in [
            "m:f(ets:new(table,[named_table]), ets:new(table,[named_table]))",
            "m:f(({a,bbbbbbbbbbbbbbbbbbb})#{c => 1}, <<\"aaaaaaaaaaaaaaaaaaaaaa\",1>>, \"aaaaaaaaaaaaaaaaaaaaaa\")",
        ] {
            assert!(!erlang(text).contains(" = "), "{}", erlang(text));
        }
        let text = "M.f([\"some long key here\": 1], :\"some long key here\", \"some long key here\")";
        assert!(!elixir(text).contains(" = "), "{}", elixir(text));
    }

    #[test]
    fn long_groups_are_broken() {
        assert_eq!(
            erlang("m:f({state,\"a, b\",'odd)name',undefined,<<1,2,3>>}, [1,2,3])"),
            "m:f(\n  {state, \"a, b\", 'odd)name', undefined,\n    <<1,2,3>>\n  },\n  [1,2,3]\n)"
        );
        let numbers: Vec<String> = (100..120).map(|number| number.to_string()).collect();
        let text = erlang(&format!("m:f([{}])", numbers.join(",")));
        assert!(
            text.starts_with("m:f([\n  100, 101,")
                && text.lines().count() < 6
                && text.lines().all(|line| line.len() <= 40),
            "{text}"
        );
    }

    #[test]
    fn what_is_not_understood_stays_as_it_is() {
        for text in ["m:f([1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}", "m:f(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)"] {
            assert_eq!(erlang(text), text);
        }
        let deep = format!("m:f({}{})", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(erlang(&deep).replace(['\n', ' '], ""), deep);
    }
}
