import Reporting

/// The conversion funnel and the install funnel.
struct FunnelsView {
    struct Picture {
        var title: String
        var drawing: String
    }

    struct Funnel {
        var title: String
        var pictures: [Picture]
        var table: TableView
    }

    /// How many groups are drawn beside the total: the largest.
    private static let drawnGroups = 5
    static let defaultSteps = "inbound_link,authentication,conversion"

    var funnels: [Funnel]
    /// Whether each funnel has one picture, so that both fit side by side.
    var isUngrouped: Bool
    var steps: String
    var window: String
    var groupings: [Choice]

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        let own = request.given
        let shared = own.filter { $0.name != "steps" }
        let grouping = request["by"] ?? "none"
        let conversion = try await request.figures("funnel", own)
        let install = try await request.figures("installs", shared)
        funnels = [
            Self.funnel("Conversion funnel", conversion, csv: request.csv("funnel", own)),
            Self.funnel("Install funnel", install, csv: request.csv("installs", shared)),
        ]
        isUngrouped = grouping == "none"
        steps = request["steps"] ?? Self.defaultSteps
        window = request["window"] ?? "7d"
        groupings = Choice.list(
            ["none", "channel", "ref", "referer_app", "platform", "day", "target_url", "link"],
            chosen: grouping
        )
    }

    private static func funnel(_ title: String, _ figures: ReportRows, csv: String) -> Funnel {
        var names: [String] = []
        for row in figures.rows where !names.contains(row.text("group")) { names.append(row.text("group")) }
        let groups = names.filter { $0 != "total" }.prefix(drawnGroups)
        return Funnel(
            title: title,
            pictures: (["total"] + groups).map { name in
                let steps = figures.rows.filter { $0.text("group") == name }.map(step)
                return Picture(
                    title: name == "total" ? "All" : name,
                    drawing: FunnelChart.drawing(steps, title: "\(title), \(name)")
                )
            },
            table: TableView(figures, caption: title, csv: csv)
        )
    }

    private static func step(_ row: ReportRows.Row) -> FunnelChart.Step {
        var interval: (low: Double, high: Double)?
        if let low = row["ci_low"].number, let high = row["ci_high"].number { interval = (low, high) }
        return FunnelChart.Step(
            name: row.text("name").replacing("_", with: " "),
            people: row.number("people"),
            rate: row["rate_from_first"].number,
            interval: interval,
            open: row.number("open"),
            medianSeconds: row.number("step") > 1 ? row["median_seconds"].number : nil
        )
    }
}
