//! Determines the cause of an exception on the BEAM: whether an expression of the user's code raises it explicitly, and
//! whether it reports that something is missing that was never started.

#[cfg(test)]
mod tests;

use frontend::{Cause, CodeAround};
use path::{Class, Raised, TraceEntry};
use program::{Callee, Expr, Module, Pattern, for_each_expr};
use report::rank::{Exception, Missing, Origin};
use term::{Atom, Term, floats, names};

/// The depth to which exceptions and results are searched.
const DEEPEST: u32 = 8;

pub fn cause(raised: &Raised, around: &dyn CodeAround) -> Cause {
    Cause {
        origin: origin(raised, around),
        exception: exception(&raised.reason),
        missing: missing(raised, around),
        is_said_impossible: is_said_impossible(&raised.reason),
        is_refused_conversion: is_refused_conversion(raised, around),
        is_narrowed: is_narrowed(raised, around),
        is_text_as_format: is_text_as_format(raised, around),
        time_limit: time_limit(&raised.reason),
        is_too_large: is_too_large(raised),
        is_in_start: raised.trace.iter().any(|entry| entry.function.text() == "init_it"),
        is_no_table: is_no_table(raised),
        is_made_twice: is_made_twice(raised),
        is_own_stop: is_own_stop(raised),
    }
}

/// Returns whether a callback of a server answered `{stop, Reason, …}`.
fn is_own_stop(raised: &Raised) -> bool {
    let is_of_server =
        |entry: &TraceEntry| matches!(entry.module.text(), "gen_server" | "gen_statem" | "gen_fsm" | "proc_lib");
    let tag = raised.reason.as_tuple().and_then(|parts| parts.first()?.as_atom());
    let is_wrong_answer = tag.is_some_and(|tag| tag.text().starts_with("bad_"));
    raised.class == Class::Exit && !raised.trace.is_empty() && raised.trace.iter().all(is_of_server) && !is_wrong_answer
}

/// Returns whether a library raised an exception because it was asked to read text that it cannot read.
fn is_refused_conversion(raised: &Raised, around: &dyn CodeAround) -> bool {
    let mut of_library = raised.trace.iter().take_while(|entry| !around.is_users(entry.module));
    raised.trace.first().is_some_and(is_conversion) || of_library.any(is_reader)
}

/// Returns whether an entry is a library function that reads text or bytes, such as `base64:decode/1`, `zlib:gunzip/1`
/// or `Date.from_iso8601!/1`.
fn is_reader(entry: &TraceEntry) -> bool {
    let name = entry.function.text().trim_end_matches('!');
    let is_reading =
        |word: &str| word.starts_with("decode") || matches!(word, "parse" | "inflate" | "unzip" | "gunzip");
    let is_of_standard = ["rfc3339_to_", "from_iso8601"].iter().any(|start| name.starts_with(start));
    is_of_standard || name.split('_').any(is_reading)
}

/// Returns whether an entry is a function that takes text and raises `badarg` if it cannot convert it.
fn is_conversion(entry: &TraceEntry) -> bool {
    let function = entry.function.text();
    match entry.module.text() {
        "erlang" => {
            let (of_text, to) = match function.split_once("_to_") {
                Some((from, to)) => (matches!(from, "list" | "binary"), to),
                None => (false, ""),
            };
            of_text && matches!(to, "integer" | "float" | "atom" | "existing_atom" | "pid" | "ref" | "term")
        }
        "Elixir.String" => matches!(function, "to_integer" | "to_float" | "to_existing_atom" | "to_atom"),
        "Elixir.Integer" | "Elixir.Float" => function == "parse",
        "base64" => function.starts_with("decode"),
        _ => false,
    }
}

