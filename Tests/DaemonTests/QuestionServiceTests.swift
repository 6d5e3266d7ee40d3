import DeliveryTesting
import Foundation
import Logging
import Postgres
import Storage
import Synchronization
import Testing
import Time

@testable import Reporting
@testable import tributaryd

/// When questions are sent, and what becomes of attempts that fail.
@Suite("Questions sent by the daemon")
struct QuestionServiceTests {
    @Test func areSentOnceForEachPeriod() async throws {
        try await QuestionDaemons.with { daemons in
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
            let body = try QuestionDaemons.part("text/plain", of: mail)
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

    /// An app that began in the last ten minutes of the period before, and one that began ten minutes before it.
    @Test(arguments: [("2026-11-22T22:50:00Z", false), ("2026-11-15T22:50:00Z", true)])
    func compareWithNoPeriodBeforeTheFirstEvent(first: String, isCompared: Bool) async throws {
        try await QuestionDaemons.with { daemons in
            try await daemons.store(1, touchesAt: first)
            try await daemons.store(3, touchesAt: "2026-11-22T22:55:00Z")
            try await daemons.store(6, touchesAt: "2026-11-25T10:00:00Z")
            try await daemons.schedule("week:monday", to: "mail:ann@example.com")
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let mail = try #require(daemons.mails.first)
            let page = try QuestionDaemons.part("text/html", of: mail)
            #expect(page.contains(isCompared ? "total: touches 6 (+100.0 %), people" : "total: touches 6, people"))
            let reason = "No comparison: the app's first event is of 2026-11-22 23:50, and the range before begins at"
            let text = try QuestionDaemons.part("text/plain", of: mail)
            #expect(text.contains("\n\(reason) 2026-11-16 00:00.\n") == !isCompared)
        }
    }

    /// What posts of the week before brought in seven days is known, and of the last week not yet.
    @Test(arguments: [[], [(name: "within", value: "7d")]])
    func compareNothingWhoseTimeIsNotOver(parameters: [(name: String, value: String)]) async throws {
        try await QuestionDaemons.with { daemons in
            try await daemons.store(1, touchesAt: "2026-11-01T10:00:00Z")
            _ = try await daemons.questions.save(
                "k",
                report: "viral",
                parameters: parameters,
                of: daemons.app,
                replacing: false,
                now: daemons.now
            )
            try await daemons.schedule("week:monday", to: "mail:ann@example.com", of: "k")
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let mail = try #require(daemons.mails.first)
            let page = try QuestionDaemons.part("text/html", of: mail)
            #expect(page.contains("posts 0 (as before)") == parameters.isEmpty)
            let reason = "No comparison: what began from 2026-11-23 13:00 on still has time"
            let text = try QuestionDaemons.part("text/plain", of: mail)
            #expect(text.contains("\n\(reason)") == !parameters.isEmpty)
        }
    }

    @Test func areNotSentFromACopy() async throws {
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with(timeLimit: .seconds(2)) { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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

    @Test func areTriedAgainWhenAChatRefuses() async throws {
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
            try await daemons.schedule("day", to: "mail:ann@example.com")
            try daemons.set("2026-11-25T12:00:00Z")
            try await daemons.round(mailFrom: nil)
            let run = try #require(try await daemons.runs().first)
            #expect(run.state == .waiting && run.remark?.contains("set mail.from (TRIBUTARY_MAIL_FROM)") == true)
        }
    }

    @Test func waitWhileTheirQuestionIsDeleted() async throws {
        try await QuestionDaemons.with { daemons in
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
