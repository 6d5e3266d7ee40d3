import Ingest
import Postgres
import Storage

/// Ready means: an event that came now would be committed.
struct DatabaseReadiness: ReadinessProbe {
    let pool: PostgresPool

    func readiness() async -> Readiness {
        do {
            let pending = try await pool.withConnection { connection in
                try Migrator().status(connection).filter { $0.state != .applied }
            }
            if pending.isEmpty { return Readiness() }
            return Readiness(reasons: ["the database lacks migrations: \(pending.map(\.name).joined(separator: ", "))"])
        } catch let error as PostgresError {
            return Readiness(reasons: ["the database is away: \(error)"])
        } catch {
            return Readiness(reasons: ["the database is away"])
        }
    }
}
