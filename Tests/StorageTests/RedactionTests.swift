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

    /// What else may repeat a text of a sender: what was told and sent, notes, what a watch remembers.
    @Test func areFoundInWhatWasToldAndSent() async throws {
        try await Base.with { base in
            let token = Self.token
            try await base.run(
                """
                insert into question (app_number, name, report, parameter_names, parameter_values)
                select app_number, 'q', 'refs', '{}', '{}' from app;
                insert into question_schedule (
                    app_number, question_number, watch_column, watch_row, period, send_day, send_minute, format, target,
                    memory
                )
                select app_number, question_number, 'touches', '\(token)', 'day', 0, 0, 'csv', 'file:a',
                    '{"left": {"\(token)": [1]}}'
                from question;
                insert into question_run (schedule_number, app_number, period_start, period_end, remark)
                select schedule_number, app_number, '2026-03-01', '2026-03-02', 'touches of \(token) fell'
                from question_schedule;
                insert into note (app_number, day, text)
                select app_number, '2026-03-01', 'see ?access_token=\(token)' from app;
                -- A damaged row, without a month.
                insert into note (app_number, day, text) select app_number, 'infinity', 'kept' from app;
                insert into cost (app_number, kind, name, starts_on, ends_on, amount, currency)
                select app_number, 'ref', '\(token)', '2026-03-01', '2026-03-02', 1, 'USD' from app;
                insert into webhook (app_number, webhook_id, url, parameter_names, parameter_values, settle, secret,
                    position, pause_reason)
                select app_number, 'wh_1', 'https://a.example', '{ref}', '{\(token)}', '1 day', 's', 0,
                    'answered \(token)'
                from app;
                insert into webhook_event (app_number, webhook_id, event_id, occurred_at, received_at,
                    transaction_number, told, is_stale)
                select app_number, 'wh_1', gen_random_uuid(), '2026-03-01', '2026-03-01', 1, '[{"refs": ["' || word || '"]}]',
                    false
                from app, unnest('{\(token),kept}'::text[]) as word;
                insert into webhook_delivery (app_number, webhook_id, number, message_id, event_id, occurred_at, body,
                    mentioned, created_at, last_error)
                select app_number, 'wh_1', 1, 'm', gen_random_uuid(), '2026-03-01', '{"credits": [{"refs": ["\(token)"]}], "n": 1.50}', '{}',
                    '2026-03-01', 'answered \(token)'
                from app
                """
            )
            let before = try await Self.redact(base, dryRun: true)
            let found = try await Self.redact(base)
            #expect(found.counts == before.counts)
            #expect(
                found.rows.map { "\($0.place.table).\($0.place.column)" } == [
                    "cost.name", "note.text", "question_run.remark", "question_schedule.memory",
                    "question_schedule.watch_row",
                    "webhook.parameter_values", "webhook.pause_reason", "webhook_delivery.body",
                    "webhook_delivery.last_error", "webhook_event.told",
                ]
            )
            #expect(try await !base.dump().contains(Self.token))
            #expect(
                try await base.texts("select body from webhook_delivery") == [
                    #"{"credits": [{"refs": ["REDACTED"]}], "n": 1.50}"#
                ]
            )
            // The event is told again, without what was told before.
            #expect(
                try await base.texts("select told || is_stale::text from webhook_event order by 1") == [
                    #"[{"refs": ["kept"]}]false"#, "true",
                ]
            )
        }
    }

    /// What was spent stays, also if names become one, and whatever others are called.
    @Test func costsKeepTheirMoney() async throws {
        try await Base.with { base in
            try await base.run(
                """
                insert into cost (app_number, kind, name, starts_on, ends_on, amount, currency)
                select app_number, 'ref', told.name, '2026-03-01', '2026-03-02', amount, 'USD'
                from app,
                    (
                        values ('\(Self.token)', 1), ('\(Self.token)x', 2), ('\(Self.token)y', 4), ('REDACTED (2)', 8),
                            ('REDACTED (3)', 16), ('kept', 32)
                    ) as told (name, amount)
                """
            )
            #expect(try await Self.redact(base).total == 3)
            #expect(
                try await base.texts("select name from cost where amount < 8 order by name") == [
                    "REDACTED", "REDACTED (4)", "REDACTED (5)",
                ]
            )
            #expect(
                try await base.texts("select name from cost where amount >= 8 order by amount") == [
                    "REDACTED (2)", "REDACTED (3)", "kept",
                ]
            )
            #expect(try await base.count("select sum(amount)::integer from cost") == 63)
            #expect(try await !base.dump().contains(Self.token))
            #expect(try await Self.redact(base).total == 0)
        }
    }

    /// Credits may name what reports read: webhooks look again.
    @Test func makeWebhooksLookAgain() async throws {
        try await Base.with { base in
            try await base.store(Self.events)
            try await base.run(
                """
                insert into webhook_event (app_number, webhook_id, event_id, occurred_at, received_at,
                    transaction_number, told, is_stale, is_settled)
                select app_number, 'wh_1', gen_random_uuid(), '2026-03-01', '2026-03-01', 1, '[]', false, settled
                from app, unnest('{false,true}'::boolean[]) as settled;
                insert into webhook_person_key (app_number, key, webhook_id, person)
                select app_number, 'd1', 'wh_1', 'u1' from app
                """
            )
            _ = try await Self.redact(base)
            #expect(try await base.count("select count(*) from webhook_event where is_stale and not is_settled") == 1)
            #expect(try await base.count("select count(*) from webhook_event where is_stale and is_settled") == 0)
            #expect(try await base.count("select count(*) from webhook_person_key") == 0)
        }
    }

    /// **Have you added a column of text?** Name it in `SearchedTable`, or here with the reason why it holds no text of
    /// a sender, or must stay as it is.
    @Test func areSearchedInEveryColumnOfText() async throws {
        let exceptions = [
            "app": "settings", "app_rules": "settings", "app_property": "declared names", "api_key": "settings",
            "app_arrival": "settings",
            "link": "where visitors are led, as its maker wants it", "link_host": "settings",
            "link_hits": "addresses of links", "exchange_rate": "fixed words", "cost.kind": "fixed words",
            "change_log.actor": "addresses of users, labels of keys", "change_log.kind": "fixed words",
            "cost.currency": "fixed words",
            "webhook.webhook_id": "made here", "webhook.url": "needed as it is", "webhook.secret": "needed as it is",
            "webhook.previous_secret": "needed as it is", "webhook.parameter_names": "fixed words",
            "question.name": "letters, digits, - and _", "question.report": "fixed words",
            "question.parameter_names": "fixed words", "question_schedule.watch_column": "fixed words",
            "question_schedule.period": "fixed words", "question_schedule.format": "fixed words",
            "question_schedule.target": "needed as it is", "question_schedule.secret": "needed as it is",
            "question_schedule.previous_secret": "needed as it is", "question_run.state": "fixed words",
            "rejected_event.key_prefix": "made here", "rejected_event.code": "fixed words",
            "dashboard_user": "settings", "dashboard_role": "fixed words",
            "dashboard_invitation": "addresses of users",
            "dashboard_session": "redacted when it is stored", "shared_page": "made here",
            "deletion_receipt": "counts", "outgoing": "made here", "schema_migration": "made here",
            "webhook_event.webhook_id": "made here", "webhook_delivery.webhook_id": "made here",
            "webhook_event.person": "written again when webhooks look again",
            "webhook_event.keys": "written again when webhooks look again",
            "webhook_event.mentioned": "written again when webhooks look again",
            "webhook_person_key": "written again when webhooks look again",
            "webhook_delivery.message_id": "made here",
            "webhook_delivery.mentioned": "for deletions; nobody is told",
            "timeline_state": "declared names", "timeline_rebuild": "declared names",
            "changed_story": "deleted when the timelines are packed again",
            "figures_state": "settings and declared names", "bi_views": "made here", "channel_figures": "fixed words",
            "post_figures.composer": "fixed words", "attribution_figures.event": "fixed words",
            "attribution_figures.grouping": "fixed words", "attribution_figures.model": "fixed words",
            "property_figures.property": "declared names", "funnel_figures.funnel": "fixed words",
            "funnel_figures.grouping": "fixed words", "funnel_figures.step_name": "fixed words",
            "retention_figures.grouping": "fixed words", "viral_figures.grouping": "fixed words",
        ]
        try await Base.with { base in
            let columns = try await base.texts(
                """
                select table_name || '.' || column_name
                from information_schema.columns
                join information_schema.tables using (table_schema, table_name)
                where table_schema = current_schema()
                    and table_type = 'BASE TABLE'
                    and data_type in ('text', 'ARRAY', 'json', 'jsonb', 'character varying')
                    and table_name not like 'event%'
                """
            )
            let searched = Set(
                (SearchedTable.all([]) + SearchedTable.links).flatMap { table in
                    table.columns.map { "\(table.name).\($0.name)" }
                }
            )
            var used: Set<String> = []
            for column in columns where !searched.contains(column) {
                let table = String(column.prefix { $0 != "." })
                let known = [column, table].first { exceptions[$0] != nil }
                #expect(known != nil, "\(column): name it in SearchedTable, or say here why not")
                if let known { used.insert(known) }
            }
            #expect(used == Set(exceptions.keys), "exceptions that are none")
            #expect(searched.isSubset(of: columns))
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
