use super::*;
use std::sync::Arc;

struct Mine;

impl CodeAround for Mine {
    fn is_users(&self, module: Atom) -> bool {
        module.text() == "mine"
    }
    fn load(&self, _: Atom) -> Option<Arc<Module>> {
        None
    }
}

fn raised(class: Class, reason: Term, module: &str, function: &str, args: Option<Vec<Term>>) -> Raised {
    let entry = TraceEntry {
        module: Atom::new(module),
        function: Atom::new(function),
        arity: 1,
        args,
        file: String::new(),
        line: 3,
        details: Vec::new(),
    };
    Raised::by_main(class, reason, vec![entry])
}

fn of(class: Class, reason: Term, module: &str, function: &str) -> Cause {
    cause(&raised(class, reason, module, function, None), &Mine)
}

#[test]
fn who_raised_it_is_told_by_the_innermost_entry() {
    let error = |reason: &str, module: &str| of(Class::Error, Term::atom(reason), module, "f").origin;
    assert_eq!(error("function_clause", "mine"), Origin::Mismatch);
    assert_eq!(error("badarg", "mine"), Origin::Primitive);
    let generator = Term::tuple(vec![Term::atom("bad_generator"), Term::Int(1)]);
    assert_eq!(of(Class::Error, generator, "mine", "f").origin, Origin::Mismatch);
    let assertion = Term::tuple(vec![Term::atom("badmatch"), Term::FALSE]);
    assert_eq!(of(Class::Error, assertion, "mine", "f").origin, Origin::Raised);
    assert!(of(Class::Error, Term::atom("assertion_failed"), "mine", "f").is_said_impossible);
    assert_eq!(error("badarg", "erlang"), Origin::Primitive);
    assert_eq!(error("function_clause", "lists"), Origin::Library);
    assert_eq!(of(Class::Throw, Term::atom("enough"), "mine", "f").origin, Origin::Raised);
    let exception: Vec<(Term, Term)> = vec![(Term::atom("__exception__"), Term::TRUE)];
    assert_eq!(of(Class::Error, Term::Map(exception.into()), "mine", "f").origin, Origin::Raised);
}

#[test]
fn wide_characters_are_no_bytes() {
    let text = |code| Some(vec![Term::list(vec![Term::Int(97), Term::Int(code)])]);
    let narrowed = |module: &str, function: &str, code| {
        let raised = raised(Class::Error, Term::atom("badarg"), module, function, text(code));
        cause(&raised, &Mine).is_narrowed
    };
    assert!(narrowed("erlang", "list_to_binary", 256) && narrowed("re", "split", 256));
    assert!(!narrowed("erlang", "list_to_binary", -1) && !narrowed("mine", "f", 256));
    let printed = |text: Term| Some(vec![Term::list(vec![Term::Int(126), Term::Int(115)]), Term::list(vec![text])]);
    let wide = printed(Term::list(vec![Term::Int(256)]));
    assert!(cause(&raised(Class::Error, Term::atom("badarg"), "io_lib", "format", wide), &Mine).is_narrowed);
    let wide = printed(Term::atom("Ā"));
    assert!(cause(&raised(Class::Error, Term::atom("badarg"), "io_lib", "format", wide), &Mine).is_narrowed);
    // What reads numbers wants digits, and no other characters either.
    assert!(!narrowed("erlang", "list_to_integer", 256));
}

#[test]
fn a_process_may_be_missing_inside_of_another_call() {
    let call = Term::tuple(vec![
        Term::atom("gen_server"),
        Term::atom("call"),
        Term::list(vec![Term::atom("shop"), Term::Nil]),
    ]);
    let absent = Term::tuple(vec![Term::atom("noproc"), call]);
    let within = Term::tuple(vec![Term::atom("exception"), absent.clone()]);
    let shop = Some(Missing::Process("shop".to_string()));
    assert_eq!(of(Class::Exit, absent, "gen_server", "call").missing, shop);
    assert_eq!(of(Class::Error, within, "erpc", "call").missing, shop);
    let other = Term::tuple(vec![Term::atom("exception"), Term::tuple(vec![Term::atom("noproc"), Term::Int(1)])]);
    assert_eq!(of(Class::Error, other, "erpc", "call").missing, None);
}

