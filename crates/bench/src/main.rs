//! Compares the machine with the BEAM, program by program, on this computer and in this run; then the search with its
//! bars.
//!
//! Every program of `bench/programs` and `bench/processes` is run by `beagle run` and by the real BEAM, each in a fresh
//! process. Processor time and peak memory are compared, so the ratios mean something on a busy computer, too. The BEAM
//! judges whether the values are the same. This crate does not depend on how either of them works. Searches are
//! measured in processes of their own where that matters, and in this process to find out what they spend their time
//! on.

mod child;
mod contenders;
mod executors;
mod report;
mod searches;

use anyhow::{Context, bail};
use clap::Parser;
use contenders::{Beam, Ours, StartUp};
use report::Row;
use searches::Bench;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Runs the programs of bench/programs and bench/processes on our machine and on the BEAM and compares; then measures
/// searches.
#[derive(Parser)]
#[command(name = "beagle-bench")]
struct Arguments {
    /// The programs to run, by name, without searches; all programs if none is given.
    programs: Vec<String>,
    /// Measures only the searches.
    #[arg(long, conflicts_with = "programs")]
    searches: bool,
    /// Measures only the conditions that are hard to solve, those with PART in their name.
    #[arg(long, conflicts_with = "programs", value_name = "PART", num_args = 0..=1, default_missing_value = "")]
    conditions: Option<String>,
    /// Measures only the targets that are to be reached.
    #[arg(long, conflicts_with = "programs")]
    targets: bool,
    /// Measures only the servers with planted bugs.
    #[arg(long, conflicts_with = "programs")]
    servers: bool,
    /// Measures only the BEAM as an executor: all of it, or one of instrumented, searches, lengths and shrinking.
    #[arg(long, conflicts_with = "programs", value_name = "PART", num_args = 0..=1, default_missing_value = "")]
    executors: Option<String>,
    /// Takes a minute for each search whose memory is measured.
    #[arg(long)]
    long: bool,
    /// The number of times that each side runs each program. The least time counts, since disturbance only adds.
    #[arg(long, default_value_t = 3, value_name = "N")]
    times: u32,
    /// Runs every program once with a tenth of its size, for a first impression, since start-up weighs more.
    #[arg(long)]
    quick: bool,
    /// The binary to measure. By default, the one in the folder of this program.
    #[arg(long, value_name = "PATH")]
    beagle: Option<PathBuf>,
    #[arg(long, env = "BEAGLE_ERL", default_value = "erl", value_name = "PATH")]
    erl: PathBuf,
    #[arg(long, default_value = "bench/programs", value_name = "DIR")]
    folder: PathBuf,
    /// The folder of programs whose work is done by many processes, which form a group of their own.
    #[arg(long, default_value = "bench/processes", value_name = "DIR")]
    processes: PathBuf,
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    if let Some(part) = &arguments.executors {
        executors::measure(&bench(&arguments)?, &files_of(&arguments.folder)?, part)?;
        return Ok(ExitCode::SUCCESS);
    }
    let wrong = if arguments.searches || arguments.targets || arguments.servers || arguments.conditions.is_some() {
        false
    } else {
        compare(&arguments)?
    };
    if arguments.programs.is_empty() {
        if !arguments.searches && !arguments.targets && !arguments.servers && arguments.conditions.is_none() {
            println!();
        }
        searches::measure(&bench(&arguments)?)?;
        if !arguments.searches && !arguments.targets && !arguments.servers && arguments.conditions.is_none() {
            println!();
            executors::measure(&bench(&arguments)?, &files_of(&arguments.folder)?, "")?;
        }
    }
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Compares the programs on both sides. Returns whether a value of ours is wrong.
fn compare(arguments: &Arguments) -> anyhow::Result<bool> {
    let Groups { programs, processes } = chosen(arguments)?;
    let work = tempfile::tempdir()?;
    let beam = Beam::compile(&arguments.erl, &[&programs[..], &processes].concat(), work.path())?;
    let ours = Ours { beagle: binary(arguments)?, cache: work.path().join("cache") };
    let measured = |programs: &[PathBuf]| {
        let mut rows = Vec::new();
        for program in programs {
            let row = measure(&beam, &ours, program, arguments)?;
            println!("{}", row.line());
            rows.push(row);
        }
        anyhow::Ok(rows)
    };
    let mut is_wrong = false;
    if !programs.is_empty() {
        println!("{}", report::heading("program"));
        let rows = measured(&programs)?;
        let start_up = StartUp::measure(&beam, &ours)?;
        print!("{}", report::summary(&rows, &start_up));
        is_wrong |= rows.iter().any(|row| row.wrong().is_some());
    }
    if !processes.is_empty() {
        println!("{}{}", if programs.is_empty() { "" } else { "\n" }, report::heading("processes"));
        let rows = measured(&processes)?;
        print!("{}", report::group_summary(&rows));
        is_wrong |= rows.iter().any(|row| row.wrong().is_some());
    }
    Ok(is_wrong)
}

fn bench(arguments: &Arguments) -> anyhow::Result<Bench> {
    Ok(Bench {
        beagle: binary(arguments)?,
        erl: arguments.erl.clone(),
        // The cache is kept between invocations, because it takes long to compile the corpus.
        cache: std::env::current_exe()?.with_file_name("bench-cache"),
        programs: arguments.folder.clone(),
        searches: PathBuf::from("bench/searches"),
        servers: PathBuf::from("bench/servers"),
        only_servers: arguments.servers,
        conditions: PathBuf::from("bench/conditions"),
        targets: PathBuf::from("bench/reach"),
        toy: PathBuf::from("examples/toy.erl"),
        quick: arguments.quick,
        long: arguments.long,
        only: arguments.conditions.clone(),
        only_targets: arguments.targets,
    })
}

fn measure(beam: &Beam, ours: &Ours, program: &Path, arguments: &Arguments) -> anyhow::Result<Row> {
    let name = name_of(program);
    let (divisor, times) = if arguments.quick { (10, 1) } else { (1, arguments.times) };
    // A small run first brings the program and the code that it uses into the cache.
    ours.run(program, 100)?;
    let mut our_run = ours.run(program, divisor)?;
    let mut beam_run = beam.run(&name, divisor, our_run.value.as_deref().ok())?;
    for _ in 1..times {
        our_run = our_run.better(ours.run(program, divisor)?);
        beam_run = beam_run.better(beam.run(&name, divisor, our_run.value.as_deref().ok())?);
    }
    // Growth at the end must be amortised: a quarter of the work must not take much less than a quarter of the time.
    let quarter = match name == report::AMORTISED {
        true => Some(ours.run(program, divisor * 4)?.used.cpu_seconds),
        false => None,
    };
    Ok(Row { name, ours: our_run, beam: beam_run, quarter })
}

struct Groups {
    programs: Vec<PathBuf>,
    processes: Vec<PathBuf>,
}

fn chosen(arguments: &Arguments) -> anyhow::Result<Groups> {
    let (mut programs, mut processes) = (files_of(&arguments.folder)?, files_of(&arguments.processes)?);
    for name in &arguments.programs {
        if !programs.iter().chain(&processes).any(|program| name_of(program) == *name) {
            bail!("there is no program {name} in {} or {}", arguments.folder.display(), arguments.processes.display());
        }
    }
    if !arguments.programs.is_empty() {
        let is_named = |program: &PathBuf| arguments.programs.contains(&name_of(program));
        programs.retain(is_named);
        processes.retain(is_named);
    }
    Ok(Groups { programs, processes })
}

fn files_of(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut programs = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "erl") {
            programs.push(path);
        }
    }
    programs.sort();
    Ok(programs)
}

fn name_of(program: &Path) -> String {
    program.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn binary(arguments: &Arguments) -> anyhow::Result<PathBuf> {
    let path = match &arguments.beagle {
        Some(path) => path.clone(),
        None => std::env::current_exe()?.with_file_name("beagle"),
    };
    if !path.exists() {
        bail!("{} is missing: build it with `make build`, or name it with --beagle", path.display());
    }
    Ok(path)
}
