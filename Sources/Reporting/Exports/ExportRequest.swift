package import Time
package import Storage
import Timelines

/// A request for an export, with all parameters read.
package struct ExportRequest: Sendable {
    /// The range of an incremental export if none is given: all possible instants.
    static let everything = ReportRange(
        from: Timestamp(microseconds: -2_208_988_800_000_000),  // 1900-01-01T00:00:00Z
        to: Timestamp(microseconds: 253_402_300_799_999_999)  // 9999-12-31T23:59:59.999999Z
    )

    let export: any Export
    /// Whose rows are written. All events count in exports of events.
    let conditions: PeopleConditions
    package let name: String
    package let app: App
    package let range: ReportRange
    package let zone: ReportTimeZone
    let now: Timestamp
    package let format: ExportFormat
    /// Export only what is new since this cursor; nil for a whole export.
    package let since: ExportCursor?
    /// The export's own parameters in effect, defaults included.
    package let parameters: [(name: String, value: String)]

    var columns: [ReportColumn] { type(of: export).columns }

    /// What an export of timelines needs.
    func query(of export: any TimelineExport) -> TimelineQuery {
        let query = export.query(in: range)
        return conditions.isEmpty ? query : query.union(conditions.query(until: [range.to]))
    }

    /// Reads an export's name and parameters, like `ReportRequest.parse`.
    ///
    /// - Throws: `ReportError.usage`.
    package static func parse(
        name: String,
        parameters: [(name: String, value: String)],
        app: App,
        now: Timestamp
    ) throws(ReportError) -> ExportRequest {
        let type = try ExportCatalogue.export(named: name)
        let offered = type.parameters + ReportParameter.exportCommon
        var reader = try ParameterReader(parameters, report: name, allowed: offered, properties: app.properties)
        let export = try type.init(reading: &reader)
        let conditions = try PeopleConditions(reading: &reader)
        // An export may read its parameters with the code of a report that has more of them.
        let own = reader.effective.filter { parameter in type.parameters.contains { $0.name == parameter.name } }
        let zone = try ReportRequest.zone(reading: &reader, app: app)
        let since = try reader.text("since").map { text throws(ReportError) in
            try ExportCursor(parsing: text, export: name, app: app.profile.id)
        }
        if since != nil { try conditions.checkSeries() }
        return ExportRequest(
            export: export,
            conditions: conditions,
            name: name,
            app: app,
            // An incremental export needs a fixed range, so that late events do not fall out of a range that moves with
            // the clock.
            range: try ReportRequest.range(
                reading: &reader,
                zone: zone,
                now: now,
                unasked: since == nil ? nil : everything
            ),
            zone: zone,
            now: now,
            format: try reader.choice("format", default: .csv),
            since: since,
            parameters: own
        )
    }
}

extension PeopleConditions {
    /// - Throws: `ReportError.usage` for a condition that a person may come to meet without being told of.
    fileprivate func checkSeries() throws(ReportError) {
        for condition in all {
            let name = condition.parameter.name
            if condition.days != nil {
                throw .invalid(
                    name,
                    "'\(condition.text)': the last days move on without a new event, so an incremental export would miss "
                        + "people; leave out @\(condition.days ?? 0)d, or export all"
                )
            }
            if !query(until: [Timestamp.spellable.upperBound]).properties.isEmpty {
                throw .invalid(
                    name,
                    "'\(condition.text)': an incremental export cannot ask for declared properties; export all"
                )
            }
        }
    }
}

extension ReportParameter {
    /// The parameters that all exports share.
    package static let exportCommon: [ReportParameter] = [
        ReportParameter(
            "from",
            "TIME",
            "The start, included: \(timeForms).",
            default: "as of reports; with since, the beginning"
        ),
        ReportParameter("to", "TIME", "The end, not included, in the same forms.", default: "now; with since, none"),
        ReportParameter("tz", "ZONE", "The time zone of dates, an IANA name.", default: "the app's"),
        ReportParameter(
            "format",
            "FORMAT",
            "How to write it.",
            default: ExportFormat.csv.rawValue,
            allowed: ExportFormat.allCases.map(\.rawValue)
        ),
        ReportParameter("since", "CURSOR", "Only what is new since an earlier export; 0 for the beginning."),
    ]

    /// The manifest's file if none is named: the one of the rows, with this end.
    package static let besideOutput = "<output>.manifest.json"

    /// The parameters that all exports share on the command line only.
    package static let exportCommandLine: [ReportParameter] = [
        ReportParameter(
            "cursor-file",
            "FILE",
            "Like since, with the cursor in this file, which is replaced at the end."
        ),
        ReportParameter("output", "FILE", "Write to this file instead of standard output."),
        ReportParameter(
            "manifest",
            "FILE",
            "Also write rows, SHA-256, range and cursor as JSON.",
            impliedValue: besideOutput
        ),
    ]
}
