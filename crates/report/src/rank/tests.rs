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
    let at_home = Signals { raised_at_home: true, ..promised.clone() };
    assert_eq!(rank(&at_home).category, Category::Deliberate);
    assert_eq!(rank(&Signals { outcome: Outcome::Throw, ..at_home }).category, Category::Likely);
    let function = Documentation { is_there: true, speaks_of_exceptions: true, ..Documentation::default() };
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

/// Points of a finding with these signals.
fn score(signals: Signals) -> i32 {
    rank(&signals).score
}

#[test]
fn clauses_and_callers_say_whether_a_value_is_meant() {
    let crash = Signals { origin: Origin::Mismatch, inputs: text(), ..Signals::default() };
    let gap = Signals { neighbours: Neighbours::SameKind, ..crash.clone() };
    let foreign = Signals { neighbours: Neighbours::OtherKinds, ..crash.clone() };
    assert!(score(gap) > score(crash.clone()) && score(crash.clone()) > score(foreign));
    let elsewhere = Signals { callers: Callers::Others, ..crash.clone() };
    assert!(score(elsewhere) < score(crash));
}

#[test]
fn a_reader_of_text_keeps_its_promises_for_any_bytes() {
    let inputs = InputTraits { odd_text: true, beyond_ascii: true, ..text() };
    let reader = Signals { error_return: true, named_to_read: true, inputs, ..Signals::default() };
    assert_eq!(rank(&reader).category, Category::Likely);
    // Bytes may come from anywhere; characters that do not exist come from nowhere.
    let inputs = InputTraits { no_characters: true, ..inputs };
    assert_eq!(rank(&Signals { inputs, ..reader.clone() }).category, Category::Likely);
    assert_eq!(rank(&Signals { inputs, named_to_read: false, ..reader }).category, Category::Specification);
}

#[test]
fn a_failure_alone_says_more_than_one_of_many() {
    let of = |places| score(Signals { places, inputs: text(), ..Signals::default() });
    assert!(of(1) == of(2) && of(2) > of(3) && of(3) > of(20));
    // Who raises exceptions on purpose does not mean this one, and what is said of those is not said of it.
    let documentation = Documentation { speaks_of_exceptions: true, ..Documentation::default() };
    let one_of_many = Signals { places: 5, function: documentation, inputs: text(), ..Signals::default() };
    let another = Signals { raises_others: true, ..one_of_many.clone() };
    assert_eq!(rank(&one_of_many).category, Category::Specification);
    assert_eq!(rank(&another).category, Category::Likely);
    // Where a test takes any exception, this one is meant as well.
    assert_eq!(rank(&Signals { tested_to_fail: true, ..another }).category, Category::Specification);
}

#[test]
fn what_a_whole_project_does_is_its_habit() {
    let fails = Signals { named_to_read: true, origin: Origin::Mismatch, inputs: text(), ..Signals::default() };
    assert!(fails_to_read(&fails));
    assert!(score(Signals { habit: true, ..fails.clone() }) < score(fails.clone()));
    // A promise is a promise, whatever other functions do.
    let promises = Signals { error_return: true, ..fails };
    assert!(!fails_to_read(&promises));
    assert_eq!(score(Signals { habit: true, ..promises.clone() }), score(promises));
}

#[test]
fn values_may_be_passed_to_functions_that_are_not_meant_for_them() {
    let by_client = Signals { by_client: true, origin: Origin::Mismatch, ..Signals::default() };
    let by_values = Signals { by_values: true, ..by_client.clone() };
    assert_eq!(rank(&by_client).category, Category::Likely);
    assert_eq!(rank(&by_values).category, Category::Specification);
    // What is there for nothing is there for what the module itself has made.
    assert_eq!(rank(&Signals { empty_return: true, ..by_values }).category, Category::Likely);
}

#[test]
fn a_type_alone_does_not_make_a_result_wrong() {
    let wrong = |part| {
        let signals =
            Signals { outcome: Outcome::WrongResult, wrong_part: Some(part), inputs: text(), ..Signals::default() };
        rank(&signals).category
    };
    assert_eq!(wrong(WrongPart::Other), Category::Specification);
    assert_eq!(wrong(WrongPart::BeyondRange), Category::Likely);
}

#[test]
fn characters_beyond_a_byte_are_text() {
    let inputs = InputTraits { beyond_ascii: true, ..text() };
    let wide = Signals { places: 3, passed_on: true, inputs, ..Signals::default() };
    assert_eq!(rank(&wide).category, Category::Specification);
    let narrowed = Signals { narrowed: true, places: 2, ..wide };
    assert_eq!(rank(&narrowed).category, Category::Likely);
}

#[test]
fn equal_numbers_ought_to_match() {
    let inputs = InputTraits { equal_numbers: true, ..InputTraits::default() };
    let equal = Signals { origin: Origin::Mismatch, inputs, ..Signals::default() };
    assert_eq!(rank(&equal).category, Category::Likely);
    assert_eq!(rank(&Signals { origin: Origin::Library, ..equal }).category, Category::Specification);
}

#[test]
fn a_setting_that_is_not_made_is_of_the_environment() {
    let missing = Some(Missing::Setting("the key size of application shop".to_string()));
    let ranking = rank(&Signals { missing, error_return: true, inputs: text(), ..Signals::default() });
    assert_eq!(ranking.category, Category::Environment);
    assert_eq!(ranking.why, ["the key size of application shop is not configured"]);
}

