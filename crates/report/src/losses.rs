//! The reasons why an exploration is incomplete, in words, each with its code. JSON lines contain the words, so they
//! are not changed without need.

use crate::words::count;
use crate::{Code, Printer, Tested, unknowns};
use contract::{Limit, TypeName};
use path::{Concretised, Stop, Surrounding};
use search::{Loss, Missing, Obstacle};
use std::collections::BTreeMap;
use term::FunctionName;

pub(crate) fn code(loss: &Loss) -> Code {
    match loss {
        Loss::Concretised(_) => Code::MadeConcrete,
        Loss::Undecided(why) => unknowns::code(why),
        Loss::NotWithinSizeBound => Code::Undecided,
        Loss::Stopped(stop) => code_of_stop(stop),
        Loss::AllEndAt(Obstacle::Denied(_)) => Code::EffectDenied,
        Loss::AllEndAt(Obstacle::Unsupported(_)) => Code::Unsupported,
        Loss::AllEndAt(Obstacle::NotReturned(_)) => Code::NotReturned,
        Loss::Missing(_) | Loss::AllEndAt(Obstacle::Missing { .. }) => Code::Missing,
        Loss::DependsOn(_) => Code::Surroundings,
        Loss::Specification(_) => Code::TypeNotFollowed,
        Loss::SizeBound => Code::SizeBound,
        Loss::SomeExpected => Code::SomeExpected,
        Loss::LongPath => Code::LongPath,
        Loss::NoInputs => Code::NoInputs,
        Loss::TotalMemory | Loss::CandidatesDropped => Code::MemoryLimit,
        Loss::OnlySlowHere => Code::TooSlow,
        Loss::WrongRefutation { .. } => Code::WrongRefutation,
        Loss::Diverged | Loss::NotRepeated | Loss::NotReproduced | Loss::Forgotten => Code::OwnDefect,
    }
}

fn code_of_stop(stop: &Stop) -> Code {
    match stop {
        Stop::StepLimit | Stop::TraceLimit | Stop::Interrupted => Code::StepLimit,
        Stop::MemoryLimit => Code::MemoryLimit,
        Stop::AtomLimit => Code::AtomLimit,
        Stop::ProcessLimit => Code::ProcessLimit,
        Stop::Unsupported(_) => Code::Unsupported,
        Stop::EffectDenied(_) => Code::EffectDenied,
        Stop::NotReturned(_) => Code::NotReturned,
        Stop::Deadlock(_) => Code::Deadlock,
        Stop::LoadFailed(_) => Code::ModuleNotLoaded,
        Stop::ResultTooLarge => Code::ResultTooLarge,
        Stop::TooSlow(_) => Code::TooSlow,
        Stop::Contract | Stop::Halted(_) | Stop::Fault(_) => Code::OwnDefect,
    }
}

pub(crate) fn words(printer: &dyn Printer, loss: &Loss) -> String {
    match loss {
        Loss::Concretised(why) => format!("made concrete: {}", concretised(printer, *why)),
        Loss::Undecided(why) => unknowns::words(printer, why),
        Loss::NotWithinSizeBound => "undecided: whether there are inputs within the size bound".to_owned(),
        Loss::Stopped(stop) => stopped(stop, &|name| printer.function(name)),
        Loss::Missing(missing) => format!("missing: {}", what_is_missing(missing)),
        Loss::AllEndAt(obstacle) => end_of("all runs", printer, obstacle),
        Loss::DependsOn(surrounding) => format!("it depends on {}", surroundings(*surrounding)),
        Loss::Specification(limit) => specification(printer, *limit),
        Loss::SizeBound => "inputs beyond the size bound were not tried (see --size-bound)".to_owned(),
        Loss::SomeExpected => {
            "an exception is expected for some data only; other data on the same path was not tried".to_owned()
        }
        Loss::LongPath => "a path has too many decisions".to_owned(),
        Loss::NoInputs => "no value of an input's type can be made".to_owned(),
        Loss::TotalMemory => "memory limit of the command reached (see --total-memory)".to_owned(),
        Loss::CandidatesDropped => {
            "alternatives were dropped untried, because there were too many for the memory".to_owned()
        }
        Loss::OnlySlowHere => {
            format!("an input takes too long in Beagle, although it ends on {} (see --steps)", printer.runtime())
        }
        Loss::WrongRefutation { solver } => {
            format!("the solver {solver} called a satisfiable query unsatisfiable")
        }
        Loss::Diverged => "a run took another path than predicted".to_owned(),
        Loss::NotRepeated => "a run took another path when it was repeated".to_owned(),
        Loss::NotReproduced => "a failure could not be reproduced".to_owned(),
        Loss::Forgotten => "the record of a run was dropped too early".to_owned(),
    }
}

