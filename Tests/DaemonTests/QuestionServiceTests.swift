import Delivery
import DeliveryTesting
import Foundation
import Logging
import NIOCore
import Postgres
import PostgresTesting
import Reporting
import Settings
import Storage
import Synchronization
import Testing
import Time

@testable import tributaryd

/// Questions that the daemon sends, with a program in place of `sendmail` and a clock that the test sets.
@Suite("Questions sent by the daemon")
struct QuestionServiceTests {
    /// Several daemons with one database.
    private final class Daemons: Sendable {
        let pool: PostgresPool
        let app: App
        let folder: URL
        let client = DeliveryClient(allowsPrivate: true, userAgent: "test")
        private let time = Mutex(Timestamp(microseconds: 0))

        init(_ pool: PostgresPool, _ app: App, _ folder: URL) {
            (self.pool, self.app, self.folder) = (pool, app, folder)
        }

        var questions: SavedQuestions { SavedQuestions(pool: pool) }
        var schedules: ScheduledQuestions { ScheduledQuestions(pool: pool) }

        func set(_ text: String) throws {
            let now = try #require(Timestamp(rfc3339: text))
            time.withLock { $0 = now }
        }

        func wait(_ seconds: Int64) { time.withLock { $0 = $0.advanced(by: .seconds(seconds)) } }

        var now: Timestamp { time.withLock(\.self) }

        func schedule(_ every: String, to target: String, format: String = "csv") async throws {
            _ = try await schedules.save(
                .init(question: "weekly", every: every, format: format, target: target),
                of: app,
                now: now
            )
            // The database's clock is not the test's.
            try await pool.withConnection { [now] in
                try $0.execute(
                    "update question_schedule set created_at = $1",
                    [.timestamp(microseconds: now.microseconds)]
                )
            }
        }

        /// - Returns: why nothing can be sent.
        @discardableResult
        func round(mailFrom: String? = "reports@example.com") async throws -> String? {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let schema = DatabaseSchema(pool: pool, logger: logger)
            _ = try await schema.ensure()
            let clock = TrustedClock(wall: { self.now }, elapsed: { self.now.microseconds }, logger: logger)
            let settings = SendingSettings(
                mailCommand: "\(folder.path)/sendmail -t -i",
                mailFrom: mailFrom,
                folder: folder.appending(path: "files").path,
                allowsPrivate: true
            )
            return await QuestionService(
                pool: pool,
                reader: ReportReader(
                    pool: pool,
                    connections: 1,
                    places: ReportPlaces(limit: 2),
                    isAway: { _ in false }
                ),
                schema: schema,
                clock: clock,
                sender: QuestionSender(settings: settings, client: client),
                logger: logger
            ).round()
        }

