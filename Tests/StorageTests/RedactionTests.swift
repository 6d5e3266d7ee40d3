import Events
import Foundation
import InboundLinks
import Postgres
@testable import Storage
import Testing
import Time

/// docs/privacy.md, *Secrets in old data*.
@Suite("Secrets in old data")
struct RedactionTests {
    typealias Base = StorageTesting

    private static let token = "EAABsbCS1iHgBAKq0123456789"

    private static func redact(_ base: Base, folder: String? = nil, dryRun: Bool = false) async throws
        -> RedactionFindings
    {
        var spools: SpoolFolder?
        if let folder { spools = try await SpoolFolder(path: folder, of: base.pool) }
        return try await RedactionStore(pool: base.pool, spools: spools).run(app: nil, isDryRun: dryRun)
    }

    /// A secret in every text that an event can have, as an earlier version stored it: the writer redacts nothing.
    private static let events: [Event] = {
        var link = InboundLink()
        link.targetURL = "https://a.example/?long_lived_token=\(token)"
        link.refs = ["a", token]
        link.refererApp = "Bearer \(token)"
        link.refererURL = "https://user:\(token)@a.example/"
        link.fbSource = "feed \(token)"
        link.redactedURL = "https://a.example/cb?code=\(token)&state=\(token)#_=_"
        let post = FeedPost(
            outcome: .failed,
            postID: token,
            refs: [token],
            link: "https://a.example/?accessToken=\(token)",
            storyLink: "https://a.example/?accessToken=\(token)",
            actionType: token,
            objectID: token,
            errorMessage: "Bad token \(token)",
            redactedCallback: "fbconnect://success?id_token=\(token)"
        )
        var last = Base.event(5, user: "u", .conversion(Conversion(name: "buy \(token)")))
        last.properties = #"{"note": "a\u0020token", "pairs": [{"name": "access_token", "value": "\#(token)"}]}"#
        var refused = Base.event(8, user: "u")
        refused.properties = "no JSON, but \(token)"
        return [
            refused,
            Base.event(1, user: "u", .inboundLink(Touch(link: link, storyLink: link.targetURL))),
            Base.event(2, user: token, device: "d", .feedPost(post)),
            Base.event(3, device: token, click: token, .authentication()),
            Base.event(
                4,
                user: "u",
                device: token,
                .authentication(
                    Login(outcome: .failed, errorMessage: token, redactedCallback: "fb1://authorize?state=\(token)")
                )
            ),
            last,
            Base.event(
                10,
                user: "u",
                .install(Install(referrer: "utm_source=a&access_token=\(token)"))
            ),
        ]
    }()

    private static let letter = Rejection(
        index: 0,
        eventID: token,
        code: .missingField,
        field: "jwt=\(token)",
        message: "no \(token)",
        redactedEvent: #"{"user_id":"u","authentication_token":"\#(token)"}"#
    )

