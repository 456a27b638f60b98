//! The possible acts of unknown clients of a module: which functions start something, which take a process, and what
//! else must exist.
//!
//! A module has clients if it starts processes and lets others use them, or if it has an opaque type. Clients do not
//! call callbacks; the states of servers are those that clients can bring about.

use frontend::CodeAround;
use path::{ClientPlan, PlannedCall, PlannedParam, Role};
use program::{Callee, Expr, Function, FunctionId, Module, Origin, Pattern, Spec, Type, Var, for_each_expr};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// A message that servers do not know.
const UNEXPECTED: &str = "unexpected";
/// The maximum depth of calls of other modules that are followed to find out what a function does.
const DEEPEST_CALL: usize = 3;
/// The maximum depth of nested type names that are followed.
const DEEPEST_TYPE: usize = 6;
/// Functions that behaviours have in addition to their callbacks and that are not for clients.
const HOUSEKEEPING: [(&str, u32); 6] = [
    ("child_spec", 1),
    ("code_change", 3),
    ("code_change", 4),
    ("format_status", 1),
    ("format_status", 2),
    ("terminate", 2),
];
/// Prefixes of the names of functions that start something, used if no specification declares their result.
const STARTERS: [&str; 6] = ["start", "open", "new", "connect", "create", "spawn"];

/// Names of functions that end their argument, so that it must not be used afterwards.
const ENDERS: [&str; 7] = ["stop", "close", "delete", "destroy", "terminate", "shutdown", "free"];

/// Returns the possible acts of clients, or `None` if the module has no clients. With `all`, functions without a
/// specification are included.
pub fn plan(
    module: &Arc<Module>,
    around: &dyn CodeAround,
    all: bool,
    is_generated: &dyn Fn(Atom) -> bool,
) -> Option<ClientPlan> {
    let mut code = CodeFacts { around, starts: HashMap::new() };
    let behaviours: Vec<Atom> = behaviours(module).collect();
    let callbacks = callbacks(&behaviours, around);
    let servers = server_params(module);
    let opaque: Vec<Atom> = module
        .types
        .definitions
        .iter()
        .filter(|definition| definition.opaque)
        .map(|definition| definition.name)
        .collect();
    let mut operations = Vec::new();
    let mut has_servers = false;
    let has_declared_start = (0..module.functions.len()).any(|index| {
        let function = &module.functions[index];
        let spec = module.types.specs.iter().find(|spec| (spec.name, spec.arity) == (function.name, function.arity));
        function.exported
            && spec.is_some()
            && code.starts(module, FunctionId(index as u32), 0)
            && returns_process(module, function, spec, around)
    });
    for (index, function) in module.functions.iter().enumerate() {
        let key = (function.name, function.arity);
        let is_housekeeping = HOUSEKEEPING.contains(&(function.name.text(), function.arity));
        let is_written = function.exported && function.origin == Origin::Named && !is_generated(function.name);
        if !is_written || is_housekeeping || callbacks.contains(&key) {
            continue;
        }
        let spec = module.types.specs.iter().find(|spec| (spec.name, spec.arity) == key);
        let starts =
            code.starts(module, FunctionId(index as u32), 0) && returns_process(module, function, spec, around);
        // Without a process, there is nothing to use, even if the way to start one is not declared.
        let is_usual_start = starts && !has_declared_start && matches!(function.name.text(), "start" | "start_link");
        if spec.is_none() && !all && !is_usual_start {
            continue;
        }
        let (takes, makes) = spec.map_or((false, false), |spec| speaks_of(module, spec, &opaque));
        has_servers |= starts;
        let of_server = &servers[index];
        let is_ending = ENDERS.contains(&function.name.text()) && function.arity == 1;
        let role = match (starts || makes && !takes, is_ending && !makes && (takes || of_server.contains(&0))) {
            (true, _) => Role::Start,
            (false, true) => Role::End,
            (false, false) => Role::Use,
        };
        let params = (0..function.arity).map(|param| match of_server.contains(&param) {
            true => PlannedParam::Server,
            false => PlannedParam::Declared,
        });
        let name = FunctionName { module: module.name, function: function.name, arity: function.arity };
        operations.push((PlannedCall { name, role, params: params.collect() }, takes || makes));
    }
    let is_server = behaviours.iter().any(|behaviour| is_server_behaviour(*behaviour));
    let starts_itself = (0..module.functions.len() as u32).any(|id| code.starts(module, FunctionId(id), 0));
    if is_server && !has_servers && !starts_itself {
        operations.extend(start_by_library(module, &behaviours).map(|call| (call, false)));
        has_servers = operations.iter().any(|(call, _)| call.role == Role::Start);
    }
    if !has_servers {
        // Functions that do not use the opaque type are tested as units of their own.
        operations.retain(|(_, is_of_data)| *is_of_data);
    }
    let operations: Vec<PlannedCall> = operations.into_iter().map(|(call, _)| call).collect();
    let waits = has_servers && waits(module, &behaviours);
    let messages = match has_servers && reads_messages(module, &behaviours) {
        true => vec![Atom::new(UNEXPECTED)],
        false => Vec::new(),
    };
    let has_start = operations.iter().any(|call| call.role == Role::Start);
    let has_use = operations.iter().any(|call| matches!(call.role, Role::Use | Role::End));
    if !has_start || !(has_use || waits) {
        return None;
    }
    let mut plan = ClientPlan { operations, messages, invariants: Vec::new(), has_states: has_servers, waits };
    if has_servers {
        plan.operations.extend(companions(module, &mut code, &plan.operations));
    }
    Some(plan)
}

