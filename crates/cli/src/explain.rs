//! `beagle explain`

use crate::arguments::ExplainOptions;
use crate::streams;
use anyhow::bail;
use report::codes::{Code, explained};

pub fn explain(options: &ExplainOptions) -> anyhow::Result<u8> {
    let Some(text) = &options.code else {
        let titles = Code::ALL.iter().filter_map(|code| explained(*code)?.lines().next());
        return Ok(print(titles.map(|title| format!("{}\n", title.trim_start_matches("## "))).collect()));
    };
    match Code::read(text).and_then(explained) {
        Some(section) => Ok(print(format!("{}\n", section.trim_start_matches("## ")))),
        None => bail!("there is no code {text:?}: `beagle explain` lists all codes"),
    }
}

fn print(text: String) -> u8 {
    streams::write(&text);
    0
}
