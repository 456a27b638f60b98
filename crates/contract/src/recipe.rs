//! Recipes for parameters whose types contain opaque types of other modules.

use crate::constructor::Candidate;
use crate::declarations::{Declarations, Meaning};
use crate::graph::Graph;
use crate::inhabited::is_empty;
use crate::limit::{Limit, TypeName};
use crate::shape::{ClosedId, ClosedType, ClosedTypes, Field};
use crate::{Association, Constructor, Recipe, deep};
use formula::{TypeId, Types};
use rustc_hash::FxHashMap;

/// The maximum number of calls of constructors nested in one another.
pub(crate) const DEEPEST_CALL: u32 = 4;
/// The number of nested names that are followed to opaque parts. The next smaller one is tried if the recipe has more
/// than `MOST_PARTS` parts.
const DEEPEST_NAMES: [usize; 5] = [12, 6, 4, 2, 1];
const MOST_PARTS: usize = 2000;
/// The maximum number of items of a list whose items only functions make.
const LONGEST_MADE_LIST: usize = 2;

pub(crate) struct RecipeBuilder<'b, 'a> {
    pub declarations: &'b mut Declarations<'a>,
    graph: &'b mut Graph,
    /// The known candidates, by the type that they make.
    pub candidates: FxHashMap<ClosedId, Vec<Candidate>>,
    /// The names that are currently being followed.
    following: Vec<ClosedId>,
    deepest: usize,
    parts: usize,
}

impl<'b, 'a> RecipeBuilder<'b, 'a> {
    pub fn new(declarations: &'b mut Declarations<'a>, graph: &'b mut Graph) -> RecipeBuilder<'b, 'a> {
        RecipeBuilder {
            declarations,
            graph,
            candidates: FxHashMap::default(),
            following: Vec::new(),
            deepest: 0,
            parts: 0,
        }
    }

    /// Returns recipes for all of these types; `None` if no value can be made of one of them.
    pub fn inputs(&mut self, shapes: &[ClosedId]) -> Option<Vec<Recipe>> {
        shapes.iter().map(|shape| self.parameter(*shape)).collect()
    }

    fn parameter(&mut self, shape: ClosedId) -> Option<Recipe> {
        for deepest in DEEPEST_NAMES {
            (self.deepest, self.parts) = (deepest, 0);
            let input = self.input(shape, 0);
            if self.parts <= MOST_PARTS {
                return input;
            }
        }
        None
    }

    /// Returns recipes for all of these types, inside of `calls` nested calls of constructors.
    pub fn inputs_at(&mut self, shapes: &[ClosedId], calls: u32) -> Option<Vec<Recipe>> {
        shapes.iter().map(|shape| self.input(*shape, calls)).collect()
    }

