//! Core Erlang of sources and BEAM files, where modules are, and what is said when they are not.

use crate::common::{atom, compile, folder, shared, value, write};
use oracle::{Added, CompileOptions, Implementation, Oracle, OracleConfig, OracleError};
use std::path::Path;
use term::Term;

/// The names of the functions that a module in Core defines.
fn defined(core: &Term) -> Vec<String> {
    let Some([_, _, _, _, _, definitions]) = core.as_tuple() else { panic!("{core:?}") };
    let name = |definition: &Term| match definition.as_tuple()?.first()?.as_tuple()? {
        [_, _, name] => Some(format!("{}/{}", name.as_tuple()?[0].as_atom()?, name.as_tuple()?[1].as_int()?)),
        _ => None,
    };
    definitions.as_list().expect("definitions").iter().filter_map(name).collect()
}

/// All places where `wanted` holds for a node's annotations.
fn annotations(core: &Term, wanted: &dyn Fn(&str, &Term) -> bool, found: &mut usize) {
    match core {
        Term::Tuple(parts) => {
            if let [Term::Atom(tag), anno, ..] = &parts[..]
                && tag.text().starts_with("c_")
            {
                *found += anno.as_list().unwrap_or_default().iter().filter(|item| wanted(tag.text(), item)).count();
                if tag.text() == "c_literal" {
                    return;
                }
            }
            parts.iter().for_each(|part| annotations(part, wanted, found));
        }
        Term::List(items, _) => items.iter().for_each(|item| annotations(item, wanted, found)),
        _ => {}
    }
}

fn count(core: &Term, wanted: impl Fn(&str, &Term) -> bool) -> usize {
    let mut found = 0;
    annotations(core, &wanted, &mut found);
    found
}

fn is_tagged(item: &Term, tag: &str) -> bool {
    matches!(item.as_tuple(), Some([Term::Atom(found), _]) if found.text() == tag)
}

#[test]
fn source_with_includes_macros_and_a_transform() {
    let folder = folder();
    let transform = write(
        &folder,
        "doubling.erl",
        "-module(doubling).\n-export([parse_transform/2]).\n\
         parse_transform(Forms, _) -> [rename(F) || F <- Forms].\n\
         rename({function, L, old, A, C}) -> {function, L, new, A, C};\nrename(F) -> F.\n",
    );
    write(&folder, "headers/own.hrl", "-define(OWN, 1).\nfrom_header() -> own.\n");
    let source = write(
        &folder,
        "user.erl",
        "-module(user).\n-compile({parse_transform, doubling}).\n-compile(warnings_as_errors).\n-export([f/0, new/0]).\n\
         -include(\"own.hrl\").\n-include_lib(\"stdlib/include/assert.hrl\").\n\
         -spec f() -> {1, two, term()}.\nf() -> Unused = 1, {?OWN, ?GIVEN, is_defined()}.\n\
         -ifdef(FLAG).\nis_defined() -> yes.\n-else.\nis_defined() -> no.\n-endif.\nold() -> from_header().\n",
    );
    let options = CompileOptions {
        include_paths: vec![folder.path().join("headers")],
        macros: vec![("GIVEN".into(), Some("{two, \"text\"}".into())), ("FLAG".into(), None)],
        options: vec!["nowarn_export_all".into()],
    };
    let missing = shared().core_of_source(&source, &options).expect_err("the transform is not in the code path");
    assert!(
        matches!(&missing, OracleError::Compile { missing_transforms, .. } if *missing_transforms == [atom("doubling")]),
        "{missing}"
    );
    let code = shared().object_code(&transform, &CompileOptions::default()).expect("the transform compiles");
    shared().load_transform(&transform, &code).expect("it is code");
    let core = shared().core_of_source(&source, &options).expect("it compiles");
    assert_eq!(core.module, atom("user"));
    let functions = defined(&core.term);
    for name in ["f/0", "new/0", "from_header/0", "is_defined/0"] {
        assert!(functions.iter().any(|function| function == name), "{name} in {functions:?}");
    }
    let names: Vec<_> = core.files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
    for name in ["user.erl", "own.hrl", "assert.hrl"] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(core.transforms.len(), 1);
    assert_eq!(core.transforms[0].module, atom("doubling"));
    // The header's function says where it is from, the module's own functions need not.
    let files = count(&core.term, |_, item| is_tagged(item, "file"));
    assert!((2..8).contains(&files), "{files} annotations name a file");
}

