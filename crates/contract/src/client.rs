//! The arguments that the clients of a module pass to its functions, and the values that they get from them.
//!
//! A client is outside of the module, so the module's own opaque types are opaque to it: their values, and processes,
//! references and ports, come from the results of earlier calls.

use crate::declarations::{Declarations, Meaning, Structures, TypeVariables};
use crate::graph::Graph;
use crate::recipe::RecipeBuilder;
use crate::shape::{ClosedId, ClosedType, ClosedTypes, Field};
use crate::{Clause, Contract, Limit, Modules, TypeName, deep};
use formula::{Atoms, Range, TypeId, TypeNode, Types};
use path::{Client, ClientPlan, Given, Need, Operation, PlannedCall, PlannedParam, Role, Signature, TypeLabel, Wanted};
use program::{Module, SpecClause};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::{Atom, BigInt, FunctionName, Term};

/// The depth to which nested types are searched for parts with an identity (`has_identity`) or with a name.
const DEEPEST: usize = 6;
/// The maximum number of items of a list with such parts.
const LONGEST_LIST: usize = 2;
/// The size of the largest tuple that is sent as a message without the help of a function of the module.
const LONGEST_MESSAGE: usize = 2;
/// The longest time that a client lets pass, in milliseconds: one day.
const LONGEST_WAIT: u32 = 86_400_000;
/// The client's own process.
const OWN: Term = Term::Pid(Term::OWN_PID);

impl Contract {
    /// Returns the contract of the clients of a module.
    pub fn of_client(plan: &ClientPlan, modules: &mut dyn Modules) -> Contract {
        // The home module is an empty one, so no opaque type is looked into.
        let outside = Module::new(Atom::new("$beagle: client"), Vec::new(), Vec::new(), Vec::new(), Default::default());
        let mut declarations = Declarations::new(&outside, modules, Structures::Built);
        let mut graph = Graph::new();
        let own: FxHashSet<Atom> = plan.operations.iter().map(|call| call.name.module).collect();
        let mut builder = ClientBuilder {
            declarations: &mut declarations,
            graph: &mut graph,
            own,
            given: FxHashSet::default(),
            gives_functions: false,
            is_cut: false,
        };
        let mut calls = plan.operations.clone();
        calls.extend(builder.helpers(&plan.operations));
        calls.sort_by_key(|call| call.role);
        builder.given = calls.iter().flat_map(|call| builder.all_given(call)).collect();
        let mut operations = Vec::new();
        let mut brings_processes = false;
        for call in &calls {
            builder.is_cut = false;
            let operation = builder.operation(call);
            if builder.is_cut || operation.is_none() {
                let FunctionName { module, function: name, arity } = call.name;
                builder.declarations.limit(Limit::ClientArguments(TypeName { module, name, arity }));
            }
            let Some(operation) = operation else { continue };
            let takes = |signature: &Signature| {
                let mut params = signature.params.iter().zip(&call.params);
                params.any(|(need, param)| *param != PlannedParam::Server && wants_pid(need))
            };
            brings_processes |= operation.clauses.iter().any(takes);
            operations.push(operation);
        }
        let (mut types, is_whole) = graph.finish(&mut declarations);
        let mut limits = declarations.limits;
        if !is_whole {
            limits.push(Limit::TooManyAlternatives);
        }
        let client = Client {
            operations,
            message: message_type(&mut types, &plan.messages),
            invariants: plan.invariants.clone(),
            has_states: plan.has_states,
            waits: plan.waits,
            brings_processes,
            time: types.add(TypeNode {
                integers: vec![Range { low: Some(BigInt::from(1)), high: Some(BigInt::from(LONGEST_WAIT)) }],
                ..TypeNode::default()
            }),
        };
        let clause = Clause { params: Some(Vec::new()), accepts: Vec::new(), result: Types::ANY, by_hand: false };
        Contract {
            types: Arc::new(types),
            clauses: vec![clause],
            declared: true,
            behaviour: None,
            limits,
            client: Some(Arc::new(client)),
        }
    }
}