        /// The mails that the program has got.
        var mails: [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".eml") }.sorted().compactMap {
                try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }
        }

        func runs() async throws -> [QuestionRun] { try await schedules.runs(of: app, atMost: 100) }

        func failMails(with status: Int?) throws {
            let file = folder.appending(path: "status")
            if let status {
                try "\(status)".write(to: file, atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    private static let program = """
        #!/bin/sh
        folder=${0%/*}
        cat >"$folder/$$.eml.part"
        if [ -f "$folder/status" ]; then rm "$folder/$$.eml.part"; echo "no way: try later" >&2; exit "$(cat "$folder/status")"; fi
        mv "$folder/$$.eml.part" "$folder/$(date +%s%N)-$$.eml"

        """

    private func with(_ body: @Sendable (Daemons) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(
            migrate: { pool in _ = try await pool.withConnection { try Migrator().migrate($0) } }
        ) { database in
            let folder = FileManager.default.temporaryDirectory.appending(path: "tributary-questions-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let program = folder.appending(path: "sendmail")
            try Self.program.write(to: program, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            var profile = AppProfile(id: "shop", name: "Käse & Söhne")
            profile.timeZone = "Europe/Berlin"
            let apps = AppStore(pool: database.pool)
            _ = try await apps.create(profile)
            let daemons = Daemons(database.pool, try await apps.app(id: "shop"), folder)
            try daemons.set("2026-11-24T12:00:00Z")
            _ = try await daemons.questions.save(
                "weekly",
                report: "channels",
                parameters: [],
                of: daemons.app,
                replacing: false,
                now: daemons.now
            )
            do {
                try await body(daemons)
            } catch {
                await daemons.client.shutdown()
                throw error
            }
            await daemons.client.shutdown()
        }
    }

    @Test func areSentOnceForEachPeriod() async throws {
        try await with { daemons in
            try await daemons.schedule("week:monday", to: "mail:ann@example.com")
            #expect(try await daemons.round() == nil)
            try daemons.set("2026-11-30T06:59:59Z")
            try await daemons.round()
            #expect(daemons.mails.isEmpty)
            daemons.wait(1)
            for _ in 0..<3 {
                try await daemons.round()
                daemons.wait(3_600)
            }
            #expect(daemons.mails.count == 1)
            let mail = try #require(daemons.mails.first)
            #expect(mail.contains("filename=\"weekly-2026-11-23-2026-11-29.csv\""))
            #expect(mail.contains("To: <ann@example.com>\nSubject: =?utf-8?B?"))
            let text = try #require(mail.components(separatedBy: "\n\n").dropFirst(2).first)
                .components(separatedBy: "\n--")[0].filter { $0 != "\n" }
            let body = String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
            #expect(body.hasPrefix("weekly · Käse & Söhne\n2026-11-23 to 2026-11-29 (Europe/Berlin)\n"))
            #expect(body.contains("story_links") && body.contains("tributary question unschedule weekly --app shop"))
            // A pause of a month: one answer, about the last week.
            try daemons.set("2026-12-29T12:00:00Z")
            try await daemons.round()
            #expect(daemons.mails.count == 2)
            let runs = try await daemons.runs()
            #expect(runs.map(\.days) == ["2026-12-21 to 2026-12-27", "2026-11-23 to 2026-11-29"])
            #expect(runs.allSatisfy { $0.state == .sent && $0.attempts == 1 })
        }
    }

    @Test func areNotSentFromACopy() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try await daemons.round()
            try daemons.set("2026-11-25T12:00:00Z")
            _ = try await daemons.pool.withConnection { try $0.execute("update outgoing set home = 'elsewhere'") }
            try await daemons.round()
            #expect(daemons.mails.isEmpty)
            try await daemons.pool.withConnection { try OutgoingGate.resume(on: $0) }
            try await daemons.round()
            #expect(daemons.mails.count == 1)
        }
    }

    /// The HTTP client would end the program.
    @Test func failIfTheirStoredTargetCannotBe() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "https://1.1.1.1/")
            _ = try await daemons.pool.withConnection {
                try $0.execute("update question_schedule set target = 'https://1.1.1.1:65536/'")
            }
            try daemons.set("2026-11-25T12:00:00Z")
            try await daemons.round()
            let run = try #require(try await daemons.runs().first)
            #expect(run.state == .failed && run.remark == "the URL's port must be from 1 to 65535")
        }
    }

    @Test func areSentByOneOfSeveralDaemons() async throws {
        try await with { daemons in
            for number in 0..<5 { try await daemons.schedule("day", to: "mail:a\(number)@example.com") }
            try daemons.set("2026-11-25T07:00:00Z")
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 { group.addTask { _ = try await daemons.round() } }
                try await group.waitForAll()
            }
            #expect(daemons.mails.count == 5)
            #expect(Set(daemons.mails.compactMap { $0.firstMatch(of: /Message-ID: .*/)?.output }).count == 5)
        }
    }

    @Test func areTriedAgainWithTheSameID() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try daemons.failMails(with: 75)
            try daemons.set("2026-11-25T07:00:00Z")
            try await daemons.round()
            var run = try #require(try await daemons.runs().first)
            #expect(run.state == .waiting && run.attempts == 1)
            #expect(run.remark == "the program ended with 75: no way: try later")
            try await daemons.round()
            #expect(try await daemons.runs().first?.attempts == 1)
            try daemons.failMails(with: nil)
            daemons.wait(60)
            try await daemons.round()
            run = try #require(try await daemons.runs().first)
            #expect(run.state == .sent && run.attempts == 2 && run.remark == nil)
            let id = try #require(daemons.mails.first?.firstMatch(of: /Message-ID: <(.*)>/)?.1)
            #expect(id.hasPrefix("tributary-") && id.hasSuffix("-2026-11-24@example.com"))
        }
    }

    @Test func failInTheEnd() async throws {
        try await with { daemons in
            try await daemons.schedule("month:24", to: "mail:ann@example.com")
            try daemons.failMails(with: 67)
            try daemons.set("2026-12-24T07:00:00Z")
            for _ in 0..<9 {
                try await daemons.round()
                daemons.wait(43_200)
            }
            let run = try #require(try await daemons.runs().first)
            #expect(run.state == .failed && run.attempts == 7 && run.dueAt == nil)
            #expect(run.status.contains("tried 7 times"))
        }
    }

    /// A daemon that dies after it has taken a run: another one takes it later, and the mail has the same id.
    @Test func surviveTheDeathOfADaemon() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try daemons.set("2026-11-25T07:00:00Z")
            let schedule = try #require(try await daemons.schedules.list(of: daemons.app).first)
            let store = ScheduleStore(pool: daemons.pool)
            let day = try #require(CivilDate("2026-11-24"))
            let next = CivilDate(number: day.number + 1)
            try await store.claim(schedule.number, from: day, to: next, now: daemons.now)
            let lost = try #require(try await store.take(atMost: 1, now: daemons.now, holding: .seconds(600)).first)
            try await daemons.round()
            #expect(daemons.mails.isEmpty)
            daemons.wait(600)
            try await daemons.round()
            #expect(daemons.mails.count == 1)
            // The first one was only slow: what it notes comes too late.
            try await store.finish(lost, as: .failed, remark: "late", retry: nil, memory: nil, now: daemons.now)
            #expect(try await daemons.runs().first?.state == .sent)
        }
    }

    @Test func areFilesBelowTheFolder() async throws {
        try await with { daemons in
            try await daemons.schedule("week", to: "file:weekly/channels")
            try await daemons.schedule("week", to: "file:tables", format: "table")
            try await daemons.schedule("week", to: "file:out")
            let files = daemons.folder.appending(path: "files")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: files.appending(path: "out"),
                withDestinationURL: daemons.folder
            )
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let csv = files.appending(path: "weekly/channels/weekly-2026-11-23-2026-11-29.csv")
            #expect(try String(contentsOf: csv, encoding: .utf8).hasPrefix("channel,touches,"))
            let table = files.appending(path: "tables/weekly-2026-11-23-2026-11-29.txt")
            #expect(try String(contentsOf: table, encoding: .utf8).contains("2026-11-23 to 2026-11-29"))
            let refused = try #require(try await daemons.runs().first { $0.target == "file:out" })
            #expect(refused.state == .failed && refused.remark == "'out' leads out of question.folder")
        }
    }

    @Test func areJSONForChatsAndPrograms() async throws {
        try await with { daemons in
            try await ScriptedReceiver.run { receiver in
                try await daemons.schedule("week", to: "slack:\(receiver.url)")
                try await daemons.schedule("week", to: receiver.url)
                try daemons.set("2026-11-30T12:00:00Z")
                try await daemons.round()
                let bodies = receiver.requests.map { Data($0.body.utf8) }
                let objects = try bodies.compactMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
                #expect(objects.count == 2)
                let chat = try #require(objects.first { $0.count == 1 }?["text"] as? String)
                #expect(chat.hasPrefix("*weekly: 2026-11-23 to 2026-11-29 · Käse &amp; Söhne*\n```\n"))
                let answer = try #require(objects.first { $0.count > 1 })
                #expect(
                    answer["type"] as? String == "question.answer" && answer["first_day"] as? String == "2026-11-23"
                )
                #expect((answer["report"] as? [String: Any])?["report"] as? String == "channels")
                #expect(
                    receiver.requests.allSatisfy { $0.headers["idempotency-key"]?.hasSuffix("-2026-11-23") == true }
                )
            }
        }
    }

    @Test func areTriedAgainWhenAChatRefuses() async throws {
        try await with { daemons in
            let answers = Mutex(0)
            try await ScriptedReceiver.run(
                answering: { _ in
                    answers.withLock { $0 += 1 }
                    return answers.withLock { $0 } == 1 ? .status(500, body: "not now") : .status(200, body: "ok")
                },
                { receiver in
                    try await daemons.schedule("day", to: "slack:\(receiver.url)")
                    try daemons.set("2026-11-25T12:00:00Z")
                    try await daemons.round()
                    let run = try #require(try await daemons.runs().first)
                    #expect(run.state == .waiting && run.remark?.hasSuffix("answered 500: not now") == true)
                    // The address of a chat is a secret.
                    #expect(run.remark?.contains("/hook") == false)
                    daemons.wait(60)
                    try await daemons.round()
                    #expect(try await daemons.runs().first?.state == .sent)
                }
            )
        }
    }

    @Test func sayWhatIsMissing() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try daemons.set("2026-11-25T12:00:00Z")
            try await daemons.round(mailFrom: nil)
            let run = try #require(try await daemons.runs().first)
            #expect(run.state == .waiting && run.remark?.contains("set mail.from (TRIBUTARY_MAIL_FROM)") == true)
        }
    }

    @Test func waitWhileTheirQuestionIsDeleted() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try await daemons.questions.delete("weekly", of: daemons.app)
            try daemons.set("2026-11-27T12:00:00Z")
            try await daemons.round()
            #expect(daemons.mails.isEmpty)
            _ = try await daemons.questions.restore("weekly", of: daemons.app)
            try await daemons.round()
            #expect(daemons.mails.count == 1)
        }
    }

    @Test func endAProgramThatHangs() async throws {
        let slow = Sendmail(command: "sleep 30", patience: .milliseconds(100))
        await #expect { try await slow.send("x") } throws: { "\($0)".contains("took longer than") }
        let absent = Sendmail(command: "no-such-program-here")
        await #expect { try await absent.send("x") } throws: { "\($0)".contains("name one with mail.command") }
        // It reads nothing, however long the message is.
        try await Sendmail(command: "true").send(String(repeating: "x", count: 1 << 20))
    }
}
