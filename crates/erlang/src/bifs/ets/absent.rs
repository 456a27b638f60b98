//! The errors of calls whose argument is no table.

use crate::ErlangState;
use crate::bifs::process::{can_start, start_first};
use crate::bifs::{badarg, badarg_because};
use machine::{Context, Escape, Word};
use path::{Stop, Surrounding};
use term::{Atom, FunctionName, names};

/// Named tables of processes that every system has. Those processes do not exist here: a program that uses their tables
/// makes no mistake, but is not supported.
const OF_THE_SYSTEM: [&str; 19] = [
    "ac_tab", "code", "code_names", "file_io_servers", "global_locks", "global_lost_connections", "global_names",
    "global_names_ext", "global_node_resources", "global_pid_ids", "global_pid_names", "inet_cache", "inet_db",
    "inet_hosts_byaddr", "inet_hosts_byname", "inet_hosts_file_byaddr", "inet_hosts_file_byname", "inet_sockets",
    "logger",
];

/// Raises `badarg` for an identifier that is no table.
pub fn no_table(context: &mut Context, identifier: Word) -> Escape {
    let global = Atom::new("global_name_server");
    if identifier.as_atom().is_some_and(|name| name.text().starts_with("global_")) && can_start(context, global) {
        return start_first(context, global);
    }
    if identifier.as_atom().is_some_and(|name| OF_THE_SYSTEM.contains(&name.text())) {
        return context.stop(Stop::Unsupported(FunctionName {
            module: names::EMPTY,
            function: names::EMPTY,
            arity: 0,
        }));
    }
    if identifier.is_atom() {
        context.asks(Surrounding::Tables);
    }
    let gone = ErlangState::of(context).ets.may_be_gone(identifier);
    badarg_because(context, if gone { "id" } else { "type" })
}

/// Raises `badarg` for arguments of which the first should be a table.
pub fn bad_call(context: &mut Context, args: &[Word]) -> Escape {
    let known = args.first().is_none_or(|identifier| ErlangState::of(context).ets.number(*identifier).is_some());
    if known { badarg(context, args) } else { no_table(context, args[0]) }
}
