//! `beagle test --dead-code`: reports lines that no input executes.

use super::files;
use crate::arguments::{ReportFormat, TestOptions};
use crate::languages::languages;
use crate::streams;
use crate::test::task::Task;
use campaign::reaching::{Direction, Reaching};
use campaign::{SolverOptions, Timed, Warnings};
use search::Settings;
use solver::Distrusted;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use term::Atom;

/// The time for one line.
const TIME: Duration = Duration::from_millis(250);
/// The solver's time for one query.
const SOLVER_TIME: Duration = Duration::from_millis(200);

/// Compiles the user's modules once more, with marks, and reports each line that is proved dead.
pub fn report_dead_code(options: &TestOptions, settings: &Settings, warnings: &Warnings) -> anyhow::Result<()> {
    let marked = TestOptions { marks: Some(Vec::new()), ..options.clone() };
    for task in Task::all(&marked)? {
        let mut session = task.opaque.session_with_marks(&task.loaded, task.limits, &Arc::new(HashSet::new()))?;
        let solver = SolverOptions { path: options.solver.clone(), time: SOLVER_TIME, dump: None, second: None };
        let mut solver = Timed::start(&solver, &Distrusted::default(), warnings);
        let user_modules: Vec<Atom> = task.loaded.source_modules().map(|(module, _)| module).collect();
        let mut wanted = HashSet::new();
        for module in &user_modules {
            if let Some(module) = task.loaded.load(*module)? {
                wanted.extend(reach_marks(&module));
            }
        }
        let mut reaching = Reaching {
            session: &mut session,
            solver: &mut solver,
            languages: languages(),
            files: &files(&task),
            settings: settings.clone(),
            from: Vec::new(),
            user_modules,
            libraries: Vec::new(),
            is_confirmed: false,
            wanted: Arc::new(wanted),
            time: TIME,
            direction: Direction::Backwards,
        };
        let (from, dead) = (reaching.entries_in_words(), reaching.dead_lines()?);
        match options.reports.format {
            ReportFormat::Human => streams::write(&report::dead_code_as_text(&from, &dead)),
            ReportFormat::Jsonl => streams::write(&report::dead_code_as_json(&from, &dead)),
            ReportFormat::Junit | ReportFormat::Sarif | ReportFormat::Github => {
                warnings.warn("--dead-code has no place in this format: use human or jsonl");
            }
        }
    }
    Ok(())
}

fn reach_marks(module: &program::Module) -> Vec<path::Mark> {
    campaign::reaching::marks_of(module)
}
