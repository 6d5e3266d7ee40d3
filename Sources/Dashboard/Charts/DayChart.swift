/// Counts by day, in panels one below the other. Each panel has its own axis: on the axis of thousands of touches,
/// installs would be a flat line.
enum DayChart {
    struct Series {
        var name: String
        var cssClass: String
        var values: [Double]
    }

    private static let panelHeight = 128.0
    private static let plotHeight = 88.0

    /// - Parameter days: the first day of each period, one for each value.
    static func drawing(days: [String], series: [Series]) -> String {
        var svg = SVG(height: Double(series.count) * panelHeight + 16, class: "chart")
        let step = days.count > 1 ? 1 / Double(days.count - 1) : 1
        func x(_ position: Int) -> Double { days.count > 1 ? Double(position) * step : 0.5 }
        for (row, one) in series.enumerated() {
            let bottom = Double(row + 1) * panelHeight - 8
            let top = bottom - plotHeight
            let axis = Axis(largest: one.values.max() ?? 0)
            func y(_ value: Double) -> Double { bottom - plotHeight * value / axis.top }
            for tick in axis.ticks {
                svg.line(from: (0, y(tick)), to: (1, y(tick)), class: tick == 0 ? "axis" : "grid")
            }
            let points = one.values.enumerated().map { (x: x($0.offset), y: y($0.element)) }
            svg.path(points, closedAt: bottom, class: "area \(one.cssClass)")
            svg.path(points, class: "line \(one.cssClass)")
            svg.label(NumberText.grouped(axis.top), x: 0, y: top + 13, class: "tick")
            svg.label(one.name, x: 0, y: top - 8, class: "series-name")
            svg.label(
                NumberText.grouped(one.values.reduce(0, +)) + " in all",
                x: 1,
                y: top - 8,
                anchor: .end,
                class: "figure"
            )
            for (position, value) in one.values.enumerated() {
                let (left, right) = (max(0, x(position) - step / 2), min(1, x(position) + step / 2))
                svg.rectangle(
                    x: left,
                    y: top,
                    width: right - left,
                    height: plotHeight,
                    class: "hover",
                    hint: "\(days[position]): \(NumberText.grouped(value)) \(one.name.lowercased())"
                )
            }
        }
        for position in labelled(days.count) {
            let anchor: SVG.Anchor =
                days.count == 1 ? .middle : position == 0 ? .start : position == days.count - 1 ? .end : .middle
            svg.label(
                days[position],
                x: x(position),
                y: Double(series.count) * panelHeight + 10,
                anchor: anchor,
                class: "tick"
            )
        }
        let totals = series.map { "\($0.name): \(NumberText.grouped($0.values.reduce(0, +))) in all" }
        return svg.text(title: "Day by day", description: totals.joined(separator: "; "))
    }

    /// The days that show their date. There is room for them even on a phone.
    private static func labelled(_ count: Int) -> [Int] {
        switch count {
        case 0: []
        case 1: [0]
        case 2: [0, 1]
        default: [0, (count - 1) / 2, count - 1]
        }
    }
}
