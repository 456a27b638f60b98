//! The meaning of a binary segment's specifiers (`/little-signed-integer-unit:8`), including the language's defaults.

use super::ast::{Segment, Specifier};
use super::error::{Position, SyntaxError};
use num_traits::ToPrimitive;
use program::{BitKind, Endian};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub kind: BitKind,
    pub size: LayoutSize,
    pub unit: u16,
    pub signed: bool,
    pub endian: Endian,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutSize {
    /// The whole value, or the whole rest.
    All,
    /// The size depends on the encoding.
    Encoded,
    /// No size is written; the default is this many bits.
    Default(u32),
    /// The segment's own size times the unit.
    Written,
}

pub fn layout(segment: &Segment) -> Result<Layout, SyntaxError> {
    let mut written = Written::default();
    for specifier in segment.specifiers.iter().flatten() {
        written.add(specifier)?;
    }
    let kind = written.kind.map_or(BitKind::Integer, |(kind, _)| kind);
    let unit = written.unit;
    let (size, default_unit) = match (kind, &segment.size) {
        (BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32, size) => {
            if let Some(place) = size.as_ref().map(|size| size.at).or(unit.map(|(_, at)| at)) {
                return Err(SyntaxError::new(place, "a utf segment has neither size nor unit"));
            }
            (LayoutSize::Encoded, 1)
        }
        (BitKind::Bits, None) => (LayoutSize::All, 8),
        (BitKind::Bits, Some(_)) => (LayoutSize::Written, 8),
        (BitKind::Integer | BitKind::Float, None) => {
            if let Some((_, at)) = unit {
                return Err(SyntaxError::new(at, "a unit needs a size, unless the segment is a binary"));
            }
            (LayoutSize::Default(if kind == BitKind::Float { 64 } else { 8 }), 1)
        }
        (BitKind::Integer | BitKind::Float, Some(_)) => (LayoutSize::Written, 1),
    };
    Ok(Layout {
        kind,
        size,
        unit: unit.map_or(default_unit, |(unit, _)| unit),
        signed: written.signed.is_some_and(|(signed, _)| signed),
        endian: written.endian.map_or(Endian::Big, |(endian, _)| endian),
    })
}

/// The specifiers that were read so far, with their positions; repeating one is allowed.
#[derive(Default)]
struct Written {
    kind: Option<(BitKind, Position)>,
    unit: Option<(u16, Position)>,
    signed: Option<(bool, Position)>,
    endian: Option<(Endian, Position)>,
}

impl Written {
    fn add(&mut self, specifier: &Specifier) -> Result<(), SyntaxError> {
        let at = specifier.at;
        if let Some(argument) = &specifier.argument {
            if specifier.name.text() != "unit" {
                return Err(SyntaxError::new(at, format!("{} takes no size: only unit:N does", specifier.name)));
            }
            let unit = argument.to_u16().filter(|unit| (1..=256).contains(unit));
            let unit = unit.ok_or_else(|| SyntaxError::new(at, "a unit is between 1 and 256"))?;
            return set(&mut self.unit, unit, at);
        }
        match specifier.name.text() {
            "integer" => set(&mut self.kind, BitKind::Integer, at),
            "float" => set(&mut self.kind, BitKind::Float, at),
            "utf8" => set(&mut self.kind, BitKind::Utf8, at),
            "utf16" => set(&mut self.kind, BitKind::Utf16, at),
            "utf32" => set(&mut self.kind, BitKind::Utf32, at),
            "binary" => set(&mut self.kind, BitKind::Bits, at),
            "bytes" => set(&mut self.kind, BitKind::Bits, at).and_then(|()| set(&mut self.unit, 8, at)),
            "bits" | "bitstring" => set(&mut self.kind, BitKind::Bits, at).and_then(|()| set(&mut self.unit, 1, at)),
            "big" => set(&mut self.endian, Endian::Big, at),
            "little" => set(&mut self.endian, Endian::Little, at),
            "native" => set(&mut self.endian, Endian::Native, at),
            "signed" => set(&mut self.signed, true, at),
            "unsigned" => set(&mut self.signed, false, at),
            other => Err(SyntaxError::new(at, format!("{other} is no type of a binary's segment"))),
        }
    }
}

fn set<T: PartialEq>(slot: &mut Option<(T, Position)>, value: T, at: Position) -> Result<(), SyntaxError> {
    match slot {
        Some((present, _)) if *present != value => {
            Err(SyntaxError::new(at, "this type contradicts an earlier one of the same segment"))
        }
        _ => {
            *slot = Some((value, at));
            Ok(())
        }
    }
}
