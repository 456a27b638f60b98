//! The meaning of each operator on values: a total function that returns `None` where an operator has no value.

use crate::bits::{Writer, read_number, slice};
use crate::convert::convert;
use crate::number;
use crate::terms::{BitsPart, Operator, PartKind, TermId, Test};
use crate::value::{self, Value};
use term::{Term, order};

/// Returns the value of an operator, given the values of the terms below it. Variables have no value here.
pub(crate) fn meaning(operator: &Operator, of: &impl Fn(TermId) -> Option<Value>) -> Option<Value> {
    Some(match operator {
        Operator::Variable(_) | Operator::Apply { .. } => return None,
        Operator::Constant(constant) => Value::Term(constant.0.clone()),

        Operator::Cons(head, tail) => {
            Value::Term(Term::list_with_tail(vec![of(*head)?.into_term()], of(*tail)?.into_term()))
        }
        Operator::Tuple(elements) => {
            let elements: Option<Vec<Term>> = elements.iter().map(|element| Some(of(*element)?.into_term())).collect();
            Value::Term(Term::tuple(elements?))
        }
        Operator::Bits(parts) => bits(parts, of)?,
        Operator::MapPut { map, key, value } => {
            Value::Term(value::map_put(of(*map)?.as_map()?, of(*key)?.into_term(), of(*value)?.into_term()))
        }
        Operator::MapRemove { map, key } => Value::Term(value::map_remove(of(*map)?.as_map()?, &of(*key)?.into_term())),
        Operator::SetElementAt { tuple, index, value } => {
            let mut elements = of(*tuple)?.as_tuple()?.to_vec();
            *elements.get_mut(of(*index)?.as_count()?)? = of(*value)?.into_term();
            Value::Term(Term::tuple(elements))
        }

        Operator::Item(list, index) => Value::Term(of(*list)?.cells().get(*index as usize)?.clone()),
        Operator::Rest(list, cells) => of(*list)?.rest(*cells as usize)?,
        Operator::ItemAt(list, index) => Value::Term(of(*list)?.cells().get(of(*index)?.as_count()?)?.clone()),
        Operator::RestAt(list, cells) => of(*list)?.rest(of(*cells)?.as_count()?)?,
        Operator::Element(tuple, index) => Value::Term(of(*tuple)?.as_tuple()?.get(*index as usize)?.clone()),
        Operator::ElementAt(tuple, index) => Value::Term(of(*tuple)?.as_tuple()?.get(of(*index)?.as_count()?)?.clone()),
        Operator::MapGet { map, key } => {
            Value::Term(value::map_get(of(*map)?.as_map()?, &of(*key)?.into_term())?.clone())
        }
        Operator::MapKeyAt(map, index) => {
            Value::Term(value::in_iteration_order(of(*map)?.as_map()?)?.get(*index as usize)?.0.clone())
        }
        Operator::MapValueAt(map, index) => {
            Value::Term(value::in_iteration_order(of(*map)?.as_map()?)?.get(*index as usize)?.1.clone())
        }
        Operator::BitsNumber { bits, at, size, format } => {
            Value::Term(read_number(of(*bits)?.as_bits()?, of(*at)?.as_count()?, of(*size)?.as_count()?, *format)?)
        }
        Operator::BitsSlice { bits, at, size } => {
            Value::Term(Term::Bits(slice(of(*bits)?.as_bits()?, of(*at)?.as_count()?, of(*size)?.as_count()?)?))
        }

        Operator::Length(list) => {
            let list = of(*list)?;
            if !list.is_proper_list() {
                return None;
            }
            Value::count(list.cells().len())
        }
        Operator::TupleSize(tuple) => Value::count(of(*tuple)?.as_tuple()?.len()),
        Operator::MapSize(map) => Value::count(of(*map)?.as_map()?.len()),
        Operator::BitSize(bits) => Value::count(of(*bits)?.as_bits()?.bit_length()),

        Operator::Test(Test::Kind(term, kinds)) => Value::boolean(of(*term)?.kinds().within(*kinds)),
        Operator::Test(Test::TupleOf(term, size)) => {
            Value::boolean(of(*term)?.as_tuple().is_some_and(|elements| elements.len() == *size as usize))
        }
        Operator::Test(Test::FunctionOf(term, arity)) => Value::boolean(of(*term)?.arity() == Some(*arity)),
        Operator::Test(Test::OneOf(term, constants)) => {
            let term = of(*term)?;
            Value::boolean(match &term {
                Value::Term(term) => constants.has(term),
                Value::Rest { .. } => false,
            })
        }
        Operator::Test(Test::ProperList(term)) => Value::boolean(of(*term)?.is_proper_list()),
        Operator::Test(Test::HasItem(list, index)) => {
            Value::boolean(of(*index)?.as_count()? < of(*list)?.cells().len())
        }
        Operator::Test(Test::MapHas { map, key }) => {
            Value::boolean(value::map_get(of(*map)?.as_map()?, &of(*key)?.into_term()).is_some())
        }
        Operator::Test(Test::Identical(a, b)) => compared(of(*a)?, of(*b)?, order::identical),
        Operator::Test(Test::Equal(a, b)) => compared(of(*a)?, of(*b)?, order::equal),
        Operator::Test(Test::Less(a, b)) => compared(of(*a)?, of(*b)?, |a, b| order::compare(a, b).is_lt()),

        Operator::Test(Test::Not(a)) => Value::boolean(!of(*a)?.as_boolean()?),
        // One side may decide without the other.
        Operator::Test(Test::And(a, b)) => Value::boolean(junction(*a, *b, false, of)?),
        Operator::Test(Test::Or(a, b)) => Value::boolean(junction(*a, *b, true, of)?),

        Operator::Arithmetic(operation, a, b) => {
            Value::Term(number::arithmetic(*operation, &of(*a)?.into_term(), &of(*b)?.into_term())?)
        }
        Operator::Numeric(operation, a) => Value::Term(number::numeric(*operation, &of(*a)?.into_term())?),
        Operator::Convert(conversion, a) => Value::Term(convert(*conversion, &of(*a)?.into_term())?),
        Operator::Test(Test::Converts(conversion, a)) => {
            Value::boolean(convert(*conversion, &of(*a)?.into_term()).is_some())
        }
        Operator::Lookup(key, mapping) => Value::Term(mapping.get(&of(*key)?.into_term())?.clone()),
        // The operation below is in the table of terms, which is not available here: see `defined`.
        Operator::Test(Test::Defined(_)) => return None,
    })
}

