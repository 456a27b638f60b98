//! Groups findings into defects: functions that fail at the same place for the same reason are reported together.
//!
//! Crashes of two functions are the same defect if the innermost frame of the user's code is the same line of the same
//! function, and class and reason look alike, whichever process crashes. A finding without such a frame (after a tail
//! call there is none), or about a function's own promise (its specification, the types of its functions, that it
//! ends), belongs to that function alone.
//!
//! A function that crashes at many places does not check its input. This is reported once, with all of its places.

use crate::rank::{Category, Origin, Ranking};
use crate::{Judged, Level, Place, Printer, Printers, Results, arguments_of, call, kind, setup_call};
use contract::Breach;
use path::TraceEntry;
use search::{Blame, Endless, Failure, Finding, Shape, Unended};
use std::collections::{HashMap, HashSet};
use term::{Atom, FunctionName, Term};

/// The maximum number of characters of a call that fits into a line.
const SHORT: usize = 100;

/// The number of places from which on the crashes of one function are reported together.
const TOGETHER: usize = 3;

/// The number of further places of a function that are reported with calls that fail there.
const WITH_CALLS: usize = 5;

/// Findings that are the same defect.
pub(crate) struct Defect<'a> {
    /// The headline: of the most urgent category, with the smallest input, nearest to the failure.
    pub best: (FunctionName, &'a Judged),
    /// The other findings, in the user's order.
    pub others: Vec<(FunctionName, &'a Judged)>,
}

/// Findings with causes in common. `number` is the position of the first of them.
struct Group<'a> {
    number: usize,
    causes: HashSet<String>,
    findings: Vec<(FunctionName, &'a Judged)>,
}

impl<'a> Group<'a> {
    fn join(mut self, other: Group<'a>) -> Group<'a> {
        self.causes.extend(other.causes);
        self.findings.extend(other.findings);
        self
    }
}

/// A defect and its rank among others.
pub(crate) struct Ranked<'a> {
    pub defect: Defect<'a>,
    pub ranking: Ranking,
}

impl Results {
    /// Returns the defects of all findings, in the order of the functions that first show them.
    pub(crate) fn defects<'a>(&'a self, printers: &dyn Printers) -> Vec<Defect<'a>> {
        let mut numbers: HashMap<(String, Standing), usize> = HashMap::new();
        let mut groups: Vec<Vec<(FunctionName, &Judged)>> = Vec::new();
        for tested in &self.functions {
            for judged in &tested.exploration.findings {
                let key = (identity(printers.of(tested.name.module), tested.name, judged), Standing::of(judged));
                let number = *numbers.entry(key).or_insert(groups.len());
                match groups.get_mut(number) {
                    Some(group) => group.push((tested.name, judged)),
                    None => groups.push(vec![(tested.name, judged)]),
                }
            }
        }
        groups.into_iter().filter_map(|group| Defect::of(printers, group)).collect()
    }

    /// Returns the defects that are bugs, the most urgent first. Those with the same cause are one.
    pub(crate) fn ranked<'a>(&'a self, printers: &dyn Printers) -> Vec<Ranked<'a>> {
        let mut groups: Vec<Group<'a>> = Vec::new();
        let bugs: Vec<Defect<'_>> =
            self.defects(printers).into_iter().filter(|defect| defect.best.1.is_bug()).collect();
        let wrong_makers: HashSet<FunctionName> =
            bugs.iter().filter_map(|defect| defect.best.1.finding.made_wrong).collect();
        for (number, Defect { best, others }) in bugs.into_iter().enumerate() {
            let printer = printers.of(best.0.module);
            let mut causes: HashSet<String> = causes(printer, best.0, best.1).into_iter().collect();
            causes.extend(made_wrong(&wrong_makers, best.0, best.1));
            if causes.is_empty() {
                causes.insert(identity(printer, best.0, best.1));
            }
            // All groups that share a cause with it become one group, at the position of the first.
            let (mut same, rest): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|group| !group.causes.is_disjoint(&causes));
            groups = rest;
            let findings = std::iter::once(best).chain(others).collect();
            same.push(Group { number, causes, findings });
            groups.extend(same.into_iter().reduce(Group::join));
        }
        groups.sort_by_key(|group| group.number);
        let defects = groups.into_iter().filter_map(|group| Defect::of(printers, group.findings));
        let defects = by_function(printers, defects.collect());
        let mut ranked: Vec<Ranked<'a>> =
            defects.into_iter().map(|defect| Ranked { ranking: defect.best.1.ranking(), defect }).collect();
        ranked.sort_by_cached_key(|Ranked { ranking, defect }| (ranking.order(), size(printers, &defect.best)));
        ranked
    }

    /// Returns the number of different places of the bugs.
    pub(crate) fn places(&self, printers: &dyn Printers) -> usize {
        let bugs = self.functions.iter().flat_map(|tested| {
            let bugs = tested.exploration.findings.iter().filter(|judged| judged.is_bug());
            bugs.map(|judged| identity(printers.of(tested.name.module), tested.name, judged))
        });
        bugs.collect::<HashSet<_>>().len()
    }
}

