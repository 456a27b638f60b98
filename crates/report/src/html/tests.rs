//! Whole sites of small reports: nothing escapes, links lead somewhere, sizes are bounded.

use super::Html;
use crate::tests::{NASTY, Plain, crash, in_helper, name, results, tested};
use crate::{Judged, Judgement, Results, Source};
use path::{Class, InputValue, Raised, Site, SitePlace, Stop};
use search::{BranchSite, BranchWay, Decided, End, Loss, Ran, Where};
use std::collections::BTreeMap;
use std::sync::Arc;
use term::{Atom, Term};

fn pages(results: &Results) -> BTreeMap<String, String> {
    let mut pages = BTreeMap::new();
    let html = Html { printers: &Plain, version: "1.2.3" };
    let written = html.pages(results, &mut |path, text| {
        assert_eq!(pages.insert(path.to_string(), text.to_string()), None, "{path} twice");
        Ok::<(), ()>(())
    });
    assert_eq!(written, Ok(()));
    pages
}

fn place(line: u32) -> Arc<SitePlace> {
    Arc::new(SitePlace {
        module: Atom::new("m"),
        function: Atom::new("f"),
        arity: 1,
        file: "m.erl".to_string(),
        line,
        column: 1,
        number: (0, line, 0),
    })
}

/// A run with these ways at its decisions.
fn ran(number: u64, ways: &[u32], end: End) -> Ran {
    let decided = |(index, way): (usize, &u32)| Decided {
        site: Site { place: path::Place::Code { function: 1, instruction: index as u32 }, part: 0 },
        way: *way,
        ways: 2,
        place: Where::Code(place(2)),
        words: format!("{NASTY} X{index} =:= {way}"),
    };
    Ran {
        identifies_functions: false,
        number,
        inputs: vec![InputValue::from(Term::atom(NASTY))],
        end,
        decisions: ways.iter().enumerate().map(decided).collect(),
        more_decisions: 0,
    }
}

fn way(words: &str, taken: bool, refuted: u32, open: u32) -> BranchWay {
    BranchWay { words: words.to_string(), taken, unreachable: false, refuted, open }
}

fn with_source(mut results: Results, text: &str) -> Results {
    let source = Source { file: "m.erl".to_string(), path: "src/m.erl".to_string(), text: text.to_string() };
    results.sources.insert(Atom::new("m"), source);
    results
}

#[test]
fn whatever_a_program_is_called_is_only_text() {
    let mut function = tested(NASTY, vec![crash(NASTY, Judgement::Confirmed)]);
    function.tree.add(&Plain, name(NASTY), ran(1, &[0, 1], End::Fine(Some(Term::atom(NASTY)))));
    function.tree.add(&Plain, name(NASTY), ran(2, &[0, 0], End::Stopped(Stop::LoadFailed(NASTY.to_string()))));
    let ways = vec![way(NASTY, true, 0, 0), way(NASTY, false, 1, 0)];
    function.exploration.sites.push(BranchSite { place: place(1), ways, more_ways: 3, more_taken: 1 });
    function.exploration.losses.insert(Loss::Stopped(Stop::LoadFailed(NASTY.to_string())), 2);
    let mut all = with_source(results(vec![function]), NASTY);
    all.failures.push(NASTY.to_string());
    let pages = pages(&all);
    assert_eq!(pages.len(), 3);
    for (path, text) in &pages {
        assert!(!text.contains("<script"), "{path}: {text}");
        assert!(text.contains("&lt;script&gt;"), "{path}: {text}");
        assert!(text.contains("default-src 'none'"), "{path}");
        assert!(!text.contains('\u{1}') && text.contains("\\x01"), "{path}");
        assert!(path.chars().all(|letter| letter.is_ascii_alphanumeric() || "/.-_~".contains(letter)), "{path}");
    }
}