/// Returns the callbacks of behaviours that keep a state. Which states are possible, only their processes can show.
pub fn callbacks_of(module: &Module, around: &dyn CodeAround) -> HashSet<(Atom, u32)> {
    let has_state = |behaviour: &Atom| {
        is_server_behaviour(*behaviour)
            || matches!(
                behaviour.text(),
                "supervisor"
                    | "application"
                    | "supervisor_bridge"
                    | "Elixir.Supervisor"
                    | "Elixir.DynamicSupervisor"
                    | "Elixir.Application"
                    | "Elixir.GenEvent"
                    | "Elixir.GenStage"
                    | "Elixir.Phoenix.LiveView"
            )
    };
    let behaviours: Vec<Atom> = behaviours(module).filter(has_state).collect();
    callbacks(&behaviours, around)
}

fn behaviours(module: &Module) -> impl Iterator<Item = Atom> + '_ {
    let attributes = module.attributes.iter().filter(|(name, _)| matches!(name.text(), "behaviour" | "behavior"));
    let values = attributes.flat_map(|(_, value)| value.as_list().unwrap_or(std::slice::from_ref(value)));
    values.filter_map(Term::as_atom)
}

fn is_server_behaviour(behaviour: Atom) -> bool {
    matches!(behaviour.text(), "gen_server" | "gen_statem" | "gen_event" | "gen_fsm" | "Elixir.GenServer")
}

fn callbacks(behaviours: &[Atom], around: &dyn CodeAround) -> HashSet<(Atom, u32)> {
    let loaded = behaviours.iter().filter_map(|behaviour| around.load(*behaviour));
    loaded
        .flat_map(|module| module.types.callbacks.iter().map(|spec| (spec.name, spec.arity)).collect::<Vec<_>>())
        .collect()
}

/// Returns whether a function of a library starts processes.
fn is_library_start(module: Atom, function: Atom) -> bool {
    let name = function.text();
    match module.text() {
        "erlang" => name.starts_with("spawn"),
        "proc_lib" => name.starts_with("spawn") || name.starts_with("start"),
        "gen_server"
        | "gen_statem"
        | "gen_event"
        | "gen_fsm"
        | "gen"
        | "supervisor"
        | "supervisor_bridge"
        | "Elixir.GenServer"
        | "Elixir.Agent"
        | "Elixir.Supervisor"
        | "Elixir.DynamicSupervisor"
        | "Elixir.Registry"
        | "Elixir.Task"
        | "Elixir.Task.Supervisor" => name.starts_with("start"),
        "Elixir.Process" => name.starts_with("spawn"),
        _ => false,
    }
}

/// Returns whether a function of a library takes a process as its first argument.
fn is_conversation(module: Atom, function: Atom) -> bool {
    let name = function.text();
    match module.text() {
        "gen_server" | "gen_statem" | "gen_fsm" | "gen" | "Elixir.GenServer" => {
            matches!(name, "call" | "cast" | "stop" | "send_request" | "sync_send_event" | "send_event")
        }
        "gen_event" => !name.starts_with("start"),
        "Elixir.Agent" => !name.starts_with("start"),
        "supervisor" | "Elixir.Supervisor" | "Elixir.DynamicSupervisor" => !name.starts_with("start_link"),
        "erlang" => matches!(name, "!" | "send" | "link" | "unlink" | "is_process_alive" | "exit" | "process_info"),
        "sys" => true,
        _ => false,
    }
}

