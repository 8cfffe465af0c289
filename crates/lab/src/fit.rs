//! Curve fitting: which growth curve do the points follow?
//!
//! Costs of searches vary by factors, not by amounts. So all curves are fitted and compared on the logarithm of y: the residual
//! of a point is ln(y / curve). Straight lines in the right coordinates (power, exponential) are least squares. Polynomials
//! start from least squares on relative errors, and Gauss–Newton steps improve them. The best curve has the lowest corrected
//! Akaike information criterion, which charges for each parameter.

/// A shape of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// y = a + b x
    Linear,
    /// y = a + b x + c x²
    Quadratic,
    /// y = a xᵇ
    Power,
    /// y = a bˣ
    Exponential,
}

impl Shape {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Linear, Self::Quadratic, Self::Power, Self::Exponential];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Quadratic => "quadratic",
            Self::Power => "power",
            Self::Exponential => "exponential",
        }
    }
}

/// A fitted curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Its shape.
    pub shape: Shape,
    /// Its parameters: a, b, c.
    pub parameters: Vec<f64>,
    /// The standard error of b (power, exponential: of b and of ln b).
    pub error: f64,
    /// R²: the share of the variance of ln y that the curve explains.
    pub r2: f64,
    /// The corrected Akaike information criterion.
    pub aic: f64,
    /// The number of points.
    pub points: usize,
}

impl Fit {
    /// The value of the curve at x.
    pub fn at(&self, x: f64) -> f64 {
        value(self.shape, &self.parameters, x)
    }

    /// The growth parameter: the exponent, or the factor per unit of x.
    pub fn growth(&self) -> f64 {
        self.parameters.get(1).copied().unwrap_or(0.0)
    }

    /// The 95 % confidence interval of the growth, for power and exponential curves.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let spread = student(self.points.saturating_sub(2)) * self.error;
        match self.shape {
            Shape::Power => Some((self.growth() - spread, self.growth() + spread)),
            Shape::Exponential => {
                let rate = self.growth().ln();
                Some(((rate - spread).exp(), (rate + spread).exp()))
            }
            _ => None,
        }
    }

    /// The equation.
    pub fn equation(&self) -> String {
        let p: Vec<String> = self.parameters.iter().map(|&n| short(n)).collect();
        let plus = |n: f64, x: &str| format!(" {} {}{x}", if n < 0.0 { '−' } else { '+' }, short(n.abs()));
        let of = |i: usize| self.parameters.get(i).copied().unwrap_or(0.0);
        match self.shape {
            Shape::Linear => format!("y = {}{}", p[0], plus(of(1), " x")),
            Shape::Quadratic => format!("y = {}{}{}", p[0], plus(of(1), " x"), plus(of(2), " x²")),
            Shape::Power => format!("y = {} · x^{}", p[0], p[1]),
            Shape::Exponential => format!("y = {} · {}^x", p[0], p[1]),
        }
    }
}

/// Formats a number with few digits.
pub fn short(n: f64) -> String {
    let size = n.abs();
    let sign = if n < 0.0 { "−" } else { "" };
    match size {
        0.0 => "0".to_owned(),
        s if !(1e-3..1e6).contains(&s) => {
            let power = s.log10().floor();
            let digits = format!("{:.2}", s / 10f64.powf(power));
            format!("{sign}{digits}·10^{power}").replace("^-", "^−")
        }
        s if s >= 100.0 => format!("{sign}{s:.0}"),
        s => format!("{sign}{}", significant(s)),
    }
}

/// Formats a number with three significant digits.
fn significant(n: f64) -> String {
    let places = (2 - n.log10().floor() as i32).clamp(0, 5) as usize;
    format!("{n:.places$}")
}

fn value(shape: Shape, p: &[f64], x: f64) -> f64 {
    match shape {
        Shape::Linear | Shape::Quadratic => p.iter().rev().fold(0.0, |sum, &c| sum * x + c),
        Shape::Power => p[0] * x.powf(p[1]),
        Shape::Exponential => p[0] * p[1].powf(x),
    }
}

/// Fits every shape to points with positive y, the best first. A shape that the points do not determine is left out: fewer
/// points than parameters plus one, equal x, or a curve that is not positive everywhere.
pub fn fits(points: &[(f64, f64)]) -> Vec<Fit> {
    let points: Vec<(f64, f64)> =
        points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite() && *y > 0.0).collect();
    let mut all: Vec<Fit> = Shape::ALL.iter().filter_map(|&shape| fit(shape, &points)).collect();
    all.sort_by(|a, b| a.aic.total_cmp(&b.aic));
    all
}

