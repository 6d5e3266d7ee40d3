import Foundation

/// Student's t distribution.
enum StudentT {
    /// The chance of a value at least as far from 0.
    ///
    /// - Parameter freedom: the degrees of freedom, at least 1.
    static func twoSidedPValue(_ value: Double, freedom: Double) -> Double {
        regularizedBeta(freedom / (freedom + value * value), freedom / 2, 0.5)
    }

    /// The value that is exceeded, away from 0, with a chance.
    static func quantile(twoSided chance: Double, freedom: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        while twoSidedPValue(high, freedom: freedom) > chance { high *= 2 }
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if twoSidedPValue(middle, freedom: freedom) > chance { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The regularized incomplete beta function, by Lentz's method for its continued fraction (NIST Handbook of
    /// Mathematical Functions, 8.17.22).
    ///
    /// - Parameter steps: of the fraction at most. It needs some 2·√a where `a` and `b` are large.
    static func regularizedBeta(_ x: Double, _ a: Double, _ b: Double, steps: Int = 300) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        // The fraction converges fast on this side only.
        if x > (a + 1) / (a + b + 2) { return 1 - regularizedBeta(1 - x, b, a, steps: steps) }
        let gammas = lgamma(a + b) - lgamma(a) - lgamma(b)
        let powers = a * log(x) + b * log(1 - x)
        let tiny = 1e-300
        var c = 1.0
        var d = 1 - (a + b) * x / (a + 1)
        d = 1 / (abs(d) < tiny ? tiny : d)
        var fraction = d
        for m in 1...steps {
            let m = Double(m)
            let place = a + 2 * m
            let even = m * (b - m) * x / ((place - 1) * place)
            let odd = -(a + m) * (a + b + m) * x / (place * (place + 1))
            var change = 1.0
            for term in [even, odd] {
                d = 1 + term * d
                d = 1 / (abs(d) < tiny ? tiny : d)
                c = 1 + term / c
                if abs(c) < tiny { c = tiny }
                change = c * d
                fraction *= change
            }
            if abs(change - 1) < 1e-15 { break }
        }
        return exp(gammas + powers) * fraction / a
    }
}
