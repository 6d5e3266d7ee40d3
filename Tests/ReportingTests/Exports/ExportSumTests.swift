import Events
import RandomTesting
import Time
@testable import Reporting
import Testing

/// Exported rows add up to the reports, to the last digit, over random streams.
@Suite("Sums of exports")
struct ExportSumTests {
    private static let seeds = TestSeeds.seeds(24, in: 4)

    private struct Case {
        let events: [Event]
        let parameters: [(name: String, value: String)]
        let now: Timestamp

        init(seed: UInt64) {
            let stream = RandomStream.make(seed: seed)
            events = stream.events
            parameters = [("from", stream.from.rfc3339), ("to", stream.to.rfc3339)]
            now = stream.now
        }

        func report(_ name: String, _ more: [(name: String, value: String)] = []) throws -> [[String: String]] {
            let request = try ReportRequest.parse(
                name: name,
                parameters: parameters + more,
                origin: .http,
                app: Asking.app(),
                now: now
            )
            let table = try request.table(over: MemoryTimelines(events, query: request.query))
            let names = table.columns.map(\.name)
            return table.rows.map { row in
                Dictionary(uniqueKeysWithValues: zip(names, row.map { $0.plainText ?? "" }))
            }
        }

        func export(_ name: String, _ more: [(name: String, value: String)] = []) throws -> [[String: String]] {
            let text = try Exporting.text(Exporting.request(name, parameters + more, now: now), of: events)
            return try #require(CSVText(text)).records
        }
    }

    /// A number with the given number of decimals.
    private static func decimal(_ text: String?, decimals: Int) -> Int128 {
        guard let text, !text.isEmpty else { return 0 }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        #expect(fraction.count <= decimals)
        let digits = parts[0] + fraction + String(repeating: "0", count: decimals - fraction.count)
        return Int128(digits) ?? 0
    }

    private static func shown(_ number: Int128, decimals: Int) -> String {
        var unit: Int128 = 1
        for _ in 6..<decimals { unit *= 10 }
        return ReportCell.decimal(millionths: roundedQuotient(number, by: unit)).plainText ?? ""
    }

