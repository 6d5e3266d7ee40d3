import Timelines

/// Rows that leave the database one by one: the facts behind the reports. Each is one file in `Exports`, named in
/// `ExportCatalogue`.
protocol Export: Sendable {
    static var name: String { get }
    /// A sentence for help texts.
    static var summary: String { get }
    /// Its own, beside the common ones.
    static var parameters: [ReportParameter] { get }
    static var columns: [ReportColumn] { get }

    /// - Throws: `ReportError.usage`.
    init(reading parameters: inout ParameterReader) throws(ReportError)
}

/// An export of what a report's fold derives, person by person. Its rows may change whenever a person has a new event, and
/// so are handed over again, all of the person's at once.
///
/// Its first columns are `ReportColumn.person`, its last is `ReportColumn.deleted`.
protocol TimelineExport: Export {
    func query(in range: ReportRange) -> TimelineQuery

    /// Writes a person's rows.
    ///
    /// - Parameter run: its dictionary gives the event's codes a meaning, and that of no earlier person's.
    func write(_ person: borrowing PersonTimeline, _ run: ReportRun, to rows: inout ExportRowWriter)
}

extension ReportColumn {
    /// Whose row it is.
    static let person: [ReportColumn] = [
        .text(
            "person_kind",
            "What `person_id` is: `user`, `device` or `click`; `event` for an event that carries no id and so belongs to nobody."
        ),
        .text("person_id", "The `user_id`, `device_id`, `click_id` or `event_id` that stands for the person."),
    ]
    static let deleted = flag(
        "deleted",
        "`true` in a row that only says that the person has no rows any more; all but the person is empty. Only incremental exports have such rows."
    )
}
