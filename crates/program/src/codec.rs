//! Modules as bytes, for the cache on disk. Bodies stay encoded until they are needed: a run touches a small part of
//! what it loads, and `unicode_util` alone has megabytes.

use crate::{DEEPEST_TYPE, Expr, Function, Module, Origin, Span, Types, tree};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use term::{Atom, Term};

#[derive(Debug, thiserror::Error)]
#[error("not an encoded module: {0}")]
pub struct DecodeError(#[from] postcard::Error);

/// A function's body, decoded on first use.
#[derive(Debug)]
pub struct Body {
    expr: OnceLock<Expr>,
    encoded: Option<Encoded>,
}

#[derive(Debug)]
struct Encoded {
    bytes: Arc<[u8]>,
    range: Range<usize>,
    depth: usize,
}

impl Body {
    pub fn new(expr: Expr) -> Body {
        Body { expr: OnceLock::from(expr), encoded: None }
    }

    pub fn get(&self) -> Result<&Expr, DecodeError> {
        if let Some(expr) = self.expr.get() {
            return Ok(expr);
        }
        let Encoded { bytes, range, depth } = self.encoded.as_ref().expect("a body is decoded or encoded");
        let expr = with_stack_for(*depth, || postcard::from_bytes(&bytes[range.clone()]))?;
        Ok(self.expr.get_or_init(|| expr))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.expr.take().into_iter().for_each(tree::dismantle);
    }
}

#[derive(Serialize, Deserialize)]
struct Head {
    name: Atom,
    files: Vec<String>,
    functions: Vec<FunctionHead>,
    attributes: Vec<(Atom, Term)>,
    types: Types,
}

#[derive(Serialize, Deserialize)]
struct FunctionHead {
    name: Atom,
    arity: u32,
    captures: u32,
    exported: bool,
    origin: Origin,
    span: Span,
    body_length: u32,
    /// The depth to which the body nests. The decoder derives from it how much stack it needs.
    depth: u32,
}

/// Encodes a module: `[length of head: u64 le] [head] [bodies, one after the other]`.
pub fn encode(module: &Module) -> Result<Vec<u8>, DecodeError> {
    let mut bodies = Vec::new();
    let mut functions = Vec::with_capacity(module.functions.len());
    for function in &module.functions {
        let body = function.body.get()?;
        let depth = tree::depth(body);
        let bytes = with_stack_for(depth, || postcard::to_stdvec(body))?;
        functions.push(FunctionHead {
            name: function.name,
            arity: function.arity,
            captures: function.captures,
            exported: function.exported,
            origin: function.origin,
            span: function.span,
            body_length: bytes.len() as u32,
            depth: depth as u32,
        });
        bodies.extend_from_slice(&bytes);
    }
    let head = with_stack_for(DEEPEST_TYPE, || {
        postcard::to_stdvec(&Head {
            name: module.name,
            files: module.files.clone(),
            functions,
            attributes: module.attributes.clone(),
            types: module.types.clone(),
        })
    })?;
    let mut bytes = Vec::with_capacity(8 + head.len() + bodies.len());
    bytes.extend_from_slice(&(head.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&head);
    bytes.extend_from_slice(&bodies);
    Ok(bytes)
}

/// Decodes a module. `bytes` must come from `encode` (the cache checks a digest); a body that turns out to be damaged
/// later is an error then.
pub fn decode(bytes: Arc<[u8]>) -> Result<Module, DecodeError> {
    let damaged = || DecodeError(postcard::Error::DeserializeUnexpectedEnd);
    let length = bytes.get(..8).and_then(|le| le.try_into().ok()).map(u64::from_le_bytes).ok_or_else(damaged)?;
    let head_end = usize::try_from(length).ok().and_then(|length| length.checked_add(8)).ok_or_else(damaged)?;
    let head = bytes.get(8..head_end).ok_or_else(damaged)?;
    let head: Head = with_stack_for(DEEPEST_TYPE, || postcard::from_bytes(head))?;
    let mut start = head_end;
    let mut functions = Vec::with_capacity(head.functions.len());
    for f in head.functions {
        let end = start + f.body_length as usize;
        if end > bytes.len() {
            return Err(damaged());
        }
        // A level takes at least a byte, so a damaged depth cannot ask for more stack than that.
        let depth = (f.depth as usize).min(f.body_length as usize);
        let encoded = Encoded { bytes: bytes.clone(), range: start..end, depth };
        functions.push(Function {
            name: f.name,
            arity: f.arity,
            captures: f.captures,
            exported: f.exported,
            origin: f.origin,
            span: f.span,
            body: Body { expr: OnceLock::new(), encoded: Some(encoded) },
        });
        start = end;
    }
    Ok(Module::new(head.name, head.files, functions, head.attributes, head.types))
}

/// Runs `work` with enough stack for `depth` levels. Bodies nest as deeply as the source does, generated source nests
/// deeply, and serde recurses.
fn with_stack_for<T>(depth: usize, work: impl FnOnce() -> T) -> T {
    const BYTES_PER_LEVEL: usize = 4 << 10;
    let need = (128 << 10) + depth * BYTES_PER_LEVEL;
    stacker::maybe_grow(need, need, work)
}
