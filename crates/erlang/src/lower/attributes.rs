//! The attributes of a module: those that programs can ask for, its files and its types.

use super::core::{self, Result};
use super::state::Files;
use crate::types;
use program::Types;
use term::{Atom, Term};

pub(super) struct Attributes {
    pub of_program: Vec<(Atom, Term)>,
    pub types: Types,
}

pub(super) fn read(attributes: &[Term], files: &mut Files) -> Result<Attributes> {
    let mut of_program = Vec::new();
    let mut declarations = Vec::new();
    for attribute in attributes {
        let (name, value) = core::pair(attribute)?;
        let (Some(name), value) = (core::literal(name)?.as_atom(), core::literal(value)?) else { continue };
        match name.text() {
            "file" => {
                let places = value.as_list().unwrap_or(&[]).iter();
                places.filter_map(|place| place.as_tuple()?.first()).for_each(|file| files.add(file));
            }
            "type" | "opaque" | "nominal" | "spec" | "callback" | "record" | "export_type" => {
                declarations.push((name, value));
            }
            "optional_callbacks" | "compile" | "doc" | "moduledoc" | "import_type" => {}
            _ => of_program.push((name, value.clone())),
        }
    }
    Ok(Attributes { of_program, types: types::read(&declarations) })
}
