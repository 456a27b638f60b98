//! Servers and data types with one planted bug each: how many of the bugs are found by a search, and how many by random
//! sequences of calls from the same specifications.

use super::lab::Lab;
use super::{Bar, Bench, Measured};
use search::Exploration;
use std::path::PathBuf;
use std::time::Duration;

/// The time for each server and each side.
const TIME: Duration = Duration::from_secs(10);
const SHORT_TIME: Duration = Duration::from_secs(2);
/// The percentage of the bugs that a search must find.
const FOUND: f64 = 90.0;
/// The number of scenarios that it must run in a second.
const SCENARIOS: f64 = 2_000.0;

pub fn servers(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let mut sources: Vec<PathBuf> =
        std::fs::read_dir(&bench.servers)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    sources.retain(|file| file.extension().is_some_and(|extension| extension == "erl"));
    sources.sort();
    let names: Vec<String> =
        sources.iter().filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect();
    let mut lab = Lab::open(sources, bench.erl.clone(), bench.cache.clone())?;
    let time = if bench.quick { SHORT_TIME } else { TIME };
    let settings = campaign::settings(u64::MAX, 2_000_000);
    let mut details = Vec::new();
    let (mut found, mut at_random) = (0, 0);
    let mut rates = Vec::new();
    for name in &names {
        let unit = lab.client(name)?;
        let (ours, our_seconds) = lab.explore_until(&unit, &settings, time, |_| true);
        let (random, random_seconds) = lab.explore_at_random(&unit, &settings, time);
        found += usize::from(!ours.findings.is_empty());
        at_random += usize::from(!random.findings.is_empty());
        rates.push(ours.runs as f64 / our_seconds.max(f64::EPSILON));
        let side = |of: &Exploration, seconds: f64| match of.findings.first() {
            Some(finding) => format!("in scenario {} ({seconds:.2} s)", finding.runs),
            None => format!("not in {} scenarios", of.runs),
        };
        details.push(format!("{name}: {}; at random {}", side(&ours, our_seconds), side(&random, random_seconds)));
    }
    rates.sort_by(f64::total_cmp);
    let share = |count: usize| 100.0 * count as f64 / names.len().max(1) as f64;
    let per_server = format!("planted bugs of {} servers found in {} s", names.len(), time.as_secs());
    Ok(vec![
        Measured { what: per_server, value: share(found), unit: "%", bar: Bar::AtLeast(FOUND), details },
        Measured {
            what: "likewise by random sequences of calls".to_string(),
            value: share(at_random),
            unit: "%",
            bar: Bar::AtMost(share(found)),
            details: Vec::new(),
        },
        Measured {
            what: "scenarios per second, median of the servers".to_string(),
            value: rates.get(rates.len() / 2).copied().unwrap_or_default(),
            unit: "",
            bar: Bar::AtLeast(SCENARIOS),
            details: Vec::new(),
        },
    ])
}
