import Foundation
import Postgres
import RandomTesting

/// Injects one fault after another, sometimes with a second one inside, and repairs everything after each.
final class FaultInjector {
    private let cluster: Cluster
    /// Of a Citus cluster; none on one machine.
    private let workers: [Cluster]
    private let databaseProxy: Proxy
    private let daemons: [Daemon]
    private let home: Disk
    private let spools: SpoolFiles
    private let ledger: Ledger
    private let seed: UInt64
    /// The longest time that a table is locked, in milliseconds.
    private let longestLock: Int
    /// Kinds that cannot be injected here, and why.
    let skipped: [FaultKind: String]
    /// The factor of all waiting times: 1 for long runs.
    private let scale: Double
    private let note: (String) -> Void
    private var random: SeededRandom
    private var deck: [FaultKind] = []
    private(set) var injected: [FaultKind: Int] = [:]
    /// Failures of daemons to end in time and with 0.
    private(set) var complaints: [String] = []

    init(
        cluster: Cluster,
        workers: [Cluster],
        databaseProxy: Proxy,
        daemons: [Daemon],
        home: Disk,
        spools: SpoolFiles,
        ledger: Ledger,
        seed: UInt64,
        seconds: Int,
        note: @escaping (String) -> Void
    ) {
        self.cluster = cluster
        self.workers = workers
        self.databaseProxy = databaseProxy
        self.daemons = daemons
        self.home = home
        self.spools = spools
        self.ledger = ledger
        self.seed = seed
        longestLock = max(5_000, min(60_000, seconds * 100))
        scale = seconds < 60 ? 0.25 : 1
        self.note = note
        var skipped: [FaultKind: String] = [:]
        if !cluster.disk.isOwn { skipped[.diskFull] = "root may not mount a tmpfs" }
        if !home.isOwn { skipped[.spoolDiskFull] = "root may not mount a tmpfs" }
        if workers.isEmpty {
            for kind in FaultKind.ofWorkers { skipped[kind] = "one machine has no workers" }
        } else {
            skipped[.commitsLost] = "a coordinator without its last commits does not fit its workers"
        }
        self.skipped = skipped
        random = SeededRandom(seed, 2)
    }

    /// Injects a number of faults; nil: faults until `end`, of which the last may last longer.
    func run(until end: ContinuousClock.Instant, count: Int?) async throws {
        var ended = 0
        while !Task.isCancelled, count.map({ ended < $0 }) ?? (.now < end) {
            await rest(300...2_000)
            // Each kind is used once before any is used again.
            if deck.isEmpty {
                deck = FaultKind.allCases.filter { skipped[$0] == nil }.shuffled(using: &random)
                if !workers.isEmpty {
                    let first = deck.filter { FaultKind.firstOnCluster.contains($0) }
                    deck = deck.filter { !FaultKind.firstOnCluster.contains($0) } + first
                }
            }
            guard let kind = deck.popLast() else { return }
            note(kind.rawValue)
            guard try await inject(kind) else { continue }
            injected[kind, default: 0] += 1
            ended += 1
        }
    }

    private func rest(_ milliseconds: ClosedRange<Int>) async {
        try? await Task.sleep(for: random.duration(milliseconds) * scale)
    }

