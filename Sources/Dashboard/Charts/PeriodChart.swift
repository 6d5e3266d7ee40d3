/// Counts by day, week or month, in panels one below the other. Each panel has its own axis: on the axis of thousands
/// of touches, installs would be a flat line.
enum PeriodChart {
    struct Series {
        var name: String
        var cssClass: String
        /// One for each period.
        var values: [Double]
        /// How many of the first periods have no value.
        var unknown = 0
        /// The same periods of the range before; may be fewer or more.
        var previous: [Double] = []
        /// Whether the values are parts of a whole, which nobody adds up.
        var isRate = false
        /// Whether the values of all periods are together that of the range. People may come on several days.
        var addsUp = true

        func text(_ value: Double) -> String { isRate ? NumberText.percent(value) : NumberText.grouped(value) }

        /// What the values of the first periods come to.
        func summary(_ values: [Double], _ count: Int) -> String {
            let values = values.prefix(count)
            return addsUp && !isRate
                ? "\(NumberText.grouped(values.reduce(0, +))) in all" : "\(text(values.max() ?? 0)) at most"
        }
    }

    static func drawing(_ periods: ChartPeriods, series: [Series]) -> String {
        let count = periods.starts.count
        let plotHeight = series.count == 1 ? 176.0 : 88
        let panelHeight = plotHeight + 40
        var svg = SVG(height: Double(series.count) * panelHeight + 16, class: "chart")
        let step = count > 1 ? 1 / Double(count - 1) : 1
        func x(_ position: Int) -> Double { count > 1 ? Double(position) * step : 0.5 }
        let stretches = stretches(periods.states)
        for (row, one) in series.enumerated() {
            let bottom = Double(row + 1) * panelHeight - 8
            let top = bottom - plotHeight
            let (values, previous) = (one.values.prefix(count), one.previous.prefix(count))
            let axis = Axis(largest: max(values.max() ?? 0, previous.max() ?? 0))
            func y(_ value: Double) -> Double { bottom - plotHeight * value / axis.top }
            for tick in axis.ticks {
                svg.line(from: (0, y(tick)), to: (1, y(tick)), class: tick == 0 ? "axis" : "grid")
            }
            for mark in periods.marks where periods.length == "day" {
                svg.line(from: (x(mark.position), top), to: (x(mark.position), bottom), class: "grid")
            }
            for position in periods.notedPositions {
                svg.line(from: (x(position), top), to: (x(position), bottom), class: "noted")
            }
            svg.path(previous.enumerated().map { (x: x($0.offset), y: y($0.element)) }, class: "line previous")
            let points = values.enumerated().map { (x: x($0.offset), y: y($0.element)) }
            for stretch in stretches
            where stretch.positions.upperBound < points.count && one.unknown <= stretch.positions.upperBound {
                let first = max(one.unknown, stretch.positions.lowerBound)
                let part = Array(points[first...stretch.positions.upperBound])
                if stretch.isWhole { svg.path(part, closedAt: bottom, class: "area \(one.cssClass)") }
                svg.path(part, class: "line \(one.cssClass)\(stretch.isWhole ? "" : " dashed")")
            }
            for tick in axis.ticks where tick > 0 {
                svg.label(one.text(tick), x: 0, y: y(tick) + 13, class: "tick")
            }
            svg.label(one.name, x: 0, y: top - 8, class: "series-name")
            svg.label(one.summary(one.values, count), x: 1, y: top - 8, anchor: .end, class: "figure")
            for (position, value) in values.enumerated() {
                let (left, right) = (max(0, x(position) - step / 2), min(1, x(position) + step / 2))
                let remark = periods.remark(periods.starts[position]).map { ", \($0)" } ?? ""
                let before = position < previous.count ? "; before: \(one.text(previous[position]))" : ""
                svg.rectangle(
                    x: left,
                    y: top,
                    width: right - left,
                    height: plotHeight,
                    class: "hover",
                    hint: "\(periods.name(position))\(remark): "
                        + (position < one.unknown ? "no" : one.text(value)) + " \(one.name.lowercased())" + before
                )
            }
        }
        periods.drawMarks(in: &svg, y: Double(series.count) * panelHeight + 10, x: x)
        let totals = series.map { one in
            "\(one.name): \(one.summary(one.values, count))"
                + (one.previous.isEmpty ? "" : ", before: \(one.summary(one.previous, count))")
        }
        return svg.text(title: "By \(periods.length)", description: totals.joined(separator: "; "))
    }

    /// Splits a line into solid parts, of whole periods, and dashed ones, of incomplete periods. Each part begins where
    /// the one before it ends.
    static func stretches(_ states: [ChartPeriods.State]) -> [(isWhole: Bool, positions: ClosedRange<Int>)] {
        guard states.count > 1 else { return states.isEmpty ? [] : [(states[0] == .whole, 0...0)] }
        var stretches: [(isWhole: Bool, positions: ClosedRange<Int>)] = []
        for position in 1..<states.count {
            let isWhole = states[position - 1] == .whole && states[position] == .whole
            if let last = stretches.last, last.isWhole == isWhole {
                stretches[stretches.count - 1].positions = last.positions.lowerBound...position
            } else {
                stretches.append((isWhole, (position - 1)...position))
            }
        }
        return stretches
    }
}
