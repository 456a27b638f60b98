//! Instructions on values with shadows: every recorded condition is true of the inputs of its run, and
//! false of those inputs whose runs go another way there.

mod bitstrings;
mod language;
mod runs;

use path::Concretised;
use runs::{compared, exact};
use term::{Bits, FunctionName, Term};

fn ints(values: impl IntoIterator<Item = i64>) -> Vec<Term> {
    values.into_iter().map(Term::Int).collect()
}

fn bits(bytes: &[u8], length: usize) -> Term {
    Term::Bits(Bits::new(bytes.to_vec(), length))
}

fn map(pairs: &[(Term, Term)]) -> Term {
    Term::Map(pairs.to_vec().into())
}

/// One of every kind, and neighbours.
fn everything() -> Vec<Term> {
    let a = || Term::atom("a");
    vec![
        Term::Int(0),
        Term::Int(1),
        Term::Int(2),
        Term::Int(255),
        Term::Int(256),
        Term::Int(-1),
        Term::integer((1i128 << 70).into()),
        Term::Float(1.0),
        Term::Float(-0.0),
        a(),
        Term::TRUE,
        Term::FALSE,
        Term::Nil,
        Term::list(vec![Term::Int(1)]),
        Term::list(vec![Term::Int(1), a()]),
        Term::list(vec![a(), a(), Term::Nil]),
        Term::list_with_tail(vec![Term::Int(1)], a()),
        Term::tuple(vec![]),
        Term::tuple(vec![a(), Term::Int(1)]),
        Term::tuple(vec![Term::Int(1), a()]),
        Term::tuple(vec![a(), Term::Int(1), Term::Nil]),
        map(&[]),
        map(&[(a(), Term::Int(1))]),
        map(&[(Term::Int(1), a()), (a(), Term::Nil)]),
        bits(&[1], 8),
        bits(&[0x80], 1),
        bits(&[], 0),
    ]
}

fn singles(terms: Vec<Term>) -> Vec<Vec<Term>> {
    terms.into_iter().map(|term| vec![term]).collect()
}

fn pairs(terms: &[Term]) -> Vec<Vec<Term>> {
    terms.iter().flat_map(|a| terms.iter().map(move |b| vec![a.clone(), b.clone()])).collect()
}

fn distinct(runs: &[runs::Run]) -> usize {
    let outcomes: std::collections::BTreeSet<&str> = runs.iter().map(|run| run.outcome.as_str()).collect();
    outcomes.len()
}

#[test]
fn one_constructor_is_one_branch() {
    for (pattern, ways) in
        [("(cons v1 v2)", 2), ("(tuple v1 v2)", 2), ("7", 1), ("a", 2), ("[]", 2), ("{a 1}", 2), ("1.0", 2)]
    {
        let text = format!("(function f0 main 1 exported (case (v0) (of ({pattern}) yes) (of (_) no)))");
        let runs = exact(&text, &singles(everything()));
        assert_eq!(distinct(&runs), ways, "{pattern}");
    }
}

#[test]
fn parts_are_projections() {
    let text = "(function f0 main 1 exported (case (v0)
        (of ((cons 1 (cons v1 v2))) (tuple v1 v2))
        (of ((tuple a v1)) (case (v1) (of (1) one) (of (_) other)))
        (of ((tuple v1 a)) v1)
        (of (_) none)))";
    let runs = exact(text, &singles(everything()));
    assert!(distinct(&runs) >= 4);
}

#[test]
fn a_switch_is_one_decision() {
    let text = "(function f0 main 1 exported (case (v0)
        (of (0) zero) (of (1) one) (of (2) two) (of (255) many) (of (256) many) (of (a) atom) (of ([]) nil)
        (of ((cons v1 v2)) cons) (of ((tuple v1 v2)) pair) (of ((tuple)) unit) (of (_) other)))";
    let runs = exact(text, &singles(everything()));
    assert!(runs.iter().all(|run| run.events.len() == 1));
    assert_eq!(distinct(&runs), 10);
}