#[test]
fn annotations_that_are_needed_survive() {
    let core = shared().core_of_module(atom("gen_server")).expect("OTP has debug info").term;
    assert!(count(&core, |_, item| is_tagged(item, "function")) > 10);
    assert!(count(&core, |_, item| is_tagged(item, "id")) > 0);
    assert!(count(&core, |_, item| *item == Term::atom("compiler_generated")) > 10);
    let is_place =
        |item: &Term| item.as_int().is_some() || matches!(item.as_tuple(), Some([Term::Int(_), Term::Int(_)]));
    assert!(count(&core, |tag, item| tag == "c_call" && is_place(item)) > 50);
    assert_eq!(count(&core, |tag, item| tag == "c_var" && is_place(item)), 0);
    assert_eq!(count(&core, |tag, item| tag == "c_module" && is_tagged(item, "file")), 1);
}

#[test]
fn compile_errors_have_places() {
    let folder = folder();
    let source = write(&folder, "wrong.erl", "-module(wrong).\n-export([f/0]).\nf() ->\n  X + 1.\n");
    let error = shared().core_of_source(&source, &CompileOptions::default()).expect_err("X is unbound");
    let OracleError::Compile { errors, .. } = &error else { panic!("{error}") };
    assert_eq!(*errors, [format!("{}:4:3: variable 'X' is unbound", source.display())]);
    assert!(error.to_string().contains("wrong.erl does not compile:\n"), "{error}");

    let source = write(&folder, "lost.erl", "-module(lost).\n-include(\"nowhere.hrl\").\n");
    let error = shared().core_of_source(&source, &CompileOptions::default()).expect_err("no such header");
    assert!(error.to_string().contains("lost.erl:2:10: can't find include file \"nowhere.hrl\""), "{error}");

    let error = shared().core_of_source(Path::new("/no/such/file.erl"), &CompileOptions::default());
    assert!(error.expect_err("no file").to_string().contains("no such file"));

    let options = CompileOptions { options: vec!["{inline".into()], ..CompileOptions::default() };
    let error = shared().core_of_source(&source, &options).expect_err("not a term");
    assert!(matches!(&error, OracleError::BadOption { option } if option == "{inline"), "{error}");
}

#[test]
fn beams_with_and_without_debug_info() {
    let folder = folder();
    let source = write(&folder, "shipped.erl", "-module(shipped).\n-export([f/1]).\nf(X) -> X.\n");
    let beam = compile(shared(), &source, "[]");
    let error = shared().core_of_beam(&beam).expect_err("no debug info");
    assert!(matches!(error, OracleError::NoDebugInfo { .. }), "{error}");
    assert!(error.to_string().contains("shipped.beam") && error.to_string().contains("+debug_info"), "{error}");
    compile(shared(), &source, "[debug_info, {debug_info_key, \"secret\"}, encrypt_debug_info]");
    let error = shared().core_of_beam(&beam).expect_err("encrypted");
    assert!(matches!(&error, OracleError::NoDebugInfo { reason, .. } if reason.contains("encrypted")), "{error}");
    compile(shared(), &source, "[debug_info]");
    let core = shared().core_of_beam(&beam).expect("debug info");
    assert!(defined(&core.term).contains(&"f/1".to_owned()));

    std::fs::write(&beam, "not a BEAM file").expect("writable");
    let error = shared().core_of_beam(&beam).expect_err("damaged");
    assert!(matches!(&error, OracleError::BadBeam { reason, .. } if reason == "Not a BEAM file"), "{error}");
    let error = shared().core_of_beam(Path::new("/no/such.beam")).expect_err("no file");
    assert!(matches!(error, OracleError::BadBeam { .. }), "{error}");
}

#[test]
fn modules_are_located() {
    let locate = |name| shared().locate(atom(name)).expect("an answer");
    assert_eq!(locate("no_such_module_here"), None);
    for name in ["lists", "erlang", "prim_eval", "init", "compile"] {
        let file = locate(name).unwrap_or_else(|| panic!("{name}"));
        assert!(file.is_file() && file.ends_with(format!("{name}.beam")), "{}", file.display());
    }
    let index = shared().code_index().expect("an index");
    for name in ["lists", "erlang", "gen_server", "v3_core"] {
        let folder = index.iter().find(|folder| folder.modules.iter().any(|module| module == name)).expect(name);
        assert_eq!(Some(folder.path.join(format!("{name}.beam"))), locate(name));
    }
    let error = shared().core_of_module(atom("no_such_module_here")).expect_err("no module");
    assert!(matches!(error, OracleError::NoModule { .. }), "{error}");
    assert!(error.to_string().contains("no_such_module_here"));
    let core = shared().core_of_module(atom("prim_eval")).expect("preloaded modules have files");
    assert_eq!(core.module, atom("prim_eval"));
    let bytes = shared().read_file(&locate("lists").expect("lists")).expect("readable");
    assert!(bytes.starts_with(b"FOR1"));
}

