import Events
import Postgres
@testable import Storage
import Testing
import Time

@Suite("Dead letters")
struct RejectedEventTests {
    typealias Base = StorageTesting

    private func rejection(
        _ event: String,
        index: Int = 0,
        code: Rejection.Code = .unknownField,
        id: String? = nil
    ) -> Rejection {
        Rejection(index: index, eventID: id, code: code, field: nil, message: "no", redactedEvent: event)
    }

    private func retry(
        _ base: StorageTesting,
        _ filter: RejectedEventFilter = RejectedEventFilter(),
        retention: Duration = EventLimits.defaultRetention
    ) async throws -> RejectedEventRetry.Outcome {
        let retry = RejectedEventRetry(
            letters: RejectedEventStore(pool: base.pool),
            writer: base.writer,
            retention: retention
        )
        return try await retry.run(filter)
    }

    private let valid = #"{"type":"install","user_id":"u1","event_id":"00000000-0000-4000-8000-000000000001"}"#

    @Test func areListedNewestFirstByWhatIsAskedFor() async throws {
        try await Base.with { base in
            for (number, code) in [Rejection.Code.missingField, .junkID, .missingField].enumerated() {
                let receivedAt = Base.noon.advanced(by: .seconds(number))
                _ = try await base.writer.store(
                    Submission(
                        appNumber: base.app.number,
                        keyPrefix: "trib_w_test",
                        receivedAt: receivedAt,
                        events: [],
                        rejections: [rejection("\(number)", code: code)]
                    )
                )
            }
            let store = RejectedEventStore(pool: base.pool)
            @Sendable func events(limit: Int = 10, _ change: (inout RejectedEventFilter) -> Void = { _ in })
                async throws -> [String]
            {
                var filter = RejectedEventFilter()
                change(&filter)
                return try await store.list(filter, limit: limit).map(\.event)
            }
            #expect(try await events() == ["2", "1", "0"])
            #expect(try await events(limit: 2) == ["2", "1"])
            #expect(try await events { $0.codes = ["missing_field"] } == ["2", "0"])
            #expect(try await events { $0.codes = ["missing_field", "junk_id"] }.count == 3)
            #expect(try await events { $0.appNumber = base.app.number + 1 } == [])
            #expect(try await events { $0.from = Base.noon.advanced(by: .seconds(1)) } == ["2", "1"])
            #expect(try await events { $0.to = Base.noon.advanced(by: .seconds(1)) } == ["0"])
            let id = try #require(try await store.list(RejectedEventFilter(), limit: 1).first?.id)
            #expect(try await events { $0.ids = [id] } == ["2"])
            #expect(try await events { $0.ids = [] } == [])
        }
    }

