//! Writes the right-hand sides of claims, and leaves everything else unchanged.

use crate::case::{ARROW, split_claim};
use crate::{Beam, BeamError, Case};

#[derive(Debug, thiserror::Error)]
pub enum BlessError {
    #[error("{name}:{line}: {source}")]
    Beam { name: String, line: usize, source: BeamError },
    #[error("{name}:{line}: one evaluation gives `{first}`, the next `{second}`: claim something that stays true")]
    Unrepeatable { name: String, line: usize, first: String, second: String },
    #[error("{name}:{line}: `{result}` prints an identity that differs from run to run: claim a property of it")]
    Identity { name: String, line: usize, result: String },
}

/// Returns the text of the case with the BEAM's results as right-hand sides. It is unchanged if they are right.
pub fn bless(case: &Case, beam: &mut Beam) -> Result<String, BlessError> {
    let mut results = Vec::with_capacity(case.claims.len());
    for claim in &case.claims {
        let (name, line) = (case.name.clone(), claim.line);
        let mut judge = || {
            beam.judge(case, &claim.expression).map_err(|source| BlessError::Beam { name: name.clone(), line, source })
        };
        let (first, second) = (judge()?, judge()?);
        if shows_identity(&first) {
            return Err(BlessError::Identity { name, line, result: first });
        }
        if first != second {
            return Err(BlessError::Unrepeatable { name, line, first, second });
        }
        results.push((line, first));
    }
    Ok(with_results(&case.text, &results))
}

/// Writes results after the arrows of the claims at these lines.
fn with_results(text: &str, results: &[(usize, String)]) -> String {
    let column = arrow_column(text);
    let mut results = results.iter().peekable();
    let mut blessed = String::with_capacity(text.len());
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let content = line.trim_end_matches(['\n', '\r']);
        let result = results.next_if(|(of, _)| *of == number);
        match (result, split_claim(content)) {
            (Some((_, result)), Some((expression, old))) if old.map(str::trim) != Some(result) => {
                blessed.push_str(&claim_line(content, expression, old.is_some(), column));
                blessed.push(' ');
                blessed.push_str(result);
                blessed.push_str(&line[content.len()..]);
            }
            _ => blessed.push_str(line),
        }
    }
    blessed
}

/// Returns the claim up to its arrow, which keeps its position if there is one.
fn claim_line(content: &str, expression: &str, has_arrow: bool, column: usize) -> String {
    if has_arrow {
        let end = content.len() - content.split_once(ARROW).map_or(0, |(_, result)| result.len());
        return content[..end].to_owned();
    }
    let claim = &content[..content.len() - expression.len()];
    let start = format!("{claim} {}", expression.trim());
    let padding = column.saturating_sub(start.chars().count() + 1);
    format!("{start}{:padding$} {ARROW}", "")
}

/// Returns the column for new arrows: that of the present ones, otherwise the one after the longest claim that is not
/// too long.
fn arrow_column(text: &str) -> usize {
    const LONGEST: usize = 60;
    let claims = || text.lines().filter(|line| split_claim(line).is_some());
    let present = claims().filter_map(|line| line.split_once(ARROW)).map(|(start, _)| start.chars().count());
    let widths = claims().map(|line| line.trim_end().chars().count() + 1).filter(|width| *width <= LONGEST);
    present.filter(|column| *column <= LONGEST).max().or_else(|| widths.max()).unwrap_or_default()
}

/// Returns whether a result contains funs, references, ports or pids, which print as numbers that belong to one run.
fn shows_identity(result: &str) -> bool {
    let is_pid = |rest: &str| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        end.is_some_and(|end| rest[..end].matches('.').count() == 2 && rest[end..].starts_with('>'))
    };
    ["#Fun<", "#Ref<", "#Port<"].iter().any(|mark| result.contains(mark))
        || result.match_indices('<').any(|(at, _)| is_pid(&result[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(results: &[(usize, &str)]) -> Vec<(usize, String)> {
        results.iter().map(|(line, result)| (*line, (*result).to_owned())).collect()
    }

    #[test]
    fn only_what_is_behind_the_arrow_changes() {
        let text = "%% It.\n%%! f(1)   ==> 1\n%%! long(1) ==> old\n%% ==> a comment\n";
        let blessed = with_results(text, &results(&[(2, "1"), (3, "new ==> x")]));
        assert_eq!(blessed, "%% It.\n%%! f(1)   ==> 1\n%%! long(1) ==> new ==> x\n%% ==> a comment\n");
        assert_eq!(with_results(&blessed, &results(&[(2, "1"), (3, "new ==> x")])), blessed);
    }

    #[test]
    fn new_claims_are_aligned() {
        let fresh = "%% It.\r\n%%! f(1)\r\n%%! ff(12)\r\n";
        assert_eq!(
            with_results(fresh, &results(&[(2, "a"), (3, "b")])),
            "%% It.\r\n%%! f(1)   ==> a\r\n%%! ff(12) ==> b\r\n"
        );
        let added = "%%! f(1)     ==> a\n%%! ff(12)";
        assert_eq!(with_results(added, &results(&[(1, "a"), (2, "b")])), "%%! f(1)     ==> a\n%%! ff(12)   ==> b");
    }

    #[test]
    fn identities_are_seen() {
        for text in ["#Fun<m.0.123>", "{a,#Ref<0.1.2.3>}", "[<0.85.0>]", "#Port<0.1>"] {
            assert!(shows_identity(text), "{text}");
        }
        for text in ["<<1,2>>", "<<\"<a.b.c>\">>", "fun lists:map/2", "'<1.2>'", "<<0.5>>"] {
            assert!(!shows_identity(text), "{text}");
        }
    }
}