/// Returns where the exception comes from. The stack has no entry for the functions that raise, so the first entry is
/// their caller.
fn origin(raised: &Raised, around: &dyn CodeAround) -> Origin {
    let Some(first) = raised.trace.first() else {
        return if raised.class == Class::Error { Origin::Unknown } else { Origin::Raised };
    };
    if !around.is_users(first.module) {
        return if first.module.text() == "erlang" { Origin::Primitive } else { Origin::Library };
    }
    if raised.class != Class::Error {
        return Origin::Raised;
    }
    if is_mismatch(&raised.reason) {
        let asserts = || match around.load(first.module) {
            Some(module) => asserts_at(&module, first.line),
            None => true,
        };
        return if is_assertion(&raised.reason) && asserts() { Origin::Raised } else { Origin::Mismatch };
    }
    let raises = || around.load(first.module).is_some_and(|module| raises_there(&module, first, &raised.reason));
    if is_exception(&raised.reason) || raises() { Origin::Raised } else { Origin::Primitive }
}

/// Returns whether the reason is one that is raised if no clause, pattern or condition fits. The compiler of Elixir
/// raises some of them by calls.
fn is_mismatch(reason: &Term) -> bool {
    let tag = match reason {
        Term::Atom(atom) => Some(*atom),
        Term::Tuple(parts) => parts.first().and_then(Term::as_atom),
        _ => None,
    };
    tag.is_some_and(|tag| {
        matches!(
            tag.text(),
            "function_clause"
                | "case_clause"
                | "if_clause"
                | "cond_clause"
                | "with_clause"
                | "try_clause"
                | "else_clause"
                | "badmatch"
                | "badrecord"
                | "badmap"
                | "badkey"
                | "badfun"
                | "badarity"
                | "badbool"
                | "undef"
                | "bad_generator"
                | "bad_filter"
        )
    })
}

fn exception(reason: &Term) -> Exception {
    let tag = match reason {
        Term::Atom(atom) => Some(*atom),
        Term::Tuple(parts) => parts.first().and_then(Term::as_atom),
        _ => None,
    };
    match tag.map(Atom::text) {
        Some("function_clause") => Exception::Function,
        Some("case_clause" | "if_clause" | "cond_clause" | "with_clause" | "try_clause" | "else_clause") => {
            Exception::Case
        }
        Some("badmatch") => Exception::Match,
        Some("badarith") => Exception::Arithmetic,
        Some("badarg") => Exception::Argument,
        Some("badkey" | "badmap" | "badrecord" | "bad_generator") => Exception::Key,
        _ => Exception::Other,
    }
}

/// Returns whether the reason is a failed match with a boolean. Code asserts a condition by `true = is_valid(X)`.
fn is_assertion(reason: &Term) -> bool {
    let is_boolean = |term: &Term| *term == Term::FALSE || *term == Term::TRUE;
    let Term::Tuple(parts) = reason else { return false };
    matches!(&**parts, [Term::Atom(tag), value] if tag.text() == "badmatch" && is_boolean(value))
}

/// Returns whether a match on that line has a boolean as its pattern, unlike `{_, Value} = lists:keyfind(…)`.
fn asserts_at(module: &Module, line: u32) -> bool {
    let is_boolean =
        |pattern: &Pattern| matches!(pattern, Pattern::Const(term) if *term == Term::TRUE || *term == Term::FALSE);
    let mut found = false;
    for function in &module.functions {
        let Ok(body) = function.body.get() else { continue };
        for_each_expr(body, |expr| {
            if let Expr::Case { clauses, span, .. } = expr {
                let mut at_line = clauses.iter().filter(|clause| span.line == line || clause.span.line == line);
                found |= at_line.any(|clause| clause.patterns.iter().any(is_boolean));
            }
        });
    }
    found
}

/// Returns whether the code marks the raising place as unreachable by the reason. An assertion that fails is a bug, no
/// matter who made it.
fn is_said_impossible(reason: &Term) -> bool {
    let tag = match reason {
        Term::Atom(atom) => Some(*atom),
        Term::Tuple(parts) => parts.first().and_then(Term::as_atom),
        _ => None,
    };
    let words = [
        "assert", "unreachable", "impossible", "cannot_happen", "cant_happen", "never_happen", "not_happen",
        "invariant",
    ];
    tag.is_some_and(|tag| words.iter().any(|word| tag.text().to_lowercase().contains(word)))
}

