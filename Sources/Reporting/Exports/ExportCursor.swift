/// How far an export has read. The next export continues from here and misses nothing, even if events were being
/// stored.
///
/// It names its export and app, so a cursor of one is not accepted for another.
package struct ExportCursor: Equatable, Sendable {
    package var export: String
    package var app: String
    /// Every transaction below it has been read (`transaction_horizon()`).
    var transaction: Int64

    /// The cursor of the beginning, for every export.
    package static let beginning = "0"

    init(export: String, app: String, transaction: Int64) {
        self.export = export
        self.app = app
        self.transaction = transaction
    }

    /// Reads a cursor that an earlier export returned, or `0`.
    ///
    /// - Throws: `ReportError.usage` for any other text, and for a cursor of another export or app.
    init(parsing text: String, export: String, app: String) throws(ReportError) {
        self.init(export: export, app: app, transaction: 0)
        if text == Self.beginning { return }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let transaction = Int64(parts[2]), transaction >= 0 else {
            throw .invalid(
                "since",
                "'\(text)' is not a cursor; use the one that the last export printed, or \(Self.beginning) for the beginning"
            )
        }
        guard parts[0] == export, parts[1] == app else {
            throw .invalid(
                "since",
                "this is a cursor of '\(parts[0])' of the app '\(parts[1])', not of '\(export)' of '\(app)'"
            )
        }
        self.transaction = transaction
    }
}

extension ExportCursor: CustomStringConvertible {
    package var description: String { "\(export):\(app):\(transaction)" }
}
