import EmbeddedPostgres
import Foundation
import JSONReading
import Postgres
import PostgresTesting
import Testing

/// The daemon while its database goes away and comes back: a cluster of the test's own, stopped and started.
@Suite("The service without its database")
struct OutageTests {
    private func withCluster(_ body: (EmbeddedPostgres, String) async throws -> Void) async throws {
        try await ClusterTemplate.with(named: "outage", body)
    }

    private func keys(_ database: PostgresAddress) async throws -> (write: String, read: String) {
        let outcome = try await Programs.tributary(
            ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
            database: database
        )
        let root = try JSONDocument(reading: outcome.output.utf8).root
        return (try #require(root["write_key"]?.string), try #require(root["read_key"]?.string))
    }

    private func event(_ number: Int) -> String {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return #"{"type":"install","user_id":"u\#(number)","event_id":"\#(id)"}"#
    }

    @Test func spoolsAndDeliversOnce() async throws {
        try await withCluster { cluster, home in
            let database = try await cluster.start()
            let keys = try await keys(database)
            let environment = ["TRIBUTARY_HOME": home]
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                #expect(try await daemon.post("/v1/events", key: keys.write, event(1)).status == 200)
                try await cluster.stop()
                for number in 2...5 {
                    let answer = try await daemon.post("/v1/events", key: keys.write, event(number))
                    #expect(answer.status == 202)
                    #expect(answer.body.contains(#""stored":"spool""#))
                }
                // Faults that the batch itself shows are answered as with a database.
                let twice = try await daemon.post("/v1/events", key: keys.write, "[\(event(5)),\(event(5))]")
                #expect(twice.status == 202)
                #expect(twice.body.contains(#""accepted":1,"duplicates":1,"stored":"spool""#))
                let ready = try await daemon.send("GET", "/readyz")
                #expect(ready.body.contains(#""spool_events":6"#))
                kill(daemon.processID, SIGKILL)
                _ = await daemon.exitStatus()
            }
            // Started without its database, the daemon is alive and knows the key, but is not ready.
            try await RunningDaemon.with(database: database, isPresent: false, environment: environment) { daemon in
                #expect(try await daemon.send("GET", "/healthz").status == 200)
                #expect(try await daemon.send("GET", "/readyz").status == 503)
                #expect(try await daemon.post("/v1/events", key: keys.write, event(6)).status == 202)
                #expect(try await daemon.post("/v1/events", key: "trib_w_nobody", event(7)).status == 503)
                #expect(try await daemon.post("/v1/events", key: keys.write, event(1)).status == 202)

                _ = try await cluster.start()
                try await daemon.waitUntilDelivered()
                #expect(
                    try await daemon.post("/v1/events", key: keys.write, event(6)).body.contains(#""duplicates":1"#)
                )
                #expect(try await daemon.post("/v1/events", key: keys.write, event(8)).status == 200)
                let report = try await daemon.send("GET", "/v1/reports/channels?format=csv", key: keys.read)
                #expect(report.body.contains("direct,0,0,0,7,0,0\r\n"))
            }
        }
    }

    /// Two daemons write to spools, and one of them is never started again.
    @Test func deliversWhatAnEndedDaemonHasSpooled() async throws {
        try await withCluster { cluster, home in
            let database = try await cluster.start()
            let keys = try await keys(database)
            let environment = ["TRIBUTARY_HOME": home]
            try await RunningDaemon.with(database: database, environment: environment) { first in
                try await RunningDaemon.with(database: database, environment: environment) { second in
                    for daemon in [first, second] {
                        #expect(try await daemon.post("/v1/events", key: keys.write, event(1)).status == 200)
                    }
                    try await cluster.stop()
                    #expect(try await first.post("/v1/events", key: keys.write, event(2)).status == 202)
                    #expect(try await second.post("/v1/events", key: keys.write, event(3)).status == 202)
                    kill(second.processID, SIGKILL)
                    _ = await second.exitStatus()
                }
                _ = try await cluster.start()
                let connection = try await PostgresConnection.connect(to: database)
                try await first.wait(for: "the events of both") {
                    try await connection.run { try $0.query("select count(*) from event")[0].int(0) } == 3
                }
                await connection.close()
            }
        }
    }

