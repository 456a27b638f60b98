//! Types: membership, smallest terms, nearest terms.

use super::generate::{Random, some_types};
use crate::{
    Atoms, BitsType, ConsType, Formulas, OpaqueType, Path, PathStep, Range, TypeId, TypeNode, Types, Variable,
};
use std::sync::Arc;
use term::{Atom, Bits, Term, order};

fn ints(items: &[i64]) -> Term {
    Term::list(items.iter().map(|item| Term::Int(*item)).collect::<Vec<_>>())
}

#[test]
fn generated_terms_belong_to_their_types() {
    let (types, all) = some_types();
    let mut random = Random::new(5);
    for id in &all {
        for _ in 0..200 {
            if let Some(term) = random.term_of(&types, *id, 6) {
                assert!(types.contains(*id, &term), "{term:?} is not in {:?}", types.node(*id));
            }
        }
    }
}

#[test]
fn smallest_terms_belong_to_their_types() {
    let (types, all) = some_types();
    let smallest: Vec<Term> = all.iter().filter_map(|id| types.smallest(*id)).collect();
    assert_eq!(smallest.len(), all.len());
    for (id, term) in all.iter().zip(&smallest) {
        assert!(types.contains(*id, term), "{term:?} is not in {:?}", types.node(*id));
    }
    let expected = [
        Term::Int(0),
        Term::Int(0),
        Term::Int(0),
        Term::Int(0),
        Term::Int(0),
        Term::Float(0.0),
        Term::atom("ok"),
        Term::atom("true"),
        Term::atom("a"),
        Term::Nil,
        Term::list([Term::atom("ok")]),
        Term::Nil,
        Term::atom("leaf"),
        Term::tuple([Term::Int(0), Term::atom("a")]),
        Term::binary([]),
        Term::binary([0, 0]),
        Term::Map([(Term::atom("name"), Term::binary([]))].into()),
        Term::Int(0),
    ];
    assert_eq!(smallest, expected);
}

#[test]
fn what_cannot_be_made_has_no_smallest_term() {
    let mut types = Types::default();
    let endless = types.reserve();
    types.fill(endless, TypeNode { tuples: vec![vec![endless]], ..TypeNode::default() });
    let opaque = types.add(TypeNode {
        opaque: vec![OpaqueType {
            module: Atom::new("m"),
            name: Atom::new("t"),
            args: Vec::new(),
            representation: Types::ANY,
        }],
        ..TypeNode::default()
    });
    let none = types.add(TypeNode::default());
    for id in [endless, opaque, none] {
        assert_eq!(types.smallest(id), None);
        assert_eq!(types.conform(id, &Term::tuple([]), &[]).filter(|_| id != opaque), None);
    }
    assert!(types.contains(opaque, &Term::Nil));
}

#[test]
fn nearest_terms_belong_to_their_types() {
    let (types, all) = some_types();
    let mut random = Random::new(11);
    for id in &all {
        for _ in 0..400 {
            // Sometimes of another type, sometimes of this one with a part exchanged.
            let other = *random.choose(&all);
            let Some(term) = random.term_of(&types, other, 6) else { continue };
            let conformed = types.conform(*id, &term, &[]);
            let found = conformed.as_ref().map(|found| &found.term);
            assert!(found.is_some_and(|found| types.contains(*id, found)), "{term:?} became {found:?}");
            let changed = conformed.as_ref().is_some_and(|found| found.changes > 0);
            let same = found.is_some_and(|found| order::identical(found, &term));
            assert_eq!(changed, !same, "{term:?} became {conformed:?}");
        }
    }
}

fn nearest(types: &Types, id: TypeId, term: Term, pins: &[Path]) -> (Option<Term>, usize) {
    match types.conform(id, &term, pins) {
        Some(found) => (Some(found.term), found.lost),
        None => (None, 0),
    }
}

#[test]
fn what_fits_is_kept() {
    let (types, all) = some_types();
    let [_, _, natural, small, _, _, _, _, _, list, nonempty, _, tree, pair, binary, word, map, _] = all[..] else {
        panic!("the types of the generator have changed");
    };
    let is = |id, term, expected| assert_eq!(nearest(&types, id, term, &[]), (Some(expected), 0));
    is(small, Term::Int(77), Term::Int(5));
    is(natural, Term::Int(-3), Term::Int(0));
    is(list, Term::list([Term::Int(1), Term::atom("x"), Term::Int(3)]), ints(&[1, 0, 3]));
    is(list, Term::list_with_tail(vec![Term::Int(1)], Term::atom("end")), ints(&[1]));
    is(nonempty, Term::Nil, Term::list([Term::atom("ok")]));
    is(nonempty, ints(&[7, 8]), Term::list([Term::atom("ok"), Term::Int(8)]));
    is(pair, Term::tuple([Term::Int(3), Term::Int(1)]), Term::tuple([Term::Int(3), Term::atom("a")]));
    is(pair, Term::tuple([Term::Int(3)]), Term::tuple([Term::Int(3), Term::atom("a")]));
    is(binary, Term::Bits(Bits::new(vec![7, 0xf0], 12)), Term::binary([7]));
    is(word, Term::binary([7, 8, 9]), Term::binary([7, 8]));
    is(word, Term::binary([7]), Term::binary([7, 0]));
    let name = |value| (Term::atom("name"), value);
    is(
        map,
        Term::Map([name(Term::Int(1)), (Term::atom("zzz"), Term::Int(1)), (Term::atom("ok"), Term::Int(4))].into()),
        Term::Map([name(Term::binary([])), (Term::atom("ok"), Term::Int(4))].into()),
    );
    let leaf = Term::atom("leaf");
    is(
        tree,
        Term::tuple([Term::tuple([leaf.clone(), Term::Int(4), Term::Nil]), Term::Int(5), leaf.clone()]),
        Term::tuple([Term::tuple([leaf.clone(), Term::Int(4), leaf.clone()]), Term::Int(5), leaf]),
    );
}

