import Answering
import Cryptography
import Delivery
import DeliveryTesting
import Foundation
import Logging
import Mail
import NIOCore
import Postgres
import PostgresTesting
import Settings
import Storage
import Synchronization
import Testing
import Time

@testable import Reporting
@testable import tributaryd

/// Questions that the daemon sends, with a program in place of `sendmail` and a clock that the test sets.
@Suite("Questions sent by the daemon")
struct QuestionServiceTests {
    /// Several daemons with one database.
    private final class Daemons: Sendable {
        let pool: PostgresPool
        let app: App
        let folder: URL
        let client: DeliveryClient
        private let time = Mutex(Timestamp(microseconds: 0))

        init(_ pool: PostgresPool, _ app: App, _ folder: URL, _ timeLimit: Duration) {
            (self.pool, self.app, self.folder) = (pool, app, folder)
            client = DeliveryClient(allowsPrivate: true, userAgent: "test", timeLimit: timeLimit)
        }

        var questions: SavedQuestions { SavedQuestions(pool: pool) }
        var schedules: ScheduledQuestions { ScheduledQuestions(pool: pool) }

        func set(_ text: String) throws {
            let now = try #require(Timestamp(rfc3339: text))
            time.withLock { $0 = now }
        }

        func wait(_ seconds: Int64) { time.withLock { $0 = $0.advanced(by: .seconds(seconds)) } }

        var now: Timestamp { time.withLock(\.self) }

        /// - Returns: when it sends first, about which days.
        @discardableResult
        func schedule(
            _ every: String,
            to target: String,
            format: String = "csv",
            watch: StoredSchedule.Watch? = nil,
            at: String = "08:00",
            of question: String = "weekly",
            in app: App? = nil,
            shares: Bool = false
        ) async throws -> SendingTimes.Sending {
            let saved = try await schedules.save(
                .init(
                    question: question,
                    watch: watch,
                    every: every,
                    at: at,
                    format: format,
                    target: target,
                    shares: shares
                ),
                of: app ?? self.app,
                now: now
            )
            // The database's clock is not the test's.
            try await pool.withConnection { [now] in
                try $0.execute(
                    "update question_schedule set created_at = $1 where created_at > $1",
                    [.timestamp(microseconds: now.microseconds)]
                )
            }
            return saved.first
        }

        /// Another app with the question `weekly`.
        func addApp(_ id: String) async throws -> App {
            let apps = AppStore(pool: pool)
            _ = try await apps.create(AppProfile(id: id, name: id))
            let app = try await apps.app(id: id)
            _ = try await questions.save(
                "weekly",
                report: "channels",
                parameters: [],
                of: app,
                replacing: false,
                now: now
            )
            return app
        }

        func round(
            mailFrom: String? = "reports@example.com",
            logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) async throws {
            let schema = DatabaseSchema(pool: pool, logger: logger)
            _ = try await schema.ensure()
            let clock = TrustedClock(wall: { self.now }, elapsed: { self.now.microseconds }, logger: logger)
            let settings = SendingSettings(
                mailer: .program("\(folder.path)/sendmail -t -i"),
                mailFrom: mailFrom,
                folder: folder.appending(path: "files").path,
                dashboard: "https://stats.example.com",
                allowsPrivate: true
            )
            await QuestionService(
                pool: pool,
                reader: ReportReader(
                    pool: pool,
                    connections: 1,
                    places: ReportPlaces(count: 4),
                    isAway: { _ in false }
                ),
                schema: schema,
                clock: clock,
                sender: QuestionSender(settings: settings, client: client),
                logger: logger
            ).round(Complaints("questions cannot be sent", logger))
        }

