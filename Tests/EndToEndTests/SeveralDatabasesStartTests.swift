import Foundation
import NIOCore
import NIOPosix
import Postgres
import PostgresTesting
import Synchronization
import Testing

/// Servers of PostgreSQL that take connections, and never answer.
private final class HangingServers: Sendable {
    private enum Happening: Equatable, Sendable {
        case opened(server: Int)
        case closed(server: Int)
    }

    private let happenings = Mutex<[Happening]>([])
    private let channels = Mutex<[any Channel]>([])

    /// Runs `body` with so many servers.
    static func with<R>(_ count: Int, _ body: (HangingServers) async throws -> R) async throws -> R {
        let servers = HangingServers()
        for server in 0..<count {
            let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    servers.happenings.withLock { $0.append(.opened(server: server)) }
                    channel.closeFuture.whenComplete { _ in
                        servers.happenings.withLock { $0.append(.closed(server: server)) }
                    }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
                .bind(host: "127.0.0.1", port: 0).get()
            servers.channels.withLock { $0.append(channel) }
        }
        do {
            let result = try await body(servers)
            await servers.close()
            return result
        } catch {
            await servers.close()
            throw error
        }
    }

    private func close() async {
        for channel in channels.withLock({ $0 }) { try? await channel.close() }
    }

    func address(_ server: Int) -> String {
        "host=127.0.0.1 port=\(channels.withLock { $0[server].localAddress?.port } ?? 0) user=nobody dbname=x"
    }

    /// Whether each was asked before the first connection to any of them ended.
    var wereAskedAtOnce: Bool {
        let count = channels.withLock { $0.count }
        return happenings.withLock { happenings in
            let first = happenings.prefix { if case .opened = $0 { true } else { false } }
            return (0..<count).allSatisfy { first.contains(.opened(server: $0)) }
        }
    }
}

@Suite("The start of a daemon of several databases")
struct SeveralDatabasesStartTests {
    @Test func looksAtAllAtOnceAndServesThoseThatAnswer() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "several-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: home) }
        try await TestDatabases.withSchema { main in
            let shop = try await SeveralDatabasesTests.makeApp("shop", in: main.address)
            try await HangingServers.with(2) { servers in
                let environment = [
                    "TRIBUTARY_HOME": home,
                    "TRIBUTARY_DATABASES": "games=\(servers.address(0));third=\(servers.address(1))",
                ]
                try await RunningDaemon.with(database: main.address, isPresent: false, environment: environment) {
                    daemon in
                    #expect(servers.wereAskedAtOnce)
                    try await SeveralDatabasesTests.waitFor("main", of: daemon)
                    let stored = try await daemon.post("/v1/events", key: shop.write, SeveralDatabasesTests.event(1))
                    #expect(stored.status == 200, "\(stored.body)")
                    let ready = try await daemon.send("GET", "/readyz")
                    #expect(ready.status == 200 && ready.body.contains(#""main_status":"ready""#), "\(ready.body)")
                    let metrics = try await daemon.send("GET", "/metrics").body
                    for name in ["games", "third"] {
                        let isAway = #""\#(name)_status":"the database is unavailable and its schema is not checked"#
                        #expect(ready.body.contains(isAway), "\(ready.body)")
                        #expect(metrics.contains("\ntributary_database_present{database=\"\(name)\"} 0\n"))
                        try await daemon.wait(for: "the log's word of \(name)") {
                            daemon.logText.contains("events of known keys go to the spool database=\(name)")
                        }
                    }
                    let doctor = try await Programs.tributary(
                        ["doctor", "--database", "games"],
                        database: main.address,
                        environment: environment
                    )
                    #expect(doctor.status == 69)
                    #expect(doctor.output.contains("cannot store events: the database is unavailable"))
                }
            }
        }
    }

    /// A copy has the identity of its original, and by that a spool says where it belongs.
    @Test func endsIfTwoAreOneOrCopies() async throws {
        try await TestDatabases.withSchema { main in
            let outcome = try await Programs.run(
                "tributaryd",
                ["--port", "0"],
                database: main.address,
                environment: SeveralDatabasesTests.environment(main.address)
            )
            #expect(outcome.status == 64)
            let reason = "the databases main and games are one, or copies of one"
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        }
    }

    /// The standby of one does not answer: its reports alone get 503.
    @Test func readsForReportsAtTheStandbyOfEach() async throws {
        try await TestDatabases.withSchema { main in
            try await TestDatabases.withSchema { games in
                let shop = try await SeveralDatabasesTests.makeApp("shop", in: main.address)
                let arcade = try await SeveralDatabasesTests.makeApp("arcade", in: games.address)
                let environment = [
                    "TRIBUTARY_REPORT_DATABASES": "games=host=127.0.0.1 port=1 user=nobody dbname=x"
                ]
                try await SeveralDatabasesTests.with(main.address, games.address, environment) { daemon in
                    for (app, report) in [(shop, 200), (arcade, 503)] {
                        let event = SeveralDatabasesTests.event(report)
                        #expect(try await daemon.post("/v1/events", key: app.write, event).status == 200)
                        let answer = try await daemon.send("GET", "/v1/reports/channels", key: app.read)
                        #expect(answer.status == report, "\(answer.body)")
                    }
                    let ready = try await daemon.send("GET", "/readyz").body
                    #expect(ready.contains(#""games_reports":"standby""#) && !ready.contains("main_reports"))
                }
                for (name, isNamed) in [("main", false), ("games", true)] {
                    let doctor = try await Programs.tributary(
                        ["doctor", "--database", name],
                        database: main.address,
                        environment: environment.merging(SeveralDatabasesTests.environment(games.address)) { $1 }
                    )
                    #expect(doctor.output.contains("standby for reports: ") == isNamed, "\(doctor.output)")
                }
            }
        }
    }
}
