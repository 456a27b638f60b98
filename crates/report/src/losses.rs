//! The reasons why an exploration is incomplete, in words, each with its code. JSON lines contain the words, so they do not
//! change without need.

use crate::{Code, Printer, unknowns};
use contract::{Limit, TypeName};
use path::{Concretised, Stop, Surrounding};
use search::{Loss, Missing, Obstacle};
use term::FunctionName;

pub(crate) fn code(loss: &Loss) -> Code {
    match loss {
        Loss::Concretised(_) => Code::MadeConcrete,
        Loss::Undecided(why) => unknowns::code(why),
        Loss::NotWithinSizeBound => Code::Undecided,
        Loss::Stopped(stop) => code_of_stop(stop),
        Loss::AllEndAt(Obstacle::Denied(_)) => Code::EffectDenied,
        Loss::AllEndAt(Obstacle::Unsupported(_)) => Code::Unsupported,
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
        Stop::StepLimit | Stop::Interrupted => Code::StepLimit,
        Stop::MemoryLimit => Code::MemoryLimit,
        Stop::AtomLimit => Code::AtomLimit,
        Stop::Unsupported(_) => Code::Unsupported,
        Stop::EffectDenied(_) => Code::EffectDenied,
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
        Loss::NotWithinSizeBound => "undecided: inputs within the bound on their size".to_owned(),
        Loss::Stopped(stop) => stopped(stop, &|name| printer.function(name)),
        Loss::Missing(missing) => format!("missing: {}", what_is_missing(missing)),
        Loss::AllEndAt(obstacle) => end_of("all runs", printer, obstacle),
        Loss::DependsOn(surrounding) => format!("it depends on {}", surroundings(*surrounding)),
        Loss::Specification(limit) => specification(printer, *limit),
        Loss::SizeBound => "the bound on the size of inputs".to_owned(),
        Loss::SomeExpected => {
            "an exception that is meant with some data only: with other data it was not looked for".to_owned()
        }
        Loss::LongPath => "a path of too many decisions".to_owned(),
        Loss::NoInputs => "inputs of which no value can be made".to_owned(),
        Loss::TotalMemory => "memory limit of the command (see --total-memory)".to_owned(),
        Loss::CandidatesDropped => "candidates were dropped: there were too many".to_owned(),
        Loss::OnlySlowHere => {
            format!("an input that takes too long here, though it ends on {} (see --steps)", printer.runtime())
        }
        Loss::WrongRefutation { solver } => {
            format!("the solver {solver} called a satisfiable query unsatisfiable")
        }
        Loss::Diverged => "a run went another way than was predicted".to_owned(),
        Loss::NotRepeated => "a run that cannot be repeated".to_owned(),
        Loss::NotReproduced => "a failure that could not be reproduced".to_owned(),
        Loss::Forgotten => "a run that was forgotten too early".to_owned(),
    }
}

/// Where these runs ended.
pub(crate) fn end_of(runs: &str, printer: &dyn Printer, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Denied(function) => format!("{runs} ended at {}, which is denied", printer.function(*function)),
        Obstacle::Unsupported(function) => {
            format!("{runs} ended at {}, which is not supported", printer.function(*function))
        }
        Obstacle::Missing { .. } => format!("{}: {runs} failed without it", needs(printer, obstacle)),
    }
}

/// What a function needs that is not there: "needs table `orders`, created by orders:start_link/0".
pub(crate) fn needs(printer: &dyn Printer, obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Missing { missing, created_by: Some(creator) } => {
            format!("needs {}, created by {}", what_is_missing(missing), printer.function(*creator))
        }
        Obstacle::Missing { missing, created_by: None } => format!("needs {}", what_is_missing(missing)),
        Obstacle::Denied(function) | Obstacle::Unsupported(function) => {
            format!("needs {}", printer.function(*function))
        }
    }
}

fn what_is_missing(missing: &Missing) -> String {
    let name = missing.name();
    // Some exceptions tell no name, only that something is not there.
    let name = if name.contains(' ') {
        name.to_owned()
    } else {
        format!("`{}`", name.strip_prefix("Elixir.").unwrap_or(name))
    };
    match missing {
        Missing::Process(_) => format!("process {name}"),
        Missing::Table(_) => format!("table {name}"),
        Missing::Name(_) => format!("name {name}"),
        Missing::Application(_) => name,
        Missing::Module(_) => format!("module {name}"),
        Missing::File(_) => format!("a file ({name})"),
    }
}

/// The surroundings that an outcome depends on, as the end of a sentence: "it depends on …".
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
    }
}

/// Why a run was stopped. `name` writes the name of a function.
pub fn stopped(stop: &Stop, name: &dyn Fn(FunctionName) -> String) -> String {
    match stop {
        Stop::StepLimit => "step limit".to_owned(),
        Stop::Interrupted => "interrupted".to_owned(),
        Stop::MemoryLimit => "memory limit".to_owned(),
        Stop::AtomLimit => "atom limit".to_owned(),
        Stop::Unsupported(function) => format!("unsupported: {}", name(*function)),
        Stop::EffectDenied(function) => format!("effect denied: {}", name(*function)),
        Stop::Deadlock(_) => "deadlock: a receive that no message can end".to_owned(),
        Stop::Contract => "a function was given or gave what is not of its type".to_owned(),
        Stop::Halted(status) => format!("halted with status {status}"),
        Stop::LoadFailed(message) => message.clone(),
        Stop::TooSlow(function) => {
            format!("an input that takes too long here: {} on the real runtime", name(*function))
        }
        Stop::ResultTooLarge => "the result is too large".to_owned(),
        Stop::Fault(message) => format!("a defect of Beagle: {message}"),
    }
}

