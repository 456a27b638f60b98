//! Unknown clients of a module: what they may do, and what one of them did.
//!
//! A client calls the exported functions of a module, one call after the other, and passes on results of earlier calls.
//! It is a function input that is given the whole module: each call is a probe, and its result an observation. Since it
//! is called once, its tables have one entry each, and the tree is a list of steps.

use formula::TypeId;
use serde::{Deserialize, Serialize};
use term::{Atom, FunctionName, Term};

/// The possible acts of a client of a module, before the types are known. The language derives the plan from the code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientPlan {
    pub operations: Vec<PlannedCall>,
    /// Atoms that messages to the module's processes begin with. Empty if the module does not read such messages.
    pub messages: Vec<Atom>,
    /// Functions of the module that must be true of the state of its servers, or of its values, after every step.
    pub invariants: Vec<FunctionName>,
    /// Whether invariants are about the states of servers, not about values.
    pub has_states: bool,
    /// Whether the module does something when time passes.
    pub waits: bool,
}

impl ClientPlan {
    /// Returns whether a function talks to a process that it is given.
    pub fn talks(&self, name: FunctionName) -> bool {
        let calls = self.operations.iter().filter(|call| call.name == name);
        calls.into_iter().any(|call| call.params.contains(&PlannedParam::Server))
    }
}

/// A function that a client may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedCall {
    pub name: FunctionName,
    pub role: Role,
    pub params: Vec<PlannedParam>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PlannedParam {
    /// A value of the type that the specification declares.
    Declared,
    /// A process, or another value that the module accepts in its place.
    Server,
    /// A constant.
    Fixed(Term),
    /// A value as declared for a parameter of another function, counted from 0.
    Like(FunctionName, u32),
}

/// The purpose of a call. The roles are in the order in which calls are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// It starts a process, or makes a value from nothing.
    Start,
    Use,
    /// It ends the value that it is given, which must not be used afterwards.
    End,
    /// It belongs to another module and makes a value that this module needs.
    Help,
}

/// The possible acts of a client of a module.
#[derive(Clone, Debug)]
pub struct Client {
    pub operations: Vec<Operation>,
    /// The type of messages that are sent to processes without a function of the module.
    pub message: Option<TypeId>,
    pub invariants: Vec<FunctionName>,
    pub has_states: bool,
    pub waits: bool,
    /// Whether processes that do nothing may be passed to the module.
    pub brings_processes: bool,
    /// The type of the time that a client lets pass, in milliseconds.
    pub time: TypeId,
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub name: FunctionName,
    pub role: Role,
    /// Whether there is a specification.
    pub is_declared: bool,
    /// The clauses of the specification, at least one.
    pub clauses: Vec<Signature>,
}

/// A clause of an operation's specification.
#[derive(Clone, Debug)]
pub struct Signature {
    pub params: Vec<Need>,
    /// The parameters as sets of values.
    pub accepts: Vec<TypeId>,
    pub result: TypeId,
    /// The parts of a result that have a type with a name.
    pub gives: Vec<Given>,
}

/// How an argument is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Need {
    Data(TypeId),
    Fixed(Term),
    /// A part of what an earlier step returned.
    Token(Wanted),
    Tuple(Vec<Need>),
    /// A list of exactly these items.
    List(Vec<Need>),
    /// `others` with these pairs put into it.
    Map {
        others: TypeId,
        fields: Vec<(Need, Need)>,
    },
    /// One of these alternatives, at least two.
    OneOf(Vec<Need>),
}

/// The parts of earlier results that can be used as an argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    pub pids: bool,
    pub references: bool,
    pub ports: bool,
    /// Functions of these arities. `None` allows any arity.
    pub functions: Vec<Option<u32>>,
    /// Values of these types.
    pub names: Vec<TypeLabel>,
    /// The name of the type itself. If it is given, parts that only have names of other types of the modules are not
    /// used.
    pub label: Option<TypeLabel>,
    /// Whether to leave out processes that the client itself has brought along.
    pub only_servers: bool,
}

impl Wanted {
    pub fn is_empty(&self) -> bool {
        !self.pids && !self.references && !self.ports && self.functions.is_empty() && self.names.is_empty()
    }
}

/// The name of a type, whatever its arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TypeLabel {
    pub module: Atom,
    pub name: Atom,
}

/// A part of a result that has a type with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The tuples around it, from the outermost: the first element of each, if it is always the same atom, how many
    /// elements it has, and which of them is meant.
    pub inside: Vec<(Option<Atom>, u32, u32)>,
    /// The declared type. The actual value may be of another one: of `member() | undefined`, only some values are
    /// members.
    pub of: TypeId,
    pub name: TypeLabel,
}

/// A step down into a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum At {
    Element(u32),
    Item(u32),
    Value(Term),
}

/// The written record of what a client did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub act: Act,
    /// The result, with identities blanked. `None` if the step did not return.
    pub returned: Option<Term>,
}

/// One thing that a client does, with arguments that are written in one of several ways.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Act<A = Argument> {
    Call {
        function: FunctionName,
        args: Vec<A>,
        /// Whether the client continues if the call raises an exception.
        catches: bool,
    },
    /// Calls a function that an earlier step returned.
    Apply { function: A, args: Vec<A> },
    /// Sends a message to a process.
    Send { to: A, message: A },
    /// Lets time pass, in milliseconds.
    Wait { time: A },
    /// Starts a process that does nothing.
    Bring,
    /// Ends such a process.
    Kill { process: A },
    /// Checks that an invariant holds for a value, or for the state of a process.
    Check { function: FunctionName, of: A, is_state: bool },
}

