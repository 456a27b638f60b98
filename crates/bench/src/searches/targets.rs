//! Targets in the manner of those on which targeted search was first measured (Dinges and Agha 2014, Table 4.2 of
//! Dinges' thesis): seconds, segments compared with the published ones, and runs compared with those of undirected
//! search.

use super::{Bar, Bench, Measured};
use anyhow::Context;
use campaign::reaching::{Direction, Place, Reaching};
use campaign::{Files, SolverOptions, Timed, Warnings, settings};
use frontend::{Code, CodeConfig, Languages};
use machine::Limits;
use report::ReachVerdict;
use session::{Opaque, WantedMarks};
use solver::Distrusted;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use term::Atom;

/// The published segments of the original, by the prefix of a target's name.
const PUBLISHED: &[(&str, u64)] = &[
    ("dart", 1),
    ("easy-loop", 13),
    ("hard-loop", 25),
    ("narrow", 3),
    ("tcas", 235),
    ("trityp", 8),
    ("tsafe", 7),
    ("slicing", 1023),
];
/// The time for one target in either direction.
const TIME: Duration = Duration::from_secs(5);
const STEPS: u64 = 1_000_000;

pub fn targets(bench: &Bench) -> anyhow::Result<Vec<Measured>> {
    let file = bench.targets.join("thesis.erl");
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut slowest: f64 = 0.0;
    let (mut shares, mut decided, mut count) = (0.0, 0, 0);
    let mut details = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((_, claim)) = line.split_once("%! ") else { continue };
        let (verdict, name) = claim.split_once(' ').context("a target has a verdict and a name")?;
        let shown = format!("thesis.erl:{}", number + 1);
        let directed = reach(bench, &shown, Direction::Both)?;
        let undirected = reach(bench, &shown, Direction::Undirected)?;
        let is = match directed.verdict {
            ReachVerdict::Reached(_) => "reached",
            ReachVerdict::Unconfirmed { .. } => "unconfirmed",
            ReachVerdict::Unreachable { .. } => "unreachable",
            ReachVerdict::Undecided { .. } => "undecided",
            ReachVerdict::NoCode => "no code",
        };
        count += 1;
        decided += usize::from(is == verdict);
        slowest = slowest.max(directed.seconds);
        shares += directed.runs.max(1) as f64 / undirected.runs.max(1) as f64;
        let published = PUBLISHED.iter().find(|(start, _)| name.starts_with(start));
        let published = published.map_or("-".to_string(), |(_, segments)| segments.to_string());
        details.push(format!(
            "{name:<12}{is:<13}{:>6} segments (published: {published:>4}){:>6} runs (undirected: {:>6}){:>9.3} s",
            directed.segments, directed.runs, undirected.runs, directed.seconds
        ));
    }
    let share = shares / f64::from(count.max(1));
    Ok(vec![
        Measured {
            what: "targets that are decided as they should be".into(),
            value: decided as f64,
            unit: "",
            bar: Bar::AtLeast(f64::from(count)),
            details,
        },
        Measured {
            what: "the slowest target".into(),
            value: slowest,
            unit: "s",
            bar: Bar::AtMost(1.0),
            details: Vec::new(),
        },
        Measured {
            what: "runs, as a share of those of undirected search".into(),
            value: share,
            unit: "",
            bar: Bar::AtMost(0.5),
            details: Vec::new(),
        },
    ])
}

fn reach(bench: &Bench, shown: &str, direction: Direction) -> anyhow::Result<report::Reach> {
    let file = bench.targets.join("thesis.erl");
    let config = CodeConfig {
        sources: vec![file.clone()],
        cache_dir: Some(bench.cache.clone()),
        runtime: Some(bench.erl.clone()),
        marks: Some(Vec::new()),
        ..CodeConfig::default()
    };
    let code: Arc<dyn Code> = beam::open(config)?;
    let module = Atom::new("thesis");
    let place = Place::read_line(shown).context("a place")?;
    let campaign::reaching::Resolved::Marks(marks) = place.resolve(&*code, &[module])? else {
        anyhow::bail!("{shown} has no code");
    };
    let wanted: WantedMarks = Arc::new(marks.into_iter().collect());
    let limits = Limits { steps: u64::MAX, memory: 1 << 30, result: 1_000_000, eager_collection: false };
    let mut session = Opaque::default().session_with_marks(&code, limits, &wanted)?;
    let options = SolverOptions { path: "z3".into(), time: Duration::from_millis(250), dump: None, second: None };
    let mut solver = Timed::start(&options, &Distrusted::default(), &Warnings::default());
    let languages = Languages::new(Arc::new(beam::ErlangFrontEnd::without_code()), Vec::new());
    let files = Files::new(HashMap::from([(module, file)]), HashMap::new(), None);
    let settings = settings(u64::MAX, STEPS);
    let reaching = Reaching::in_module(&mut session, &mut solver, &languages, &files, (module, wanted), settings, TIME);
    let mut reaching = Reaching { direction, ..reaching };
    Ok(reaching.reach(shown, &place)?.report)
}