    /// - Returns: whether the fault really happened.
    private func inject(_ kind: FaultKind) async throws -> Bool {
        let daemon = daemons[Int.random(in: daemons.indices, using: &random)]
        switch kind {
        case .daemonKilled:
            await daemon.end(SIGKILL)
            await rest(0...1_500)
            try await daemon.start()
        case .daemonTerminated:
            await terminate(daemon)
            await rest(0...1_000)
            try await daemon.start()
        case .daemonFrozen:
            daemon.isSilent(for: .seconds(9))
            daemon.send(SIGSTOP)
            await rest(1_000...9_000)
            daemon.send(SIGCONT)
            daemon.isSilent(for: .zero)
        case .daemonGone:
            await daemon.end(SIGKILL)
            await rest(8_000...16_000)
            try await daemon.start()
        case .spoolDiskFull:
            await cluster.end(SIGINT)
            await rest(500...2_000)
            try home.fill()
            await rest(1_000...4_000)
            // Half of the time PostgreSQL is back first, and the spools are delivered from a full disk.
            let isBackFirst = random.chance(50)
            if isBackFirst {
                try await cluster.start()
                await rest(2_000...5_000)
            }
            home.empty()
            try await cluster.start()
        case .spoolDamaged:
            return try await damageSpool()
        case .postgresKilled:
            await cluster.end(SIGKILL)
            await rest(0...2_000)
            try await cluster.start()
        case .sessionKilled:
            if let session = try? await cluster.query(Self.anySession) { kill(Int32(session), SIGKILL) }
            await rest(200...500)
            try await cluster.start()
        case .postgresRestarted, .postgresCrashed:
            await cluster.end(kind == .postgresCrashed ? SIGQUIT : SIGINT)
            try await cluster.start()
        case .postgresStopped:
            await cluster.end(SIGINT)
            try await duringOutage(2_000...8_000, daemon)
            try await cluster.start()
        case .postgresFrozen:
            let processes = cluster.processes
            processes.forEach { kill($0, SIGSTOP) }
            try await duringOutage(1_000...9_000, daemon)
            processes.forEach { kill($0, SIGCONT) }
        case .postgresReadOnly:
            try await cluster.script([
                "alter system set default_transaction_read_only = on", "select pg_reload_conf()",
            ])
            try await duringOutage(1_000...5_000, daemon)
            try await cluster.script([
                "alter system reset default_transaction_read_only", "select pg_reload_conf()",
            ])
        case .diskFull:
            try cluster.disk.fill()
            try await duringOutage(2_000...6_000, daemon)
            cluster.disk.empty()
            // PostgreSQL may have ended, because its log had no room.
            try await cluster.start()
        case .tableLocked:
            let table = random.chance(50) ? "event_key" : "event"
            return try await cluster.locking(table) {
                try? await Task.sleep(for: random.duration(3_000...longestLock) * scale)
            }
        case .keysRenewed:
            // Half of the time a step is interrupted, and the next renewal continues.
            return await cluster.renewKeys(within: random.chance(50) ? Int.random(in: 1...100, using: &random) : nil)
        case .connectionsExhausted:
            return try await exhaustConnections()
        case .commitsLost:
            try await loseCommits()
        case .sessionsTerminated:
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                _ = try? await cluster.query(Self.terminateSessions)
                await rest(20...300)
            }
        case .senderConnectionsReset:
            daemon.proxy.resetAll()
        case .senderConnectionsHalfOpen:
            let time = random.duration(5_000...15_000)
            daemon.isSilent(for: time)
            daemon.proxy.silenceAll(for: time)
        case .databaseConnectionsReset:
            databaseProxy.resetAll()
        case .databaseConnectionsHalfOpen:
            databaseProxy.silenceAll(for: random.duration(20_000...60_000))
        case .databaseRefused:
            databaseProxy.setRefusing(true)
            databaseProxy.resetAll()
            try await duringOutage(500...5_000, daemon)
            databaseProxy.setRefusing(false)
        case .workerKilled, .workerStopped, .workerFrozen:
            guard let worker = workers.randomElement(using: &random) else { return false }
            try await injure(worker, kind, daemon)
        case .partMoved, .partMoveBroken:
            return try await movePart(whole: kind == .partMoved)
        }
        return true
    }

    /// An app, with all of its part, goes to the other worker while its events are stored.
    ///
    /// - Parameter whole: else a server is killed meanwhile, and the move is tried again.
    private func movePart(whole: Bool) async throws -> Bool {
        let app = Int.random(in: 0..<TortureEvent.apps, using: &random)
        let cluster = cluster
        async let failure = cluster.movePart(ofApp: app)
        if !whole {
            let victim = random.pick([cluster] + workers)
            // A move begins to copy after about this time.
            await rest(200...2_500)
            await victim.end(SIGKILL)
            try await victim.start()
        }
        guard let failure = await failure else { return true }
        note("  not moved: \(failure)")
        return !whole
    }

    private func injure(_ worker: Cluster, _ kind: FaultKind, _ daemon: Daemon) async throws {
        if kind == .workerFrozen {
            let processes = worker.processes
            processes.forEach { kill($0, SIGSTOP) }
            try await duringOutage(1_000...9_000, daemon)
            processes.forEach { kill($0, SIGCONT) }
            return
        }
        await worker.end(kind == .workerKilled ? SIGKILL : SIGINT)
        try await duringOutage(kind == .workerKilled ? 0...2_000 : 2_000...8_000, daemon)
        try await worker.start()
    }

    /// Other clients take all connections, those of the daemons too.
    private func exhaustConnections() async throws -> Bool {
        var taken = await cluster.takeConnections()
        databaseProxy.resetAll()
        for _ in 0..<10 {
            await rest(50...200)
            taken += await cluster.takeConnections()
        }
        await rest(1_000...6_000)
        for connection in taken { await connection.close() }
        return taken.count > Cluster.connections / 2
    }

    /// The daemons are killed while events wait in their spools. One file is damaged before they start again.
    private func damageSpool() async throws -> Bool {
        await cluster.end(SIGINT)
        await rest(1_000...4_000)
        for daemon in daemons { await daemon.end(SIGKILL) }
        let damage = try spools.damageOne(&random)
        if let damage { note("  \(damage)") }
        for daemon in daemons { try await daemon.start() }
        await rest(500...3_000)
        try await cluster.start()
        return damage != nil
    }

    /// A standby that has not received the last commits becomes the primary. The ledger learns which events it lacks:
    /// these, and no others, may be missing.
    private func loseCommits() async throws {
        await cluster.end(SIGINT)
        try cluster.keepCopy()
        try await cluster.start()
        await rest(2_000...6_000)
        // No daemon may commit between the counting and the end.
        databaseProxy.setRefusing(true)
        databaseProxy.resetAll()
        while (try? await cluster.query(Self.terminateSessions)) != 0 { await rest(20...50) }
        let before = try await cluster.storedNumbers(seed: seed)
        try await cluster.promoteCopy()
        ledger.lostWithPrimary(before.subtracting(try await cluster.storedNumbers(seed: seed)))
        databaseProxy.setRefusing(false)
    }

    /// Waits while an outage lasts. Sometimes a second fault is injected meanwhile.
    private func duringOutage(_ milliseconds: ClosedRange<Int>, _ daemon: Daemon) async throws {
        await rest(milliseconds)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2:
            note("  during it: \(FaultKind.daemonKilled.rawValue)")
            await daemon.end(SIGKILL)
            try await daemon.start()
            injected[.daemonKilled, default: 0] += 1
            await rest(500...2_000)
        case 2..<4:
            note("  during it: \(FaultKind.daemonTerminated.rawValue)")
            await terminate(daemon)
            try await daemon.start()
            injected[.daemonTerminated, default: 0] += 1
            await rest(500...2_000)
        case 4:
            note("  during it: \(FaultKind.senderConnectionsReset.rawValue)")
            daemon.proxy.resetAll()
            injected[.senderConnectionsReset, default: 0] += 1
        default:
            break
        }
    }

    /// Ends a daemon, which must end within the grace period and with 0.
    func terminate(_ daemon: Daemon) async {
        switch await daemon.end(SIGTERM) {
        case 0: break
        case nil: complaints.append("daemon \(daemon.name) did not end within 15 s after SIGTERM")
        case let status?: complaints.append("daemon \(daemon.name) ended with \(status) after SIGTERM")
        }
    }

    private static let anySession = """
        select pid from pg_stat_activity where application_name like 'tributaryd%' order by random() limit 1
        """
    private static let terminateSessions = """
        select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name like 'tributaryd%'
        """
}