impl<'a> Defect<'a> {
    /// Groups findings. The headline is the finding that a maintainer understands first: the most urgent, through a
    /// function for users, with structures that are not built by hand, the smallest input, nearest to the failure.
    fn of(printers: &dyn Printers, mut group: Vec<(FunctionName, &'a Judged)>) -> Option<Defect<'a>> {
        let order = |finding: &(FunctionName, &Judged)| {
            let (name, judged) = *finding;
            let signals = &judged.signals;
            let is_inner = signals.function.hidden || signals.internal_module;
            let is_by_hand = signals.inputs.internals || signals.never_made;
            (judged.ranking().category, is_inner, is_by_hand, size(printers, finding), distance(name, judged))
        };
        let best = (0..group.len()).min_by_key(|index| group.get(*index).map(order))?;
        Some(Defect { best: group.remove(best), others: group })
    }

    /// Returns all of its findings, the headline first.
    pub(crate) fn all(&self) -> impl Iterator<Item = (FunctionName, &'a Judged)> {
        std::iter::once(self.best).chain(self.others.iter().copied())
    }

    /// Returns lines such as `also through m:g/1, m:h/2`, and the other places at which the function itself fails, with
    /// their calls if these are short. Returns none if there are no other findings.
    pub(crate) fn also(&self, printers: &dyn Printers) -> Vec<String> {
        let call_of = |(name, judged): &(FunctionName, &Judged)| call(printers.of(name.module), *name, &judged.finding);
        // A client may fail by the very same call.
        let headline = call_of(&self.best);
        let others = self.others.iter().copied().filter(|other| call_of(other) != headline);
        let call_line = |other: &(FunctionName, &Judged)| {
            let printer = printers.of(other.0.module);
            let started = &other.1.started;
            // Setups that are also made for the headline are shown there.
            let before = started.iter().filter(|_| *started != self.best.1.started);
            let calls = before.map(|setup| setup_call(printer, setup)).chain([call_of(other)]);
            let call = format!("{}{}", calls.collect::<Vec<_>>().join(", "), printer.end_of_input());
            (call.chars().count() <= SHORT && !call.contains('\n')).then(|| format!("  {call}"))
        };
        let here = line_of(&self.best);
        // Other places of the same function, and the functions that fail at these.
        let of_function = self.others.iter().filter(|other| other.0 == self.best.0 && is_crash(other.1));
        let places: HashSet<_> = of_function.map(line_of).filter(|place| *place != here).collect();
        let (elsewhere, same): (Vec<_>, Vec<_>) = others.partition(|other| places.contains(&line_of(other)));
        let mut lines = Vec::new();
        if !same.is_empty() {
            let mut names: Vec<String> =
                same.iter().map(|(name, _)| printers.of(name.module).function(*name)).collect();
            // A function that fails there in two ways is listed once.
            names.dedup();
            lines.push(format!("also through {}", names.join(", ")));
            // A client and a function may fail by the same call.
            let mut shown = HashSet::new();
            lines.extend(same.iter().filter_map(call_line).filter(|line| shown.insert(line.clone())));
        }
        let mut told = HashSet::new();
        let mut more = Vec::new();
        for other in &elsewhere {
            let Some((file, line)) = line_of(other).filter(|place| told.insert(*place)) else { continue };
            if told.len() > WITH_CALLS {
                more.push(format!("{file}:{line}"));
                continue;
            }
            lines.push(format!("also at {file}:{line}"));
            lines.extend(call_line(other));
        }
        if !more.is_empty() {
            lines.push(format!("also at {}", more.join(", ")));
        }
        lines
    }
}

/// Puts the crashes of each function together if it crashes at many places.
fn by_function<'a>(printers: &dyn Printers, defects: Vec<Defect<'a>>) -> Vec<Defect<'a>> {
    let mut places: HashMap<FunctionName, HashSet<(&str, u32)>> = HashMap::new();
    for defect in defects.iter().filter(|defect| is_unchecked_input(defect)) {
        places.entry(defect.best.0).or_default().extend(line_of(&defect.best));
    }
    let mut first: HashMap<FunctionName, usize> = HashMap::new();
    let mut groups: Vec<Vec<(FunctionName, &Judged)>> = Vec::new();
    for defect in defects {
        let function = defect.best.0;
        let is_together = is_unchecked_input(&defect) && places.get(&function).is_some_and(|all| all.len() >= TOGETHER);
        let number = if is_together { *first.entry(function).or_insert(groups.len()) } else { groups.len() };
        let findings = std::iter::once(defect.best).chain(defect.others);
        match groups.get_mut(number) {
            Some(group) => group.extend(findings),
            None => groups.push(findings.collect()),
        }
    }
    groups.into_iter().filter_map(|group| Defect::of(printers, group)).collect()
}

