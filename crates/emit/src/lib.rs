//! Writes regression tests for findings: EUnit modules for Erlang, ExUnit files for Elixir.
//!
//! The test of a finding fails as long as the bug exists, and passes once it is fixed, whatever the function then
//! returns: a call that crashed must return, a call that broke its specification must return a value that the
//! specification allows, and a call that did not end must return, too. If a process crashed, no process may end like
//! it. The test of a path asserts what the function does today.
//!
//! This crate does not access files: it takes the text of a file and returns the new text (`file.rs`). The same
//! findings make the same text.

mod blame;
mod check;
mod file;
mod framework;

pub use file::{Emitted, FileError, HEAD, PREFIX, file};
pub use framework::{Conditions, Framework};

use blame::refusing;
use check::check;
use contract::Contract;
use path::{Argument, Class, InputValue, Reach, Setup};
use report::{Judged, Judgement, Printer};
use search::Failure;
use term::{Atom, FunctionName, Term};

#[derive(Clone, Debug)]
pub struct Test {
    /// A digest of the kind of test and the call. A file that mentions it has the test, or had it.
    pub id: String,
    /// The subject of the test. A number is added if a file already has this name.
    pub name: String,
    pub comment: Vec<String>,
    /// Calls that set up what the tested function needs.
    pub setups: Vec<String>,
    pub body: Body,
    /// The key by which tests are sorted: the function with its arity, the kind of the test, and the call.
    pub order: (String, u32, u8, String),
}

/// The assertion about a call.
#[derive(Clone, Debug)]
pub enum Body {
    /// It returns.
    Returns { call: String },
    /// It returns a value that satisfies this condition, in which the result has a name.
    Satisfies { call: String, condition: String },
    /// It returns something else.
    Differs { call: String, from: String },
    /// It returns in time, and its process is not ended by another one.
    Ends { call: String },
    /// It returns in time, and its process is not ended by another one, not even for a while after it has returned: by
    /// then, processes that it is linked to may crash.
    Survives { call: String },
    /// No process that it starts ends with a reason that matches this pattern.
    NoneEnds { call: String, reason: String },
    /// It returns exactly this.
    Equals { call: String, value: String },
    /// It raises an exception: `what` is a pattern of the reason, or the name of an Elixir exception.
    Raises { call: String, class: Atom, what: String },
}

/// The outcome of a call on the real runtime.
#[derive(Clone, Debug)]
pub enum Observed {
    Value(Term),
    /// An exception; `shown` is how a shell shows it.
    Raised {
        class: Atom,
        reason: Term,
        shown: String,
    },
}

/// The lengths above which texts are shortened or left out of a test.
const LONGEST_COMMENT: usize = 300;
const LONGEST_VALUE: usize = 4000;
const LONGEST_NAME: usize = 150;

