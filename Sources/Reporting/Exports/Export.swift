import Timelines

/// Single rows from the database: the facts behind the reports. Each export is one file in `Exports`, named in
/// `ExportCatalogue`.
protocol Export: Sendable {
    static var name: String { get }
    /// A sentence for help texts.
    static var summary: String { get }
    /// Its own, beside the common ones.
    static var parameters: [ReportParameter] { get }
    static var columns: [ReportColumn] { get }
    /// For help texts: what follows the export's name in two commands that are worth copying.
    static var examples: [String] { get }

    /// - Throws: `ReportError.usage`.
    init(reading parameters: inout ParameterReader) throws(ReportError)
}

/// An export of what a report's fold derives, person by person. A new event of a person may change all rows of that
/// person, so an incremental export then contains all of them again.
///
/// Its first columns are `ReportColumn.person`, its last one is `ReportColumn.deleted`.
protocol TimelineExport: Export {
    func query(in range: ReportRange) -> TimelineQuery

    /// Writes a person's rows.
    ///
    /// - Parameters:
    ///   - run: its dictionary is valid for the codes of this person's events only.
    ///   - handOn: called after each row, because one person may have more than memory holds.
    func write(
        _ person: borrowing PersonTimeline,
        _ run: ReportRun,
        to rows: inout ExportRowWriter,
        handOn: (inout ExportRowWriter) throws -> Void
    ) throws
}

extension ReportColumn {
    /// The person that a row belongs to.
    static let person: [ReportColumn] = [
        .text(
            "person_kind",
            "The kind of `person_id`: `user`, `device` or `click`; `event` for an event that carries no id and so belongs to nobody."
        ),
        .text(
            "person_id",
            "The person's `user_id`, `device_id` or `click_id`; the `event_id` of an event without an id."
        ),
    ]
    static let shortLink = text("link", "The app's short link that the touch came through, `host/slug`.")
    static let postEventID = uuid(
        "post_event_id",
        "The `feed_post` event of the post that the touch came from (see [viral](reports.md#viral)); empty if that is unknown."
    )
    static let refFrom = text(
        "ref_from",
        "What named the touch's refs: `link`, `post`, `url` or `short_link` (see [links.md](links.md#where-a-ref-comes-from)); empty without refs."
    )
    static let deleted = flag(
        "deleted",
        "`true` in a row that only says that the person has no rows any more; all but the person is empty. Only incremental exports have such rows."
    )
}