/// Returns whether a function crashes at some place because of its input, and not on purpose.
fn is_unchecked_input(defect: &Defect<'_>) -> bool {
    let (name, judged) = defect.best;
    is_crash(judged)
        && judged.signals.origin != Origin::Raised
        && judged.ranking().category <= Category::Specification
        && !name.is_client()
}

/// The standing of a finding. Findings that are known, contradicted or uncertain are not grouped with others.
#[derive(PartialEq, Eq, Hash)]
struct Standing {
    level: Level,
    is_known: bool,
    is_suspect: bool,
}

impl Standing {
    fn of(judged: &Judged) -> Standing {
        Standing { level: judged.certainty(), is_known: judged.is_known, is_suspect: judged.is_suspect() }
    }
}

fn is_crash(judged: &Judged) -> bool {
    matches!(judged.finding.failure, Failure::Crash(_))
}

fn line_of<'a>((_, judged): &(FunctionName, &'a Judged)) -> Option<(&'a str, u32)> {
    judged.place.as_ref().map(|place| (place.file.as_str(), place.line))
}

/// Returns the number of characters of the inputs.
fn size(printers: &dyn Printers, (name, judged): &(FunctionName, &Judged)) -> usize {
    let inputs = arguments_of(printers.of(name.module), &judged.finding).args;
    inputs.iter().map(|input| input.chars().count() + 1).sum()
}

/// Returns the known causes, which findings at different places may have in common.
fn causes(printer: &dyn Printer, name: FunctionName, judged: &Judged) -> Vec<String> {
    let known = cause(printer, judged).into_iter().chain(foreign_call(judged)).chain(left_to_library(judged));
    known.chain(own_result(printer, name, judged)).collect()
}

/// Returns a cause for a value that a function makes and that is not of its declared type. It is that function's fault,
/// whichever function fails on it.
fn made_wrong(wrong_makers: &HashSet<FunctionName>, name: FunctionName, judged: &Judged) -> Option<String> {
    let own = match &judged.finding.failure {
        Failure::Spec { function, .. } => Some(function.unwrap_or(name)),
        Failure::Crash(_) | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => None,
    };
    let maker = judged.finding.made_wrong.or(own).filter(|maker| wrong_makers.contains(maker))?;
    Some(["made wrong".to_string(), maker.to_string()].join("\0"))
}

/// Returns a cause for a result that is not of its type. It is the same for a call by a client and a direct call.
fn own_result(printer: &dyn Printer, name: FunctionName, judged: &Judged) -> Option<String> {
    let Failure::Spec { function, .. } = &judged.finding.failure else { return None };
    let Breach { found, declared, .. } = judged.disagreement.breach.as_ref()?;
    let function = function.unwrap_or(name);
    Some(
        ["result".to_string(), function.to_string(), printer.declared(declared), kind_of(found).to_string()].join("\0"),
    )
}

