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
            let keys = try JSONDocument(reading: created.output.utf8)
            let key = try #require(keys.root["write_key"]?.string)
            try await RunningDaemon.with(database: address) { daemon in
                for number in 0..<5 {
                    let event = #"{"type":"install","user_id":"u\#(number)"}"#
                    let answer = try await daemon.post("/v1/events", key: key, event)
                    #expect(answer.status == 200)
                }
            }
            let report = try await Programs.tributary(["report", "channels", "--format", "csv"], database: address)
            #expect(report.status == 0, "\(report.errors)")
            #expect(report.output.contains("direct,0,0,0,5,0,0"), "\(report.output)")
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
            #expect(doctor.status == 64)
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
