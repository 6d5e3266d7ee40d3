import Events
import Postgres

/// Compares the events in the database with what was sent and answered.
struct Verification: Sendable {
    private(set) var stored = 0
    /// Answered, but not stored.
    private(set) var lost: [String] = []
    /// Answered, stored, and then lost with a primary whose standby had not received them.
    private(set) var lostWithPrimary = 0
    /// Answered with 202, and in requests that the daemons report as lost with a damaged spool.
    private(set) var lostWithSpool = 0
    /// Stored more than once.
    private(set) var doubled: [String] = []
    /// Stored, but never sent, or sent with other content.
    private(set) var unknown: [String] = []

    var isClean: Bool { lost.isEmpty && doubled.isEmpty && unknown.isEmpty }

    /// - Parameter reportedLost: the number of requests that the daemons report as lost. So many may be missing.
    init(
        of address: PostgresAddress,
        apps: [Int: Int],
        ledger: Ledger,
        reportedLost: Int,
        seed: UInt64,
        baseTime: Int64
    ) async throws {
        let connection = try await PostgresConnection.connect(
            to: address,
            options: PostgresOptions(applicationName: "torture", statementTimeout: nil)
        )
        self = try await connection.run { connection in
            var result = Verification()
            try result.check(
                connection,
                apps: apps,
                ledger: ledger,
                reportedLost: reportedLost,
                seed: seed,
                baseTime: baseTime
            )
            return result
        }
        await connection.close()
    }

    private init() {}

    private mutating func check(
        _ connection: isolated PostgresConnection,
        apps: [Int: Int],
        ledger: Ledger,
        reportedLost: Int,
        seed: UInt64,
        baseTime: Int64
    ) throws {
        var times = [UInt8](repeating: 0, count: ledger.numbers)
        try connection.copyOut("copy (\(Self.events)) to stdout (format binary)") { row in
            stored += 1
            let appNumber = try row.nextInt()
            let (high, low) = try row.nextUUID()
            let id = EventID(high: high, low: low).description
            let number = Int(low & ~TortureEvent.idLowMark)
            let version = try row.nextOptionalText().flatMap { Int($0) } ?? 0
            let content = TortureEvent.Content(
                type: try row.nextText(),
                occurredAt: try row.nextTimestamp(),
                userID: try row.nextOptionalText(),
                deviceID: try row.nextOptionalText(),
                goal: try row.nextOptionalText(),
                valueCents: try row.nextOptionalInt64(),
                ref: try row.nextOptionalText(),
                postID: try row.nextOptionalText(),
                salt: try row.nextOptionalText() ?? ""
            )
            let event = TortureEvent(seed: seed, baseTime: baseTime, number: number, version: version)
            guard high == TortureEvent.idHigh(seed: seed), ledger.wasSent(number, version: version),
                apps[appNumber] == event.app
            else {
                unknown.append("\(id): never sent (version \(version))")
                return
            }
            if event.content != content { unknown.append("\(id): sent \(event.content), stored \(content)") }
            if times[number] > 0 { doubled.append(id) }
            times[number] = min(times[number] + 1, 100)
        }
        var missing: [Int] = []
        for number in ledger.answeredNumbers where times[number] == 0 {
            if ledger.wasLostWithPrimary(number) { lostWithPrimary += 1 } else { missing.append(number) }
        }
        if ledger.requests(of: missing) <= reportedLost {
            lostWithSpool = missing.count
        } else {
            lost += missing.map { "\(TortureEvent.id(ofNumber: $0, seed: seed)) (\($0))" }
        }
        // With a key but no event, every later try would count as a duplicate. Compared here, because a join of two
        // tables without statistics may be very slow.
        var hasKey = [Bool](repeating: false, count: times.count)
        try connection.copyOut("copy (select event_id from event_key) to stdout (format binary)") { row in
            let (high, low) = try row.nextUUID()
            let number = Int(low & ~TortureEvent.idLowMark)
            let isOurs = high == TortureEvent.idHigh(seed: seed) && times.indices.contains(number)
            if isOurs { hasKey[number] = true }
            if !isOurs || times[number] == 0 {
                lost.append("\(EventID(high: high, low: low)): its key is stored, the event is not")
            }
        }
        for number in times.indices
        where times[number] > 0 && !hasKey[number] && !TortureEvent.oldNumbers.contains(number) {
            unknown.append("\(TortureEvent.id(ofNumber: number, seed: seed)): stored without its key")
        }
    }

    private static let events = """
        select app_number, event_id, properties->>'version', type::text, occurred_at, user_id, device_id, goal,
            (value * 100)::bigint, refs[1], post_id, properties->>'salt'
        from event
        """
}
