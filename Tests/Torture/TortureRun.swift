import AsyncHTTPClient
import Foundation
import JSONReading
import Logging
import NIOCore
import Postgres

/// One run: prepares the folder, runs load and faults, waits until the spools are delivered, and compares.
final class TortureRun: Sendable {
    let folder: String
    let reaper: Reaper
    private let programs: String
    private let seconds: Int
    private let faults: Int?
    private let seed: UInt64
    private let senders: Int
    private let citus: Bool
    private let start = ContinuousClock.now

    /// - Parameter programs: the folder of `tributary` and `tributaryd`.
    init(programs: String, seconds: Int, faults: Int?, seed: UInt64, senders: Int, citus: Bool) throws {
        self.programs = programs
        self.seconds = seconds
        self.faults = faults
        self.seed = seed
        self.senders = senders
        self.citus = citus
        var template = Array("\(NSTemporaryDirectory())/tributary-torture.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TortureFailure("no temporary folder") }
        folder =
            URL(
                fileURLWithPath: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            ).resolvingSymlinksInPath().path
        // The server's account must pass through. The folders below are private.
        chmod(folder, 0o711)
        reaper = try Reaper(folder: folder)
    }

    /// - Returns: whether the run found no fault.
    func run() async throws -> Bool {
        let mebibytes = 1_024 + 3 * seconds
        let cluster = try Cluster(folder: folder + "/postgres", diskMebibytes: mebibytes, citus: citus, reaper: reaper)
        try await cluster.start()
        var workers: [Cluster] = []
        if citus {
            note("a Citus cluster is made")
            workers = try await Workers(2, of: cluster, folder: folder, diskMebibytes: mebibytes, reaper: reaper).all
            _ = try tributary(["migrate", "--citus"], cluster)
        }
        let home = try Disk(at: folder + "/home", mebibytes: 160, reaper: reaper)
        let spools = SpoolFiles(folder: home.folder + "/spool")
        let databaseProxy = try Proxy(to: .unixSocket(cluster.socket))
        let keys = try makeApps(cluster)
        let daemons = try ["a", "b"].map { name in
            try Daemon(
                name: name,
                program: program("tributaryd"),
                environment: [
                    "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                    "DATABASE_URL": cluster.address(throughPort: databaseProxy.port).keywords,
                    // Both spools are in one folder.
                    "TRIBUTARY_HOME": home.folder,
                    "TRIBUTARY_STORE_DEADLINE": "4",
                    // One is so small that it is sometimes full.
                    "TRIBUTARY_SPOOL_BYTES": name == "a" ? "33554432" : "1048576",
                ],
                folder: folder,
                reaper: reaper
            )
        }
        // Start both at the same time: either may migrate first.
        async let first: Void = daemons[0].start()
        async let second: Void = daemons[1].start()
        _ = try await (first, second)

        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(2)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = senders
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let ledger = try Ledger(journal: folder + "/journal.txt")
        let baseTime = Int64(Date().timeIntervalSince1970) * 1_000_000
        let load = LoadClient(
            seed: seed,
            baseTime: baseTime,
            daemons: daemons,
            keys: keys,
            ledger: ledger,
            client: client,
            longestPause: 250
        )
        try await load.sendOldEvents()
        try await cluster.age()
        let injector = FaultInjector(
            cluster: cluster,
            workers: workers,
            databaseProxy: databaseProxy,
            daemons: daemons,
            home: home,
            spools: spools,
            ledger: ledger,
            seed: seed,
            seconds: seconds,
            note: { self.note($0) }
        )
        for (kind, reason) in injector.skipped { note("SKIPPED: \(kind.rawValue): \(reason)") }
        note("load and faults begin")
        let sending = Task { [senders] in await load.run(senders: senders) }
        do {
            try await injector.run(until: .now + .seconds(seconds), count: faults)
        } catch {
            sending.cancel()
            await sending.value
            // Without this, the client's own complaint would hide the error.
            try? await client.shutdown()
            throw error
        }
        sending.cancel()
        await sending.value
        note("load ends; waiting until the spools are delivered")

        // Restart the daemons, so that they only know what is on disk.
        do {
            for daemon in daemons {
                await injector.terminate(daemon)
                try await daemon.start()
            }
            for daemon in daemons { try await waitUntilDelivered(daemon, spools, client) }
        } catch {
            try? await client.shutdown()
            throw error
        }
        for daemon in daemons { await injector.terminate(daemon) }
        try await client.shutdown()

        for worker in workers { try await worker.waitForCommits() }
        note("comparing")
        let reportedLost = try spools.reportedLost()
        let apps = try await appNumbers(cluster)
        let verification = try await Verification(
            of: cluster.address,
            apps: apps,
            ledger: ledger,
            reportedLost: reportedLost,
            seed: seed,
            baseTime: baseTime
        )
        databaseProxy.close()
        daemons.forEach { $0.proxy.close() }
        let summary = Summary(
            seconds: seconds,
            seed: seed,
            counts: ledger.counts,
            faults: injector.injected,
            skipped: injector.skipped,
            reportedLost: reportedLost,
            complaints: injector.complaints,
            verification: verification
        )
        print(summary.text)
        return summary.isClean
    }

    private func makeApps(_ cluster: Cluster) throws -> [String] {
        try (0..<TortureEvent.apps).map { app in
            let text = try tributary(
                ["app", "create", "--id", "app\(app)", "--name", "App \(app)", "--format", "json"],
                cluster
            )
            guard let key = try JSONDocument(reading: text.utf8).root["write_key"]?.string else {
                throw TortureFailure("`tributary app create` answers no key")
            }
            return key
        }
    }

    /// - Returns: what the command writes to standard output.
    private func tributary(_ arguments: [String], _ cluster: Cluster) throws -> String {
        let process = Process()
        process.executableURL = program("tributary")
        process.arguments = arguments
        process.environment = ["DATABASE_URL": cluster.address.keywords]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TortureFailure("`tributary \(arguments.joined(separator: " "))` failed")
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func appNumbers(_ cluster: Cluster) async throws -> [Int: Int] {
        let connection = try await PostgresConnection.connect(to: cluster.address)
        let pairs = try await connection.run { connection in
            try connection.query("select app_number, substr(app_id, 4)::integer from app").map {
                (try $0.int(0), try $0.int(1))
            }
        }
        await connection.close()
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Waits as long as events leave the daemon's spool, however slow the machine is.
    private func waitUntilDelivered(_ daemon: Daemon, _ spools: SpoolFiles, _ client: HTTPClient) async throws {
        let patience = Duration.seconds(180)
        var deadline = ContinuousClock.now + patience
        var least = Int.max
        var last = ""
        while ContinuousClock.now < deadline {
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(daemon.port)/readyz")
            if let response = try? await client.execute(request, timeout: .seconds(5)),
                let body = try? await response.body.collect(upTo: 1 << 16)
            {
                last = String(buffer: body)
                let details = try JSONDocument(reading: last.utf8).root["details"]
                if details?["database"]?.string == "present", details?["spool_events"]?.number == "0",
                    spools.areSettled
                {
                    return
                }
                let events = details?["spool_events"]?.number.flatMap { Int($0) } ?? least
                if events < least { (least, deadline) = (events, .now + patience) }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw TortureFailure("daemon \(daemon.name) has delivered nothing of its spool for \(patience): \(last)")
    }

    private func note(_ text: String) {
        let seconds = (ContinuousClock.now - start).components.seconds
        FileHandle.standardError.write(Data("\(seconds) s: \(text)\n".utf8))
    }

    private func program(_ name: String) -> URL { URL(fileURLWithPath: programs).appending(path: name) }
}
