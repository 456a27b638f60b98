//! Joint steps: all numbers move at once towards the zeros of all conditions (Levenberg and Marquardt's damping of
//! Gauss and Newton's step). Equalities that hold are kept, and so is a linear part of the conditions.

use super::Walk;
use super::domain::moved;
use super::goal::Target;
use super::parameters::{JOINT_STEPS, LEAST_GAIN};
use super::value::Value;

/// The damping beyond which steps are too small to matter.
const MOST_DAMPED: f64 = 1e12;

impl Walk<'_> {
    /// Descends as long as it pays, to the best place, and returns whether that is a solution.
    pub(super) fn descend_jointly(&mut self, steps: usize) -> bool {
        let mut damping = 1e-3;
        let mut slow = 0;
        for _ in 0..steps.min(JOINT_STEPS) {
            if self.point.is_solution() {
                return true;
            }
            let targets = self.point.targets();
            let Some(before) = self.merit(&targets) else { return false };
            let Some((leaves, jacobian, values)) = self.slopes(&targets) else { return false };
            let start = self.point.leaves.clone();
            let mut after = before;
            while damping < MOST_DAMPED && self.point.work > 0 {
                let Some(step) = solved(&jacobian, &values, damping) else { return false };
                let mut next = start.clone();
                for (leaf, by) in leaves.iter().zip(step) {
                    if let Some(place) = next.get_mut(*leaf)
                        && let Some(value) = moved(place, by).and_then(|value| self.point.allowed(*leaf, &value))
                    {
                        *place = value;
                    }
                }
                if next == start {
                    break;
                }
                self.point.set_all(&next);
                if self.point.is_solution() {
                    return true;
                }
                match self.merit(&targets) {
                    Some(merit) if merit < before => {
                        after = merit;
                        break;
                    }
                    _ => damping *= 8.0,
                }
            }
            if after >= before {
                self.point.set_all(&start);
                return self.point.is_solution();
            }
            damping = (damping / 10.0).max(1e-15);
            slow = if after > before * (1.0 - LEAST_GAIN) { slow + 1 } else { 0 };
            if slow > 3 || self.point.work == 0 {
                break;
            }
        }
        self.point.is_solution()
    }

    /// Returns the number that a joint step is to make small: it measures the targets, and all goals that the step
    /// breaks.
    fn merit(&self, targets: &[Target]) -> Option<f64> {
        let mut sum = 0.0;
        for target in targets {
            let value = target.value(&self.point.values)?;
            sum += value * value;
        }
        for error in &self.point.errors {
            sum += error * error * 1e-3;
        }
        sum.is_finite().then_some(sum)
    }

    /// Returns how the targets change with each number that changes them, measured with a small step of each.
    #[allow(clippy::type_complexity)]
    fn slopes(&mut self, targets: &[Target]) -> Option<(Vec<usize>, Vec<Vec<f64>>, Vec<f64>)> {
        let values: Option<Vec<f64>> = targets.iter().map(|target| target.value(&self.point.values)).collect();
        let values = values?;
        let mut leaves = Vec::new();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for leaf in 0..self.point.leaves.len() {
            let old = self.point.leaves.get(leaf)?.clone();
            let size = old.float()?.abs();
            let step = match old {
                Value::Int(_) => 1.0f64.max((size * 1e-7).round()),
                _ => (size * 6e-6).max(1e-9),
            };
            let mut column = None;
            for step in [step, -step] {
                let Some(next) = moved(&old, step).and_then(|next| self.point.allowed(leaf, &next)) else { continue };
                if next == old {
                    continue;
                }
                let went = next.float()? - old.float()?;
                self.point.set(leaf, next);
                let there: Option<Vec<f64>> = targets.iter().map(|target| target.value(&self.point.values)).collect();
                if let Some(there) = there {
                    column = Some(there.iter().zip(&values).map(|(there, here)| (there - here) / went).collect());
                    break;
                }
            }
            self.point.set(leaf, old);
            if let Some(column) = column.filter(|column: &Vec<f64>| {
                column.iter().all(|slope| slope.is_finite()) && column.iter().any(|slope| *slope != 0.0)
            }) {
                leaves.push(leaf);
                columns.push(column);
            }
        }
        (!leaves.is_empty()).then_some((leaves, columns, values))
    }
}

/// Returns the step `d` with `(JᵀJ + damping · diag JᵀJ) d = -Jᵀr`; J is given by its columns.
fn solved(columns: &[Vec<f64>], values: &[f64], damping: f64) -> Option<Vec<f64>> {
    let count = columns.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // Columns are scaled to length one, because numbers may be of very different sizes.
    let lengths: Vec<f64> = columns.iter().map(|column| dot(column, column).sqrt()).collect();
    if lengths.iter().any(|length| !length.is_finite() || *length == 0.0) {
        return None;
    }
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(count);
    for (a, long) in columns.iter().zip(&lengths) {
        let mut row: Vec<f64> = columns.iter().zip(&lengths).map(|(b, wide)| dot(a, b) / long / wide).collect();
        if let Some(own) = row.get_mut(rows.len()) {
            *own += damping;
        }
        row.push(-dot(a, values) / long);
        rows.push(row);
    }
    let step = eliminated(rows)?;
    Some(step.iter().zip(&lengths).map(|(step, length)| step / length).collect())
}

/// Solves a square system whose right side is the last column, with pivots.
fn eliminated(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for at in 0..count {
        let pivot = (at..count).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()))?;
        rows.swap(at, pivot);
        let (done, below) = rows.split_at_mut(at + 1);
        let top = done.get(at)?;
        if top[at] == 0.0 || !top[at].is_finite() {
            return None;
        }
        for row in below {
            let factor = row[at] / top[at];
            if factor != 0.0 {
                row.iter_mut().zip(top).skip(at).for_each(|(entry, above)| *entry -= factor * above);
            }
        }
    }
    let mut result = vec![0.0; count];
    for at in (0..count).rev() {
        let row = &rows[at];
        let known: f64 = (at + 1..count).map(|other| row[other] * result[other]).sum();
        result[at] = (row[count] - known) / row[at];
    }
    result.iter().all(|value| value.is_finite()).then_some(result)
}