/// Returns a cause for an exception without a frame of the user's code, which has left everything to a library: the
/// path through the library. A single frame is too short to indicate a common cause.
fn left_to_library(judged: &Judged) -> Option<String> {
    let Failure::Crash(raised) = &judged.finding.failure else { return None };
    let place = judged.place.as_ref().filter(|_| judged.signals.missing.is_none())?;
    if raised.trace.len() < 2 || raised.trace.iter().any(|entry| entry.file == place.file) {
        return None;
    }
    let mut parts = vec!["library".to_string(), place.file.clone()];
    let frame = |entry: &TraceEntry| format!("{}:{}/{} {}", entry.module, entry.function, entry.arity, entry.line);
    parts.extend(raised.trace.iter().map(frame));
    Some(parts.join("\0"))
}

/// Returns a cause for an exception in a call of a library: the call, however it fails inside.
fn foreign_call(judged: &Judged) -> Option<String> {
    let Failure::Crash(raised) = &judged.finding.failure else { return None };
    let place = judged.place.as_ref().filter(|_| judged.signals.missing.is_none())?;
    let own = raised.trace.iter().position(|entry| entry.line == place.line && entry.file == place.file)?;
    let (called, caller) = (raised.trace.get(own.checked_sub(1)?)?, raised.trace.get(own)?);
    // The function that was called made a tail call to another one of its module, so it has no frame.
    let called = match judged.signals.inside_library {
        true => called.module.to_string(),
        false => format!("{}:{}/{}", called.module, called.function, called.arity),
    };
    let parts = [
        "call".to_string(),
        called,
        format!("{}:{}/{}", caller.module, caller.function, caller.arity),
        line_identity(place),
    ];
    Some(parts.join("\0"))
}

/// Returns what findings at several places may have in common: something that is missing, a type that lacks the same
/// kind of value, a value that a function of a library refuses, a loop.
fn cause(printer: &dyn Printer, judged: &Judged) -> Option<String> {
    if let Some(missing) = &judged.signals.missing {
        return Some(format!("missing {missing:?}"));
    }
    let parts = match &judged.finding.failure {
        Failure::Spec { .. } => {
            let Breach { found, declared, named, .. } = judged.disagreement.breach.as_ref()?;
            // A type without a name may occur in every module, so it is no common cause.
            let declared = match (named, judged.finding.functions.scenario.as_ref().and_then(|it| it.last_call())) {
                (Some(named), _) => printer.type_called(*named),
                (None, Some((function, _))) => format!("{} of {function}", printer.declared(declared)),
                (None, None) => printer.declared(declared),
            };
            ["type".to_string(), declared, format!("{:?}", judged.signals.wrong_part), kind_of(found).to_string()]
        }
        Failure::Crash(raised) => {
            let first = raised.trace.first()?;
            let place = judged.place.as_ref()?;
            // If the innermost frame is the one of the user, no other function refused a value.
            if first.file == place.file && first.line == place.line {
                return None;
            }
            // If several functions pass an empty value or a small number to the same function, that is no common cause.
            if !first.args.as_ref()?.iter().any(is_telling) {
                return None;
            }
            let args = first.args.as_ref()?.iter().map(|arg| printer.term(arg)).collect::<Vec<_>>().join(", ");
            let refused = format!("{}:{}({args})", first.module, first.function);
            ["refused".to_string(), refused, format!("{:?}", raised.class), place.file.clone()]
        }
        Failure::Timeout(Unended { endless: Some(endless), .. }) => {
            let Endless { module, function, arity, .. } = *endless;
            ["endless".to_string(), module.text().to_string(), function.text().to_string(), arity.to_string()]
        }
        Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock(_) => return None,
    };
    Some(parts.join("\0"))
}

/// Returns whether a value is specific enough to identify a cause.
fn is_telling(term: &Term) -> bool {
    match term {
        Term::Tuple(parts) => !parts.is_empty(),
        Term::Map(pairs) => !pairs.is_empty(),
        Term::Bits(bits) => bits.bit_length() > 0,
        Term::List(..) | Term::Float(_) | Term::Big(_) => true,
        Term::Int(_) | Term::Atom(_) | Term::Nil | Term::Fun(_) => false,
        Term::Pid(_) | Term::Reference(_) | Term::Port(_) => false,
    }
}