    @Test func areStoredOnceTheyAreValid() async throws {
        try await Base.with { base in
            try await base.store([], rejections: [rejection(valid), rejection(#"{"type":"install"}"#), rejection("{")])
            let outcome = try await retry(base)
            #expect(outcome.stored == 1)
            #expect(outcome.rejected == ["missing_field": 1, "invalid_json": 1])
            #expect(
                try await base.texts("select event from rejected_event order by event") == [
                    "{", #"{"type":"install"}"#,
                ]
            )
            #expect(try await base.texts("select user_id from event") == ["u1"])
            // An absent time becomes the time of the first receipt.
            #expect(
                try await base.texts("select (occurred_at = '2026-03-15 12:00Z')::text from event") == ["true"]
            )
        }
    }

    /// As if a newer version had accepted the rules of one app.
    @Test func stayIfTheRulesOfTheirAppCannotBeReadAndHinderNoOtherApp() async throws {
        try await Base.with { base in
            let apps = AppStore(pool: base.pool)
            _ = try await apps.create(AppProfile(id: "other", name: "Other"))
            let other = try await apps.app(id: "other")
            _ = try await apps.setRules("refs: [campaign]", of: other)
            _ = try await base.pool.withConnection { try $0.execute("update app_rules set rules = 'later: 1'") }
            let vague = #"{"type":"install","user_id":"u2","country":"XX"}"#
            try await base.store([], rejections: [rejection(valid), rejection(vague, index: 1)])
            _ = try await base.writer.store(
                Submission(
                    appNumber: other.number,
                    keyPrefix: "trib_w_test",
                    receivedAt: Base.noon,
                    events: [],
                    rejections: [rejection(valid), rejection(valid, index: 1)]
                )
            )
            let retry = RejectedEventRetry(
                letters: RejectedEventStore(pool: base.pool),
                writer: base.writer,
                rules: try await apps.allRules()
            )
            var failures: [String] = []
            let outcome = try await retry.run(RejectedEventFilter()) { failures.append($1.message) }
            #expect(outcome.stored == 2 && outcome.warned == 1)
            #expect(outcome.rejected == ["unknown_field": 2])
            #expect(failures.count == 1 && failures[0].contains("app 'other'") && failures[0].contains("later"))
        }
    }

    @Test func leaveWhereTheirEventHasBeenStoredBefore() async throws {
        try await Base.with { base in
            try await base.store([], rejections: [rejection(valid), rejection(valid, index: 1)])
            let outcome = try await retry(base)
            #expect(outcome.stored == 1)
            #expect(outcome.duplicates == 1)
            #expect(try await base.count("select count(*) from rejected_event") == 0)
        }
    }

    @Test func withoutAnEventIDAreStoredOnceHoweverOftenTried() async throws {
        try await Base.with { base in
            try await base.store([], rejections: [rejection(#"{"type":"install","user_id":"u1"}"#)])
            let letter = try #require(
                try await RejectedEventStore(pool: base.pool).list(RejectedEventFilter(), limit: 1).first
            )
            // Like after a crash between the event's commit and the deletion of the dead letter.
            let event = try letter.readAgain(retention: EventLimits.defaultRetention).event
            try await base.store([event])
            #expect(try await retry(base).duplicates == 1)
            #expect(try await base.count("select count(*) from event") == 1)
        }
    }

    /// A commit took longer than the request waits: the submission is delivered from the spool again, maybe by another
    /// process.
    @Test func ofARequestThatIsDeliveredAgainAreTheSame() async throws {
        try await Base.with { base in
            var submission = Submission(
                appNumber: base.app.number,
                keyPrefix: "trib_w_test",
                receivedAt: Base.noon,
                events: [Base.event(2, user: "nul\u{0}", device: "d")],
                rejections: (0..<3).map { rejection(#"{"type":"install"}"#, index: $0) }
            )
            _ = try await base.writer.store(submission)
            let letters = try await base.texts("select rejection_id::text from rejected_event order by 1")
            #expect(letters.count == 4)
            // The deletion of another person has removed a rejection meanwhile.
            submission.rejections.removeFirst()
            submission = try SubmissionJSON.decode(SubmissionJSON.encode(submission))
            _ = try await base.writer.store(submission)
            #expect(try await base.texts("select rejection_id::text from rejected_event order by 1") == letters)

            submission.receivedAt = Base.noon.advanced(by: .seconds(1))
            _ = try await base.writer.store(submission)
            #expect(try await base.count("select count(*) from rejected_event") == 7)
        }
    }

    @Test func thatPostgreSQLRefusedAreRetriedAsTheyHadBeenRead() async throws {
        try await Base.with { base in
            let bad = Base.event(2, user: "nul\u{0}", device: "d")
            #expect(try await base.store([Base.event(1, user: "u"), bad]).refused == [1])
            // Like an earlier version, which used random ids.
            _ = try await base.pool.withConnection {
                try $0.execute("update rejected_event set rejection_id = 'f3c1a0de-5b7e-4c0a-9d52-8c6e2b1a7f40'")
            }
            for _ in 0..<3 {
                #expect(try await retry(base).rejected == ["refused": 1])
                #expect(try await base.count("select count(*) from rejected_event") == 1)
            }
            let letter = try #require(
                try await RejectedEventStore(pool: base.pool).list(RejectedEventFilter(), limit: 1).first
            )
            #expect(try letter.readAgain(retention: .seconds(1)).event == bad)
        }
    }

    @Test func withDamagedTextStayRejected() async throws {
        try await Base.with { base in
            try await base.store([], rejections: [rejection(valid, code: .invalidText)])
            #expect(try await retry(base).rejected == ["invalid_text": 1])
        }
    }

    @Test func keepTheirClock() async throws {
        try await Base.with { base in
            let event =
                #"{"type":"install","user_id":"u","sent_at":"2026-03-15T11:00:00Z","occurred_at":"2026-03-15T10:59:50Z"}"#
            try await base.store([], rejections: [rejection(event)])
            #expect(try await retry(base).stored == 1)
            #expect(
                try await base.texts("select (occurred_at = '2026-03-15 11:59:50Z')::text from event") == ["true"]
            )
        }
    }

    @Test(arguments: [
        #"{"events":[{"type":"install","user_id":"u1"}]}"#,
        #"[{"type":"install","user_id":"u1"},{"type":"install","user_id":"u2"}]"#,
        "",
        "\n\n",
        "{\"type\":\n\"install\"}",
    ])
    func areOneEventOrNone(text: String) async throws {
        try await Base.with { base in
            try await base.store([], rejections: [rejection(text)])
            let outcome = try await retry(base)
            #expect(outcome.rejectedCount == 1)
            #expect(try await base.count("select count(*) from event") == 0)
            #expect(try await base.count("select count(*) from rejected_event") == 1)
        }
    }

    @Test func areRetriedInPages() async throws {
        try await Base.with { base in
            let rejections = (0..<1_203).map { number in
                rejection(number % 3 == 0 ? "no" : #"{"type":"install","user_id":"u\#(number)"}"#, index: number)
            }
            try await base.store([], rejections: rejections)
            let outcome = try await retry(base)
            #expect(outcome.stored == 802)
            #expect(outcome.rejected == ["invalid_json": 401])
            #expect(try await base.count("select count(*) from event") == 802)
        }
    }

    @Test func arePurgedByAgeAndCode() async throws {
        try await Base.with { base in
            try await base.store([], rejections: [rejection("a"), rejection("b", code: .junkID)])
            let store = RejectedEventStore(pool: base.pool)
            var filter = RejectedEventFilter()
            filter.to = Base.noon
            #expect(try await store.delete(filter) == 0)
            filter.to = Base.noon.advanced(by: .seconds(1))
            filter.codes = ["junk_id"]
            #expect(try await store.count(filter) == 1)
            #expect(try await store.delete(filter) == 1)
            #expect(try await store.list(RejectedEventFilter(), limit: 10).map(\.event) == ["a"])
        }
    }
}