#[test]
fn a_server_stops_by_an_answer_of_its_callbacks() {
    let reason = |tag: &str| Term::tuple(vec![Term::atom(tag), Term::Nil]);
    assert!(of(Class::Exit, reason("unknown_info"), "gen_server", "handle_common_reply").is_own_stop);
    assert!(!of(Class::Exit, reason("bad_return_value"), "gen_server", "handle_common_reply").is_own_stop);
    assert!(!of(Class::Error, Term::atom("function_clause"), "mine", "handle_info").is_own_stop);
}

#[test]
fn what_a_library_cannot_read_it_refuses() {
    let refused = |frames: &[(&str, &str)]| {
        let mut raised = raised(Class::Error, Term::atom("function_clause"), "mine", "f", None);
        let entry = |(module, function): &(&str, &str)| TraceEntry {
            module: Atom::new(module),
            function: Atom::new(function),
            ..raised.trace[0].clone()
        };
        raised.trace = frames.iter().map(entry).collect();
        cause(&raised, &Mine).is_refused_conversion
    };
    assert!(refused(&[("base64", "skip"), ("base64", "decode_binary"), ("mine", "f")]));
    assert!(refused(&[("calendar", "check"), ("calendar", "rfc3339_to_system_time"), ("mine", "f")]));
    assert!(refused(&[("zlib", "inflateEnd_nif"), ("zlib", "gunzip"), ("mine", "f")]));
    assert!(refused(&[("Elixir.Date", "from_iso8601!")]) && refused(&[("erlang", "binary_to_integer")]));
    assert!(!refused(&[("lists", "reverse"), ("mine", "decode")]) && !refused(&[("mine", "f"), ("base64", "decode")]));
}

#[test]
fn an_application_that_was_not_started_is_missing() {
    let error = |why: Term| Term::tuple(vec![Term::atom("error"), why]);
    let unstarted_shop = Term::tuple(vec![Term::atom("not_started"), Term::atom("shop")]);
    let shop = Some(Missing::Application("shop".to_string()));
    assert_eq!(unstarted(&error(unstarted_shop.clone())), shop);
    let failed = Term::tuple(vec![Term::atom("badmatch"), error(unstarted_shop)]);
    assert_eq!(of(Class::Error, failed, "mine", "f").missing, shop);
    assert_eq!(unstarted(&error(Term::atom("not_started"))), None);
}

#[test]
fn calls_say_how_long_they_waited() {
    let args = Term::list(vec![Term::atom("shop"), Term::atom("all"), Term::Int(7)]);
    let call = Term::tuple(vec![Term::atom("gen_server"), Term::atom("call"), args]);
    let reason = Term::tuple(vec![Term::atom("timeout"), call]);
    assert_eq!(of(Class::Exit, reason, "gen_server", "call").time_limit, Some(7));
    assert_eq!(of(Class::Exit, Term::atom("timeout"), "gen_server", "call").time_limit, None);
}

#[test]
fn floats_have_an_end() {
    let refused = |module: &str, function: &str, args: Vec<Term>| {
        cause(&raised(Class::Error, Term::atom("badarith"), module, function, Some(args)), &Mine).is_too_large
    };
    let large = || Term::integer(term::floats::least_beyond());
    assert!(refused("erlang", "/", vec![large(), Term::Int(2)]));
    assert!(refused("erlang", "*", vec![Term::Float(1e308), Term::Int(10)]));
    assert!(refused("math", "log", vec![large()]) && refused("math", "exp", vec![Term::Int(1000)]));
    // These are wrong for another reason.
    assert!(!refused("erlang", "/", vec![large(), Term::Int(0)]));
    assert!(!refused("erlang", "/", vec![large(), Term::atom("none")]));
    assert!(!refused("math", "log", vec![Term::Int(0)]));
}

