import Redirects
import Reporting
import Storage

/// What a link has brought in the days of a page: its row of the report `links`.
struct LinkFigures {
    struct Card {
        var name: String
        var value: String
        var meaning: String
    }

    /// All figures in the order of the report. Those of a link without a row are 0.
    var cards: [Card] = []
    /// Why there are none; empty if there are.
    var problem = ""
    var hasProblem = false
    /// The figures of all links as CSV.
    var csv: String

    /// The rest of the page is worth showing without figures too, so a failure becomes a sentence.
    init(of link: Link, _ request: ViewRequest) async {
        csv = request.address("links").csv
        do throws(DashboardFailure) {
            let figures = try await request.figures("links")
            var row = figures.row(of: link)
            if row == nil, figures.rows.contains(where: { $0.text("link") == "(others)" }) {
                let condition = ("where", Filters.condition("link", [link.name]))
                row = try await request.figures("links", [condition]).row(of: link)
            }
            cards = figures.columns.filter { $0.kind != .text }.map { column in
                let cell = row?[column.name] ?? .empty
                // A link without clicks has none of anything, and no rates.
                let isZero = cell.number == nil && column.kind != .rate
                return Card(
                    name: column.name == "value" ? "Value, \(request.app.profile.currency)" : column.title,
                    value: isZero ? "0" : NumberText.text(of: cell, in: column, isWhole: true),
                    meaning: column.meaning.replacing("`", with: "")
                )
            }
        } catch {
            problem = "\(error)"
            hasProblem = true
        }
    }
}

extension ReportRows {
    fileprivate func row(of link: Link) -> Row? {
        // Two spellings of a letter are equal as texts, but they are not the same link.
        rows.first { $0.text("link").utf8.elementsEqual(link.name.utf8) }
    }
}