/// Returns whether the reason is an exception of Elixir.
fn is_exception(reason: &Term) -> bool {
    let is_mark = |key: &Term| matches!(key, Term::Atom(atom) if atom.text() == "__exception__");
    matches!(reason, Term::Map(pairs) if pairs.iter().any(|(key, _)| is_mark(key)))
}

/// Returns whether yecc or leex wrote a module. Both name the files with the code around their tables.
pub fn is_generated(module: &Module) -> bool {
    let is_theirs = |file: &String| file.ends_with("yeccpre.hrl") || file.ends_with("leexinc.hrl");
    module.files.iter().any(is_theirs)
}

/// Returns whether a call of this function does nothing but raise an exception.
fn raises(module: Atom, function: Atom) -> bool {
    module.text() == "erlang" && matches!(function.text(), "error" | "throw" | "exit" | "raise" | "nif_error")
}

/// Returns whether the code itself raises the exception that has this first entry. The line decides, unless the code
/// makes the trace itself (`erlang:raise/3`) or raises from a macro. In these cases it is enough that the code raises
/// anywhere in the module and builds no bits on that line, because a construction of bits raises in the name of its
/// function.
fn raises_there(module: &Module, entry: &TraceEntry, reason: &Term) -> bool {
    let (mut at_line, mut in_module, mut builds_bits) = (false, false, false);
    for function in &module.functions {
        let Ok(body) = function.body.get() else { continue };
        let is_named = function.name == entry.function;
        for_each_expr(body, |expr| match expr {
            Expr::Call { callee: Callee::Remote { module, function }, args, span } if raises(*module, *function) => {
                at_line |= span.line == entry.line;
                let is_reason = matches!(args.first(), Some(Expr::Const(term)) if term == reason);
                in_module |= function.text() == "raise" || is_reason;
            }
            Expr::Call { callee: Callee::Primitive(name), .. } if is_named => in_module |= name.text() == "raw_raise",
            Expr::Bits { span, .. } => builds_bits |= span.line == entry.line,
            _ => {}
        });
    }
    at_line || in_module && !builds_bits
}

/// Returns whether a function of a library refuses text with characters beyond one byte: `list_to_binary`, `re:split`
/// without `unicode`, `io:format` with `~s`.
fn is_narrowed(raised: &Raised, around: &dyn CodeAround) -> bool {
    // Text to be printed is an item of a list of arguments, and may itself be a list of texts.
    fn is_wide(term: &Term, depth: u32) -> bool {
        match term {
            Term::List(items, _) => items.iter().any(|item| match item {
                Term::Int(code) => (256..=0x0010_FFFF).contains(code),
                _ => depth > 0 && is_wide(item, depth - 1),
            }),
            Term::Atom(name) => name.text().chars().any(|letter| u32::from(letter) > 255),
            _ => false,
        }
    }
    raised.reason == Term::Atom(names::BADARG)
        && raised.trace.first().is_some_and(|entry| {
            !around.is_users(entry.module)
                && !is_conversion(entry)
                && entry.args.iter().flatten().any(|arg| is_wide(arg, DEEPEST))
        })
}

/// Returns whether text that is not a constant of the code and contains a `~` was printed as a format:
/// `io:format(Text)`.
fn is_text_as_format(raised: &Raised, around: &dyn CodeAround) -> bool {
    let Some(TraceEntry { module, function, args: Some(args), .. }) = raised.trace.first() else { return false };
    let is_format = matches!(module.text(), "io" | "io_lib") && matches!(function.text(), "format" | "fwrite");
    let [format @ Term::List(letters, None), Term::Nil] = &args[..] else { return false };
    let has_control = letters.contains(&Term::Int(i64::from(b'~')));
    let is_constant = |entry: &TraceEntry| {
        let mut found = false;
        for function in around.load(entry.module).iter().flat_map(|module| &module.functions) {
            let Ok(body) = function.body.get() else { continue };
            for_each_expr(body, |expr| found |= matches!(expr, Expr::Const(term) if term == format));
        }
        found
    };
    let mut callers = raised.trace.iter().filter(|entry| around.is_users(entry.module));
    raised.reason == Term::Atom(names::BADARG)
        && is_format
        && has_control
        && callers.next().is_some_and(|entry| !is_constant(entry))
}

