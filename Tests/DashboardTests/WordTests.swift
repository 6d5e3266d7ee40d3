import Testing

@testable import Dashboard
@testable import Reporting

@Suite("Words and names of the dashboard")
struct WordTests {
    /// The cells have the unit.
    @Test func noColumnOfATimeIsHeadedBySeconds() {
        for description in ReportCatalogue.descriptions {
            for column in description.columns where column.unit == "seconds" {
                #expect(!column.words.contains("seconds"), "\(description.name): \(column.name)")
            }
        }
        let words = ViralReport.columns.map(\.words)
        #expect(words.contains("K") && words.contains("median time"))
    }

    /// What follows a colon is a name of the app's.
    @Test(arguments: [
        ("conversion:recipe_saved", "conversion: recipe_saved"), ("inbound_link", "inbound link"), ("any", "any event"),
        ("install|feed_post", "install or feed post"), ("conversion:a:b_c", "conversion: a:b_c"),
    ])
    func namesOfTheAppStayAsTheyAre(value: String, words: String) {
        #expect(Choice.words(value) == words)
        #expect(Choice.list([value], chosen: "").map(\.title) == [words])
    }

    @Test func aLongNameDoesNotStretchAList() {
        let name = "goal_" + String(repeating: "x", count: 79)
        let choice = Choice.names([name, "short"], chosen: nil)
        #expect(choice[0].title.count == 40 && choice[0].title.hasSuffix("…"))
        #expect(choice[0].hint == name && choice[0].value == name && choice[1].hint == nil)
    }

    @Test func aStepIsNamedAsItIsChosen() async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { name, _ in
            guard name == "funnel" else { return nil }
            let rows = ["touch", "conversion:recipe_saved"].enumerated().map { position, step in
                FunnelReport.columns.map { column -> ReportCell in
                    switch column.name {
                    case "group": .text("total")
                    case "name": .text(step)
                    case "step": .integer(Int64(position + 1))
                    case "people": .integer(1000)
                    case "open": .integer(512)
                    default: column.kind == .text ? .text("") : .empty
                    }
                }
            }
            return ReportTable(columns: FunnelReport.columns, rows: rows)
        }
        let page = try await dashboard.get("/funnels?by=ref")
        #expect(page.body.contains(">conversion: recipe_saved</text>") && page.body.contains("512 can still reach it"))
        #expect(page.body.contains(">ref</th>") && page.body.contains("<figcaption>total</figcaption>"))
        #expect(
            !page.body.contains("recipe saved") && !page.body.contains(">All<") && !page.body.contains(">group</th>")
        )
    }

    /// A drawing cannot wrap, and would make a phone's page as wide as the name.
    @Test func aLongStepIsDrawnByItsBeginning() {
        let name = "conversion: " + String(repeating: "x", count: 79)
        let steps = [FunnelChart.Step(name: name, people: 1, open: 0)]
        let drawing = FunnelChart.drawing(steps, title: "Funnel")
        #expect(drawing.contains("<title>\(name)</title>\(name.prefix(27))…</text>"))
        #expect(drawing.contains("\(name): 1 people"))
    }

    @Test(arguments: [
        ("unattributed", "unattributed"), ("feed_dialog", "feed_dialog"),
        ("feed_dialog_of_spring", "feed_<wbr>dialog_<wbr>of_<wbr>spring"),
        ("conversion:recipe_saved", "conversion:<wbr>recipe_<wbr>saved"),
        ("https://x.example/?a=<b>", "https://<wbr>x.<wbr>example/?<wbr>a=<wbr>&lt;b&gt;"),
        ("_____________", "_____________"),
    ])
    func namesBreakAtTheirJointsAlone(text: String, html: String) {
        #expect(BreakableText.html(text) == html)
    }
}