    /// The touches and installs of each post are those of `posts --each`, which names posts by their events here.
    @Test(arguments: seeds) func postsAreThoseOfTheReport(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let random = Case(seed: seed)
            let touches = try random.export("touches")
            let credits = try random.export("credits", [("event", "install"), ("model", "last"), ("lookback", "7d")])
            for row in try random.report("posts", [("each", "true"), ("limit", "10000")]) where row["post"] != "total" {
                let own = touches.filter { $0["post_event_id"] == row["post"] }
                #expect(String(own.count) == row["touches"], "seed \(seed): \(row)")
                let units = credits.filter { $0["post_event_id"] == row["post"] }
                    .map { Int128($0["credit_units"] ?? "") ?? 0 }.reduce(0, +)
                #expect(CreditSum(units: units).unitsCell.plainText == row["installs"], "seed \(seed): \(row)")
            }
        }
    }

    /// The rows of people who meet conditions add up to the reports about them.
    @Test(arguments: seeds) func rowsOfSomePeopleAreThoseOfTheReports(seeds: Range<UInt64>) throws {
        let conditions = [
            (name: "with", value: "touch[channel=story_links]|conversion[outcome=paid]"),
            (name: "without", value: "app_open>=3"),
        ]
        let ofCredits = conditions + [(name: "event", value: "conversion"), (name: "model", value: "linear")]
        for seed in seeds {
            let random = Case(seed: seed)
            let touches = try random.export("touches", conditions).count
            #expect(try random.report("channels", conditions).last?["touches"] == String(touches), "seed \(seed)")
            let credits = try random.export("credits", ofCredits)
            let units = credits.map { Int128($0["credit_units"] ?? "") ?? 0 }.reduce(0, +)
            let total = try random.report("attribution", ofCredits).last?["credits"]
            #expect(CreditSum(units: units).unitsCell.plainText == total, "seed \(seed)")
        }
    }

    @Test(arguments: seeds) func creditsAreThoseOfAttribution(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let random = Case(seed: seed)
            for event in ["install", "conversion"] {
                let parameters = [
                    (name: "event", value: event), (name: "model", value: "all"), (name: "lookback", value: "30d"),
                ]
                let credits = try random.export("credits", parameters)
                let groups = Dictionary(grouping: credits) { "\($0["model"] ?? "") \($0["channel"] ?? "")" }
                for row in try random.report("attribution", parameters) {
                    let name = row["group"] ?? ""
                    let of =
                        name == "total"
                        ? credits.filter { $0["model"] == row["model"] }
                        : groups["\(row["model"] ?? "") \(name)"] ?? []
                    let units = of.map { Int128($0["credit_units"] ?? "") ?? 0 }.reduce(0, +)
                    let said = "seed \(seed): \(event) \(row)"
                    #expect(CreditSum(units: units).unitsCell.plainText == row["credits"], "\(said)")
                    let credit = of.map { Self.decimal($0["credit"], decimals: 15) }.reduce(0, +)
                    #expect(Self.shown(credit, decimals: 15) == row["credits"], "\(said)")
                    // Exactly, and by the parts, each of which may be off by one in the 12th decimal.
                    let value = of.map {
                        (Int128($0["credit_units"] ?? "") ?? 0) * Self.decimal($0["event_value"], decimals: 6)
                    }
                    .reduce(0, +)
                    #expect(CreditSum(units: units, value: value).valueCell.plainText == row["value"] ?? "0", "\(said)")
                    let parts = of.map { Self.decimal($0["value"], decimals: 12) }.reduce(0, +)
                    let whole = roundedQuotient(value * 1_000_000, by: Int128(CreditUnits.one))
                    #expect((parts - whole).magnitude <= of.count, "\(said)")
                }
                for (_, rows) in Dictionary(grouping: credits, by: { "\($0["model"] ?? "") \($0["event_id"] ?? "")" }) {
                    let credit = rows.map { Self.decimal($0["credit"], decimals: 15) }.reduce(0, +)
                    #expect(credit == 1_000_000_000_000_000)
                    #expect(rows.map { Int64($0["credit_units"] ?? "") ?? 0 }.reduce(0, +) == CreditUnits.one)
                    let value = rows.map { Self.decimal($0["value"], decimals: 12) }.reduce(0, +)
                    #expect(value == Self.decimal(rows[0]["event_value"], decimals: 12))
                }
            }
        }
    }

    @Test(arguments: seeds) func creditsSplitByRefAreThoseOfAttribution(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let random = Case(seed: seed)
            var sums: [String: Int128] = [:]
            for credit in try random.export("credits", [("model", "position")]) {
                let units = Int64(credit["credit_units"] ?? "") ?? 0
                let refs = (credit["refs"] ?? "").split(separator: ",").map(String.init)
                if credit["channel"] == "direct" {
                    sums["direct", default: 0] += Int128(units)
                } else if refs.isEmpty {
                    sums["(none)", default: 0] += Int128(units)
                }
                for ref in refs { sums[ref, default: 0] += Int128(units) / Int128(refs.count) }
            }
            for row in try random.report("attribution", [("model", "position"), ("by", "ref")])
            where row["group"] != "total" {
                let units = sums[row["group"] ?? ""] ?? 0
                #expect(CreditSum(units: units).unitsCell.plainText == row["credits"], "seed \(seed): \(row)")
            }
        }
    }

    @Test(arguments: seeds) func creditsTellWhatNamedTheirRefs(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let random = Case(seed: seed)
            let credits = try random.export("credits", [("model", "last")])
            for row in try random.report("attribution", [("model", "last"), ("by", "ref_from")])
            where !["direct", "total"].contains(row["group"]) {
                let name = row["group"] == "(none)" ? "" : row["group"]
                let units = credits.filter { $0["channel"] != "direct" && $0["ref_from"] == name }
                    .map { Int128($0["credit_units"] ?? "") ?? 0 }.reduce(0, +)
                #expect(CreditSum(units: units).unitsCell.plainText == row["credits"], "seed \(seed): \(row)")
            }
        }
    }

    @Test(arguments: seeds) func touchesAreThoseOfTheReports(seeds: Range<UInt64>) throws {
        func person(_ row: [String: String]) -> String? {
            row["person_kind"] == "event" ? nil : "\(row["person_kind"] ?? "") \(row["person_id"] ?? "")"
        }
        func check(_ touches: [[String: String]], _ row: [String: String], _ seed: UInt64) {
            #expect(String(touches.count) == row["touches"], "seed \(seed): \(row)")
            #expect(String(Set(touches.compactMap(person)).count) == row["people"], "seed \(seed): \(row)")
            let authenticated = touches.count { $0["authenticated"] == "true" }
            #expect(String(authenticated) == row["authenticated_touches"], "seed \(seed): \(row)")
        }
        for seed in seeds {
            let random = Case(seed: seed)
            let touches = try random.export("touches")
            for row in try random.report("channels") where row["channel"] != "direct" {
                check(
                    row["channel"] == "total" ? touches : touches.filter { $0["channel"] == row["channel"] },
                    row,
                    seed
                )
            }
            for row in try random.report("refs") where row["ref"] != "direct" && row["ref"] != "total" {
                let of = touches.filter { touch in
                    let refs = touch["refs"]?.split(separator: ",").map(String.init) ?? []
                    return row["ref"] == "(none)" ? refs.isEmpty : refs.contains(row["ref"] ?? "")
                }
                check(of, row, seed)
            }
        }
    }

    @Test(arguments: seeds) func peopleAddUpToTheTotals(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let random = Case(seed: seed)
            let people = try random.export("people")
            let keys = people.map { "\($0["person_kind"] ?? "") \($0["person_id"] ?? "")" }
            #expect(Set(keys).count == people.count)
            let channels = try #require(random.report("channels").last)
            let posts = try #require(random.report("posts").last)
            func sum(_ column: String) -> String {
                Self.shown(people.map { Self.decimal($0[column], decimals: 6) }.reduce(0, +), decimals: 6)
            }
            #expect(sum("installs") == channels["installs"], "seed \(seed)")
            #expect(sum("conversions") == channels["conversions"], "seed \(seed)")
            #expect(sum("value") == channels["value"], "seed \(seed)")
            #expect(String(people.count { $0["touches"] != "0" }) == channels["people"], "seed \(seed)")
            #expect(String(people.count { $0["posts"] != "0" }) == posts["posters"], "seed \(seed)")

            let touches = try random.export("touches").filter { $0["person_kind"] != "event" }
            #expect(sum("touches") == String(touches.count))
            for (key, row) in zip(keys, people) {
                let own = touches.filter { "\($0["person_kind"] ?? "") \($0["person_id"] ?? "")" == key }
                #expect(row["first_touch_id"] == own.first?["event_id"] ?? "")
                #expect(row["first_channel"] == own.first?["channel"] ?? "")
                #expect(row["first_refs"] == own.first?["refs"] ?? "")
                let first = try #require(Timestamp(rfc3339: row["first_event_at"] ?? ""))
                let last = try #require(Timestamp(rfc3339: row["last_event_at"] ?? ""))
                #expect(first <= last)
            }
        }
    }
}
