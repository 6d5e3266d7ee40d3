import Time

/// The 24 hours of the demo. Moments are milliseconds since its start, so that the day is the same whenever the demo
/// runs.
struct DemoDay {
    static let length = 24 * 60 * 60 * 1_000

    /// The last moment of the day, a whole second.
    let end: Timestamp

    /// The day that ended five minutes ago, so that no event is in the future if a clock is slightly wrong.
    init(before now: Timestamp) {
        let seconds = now.microseconds / 1_000_000 - 5 * 60
        end = Timestamp(microseconds: seconds * 1_000_000)
    }

    /// The days up to the one that ended five minutes ago, in order.
    static func days(_ count: Int, before now: Timestamp) -> [DemoDay] {
        (0..<count).reversed().map { DemoDay(before: now.advanced(by: .milliseconds(-$0 * length))) }
    }

    /// RFC 3339.
    func text(at moment: Int) -> String {
        time(at: moment).rfc3339
    }

    func unixSeconds(at moment: Int) -> Int64 {
        time(at: moment).microseconds / 1_000_000
    }

    func time(at moment: Int) -> Timestamp {
        Timestamp(microseconds: end.microseconds + Int64(moment - Self.length) * 1_000)
    }

    /// How busy each hour is: a quiet night, a small peak at noon, a busy evening.
    private static let rhythm: [Double] = [
        2.2, 1.4, 0.9, 0.6, 0.5, 0.6, 1.2, 2.4, 3.6, 4.2, 4.6, 5.0, 5.8, 5.4, 4.8, 4.8, 5.2, 5.8, 6.8, 7.8, 8.6, 8.2,
        6.4, 4.0,
    ]

    /// A random moment of the day, more likely in its busy hours.
    static func moment(_ random: inout DemoRandom) -> Int {
        let hour = random.index(weights: rhythm)
        return (hour * 3_600_000) + random.integer(in: 0...3_599_999)
    }
}
