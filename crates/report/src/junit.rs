//! JUnit XML, for CI servers: a suite for each module, a case for each function. A function fails if it has bugs of the
//! categories that the command fails for. Other findings, known findings, and findings that the real runtime
//! contradicts are only mentioned.

use crate::defect::identity;
use crate::rank::Category;
use crate::sentences::{effort, interrupted, missing, title, verdict};
use crate::visible::visible;
use crate::{Judged, Printers, Report, Results, Tested, account};
use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;
use term::FunctionName;

pub struct Junit<'p> {
    pub printers: &'p dyn Printers,
    /// The categories of findings that make a case fail.
    pub fail_on: Vec<Category>,
}

impl Report for Junit<'_> {
    fn found(&mut self, _: FunctionName, _: &Judged) -> String {
        String::new()
    }

    fn tested(&mut self, _: usize, _: &Tested) -> String {
        String::new()
    }

    fn finish(&mut self, results: &Results) -> String {
        let mut document = Document::new("beagle");
        document.set_time(seconds(results.summary.seconds));
        for (module, functions) in results.modules() {
            let mut suite = TestSuite::new(self.printers.of(module).module(module));
            suite.set_time(functions.iter().map(|tested| seconds(tested.seconds)).sum());
            suite.add_test_cases(functions.iter().map(|tested| self.case(tested)));
            document.add_test_suite(suite);
        }
        let interrupted = results.summary.untested.map(|untested| interrupted(untested, results.summary.functions));
        let failures: Vec<&String> = results.failures.iter().chain(&interrupted).collect();
        if !failures.is_empty() {
            let mut suite = TestSuite::new("not tested");
            for failure in failures {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_message(failure.lines().next().unwrap_or_default()).set_type("unreadable");
                status.set_description(failure.as_str());
                suite.add_test_case(TestCase::new(failure.lines().next().unwrap_or_default(), status));
            }
            document.add_test_suite(suite);
        }
        // The library removes what XML cannot represent. Other hidden characters only occur in texts.
        without_commands(&visible(&document.to_string().unwrap_or_default()))
    }
}

impl Junit<'_> {
    fn case(&self, tested: &Tested) -> TestCase {
        let name = tested.name;
        let printer = self.printers.of(name.module);
        let (bugs, others): (Vec<&Judged>, Vec<&Judged>) =
            tested.exploration.findings.iter().partition(|judged| judged.fails(&self.fail_on));
        let status = match bugs.first() {
            None => TestCaseStatus::success(),
            Some(first) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let more = match bugs.len() - 1 {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                status.set_message(format!("{}{more}", title(printer, name, first)));
                status.set_type(crate::kind(&first.finding.failure));
                status.set_description(self.accounts(name, &bugs));
                status
            }
        };
        let mut case = TestCase::new(name.local(), status);
        case.set_classname(printer.module(name.module));
        case.set_time(seconds(tested.seconds));
        // Cases with the same value have the same bug.
        case.add_properties(bugs.iter().map(|judged| ("beagle.defect".to_string(), identity(printer, name, judged))));
        if let Some(place) = bugs.iter().find_map(|judged| judged.place.as_ref()) {
            case.extra.insert("file".into(), place.path.as_str().into());
            case.extra.insert("line".into(), place.line.to_string().into());
        }
        let (_, verdict, more) = verdict(printer, tested);
        let mut said = format!("{verdict}{more} ({})\n", effort(tested));
        missing(printer, tested).iter().for_each(|(reason, _)| said.push_str(&format!("- {reason}\n")));
        if !others.is_empty() {
            said.push_str(&format!("\n{}\n", self.accounts(name, &others)));
        }
        case.set_system_out(said);
        case
    }

    fn accounts(&self, name: FunctionName, findings: &[&Judged]) -> String {
        let printer = self.printers.of(name.module);
        let account = |judged: &&Judged| {
            let place = judged.place.as_ref().map(|place| format!("\nat {}:{}", place.path, place.line));
            let title = title(printer, name, judged);
            format!("{title}{}\n\n{}\n", place.unwrap_or_default(), account(printer, name, judged))
        };
        findings.iter().map(account).collect::<Vec<_>>().join("\n")
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Writes the first colon of lines that begin with `::` as a reference, which means the same in XML. Logs of CI servers take
/// such lines for commands, and names of files may contain them.
fn without_commands(xml: &str) -> String {
    let mut out = String::with_capacity(xml.len());
    for line in xml.split_inclusive('\n') {
        let text = line.trim_start();
        match text.strip_prefix("::") {
            Some(rest) => {
                out.push_str(&line[..line.len() - text.len()]);
                out.push_str("&#58;:");
                out.push_str(rest);
            }
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_commands;

    #[test]
    fn lines_of_names_are_no_commands() {
        let xml = "<a>n\n::error::owned.erl\n  ::x\r\na::b\n</a>";
        assert_eq!(without_commands(xml), "<a>n\n&#58;:error::owned.erl\n  &#58;:x\r\na::b\n</a>");
    }
}
