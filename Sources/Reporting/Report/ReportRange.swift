package import Time

/// The instants a report is about: `from` included, `to` not.
package struct ReportRange: Equatable, Sendable {
    package var from: Timestamp
    package var to: Timestamp

    func contains(_ instant: Timestamp) -> Bool {
        from <= instant && instant < to
    }
}
