//! Climbing: where functions are known by samples only, inputs are changed a little at a time, and changes that come
//! closer to fulfilling all conditions are kept. A change that helped is made again, doubled.
//!
//! This is the second phase for conditions such as `loop(X) =:= 8192`, which solvers cannot handle: the sum of the
//! branch distances shows the direction.

use formula::{
    Assignment, Atoms, Evaluation, Formulas, Learner, Operator, TermId, TypeId, Types, Variable, distance_of,
};
use rustc_hash::FxHashSet;
use term::{Bits, Term};

/// The maximum number of inputs that are evaluated for one way.
const MOST_EVALUATIONS: u32 = 6000;
/// The maximum number of attempts for one way.
const ATTEMPTS: u32 = 12;
/// The maximum number of alternatives for one part of an input.
const MOST_ALTERNATIVES: usize = 24;
/// The maximum number of alternative items of which pairs are tried.
const MOST_PAIRED: usize = 14;
/// The exponent of the largest step by which a number is changed, which is a power of two.
const LARGEST_STEP: u32 = 20;
/// The maximum number of texts of the code that are combined, and of texts in a row.
const MOST_TEXTS: usize = 7;
const LONGEST_ROW: usize = 3;
/// The maximum number of positions in a list at which changes are made.
const MOST_PLACES: usize = 12;

/// Returns whether conditions apply functions that are known by samples only to the inputs. `inputs` is the number of
/// inputs.
pub fn has_applications(formulas: &Formulas, conditions: &[TermId], inputs: usize) -> bool {
    let is_input = |variable: Variable| (variable.0 as usize) < inputs;
    let mut seen = FxHashSet::default();
    let mut open = conditions.to_vec();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            if matches!(formulas.operator(id), Operator::Apply { .. })
                && formulas.variables(id).into_iter().any(is_input)
            {
                return true;
            }
            formulas.operator(id).each_child(|child| open.push(child));
        }
    }
    false
}

/// A pseudorandom order that differs between attempts and is reproducible.
struct Shuffle(u32);

impl Shuffle {
    fn shuffle(&mut self, items: &mut [Term]) {
        for index in (1..items.len()).rev() {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            items.swap(index, (self.0 >> 8) as usize % (index + 1));
        }
    }
}

/// The pieces that a change inserts into a list or a text.
#[derive(Clone, Copy)]
enum Pieces {
    Single,
    Double,
    /// Several of the texts in the code.
    Texts,
}

pub struct Climber<'a> {
    pub formulas: &'a Formulas,
    pub conditions: &'a [TermId],
    pub types: &'a Types,
    pub parameters: &'a [TypeId],
    pub learner: &'a dyn Learner,
    /// Terms that occur in the code.
    pub hints: &'a [Term],
    pub evaluations: u32,
}