/// Describes the obstacle at which these runs ended.
pub(crate) fn end_of(runs: &str, printer: &dyn Printer, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Denied(function) => format!("{runs} ended at {}, which is denied", printer.function(*function)),
        Obstacle::Unsupported(function) => {
            format!("{runs} ended at {}, which is not supported", printer.function(*function))
        }
        Obstacle::NotReturned(function) => {
            format!("{runs} ended at {}, which did not come back on the BEAM", printer.function(*function))
        }
        Obstacle::Missing { .. } => format!("{}: {runs} failed without it", needs(printer, obstacle)),
    }
}

/// Describes what a function needs and does not find: "needs table `orders`, created by orders:start_link/0 (--start
/// shop starts its application)".
pub(crate) fn needs(printer: &dyn Printer, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Missing { missing, created_by, application } => {
            let creator = created_by.map(|creator| format!(", created by {}", printer.function(creator)));
            let hint =
                application.as_ref().map(|application| format!(" (--start {application} starts its application)"));
            format!("needs {}{}{}", what_is_missing(missing), creator.unwrap_or_default(), hint.unwrap_or_default())
        }
        Obstacle::Denied(function) | Obstacle::Unsupported(function) | Obstacle::NotReturned(function) => {
            format!("needs {}", printer.function(*function))
        }
    }
}

/// Counts the functions that can do nothing unless an application is started, with a line for each application.
pub(crate) fn unstarted(functions: &[Tested]) -> String {
    let mut applications: BTreeMap<&str, u64> = BTreeMap::new();
    for tested in functions {
        let needed = tested.exploration.losses.keys().find_map(|loss| match loss {
            Loss::AllEndAt(Obstacle::Missing { application, .. }) => application.as_deref(),
            _ => None,
        });
        needed.into_iter().for_each(|application| *applications.entry(application).or_default() += 1);
    }
    let line = |(application, number): (&str, u64)| {
        let functions = count(number, "function needs", "functions need");
        format!("{functions} the application {application}: --start {application} starts it before each run\n")
    };
    applications.into_iter().map(line).collect()
}

/// Counts the functions that an application was started for, with a line for each application.
pub(crate) fn started(functions: &[Tested]) -> String {
    let mut applications: BTreeMap<String, u64> = BTreeMap::new();
    let names = functions.iter().flat_map(|tested| &tested.started).filter_map(|setup| setup.args.first());
    names.for_each(|name| *applications.entry(name.to_string()).or_default() += 1);
    let line = |(application, number): (String, u64)| {
        let functions = count(number, "function that needs", "functions that need");
        format!("the application {application} was started for {functions} it (--start none starts nothing)\n")
    };
    applications.into_iter().map(line).collect()
}

fn what_is_missing(missing: &Missing) -> String {
    let name = missing.name();
    // Some exceptions contain no name and only say that something is missing.
    let name = if name.contains(' ') {
        name.to_owned()
    } else {
        format!("`{}`", name.strip_prefix("Elixir.").unwrap_or(name))
    };
    match missing {
        Missing::Process(_) => format!("process {name}"),
        Missing::Table(_) => format!("table {name}"),
        Missing::Name(_) => format!("name {name}"),
        Missing::PersistentTerm(_) => format!("persistent term {name}"),
        Missing::Application(_) | Missing::Setting(_) => name,
        Missing::Module(_) => format!("module {name}"),
        Missing::File(_) => format!("a file ({name})"),
    }
}

/// Returns the surroundings that an outcome depends on, as the end of a sentence: "it depends on …".
pub fn surroundings(surrounding: Surrounding) -> &'static str {
    match surrounding {
        Surrounding::Time => "the time",
        Surrounding::TimeZone => "the time zone",
        Surrounding::Environment => "the environment",
        Surrounding::CommandLine => "how the runtime was started",
        Surrounding::UniqueIntegers => "unique integers",
        Surrounding::Randomness => "random bytes",
        Surrounding::Load => "how busy the system is",
        Surrounding::System => "the system it runs on",
        Surrounding::Directory => "the current directory",
        Surrounding::Node => "the node and its connections",
        Surrounding::Atoms => "which atoms there are",
        Surrounding::Applications => "the configuration of applications",
        Surrounding::Code => "which modules are loaded",
        Surrounding::Compilation => "how modules were compiled",
        Surrounding::Tables => "tables that others made",
        Surrounding::PersistentTerms => "persistent terms that others put",
        Surrounding::Processes => "other processes",
        Surrounding::Process => "the process that calls it",
        Surrounding::Identities => "the numbers of pids and references",
        Surrounding::HashOrder => "the order of a hash table",
        Surrounding::Terminal => "the terminal",
        Surrounding::Logger => "the configuration of the logger",
        Surrounding::Loading => "what its module does when it is loaded",
        Surrounding::Outside => "what files, sockets or programs outside delivered",
        Surrounding::Schedule => "the order in which its processes take turns",
    }
}