impl Contract {
    /// Returns the declared contract of a function that clients call.
    pub fn of_operation(&self, function: FunctionName) -> Option<Contract> {
        let operations = &self.client.as_ref()?.operations;
        let operation = operations.iter().find(|operation| operation.name == function && operation.is_declared)?;
        let clause = |signature: &Signature| Clause {
            params: None,
            accepts: signature.accepts.clone(),
            result: signature.result,
            by_hand: false,
        };
        let clauses = operation.clauses.iter().map(clause).collect();
        Some(Contract { clauses, client: None, limits: Vec::new(), ..self.clone() })
    }
}

/// Adds the type of messages that begin with one of these atoms.
fn message_type(types: &mut Types, tags: &[Atom]) -> Option<TypeId> {
    if tags.is_empty() {
        return None;
    }
    let atoms = TypeNode { atoms: Atoms::These(tags.to_vec()), ..TypeNode::default() };
    let tag = types.add(atoms.clone());
    let tuple = |size: usize| std::iter::once(tag).chain(std::iter::repeat_n(Types::ANY, size - 1)).collect();
    Some(types.add(TypeNode { tuples: (2..=LONGEST_MESSAGE).map(tuple).collect(), ..atoms }))
}

/// Excludes the client's own process and the processes that it has brought along.
fn only_servers(need: &mut Need) {
    match need {
        Need::Token(wanted) => wanted.only_servers = true,
        Need::Data(_) | Need::Fixed(_) => {}
        Need::Tuple(parts) | Need::List(parts) => parts.iter_mut().for_each(only_servers),
        Need::OneOf(parts) => {
            parts.retain(|part| *part != Need::Fixed(OWN));
            parts.iter_mut().for_each(only_servers);
        }
        Need::Map { fields, .. } => fields.iter_mut().for_each(|(key, value)| {
            only_servers(key);
            only_servers(value);
        }),
    }
}

fn wants_pid(need: &Need) -> bool {
    match need {
        Need::Token(wanted) => wanted.pids,
        Need::Data(_) | Need::Fixed(_) => false,
        Need::Tuple(parts) | Need::List(parts) | Need::OneOf(parts) => parts.iter().any(wants_pid),
        Need::Map { fields, .. } => fields.iter().any(|(key, value)| wants_pid(key) || wants_pid(value)),
    }
}

struct ClientBuilder<'b, 'a> {
    declarations: &'b mut Declarations<'a>,
    graph: &'b mut Graph,
    /// The modules whose functions the client calls.
    own: FxHashSet<Atom>,
    /// The names of types that some call returns.
    given: FxHashSet<TypeLabel>,
    /// Whether some call returns a function.
    gives_functions: bool,
    /// Whether some arguments of the current call are not made.
    is_cut: bool,
}

impl ClientBuilder<'_, '_> {
    /// Returns calls of other modules that make values of other modules' opaque types for parameters of these calls.
    fn helpers(&mut self, calls: &[PlannedCall]) -> Vec<PlannedCall> {
        let mut helpers: Vec<PlannedCall> = Vec::new();
        let mut known: FxHashSet<FunctionName> = calls.iter().map(|call| call.name).collect();
        for call in calls {
            for (clause, home) in self.clauses(call) {
                for shape in self.params(home, &clause) {
                    for opaque in self.opaque_parts(shape) {
                        let made = RecipeBuilder::new(self.declarations, self.graph).constructors(opaque, 0);
                        for maker in made {
                            let (module, function) = (maker.module, maker.function);
                            let name = FunctionName { module, function, arity: maker.args.len() as u32 };
                            if !self.own.contains(&module) && known.insert(name) {
                                let params = vec![PlannedParam::Declared; maker.args.len()];
                                helpers.push(PlannedCall { name, role: Role::Help, params });
                            }
                        }
                    }
                }
            }
        }
        helpers
    }

