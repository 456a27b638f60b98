//! `beagle run`

use crate::arguments::Format;
use crate::evaluating::{RunOptions, named};
use crate::languages::languages;
use crate::streams;
use session::{Session, print_outcome};
use std::time::Instant;

/// The default memory limit in megabytes.
const MEMORY: u64 = 2048;

pub fn run(options: &RunOptions) -> anyhow::Result<u8> {
    let language = languages().usual();
    let code = languages().open(options.code.config(named(&options.files)))?;
    let mut session = Session::new(code, options.code.limits(MEMORY))?;
    let prepared = session.prepare(&options.expression, None)?;
    let start = Instant::now();
    let outcome = session.run(&prepared);
    let seconds = start.elapsed().as_secs_f64();
    let unseen = session.machine.take_failure();
    if let path::Outcome::Stopped(path::Stop::LoadFailed(message)) = &outcome {
        anyhow::bail!("{message}");
    }
    let report = print_outcome(&mut session, language, &outcome, seconds, options.format == Format::Jsonl);
    // The output can be pasted, so it is escaped in the way of its language.
    let text = match options.format {
        Format::Jsonl => report::visible_json(&report.text).into_owned(),
        Format::Human => language.escaped(&report.text),
    };
    streams::write(&format!("{text}\n"));
    if let Some(raised) = unseen {
        let crash = language.describe(&raised, &mut |text| session.value(text, language));
        let crash = language.escaped(&crash);
        streams::line(format_args!("a process that the call started crashed, and the call did not notice:\n{crash}"));
    }
    Ok(report.exit_code)
}