/// Returns the reason why a run was stopped. `name` writes the name of a function.
pub fn stopped(stop: &Stop, name: &dyn Fn(FunctionName) -> String) -> String {
    match stop {
        Stop::StepLimit => "step limit".to_owned(),
        Stop::Interrupted => "interrupted".to_owned(),
        Stop::MemoryLimit => "memory limit".to_owned(),
        Stop::AtomLimit => "atom limit".to_owned(),
        Stop::ProcessLimit => "process limit: more processes than a run may have".to_owned(),
        Stop::Unsupported(function) => format!("unsupported: {}", name(*function)),
        Stop::EffectDenied(function) => format!("effect denied: {}", name(*function)),
        Stop::NotReturned(function) => {
            format!(
                "not returned: {} did not come back on the BEAM (time limit, or the runtime ended)",
                name(*function)
            )
        }
        Stop::Deadlock(_) => "deadlock: a receive waits for a message that cannot come".to_owned(),
        Stop::Contract => "a function was called with, or returned, a value outside its type".to_owned(),
        Stop::Halted(status) => format!("halted with status {status}"),
        Stop::LoadFailed(message) => message.clone(),
        Stop::TooSlow(function) => {
            format!("{} takes too long on the real runtime", name(*function))
        }
        Stop::TraceLimit => "trace limit: more events than the trace may have".to_owned(),
        Stop::ResultTooLarge => "the result is too large".to_owned(),
        Stop::Fault(message) => format!("a defect of Beagle: {message}"),
    }
}

pub fn concretised(printer: &dyn Printer, why: Concretised) -> String {
    let words = match why {
        Concretised::Function(function) => return printer.function(function),
        Concretised::Operation { name, arity } => return format!("{name}/{arity}"),
        Concretised::NoArgumentFor(Some(of)) => {
            return format!(
                "functions that take values of the opaque type {}, of which none is made",
                printer.function(of)
            );
        }
        Concretised::NoArgumentFor(None) => "functions that take values of a type that has only very large ones",
        Concretised::LargeValue => "a value too large for a formula",
        Concretised::Closure => "a closure",
        Concretised::KeyWithoutFormula => "a key without a formula",
        Concretised::ReasonOfError => "the reason of an error",
        Concretised::LargeBitstring => "a bitstring too large for a formula",
        Concretised::LengthOfBitstring => "the length of a bitstring",
        Concretised::BitstringOfManyParts => "a bitstring of many parts",
        Concretised::ValueLookedInto => "a value that code without a formula inspects",
        Concretised::OrderOfLargeMap => "the order of the keys of a large map",
        Concretised::OrderOfNumericKeys => "the order of keys that contain numbers",
        Concretised::ModuleCalled => "the name of the module that is called",
        Concretised::FunctionCalled => "the name of the function that is called",
        Concretised::WhichOfTwoErrors => "which of two errors an invalid argument raises",
        Concretised::BitsOfFloat => "the bits of a float",
        Concretised::Hash => "the hash of a value",
        Concretised::TablePattern => "the pattern of a search in a table",
        Concretised::SeveralKeysOfMatch => "the keys that a search in a table looks for",
        Concretised::KeyOfMatchedMap => "a key of a map in the result of a search in a table",
        Concretised::PositionInTableObject => "a position in an object of a table",
        Concretised::TableContinuation => "the continuation of a search in a table",
        Concretised::ArgumentOfInput => "an argument of a function input",
        Concretised::SeveralSortsOfFunctions => "a function that could be of several types",
        Concretised::FunctionsDeepInArguments => "functions deep inside an argument of a function input",
        Concretised::FunctionsInMapsOfArguments => "functions in maps among the arguments of a function input",
        Concretised::IdentitiesGivenToInput => "pids, references or ports that a function input could compare or keep",
        Concretised::ManyCallsOfInput => "a function input with too many different calls",
        Concretised::ResultWithoutFormula => "a result that cannot be followed",
        Concretised::LargeResult => "a result too large to be followed",
        Concretised::KeysOfMapInResult => "the keys of a map in the result",
        Concretised::ValuesThatWereEnded => "values after a function that ends them, such as `close` or `delete`",
        Concretised::LongScenario => "scenarios of very many steps",
        Concretised::FunctionsInResultOutOfReach => "functions inside a result that cannot be called from there",
        Concretised::FunctionsOfResultShareDictionary => "functions of a result that share the process dictionary",
        Concretised::DeepFunctionResults => "functions that return functions, nested too deeply",
        Concretised::FunctionResultOfOpaqueCall => "functions returned by a call with values of opaque types",
        Concretised::IdentityOfFunction => "whether a function input is the same function as another one",
        Concretised::ClausesOfSpecification => "which clauses of the specification apply",
    };
    words.to_owned()
}

