//! Solvers that lie: their refutations are found out, and they are not asked any more.

use crate::tests::integers;
use crate::{Answer, Chain, Opinion, Query, Refuter, SmtSettings, SmtState, Solver};
use formula::{Arithmetic, Assignment, Formulas, Nobody, TermId, Types, Variable, holds};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use term::Term;

/// Z3, but every n-th check is refuted, whatever it asks: what is sent to it is changed on the way.
fn liar(name: &str, every: u32) -> PathBuf {
    let script = format!(
        r#"#!/bin/sh
count=0
lies=
while IFS= read -r line; do
    case "$line" in
        '(check-sat'*)
            count=$((count + 1))
            lies=
            [ $((count % {every})) = 0 ] && lies=yes
            [ "$lies" ] && line='(echo "unsat")' ;;
        '(get-unsat-assumptions)') [ "$lies" ] && line='(echo "()")' ;;
    esac
    printf '%s\n' "$line"
done | z3 -in -smt2
"#
    );
    let folder = std::env::temp_dir().join(format!("beagle-liars-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("liar");
    std::fs::write(&file, script).expect("it is written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    file
}

struct Case {
    formulas: Formulas,
    parent: Assignment,
    before: Vec<TermId>,
    possible: TermId,
    impossible: TermId,
}

fn case() -> Case {
    let mut types = Types::default();
    let integer = integers(&mut types);
    let mut formulas = Formulas::with_types(Arc::new(types));
    [0, 1].into_iter().for_each(|number| formulas.declare(Variable(number), integer));
    let (x, y) = (formulas.variable(Variable(0)), formulas.variable(Variable(1)));
    let low = formulas.integer(-1);
    let before = vec![formulas.less(low, x), formulas.less(low, y)];
    let sum = formulas.arithmetic(Arithmetic::Add, x, y);
    let difference = formulas.arithmetic(Arithmetic::Subtract, x, y);
    let mut both = |total: i64, apart: i64| {
        let (total, apart) = (formulas.integer(total), formulas.integer(apart));
        let (first, second) = (formulas.identical(sum, total), formulas.identical(difference, apart));
        formulas.and(first, second)
    };
    let (possible, impossible) = (both(100_010, 4_000), both(10, 5));
    let parent = [(Variable(0), Term::Int(0)), (Variable(1), Term::Int(0))].into_iter().collect();
    Case { formulas, parent, before, possible, impossible }
}

impl Case {
    fn query(&mut self, wanted: TermId) -> Query<'_> {
        let Case { formulas, parent, before, .. } = self;
        Query::new(formulas, parent, before, wanted, &Nobody)
    }
}

#[test]
fn a_refutation_that_is_true_is_agreed_with() {
    let mut case = case();
    let mut chain = Chain::start(&SmtSettings::default());
    let wanted = case.impossible;
    let answer = chain.solve(&mut case.query(wanted));
    assert!(matches!(answer, Answer::Unsat { refuter: Refuter::Smt(_), .. }), "{answer:?}");
    assert_eq!(chain.recheck(&mut case.query(wanted)), Opinion::Agrees);
    assert_eq!(chain.liar(), None);
}

#[test]
fn a_lie_is_found_out_and_the_second_takes_over() {
    let mut case = case();
    let settings = SmtSettings { path: liar("second", 1), second: Some("z3".into()), ..SmtSettings::default() };
    let (mut chain, mut other) = (Chain::start(&settings), Chain::start(&settings));
    let wanted = case.possible;
    let answer = chain.solve(&mut case.query(wanted));
    assert!(matches!(answer, Answer::Unsat { refuter: Refuter::Smt(_), .. }), "the lie is not told: {answer:?}");
    let Opinion::Disagrees { values, liar, is_news } = chain.recheck(&mut case.query(wanted)) else {
        panic!("the lie is believed");
    };
    assert!(is_news && liar.starts_with("liar 4."), "{liar}");
    assert_eq!(holds(&case.formulas, wanted, &values), Some(true));
    assert_eq!(chain.liar(), Some(liar.clone()));
    // What it said is not remembered, and the second is asked from now on.
    assert!(matches!(chain.solve(&mut case.query(wanted)), Answer::Sat(_)));
    // Nor do others ask it.
    assert!(matches!(other.solve(&mut case.query(wanted)), Answer::Sat(_)));
    assert_eq!(other.liar(), Some(liar));
    other.begin_search(0);
    assert_eq!(other.liar(), None);
}

#[test]
fn without_a_second_solver_a_fresh_process_finds_the_lie() {
    let mut lies = 0;
    for every in 5..15 {
        let mut case = case();
        let path = liar(&format!("fresh-{every}"), every);
        let mut chain = Chain::start(&SmtSettings { path, ..SmtSettings::default() });
        let (wanted, other) = (case.possible, case.impossible);
        // It is honest a few times, and then it lies. A fresh process of it begins with being honest.
        for _ in 0..4 {
            chain.forget();
            chain.solve(&mut case.query(other));
            if !chain.solve(&mut case.query(wanted)).is_unsat() {
                continue;
            }
            lies += 1;
            let opinion = chain.recheck(&mut case.query(wanted));
            assert!(matches!(opinion, Opinion::Disagrees { .. }), "every {every}: {opinion:?}");
            assert!(matches!(chain.smt_state(), SmtState::Absent { .. }));
            assert!(!chain.solve(&mut case.query(wanted)).is_unsat());
            break;
        }
    }
    assert!(lies > 0, "no lie was told");
}
