import Reporting
import Time

extension Duration {
    /// Reads the value of an option. PostgreSQL's times end with the year 294276.
    ///
    /// - Parameter range: default: up to 36500d, as durations of reports.
    /// - Throws: `CommandFailure` for any other text.
    static func option(
        _ name: String,
        _ text: String,
        in range: ClosedRange<Duration> = .zero...ReportInstant.longestAgo,
        suchAs examples: String
    ) throws -> Duration {
        if let duration = Duration(text: text), range.contains(duration) { return duration }
        let (least, most) = (range.lowerBound.text, range.upperBound.text)
        throw CommandFailure(
            .usage,
            "\(name) takes a duration from \(least) to \(most), such as \(examples), not '\(text)'"
        )
    }

    /// As options take it: `7d`, `36h`, `90s`.
    var text: String {
        let seconds = components.seconds
        for (unit, length) in [("d", 86_400), ("h", 3_600), ("m", 60)] as [(String, Int64)]
        where seconds > 0 && seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }
}
