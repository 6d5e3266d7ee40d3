import Answering
import Delivery
import Events
import Foundation
import InboundLinks
import Logging
import Mail
import Postgres
import PostgresTesting
import Settings
import Storage
import Synchronization
import Testing
import Time

@testable import Reporting
@testable import tributaryd

/// Several daemons with one database, a program in place of `sendmail`, and a clock that the test sets.
final class QuestionDaemons: Sendable {
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

    /// Touches of as many people, at an instant.
    func store(_ count: Int, touchesAt text: String) async throws {
        let time = try #require(Timestamp(rfc3339: text))
        let events = (0..<count).map { number in
            Event(
                id: EventID(high: UInt64(time.microseconds), low: UInt64(number)),
                occurredAt: time,
                receivedAt: time,
                userID: "user-\(text)-\(number)",
                deviceID: nil,
                clickID: nil,
                platform: nil,
                properties: nil,
                content: .inboundLink(Touch(link: InboundLink(), postID: nil, storyLink: nil))
            )
        }
        let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
        let submission = Submission(appNumber: app.number, keyPrefix: "test", receivedAt: time, events: events)
        _ = try await writer.whileRunning { try await writer.store(submission) }
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

    private static let program = """
        #!/bin/sh
        folder=${0%/*}
        cat >"$folder/$$.eml.part"
        if [ -f "$folder/status" ]; then rm "$folder/$$.eml.part"; cat "$folder/words" >&2; exit "$(cat "$folder/status")"; fi
        mv "$folder/$$.eml.part" "$folder/$(date +%s%N)-$$.eml"

        """

    /// - Parameter timeLimit: of a request.
    static func with(
        timeLimit: Duration = DeliveryClient.timeLimit,
        _ body: @Sendable (QuestionDaemons) async throws -> Void
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
            let daemons = QuestionDaemons(database.pool, try await apps.app(id: "shop"), folder, timeLimit)
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

    /// The text of a mail, or its HTML.
    static func part(_ type: String, of mail: String) throws -> String {
        let part = try #require(mail.components(separatedBy: "Content-Type: \(type);").dropFirst().first)
        let text = try #require(part.components(separatedBy: "\n\n").dropFirst().first)
            .components(separatedBy: "\n--")[0].filter { $0 != "\n" }
        return String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
    }
}