/// Fits one shape.
pub fn fit(shape: Shape, points: &[(f64, f64)]) -> Option<Fit> {
    let n = points.len();
    let count = if shape == Shape::Quadratic { 3 } else { 2 };
    let distinct = {
        let mut xs: Vec<f64> = points.iter().map(|p| p.0).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        xs.len()
    };
    if n < count + 2 || distinct < count + 1 || points.iter().any(|p| p.1 <= 0.0) {
        return None;
    }
    let (parameters, error) = match shape {
        Shape::Linear | Shape::Quadratic => polynomial(points, count)?,
        Shape::Power => {
            if points.iter().any(|p| p.0 <= 0.0) {
                return None;
            }
            let logs: Vec<(f64, f64)> = points.iter().map(|p| (p.0.ln(), p.1.ln())).collect();
            let line = line(&logs)?;
            (vec![line.0.exp(), line.1], line.2)
        }
        Shape::Exponential => {
            let logs: Vec<(f64, f64)> = points.iter().map(|p| (p.0, p.1.ln())).collect();
            let line = line(&logs)?;
            (vec![line.0.exp(), line.1.exp()], line.2)
        }
    };
    let rss = log_rss(shape, &parameters, points)?;
    let mean = points.iter().map(|p| p.1.ln()).sum::<f64>() / n as f64;
    let total: f64 = points.iter().map(|p| (p.1.ln() - mean).powi(2)).sum();
    let r2 = if total > 0.0 { 1.0 - rss / total } else { 1.0 };
    // The variance of the residuals is a parameter as well. Rounding limits how good a perfect fit can be.
    let (k, n) = ((count + 1) as f64, n as f64);
    let correction = if n > k + 1.0 { 2.0 * k * (k + 1.0) / (n - k - 1.0) } else { f64::INFINITY };
    let aic = n * (rss / n).max(1e-18).ln() + 2.0 * k + correction;
    Some(Fit { shape, parameters, error, r2, aic, points: points.len() })
}

/// The sum of squared residuals of ln y; `None` if the curve is not positive at a point.
fn log_rss(shape: Shape, parameters: &[f64], points: &[(f64, f64)]) -> Option<f64> {
    points.iter().try_fold(0.0, |sum, &(x, y)| {
        let curve = value(shape, parameters, x);
        (curve > 0.0 && curve.is_finite()).then(|| sum + (y / curve).ln().powi(2))
    })
}

/// Least squares: intercept, slope, and the standard error of the slope.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64, f64)> {
    let n = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let sxx: f64 = points.iter().map(|p| (p.0 - mx).powi(2)).sum();
    let sxy: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    if sxx <= 0.0 || n < 3.0 {
        return None;
    }
    let slope = sxy / sxx;
    let intercept = my - slope * mx;
    let rss: f64 = points.iter().map(|p| (p.1 - intercept - slope * p.0).powi(2)).sum();
    Some((intercept, slope, (rss / (n - 2.0) / sxx).sqrt()))
}

/// A polynomial: relative least squares, then a few Gauss–Newton steps on ln y, each kept only if it helps.
fn polynomial(points: &[(f64, f64)], count: usize) -> Option<(Vec<f64>, f64)> {
    let shape = if count == 3 { Shape::Quadratic } else { Shape::Linear };
    // Scaling x keeps its powers at one order of magnitude.
    let scale = points.iter().map(|p| p.0.abs()).fold(0.0, f64::max).max(1e-300);
    let scaled: Vec<(f64, f64)> = points.iter().map(|p| (p.0 / scale, p.1)).collect();
    let powers = |x: f64| (0..count).map(|i| x.powi(i as i32)).collect::<Vec<f64>>();
    let rows: Vec<(Vec<f64>, f64)> =
        scaled.iter().map(|&(x, y)| (powers(x).iter().map(|p| p / y).collect(), 1.0)).collect();
    let mut best = least_squares(&rows, count)?;
    let mut rss = log_rss(shape, &best, &scaled)?;
    for _ in 0..30 {
        let rows: Vec<(Vec<f64>, f64)> = scaled
            .iter()
            .map(|&(x, y)| {
                let curve = value(shape, &best, x);
                (powers(x).iter().map(|p| p / curve).collect(), (y / curve).ln())
            })
            .collect();
        let Some(step) = least_squares(&rows, count) else { break };
        let next: Vec<f64> = best.iter().zip(&step).map(|(b, s)| b + s).collect();
        match log_rss(shape, &next, &scaled) {
            Some(better) if better < rss * (1.0 - 1e-12) => (best, rss) = (next, better),
            _ => break,
        }
    }
    let parameters = best.iter().enumerate().map(|(i, p)| p / scale.powi(i as i32)).collect();
    Some((parameters, 0.0))
}

/// Solves the normal equations by Gaussian elimination with pivoting.
fn least_squares(rows: &[(Vec<f64>, f64)], count: usize) -> Option<Vec<f64>> {
    let mut m = vec![vec![0.0; count + 1]; count];
    for (row, target) in rows {
        for i in 0..count {
            for j in 0..count {
                m[i][j] += row[i] * row[j];
            }
            m[i][count] += row[i] * target;
        }
    }
    for at in 0..count {
        let pivot = (at..count).max_by(|&a, &b| m[a][at].abs().total_cmp(&m[b][at].abs()))?;
        m.swap(at, pivot);
        if m[at][at].abs() < 1e-300 {
            return None;
        }
        for below in at + 1..count {
            let factor = m[below][at] / m[at][at];
            let (upper, lower) = m.split_at_mut(below);
            for (l, u) in lower[0].iter_mut().zip(&upper[at]).skip(at) {
                *l -= factor * u;
            }
        }
    }
    let mut solved = vec![0.0; count];
    for at in (0..count).rev() {
        let rest: f64 = (at + 1..count).map(|j| m[at][j] * solved[j]).sum();
        solved[at] = (m[at][count] - rest) / m[at][at];
    }
    solved.iter().all(|n| n.is_finite()).then_some(solved)
}