    /// Returns the recipe for one type; `None` if no value can be made.
    fn input(&mut self, shape: ClosedId, calls: u32) -> Option<Recipe> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return None;
        }
        if !self.is_made(shape) {
            return Some(Recipe::Data(self.graph.id(self.declarations, shape)));
        }
        deep(|| self.with_opaque(shape, calls))
    }

    /// Returns whether values of this type have parts that are not data: values of opaque types, and processes.
    fn is_made(&mut self, shape: ClosedId) -> bool {
        self.declarations.has_opaque(shape) || self.declarations.has_process(shape)
    }

    fn with_opaque(&mut self, shape: ClosedId, calls: u32) -> Option<Recipe> {
        match self.declarations.shapes.get(shape).clone() {
            ClosedType::Pid => Some(Recipe::Process),
            ClosedType::Named { .. } => self.named(shape, calls),
            ClosedType::Union(members) => self.alternatives(&members, calls),
            ClosedType::Tuple(parts) => Some(Recipe::Tuple(self.inputs_at(&parts, calls)?)),
            ClosedType::Map(fields) => self.map(&fields, calls),
            ClosedType::Cons { head, tail } => self.list(head, tail, calls),
            ClosedType::Rest { element, end } => self.rest(element, end, calls),
            // These are functions that return such values.
            _ => {
                self.declarations.limit(Limit::FunctionsOfOpaque);
                None
            }
        }
    }

    fn named(&mut self, shape: ClosedId, calls: u32) -> Option<Recipe> {
        let has_opaque = self.declarations.has_opaque(shape);
        let made = if has_opaque { self.constructors(shape, calls) } else { Vec::new() };
        if !made.is_empty() {
            self.declarations.has_made_structures |= self.declarations.structure(shape).is_some();
            self.say_few(shape);
            return Some(Recipe::Made(made));
        }
        let body = match (self.declarations.meaning(shape), self.declarations.structure(shape)) {
            (Some(Meaning::Alias(body)), _) | (_, Some(body)) => body,
            _ => {
                self.say_unmade(shape, calls);
                return None;
            }
        };
        if self.following.contains(&shape) || self.following.len() == self.deepest {
            self.declarations.limit(Limit::DeepOpaqueParts);
            return None;
        }
        self.following.push(shape);
        let input = self.input(body, calls);
        self.following.pop();
        input
    }

    /// Records that other functions, or more calls of these, may make values that behave differently.
    fn say_few(&mut self, shape: ClosedId) {
        if let Some(name) = self.name(shape) {
            self.declarations.limit(Limit::FewConstructors(name));
        }
    }

    fn say_unmade(&mut self, shape: ClosedId, calls: u32) {
        if let Some(name) = self.name(shape)
            && calls < DEEPEST_CALL
            && self.parts <= MOST_PARTS
        {
            self.declarations.limit(Limit::NoConstructor(name));
        }
    }

    fn name(&self, shape: ClosedId) -> Option<TypeName> {
        match self.declarations.shapes.get(shape) {
            ClosedType::Named { module, name, args } => {
                Some(TypeName { module: *module, name: *name, arity: args.len() as u32 })
            }
            _ => None,
        }
    }

    /// Returns the recipe for a union. Its members that are plain data stay together, and a process comes first.
    fn alternatives(&mut self, members: &[ClosedId], calls: u32) -> Option<Recipe> {
        let (made, plain): (Vec<ClosedId>, Vec<ClosedId>) =
            members.iter().copied().partition(|member| self.is_made(*member));
        let (processes, made): (Vec<ClosedId>, Vec<ClosedId>) =
            made.into_iter().partition(|member| *self.declarations.shapes.get(*member) == ClosedType::Pid);
        let mut inputs: Vec<Recipe> = processes.iter().take(1).map(|_| Recipe::Process).collect();
        if !plain.is_empty() {
            let plain = self.declarations.shapes.union(plain);
            inputs.push(Recipe::Data(self.graph.id(self.declarations, plain)));
        }
        inputs.extend(made.into_iter().filter_map(|member| self.input(member, calls)));
        one_of(inputs)
    }

    fn map(&mut self, fields: &[Field], calls: u32) -> Option<Recipe> {
        let mut others = Vec::new();
        let mut made = Vec::new();
        for field in fields {
            if !self.is_made(field.key) && !self.is_made(field.value) {
                others.push(*field);
            } else {
                match (self.input(field.key, calls), self.input(field.value, calls)) {
                    (Some(key), Some(value)) => {
                        self.few_keys(field);
                        made.push(Association { key, value, required: field.required });
                    }
                    _ if field.required => return None,
                    _ => {}
                }
            }
        }
        let others = self.declarations.shapes.add(ClosedType::Map(others));
        let others = self.graph.id(self.declarations, others);
        Some(if made.is_empty() { Recipe::Data(others) } else { Recipe::Map { others, fields: made } })
    }

    /// Records that maps get only one of several possible keys.
    fn few_keys(&mut self, field: &Field) {
        let key = self.declarations.canonical(field.key);
        let single = match self.declarations.shapes.get(key) {
            ClosedType::Atom(_) | ClosedType::Nil => true,
            ClosedType::Integer { low: Some(low), high: Some(high) } => low == high,
            _ => false,
        };
        if !single {
            self.declarations.limit(Limit::OneOpaqueKey);
        }
    }

    fn rest(&mut self, element: ClosedId, end: ClosedId, calls: u32) -> Option<Recipe> {
        let mut inputs: Vec<_> = self.input(end, calls).into_iter().collect();
        let before = self.parts;
        if self.declarations.members(end).contains(&ClosedTypes::NIL)
            && let Some(item) = self.input(element, calls)
        {
            self.short_lists();
            let item_parts = self.parts - before;
            for length in 1..=LONGEST_MADE_LIST {
                self.parts += length * item_parts;
                inputs.push(Recipe::List(vec![item.clone(); length]));
            }
        }
        one_of(inputs)
    }

    fn list(&mut self, head: ClosedId, tail: ClosedId, calls: u32) -> Option<Recipe> {
        let first = self.input(head, calls)?;
        self.short_lists();
        let tails: Vec<Recipe> = match self.input(tail, calls)? {
            Recipe::OneOf(tails) => tails,
            tail => vec![tail],
        };
        let ends = self.declarations.shapes.get(tail).clone();
        let proper = match ends {
            ClosedType::Rest { end, .. } => self.declarations.members(end).contains(&ClosedTypes::NIL),
            _ => self.declarations.members(tail).contains(&ClosedTypes::NIL),
        };
        let mut inputs: Vec<_> = proper.then(|| Recipe::List(vec![first.clone()])).into_iter().collect();
        for tail in tails {
            if let Recipe::List(mut items) = tail
                && items.len() < LONGEST_MADE_LIST
            {
                items.insert(0, first.clone());
                inputs.push(Recipe::List(items));
            }
        }
        one_of(inputs)
    }

    fn short_lists(&mut self) {
        self.declarations.limit(Limit::ShortOpaqueLists { most: LONGEST_MADE_LIST as u32 });
    }
}

