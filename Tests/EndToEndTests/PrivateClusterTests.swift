import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

/// The daemon on its private cluster, which is killed, upgraded and deserted while events arrive.
@Suite("The private cluster")
struct PrivateClusterTests {
    private struct Home {
        let path: String
        var cluster: EmbeddedPostgres { EmbeddedPostgres(home: path) }
        /// Where the stand-in for an upgraded PostgreSQL lies. It is the first folder of `PATH`, and empty at first.
        var programs: String { path + "/programs" }

        var environment: [String: String] {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            return ["TRIBUTARY_HOME": self.path, "DATABASE_URL": "", "PATH": "\(programs):\(path)"]
        }

        func tributary(_ arguments: String...) async throws -> Programs.Outcome {
            try await Programs.tributary(arguments, environment: environment)
        }

        func writeKey() async throws -> String {
            let app = try await tributary("app", "create", "--id", "shop", "--name", "Shop", "--format", "json")
            return try #require(try JSONDocument(reading: app.output.utf8).root["write_key"]?.string)
        }

        /// Puts programs into place that are PostgreSQL's, but name another version.
        func upgrade(to version: String) throws {
            let real = try #require(EmbeddedPostgres.locate())
            try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
            for (name, program) in [("postgres", real.postgres), ("initdb", real.initdb)] {
                let script = """
                    #!/bin/sh
                    [ "$1" = --version ] && echo '\(name) (PostgreSQL) \(version)' && exit
                    exec '\(program)' "$@"

                    """
                let path = programs + "/" + name
                try script.write(toFile: path, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
        }

        func storedEvents() async throws -> Int {
            let connection = try await PostgresConnection.connect(to: try await cluster.start())
            let count = try await connection.run { try $0.query("select count(*) from event")[0].int(0) }
            await connection.close()
            return count
        }
    }

    private func withHome(_ body: (Home) async throws -> Void) async throws {
        let name = "private-\(UUID().uuidString.prefix(8))"
        let home = Home(path: FileManager.default.temporaryDirectory.appending(path: name).path)
        defer { try? FileManager.default.removeItem(atPath: home.path) }
        do {
            try await body(home)
        } catch {
            try? await home.cluster.stop()
            throw error
        }
        try await home.cluster.stop()
    }

    /// Sends events one after the other, and counts the answered ones.
    private struct Sender {
        let key: String
        var answered = 0

        @discardableResult
        mutating func send(to daemon: RunningDaemon, expecting expected: Int? = nil) async throws -> Int {
            let event = #"{"type":"install","user_id":"u\#(answered)","event_id":"\#(UUID().uuidString)"}"#
            let status = try await daemon.post("/v1/events", key: key, event).status
            #expect([200, 202].contains(status) && status == expected ?? status)
            answered += 1
            return status
        }

        /// Sends until an event is stored in the database by another server than a former one.
        mutating func sendUntilStored(by daemon: RunningDaemon, of home: Home, after former: Int32) async throws {
            for _ in 0..<20_000 {
                let process = home.cluster.serverProcess
                let status = try await send(to: daemon)
                if status == 200, let process, process != former { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record("no event reached the database again: \(daemon.logText)")
        }
    }

    @Test func comesBackAfterAKillAnUpgradeAndADesertion() async throws {
        try await withHome { home in
            var sender = Sender(key: "")
            try await RunningDaemon.with(database: nil, environment: home.environment) { daemon in
                sender = Sender(key: try await home.writeKey())
                try await sender.send(to: daemon, expecting: 200)

                let first = try #require(home.cluster.serverProcess)
                kill(first, SIGKILL)
                try await sender.sendUntilStored(by: daemon, of: home, after: first)
                #expect(daemon.logText.contains("was down and has been started again"))

                // An operator stops it on purpose: the daemon needs it nevertheless.
                let second = try #require(home.cluster.serverProcess)
                try await home.cluster.stop()
                try await sender.sendUntilStored(by: daemon, of: home, after: second)

                let third = try #require(home.cluster.serverProcess)
                try home.upgrade(to: "\(try #require(EmbeddedPostgres.locate()).version).99 (stand-in)")
                try await sender.sendUntilStored(by: daemon, of: home, after: third)
                #expect(daemon.logText.contains("99 (stand-in)"))

                // It says so if a restart did not help, and does not restart again and again.
                let fourth = try #require(home.cluster.serverProcess)
                let doctor = try await home.tributary("doctor", "--no-start")
                #expect(doctor.output.contains("99 (stand-in) is installed"), "\(doctor.output)")
                #expect(doctor.status == 0)
                #expect(home.cluster.serverProcess == fourth)

                kill(daemon.processID, SIGKILL)
                _ = await daemon.exitStatus()
            }
            try await RunningDaemon.with(database: nil, environment: home.environment) { daemon in
                try await sender.send(to: daemon, expecting: 200)
                #expect(await daemon.stop() == 0)
            }
            #expect(try await home.storedEvents() == sender.answered)
        }
    }

    @Test func isStartedOnceByTwoDaemons() async throws {
        try await withHome { home in
            try await RunningDaemon.with(database: nil, environment: home.environment) { first in
                try await RunningDaemon.with(database: nil, environment: home.environment) { second in
                    var sender = Sender(key: try await home.writeKey())
                    for daemon in [first, second] { try await sender.send(to: daemon, expecting: 200) }
                    let former = try #require(home.cluster.serverProcess)
                    kill(former, SIGKILL)
                    try await sender.sendUntilStored(by: first, of: home, after: former)
                    let process = try #require(home.cluster.serverProcess)
                    try await sender.sendUntilStored(by: second, of: home, after: former)
                    #expect(home.cluster.serverProcess == process)
                    #expect(try await home.storedEvents() == sender.answered)
                }
            }
        }
    }

    /// The programs of the version that made the cluster are gone. The daemon keeps events until they are back.
    @Test func waitsForTheVersionThatMadeIt() async throws {
        try await ClusterTemplate.with(named: "version") { _, path in
            let home = Home(path: path)
            var sender = Sender(key: "")
            try await RunningDaemon.with(database: nil, environment: home.environment) { daemon in
                sender = Sender(key: try await home.writeKey())
                try await sender.send(to: daemon, expecting: 200)
            }
            try await home.cluster.stop()
            let file = try #require(home.cluster.dataFolder) + "/PG_VERSION"
            let version = try String(contentsOfFile: file, encoding: .utf8)
            try "9\n".write(toFile: file, atomically: false, encoding: .utf8)
            try await RunningDaemon.with(database: nil, isPresent: false, environment: home.environment) { daemon in
                try await sender.send(to: daemon, expecting: 202)
                #expect(await daemon.logged("was made by PostgreSQL 9, which is not ") == "installed")
                let doctor = try await home.tributary("doctor")
                #expect(doctor.status == 69)
                #expect(doctor.output.contains("Its data is safe. Install PostgreSQL 9 again"), "\(doctor.output)")
                try version.write(toFile: file, atomically: false, encoding: .utf8)
                try await sender.sendUntilStored(by: daemon, of: home, after: 0)
            }
            #expect(try await home.storedEvents() == sender.answered)
        }
    }

    @Test func theDoctorSaysThatItWasDownAndAsksTheDaemon() async throws {
        try await withHome { home in
            let absent = try await home.tributary("doctor", "--no-start")
            #expect(absent.status == 69)
            #expect(absent.output.contains("private cluster: none yet"), "\(absent.output)")
            #expect(home.cluster.status() == .absent)
            #expect(try await home.tributary("doctor").output.contains("this command has created it"))
            #expect(try await home.tributary("migrate").status == 0)

            try await home.cluster.stop()
            let down = try await home.tributary("doctor", "--no-start")
            #expect(down.status == 69)
            #expect(down.output.contains("private cluster: it is down"), "\(down.output)")
            #expect(home.cluster.status() == .stopped)
            let started = try await home.tributary("doctor")
            #expect(started.status == 0, "\(started.output)")
            #expect(started.output.contains("it was down; this command has started it"), "\(started.output)")
            #expect(!(try await home.tributary("doctor").output.contains("it was down")))

            try await RunningDaemon.with(database: nil, environment: home.environment) { daemon in
                let doctor = try await home.tributary("doctor")
                let address = daemon.baseURL.dropFirst("http://".count)
                #expect(
                    doctor.output.contains("daemon: process \(daemon.processID) at \(address) answers, version "),
                    "\(doctor.output)"
                )
                #expect(doctor.output.contains("clocks: the daemon's is"))
                kill(daemon.processID, SIGKILL)
                _ = await daemon.exitStatus()
                #expect(try await home.tributary("doctor").output.contains("daemon: none runs"))
            }
        }
    }
}