/// Facts about the functions of several modules.
struct CodeFacts<'a> {
    around: &'a dyn CodeAround,
    starts: HashMap<(Atom, FunctionId), bool>,
}

impl CodeFacts<'_> {
    /// Returns whether a function starts a process, directly or not.
    fn starts(&mut self, module: &Arc<Module>, id: FunctionId, depth: usize) -> bool {
        if let Some(known) = self.starts.get(&(module.name, id)) {
            return *known;
        }
        // Assumed while the function's calls are followed, so that recursion ends.
        self.starts.insert((module.name, id), false);
        let mut locals = Vec::new();
        let mut remotes = Vec::new();
        let mut found = false;
        each_expr(module.function(id), |expr| match expr {
            Expr::Call { callee: Callee::Local(other), .. } | Expr::Closure { function: other, .. } => {
                locals.push(*other)
            }
            // A call such as `gen_server:Start(…)`.
            Expr::Call { callee: Callee::Dynamic { module, .. }, .. } => {
                found |= matches!(&**module, Expr::Const(Term::Atom(name)) if is_server_behaviour(*name));
            }
            Expr::Call { callee: Callee::Remote { module, function }, args, .. } => {
                found |= is_library_start(*module, *function);
                remotes.push(FunctionName { module: *module, function: *function, arity: args.len() as u32 });
            }
            _ => {}
        });
        let mut starts = found || locals.into_iter().any(|other| self.starts(module, other, depth));
        if !starts && depth < DEEPEST_CALL {
            starts = remotes.into_iter().any(|name| {
                let Some(other) = self.around.load(name.module).filter(|_| self.around.is_users(name.module)) else {
                    return false;
                };
                other.find(name.function, name.arity).is_some_and(|id| self.starts(&other, id, depth + 1))
            });
        }
        self.starts.insert((module.name, id), starts);
        starts
    }
}

fn each_expr(function: &Function, show: impl FnMut(&Expr)) {
    if let Ok(body) = function.body.get() {
        for_each_expr(body, show);
    }
}

/// Returns whether a function that starts a process returns it, according to its specification or its name.
fn returns_process(module: &Module, function: &Function, spec: Option<&Spec>, around: &dyn CodeAround) -> bool {
    let is_named_so = STARTERS.iter().any(|prefix| function.name.text().starts_with(prefix));
    match spec {
        Some(spec) => spec
            .clauses
            .iter()
            .any(|clause| clause.result == Type::Any && is_named_so || has_process(module, &clause.result, around, 0)),
        None => is_named_so,
    }
}

fn has_process(module: &Module, declared: &Type, around: &dyn CodeAround, depth: usize) -> bool {
    let all = |types: &[Type]| types.iter().any(|part| has_process(module, part, around, depth));
    match declared {
        Type::Pid => true,
        Type::Tuple(parts) | Type::Union(parts) => all(parts),
        Type::List { element, .. } => has_process(module, element, around, depth),
        Type::Map(fields) => fields.iter().any(|field| has_process(module, &field.value, around, depth)),
        Type::Named { module: of, name, args } => {
            let home = of.unwrap_or(module.name);
            if depth == DEEPEST_TYPE || all(args) {
                return depth < DEEPEST_TYPE;
            }
            let find = |module: &Module| {
                let is_it = |found: &&program::TypeDef| found.name == *name && found.params.len() == args.len();
                let body = module.types.definitions.iter().find(is_it).map(|definition| definition.body.clone());
                body.is_some_and(|body| has_process(module, &body, around, depth + 1))
            };
            match home == module.name {
                true => find(module),
                false => around.load(home).is_some_and(|other| find(&other)),
            }
        }
        _ => false,
    }
}

/// Returns whether the parameters, and whether the results of a function have a part of one of these types.
fn speaks_of(module: &Module, spec: &Spec, names: &[Atom]) -> (bool, bool) {
    let takes = spec.clauses.iter().any(|clause| {
        let bound = |param: &Type| match param {
            Type::Var(variable) => {
                clause.bounds.iter().any(|(name, of)| name == variable && mentions(module, of, names, 0))
            }
            other => mentions(module, other, names, 0),
        };
        clause.params.iter().any(bound)
    });
    let makes = spec.clauses.iter().any(|clause| {
        let bound = clause.bounds.iter().find(|(name, _)| clause.result == Type::Var(*name));
        mentions(module, bound.map_or(&clause.result, |(_, of)| of), names, 0)
    });
    (takes, makes)
}