#[test]
fn what_is_thrown_and_caught_inside_is_deliberate() {
    let thrown = Signals { origin: Origin::Raised, outcome: Outcome::Throw, error_return: true, ..Signals::default() };
    assert_ne!(rank(&thrown).category, Category::Deliberate);
    assert_eq!(rank(&Signals { caught_by_callers: true, ..thrown }).category, Category::Deliberate);
}

#[test]
fn an_error_without_a_clause_is_forgotten_and_an_assertion_is_meant() {
    let inputs = InputTraits { odd_text: true, ..text() };
    let crash = Signals { unhandled_error: true, exception: Exception::Case, inputs, ..Signals::default() };
    let asserted = Signals { exception: Exception::Match, ..crash.clone() };
    let of_input = Signals { unhandled_error: false, ..crash.clone() };
    assert!(score(crash.clone()) > score(asserted));
    assert!(score(crash) > score(of_input));
}

#[test]
fn a_kind_of_value_that_the_spec_names_ought_to_be_taken() {
    let crash = Signals { neighbours: Neighbours::OtherKinds, inputs: text(), ..Signals::default() };
    assert_eq!(rank(&crash).category, Category::Specification);
    let refused = Signals { refused_alternative: true, ..crash };
    assert_eq!(rank(&refused).category, Category::Likely);
    assert_eq!(rank(&Signals { origin: Origin::Raised, ..refused }).category, Category::Deliberate);
}

#[test]
fn seldom_failures_are_no_habit() {
    let of = |percent| score(Signals { percent_raising: percent, inputs: text(), ..Signals::default() });
    assert!(of(Some(5)) > of(Some(50)) && of(Some(50)) > of(Some(100)));
    assert_eq!(of(None), of(Some(50)));
}

#[test]
fn letters_are_to_blame_and_not_what_stands_around_them() {
    let inputs = InputTraits { compound: true, sparse_map: true, made_up_atoms: true, ..InputTraits::default() };
    let crash = Signals { origin: Origin::Library, inputs, ..Signals::default() };
    assert_eq!(rank(&crash).category, Category::Specification);
    let printed = Signals { text_as_format: true, ..crash.clone() };
    assert_eq!(rank(&printed).category, Category::Likely);
    assert!(score(Signals { narrowed: true, ..crash }) > 0);
}

#[test]
fn times_and_tables_that_were_made_up_are_nobodys_fault() {
    let crash = Signals { error_return: true, by_client: true, ends_server: true, ..Signals::default() };
    assert_eq!(rank(&crash).category, Category::Likely);
    for (signals, category, why) in [
        (Signals { waits_as_told: true, ..crash.clone() }, Category::Deliberate, "waits no longer than it is told"),
        (Signals { too_large: true, ..crash.clone() }, Category::Unlikely, "larger than the runtime takes"),
        (Signals { no_table: true, ..crash.clone() }, Category::Unlikely, "stands for a table"),
        (Signals { started_before: true, ..crash }, Category::Environment, "started it already"),
    ] {
        let ranking = rank(&signals);
        assert_eq!(ranking.category, category);
        assert!(ranking.why[0].contains(why), "{:?}", ranking.why);
    }
}

#[test]
fn a_server_that_stops_itself_at_a_stray_message_means_it() {
    let ended = Signals { by_client: true, ends_server: true, outcome: Outcome::Exit, ..Signals::default() };
    assert_eq!(rank(&ended).category, Category::Likely);
    assert_eq!(rank(&Signals { stopped_by_message: true, ..ended }).category, Category::Deliberate);
}

#[test]
fn options_that_were_made_up_end_any_server() {
    let inputs = InputTraits { loose_options: true, ..InputTraits::default() };
    let ended = Signals { by_client: true, ends_server: true, ..Signals::default() };
    assert_eq!(rank(&ended).category, Category::Likely);
    assert_eq!(rank(&Signals { inputs, ..ended }).category, Category::Specification);
}

#[test]
fn what_a_function_does_elsewhere_says_what_it_is_meant_to_do() {
    let silent = Signals { origin: Origin::Mismatch, any_parameter: true, inputs: text(), ..Signals::default() };
    assert_eq!(rank(&silent).category, Category::Specification);
    for other in [
        Signals { returns_errors: true, ..silent.clone() },
        Signals { returns_nothing: true, ..silent.clone() },
        Signals { made_wrong: true, ..silent.clone() },
    ] {
        assert_eq!(rank(&other).category, Category::Likely, "{other:?}");
    }
}

#[test]
fn structures_built_by_hand_and_second_starts_are_seldom_bugs() {
    let strong = Signals { error_return: true, origin: Origin::Mismatch, inputs: text(), ..Signals::default() };
    assert_eq!(rank(&strong).category, Category::Likely);
    assert_eq!(rank(&Signals { never_made: true, ..strong.clone() }).category, Category::Specification);
    let twice = Signals { outcome: Outcome::WrongResult, wrong_part: Some(WrongPart::Error), ..strong };
    assert_eq!(rank(&Signals { started_twice: true, ..twice }).category, Category::Specification);
}
