import Reporting

/// A list of check boxes with a button of its own, for the template `chooser`: which columns a page shows, or which
/// groups it draws.
struct Chooser {
    var summary: String
    /// What the boxes are, for those who hear the page.
    var legend: String
    var button: String
    var action: String
    var hidden: [HiddenField]
    var options: [Option]
    /// The page without a choice; nil if there is none.
    var usual: String?
    var usualName: String

    struct Option {
        var field: String
        var value: String
        var title: String
        var isChosen: Bool
    }

    /// - Parameters:
    ///   - field: of the address, which the boxes become.
    ///   - fields: of the boxes. Further options are left out.
    init(
        _ request: ViewRequest,
        summary: String,
        legend: String,
        button: String,
        usualName: String,
        field: String,
        fields: [String],
        _ options: [(value: String, title: String, isChosen: Bool)]
    ) {
        self.summary = summary
        self.legend = legend
        self.button = button
        self.usualName = usualName
        action = request.view.path
        hidden = (request.shared + request.given.filter { $0.name != field })
            .map { HiddenField(name: $0.name, value: $0.value) }
        self.options = zip(fields, options).map { name, option in
            Option(field: name, value: option.value, title: option.title, isChosen: option.isChosen)
        }
        usual = request[field].map { _ in request.href(without: [field]) }
    }
}

extension ReportPage {
    /// From fewer columns on, nobody needs a choice.
    private static let fewColumns = 4

    /// The page with the columns that the request chooses, and with the choice.
    func choosingColumns(_ request: ViewRequest) -> ReportPage {
        var page = self
        var columns: [(value: String, title: String, isChosen: Bool)] = []
        let named = request[View.columnsField].map { Set($0.split(separator: ",").map(String.init)) }
        let chosen = named ?? usualColumns
        for table in panels.flatMap(\.tables) {
            for head in table.heads where head.isNumber {
                guard let known = columns.firstIndex(where: { $0.value == head.column }) else {
                    columns.append((head.column, head.name, chosen?.contains(head.column) ?? true))
                    continue
                }
                // Two tables may have other names for it.
                let names = columns[known].title.split(separator: ", or ").map(String.init)
                if !names.contains(head.name) { columns[known].title += ", or \(head.name)" }
            }
        }
        if let chosen {
            for panel in page.panels.indices {
                for table in page.panels[panel].tables.indices
                where named != nil || page.panels[panel].tables[table].isShown {
                    page.panels[panel].tables[table].keep(chosen)
                }
            }
        }
        guard columns.count >= Self.fewColumns else { return page }
        page.columns = Chooser(
            request,
            summary: named == nil ? "Columns" : "Columns: \(columns.count { $0.isChosen }) of \(columns.count)",
            legend: "Columns of the tables",
            button: "Show these",
            usualName: usualColumns == nil ? "All columns" : "The usual columns",
            field: View.columnsField,
            fields: JoinedFields.columns,
            columns
        )
        return page
    }
}
