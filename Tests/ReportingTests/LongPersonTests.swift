import Events
import InboundLinks
import PostgresTesting
import Storage
import Testing
import Time

@testable import Reporting
@testable import Timelines

/// One person may have very many events, and few people very long texts. Neither exhausts a daemon's memory or time.
@Suite("Long people and long texts")
struct LongPersonTests {
    private typealias E = OracleEvents

    /// A touch and a conversion in turn, by one device.
    private static func turns(_ count: Int) -> [Event] {
        (0..<count).flatMap { number in
            let channel = [Channel.search, .bookmarks, .requests][number % 3]
            return [
                E.event(UInt64(2 * number), at: Double(2 * number), device: "kiosk", .inboundLink(E.touch(channel))),
                E.event(UInt64(2 * number + 1), at: Double(2 * number + 1), device: "kiosk", E.conversion()),
            ]
        }
    }

    private static func longTargets(_ count: Int, of people: Int) -> [Event] {
        (0..<count).map { number in
            var touch = E.touch()
            touch.link.targetURL = "https://shop.example/\(number)" + String(repeating: "x", count: 8_000)
            return E.event(UInt64(number), at: Double(number), user: "u\(number % people)", .inboundLink(touch))
        }
    }

    /// The paths of n touches and conversions in turn took n² bytes before anybody looked.
    @Test func pathsOfOnePersonEndAtTheLimit() throws {
        let request = try Asking.request("paths", ["from": "2026-01-05", "to": "2026-01-06"])
        let report = try #require(request.report as? PathsReport)
        let source = MemoryTimelines(Self.turns(400), query: request.query)
        var (whole, limited) = (
            PathsFold(report, request.run(dictionary: source.dictionary)),
            PathsFold(report, request.run(dictionary: source.dictionary), limit: 20_000)
        )
        try source.forEachPerson { person in
            whole.add(person)
            limited.add(person)
        }
        #expect(whole.size > 80_000)
        #expect(limited.size > 20_000 && limited.size < 45_000)
    }

    /// From five connections on, the average of their sizes was below the limit: paths were missing, and nobody told.
    @Test func pathsThatWereLeftOutAreRefused() throws {
        let request = try Asking.request("paths", ["from": "2026-01-05", "to": "2026-01-06"])
        let report = try #require(request.report as? PathsReport)
        let source = MemoryTimelines(Self.turns(400), query: request.query)
        let run = request.run(dictionary: source.dictionary)
        func fold(limit: Int) throws -> PathsFold {
            var fold = PathsFold(report, run, limit: limit)
            try source.forEachPerson { fold.add($0) }
            return fold
        }
        let empty = PathsFold(report, run)
        let (whole, cut) = (try fold(limit: .max), try fold(limit: 20_000))
        #expect(try whole.finish().last?[1] == .integer(400))
        for (first, second) in [(cut, empty), (empty, cut)] {
            var merged = first
            merged.merge(second)
            let error = #expect(throws: ReportError.self) { _ = try merged.finish() }
            #expect(error?.description.contains("more different groups than") == true)
        }
    }

    /// The names of 4,000 paths of one person took 85 MB, and for the order two were made for each comparison.
    @Test func pathsThatAreShownHaveALimit() throws {
        let request = try Asking.request("paths", ["from": "2026-01-05", "to": "2026-01-06", "limit": "100"])
        let report = try #require(request.report as? PathsReport)
        let source = MemoryTimelines(Self.turns(200), query: request.query)
        let run = request.run(dictionary: source.dictionary)
        func fold(nameLimit: Int) throws -> PathsFold {
            var fold = PathsFold(report, run, nameLimit: nameLimit)
            try source.forEachPerson { fold.add($0) }
            return fold
        }
        let rows = try fold(nameLimit: .max).finish()
        let names = rows.dropLast().compactMap { $0[0].plainText }
        #expect(names.count == 100 && names == names.sorted { precedes($0, $1) })
        let size = names.reduce(0) { $0 + $1.utf8.count }
        #expect(try fold(nameLimit: size).finish() == rows)
        let error = #expect(throws: ReportError.self) { _ = try fold(nameLimit: size - 1).finish() }
        #expect(error?.description.contains("fewer groups with limit") == true)
    }

