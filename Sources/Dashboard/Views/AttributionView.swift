import Reporting

/// The five models of attribution side by side.
struct AttributionView {
    struct Model {
        var name: String
        var cssClass: String
        var meaning: String
    }

    private static let drawnGroups = 9
    private static let meanings = [
        "last": "all to the last touch", "first": "all to the first touch", "linear": "equal parts",
        "position": "40 % first, 40 % last, 20 % between", "decay": "half as much for each 7 days before",
    ]

    struct Picture {
        var title: String
        var drawing: String
    }

    var models: [Model]
    /// One for each of the largest groups, all with the same scale.
    var pictures: [Picture]
    var table: TableView
    var isEmpty: Bool
    var events: [Choice]
    var groupings: [Choice]
    var lookback: String

    init(_ request: ViewRequest) async throws(DashboardFailure) {
        let event = request["event"] ?? "install"
        let grouping = request["by"] ?? "channel"
        let own: [(name: String, value: String)] =
            [("event", event), ("by", grouping), ("model", "all")]
            + request.given.filter { $0.name == "lookback" }
        let figures = try await request.figures("attribution", own)
        var names: [String] = []
        var groups: [String] = []
        for row in figures.rows {
            if !names.contains(row.text("model")) { names.append(row.text("model")) }
            let group = row.text("group")
            if group != "total", !groups.contains(group) { groups.append(group) }
        }
        func share(_ group: String, _ model: String) -> Double {
            figures.rows.first { $0.text("group") == group && $0.text("model") == model }?.number("share") ?? 0
        }
        let drawn = groups.map { group in (name: group, shares: names.map { share(group, $0) }) }
            .filter { $0.shares.contains { $0 > 0 } }
            .sorted { ($0.shares.max() ?? 0) > ($1.shares.max() ?? 0) }
            .prefix(Self.drawnGroups)
        let scale = drawn.flatMap(\.shares).max() ?? 0
        models = names.enumerated().map { position, name in
            Model(name: name, cssClass: "model-\(position)", meaning: Self.meanings[name] ?? "")
        }
        isEmpty = drawn.isEmpty
        pictures = drawn.map { group in
            Picture(
                title: group.name,
                drawing: ModelChart.drawing(of: group.name, models: names, shares: group.shares, scale: scale)
            )
        }
        table = TableView(figures, caption: "Credits", csv: request.csv("attribution", own))
        events = Choice.list(["install", "conversion"], chosen: event)
        groupings = Choice.list(["channel", "ref"], chosen: grouping)
        lookback = request["lookback"] ?? "7d"
    }
}
