import Storage

/// Who changed what, the newest first, page by page, for the template `log`.
struct LogView {
    struct Row {
        var at: String
        var who: String
        var what: String
        var subject: String
        var before: String
        var after: String
    }

    static let fields = ["before", "format"]
    static let fileLimit = 100_000
    private static let pageLength = 100

    var account = AccountView.path
    var rows: [Row]
    var csv = Dashboard.logPath + "?format=csv"
    /// The page after this; nil if this is the last.
    var next: String?
    /// The first page; nil if this is it.
    var first: String?

    init(_ fields: FormFields, _ request: ViewRequest) async throws(DashboardFailure) {
        let before = try fields["before"].map { text throws(DashboardFailure) in
            guard let number = Int64(text) else { throw .invalid("‘before’ must be a number.") }
            return number
        }
        // One more shows whether there is another page.
        let limit = Self.pageLength + 1
        let found = try await request.stores.ask {
            try await $0.changes.changes(of: request.app, before: before, limit: limit)
        }
        let time = LocalTime(timeZone: request.timeZone)
        let shown = found.prefix(Self.pageLength)
        rows = shown.map { change in
            Row(
                at: time.text(change.at),
                who: change.who,
                what: change.what,
                subject: change.subject,
                before: change.before ?? "",
                after: change.after ?? ""
            )
        }
        if found.count > Self.pageLength, let last = shown.last {
            next = Dashboard.logPath + "?" + FormFields.encode([("before", "\(last.number)")])
        }
        if before != nil { first = Dashboard.logPath }
    }
}
