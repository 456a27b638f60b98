//! Which functions are meant.

use crate::arguments::TestOptions;
use anyhow::{anyhow, bail};
use beagle::{Opaque, declared_opaque};
use erlang::syntax::elixir::{Elixir, NoStructs, is_elixir, parse_function_name};
use erlang::syntax::{Erlang, Notation, parse_term, print_atom};
use formula::FunctionName;
use loader::Loader;
use program::{Module, Origin};
use report::Name;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use term::{Atom, Fun, Term};

/// What the command line names.
pub struct Wanted {
    /// Files and folders of code.
    pub paths: Vec<PathBuf>,
    /// Without any, the functions of all files are meant.
    pub functions: Vec<Name>,
    /// Not to be looked into.
    pub opaque: Vec<Name>,
}

/// A function to test.
#[derive(Clone)]
pub struct Target {
    /// Among all that are meant, whether they are tested by this command or not.
    pub number: usize,
    pub name: Name,
    pub module: Arc<Module>,
}

/// What is to be tested, and why some of it cannot be.
#[derive(Default)]
pub struct Targets {
    pub functions: Vec<Target>,
    /// Messages, one for each module that could not be loaded.
    pub failures: Vec<String>,
}

impl Wanted {
    pub fn of(options: &TestOptions) -> anyhow::Result<Wanted> {
        let mut wanted = Wanted { paths: Vec::new(), functions: Vec::new(), opaque: Vec::new() };
        for target in &options.targets {
            let path = Path::new(target);
            match function_name(target) {
                _ if path.exists() => wanted.paths.push(path.to_path_buf()),
                Some(name) => wanted.functions.push(name),
                None => bail!(
                    "there is no file or folder {target}, and it does not name a function: name a .erl or .beam file, \
                     a folder of them, or a function as module:name/arity or Module.name/arity"
                ),
            }
        }
        for function in &options.functions {
            match function_name(function) {
                Some(name) => wanted.functions.push(name),
                None => {
                    bail!("-f {function} names no function: write module:name/arity, or Module.name/arity in Elixir")
                }
            }
        }
        for function in &options.opaque {
            match function_name(function) {
                Some(name) => wanted.opaque.push(name),
                None => bail!(
                    "--opaque {function} names no function: write module:name/arity, or Module.name/arity in Elixir"
                ),
            }
        }
        if wanted.paths.is_empty() && is_project(Path::new(".")) {
            wanted.paths.push(PathBuf::from("."));
        }
        if wanted.paths.is_empty() && wanted.functions.is_empty() {
            bail!(
                "there is no Erlang project in this folder: name .erl or .beam files, folders of them, or functions \
                 as module:name/arity"
            );
        }
        Ok(wanted)
    }

    /// The functions that are not to be looked into.
    pub fn opaque(&self, loader: &Loader) -> anyhow::Result<Opaque> {
        let name = |&Name { module, function, arity }: &Name| FunctionName { module, function, arity };
        let opaque = Opaque::new(self.opaque.iter().map(name).collect());
        opaque.check(loader).map_err(anyhow::Error::msg)?;
        Ok(opaque)
    }

    /// Loads what is needed to know the functions. What is named and not there is wrong use; a module that
    /// does not load is only left out.
    pub fn find(&self, loader: &Loader, all: bool, opaque: &Opaque) -> anyhow::Result<Targets> {
        let mut targets = Targets::default();
        if self.functions.is_empty() {
            for (module, file) in loader.source_modules() {
                match loader.load(module) {
                    Ok(Some(module)) => {
                        declared_opaque(&module).map_err(|why| anyhow!("{}: {why}", file.display()))?;
                        let is_named = self.paths.iter().any(|path| path == file);
                        // There is nothing to find in what is not looked into.
                        let hidden = opaque.of(&module);
                        let is_open = |target: &Target| !hidden.contains(&(target.name.function, target.name.arity));
                        targets.functions.extend(functions_of(&module, all, is_named).into_iter().filter(is_open));
                    }
                    Ok(None) => targets.failures.push(format!("{} has gone away", file.display())),
                    Err(error) => targets.failures.push(error.to_string()),
                }
            }
        }
        for &name in &self.functions {
            match loader.load(name.module) {
                Ok(Some(module)) => targets.functions.push(exported(name, module)?),
                Ok(None) => bail!("{} is in no module that can be found: name its file too", print_name(name)),
                Err(error) => targets.failures.push(error.to_string()),
            }
        }
        targets.functions.iter_mut().enumerate().for_each(|(number, target)| target.number = number);
        Ok(targets)
    }
}

