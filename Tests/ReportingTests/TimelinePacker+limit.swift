import Postgres
@testable import Reporting
@testable import Timelines

extension TimelinePacker {
    /// Packs the delta, or its oldest events.
    ///
    /// - Parameter limit: about how many events; whole transactions, at least one.
    func pack(limit: Int = .max) async throws {
        let delta = try await pool.withConnection { try DeltaCount().counted(of: app, pieceSize: limit / 3, on: $0) }
        _ = try await pack(before: delta.ends(ofAtMost: limit), countedFrom: delta.packedThrough)
    }
}
