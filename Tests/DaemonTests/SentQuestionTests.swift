import Cryptography
import DeliveryTesting
import Foundation
import Postgres
import Storage
import Testing
import Time

@testable import Reporting
@testable import tributaryd

/// What targets of questions get.
@Suite("Questions at their targets")
struct SentQuestionTests {
    /// A note must not turn around what stands beside it.
    @Test func areNotTurnedAround() async throws {
        try await QuestionDaemons.with { daemons in
            let day = try #require(CivilDate("2026-11-24"))
            _ = try await NoteStore(pool: daemons.pool).add("Sale \u{202E}%5", on: day, of: daemons.app)
            try await daemons.schedule("week:monday", to: "mail:ann@example.com")
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let mail = try #require(daemons.mails.first)
            for type in ["text/plain", "text/html"] {
                let part = try QuestionDaemons.part(type, of: mail)
                #expect(part.contains(#"Sale \u202e%5"#) && !part.unicodeScalars.contains("\u{202E}"))
            }
        }
    }

    @Test func areBoardsToo() async throws {
        try await QuestionDaemons.with { daemons in
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
            let text = try QuestionDaemons.part("text/plain", of: mail)
            #expect(text.hasPrefix("monday · Käse & Söhne\n2026-11-23 to 2026-11-29 (Europe/Berlin)\n\nweekly\n"))
            #expect(text.contains("\n\nlogins\nthe question was deleted\n"))
            #expect(text.contains("https://stats.example.com/questions/question?name=monday\n"))
            let html = try QuestionDaemons.part("text/html", of: mail)
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
        try await QuestionDaemons.with { daemons in
            let shares = ShareStore(pool: daemons.pool)
            try await daemons.schedule("week:monday", to: "mail:ann@example.com", shares: true)
            try daemons.set("2026-11-30T12:00:00Z")
            try await daemons.round()
            let mail = try #require(daemons.mails.first)
            let text = try QuestionDaemons.part("text/plain", of: mail)
            let address = try #require(text.firstMatch(of: /https:\/\/stats.example.com\/shared\/([A-Za-z0-9]+)\n/))
            let link = "<a href=\"\(address.0.dropLast())\">Open it (until "
            #expect(try QuestionDaemons.part("text/html", of: mail).contains(link))
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
            let next = try QuestionDaemons.part("text/plain", of: try #require(daemons.mails.last))
            #expect(next.contains("https://stats.example.com/questions/question?name=weekly\n"))
            #expect(!next.contains("with a shared page"))
            #expect(try await shares.pages(of: daemons.app).count == 1)
        }
    }

    /// Nobody has got its address.
    @Test func leaveNoPageOfAnAttemptThatFailed() async throws {
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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

    /// Two apps with the same question, and watches of rows with any names: no file is another one's.
    @Test func areFilesOfTheirOwn() async throws {
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
            // A question may list ids of people.
            let mode = try FileManager.default.attributesOfItem(atPath: csv.path)[.posixPermissions] as? Int
            #expect(mode.map { $0 & ~0o640 } == 0)
            let folder = csv.deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [csv.lastPathComponent])
            let table = own.appending(path: "tables/weekly-2026-11-23-2026-11-29.txt")
            #expect(try String(contentsOf: table, encoding: .utf8).contains("2026-11-23 to 2026-11-29"))
            let refused = try #require(try await daemons.runs().first { $0.target == "file:out/new" })
            #expect(refused.state == .failed && refused.remark == "'out/new' leads out of question.folder")
            #expect(!FileManager.default.fileExists(atPath: daemons.folder.appending(path: "new").path))
        }
    }

    @Test func areJSONForChatsAndPrograms() async throws {
        try await QuestionDaemons.with { daemons in
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
        try await QuestionDaemons.with { daemons in
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
}
