//! The page of supported built-in functions is what the rows say. `BEAGLE_BLESS=1` writes it.

use machine::{Basis, Domain, Meaning, Primitive};
use path::OwnState;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_page_is_what_the_rows_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bifs.md");
    let page = page();
    if std::env::var_os("BEAGLE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("docs can be made");
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/bifs.md is not what the rows say: run `make bless`");
}

fn page() -> String {
    let mut modules: BTreeMap<&str, BTreeMap<(&str, u32), &Primitive>> = BTreeMap::new();
    for row in erlang::bifs::all() {
        let known = modules.entry(row.module).or_default().insert((row.name, row.arity()), row);
        assert!(known.is_none(), "{}:{}/{} has two rows", row.module, row.name, row.arity());
    }
    let count: usize = modules.values().map(BTreeMap::len).sum();
    let mut page = format!(
        "# Built-in functions\n\n\
         Written by `make bless` from the rows in `crates/erlang/src/bifs`: {count} functions that OTP \
         implements natively and Beagle implements too. Everything else in OTP is Erlang code, which Beagle \
         runs like the user's own. A native function without a row ends a run with the outcome `unsupported`.\n\n\
         *Meaning* is what the solver knows about a function: `term` a formula, `prelude` a definition in Erlang, \
         `keyed` a lookup of one key of a map, `opened` a walk through all parts of a list or a map, `effect` that it \
         uses the process or the outside world, `samples` results of earlier calls, `opaque` nothing.\n\n\
         *Follows from* is what decides the result: the `arguments` alone; also what `the run` itself has made, of the \
         kinds that are named; or `surroundings`, which differ between systems: after such a call, a search never claims \
         to have explored all paths. Where a function of the second kind sees more than the run has made (a table of \
         another process, say), the same holds for that call.\n"
    );
    let mut kinds: BTreeMap<String, OwnState> = BTreeMap::new();
    for row in erlang::bifs::all() {
        if let Basis::Run(states) = row.basis {
            kinds.extend(states.iter().map(|state| (in_words(state), *state)));
        }
    }
    page += "\n## What the run itself has made\n\n| kind | why it is the same on every system | noted where a call sees more |\n|---|---|---|\n";
    for (kind, state) in kinds {
        let beyond: Vec<String> = state.beyond().iter().map(in_words).collect();
        let _ = writeln!(page, "| {kind} | {} | {} |", reason(state), beyond.join(", "));
    }
    for (module, rows) in &modules {
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "\n## {module}\n\n| function | domain | result | follows from | meaning |\n|---|---|---|---|---|\n"
        );
        for ((name, arity), row) in rows {
            let domain: Vec<String> = row.domain.iter().map(name_of).collect();
            let name = name.replace('|', "\\|");
            let _ = writeln!(
                page,
                "| `{name}/{arity}` | {} | {} | {} | {} |",
                domain.join(", "),
                name_of(&row.result),
                basis(row.basis),
                meaning(&row.meaning)
            );
        }
    }
    page
}

fn name_of(domain: &Domain) -> String {
    format!("{domain:?}").to_lowercase()
}

/// Returns why results that follow from this kind of state are the same on every system. Whoever adds a row to a group reads
/// whether the reason holds for it.
fn reason(state: OwnState) -> &'static str {
    match state {
        OwnState::Dictionary => {
            "the run has put, erased or emptied the entries; other keys, and who started the caller, are noted"
        }
        OwnState::Flags => "the process has set the flag before, or was started by the run with the usual value",
        OwnState::Mailbox => {
            "the clauses of the receive compare a part of the message with an identity of the run, or the process is a child"
        }
        OwnState::Calls => "the trace is as long as traces may be before it comes to the callers, or nobody reads it",
        OwnState::Processes => "the run has started the process, or given the name; others are noted",
        OwnState::Timers => "the time of the run passes only when everybody waits; what is left of a timer is noted",
        OwnState::Tables => {
            "the run has made the table; the order of hash tables, and of keys that hold identities, its memory, its node and \
             flags that hold for all tables are noted"
        }
        OwnState::PersistentTerms => "the run has put the term; others are noted",
        OwnState::Counters => "nobody but the run has the reference",
        OwnState::Applications => "the program describes the application, or the run has set the key; others are noted",
        OwnState::Code => "the module is one of the program or of libraries that every system has; others are noted",
        OwnState::Atoms => "every runtime has the atom; others are noted",
        OwnState::Identities => "the result does not show the number of the identity, or that is noted",
        OwnState::Order => "the keys decide the order of a small map; that of larger ones is noted",
        OwnState::Output => {
            "the group leader takes text in Latin-1, and processes of the run are run; other devices and text are noted"
        }
        OwnState::Logger => "reports are accepted by every logger; what its configuration decides is noted",
        OwnState::Platform => {
            "it is the platform that the claim is about; what differs between systems of a kind is noted"
        }
        OwnState::Search => "Beagle keeps it, and only the prelude asks for it",
    }
}

/// Every row that is called by name, and those that only the prelude and the compiled code call, grouped by what their results
/// follow from. Read this after a change: a wrong statement here is a false claim there.
#[test]
fn what_every_result_follows_from() {
    let mut groups: BTreeMap<String, (&[OwnState], Vec<String>)> = BTreeMap::new();
    for row in erlang::bifs::every() {
        let states: &[OwnState] = if let Basis::Run(states) = row.basis { states } else { &[] };
        assert!(!states.is_empty() || !matches!(row.basis, Basis::Run(_)), "{}:{}", row.module, row.name);
        let name = format!("{}:{}/{}", row.module, row.name, row.arity());
        let (of_group, names) = groups.entry(basis(row.basis)).or_default();
        *of_group = states;
        names.push(name);
    }
    for (basis, (states, names)) in &groups {
        println!("{basis}: {}", names.join(" "));
        states.iter().for_each(|state| println!("    {}: {}", in_words(state), reason(*state)));
        println!();
    }
    assert!(groups.len() > 10, "{groups:?}");
}

fn basis(basis: Basis) -> String {
    let names = |words: &mut dyn Iterator<Item = String>| words.collect::<Vec<_>>().join(", ");
    match basis {
        Basis::Arguments => "arguments".to_owned(),
        Basis::Run(states) => format!("the run: {}", names(&mut states.iter().map(in_words))),
        Basis::Surroundings(asked) => {
            format!("surroundings: {}", names(&mut asked.iter().map(in_words)))
        }
    }
}

/// `PersistentTerms` is `persistent terms`.
fn in_words(name: &impl std::fmt::Debug) -> String {
    let mut words = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn meaning(meaning: &Meaning) -> &'static str {
    match meaning {
        Meaning::Term(_) => "term",
        Meaning::Keyed { .. } => "keyed",
        Meaning::Opened(_) => "opened",
        Meaning::Prelude(..) => "prelude",
        Meaning::Effect(_) => "effect",
        Meaning::Sampled { .. } => "samples",
        Meaning::Opaque(_) => "opaque",
    }
}
