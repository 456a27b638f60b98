//! Reports a target that was reached: the call, whether the real runtime confirms it, the way to it, and a test.

use super::Reaching;
use crate::judge::Judge;
use crate::speaker::Speaker;
use crate::target::Target;
use emit::Observed;
use frontend::{Code, Evaluations, Languages, Limits, Outcome as Evaluated};
use path::Mark;
use report::{Arrival, Printer, ReachVerdict};
use rustc_hash::FxHashMap;
use search::Reached;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// The number of places of a trail that are shown.
const LONGEST_TRAIL: usize = 12;
/// The number of evaluations before a call counts as contradicted, because the real runtime schedules processes in any
/// order.
const ATTEMPTS: usize = 3;

/// The real runtime's answer to the question whether a call reaches a target.
enum Confirmation {
    Confirmed,
    /// The runtime was asked, and the call does not reach the target there.
    Denied(String),
    /// The runtime was not asked, or could not be.
    NotAsked(String),
}

impl Reaching<'_> {
    /// Returns the verdict on a target that Beagle's machine has reached.
    pub(super) fn arrival(&self, entry: FunctionName, reached: &Reached, marks: &[Mark]) -> ReachVerdict {
        let language = self.languages.language(entry.module);
        let printed = |printer: &dyn Printer| {
            if let Some(scenario) = &reached.functions.scenario {
                return printer.sequence(&printer.scenario(scenario, &reached.functions), false);
            }
            report::call_with(printer, entry, &reached.inputs)
        };
        let confirmation = match self.is_confirmed {
            true => self.confirm(&printed(language.asking()), marks),
            false => Confirmation::NotAsked("the BEAM was not asked".to_string()),
        };
        let (entry, call, trail) = (language.function(entry), printed(language), self.trail(&reached.trail));
        let arrival = |not_asked| Arrival { entry, call, not_asked, trail };
        match confirmation {
            Confirmation::Confirmed => ReachVerdict::Reached(arrival(None)),
            Confirmation::NotAsked(why) => ReachVerdict::Reached(arrival(Some(why))),
            Confirmation::Denied(why) => ReachVerdict::Unconfirmed { arrival: arrival(None), why },
        }
    }

    /// Has the real runtime execute the call, with the same marks in the code.
    fn confirm(&self, call: &str, marks: &[Mark]) -> Confirmation {
        let code = &*self.session.code;
        let usage = self.session.usage();
        for module in self.modules().into_iter().filter(|module| usage.contains(*module)) {
            if let Err(error) = code.load_into_runtime(module) {
                return Confirmation::NotAsked(format!("the BEAM could not be asked: {error}"));
            }
        }
        let wanted = marks.iter().map(|mark| {
            let numbers = [mark.line, mark.column].map(|number| Term::Int(i64::from(number)));
            Term::tuple([vec![Term::Atom(mark.module)], numbers.to_vec()].concat())
        });
        let wanted = Term::list(wanted.collect::<Vec<_>>());
        let wanted = self.languages.usual().asking().term(&wanted);
        let text = format!("beagle_mark:is_reached({wanted}, fun() -> {call} end)");
        let how = Evaluations { limits: Limits::default(), is_printed: false, is_fresh: false };
        let mut last = Confirmation::NotAsked("the BEAM could not be asked: it gave no answer".to_string());
        for _ in 0..ATTEMPTS {
            last = match code.evaluate(std::slice::from_ref(&text), how) {
                Ok(outcomes) => {
                    let printer = self.languages.usual();
                    outcomes.first().map_or(last, |outcome| confirmation(printer, outcome))
                }
                Err(error) => Confirmation::NotAsked(format!("the BEAM could not be asked: {error}")),
            };
            if !matches!(last, Confirmation::Denied(_)) {
                return last;
            }
        }
        last
    }

    /// Returns the first mark in each function that the run came to, and the last mark.
    fn trail(&self, marks: &[Mark]) -> Vec<String> {
        let mut known: FxHashMap<Atom, FxHashMap<Mark, (u32, String)>> = FxHashMap::default();
        let mut trail: Vec<(Option<(Atom, u32)>, String)> = Vec::new();
        for (index, mark) in marks.iter().enumerate() {
            let places = known.entry(mark.module).or_insert_with(|| {
                let module = self.session.code.load(mark.module).ok().flatten();
                module.map_or_else(FxHashMap::default, |module| {
                    let place = |place: &reach::MarkPlace| {
                        let file = module.files.get(usize::from(place.span.file));
                        let file = file.and_then(|file| file.rsplit('/').next()).unwrap_or_default();
                        (place.mark, (place.function.0, format!("{file}:{}", place.mark.line)))
                    };
                    reach::marks_of(&module).iter().map(place).collect()
                })
            });
            let Some((function, shown)) = places.get(mark) else { continue };
            let of = Some((mark.module, *function));
            let is_last = index + 1 == marks.len();
            let is_new = trail.last().is_none_or(|(last, _)| *last != of);
            if (is_new || is_last) && trail.last().is_none_or(|(_, last)| last != shown) {
                trail.push((of, shown.clone()));
            }
        }
        let mut trail: Vec<String> = trail.into_iter().map(|(_, shown)| shown).collect();
        if trail.len() > LONGEST_TRAIL {
            let kept = trail.split_off(trail.len() - LONGEST_TRAIL / 2);
            trail.truncate(LONGEST_TRAIL / 2 - 1);
            trail.push("…".to_string());
            trail.extend(kept);
        }
        trail
    }
}

/// Returns what an evaluation of `beagle_mark:is_reached/2` says of the call.
fn confirmation(printer: &dyn Printer, outcome: &Evaluated) -> Confirmation {
    let why = match outcome {
        Evaluated::Value { term, .. } if *term == Term::TRUE => return Confirmation::Confirmed,
        Evaluated::Value { .. } => "the BEAM does not come there".to_string(),
        Evaluated::Timeout { .. } => "the BEAM does not come there before its time limit".to_string(),
        Evaluated::HeapExceeded => "the BEAM does not come there before its memory limit".to_string(),
        Evaluated::Stopped { module, function, arity } => {
            let function = FunctionName { module: *module, function: *function, arity: *arity };
            format!("the BEAM calls {} before, which acts on the outside", printer.function(function))
        }
        Evaluated::Raised { reason, .. } | Evaluated::Killed { reason } => {
            format!("the evaluation on the BEAM ends with {}", printer.term(reason))
        }
        Evaluated::Unreadable { message } => format!("the BEAM cannot read the call: {message}"),
        Evaluated::RuntimeDied { message } => format!("the BEAM ends before it comes there: {message}"),
    };
    Confirmation::Denied(why)
}

/// Returns tests that expect what the real runtime does today when a function is called on the way to a target.
pub fn tests(
    judge: &Judge,
    code: &Arc<dyn Code>,
    limits: machine::Limits,
    languages: &Languages,
    target: &Target,
    reached: &Reached,
) -> Vec<emit::Test> {
    let language = languages.language(target.name.module);
    let examples = [reached.inputs.clone()];
    let mut speaker = Speaker::new(code, limits);
    let mut tests = Vec::new();
    for (inputs, outcome) in judge.observed(&**code, language, &|_| true, target, &examples) {
        let observed = match outcome {
            Evaluated::Value { term, .. } => Observed::Value(term),
            Evaluated::Raised { class, reason, .. } => {
                let shown = speaker.exception(language, class, &reason);
                Observed::Raised { class, reason, shown }
            }
            _ => continue,
        };
        tests.push(language.framework().example(language, target.name, inputs, &observed));
    }
    tests
}
