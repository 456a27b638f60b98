//! A case file: a sentence, claims, and a module.
//!
//! The head is the sequence of lines that begin with `%%`. Its first line is the sentence that says what the case
//! shows. A line `%%! expression ==> result` is a claim; the first `==>` of the line divides it. The result is absent
//! until the case is blessed. A line `%%? f/1: …` is a claim about a search. The marks `%%-!` and `%%-?` denote known
//! gaps: claims that are true of the BEAM and of a search without faults, but not of Beagle. A line `%%= reason` says
//! that all claims are about one release of OTP, and why.

use crate::claims::{SearchClaim, parse_claim};
use std::path::{Path, PathBuf};

const CLAIM: &str = "%%!";
const CLAIM_GAP: &str = "%%-!";
const BLESSED_RELEASE_ONLY: &str = "%%=";
const SEARCH: &str = "%%?";
const SEARCH_GAP: &str = "%%-?";
pub(crate) const ARROW: &str = "==>";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Folder and file without the extension, such as `maps/bad_map`. It is the name of the case's test.
    pub name: String,
    /// The module that the file defines. It has the file's name.
    pub module: String,
    pub path: PathBuf,
    pub text: String,
    /// The sentence that says what the case shows.
    pub sentence: String,
    /// The reason why the claims hold only for the release of OTP whose answers are committed.
    pub blessed_release_only: Option<String>,
    pub claims: Vec<Claim>,
    pub searches: Vec<SearchClaim>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Counted from one.
    pub line: usize,
    /// Whether the claim is known not to hold on the machine.
    pub is_gap: bool,
    pub expression: String,
    pub expected: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    #[error("the file's name is not one of a module: it must end in .erl")]
    FileName,
    #[error(
        "the first lines must be a comment that begins with `%% `, says what the case shows, and ends with a full stop"
    )]
    NoSentence,
    #[error("line {line} begins with a mark that is not known; claims begin with `{CLAIM} ` or `{SEARCH} `")]
    UnknownMark { line: usize },
    #[error("line {line} claims nothing: write `{CLAIM} expression {ARROW} result`, or no result and bless it")]
    NoExpression { line: usize },
    #[error("line {line} is no claim about a search: {why}")]
    Search { line: usize, why: String },
    #[error("there is no claim: write a line `{CLAIM} expression` below the sentence")]
    NoClaim,
    #[error("the claim at line {line} stands below the head of the file, where nobody looks for it")]
    LateClaim { line: usize },
    #[error("`-module({expected}).` is missing: the module must have the file's name")]
    ModuleName { expected: String },
}

/// Reads the text of the case with this name and path.
pub fn parse(name: &str, path: &Path, text: &str) -> Result<Case, CaseError> {
    let module = match (path.extension(), path.file_stem().and_then(|stem| stem.to_str())) {
        (Some(extension), Some(stem)) if extension == "erl" => stem.to_owned(),
        _ => return Err(CaseError::FileName),
    };
    let sentence = read_sentence(text).ok_or(CaseError::NoSentence)?;
    let (mut claims, mut searches) = (Vec::new(), Vec::new());
    let mut blessed_release_only = None;
    let mut in_head = true;
    for (line_text, line) in text.lines().zip(1..) {
        in_head &= line_text.starts_with("%%");
        if is_claim(line_text) && !in_head {
            return Err(CaseError::LateClaim { line });
        }
        if in_head && let Some((search, is_gap)) = search_of(line_text) {
            searches.push(parse_claim(search, line, is_gap).map_err(|why| CaseError::Search { line, why })?);
        } else if in_head && let Some(reason) = line_text.strip_prefix(BLESSED_RELEASE_ONLY) {
            blessed_release_only = Some(reason.trim().to_owned());
        } else if in_head {
            claims.extend(read_head_line(line_text, line)?);
        }
    }
    if claims.is_empty() && searches.is_empty() {
        return Err(CaseError::NoClaim);
    }
    if !text.lines().any(|line| line.trim_end() == format!("-module({module}).")) {
        return Err(CaseError::ModuleName { expected: module });
    }
    Ok(Case {
        name: name.to_owned(),
        module,
        path: path.to_owned(),
        text: text.to_owned(),
        sentence,
        blessed_release_only,
        claims,
        searches,
    })
}

/// Returns the expression of a claim with the white space around it, and the text after the arrow if there is one.
pub(crate) fn split_claim(line: &str) -> Option<(&str, Option<&str>)> {
    let claim = line.strip_prefix(CLAIM).or_else(|| line.strip_prefix(CLAIM_GAP))?;
    Some(match claim.split_once(ARROW) {
        Some((expression, result)) => (expression, Some(result)),
        None => (claim, None),
    })
}

