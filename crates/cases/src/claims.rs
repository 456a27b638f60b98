//! Claims about searches: the required results of exploring a function.
//!
//! ```text
//! claim   = (function "/" arity | "client") ["with" option {"," option}] ":" demand {";" demand}
//! option  = "seed (" arguments ")" | "bound" N | "max" N | "steps" N | "order" ("coverage" | "breadth" | "depth")
//! demand  = "finds" failure ["for (" patterns ")"] ["when" guard] ["within" N "runs"]
//!         | "clean" | "exhausts" | "budget" | "incomplete"
//!         | ("runs" | "failures" | "bounded") ("=" | "<=" | ">=") N
//!         | "inputs" function
//! failure = ("error" | "exit" | "throw" | "spec") ":" pattern | "timeout" | "deadlock"
//! ```
//!
//! Patterns and guards are in Erlang's syntax and read by the BEAM.

use std::fmt;

/// A line `%%? …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchClaim {
    /// Counted from one.
    pub line: usize,
    /// Whether the claim is known not to hold.
    pub is_gap: bool,
    pub text: String,
    /// The function and its arity. `None`: the clients of the module.
    pub function: Option<(String, u32)>,
    pub options: SearchOptions,
    pub demands: Vec<Demand>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Lists of arguments to begin with, as written between the parentheses of a call.
    pub seeds: Vec<String>,
    pub bound: Option<usize>,
    pub max_runs: u64,
    pub steps: u64,
    pub order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Coverage,
    Breadth,
    Depth,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    Finds(Finds),
    Clean,
    /// Every path was taken, whether or not some of them fail.
    Exhausts,
    /// The search ran out of runs before every path was taken.
    Budget,
    /// Nothing was left to try, but something was not decided.
    Incomplete,
    /// All behaviours of function inputs with at most this number of probes were decided.
    Bounded(Relation, u64),
    Runs(Relation, u64),
    /// The number of different failures.
    Failures(Relation, u64),
    /// This function of the case returns `true` for the arguments of every failure.
    Inputs(String),
}

/// A demand that one of the failures found matches this description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finds {
    pub failure: FailurePattern,
    /// Patterns of the arguments, without parentheses.
    pub arguments: Option<String>,
    pub guard: Option<String>,
    /// The number of runs within which the failure must be found.
    pub within: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailurePattern {
    /// A class of exceptions, or `spec` for a result that the specification does not allow; and a pattern of the reason
    /// or of that result.
    Ends {
        class: String,
        pattern: String,
    },
    Timeout,
    Deadlock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Equal,
    AtMost,
    AtLeast,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions { seeds: Vec::new(), bound: None, max_runs: 1000, steps: 2_000_000, order: Order::Coverage }
    }
}

impl Relation {
    pub fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::AtMost => left <= right,
            Relation::AtLeast => left >= right,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Equal => "=",
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
        })
    }
}

/// Reads the text after the mark. The error is a sentence without a position.
pub(crate) fn parse_claim(text: &str, line: usize, is_gap: bool) -> Result<SearchClaim, String> {
    let text = text.trim();
    let [head, demands] = &split(text, ":", 2)[..] else {
        return Err("there is no `:` behind the function: write `f/1: clean; exhausts`".to_owned());
    };
    let (name, options) = match &split(head, " with ", 2)[..] {
        [name, options] => (*name, parse_options(options)?),
        _ => (*head, SearchOptions::default()),
    };
    let function = match name.trim().rsplit_once('/') {
        Some((function, arity)) => arity.parse().ok().map(|arity| Some((function.to_owned(), arity))),
        None => (name.trim() == "client").then_some(None),
    };
    let function = function
        .ok_or_else(|| format!("`{}` is no function: write its name and its arity, `f/1`, or `client`", name.trim()))?;
    let demands: Vec<Demand> =
        split(demands, ";", usize::MAX).into_iter().map(parse_demand).collect::<Result<_, _>>()?;
    let expects_failures = demands.iter().any(|demand| matches!(demand, Demand::Finds(_)));
    match demands.contains(&Demand::Clean) {
        clean if clean == expects_failures => {
            Err("it must say either what is found (`finds …`) or that nothing is (`clean`)".to_owned())
        }
        _ => Ok(SearchClaim { line, is_gap, text: text.to_owned(), function, options, demands }),
    }
}

fn parse_options(text: &str) -> Result<SearchOptions, String> {
    let mut options = SearchOptions::default();
    for option in split(text, ",", usize::MAX) {
        let (name, value) = option.split_once(' ').unwrap_or((option, ""));
        match (name, value.trim()) {
            ("seed", value) => options.seeds.push(in_parentheses(value)?.to_owned()),
            ("bound", value) => options.bound = Some(number(value)? as usize),
            ("max", value) => options.max_runs = number(value)?,
            ("steps", value) => options.steps = number(value)?,
            ("order", "coverage") => options.order = Order::Coverage,
            ("order", "breadth") => options.order = Order::Breadth,
            ("order", "depth") => options.order = Order::Depth,
            _ => return Err(format!("`{option}` is no option of a search")),
        }
    }
    Ok(options)
}

