/// How many connections may share a scan of packed timelines.
package struct ScanSharing: Sendable {
    /// With fewer packed events for each connection, the last one costs more than it saves.
    package static let eventsForEachConnection = 150_000

    /// The most connections, at least 1.
    package let connections: Int
    private let eventsEach: Int

    /// - Parameter eventsEach: for how many packed events one connection is used.
    package init(connections: Int, forEach eventsEach: Int = eventsForEachConnection) {
        self.connections = max(1, connections)
        self.eventsEach = max(1, eventsEach)
    }

    /// How many connections read so many packed events.
    package func readers(of packedEvents: Int) -> Int {
        max(1, min(connections, packedEvents / eventsEach))
    }
}
