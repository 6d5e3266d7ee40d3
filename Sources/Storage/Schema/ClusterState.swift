package import Postgres

/// How the workers of a distributed database are (``Distribution``).
package struct ClusterState: Sendable {
    /// A worker, and whether it answers.
    package struct Worker: Sendable {
        /// `host:port`.
        package var name: String
        /// Nil: it does not answer.
        package var answer: Answer?
        /// Why it does not answer.
        package var reason = ""
    }

    /// What a worker says of itself.
    package struct Answer: Sendable {
        /// The versions of PostgreSQL and of the extension, `15.14 13.2-1`.
        package var versions: String
        /// Whether a part is being moved away from it, while events are stored.
        package var isMoving: Bool
        /// Transactions that wait there for the second phase of their commit, for longer than Citus needs to mend it.
        package var commitsInDoubt: Int
    }

    package var workers: [Worker]

    /// Refuses a change of tables while parts are being moved: it would wait for them, and all who store would wait for
    /// it. On one machine, it does nothing.
    ///
    /// - Throws: `DistributionError.partsAreMoved`.
    static func requireRest(_ connection: isolated PostgresConnection) throws {
        guard connection.isDistributed else { return }
        let moving = try read(connection).workers.first { $0.answer?.isMoving == true }
        if let moving { throw DistributionError.partsAreMoved(from: moving.name) }
    }

    package static func read(_ connection: isolated PostgresConnection) throws -> ClusterState {
        ClusterState(
            workers: try connection.query(StoredSQL.selectClusterState).map { row in
                let text = try row.optionalText(3) ?? ""
                let parts = text.split(separator: " ")
                let name = "\(try row.text(0)):\(try row.int(1))"
                guard try row.bool(2), parts.count == 4 else { return Worker(name: name, reason: text) }
                return Worker(
                    name: name,
                    answer: Answer(
                        versions: "\(parts[0]) \(parts[1])",
                        isMoving: parts[2] != "0",
                        commitsInDoubt: Int(parts[3]) ?? 0
                    )
                )
            }
        )
    }
}