impl dyn Framework + '_ {
    /// Returns the test of a finding, or `None` if the finding is not certain or cannot be asserted.
    pub fn bug(&self, printer: &dyn Printer, contract: &Contract, name: FunctionName, judged: &Judged) -> Option<Test> {
        let finding = &judged.finding;
        if judged.judgement != Judgement::Confirmed || finding.depends_on.iter().any(|surrounding| surrounding.varies())
        {
            return None;
        }
        let (what, rank) = (self.what(printer, judged), rank(&finding.failure));
        let mut comment = vec![line(&report::title(printer, name, judged))];
        let mut steps = report::steps(printer, finding).unwrap_or_default();
        let (before, call) = match &finding.failure {
            _ if !steps.is_empty() => {
                let last = steps.pop().unwrap_or_default();
                (steps, last)
            }
            Failure::Blame(blame) => {
                let finding = refusing(finding, blame, &contract.types);
                call(printer, name, &finding.inputs, &finding.functions)
            }
            _ => call(printer, name, &finding.inputs, &finding.functions),
        };
        let body = match &finding.failure {
            Failure::Crash(raised) => {
                let entry = raised.trace.first();
                let place = entry.map(|entry| FunctionName {
                    module: entry.module,
                    function: entry.function,
                    arity: entry.arity,
                });
                if let Some(place) = place.filter(|place| *place != name) {
                    comment.push(format!("in {}", line(&printer.function(place))));
                }
                match raised.reach {
                    Reach::Caller => Body::Returns { call: call.clone() },
                    Reach::Link(_) => Body::Survives { call: call.clone() },
                    // If a supervisor ends, the bug is the crash of the processes that it had to restart.
                    Reach::Nobody | Reach::Supervisor(_) => {
                        let pattern = self.reason(printer, &raised.reason);
                        // A pattern that matches everything would also reject the fixed function.
                        let reason = match raised.class {
                            Class::Error => format!("{{{pattern}, _}}"),
                            Class::Throw => format!("{{{{{}, {pattern}}}, _}}", printer.term(&Term::atom("nocatch"))),
                            Class::Exit => Some(pattern).filter(|pattern| pattern != "_")?,
                        };
                        Body::NoneEnds { call: call.clone(), reason }
                    }
                }
            }
            Failure::Blame(_) => Body::Returns { call: call.clone() },
            Failure::Spec { result, .. } => {
                comment.extend(self.specification(judged));
                let (contract, args) = match finding.functions.scenario.as_ref().and_then(|it| it.last_call()) {
                    Some((function, args)) => (contract.of_operation(function), plain(args)),
                    None => (Some(contract.clone()), data(&finding.inputs)),
                };
                match contract.and_then(|contract| check(self, printer, &contract, &args, result)) {
                    Some(condition) if finding.functions.applications.is_empty() => {
                        Body::Satisfies { call: call.clone(), condition }
                    }
                    _ if is_plain(result) => Body::Differs { call: call.clone(), from: printer.term(result) },
                    _ => return None,
                }
            }
            Failure::Timeout(_) | Failure::Deadlock(_) => Body::Ends { call: call.clone() },
        };
        let test = self.new_test(name, &what, comment, rank, whole(&before, call), body);
        // The assertion is about the last step; the steps before it set up what it needs.
        Some(Test { setups: before, ..test })
    }

    /// Returns the test of a path, which asserts what a call did.
    pub fn example(
        &self,
        printer: &dyn Printer,
        name: FunctionName,
        inputs: &[InputValue],
        observed: &Observed,
    ) -> Test {
        let (before, call) = call(printer, name, inputs, &Default::default());
        let (does, body) = match observed {
            Observed::Value(value) => match written(printer, value) {
                Some(value) => ("returns", Body::Equals { call: call.clone(), value }),
                None => ("returns", Body::Returns { call: call.clone() }),
            },
            Observed::Raised { class, reason, shown } => {
                let what = self.asserted(printer, *class, reason, shown);
                ("raises", Body::Raises { call: call.clone(), class: *class, what })
            }
        };
        let test = self.new_test(name, &self.on_path(does), Vec::new(), PATH, whole(&before, call), body);
        Test { setups: before, ..test }
    }

    fn new_test(
        &self,
        name: FunctionName,
        what: &str,
        comment: Vec<String>,
        rank: u8,
        call: String,
        body: Body,
    ) -> Test {
        let FunctionName { function, arity, .. } = name;
        let id = blake3::hash(format!("{rank}\0{call}").as_bytes()).to_hex()[..8].to_string();
        let order = (function.text().to_string(), arity, rank, call);
        // The names of tests have a maximum length, and a number may have to be added.
        let function: String = function.text().chars().take(LONGEST_NAME).collect();
        let name = self.name(&function, (!name.is_client()).then_some(arity), what);
        Test { id, name, comment, setups: Vec::new(), body, order }
    }

    /// Describes the failure in a few words, for a name.
    fn what(&self, printer: &dyn Printer, judged: &Judged) -> String {
        match &judged.finding.failure {
            Failure::Crash(raised) => {
                let class = raised.class.atom();
                let verb = match class.text() {
                    "throw" => "throws",
                    "exit" => "exits with",
                    _ => "raises",
                };
                let label = self.exception(class, label(printer, &raised.reason), &judged.shown);
                let raises = format!("{verb} {}", label.unwrap_or_else(|| "a term".to_string()));
                match raised.reach {
                    Reach::Caller => raises,
                    Reach::Link(_) => format!("is linked to a process that {raises}"),
                    Reach::Nobody | Reach::Supervisor(_) => format!("starts a process that {raises}"),
                }
            }
            Failure::Spec { .. } => "breaks its spec".to_string(),
            Failure::Blame(_) => "misuses a function".to_string(),
            Failure::Timeout(_) => "does not end".to_string(),
            Failure::Deadlock(_) => "waits for ever".to_string(),
        }
    }

    /// Returns the line of source with the specification, if that is where the finding is shown.
    fn specification(&self, judged: &Judged) -> Option<String> {
        let place = judged.place.as_ref()?;
        let text = place.text.as_deref()?.lines().nth(place.line.checked_sub(1)? as usize)?.trim();
        self.is_specification(text).then(|| line(text))
    }
}

