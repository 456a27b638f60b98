//! The words and the code of each reason why the solver left a query undecided.

use crate::Printer;
use crate::codes::Code;
use solver::{SmtFailure, Unknown};

/// The reason in words, with functions named as the printer does.
pub(crate) fn words(printer: &dyn Printer, why: &Unknown) -> String {
    let reason = match why {
        Unknown::NoSmtSolver => "no SMT solver".to_string(),
        Unknown::SmtGaveUp => "the solver does not know".to_string(),
        Unknown::NotOverReals => "no solution over the reals, but floats are not reals".to_string(),
        Unknown::ModelUnreadable => "the solver's model has no values".to_string(),
        Unknown::SolutionTooLarge => "what would solve it is too large to be made".to_string(),
        Unknown::ModelNotLaidOut => "the solver's model cannot be laid out".to_string(),
        Unknown::ModelIncomplete => "no model of the solver could be made into a value".to_string(),
        Unknown::TooManyDependencies => "too many conditions depend on each other".to_string(),
        Unknown::KnownBySamples(functions) => {
            let names: Vec<String> = functions.iter().map(|name| printer.function(*name)).collect();
            format!("{} is known by samples only", names.join(", "))
        }
        Unknown::SmtFailed(failure) => match failure {
            SmtFailure::NotStarted(reason) => format!("the solver could not be started again: {reason}"),
            SmtFailure::Died(reason) => format!("the solver died: {reason}"),
            SmtFailure::Silent => "the solver did not answer in time".to_string(),
            SmtFailure::AnswerTooLong => "the solver's answer is too long".to_string(),
            SmtFailure::Unexpected(answer) => format!("the solver answered: {answer}"),
        },
    };
    format!("undecided: {reason}")
}

/// The code of the reason.
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
