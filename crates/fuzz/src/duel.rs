//! Asks both sides and keeps the score.

use crate::answer::{self, Answer};
use crate::{Gap, duration, seed};
use beam::Beam;
use frontend::{CodeConfig, Evaluation};
use oracle::Call;
use session::Session;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use term::Atom;

#[derive(Clone, Debug)]
pub struct Question {
    /// The name under which the question is counted, such as `lists:map/2`.
    pub function: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Score {
    agreed: usize,
    /// The number of agreements on an exception.
    raised: usize,
    /// The number of questions in which one side hit a limit of time or memory.
    undecided: usize,
    disagreed: usize,
    known: usize,
    /// The number of questions to which the BEAM has several answers, one of which is ours.
    various: usize,
}

pub struct Duel {
    pub session: Session,
    /// The code of the session.
    beam: Arc<Beam>,
    /// Whether the session collects its heap as often as possible. Every second session does, to detect forgotten
    /// roots.
    eager: bool,
    name: &'static str,
    gaps: &'static [Gap],
    start: Instant,
    scores: BTreeMap<String, Score>,
    /// The first few disagreements of every function, as text.
    disagreements: Vec<String>,
}

const THEIR_LIMITS: oracle::Limits = oracle::Limits { time: Duration::from_secs(2), heap_words: 4 << 20 };
const SHOWN_PER_FUNCTION: usize = 3;
/// The maximum number of attempts to shrink one question.
const MOST_ATTEMPTS: usize = 300;
/// How often the BEAM is asked whether it also has our answer.
const REPETITIONS: usize = 60;
/// The minimum number of agreements for each question with several answers: programs without a single outcome compare
/// nothing.
const AGREEMENTS_PER_VARIOUS: usize = 50;

impl Duel {
    pub fn new(name: &'static str, gaps: &'static [Gap]) -> Duel {
        let scores = BTreeMap::new();
        let eager = false;
        let (beam, session) = session(Vec::new(), eager);
        Duel { session, beam, eager, name, gaps, start: Instant::now(), scores, disagreements: Vec::new() }
    }

    /// Goes on with these source files in a new session. They are loaded on both sides; the names of those that the
    /// compiler refuses are returned.
    pub fn with_sources(&mut self, files: Vec<PathBuf>) -> Vec<Atom> {
        self.eager = !self.eager;
        (self.beam, self.session) = session(files, self.eager);
        let modules: Vec<Atom> = self.beam.loader.source_modules().map(|(name, _)| name).collect();
        let is_refused = |module: &Atom| match self.beam.loader.load_into_runtime(*module) {
            Ok(loaded) => !loaded,
            Err(error) => {
                let message = error.to_string();
                println!("{}: {}", self.name, message.lines().take(2).collect::<Vec<_>>().join(" "));
                true
            }
        };
        modules.into_iter().filter(is_refused).collect()
    }

    pub fn has_disagreements(&self) -> bool {
        !self.disagreements.is_empty()
    }

    pub fn has_time(&self) -> bool {
        self.start.elapsed() < duration()
    }

    /// Goes on in a new session without any effects of earlier calls.
    pub fn renew(&mut self) {
        self.with_sources(Vec::new());
    }

    pub fn ask(&mut self, questions: &[Question]) {
        let calls: Vec<Call> =
            questions.iter().map(|question| Call::Text { text: question.text.clone(), home: None }).collect();
        let theirs: Vec<Answer> = match self.beam.loader.oracle().evaluate_batch(&calls, THEIR_LIMITS, false) {
            Ok(outcomes) => outcomes.iter().map(answer::theirs).collect(),
            Err(_) => calls.iter().map(|call| self.their_answer(call)).collect(),
        };
        for (question, theirs) in questions.iter().zip(theirs) {
            let ours = self.our_answer(&question.text);
            self.count(question, ours, theirs);
        }
    }

    /// Asks one question about a subject that can be shrunk, and counts the smallest subject that still shows a
    /// difference. If the BEAM has several answers, ours must be one of them. `shaken` is a variant of the question
    /// that makes the BEAM give its different answers with more even frequency.
    pub fn ask_shrinking<T>(
        &mut self,
        function: &str,
        subject: T,
        [text, shaken]: [fn(&T) -> String; 2],
        smaller: fn(&T) -> Vec<T>,
    ) {
        let mut subject = subject;
        let (mut ours, mut theirs) = self.answers(&text(&subject));
        if is_difference(&ours, &theirs) && self.is_theirs_as_well([text(&subject), shaken(&subject)], &ours) {
            self.scores.entry(function.to_owned()).or_default().various += 1;
            return;
        }
        let mut attempts = MOST_ATTEMPTS;
        while is_difference(&ours, &theirs) && attempts > 0 {
            let found = smaller(&subject).into_iter().take(attempts).find_map(|candidate| {
                attempts -= 1;
                let (ours, theirs) = self.answers(&text(&candidate));
                let is_shown = is_difference(&ours, &theirs)
                    && !self.is_theirs_as_well([text(&candidate), shaken(&candidate)], &ours);
                is_shown.then_some((candidate, ours, theirs))
            });
            let Some((smaller, our_answer, their_answer)) = found else { break };
            (subject, ours, theirs) = (smaller, our_answer, their_answer);
        }
        self.count(&Question { function: function.to_owned(), text: text(&subject) }, ours, theirs);
    }

    fn is_theirs_as_well(&self, texts: [String; 2], ours: &Answer) -> bool {
        let calls = texts.map(|text| Call::Text { text, home: None });
        (0..REPETITIONS).any(|_| calls.iter().any(|call| self.their_answer(call) == *ours))
    }

