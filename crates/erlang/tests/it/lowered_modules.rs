//! What lowering makes of OTP's own modules keeps the promises of the IR: the verifier accepts it, and
//! its text form reads back exactly.

use std::process::Command;

/// Chosen for what they are rich in: patterns, binaries, comprehensions, receives that bind variables,
/// generated tables, deep expressions.
const MODULES: &[&str] = &[
    "lists", "maps", "string", "binary", "proplists", "gb_trees", "array", "base64", "uri_string", "calendar",
    "unicode_util", "io_lib_format", "erl_scan", "erl_parse", "rand", "gen_server", "gen_statem", "global",
    "logger_server", "supervisor", "ets", "re", "zip", "erl_eval", "beam_asm", "sys_core_fold",
];

const DUMP: &str = r#"#!/usr/bin/env escript
-mode(compile).
main([Folder | Names]) ->
    [dump(Folder, list_to_atom(Name)) || Name <- Names].

dump(Folder, Module) ->
    {ok, {_, [{debug_info, {debug_info_v1, Backend, Data}}]}} = beam_lib:chunks(code:which(Module), [debug_info]),
    {ok, Forms} = Backend:debug_info(erlang_v1, Module, Data, []),
    {ok, _, Core} = compile:noenv_forms(Forms, [to_core, binary, return_errors]),
    ok = file:write_file(filename:join(Folder, Module), term_to_binary(Core, [{minor_version, 2}])).
"#;

#[test]
fn lowered_modules_are_sound() {
    let folder = std::env::temp_dir().join(format!("beagle-lowered-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let script = folder.join("dump.escript");
    std::fs::write(&script, DUMP).expect("the script");
    let run = Command::new("escript").arg(&script).arg(&folder).args(MODULES).output().expect("escript is installed");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    let mut wrong = Vec::new();
    for name in MODULES {
        let bytes = std::fs::read(folder.join(name)).expect("the Core Erlang of the module");
        let core = etf::decode(&bytes).expect("a term");
        let module = erlang::lower_core(&core).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Err(errors) = program::verify(&module) {
            wrong.extend(errors.iter().map(|error| format!("{name}: {error}")));
        }
        let text = program::print(&module);
        let again = program::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let same = program::encode(&module).expect("encodes") == program::encode(&again).expect("encodes");
        assert!(same, "{name} reads back as something else");
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert_eq!(wrong, Vec::<String>::new());
}
