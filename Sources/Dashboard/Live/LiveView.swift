import Ingest

/// Live ingest: what came in during the last minutes, and how the daemon does.
struct LiveView {
    struct Line {
        var name: String
        var value: String
    }

    var chart: String
    var rates: [Line]
    var codes: [Line]
    var hasCodes: Bool
    var state: [Line]

    init(_ live: LiveIngest, app: Int32, readiness: Readiness) {
        let (counts, codes) = live.recent(ofApp: app)
        func average(_ seconds: Int) -> String {
            let accepted = counts.suffix(seconds).reduce(0) { $0 + $1.accepted }
            return NumberText.grouped(Double(accepted) / Double(seconds)) + " / s"
        }
        rates = [
            Line(name: "Accepted, last 10 seconds", value: average(10)),
            Line(name: "Accepted, last minute", value: average(60)),
            Line(name: "Accepted, last 5 minutes", value: average(counts.count)),
            Line(name: "Duplicates, last 5 minutes", value: NumberText.grouped(counts.sum(\.duplicates))),
            Line(name: "Rejected, last 5 minutes", value: NumberText.grouped(counts.sum(\.rejected))),
        ]
        self.codes = codes.map { Line(name: $0.code, value: NumberText.grouped(Double($0.count))) }
        hasCodes = !codes.isEmpty
        state =
            [
                Line(
                    name: "State",
                    value: readiness.isReady ? "ready" : readiness.reasons.joined(separator: "; ")
                )
            ]
            + readiness.details.map { detail in
                let value =
                    switch detail.value {
                    case .text(let text): text
                    case .number(let number): NumberText.grouped(Double(number))
                    case .flag(let flag): flag ? "yes" : "no"
                    }
                return Line(name: detail.name.replacing("_", with: " "), value: value)
            }
        chart = Self.drawing(counts)
    }

    private static func drawing(_ counts: [LiveIngest.Counts]) -> String {
        let (width, height, left) = (720.0, 180.0, 52.0)
        var svg = SVG(width: width, height: height, class: "chart wide")
        let axis = Axis(largest: Double(counts.map { $0.accepted + $0.rejected }.max() ?? 0))
        let (top, bottom) = (14.0, height - 22)
        func y(_ value: Double) -> Double { bottom - (bottom - top) * value / axis.top }
        for tick in axis.ticks {
            svg.line(from: (left, y(tick)), to: (width, y(tick)), class: tick == 0 ? "axis" : "grid")
            svg.label(NumberText.grouped(tick), x: left - 8, y: y(tick) + 4, anchor: .end, class: "tick")
        }
        let step = (width - left) / Double(max(counts.count, 1))
        for (position, count) in counts.enumerated() where count != LiveIngest.Counts() {
            let x = left + Double(position) * step
            svg.rectangle(
                x: x,
                y: y(Double(count.accepted)),
                width: max(step - 0.4, 0.6),
                height: bottom - y(Double(count.accepted)),
                class: "accepted"
            )
            svg.rectangle(
                x: x,
                y: y(Double(count.accepted + count.rejected)),
                width: max(step - 0.4, 0.6),
                height: y(Double(count.accepted)) - y(Double(count.accepted + count.rejected)),
                class: "rejected"
            )
        }
        svg.label("5 minutes ago", x: left, y: height - 4, class: "tick")
        svg.label("now", x: width, y: height - 4, anchor: .end, class: "tick")
        return svg.text(
            title: "Events per second",
            description: "\(NumberText.grouped(counts.sum(\.accepted))) accepted and "
                + "\(NumberText.grouped(counts.sum(\.rejected))) rejected in the last 5 minutes"
        )
    }
}

extension [LiveIngest.Counts] {
    fileprivate func sum(_ count: (LiveIngest.Counts) -> Int) -> Double {
        Double(reduce(0) { $0 + count($1) })
    }
}