#[test]
fn what_is_known_and_what_is_meant_is_shown() {
    let mut function = tested("f", vec![Judged { is_known: true, ..crash("bad", Judgement::Confirmed) }]);
    let raised = Raised::by_main(Class::Throw, Term::atom("out"), Vec::new());
    function.tree.add(&Plain, name("f"), ran(1, &[0], End::Expected(raised)));
    function.exploration.expected = 1;
    let pages = pages(&results(vec![function]));
    let index = &pages["index.html"];
    assert!(index.contains("Known bugs") && index.contains("Expected exceptions"), "{index}");
    let page = pages.iter().find(|(path, _)| path.starts_with("functions/")).map(|(_, text)| text).expect("a page");
    for part in
        ["finding known", "known: m:f/1 raises error bad", "1 known, 1 expected", "raises throw out, as expected"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
}

/// The index has it once, and the page of each function leads to the others.
#[test]
fn the_same_through_several_functions_is_linked() {
    let pages = pages(&results(vec![
        tested("f", vec![in_helper(1000, 4, "bad")]),
        tested("g", vec![in_helper(7, 4, "bad"), in_helper(7, 4, "other")]),
    ]));
    let index = &pages["index.html"];
    assert!(index.contains("Places of the bugs") && index.matches("raises error bad").count() == 1, "{index}");
    assert!(index.contains("also through <a href=\"functions/m.f-1.html\">m:f/1</a>"), "{index}");
    let page = &pages["functions/m.g-1.html"];
    assert!(page.contains("Also found through <a href=\"../functions/m.f-1.html\">m:f/1</a>."), "{page}");
    assert_eq!(page.matches("Also found through").count(), 1);
}

#[test]
fn all_links_lead_somewhere() {
    let findings = vec![crash("bad", Judgement::Confirmed)];
    let mut function = tested("f", findings);
    function.tree.add(&Plain, name("f"), ran(1, &[0], End::Fine(None)));
    function.tree.add(&Plain, name("f"), ran(2, &[1], End::Fine(None)));
    let pages = pages(&with_source(results(vec![function, tested("g", Vec::new())]), "f(X) ->\n    error(bad).\n"));
    let mut links = 0;
    for (path, text) in &pages {
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file.strip_prefix("../") {
                _ if file.is_empty() => path.clone(),
                Some(up) => up.to_string(),
                None => file.to_string(),
            };
            let target = pages.get(&target).unwrap_or_else(|| panic!("{path}: {link}"));
            assert!(anchor.is_empty() || target.contains(&format!("id=\"{anchor}\"")), "{path}: {link}");
            links += 1;
        }
    }
    assert!(links > 10, "{links}");
}

#[test]
fn branches_are_covered_unreachable_or_undecided() {
    let site = |ways: Vec<BranchWay>| BranchSite { place: place(1), ways, more_ways: 0, more_taken: 0 };
    let ways = || vec![way("a", true, 0, 0), way("b", false, 2, 0), way("c", false, 2, 1), way("d", false, 0, 0)];
    let page = |is_exhaustive: bool| {
        let mut function = tested("f", Vec::new());
        function.exploration.sites.push(site(ways()));
        if !is_exhaustive {
            function.exploration.losses.insert(Loss::LongPath, 1);
        }
        pages(&with_source(results(vec![function]), "f(X) -> ok.\n")).remove("modules/m.html").expect("a page")
    };
    let finished = page(true);
    assert_eq!(finished.matches(">unreachable<").count(), 3, "{finished}");
    assert!(finished.contains("branches covered 1 of 4"), "{finished}");
    let unfinished = page(false);
    assert!(!unfinished.contains(">unreachable<"), "{unfinished}");
    for words in [
        "unreachable so far: 2 attempts without a solution</span> <code>b<",
        "not covered: 1 attempt undecided</span> <code>c<",
        "not covered</span> <code>d<",
    ] {
        assert!(unfinished.contains(words), "{words}: {unfinished}");
    }
}