/// Returns the text after the mark of a claim about a search, and whether the claim is a gap.
fn search_of(line: &str) -> Option<(&str, bool)> {
    let claim = line.strip_prefix(SEARCH).map(|claim| (claim, false));
    claim.or_else(|| line.strip_prefix(SEARCH_GAP).map(|claim| (claim, true)))
}

fn is_claim(line: &str) -> bool {
    split_claim(line).is_some() || search_of(line).is_some()
}

/// Returns the comment at the beginning, up to the first line that ends with a full stop.
fn read_sentence(text: &str) -> Option<String> {
    let mut parts = Vec::new();
    for line in text.lines() {
        let part = line.strip_prefix("%% ")?.trim();
        parts.push(part);
        if part.ends_with('.') {
            return Some(parts.join(" "));
        }
    }
    None
}

fn read_head_line(text: &str, line: usize) -> Result<Option<Claim>, CaseError> {
    let Some((expression, result)) = split_claim(text) else {
        // The sentence may span several lines, but a new kind of claim must not pass as a comment.
        let is_comment = text == "%%" || text.starts_with("%% ");
        return if is_comment { Ok(None) } else { Err(CaseError::UnknownMark { line }) };
    };
    let expression = expression.trim();
    if expression.is_empty() {
        return Err(CaseError::NoExpression { line });
    }
    let expected = result.map(str::trim).filter(|result| !result.is_empty());
    Ok(Some(Claim {
        line,
        is_gap: text.starts_with(CLAIM_GAP),
        expression: expression.to_owned(),
        expected: expected.map(str::to_owned),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Case, CaseError> {
        parse("maps/get", Path::new("/corpus/maps/get.erl"), text)
    }

    #[test]
    fn a_case_is_a_sentence_claims_and_a_module() {
        let text = "%% Shows it.\n%%! f(#{a => 1})  ==> 1\n%%! f(x) ==> error {badmap,x}\n%%! g()\n-module(get).\n";
        let case = parse_text(text).unwrap();
        assert_eq!(case.sentence, "Shows it.");
        assert_eq!(case.module, "get");
        let claim = |line, expression: &str, expected: Option<&str>| Claim {
            line,
            is_gap: false,
            expression: expression.to_owned(),
            expected: expected.map(str::to_owned),
        };
        let expected =
            [claim(2, "f(#{a => 1})", Some("1")), claim(3, "f(x)", Some("error {badmap,x}")), claim(4, "g()", None)];
        assert_eq!(case.claims, expected);
    }

    #[test]
    fn a_sentence_may_take_several_lines() {
        let case = parse_text("%% Shows it\n%% well.\n%% More.\n%%! f() ==> 1\n-module(get).\n").unwrap();
        assert_eq!((case.sentence.as_str(), case.claims[0].line), ("Shows it well.", 4));
    }

    #[test]
    fn the_first_arrow_divides() {
        let case = parse_text("%% Shows it.\n%%! f() ==> \"a ==> b\"\n-module(get).\n").unwrap();
        assert_eq!(case.claims[0].expected.as_deref(), Some("\"a ==> b\""));
    }

    #[test]
    fn gaps_and_searches_have_marks_of_their_own() {
        let text = "%% Shows it.\n%%-! f() ==> 1\n%%? f/0: clean; exhausts\n%%-? g/1: clean\n-module(get).\n";
        let case = parse_text(text).unwrap();
        assert!(case.claims[0].is_gap);
        assert_eq!(case.claims[0].expression, "f()");
        let searches: Vec<_> = case.searches.iter().map(|search| (search.line, search.is_gap)).collect();
        assert_eq!(searches, [(3, false), (4, true)]);
        let unreadable = parse_text("%% Shows it.\n%%? f/0 is nice\n-module(get).\n");
        assert!(matches!(unreadable, Err(CaseError::Search { line: 2, .. })));
    }

    #[test]
    fn what_is_missing_is_named() {
        let errors = [
            ("", CaseError::NoSentence),
            ("%% Goes\n%% on and on\n%%! f()\n-module(get).\n", CaseError::NoSentence),
            ("%% No full stop\n%%! f()\n-module(get).\n", CaseError::NoSentence),
            ("%% Shows it.\n-module(get).\n", CaseError::NoClaim),
            ("%% Shows it.\n%%! ==> 1\n-module(get).\n", CaseError::NoExpression { line: 2 }),
            ("%% Shows it.\n%%+ f/1 exhausts\n-module(get).\n", CaseError::UnknownMark { line: 2 }),
            ("%% Shows it.\n%%! f()\n-module(get).\n%%! g()\n", CaseError::LateClaim { line: 4 }),
            ("%% Shows it.\n%%! f()\n-module(put).\n", CaseError::ModuleName { expected: "get".to_owned() }),
        ];
        for (text, error) in errors {
            assert_eq!(parse_text(text), Err(error), "{text}");
        }
        assert_eq!(parse("readme", Path::new("/corpus/readme.md"), ""), Err(CaseError::FileName));
    }
}
