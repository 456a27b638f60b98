//! Why an executor made a symbolic value concrete.

use serde::{Deserialize, Serialize};
use term::{Atom, FunctionName};

/// Why a symbolic value was made concrete. From there on, the search does not look for other values of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Concretised {
    /// A function that has no meaning to the solver, or that the real runtime evaluates.
    Function(FunctionName),
    /// An operation of the executor without a name in the language.
    Operation {
        name: Atom,
        arity: u32,
    },
    /// Its formula would be too large.
    LargeValue,
    Closure,
    KeyWithoutFormula,
    ReasonOfError,
    LargeBitstring,
    LengthOfBitstring,
    /// Code that has no symbolic meaning looks into it.
    ValueLookedInto,
    OrderOfLargeMap,
    OrderOfNumericKeys,
    /// The name of the module that is called.
    ModuleCalled,
    /// The name of the function that is called.
    FunctionCalled,
    /// Which of two exceptions is raised.
    WhichOfTwoErrors,
    BitsOfFloat,
    Hash,
    /// A pattern by which objects of a table are found.
    TablePattern,
    SeveralKeysOfMatch,
    KeyOfMatchedMap,
    PositionInTableObject,
    TableContinuation,
    BitstringOfManyParts,
    /// The argument of a function input has no formula.
    ArgumentOfInput,
    /// A type has several sorts of functions of one arity.
    SeveralSortsOfFunctions,
    FunctionsDeepInArguments,
    FunctionsInMapsOfArguments,
    /// A function input could compare or keep pids, references or ports.
    IdentitiesGivenToInput,
    /// More different calls of one function input than Beagle distinguishes.
    ManyCallsOfInput,
    ResultWithoutFormula,
    LargeResult,
    KeysOfMapInResult,
    FunctionsInResultOutOfReach,
    FunctionsOfResultShareDictionary,
    DeepFunctionResults,
    FunctionResultOfOpaqueCall,
    /// A function is not called because no argument of this opaque type can be made. `None`: all values of the type are
    /// too large.
    NoArgumentFor(Option<FunctionName>),
    ClausesOfSpecification,
    /// Clients no longer use a value that they passed to a function whose name says that it ends the value.
    ValuesThatWereEnded,
    /// Clients take no more than the maximum number of steps.
    LongScenario,
    /// Whether a function is the same as another one, if an input decides that.
    IdentityOfFunction,
}