/// A proof for one side needs no complete exploration.
#[test]
fn a_side_that_is_proved_unreachable_is_marked() {
    let mut function = tested("f", Vec::new());
    let proved = BranchWay { unreachable: true, ..way("b", false, 2, 0) };
    let ways = vec![way("a", true, 0, 0), proved, way("c", false, 2, 0)];
    function.exploration.sites.push(BranchSite { place: place(1), ways, more_ways: 0, more_taken: 0 });
    function.exploration.losses.insert(Loss::LongPath, 1);
    let pages = pages(&with_source(results(vec![function]), "f(X) -> ok.\n"));
    let page = &pages["modules/m.html"];
    assert_eq!(page.matches(">unreachable<").count(), 1, "{page}");
    assert!(page.contains("branches covered 1 of 3, 1 proved unreachable"), "{page}");
}

/// What another function took, or did not finish, counts for all.
#[test]
fn branches_of_all_functions_are_added_up() {
    let mut all = Vec::new();
    for (name, taken, lost) in [("f", true, false), ("g", false, true)] {
        let mut function = tested(name, Vec::new());
        let ways = vec![way("a", taken, 0, 0), way("b", false, 0, 0)];
        function.exploration.sites.push(BranchSite { place: place(1), ways, more_ways: 0, more_taken: 0 });
        if lost {
            function.exploration.losses.insert(Loss::LongPath, 1);
        }
        all.push(function);
    }
    let pages = pages(&with_source(results(all), "f(X) -> ok.\n"));
    let page = &pages["modules/m.html"];
    assert!(page.contains(">covered</span> <code>a<") && page.contains("not covered</span> <code>b<"), "{page}");
    assert!(!page.contains(">unreachable<"), "{page}");
}

#[test]
fn a_hundred_thousand_runs_are_cut_and_counted() {
    let mut function = tested("f", Vec::new());
    for number in 0..100_000u64 {
        let ways: Vec<u32> = (0..17).map(|bit| (number >> bit & 1) as u32).collect();
        function.tree.add(&Plain, name("f"), ran(number + 1, &ways, End::Fine(None)));
    }
    function.exploration.runs = 100_000;
    let kept = function.tree.runs();
    assert!(kept > 100, "{kept}");
    let pages = pages(&with_source(results(vec![function]), &"f(X) -> ok.\n".repeat(100_000)));
    let page = &pages["functions/m.f-1.html"];
    assert!(page.contains(&format!("{} further runs are left out", 100_000 - kept)), "{kept}");
    for (path, page) in &pages {
        assert!(page.len() < 2_000_000, "{path}: {}", page.len());
    }
    assert!(pages["modules/m.html"].contains(" more left out here."));
}

/// What is too large is left out of the page only, with its number.
#[test]
fn what_does_not_fit_is_counted_where_it_would_stand() {
    let mut tree = crate::Tree::default();
    for number in 0..64u64 {
        let ways: Vec<u32> = (0..6).map(|bit| (number >> bit & 1) as u32).collect();
        tree.add(&Plain, name("f"), ran(number + 1, &ways, End::Fine(None)));
    }
    let page = super::runs::tree(&tree, "m.html", 4000).into_string();
    let shown = page.matches(">run ").count();
    let left_out: usize =
        page.split("too large: ").skip(1).filter_map(|rest| rest.split(' ').next()?.parse::<usize>().ok()).sum();
    assert!(shown > 0 && left_out > 0, "{page}");
    assert_eq!(shown + left_out, 64);
}

#[test]
fn a_path_of_many_decisions_is_not_nested_without_end() {
    let mut tree = crate::Tree::default();
    for number in 0..200usize {
        let mut ways = vec![0; number];
        ways.push(1);
        tree.add(&Plain, name("f"), ran(number as u64 + 1, &ways, End::Fine(None)));
    }
    let page = super::runs::tree(&tree, "m.html", usize::MAX).into_string();
    let (mut depth, mut deepest) = (0i32, 0);
    for tag in page.split('<').skip(1) {
        depth += if tag.starts_with('/') { -1 } else { 1 };
        deepest = deepest.max(depth);
    }
    assert_eq!((depth, page.matches(">run ").count()), (0, 200), "every tag is closed and every run is there");
    assert!(deepest < 300, "{deepest}");
}