    @Test func areFoundInEveryColumnAndRedacted() async throws {
        try await Base.with { base in
            try await base.store(Self.events, rejections: [Self.letter])
            // Texts that no event above has.
            for column in EventColumn.all where column.redaction == .text {
                let planted = "coalesce(\(column.name), 'jwt=\(Self.token)')"
                try await base.run("update event set \(column.name) = \(planted) where user_id = 'u'")
            }
            let before = try await Self.redact(base, dryRun: true)
            #expect(try await base.dump().contains(Self.token))
            let columns = Set(before.rows.map { "\($0.place.table).\($0.place.column)" })
            let eventColumns = EventColumn.all.filter { $0.redaction != nil }.map { "event.\($0.name)" }
            #expect(
                columns
                    == Set(eventColumns).union([
                        "rejected_event.event_id", "rejected_event.field", "rejected_event.message",
                        "rejected_event.event", "rejected_event.encoded_event", "feed_post_key.post_id",
                        "device_link.device_id", "device_link.user_id", "click_link.click_id", "click_link.device_id",
                    ])
            )
            #expect(before.rows.filter { $0.place.table == "event" }.allSatisfy { $0.place.month == "2026-03" })
            #expect(before.appsToRebuild == [])

            let found = try await Self.redact(base)
            #expect(found.counts == before.counts)
            #expect(found.appsToRebuild == ["shop"])
            #expect(try await !base.dump().contains(Self.token))
            #expect(try await Self.redact(base).total == 0)
            #expect(try await Self.redact(base, dryRun: true).total == 0)
        }
    }

    @Test func keepsAllElse() async throws {
        try await Base.with { base in
            try await base.store(Self.events + [Base.event(6, user: "v", device: "e")])
            let untouched = "select to_jsonb(event)::text from event where event_id::text like '%6'"
            let before = try await base.texts(untouched)
            let numbers = "select string_agg(transaction_number::text, ',' order by event_id) from event"
            let stored = try await base.texts(numbers)
            _ = try await Self.redact(base)
            #expect(try await base.texts(untouched) == before)
            // Who reads by transactions sees no event twice.
            #expect(try await base.texts(numbers) == stored)
            #expect(
                try await base.texts("select properties::text from event where properties is not null") == [
                    #"{"note": "a token", "pairs": [{"name": "access_token", "value": "REDACTED"}]}"#
                ]
            )
            #expect(
                try await base.texts("select array_to_string(refs, ',') from event where channel is not null") == [
                    "a,REDACTED"
                ]
            )
            #expect(
                try await base.texts("select url from event where channel is not null")
                    == ["https://a.example/cb?code=REDACTED&state=REDACTED#_=_"]
            )
            #expect(try await base.count("select count(*) from event where post_id is not null") == 0)
            #expect(
                try await base.texts("select device_id || ' ' || user_id from device_link order by 1")
                    == ["REDACTED u", "d REDACTED", "e v"]
            )
        }
    }

    /// New posts and taps of a redacted link have redacted links too, and must still join.
    @Test func keepsTheStoryJoin() async throws {
        try await Base.with { base in
            try await base.store(Self.events)
            _ = try await Self.redact(base)
            var link = InboundLink()
            link.targetURL = "https://a.example/?long_lived_token=REDACTED"
            try await base.store([
                Base.event(7, user: "u", .inboundLink(Touch(link: link, storyLink: link.targetURL)))
            ])
            #expect(
                try await base.count("select count(distinct story_key) from event where type = 'inbound_link'") == 1
            )
        }
    }

    @Test func areFoundInSavedQuestions() async throws {
        try await Base.with { base in
            try await base.pool.withConnection {
                _ = try $0.execute(
                    """
                    insert into question (app_number, name, report, parameter_names, parameter_values)
                    select min(app_number), 'q', 'refs', '{goal,from}', '{access_token=\(Self.token),7d}' from app
                    """
                )
            }
            let found = try await Self.redact(base)
            #expect(
                found.rows.map { "\($0.place.table).\($0.place.column) \($0.count)" } == ["question.parameter_values 1"]
            )
            #expect(found.appsToRebuild == [])
            #expect(
                try await base.texts("select array_to_string(parameter_values, ' ') from question") == [
                    "access_token=REDACTED 7d"
                ]
            )
        }
    }

    @Test func areFoundInTheSpool() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    try await spool.append(base.submission(Self.events, rejections: [Self.letter]))
                    try await spool.append(base.submission([Base.event(9, user: "ordinary")]))
                    let found = try await Self.redact(base, folder: folder)
                    #expect(
                        found.rows.map { "\($0.place.table).\($0.place.column) \($0.place.month) \($0.count)" } == [
                            "spool.event 2026-03 7", "spool.rejected_event 2026-03 1",
                        ]
                    )
                    #expect(try !Base.holds(folder, Self.token))
                    #expect(try Base.holds(folder, "ordinary"))
                    #expect(try await Self.redact(base, folder: folder).total == 0)
                    let batch = try #require(try await spool.oldest())
                    #expect(batch.submissions.flatMap(\.events).count == 8)
                }
            }
        }
    }

    /// It was killed after some pages: the next run continues, and knows that timelines must be packed again.
    @Test func continuesAfterAnInterruption() async throws {
        try await Base.with { base in
            try await base.store(Self.events, rejections: [Self.letter])
            let months = try await base.pool.withConnection { try EventMonth.all(on: $0) }
            try await base.pool.withConnection { connection in
                let table = try #require(SearchedTable.all(months).first)
                try SecretSearch(table: table, app: nil).run(on: connection, writing: true, progress: { _ in })
            }
            let found = try await Self.redact(base)
            #expect(!found.rows.contains { $0.place.table == "event" })
            #expect(found.total > 0)
            #expect(found.appsToRebuild == ["shop"])
            #expect(try await !base.dump().contains(Self.token))
        }
    }

    @Test func runsOnlyOnce() async throws {
        try await Base.with { base in
            let other = try await PostgresConnection.connect(to: base.pool.address)
            try await other.executeScript("select pg_advisory_lock(hashtextextended('tributary redaction', 0))")
            await #expect(throws: RewriteError.isRedacting) { try await Self.redact(base) }
            await other.close()
        }
    }
}
