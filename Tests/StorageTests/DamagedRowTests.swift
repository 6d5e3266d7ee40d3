import Postgres
import Redirects
import Testing
import Time
@testable import Storage

/// A row that this program cannot read, because a later version wrote it or because it is damaged, is no failure of
/// other rows.
@Suite("Rows that cannot be read")
struct DamagedRowTests {
    private typealias Base = StorageTesting

    @Test(arguments: [
        (#"{"de": {"open": "Öffnen", "later_word": "x"}}"#, ["de": [PageWord.open: "Öffnen"]]),
        (#"{"de": {"open": 7}, "??": {"open": "x"}, "fr": []}"#, [:]), ("[1]", [:]),
    ])
    func areAppsWithTheWordsThatAreKnown(words: String, expected: [String: [PageWord: String]]) async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await store.create(AppProfile(id: "other", name: "Other"))
            try await base.run("update app set page_words = '\(words)', ios_carry = 'later' where app_id = 'shop'")
            #expect(try await store.list().map(\.profile.id) == ["other", "shop"])
            #expect(try await store.app(id: "other").profile.name == "Other")
            let profile = try await store.app(id: "shop").profile
            #expect(profile.pageWords.languages == expected)
            #expect(profile.iosCarry == .off)
        }
    }

    @Test func areLeftOutOfListsOfQuestionsRunsAndNotes() async throws {
        try await Base.with { base in
            let (app, pool) = (base.app, base.pool)
            let questions = QuestionStore(pool: pool)
            for text in ["first", "second"] {
                let name = try #require(QuestionName(text))
                _ = try await questions.add(name, report: "channels", parameters: [], of: app)
            }
            let schedules = ScheduleStore(pool: pool)
            let schedule = StoredSchedule(
                number: 0,
                appNumber: app.number,
                appID: "shop",
                question: "first",
                watch: nil,
                period: "day",
                day: 0,
                minute: 0,
                format: "csv",
                target: "file:x",
                createdAt: Base.noon
            )
            let number = try #require(try await schedules.save(schedule, isSigned: false)).schedule.number
            let day = Base.noon.date
            for first in [day, CivilDate(number: day.number + 1)] {
                let end = CivilDate(number: first.number + 1)
                try await schedules.claim(number, from: first, to: end, now: Base.noon)
            }
            let notes = NoteStore(pool: pool)
            _ = try await notes.add("a release", on: day, of: app)
            _ = try await notes.add("an outage", on: day, of: app)
            try await base.run(
                """
                update question set name = 'A name of tomorrow' where name = 'second';
                update question_run set period_start = 'infinity', period_end = 'infinity'
                    where period_start = '\(day)';
                update note set day = 'infinity' where text = 'an outage'
                """
            )
            #expect(try await questions.list(of: app).map(\.name.text) == ["first"])
            #expect(try await notes.list(of: app).map(\.text) == ["a release"])
            #expect(try await schedules.runs(of: app, atMost: 10).count == 1)
            #expect(try await schedules.all().count == 1)
            var taken: [CivilDate] = []
            for _ in 0..<2 {
                if let run = try await schedules.take(now: Base.noon, holding: .seconds(60)) { taken.append(run.from) }
            }
            #expect(taken.map(\.number) == [day.number + 1])
        }
    }
}
