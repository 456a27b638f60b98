//! The conversation between the unit and the functions that it was given, line by line.

use crate::Printer;
use path::Said;
use search::Finding;
use term::{Fun, FunctionName, Term};

/// The maximum number of lines that are shown.
const LONGEST: usize = 24;

/// Returns the lines of the conversation. There are none without function inputs.
pub(crate) fn conversation(printer: &dyn Printer, name: FunctionName, finding: &Finding) -> Vec<String> {
    let mut lines = Vec::new();
    // The function inputs whose calls are not finished, the innermost last.
    let mut open: Vec<String> = Vec::new();
    for said in &finding.said {
        if lines.len() == LONGEST {
            lines.push("…".to_string());
            break;
        }
        let all = |args: &[Term]| args.iter().map(|arg| printer.term(arg)).collect::<Vec<_>>().join(", ");
        let indent = "  ".repeat(open.len());
        let who = || open.last().cloned().unwrap_or_else(|| "it".to_string());
        let line = match said {
            Said::Called { function, args } => {
                let called = called(finding, *function);
                let line = format!("{indent}{} calls {called} with ({})", printer.function(name), all(args));
                open.push(called);
                line
            }
            Said::Asked { args } => {
                format!("{indent}{} calls a function that it was given with ({})", who(), all(args))
            }
            Said::Got { value } => format!("{indent}  which returns {}", printer.term(value)),
            Said::GotException { class, reason } => {
                format!("{indent}  which raises {} {}", printer.term(class), printer.term(reason))
            }
            Said::Answered { value } => {
                let line = format!("{indent}{} answers {}", who(), printer.term(value));
                open.pop();
                line
            }
            Said::Raised { class, reason } => {
                let line = format!("{indent}{} raises {} {}", who(), class.atom(), printer.term(reason));
                open.pop();
                line
            }
        };
        lines.push(line);
    }
    lines
}

/// Returns the name of a function input for readers.
fn called(finding: &Finding, number: u32) -> String {
    let is = |term: &Term| matches!(term, Term::Fun(fun) if matches!(**fun, Fun::Input { number: own, .. } if own == number));
    let place = finding.inputs.iter().position(|input| input.as_data().is_some_and(|value| is(&value.data)));
    match place {
        Some(index) => format!("argument {}", index + 1),
        None => "a function that it got".to_string(),
    }
}
