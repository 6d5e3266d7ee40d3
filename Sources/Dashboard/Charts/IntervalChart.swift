/// Differences with their 95 % intervals, around a line for no difference. An interval that crosses the line may be
/// chance.
enum IntervalChart {
    struct Row {
        var name: String
        var difference: Double
        var interval: (low: Double, high: Double)?
        var note: String

        /// The same the other way round: b − a for a − b.
        var reversed: Row {
            Row(
                name: name,
                difference: -difference,
                interval: interval.map { (low: -$0.high, high: -$0.low) },
                note: note
            )
        }
    }

    private static let rowHeight = 66.0

    static func drawing(_ rows: [Row], title: String) -> String {
        let height = Double(rows.count) * rowHeight
        var svg = SVG(height: height + 18, class: "chart intervals")
        let largest = rows.reduce(0.001) { most, row in
            max(most, abs(row.difference), abs(row.interval?.low ?? 0), abs(row.interval?.high ?? 0))
        }
        func x(_ value: Double) -> Double { 0.5 + 0.48 * value / largest }
        for (position, row) in rows.enumerated() {
            let top = Double(position) * rowHeight
            let middle = top + 28
            svg.label(row.name, x: 0, y: top + 13, limit: 32, class: "step")
            svg.label(signed(row.difference), x: 1, y: top + 13, anchor: .end, class: "figure")
            svg.rectangle(x: 0, y: middle - 8, width: 1, height: 16, radius: 4, class: "track")
            svg.line(from: (0.5, middle - 8), to: (0.5, middle + 8), class: "axis")
            if let interval = row.interval {
                svg.line(from: (x(interval.low), middle), to: (x(interval.high), middle), class: "interval")
                for end in [interval.low, interval.high] {
                    svg.line(from: (x(end), middle - 5), to: (x(end), middle + 5), class: "interval")
                }
            }
            svg.rectangle(
                x: x(row.difference) - 0.004,
                y: middle - 6,
                width: 0.008,
                height: 12,
                radius: 2,
                class: "bar"
            )
            svg.label(row.note, x: 0, y: middle + 22, class: "note")
            let interval = row.interval.map { " (95 %: \(signed($0.low)) to \(signed($0.high)))" } ?? ""
            svg.rectangle(
                x: 0,
                y: top,
                width: 1,
                height: rowHeight - 10,
                class: "hover",
                hint: "\(row.name): \(signed(row.difference))\(interval); \(row.note)"
            )
        }
        for (value, place, anchor) in [(-largest, 0.02, SVG.Anchor.start), (0, 0.5, .middle), (largest, 0.98, .end)] {
            svg.label(
                value == 0 ? "no difference" : signed(value),
                x: place,
                y: height + 14,
                anchor: anchor,
                class: "tick"
            )
        }
        let sentence = rows.map { "\($0.name): \(signed($0.difference)), \($0.note)" }
        return svg.text(title: title, description: sentence.joined(separator: "; "))
    }

    /// A difference of rates in percentage points.
    static func signed(_ difference: Double) -> String {
        let text = NumberText.grouped(difference * 100, decimals: 1, fixed: true)
        return (difference > 0 ? "+" : "") + text + " points"
    }
}