fn concretised(printer: &dyn Printer, why: Concretised) -> String {
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
        Concretised::ValueLookedInto => "a value that is looked into",
        Concretised::OrderOfLargeMap => "the order of the keys of a large map",
        Concretised::OrderOfNumericKeys => "the order of keys that have numbers in them",
        Concretised::ModuleCalled => "the name of the module that is called",
        Concretised::FunctionCalled => "the name of the function that is called",
        Concretised::WhichOfTwoErrors => "which of two errors is raised for what is no position",
        Concretised::BitsOfFloat => "the bits of a float",
        Concretised::Hash => "the hash of a value",
        Concretised::TablePattern => "a pattern of a match",
        Concretised::SeveralKeysOfMatch => "several keys of a match",
        Concretised::KeyOfMatchedMap => "a key of a map that a match makes",
        Concretised::PositionInTableObject => "a position in a table's object",
        Concretised::TableContinuation => "a continuation",
        Concretised::ArgumentOfInput => "what a function input is called with",
        Concretised::SeveralSortsOfFunctions => "functions of one of several types",
        Concretised::FunctionsDeepInArguments => "functions deep inside of what an input is called with",
        Concretised::FunctionsInMapsOfArguments => "functions in maps that an input is called with",
        Concretised::IdentitiesGivenToInput => "identities that a function input could compare or keep",
        Concretised::ManyCallsOfInput => "a function input that is asked for very much",
        Concretised::ResultWithoutFormula => "a result that cannot be followed",
        Concretised::LargeResult => "a result too large to be followed",
        Concretised::KeysOfMapInResult => "the keys of a map in the result",
        Concretised::FunctionsInResultOutOfReach => "functions in a result that are not there to be called",
        Concretised::FunctionsOfResultShareDictionary => "functions of a result that share the process dictionary",
        Concretised::DeepFunctionResults => "results that are functions, deeper than they are applied",
        Concretised::FunctionResultOfOpaqueCall => "functions that are results of a call with values of opaque types",
        Concretised::ClausesOfSpecification => "which clauses speak of the arguments",
    };
    words.to_owned()
}

fn specification(printer: &dyn Printer, limit: Limit) -> String {
    let type_name =
        |TypeName { module, name, arity }: TypeName| printer.function(FunctionName { module, function: name, arity });
    match limit {
        Limit::Undefined(name) => format!("the type {} is not defined: any term in its place", type_name(name)),
        Limit::ModuleNotFound(name) => {
            format!("the type {} is of a module that was not found: any term in its place", type_name(name))
        }
        Limit::Growing(name) => {
            format!("the type {} grows with every level: any term from some level on", type_name(name))
        }
        Limit::DeeplyNested { levels } => {
            format!("the type is nested deeper than {levels} levels: any term below")
        }
        Limit::LiteralBitstring => "a literal bitstring in a type is taken as any of its length".to_owned(),
        Limit::LiteralFloat => "a literal float in a type is taken as any float".to_owned(),
        Limit::NoValues { parameter, of: Some(of) } => {
            format!(
                "parameter {parameter} is of the type {}, which has no values: the function cannot be called",
                type_name(of)
            )
        }
        Limit::NoValues { parameter, of: None } => {
            format!("parameter {parameter} is of a type without values, as none() is: the function cannot be called")
        }
        Limit::TooManyAlternatives => "the type of a function has too many alternatives: no inputs are made".to_owned(),
        Limit::OnlyHugeValues { parts, bits } => format!(
            "the type of a parameter has only values of more than {parts} parts or {bits} bits: these are not made"
        ),
        Limit::FewConstructors(name) => {
            format!("values of the opaque type {} are what a few calls make", type_name(name))
        }
        Limit::NoConstructor(name) => {
            format!("no function that could be called makes values of the opaque type {}", type_name(name))
        }
        Limit::FunctionsOfOpaque => "functions that return values of an opaque type are not made".to_owned(),
        Limit::DeepOpaqueParts => "values with opaque parts are made only so many levels deep".to_owned(),
        Limit::OneOpaqueKey => "maps have at most one key of a kind for values of an opaque type".to_owned(),
        Limit::ShortOpaqueLists { most } => {
            format!("lists of values of an opaque type have at most {most} items")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use path::ProcessId;
    use term::Atom;

    #[test]
    fn stops_have_the_codes_of_their_kinds() {
        let function = FunctionName { module: Atom::new("m"), function: Atom::new("f"), arity: 1 };
        for (stop, expected) in [
            (Stop::StepLimit, Code::StepLimit),
            (Stop::MemoryLimit, Code::MemoryLimit),
            (Stop::AtomLimit, Code::AtomLimit),
            (Stop::Unsupported(function), Code::Unsupported),
            (Stop::EffectDenied(function), Code::EffectDenied),
            (Stop::ResultTooLarge, Code::ResultTooLarge),
            (Stop::LoadFailed("m.erl does not compile".into()), Code::ModuleNotLoaded),
            (Stop::Fault("f".into()), Code::OwnDefect),
            (Stop::Deadlock(ProcessId::MAIN), Code::Deadlock),
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