fn mentions(module: &Module, declared: &Type, names: &[Atom], depth: usize) -> bool {
    let all = |types: &[Type]| types.iter().any(|part| mentions(module, part, names, depth));
    match declared {
        Type::Tuple(parts) | Type::Union(parts) => all(parts),
        Type::List { element, .. } => mentions(module, element, names, depth),
        Type::Map(fields) => fields.iter().any(|field| mentions(module, &field.value, names, depth)),
        Type::Named { module: of, name, args } => {
            let is_own = of.is_none_or(|of| of == module.name);
            let follow = || {
                let is_it = |found: &&program::TypeDef| found.name == *name && found.params.len() == args.len();
                let definition = module.types.definitions.iter().find(is_it);
                definition.is_some_and(|definition| mentions(module, &definition.body, names, depth + 1))
            };
            is_own && (names.contains(name) || depth < DEEPEST_TYPE && follow()) || all(args)
        }
        _ => false,
    }
}

/// Returns the parameters of each function that are used as processes: they are called, or passed to such a parameter.
fn server_params(module: &Module) -> Vec<HashSet<u32>> {
    let mut known: Vec<HashSet<u32>> = vec![HashSet::new(); module.functions.len()];
    loop {
        let mut is_new = false;
        for (index, function) in module.functions.iter().enumerate() {
            let names = parameter_names(function);
            let mut found = HashSet::new();
            let mut note = |arg: Option<&Expr>| {
                if let Some(Expr::Var(var)) = arg
                    && let Some(param) = names.get(var)
                {
                    found.insert(*param);
                }
            };
            each_expr(function, |expr| match expr {
                Expr::Call { callee: Callee::Remote { module: own, function }, args, .. } if *own == module.name => {
                    let id = module.find(*function, args.len() as u32);
                    let params = id.iter().flat_map(|id| &known[id.index()]);
                    params.for_each(|param| note(args.get(*param as usize)));
                }
                Expr::Call { callee: Callee::Remote { module, function }, args, .. } => {
                    if is_conversation(*module, *function) {
                        note(args.first());
                    } else if (module.text(), function.text()) == ("erlang", "monitor") {
                        note(args.get(1));
                    }
                }
                Expr::Call { callee: Callee::Local(other), args, .. } => {
                    known[other.index()].iter().for_each(|param| note(args.get(*param as usize)));
                }
                _ => {}
            });
            let before = known[index].len();
            known[index].extend(found);
            is_new |= known[index].len() > before;
        }
        if !is_new {
            return known;
        }
    }
}

/// Returns the variables of a body that are another name of a parameter.
fn parameter_names(function: &Function) -> HashMap<Var, u32> {
    let mut names: HashMap<Var, u32> = (0..function.arity).map(|param| (Var(param), param)).collect();
    loop {
        let before = names.len();
        each_expr(function, |expr| match expr {
            Expr::Let { bindings, .. } => {
                for binding in bindings {
                    if let ([var], Expr::Var(of)) = (&binding.vars[..], &binding.value)
                        && let Some(param) = names.get(of).copied()
                    {
                        names.insert(*var, param);
                    }
                }
            }
            Expr::Case { subjects, clauses, .. } => {
                for clause in clauses {
                    for (subject, pattern) in subjects.iter().zip(&clause.patterns) {
                        if let (Expr::Var(of), Pattern::Var(var) | Pattern::Alias(var, _)) = (subject, pattern)
                            && let Some(param) = names.get(of).copied()
                        {
                            names.insert(*var, param);
                        }
                    }
                }
            }
            _ => {}
        });
        if names.len() == before {
            return names;
        }
    }
}

/// Returns the library call that starts the process of a module which does not start it itself.
fn start_by_library(module: &Module, behaviours: &[Atom]) -> Option<PlannedCall> {
    let library = behaviours.iter().find_map(|behaviour| match behaviour.text() {
        "gen_server" | "Elixir.GenServer" => Some("gen_server"),
        "gen_statem" => Some("gen_statem"),
        _ => None,
    })?;
    module.find(Atom::new("init"), 1)?;
    let own = Term::Atom(module.name);
    let init = FunctionName { module: module.name, function: Atom::new("init"), arity: 1 };
    let mut params =
        vec![PlannedParam::Fixed(own.clone()), PlannedParam::Like(init, 0), PlannedParam::Fixed(Term::Nil)];
    // If the module calls its process by the module's name, the process must be registered under it.
    if targets(module).contains(&module.name) {
        params.insert(0, PlannedParam::Fixed(Term::tuple([Term::atom("local"), own])));
    }
    let name =
        FunctionName { module: Atom::new(library), function: Atom::new("start_link"), arity: params.len() as u32 };
    Some(PlannedCall { name, role: Role::Start, params })
}

