import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Synchronization
import Testing

/// What the daemon does before its database is ready.
@Suite("The start of the daemon")
struct StartTests {
    private func withHome(_ body: (String) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "start-\(UUID().uuidString.prefix(8))").path
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(home))
        } catch {
            result = .failure(error)
        }
        try? await EmbeddedPostgres(home: home).stop()
        try? FileManager.default.removeItem(atPath: home)
        try result.get()
    }

    @Test func endsImmediatelyIfThePortIsInUse() async throws {
        try await withHome { home in
            let (listener, port) = try Self.listen()
            defer { close(listener) }
            let process = Process()
            process.executableURL = Programs.url(of: "tributaryd")
            process.arguments = ["--port", "\(port)"]
            process.environment = ProcessInfo.processInfo.environment.merging(["TRIBUTARY_HOME": home]) { $1 }
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 64)
            #expect(
                text == "tributaryd: cannot listen on 127.0.0.1:\(port): Address already in use; "
                    + "name another with --host or --port\n"
            )
            // It has not started a private cluster.
            #expect(EmbeddedPostgres(home: home).status() == .absent)
        }
    }

    /// Both programs say so and end, instead of trying again for ever.
    @Test(.timeLimit(.minutes(5)), arguments: ["app (id integer)", "schema_migration (version text)"])
    func endsWhereAnotherProgramHasTables(table: String) async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            try await database.pool.withConnection { try $0.executeScript("create table \(table)") }
            let home = FileManager.default.temporaryDirectory.appending(path: "start-\(UUID().uuidString.prefix(8))")
                .path
            defer { try? FileManager.default.removeItem(atPath: home) }
            for (program, arguments) in [
                ("tributaryd", ["--port", "0"]), ("tributary", ["app", "list"]), ("tributary", ["migrate"]),
            ] {
                let outcome = try await Programs.run(
                    program,
                    arguments,
                    database: database.address,
                    environment: ["TRIBUTARY_HOME": home]
                )
                #expect(outcome.status == 69, "\(arguments)")
                let words = "\(program): the database has tables of another program ("
                #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            }
        }
    }

    /// Who connects meanwhile is refused, answered or cut off. A connection that stays open without an answer would
    /// wait for as long as the daemon lives.
    @Test func leavesNobodyWaitingWhoConnectsDuringAStartOrAStop() async throws {
        try await withHome { home in
            // Not a port that the kernel gives: a connection to it, while nobody listens, could come from it too.
            let (listener, port) = try Self.listen(on: .random(in: 10_000..<30_000))
            close(listener)
            let senders = (0..<4).map { _ in RestlessSender(port: port) }
            defer { senders.forEach { $0.stop() } }
            for _ in 0..<4 {
                let daemon = try await RunningDaemon(
                    database: nil,
                    environment: ["TRIBUTARY_HOME": home, "DATABASE_URL": "host=127.0.0.1 port=1"],
                    port: port
                )
                let before = senders.map(\.counts.answered)
                while !zip(senders, before).allSatisfy({ $0.counts.hung > 0 || $0.counts.answered > $1 }) {
                    await Task.yield()
                }
                #expect(await daemon.stop() == 0)
            }
            #expect(senders.map(\.counts.hung) == [0, 0, 0, 0])
        }
    }

    /// A socket that listens on 127.0.0.1.
    ///
    /// - Parameter port: 0: a free one.
    private static func listen(on port: UInt16 = 0) throws -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 1) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isListening)
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// The cluster's lock keeps the daemon from starting the cluster, until the test gives it back.
    @Test func answersWhileThePrivateClusterStarts() async throws {
        try await ClusterTemplate.with(named: "start") { cluster, home in
            let environment = ["TRIBUTARY_HOME": home]
            let database = try await cluster.start()
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database
            )
            let key = try #require(try JSONDocument(reading: outcome.output.utf8).root["write_key"]?.string)
            let event = #"{"type":"install","user_id":"u","event_id":"00000000-0000-4000-8000-000000000001"}"#
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                let answer = try await daemon.post("/v1/events", key: key, event)
                #expect(answer.status == 200)
            }
            try await cluster.stop()

            let folder = URL(fileURLWithPath: try #require(cluster.dataFolder)).deletingLastPathComponent()
            let lock = open(folder.appending(path: "lock").path, O_RDWR)
            try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
            let daemon = try await RunningDaemon(database: nil, environment: environment)
            do {
                #expect(try await daemon.send("GET", "/healthz").status == 200)
                let readiness = try await daemon.send("GET", "/readyz")
                #expect(readiness.status == 503)
                #expect(
                    readiness.body.contains("starting: the private PostgreSQL server is not running yet"),
                    "\(readiness.body)"
                )
                #expect(try await daemon.post("/v1/events", key: key, event).status == 202)
                #expect(try await daemon.post("/v1/events", key: "trib_w_nobody", event).status == 503)
                close(lock)
                try await daemon.waitForDatabase()
                #expect(try await daemon.post("/v1/events", key: key, event).status == 200)
                #expect(try await daemon.post("/v1/events", key: "trib_w_nobody", event).status == 401)
            } catch {
                await daemon.stop()
                throw error
            }
            #expect(await daemon.stop() == 0)
            #expect(daemon.logText.contains(" notice the database is available\n"), "\(daemon.logText)")
        }
    }

    @Test func writesItsLogAsJSON() async throws {
        try await withHome { home in
            let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_LOG_FORMAT": "json"]
            let process = Process()
            process.executableURL = Programs.url(of: "tributaryd")
            process.arguments = ["--port", "0", "--database", "host=127.0.0.1 port=1"]
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let log = LogCollector(errors.fileHandleForReading)
            // The daemon listens, and says that its database is away.
            _ = await log.firstMatch(of: #""message":"the database is unavailable;"#)
            process.terminate()
            process.waitUntilExit()
            for line in log.text.split(separator: "\n") {
                let entry = try JSONDocument(reading: line.utf8).root
                #expect(
                    entry["message"]?.string != nil && entry["level"]?.string != nil && entry["time"]?.string != nil
                )
            }
            #expect(log.text.contains(#""message":"listening","logger":"tributaryd""#), "\(log.text)")
        }
    }
}

/// Connects again and again, sends a request on each connection, and waits for the answer or the end.
private final class RestlessSender: Sendable {
    private let state = Mutex((answered: 0, hung: 0, isStopped: false))

    var counts: (answered: Int, hung: Int) { state.withLock { ($0.answered, $0.hung) } }

    init(port: UInt16) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isStopped }) {
                guard let connection = try? SocketConnection(to: "http://127.0.0.1:\(port)", patience: 15) else {
                    // Nobody listens.
                    usleep(1_000)
                    continue
                }
                connection.send("GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".utf8)
                let received = connection.receiveAll()
                state.withLock { state in
                    if received == nil { state.hung += 1 } else if received != [] { state.answered += 1 }
                }
            }
        }
    }

    func stop() { state.withLock { $0.isStopped = true } }
}
