//! Arguments inside the domain of a row.

use crate::Terms;
use machine::Domain;

pub fn in_domain(terms: &mut Terms, domain: Domain) -> String {
    match domain {
        Domain::Any | Domain::Never | Domain::Port => terms.any(2),
        Domain::Integer => terms.integer(),
        Domain::NonNegative => terms.integer().trim_start_matches('-').to_owned(),
        Domain::Positive => match terms.integer().trim_start_matches('-') {
            "0" => "1".to_owned(),
            positive => positive.to_owned(),
        },
        Domain::Byte => terms.random.below(256).to_string(),
        Domain::Timeout if terms.random.one_in(4) => "infinity".to_owned(),
        Domain::Timeout => terms.random.below(1000).to_string(),
        Domain::Float => terms.float(),
        Domain::Number if terms.random.one_in(2) => terms.float(),
        Domain::Number => terms.integer(),
        Domain::Atom => terms.atom(),
        Domain::Boolean => (*terms.random.pick(&["true", "false"])).to_owned(),
        Domain::List if terms.random.one_in(8) => format!("[{}|{}]", terms.any(1), terms.any(1)),
        Domain::List | Domain::ProperList => list(terms),
        Domain::NonemptyList => format!("[{}|{}]", terms.any(1), list(terms)),
        Domain::Tuple => terms.tuple(2),
        Domain::Map => terms.map(2),
        Domain::Bits => terms.bits(),
        Domain::Binary => terms.binary(),
        Domain::Function => terms.function(),
        Domain::Pid => "self()".to_owned(),
        Domain::Reference => "make_ref()".to_owned(),
    }
}

/// Returns a list of anything, of pairs, of characters or of bytes, since functions of lists expect one of these.
fn list(terms: &mut Terms) -> String {
    match terms.random.below(4) {
        0 => terms.string(),
        1 => {
            let count = terms.random.below(4);
            let pairs: Vec<String> = (0..count).map(|_| format!("{{{}, {}}}", terms.any(1), terms.any(1))).collect();
            format!("[{}]", pairs.join(", "))
        }
        2 => {
            let count = terms.random.below(4);
            let bytes: Vec<String> = (0..count)
                .map(|_| if terms.random.one_in(3) { terms.binary() } else { terms.random.below(256).to_string() })
                .collect();
            format!("[{}]", bytes.join(", "))
        }
        _ => terms.list(2),
    }
}
