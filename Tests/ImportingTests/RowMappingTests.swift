import Events
@testable import Importing
import InboundLinks
import Time
import Testing

/// The events that a mapping makes of rows, as JSON, and the rejections.
@Suite("Rows become events")
struct RowMappingTests {
    private struct Outcome: Equatable {
        var events: [String] = []
        var rejected: [String] = []
        var skipped = 0
    }

    /// Ids are left out if they follow from the place in the file.
    private static func map(_ csv: String, _ yaml: String, keepingIDs: Bool = false) throws -> Outcome {
        let mapping = try ImportMapping(yaml: yaml, name: "map.yaml")
        let content = RowContent(file: "x.csv", mapping: mapping, appID: "shop")
        content.append(Array(csv.utf8))
        content.finish()
        var batch: ImportBatch? = ImportBatch()
        while try content.read(into: &batch) {}
        guard let batch else { return Outcome() }
        let decoder = BatchDecoder(
            appID: "shop",
            receivedAt: Timestamp(rfc3339: "2026-06-01T00:00:00Z") ?? .now
        )
        let decoded = try batch.decoded(by: decoder, columns: content.columns)
        let lines = batch.lines.map { String(decoding: $0, as: UTF8.self) }
        return Outcome(
            events: decoded.positions.map { position in
                keepingIDs
                    ? lines[position]
                    : lines[position].replacing(/,?"event_id":"[0-9a-f-]{36}"/, with: "")
            },
            rejected: decoded.rejected.map(\.description),
            skipped: batch.skipped
        )
    }

    private static let purchase = """
        time: {zone: UTC}
        fields:
          type: conversion
          user_id: {column: user}
          occurred_at: {column: time}

        """

