//! All parameters of the walk, in one place.

/// The means that the walk may use, and how much work it may do. Parts can be switched off to see what they are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkSettings {
    /// The number of nodes of the tape that are evaluated before the SMT solver is asked, for non-linear conditions.
    /// This takes a few milliseconds: most such conditions are met by then, and the others cost no more.
    pub first_work: u64,
    /// The number of nodes that are evaluated for a non-linear query that the SMT solver left open. This takes about a
    /// fifth of a second.
    pub work: u64,
    /// The same for queries that seldom lack the right numbers: for linear conditions, for operations that shall have
    /// no value, and if the reals have no solution.
    pub linear_work: u64,
    /// Whether variables that led nowhere are left alone for a while.
    pub tabu: bool,
    /// Whether zeros of conditions are looked for along a variable.
    pub secant: bool,
    /// Whether joint steps towards the zeros of all conditions are made.
    pub newton: bool,
    /// Whether the solver's models over the reals are starting points.
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

/// The largest number of terms of a slice that is walked: for more, one evaluation would use up a noticeable part of
/// the work.
pub(super) const MOST_NODES: usize = 20_000;
/// The largest number of numbers that are moved. The walk is for conditions over a handful; with more, joint steps get
/// costly.
pub(super) const MOST_LEAVES: usize = 48;
/// The number of queries in a row that the walk could not solve after which it gets half the work, and so on: a program
/// with hundreds of undecidable conditions should not pay the full price for each.
pub(super) const PATIENCE: u32 = 6;
/// The largest number of halvings of the work.
pub(super) const MOST_HALVINGS: u32 = 5;
/// The number of solutions of the tape that evaluation may reject before the walk gives up: then the moved numbers
/// occur in other terms, too.
pub(super) const MOST_REFUSED: u32 = 4;

/// The number of random steps that are tried for a chosen variable. Half of them go each way; sizes are spread over all
/// magnitudes, so a dozen includes the right one within some turns.
pub(super) const STEPS: usize = 12;
/// The number of bits that are flipped for a chosen integer: all bits of small ones in a few turns.
pub(super) const FLIPS: usize = 8;
/// The number of turns without improvement, for each variable, before the walk jumps.
pub(super) const TURNS: usize = 6;
/// The number of turns for which a variable that led nowhere is left alone, plus one for every two variables.
pub(super) const TENURE: usize = 2;
/// The number of iterations of one joint descent. Newton's method doubles the digits with each; curved valleys take
/// dozens.
pub(super) const JOINT_STEPS: usize = 60;
/// The least gain of a step. Joint descents that gain less than this share have converged, or will not.
pub(super) const LEAST_GAIN: f64 = 1e-3;
/// The number of attempts to meet all equalities exactly once they nearly hold. Rounding leaves each a chance to
/// succeed, often one in ten for each equality.
pub(super) const POLISHES: usize = 400;
/// An equality of floats nearly holds when its sides differ by this share of them.
pub(super) const NEARLY: f64 = 1e-5;
/// The same for integers, which are shaken by whole steps: farther, since they have no last digits.
pub(super) const NEARLY_WHOLE: f64 = 0.02;
/// The number of nodes between two looks at the clock.
pub(super) const CLOCK_WORK: u64 = 200_000;
/// The number of partial solutions, bit by bit from the lowest, that are followed at a time.
pub(super) const LIFTED: usize = 48;
/// The number of bits of an integer that are lifted or solved for.
pub(super) const MOST_BITS: u32 = 64;