    private func users(_ database: PostgresAddress) async throws -> [String] {
        let connection = try await PostgresConnection.connect(to: database)
        let users = try await connection.run { connection in
            try connection.query("select user_id from event order by 1").map { try $0.text(0) }
        }
        await connection.close()
        return users
    }

    /// Returns when the server has ended the sessions of a daemon that has ended.
    private func awaitEndOfSessions(in database: PostgresAddress) async throws {
        let connection = try await PostgresConnection.connect(to: database)
        try await connection.run { connection in
            let sql = """
                select count(*)
                from pg_stat_activity
                where datname = current_database() and application_name like 'tributaryd%'
                """
            while try connection.query(sql)[0].int(0) > 0 {}
        }
        await connection.close()
    }

    /// The same spool folder with another database, in which the app's number belongs to another app.
    @Test func keepsWhatItHasAnsweredForTheDatabaseThatItWasFor() async throws {
        try await withCluster { cluster, home in
            let database = try await cluster.start()
            let connection = try await PostgresConnection.connect(to: database)
            _ = try await connection.run { try $0.execute("create database other") }
            await connection.close()
            let other = try PostgresAddress(database.keywords + " dbname=other")
            let (keys, otherKeys) = (try await keys(database), try await keys(other))
            let environment = ["TRIBUTARY_HOME": home]
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                #expect(try await daemon.post("/v1/events", key: keys.write, event(1)).status == 200)
                try await cluster.stop()
                #expect(try await daemon.post("/v1/events", key: keys.write, event(2)).status == 202)
            }
            // It knows the keys beside the spool, but has not reached its database yet.
            try await RunningDaemon.with(database: other, isPresent: false, environment: environment) { daemon in
                #expect(try await daemon.post("/v1/events", key: keys.write, event(3)).status == 202)
                _ = try await cluster.start()
                #expect(await daemon.exitStatus() == 69)
                #expect(daemon.logText.contains("holds events of another database"))
            }
            try await RunningDaemon.with(database: other, environment: environment) { daemon in
                #expect(await daemon.logged("belongs to another database") != nil)
                #expect(try await daemon.post("/v1/events", key: keys.write, event(4)).status == 401)
                #expect(try await daemon.post("/v1/events", key: otherKeys.write, event(4)).status == 200)
                let doctor = try await Programs.tributary(["doctor"], database: other, environment: environment)
                #expect(doctor.output.contains("wait for another database"), "\(doctor.output)")
                #expect(doctor.status == 0)
            }
            try await awaitEndOfSessions(in: other)
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                try await daemon.waitUntilDelivered()
                let own = try await Programs.tributary(["doctor"], database: database, environment: environment)
                #expect(own.output.contains("clocks: the daemon's is"), "\(own.output)")
                // As a restored database has it.
                let doctor = try await Programs.tributary(["doctor"], database: other, environment: environment)
                #expect(doctor.output.contains("it stores in another database"), "\(doctor.output)")
                #expect(!doctor.output.contains("clocks: the daemon's is"))
            }
            #expect(try await users(database) == ["u1", "u2", "u3"])
            #expect(try await users(other) == ["u4"])
        }
    }

    /// The processes of a server: the postmaster and its sessions.
    private func processes(of postmaster: Int32) throws -> [Int32] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pgrep", "-P", "\(postmaster)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return [postmaster] + text.split(separator: "\n").compactMap { Int32($0) }
    }

    /// A server that does not respond: it neither refuses nor ends the connection.
    @Test func answersAndEndsWhileTheDatabaseIsFrozen() async throws {
        try await withCluster { cluster, home in
            let database = try await cluster.start()
            guard case .running(_, let postmaster) = cluster.status() else { return }
            let keys = try await keys(database)
            let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_STORE_DEADLINE": "1"]
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                #expect(try await daemon.post("/v1/events", key: keys.write, event(1)).status == 200)
                let frozen = try processes(of: postmaster)
                for process in frozen { kill(process, SIGSTOP) }
                defer { for process in frozen { kill(process, SIGCONT) } }
                for number in 2...4 {
                    #expect(try await daemon.post("/v1/events", key: keys.write, event(number)).status == 202)
                }
                #expect(try await daemon.send("GET", "/readyz").body.contains(#""database":"away""#))
                // A daemon that waited for the server would never end.
                #expect(await daemon.stop() == 0)
            }
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                try await daemon.waitUntilDelivered()
                let report = try await daemon.send("GET", "/v1/reports/channels?format=csv", key: keys.read)
                #expect(report.body.contains("direct,0,0,0,4,0,0\r\n"))
            }
        }
    }

    private func run(_ command: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Leaves no room at all.
    private func fill(_ folder: String) {
        for size in [65_536, 4096, 1] {
            while let file = FileHandle(forWritingAtPath: folder + "/ballast") ?? create(folder + "/ballast") {
                defer { try? file.close() }
                _ = try? file.seekToEnd()
                guard (try? file.write(contentsOf: Data(count: size))) != nil else { break }
            }
        }
    }

    private func create(_ path: String) -> FileHandle? {
        FileManager.default.createFile(atPath: path, contents: nil) ? FileHandle(forWritingAtPath: path) : nil
    }

    /// The spool's disk is full and stays so.
    @Test(.enabled(if: geteuid() == 0, "only root may mount a small disk"))
    func deliversFromAFullDisk() async throws {
        try await withCluster { cluster, home in
            let database = try await cluster.start()
            let keys = try await keys(database)
            let disk = home + "-disk"
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
            try #require(run("mount", "-t", "tmpfs", "-o", "size=3m,mode=0700", "tmpfs", disk))
            defer {
                _ = run("umount", disk)
                try? FileManager.default.removeItem(atPath: disk)
            }
            let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_SPOOL_FOLDER": disk]
            var answered: [String] = ["u1"]
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                #expect(try await daemon.post("/v1/events", key: keys.write, event(1)).status == 200)
                try await cluster.stop()
                var number = 2
                while number < 5_000 {
                    let batch = (number..<number + 50).map { event($0) }.joined(separator: ",")
                    let answer = try await daemon.post("/v1/events", key: keys.write, "[\(batch)]")
                    if answer.status == 503 { break }
                    #expect(answer.status == 202)
                    answered += (number..<number + 50).map { "u\($0)" }
                    number += 50
                    if number == 2_002 { fill(disk) }
                }
                #expect(number < 5_000)
                #expect(try await daemon.send("GET", "/readyz").status == 503)
                fill(disk)
                kill(daemon.processID, SIGKILL)
                _ = await daemon.exitStatus()
            }
            fill(disk)
            _ = try await cluster.start()
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                try await daemon.waitUntilDelivered()
                #expect(try await daemon.post("/v1/events", key: keys.write, event(9_999)).status == 200)
                #expect(try await daemon.send("GET", "/readyz").status == 200)
            }
            #expect(Set(try await users(database)).isSuperset(of: answered + ["u9999"]))
            #expect(try await users(database).count == Set(try await users(database)).count)
        }
    }

    @Test func saysThatNothingCanBeKept() async throws {
        try await withCluster { cluster, home in
            let database = try await cluster.start()
            let keys = try await keys(database)
            let environment = ["TRIBUTARY_HOME": home, "TRIBUTARY_SPOOL_BYTES": "10"]
            try await RunningDaemon.with(database: database, environment: environment) { daemon in
                #expect(try await daemon.post("/v1/events", key: keys.write, event(1)).status == 200)
                try await cluster.stop()
                let answer = try await daemon.post("/v1/events", key: keys.write, event(2))
                #expect(answer.status == 503)
                #expect(answer.headers.contains { $0.name.lowercased() == "retry-after" })
                let doctor = try await Programs.tributary(["doctor"], database: database, environment: environment)
                #expect(doctor.status == 69)
                #expect(doctor.output.contains("the database is unavailable and the spool is full"))
                #expect(try await daemon.send("GET", "/readyz").status == 503)
            }
        }
    }
}
