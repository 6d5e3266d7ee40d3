#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SeededRandom {
    private mutating func uniform() -> Double { Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self) }

    package mutating func normal() -> Double { (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform()) }

    /// With a scale of 1, by Marsaglia and Tsang's method.
    package mutating func gamma(_ shape: Double) -> Double {
        if shape < 1 { return gamma(shape + 1) * pow(uniform(), 1 / shape) }
        let d = shape - 1 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = normal()
            let v = pow(1 + c * x, 3)
            if v > 0, log(uniform()) < x * x / 2 + d - d * v + d * log(v) { return d * v }
        }
    }

    /// Exact for small means, by products; for large ones the sum of smaller ones.
    package mutating func poisson(_ mean: Double) -> Int {
        if mean > 30 {
            // The number below the n-th arrival (Ahrens and Dieter).
            let n = Int(mean * 7 / 8)
            let time = gamma(Double(n))
            if time > mean { return binomial(n - 1, mean / time) }
            return n + poisson(mean - time)
        }
        let limit = exp(-mean)
        var (count, product) = (0, uniform())
        while product > limit {
            count += 1
            product *= uniform()
        }
        return count
    }

    /// By halves, with beta variates (Relles), and one by one in the end.
    package mutating func binomial(_ trials: Int, _ chance: Double) -> Int {
        var (trials, chance, count) = (trials, chance, 0)
        while trials > 30 {
            let (a, b) = (1 + trials / 2, trials - trials / 2)
            let (x, y) = (gamma(Double(a)), gamma(Double(b)))
            let middle = x / (x + y)
            if middle >= chance {
                (trials, chance) = (a - 1, chance / middle)
            } else {
                (trials, chance, count) = (b - 1, (chance - middle) / (1 - middle), count + a)
            }
        }
        for _ in 0..<trials where uniform() < chance { count += 1 }
        return count
    }
}
