//! The known disagreements: all of them, each with its reason and an expression that shows it. The fuzzers fail when a
//! witness no longer disagrees.

pub struct Gap {
    /// The function, `module:function/arity`. Its disagreements are counted as known, not as failures.
    pub function: &'static str,
    pub witness: &'static str,
    pub reason: &'static str,
}

pub const BIF_GAPS: &[Gap] = &[];

pub const OTP_GAPS: &[Gap] = &[];

pub const MODULE_GAPS: &[Gap] = &[];

pub const EXPRESSION_GAPS: &[Gap] = &[];

pub const PROCESS_GAPS: &[Gap] = &[];