    fn answers(&mut self, text: &str) -> (Answer, Answer) {
        let call = Call::Text { text: text.to_owned(), home: None };
        (self.our_answer(text), self.their_answer(&call))
    }

    /// Returns the BEAM's answer as text.
    pub fn their_words(&self, text: &str) -> String {
        format!("{:?}", self.their_answer(&Call::Text { text: text.to_owned(), home: None }))
    }

    /// Returns whether the maximum number of disagreements is shown; more of them provide no new information.
    pub fn has_enough(&self) -> bool {
        self.disagreements.len() >= SHOWN_PER_FUNCTION
    }

    /// Returns the BEAM's answer. An answer that our terms cannot represent (a map whose keys are two closures of one
    /// function) counts as undecided.
    fn their_answer(&self, call: &Call) -> Answer {
        match self.beam.loader.oracle().evaluate(call, THEIR_LIMITS) {
            Ok(outcome) => answer::theirs(&outcome),
            Err(error) => Answer::Limit(error.to_string()),
        }
    }

    fn our_answer(&mut self, text: &str) -> Answer {
        match self.session.evaluate(text, None) {
            Ok(outcome) => answer::ours(&outcome),
            Err(error) => Answer::Failed(error.to_string()),
        }
    }

    fn count(&mut self, question: &Question, ours: Answer, theirs: Answer) {
        let score = self.scores.entry(question.function.clone()).or_default();
        match (&ours, &theirs) {
            (Answer::Final(ours), Answer::Final(theirs)) if ours == theirs => {
                score.agreed += 1;
                score.raised += usize::from(["error ", "exit ", "throw "].iter().any(|class| ours.starts_with(class)));
            }
            (Answer::Limit(_), _) | (_, Answer::Limit(_)) => score.undecided += 1,
            // Text that neither side accepts is a fault of the generator, not of the machine.
            (Answer::Failed(_), Answer::Failed(_)) => score.undecided += 1,
            _ if self.gaps.iter().any(|gap| gap.function == question.function) => score.known += 1,
            _ => {
                score.disagreed += 1;
                if score.disagreed <= SHOWN_PER_FUNCTION {
                    let shown = format!("{}\n     ours {ours:?}\n   theirs {theirs:?}", question.text);
                    println!("{}: {shown}", self.name);
                    self.disagreements.push(shown);
                }
            }
        }
    }

    /// Prints the score. Fails if there was an unknown disagreement, or if a known one no longer exists.
    pub fn conclude(mut self) {
        let closed: Vec<&str> = self.gaps.iter().filter(|gap| self.agree_on(gap)).map(|gap| gap.witness).collect();
        let sum = |part: fn(&Score) -> usize| self.scores.values().map(part).sum::<usize>();
        let functions = self.scores.len();
        let wrong = self.scores.values().filter(|score| score.disagreed + score.known > 0).count();
        let never = self.scores.values().filter(|score| score.agreed == 0).count();
        if std::env::var_os("BEAGLE_FUZZ_VERBOSE").is_some() {
            for (function, score) in &self.scores {
                println!("{function}: {score:?}");
            }
        }
        println!(
            "{}: seed {}: {functions} functions, {} calls agreed ({} on an exception), {} undecided, {} disagreed, {} in known gaps, {} with one of several answers; \
             {wrong} functions ({:.1} %) have a disagreement, {never} have no call that agreed",
            self.name,
            seed(),
            sum(|score| score.agreed),
            sum(|score| score.raised),
            sum(|score| score.undecided),
            sum(|score| score.disagreed),
            sum(|score| score.known),
            sum(|score| score.various),
            100.0 * wrong as f64 / functions.max(1) as f64,
        );
        assert!(sum(|score| score.agreed) > 0, "{}: nothing was compared", self.name);
        let various = sum(|score| score.various);
        assert!(
            various <= 1 + sum(|score| score.agreed) / AGREEMENTS_PER_VARIOUS,
            "{}: {various} questions have several answers",
            self.name
        );
        assert!(closed.is_empty(), "these known gaps are closed, remove them from the list: {closed:#?}");
        assert!(
            self.disagreements.is_empty(),
            "seed {}: {} kinds of disagreement; replay with BEAGLE_FUZZ_SEED={}:\n{}",
            seed(),
            self.disagreements.len(),
            seed(),
            self.disagreements.join("\n")
        );
    }

    fn agree_on(&mut self, gap: &Gap) -> bool {
        let call = Call::Text { text: gap.witness.to_owned(), home: None };
        self.our_answer(gap.witness) == self.their_answer(&call)
    }
}

fn is_difference(ours: &Answer, theirs: &Answer) -> bool {
    match (ours, theirs) {
        (Answer::Limit(_), _) | (_, Answer::Limit(_)) => false,
        (Answer::Failed(_), Answer::Failed(_)) => false,
        _ => ours != theirs,
    }
}

fn session(sources: Vec<PathBuf>, eager_collection: bool) -> (Arc<Beam>, Session) {
    let limits = machine::Limits { steps: 20_000_000, memory: 256 << 20, result: 1_000_000, eager_collection };
    let config = CodeConfig {
        sources,
        cache_dir: loader::cache_dir(None),
        evaluation: Evaluation::Unguarded,
        ..CodeConfig::default()
    };
    let beam = beam::open(config).unwrap_or_else(|error| panic!("no code: {error}"));
    let session = Session::new(beam.clone(), limits).unwrap_or_else(|error| panic!("no session: {error}"));
    (beam, session)
}
