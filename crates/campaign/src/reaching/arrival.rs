//! What is told of a target that was reached: the call, what the real runtime says to it, the way, and a test.

use super::Reaching;
use crate::judge::Judge;
use crate::speaker::Speaker;
use crate::target::Target;
use emit::Observed;
use frontend::{Code, Evaluations, Languages, Limits, Outcome as Evaluated};
use path::Mark;
use report::{Arrival, Printer};
use rustc_hash::FxHashMap;
use search::Reached;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// Places of a trail that are shown.
const LONGEST_TRAIL: usize = 12;

impl Reaching<'_> {
    pub(super) fn arrival(&self, entry: FunctionName, reached: &Reached, marks: &[Mark]) -> Arrival {
        let language = self.languages.language(entry.module);
        let printed = |printer: &dyn Printer| {
            if let Some(scenario) = &reached.functions.scenario {
                return printer.sequence(&printer.scenario(scenario, &reached.functions), false);
            }
            report::call_with(printer, entry, &reached.inputs)
        };
        let confirmed = match self.is_confirmed {
            true => self.confirm(&printed(language.asking()), marks),
            false => Err("the BEAM was not asked".to_string()),
        };
        Arrival {
            entry: language.function(entry),
            call: printed(language),
            confirmed,
            trail: self.trail(&reached.trail),
        }
    }

    /// Has the real runtime execute the call, with the same marks in the code.
    fn confirm(&self, call: &str, marks: &[Mark]) -> Result<(), String> {
        let code = &*self.session.code;
        let usage = self.session.usage();
        for module in self.modules().into_iter().filter(|module| usage.contains(*module)) {
            code.load_into_runtime(module).map_err(|error| error.to_string())?;
        }
        let wanted = marks.iter().map(|mark| {
            let numbers = [mark.line, mark.column].map(|number| Term::Int(i64::from(number)));
            Term::tuple([vec![Term::Atom(mark.module)], numbers.to_vec()].concat())
        });
        let wanted = Term::list(wanted.collect::<Vec<_>>());
        let wanted = self.languages.usual().asking().term(&wanted);
        let text = format!("beagle_mark:is_reached({wanted}, fun() -> {call} end)");
        let how = Evaluations { limits: Limits::default(), is_printed: false, is_fresh: false };
        let outcomes = code.evaluate(&[text], how).map_err(|error| error.to_string())?;
        match outcomes.first() {
            Some(Evaluated::Value { term, .. }) if *term == Term::TRUE => Ok(()),
            Some(Evaluated::Value { .. }) => Err("the BEAM does not come there".to_string()),
            other => Err(format!("the BEAM could not be asked: {other:?}")),
        }
    }

    /// The first mark in each function that the run came to, and the last mark.
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

/// A test of what a function does on the way to a target, as the real runtime does it today.
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
