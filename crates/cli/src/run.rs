//! `beagle run`

use crate::arguments::{Format, RunOptions};
use crate::streams;
use session::{Session, print_outcome};
use std::time::Instant;

/// Megabytes.
const MEMORY: u64 = 2048;

pub fn run(options: &RunOptions) -> anyhow::Result<u8> {
    let mut session = Session::new(options.code.session(options.files.clone(), MEMORY))?;
    let prepared = session.prepare(&options.expression, None)?;
    let start = Instant::now();
    let outcome = session.run(&prepared);
    let seconds = start.elapsed().as_secs_f64();
    if let path::Outcome::Stopped(path::Stop::LoadFailed(message)) = &outcome {
        anyhow::bail!("{message}");
    }
    let report = print_outcome(&mut session, &outcome, seconds, options.format == Format::Jsonl);
    // What is printed can be pasted: it is escaped as its language does.
    let text = match options.format {
        Format::Jsonl => report::visible_json(&report.text).into_owned(),
        Format::Human => erlang::syntax::escape_hidden(&report.text),
    };
    streams::write(&format!("{text}\n"));
    Ok(report.exit_code)
}
