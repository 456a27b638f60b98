//! Observes the searches of a task, and says which findings are known.

use super::baseline::Baseline;
use super::progress::ProgressLine;
use super::task::Task;
use campaign::Observer;
use sandbox::interrupt;
use search::{Finding, Progress};
use std::sync::Arc;
use term::{Atom, FunctionName};

pub struct Onlooker {
    pub progress: Arc<ProgressLine>,
    /// The known findings.
    pub baseline: Option<Baseline>,
}

impl Onlooker {
    pub fn new(task: &mut Task, progress: &Arc<ProgressLine>) -> Onlooker {
        Onlooker { progress: Arc::clone(progress), baseline: task.baseline.take() }
    }
}

impl Observer for Onlooker {
    fn running(&self, function: &str, progress: &Progress) {
        self.progress.running(function, progress);
    }

    fn done(&self) {
        self.progress.done();
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_received()
    }

    fn is_known(&self, name: FunctionName, finding: &Finding, user_modules: &[Atom]) -> bool {
        self.baseline.as_ref().is_some_and(|baseline| baseline.meet(name, finding, user_modules))
    }
}
