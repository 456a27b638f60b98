//! Contracts of real modules.

mod common;
mod declared;
mod opaque;
mod otp;
