import Foundation
import JSONReading
import NIOHTTP1
import Postgres
import PostgresTesting
import RandomTesting
import Synchronization
import Testing

/// `tributary reread`, killed again and again while events come in, and run again to the end: the figures are those of
/// an app that had the rules from the start and got the same events.
///
/// It is killed at two moments, by the seed, and at each in the nightly run. `RereadAgreementTests` asks more reports.
@Suite("Reading history again, end to end", .timeLimit(.minutes(30)))
struct RereadTests {
    /// Where the program stands when it is killed, in the order of a run. A lock keeps it there.
    private enum Moment: CaseIterable {
        /// It counts what would move.
        case counting
        /// It notes that history is being read again.
        case beginning
        case rewritingTheFirstMonth, rewritingTheLastMonth
        /// All months are rewritten. It waits for transactions that are storing events.
        case waitingForWriters
        case packing
        /// It notes that it is done.
        case finishing
    }

    @Test func endsAsIfTheRulesHadBeenThereFromTheStart() async throws {
        try await Self.withSetting { setting in
            var random = SeededRandom(seed: TestSeeds.first)
            for months in [1...2, 2...3, 3...4] {
                try await setting.post(RereadEvents.batch(200, months: months, &random))
            }
            #expect(try await setting.tributary(["rebuild"]).status == 0)
            // Some events are not packed.
            try await setting.post(RereadEvents.batch(40, months: 1...4, &random))
            var consumer = Consumer(setting: setting)
            try await consumer.load()
            #expect(try await setting.tributary(["app", "rules", "set", "late", setting.rules]).status == 0)

            // Events of a month that no lock of this test concerns.
            let isEnough = Flag()
            let sending = Task { [random] in
                var random = random
                for _ in 0..<400 where !isEnough.isSet {
                    try await setting.post(RereadEvents.batch(3, months: 4...4, &random))
                }
            }
            var live = SeededRandom(seed: TestSeeds.first + 1)
            for moment in TestSeeds.share(of: Moment.allCases, 2) {
                try await Self.run(setting, killingAt: moment) {
                    try await setting.post(RereadEvents.batch(5, months: 4...4, &live))
                }
                if [.rewritingTheLastMonth, .packing].contains(moment) {
                    try await Self.expectNotice(setting)
                    try await consumer.load()
                }
            }
            isEnough.set()
            try await sending.value

            let last = try await setting.tributary(["reread", "--app", "late"])
            #expect(last.status == 0, "\(last.errors)")
            let again = try await setting.tributary(["reread", "--app", "late", "--format", "json"])
            let moves = try JSONDocument(reading: again.output.utf8).root
            #expect(again.status == 0 && again.errors.contains("nothing to change"), "\(again.errors)")
            #expect(moves["moved"]?.number == "0" && moves["other_changes"]?.number == "0")
            try await Self.expectSameReports(setting)
            try await Self.expectSameExports(setting)
            try await consumer.expectWhole()
            for check in [["rebuild", "--check"], ["refresh"], ["refresh", "--check"]] {
                let outcome = try await setting.tributary(check)
                #expect(outcome.status == 0, "\(check): \(outcome.output)\(outcome.errors)")
            }
        }
    }

    // MARK: - Killing

