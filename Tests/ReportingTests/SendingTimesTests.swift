import Storage
import Testing
import Time

@testable import Reporting

@Suite("Times at which questions are sent")
struct SendingTimesTests {
    private static func zone(_ name: String) throws -> ReportTimeZone { try #require(ReportTimeZone(name)) }
    private static func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test(
        arguments: [
            // The time, when it is sent, and the period.
            ("day", "08:00", "2026-11-25T07:00:00Z", "2026-11-25T07:00:00Z", "2026-11-24", "2026-11-25"),
            ("day", "08:00", "2026-11-25T06:59:59Z", "2026-11-24T07:00:00Z", "2026-11-23", "2026-11-24"),
            ("week", "08:00", "2026-11-25T12:00:00Z", "2026-11-23T07:00:00Z", "2026-11-16", "2026-11-23"),
            ("week:friday", "08:00", "2026-11-25T12:00:00Z", "2026-11-20T07:00:00Z", "2026-11-09", "2026-11-16"),
            ("week:monday", "00:00", "2026-11-22T23:00:00Z", "2026-11-22T23:00:00Z", "2026-11-16", "2026-11-23"),
            ("month", "08:00", "2026-01-01T07:00:00Z", "2026-01-01T07:00:00Z", "2025-12-01", "2026-01-01"),
            ("month:15", "23:59", "2026-03-15T22:58:59Z", "2026-02-15T22:59:00Z", "2026-01-01", "2026-02-01"),
            // Clocks go from 02:00 to 03:00: the time that they skip comes as much later, and once.
            ("day", "02:30", "2026-03-29T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-28", "2026-03-29"),
            ("day", "08:00", "2026-03-29T06:00:00Z", "2026-03-29T06:00:00Z", "2026-03-28", "2026-03-29"),
            // And from 03:00 to 02:00: the first of the two.
            ("day", "02:30", "2026-10-25T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-24", "2026-10-25"),
            ("day", "02:30", "2026-10-25T01:30:00Z", "2026-10-25T00:30:00Z", "2026-10-24", "2026-10-25"),
        ]
    )
    func areThoseOfTheClock(every: String, at: String, now: String, sent: String, from: String, to: String) throws {
        let times = try SendingTimes(every: every, at: at)
        let sending = times.last(upTo: try Self.time(now), in: try Self.zone("Europe/Berlin"))
        #expect(try sending.at == Self.time(sent))
        #expect(sending.from.description == from && sending.to.description == to)
    }

    /// In every zone, through two years of changing clocks: a period is sent once, after it is over, in order.
    @Test(arguments: ["Europe/Berlin", "America/Sao_Paulo", "Asia/Beirut", "Pacific/Apia", "Africa/Casablanca", "UTC"])
    func comeOnceForEachPeriodAfterItIsOver(name: String) throws {
        let zone = try Self.zone(name)
        for (every, count) in [("day", 729...732), ("week:sunday", 103...105), ("month:28", 23...25)] {
            for at in ["00:00", "00:30", "02:30", "23:59"] {
                let times = try SendingTimes(every: every, at: at)
                var now = try Self.time("2025-01-01T00:00:00Z")
                let end = try Self.time("2027-01-01T00:00:00Z")
                var periods: [CivilDate] = []
                while now < end {
                    let next = times.next(after: now, in: zone)
                    #expect(next.at > now && next.at >= zone.start(of: next.to))
                    #expect(times.last(upTo: next.at, in: zone) == next)
                    #expect(times.last(upTo: next.at.advanced(byMicroseconds: -1), in: zone).from < next.from)
                    periods.append(next.from)
                    now = next.at
                }
                #expect(zip(periods, periods.dropFirst()).allSatisfy { $0 < $1 })
                #expect(count.contains(periods.count), "\(name) \(every) \(at): \(periods.count)")
            }
        }
    }

    @Test func areReadBackAsTheyAreWritten() throws {
        for every in ["day", "week:monday", "week:sunday", "month:1", "month:28"] {
            let times = try SendingTimes(every: every, at: "07:05")
            #expect(times.every == every && times.at == "07:05")
        }
        #expect(try SendingTimes(every: "week", at: "08:00").every == "week:monday")
        #expect(try SendingTimes(every: "month", at: "08:00").every == "month:1")
    }

    @Test(
        arguments: [
            ("hour", "08:00", "day, week or month"), ("week:fryday", "08:00", "did you mean 'friday'?"),
            ("month:31", "08:00", "from 1 to 28"), ("day:3", "08:00", "write day"), ("day", "8:00", "such as 08:00"),
            ("day", "24:00", "such as 08:00"), ("day", "08:00:00", "such as 08:00"),
            ("", "08:00", "day, week or month"),
        ]
    )
    func areRefusedInWords(every: String, at: String, words: String) {
        #expect { try SendingTimes(every: every, at: at) } throws: { "\($0)".contains(words) }
    }

    // MARK: Ranges

    @Test(
        arguments: [
            ([], "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "30d")], "2026-10-24T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "30d"), ("to", "7d")], "2026-10-24T00:00:00Z", "2026-11-16T00:00:00Z"),
            ([("from", "2026-11-01")], "2026-11-01T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "yesterday"), ("to", "today")], "2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "30days")], "2026-10-24T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "monday")], "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "last-week"), ("to", "monday")], "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "this-month")], "2026-11-01T00:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "36h")], "2026-11-21T12:00:00Z", "2026-11-23T00:00:00Z"),
            ([("from", "7d"), ("tz", "Europe/Berlin")], "2026-11-15T23:00:00Z", "2026-11-22T23:00:00Z"),
        ] as [([(String, String)], String, String)]
    )
    func endWithThePeriod(parameters: [(String, String)], from: String, to: String) throws {
        let question = try Self.question("channels", parameters.map { (name: $0.0, value: $0.1) })
        let request = try question.request(about: Self.week, app: Asking.app(), now: Self.time("2026-11-25T08:00:00Z"))
        #expect(try request.range.from == Self.time(from) && request.range.to == Self.time(to))
    }

    /// Seven days over a change of clocks are seven days, and no hour of an eighth.
    @Test func keepWholeDaysWhereClocksChange() throws {
        let question = try Self.question("channels", [("from", "7d"), ("tz", "Europe/Berlin")])
        let sending = SendingTimes.Sending(
            at: Timestamp(microseconds: 0),
            from: try #require(CivilDate("2026-10-19")),
            to: try #require(CivilDate("2026-10-26"))
        )
        let request = try question.request(about: sending, app: Asking.app(), now: Self.time("2026-10-26T08:00:00Z"))
        #expect(try request.range.from == Self.time("2026-10-18T22:00:00Z"))
        #expect(try request.range.to == Self.time("2026-10-25T23:00:00Z"))
    }

    @Test func areNoneForAFixedEnd() throws {
        let question = try Self.question("channels", [("from", "2026-11-01"), ("to", "2026-11-08")])
        #expect {
            try question.request(about: Self.week, app: Asking.app(), now: Self.time("2026-11-25T08:00:00Z"))
        } throws: { "\($0)".contains("fixed time") }
    }

    private static let week = SendingTimes.Sending(
        at: Timestamp(microseconds: 0),
        from: CivilDate("2026-11-16") ?? CivilDate(number: 0),
        to: CivilDate("2026-11-23") ?? CivilDate(number: 0)
    )

    static func question(_ report: String, _ parameters: [(name: String, value: String)]) throws -> SavedQuestion {
        let time = Timestamp(microseconds: 0)
        return SavedQuestion(
            StoredQuestion(
                name: try #require(QuestionName("weekly")),
                report: report,
                parameters: parameters,
                createdAt: time,
                updatedAt: time
            )
        )
    }

    // MARK: Targets

    @Test(
        arguments: [
            "mail:ann@example.com", "slack:https://hooks.slack.com/services/T/B/x", "https://example.com/in?x=1",
            "file:weekly", "file:a/b", "mail:o'neil+x@mail.example.co.uk",
        ]
    )
    func haveTargets(_ text: String) throws {
        let target = try SendingTarget(text)
        #expect(target.text == text)
        #expect(!target.kind.contains("services") && !target.kind.contains("ann"))
    }

    @Test(
        arguments: [
            "", "ann@example.com", "mail:", "mail:ann", "mail:ann@", "mail:@example.com", "mail:a@b",
            "mail:-oQ/tmp@example.com",
            "mail:a@example.com,b@example.com", "mail:a b@example.com", "mail:a@example.com\nBcc: b@example.com",
            "mail:\"a\"@example.com", "mail:<a@example.com>", "mail:ü@example.com", "slack:hooks.slack.com",
            "slack:ftp://example.com", "https://", "https://user:word@example.com/", "file:", "file:/etc", "file:..",
            "file:a/../../b", "file:./a", "file:~root", "file:a//b", "ftp://example.com/x",
            "https://1.1.1.1:65536/", "slack:https://1.1.1.1:0/",
        ]
    )
    func haveNoSuchTargets(_ text: String) {
        #expect(throws: ReportError.self) { try SendingTarget(text) }
    }

    @Test(arguments: ["http://example.com/h", "slack:http://example.com/h"])
    func mustBeHTTPSUnlessPrivateTargetsAreAllowed(text: String) throws {
        #expect(throws: ReportError.self) { try SendingTarget(text, allowsPrivate: false) }
        #expect(try SendingTarget(text, allowsPrivate: true).text == text)
    }
}