    /// Paths are compared by their channels, and have the order of their names.
    @Test func noNameOfAChannelBeginsAnother() {
        for channel in Channel.allCases {
            #expect(Channel.allCases.filter { $0.rawValue.hasPrefix(channel.rawValue) } == [channel])
        }
    }

    @Test func pathsOfACancelledTaskAreNotShown() async throws {
        let stopped = Task { () throws -> Int in
            withUnsafeCurrentTask { $0?.cancel() }
            let request = try Asking.request("paths", ["from": "2026-01-05", "to": "2026-01-06"])
            let report = try #require(request.report as? PathsReport)
            return try PathsFold(report, request.run(dictionary: TimelineDictionary())).finish().count
        }
        await #expect(throws: CancellationError.self) { _ = try await stopped.value }
    }

    /// A row for each touch of each conversion.
    @Test func exportsHandOnTheRowsOfOnePersonInPieces() throws {
        struct Pieces: ExportSink {
            var sizes: [Int] = []

            mutating func write(_ text: UnsafeRawBufferPointer, rows: Int) { sizes.append(text.count) }
        }
        let range = [(name: "from", value: "2026-01-05"), (name: "to", value: "2026-01-06")]
        let request = try Exporting.request(
            "credits",
            range + [(name: "event", value: "conversion"), (name: "model", value: "linear")]
        )
        let export = try #require(request.export as? CreditsExport)
        var pieces = Pieces()
        var rows = ExportRowWriter(columns: request.columns, format: request.format)
        try ExportRunner.write(
            export,
            request,
            of: MemoryTimelines(Self.turns(100), query: request.query(of: export)),
            tellsDeleted: false,
            through: &rows,
            to: &pieces
        )
        #expect(rows.rowCount == 5_050)
        #expect(pieces.sizes.count > 4)
        #expect(pieces.sizes.allSatisfy { $0 < 140_000 })
    }

    /// One person may have a million rows, and few events.
    @Test func exportsEndWithinAPersonForACancelledTask() async throws {
        struct Nothing: ExportSink {
            mutating func write(_ text: UnsafeRawBufferPointer, rows: Int) { Issue.record("a piece was written") }
        }
        let stopped = Task { () throws -> Void in
            withUnsafeCurrentTask { $0?.cancel() }
            let request = try Exporting.request(
                "credits",
                [("from", "2026-01-05"), ("to", "2026-01-06"), ("event", "conversion"), ("model", "linear")]
            )
            let export = try #require(request.export as? CreditsExport)
            var rows = ExportRowWriter(columns: request.columns, format: request.format)
            var nothing = Nothing()
            try ExportRunner.write(
                export,
                request,
                of: MemoryTimelines(Self.turns(100), query: request.query(of: export)),
                tellsDeleted: false,
                through: &rows,
                to: &nothing
            )
        }
        await #expect(throws: CancellationError.self) { try await stopped.value }
    }

    /// A report whose client is gone, and the figures of a daemon that stops, do not finish a person of n² credits.
    @Test func endsForACancelledTask() async throws {
        let range = try Asking.request("channels", ["from": "2026-01-05", "to": "2026-01-06"]).range
        let credited = CreditedEvents(range: range, currency: .none)
        func count() throws -> (Int, wasStopped: Bool) {
            var person = PersonTimeline()
            person.begin(isPerson: true)
            for number in 0..<5_000 {
                var event = TimelineEvent.blank
                event.type = .conversion
                event.occurredAt = E.time(Double(number))
                person.append(event)
            }
            var count = 0
            credited.forEach(of: person) { _ in count += 1 }
            do {
                try person.checkCancellation()
                return (count, false)
            } catch is CancellationError {
                return (count, true)
            }
        }
        #expect(try count() == (5_000, false))
        let stopped = Task { () throws -> (Int, Bool) in
            withUnsafeCurrentTask { $0?.cancel() }
            return try count()
        }
        #expect(try await stopped.value == (0, true))
    }

