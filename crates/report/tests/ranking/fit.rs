//! Weights that are fitted to labelled findings: a logistic regression, by plain gradient descent.
//!
//! Of each reason only the direction is taken from the ranking: whether it speaks for a bug or against one. All begin with
//! the same weight, are drawn back to it, and never change their direction. So what is fitted without a library knows nothing
//! of it, except for what the choice of the reasons themselves tells.

use crate::Labelled;
use report::rank::weighed;
use std::collections::HashMap;

/// The weight that every reason begins with, in its own direction.
const COMMON: f64 = 0.7;
/// How strongly weights are drawn back to it.
const PULL: f64 = 3.0;
const STEPS: usize = 150;
const RATE: f64 = 0.5;

/// What one reason weighs.
struct Weight {
    value: f64,
    /// 1 or -1.
    direction: f64,
    /// The sum of all squared slopes, by which steps become smaller.
    slopes: f64,
}

pub struct Model {
    weights: HashMap<&'static str, Weight>,
    bias: f64,
}

impl Model {
    /// Defects with the same cause count as less than so many: a library may have dozens of one kind.
    pub fn fit(findings: &[&Labelled]) -> Model {
        let mut causes: HashMap<(&str, &str, &str), f64> = HashMap::new();
        for finding in findings {
            *causes.entry((&finding.library, &finding.cause, &finding.label)).or_default() += 1.0;
        }
        let mut model = Model { weights: HashMap::new(), bias: -1.5 };
        let mut rows = Vec::new();
        for finding in findings {
            let reasons = weighed(&finding.signals);
            for (points, reason) in &reasons {
                let direction = f64::from(points.signum());
                model.weights.entry(reason).or_insert(Weight { value: COMMON * direction, direction, slopes: 1e-6 });
            }
            let reasons: Vec<&'static str> = reasons.into_iter().map(|(_, reason)| reason).collect();
            let count = causes.get(&(&*finding.library, &*finding.cause, &*finding.label)).copied().unwrap_or(1.0);
            rows.push((reasons, f64::from(u8::from(finding.is_real())), count.sqrt().recip()));
        }
        let mut bias_slopes = 1e-6;
        for _ in 0..STEPS {
            bias_slopes = model.step(&rows, bias_slopes);
        }
        model
    }

    fn step(&mut self, rows: &[(Vec<&'static str>, f64, f64)], mut bias_slopes: f64) -> f64 {
        let mut slopes: HashMap<&str, f64> = HashMap::new();
        let mut bias_slope = 0.0;
        for (reasons, label, weight) in rows {
            let sum = self.bias + reasons.iter().map(|reason| self.weight(reason)).sum::<f64>();
            let error = ((1.0 + (-sum).exp()).recip() - label) * weight;
            bias_slope += error;
            reasons.iter().for_each(|reason| *slopes.entry(reason).or_default() += error);
        }
        for (reason, weight) in &mut self.weights {
            let pull = PULL * (weight.value - COMMON * weight.direction);
            let slope = pull + slopes.get(reason).copied().unwrap_or_default();
            weight.slopes += slope * slope;
            weight.value -= RATE * slope / weight.slopes.sqrt();
            weight.value = weight.direction * (weight.value * weight.direction).max(0.0);
        }
        bias_slopes += bias_slope * bias_slope;
        self.bias -= RATE * bias_slope / bias_slopes.sqrt();
        bias_slopes
    }

    fn weight(&self, reason: &str) -> f64 {
        self.weights.get(reason).map_or(0.0, |weight| weight.value)
    }

    pub fn score(&self, finding: &Labelled) -> f64 {
        self.bias + weighed(&finding.signals).iter().map(|(_, reason)| self.weight(reason)).sum::<f64>()
    }
}

/// The score from which on findings are to be called likely: where precision and recall are best together.
pub fn best_limit(scored: impl Iterator<Item = (f64, bool)>, all_real: usize) -> f64 {
    let mut scored: Vec<(f64, bool)> = scored.collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    let (mut best, mut limit, mut real) = (0.0, f64::INFINITY, 0);
    for (index, (score, is_real)) in scored.iter().enumerate() {
        real += usize::from(*is_real);
        let next = scored.get(index + 1).map(|(score, _)| *score);
        let measure = 2.0 * real as f64 / (index + 1 + all_real) as f64;
        if next != Some(*score) && measure > best {
            best = measure;
            limit = next.map_or(*score, |next| (score + next) / 2.0);
        }
    }
    limit
}
