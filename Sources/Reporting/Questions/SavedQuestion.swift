import InboundLinks
import JSONReading
package import Storage
package import Time

/// A report with its parameters, saved under a name. Its range is read when it is run: `from=7d` is always the last
/// seven days.
package struct SavedQuestion: Sendable {
    package let name: String
    package let report: String
    /// As they were given, without the app and the format, in order. A name may occur several times.
    package internal(set) var parameters: [(name: String, value: String)]
    package let createdAt: Timestamp
    /// When it was saved last.
    package let updatedAt: Timestamp
    /// Nil if it is not deleted.
    package let deletion: StoredQuestion.Deletion?

    package init(_ stored: StoredQuestion) {
        name = stored.name.text
        report = stored.report
        // The rules may find more than those by which it was saved.
        parameters = stored.parameters.map { ($0.name, Redaction.redact($0.value)) }
        createdAt = stored.createdAt
        updatedAt = stored.updatedAt
        deletion = stored.deletion
    }

    /// The request that it stands for now.
    ///
    /// - Parameter others: further parameters: `format` and, on the command line, `output`.
    /// - Throws: `ReportError.usage` if a later version no longer knows the report or a parameter.
    package func request(
        origin: RequestOrigin,
        app: App,
        now: Timestamp,
        adding others: [(name: String, value: String)] = []
    ) throws(ReportError) -> ReportRequest {
        try checkHasAnswer()
        return try ReportRequest.parse(
            name: report,
            parameters: parameters + others,
            origin: origin,
            app: app,
            now: now
        )
    }

    /// The path of its answer over HTTP.
    package func path(_ format: ReportFormat) -> String { "/v1/questions/\(name).\(format.rawValue)" }

    /// The command that asks the same: `tributary report funnel --app shop --by ref`.
    ///
    /// - Parameter app: that of the question.
    package func command(in app: App) -> String {
        if isBoard {
            let words = ["tributary board save \(name)"] + members + ["--app \(app.profile.id)"]
            return (words + range.map { "--\($0.name) \(Self.quoted($0.value))" }).joined(separator: " ")
        }
        let options = parameters.map { name, value in
            ReportParameter.isFlag(name, of: report) ? "--\(name)" : "--\(name) \(Self.quoted(value))"
        }
        return (["tributary report \(report) --app \(app.profile.id)"] + options).joined(separator: " ")
    }

    /// As `GET /v1/questions` lists it.
    package var json: String {
        func string(_ text: String) -> String { JSONWriter.quoted(text) }
        let parameters = parameters.map { "{\"name\":\(string($0.name)),\"value\":\(string($0.value))}" }
        return "{\"name\":\(string(name)),\"report\":\(string(report)),"
            + "\"parameters\":[\(parameters.joined(separator: ","))],"
            + "\"csv\":\(string(path(.csv))),\"json\":\(string(path(.json))),"
            + "\"created_at\":\(string(createdAt.rfc3339)),\"updated_at\":\(string(updatedAt.rfc3339))}"
    }

    /// One word for a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "+"):
                    true
                default: false
                }
            }
        return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }
}

extension ReportParameter {
    /// Whether a parameter of a report is written without a value on the command line.
    fileprivate static func isFlag(_ name: String, of report: String) -> Bool {
        let description = ReportCatalogue.descriptions.first { $0.name == report }
        let parameters = (description?.parameters ?? []) + common
        return parameters.contains { $0.name == name && $0.valueName.isEmpty }
    }
}
