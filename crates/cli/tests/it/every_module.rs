//! The modules of the OTP and the Elixir that are installed are lowered and accepted by the verifier, or refused
//! with a reason. A part of them usually, all of them with `BEAGLE_EVERY_MODULE=1`.

use frontend::CodeConfig;
use loader::{LoadError, Loader};
use oracle::OracleError;
use std::collections::BTreeSet;
use term::Atom;

const USUALLY_ONE_OF: usize = 60;

#[test]
fn every_module_is_lowered_or_refused_by_name() {
    let beam = beam::open(CodeConfig::default()).expect("code without sources");
    let loader = &beam.loader;
    erlang::otp::work_with(loader.release().expect("a runtime"));
    let step = if std::env::var_os("BEAGLE_EVERY_MODULE").is_some() { 1 } else { USUALLY_ONE_OF };
    let (mut lowered, mut refused, mut wrong) = (0, Vec::new(), Vec::new());
    for name in installed(loader).iter().step_by(step) {
        match loader.load(Atom::new(name)) {
            Ok(Some(module)) => match program::verify(&module) {
                Ok(()) => lowered += 1,
                Err(errors) => wrong.extend(errors.iter().map(|error| format!("{name}: {error}"))),
            },
            // Nobody can lower what has no code to lower.
            Err(error) if is_without_code(&error) => refused.push(format!("{name}: {error}")),
            Ok(None) => wrong.push(format!("{name}: is not there")),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    println!("OTP {}: {lowered} modules lowered, {} refused", erlang::otp::release(), refused.len());
    refused.iter().for_each(|refusal| println!("  {refusal}"));
    assert_eq!(wrong, Vec::<String>::new());
    assert!(lowered > 0);
}

fn is_without_code(error: &LoadError) -> bool {
    matches!(error, LoadError::Oracle(error) if matches!(**error, OracleError::NoDebugInfo { .. }))
}

fn installed(loader: &Loader) -> BTreeSet<String> {
    let folders = loader.oracle().code_index().expect("the code path");
    folders.into_iter().flat_map(|folder| folder.modules).collect()
}
