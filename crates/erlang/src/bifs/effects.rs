//! Functions that act on the world outside, and are therefore not called with invented inputs.

use machine::Primitive;
use term::Atom;

pub(super) const TABLES: &[&[Primitive]] = &[];

/// Returns whether the function acts on the world outside: files, sockets, ports, commands of the operating system, the
/// node, the code that is loaded. Called only for functions that have no row.
pub fn denied(module: Atom, function: Atom, arity: u32) -> bool {
    let (module, function) = (module.text(), function.text());
    match OUTSIDE.iter().find(|(name, _)| *name == module) {
        Some((_, harmless)) => !harmless.contains(&function),
        None => listed(DENIED, module, function, arity),
    }
}

/// Returns single functions that act on the world outside, each with its arity unless all arities are meant.
pub fn denied_functions() -> impl Iterator<Item = (&'static str, &'static str, Option<u32>)> {
    DENIED.iter().flat_map(|(module, functions)| {
        functions.split_whitespace().filter_map(|entry| {
            let (name, arity) = entry.rsplit_once('/')?;
            Some((*module, name, arity.parse().ok()))
        })
    })
}

fn listed(table: &[(&str, &str)], module: &str, function: &str, arity: u32) -> bool {
    let Some((_, functions)) = table.iter().find(|(name, _)| *name == module) else { return false };
    functions.split_whitespace().any(|entry| match entry.rsplit_once('/') {
        Some((name, "_")) => name == function,
        Some((name, number)) => name == function && number.parse() == Ok(arity),
        None => false,
    })
}

/// Modules whose purpose is the world outside, and their functions that do not touch it.
pub const OUTSIDE: &[(&str, &[&str])] = &[
    ("file", &["format_error", "native_name_encoding"]),
    ("file_io_server", &["format_error"]),
    ("filelib", &["wildcard_compile", "safe_relative_path"]),
    ("prim_file", &[]),
    ("prim_inet", &[]),
    ("prim_net", &[]),
    ("prim_socket", &[]),
    ("prim_tty", &[]),
    ("prim_zip", &[]),
    ("prim_buffer", &[]),
    ("erl_prim_loader", &[]),
    ("ram_file", &[]),
    ("disk_log", &["format_error"]),
    ("dets", &[]),
    ("gen_tcp", &[]),
    ("gen_udp", &[]),
    ("gen_sctp", &[]),
    ("socket", &["info", "is_supported", "supports"]),
    ("socket_registry", &[]),
    ("net", &[]),
    (
        "inet",
        &[
            "format_error", "ntoa", "parse_address", "parse_ipv4_address", "parse_ipv4strict_address",
            "parse_ipv6_address", "parse_ipv6strict_address", "parse_strict_address", "is_ipv4_address",
            "is_ipv6_address", "is_ip_address", "ipv4_mapped_ipv6_address",
        ],
    ),
    ("inet_db", &[]),
    ("inet_gethost_native", &[]),
    ("inet_res", &[]),
    ("ssl", &["format_error"]),
    ("ssh", &[]),
    ("httpc", &[]),
    ("ftp", &[]),
    ("tftp", &[]),
    ("erl_ddll", &["format_error"]),
    ("net_kernel", &["dflag_unicode_io", "monitor_nodes"]),
    ("net_adm", &[]),
    ("erl_epmd", &[]),
    ("erl_distribution", &[]),
    ("global_group", &[]),
    ("peer", &[]),
    ("slave", &[]),
    ("init", &["get_argument", "get_arguments", "get_plain_arguments", "get_status", "script_id"]),
    ("heart", &[]),
    ("code_server", &[]),
    ("application_controller", &[]),
    ("dbg", &[]),
    ("erl_tracer", &[]),
    ("mnesia", &[]),
];

/// Single functions, `name/arity`, or `name/_` for every arity.
const DENIED: &[(&str, &str)] = &[
    ("os", "cmd/_ putenv/2 unsetenv/1 set_signal/2 find_executable/_"),
    (
        "erlang",
        "open_port/2 port_call/_ port_close/1 port_command/_ port_connect/2 port_control/3 port_info/_ \
        port_get_data/1 port_set_data/2 ports/0 load_nif/2 load_module/2 delete_module/1 purge_module/1 \
        check_process_code/_ check_old_code/1 finish_loading/1 call_on_load_function/1 finish_after_on_load/2 \
        prepare_loading/2 has_prepared_code_on_load/1 set_cookie/_ disconnect_node/1 setnode/_ monitor_node/_ \
        system_flag/2 system_monitor/_ system_profile/_ trace/3 trace_pattern/_ trace_info/2 trace_delivered/1 \
        dist_ctrl_get_data/1 dist_ctrl_get_data_notification/1 dist_ctrl_get_opt/2 dist_ctrl_input_handler/2 \
        dist_ctrl_put_data/2 dist_ctrl_set_opt/3 dist_get_stat/1 seq_trace/2 seq_trace_info/1 seq_trace_print/_ \
        suspend_process/_ resume_process/1 loaded/0",
    ),
    (
        "erts_internal",
        "open_port/2 port_call/3 port_close/1 port_command/3 port_connect/2 port_control/3 \
        port_info/_ prepare_loading/2 purge_module/2 trace/3 trace_pattern/3 beamfile_chunk/2 \
        beamfile_module_md5/1 new_connection/1 abort_pending_connection/2 create_dist_channel/3 \
        dist_spawn_request/4 suspend_process/2 system_check/1",
    ),
    (
        "code",
        "load_file/_ load_abs/_ load_binary/_ purge/1 soft_purge/1 delete/1 add_path/_ add_patha/_ \
        add_pathz/_ add_paths/_ add_pathsa/_ add_pathsz/_ del_path/_ set_path/_ replace_path/2 atomic_load/1 \
        prepare_loading/1 finish_loading/1 unstick_dir/1 unstick_mod/1 stick_dir/1 \
        stick_mod/1 get_path/0 which/_ lib_dir/_ priv_dir/_ all_loaded/0 all_available/0 get_object_code/1 \
        where_is_file/_ root_dir/0 compiler_dir/0 clash/0 modified_modules/0 module_status/_ del_paths/_",
    ),
    ("compile", "file/_ output_generated/_ noenv_file/_"),
    ("c", "c/_ l/1 nc/_ cd/1 ls/_ m/_ lc/1 pid/_ i/_ memory/_ regs/0 xm/1 y/_"),
    ("epp", "open/_ parse_file/_"),
    ("escript", "create/2 extract/2"),
    ("zip", "zip/_ unzip/_ zip_open/_ zip_get/_ extract/_ create/_ list_dir/_ table/_ tt/1 t/1"),
    ("erl_tar", "create/_ extract/_ open/_ table/_ t/1 tt/1 add/_ init/3"),
    ("beam_lib", "strip/_ strip_files/_ strip_release/_"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn is_denied(module: &str, function: &str, arity: u32) -> bool {
        denied(Atom::new(module), Atom::new(function), arity)
    }

    #[test]
    fn the_world_outside_is_denied_and_pure_code_is_not() {
        assert!(is_denied("file", "read_file", 1));
        assert!(is_denied("os", "cmd", 1));
        assert!(is_denied("os", "cmd", 2));
        assert!(is_denied("gen_tcp", "connect", 3));
        assert!(is_denied("erlang", "open_port", 2));
        assert!(!is_denied("file", "format_error", 1));
        assert!(!is_denied("os", "type", 0));
        assert!(!is_denied("inet", "parse_address", 1));
        assert!(!is_denied("lists", "map", 2));
    }
}