/// Returns the limit from `{timeout, {Module, call, [Process, Request, Limit]}}`, the exit reason of calls of servers.
fn time_limit(reason: &Term) -> Option<i64> {
    let [Term::Atom(names::TIMEOUT), call] = reason.as_tuple()? else { return None };
    match call.as_tuple()? {
        [_, Term::Atom(function), args] if function.text() == "call" => args.as_list()?.get(2)?.as_int(),
        _ => None,
    }
}

/// The longest time that a process can wait for messages, in milliseconds. Timers accept longer times.
const LONGEST_WAIT: i64 = 0xFFFF_FFFF;

/// Returns whether a time or another number is larger than the runtime accepts.
fn is_too_large(raised: &Raised) -> bool {
    let is_long = |term: &Term| matches!(term, Term::Big(_)) || term.as_int().is_some_and(|time| time > LONGEST_WAIT);
    let Some(entry) = raised.trace.first() else { return false };
    let is_timer = entry.module.text() == "erlang" && matches!(entry.function.text(), "start_timer" | "send_after");
    let arguments = || raised.trace.iter().flat_map(|entry| entry.args.iter().flatten());
    // A server that fails also ends its callers: `{{Reason, Stack}, Call}`.
    let of_call = raised.reason.as_tuple().and_then(|parts| parts.first()?.as_tuple()?.first());
    match of_call.unwrap_or(&raised.reason) {
        Term::Atom(names::BADARG | names::BADARITH) if is_beyond_floats(entry) => true,
        Term::Atom(names::BADARG) => is_timer && arguments().any(is_long),
        Term::Atom(reason) => matches!(reason.text(), "timeout_value" | "system_limit"),
        _ => false,
    }
}

/// Returns whether an operation on floats failed only because its numbers are too large: an integer that is too large
/// for a float, or numbers whose result is.
fn is_beyond_floats(entry: &TraceEntry) -> bool {
    let Some(args) = &entry.args else { return false };
    let is_number = |term: &Term| matches!(term, Term::Int(_) | Term::Big(_) | Term::Float(_));
    let is_zero = |term: &Term| matches!(term, Term::Int(0)) || matches!(term, Term::Float(value) if *value == 0.0);
    let has_large = || args.iter().any(floats::is_beyond);
    args.iter().all(is_number)
        && match (entry.module.text(), entry.function.text()) {
            ("erlang", "+" | "-" | "*") => args.len() == 2,
            ("erlang", "/") => !args.last().is_some_and(is_zero),
            ("erlang", "float") => has_large(),
            ("math", "exp" | "cosh" | "sinh") => true,
            ("math", _) => has_large(),
            _ => false,
        }
}

/// Returns whether an operation on a table was given a term that is neither a name nor a reference.
fn is_no_table(raised: &Raised) -> bool {
    let Some(TraceEntry { module, args: Some(args), .. }) = raised.trace.first() else { return false };
    let is_table = |term: &Term| matches!(term, Term::Atom(_) | Term::Reference(_));
    raised.reason == Term::Atom(names::BADARG)
        && module.text() == "ets"
        && args.first().is_some_and(|table| !is_table(table))
}

/// Returns the application in `{error, {not_started, Application}}`, also inside the reason of an exception.
pub fn unstarted(term: &Term) -> Option<Missing> {
    fn within(term: &Term, depth: u32) -> Option<Missing> {
        match term.as_tuple()? {
            [Term::Atom(tag), Term::Atom(application)] if tag.text() == "not_started" => {
                Some(Missing::Application(application.text().to_string()))
            }
            parts if depth > 0 => parts.iter().find_map(|part| within(part, depth - 1)),
            _ => None,
        }
    }
    within(term, DEEPEST)
}