    @Test func haveConstantsColumnsAndDefaults() throws {
        let outcome = try Self.map(
            "user,time,what,amount,unit\nu1,2026-05-01,buy,\"1.234,50\",\nu2,2026-05-02,,,\n",
            Self.purchase + """
                  name: {column: [what, user], values: {buy: purchase}, other: keep}
                  value: {column: amount, decimal: comma, default: 0}
                  currency: {column: unit, default: EUR}
                  properties:
                    plan: pro
                    seats: 3
                    'yes': 'true'
                    raw: {column: what}
                """
        )
        #expect(
            outcome.events == [
                #"{"type":"conversion","user_id":"u1","occurred_at":"2026-05-01T00:00:00Z","name":"purchase","#
                    + #""value":"1234.50","currency":"EUR","properties":{"plan":"pro","seats":3,"yes":"true","raw":"buy"}}"#,
                #"{"type":"conversion","user_id":"u2","occurred_at":"2026-05-02T00:00:00Z","name":"u2","#
                    + #""value":"0","currency":"EUR","properties":{"plan":"pro","seats":3,"yes":"true"}}"#,
            ]
        )
        #expect(outcome.rejected == [])
    }

    @Test func areTakenByRules() throws {
        let yaml = """
            skip: [{kind: test}, {user: {empty: true}}]
            time: {format: unix_seconds}
            fields:
              user_id: {column: user}
              occurred_at: {column: time}
            events:
              - when: {kind: [open, launch]}
                fields: {type: inbound_link, channel: search, paid: {column: ad}}
              - when: [{kind: install}, {kind: launch}]
                fields: {type: install}
              - when: {kind: {not: [open, launch, install]}, ad: '1'}
                fields: {type: conversion, name: {column: kind}}
            """
        let csv = """
            kind,user,time,ad
            open,u1,1779000000,yes
            launch,u2,1779000000,0
            test,u3,1779000000,
            install,,1779000000,
            sale,u4,1779000000,1
            sale,u5,1779000000,
            """
        let outcome = try Self.map(csv, yaml)
        #expect(
            outcome.events == [
                #"{"user_id":"u1","occurred_at":"2026-05-17T06:40:00Z","type":"inbound_link","channel":"search","paid":true}"#,
                #"{"user_id":"u2","occurred_at":"2026-05-17T06:40:00Z","type":"inbound_link","channel":"search","paid":false}"#,
                #"{"user_id":"u2","occurred_at":"2026-05-17T06:40:00Z","type":"install"}"#,
                #"{"user_id":"u4","occurred_at":"2026-05-17T06:40:00Z","type":"conversion","name":"sale"}"#,
            ]
        )
        #expect(outcome.skipped == 3)
        let strict = try Self.map(csv, "unmatched: reject\n" + yaml)
        #expect(strict.rejected == ["line 7: invalid_row: no rule of the mapping matches this row"])
    }

    @Test func sayTheColumnThatIsWrong() throws {
        let outcome = try Self.map(
            """
            user,time,what,price,unit,flag
            u1,yesterday,buy,1,EUR,
            0,2026-05-01,buy,1,EUR,
            u1,2026-05-01,sell,1,EUR,
            u1,2026-05-01,buy,much,EUR,
            u1,2026-05-01,buy,1,EURO,
            u1,2026-05-01,buy,1
            u1,2026-05-01,buy,1,EUR,maybe
            u1,2020-05-01,buy,1,EUR,
            "u1"x,2026-05-01,buy,1,EUR,
            """,
            Self.purchase + """
                  name: {column: what, values: {buy: purchase}}
                  value: {column: price}
                  currency: {column: unit}
                  properties: {f: {column: flag, as: flag}}
                """
        )
        #expect(outcome.events == [])
        #expect(
            outcome.rejected == [
                "line 2, column 'time': invalid_value: occurred_at must be a time such as 2026-01-31 12:00:00",
                "line 3, column 'user': junk_id: "
                    + "user_id is blank or a placeholder for a missing id, which would merge people; leave it out",
                "line 4, column 'what': invalid_value: name has a value that 'values' does not list",
                "line 5, column 'price': invalid_value: value must be a decimal number such as 12.50, "
                    + "between -10^12 and 10^12",
                "line 6, column 'unit': invalid_value: currency must be an ISO 4217 code, such as EUR",
                "line 7: invalid_row: the row has 4 columns instead of 6",
                "line 8, column 'flag': invalid_value: f must be true or false, 1 or 0, yes or no",
                "line 9, column 'time': too_old: occurred_at is older than the retention period of 400 days",
                "line 10: invalid_row: column 1 has text after its closing quote; double a quote that belongs to the text",
            ]
        )
    }

    @Test func haveIDsOfColumnsOrOfTheirPlace() throws {
        let csv = "user,time,n\nu1,2026-05-01,1\nu1,2026-05-01,1\nu1,2026-05-01,2\n"
        let place = try Self.map(csv, Self.purchase + "  name: x\n", keepingIDs: true)
        #expect(Set(place.events).count == 3)
        #expect(try Self.map(csv, Self.purchase + "  name: x\n", keepingIDs: true) == place)
        let columns = try Self.map(csv, "id: [user, n]\n" + Self.purchase + "  name: x\n", keepingIDs: true)
        #expect(Set(columns.events).count == 2)
        let other = try Self.map(csv, "id: [user, n]\n" + Self.purchase + "  name: y\n", keepingIDs: true)
        #expect(Set(other.events).isDisjoint(with: columns.events))
        let empty = try Self.map("user,time,n\nu1,2026-05-01,\n", "id: n\n" + Self.purchase + "  name: x\n")
        #expect(empty.rejected == ["line 2, column 'n': missing_field: the columns of the id are empty"])
    }

    @Test func mayHaveNoHeader() throws {
        let yaml = """
            csv: {header: false, skip_lines: 1, delimiter: tab}
            fields: {type: install, user_id: {column: 1}, occurred_at: {column: 3, format: unix_milliseconds}}
            """
        let expected = [#"{"type":"install","user_id":"u1","occurred_at":"2026-05-17T06:40:00Z"}"#]
        #expect(try Self.map("# made by hand\nu1\tx\t1779000000000\n", yaml).events == expected)
        let named = yaml.replacing("delimiter: tab", with: "delimiter: tab, columns: [who, what, '3']")
            .replacing("column: 1", with: "column: who")
        #expect(try Self.map("# made by hand\nu1\tx\t1779000000000\n", named).events == expected)
    }

    /// The name of a campaign is one ref. Only a column that is said to hold a list has several.
    @Test func haveOneRefOfAColumn() throws {
        let csv = "time,campaign\n2026-05-01,\"Sale, autumn\"\n2026-05-02,\", x,,y ,\"\n2026-05-03,\n"
        let yaml = Self.purchase.replacing("type: conversion", with: "type: link_click")
            .replacing("user_id: {column: user}", with: "channel: other")
        func refs(_ ref: String) throws -> [String] {
            try Self.map(csv, yaml + "  ref: \(ref)\n").events.map { event in
                event.firstMatch(of: /"ref":("[^"]*"|\[.*?\])/).map { String($0.1) } ?? "-"
            }
        }
        #expect(try refs("{column: campaign}") == [#""Sale autumn""#, #""x y""#, "-"])
        let lists = try refs("{column: campaign, as: list, default: 'a,b'}")
        #expect(lists == [#""Sale, autumn""#, #"", x,,y ,""#, #""a,b""#])
        #expect(try refs("{column: campaign, default: 'a,b'}").last == #""a,b""#)
        #expect(try refs("a,b").first == #""a,b""#)
    }

    @Test func mayHavePropertiesAsJSON() throws {
        let yaml = Self.purchase + "  name: x\n  properties: {column: extra}\n"
        let outcome = try Self.map(
            "user,time,extra\nu1,2026-05-01,\"{\"\"a\"\": [1,\n2]}\"\nu2,2026-05-01,\nu3,2026-05-01,{a\nu4,2026-05-01,7\n",
            yaml
        )
        #expect(outcome.events.count == 2)
        #expect(outcome.events[0].contains(#""properties":{"a": [1, 2]}"#))
        #expect(outcome.rejected.map { $0.prefix(40) }.allSatisfy { $0.contains("column 'extra'") })
        #expect(outcome.rejected.count == 2)
    }

    @Test(
        arguments: [
            ("usr,time\n", "has no column 'user', which map.yaml:4 uses (did you mean 'usr'?)"),
            ("user,user,time\n", "2 columns have the name 'user'"),
            ("us\"er,time\n", "the header cannot be read"),
        ]
    )
    func needTheColumnsOfTheMapping(csv: String, part: String) {
        let error = #expect(throws: ImportError.self) { try Self.map(csv, Self.purchase + "  name: x\n") }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