    @Test func textsBeyondTheLimitAreNotKept() throws {
        let dictionary = TimelineDictionary()
        dictionary.textLimit = 1_000
        let known = dictionary.code(of: "known", as: .target)
        for number in 0..<1_000 { _ = dictionary.code(of: "https://shop.example/\(number)", as: .target) }
        #expect(dictionary[.target].count < 60)
        #expect(dictionary.code(of: "known", as: .target) == known)
        #expect {
            try dictionary.checkTexts()
        } throws: { error in
            if case TimelineError.tooManyTexts(.target) = error { true } else { false }
        }
        dictionary.removeAll()
        try dictionary.checkTexts()
        #expect(!dictionary.code(of: "new", as: .target).isNone)
    }

    /// Events that wait to be encoded are encoded earlier if their texts are long.
    @Test func encodedEventsForgetLongTexts() throws {
        let texts = TimelineDictionary()
        let event = RandomPackedEvents.make(seed: 1, count: 1, dictionary: texts)[0]
        var builder = EncodedEvents.Builder(limit: 10_000)
        for number in 0..<100 {
            var event = event
            event.event = TimelineEvent.blank
            event.event.target = builder.dictionary.code(
                of: "\(number)" + String(repeating: "x", count: 2_000),
                as: .target
            )
            builder.append(event)
            #expect(builder.dictionary.textSize < 14_000)
        }
        _ = builder.finish()
    }

    private static func storeLongTargets(_ count: Int, of app: App, _ testing: FigureTesting) async throws {
        let events = longTargets(count, of: 900)
        for start in stride(from: 0, to: count, by: 400) {
            try await testing.store(Array(events[start..<min(start + 400, count)]), of: app)
        }
        try await testing.pool.passHorizon()
    }

    /// After the last person, a table that is nearly full was counted with the copy that it would grow into: 15.6 MB of
    /// texts were refused, and more of them answered.
    @Test func longTextsBelowTheLimitAreAnswered() async throws {
        try await FigureTesting.with { testing in
            let (app, pool) = (try await testing.makeApp("app"), testing.pool)
            try await Self.storeLongTargets(1_950, of: app, testing)
            for packs in [false, true] {
                if packs { try await TimelinePacker(app: app, pool: pool).rebuild() }
                let request = try Asking.request(
                    "breakdown",
                    ["from": "2026-01-05", "to": "2026-01-07", "by": "target_url"],
                    app: app
                )
                #expect(try await !ReportRunner.run(request, on: pool).table.rows.isEmpty, "packed: \(packs)")
            }
        }
    }

    /// 900 people are fewer than were counted before anybody looked: 29 MB of texts were answered in 418 MB of memory
    /// where there were 180.
    @Test func longTextsAreRefused() async throws {
        try await FigureTesting.with { testing in
            let (app, pool) = (try await testing.makeApp("app"), testing.pool)
            try await Self.storeLongTargets(3_600, of: app, testing)
            for packs in [false, true] {
                if packs { try await TimelinePacker(app: app, pool: pool).rebuild() }
                let request = try Asking.request(
                    "breakdown",
                    ["from": "2026-01-05", "to": "2026-01-07", "by": "target_url"],
                    app: app
                )
                let error = await #expect(throws: ReportError.self, "packed: \(packs)") {
                    _ = try await ReportRunner.run(request, on: pool)
                }
                #expect(error?.description.contains("the different targets, with what is counted") == true)
                // It reads no targets.
                let channels = try Asking.request("channels", ["from": "2026-01-05", "to": "2026-01-07"], app: app)
                let touches = try await ReportRunner.run(channels, on: pool).table.rows.last?[1].plainText
                #expect(touches == "3600", "packed: \(packs)")
            }
            var memory = FigureMemory()
            memory.texts = 0
            // Figures of what is too much are left out, and the refresh ends.
            #expect(!(try await testing.refresh(app, memory: memory)).isEmpty)
        }
    }
}
