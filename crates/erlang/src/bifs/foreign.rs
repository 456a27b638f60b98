//! Pure native functions that the real runtime evaluates, because writing them again would not be worth the effort.
//!
//! The list is explicit, and contains only functions whose result depends on nothing but their arguments. Without a
//! runtime to ask, a call is unsupported.

use super::crossing::{self, Called};
use super::{badarg, expressions, rows};
use crate::runtime::ErlangState;
use machine::{Context, Escape, ForeignAnswer, Primitive, TraceStart, Word};
use path::Surrounding;
use term::{Atom, Term};

/// Takes the modules of the natives, with function, arity and what the result follows from, and defines rows that pass
/// their arguments on.
macro_rules! pure {
    ($($module:literal { $($name:literal ($($domain:ident),*) $word:ident $state:ident $function:ident;)* })*) => {
        /// The functions that the real runtime may be asked to evaluate: module, function, arity.
        pub const PURE: &[(&str, &str, u32)] =
            &[$($(($module, $name, 0 $(+ one!($domain))*),)*)*];

        pub(super) const TABLES: &[&[Primitive]] = &[$(rows! {$module;
            $($name ($($domain),*) -> Any $word $state, badarg, $function, Sampled;)*
        }),*];

        $($(fn $function(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
            call(context, Called { module: $module, function: $name, arity: args.len() as u32 }, args)
        })*)*
    };
}
macro_rules! one {
    ($domain:ident) => {
        1
    };
}

pure! {
    "re" {
        "compile" (Any) by Arguments re_compile_1;
        "compile" (Any, Any) by Arguments re_compile_2;
        "run" (Any, Any) by Arguments re_run_2;
        "run" (Any, Any, Any) by Arguments re_run_3;
        "internal_run" (Any, Any, Any, Any) by Arguments re_internal_run;
        "inspect" (Any, Any) by Arguments re_inspect;
        "import" (Any) by Arguments re_import;
        "version" () from System re_version;
    }
    "erlang" {
        "decode_packet" (Any, Any, Any) by Arguments decode_packet;
    }
    "crypto" {
        "hash" (Any, Any) by Platform crypto_hash;
        "mac" (Any, Any, Any) by Platform crypto_mac_3;
        "mac" (Any, Any, Any, Any) by Platform crypto_mac_4;
        "macN" (Any, Any, Any, Any) by Platform crypto_mac_n_4;
        "macN" (Any, Any, Any, Any, Any) by Platform crypto_mac_n_5;
        "exor" (Any, Any) by Platform crypto_exor;
        "hash_equals" (Any, Any) by Platform crypto_hash_equals;
        "pbkdf2_hmac" (Any, Any, Any, Any, Any) by Platform crypto_pbkdf2_hmac;
        "crypto_one_time" (Any, Any, Any, Any) by Platform crypto_one_time_4;
        "crypto_one_time" (Any, Any, Any, Any, Any) by Platform crypto_one_time_5;
        "crypto_one_time_aead" (Any, Any, Any, Any, Any, Any) by Platform crypto_one_time_aead_6;
        "crypto_one_time_aead" (Any, Any, Any, Any, Any, Any, Any) by Platform crypto_one_time_aead_7;
    }
    "zlib" {
        "compress" (Any) from System zlib_compress;
        "uncompress" (Any) by Arguments zlib_uncompress;
        "zip" (Any) from System zlib_zip;
        "unzip" (Any) by Arguments zlib_unzip;
        "gzip" (Any) from System zlib_gzip;
        "gunzip" (Any) by Arguments zlib_gunzip;
    }
    "prim_file" {
        "internal_name2native" (Any) from CommandLine internal_name2native;
        "internal_native2name" (Any) from CommandLine internal_native2name;
        "internal_normalize_utf8" (Any) by Arguments internal_normalize_utf8;
        "is_translatable" (Any) from CommandLine is_translatable;
    }
}

pub fn is_pure(module: &str, function: &str, arity: u32) -> bool {
    PURE.contains(&(module, function, arity))
}

/// Evaluates a function of the list on the real runtime.
pub(super) fn call(context: &mut Context, called: Called, args: &[Word]) -> Result<Word, Escape> {
    debug_assert!(is_pure(called.module, called.function, called.arity));
    if context.foreign.is_none() {
        return Err(called.unsupported(context));
    }
    let args = leave_all(context, called, args)?;
    let request = expressions::request(ErlangState::of(context), called, &args);
    let Some(mut runtime) = context.foreign.take() else { return Err(called.unsupported(context)) };
    let answer = match &request {
        Some(args) => runtime.call(Atom::new(expressions::MODULE), Atom::new(expressions::FUNCTION), args),
        None => runtime.call(Atom::new(called.module), Atom::new(called.function), &args),
    };
    context.foreign = Some(runtime);
    match answer {
        Ok(ForeignAnswer::Value(term)) => {
            let term = expressions::kept(context, called, &args, term);
            crossing::enter(context, called, &term)
        }
        Ok(ForeignAnswer::Raised { class, reason }) => {
            // The set of algorithms depends on the library that `crypto` is linked with.
            if called.module == "crypto" {
                context.asks(Surrounding::System);
            }
            let reason = crossing::enter(context, called, &reason)?;
            Err(context.raise(class, reason, TraceStart::Primitive))
        }
        Err(none) => {
            let stop = none.stop(Atom::new(called.module), Atom::new(called.function), called.arity);
            Err(context.stop(stop))
        }
    }
}

/// Converts the arguments to owned terms. None of these functions takes functions, not even inside of its arguments.
/// They refuse them with `badarg`, except those of `crypto`, whose errors name lines of its library.
fn leave_all(context: &mut Context, called: Called, args: &[Word]) -> Result<Vec<Term>, Escape> {
    let leave = |arg: &Word| match crossing::leave_without_closures(context, *arg)? {
        Some(term) => Ok(term),
        None if called.module == "crypto" => Err(called.unsupported(context)),
        None => Err(badarg(context, args)),
    };
    args.iter().map(leave).collect()
}
