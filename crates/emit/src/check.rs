//! Translates types to conditions that a test can check a result with, where that is simple.

use crate::{Conditions, Framework};
use contract::Contract;
use formula::{Atoms, BitsType, ConsType, FieldType, Range, TypeId, TypeNode, Types};
use report::Printer;
use term::Term;

/// The length in bytes above which a condition is not simple, and the depth to which types are followed.
const LONGEST: usize = 1000;
const DEEPEST: u32 = 5;

/// Returns the condition that the specification makes for the result of these arguments, or `None` if it is not simple,
/// or if it would allow the wrong result.
pub fn check(
    framework: &dyn Framework,
    printer: &dyn Printer,
    contract: &Contract,
    args: &Option<Vec<Term>>,
    wrong: &Term,
) -> Option<String> {
    let words = framework.conditions()?;
    let types = &contract.types;
    let covers = |clause: &&contract::Clause| match args {
        Some(args) => clause.covers(types, args),
        // If the arguments are unknown, only a single clause is certain to apply.
        None => contract.clauses.len() == 1,
    };
    let results: Vec<TypeId> = contract.clauses.iter().filter(covers).map(|clause| clause.result).collect();
    // The condition may be weaker than the type, so it might accept a wrong result that the type allows.
    if results.is_empty() || results.iter().any(|result| types.contains(*result, wrong)) {
        return None;
    }
    let mut writer = Writer { words, printer, types, named: 0 };
    let conditions =
        results.iter().map(|of| writer.condition(*of, words.result, DEEPEST)).collect::<Option<Vec<_>>>()?;
    let condition = writer.any_of(conditions);
    if matches!(condition, Condition::Always | Condition::Never) {
        return None;
    }
    let text = condition.text();
    (text.len() <= LONGEST).then_some(text)
}

struct Writer<'a> {
    words: &'a Conditions,
    printer: &'a dyn Printer,
    types: &'a Types,
    named: u32,
}

/// A condition, with the operator that decides whether it needs parentheses.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    Always,
    Never,
    /// A single test.
    One(String),
    /// Conditions joined by `and`.
    And(String),
    /// Conditions joined by `or`.
    Or(String),
}

impl Condition {
    /// Returns the text of a condition that is not part of another one.
    fn text(self) -> String {
        match self {
            Condition::Always => "true".to_string(),
            Condition::Never => "false".to_string(),
            Condition::One(text) | Condition::And(text) | Condition::Or(text) => text,
        }
    }
}

