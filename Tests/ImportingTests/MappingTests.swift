import Importing
import Testing

@Suite("Mappings")
struct MappingTests {
    private static let whole = """
        fields:
          type: conversion
          name: purchase
          user_id: {column: user}
          occurred_at: {column: time, zone: UTC}

        """

    /// The message of a mapping that cannot be used.
    private static func message(_ yaml: String) -> String? {
        do {
            _ = try ImportMapping(yaml: yaml, name: "map.yaml")
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func mayBeShort() {
        #expect(Self.message(Self.whole) == nil)
    }

    /// Each message names the line and what is allowed there.
    @Test(
        arguments: [
            ("", "map.yaml is empty"),
            ("a: [", "map.yaml is not YAML: line"),
            ("fields: {type: install}\nfields: {type: install}", "appears twice: fields"),
            ("field: {}", "map.yaml:1: unknown key 'field' (did you mean 'fields'?)"),
            ("- a", "map.yaml:1: expected 'key: value' lines"),
            ("fields: {type: instal, occurred_at: {column: t}}", "no event type 'instal' (did you mean 'install'?)"),
            ("fields: {occurred_at: {column: t}}", "an event needs a type: inbound_link, feed_post"),
            ("fields: {type: install}", "an event needs its occurred_at"),
            (
                "fields:\n  type: install\n  usr_id: {column: u}",
                "map.yaml:3: unknown key 'usr_id' (did you mean 'user_id'?)"
            ),
            ("fields: {type: install, name: x, occurred_at: {column: t}}", "install has no field name"),
            ("fields: {type: install, sent_at: {column: t}}", "unknown key 'sent_at'"),
            ("fields:\n  user_id: {colum: u}", "map.yaml:2: unknown key 'colum' (did you mean 'column'?)"),
            ("fields:\n  user_id: {default: u}", "map.yaml:2: user_id needs a 'column'"),
            (
                "fields:\n  user_id: {column: u, format: rfc3339}",
                "'format' and 'zone' are only for times; user_id is not a time"
            ),
            ("fields:\n  user_id: {column: u, decimal: comma}", "'decimal' is only for value"),
            (
                "fields:\n  user_id: {column: u, as: json}",
                "'as' is only for properties and ref; the type of user_id is fixed"
            ),
            ("fields:\n  user_id: {column: u, other: keep}", "'other' needs 'values'"),
            (
                "fields:\n  user_id: {column: u, values: {a: b}, other: ignore}",
                "other must be reject, keep, omit, skip"
            ),
            ("fields:\n  occurred_at: {column: t, format: iso}", "format must be datetime, rfc3339, unix_seconds"),
            ("fields:\n  occurred_at: {column: t, format: '%Y'}", "a pattern must have a whole date"),
            ("fields:\n  occurred_at: {column: t, format: '%Y-%m-%d'}", "add the 'zone' of its times"),
            ("fields:\n  occurred_at: {column: t, zone: Europe/Berln}", "did you mean 'Europe/Berlin'?"),
            ("fields:\n  occurred_at: yesterday", "map.yaml:2: 'yesterday' is not a time"),
            ("fields:\n  paid: perhaps", "'perhaps' is not true or false"),
            ("time: {zone: Mars}", "there is no time zone 'Mars'"),
            ("csv: {delimiter: ab}", "delimiter must be comma, semicolon, tab, pipe"),
            ("csv: {quote: ''}", "quote must be one ASCII character, or none"),
            ("csv: {quote: ','}", "quote and delimiter must differ"),
            ("csv: {header: maybe}", "expected true or false"),
            ("csv: {columns: [a, b]}", "add 'header: false'"),
            ("csv: {header: false, columns: [a, a]}", "two columns have the same name"),
            ("csv: {skip_lines: -1}", "skip_lines must be a number of lines"),
            ("unmatched: ignore", "unmatched must be skip, reject"),
            ("events: []", "the list of events is empty"),
            ("events: {}", "expected a list"),
            ("events: [{when: {}}]", "expected a condition"),
            ("skip: {a: {nott: b}}", "unknown key 'nott' (did you mean 'not'?)"),
            ("skip: {a: {not: b, empty: true}}", "a condition is a value"),
            ("id: {a: b}", "expected a single value"),
        ]
    )
    func sayWhatIsWrong(yaml: String, part: String) throws {
        let message = try #require(Self.message(yaml))
        #expect(message.contains(part), "\(message)")
    }
}
