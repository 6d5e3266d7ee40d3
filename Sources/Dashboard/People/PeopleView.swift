import Reporting
import Storage

/// The people behind a figure, for the template `people`.
struct PeopleView {
    struct Row {
        var group: String
        var person: PersonLink
        var platform: String
        var country: String
        /// As HTML.
        var first: String
        var last: String
        var events: String
        var value: String
    }

    static let path = "/people"
    /// The most people on a page. The CSV has all.
    private static let limit = 200

    /// `installs · search · channels`.
    var caption: String
    /// The report's parameters, as a reader sees them.
    var parameters: String
    var rows: [Row]
    var isEmpty: Bool
    /// Whether the rows are of several groups.
    var hasGroups: Bool
    var hasValue: Bool
    var currency: String
    /// How many are shown; nil if all are.
    var rest: String?
    var csv: String
    /// The command that lists the same.
    var command: String

    /// Whether the parameters of a report ask for people, and not for figures.
    static func isAsked(by parameters: [(name: String, value: String)]) -> Bool {
        parameters.contains { $0.name == "people" }
    }

    /// - Parameter fields: the report, and its parameters.
    init(_ fields: FormFields, _ request: ViewRequest) async throws(DashboardFailure) {
        guard let report = fields["report"], Self.isAsked(by: fields.fields) else {
            throw .invalid("‘report’ and ‘people’ say whom to list: click on a figure to see who is behind it.")
        }
        let asked = fields.fields.filter { $0.name != "report" && $0.name != "people-limit" }
        let table = try await request.source.people(
            report,
            parameters: asked + [("people-limit", String(Self.limit + 1))],
            of: request.app
        )
        let figures = ReportRows(table)
        let time = LocalTime(timeZone: request.timeZone)
        rows = figures.rows.prefix(Self.limit).map { row in
            Row(
                group: row.text("group"),
                person: PersonLink(kind: row.text("person_kind"), id: row.text("person_id")),
                platform: row.text("platform"),
                country: row.text("country"),
                first: BreakableText.time(time.text(row.text("first_at"))),
                last: BreakableText.time(time.text(row.text("last_at"))),
                events: row.text("events"),
                value: row.text("value")
            )
        }
        isEmpty = rows.isEmpty
        let words = [fields["people"], fields["group"], report].compactMap(\.self)
        caption = words.joined(separator: " · ")
        parameters = FormFields.words(asked.filter { !["people", "group"].contains($0.name) })
        hasGroups = fields["group"] == nil && Set(rows.map(\.group)).count > 1
        hasValue = rows.contains { !$0.value.isEmpty }
        currency = request.app.profile.currency
        rest = figures.rows.count > Self.limit ? "The first \(Self.limit); the CSV has all" : nil
        csv = ReportAddress(report: report, parameters: asked).csv
        command = "GET /v1/reports/\(report)?" + FormFields.encode(asked)
    }
}

/// A person, and where the person's timeline is.
struct PersonLink {
    /// `user`, `device` or `click`.
    var kind: String
    var id: String
    var href: String

    init(kind: String, id: String) {
        self.kind = kind
        self.id = id
        href = PersonView.path + "?" + FormFields.encode([("\(kind)_id", id)])
    }

    init(_ key: PersonKey) {
        self.init(kind: key.kind.rawValue, id: key.id)
    }
}
