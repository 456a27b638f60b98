//! Annotations for GitHub workflows: one command per line, which the log turns into an annotation at the place.

use crate::defect::Defect;
use crate::sentences::{bugs_at_places, interrupted, title, tolerated, too_long_inputs};
use crate::visible::visible;
use crate::words::{count, shortened};
use crate::{Judged, Level, Printers, Report, Results, Tested, account};
use term::FunctionName;

/// The maximum number of characters of an annotation: the log cuts off much longer ones.
const MESSAGE: usize = 4000;

pub struct Github<'p> {
    pub printers: &'p dyn Printers,
}

impl Report for Github<'_> {
    fn found(&mut self, _: FunctionName, _: &Judged) -> String {
        String::new()
    }

    fn tested(&mut self, _: usize, _: &Tested) -> String {
        String::new()
    }

    fn finish(&mut self, results: &Results) -> String {
        // The log shows only a limited number of annotations, so the most urgent come first.
        let ranked = results.ranked(self.printers);
        let others = results.defects(self.printers).into_iter();
        let others: Vec<_> = others.filter(|defect| !defect.best.1.is_known && !defect.best.1.is_bug()).collect();
        let all = ranked.iter().map(|ranked| &ranked.defect).chain(&others);
        let mut text: String = all.map(|defect| self.annotation(defect)).collect();
        for failure in &results.failures {
            text.push_str(&format!("::error title=Beagle could not test this::{}\n", data(failure)));
        }
        let summary = &results.summary;
        if let Some(untested) = summary.untested {
            text.push_str(&format!(
                "::warning title=Beagle was interrupted::{}\n",
                data(&interrupted(untested, summary.functions))
            ));
        }
        let functions = count(summary.functions as u64, "function", "functions");
        let mut bugs = bugs_at_places(summary.bugs, results.places(self.printers));
        if summary.known + summary.expected > 0 {
            bugs.push_str(&format!(", {}", tolerated(summary.known, summary.expected)));
        }
        if summary.long > 0 {
            bugs.push_str(&format!(", {}", too_long_inputs(summary.long)));
        }
        text.push_str(&format!("{functions} tested: {bugs}\n"));
        text
    }
}

impl Github<'_> {
    /// Returns one annotation for all functions that show the same defect.
    fn annotation(&self, defect: &Defect<'_>) -> String {
        let (name, judged) = defect.best;
        let level = match judged.level() {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let printer = self.printers.of(name.module);
        let mut properties = Vec::new();
        if let Some(place) = &judged.place {
            properties.push(format!("file={}", property(&place.path)));
            properties.push(format!("line={}", place.line));
        }
        properties.push(format!("title={}", property(&title(printer, name, judged))));
        let mut message = account(printer, name, judged);
        defect.also(self.printers).iter().for_each(|line| message.push_str(&format!("\n{line}")));
        format!("::{level} {}::{}\n", properties.join(","), data(&shortened(&message, MESSAGE)))
    }
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    visible(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).into_owned()
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