impl<'a> Climber<'a> {
    pub fn new(
        formulas: &'a Formulas,
        conditions: &'a [TermId],
        (types, parameters): (&'a Types, &'a [TypeId]),
        learner: &'a dyn Learner,
        hints: &'a [Term],
    ) -> Climber<'a> {
        Climber { formulas, conditions, types, parameters, learner, hints, evaluations: MOST_EVALUATIONS }
    }

    /// Returns values that fulfil all conditions, found by changing these ones. The first attempt takes the best change
    /// each time; if it ends at a local optimum, others take the first change that helps, in different orders.
    pub fn climb(&mut self, start: &Assignment) -> Option<Assignment> {
        (0..ATTEMPTS).find_map(|attempt| self.attempt(start, attempt))
    }

    fn attempt(&mut self, start: &Assignment, attempt: u32) -> Option<Assignment> {
        let mut best = start.clone();
        let mut error = self.error(&best)?;
        let mut random = Shuffle(attempt);
        while error > 0.0 {
            // Where single items do not come closer, texts or pairs of items may.
            let mut is_better = false;
            for pieces in [Pieces::Single, Pieces::Texts, Pieces::Double] {
                is_better |= self.improve(&mut best, &mut error, pieces, attempt, &mut random)?;
                if is_better {
                    break;
                }
            }
            if !is_better {
                return None;
            }
        }
        Some(best)
    }

    /// Changes each input so that it comes closer to fulfilling the conditions, if possible. Returns whether an input
    /// was changed, or `None` if the limit of evaluations is reached.
    fn improve(
        &mut self,
        best: &mut Assignment,
        error: &mut f64,
        pieces: Pieces,
        attempt: u32,
        random: &mut Shuffle,
    ) -> Option<bool> {
        let mut is_better = false;
        for (index, of) in self.parameters.iter().enumerate() {
            let variable = Variable(index as u32);
            let Some(value) = best.get(&variable).cloned() else { continue };
            let mut changes = match pieces {
                Pieces::Single => self.changes(*of, &value, 2),
                Pieces::Double => self.with_pairs(*of, &value),
                Pieces::Texts => self.with_texts(*of, &value),
            };
            if attempt > 0 {
                random.shuffle(&mut changes);
            }
            let mut chosen: Option<(f64, Term)> = None;
            for changed in changes {
                if !self.types.contains(*of, &changed) {
                    continue;
                }
                let mut values = best.clone();
                values.insert(variable, changed.clone());
                let new = self.error(&values)?;
                if new < *error && chosen.as_ref().is_none_or(|(least, _)| new < *least) {
                    chosen = Some((new, changed));
                    if new == 0.0 || attempt > 0 {
                        break;
                    }
                }
            }
            if let Some((new, changed)) = chosen {
                best.insert(variable, changed);
                *error = new;
                is_better = true;
            }
        }
        Some(is_better)
    }

    /// Returns lists with two further adjacent items.
    fn with_pairs(&self, of: TypeId, value: &Term) -> Vec<Term> {
        let (Term::Nil | Term::List(..)) = value else { return Vec::new() };
        let items = value.as_list().unwrap_or_default();
        let fresh = self.fresh_items(of);
        if fresh.len() > MOST_PAIRED {
            return Vec::new();
        }
        let mut changed = Vec::new();
        for place in (0..=items.len()).rev().take(MOST_PLACES) {
            for first in &fresh {
                for second in &fresh {
                    let mut longer = items.to_vec();
                    longer.splice(place..place, [first.clone(), second.clone()]);
                    changed.push(Term::list(longer));
                }
            }
        }
        changed
    }

    /// Returns texts with up to three others before or after them.
    fn with_texts(&self, of: TypeId, value: &Term) -> Vec<Term> {
        let is_text = |hint: &&Term| matches!(hint, Term::List(..) | Term::Bits(_)) && self.types.contains(of, hint);
        let texts: Vec<&Term> = self.hints.iter().filter(is_text).take(MOST_TEXTS).collect();
        let mut rows: Vec<Vec<&Term>> = vec![Vec::new()];
        let mut changed = Vec::new();
        for _ in 0..LONGEST_ROW {
            let longer = |row: &[&'a Term]| -> Vec<Vec<&'a Term>> {
                texts.iter().map(|text| row.iter().copied().chain([*text]).collect()).collect()
            };
            rows = rows.iter().flat_map(|row| longer(row)).collect();
            for row in &rows {
                let behind = std::iter::once(value).chain(row.iter().copied());
                changed.extend(joined(behind));
                changed.extend(joined(row.iter().copied().chain([value])));
            }
        }
        changed
    }

    /// Returns items that may be added to a list.
    fn fresh_items(&self, of: TypeId) -> Vec<Term> {
        let heads = self.types.node(of).cons.iter();
        let mut fresh: Vec<Term> = heads.flat_map(|cons| self.alternatives(cons.head)).collect();
        fresh.truncate(MOST_ALTERNATIVES);
        fresh
    }

    /// Returns the distance of values from fulfilling all conditions, or `None` if the limit of evaluations is reached.
    fn error(&mut self, values: &Assignment) -> Option<f64> {
        self.evaluations = self.evaluations.checked_sub(1)?;
        let mut evaluation = Evaluation::new(self.formulas, values).learning(self.learner);
        let formulas = self.formulas;
        let errors = self.conditions.iter().map(|condition| {
            let distance = distance_of(&mut evaluation, formulas, *condition);
            // Each condition that does not hold counts at least 1. The logarithm keeps a large distance from
            // outweighing the others.
            if distance == 0.0 { 0.0 } else { 1.0 + (1.0 + distance).ln() }
        });
        Some(errors.sum())
    }

    fn changes(&self, of: TypeId, value: &Term, deep: u32) -> Vec<Term> {
        match value {
            Term::Int(number) => {
                let steps = (0..=LARGEST_STEP).flat_map(|power| [1i64 << power, -(1i64 << power)]);
                steps.filter_map(|step| Some(Term::Int(number.checked_add(step)?))).collect()
            }
            Term::Float(number) => {
                let steps =
                    (0..16).flat_map(|power| [f64::from(1u32 << power) / 16.0, -f64::from(1u32 << power) / 16.0]);
                steps.map(|step| Term::Float(number + step)).collect()
            }
            Term::Nil | Term::List(..) => self.changed_lists(of, value.as_list().unwrap_or_default(), deep),
            Term::Tuple(items) => {
                let node = self.types.node(of);
                let fits = node.tuples.iter().find(|parts| parts.len() == items.len());
                let mut changed = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    let part = fits.and_then(|parts| parts.get(index)).copied().unwrap_or(Types::ANY);
                    let inner = if deep == 0 { Vec::new() } else { self.changes(part, item, deep - 1) };
                    changed.extend(inner.into_iter().map(|new| {
                        let mut items = items.to_vec();
                        items[index] = new;
                        Term::tuple(items)
                    }));
                }
                changed
            }
            Term::Big(_)
            | Term::Atom(_)
            | Term::Map(_)
            | Term::Bits(_)
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => self.alternatives(of),
        }
    }

    fn changed_lists(&self, of: TypeId, items: &[Term], deep: u32) -> Vec<Term> {
        let heads: Vec<TypeId> = self.types.node(of).cons.iter().map(|cons| cons.head).collect();
        let fresh = self.fresh_items(of);
        let places: Vec<usize> = (0..=items.len()).rev().take(MOST_PLACES).collect();
        let mut changed = Vec::new();
        let mut add = |items: Vec<Term>| changed.push(Term::list(items));
        for item in &fresh {
            for place in &places {
                let mut longer = items.to_vec();
                longer.insert(*place, item.clone());
                add(longer);
                if let Some(old) = items.get(*place)
                    && old != item
                {
                    let mut other = items.to_vec();
                    other[*place] = item.clone();
                    add(other);
                }
            }
        }
        for (place, item) in items.iter().enumerate().rev().take(MOST_PLACES) {
            if let Term::Int(number) = item {
                for step in [-16, -4, -1, 1, 4, 16] {
                    let mut other = items.to_vec();
                    other[place] = Term::Int(number.saturating_add(step));
                    add(other);
                }
            }
        }
        // All items twice, with an item in between.
        if !items.is_empty() {
            for item in &fresh {
                add([items, std::slice::from_ref(item), items].concat());
            }
        }
        // The last item repeated two, four and more times; all items twice.
        if let Some(last) = items.last() {
            for power in 1..6 {
                let mut longer = items.to_vec();
                longer.extend(std::iter::repeat_n(last.clone(), 1 << power));
                add(longer);
            }
            add([items, items].concat());
        }
        for place in places.iter().filter(|place| **place < items.len()) {
            let mut shorter = items.to_vec();
            let old = shorter.remove(*place);
            add(shorter);
            if deep > 0 && !matches!(old, Term::Int(_) | Term::Atom(_)) {
                let head = heads.first().copied().unwrap_or(Types::ANY);
                for new in self.changes(head, &old, deep - 1) {
                    let mut other = items.to_vec();
                    other[*place] = new;
                    add(other);
                }
            }
        }
        changed
    }

    /// Returns some terms of a type.
    fn alternatives(&self, of: TypeId) -> Vec<Term> {
        let node = self.types.node(of);
        let mut found: Vec<Term> = Vec::new();
        if let Atoms::These(atoms) = &node.atoms {
            found.extend(atoms.iter().map(|atom| Term::Atom(*atom)));
        }
        found.extend(self.hints.iter().filter(|hint| self.types.contains(of, hint)).cloned());
        found.extend(self.types.smallest(of));
        found.dedup();
        found.truncate(MOST_ALTERNATIVES);
        found
    }
}

/// Concatenates lists or bitstrings.
fn joined<'t>(texts: impl Iterator<Item = &'t Term>) -> Option<Term> {
    let texts: Vec<&Term> = texts.collect();
    if texts.iter().all(|text| matches!(text, Term::Bits(_))) {
        let parts = texts.iter().filter_map(|text| match text {
            Term::Bits(bits) if bits.is_binary() => Some(bits.bytes()),
            _ => None,
        });
        let parts: Vec<&[u8]> = parts.collect();
        return (parts.len() == texts.len()).then(|| Term::Bits(Bits::from_bytes(parts.concat())));
    }
    let parts: Option<Vec<&[Term]>> = texts.iter().map(|text| text.as_list()).collect();
    Some(Term::list(parts?.concat()))
}