impl Writer<'_> {
    /// Returns the condition that a value is of a type, or `None` if it is not simple.
    fn condition(&mut self, id: TypeId, of: &str, depth: u32) -> Option<Condition> {
        let node = self.types.node(id);
        if *node == TypeNode::any() {
            return Some(Condition::Always);
        }
        let depth = depth.checked_sub(1)?;
        let mut any = Vec::new();
        for range in &node.integers {
            any.push(self.integer(range, of));
        }
        let when = |holds: bool, test: &str| holds.then(|| Condition::One(format!("{test}({of})")));
        any.extend(when(node.floats, "is_float"));
        match &node.atoms {
            Atoms::All => any.extend(when(true, "is_atom")),
            Atoms::These(atoms) => any.extend(atoms.iter().map(|atom| self.is_same(of, &Term::Atom(*atom)))),
        }
        match node.cons.as_slice() {
            [] => any.extend(node.nil.then(|| self.is_same(of, &Term::Nil))),
            [cons] => any.push(self.list(id, *cons, node.nil, of, depth)?),
            _ => return None,
        }
        any.extend(when(node.any_tuple, "is_tuple"));
        for parts in &node.tuples {
            any.push(self.tuple(parts, of, depth)?);
        }
        any.extend(when(node.any_map, "is_map"));
        for fields in &node.maps {
            any.push(self.map(fields, of, depth)?);
        }
        for bits in &node.bits {
            any.push(match *bits {
                BitsType { base: 0, unit: 1 } => Condition::One(format!("is_bitstring({of})")),
                BitsType { base: 0, unit: 8 } => Condition::One(format!("is_binary({of})")),
                BitsType { base: 0, unit: 0 } => self.is_same(of, &Term::binary(*b"")),
                _ => return None,
            });
        }
        any.extend(when(node.any_function, "is_function"));
        for function in &node.functions {
            any.push(Condition::One(match &function.params {
                Some(params) => format!("is_function({of}, {})", params.len()),
                None => format!("is_function({of})"),
            }));
        }
        any.extend(when(node.pids, "is_pid"));
        any.extend(when(node.references, "is_reference"));
        any.extend(when(node.ports, "is_port"));
        for opaque in &node.opaque {
            any.push(self.condition(opaque.representation, of, depth)?);
        }
        Some(self.any_of(any))
    }

    fn integer(&self, Range { low, high }: &Range, of: &str) -> Condition {
        if let (Some(low), Some(high)) = (low, high)
            && low == high
        {
            return self.is_same(of, &Term::integer(low.clone()));
        }
        let at_most = self.words.at_most;
        let low = low.as_ref().map(|low| Condition::One(format!("{of} >= {low}")));
        let high = high.as_ref().map(|high| Condition::One(format!("{of} {at_most} {high}")));
        self.all_of([Some(Condition::One(format!("is_integer({of})"))), low, high].into_iter().flatten().collect())
    }

    /// Returns the condition for proper lists whose items have one type.
    fn list(&mut self, id: TypeId, cons: ConsType, nil: bool, of: &str, depth: u32) -> Option<Condition> {
        let rest = self.types.node(cons.tail);
        let only_rest = TypeNode { nil: true, cons: vec![cons], ..TypeNode::default() };
        let is_list = if cons.tail == id { nil } else { *rest == only_rest };
        if !is_list {
            return None;
        }
        let item = self.variable();
        let all = match self.condition(cons.head, &item, depth)? {
            Condition::Always => Condition::Always,
            items => Condition::One((self.words.all)(&item, &items.text(), of)),
        };
        let filled = if nil { Condition::Always } else { self.differs(of, &Term::Nil) };
        Some(self.all_of(vec![Condition::One(format!("is_list({of})")), filled, all]))
    }

    fn tuple(&mut self, parts: &[TypeId], of: &str, depth: u32) -> Option<Condition> {
        let same = self.words.same;
        let mut all = vec![
            Condition::One(format!("is_tuple({of})")),
            Condition::One(format!("tuple_size({of}) {same} {}", parts.len())),
        ];
        for (index, part) in parts.iter().enumerate() {
            all.push(self.condition(*part, &(self.words.element)(of, index), depth)?);
        }
        Some(self.all_of(all))
    }

    /// Returns the condition for maps with named keys that are all required.
    fn map(&mut self, fields: &[FieldType], of: &str, depth: u32) -> Option<Condition> {
        let same = self.words.same;
        let mut all = vec![
            Condition::One(format!("is_map({of})")),
            Condition::One(format!("map_size({of}) {same} {}", fields.len())),
        ];
        for field in fields {
            let key = single(self.types.node(field.key)).filter(|_| field.required)?;
            let key = self.printer.term(&key);
            all.push(Condition::One((self.words.has_key)(of, &key)));
            all.push(self.condition(field.value, &(self.words.value)(of, &key), depth)?);
        }
        Some(self.all_of(all))
    }

    fn is_same(&self, of: &str, value: &Term) -> Condition {
        Condition::One(format!("{of} {} {}", self.words.same, self.printer.term(value)))
    }

    fn differs(&self, of: &str, value: &Term) -> Condition {
        Condition::One(format!("{of} {} {}", self.words.differs, self.printer.term(value)))
    }

    fn all_of(&self, all: Vec<Condition>) -> Condition {
        if all.contains(&Condition::Never) {
            return Condition::Never;
        }
        let all: Vec<Condition> = all.into_iter().filter(|one| *one != Condition::Always).collect();
        let text = |one: &Condition| match one {
            Condition::Or(text) => format!("({text})"),
            other => other.clone().text(),
        };
        match all.as_slice() {
            [] => Condition::Always,
            [one] => one.clone(),
            _ => Condition::And(all.iter().map(text).collect::<Vec<_>>().join(self.words.and)),
        }
    }

    fn any_of(&self, any: Vec<Condition>) -> Condition {
        if any.contains(&Condition::Always) {
            return Condition::Always;
        }
        let any: Vec<Condition> = any.into_iter().filter(|one| *one != Condition::Never).collect();
        let text = |one: &Condition| match one {
            Condition::And(text) => format!("({text})"),
            other => other.clone().text(),
        };
        match any.as_slice() {
            [] => Condition::Never,
            [one] => one.clone(),
            _ => Condition::Or(any.iter().map(text).collect::<Vec<_>>().join(self.words.or)),
        }
    }

    fn variable(&mut self) -> String {
        self.named += 1;
        format!("{}{}", self.words.item, self.named)
    }
}

/// Returns the only term of a type, if that is an atom or an integer.
fn single(node: &TypeNode) -> Option<Term> {
    let (term, alone) = match (&node.atoms, node.integers.as_slice()) {
        (Atoms::These(atoms), []) => {
            let [atom] = atoms.as_slice() else { return None };
            (Term::Atom(*atom), TypeNode { atoms: node.atoms.clone(), ..TypeNode::default() })
        }
        (Atoms::These(atoms), [Range { low: Some(low), high: Some(high) }]) if atoms.is_empty() && low == high => {
            (Term::integer(low.clone()), TypeNode { integers: node.integers.clone(), ..TypeNode::default() })
        }
        _ => return None,
    };
    (*node == alone).then_some(term)
}
