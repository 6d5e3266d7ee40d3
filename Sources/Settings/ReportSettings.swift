import NIOCore

/// How many connections to PostgreSQL may share a report.
package struct ReportSettings: Equatable, Sendable {
    package static let range = 1...16

    /// Default ``defaultConnections(processors:)``.
    package var connections: Int

    /// - Parameter processors: default, those that this process may use, by the limits of a container too.
    package init(_ settings: SettingsReader, processors: Int = System.coreCount) async throws(SettingsError) {
        connections = try await settings.integer(
            "report.connections",
            default: Self.defaultConnections(processors: processors)
        )
    }

    /// A connection keeps a session of the server and a thread of this program busy: half as many connections as
    /// processors. At least two, as before there was a setting.
    package static func defaultConnections(processors: Int) -> Int {
        min(max(2, processors / 2), range.upperBound)
    }
}
