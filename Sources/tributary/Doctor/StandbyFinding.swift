import Postgres
import Settings
import Storage

/// The check of the standby that answers the daemon's reports (`report.database`, `report.databases`).
enum StandbyFinding {
    /// - Parameters:
    ///   - database: the daemon's database that should have it.
    ///   - primary: the identity of that database; nil if it is not known.
    /// - Returns: nil if no standby is set.
    static func make(
        _ database: NamedDatabase,
        _ settings: SettingsReader,
        of primary: DatabaseIdentity?
    ) async throws -> DoctorFinding? {
        guard let address = try await database.standby(settings) else { return nil }
        let pool = PostgresPool(address: address, size: 1, applicationName: "tributary")
        let finding: DoctorFinding
        do {
            finding = try await pool.withConnection { try make($0, of: primary, database.standbySetting) }
        } catch {
            finding = DoctorFinding(
                .warning,
                "standby for reports: \(error)",
                advice: "Until it answers, so do neither reports over HTTP nor the dashboard's figures."
            )
        }
        await pool.close()
        return finding
    }

    private static func make(
        _ connection: isolated PostgresConnection,
        of primary: DatabaseIdentity?,
        _ setting: String
    ) throws -> DoctorFinding {
        let identity = try DatabaseIdentity.read(connection)
        if let primary, primary != identity {
            return DoctorFinding(
                .warning,
                "standby for reports: has another database's events",
                advice: "\(setting) must name a standby of this database."
            )
        }
        guard let position = try StandbyPosition.read(connection) else {
            return DoctorFinding(
                .warning,
                "standby for reports: takes writes, so it follows no primary",
                advice: "Was it promoted? Name it as the database, and take it out of \(setting)."
            )
        }
        return DoctorFinding(.good, "standby for reports: \(position.notice)")
    }
}
