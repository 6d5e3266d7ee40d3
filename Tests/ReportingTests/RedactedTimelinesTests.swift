import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// Packed timelines after `tributary redact`.
@Suite("Redacted timelines")
struct RedactedTimelinesTests {
    private typealias E = OracleEvents

    private static let token = "EAABsbCS1iHgBAKq0123456789"

    /// A device's id, a ref, a target and a goal hold a secret, and are packed.
    private static let events: [Event] = {
        var link = InboundLink()
        link.refs = [token]
        link.targetURL = "https://a.example/?access_token=\(token)"
        return [
            E.event(1, at: 0, device: token, .inboundLink(Touch(link: link))),
            E.event(2, at: 60, user: "ann", device: token, E.conversion("buy \(token)")),
            E.event(3, at: 90, user: "bob", E.conversion("other")),
        ]
    }()

    @Test func holdNoSecret() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.store(Self.events, of: app)
            try await testing.pool.passHorizon()
            let packer = TimelinePacker(app: app, pool: testing.pool)
            try await packer.rebuild()
            let secret = Array(Self.token.utf8)
            #expect(try await Self.holds(secret, testing))

            let found = try await RedactionStore(pool: testing.pool, spools: nil).run(app: app, isDryRun: false)
            #expect(found.appsToRebuild == ["app"])
            try await packer.rebuildIfMarked()
            #expect(try await !Self.holds(secret, testing))
            let check = try await TimelineCheck.run(app, on: testing.pool)
            #expect(check?.isSame == true)
            #expect(check?.people == 2)
            let again = try await RedactionStore(pool: testing.pool, spools: nil).run(app: app, isDryRun: false)
            #expect(again.total == 0)
            #expect(again.appsToRebuild == [])
        }
    }

    /// Whether a segment holds the bytes.
    private static func holds(_ bytes: [UInt8], _ testing: FigureTesting) async throws -> Bool {
        let pattern = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
        return try await testing.pool.withConnection { connection in
            try connection.query(
                "select exists (select from timeline_segment as packed where strpos(packed::text, $1) > 0)",
                [.text(pattern)]
            )[0].bool(0)
        }
    }
}
