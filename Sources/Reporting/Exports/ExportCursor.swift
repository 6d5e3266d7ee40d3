import Storage
import Time

/// How far an export has read. The next export continues from here and misses nothing, even if events were being
/// stored.
///
/// It names its export and app, so a cursor of one is not accepted for another, nor one of an app with the same id in
/// another database.
package struct ExportCursor: Equatable, Sendable {
    package var export: String
    package var app: String
    /// When the app was created, in microseconds, to the base of 36. A move to another database keeps it.
    let birth: String
    /// Every transaction below it has been read (`transaction_horizon()`).
    var transaction: Int64

    /// The cursor of the beginning, for every export.
    package static let beginning = "0"

    init(export: String, app: App, transaction: Int64) {
        self.export = export
        self.app = app.profile.id
        birth = String(app.createdAt?.microseconds ?? 0, radix: 36)
        self.transaction = transaction
    }

    /// Reads a cursor that an earlier export returned, or `0`.
    ///
    /// - Throws: `ReportError.usage` for any other text, and for a cursor of another export or app.
    init(parsing text: String, export: String, app: App) throws(ReportError) {
        self.init(export: export, app: app, transaction: 0)
        if text == Self.beginning { return }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let transaction = Int64(parts[3]), transaction >= 0 else {
            throw .invalid(
                "since",
                "'\(text)' is not a cursor; use the one that the last export printed, or \(Self.beginning) for the beginning"
            )
        }
        guard parts[0] == self.export, parts[1] == self.app else {
            throw .invalid(
                "since",
                "this is a cursor of '\(parts[0])' of the app '\(parts[1])', not of '\(export)' of '\(self.app)'"
            )
        }
        guard parts[2] == birth else {
            throw .invalid(
                "since",
                "this is a cursor of another app '\(parts[1])', in another database or deleted since; use the one that "
                    + "the last export of this app printed, or \(Self.beginning) for the beginning"
            )
        }
        self.transaction = transaction
    }
}

extension ExportCursor: CustomStringConvertible {
    package var description: String { "\(export):\(app):\(birth):\(transaction)" }
}
