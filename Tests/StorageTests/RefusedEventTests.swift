import Events
import Postgres
import Testing

@testable import Storage

/// An event that the database refuses whenever it is asked becomes a dead letter, and holds up no other.
@Suite("Events that the database refuses")
struct RefusedEventTests {
    typealias Base = StorageTesting

    /// A trigger that refuses the events of one device with the SQLSTATE that is their user.
    static func withRefusingDatabase(
        of table: String = "event",
        when condition: String = "new.device_id = 'poison'",
        state: String = "new.user_id",
        _ body: @Sendable (Base) async throws -> Void
    ) async throws {
        try await Base.with { base in
            try await base.run(
                """
                create function refuse() returns trigger language plpgsql as $$
                begin
                    if \(condition) then raise exception 'refused' using errcode = \(state); end if;
                    return new;
                end $$;
                create trigger refuse before insert on \(table) for each row execute function refuse();
                """
            )
            try await body(base)
        }
    }

    /// Data, constraints, limits, and what functions and triggers raise.
    static let ofEvents = [
        "22P02", "22P05", "22021", "22003", "23502", "23503", "23505", "23514", "23P01", "54000", "54011", "P0001",
        "P0004", "38000", "39000", "2F005", "21000", "27000", "44000", "09000",
    ]
    /// What either an event or the database may be at fault for.
    static let ofEither = ["42501", "42883", "XX000", "XX002", "0A000", "55000", "F0000"]

    @Test func becomeDeadLettersAlone() async throws {
        try await Self.withRefusingDatabase { base in
            var stored = 0
            for (number, state) in (Self.ofEvents + Self.ofEither).enumerated() {
                var events = (0..<9).map { Base.event(UInt64(number * 10 + $0), user: "u", device: "d") }
                events[5].userID = state
                events[5].deviceID = "poison"
                let receipt = try await base.store(events)
                #expect(receipt == WriteReceipt(duplicates: 0, refused: [5]), "\(state)")
                stored += 8
                let counts = [
                    try await base.count("select count(*) from event"),
                    try await base.count("select count(*) from rejected_event"),
                ]
                #expect(counts == [stored, number + 1], "\(state)")
                guard Self.ofEvents.contains(state) else { continue }
                // Sent again, as by a client that had no answer.
                let again = try await base.store(events)
                #expect(again == WriteReceipt(duplicates: 8, refused: [5]), "\(state)")
            }
        }
    }

    @Test func areKnownWithoutOthers() async throws {
        try await Self.withRefusingDatabase { base in
            for (number, state) in Self.ofEvents.enumerated() {
                let event = Base.event(UInt64(number), user: state, device: "poison")
                let refused = try await base.store([event]).refused
                #expect(refused == [0], "\(state)")
            }
        }
    }

    /// If no event of a group can be stored, the database is at fault, and nothing is given up.
    @Test func areNotToBlameForTheDatabase() async throws {
        try await Self.withRefusingDatabase(when: "true", state: "'42501'") { base in
            let events = (0..<20).map { Base.event(UInt64($0), user: "u", device: "d") }
            await #expect(throws: EventWriterError.self) { try await base.store(events) }
            await #expect(throws: EventWriterError.self) { try await base.store([events[0]]) }
            #expect(try await base.count("select count(*) from rejected_event") == 0)
            try await base.run("drop trigger refuse on event")
            #expect(try await base.store(events).refused == [])
        }
    }

    /// Such as text that the encoding of the database does not have.
    @Test func areKeptWithLessTextIfThatIsRefusedToo() async throws {
        try await Self.withRefusingDatabase(
            of: "rejected_event",
            when: "new.event ~ '[^[:ascii:]]' or new.event like '%poison%'",
            state: "'22P05'"
        ) { base in
            var events = (0..<4).map { Base.event(UInt64($0), user: "u", device: "d") }
            for place in [1, 2] { events[place].properties = "no JSON" }
            events[1].deviceID = "\u{141}\u{F3}d\u{17A}"
            events[2].deviceID = "poison"
            let rejection = Rejection(index: 4, code: .invalidJSON, message: "not JSON", redactedEvent: "\u{1F600}")
            #expect(try await base.store(events, rejections: [rejection]).refused == [1, 2])
            #expect(try await base.count("select count(*) from event") == 2)
            let letters = try await base.texts("select event from rejected_event order by code, event_id")
            #expect(letters.count == 3)
            #expect(letters[0] == #"\ud83d\ude00"#)
            #expect(letters[1].contains(#""device_id":"\u0141\u00f3d\u017a""#))
            #expect(letters[2] == "{}")
            // They can be tried again as they had been read.
            #expect(try await base.count("select count(*) from rejected_event where encoded_event is not null") == 2)
            // Rejections without any event.
            #expect(try await base.store([], rejections: [rejection]).refused == [])
        }
    }
}
