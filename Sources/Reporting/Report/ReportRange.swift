package import Time

/// The instants of a report: `from` is included, `to` is not.
package struct ReportRange: Equatable, Sendable {
    package var from: Timestamp
    package var to: Timestamp

    func contains(_ instant: Timestamp) -> Bool {
        from <= instant && instant < to
    }
}
