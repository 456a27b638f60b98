//! Generated expressions as one types them into a shell: our reader and lowering against OTP's evaluator.

use fuzz::{Duel, EXPRESSION_GAPS, Question, Random, seed, shell_expression};

const PER_BATCH: usize = 200;
const BATCHES_PER_SESSION: usize = 20;

#[test]
fn shell_expressions() {
    let mut duel = Duel::new("shell expressions", EXPRESSION_GAPS);
    let mut random = Random::new(seed());
    let mut batches = 0;
    while duel.has_time() {
        let question = |_| Question { function: "expression".to_owned(), text: shell_expression(&mut random) };
        let questions: Vec<Question> = (0..PER_BATCH).map(question).collect();
        duel.ask(&questions);
        batches += 1;
        if batches % BATCHES_PER_SESSION == 0 {
            duel.renew();
        }
    }
    duel.conclude();
}