#[test]
fn times_have_an_end_and_tables_have_names() {
    let refused = |module: &str, function: &str, args: Vec<Term>| {
        cause(&raised(Class::Error, Term::atom("badarg"), module, function, Some(args)), &Mine)
    };
    let timer = |time: i64| refused("erlang", "start_timer", vec![Term::Int(time), Term::Nil, Term::Nil]);
    assert!(timer(1 << 60).is_too_large && !timer(-1).is_too_large);
    assert!(of(Class::Error, Term::atom("timeout_value"), "gen", "do_call").is_too_large);
    let server = Term::tuple(vec![Term::atom("timeout_value"), Term::Nil]);
    let call = Term::tuple(vec![Term::atom("gen_server"), Term::atom("call"), Term::Nil]);
    assert!(of(Class::Exit, Term::tuple(vec![server, call]), "gen_server", "call").is_too_large);
    let table = |table: Term| refused("ets", "lookup", vec![table, Term::Nil]).is_no_table;
    assert!(table(Term::Int(0)) && !table(Term::atom("orders")));
}

#[test]
fn text_with_a_tilde_is_no_format() {
    let format = Term::list(vec![Term::Int(97), Term::Int(126)]);
    let printed = |args: Vec<Term>, caller: &str| {
        let mut raised = raised(Class::Error, Term::atom("badarg"), "io_lib", "format", Some(args));
        let entry = TraceEntry { module: Atom::new(caller), args: None, ..raised.trace[0].clone() };
        raised.trace.push(entry);
        cause(&raised, &Mine).is_text_as_format
    };
    assert!(printed(vec![format.clone(), Term::Nil], "mine"));
    assert!(!printed(vec![format.clone(), Term::Nil], "theirs"));
    assert!(!printed(vec![format, Term::list(vec![Term::Int(1)])], "mine"), "somebody chose both");
    assert!(!printed(vec![Term::list(vec![Term::Int(256)]), Term::Nil], "mine"), "there is no control");
}

#[test]
fn what_was_not_started_is_missing() {
    let call = Term::tuple(vec![
        Term::atom("gen_server"),
        Term::atom("call"),
        Term::list(vec![Term::atom("orders"), Term::atom("all")]),
    ]);
    let noproc = Term::tuple(vec![Term::atom("noproc"), call]);
    let process = Missing::Process("orders".to_string());
    assert_eq!(of(Class::Exit, noproc, "gen_server", "call").missing, Some(process));
    let table = raised(Class::Error, Term::atom("badarg"), "ets", "lookup", Some(vec![Term::atom("orders")]));
    assert_eq!(cause(&table, &Mine).missing, Some(Missing::Table("orders".to_string())));
    let wrong = raised(Class::Error, Term::atom("badarg"), "ets", "lookup", Some(vec![Term::Int(1)]));
    assert_eq!(cause(&wrong, &Mine).missing, None);
    let undef = of(Class::Error, Term::atom("undef"), "absent", "f").missing;
    assert_eq!(undef, Some(Missing::Module("absent".to_string())));
    assert_eq!(of(Class::Error, Term::atom("badarg"), "mine", "f").missing, None);
}

#[test]
fn a_table_that_lacks_a_key_is_not_missing() {
    let of = |function: &str, cause: Option<&str>| {
        let mut info = vec![(Term::atom("module"), Term::atom("erl_stdlib_errors"))];
        info.extend(cause.map(|cause| (Term::atom("cause"), Term::atom(cause))));
        let args = Some(vec![Term::atom("orders"), Term::Int(1)]);
        let module = if function == "register" { "erlang" } else { "ets" };
        let mut raised = raised(Class::Error, Term::atom("badarg"), module, function, args);
        raised.trace[0].details = vec![Term::tuple(vec![Term::atom("error_info"), Term::Map(info.into())])];
        super::cause(&raised, &Mine)
    };
    let table = Some(Missing::Table("orders".to_string()));
    assert_eq!(of("lookup_element", Some("id")).missing, table);
    assert_eq!(of("lookup_element", Some("badkey")).missing, None);
    assert_eq!(of("lookup_element", None).missing, None, "there is no such element");
    let owner = Some(Missing::Process("that owns the table orders".to_string()));
    assert_eq!(of("insert", Some("access")).missing, owner);
    let twice = of("new", Some("already_exists"));
    assert!(twice.missing.is_none() && twice.is_made_twice);
    assert!(!of("new", None).is_made_twice);
    let taken = of("register", Some("registered_name"));
    assert!(taken.missing.is_none() && taken.is_made_twice);
    let ended = of("register", Some("notalive"));
    assert!(ended.missing.is_none() && !ended.is_made_twice);
}