/// Returns what is missing because it was not started or configured.
pub fn missing(raised: &Raised, around: &dyn CodeAround) -> Option<Missing> {
    let reason = &raised.reason;
    let is_link = |entry: &TraceEntry| (entry.module.text(), entry.function.text()) == ("erlang", "link");
    // A process that is linked to by its pid has existed and has ended.
    if let Some(name) = absent_process(reason).filter(|_| !raised.trace.first().is_some_and(is_link)) {
        return Some(Missing::Process(name));
    }
    if let Some(why) = absent_file(reason) {
        return Some(Missing::File(why.to_string()));
    }
    if let Some(application) = unstarted(reason) {
        return Some(application);
    }
    let first = raised.trace.first()?;
    if *reason == Term::Atom(names::UNDEF) {
        match around.load(first.module) {
            None => return Some(Missing::Module(first.module.text().to_string())),
            // The function exists but is undefined: the module could not be loaded.
            Some(module) if module.find(first.function, first.arity).is_some_and(|id| module.function(id).exported) => {
                return Some(Missing::Module(format!("{} (its -on_load fails)", first.module)));
            }
            Some(_) => {}
        }
    }
    let subject = || subject(first);
    match first.module.text() {
        "ets" if *reason == Term::Atom(names::BADARG) => {
            // A term that cannot be the name of a table is a wrong argument.
            let is_name = |args: &Vec<Term>| matches!(args.first(), Some(Term::Atom(_) | Term::Reference(_)));
            match error_cause(first) {
                _ if !first.args.as_ref().is_none_or(is_name) => None,
                ErrorCause::Unknown => Some(Missing::Table(subject())),
                ErrorCause::Named(cause) if matches!(cause.text(), "id" | "type") => Some(Missing::Table(subject())),
                ErrorCause::Named(cause) if cause.text() == "access" => {
                    Some(Missing::Process(format!("that owns the table {}", subject())))
                }
                // The table exists: it lacks the key, or another argument is wrong.
                ErrorCause::Named(_) | ErrorCause::Arguments => None,
            }
        }
        "persistent_term" if first.function.text() == "get" => {
            let key = literal_key(raised, first, around).map_or_else(subject, erlang::print);
            Some(Missing::PersistentTerm(key))
        }
        // The name is in use, the process has ended, or the name is invalid: nothing is missing.
        "erlang" if first.function.text() == "register" && !matches!(error_cause(first), ErrorCause::Unknown) => None,
        "erlang" => {
            let is_about_processes = matches!(
                first.function.text(),
                "!" | "send" | "register" | "unregister" | "link" | "port_command" | "port_close" | "exit"
            );
            is_about_processes.then(|| Missing::Name(subject()))
        }
        "Elixir.Application" => Some(match first.args.as_deref().and_then(setting_of) {
            Some(name) => Missing::Setting(name),
            None => Missing::Application("the application's environment".to_string()),
        }),
        "Elixir.Registry" | "Elixir.GenServer" | "Elixir.Agent" | "Elixir.Task" => {
            Some(Missing::Process(unknown_registry(reason).unwrap_or_else(|| "that was started".to_string())))
        }
        _ => unset(raised, first, around).map(Missing::Setting),
    }
}

/// Returns the key of a persistent term that the code reads, if the key is not an atom and is a literal in the code.
/// Other keys may be different for every input, and it cannot be expected that all of them were put.
fn literal_key<'a>(raised: &'a Raised, first: &'a TraceEntry, around: &dyn CodeAround) -> Option<&'a Term> {
    let key = first.args.as_ref()?.first().filter(|key| key.as_atom().is_none())?;
    let place = raised.trace.iter().find(|entry| around.is_users(entry.module))?;
    let module = around.load(place.module)?;
    let function = module.function(module.find(place.function, place.arity)?);
    let mut is_there = false;
    for_each_expr(function.body.get().ok()?, |expr| is_there |= matches!(expr, Expr::Const(term) if term == key));
    is_there.then_some(key)
}

/// Returns the name in `%ArgumentError{message: "unknown registry: Shop.Names"}`, as Elixir writes it.
fn unknown_registry(reason: &Term) -> Option<String> {
    let Term::Map(fields) = reason else { return None };
    let (_, message) = fields.iter().find(|(field, _)| *field == Term::atom("message"))?;
    let Term::Bits(text) = message else { return None };
    let name = std::str::from_utf8(text.bytes()).ok()?.strip_prefix("unknown registry: ")?;
    Some(name.strip_prefix(':').map_or_else(|| format!("Elixir.{name}"), str::to_string))
}

