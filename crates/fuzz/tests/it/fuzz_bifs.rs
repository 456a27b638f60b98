//! Every row of a built-in function, inside and outside its domain, against the BEAM.

use erlang::bifs;
use erlang::syntax::print_atom;
use fuzz::{BIF_GAPS, Duel, Question, Random, Terms, in_domain, seed};
use machine::Primitive;
use term::Atom;

/// Rows whose answers two runtimes need not share: module, names (`*`: all; with an arity: that one only), why.
const NOT_COMPARED: &[(&str, &str, &str)] = &[
    ("ets", "*", "tables outlive the call; scripts over whole tables compare them in the erlang crate"),
    ("atomics", "*", "needs a reference made by the same runtime in the same call"),
    ("erts_internal", "*", "not called by programs"),
    ("prim_file", "*", "not called by programs"),
    ("io", "*", "a device answers"),
    ("logger", "*", "swallowed here, a handler's affair there"),
    ("error_logger", "*", "swallowed here, a handler's affair there"),
    ("init", "*", "how the runtime was started"),
    ("code", "*", "what the runtime has loaded"),
    ("os", "*", "the world outside"),
    ("file", "*", "the world outside"),
    ("application_controller", "*", "what is set stays in the runtime; wrong calls never get there from `application`"),
    ("crypto", "*", "asked of the runtime itself; its errors name lines of its library"),
    ("persistent_term", "*", "terms of earlier calls stay in the runtime"),
    ("erlang", "monotonic_time system_time time_offset timestamp now date time localtime universaltime", "the time"),
    ("erlang", "load_nif", "only a module that is being loaded may call it"),
    ("erlang", "unique_integer", "unique in its runtime"),
    ("erlang", "localtime_to_universaltime universaltime_to_localtime", "the zone of the computer"),
    ("erlang", "system_info statistics memory node nodes is_alive get_cookie", "what the runtime is"),
    ("erlang", "processes registered process_info whereis process_flag group_leader", "what runs in the runtime"),
    ("erlang", "register unregister link unlink exit/2 ! send is_process_alive", "acts on other processes"),
    ("erlang", "send_after start_timer cancel_timer read_timer", "timers of the runtime"),
    (
        "erlang",
        "spawn spawn_link spawn_opt spawn_request spawn_monitor monitor demonitor",
        "starts or watches processes",
    ),
    ("erlang", "halt", "ends the runtime"),
    ("erlang", "display display_nl display_string", "writes to the terminal"),
    ("erlang", "fun_info fun_info_mfa", "expressions are interpreted there: their funs are the evaluator's"),
    ("erlang", "module_loaded function_exported", "what the runtime has loaded"),
    ("erlang", "apply", "its arguments name any function, also those of this list"),
    ("erlang", "get get_keys erase", "the evaluator's own entries"),
    ("erlang", "raise", "its trace is checked against the runtime's own functions"),
    ("erlang", "term_to_iovec", "where it is cut into pieces is the runtime's own affair"),
    ("erlang", "md5_init md5_update", "their contexts have bytes that nobody has written"),
    ("erlang", "list_to_existing_atom binary_to_existing_atom", "which atoms there are"),
    ("erlang", "nif_error", "a native function that is not loaded stops the run here, by intention"),
    ("erlang", "pid_to_list ref_to_list port_to_list list_to_pid list_to_ref list_to_port", "names in the runtime"),
    ("binary", "referenced_byte_size", "where a binary lies is the runtime's own affair"),
];
/// Their integers are sizes of results.
const BULKY: &[&str] = &["copy", "duplicate", "make_tuple", "bsl", "bsr", "seq", "encode_unsigned"];
/// Their results show what makes a closure, a process or a reference different from others. (Two funs of
/// the same text are the same to an evaluator of expressions.)
const OF_IDENTITIES: &[&str] = &[
    "term_to_binary", "phash2", "phash", "external_size", "fun_to_list", "==", "/=", "=:=", "=/=", "<", "=<", ">",
    ">=", "max", "min", "keyfind", "keymember", "keysearch", "member", "is_map_key", "from_list", "find", "sort", "--",
    "subtract",
];
const PER_BATCH: usize = 400;
const BATCHES_PER_SESSION: usize = 50;

#[test]
fn built_in_functions() {
    let rows: Vec<&Primitive> = bifs::available().filter(|row| is_compared(row)).collect();
    let mut duel = Duel::new("built-in functions", BIF_GAPS);
    let mut random = Random::new(seed());
    let mut turn = 0;
    while duel.has_time() {
        let questions: Vec<Question> = (0..PER_BATCH)
            .map(|_| {
                turn += 1;
                question(&mut random, rows[turn % rows.len()])
            })
            .collect();
        duel.ask(&questions);
        if (turn / PER_BATCH).is_multiple_of(BATCHES_PER_SESSION) {
            duel.renew();
        }
    }
    duel.conclude();
}

fn is_compared(row: &Primitive) -> bool {
    let with_arity = format!("{}/{}", row.name, row.arity());
    !NOT_COMPARED.iter().any(|(module, names, _)| {
        *module == row.module && (*names == "*" || names.split(' ').any(|name| name == row.name || name == with_arity))
    })
}

/// One argument in three lies anywhere, the others in the domain.
fn question(random: &mut Random, row: &Primitive) -> Question {
    let small = BULKY.contains(&row.name) || random.one_in(3);
    let astray = random.one_in(3);
    let plain = OF_IDENTITIES.contains(&row.name);
    let mut terms = Terms { random, small, plain };
    let args: Vec<String> = row
        .domain
        .iter()
        .map(|domain| if astray && terms.random.one_in(2) { terms.any(2) } else { in_domain(&mut terms, *domain) })
        .collect();
    let name = print_atom(Atom::new(row.name));
    Question {
        function: format!("{}:{}/{}", row.module, row.name, row.arity()),
        text: format!("{}:{name}({})", row.module, args.join(", ")),
    }
}
