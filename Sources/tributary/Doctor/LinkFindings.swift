import Postgres
import Storage

/// The check of the short links.
enum LinkFindings {
    /// None if all is well.
    static func all(_ pool: PostgresPool) async throws -> [DoctorFinding] {
        let (count, names) = try await LinkStore(pool: pool).looping()
        guard count > 0 else { return [] }
        let list = names.joined(separator: ", ") + (count > names.count ? ", …" : "")
        let what =
            count == 1
            ? "a link leads to a host of short links, where its visitors may go round in circles: \(list)"
            : "\(count) links lead to a host of short links, where their visitors may go round in circles: \(list)"
        return [
            DoctorFinding(
                .warning,
                "links: " + what,
                advice: "Give them other addresses: 'tributary link update SLUG --target-url URL'."
            )
        ]
    }
}
