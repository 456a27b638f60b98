//! The table, the summary, and the bars that were missed.

use crate::contenders::{BeamRun, OurRun, StartUp};
use std::fmt::Write;

/// The program whose time must grow linearly with its size, not quadratically.
pub const AMORTISED: &str = "binary_append";

const MEAN_RATIO: f64 = 12.0;
const WORST_RATIO: f64 = 30.0;
const MEMORY_RATIO: f64 = 4.0;
const START_UP_SECONDS: f64 = 0.05;
/// Linear growth gives 4, quadratic 16.
const QUARTER_RATIO: f64 = 8.0;

pub struct Row {
    pub name: String,
    pub ours: OurRun,
    pub beam: BeamRun,
    /// Our processor time for a quarter of the size, if the growth is judged.
    pub quarter: Option<f64>,
}

impl Row {
    fn ratio(&self) -> f64 {
        // The BEAM counts whole milliseconds.
        self.ours.used.cpu_seconds / self.beam.cpu_seconds.max(0.001)
    }

    fn memory_ratio(&self) -> f64 {
        self.ours.used.peak_mb / self.beam.peak_mb.max(1.0)
    }

    /// Returns what is wrong with our value, if anything.
    pub fn wrong(&self) -> Option<String> {
        match &self.ours.value {
            Ok(_) if self.beam.same => None,
            Ok(value) => Some(format!("{}: {value} is not the BEAM's {}", self.name, self.beam.value)),
            Err(what) => Some(format!("{}: no value: {what}", self.name)),
        }
    }

    pub fn line(&self) -> String {
        format!(
            "{:<22}{:>9.3}{:>9.3}{:>8.1}{:>10.0}{:>9.0}{:>8.2}{}",
            self.name,
            self.beam.cpu_seconds,
            self.ours.used.cpu_seconds,
            self.ratio(),
            self.beam.peak_mb,
            self.ours.used.peak_mb,
            self.memory_ratio(),
            if self.wrong().is_some() { "  WRONG" } else { "" }
        )
    }

    fn missed_bars(&self, missed: &mut Vec<String>) {
        let name = &self.name;
        if self.ratio() > WORST_RATIO {
            missed.push(format!("{name} takes {:.1} times the BEAM's time; the bar is {WORST_RATIO}", self.ratio()));
        }
        if self.memory_ratio() > MEMORY_RATIO {
            let ratio = self.memory_ratio();
            missed.push(format!("{name} takes {ratio:.1} times the BEAM's memory; the bar is {MEMORY_RATIO}"));
        }
        if let Some(quarter) = self.quarter {
            let growth = self.ours.used.cpu_seconds / quarter.max(0.001);
            if growth > QUARTER_RATIO {
                missed.push(format!("{name} takes {growth:.1} times as long for 4 times the size: not amortised"));
            }
        }
    }
}

pub fn heading(group: &str) -> String {
    format!("{:<22}{:>9}{:>9}{:>8}{:>10}{:>9}{:>8}", group, "BEAM s", "ours s", "ratio", "BEAM MB", "ours MB", "ratio")
}

pub fn summary(rows: &[Row], start_up: &StartUp) -> String {
    let mut missed = Vec::new();
    let judged = judged(rows);
    let mut text = means(&judged);
    if !judged.is_empty() {
        let mean = geometric_mean(judged.iter().map(|row| row.ratio()));
        if mean > MEAN_RATIO {
            missed.push(format!("the geometric mean is {mean:.2}; the bar is {MEAN_RATIO}"));
        }
    }
    let (ours, beam) = (start_up.ours, start_up.beam);
    let _ = writeln!(
        text,
        "start-up: ours {:.1} ms ({:.1} ms of processor), BEAM {:.1} ms ({:.1} ms), ratio {:.2}",
        ours.wall_seconds * 1e3,
        ours.cpu_seconds * 1e3,
        beam.wall_seconds * 1e3,
        beam.cpu_seconds * 1e3,
        ours.wall_seconds / beam.wall_seconds
    );
    if ours.wall_seconds > START_UP_SECONDS {
        missed.push(format!("start-up takes more than {:.0} ms", START_UP_SECONDS * 1e3));
    }
    judged.iter().for_each(|row| row.missed_bars(&mut missed));
    match missed.is_empty() {
        true if judged.len() == rows.len() => text.push_str("every bar is met\n"),
        true => text.push_str("every bar is met by the programs with the right value\n"),
        false => missed.iter().for_each(|bar| text.push_str(&format!("missed: {bar}\n"))),
    }
    rows.iter().filter_map(Row::wrong).for_each(|what| text.push_str(&format!("WRONG: {what}\n")));
    text
}

/// Returns the means of a group that has no bars.
pub fn group_summary(rows: &[Row]) -> String {
    let mut text = means(&judged(rows));
    rows.iter().filter_map(Row::wrong).for_each(|what| text.push_str(&format!("WRONG: {what}\n")));
    text
}

/// Returns the rows with the right value.
fn judged(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| row.wrong().is_none()).collect()
}

fn means(judged: &[&Row]) -> String {
    let Some(worst) = judged.iter().max_by(|a, b| a.ratio().total_cmp(&b.ratio())) else { return String::new() };
    let mean = geometric_mean(judged.iter().map(|row| row.ratio()));
    let memory = geometric_mean(judged.iter().map(|row| row.memory_ratio()));
    format!("\ngeometric mean {mean:.2} (memory {memory:.2}), worst {} {:.1}\n", worst.name, worst.ratio())
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}
