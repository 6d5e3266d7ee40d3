import Foundation

/// A line on a terminal that shows the progress of long work. Elsewhere, and in the first second, it shows nothing.
struct Progress {
    private let startedAt = ContinuousClock.now
    private var shownAt: ContinuousClock.Instant?
    private let isShown: Bool

    init(isShown: Bool = StandardError.isTerminal) {
        self.isShown = isShown
    }

    /// - Parameters:
    ///   - what: the unit of work, such as "events".
    ///   - done: finished units.
    ///   - fraction: of the whole, 0…1; nil if the whole is not known.
    mutating func show(_ what: String, done: Int, fraction: Double?) {
        guard let seconds = secondsToShow() else { return }
        var line = "\(done) \(what), \(Int(Double(done) / seconds))/s, \(Int(seconds)) s"
        if let fraction, fraction > 0 {
            line = "\(Self.bar(fraction))  \(line), \(Int(seconds / fraction * (1 - fraction))) s to go"
        }
        StandardError.rewrite(line)
    }

    /// - Parameters:
    ///   - what: the work.
    ///   - fraction: of the whole, 0…1; nil if the whole is not known.
    mutating func show(_ what: String, fraction: Double?) {
        guard let seconds = secondsToShow() else { return }
        StandardError.rewrite((fraction.map { "\(Self.bar($0))  " } ?? "") + "\(what), \(Int(seconds)) s …")
    }

    /// The seconds since the start; nil if the line should not change: in the first second, or too soon after the last
    /// change.
    private mutating func secondsToShow() -> Double? {
        let now = ContinuousClock.now
        let elapsed = now - startedAt
        guard isShown, elapsed > .seconds(1), shownAt.map({ now - $0 > .milliseconds(200) }) ?? true else { return nil }
        shownAt = now
        return elapsed / .seconds(1)
    }

    private static func bar(_ fraction: Double) -> String {
        let cells = Int(fraction * 24)
        return String(repeating: "█", count: cells) + String(repeating: "░", count: 24 - cells)
            + " \(Int(fraction * 100)) %"
    }

    /// Clears the line.
    mutating func finish() {
        if shownAt != nil { StandardError.rewrite("") }
        shownAt = nil
    }

    /// Writes a line of its own to standard error.
    mutating func write(_ line: String) {
        // Otherwise it would follow the progress on the same line.
        finish()
        StandardError.write(line)
    }

    /// Shows the elapsed seconds of work whose progress is unknown.
    static func whileWaiting<Result: Sendable>(
        _ what: String,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        guard StandardError.isTerminal else { return try await body() }
        let ticking = Task {
            var seconds = 0
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                seconds += 1
                StandardError.rewrite("\(what), \(seconds) s …")
            }
        }
        defer {
            ticking.cancel()
            StandardError.rewrite("")
        }
        return try await body()
    }
}
