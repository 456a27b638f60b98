//! `beagle explain`

use crate::arguments::ExplainOptions;
use anyhow::bail;
use report::codes::{Code, explained};
use std::io::Write;

pub fn explain(options: &ExplainOptions) -> anyhow::Result<u8> {
    let Some(text) = &options.code else {
        let titles = Code::ALL.iter().filter_map(|code| explained(*code)?.lines().next());
        return Ok(print(titles.map(|title| format!("{}\n", title.trim_start_matches("## "))).collect()));
    };
    match Code::read(text).and_then(explained) {
        Some(section) => Ok(print(format!("{}\n", section.trim_start_matches("## ")))),
        None => bail!("there is no code {text:?}: `beagle explain` shows all that there are"),
    }
}

/// A reader that has seen enough is no failure.
fn print(text: String) -> u8 {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    0
}