fn parse_demand(text: &str) -> Result<Demand, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim();
    let relation = || match rest.split_once(' ') {
        Some(("=", value)) => Ok((Relation::Equal, number(value)?)),
        Some(("<=", value)) => Ok((Relation::AtMost, number(value)?)),
        Some((">=", value)) => Ok((Relation::AtLeast, number(value)?)),
        _ => Err(format!("`{text}` does not compare: write `{word} = 3`, `{word} <= 20` or `{word} >= 2`")),
    };
    match (word, rest) {
        ("clean", "") => Ok(Demand::Clean),
        ("exhausts", "") => Ok(Demand::Exhausts),
        ("budget", "") => Ok(Demand::Budget),
        ("incomplete", "") => Ok(Demand::Incomplete),
        ("bounded", _) => relation().map(|(relation, probes)| Demand::Bounded(relation, probes)),
        ("runs", _) => relation().map(|(relation, runs)| Demand::Runs(relation, runs)),
        ("failures", _) => relation().map(|(relation, failures)| Demand::Failures(relation, failures)),
        ("inputs", function) if !function.is_empty() => Ok(Demand::Inputs(function.to_owned())),
        ("finds", rest) => parse_finds(rest).map(Demand::Finds),
        _ => Err(format!("`{text}` is nothing that a search could be held to")),
    }
}

fn parse_finds(text: &str) -> Result<Finds, String> {
    let (text, within) = match &split(text, " within ", 2)[..] {
        [text, runs] => (*text, Some(number(runs.strip_suffix("runs").unwrap_or(runs))?)),
        _ => (text, None),
    };
    let (text, guard) = match &split(text, " when ", 2)[..] {
        [text, guard] => (*text, Some((*guard).to_owned())),
        _ => (text, None),
    };
    let (failure, arguments) = match &split(text, " for ", 2)[..] {
        [failure, arguments] => (*failure, Some(in_parentheses(arguments)?.to_owned())),
        _ => (text, None),
    };
    let failure = match failure.trim() {
        "timeout" => FailurePattern::Timeout,
        "deadlock" => FailurePattern::Deadlock,
        failure => match failure.split_once(':') {
            Some((class @ ("error" | "exit" | "throw" | "spec"), pattern)) if !pattern.trim().is_empty() => {
                FailurePattern::Ends { class: class.to_owned(), pattern: pattern.trim().to_owned() }
            }
            _ => return Err(format!("`{failure}` is no failure: write `error:badarg` or `timeout`")),
        },
    };
    Ok(Finds { failure, arguments, guard, within })
}

fn in_parentheses(text: &str) -> Result<&str, String> {
    let inside = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inside.map(str::trim).ok_or_else(|| format!("`{text}` must stand in parentheses, as the arguments of a call do"))
}

fn number(text: &str) -> Result<u64, String> {
    text.trim().replace('_', "").parse().map_err(|_| format!("`{}` is no number", text.trim()))
}

/// Splits a text into at most `parts` pieces at a separator that is not inside brackets, a string, a quoted atom or a
/// character.
fn split<'a>(text: &'a str, separator: &str, parts: usize) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut quote, mut escaped) = (0, 0usize, None, false);
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        if at < start {
            continue;
        }
        match (quote, character) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '$') => drop(characters.next()),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 && pieces.len() + 1 < parts && text[at..].starts_with(separator) => {
                pieces.push(text[start..at].trim());
                start = at + separator.len();
            }
            (None, _) => {}
        }
    }
    pieces.push(text[start..].trim());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_names_a_function_options_and_demands() {
        let text = " foo/2 with seed ([a, {b}], 1), seed ([], 2), bound 3, max 10_000, order depth: \
                    finds error:{badmatch,_} for (X, [$;|_]) when X < 2; X > 7 within 20 runs; \
                    finds timeout; exhausts; runs <= 30; failures = 2; inputs is_e";
        // A `;` between alternatives of a guard would begin a demand, so the alternatives must be in parentheses or be
        // written otherwise.
        assert!(parse_claim(text, 3, false).is_err());
        let claim = parse_claim(&text.replace("X < 2; X > 7", "(X < 2) or (X > 7)"), 3, false).unwrap();
        assert_eq!((claim.function.clone(), claim.line), (Some(("foo".to_owned(), 2)), 3));
        assert_eq!(claim.options.seeds, ["[a, {b}], 1", "[], 2"]);
        assert_eq!((claim.options.bound, claim.options.max_runs, claim.options.order), (Some(3), 10_000, Order::Depth));
        let finds = Finds {
            failure: FailurePattern::Ends { class: "error".to_owned(), pattern: "{badmatch,_}".to_owned() },
            arguments: Some("X, [$;|_]".to_owned()),
            guard: Some("(X < 2) or (X > 7)".to_owned()),
            within: Some(20),
        };
        let timeout = Finds { failure: FailurePattern::Timeout, arguments: None, guard: None, within: None };
        let expected = [
            Demand::Finds(finds),
            Demand::Finds(timeout),
            Demand::Exhausts,
            Demand::Runs(Relation::AtMost, 30),
            Demand::Failures(Relation::Equal, 2),
            Demand::Inputs("is_e".to_owned()),
        ];
        assert_eq!(claim.demands, expected);
    }

    #[test]
    fn separators_in_terms_do_not_divide() {
        let claim = parse_claim("f/1: finds error:{\"a; b for c\",'x:y',$;}; exhausts", 1, true).unwrap();
        let pattern = "{\"a; b for c\",'x:y',$;}".to_owned();
        let failure = FailurePattern::Ends { class: "error".to_owned(), pattern };
        assert_eq!(claim.demands[0], Demand::Finds(Finds { failure, arguments: None, guard: None, within: None }));
        assert!(claim.is_gap);
    }

    #[test]
    fn what_is_no_claim_is_reported() {
        for text in [
            "f/1", "f: clean", "f/1: ", "f/1: exhausts", "f/1: clean; finds error:x", "f/1: finds badarg",
            "f/1: clean; runs 3", "f/1 with luck: clean", "f/1 with seed 1: clean", "f/1: finds error:x for X",
        ] {
            assert!(parse_claim(text, 1, false).is_err(), "{text}");
        }
    }
}