/// The runtime's information about an error of a native function.
enum ErrorCause {
    /// There is no information.
    Unknown,
    /// It names no cause: the arguments themselves are wrong.
    Arguments,
    Named(Atom),
}

/// Returns the cause in `{error_info, #{cause => Cause, module => _}}`.
fn error_cause(entry: &TraceEntry) -> ErrorCause {
    let info = entry.details.iter().find_map(|detail| match detail.as_tuple()? {
        [Term::Atom(names::ERROR_INFO), Term::Map(info)] => Some(info),
        _ => None,
    });
    let Some(info) = info else { return ErrorCause::Unknown };
    let cause = info.iter().find(|(key, _)| *key == Term::Atom(names::CAUSE));
    cause.and_then(|(_, cause)| cause.as_atom()).map_or(ErrorCause::Arguments, ErrorCause::Named)
}

/// Returns whether a table, a persistent term or a name was to be created that exists already.
fn is_made_twice(raised: &Raised) -> bool {
    raised.trace.first().is_some_and(|entry| match (entry.module.text(), entry.function.text()) {
        ("ets", "new") => matches!(error_cause(entry), ErrorCause::Named(cause) if cause.text() == "already_exists"),
        ("erlang", "register") => {
            matches!(error_cause(entry), ErrorCause::Named(cause) if cause.text() != "notalive")
        }
        ("persistent_term", "put_new") => true,
        _ => false,
    })
}

/// Returns a setting that is not set, if the exception is about its default value: `{ok, V} = application:get_env(a,
/// k)`.
fn unset(raised: &Raised, first: &TraceEntry, around: &dyn CodeAround) -> Option<String> {
    let is_nothing = |term: &Term| matches!(term, Term::Atom(atom) if matches!(atom.text(), "undefined" | "nil"));
    let is_value = match &raised.reason {
        Term::Tuple(parts) => parts.get(1).is_some_and(is_nothing),
        _ => first.args.iter().flatten().any(is_nothing),
    };
    if !is_value {
        return None;
    }
    let place = raised.trace.iter().find(|entry| around.is_users(entry.module))?;
    let module = around.load(place.module)?;
    let function = module.function(module.find(place.function, place.arity)?);
    let mut settings = Vec::new();
    for_each_expr(function.body.get().ok()?, |expr| settings.extend(asked_setting(expr, module.name)));
    // If there are several settings, the one on the line of the failure is meant.
    let at_line = settings.iter().find(|(line, _)| *line == place.line);
    match (at_line, &settings[..]) {
        (Some((_, name)), _) | (None, [(_, name)]) => Some(name.clone()),
        (None, _) => None,
    }
}

/// Returns the setting that a call reads without a meaningful default, and the line of the call.
fn asked_setting(expr: &Expr, home: Atom) -> Option<(u32, String)> {
    let Expr::Call { callee: Callee::Remote { module, function }, args, span } = expr else { return None };
    let asks = match module.text() {
        "application" => function.text() == "get_env",
        "Elixir.Application" => matches!(function.text(), "get_env" | "fetch_env!" | "fetch_env"),
        _ => false,
    };
    let constants: Option<Vec<Term>> = args
        .iter()
        .map(|arg| match arg {
            Expr::Const(term) => Some(term.clone()),
            _ => None,
        })
        .collect();
    match (asks, &constants?[..]) {
        (true, [Term::Atom(key)]) => Some((span.line, format!("the key {} for {}", key.text(), home.text()))),
        (
            true,
            [Term::Atom(application), Term::Atom(key)] | [Term::Atom(application), Term::Atom(key), Term::Atom(_)],
        ) if args.len() == 2 || is_absent(args.get(2)) => Some((span.line, setting(*application, *key))),
        _ => None,
    }
}

/// Returns whether a default means that the setting is absent.
fn is_absent(default: Option<&Expr>) -> bool {
    matches!(default, Some(Expr::Const(Term::Atom(atom))) if matches!(atom.text(), "undefined" | "nil"))
}