        /// The mails that the program has got.
        var mails: [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".eml") }.sorted().compactMap {
                try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            }
        }

        func runs() async throws -> [QuestionRun] { try await schedules.runs(of: app, atMost: 100) }

        func failMails(with status: Int?, saying words: String = "no way: try later") throws {
            let file = folder.appending(path: "status")
            try words.write(to: folder.appending(path: "words"), atomically: true, encoding: .utf8)
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
        if [ -f "$folder/status" ]; then rm "$folder/$$.eml.part"; cat "$folder/words" >&2; exit "$(cat "$folder/status")"; fi
        mv "$folder/$$.eml.part" "$folder/$(date +%s%N)-$$.eml"

        """

    /// - Parameter timeLimit: of a request.
    private func with(
        timeLimit: Duration = DeliveryClient.timeLimit,
        _ body: @Sendable (Daemons) async throws -> Void
    ) async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
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
            let daemons = Daemons(database.pool, try await apps.app(id: "shop"), folder, timeLimit)
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
            try await daemons.round()
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
            let body = try Self.part("text/plain", of: mail)
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

    /// A note must not turn around what stands beside it.
    @Test func areNotTurnedAround() async throws {
        try await with { daemons in
            let day = try #require(CivilDate("2026-11-24"))
            _ = try await NoteStore(pool: daemons.pool).add("Sale \u{202E}%5", on: day, of: daemons.app)
            try await daemons.schedule("week:monday", to: "mail:ann@example.com")
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let mail = try #require(daemons.mails.first)
            for type in ["text/plain", "text/html"] {
                let part = try Self.part(type, of: mail)
                #expect(part.contains(#"Sale \u202e%5"#) && !part.unicodeScalars.contains("\u{202E}"))
            }
        }
    }

    /// The text of a mail, or its HTML.
    private static func part(_ type: String, of mail: String) throws -> String {
        let part = try #require(mail.components(separatedBy: "Content-Type: \(type);").dropFirst().first)
        let text = try #require(part.components(separatedBy: "\n\n").dropFirst().first)
            .components(separatedBy: "\n--")[0].filter { $0 != "\n" }
        return String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
    }

    @Test func areBoardsToo() async throws {
        try await with { daemons in
            _ = try await daemons.questions.save(
                "logins",
                report: "logins",
                parameters: [("from", "2026-01-01")],
                of: daemons.app,
                replacing: false,
                now: daemons.now
            )
            _ = try await daemons.questions.save(
                "monday",
                report: SavedQuestion.boardReport,
                parameters: ["weekly", "logins"].map { (SavedQuestion.memberField, $0) },
                of: daemons.app,
                replacing: false,
                now: daemons.now
            )
            for target in ["mail:ann@example.com", "file:boards"] {
                try await daemons.schedule("week:monday", to: target, of: "monday")
            }
            try await daemons.questions.delete("logins", of: daemons.app)
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let mail = try #require(daemons.mails.first)
            #expect(mail.contains("filename=\"monday.weekly-2026-11-23-2026-11-29.csv\""))
            #expect(!mail.contains("filename=\"monday.logins"))
            let text = try Self.part("text/plain", of: mail)
            #expect(text.hasPrefix("monday · Käse & Söhne\n2026-11-23 to 2026-11-29 (Europe/Berlin)\n\nweekly\n"))
            #expect(text.contains("\n\nlogins\nthe question was deleted\n"))
            #expect(text.contains("https://stats.example.com/questions/question?name=monday\n"))
            let html = try Self.part("text/html", of: mail)
            #expect(html.contains(">monday · Käse &amp; Söhne</h1>") && html.contains(">weekly</h2>"))
            #expect(html.contains(#"<a href="https://stats.example.com/questions/question?name=monday">"#))
            #expect(html.contains("the question was deleted") && !html.contains("<script") && !html.contains("<svg"))
            let file = daemons.folder.appending(path: "files/shop/boards/monday.weekly-2026-11-23-2026-11-29.csv")
            #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("channel,touches,"))
            #expect(try await daemons.runs().allSatisfy { $0.state == .sent && $0.question == "monday" })
        }
    }

    /// A receiver who cannot sign in sees the question all the same, for two weeks.
    @Test func leadToAPageThatIsShared() async throws {
        try await with { daemons in
            let shares = ShareStore(pool: daemons.pool)
            try await daemons.schedule("week:monday", to: "mail:ann@example.com", shares: true)
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let mail = try #require(daemons.mails.first)
            let text = try Self.part("text/plain", of: mail)
            let address = try #require(text.firstMatch(of: /https:\/\/stats.example.com\/shared\/([A-Za-z0-9]+)\n/))
            let link = "<a href=\"\(address.0.dropLast())\">Open it (until "
            #expect(try Self.part("text/html", of: mail).contains(link))
            #expect(text.contains("with a shared page"))
            #expect(try await shares.page(String(address.1))?.question == "weekly")
            let page = try #require(try await shares.pages(of: daemons.app).first)
            #expect(page.createdBy == "schedule")
            #expect(page.createdAt.advanced(by: .seconds(14 * 86_400)) == page.expiresAt)
            let changes = try await ChangeLog(pool: daemons.pool).changes(of: daemons.app, limit: 9)
            #expect(changes.first { $0.what == "share.add" }?.who == Actor.daemon)
            // What lists people meanwhile is not shared.
            _ = try await daemons.questions.save(
                "weekly",
                report: "breakdown",
                parameters: [("by", "poster")],
                of: daemons.app,
                replacing: true,
                now: daemons.now
            )
            try daemons.set("2026-12-07T12:00:00Z")
            try await daemons.round()
            #expect(daemons.mails.count == 2)
            let next = try Self.part("text/plain", of: try #require(daemons.mails.last))
            #expect(next.contains("https://stats.example.com/questions/question?name=weekly\n"))
            #expect(!next.contains("with a shared page"))
            #expect(try await shares.pages(of: daemons.app).count == 1)
        }
    }

    /// Nobody has got its address.
    @Test func leaveNoPageOfAnAttemptThatFailed() async throws {
        try await with { daemons in
            let shares = ShareStore(pool: daemons.pool)
            try await daemons.schedule("week:monday", to: "mail:ann@example.com", shares: true)
            try daemons.set("2026-11-30T12:00:00Z")
            try daemons.failMails(with: 75)
            for _ in 0..<2 {
                try await daemons.round()
                daemons.wait(3_600)
            }
            #expect(try await shares.pages(of: daemons.app).map { $0.revokedAt == nil } == [false, false])
            try daemons.failMails(with: nil)
            try await daemons.round()
            #expect(daemons.mails.count == 1)
            #expect(try await shares.pages(of: daemons.app).map { $0.revokedAt == nil } == [true, false, false])
            let changes = try await ChangeLog(pool: daemons.pool).changes(of: daemons.app, limit: 20)
            #expect(changes.filter { $0.what == "share.revoke" }.map(\.who) == [Actor.daemon, Actor.daemon])
        }
    }

    @Test func areSharedOnlyWhereALinkLeads() async throws {
        try await with { daemons in
            for target in ["file:weekly", "https://example.com/hook"] {
                await #expect(throws: ReportError.self) {
                    try await daemons.schedule("week", to: target, shares: true)
                }
            }
            await #expect(throws: ReportError.self) {
                let watch = StoredSchedule.Watch(column: "installs", row: nil)
                try await daemons.schedule("week", to: "mail:ann@example.com", watch: watch, shares: true)
            }
            _ = try await daemons.questions.save(
                "people",
                report: "channels",
                parameters: [(name: "people", value: "installs")],
                of: daemons.app,
                replacing: false,
                now: daemons.now
            )
            let error = await #expect(throws: ReportError.self) {
                try await daemons.schedule("week", to: "mail:ann@example.com", of: "people", shares: true)
            }
            #expect("\(error.map(String.init(describing:)) ?? "")".contains("'people' lists people"))
            #expect(try await daemons.schedules.list(of: daemons.app).isEmpty)
            try await daemons.schedule("week", to: "mail:ann@example.com", shares: true)
            // Scheduling again without it ends it.
            #expect(try await daemons.schedules.list(of: daemons.app).map(\.shares) == [true])
            try await daemons.schedule("week", to: "mail:ann@example.com")
            #expect(try await daemons.schedules.list(of: daemons.app).map(\.shares) == [false])
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

    /// A row of one app that the database refuses.
    @Test func areSentForOtherAppsIfOneFails() async throws {
        try await with { daemons in
            let other = try await daemons.addApp("other")
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try await daemons.schedule("day", to: "mail:bob@example.com", in: other)
            let broken = try #require(try await daemons.schedules.list(of: daemons.app).first).number
            _ = try await daemons.pool.withConnection {
                try $0.execute("alter table question_run add constraint refusing check (schedule_number <> \(broken))")
            }
            try daemons.set("2026-11-25T12:00:00Z")
            let log = CollectedLog()
            try await daemons.round(logger: Logger(label: "test") { _ in log })
            #expect(daemons.mails.count == 1)
            let errors = log.lines.filter { $0.hasPrefix("error") }
            #expect(errors.count == 1)
            #expect(errors.allSatisfy { $0.contains("\"app\": shop") && $0.contains("refusing") })
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
            #expect(run.remark?.hasPrefix("the program ended with 75") == true)
            #expect(run.remark?.hasSuffix(": no way: try later") == true)
            try await daemons.round()
            #expect(try await daemons.runs().first?.attempts == 1)
            try daemons.failMails(with: nil)
            daemons.wait(60)
            try await daemons.round()
            run = try #require(try await daemons.runs().first)
            #expect(run.state == .sent && run.attempts == 2 && run.remark == nil)
            let id = try #require(daemons.mails.first?.firstMatch(of: /Message-ID: <(.*)>/)?.1)
            #expect(id.hasPrefix("tributary-") && id.hasSuffix("-2026-11-24-2026-11-24@example.com"))
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
            let lost = try #require(try await store.take(now: daemons.now, holding: .seconds(600)))
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

    /// A run that ends each daemon that makes it.
    @Test func endARunThatEndsDaemons() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try daemons.set("2026-11-25T07:00:00Z")
            let schedule = try #require(try await daemons.schedules.list(of: daemons.app).first)
            let store = ScheduleStore(pool: daemons.pool)
            let day = try #require(CivilDate("2026-11-24"))
            try await store.claim(schedule.number, from: day, to: CivilDate(number: day.number + 1), now: daemons.now)
            for attempt in 1...7 {
                #expect(try await store.take(now: daemons.now, holding: .seconds(600))?.attempt == attempt)
                daemons.wait(600)
            }
            try await daemons.round()
            #expect(daemons.mails.isEmpty)
            let run = try #require(try await daemons.runs().first)
            #expect(run.state == .failed && run.dueAt == nil && run.remark?.contains("daemon was killed") == true)
        }
    }

    /// Four places, all wanted by one app that came first: two are left for others.
    @Test func leavePlacesForOtherApps() async throws {
        try await with(timeLimit: .seconds(2)) { daemons in
            let other = try await daemons.addApp("other")
            try daemons.set("2026-11-25T08:00:00Z")
            let served = Mutex<[String]>([])
            try await ScriptedReceiver.run(
                answering: { request in
                    let app = request.body.contains("\"app_id\": \"other\"") ? "other" : "shop"
                    return served.withLock { served in
                        served.append(app)
                        // Nobody hears the first app's requests until the other app was served.
                        return app == "other" || served.contains("other") ? .status(200) : .nothing
                    }
                },
                { receiver in
                    for number in 0..<4 { try await daemons.schedule("day", to: "\(receiver.url)?\(number)") }
                    try await daemons.schedule("day", to: receiver.url, in: other)
                    let day = try #require(CivilDate("2026-11-24"))
                    for app in [daemons.app, other] {
                        for schedule in try await daemons.schedules.list(of: app) {
                            try await ScheduleStore(pool: daemons.pool).claim(
                                schedule.number,
                                from: day,
                                to: CivilDate(number: day.number + 1),
                                now: daemons.now
                            )
                        }
                        daemons.wait(1)
                    }
                    try await daemons.round()
                    #expect(served.withLock { $0.firstIndex(of: "other") ?? 9 } <= 2)
                }
            )
        }
    }

    /// What a schedule of another period has claimed, or a watch of another period has told, is forgotten.
    @Test(
        arguments: [
            // Friday's answer was sent; from Saturday on, once a week.
            (
                "day", "08:00", "week:saturday", "18:46", "2026-11-27T12:00:00Z", "2026-11-28T17:40:00Z",
                "2026-11-16 to 2026-11-22"
            ),
            (
                "day", "08:00", "month:3", "08:00", "2026-12-02T12:00:00Z", "2026-12-02T12:00:00Z",
                "2026-11-01 to 2026-11-30"
            ),
            ("week:monday", "08:00", "day", "08:00", "2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z", "2026-11-30"),
            // A week and its first day.
            (
                "day", "08:00", "week:tuesday", "08:00", "2026-12-01T07:00:00Z", "2026-12-01T12:00:00Z",
                "2026-11-30 to 2026-12-06"
            ),
            // The week was sent on Monday.
            (
                "week:monday", "08:00", "week:wednesday", "08:00", "2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z",
                "2026-11-30 to 2026-12-06"
            ),
        ]
    )
    func skipNothingWhenTheirPeriodChanges(
        _ before: String,
        _ earlier: String,
        _ after: String,
        _ later: String,
        _ sent: String,
        _ changed: String,
        _ days: String
    ) async throws {
        try await with { daemons in
            try await daemons.schedule(before, to: "mail:ann@example.com", at: earlier)
            try daemons.set(sent)
            try await daemons.round()
            #expect(daemons.mails.count == 1)
            try daemons.set(changed)
            let next = try await daemons.schedule(after, to: "mail:ann@example.com", at: later)
            if next.at > daemons.now { daemons.wait((next.at.microseconds - daemons.now.microseconds) / 1_000_000) }
            try await daemons.round()
            #expect(daemons.mails.count == 2)
            #expect(try await daemons.runs().first?.days == days)
            #expect(Set(daemons.mails.compactMap { $0.firstMatch(of: /Message-ID: .*/)?.output }).count == 2)
        }
    }

    @Test func forgetWhatAWatchKnewOfAnotherPeriodOrQuestion() async throws {
        try await with { daemons in
            let watch = StoredSchedule.Watch(column: "touches", row: nil)
            func memory() async throws -> String? {
                try await daemons.schedules.list(of: daemons.app).first?.memory
            }
            try await daemons.schedule("day", to: "file:a", watch: watch)
            try daemons.set("2026-11-25T12:00:00Z")
            try await daemons.round()
            #expect(try await memory() != nil)
            try await daemons.schedule("day", to: "file:a", watch: watch, at: "09:00")
            #expect(try await memory() != nil)
            try await daemons.schedule("week", to: "file:a", watch: watch)
            #expect(try await memory() == nil)
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let changes: [([(name: String, value: String)], Bool)] = [
                ([], true), ([(name: "goal", value: "buy")], false),
            ]
            for (parameters, isKept) in changes {
                _ = try await daemons.questions.save(
                    "weekly",
                    report: "channels",
                    parameters: parameters,
                    of: daemons.app,
                    replacing: true,
                    now: daemons.now
                )
                #expect(try await (memory() != nil) == isKept)
            }
        }
    }

    @Test func canBeChangedWhenThereAreAsManyAsAllowed() async throws {
        try await with { daemons in
            try await daemons.schedule("day", to: "file:a")
            try await daemons.pool.withConnection {
                _ = try $0.execute(
                    """
                    insert into question_schedule (
                        app_number, question_number, period, send_day, send_minute, format, target
                    )
                    select app_number, question_number, 'day', 0, 0, 'csv', 'file:n' || number
                    from question, generate_series(2, $1) as number
                    """,
                    [.int(Int64(ScheduleStore.limit))]
                )
            }
            try await daemons.schedule("week", to: "file:a")
            await #expect(throws: QuestionError.self) { try await daemons.schedule("week", to: "file:other") }
        }
    }

    /// Two apps with the same question, and watches of rows with any names: no file is another one's.
    @Test func areFilesOfTheirOwn() async throws {
        try await with { daemons in
            let other = try await daemons.addApp("other")
            for app in [daemons.app, other] { try await daemons.schedule("week", to: "file:w", in: app) }
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let files = daemons.folder.appending(path: "files")
            for app in ["shop", "other"] {
                let file = files.appending(path: "\(app)/w/weekly-2026-11-23-2026-11-29.csv")
                #expect(FileManager.default.fileExists(atPath: file.path))
            }
            let finding = Watch.Finding(row: "r", figure: .count(1), kind: .isOver(since: CivilDate(number: 0)))
            let rows = [nil, "A/b", "a b", "../..", String(repeating: "漢", count: 500), "-2026", "é", "e\u{301}"]
            var names: Set<String> = []
            for (number, row) in rows.enumerated() {
                let watch = StoredSchedule.Watch(column: "touches", row: row)
                try await daemons.schedule("week", to: "file:w", watch: watch)
                let schedule = try #require(
                    try await daemons.schedules.list(of: daemons.app).max { $0.number < $1.number }
                )
                let answer = SentAnswer(
                    [finding],
                    of: watch,
                    about: (CivilDate(number: 0), CivilDate(number: 6)),
                    in: try #require(ReportTimeZone("UTC")),
                    rows: number,
                    app: daemons.app,
                    by: schedule,
                    SentAnswer.Remarks(notices: [], freshness: nil, notes: [])
                )
                #expect(answer.fileStem.hasPrefix("weekly.touches") && answer.fileStem.utf8.count < 200)
                #expect(answer.fileStem.allSatisfy { $0.isASCII && $0 != "/" && !$0.isUppercase })
                names.insert(answer.fileStem)
            }
            #expect(names.count == rows.count)
        }
    }

    @Test func areFilesBelowTheFolder() async throws {
        try await with { daemons in
            try await daemons.schedule("week", to: "file:weekly/channels")
            try await daemons.schedule("week", to: "file:tables", format: "table")
            try await daemons.schedule("week", to: "file:out/new")
            let files = daemons.folder.appending(path: "files")
            let own = files.appending(path: "shop")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: own.appending(path: "out"),
                withDestinationURL: daemons.folder
            )
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let csv = own.appending(path: "weekly/channels/weekly-2026-11-23-2026-11-29.csv")
            #expect(try String(contentsOf: csv, encoding: .utf8).hasPrefix("channel,touches,"))
            let table = own.appending(path: "tables/weekly-2026-11-23-2026-11-29.txt")
            #expect(try String(contentsOf: table, encoding: .utf8).contains("2026-11-23 to 2026-11-29"))
            let refused = try #require(try await daemons.runs().first { $0.target == "file:out/new" })
            #expect(refused.state == .failed && refused.remark == "'out/new' leads out of question.folder")
            #expect(!FileManager.default.fileExists(atPath: daemons.folder.appending(path: "new").path))
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
                #expect(
                    chat.hasPrefix("*weekly: 2026-11-23 to 2026-11-29 · Käse &amp; Söhne*\n```\ntotal: touches 0 (")
                )
                let answer = try #require(objects.first { $0.count > 1 })
                #expect(
                    answer["type"] as? String == "question.answer" && answer["first_day"] as? String == "2026-11-23"
                )
                #expect((answer["report"] as? [String: Any])?["report"] as? String == "channels")
                #expect(
                    receiver.requests.allSatisfy {
                        $0.headers["idempotency-key"]?.hasSuffix("-2026-11-23-2026-11-29") == true
                    }
                )
            }
        }
    }

    /// All schedules of an app with one target have one secret, which is shown once. After a change both sign.
    @Test func areSignedForPrograms() async throws {
        try await with { daemons in
            try await ScriptedReceiver.run { receiver in
                func save(_ target: String, every: String = "day", of app: App? = nil) async throws -> String? {
                    try await daemons.schedules.save(
                        .init(question: "weekly", every: every, target: target),
                        of: app ?? daemons.app,
                        now: daemons.now
                    ).newSecret
                }
                let first = try #require(try await save(receiver.url))
                #expect(try await save(receiver.url, every: "week") == nil)
                #expect(try await save("slack:\(receiver.url)") == nil)
                let ofOther = try #require(try await save(receiver.url, of: daemons.addApp("other")))
                let second = try await daemons.schedules.rotateSecret(of: receiver.url, in: daemons.app)
                #expect(Set([first, second, ofOther]).count == 3)
                await #expect(throws: ReportError.self) {
                    _ = try await daemons.schedules.rotateSecret(of: "slack:\(receiver.url)", in: daemons.app)
                }

                try await daemons.schedule("day", to: receiver.url)
                try await daemons.schedule("day", to: "slack:\(receiver.url)")
                try daemons.set("2026-11-25T12:00:00Z")
                try await daemons.round()
                let requests = receiver.requests
                let signed = requests.filter { $0.headers["webhook-signature"] != nil }
                #expect(requests.count == 3 && signed.count == 2)
                let signatures = try signed.map { request in
                    let id = try #require(request.headers["webhook-id"])
                    let time = try #require(request.headers["webhook-timestamp"].flatMap { Int64($0) })
                    #expect(time == daemons.now.microseconds / 1_000_000)
                    return { (secret: String) in
                        SigningSecret(secret)?.signature(of: request.body.utf8, id: id, at: time) ?? ""
                    }
                }
                let got = Set(signed.compactMap { $0.headers["webhook-signature"] })
                let expected = Set(signatures.flatMap { [$0(second) + " " + $0(first), $0(ofOther)] })
                #expect(got.count == 2 && got.isSubset(of: expected))
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

    /// Receivers and mail programs repeat what they got. The list of runs has it without the address, the log not at
    /// all.
    @Test func sayOnlyTheStatusInTheLog() async throws {
        try await with { daemons in
            let log = CollectedLog()
            let secret = "T0SECRET/B0SECRET/K%C3%A4SESECRET"
            try await ScriptedReceiver.run(
                answering: { _ in .status(404, body: "Cannot POST /hook/\(secret) nor KäSESECRET, figure 4711") },
                { receiver in
                    try await daemons.schedule("day", to: "slack:\(receiver.url)/\(secret)")
                    try await daemons.schedule("day", to: "\(receiver.url)/\(secret)?x=1")
                    try await daemons.schedule("day", to: "mail:ann.secret@example.com")
                    try daemons.failMails(with: 67, saying: "550 <Ann.SECRET@example.com> figure 4711")
                    try daemons.set("2026-11-25T12:00:00Z")
                    try await daemons.round(logger: Logger(label: "test") { _ in log })
                }
            )
            let remarks = try await daemons.runs().compactMap(\.remark)
            #expect(remarks.count == 3 && remarks.allSatisfy { $0.contains("figure 4711") })
            #expect(log.lines.filter { $0.contains("answered 404") }.count == 2)
            #expect(log.lines.contains { $0.contains("the program ended with 67") })
            #expect(!log.lines.contains { $0.contains("4711") })
            #expect(!(log.lines + remarks).contains { $0.uppercased().contains("SECRET") })
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
}
