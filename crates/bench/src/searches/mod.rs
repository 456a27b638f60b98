//! Measures the search and compares it with its bars: counts and ratios, measured side by side.

mod conditions;
mod lab;
mod measures;
mod servers;
mod targets;

use std::path::PathBuf;

/// The subjects of the measurements, and their scope.
pub struct Bench {
    pub beagle: PathBuf,
    pub erl: PathBuf,
    /// The cache of processes and sessions, so that modules need not be compiled again.
    pub cache: PathBuf,
    pub programs: PathBuf,
    pub searches: PathBuf,
    pub conditions: PathBuf,
    pub targets: PathBuf,
    /// Servers and data types with one planted bug each.
    pub servers: PathBuf,
    pub only_servers: bool,
    pub toy: PathBuf,
    pub quick: bool,
    pub long: bool,
    /// If given, only conditions with this in their name are measured.
    pub only: Option<String>,
    /// Whether only targets are measured.
    pub only_targets: bool,
}

/// One line of the table.
pub struct Measured {
    pub what: String,
    pub value: f64,
    pub unit: &'static str,
    pub bar: Bar,
    /// The parts that the value is computed from.
    pub details: Vec<String>,
}

#[derive(Clone, Copy)]
pub enum Bar {
    AtLeast(f64),
    AtMost(f64),
}

impl Measured {
    fn is_met(&self) -> bool {
        match self.bar {
            Bar::AtLeast(least) => self.value >= least,
            Bar::AtMost(most) => self.value <= most,
        }
    }

    fn text(&self) -> String {
        let (sign, bar) = match self.bar {
            Bar::AtLeast(least) => (">=", least),
            Bar::AtMost(most) => ("<=", most),
        };
        let with_unit = |value: f64| format!("{} {}", number(value), self.unit).trim_end().to_string();
        let bar = format!("{sign} {}", with_unit(bar));
        let missed = if self.is_met() { "" } else { "  missed" };
        let mut text = format!("{:<52}{:>14}{:>16}{missed}\n", self.what, with_unit(self.value), bar);
        self.details.iter().for_each(|detail| text.push_str(&format!("    {detail}\n")));
        text
    }
}

/// Formats a number with as many digits as are meaningful.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_string(),
    }
}

/// Takes all measurements and prints every line as soon as it is known.
pub fn measure(bench: &Bench) -> anyhow::Result<()> {
    println!("{:<52}{:>14}{:>16}", "search", "measured", "bar");
    let mut missed = 0;
    let mut show = |measured: Vec<Measured>| {
        for measured in measured {
            print!("{}", measured.text());
            missed += usize::from(!measured.is_met());
        }
    };
    if bench.only_targets {
        show(targets::targets(bench)?);
        return Ok(());
    }
    if bench.only.is_some() {
        show(conditions::conditions(bench)?);
        return Ok(());
    }
    if bench.only_servers {
        show(servers::servers(bench)?);
        return Ok(());
    }
    // Processes come first, because the kernel counts the memory of a process from that of its parent.
    show(measures::toy(bench)?);
    show(measures::memory(bench)?);
    show(measures::tiny(bench)?);
    show(measures::growth(bench)?);
    show(measures::shadows(bench)?);
    show(measures::corpus(bench)?);
    show(conditions::conditions(bench)?);
    show(targets::targets(bench)?);
    show(servers::servers(bench)?);
    println!(
        "{}",
        match missed {
            0 => "every bar of the search is met".to_string(),
            1 => "1 bar of the search is missed".to_string(),
            _ => format!("{missed} bars of the search are missed"),
        }
    );
    Ok(())
}