/// Returns the names of processes that the module talks to.
fn targets(module: &Module) -> HashSet<Atom> {
    let mut found = HashSet::new();
    for function in &module.functions {
        each_expr(function, |expr| {
            if let Expr::Call { callee: Callee::Remote { module, function }, args, .. } = expr
                && is_conversation(*module, *function)
                && let Some(Expr::Const(Term::Atom(name))) = args.first()
            {
                found.insert(*name);
            }
        });
    }
    found
}

/// Returns whether a process of the module reads messages that were sent to it without a function of the module.
fn reads_messages(module: &Module, behaviours: &[Atom]) -> bool {
    let is_server = |behaviour: &Atom| matches!(behaviour.text(), "gen_server" | "Elixir.GenServer");
    behaviours.iter().any(is_server)
        && module.find(Atom::new("handle_info"), 2).is_some_and(|id| module.function(id).exported)
}

/// Returns whether the module does something when time passes.
fn waits(module: &Module, behaviours: &[Atom]) -> bool {
    let is_clock = |module: Atom, function: Atom| {
        matches!(
            (module.text(), function.text()),
            ("erlang" | "Elixir.Process", "send_after" | "start_timer")
                | ("erlang" | "os", "monotonic_time" | "system_time" | "timestamp" | "now")
                | ("timer" | "calendar", _)
                | ("Elixir.System", "monotonic_time" | "system_time" | "os_time")
                | ("Elixir.DateTime", "utc_now")
        )
    };
    // The tuples `{noreply, State, Timeout}`, `{reply, Reply, State, Timeout}` and `{ok, State, Timeout}`.
    let has_timeout = |parts: &[Expr]| match (parts.first(), parts.len()) {
        (Some(Expr::Const(Term::Atom(tag))), 3) => matches!(tag.text(), "noreply" | "ok"),
        (Some(Expr::Const(Term::Atom(tag))), 4) => matches!(tag.text(), "reply"),
        _ => false,
    };
    let is_server = behaviours.iter().any(|behaviour| is_server_behaviour(*behaviour));
    let mut found = behaviours.iter().any(|behaviour| behaviour.text() == "gen_statem");
    for function in &module.functions {
        each_expr(function, |expr| match expr {
            Expr::Call { callee: Callee::Remote { module, function }, .. } => found |= is_clock(*module, *function),
            Expr::Call { callee: Callee::Primitive(name), args, .. } if name.text() == "recv_wait_timeout" => {
                found |= !matches!(args.first(), Some(Expr::Const(Term::Atom(time))) if time.text() == "infinity");
            }
            Expr::Tuple(parts) => found |= is_server && has_timeout(parts),
            _ => {}
        });
    }
    found
}

/// Returns functions of the user's other modules that start processes which this module talks to.
fn companions(module: &Arc<Module>, code: &mut CodeFacts<'_>, own: &[PlannedCall]) -> Vec<PlannedCall> {
    let mut called = HashSet::new();
    for function in &module.functions {
        each_expr(function, |expr| {
            if let Expr::Call { callee: Callee::Remote { module: other, .. }, .. } = expr {
                called.insert(*other);
            }
        });
    }
    // A server often has the name of its module.
    called.extend(targets(module));
    called.remove(&module.name);
    let mut others: Vec<Atom> = called.into_iter().filter(|other| code.around.is_users(*other)).collect();
    others.sort_unstable_by_key(|other| other.text());
    let mut companions = Vec::new();
    for other in others.into_iter().filter_map(|other| code.around.load(other)) {
        for (index, function) in other.functions.iter().enumerate() {
            let name = FunctionName { module: other.name, function: function.name, arity: function.arity };
            let spec = other.types.specs.iter().find(|spec| (spec.name, spec.arity) == (name.function, name.arity));
            let is_start = function.exported
                && function.origin == Origin::Named
                && own.iter().all(|call| call.name != name)
                && code.starts(&other, FunctionId(index as u32), 0)
                && returns_process(&other, function, spec, code.around)
                && (spec.is_some() || function.arity == 0);
            if is_start {
                let params = vec![PlannedParam::Declared; function.arity as usize];
                companions.push(PlannedCall { name, role: Role::Help, params });
            }
        }
    }
    companions
}