#[test]
fn pinned_parts_choose_the_alternative() {
    let mut types = Types::default();
    let atom = |types: &mut Types, name: &str| {
        types.add(TypeNode { atoms: Atoms::These(vec![Atom::new(name)]), ..TypeNode::default() })
    };
    let (a, b) = (atom(&mut types, "a"), atom(&mut types, "b"));
    let integer = types.add(TypeNode { integers: vec![Range { low: None, high: None }], ..TypeNode::default() });
    let tagged = types.add(TypeNode { tuples: vec![vec![a, integer, integer], vec![b, a, a]], ..TypeNode::default() });
    let (a, b) = (Term::atom("a"), Term::atom("b"));
    let term = Term::tuple([b.clone(), Term::Int(1), Term::Int(2)]);
    let without = nearest(&types, tagged, term.clone(), &[]);
    assert_eq!(without, (Some(Term::tuple([a.clone(), Term::Int(1), Term::Int(2)])), 0));
    let with = nearest(&types, tagged, term.clone(), &[vec![PathStep::Element(0)]]);
    assert_eq!(with, (Some(Term::tuple([b, a.clone(), a])), 0));
    let both = [vec![PathStep::Element(0)], vec![PathStep::Element(1)]];
    assert_eq!(nearest(&types, tagged, term, &both).1, 1);
}

#[test]
fn types_of_parts_are_known() {
    let mut types = Types::default();
    let integer = types.add(TypeNode { integers: vec![Range { low: None, high: None }], ..TypeNode::default() });
    let list = types.reserve();
    types.fill(list, TypeNode { nil: true, cons: vec![ConsType { head: integer, tail: list }], ..TypeNode::default() });
    let binary = types.add(TypeNode { bits: vec![BitsType { base: 0, unit: 8 }], ..TypeNode::default() });
    let pair = types.add(TypeNode { tuples: vec![vec![list, binary]], ..TypeNode::default() });
    let mut formulas = Formulas::with_types(Arc::new(types));
    formulas.declare(Variable(0), pair);
    let x = formulas.variable(Variable(0));
    let is_pair = formulas.tuple_of(x, 2);
    assert_eq!(formulas.as_boolean(is_pair), Some(true));
    let first = formulas.element(x, 0);
    let proper = formulas.proper_list(first);
    assert_eq!(formulas.as_boolean(proper), Some(true));
    let item = formulas.item(first, 3000);
    assert_eq!(formulas.types_of(item), [integer]);
    let second = formulas.element(x, 1);
    let whole = formulas.converts(crate::Conversion::BinaryToList, second);
    assert_eq!(formulas.as_boolean(whole), Some(true));
    let path = vec![PathStep::Element(0), PathStep::Item(3000)];
    assert_eq!(formulas.path(item), Some((Variable(0), path)));
}

#[test]
fn unions_are_taken_apart() {
    let mut types = Types::default();
    let integer = types.add(TypeNode { integers: vec![Range { low: None, high: None }], ..TypeNode::default() });
    let tag = types.add(TypeNode { atoms: Atoms::These(vec![Atom::new("at")]), ..TypeNode::default() });
    let union = types.add(TypeNode {
        integers: vec![Range { low: Some(1.into()), high: Some(2.into()) }],
        atoms: Atoms::These(vec![Atom::new("on"), Atom::new("off")]),
        tuples: vec![vec![tag, integer], vec![integer]],
        ..TypeNode::default()
    });
    let alternatives = types.alternatives(union);
    assert_eq!(alternatives.len(), 5);
    for alternative in alternatives {
        let examples = types.examples(union, alternative);
        assert!(!examples.is_empty(), "{alternative:?}");
        for example in examples {
            assert!(types.contains(union, &example), "{example:?}");
            assert_eq!(types.alternative_of(union, &example), Some(alternative), "{example:?}");
        }
    }
    let any = types.add(TypeNode::any());
    assert!(types.alternatives(any).is_empty(), "a type of everything names no alternatives");
}

#[test]
fn examples_belong_to_their_types() {
    let (types, all) = some_types();
    for id in all {
        for alternative in types.alternatives(id) {
            let examples = types.examples(id, alternative);
            assert!(examples.iter().all(|example| types.contains(id, example)), "{examples:?}");
        }
    }
}