fn setting(application: Atom, key: Atom) -> String {
    let key = key.text().strip_prefix("Elixir.").unwrap_or(key.text());
    format!("the key {key} of application {}", application.text())
}

/// Returns the setting that the arguments of a call name.
fn setting_of(args: &[Term]) -> Option<String> {
    match args {
        [Term::Atom(application), Term::Atom(key), ..] => Some(setting(*application, *key)),
        _ => None,
    }
}

/// Returns the process of a `noproc`, alone or with the call, also inside the reason of another call.
fn absent_process(reason: &Term) -> Option<String> {
    let is_noproc = |term: &Term| matches!(term, Term::Atom(atom) if matches!(atom.text(), "noproc" | "nodedown"));
    match reason {
        term if is_noproc(term) => Some("of this name".to_string()),
        Term::Tuple(parts) if parts.first().is_some_and(is_noproc) => {
            Some(callee(parts).map_or_else(|| "of this name".to_string(), |name| name.text().to_string()))
        }
        _ => called_within(reason, DEEPEST).map(|name| name.text().to_string()),
    }
}

/// Returns the name in `{exception, {noproc, {gen_server, call, [Name | _]}}}` and similar terms.
fn called_within(reason: &Term, depth: u32) -> Option<Atom> {
    let parts = reason.as_tuple()?;
    let is_noproc = matches!(parts.first(), Some(Term::Atom(tag)) if tag.text() == "noproc");
    let own = callee(parts).filter(|_| is_noproc);
    own.or_else(|| parts.iter().filter(|_| depth > 0).find_map(|part| called_within(part, depth - 1)))
}

/// Returns the name of the called process: `{noproc, {gen_server, call, [Name | _]}}`.
fn callee(parts: &[Term]) -> Option<Atom> {
    match parts.get(1)? {
        Term::Tuple(call) => match call.get(2)? {
            Term::List(args, _) => args.first()?.as_atom(),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a message is `{system, From, Request}`, `{'$gen_call', From, Request}` or a similar message of the
/// runtime.
pub fn is_message_of_runtime(term: &Term) -> bool {
    const TAGS: [&str; 8] =
        ["system", "$gen_call", "$gen_cast", "$gen_all_state_event", "EXIT", "DOWN", "io_request", "io_reply"];
    let tag = term.as_tuple().filter(|parts| parts.len() > 1).and_then(|parts| parts[0].as_atom());
    tag.is_some_and(|tag| TAGS.contains(&tag.text()))
}

/// Returns the name without a process that a call or a message was sent to.
pub fn unregistered(raised: &Raised) -> Option<Atom> {
    if let Term::Tuple(parts) = &raised.reason {
        let is_noproc = parts.first().and_then(Term::as_atom).is_some_and(|why| why.text() == "noproc");
        return callee(parts).filter(|_| is_noproc);
    }
    let first = raised.trace.first()?;
    let is_send = matches!((first.module.text(), first.function.text()), ("erlang", "!" | "send"));
    let is_badarg = raised.reason == Term::Atom(names::BADARG);
    first.args.as_ref()?.first()?.as_atom().filter(|_| is_send && is_badarg)
}

/// Returns the kind of an error of files or of applications that a match did not expect.
fn absent_file(reason: &Term) -> Option<&'static str> {
    if let Term::Map(pairs) = reason {
        let name = Term::atom("Elixir.File.Error");
        return pairs.iter().any(|(_, value)| *value == name).then_some("File.Error");
    }
    let Term::Tuple(parts) = reason else { return None };
    let [_, Term::Tuple(result)] = &**parts else { return None };
    let [error, Term::Atom(why)] = &**result else { return None };
    let known = ["enoent", "enotdir", "eacces", "bad_name", "nofile"];
    known.into_iter().find(|known| *error == Term::atom("error") && why.text() == *known)
}

/// Returns the first argument of a primitive, if it is a name.
fn subject(entry: &TraceEntry) -> String {
    match entry.args.as_ref().and_then(|args| args.first()) {
        Some(Term::Atom(name)) => name.text().to_string(),
        _ => "that is asked for".to_string(),
    }
}
