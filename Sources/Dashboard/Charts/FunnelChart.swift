/// A funnel as bars, one per step, with the 95 % interval, and with the shares of the people of the step before who
/// were lost and who can still come. The latter are striped, beside those who came.
enum FunnelChart {
    struct Step {
        var name: String
        var people: Double
        /// The share of the first step's people; nil if nobody started.
        var rate: Double?
        var interval: (low: Double, high: Double)?
        /// People who can still reach the step.
        var open: Double
        var medianSeconds: Double?
    }

    private static let rowHeight = 66.0
    /// The first step has no note under its bar.
    private static let firstHeight = 50.0
    private static let barHeight = 20.0

    static func drawing(_ steps: [Step], title: String) -> String {
        func top(_ position: Int) -> Double {
            position == 0 ? 0 : firstHeight + Double(position - 1) * rowHeight
        }
        var svg = SVG(height: top(steps.count) - 8, class: "chart funnel")
        for (position, step) in steps.enumerated() {
            let top = top(position)
            let bar = top + 19
            svg.label(step.name, x: 0, y: top + 13, limit: 28, class: "step")
            svg.label(
                NumberText.grouped(step.people) + (step.rate.map { " · " + NumberText.percent($0) } ?? ""),
                x: 1,
                y: top + 13,
                anchor: .end,
                class: "figure"
            )
            svg.rectangle(x: 0, y: bar, width: 1, height: barHeight, radius: 4, class: "track")
            svg.rectangle(
                x: 0,
                y: bar,
                width: step.rate ?? 0,
                height: barHeight,
                radius: 4,
                class: "bar step-\(min(position, 7))"
            )
            let middle = bar + barHeight / 2
            if step.open > 0, let rate = step.rate, let all = steps.first?.people, all > 0 {
                svg.line(from: (rate, middle), to: (rate + step.open / all, middle), class: "open")
            }
            if position > 0, let interval = step.interval {
                svg.line(from: (interval.low, middle), to: (interval.high, middle), class: "interval")
                for end in [interval.low, interval.high] {
                    svg.line(from: (end, middle - 5), to: (end, middle + 5), class: "interval")
                }
            }
            let note = note(position, steps)
            svg.label(note, x: 0, y: bar + barHeight + 14, class: "note")
            svg.rectangle(
                x: 0,
                y: top,
                width: 1,
                height: rowHeight - 8,
                class: "hover",
                hint: words(step) + (position > 0 ? interval(step) : "") + (note.isEmpty ? "" : "; \(note)")
                    + (step.open > 0 ? "; \(NumberText.grouped(step.open)) can still reach it" : "")
            )
        }
        return svg.text(title: title, description: steps.map(words).joined(separator: "; "))
    }

    private static func words(_ step: Step) -> String {
        "\(step.name): \(NumberText.grouped(step.people)) people"
            + (step.rate.map { ", \(NumberText.percent($0))" } ?? "")
    }

    private static func interval(_ step: Step) -> String {
        step.interval.map { " (95 %: \(NumberText.percent($0.low)) to \(NumberText.percent($0.high)))" } ?? ""
    }

    /// Which shares of the people of the step before were lost and can still come, and the median time.
    private static func note(_ position: Int, _ steps: [Step]) -> String {
        let step = steps[position]
        guard position > 0 else { return "" }
        var notes: [String] = []
        let before = steps[position - 1].people
        if before > 0 {
            notes.append("\(NumberText.percent((before - step.people - step.open) / before)) lost")
            if step.open > 0 { notes.append("\(NumberText.percent(step.open / before)) still can") }
        }
        if let seconds = step.medianSeconds { notes.append("median \(NumberText.duration(seconds: seconds))") }
        return notes.joined(separator: " · ")
    }
}
