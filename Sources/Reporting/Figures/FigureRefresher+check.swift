package import Postgres
import Storage
import Time

extension FigureRefresher {
    /// A period whose figures were not what its events say.
    package struct Difference: Hashable, Sendable, CustomStringConvertible {
        package var table: String
        package var granularity: String
        /// Its first day, as `2026-01-31`.
        package var startsOn: String

        package var description: String { "\(table) figures of the \(granularity) of \(startsOn)" }
    }

    private struct Checked: Error {
        var differences: Set<Difference>
    }

    /// Makes all figures from nothing and compares, in one snapshot, and leaves everything as it was. What is stale is not
    /// compared, but what would have become of it.
    ///
    /// - Returns: where they differ; that is always a fault of the program, or somebody's hand in the tables.
    package func check(on connection: isolated PostgresConnection) throws -> Set<Difference> {
        do {
            try connection.transaction(isolation: .repeatableRead) {
                _ = try markChanges(afresh: false, on: connection)
                while try makeNext(.all, on: connection) != nil {}
                _ = try markChanges(afresh: true, on: connection)
                throw Checked(differences: try makeAll(on: connection))
            }
        } catch let checked as Checked {
            return checked.differences
        }
        return []
    }

    private func makeAll(on connection: isolated PostgresConnection) throws -> Set<Difference> {
        var differences: Set<Difference> = []
        var stale = try staleSpans(.all, on: connection)
        while !stale.isEmpty {
            let next = Self.batch(of: stale, .all)
            for (table, periods) in try make(next.map(\.span), on: connection) {
                for period in periods {
                    differences.insert(
                        Difference(
                            table: table.rawValue,
                            granularity: period.granularity.rawValue,
                            startsOn: period.start.description
                        )
                    )
                }
            }
            stale.removeFirst(next.count)
        }
        return differences
    }
}
