import Events
import InboundLinks
import JSONReading
import Postgres
@testable import Reporting
import Storage
import Testing
import Text
import Timelines

/// Declared properties as keys of reports (docs/properties.md), by example. The oracle knows the rules in full.
@Suite("Declared properties")
struct PropertyTests {
    private let app = Asking.app(properties: RandomStream.declared)

    private func event(_ number: UInt64, _ user: String, _ content: Event.Content, _ properties: String) -> Event {
        var event = OracleEvents.event(number, at: Double(number), user: user, content)
        event.properties = properties
        return event
    }

    private var events: [Event] {
        [
            event(1, "ann", .inboundLink(OracleEvents.touch()), #"{"placement":"top"}"#),
            event(2, "ann", .conversion(Conversion(name: "buy")), #"{"plan":"pro","tier":"gold"}"#),
            event(3, "bob", .inboundLink(OracleEvents.touch(.search)), #"{"placement":"total","plan":"free"}"#),
            event(4, "bob", .conversion(Conversion(name: "buy")), #"{"plan":"pro","tier":7}"#),
            event(5, "cy", .conversion(Conversion(name: "buy")), #"{"plan":"pro","placement":"top"}"#),
        ]
    }

    private func rows(_ name: String, _ parameters: KeyValuePairs<String, String>) throws -> [[String]] {
        let request = try Asking.request(name, parameters, now: OracleEvents.time(20), app: app)
        return try Asking.rows(request, of: events)
    }

    /// The cells of some columns.
    private func cells(_ rows: [[String]], _ columns: [Int]) -> [String] {
        rows.map { row in columns.map { row[$0] }.joined(separator: " ") }
    }

    @Test func touchesHaveTheirOwnValue() throws {
        let rows = try rows("breakdown", ["by": "placement"])
        #expect(cells(rows, [0, 1, 5]) == [#""total" 1 1"#, "top 1 1", "direct 0 1", "total 2 3"])
    }

    /// Ann's plan comes after her touch; bob's first one counts; cy has no touch.
    @Test func peopleHaveTheirEarliestValue() throws {
        #expect(
            cells(try rows("breakdown", ["by": "plan"]), [0, 1, 5]) == [
                "free 1 1", "pro 1 2", "direct 0 0", "total 2 3",
            ]
        )
        #expect(try rows("channels", ["where": "plan=pro"]).last?[5] == "2")
    }

    @Test func conversionsHaveTheirOwnValue() throws {
        // Only one tier has rows of its own: of two that one conversion has, "7" comes first.
        #expect(cells(try rows("goals", ["where": "tier=7"]), [0, 1]) == ["buy 1", "total 1"])
        #expect(cells(try rows("goals", ["where": "tier=gold"]), [0, 1]) == ["total 0"])
        #expect(cells(try rows("goals", ["where": "tier=(others)"]), [0, 1]) == ["buy 1", "total 1"])
    }

    @Test func stepsMayHaveConditions() throws {
        let steps = "touch[placement=top],conversion:buy[tier=(others)]"
        let rows = try rows("funnel", ["steps": steps])
        #expect(cells(rows, [2, 3]) == ["touch[placement=top] 1", "conversion:buy[tier=(others)] 1"])
    }

    @Test(
        arguments: [
            ("touch[ref=a],install", nil), ("touch[ref=a,b][platform=ios],install|conversion[tier=gold]", nil),
            (#"conversion:level\[2\],conversion:a[plan=x\]y]"#, nil),
            ("touch[ref=a,install", "has a bracket too many or too few"),
            ("touch]x,install", "has a bracket too many or too few"),
            ("touch[ref=a]x,install", "has a bracket too many or too few"),
            ("install,touch[ref]", "'ref' is not KEY=VALUE or KEY!=VALUE"),
            ("touch[ref=a,b][ref=b,c][ref!=a],install", nil),
            ("touch[ref=a][ref=b],install", "no event meets both 'ref=a' and 'ref=b'"),
            ("touch,install[ref=a]", "'install' cannot be limited to a ref (step 2)"),
            ("touch,install[tier=gold]", "'install' cannot be limited to a tier (step 2)"),
            ("touch,instal[platform=ios]", "unknown step 'instal'; did you mean 'install'? (step 2)"),
        ] as [(String, String?)]
    )
    func conditionsAreRead(steps: String, problem: String?) throws {
        guard let problem else {
            let request = try Asking.request("funnel", ["steps": steps], app: app)
            let report = try #require(request.report as? FunnelReport)
            #expect(report.funnel.steps.map(\.description).joined(separator: ",") == steps)
            return
        }
        let error = #expect(throws: ReportError.self) {
            _ = try Asking.request("funnel", ["steps": steps], app: app)
        }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("channels", "by", "tier"), ("channels", "where", "tier=gold"), ("breakdown", "by", "tier"),
        ("activity", "by", "tier"), ("goals", "where", "placement=top"), ("logins", "where", "plan=pro"),
        ("attribution", "by", "tier"), ("viral", "by", "plan"),
    ])
    func areRefusedWhereTheyMeanNothing(report: String, parameter: String, value: String) {
        #expect(throws: ReportError.self) { _ = try Asking.request(report, [parameter: value], app: app) }
    }

    @Test(arguments: [
        ("plan", true), ("Plan-2.b", true), ("_x", true), ("2x", false), ("", false), ("a b", false), ("a,b", false),
        ("country", false), ("Country", false), ("page\u{E9}", false), ("people", false), ("poster", false),
        ("previous_touches", false), ("change_touches", false), (String(repeating: "a", count: 65), false),
    ])
    func haveNamesOfTheirOwn(name: String, isFree: Bool) {
        #expect((AppProperty.problem(withName: name) == nil) == isFree)
    }

    /// However an event spells a value. A text that is told otherwise than its row has is found by a condition, too.
    @Test func equalValuesHaveOneRow() throws {
        let spellings = [
            "1", "1.0", "1e0", #""1""#, #"" 1\t""#, #""\u00a01\ufeff""#, #""1.0""#, #""\u200b1.0\u3000""#,
            "9007199254740993", #""cafe\u0301""#,
        ]
        let events = spellings.enumerated().map { number, value in
            event(
                UInt64(number),
                "user \(number)",
                .inboundLink(OracleEvents.touch()),
                #"{"placement":\#(value)}"#
            )
        }
        func rows(_ name: String, _ parameters: KeyValuePairs<String, String>) throws -> [[String]] {
            try Asking.rows(Asking.request(name, parameters, now: OracleEvents.time(20), app: app), of: events)
        }
        #expect(
            cells(Array(try rows("breakdown", ["by": "placement"]).dropLast(2)), [0, 1]) == [
                "1 6", "1.0 2", "9007199254740993 1", "caf\u{E9} 1",
            ]
        )
        for (value, count) in [
            ("1", "6"), ("1.0", "2"), ("1.00", "6"), ("1e0", "6"), ("cafe\u{301}", "1"), ("\u{A0}1\u{FEFF}", "6"),
        ] {
            #expect(try rows("channels", ["where": "placement=\(value)"]).last?[1] == count, "\(value)")
        }
    }

    /// Reports read values by a function in SQL; the receipt of an event, and conditions, by one in Swift.
    @Test func theDatabaseReadsTheSameValues() async throws {
        let values: [String] = [
            "1", "1.0", "1e0", "-0", "-0.0", "0.0e5", "1.50", "100", "1e2", "1E21", "1e255", "1e256", "-1e255",
            "-1e254",
            "9007199254740993", "9007199254740993.0", "9007199254740993.5", "12345678901234567890.125", "0.1", "0.3",
            "0.000001", "0.00000099", "9.9999999999999999999e-7", "1e-7", "-1.25e-9", "1.5e-10", "5e-300", "1e-307",
            "2.5e-310", "5e-324", "-4.9e-324", "3e-324", "0.\(String(repeating: "0", count: 323))3",
            "0.\(String(repeating: "0", count: 323))2",
            "333333333.33333329", "123456789.123456789", "0.99999999999999999999", "1e23", "4.35", "100.25e-1",
            "0.\(String(repeating: "3", count: 300))", "0.\(String(repeating: "0", count: 330))1",
            "0.\(String(repeating: "0", count: 315))12", "\(String(repeating: "7", count: 256)).5",
            "\(String(repeating: "7", count: 310)).5", String(repeating: "7", count: 257), "true", "false", "null",
            "[1]", "{}", #""""#, #"" \t\r\n""#, #"" pro ""#, #""1.0""#,
            #""\u00a0pro\u3000""#, #""\u200bpro \ufeff""#, #"" \u0301pro""#, #""\u2764\ufe0f""#, #""cafe\u0301""#,
            #""\u1112\u1161\u11ab""#,
            #""\#(String(repeating: "e\u{301}", count: 128))""#, #""\#(String(repeating: "x", count: 257))""#,
        ]
        try await FigureTesting.with { testing in
            for value in values {
                let json = #"{"p":\#(value)}"#
                let stored = try await testing.pool.withConnection { connection in
                    try connection.query("select (declared_properties($1::jsonb, '{p}'))[2]", [.text(json)])[0]
                        .optionalText(0)
                }
                let node = try #require(try JSONDocument(reading: json.utf8).root["p"])
                let read = PropertyValue.value(of: node)
                #expect(stored.map { Array($0.utf8) } == read.map { Array($0.utf8) }, "\(value)")
            }
        }
    }

    /// The list in SQL is that in Swift.
    @Test func theDatabaseTrimsTheSameCharacters() async throws {
        try await FigureTesting.with { testing in
            let trimmed = try await testing.pool.withConnection { connection in
                try connection.query(
                    """
                    select string_agg(chr(code), '' order by code)
                    from generate_series(1, 65533) as code
                    where code not between 55296 and 57343
                        and (declared_properties(jsonb_build_object('p', chr(code) || 'x' || chr(code)), '{p}'))[2] = 'x'
                    """
                )[0].text(0)
            }
            let all = (1...0x10FFFF as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }
            #expect(Array(trimmed.unicodeScalars) == all.filter(\.isBlank))
        }
    }

    /// While nothing is packed, no report needs to wait for a property.
    @Test func historySaysWhichItIsNotPackedWith() async throws {
        try await FigureTesting.with { testing in
            let store = AppStore(pool: testing.pool)
            let app = try await testing.makeApp("late", properties: [AppProperty("plan", of: .person)])
            #expect(await store.historyNotice(of: app, asking: app.properties) == nil)
            try await testing.store(events, of: app)
            _ = try await TimelinePacker(app: app, pool: testing.pool).rebuild()
            #expect(await store.historyNotice(of: app, asking: app.properties) == nil)
            try await store.declare(AppProperty("tier", of: .touch), of: app)
            let declared = try await store.app(id: "late")
            let notice = await store.historyNotice(of: declared, asking: declared.properties)
            #expect(notice?.hasPrefix("history is not packed with the property 'tier' yet") == true)
        }
    }

    /// Whether events are packed or not. A text `1.0` would have a row of its own.
    @Test(arguments: [false, true]) func aConditionFindsAValueSpelledOtherwise(arePacked: Bool) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("spelled", properties: [AppProperty("placement", of: .touch)])
            let events = ["1", "1.0", #"" 2.0 ""#].enumerated().map { number, value in
                event(
                    UInt64(number + 1),
                    "user \(number)",
                    .inboundLink(OracleEvents.touch()),
                    #"{"placement":\#(value)}"#
                )
            }
            try await testing.store(events, of: app)
            if arePacked { try await TimelinePacker(app: app, pool: testing.pool).pack() }
            for (value, count) in [("1", "2"), ("1.00", "2"), ("2.0", "1"), ("2", "0")] {
                let request = try Asking.request(
                    "channels",
                    ["where": "placement=\(value)"],
                    now: OracleEvents.time(20),
                    app: app
                )
                let result = try await ReportRunner.run(request, on: testing.pool)
                #expect(result.table.rows.last?[1] == .integer(Int64(count) ?? -1), "\(value)")
                #expect(result.warnings.isEmpty == (value != "2"), "\(value)")
            }
        }
    }
}
