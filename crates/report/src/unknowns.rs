//! The words and the code of each reason why the solver left a query undecided.

use crate::Printer;
use crate::codes::Code;
use solver::{SmtFailure, Unknown};

/// Returns the reason in words, with functions named as the printer does.
pub(crate) fn words(printer: &dyn Printer, why: &Unknown) -> String {
    let reason = match why {
        Unknown::NoSmtSolver => "there is no SMT solver".to_string(),
        Unknown::SmtGaveUp => "the solver gave up".to_string(),
        Unknown::NotOverReals => "there is no solution in real numbers, but there may be one in floats".to_string(),
        Unknown::ModelUnreadable => "the solver's model could not be read".to_string(),
        Unknown::SolutionTooLarge => "the solution is too large to be made".to_string(),
        Unknown::ModelNotLaidOut => "the solver's model contradicts the types of the inputs".to_string(),
        Unknown::ModelIncomplete => "the solver's model is incomplete and could not be completed".to_string(),
        Unknown::TooManyDependencies => "too many conditions depend on each other".to_string(),
        Unknown::KnownBySamples(functions) => {
            let names: Vec<String> = functions.iter().map(|name| printer.function(*name)).collect();
            format!("{} {} known by samples only", names.join(", "), if names.len() == 1 { "is" } else { "are" })
        }
        Unknown::SmtFailed(failure) => match failure {
            SmtFailure::NotStarted(reason) => format!("the solver could not be restarted: {reason}"),
            SmtFailure::Died(reason) => format!("the solver died: {reason}"),
            SmtFailure::Silent => "the solver did not answer in time".to_string(),
            SmtFailure::AnswerTooLong => "the solver's answer was too long".to_string(),
            SmtFailure::Unexpected(answer) => format!("the solver gave an unexpected answer: {answer}"),
        },
    };
    format!("undecided: {reason}")
}

/// Returns the code of the reason.
pub(crate) fn code(why: &Unknown) -> Code {
    match why {
        Unknown::NoSmtSolver
        | Unknown::SmtGaveUp
        | Unknown::NotOverReals
        | Unknown::ModelUnreadable
        | Unknown::SolutionTooLarge
        | Unknown::ModelNotLaidOut
        | Unknown::ModelIncomplete
        | Unknown::TooManyDependencies
        | Unknown::KnownBySamples(_)
        | Unknown::SmtFailed(_) => Code::Undecided,
    }
}
