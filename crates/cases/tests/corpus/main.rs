//! The corpus in suites: our machine, instrumented code, both executors, searches, and the committed expectations. Each test
//! is named by its suite and its case.

mod executors;
mod instrumented;
mod machine;
mod search;

use cases::{Beam, Gaps, Suites, corpus_root, read_corpus};
use frontend::{CodeConfig, Evaluation};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Returns how the code of the corpus is read. Lowered modules are kept in the target folder.
fn config() -> CodeConfig {
    let corpus = read_corpus(&corpus_root()).expect("the corpus was read before");
    CodeConfig {
        sources: corpus.into_iter().map(|case| case.path).collect(),
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lowered")),
        evaluation: Evaluation::Unguarded,
        ..CodeConfig::default()
    }
}

fn open_corpus(config: CodeConfig) -> Arc<beam::Beam> {
    beam::open(config).expect("the corpus is found")
}

fn main() -> ExitCode {
    // No runtime is started to know its release, if its index of modules is kept.
    let release = open_corpus(config()).loader.release().unwrap_or(cases::BLESSED_RELEASE);
    let suites = match Suites::new(release) {
        Ok(suites) => suites,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let code = suites
        .claims("machine", Gaps::Fail, || Box::new(machine::Ours::new()))
        .claims("instrumented", Gaps::Fail, || Box::new(instrumented::Instrumented::new()))
        .searches("search", || Box::new(search::Ours::new()))
        .claims("executors", Gaps::Fail, || Box::new(executors::Both::new()))
        // The committed expectations are what the real BEAM says.
        .claims("expectations", Gaps::Hold, || Box::new(Beam::default()))
        .run();
    executors::print_tally();
    code
}
