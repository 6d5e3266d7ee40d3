package import Postgres
import Storage
import Time

extension FigureRefresher {
    /// A period whose stored figures differ from its events.
    package struct Difference: Hashable, Sendable, CustomStringConvertible {
        package var table: String
        package var granularity: String
        /// The period's first day, as `2026-01-31`.
        package var startsOn: String

        package var description: String { "\(table) figures of the \(granularity) of \(startsOn)" }
    }

    private struct Checked: Error {
        var differences: Set<Difference>
    }

    /// Computes all figures again in one snapshot and compares them with the stored ones. Changes nothing. Stale
    /// figures are refreshed before the comparison.
    ///
    /// - Returns: the periods that differ. A difference means a bug, or that the tables were changed by hand.
    package func check(on connection: isolated PostgresConnection) throws -> Set<Difference> {
        do {
            try connection.transaction(isolation: .repeatableRead, attempts: Self.attempts) {
                _ = try markChanges(fully: false, on: connection)
                while try computeNext(.all, on: connection) != nil {}
                _ = try markChanges(fully: true, on: connection)
                throw Checked(differences: try computeAll(on: connection))
            }
        } catch let checked as Checked {
            return checked.differences
        }
        return []
    }

    private func computeAll(on connection: isolated PostgresConnection) throws -> Set<Difference> {
        var differences: Set<Difference> = []
        var stale = try staleSpans(.all, on: connection)
        while !stale.isEmpty {
            let next = batch(of: stale, .all)
            for (table, periods) in try compute(next, on: connection) {
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
            let computed = Set(next.map(\.mark))
            stale.removeAll { computed.contains($0.mark) }
        }
        return differences
    }
}
