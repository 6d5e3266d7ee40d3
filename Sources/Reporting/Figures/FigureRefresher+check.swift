package import Postgres
import Storage
import Time

extension FigureRefresher {
    private struct Checked: Error {
        var differences: Set<PeriodFigures>
    }

    /// Computes all figures again in one snapshot and compares them with the stored ones. Changes nothing. Stale
    /// figures are refreshed before the comparison.
    ///
    /// - Returns: the periods that differ. A difference means a bug, or that the tables were changed by hand.
    package func check(on connection: isolated PostgresConnection) throws -> Set<PeriodFigures> {
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

    private func computeAll(on connection: isolated PostgresConnection) throws -> Set<PeriodFigures> {
        var differences: Set<PeriodFigures> = []
        var stale = try staleSpans(.all, on: connection)
        while !stale.isEmpty {
            let next = batch(of: stale, .all)
            differences.formUnion(try compute(next, on: connection).written)
            let computed = Set(next.map(\.mark))
            stale.removeAll { computed.contains($0.mark) }
        }
        return differences
    }
}
