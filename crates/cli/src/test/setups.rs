//! Functions that are called before each run: those that the user names, and those that modules name for their own.

use crate::languages::print_name;
use anyhow::{Context, bail};
use campaign::Target;
use frontend::Code;
use machine::Limits;
use path::Outcome;
use session::Opaque;
use std::collections::HashSet;
use std::sync::Arc;
use term::FunctionName;

/// Gives every function its setups, and runs each of them once: what fails would fail before every run.
pub fn prepare(
    targets: &mut [Target],
    named: &[FunctionName],
    code: &Arc<dyn Code>,
    opaque: &Opaque,
    limits: Limits,
) -> anyhow::Result<()> {
    let mut checked = HashSet::new();
    for target in targets {
        let module = target.module.name;
        // Wrong attributes were reported when the functions were chosen.
        let own = code.attributes(&target.module).unwrap_or_default().setups.into_iter();
        let own = own.map(|function| FunctionName { module, function, arity: 0 });
        let name = target.name;
        target.setups = named.iter().copied().chain(own).filter(|setup| *setup != name).collect();
        for setup in &target.setups {
            if checked.insert(*setup) {
                check(*setup, code, opaque, limits).with_context(|| format!("setup {}", print_name(*setup)))?;
            }
        }
    }
    Ok(())
}

fn check(setup: FunctionName, code: &Arc<dyn Code>, opaque: &Opaque, limits: Limits) -> anyhow::Result<()> {
    let FunctionName { module, function, arity } = setup;
    if arity != 0 {
        bail!("a setup has no parameters: write module:name/0");
    }
    let Some(program) = code.load(module)? else { bail!("the module was not found: name its file as well") };
    if !program.find(function, 0).is_some_and(|id| program.function(id).exported) {
        bail!("there is no such function, or it is not exported");
    }
    match opaque.session(code, limits)?.machine.run(module, function, &[]) {
        Outcome::Value(_) => Ok(()),
        Outcome::Raised(raised) => bail!("it raises {} {}", raised.class.atom(), erlang::print(&raised.reason)),
        Outcome::Stopped(stop) => {
            let why = report::stopped(&stop, &print_name);
            bail!("{why}. A setup may start processes and make tables, terms and settings, but not act on the outside")
        }
    }
}