/// The two-sided 95 % quantile of Student's t by Cornish–Fisher, close enough for an interval in a report.
fn student(freedom: usize) -> f64 {
    /// The same quantile of the normal distribution.
    const NORMAL: f64 = 1.959_964;
    match freedom {
        0 => f64::INFINITY,
        1 => 12.706,
        2 => 4.303,
        3 => 3.182,
        4 => 2.776,
        v => {
            let (z, v) = (NORMAL, v as f64);
            let first = (z.powi(3) + z) / (4.0 * v);
            let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v);
            let third =
                (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * v.powi(3));
            z + first + second + third
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_search::Random;

    fn near(a: f64, b: f64, share: f64) -> bool {
        (a - b).abs() <= share * b.abs()
    }

    /// Points of a curve with noise of about ten percent.
    fn noisy(curve: impl Fn(f64) -> f64, xs: impl Iterator<Item = u32>, seed: u64) -> Vec<(f64, f64)> {
        let mut random = Random::new(seed);
        let mut noise = || (0..12).map(|_| random.below(1000) as f64 / 1000.0).sum::<f64>() - 6.0;
        xs.map(|x| (f64::from(x), curve(f64::from(x)) * (0.1 * noise()).exp())).collect()
    }

    #[test]
    fn known_exponents_come_back_within_two_percent() {
        for (seed, exponent) in [(1, 0.5), (2, 1.0), (3, 2.0), (4, 3.5)] {
            let points = noisy(|x| 7.0 * x.powf(exponent), (1..=60).map(|i| i * i), seed);
            let found = fit(Shape::Power, &points).unwrap();
            assert!(near(found.growth(), exponent, 0.02), "{exponent}: {found:?}");
            let (low, high) = found.interval().unwrap();
            assert!(low < exponent && exponent < high && found.r2 > 0.95);
        }
        for (seed, base) in [(5, 1.1), (6, 1.5), (7, 3.0), (8, 0.8)] {
            let points = noisy(|x| 2.0 * f64::powf(base, x), 1..=60, seed);
            let found = fits(&points).remove(0);
            assert_eq!(found.shape, Shape::Exponential, "{base}");
            assert!(near(found.growth(), base, 0.02), "{base}: {found:?}");
        }
    }

    #[test]
    fn the_criterion_names_the_right_shape() {
        let best = |points: &[(f64, f64)]| fits(points).remove(0);
        assert_eq!(best(&noisy(|x| 50.0 + 3.0 * x, 1..=80, 9)).shape, Shape::Linear);
        let bowl = best(&noisy(|x| 500.0 + x * x, 1..=80, 10));
        assert_eq!(bowl.shape, Shape::Quadratic);
        assert!(near(bowl.parameters[2], 1.0, 0.05), "{bowl:?}");
        assert_eq!(best(&noisy(|x| x.powf(2.5), 1..=80, 11)).shape, Shape::Power);
    }

    #[test]
    fn a_line_by_hand() {
        // y = 2 · x³ at 1, 2, 4, 8 is exact: ln y = ln 2 + 3 ln x.
        let points = [(1.0, 2.0), (2.0, 16.0), (4.0, 128.0), (8.0, 1024.0)];
        let found = fit(Shape::Power, &points).unwrap();
        assert!(near(found.parameters[0], 2.0, 1e-9) && near(found.growth(), 3.0, 1e-9));
        assert!(near(found.r2, 1.0, 1e-9));
        assert_eq!(found.equation(), "y = 2.00 · x^3.00");
        // (0, 1), (1, 2), (2, 6): the least-squares line has slope 2.5 and intercept 0.5, by hand.
        let (intercept, slope, error) = line(&[(0.0, 1.0), (1.0, 2.0), (2.0, 6.0)]).unwrap();
        assert!(near(slope, 2.5, 1e-12) && near(intercept, 0.5, 1e-12));
        // Residuals 0.5, −1, 0.5: RSS 1.5, one degree of freedom, Sxx 2.
        assert!(near(error, 0.75f64.sqrt(), 1e-12));
    }

    #[test]
    fn too_little_to_tell_is_no_fit() {
        assert!(fits(&[(1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]).is_empty());
        assert!(fits(&[(1.0, 2.0); 9]).is_empty());
        assert!(fit(Shape::Power, &[(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]).is_none());
    }

    #[test]
    fn student_points_are_the_tabled_ones() {
        for (freedom, tabled) in [(3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)] {
            assert!(near(student(freedom), tabled, 0.005), "{freedom}");
        }
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.5, 123.4, 1e9, 2.5e-5, -3.0].map(short);
        assert_eq!(shown, ["0", "1.50", "123", "1.00·10^9", "2.50·10^−5", "−3.00"]);
    }
}