/// Returns whether the operation itself has a value, or `None` if one of its operands has none.
pub(crate) fn defined(below: &Operator, value: Option<Value>, of: &impl Fn(TermId) -> Option<Value>) -> Option<Value> {
    match below {
        Operator::Arithmetic(_, a, b) => {
            of(*a)?;
            of(*b)?;
            Some(Value::boolean(value.is_some()))
        }
        Operator::Numeric(_, a) => {
            of(*a)?;
            Some(Value::boolean(value.is_some()))
        }
        _ => value.map(|_| Value::boolean(true)),
    }
}

fn compared(a: Value, b: Value, by: fn(&Term, &Term) -> bool) -> Value {
    Value::boolean(by(&a.into_term(), &b.into_term()))
}

fn junction(a: TermId, b: TermId, decisive: bool, of: &impl Fn(TermId) -> Option<Value>) -> Option<bool> {
    let side = |id| of(id).and_then(|value| value.as_boolean());
    match (side(a), side(b)) {
        (Some(side), _) | (_, Some(side)) if side == decisive => Some(decisive),
        (Some(_), Some(_)) => Some(!decisive),
        (None, _) | (_, None) => None,
    }
}

fn bits(parts: &[BitsPart], of: &impl Fn(TermId) -> Option<Value>) -> Option<Value> {
    let mut writer = Writer::default();
    for part in parts {
        let value = of(part.value)?;
        let size = match part.size {
            Some(size) => Some(of(size)?.as_count()?),
            None => None,
        };
        match part.kind {
            PartKind::Number(format) => writer.push_number(&value.into_term(), size?, format)?,
            PartKind::Bits => {
                let bits = value.as_bits()?;
                writer.push_bits(bits, 0, size.unwrap_or(bits.bit_length()))?;
            }
        }
    }
    Some(Value::Term(Term::Bits(writer.finish())))
}
