//! Values of opaque types of other modules are made by functions of these modules.

use crate::common::{Code, show_input};
use contract::{Contract, Limit, Recipe, TypeName};
use term::Atom;

const STACK: &str = "
-export([new/0, push/2, pop/1, of_sorted/1, each/2, broken/1]).
-export_type([stack/0, both/0]).
-opaque stack() :: [term()].
-type both() :: {stack(), integer()}.
-spec new() -> stack().
new() -> [].
-spec push(term(), stack()) -> stack().
push(X, S) -> [X | S].
-spec pop(stack()) -> stack().
pop([_ | S]) -> S.
-spec of_sorted(ordsets:ordset(term())) -> stack().
of_sorted(L) -> L.
-spec each(fun((term()) -> term()), stack()) -> stack().
each(F, S) -> lists:map(F, S).
-spec broken(integer()) -> stack() | error.
broken(_) -> error.
-spec hidden(integer()) -> stack().
hidden(_) -> [].
-compile({nowarn_unused_function, hidden/1}).
";

fn contract(param: &str) -> Contract {
    let user = format!("-export([f/1]).\n-spec f({param}) -> ok.\nf(_) -> ok.\n");
    Code::new(&[("stack", STACK), ("user", &user)]).contract("user", "f", 1)
}

fn check(param: &str, expected: &str) {
    let contract = contract(param);
    let shown = match &contract.clauses[0].params {
        Some(params) => show_input(&contract.types, &params[0]),
        None => "impossible".to_owned(),
    };
    assert_eq!(shown, expected, "{param}");
}

#[test]
fn arguments_of_the_type_reach_the_constructors() {
    check(
        "queue:queue(integer())",
        "queue:new() / queue:from_list([] | [integer | ^0]) / \
         queue:in(integer, queue:new() / queue:from_list([] | [integer | ^0]))",
    );
    check(
        "dict:dict(atom(), a | b)",
        "dict:new() / dict:from_list([] | [{atom, a | b} | ^0]) / \
         dict:store(atom, a | b, dict:new() / dict:from_list([] | [{atom, a | b} | ^0]))",
    );
}

/// `gb_trees:from_orddict/1` wants its list in order, which its specification does not say.
#[test]
fn constructors_that_want_order_come_last() {
    let contract = contract("gb_trees:tree(atom(), integer())");
    let Some([Recipe::Made(made)]) = contract.clauses[0].params.as_deref() else { panic!("one input that is made") };
    let names: Vec<_> = made.iter().map(|made| made.function.text()).collect();
    assert_eq!(names, ["empty", "enter", "insert"]);
    assert_eq!(show_input(&contract.types, &made[1].args[0]), "atom");
    assert!(matches!(made[1].args[2], Recipe::Made(_)));
}

#[test]
fn only_functions_that_can_be_called_are_constructors() {
    let one = "stack:new() / stack:push(any, stack:new())";
    let two = format!("stack:new() / stack:push(any, {one})");
    check("stack:stack()", &format!("stack:new() / stack:push(any, {two})"));
}

#[test]
fn a_struct_around_an_opaque_type_is_made_by_its_module() {
    let contract = contract("'Elixir.MapSet':t(integer())");
    let Some([Recipe::Made(made)]) = contract.clauses[0].params.as_deref() else { panic!("one input that is made") };
    let names: Vec<_> = made.iter().map(|made| made.function.text()).collect();
    assert_eq!(names, ["new", "put", "delete"]);
}

#[test]
fn nested_values_are_made_where_they_stand() {
    let sets = "sets:new() / sets:from_list([] | [a | ^0]) / sets:from_list([] | [a | ^0], [] | [{version, 1..2} | ^0]) / \
                sets:add_element(a, sets:new() / sets:from_list([] | [a | ^0]) / \
                sets:from_list([] | [a | ^0], [] | [{version, 1..2} | ^0]))";
    check("{b, sets:set(a)}", &format!("{{b, {sets}}}"));
    check("c | {b, sets:set(a)} | 1", &format!("<1 | c or {{b, {sets}}}>"));
    check("#{k := sets:set(a), n => 1}", &format!("#{{n => 1}} + #{{k := {sets}}}"));
    check("[sets:set(a)]", &format!("<[] or [{sets}] or [{sets}, {sets}]>"));
    check("[sets:set(a), ...]", &format!("<[{sets}] or [{sets}, {sets}]>"));
    check("#{k => sets:set(a)}", &format!("#{{}} + #{{k => {sets}}}"));
    check("fun((sets:set(a)) -> ok)", "fun((opaque sets:set(a)) -> ok)");
    check("fun(() -> sets:set(a))", "impossible");
    check(
        "#{integer() => queue:queue(a)}",
        "#{} + #{integer => queue:new() / queue:from_list([] | [a | ^0]) / \
         queue:in(a, queue:new() / queue:from_list([] | [a | ^0]))}",
    );
}

const SHOWN_STACKS: &str =
    "stack:new() / stack:push(any, stack:new() / stack:push(any, stack:new() / stack:push(any, stack:new())))";

#[test]
fn a_module_is_given_values_of_its_own_types_as_it_makes_them() {
    let mut code = Code::new(&[("stack", STACK)]);
    let contract = code.contract("stack", "pop", 1);
    let params = contract.clauses[0].params.as_ref().expect("possible");
    assert_eq!(show_input(&contract.types, &params[0]), SHOWN_STACKS);
    assert!(!contract.clauses[0].by_hand);
    assert!(!code.contract("stack", "new", 0).clauses[0].by_hand);
}

#[test]
fn what_nobody_makes_is_impossible_and_said() {
    let contract = contract("ets:tid()");
    assert!(contract.clauses[0].params.is_none());
    assert_eq!(
        contract.limits,
        [Limit::NoConstructor(TypeName { module: Atom::new("ets"), name: Atom::new("tid"), arity: 0 })]
    );
}

const SHELF: &str = "
-export([empty/0, put/2, weigh/1, label/1]).
-record(shelf, {books = [], count = 0}).
-type shelf() :: bare() | #shelf{books :: [atom()], count :: integer()}.
-type bare() :: [].
-type label() :: {integer(), atom()}.
-spec empty() -> shelf().
empty() -> [].
-spec put(atom(), shelf()) -> shelf().
put(Book, []) -> #shelf{books = [Book], count = 1};
put(Book, #shelf{books = Books, count = Count}) -> #shelf{books = [Book | Books], count = Count + 1}.
-spec weigh(shelf()) -> integer().
weigh([]) -> 0;
weigh(#shelf{count = Count}) -> Count.
-spec label(label()) -> atom().
label({_, Label}) -> Label.
";

#[test]
fn structures_can_be_made_as_if_they_were_opaque() {
    let mut code = Code::new(&[("shelf", SHELF)]);
    let built = code.contract("shelf", "weigh", 1);
    let params = built.clauses[0].params.as_ref().expect("possible");
    assert_eq!(show_input(&built.types, &params[0]), "[] | {shelf, [] | [atom | ^0], integer}");
    let made = code.made_structures("shelf", "weigh", 1).expect("a shelf that is made");
    let params = made.clauses[0].params.as_ref().expect("possible");
    let one = "shelf:empty() / shelf:put(atom, shelf:empty())";
    let two = format!("shelf:empty() / shelf:put(atom, {one})");
    assert_eq!(show_input(&made.types, &params[0]), format!("shelf:empty() / shelf:put(atom, {two})"));
    // Nobody makes labels.
    assert!(code.made_structures("shelf", "label", 1).is_none());
}
