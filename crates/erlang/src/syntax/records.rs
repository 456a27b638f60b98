//! Terms with records, for readers: fields with their names, without those that have their default. Shells can read
//! them only if the records are known.

use super::print::{escape_hidden, print_atom, print_short};
use program::RecordDef;
use term::Term;

/// The depth below which records are written as tuples.
const DEEPEST: usize = 8;

/// Prints a term with its records; `None` if it contains none of these records.
pub fn print_records(term: &Term, records: &[RecordDef]) -> Option<String> {
    Writer { records }.term(term, 0).map(|text| escape_hidden(&text))
}

struct Writer<'r> {
    records: &'r [RecordDef],
}

impl Writer<'_> {
    fn term(&self, term: &Term, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        match term {
            Term::Tuple(parts) => match parts.first().and_then(|tag| self.record(tag, parts.len())) {
                Some(record) => {
                    let fields = record.fields.iter().zip(parts.iter().skip(1));
                    let said = fields
                        .filter(|((_, default), value)| !default.as_ref().is_some_and(|it| is_exactly(it, value)));
                    let said =
                        said.map(|((name, _), value)| format!("{} = {}", print_atom(*name), self.any(value, depth)));
                    Some(format!("#{}{{{}}}", print_atom(record.name), said.collect::<Vec<_>>().join(", ")))
                }
                None => self.all(parts, depth).map(|parts| format!("{{{}}}", parts.join(", "))),
            },
            Term::List(items, None) => self.all(items, depth).map(|items| format!("[{}]", items.join(", "))),
            Term::Map(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|(_, value)| value.clone()).collect();
                let values = self.all(&values, depth)?;
                let pairs =
                    pairs.iter().zip(values).map(|((key, _), value)| format!("{} => {value}", print_short(key)));
                Some(format!("#{{{}}}", pairs.collect::<Vec<_>>().join(", ")))
            }
            Term::List(_, Some(_))
            | Term::Int(_)
            | Term::Big(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Nil
            | Term::Bits(_)
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => None,
        }
    }

    fn any(&self, term: &Term, depth: usize) -> String {
        self.term(term, depth + 1).unwrap_or_else(|| print_short(term))
    }

    /// Prints the parts; `None` if none of them contains a record.
    fn all(&self, parts: &[Term], depth: usize) -> Option<Vec<String>> {
        let texts: Vec<Option<String>> = parts.iter().map(|part| self.term(part, depth + 1)).collect();
        texts.iter().any(Option::is_some).then(|| {
            texts.into_iter().zip(parts).map(|(text, part)| text.unwrap_or_else(|| print_short(part))).collect()
        })
    }

    fn record(&self, tag: &Term, size: usize) -> Option<&RecordDef> {
        let name = tag.as_atom()?;
        self.records.iter().find(|record| record.name == name && record.fields.len() + 1 == size)
    }
}

/// Returns whether terms are identical: equal floats need not be.
fn is_exactly(left: &Term, right: &Term) -> bool {
    left == right && print_short(left) == print_short(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_term;
    use term::Atom;

    #[test]
    fn records_show_the_fields_that_differ() {
        let field = |name: &str, default: Option<&str>| (Atom::new(name), default.map(Term::atom));
        let fields = vec![field("port", Some("undefined")), field("queue", None), field("Host", Some("localhost"))];
        let records = [RecordDef { name: Atom::new("state"), fields }];
        let shown = |text: &str| print_records(&parse_term(text).expect("a term"), &records);
        assert_eq!(shown("{state, -1, [], localhost}").as_deref(), Some("#state{port = -1, queue = []}"));
        assert_eq!(
            shown("{a, [{state, undefined, {state, 0.0, b, \"h\"}, localhost}]}").as_deref(),
            Some("{a, [#state{queue = #state{port = 0.0, queue = b, 'Host' = \"h\"}}]}")
        );
        assert_eq!(shown("#{k => {state, undefined, b, localhost}}").as_deref(), Some("#{k => #state{queue = b}}"));
        for other in ["{state, 1}", "[1, 2]", "state", "{other, 1, 2, 3}"] {
            assert_eq!(shown(other), None);
        }
    }
}