/// A part of a value that a client passes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// Functions in the term are numbered.
    Data {
        value: Term,
        of: TypeId,
    },
    /// A constant.
    Fixed(Term),
    /// A part of what an earlier step returned.
    Part {
        step: u32,
        at: Vec<At>,
    },
    Tuple(Vec<Argument>),
    List(Vec<Argument>),
    Map {
        others: Box<Argument>,
        fields: Vec<(Argument, Argument)>,
    },
}

impl Argument {
    /// Returns the direct parts.
    pub fn parts(&self) -> Vec<&Argument> {
        match self {
            Argument::Data { .. } | Argument::Fixed(_) | Argument::Part { .. } => Vec::new(),
            Argument::Tuple(parts) | Argument::List(parts) => parts.iter().collect(),
            Argument::Map { others, fields } => {
                let fields = fields.iter().flat_map(|(key, value)| [key, value]);
                std::iter::once(&**others).chain(fields).collect()
            }
        }
    }

    pub fn parts_mut(&mut self) -> Vec<&mut Argument> {
        match self {
            Argument::Data { .. } | Argument::Fixed(_) | Argument::Part { .. } => Vec::new(),
            Argument::Tuple(parts) | Argument::List(parts) => parts.iter_mut().collect(),
            Argument::Map { others, fields } => {
                let fields = fields.iter_mut().flat_map(|(key, value)| [key, value]);
                std::iter::once(&mut **others).chain(fields).collect()
            }
        }
    }

    /// Returns the steps whose results it needs.
    pub fn sources(&self) -> Vec<u32> {
        let mut sources = Vec::new();
        let mut open = vec![self];
        while let Some(argument) = open.pop() {
            if let Argument::Part { step, .. } = argument {
                sources.push(*step);
            }
            open.extend(argument.parts());
        }
        sources
    }
}

impl<A> Act<A> {
    /// Returns the same act with other arguments.
    pub fn map<B>(&self, change: &mut dyn FnMut(&A) -> B) -> Act<B> {
        match self {
            Act::Call { function, args, catches } => {
                Act::Call { function: *function, args: args.iter().map(change).collect(), catches: *catches }
            }
            Act::Apply { function, args } => {
                Act::Apply { function: change(function), args: args.iter().map(change).collect() }
            }
            Act::Send { to, message } => Act::Send { to: change(to), message: change(message) },
            Act::Wait { time } => Act::Wait { time: change(time) },
            Act::Bring => Act::Bring,
            Act::Kill { process } => Act::Kill { process: change(process) },
            Act::Check { function, of, is_state } => {
                Act::Check { function: *function, of: change(of), is_state: *is_state }
            }
        }
    }

    pub fn arguments(&self) -> Vec<&A> {
        match self {
            Act::Call { args, .. } => args.iter().collect(),
            Act::Apply { function, args } => std::iter::once(function).chain(args).collect(),
            Act::Send { to, message } => vec![to, message],
            Act::Wait { time } => vec![time],
            Act::Bring => Vec::new(),
            Act::Kill { process } => vec![process],
            Act::Check { of, .. } => vec![of],
        }
    }

    pub fn arguments_mut(&mut self) -> Vec<&mut A> {
        match self {
            Act::Call { args, .. } => args.iter_mut().collect(),
            Act::Apply { function, args } => std::iter::once(function).chain(args).collect(),
            Act::Send { to, message } => vec![to, message],
            Act::Wait { time } => vec![time],
            Act::Bring => Vec::new(),
            Act::Kill { process } => vec![process],
            Act::Check { of, .. } => vec![of],
        }
    }
}

impl Scenario {
    /// Returns the last call of a function, and its arguments.
    pub fn last_call(&self) -> Option<(FunctionName, &[Argument])> {
        self.steps.iter().rev().find_map(|step| match &step.act {
            Act::Call { function, args, .. } => Some((*function, &args[..])),
            Act::Apply { .. }
            | Act::Send { .. }
            | Act::Wait { .. }
            | Act::Bring
            | Act::Kill { .. }
            | Act::Check { .. } => None,
        })
    }

    /// Returns the data in the arguments of all steps.
    pub fn data(&self) -> Vec<&Term> {
        let mut data = Vec::new();
        let mut open: Vec<&Argument> = self.steps.iter().flat_map(|step| step.act.arguments()).collect();
        while let Some(argument) = open.pop() {
            if let Argument::Data { value, .. } = argument {
                data.push(value);
            }
            open.extend(argument.parts());
        }
        data
    }

    /// Returns whether the result of a step is needed later.
    pub fn is_needed(&self, step: u32) -> bool {
        let later = self.steps.iter().skip(step as usize + 1);
        later.flat_map(|step| step.act.arguments()).any(|argument| argument.sources().contains(&step))
    }

    /// Returns the scenario without a step, or `None` if another step needs it.
    pub fn without(&self, step: u32) -> Option<Scenario> {
        if self.is_needed(step) {
            return None;
        }
        let mut steps = self.steps.clone();
        steps.remove(step as usize);
        let mut open: Vec<&mut Argument> = steps.iter_mut().flat_map(|step| step.act.arguments_mut()).collect();
        while let Some(argument) = open.pop() {
            if let Argument::Part { step: source, .. } = argument
                && *source > step
            {
                *source -= 1;
            }
            open.extend(argument.parts_mut());
        }
        Some(Scenario { steps })
    }
}