    /// Runs the program, and kills it when it has come to a moment.
    ///
    /// - Parameter body: what happens while it stands there.
    private static func run(
        _ setting: Setting,
        killingAt moment: Moment,
        _ body: () async throws -> Void
    ) async throws {
        let first = try await Blocker(setting)
        let second = try await Blocker(setting)
        switch moment {
        case .counting: try await first.begin("lock table event_2026_01 in access exclusive mode")
        case .beginning: try await first.begin("lock table reread in share mode")
        case .rewritingTheFirstMonth: try await first.begin("select from event_2026_01 for update")
        case .rewritingTheLastMonth: try await first.begin("select from event_2026_03 for update")
        case .waitingForWriters: try await first.begin("lock table event in row exclusive mode")
        case .packing, .finishing: try await first.begin("lock table timeline_segment in share mode")
        }
        let process = Process()
        process.executableURL = Programs.url(of: "tributary")
        process.arguments = ["reread", "--app", "late"]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DATABASE_URL": setting.database.address.keywords]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        switch moment {
        case .waitingForWriters:
            // So it does between two looks.
            try await setting.wait(while: process, "select query = 'select pg_sleep(0.01)'")
        case .finishing:
            try await setting.wait(while: process, first.isBlocking)
            try await second.begin("select from reread for update")
            await first.end()
            try await setting.wait(while: process, second.isBlocking)
        default: try await setting.wait(while: process, first.isBlocking)
        }
        try await body()
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "\(moment)")
        await first.end()
        await second.end()
        // The server still does what it was about to do.
        try await setting.wait("select count(*) = 0")
    }

    /// Keeps the program where it is, by a lock.
    private struct Blocker {
        private let connection: PostgresConnection
        private let processID: Int

        init(_ setting: Setting) async throws {
            connection = try await PostgresConnection.connect(
                to: setting.database.address,
                options: PostgresOptions(idleInTransactionTimeout: nil)
            )
            processID = try await connection.run { try $0.query("select pg_backend_pid()")[0].int(0) }
        }

        /// Of a session: whether it waits for this one.
        var isBlocking: String { "select \(processID) = any (pg_blocking_pids(pid))" }

        func begin(_ statement: String) async throws {
            try await connection.run { try $0.executeScript("begin; \(statement)") }
        }

        func end() async {
            await connection.close()
        }
    }

    // MARK: - Comparing

    private static func expectNotice(_ setting: Setting) async throws {
        let report = try await setting.tributary(["report", "channels", "--app", "late"])
        #expect(report.errors.contains("history is being read again since "), "\(report.errors)")
    }

    private static let reports = [
        "channels", "channels?by=month", "refs", "posts", "viral", "viral?by=platform", "paths", "goals", "logins",
        "attribution?event=conversion&by=ref", "attribution?event=install&model=all", "breakdown?by=target_url,ref",
        "breakdown?by=post", "funnel?steps=touch,install,conversion&by=ref", "funnel?by=target_url",
        "installs?by=referer_app", "retention?by=channel", "channels?where=ref%3Dnewsletter",
        "refs?where=channel%21%3Dother", "links",
    ]

    private static func expectSameReports(_ setting: Setting) async throws {
        for report in TestSeeds.share(of: reports, 8) {
            func figures(of app: Setting.App) async throws -> String {
                let path = "/v1/reports/\(report)\(report.contains("?") ? "&" : "?")format=csv&from=2026-01&to=2026-06"
                let answer = try await setting.daemon.send("GET", path, key: app.readKey)
                let notice = answer.headers.first(name: "tributary-notice") ?? ""
                #expect(answer.status == 200 && !notice.contains("history"), "\(report): \(notice)\(answer.body)")
                return answer.body.replacing(host(app.id), with: RereadEvents.host)
            }
            let (late, early) = (try await figures(of: setting.apps[0]), try await figures(of: setting.apps[1]))
            #expect(late == early, "\(report), seed \(TestSeeds.first)")
            #expect(late.split(separator: "\r\n").count > 1, "\(report)")
        }
    }

    private static func expectSameExports(_ setting: Setting) async throws {
        for name in TestSeeds.share(of: ["events", "touches", "credits", "people"], 2) {
            let (late, early) = (
                try await setting.exported(name, of: "late"), try await setting.exported(name, of: "early")
            )
            #expect(late.count > 10, "\(name)")
            #expect(late == early, "\(name), seed \(TestSeeds.first)")
        }
    }

    /// Loads the export of events again and again, with its cursor.
    private struct Consumer {
        let setting: Setting
        var events: [String: String] = [:]
        private var loads = 0

        init(setting: Setting) { self.setting = setting }

        mutating func load() async throws {
            loads += 1
            let file = "\(setting.folder)/events-\(loads).ndjson"
            let outcome = try await setting.tributary([
                "export", "events", "--app", "late", "--format", "ndjson", "--output", file, "--cursor-file", cursor,
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
                events[try Self.id(String(line))] = String(line)
            }
        }

        /// Reads on to the end: the rows are those of a whole export.
        mutating func expectWhole() async throws {
            // Open transactions of other tests hold the cursor back.
            var isRead = false
            while !isRead {
                try await load()
                let text = try String(contentsOfFile: cursor, encoding: .utf8)
                let next = try #require(text.split(separator: ":").last.flatMap { Int64($0.dropLast()) })
                isRead = try await setting.database.pool.withConnection { connection in
                    try connection.query(
                        "select greatest(max(transaction_number), max(reread_transaction)) < $1 from event",
                        [.int(next)]
                    )[0].bool(0)
                }
            }
            let whole = try await setting.tributary([
                "export", "events", "--app", "late", "--format", "ndjson", "--from", "2026-01", "--to", "2026-06",
            ])
            var expected: [String: String] = [:]
            for line in whole.output.split(separator: "\n") { expected[try Self.id(String(line))] = String(line) }
            #expect(events.count == expected.count)
            #expect(events.filter { expected[$0.key] != $0.value }.isEmpty)
        }

        private var cursor: String { "\(setting.folder)/cursor" }

        private static func id(_ line: String) throws -> String {
            try #require(try JSONDocument(reading: line.utf8).root["event_id"]?.string)
        }
    }

    // MARK: - The setting

    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    /// Two apps, of which `early` has the rules, and a daemon.
    private struct Setting: Sendable {
        struct App {
            var id: String
            var writeKey: String
            var readKey: String
        }

        var database: TestDatabase
        var daemon: RunningDaemon
        var apps: [App]
        var folder: String
        /// The path of the file of rules.
        var rules: String

        func tributary(_ arguments: [String]) async throws -> Programs.Outcome {
            try await Programs.tributary(arguments, database: database.address)
        }

        /// Sends events to both apps.
        func post(_ events: [String]) async throws {
            for app in apps {
                let body = "[\(events.joined(separator: ","))]".replacing(
                    RereadEvents.host,
                    with: RereadTests.host(app.id)
                )
                let answer = try await daemon.post("/v1/events", key: app.writeKey, body)
                #expect(answer.status == 200, "\(answer.body)")
                #expect(answer.body.contains(#""accepted":\#(events.count)"#), "\(answer.body)")
            }
        }

        /// The rows of an export, without what no two apps share: the times of receipt, and the host of short links.
        func exported(_ name: String, of app: String) async throws -> [String] {
            let outcome = try await tributary([
                "export", name, "--app", app, "--format", "ndjson", "--from", "2026-01", "--to", "2026-06",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.replacing(RereadTests.host(app), with: RereadEvents.host).split(separator: "\n")
                .map { String($0).replacing(/"received_at": ?"[^"]*",?/, with: "") }
                .sorted()
        }

        /// Waits until a question about the sessions of the program is answered with yes.
        ///
        /// - Parameter process: must run until then.
        func wait(while process: Process? = nil, _ question: String) async throws {
            let sessions = "from pg_stat_activity where datname = current_database() and application_name = 'tributary'"
            while try await database.pool.withConnection({ connection in
                try connection.query("\(question) \(sessions)").contains { try $0.bool(0) }
            }) == false {
                try #require(process?.isRunning != false, "it has ended before it was killed")
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    /// The host of an app's short links.
    private static func host(_ app: String) -> String { "\(app).example" }

    private static func withSetting(_ body: @Sendable (Setting) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reread-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rules = "\(folder)/rules.yaml"
        try RereadEvents.rules.write(toFile: rules, atomically: true, encoding: .utf8)
        try await TestDatabases.withSchema { database in
            var apps: [Setting.App] = []
            for app in ["late", "early"] {
                let outcome = try await Programs.tributary(
                    ["app", "create", "--id", app, "--name", app, "--format", "json", "--link-host", host(app)],
                    database: database.address
                )
                let keys = try JSONDocument(reading: outcome.output.utf8).root
                let (write, read) = (keys["write_key"]?.string, keys["read_key"]?.string)
                apps.append(Setting.App(id: app, writeKey: try #require(write), readKey: try #require(read)))
                for link in [["with-ref", "--ref", "own"], ["without-ref"]] {
                    let target = ["--target-url", "https://a.example/"]
                    let created = try await Programs.tributary(
                        ["link", "create", "--app", app, "--slug"] + link + target,
                        database: database.address
                    )
                    #expect(created.status == 0, "\(created.errors)")
                }
            }
            let set = try await Programs.tributary(
                ["app", "rules", "set", "early", rules],
                database: database.address
            )
            #expect(set.status == 0, "\(set.errors)")
            let environment = Programs.longRetention.merging(["TRIBUTARY_FIGURES_INTERVAL": "1"]) { $1 }
            try await RunningDaemon.with(database: database.address, environment: environment) { [apps] daemon in
                try await body(
                    Setting(database: database, daemon: daemon, apps: apps, folder: folder, rules: rules)
                )
            }
        }
    }
}
