import Events
import Importing
import JSONReading

/// The result of an import, as it is printed.
struct ImportSummary {
    let tally: ImportTally
    let hasMapping: Bool
    let retentionDays: Int

    func text(as format: RecordFormat.Form) -> String {
        switch format {
        case .text: lines
        case .json: json
        }
    }

    /// Advice on frequent causes of rejections.
    var hints: [String] {
        var hints: [String] = []
        if let count = tally.rejected[.tooOld] {
            hints.append(
                """
                \(count) \(count == 1 ? "event is" : "events are") older than the \(retentionDays) days that events are kept. To import older history, \
                raise retention.days (TRIBUTARY_RETENTION_DAYS) for this command and for tributaryd, and import again.
                """
            )
        }
        return hints
    }

    private var warnings: [(key: String, value: Int)] {
        tally.warned.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }

    private var lines: String {
        var lines = ["accepted: \(tally.accepted)", "duplicates: \(tally.duplicates)"]
        if hasMapping { lines.append("skipped: \(tally.skipped)") }
        lines.append("rejected: \(tally.rejectedCount)")
        for (code, count) in tally.rejections { lines.append("  \(code.rawValue): \(count)") }
        if !warnings.isEmpty { lines.append("warnings: \(warnings.reduce(0) { $0 + $1.value })") }
        for (what, count) in warnings { lines.append("  \(what): \(count)") }
        return lines.joined(separator: "\n")
    }

    private var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("accepted", tally.accepted)
            writer.member("duplicates", tally.duplicates)
            writer.member("skipped", tally.skipped)
            writer.member("rejected", tally.rejectedCount)
            writer.key("rejections")
            writer.object { writer in
                for (code, count) in tally.rejections { writer.member(code.rawValue, count) }
            }
            guard !warnings.isEmpty else { return }
            writer.key("warnings")
            writer.object { writer in
                for (what, count) in warnings { writer.member(what, count) }
            }
        }
        return writer.text
    }
}
