/// Some counts day by day, one panel under another, each with an axis of its own: touches in the thousands would make a flat
/// line of installs.
enum DayChart {
    struct Series {
        var name: String
        var cssClass: String
        var values: [Double]
    }

    private static let width = 720.0
    private static let panelHeight = 110.0
    private static let left = 52.0
    private static let right = 12.0

    /// - Parameter days: the first of each period, one for each value.
    static func drawing(days: [String], series: [Series]) -> String {
        let height = Double(series.count) * panelHeight + 24
        var svg = SVG(width: width, height: height, class: "chart wide")
        let step = days.count > 1 ? (width - left - right) / Double(days.count - 1) : 0
        func x(_ position: Int) -> Double {
            days.count > 1 ? left + Double(position) * step : (left + width - right) / 2
        }
        for (row, one) in series.enumerated() {
            let top = Double(row) * panelHeight + 26
            let bottom = Double(row + 1) * panelHeight - 2
            let axis = Axis(largest: one.values.max() ?? 0)
            func y(_ value: Double) -> Double { bottom - (bottom - top) * value / axis.top }
            svg.label(one.name, x: left, y: top - 10, class: "series-name")
            for tick in axis.ticks {
                svg.line(from: (left, y(tick)), to: (width - right, y(tick)), class: tick == 0 ? "axis" : "grid")
            }
            svg.label("0", x: left - 8, y: bottom + 4, anchor: .end, class: "tick")
            svg.label(NumberText.grouped(axis.top), x: left - 8, y: top + 4, anchor: .end, class: "tick")
            let points = one.values.enumerated().map { (x: x($0.offset), y: y($0.element)) }
            svg.path(points, closedAt: bottom, class: "area \(one.cssClass)")
            svg.path(points, class: "line \(one.cssClass)")
            for (position, value) in one.values.enumerated() {
                svg.rectangle(
                    x: x(position) - max(step, 8) / 2,
                    y: top - 4,
                    width: max(step, 8),
                    height: bottom - top + 4,
                    class: "hover",
                    hint: "\(days[position]): \(NumberText.grouped(value)) \(one.name.lowercased())"
                )
            }
        }
        for position in labelled(days.count) {
            let anchor: SVG.Anchor = position == 0 ? .start : (position == days.count - 1 ? .end : .middle)
            svg.label(days[position], x: x(position), y: height - 4, anchor: anchor, class: "tick")
        }
        let totals = series.map { "\($0.name): \(NumberText.grouped($0.values.reduce(0, +))) in all" }
        return svg.text(title: "Day by day", description: totals.joined(separator: "; "))
    }

    /// The days that have room for their date.
    private static func labelled(_ count: Int) -> [Int] {
        switch count {
        case 0: []
        case 1: [0]
        case 2: [0, 1]
        default: [0, (count - 1) / 2, count - 1]
        }
    }
}