#[test]
fn tests_of_kinds() {
    for test in ["is_integer", "is_boolean", "is_binary"] {
        let text = format!(
            "(function f0 main 1 exported (case (v0) (of (_) (when (guard (remote small {test} v0))) yes) (of (_) no)))"
        );
        assert_eq!(distinct(&exact(&text, &singles(everything()))), 2, "{test}");
    }
}

#[test]
fn comparisons_of_inputs() {
    for compare in ["<", "=<", "==", "=/="] {
        let text = format!("(function f0 main 2 exported (remote small '{compare}' v0 v1))");
        let some: Vec<Term> = everything().into_iter().step_by(2).collect();
        let runs = exact(&text, &pairs(&some));
        assert!(runs.iter().all(|run| run.events.len() == 1));
    }
}

#[test]
fn comparisons_of_structures_are_one_branch_or_none() {
    let text = "(function f0 main 2 exported
        (let (v2 (tuple v0 1 v1)) (v3 (tuple v1 1 2)) (v4 (cons 1 v0 [])) (v5 (cons 2 v1 []))
          (tuple (remote small < v2 v3) (remote small == v2 v3) (remote small < v4 v5) (remote small =< v4 v5)
                 (remote small =/= v2 v2))))";
    let runs = exact(text, &pairs(&everything()[..12]));
    // Lists that differ before the first shadow, and a term compared with itself, take no decision.
    assert!(runs.iter().all(|run| run.events.len() <= 2));
}

#[test]
fn arithmetic_and_domains() {
    let some: Vec<Term> = everything().into_iter().take(12).chain([Term::Float(1.0e308)]).collect();
    let text = "(function f0 main 2 exported (try (remote small + v0 v1) (of (v2) v2) (catch (v2 v3 v4) v3)))";
    exact(text, &pairs(&some));
    let text = "(function f0 main 2 exported (try (remote small div v0 v1) (of (v2) v2) (catch (v2 v3 v4) v3)))";
    exact(text, &pairs(&some));
    for name in ["byte", "natural", "length"] {
        exact(&format!("(function f0 main 1 exported (remote small {name} v0))"), &singles(everything()));
    }
}

#[test]
fn the_value_of_an_error_keeps_its_shadow() {
    let text = "(function f0 main 1 exported
        (try (remote small byte v0) (of (v1) v1)
          (catch (v1 v2 v3) (case (v2) (of ((tuple badarg 256)) exactly) (of (_) other)))))";
    let runs = exact(text, &singles(everything()));
    assert!(runs.iter().any(|run| run.outcome.contains("exactly")));
    let text = "(function f0 main 1 exported
        (try (remote small fail (tuple v0)) (of (v1) v1)
          (catch (v1 v2 v3) (case (v2) (of ((tuple (cons v4 v5))) list) (of (_) other)))))";
    assert_eq!(distinct(&exact(text, &singles(everything()))), 2);
}

#[test]
fn a_value_that_is_called() {
    let runs = exact("(function f0 main 1 exported (apply v0 1))", &singles(everything()));
    assert!(runs.iter().all(|run| run.outcome.contains("badfun") && run.events.len() == 1));
    let names = ["a", "main", "pick"].map(Term::atom);
    let inputs = [singles(everything()), singles(names.to_vec())].concat();
    let runs = exact("(function f0 main 1 exported (dynamic lib v0 1))", &inputs);
    assert!(runs.iter().any(|run| run.outcome.contains("one")));
    let runs = compared("(function f0 main 1 exported (dynamic v0 twice 1))", &inputs);
    assert!(runs.iter().any(|run| run.losses == [Concretised::ModuleCalled]));
}