fn specification(printer: &dyn Printer, limit: Limit) -> String {
    let type_name =
        |TypeName { module, name, arity }: TypeName| printer.function(FunctionName { module, function: name, arity });
    match limit {
        Limit::Undefined(name) => format!("the type {} is not defined; any term is used in its place", type_name(name)),
        Limit::ModuleNotFound(name) => {
            format!("the module of the type {} was not found; any term is used in its place", type_name(name))
        }
        Limit::Growing(name) => {
            format!("the type {} grows with every level; any term is used from some level on", type_name(name))
        }
        Limit::DeeplyNested { levels } => {
            format!("the type is nested more than {levels} levels deep; any term is used below")
        }
        Limit::LiteralBitstring => "a literal bitstring in a type is treated as any bitstring of its length".to_owned(),
        Limit::LiteralFloat => "a literal float in a type is treated as any float".to_owned(),
        Limit::NoValues { parameter, of: Some(of) } => {
            format!(
                "parameter {parameter} is of the type {}, which has no values: the function cannot be called",
                type_name(of)
            )
        }
        Limit::NoValues { parameter, of: None } => {
            format!("parameter {parameter} is of a type without values, as none() is: the function cannot be called")
        }
        Limit::TooManyAlternatives => "the type of a function has too many alternatives; no inputs are made".to_owned(),
        Limit::OnlyHugeValues { parts, bits } => format!(
            "all values of a parameter's type have more than {parts} parts or {bits} bits; such large inputs are not made"
        ),
        Limit::FewConstructors(name) => {
            format!("values of the opaque type {} are only those that a few calls make", type_name(name))
        }
        Limit::NoConstructor(name) => {
            format!("no callable function makes values of the opaque type {}", type_name(name))
        }
        Limit::FunctionsOfOpaque => "function inputs that return values of an opaque type are not made".to_owned(),
        Limit::DeepOpaqueParts => {
            "values with processes or opaque types in them are made only a few levels deep".to_owned()
        }
        Limit::OneOpaqueKey => {
            "maps hold processes and values of an opaque type under at most one key of each kind".to_owned()
        }
        Limit::ClientArguments(name) => {
            let function = format!("{}:{}/{}", name.module, name.name, name.arity);
            format!("clients call {function} with some of its arguments only, or not at all")
        }
        Limit::ShortOpaqueLists { most } => {
            format!("lists of processes or of values of an opaque type have at most {most} items")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Atom;

    #[test]
    fn stops_have_the_codes_of_their_kinds() {
        let function = FunctionName { module: Atom::new("m"), function: Atom::new("f"), arity: 1 };
        for (stop, expected) in [
            (Stop::StepLimit, Code::StepLimit),
            (Stop::MemoryLimit, Code::MemoryLimit),
            (Stop::AtomLimit, Code::AtomLimit),
            (Stop::ProcessLimit, Code::ProcessLimit),
            (Stop::Unsupported(function), Code::Unsupported),
            (Stop::EffectDenied(function), Code::EffectDenied),
            (Stop::NotReturned(function), Code::NotReturned),
            (Stop::ResultTooLarge, Code::ResultTooLarge),
            (Stop::LoadFailed("m.erl does not compile".into()), Code::ModuleNotLoaded),
            (Stop::Fault("f".into()), Code::OwnDefect),
            (Stop::Deadlock(Vec::new()), Code::Deadlock),
            (Stop::TooSlow(function), Code::TooSlow),
        ] {
            assert_eq!(code(&Loss::Stopped(stop)), expected);
        }
    }

    #[test]
    fn functions_are_named_as_the_language_names_them() {
        let function = FunctionName { module: Atom::new("m"), function: Atom::new("f"), arity: 1 };
        assert_eq!(stopped(&Stop::Unsupported(function), &|_| "M.f/1".to_owned()), "unsupported: M.f/1");
    }
}