fn one_of(mut inputs: Vec<Recipe>) -> Option<Recipe> {
    match inputs.len() {
        0 | 1 => inputs.pop(),
        _ => Some(Recipe::OneOf(inputs)),
    }
}

/// A pass over recipes that removes alternatives without values. These are known only once all types are complete.
pub(crate) struct Possible<'t> {
    types: &'t Types,
    /// Whether a removed type has values, but only huge ones.
    pub huge: bool,
}

impl<'t> Possible<'t> {
    pub fn new(types: &'t Types) -> Possible<'t> {
        Possible { types, huge: false }
    }

    pub fn all(&mut self, inputs: Vec<Recipe>) -> Option<Vec<Recipe>> {
        inputs.into_iter().map(|input| deep(|| self.one(input))).collect()
    }

    fn data(&mut self, id: TypeId) -> bool {
        self.huge |= !is_empty(self.types.node(id)) && !self.types.is_makeable(id);
        self.types.is_makeable(id)
    }

    fn one(&mut self, input: Recipe) -> Option<Recipe> {
        match input {
            Recipe::Data(id) => self.data(id).then_some(input),
            Recipe::Process => Some(input),
            Recipe::Tuple(parts) => Some(Recipe::Tuple(self.all(parts)?)),
            Recipe::List(items) => Some(Recipe::List(self.all(items)?)),
            Recipe::Map { others, fields } => {
                let field = |of: Association| match (deep(|| self.one(of.key)), deep(|| self.one(of.value))) {
                    (Some(key), Some(value)) => Some(Some(Association { key, value, required: of.required })),
                    _ => (!of.required).then_some(None),
                };
                let fields: Option<Vec<_>> = fields.into_iter().map(field).collect();
                let fields = fields?.into_iter().flatten().collect();
                self.data(others).then_some(Recipe::Map { others, fields })
            }
            Recipe::OneOf(ways) => one_of(ways.into_iter().filter_map(|way| deep(|| self.one(way))).collect()),
            Recipe::Made(constructors) => {
                let made =
                    |constructor: Constructor| Some(Constructor { args: self.all(constructor.args)?, ..constructor });
                let constructors: Vec<_> = constructors.into_iter().filter_map(made).collect();
                (!constructors.is_empty()).then_some(Recipe::Made(constructors))
            }
        }
    }
}