    /// Returns the opaque types of other modules that occur in a type.
    fn opaque_parts(&mut self, shape: ClosedId) -> Vec<ClosedId> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![shape];
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            match (self.declarations.meaning(next), self.label(next)) {
                (Some(Meaning::Opaque(_)), Some(label)) if !self.own.contains(&label.module) => found.push(next),
                _ => open.extend(self.declarations.ingredients(next)),
            }
        }
        found
    }

    /// Returns the clauses of a call's specification, each with the module in which it is written.
    fn clauses(&mut self, call: &PlannedCall) -> Vec<(SpecClause, Atom)> {
        let FunctionName { module, function, arity } = call.name;
        let Some(loaded) = self.declarations.module(module) else { return Vec::new() };
        let is_it = |spec: &&program::Spec| spec.name == function && spec.arity == arity;
        let clauses = loaded.types.specs.iter().filter(is_it).flat_map(|spec| &spec.clauses);
        clauses.filter(|clause| clause.params.len() == arity as usize).map(|clause| (clause.clone(), module)).collect()
    }

    fn params(&mut self, home: Atom, clause: &SpecClause) -> Vec<ClosedId> {
        let mut scope = TypeVariables { known: FxHashMap::default(), bounds: &clause.bounds, open: false };
        clause.params.iter().map(|param| self.declarations.close(home, param, &mut scope)).collect()
    }

    fn all_given(&mut self, call: &PlannedCall) -> Vec<TypeLabel> {
        let mut labels = Vec::new();
        for (clause, home) in self.clauses(call) {
            let mut scope = TypeVariables { known: FxHashMap::default(), bounds: &clause.bounds, open: false };
            let result = self.declarations.close(home, &clause.result, &mut scope);
            labels.extend(self.gives(result).into_iter().map(|given| given.name));
            self.gives_functions |= self.declarations.has_function(result);
        }
        labels
    }

    /// Returns the operation for a call; `None` if no value can be made for some parameter.
    fn operation(&mut self, call: &PlannedCall) -> Option<Operation> {
        let declared = self.clauses(call);
        let is_like = |param: &PlannedParam| matches!(param, PlannedParam::Like(..) | PlannedParam::Fixed(_));
        let mut clauses = Vec::new();
        for (clause, home) in declared.iter().filter(|_| !call.params.iter().any(is_like)) {
            let mut scope = TypeVariables { known: FxHashMap::default(), bounds: &clause.bounds, open: false };
            let params: Vec<ClosedId> =
                clause.params.iter().map(|param| self.declarations.close(*home, param, &mut scope)).collect();
            let result = self.declarations.close(*home, &clause.result, &mut scope);
            let needs: Option<Vec<Need>> = params.iter().map(|param| self.need(*param, &mut Vec::new())).collect();
            let Some(mut needs) = needs else { continue };
            let servers = needs.iter_mut().zip(&call.params).filter(|(_, param)| **param == PlannedParam::Server);
            servers.for_each(|(need, _)| only_servers(need));
            clauses.push(Signature {
                params: needs,
                accepts: params.iter().map(|param| self.graph.id(self.declarations, *param)).collect(),
                result: self.graph.id(self.declarations, result),
                gives: self.gives(result),
            });
        }
        let is_declared = !clauses.is_empty();
        if !is_declared && !declared.is_empty() && !call.params.iter().any(is_like) {
            return None;
        }
        if clauses.is_empty() {
            let params: Option<Vec<Need>> = call.params.iter().map(|param| self.undeclared(param)).collect();
            let accepts = vec![Types::ANY; call.params.len()];
            clauses.push(Signature { params: params?, accepts, result: Types::ANY, gives: Vec::new() });
        }
        Some(Operation { name: call.name, role: call.role, is_declared, clauses })
    }

    /// Returns what is passed for a parameter without a declared type.
    fn undeclared(&mut self, param: &PlannedParam) -> Option<Need> {
        Some(match param {
            PlannedParam::Declared => Need::Data(Types::ANY),
            PlannedParam::Server => {
                let server = Need::Token(Wanted { pids: true, only_servers: true, ..Wanted::default() });
                let name = self.declarations.shapes.add(ClosedType::AnyAtom);
                Need::OneOf(vec![server, Need::Data(self.graph.id(self.declarations, name))])
            }
            PlannedParam::Fixed(term) => Need::Fixed(term.clone()),
            PlannedParam::Like(name, index) => {
                let params = vec![PlannedParam::Declared; name.arity as usize];
                let like = PlannedCall { name: *name, role: Role::Use, params };
                match self.clauses(&like).first() {
                    Some((clause, home)) => {
                        let shape = *self.params(*home, clause).get(*index as usize)?;
                        self.need(shape, &mut Vec::new())?
                    }
                    None => Need::Data(Types::ANY),
                }
            }
        })
    }

    /// Returns how a value of this type is made; `None` if none can be made. `following` has the enclosing types.
    fn need(&mut self, shape: ClosedId, following: &mut Vec<ClosedId>) -> Option<Need> {
        let own = self.label(shape).filter(|label| self.given.contains(label) && self.own.contains(&label.module));
        let mut options = Vec::new();
        if !self.has_identity(shape) {
            options.extend(self.functions(shape).map(Need::Token));
            options.push(Need::Data(self.graph.id(self.declarations, shape)));
            options.extend(own.map(|label| Need::Token(Wanted { names: vec![label], ..Wanted::default() })));
            return one_of(options);
        }
        // Values of the module's own named types, with an identity inside, come from the module.
        if let Some(label) = own {
            return Some(Need::Token(Wanted { names: vec![label], ..Wanted::default() }));
        }
        if following.len() == DEEPEST || following.contains(&shape) {
            self.is_cut = true;
            return None;
        }
        following.push(shape);
        let mut wanted = Wanted { label: self.label(shape), ..Wanted::default() };
        let (made, plain): (Vec<_>, Vec<_>) =
            self.declarations.members(shape).into_iter().partition(|member| self.has_identity(*member));
        let mut structures = Vec::new();
        for member in made {
            match self.declarations.shapes.get(member).clone() {
                ClosedType::Pid => wanted.pids = true,
                ClosedType::Reference => wanted.references = true,
                ClosedType::Port => wanted.ports = true,
                ClosedType::Named { .. } => wanted.names.extend(self.label(member)),
                // No functions are invented here, only those that earlier calls returned are used.
                ClosedType::Function { .. } if self.gives_functions => {
                    self.is_cut = true;
                    wanted.functions.extend(self.functions(member).into_iter().flat_map(|it| it.functions));
                }
                other => structures.extend(deep(|| self.structure(&other, following))),
            }
        }
        following.pop();
        let takes_pids = wanted.pids;
        if !wanted.is_empty() {
            options.push(Need::Token(wanted));
        }
        // The client's own process comes after other processes.
        options.extend(takes_pids.then_some(Need::Fixed(OWN)));
        options.extend(structures);
        if !plain.is_empty() {
            let plain = self.declarations.shapes.union(plain);
            options.push(Need::Data(self.graph.id(self.declarations, plain)));
        }
        one_of(options)
    }

    /// Returns a need for functions that earlier calls returned, if values of this type can be functions.
    fn functions(&mut self, shape: ClosedId) -> Option<Wanted> {
        let mut functions = Vec::new();
        for member in self.declarations.members(shape) {
            match self.declarations.shapes.get(member) {
                ClosedType::AnyFunction => functions.push(None),
                ClosedType::Function { params, .. } => {
                    functions.push(params.as_ref().map(|params| params.len() as u32));
                }
                _ => {}
            }
        }
        let is_wanted = self.gives_functions && !functions.is_empty();
        is_wanted.then_some(Wanted { functions, ..Wanted::default() })
    }

    /// Returns how a structure is made that has parts with an identity.
    fn structure(&mut self, shape: &ClosedType, following: &mut Vec<ClosedId>) -> Option<Need> {
        match shape {
            ClosedType::Tuple(parts) => {
                let parts: Option<Vec<Need>> = parts.iter().map(|part| self.need(*part, following)).collect();
                Some(Need::Tuple(parts?))
            }
            ClosedType::Rest { element, .. } => {
                self.is_cut = true;
                let item = self.need(*element, following)?;
                one_of((0..=LONGEST_LIST).map(|size| Need::List(vec![item.clone(); size])).collect())
            }
            ClosedType::Cons { head, .. } => {
                self.is_cut = true;
                let item = self.need(*head, following)?;
                one_of((1..=LONGEST_LIST).map(|size| Need::List(vec![item.clone(); size])).collect())
            }
            ClosedType::Map(fields) => {
                let (made, plain): (Vec<_>, Vec<_>) =
                    fields.iter().partition(|field| self.has_identity(field.key) || self.has_identity(field.value));
                self.is_cut |= made.iter().any(|field: &&Field| !field.required);
                let others = self.declarations.shapes.add(ClosedType::Map(plain.into_iter().copied().collect()));
                let others = self.graph.id(self.declarations, others);
                let made: Option<Vec<(Need, Need)>> = made
                    .into_iter()
                    .filter(|field| field.required)
                    .map(|field| Some((self.need(field.key, following)?, self.need(field.value, following)?)))
                    .collect();
                Some(Need::Map { others, fields: made? })
            }
            _ => {
                self.is_cut = true;
                None
            }
        }
    }

    /// Returns whether values of this type have parts that a client cannot make itself: processes, references, ports
    /// and values of opaque types.
    fn has_identity(&mut self, shape: ClosedId) -> bool {
        if self.declarations.canonical(shape) == ClosedTypes::ANY {
            return false;
        }
        let is_made = |part: &ClosedType| matches!(part, ClosedType::Pid | ClosedType::Reference | ClosedType::Port);
        self.declarations.has_opaque(shape)
            || self.declarations.reaches(shape, |declarations, part| is_made(declarations.shapes.get(part)))
    }

    fn label(&self, shape: ClosedId) -> Option<TypeLabel> {
        match *self.declarations.shapes.get(shape) {
            ClosedType::Named { module, name, .. } => Some(TypeLabel { module, name }),
            _ => None,
        }
    }

    /// Returns the parts of a result whose type has a name in one of the client's modules, or is opaque.
    fn gives(&mut self, result: ClosedId) -> Vec<Given> {
        let mut found: Vec<Given> = Vec::new();
        let mut open = vec![(result, Vec::new(), 0)];
        while let Some((shape, inside, depth)) = open.pop() {
            if depth > DEEPEST {
                continue;
            }
            let meaning = self.declarations.meaning(shape);
            if let Some(name) = self.label(shape)
                && (self.own.contains(&name.module) || matches!(meaning, Some(Meaning::Opaque(_))))
            {
                let of = self.graph.id(self.declarations, shape);
                let given = Given { inside: inside.clone(), of, name };
                if !found.contains(&given) {
                    found.push(given);
                }
            }
            if let Some(Meaning::Alias(body)) = meaning {
                open.push((body, inside, depth + 1));
                continue;
            }
            match self.declarations.shapes.get(shape).clone() {
                ClosedType::Union(members) => {
                    open.extend(members.into_iter().map(|member| (member, inside.clone(), depth + 1)));
                }
                ClosedType::Tuple(parts) => {
                    let tag = parts.first().and_then(|first| match self.declarations.shapes.get(*first) {
                        ClosedType::Atom(atom) => Some(*atom),
                        _ => None,
                    });
                    let size = parts.len() as u32;
                    for (index, part) in parts.into_iter().enumerate() {
                        let mut inside = inside.clone();
                        inside.push((tag, size, index as u32));
                        open.push((part, inside, depth + 1));
                    }
                }
                _ => {}
            }
        }
        found
    }
}

fn one_of(mut options: Vec<Need>) -> Option<Need> {
    match options.len() {
        0 => None,
        1 => options.pop(),
        _ => Some(Need::OneOf(options)),
    }
}
