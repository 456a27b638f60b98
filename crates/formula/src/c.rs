//! The mathematical functions of the C library, which the BEAM uses too: Rust's own versions of some of them differ in
//! the last bit.

// SAFETY: standard functions of one or two doubles, defined for all values.
unsafe extern "C" {
    pub safe fn acos(x: f64) -> f64;
    pub safe fn acosh(x: f64) -> f64;
    pub safe fn asin(x: f64) -> f64;
    pub safe fn asinh(x: f64) -> f64;
    pub safe fn atan(x: f64) -> f64;
    pub safe fn atanh(x: f64) -> f64;
    pub safe fn cos(x: f64) -> f64;
    pub safe fn cosh(x: f64) -> f64;
    pub safe fn erf(x: f64) -> f64;
    pub safe fn erfc(x: f64) -> f64;
    pub safe fn exp(x: f64) -> f64;
    pub safe fn log(x: f64) -> f64;
    pub safe fn log10(x: f64) -> f64;
    pub safe fn log2(x: f64) -> f64;
    pub safe fn sin(x: f64) -> f64;
    pub safe fn sinh(x: f64) -> f64;
    pub safe fn tan(x: f64) -> f64;
    pub safe fn tanh(x: f64) -> f64;
    pub safe fn atan2(x: f64, y: f64) -> f64;
    pub safe fn fmod(x: f64, y: f64) -> f64;
    pub safe fn pow(x: f64, y: f64) -> f64;
}
