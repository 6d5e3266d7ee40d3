import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

@Suite("Programs behind PgBouncer", .enabled(if: PgBouncer.isInstalled))
struct PoolerTests {
    @Test func workInSessionMode() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let bouncer = try PgBouncer(.session, for: database.address)
            defer { withExtendedLifetime(bouncer) {} }
            let address = bouncer.address(database.address.database)
            let created = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: address
            )
            let key = try #require(try JSONDocument(reading: created.output.utf8).root["write_key"]?.string)
            try await RunningDaemon.with(database: address) { daemon in
                for number in 0..<5 {
                    let event = #"{"type":"install","user_id":"u\#(number)"}"#
                    #expect(try await daemon.post("/v1/events", key: key, event).status == 200)
                }
            }
            let report = try await Programs.tributary(["report", "installs", "--format", "csv"], database: address)
            #expect(report.status == 0, "\(report.errors)")
            #expect(report.output.contains(",5"), "\(report.output)")
            let doctor = try await Programs.tributary(["doctor"], database: address)
            #expect(doctor.status == 0, "\(doctor.output)")
        }
    }

    @Test(arguments: [PgBouncer.Mode.transaction, .statement])
    func refuseOtherModes(mode: PgBouncer.Mode) async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let bouncer = try PgBouncer(mode, for: database.address)
            defer { withExtendedLifetime(bouncer) {} }
            let address = bouncer.address(database.address.database)
            let listed = try await Programs.tributary(["app", "list"], database: address)
            #expect(listed.status == 64)
            #expect(listed.errors.contains("pool_mode = session"), "\(listed.errors)")
            let doctor = try await Programs.tributary(["doctor"], database: address)
            #expect(doctor.status == 69)
            #expect(doctor.output.contains("pool_mode = session"), "\(doctor.output)")
            let home = FileManager.default.temporaryDirectory.appending(path: "pooler-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: home) }
            let daemon = try await Programs.run(
                "tributaryd",
                ["--port", "0"],
                database: address,
                environment: ["TRIBUTARY_HOME": home]
            )
            #expect(daemon.status == 64)
            #expect(daemon.errors.contains("pool_mode = session"), "\(daemon.errors)")
        }
    }
}