#[test]
fn elixir_beams_are_like_any_other() {
    let elixir = files::find_executable(Path::new("elixir")).expect("elixir is installed for the tests");
    let ebin = elixir.parent().and_then(Path::parent).expect("an installation").join("lib/elixir/ebin");
    let beam = ebin.join("Elixir.Enum.beam");
    let error = shared().core_of_beam(&beam).expect_err("its reader is not in the code path");
    assert!(error.to_string().contains("elixir_erl"), "{error}");
    let oracle = Oracle::new(OracleConfig { code_paths: vec![ebin], ..OracleConfig::default() });
    let core = oracle.core_of_beam(&beam).expect("debug info");
    assert!(defined(&core.term).contains(&"map/2".to_owned()));
    assert_eq!(oracle.core_of_module(atom("Elixir.Enum")).expect("in the code path").module, atom("Elixir.Enum"));
}

#[test]
fn code_paths_come_in_order_and_before_otp() {
    let (first, second) = (folder(), folder());
    for (folder, answer) in [(&first, 1), (&second, 2)] {
        let source = write(folder, "twice.erl", &format!("-module(twice).\n-export([f/0]).\nf() -> {answer}.\n"));
        compile(shared(), &source, "[debug_info]");
    }
    let code_paths = vec![first.path().to_path_buf(), second.path().to_path_buf()];
    let oracle = Oracle::new(OracleConfig { code_paths, ..OracleConfig::default() });
    assert_eq!(value(&oracle, "twice:f()"), Term::Int(1));
    let is_of_project = |folder: &oracle::CodeFolder| folder.modules.contains(&"twice".to_owned());
    assert!(!oracle.code_index().expect("an index").iter().any(is_of_project), "only what is installed");
}

#[test]
fn who_implements_a_function() {
    let kind =
        |module, function, arity| shared().implementation(atom(module), atom(function), arity).expect("an answer");
    assert_eq!(kind("erlang", "length", 1), Implementation::Bif);
    assert_eq!(kind("lists", "reverse", 2), Implementation::Bif);
    assert_eq!(kind("lists", "map", 2), Implementation::Code);
    assert_eq!(kind("lists", "no_such_function", 2), Implementation::None);
    assert_eq!(kind("prim_file", "get_cwd_nif", 0), Implementation::Nif);
    let error = shared().implementation(atom("no_such_module_here"), atom("f"), 0).expect_err("no module");
    assert!(matches!(error, OracleError::NoModule { .. }), "{error}");
}

/// A transform that replaces the compiler in its runtime has no say in what may be kept for other projects.
#[test]
fn transforms_do_not_change_what_is_compiled_for_others() {
    let folder = folder();
    let oracle = Oracle::new(crate::common::trusting());
    let fake = "-module(compile).\n-compile([export_all, nowarn_export_all]).\n\
        noenv_forms(_, _) -> {error, [], []}.\nnoenv_file(_, _) -> {error, [], []}.\n";
    let fake = write(&folder, "compile.erl", fake);
    let fake = oracle.object_code(&fake, &CompileOptions::default()).expect("it compiles");
    let planted = folder.path().join("planted.beam");
    std::fs::write(&planted, fake).expect("writable");
    let transform = format!(
        "-module(replacing).\n-export([parse_transform/2]).\nparse_transform(Forms, _) ->\n\
         {{ok, Code}} = file:read_file(\"{}\"), code:unstick_mod(compile), code:purge(compile),\n\
         {{module, _}} = code:load_binary(compile, \"compile.beam\", Code), Forms.\n",
        planted.display()
    );
    let transform = write(&folder, "replacing.erl", &transform);
    let code = oracle.object_code(&transform, &CompileOptions::default()).expect("it compiles");
    oracle.load_transform(&transform, &code).expect("it is code");
    let user = write(&folder, "user.erl", "-module(user_of_it).\n-compile({parse_transform, replacing}).\n");
    // Whatever becomes of it.
    drop(oracle.object_code(&user, &CompileOptions::default()));
    let plain = write(&folder, "plain.erl", "-module(plain).\n-export([f/0]).\nf() -> 1.\n");
    assert!(oracle.core_of_source(&plain, &CompileOptions::default()).is_err(), "the compiler is replaced");
    assert_eq!(oracle.core_of_own_source(&plain).expect("it compiles").module, atom("plain"));
    let queue = shared().locate(atom("queue")).expect("an answer").expect("a file");
    let added = Added { events: true, ..Added::default() };
    let compiled = oracle.code_of_beam_with(added, &queue).expect("it compiles");
    assert!(compiled.code.starts_with(b"FOR1") && !compiled.is_foreign);
}
