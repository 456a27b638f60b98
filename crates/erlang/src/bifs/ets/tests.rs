//! Scripts of calls on named tables, here and on the BEAM. Results with an arbitrary order are compared by key or by
//! their number.

use crate::bifs::testing::{Call, agree, context};
use crate::syntax::parse_term;
use machine::value::copy_in;
use machine::{Context, Word};
use term::{Atom, Term};

/// Parses calls, one per line: `function, [Arguments]`, in module `ets` unless another one is given.
fn calls(script: &str) -> Vec<Call> {
    script.lines().map(str::trim).filter(|line| !line.is_empty()).map(call).collect()
}

fn call(line: &str) -> Call {
    let term = parse_term(&format!("{{{line}}}")).unwrap_or_else(|error| panic!("{line}: {error}"));
    let Some([function, args]) = term.as_tuple() else { panic!("{line}") };
    let (name, args) = (function.as_atom().unwrap().text(), args.as_list().unwrap().to_vec());
    match name.split_once(':') {
        Some((module, function)) => Call { module, function, args },
        None => Call { module: "ets", function: name, args },
    }
}

const KINDS: [&str; 4] = ["set", "ordered_set", "bag", "duplicate_bag"];

#[test]
fn objects_and_keys_agree_with_the_beam() {
    for kind in KINDS {
        agree(&calls(&OBJECTS.replace("KIND", kind)));
    }
}

const OBJECTS: &str = include_str!("scripts/objects.txt");

#[test]
fn order_agrees_with_the_beam() {
    agree(&calls(include_str!("scripts/order.txt")));
}

#[test]
fn many_objects_of_one_table_agree_with_the_beam() {
    for kind in ["set", "bag", "duplicate_bag"] {
        agree(&calls(
            &"
    new, [t, [named_table, KIND]]
    insert, [t, {a, 1}]
    insert, [t, {b, 2}]
    insert, [t, {b, 3}]
    insert, [t, {b, 3}]
    insert, [t, {c, 5, 6}]
    insert, [t, {1, 1}]
    select_count, [t, [{'_', [], [true]}]]
    select_count, [t, [{{'$1', '$1'}, [], [true]}]]
    select_count, [t, [{{b, '_'}, [], [true]}]]
    select_count, [t, [{{b, '_'}, [], [true]}, {{a, '_'}, [], [true]}, {{zz, 1}, [], [true]}]]
    select, [t, [{{a, '$1'}, [], [{{'$1'}}]}]]
    select, [t, [{{a, '$1'}, [], [{{'$1'}}]}], 1]
    select, [t, [{{zz, '$1'}, [], [{{'$1'}}]}], 1]
    match, [t, {a, '$1'}]
    match_object, [t, {c, '_', '_'}]
    select_replace, [t, [{{'$1', '$2'}, [{'<', '$2', 9}], [{{'$1', {'+', '$2', 1}}}]}]]
    lookup, [t, a]
    lookup, [t, b]
    lookup, [t, 1]
    internal_select_delete, [t, [{{b, '$1'}, [], [{'==', '$1', 3}]}]]
    lookup, [t, b]
    info, [t, size]
    internal_select_delete, [t, [{{'$1', '_'}, [{is_atom, '$1'}], [true]}]]
    info, [t, size]
    internal_select_delete, [t, [{'_', [], [true]}]]
    first, [t]
    delete, [t]
"
            .replace("KIND", kind),
        ));
    }
}