/// Returns the tests with the setups of their function before their own.
pub fn after_setups(printer: &dyn Printer, setups: &[Setup], tests: Vec<Test>) -> Vec<Test> {
    let setups: Vec<String> = setups.iter().map(|setup| report::setup_call(printer, setup)).collect();
    let behind = |test: Test| Test { setups: setups.iter().cloned().chain(test.setups).collect(), ..test };
    tests.into_iter().map(behind).collect()
}

/// The ranks of tests of paths, and of crashes in other processes. Tests are ordered by rank.
const PATH: u8 = 5;
const PROCESS: u8 = 6;

fn rank(failure: &Failure) -> u8 {
    match failure {
        Failure::Crash(raised) if raised.reach != Reach::Caller => PROCESS,
        Failure::Crash(_) => 0,
        Failure::Spec { .. } => 1,
        Failure::Blame(_) => 2,
        Failure::Timeout(_) => 3,
        Failure::Deadlock(_) => 4,
    }
}

/// Returns the text that identifies a test: everything that it does.
fn whole(before: &[String], call: String) -> String {
    before.iter().cloned().chain([call]).collect::<Vec<_>>().join("\n")
}

/// Returns what identifies a reason: an atom, possibly at the beginning of a tuple, or an exception's name.
fn label(printer: &dyn Printer, reason: &Term) -> Option<String> {
    let atom = match reason {
        Term::Tuple(parts) => parts.first()?.as_atom()?,
        Term::Map(_) => printer.type_name(reason)?,
        other => other.as_atom()?,
    };
    let text: String =
        atom.text().chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).take(40).collect();
    (!text.is_empty()).then_some(text)
}

/// Returns the statements before a call, and the call. Functions in it accept any arguments, as in a program.
fn call(
    printer: &dyn Printer,
    name: FunctionName,
    inputs: &[InputValue],
    functions: &path::Witness,
) -> (Vec<String>, String) {
    let report::Arguments { before, args } = report::arguments(printer, inputs, false);
    (before, printer.applied(printer.call(name.module, name.function, &args), functions, false))
}

/// Returns the arguments, if all of them are data.
fn data(inputs: &[InputValue]) -> Option<Vec<Term>> {
    inputs.iter().map(|input| Some(input.as_data()?.data.clone())).collect()
}

/// Returns the arguments of a step, if all of them are data.
fn plain(args: &[Argument]) -> Option<Vec<Term>> {
    let data = |arg: &Argument| match arg {
        Argument::Data { value, .. } | Argument::Fixed(value) => Some(value.clone()),
        Argument::Part { .. } | Argument::Tuple(_) | Argument::List(_) | Argument::Map { .. } => None,
    };
    args.iter().map(data).collect()
}

/// Returns a text as one line for a comment.
fn line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_COMMENT + 1).collect();
    match text.char_indices().nth(LONGEST_COMMENT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Returns a term as an expression for a test, if it can be written down and is not too long.
pub fn written(printer: &dyn Printer, term: &Term) -> Option<String> {
    Some(printer.term(term)).filter(|text| is_plain(term) && text.len() <= LONGEST_VALUE)
}

/// Returns whether a term can be written down, and compared with.
fn is_plain(term: &Term) -> bool {
    all_parts(term, |part| match part {
        Term::Fun(fun) => matches!(**fun, term::Fun::External { .. }),
        Term::Pid(_) | Term::Reference(_) | Term::Port(_) => false,
        _ => true,
    })
}

/// Returns a pattern that matches a term, and as few others as possible.
pub fn pattern(printer: &dyn Printer, term: &Term) -> String {
    match term {
        _ if is_pattern(term) => Some(printer.term(term)).filter(|text| text.len() <= LONGEST_VALUE),
        Term::Tuple(parts) if parts.len() <= 8 => {
            let parts: Vec<String> = parts.iter().map(|part| pattern(printer, part)).collect();
            Some(format!("{{{}}}", parts.join(",")))
        }
        _ => None,
    }
    .unwrap_or_else(|| "_".to_string())
}

/// Returns whether the text of a term, used as a pattern, matches this term and nothing else.
fn is_pattern(term: &Term) -> bool {
    all_parts(term, |part| {
        !matches!(
            part,
            Term::Map(_) | Term::Float(_) | Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_)
        )
    })
}

fn all_parts(term: &Term, holds: impl Fn(&Term) -> bool) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !holds(term) {
            return false;
        }
        open.extend(path::functions::parts(term));
    }
    true
}