fn kind_of(term: &Term) -> &'static str {
    match term {
        Term::Int(_) | Term::Big(_) => "integer",
        Term::Float(_) => "float",
        Term::Atom(_) => "atom",
        Term::Nil | Term::List(..) => "list",
        Term::Tuple(_) => "tuple",
        Term::Map(_) => "map",
        Term::Bits(_) => "bits",
        Term::Fun(_) => "function",
        Term::Pid(_) | Term::Reference(_) | Term::Port(_) => "identity",
    }
}

/// Returns a text that is the same for all findings of a defect, through whichever function, as long as its line stays
/// the same.
pub fn identity(printer: &dyn Printer, name: FunctionName, judged: &Judged) -> String {
    let failure = &judged.finding.failure;
    let mut parts = vec![kind(failure).to_string()];
    let mut place = name;
    match failure {
        Failure::Crash(raised) => {
            parts.extend([raised.class.atom().text().to_string(), reason(printer, &judged.finding, &raised.reason)]);
            // The place is the innermost frame of the user, if there is one.
            let frame =
                |place: &Place| raised.trace.iter().find(|entry| entry.line == place.line && entry.file == place.file);
            if let Some(entry) = judged.place.as_ref().and_then(frame) {
                place = FunctionName { module: entry.module, function: entry.function, arity: entry.arity };
            }
        }
        Failure::Spec { result, .. } => parts.push(reason(printer, &judged.finding, result)),
        Failure::Blame(Blame::Domain(args)) => parts.push(format!("domain/{}", args.len())),
        Failure::Blame(Blame::Arity(args)) => parts.push(format!("arity/{}", args.len())),
        Failure::Blame(Blame::Range(_)) => parts.push("range".to_string()),
        // Functions that wait at the same place, at the same line of the user's code, wait for the same thing.
        Failure::Deadlock(waiting) => {
            if let Some(function) = waiting.first().and_then(|waiting| waiting.function) {
                place = function;
            }
        }
        Failure::Timeout(_) => {}
    }
    parts.push(format!("{}:{}/{}", place.module, place.function, place.arity));
    parts.extend(judged.place.as_ref().map(line_identity));
    let hash = blake3::hash(parts.join("\0").as_bytes()).to_hex();
    hash.as_str().chars().take(32).collect()
}

/// Identifies a line by its text, and by its index among the lines with the same text, because lines move.
fn line_identity(place: &Place) -> String {
    let lines = || place.text.as_deref().unwrap_or_default().lines().map(str::trim).take(place.line as usize);
    match lines().nth((place.line as usize).saturating_sub(1)) {
        Some(own) => format!("{own}\0{}", lines().filter(|line| *line == own).count()),
        None => place.line.to_string(),
    }
}

/// Describes a reason without the data in it.
fn reason(printer: &dyn Printer, finding: &Finding, reason: &Term) -> String {
    let name = |atom: &Atom| format!("{:?}", atom.text());
    let words = |shape: &Shape| match shape {
        Shape::Atom(atom) => name(atom),
        Shape::Tuple(_) | Shape::Other => "_".to_string(),
    };
    match Shape::of(reason, &data(finding)) {
        Shape::Tuple(parts) => format!("{{{}}}", parts.iter().map(words).collect::<Vec<_>>().join(",")),
        shape => printer.type_name(reason).map_or_else(|| words(&shape), |exception| name(&exception)),
    }
}

/// Returns the number of frames between the tested function and the failure, as far as the trace shows.
fn distance(name: FunctionName, judged: &Judged) -> usize {
    let Failure::Crash(raised) = &judged.finding.failure else { return 0 };
    let mut names = raised.trace.iter().map(|entry| (entry.module, entry.function, entry.arity));
    names.position(|entry| entry == (name.module, name.function, name.arity)).unwrap_or(raised.trace.len())
}

