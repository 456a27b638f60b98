//! The entries of configurations in TOML or as Erlang terms.

use super::wrong;
use crate::project::RebarConfig;
use term::Term;
use toml::de::{DeTable, DeValue};

/// The value of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    /// A number of any size, as it was written.
    Number(String),
    Flag(bool),
    List(Vec<Value>),
    Other(&'static str),
}

/// A key with its value, and the line of the key.
pub struct Entry {
    pub key: String,
    pub value: Value,
    pub line: usize,
}

impl Value {
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a string",
            Value::Number(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::List(_) => "a list",
            Value::Other(kind) => kind,
        }
    }

    pub fn text(&self) -> Result<String, String> {
        match self {
            Value::Text(text) if !text.is_empty() && !text.contains('\0') => Ok(text.clone()),
            Value::Text(_) => Err("a string must not be empty or contain a null character".to_string()),
            other => Err(format!("expected a string, not {}", other.kind())),
        }
    }

    /// Returns the strings of a list. A single string counts as a list of one.
    pub fn texts(&self) -> Result<Vec<String>, String> {
        match self {
            Value::List(items) => items.iter().map(Value::text).collect(),
            one => Ok(vec![one.text().map_err(|_| format!("expected a list of strings, not {}", one.kind()))?]),
        }
    }

    pub fn number(&self, least: u64, most: u64) -> Result<u64, String> {
        match self {
            Value::Number(digits) => digits
                .parse()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| format!("expected an integer from {least} to {most}")),
            other => Err(format!("expected a number, not {}", other.kind())),
        }
    }
}

/// Returns the entries of a TOML file. An error has the line where it was found.
pub fn toml_entries(text: &str) -> Result<Vec<Entry>, (usize, String)> {
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        (line(at), format!("this is not TOML: {}", error.message()))
    })?;
    let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
        let name: &std::borrow::Cow<'_, str> = key.get_ref();
        Entry { key: name.to_string(), value: toml_value(value.get_ref()), line: line(key.span().start) }
    };
    let mut entries: Vec<Entry> = table.get_ref().iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.line);
    Ok(entries)
}

fn toml_value(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => {
            let parsed = i128::from_str_radix(number.as_str(), number.radix());
            Value::Number(parsed.map_or_else(|_| number.as_str().to_string(), |number| number.to_string()))
        }
        DeValue::Boolean(flag) => Value::Flag(*flag),
        // Nothing nests deeper than lists of strings, so an inner list is reported where a string is expected.
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| match item.get_ref() {
                    DeValue::Array(_) => Value::Other("a list"),
                    item => toml_value(item),
                })
                .collect(),
        ),
        DeValue::Float(_) => Value::Other("a number with a fraction"),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Table(_) => Value::Other("a table"),
    }
}

pub fn rebar_entries(config: &RebarConfig) -> anyhow::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (at, options) in config.get("beagle_opts") {
        let line = at.line as usize;
        let refusal = |item: &Term| {
            let shown: String = erlang::print(item).chars().take(60).collect();
            wrong(&config.file, line, &format!("beagle_opts: {shown} is not an option: write {{name, Value}}"))
        };
        let Some(items) = options.as_list() else { return Err(refusal(options)) };
        for item in items {
            let (key, value) = match (item, item.as_tuple()) {
                (Term::Atom(flag), _) => (flag.text(), Value::Flag(true)),
                (_, Some([Term::Atom(key), value])) => (key.text(), term_value(value)),
                _ => return Err(refusal(item)),
            };
            entries.push(Entry { key: key.to_string(), value, line });
        }
    }
    Ok(entries)
}

fn term_value(term: &Term) -> Value {
    match term {
        Term::Atom(atom) => match atom.text() {
            "true" => Value::Flag(true),
            "false" => Value::Flag(false),
            text => Value::Text(text.to_string()),
        },
        Term::Int(number) => Value::Number(number.to_string()),
        Term::Big(number) => Value::Number(number.to_string()),
        Term::Bits(bits) => String::from_utf8(bits.bytes().to_vec()).map_or(Value::Other("a binary"), Value::Text),
        Term::Nil => Value::List(Vec::new()),
        Term::List(..) => match (term.as_text(), term.as_list()) {
            (Some(text), _) => Value::Text(text),
            (None, Some(items)) => Value::List(items.iter().map(item_value).collect()),
            (None, None) => Value::Other("an improper list"),
        },
        Term::Float(_) => Value::Other("a number with a fraction"),
        // A pattern of exceptions is a term. It is read from its text, like patterns from other sources.
        Term::Tuple(_) | Term::Map(_) | Term::Fun(_) => Value::Text(erlang::print_pasteable(term)),
        Term::Pid(_) | Term::Reference(_) | Term::Port(_) => Value::Other("a value of the runtime"),
    }
}

fn item_value(term: &Term) -> Value {
    match term {
        // Seeds are lists.
        Term::List(..) | Term::Nil if term.as_text().is_none_or(|text| text.is_empty()) => {
            Value::Text(erlang::print_pasteable(term))
        }
        _ => term_value(term),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erlang_terms_say_the_same() {
        let values = [
            ("\"5s\"", Value::Text("5s".into())),
            ("depth", Value::Text("depth".into())),
            ("true", Value::Flag(true)),
            ("123456789012345678901234567890", Value::Number("123456789012345678901234567890".into())),
            ("[\"a\", b]", Value::List(vec![Value::Text("a".into()), Value::Text("b".into())])),
            ("[{throw, '_'}]", Value::List(vec![Value::Text("{throw,'_'}".into())])),
        ];
        for (text, value) in values {
            assert_eq!(term_value(&erlang::syntax::parse_term(text).expect(text)), value);
        }
    }
}
