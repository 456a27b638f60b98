//! Functions that are not executed symbolically, because the command line or an attribute of their module says so.

use crate::session::{Session, SessionError, WantedMarks};
use frontend::Code;
use machine::Limits;
use program::Module;
use report::Printer;
use std::sync::Arc;
use term::Atom;
use term::FunctionName;

/// The functions that the command line names. Modules name their own.
#[derive(Clone, Default)]
pub struct Opaque(Arc<[FunctionName]>);

impl Opaque {
    pub fn new(named: Vec<FunctionName>) -> Opaque {
        Opaque(named.into())
    }

    /// Returns the opaque functions of a module, by name and arity.
    pub fn of(&self, code: &dyn Code, module: &Module) -> Vec<(Atom, u32)> {
        let named = self.0.iter().filter(|name| name.module == module.name).map(|name| (name.function, name.arity));
        // Invalid attributes of a module are reported where its functions are chosen.
        named.chain(code.attributes(module).unwrap_or_default().opaque).collect()
    }

    /// Returns a session that does not execute these functions symbolically.
    pub fn session(&self, code: &Arc<dyn Code>, limits: Limits) -> Result<Session, SessionError> {
        Session::over(Arc::clone(code), limits, self.clone(), None)
    }

    /// Returns a session that does not execute these functions symbolically, for code with marks.
    pub fn session_with_marks(
        &self,
        code: &Arc<dyn Code>,
        limits: Limits,
        marks: &WantedMarks,
    ) -> Result<Session, SessionError> {
        Session::over(Arc::clone(code), limits, self.clone(), Some(Arc::clone(marks)))
    }

    /// Checks the names. `Err` describes for the user what is wrong with one.
    pub fn check(&self, code: &dyn Code, printer: &dyn Printer) -> Result<(), String> {
        for name in self.0.iter() {
            let FunctionName { module, function, arity } = *name;
            let printed = printer.function(FunctionName { module, function, arity });
            if let Some(row) = code.language().primitive(module, function, arity) {
                let why = match row.meaning {
                    machine::Meaning::Sampled { .. } => "is known by samples anyway",
                    _ => "is native and has a meaning for the solver",
                };
                return Err(format!("--opaque {printed} {why}: leave it out, or name the function that calls it"));
            }
            match code.load(module).map_err(|error| error.to_string())? {
                Some(module) if has(&module, function, arity) => {}
                Some(_) => return Err(format!("--opaque {printed}: the module has no such function")),
                None => return Err(format!("--opaque {printed}: the module was not found; name its file as well")),
            }
        }
        Ok(())
    }
}

fn has(module: &Module, function: Atom, arity: u32) -> bool {
    module.functions.iter().any(|own| own.name == function && own.arity == arity && own.captures == 0)
}
