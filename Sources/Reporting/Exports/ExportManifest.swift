package import Time
import JSONReading
package import Storage

/// Describes the file of an export to its reader: whether it is complete, what it contains, and where the next export
/// continues.
package struct ExportManifest: Sendable {
    /// The version of the columns. Raise it if a column is removed, moved, or changes its meaning; not for a new column
    /// at the end.
    package static let schemaVersion = 1

    package var request: ExportRequest
    package var summary: ExportSummary
    /// The file's name without its folder; nil for standard output.
    package var file: String?
    package var byteCount: Int
    /// In hexadecimal.
    package var sha256: String
    package var finishedAt: Timestamp
    /// What the export contains at least, if a standby answered.
    package var standby: StandbyPosition?

    package init(
        request: ExportRequest,
        summary: ExportSummary,
        file: String?,
        byteCount: Int,
        sha256: String,
        finishedAt: Timestamp,
        standby: StandbyPosition?
    ) {
        self.request = request
        self.summary = summary
        self.file = file
        self.byteCount = byteCount
        self.sha256 = sha256
        self.finishedAt = finishedAt
        self.standby = standby
    }

    /// A JSON object, with a newline at the end.
    package var text: String {
        let everything = ExportRequest.everything
        let range = request.range
        // Conditions, of which there may be several, are one array, as in reports.
        let repeated = ReportParameter.ofExportedPeople.map(\.name)
        let parameters: [String] =
            request.parameters.filter { !repeated.contains($0.name) }
            .map { "\(JSONWriter.quoted($0.name)): \(JSONWriter.quoted($0.value))" }
            + repeated.compactMap { name in
                let values = request.parameters.filter { $0.name == name }.map { JSONWriter.quoted($0.value) }
                return values.isEmpty ? nil : "\(JSONWriter.quoted(name)): [\(values.joined(separator: ", "))]"
            }
        let members: [(name: String, json: String)] =
            [
                ("export", JSONWriter.quoted(request.name)),
                ("app", JSONWriter.quoted(request.app.profile.id)),
                ("format", JSONWriter.quoted(request.format.rawValue)),
                ("schema_version", String(Self.schemaVersion)),
                ("file", Self.json(file)),
                ("rows", String(summary.rows)),
                ("bytes", String(byteCount)),
                ("sha256", JSONWriter.quoted(sha256)),
                ("from", Self.json(range.from == everything.from ? nil : range.from.rfc3339)),
                ("to", Self.json(range.to == everything.to ? nil : range.to.rfc3339)),
                ("time_zone", JSONWriter.quoted(request.zone.name)),
                ("parameters", "{\(parameters.joined(separator: ", "))}"),
                ("since", Self.json(request.since?.description)),
                ("cursor", Self.json(summary.cursor?.description)),
                ("columns", "[\(request.columns.map { JSONWriter.quoted($0.name) }.joined(separator: ", "))]"),
                ("rules", summary.rules.json),
                ("finished_at", JSONWriter.quoted(finishedAt.rfc3339)),
            ] + (standby.map { [("standby", $0.json)] } ?? [])
        let lines = members.map { "  \(JSONWriter.quoted($0.name)): \($0.json)" }
        return "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }

    private static func json(_ text: String?) -> String { text.map(JSONWriter.quoted) ?? "null" }
}
