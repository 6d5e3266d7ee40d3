/// An axis from 0 to a round number at or above the largest value.
struct Axis {
    let top: Double
    /// From 0 to `top`.
    let ticks: [Double]

    init(largest: Double) {
        guard largest > 0, largest.isFinite else {
            top = 1
            ticks = [0, 1]
            return
        }
        // Steps of 1, 2 or 5 times a power of ten, three to five of them.
        var step = 1.0
        while step * 4 < largest { step *= 10 }
        while step / 10 * 4 >= largest { step /= 10 }
        for candidate in [step / 5, step / 2, step] where candidate * 4 >= largest {
            step = candidate
            break
        }
        var ticks = [0.0]
        while ticks[ticks.count - 1] < largest { ticks.append(Double(ticks.count) * step) }
        self.ticks = ticks
        top = ticks[ticks.count - 1]
    }
}