/// What a user calls the module's functions: those that say what they take or, in a file that says nothing
/// and was named by itself, all.
fn functions_of(module: &Arc<Module>, all: bool, is_named: bool) -> Vec<Target> {
    let has_spec =
        |name: Name| module.types.specs.iter().any(|spec| spec.name == name.function && spec.arity == name.arity);
    let exported = module.functions.iter().filter(|function| {
        function.exported && function.origin == Origin::Named && !GENERATED.contains(&function.name.text())
    });
    let names: Vec<Name> =
        exported.map(|function| Name { module: module.name, function: function.name, arity: function.arity }).collect();
    let none_says_anything = is_named && !names.iter().any(|name| has_spec(*name));
    let chosen = names.into_iter().filter(|name| all || none_says_anything || has_spec(*name));
    chosen.map(|name| Target { number: 0, name, module: Arc::clone(module) }).collect()
}

/// What compilers add to every module.
const GENERATED: [&str; 4] = ["module_info", "behaviour_info", "__info__", "__struct__"];

fn exported(name: Name, module: Arc<Module>) -> anyhow::Result<Target> {
    let Some(id) = module.find(name.function, name.arity) else {
        let others = module.functions.iter().filter(|function| function.exported && function.name == name.function);
        let others: Vec<String> =
            others.map(|function| format!("{}/{}", print_atom(function.name), function.arity)).collect();
        let hint = match others.as_slice() {
            [] => exports(&module),
            others => format!("; there is {}", others.join(" and ")),
        };
        bail!("there is no function {}{hint}", print_name(name));
    };
    if !module.function(id).exported {
        bail!("{} is not exported: export it, or test the functions that call it", print_name(name));
    }
    Ok(Target { number: 0, name, module })
}

/// What a module has instead.
fn exports(module: &Module) -> String {
    const MOST: usize = 20;
    let is_written = |function: &&program::Function| function.exported && !GENERATED.contains(&function.name.text());
    let mut names: Vec<String> = module
        .functions
        .iter()
        .filter(is_written)
        .map(|function| format!("{}/{}", print_atom(function.name), function.arity))
        .collect();
    names.sort();
    let own = print_module(module.name);
    match names.len() {
        0 => format!("; {} exports none", own),
        count if count > MOST => {
            format!("; {} exports {} and {} others", own, names[..MOST].join(", "), count - MOST)
        }
        _ => format!("; {} exports {}", own, names.join(", ")),
    }
}

/// In the language that the name of its module is of.
pub fn print_name(name: Name) -> String {
    notation(name.module).function_name(name.module, name.function, name.arity)
}

fn print_module(module: Atom) -> String {
    notation(module).term(&Term::Atom(module))
}

fn notation(module: Atom) -> Box<dyn Notation> {
    if is_elixir(module) { Box::new(Elixir { structs: Box::new(NoStructs) }) } else { Box::new(Erlang) }
}

/// As after `fun`, names that would need quotes may stand without them; or as after `&`.
fn function_name(text: &str) -> Option<Name> {
    if let Ok(Term::Fun(fun)) = &parse_term(&format!("fun {text}"))
        && let Fun::External { module, function, arity } = **fun
    {
        return Some(Name { module, function, arity });
    }
    if let Some((module, function, arity)) = parse_function_name(text) {
        return Some(Name { module, function, arity });
    }
    let (rest, arity) = text.rsplit_once('/')?;
    let (module, function) = rest.rsplit_once(':')?;
    let is_name = |name: &str| !name.is_empty() && !name.contains(['\'', ' ', '/', ':', '(']);
    if !is_name(module) || !is_name(function) {
        return None;
    }
    let arity = arity.parse().ok().filter(|arity| *arity <= 255)?;
    Some(Name { module: Atom::new(module), function: Atom::new(function), arity })
}

fn is_project(folder: &Path) -> bool {
    let has_code = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        entries.map(|entry| entry.path()).any(|file| {
            file.extension().is_some_and(|extension| extension == "erl" || extension == "beam") && file.is_file()
        })
    };
    ["rebar.config", "mix.exs", "erlang.mk", "src"].iter().any(|name| folder.join(name).exists()) || has_code(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        function_name(text).map(print_name)
    }

    #[test]
    fn functions_are_named_as_in_erlang() {
        assert_eq!(read("m:f/2").as_deref(), Some("m:f/2"));
        assert_eq!(read("'Odd':'any?'/1").as_deref(), Some("'Odd':'any?'/1"));
        assert_eq!(read("Odd:any?/1").as_deref(), Some("'Odd':'any?'/1"));
        for wrong in ["m", "m:f", "m:f/", "m:f/x", "f/1", ":f/1", "m:/1", "m:f/256", "src/m.erl", "m:f(1)"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn functions_are_named_as_in_elixir_too() {
        for text in ["'Elixir.Enum':'any?'/1", "Elixir.Enum:any?/1", "Enum.any?/1", "Elixir.Enum.any?/1"] {
            assert_eq!(read(text).as_deref(), Some("Enum.any?/1"), "{text}");
        }
        assert_eq!(read(":lists.map/2").as_deref(), Some("lists:map/2"));
    }
}
