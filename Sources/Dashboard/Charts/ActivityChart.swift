/// People of each period as stacked bars: those who are active above the axis, by where they come from, and those who
/// are gone below it.
enum ActivityChart {
    /// A part of the bars.
    struct Part {
        var name: String
        var cssClass: String
        /// One for each period.
        var values: [Double]
    }

    /// The part of the width that is left to the numbers of the axis.
    private static let gutter = 0.06

    /// - Parameters:
    ///   - active: parts above the axis, the lowest first.
    ///   - gone: the part below it.
    ///   - isSmall: whether it is one of several side by side.
    static func drawing(_ periods: ChartPeriods, active: [Part], gone: Part, isSmall: Bool, title: String) -> String {
        let height = isSmall ? 110.0 : 200
        let count = periods.starts.count
        let sums = periods.starts.indices.map { position in active.reduce(0) { $0 + $1.values[position] } }
        let axis = Axis(largest: max(sums.max() ?? 0, gone.values.prefix(count).max() ?? 0))
        let deepest = gone.values.prefix(count).max() ?? 0
        // One scale above and below, so that both can be compared.
        let pixels = height / (axis.top + deepest)
        let (top, zero) = (16.0, 16 + axis.top * pixels)
        let bottom = top + height
        var svg = SVG(height: bottom + 22, class: "chart activity")
        for tick in axis.ticks {
            for y in [zero - tick * pixels, zero + tick * pixels] where y <= bottom {
                svg.line(from: (0, y), to: (1, y), class: tick == 0 ? "axis" : "grid")
            }
        }
        let step = (1 - gutter) / Double(max(count, 1))
        func left(_ position: Int) -> Double { gutter + Double(position) * step }
        for position in periods.starts.indices {
            let (x, width) = (left(position) + step * 0.1, step * 0.8)
            let apart = periods.states[position] == .whole ? "" : " incomplete"
            var y = zero
            for part in active where part.values[position] > 0 {
                y -= part.values[position] * pixels
                svg.rectangle(
                    x: x,
                    y: y,
                    width: width,
                    height: part.values[position] * pixels,
                    class: part.cssClass + apart
                )
            }
            svg.rectangle(
                x: x,
                y: zero,
                width: width,
                height: gone.values[position] * pixels,
                class: gone.cssClass + apart
            )
        }
        for position in periods.notedPositions {
            let x = left(position) + step / 2
            svg.line(from: (x, top), to: (x, bottom), class: "noted")
        }
        for tick in axis.ticks where tick > 0 {
            svg.label(NumberText.grouped(tick), x: 0, y: zero - tick * pixels - 4, class: "tick")
        }
        let below = axis.ticks.filter { $0 > 0 && $0 <= deepest }
        for tick in below.isEmpty ? [deepest] : below where tick * pixels >= 14 {
            svg.label(NumberText.grouped(tick), x: 0, y: zero + tick * pixels - 4, class: "tick")
        }
        for position in periods.starts.indices {
            svg.rectangle(
                x: left(position),
                y: top,
                width: step,
                height: height,
                class: "hover",
                hint: hint(periods, position, sums[position], active, gone)
            )
        }
        periods.drawMarks(in: &svg, y: bottom + 16, isNarrow: isSmall) { left($0) + step / 2 }
        let totals = (active + [gone]).map { part in
            "\(part.name): \(NumberText.grouped(part.values.prefix(count).reduce(0, +)))"
        }
        return svg.text(title: title, description: "Summed over the periods: " + totals.joined(separator: ", "))
    }

    private static func hint(_ periods: ChartPeriods, _ position: Int, _ sum: Double, _ active: [Part], _ gone: Part)
        -> String
    {
        func words(_ part: Part) -> String { "\(NumberText.grouped(part.values[position])) \(part.name)" }
        let remark = periods.remark(periods.starts[position]).map { ", \($0)" } ?? ""
        return "\(periods.name(position))\(remark): \(NumberText.grouped(sum)) active, of them "
            + active.map(words).joined(separator: ", ") + "; \(words(gone))"
    }
}
