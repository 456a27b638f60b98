//! The rules, and which way signals pull.

use super::*;

fn text() -> InputTraits {
    InputTraits { plain: true, text: true, ..InputTraits::default() }
}

#[test]
fn a_crash_despite_an_error_return_is_likely() {
    let signals = Signals { error_return: true, origin: Origin::Mismatch, inputs: text(), ..Signals::default() };
    let Ranking { category, why, .. } = rank(&signals);
    assert_eq!(category, Category::Likely);
    assert_eq!(why.first().map(String::as_str), Some("crashes although its spec has an error return"));
}

#[test]
fn rules_come_before_points() {
    let strong = Signals { error_return: true, inputs: text(), ..Signals::default() };
    let missing = Signals { missing: Some(Missing::Table("orders".to_string())), ..strong.clone() };
    assert_eq!(rank(&missing).category, Category::Environment);
    assert_eq!(rank(&missing).why, ["the table orders is not there"]);
    let improper = InputTraits { improper: true, ..text() };
    assert_eq!(rank(&Signals { inputs: improper, ..strong.clone() }).category, Category::Unlikely);
    let unknown = InputTraits { unknown_modules: true, ..text() };
    let unknown = Signals { inputs: unknown, missing: Some(Missing::Module("x".to_string())), ..strong };
    assert_eq!(rank(&unknown).category, Category::Unlikely);
}

#[test]
fn what_the_code_raises_itself_is_deliberate_unless_a_result_is_promised() {
    let raised = Signals { origin: Origin::Raised, inputs: text(), ..Signals::default() };
    assert_eq!(rank(&raised).category, Category::Deliberate);
    let promised = Signals { error_return: true, ..raised.clone() };
    assert_eq!(rank(&promised).category, Category::Likely);
    assert_eq!(rank(&Signals { named_to_raise: true, ..promised.clone() }).category, Category::Deliberate);
    let function = Documentation { is_there: true, speaks_of_exceptions: true, hidden: false };
    assert_eq!(rank(&Signals { function, ..promised }).category, Category::Deliberate);
}

#[test]
fn every_finding_has_a_reason() {
    assert_eq!(rank(&Signals::default()).category, Category::Specification);
    assert!(!rank(&Signals::default()).why.is_empty());
}

#[test]
fn likely_bugs_come_first() {
    let deadlock = rank(&Signals { outcome: Outcome::Deadlock, inputs: text(), ..Signals::default() });
    assert_eq!(deadlock.category, Category::Likely);
    let waiting = rank(&Signals { outcome: Outcome::Waiting, inputs: text(), ..Signals::default() });
    assert_eq!(waiting.category, Category::Environment);
    let likely = rank(&Signals { outcome: Outcome::Endless, inputs: text(), ..Signals::default() });
    let deliberate =
        rank(&Signals { origin: Origin::Raised, error_return: false, inputs: text(), ..Signals::default() });
    let wide = rank(&Signals::default());
    let mut all = [&deliberate, &wide, &likely];
    all.sort_by_key(|ranking| ranking.order());
    assert_eq!(all.map(|ranking| ranking.category), [Category::Likely, Category::Specification, Category::Deliberate]);
}
