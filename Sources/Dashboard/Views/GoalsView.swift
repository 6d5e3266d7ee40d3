import Reporting
import Storage

/// The goals that people reach: how often, by how many, and what that was worth.
extension ReportPage {
    static func goals(_ request: ViewRequest) async throws(DashboardFailure) -> ReportPage {
        let exploring = Exploring(request, by: request["by"] ?? "")
        let known = [View.breakdown, .changes, .attribution, .compare].flatMap(exploring.offered)
        if let unknown = exploring.keys.first(where: { !known.contains($0) }) {
            throw .invalid("‘by’: there are no figures by ‘\(unknown)’.")
        }
        let figures = try await request.figures("goals")
        let total = figures.total(named: "goal")
        let keys = request.given.filter { $0.name == "by" }
        // Who gets the credit for it?
        let drill = Drill(column: "goal") { row in
            let goal = row.text("goal")
            guard !ReportRows.isSyntheticName(goal) else { return nil }
            return request.href(.attribution, keys + [("event", "conversion"), ("goal", goal)])
        }
        var page = ReportPage()
        page.form = exploring.form(OptionsForm(request, keeping: request.view.pageFields, []))
        page.cards = [
            Card("Conversions", "conversions", of: total, meaning: "Goals reached in these days"),
            Card("People", "people", of: total, meaning: "Distinct people of these conversions"),
            Card("Value, \(request.app.profile.currency)", "value", of: total, meaning: "Of these conversions"),
        ].map { card in figures.unmet.map(card.refused) ?? card }
        var panel = Panel(
            anchor: "goals",
            heading: "Conversions by goal",
            explanation:
                "All conversions, also those that no touch led to. A click on a goal shows who gets its credit."
        )
        let goals = figures.rows.filter { $0.text("goal") != "total" }
        panel.drawBars(request, goals, names: ["goal"], column: "conversions", of: "goals", drill: drill) { row in
            let counts = ["conversions", "people"].map { NumberText.grouped(row.number($0)) }
            return "\(counts[0]) by \(counts[1]) people"
        }
        if panel.bars.isEmpty, figures.unmet == nil {
            panel.emptiness = "No conversions in these days. Choose more days, or send one."
            page.firstEvent = FirstEvent(request, .conversion)
        }
        panel.tables = [
            TableView(
                figures,
                caption: "Goals",
                address: request.address("goals"),
                isShown: true,
                drills: [drill],
                sorting: try .ofPage(request, figures)
            )
        ]
        page.panels = [panel.refused(figures.unmet)]
        return page
    }
}
