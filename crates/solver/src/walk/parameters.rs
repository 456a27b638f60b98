//! All that the walk's behaviour depends on, in one place.

/// What the walk may do, and how much of it. Parts can be taken away to see what they are good for.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkSettings {
    /// Nodes of the tape that are evaluated before the SMT solver is asked, where conditions are non-linear.
    /// A few milliseconds: most such conditions are met by then, and those that are not cost no more.
    pub first_work: u64,
    /// Nodes that are evaluated for a non-linear query that the SMT solver left open. About a fifth of a second.
    pub work: u64,
    /// Likewise where numbers are seldom what is missing: for linear conditions, for operations that shall have no
    /// value, and where the reals have no solution.
    pub linear_work: u64,
    /// Are variables that led nowhere left alone for a while?
    pub tabu: bool,
    /// Are zeros of conditions looked for along a variable?
    pub secant: bool,
    /// Are joint steps towards the zeros of all conditions made?
    pub newton: bool,
    /// Are the solver's models over the reals starting points?
    pub proposals: bool,
}

impl Default for WalkSettings {
    fn default() -> WalkSettings {
        WalkSettings {
            first_work: 400_000,
            work: 6_000_000,
            linear_work: 200_000,
            tabu: true,
            secant: true,
            newton: true,
            proposals: true,
        }
    }
}

/// Slices with more terms are not walked: one evaluation would eat a noticeable part of the work.
pub(super) const MOST_NODES: usize = 20_000;
/// Numbers that are moved. The walk is for conditions over a handful; among more, joint steps get costly.
pub(super) const MOST_LEAVES: usize = 48;
/// After so many queries in a row that the walk could not solve it gets half the work, and so on: a program with
/// hundreds of undecidable conditions shall not pay the full price for each.
pub(super) const PATIENCE: u32 = 6;
/// Halvings of the work at most.
pub(super) const MOST_HALVINGS: u32 = 5;
/// Solutions of the tape that evaluation does not accept before the walk gives up: then what was moved stands in
/// other terms, too.
pub(super) const MOST_REFUSED: u32 = 4;

/// Random steps that are tried for a chosen variable. Half go each way; sizes are spread over all magnitudes, so
/// a dozen meets the right one within some turns.
pub(super) const STEPS: usize = 12;
/// Bits that are flipped for a chosen integer: all of small ones in a few turns.
pub(super) const FLIPS: usize = 8;
/// Turns without improvement, for each variable, before the walk jumps.
pub(super) const TURNS: usize = 6;
/// Turns for which a variable that led nowhere is left alone, beside one for each second variable.
pub(super) const TENURE: usize = 2;
/// Iterations of one joint descent. Newton's method doubles the digits with each; curved valleys take dozens.
pub(super) const JOINT_STEPS: usize = 60;
/// Joint descents that gain less than this share in a step have converged, or will not.
pub(super) const LEAST_GAIN: f64 = 1e-3;
/// Attempts to hit all equalities exactly once they nearly hold. Each succeeds with a chance that rounding leaves,
/// often one in ten for each equality.
pub(super) const POLISHES: usize = 400;
/// An equality of floats nearly holds when its sides differ by this share of them.
pub(super) const NEARLY: f64 = 1e-5;
/// Likewise one of integers, which are shaken by whole steps: farther, since they have no last digits.
pub(super) const NEARLY_WHOLE: f64 = 0.02;
/// What a round costs beside the nodes that it evaluates: about what it takes to make a random place, so that walks in
/// which nothing can move end, too.
pub(super) const ROUND_WORK: u64 = 100;
/// Nodes between two looks at the clock.
pub(super) const CLOCK_WORK: u64 = 200_000;
/// Partial solutions, bit by bit from the lowest, that are followed at a time.
pub(super) const LIFTED: usize = 48;
/// Bits of an integer that are lifted or solved for.
pub(super) const MOST_BITS: u32 = 64;
