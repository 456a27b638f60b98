//! Targets: places in the code that are to be reached, as marks.

use frontend::{Code, CodeError};
use path::Mark;
use program::Module;
use reach::{MarkPlace, marks_of, marks_set};
use term::{Atom, FunctionName};

/// A place as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a source file. `file` is its name, with or without folders.
    Line {
        file: String,
        line: u32,
        column: Option<u32>,
    },
    Function(FunctionName),
}

/// The code at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// Marks at the place. The target is reached with any of these.
    Marks(Vec<Mark>),
    /// There was code, which the compiler has removed.
    Removed,
    NoCode,
    /// None of the modules was compiled from the file, or none has the name.
    NoModule,
}

impl Place {
    /// Reads `file:line` and `file:line:column`. Languages read the names of functions.
    pub fn read_line(text: &str) -> Option<Place> {
        let (rest, last) = text.rsplit_once(':')?;
        let last: u32 = last.parse().ok()?;
        if let Some((file, line)) = rest.rsplit_once(':')
            && let Ok(line) = line.parse()
        {
            return Some(Place::Line { file: file.to_string(), line, column: Some(last) });
        }
        Some(Place::Line { file: rest.to_string(), line: last, column: None })
    }

    /// Returns the module that the place is probably in, if modules are named like their source files.
    pub fn module(&self) -> Option<Atom> {
        match self {
            Place::Line { file, .. } => {
                let name = file.rsplit('/').next()?;
                Some(Atom::new(name.strip_suffix(".erl")?))
            }
            Place::Function(name) => Some(name.module),
        }
    }

    /// Looks for the place in these modules.
    pub fn resolve(&self, code: &dyn Code, modules: &[Atom]) -> Result<Resolved, CodeError> {
        let mut found = Vec::new();
        let (mut is_removed, mut is_known) = (false, false);
        for name in modules {
            let Some(module) = code.load(*name)? else { continue };
            is_known |= match self {
                Place::Line { file, .. } => (0..module.files.len() as u16).any(|index| is_named(&module, index, file)),
                Place::Function(function) => function.module == *name,
            };
            match self {
                Place::Line { file, line, column } => {
                    let is_it = |mark: &MarkPlace| {
                        is_named(&module, mark.span.file, file)
                            && mark.mark.line == *line
                            && column.is_none_or(|column| mark.mark.column == column)
                    };
                    found.extend(marks_of(&module).iter().filter(|mark| is_it(mark)).map(|mark| mark.mark));
                    is_removed |= is_named(&module, 0, file)
                        && marks_set(&module)
                            .iter()
                            .any(|(set, at)| set == line && column.is_none_or(|column| *at == column));
                }
                Place::Function(function) if function.module == *name => {
                    let id = module.find(function.function, function.arity);
                    found.extend(
                        marks_of(&module).iter().filter(|mark| Some(mark.function) == id).map(|mark| mark.mark),
                    );
                }
                Place::Function(_) => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(match found.is_empty() {
            false => Resolved::Marks(found),
            true if is_removed => Resolved::Removed,
            true if is_known => Resolved::NoCode,
            true => Resolved::NoModule,
        })
    }
}

/// Returns whether a file of a module is the one that the user names, judging by the names of both.
fn is_named(module: &Module, file: u16, name: &str) -> bool {
    let Some(known) = module.files.get(usize::from(file)) else { return false };
    let parts = |path: &str| -> Vec<String> {
        path.split('/').rev().filter(|part| !part.is_empty() && *part != ".").map(str::to_string).collect()
    };
    let (known, name) = (parts(known), parts(name));
    let shared = known.iter().zip(&name).take_while(|(a, b)| a == b).count();
    shared >= 1
        && (shared == known.len().min(name.len())
            || name.contains(&"..".to_string())
            || known.first() == name.first() && is_rooted(&known, &name, shared))
}

/// Returns whether two paths with the same last `shared` parts may be the same file, each relative to another folder.
fn is_rooted(known: &[String], name: &[String], shared: usize) -> bool {
    shared >= 2 || known.len() == 1 || name.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_are_read() {
        let line = |file: &str, line, column| Some(Place::Line { file: file.to_string(), line, column });
        assert_eq!(Place::read_line("src/shop.erl:42"), line("src/shop.erl", 42, None));
        assert_eq!(Place::read_line("shop.erl:42:7"), line("shop.erl", 42, Some(7)));
        assert_eq!(Place::read_line("shop:order/2"), None);
        assert_eq!(Place::read_line("shop.erl"), None);
    }
}