/// Returns all data of the inputs.
pub fn data(finding: &Finding) -> Vec<Term> {
    finding.inputs.iter().flat_map(|input| input.leaves()).map(|value| value.data.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Plain, in_helper, results, tested};

    /// A crash inside of a library, in a function that line 4 calls.
    fn inside(library: &str, called: &str, reason: &str) -> Judged {
        let mut judged = in_helper(1, 4, reason);
        if let Failure::Crash(raised) = &mut judged.finding.failure {
            let (module, function) = (Atom::new(library), Atom::new(called));
            let entry = TraceEntry {
                module,
                function,
                arity: 1,
                args: None,
                file: format!("{library}.erl"),
                line: 9,
                details: Vec::new(),
            };
            raised.trace.insert(0, entry);
        }
        // Functions whose names have several words count as not exported.
        judged.signals.inside_library = called.contains('_');
        judged
    }

    #[test]
    fn one_call_of_a_library_is_one_defect() {
        let count = |findings| results(vec![tested("f", findings)]).ranked(&Plain).len();
        let decode = || inside("base64", "decode", "badarg");
        assert_eq!(count(vec![decode(), inside("base64", "decode", "function_clause")]), 1);
        assert_eq!(count(vec![decode(), inside("base64", "encode", "function_clause")]), 2);
        // The call of `decode` left the rest to other functions, and no frame.
        let inner = || inside("base64", "decode_binary", "badarg");
        assert_eq!(count(vec![inner(), inside("base64", "only_ws", "function_clause")]), 1);
        assert_eq!(count(vec![inner(), inside("string", "split_all", "function_clause")]), 2);
    }

    /// A crash in a library without any frame of the user, in a function at this line.
    fn left(line: u32, functions: &[&str]) -> Judged {
        let mut judged = in_helper(1, line, "bad");
        if let Failure::Crash(raised) = &mut judged.finding.failure {
            let frame = |function: &&str| TraceEntry {
                module: Atom::new("gen"),
                function: Atom::new(function),
                file: "gen.erl".to_string(),
                ..raised.trace[0].clone()
            };
            raised.trace = functions.iter().map(frame).collect();
            raised.trace.iter_mut().for_each(|entry| entry.line = 9);
        }
        judged
    }

    #[test]
    fn a_function_that_crashes_at_many_places_is_told_of_once() {
        let ranked = |lines: &[u32], name: &str| {
            let findings = lines.iter().map(|line| in_helper(i64::from(*line), *line, "bad")).collect();
            results(vec![tested(name, findings)])
        };
        assert_eq!(ranked(&[2, 4], "f").ranked(&Plain).len(), 2);
        let all = ranked(&[1, 2, 3, 4, 5, 6, 7, 8], "f");
        let together = all.ranked(&Plain);
        let [Ranked { defect, .. }] = &together[..] else { panic!("{} defects", together.len()) };
        let also = defect.also(&Plain);
        let places = also.iter().filter(|line| line.starts_with("also at")).count();
        // Five with their calls, and a line with the rest.
        assert_eq!((places, also.len()), (6, 11), "{also:#?}");
        assert_eq!(also.last().map(String::as_str), Some("also at m.erl:7, m.erl:8"));
        // A function that fails at another place than the headline is listed there.
        let crash = |line: u32| in_helper(i64::from(line), line, "bad");
        let of_two = results(vec![tested("f", vec![crash(1), crash(2), crash(3)]), tested("g", vec![crash(3)])]);
        let together = of_two.ranked(&Plain);
        let also = together[0].defect.also(&Plain);
        assert!(together.len() == 1 && !also.iter().any(|line| line.contains("through")), "{also:#?}");
        let mut meant = ranked(&[1, 2, 3], "f");
        for judged in &mut meant.functions[0].exploration.findings {
            judged.signals.origin = Origin::Raised;
        }
        assert_eq!(meant.ranked(&Plain).len(), 3);
    }

    #[test]
    fn one_way_through_a_library_is_one_defect() {
        let count = |findings| results(vec![tested("f", findings)]).ranked(&Plain).len();
        assert_eq!(count(vec![left(2, &["where", "start"]), left(4, &["where", "start"])]), 1);
        assert_eq!(count(vec![left(2, &["where", "start"]), left(4, &["call", "start"])]), 2);
        assert_eq!(count(vec![left(2, &["where"]), left(4, &["where"])]), 2);
    }
}
