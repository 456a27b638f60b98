//! Reports of several modules, word by word.

use crate::tests::{Plain, crash, name, results, tested};
use crate::{Detail, Human, Judgement, Report, Tested};
use term::{Atom, FunctionName};

#[test]
fn several_modules_stand_in_a_table() {
    let other = Tested { name: FunctionName { module: Atom::new("other"), ..name("g") }, ..tested("g", Vec::new()) };
    let own = || vec![tested("f", vec![crash("bad", Judgement::Confirmed)]), tested("g", Vec::new())];
    let text_of = |functions| Human::new(&Plain, false, Detail::Normal).finish(&results(functions));
    let text = text_of(own().into_iter().chain([other]).collect());
    let table = "\nmodule  functions  findings  all paths  branches\n\
                 m               2         1          2  4 of 4\n\
                 other           1         0          1  2 of 2\n\n3 functions tested: ";
    assert!(text.contains(table), "{text}");
    let text = text_of(own());
    assert!(!text.contains("all paths  branches"), "{text}");
}