/// Evaluates every expression as a guard and in a body, over objects of all kinds.
#[test]
fn match_specifications_agree_with_the_beam() {
    let mut script = String::from(
        "
    new, [o, [named_table, ordered_set]]
    insert, [o, [{1, 2}, {2.5, 0}, {a, true}, {b, false}, {c, #{x => 1, y => 2}}, {d, \"abc\"}, {e, <<1, 2, 3:4>>}]]
    insert, [o, [{f, [1 | 2]}, {g, {r, 1, 2}}, {h, 'EXIT'}, {i, 100000000000000000000}, {j, []}]]
",
    );
    for expression in EXPRESSIONS.lines().map(str::trim).filter(|line| !line.is_empty()) {
        script += &format!("select, [o, [{{{{'$1', '$2'}}, [{expression}], ['$1']}}]]\n");
        script += &format!("select, [o, [{{{{'$1', '$2'}}, [], [{expression}]}}]]\n");
        script += &format!("select, [o, [{{{{'$1', '$2'}}, [], [{{{{x, {expression}}}}}, [{expression} | y]]}}]]\n");
    }
    script += "
    select, [o, [{{'$1', '$2'}, [{is_atom, '$1'}, '$2'], ['$1']}, {{'$1', '$2'}, [{is_number, '$2'}], [{{n, '$1'}}]}]]
    select, [o, a]
    select, [o, [{'_', [], ['$_']} | b]]
    select, [o, [b]]
    select, [o, [{'_', [], []}]]
    select, [o, [{'_', [], foo}]]
    select, [o, [{'_', foo, [true]}]]
    select, [o, [{'_', [true | x], [true]}]]
    select, [o, [{'_', [], [true | x]}]]
    select, [o, [{'_', [], [1, 2, '$_']}]]
    select, [o, [{'_', [], ['$1']}]]
    select, [o, [{'$1', [], ['$1']}]]
    select, [o, [{{'$1', '_'}, [], ['$2']}]]
    select, [o, [{{'$1', '_'}, [{'==', '$3', 1}], ['$1']}]]
    select, [o, [{{c, #{x => '$1'}}, [], ['$1']}]]
    select, [o, [{{c, #{x => '$1', y => '$1'}}, [], ['$1']}]]
    select, [o, [{{c, #{z => '_'}}, [], ['$_']}]]
    select, [o, [{{'_', #{}}, [], ['$_']}]]
    select, [o, [{{'_', '$1'}, [], [#{k => '$1', '$1' => 2, {const, x} => {const, {y}}}]}]]
    match_spec_compile, [[]]
    match_spec_compile, [foo]
    match_spec_compile, [[{'_', [], [true]}]]
    match_spec_compile, [[{'_', [], []}]]
    is_compiled_ms, [foo]
    match_spec_run_r, [[], foo, []]
    'erlang:match_spec_test', [{1, 2}, [{{'$1', '$2'}, [], ['$2']}], table]
    'erlang:match_spec_test', [{1, 2}, [{{'$1'}, [], ['$2']}], table1]
    'erlang:match_spec_test', [x, [{x, [], [1]}], table]
    'erlang:match_spec_test', [y, [{x, [], [1]}], table]
    delete, [o]
";
    agree(&calls(&script));
}

const EXPRESSIONS: &str = include_str!("scripts/expressions.txt");

#[test]
fn nesting_has_the_limit_of_the_beam() {
    // Later releases have no such limit.
    if crate::bifs::testing::follow_release() != crate::otp::OLDEST {
        return;
    }
    // Printing such terms for the BEAM takes more stack than a test has.
    std::thread::Builder::new().stack_size(64 << 20).spawn(nested_specifications).unwrap().join().unwrap();
}

fn nested_specifications() {
    let variable = || Term::atom("$1");
    let nested = |depth: usize| (0..depth).fold(variable(), |inner, _| Term::tuple(vec![Term::tuple(vec![inner])]));
    let mut calls = calls("new, [o, [named_table]]");
    for depth in [1000, 3300] {
        for body in [nested(depth), Term::list(vec![variable(); depth])] {
            let head = Term::tuple(vec![variable()]);
            let clause = Term::tuple(vec![head, Term::Nil, Term::list(vec![body])]);
            let args = vec![Term::atom("o"), Term::list(vec![clause])];
            calls.push(Call { module: "ets", function: "select_count", args });
        }
    }
    calls.push(call("delete, [o]"));
    agree(&calls);
}

fn apply(context: &mut Context, line: &str) -> Word {
    let call = call(line);
    let args: Vec<Word> = call.args.iter().map(|arg| copy_in(&mut context.heap, arg)).collect();
    apply_words(context, call.function, &args)
}

fn apply_words(context: &mut Context, function: &str, args: &[Word]) -> Word {
    let row = crate::bifs::find(Atom::new("ets"), Atom::new(function), args.len() as u32).expect("a row");
    row.apply(context, args).unwrap_or_else(|_| panic!("{function} raised {:?}", context.take_exception()))
}

fn items(list: Word) -> Vec<Word> {
    machine::list_items(list).expect("a proper list")
}

/// Checks that chunks of every size contain every object once, for all kinds of tables, and that continuations survive
/// changes.
#[test]
fn chunks_see_every_object_once() {
    for kind in KINDS {
        let mut context = context();
        apply(&mut context, &format!("new, [t, [named_table, {kind}]]"));
        for number in 0..100 {
            apply(&mut context, &format!("insert, [t, {{{}, {number}}}]", number % 30));
        }
        let size = apply(&mut context, "info, [t, size]").small_value() as usize;
        for limit in [1, 2, 7, 29, 30, 100, 101] {
            let mut seen = Vec::new();
            let mut next = apply(&mut context, &format!("select, [t, [{{'_', [], ['$_']}}], {limit}]"));
            while let Some(&[results, continuation]) = next.as_tuple() {
                let results = items(results);
                assert!(results.len() == limit || continuation.is_atom(), "{kind}, {limit}");
                seen.extend(results);
                next = apply_words(&mut context, "select", &[continuation]);
            }
            assert_eq!(next, Word::atom(term::names::END_OF_TABLE));
            assert_eq!(seen.len(), size, "{kind}, {limit}");
            let all = items(apply(&mut context, "match_object, [t, '_']"));
            assert!(seen == all, "{kind}, {limit}");
        }
    }
}

/// Checks that iterating over keys reaches each once, even if each is deleted meanwhile while the table is fixed.
#[test]
fn keys_can_be_deleted_on_the_way() {
    for kind in KINDS {
        let mut context = context();
        apply(&mut context, &format!("new, [t, [named_table, {kind}]]"));
        for number in 0..50 {
            apply(&mut context, &format!("insert, [t, {{{}, {number}}}]", number % 20));
        }
        apply(&mut context, "safe_fixtable, [t, true]");
        let table = Term::atom("t");
        let table = copy_in(&mut context.heap, &table);
        let mut key = apply_words(&mut context, "first", &[table]);
        let mut keys = Vec::new();
        while key.is_small() {
            keys.push(key.small_value());
            apply_words(&mut context, "delete", &[table, key]);
            key = apply_words(&mut context, "next", &[table, key]);
        }
        keys.sort_unstable();
        assert_eq!(keys, (0..20).collect::<Vec<i64>>(), "{kind}");
        apply(&mut context, "safe_fixtable, [t, false]");
        assert_eq!(apply(&mut context, "info, [t, size]"), Word::small(0));
        apply(&mut context, "insert, [t, {5, 1}]");
        assert_eq!(apply(&mut context, "first, [t]"), Word::small(5));
    }
}

/// Checks that repeatedly deleting the first key takes linear time in the number of keys.
#[test]
fn a_queue_of_keys_is_emptied_in_time() {
    for kind in ["set", "ordered_set"] {
        let mut context = context();
        apply(&mut context, &format!("new, [t, [named_table, {kind}]]"));
        let table = Word::atom(Atom::new("t"));
        for number in 0..100_000 {
            let object = context.heap.tuple(&[Word::small(number)]);
            apply_words(&mut context, "insert", &[table, object]);
        }
        for number in 0..100_000 {
            let key = apply_words(&mut context, "first", &[table]);
            assert_eq!(key, Word::small(number));
            apply_words(&mut context, "delete", &[table, key]);
        }
        assert_eq!(apply(&mut context, "info, [t, size]"), Word::small(0));
    }
}

/// Makes random calls with any arguments on tables of all kinds. Calls that depend on the order of keys use only the
/// ordered table.
#[test]
fn random_calls_agree_with_the_beam() {
    const TERMS: &str = "
        o, o, o, s, s, b, d, a, 1, 1.0, 2, 0, -1, x, [], {}, {a}, {a, 1}, {1, x}, {1.0, [a]}, {2, 1, y}, {x, 3}, [{a, 2}, {x, 1}],
        [{a, 5} | q], '_', '$1', '$_', {'$1', '_'}, {'_', '$1'}, {'$1', '$1'}, {a, '$1'}, {'$1', x, '_'},
        [{'_', [], ['$_']}], [{{'$1', '$2'}, [{'>', '$2', 1}], ['$1']}], [{{'$1', '_'}, [], [{{'$1', z}}]}],
        [{'_', [], [true]}], [{{'$1', '_'}, [{is_atom, '$1'}], [true]}], [{'$1', [{hd, '$1'}], [1]}],
        [{{a, '$1'}, [], [{'+', '$1', 1}]}, {'$1', [], [{element, 1, '$1'}]}], {2, 1}, {2, 3, 4, 5}, {3, 1}, [{2, 1}, {2, 2}],
        #{}, \"ab\", <<1>>, true, size, type, fixed, 100000000000000000000
    ";
    const ANY_TABLE: &[(&str, usize)] = &[
        ("insert", 2),
        ("insert", 2),
        ("insert", 2),
        ("insert_new", 2),
        ("lookup", 2),
        ("lookup_element", 3),
        ("member", 2),
        ("take", 2),
        ("delete", 2),
        ("delete_object", 2),
        ("update_element", 3),
        ("update_counter", 3),
        ("info", 2),
        ("safe_fixtable", 2),
        ("select_count", 2),
        ("select_replace", 2),
        ("internal_select_delete", 2),
        ("setopts", 2),
    ];
    const ORDERED: &[(&str, usize)] = &[
        ("first", 1),
        ("last", 1),
        ("next", 2),
        ("prev", 2),
        ("slot", 2),
        ("match", 2),
        ("match", 3),
        ("match_object", 2),
        ("match_object", 3),
        ("select", 1),
        ("select", 2),
        ("select", 3),
        ("select_reverse", 2),
        ("select_reverse", 3),
    ];
    let terms = parse_term(&format!("[{TERMS}]")).unwrap();
    let terms = terms.as_list().unwrap();
    let mut state = 1u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    let mut script = calls(
        "
    new, [o, [named_table, ordered_set]]
    new, [s, [named_table]]
    new, [b, [named_table, bag]]
    new, [d, [named_table, duplicate_bag]]
",
    );
    for _ in 0..4000 {
        let ordered = below(3) == 0;
        let functions = if ordered { ORDERED } else { ANY_TABLE };
        let (function, arity) = functions[below(functions.len())];
        let mut args: Vec<Term> = (0..arity).map(|_| terms[below(terms.len())].clone()).collect();
        if ordered {
            args[0] = Term::atom("o");
        } else if below(8) > 0 {
            args[0] = terms[below(7)].clone();
        }
        script.push(Call { module: "ets", function, args });
    }
    script.extend(calls("match_object, [o, '_']\n info, [s, size]\n info, [b, size]\n info, [d, size]"));
    agree(&script);
}
