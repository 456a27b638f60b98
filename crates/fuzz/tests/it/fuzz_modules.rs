//! Generated modules: every function with random arguments, on our machine and on the BEAM.

use fuzz::{Duel, MODULE_GAPS, Question, Random, Terms, module, seed};
use std::path::PathBuf;

const MODULES_PER_BATCH: usize = 10;
const CALLS_PER_FUNCTION: usize = 25;

#[test]
fn generated_modules() {
    let mut duel = Duel::new("generated modules", MODULE_GAPS);
    let mut random = Random::new(seed());
    let folder = tempfile::tempdir().expect("a folder for modules");
    let (mut batch, mut rejected, mut modules) = (0, 0, 0);
    while duel.has_time() {
        batch += 1;
        let mut files: Vec<PathBuf> = Vec::new();
        let mut questions = Vec::new();
        for number in 0..MODULES_PER_BATCH {
            let name = format!("generated_{batch}_{number}");
            let generated = module(&mut random, &name);
            let file = folder.path().join(format!("{name}.erl"));
            std::fs::write(&file, &generated.text).expect("a module is written");
            files.push(file);
            for (function, arity) in &generated.functions {
                for _ in 0..CALLS_PER_FUNCTION {
                    let mut terms = Terms { random: &mut random, small: false, plain: true };
                    let args: Vec<String> = (0..*arity).map(|_| terms.any(2)).collect();
                    questions.push(Question {
                        function: format!("{name}:{function}/{arity}"),
                        text: format!("{name}:{function}({})", args.join(", ")),
                    });
                }
            }
        }
        modules += MODULES_PER_BATCH;
        let refused = duel.with_sources(files);
        rejected += refused.len();
        questions.retain(|question| !refused.iter().any(|name| question.text.starts_with(&format!("{name}:"))));
        duel.ask(&questions);
    }
    println!("generated modules: {modules} modules, {rejected} of them refused by the compiler");
    assert!(rejected * 5 <= modules, "the compiler refuses {rejected} of {modules} modules");
    if duel.has_disagreements() {
        println!("generated modules: they are kept in {}", folder.keep().display());
    }
    duel.conclude();
}