#[test]
fn preludes_and_summaries_stand_for_natives_and_functions() {
    let inputs = singles(everything());
    exact("(function f0 main 1 exported (remote small twice v0))", &inputs);
    exact(
        "(function f0 main 1 exported (case (v0) (of (_) (when (guard (remote small < (remote small twice v0) 3))) yes) (of (_) no)))",
        &inputs,
    );
    // The summary does not say what the function does: only that it was used.
    let mut machine = runs::machine_with("(function f0 main 1 exported (remote lib pick v0))", false);
    let main = term::Atom::new("main");
    let concrete = machine.run(term::Atom::new("m"), main, &[Term::Int(1)]);
    assert!(matches!(concrete, path::Outcome::Value(value) if value == Term::atom("one")));
    let symbolic = machine.run_with(term::Atom::new("m"), main, |context| {
        let formula = context.recorder.formulas.variable(formula::Variable(0));
        vec![context.heap.symbolic(machine::Word::small(1), formula)]
    });
    assert!(matches!(symbolic, path::Outcome::Value(Term::Int(1))));
}

#[test]
fn what_is_lost_is_recorded_and_what_is_moved_is_not_lost() {
    let runs = compared("(function f0 main 1 exported (remote small secret (tuple v0)))", &singles(ints([1, 2])));
    let secret = FunctionName { module: term::Atom::new("small"), function: term::Atom::new("secret"), arity: 1 };
    assert!(runs.iter().all(|run| run.losses == [Concretised::Function(secret)]));
    let text =
        "(function f0 main 1 exported (case ((remote small keep (tuple v0))) (of ((tuple 1)) one) (of (_) other)))";
    assert_eq!(distinct(&exact(text, &singles(ints([1, 2])))), 2);
}

#[test]
fn maps_that_are_inputs() {
    let inputs: Vec<Vec<Term>> =
        everything().iter().flat_map(|m| [Term::Int(1), Term::atom("a")].map(|key| vec![m.clone(), key])).collect();
    for body in [
        "(case (v0) (of ((map (a v2))) v2) (of ((map (v1 v2))) (tuple other v2)) (of (_) none))",
        "(remote small get v1 v0)",
        "(map v0 (update v1 new))",
        "(case ((map v0 (put v1 new))) (of ((map (a v2))) v2) (of (_) none))",
        "(remote small get a (remote small put v1 v1 v0))",
        "(remote small keys v0)",
    ] {
        let runs = exact(&format!("(function f0 main 2 exported {body})"), &inputs);
        assert!(distinct(&runs) > 2, "{body}");
    }
}

#[test]
fn keys_that_are_inputs() {
    let keys = [Term::Int(1), Term::Int(2), Term::Float(1.0), Term::atom("a"), Term::atom("b"), Term::tuple(ints([1]))];
    for body in [
        "(remote small get v0 #{a 1 b 2 1 3})",
        "(case (#{a 1 {1} 2}) (of ((map (v0 v2))) v2) (of (_) none))",
        "(case ((map #{} (put v0 first) (put v1 second))) (of ((map (a v2))) v2) (of (_) none))",
        "(map (map #{} (put v0 first)) (update v1 second))",
        "(remote small keys (map #{} (put v0 first) (put v1 second)))",
        "(remote small get (tuple v0) (map #{{a} 1} (put (tuple v1) 2)))",
        "(remote small keys (remote small put v0 1 #{a 1 1.0 2}))",
    ] {
        let runs = exact(&format!("(function f0 main 2 exported {body})"), &pairs(&keys));
        assert!(distinct(&runs) > 1, "{body}");
    }
}

#[test]
fn lists_that_are_opened() {
    let text = "(function f0 main 1 exported (case ((remote small sum (cons 0 v0))) (of (0) zero) (of (_) other)))";
    exact(text, &singles(everything()));
    let text = "(function f0 main 1 exported (case ((remote small sum v0)) (of (1) one) (of (_) other)))";
    assert!(distinct(&exact(text, &singles(everything()))) > 2);
}
