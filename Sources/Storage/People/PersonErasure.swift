import Events
import InboundLinks
import Time
import Postgres

/// Removes a person: the steps, in an order in which nothing of the person can come back at any of them.
///
/// 1. The person's keys are kept as hashes. From that commit on, what was received before and is stored is dropped.
/// 2. Transactions that were storing meanwhile are waited for; what they have stored is found by the search.
/// 3. The spools of this machine are rewritten.
/// 4. The events are searched for, which takes long and locks nothing.
/// 5. One short transaction deletes them, with all that is kept beside them, and says anew whom shared devices and clicks
///    stand for.
/// 6. Whoever stored while the links were being replaced has seen the old ones: what those events say is said once more; if
///    this is killed before, by the next removal.
struct PersonErasure {
    private static let eventsAtOnce = 10_000

    let app: App
    let key: PersonKey
    let spools: SpoolFolder
    let packed: any PackedTimelines
    let progress: DeletionProgress.Handler

    /// What is to go, and what is to stay though it carries one of the keys.
    private struct Findings {
        var events: [(month: EventMonth, events: [PersonEvent])] = []
        var letters: [EventID] = []
        /// What the events that stay say of the person's devices and clicks.
        var claims = PersonClaims()
        /// Whether an event of the person stays, since it came later.
        var hasLaterEvents = false

        mutating func add(_ event: PersonEvent, _ month: EventMonth) {
            if events.last?.month == month {
                events[events.count - 1].events.append(event)
            } else {
                events.append((month, [event]))
            }
        }
    }

    /// Until when what came in is to go.
    private struct Moment {
        var time: Timestamp
        /// What was stored by earlier transactions goes whatever a daemon's clock said of its receipt.
        var transactionNumber: Int64
    }

    init(
        app: App,
        key: PersonKey,
        spools: SpoolFolder,
        packed: any PackedTimelines,
        progress: @escaping DeletionProgress.Handler
    ) {
        self.app = app
        self.key = key
        self.spools = spools
        self.packed = packed
        self.progress = progress
    }

    func run(on connection: isolated PostgresConnection) throws -> DeletionReceipt {
        // Two people may share a device.
        try LinkRemoval.alone(in: app.number, on: connection) { try runAlone(on: connection) }
    }

    private func runAlone(on connection: isolated PostgresConnection) throws -> DeletionReceipt {
        // The search goes by the links.
        try LinkRemoval.finishAll(in: app.number, on: connection)
        let (person, moment) = try bar(on: connection)
        let horizon = try connection.query("select transaction_horizon()")[0].int64(0)
        progress(DeletionProgress("rewriting spools"))
        let spooled = try SpooledPerson(person).erase(in: spools, receivedBefore: moment.time)
        let findings = try search(person, until: moment, on: connection)
        progress(DeletionProgress("deleting"))
        try connection.executeScript(StoredSQL.createErasedTables)
        let (receipt, removal) = try StoringTransactions.retrying {
            try connection.transaction {
                (
                    try delete(findings, of: person, spooled, startedAt: moment.time, on: connection),
                    try LinkRemoval.note(in: app.number, storedFrom: horizon, on: connection)
                )
            }
        }
        try LinkRemoval.finish(
            [removal],
            in: app.number,
            devices: person.ids(.device),
            clicks: person.ids(.click),
            on: connection
        )
        return receipt
    }

    /// Sees to it that nothing more of the person is stored that was received until now.
    private func bar(on connection: isolated PostgresConnection) throws -> (Person, Moment) {
        var barred: Set<PersonKey> = []
        var moment: Moment?
        while true {
            let spooled = try SpooledPerson.claims(of: app, in: spools)
            let person = try PersonSearch(app: app, spooled: spooled).person(of: key, on: connection)
            let new = Set(person.keys + [key]).subtracting(barred)
            if new.isEmpty, let moment { return (person, moment) }
            let known = moment
            moment = try connection.transaction {
                let now =
                    try known
                    ?? {
                        let row = try connection.query("select clock_timestamp(), current_transaction_number()")[0]
                        return Moment(
                            time: Timestamp(microseconds: try row.timestamp(0)),
                            transactionNumber: try row.int64(1)
                        )
                    }()
                try connection.execute(
                    StoredSQL.insertErasures,
                    [
                        .int(Int64(app.number)), .textArray(new.map { Self.hexadecimal($0.hash(app: app.number)) }),
                        .timestamp(microseconds: now.time.microseconds),
                    ]
                )
                return now
            }
            barred.formUnion(new)
            progress(DeletionProgress("waiting for events that are being stored"))
            try StoringTransactions.waitForThose(on: connection)
        }
    }

    private func search(
        _ person: Person,
        until moment: Moment,
        on connection: isolated PostgresConnection
    ) throws -> Findings {
        var findings = Findings()
        let ownership = PersonOwnership(person.keys)
        let keys = Set(person.keys)
        try PersonEvent.forEach(mentioning: person, on: connection, progress: progress) { event, month in
            let isEarlier = event.receivedAt < moment.time || event.transactionNumber < moment.transactionNumber
            let isOwn = ownership.owns(event.keys)
            if isOwn, isEarlier {
                findings.add(event, month)
            } else {
                if isOwn { findings.hasLaterEvents = true }
                for said in [event.keys.deviceClaim, event.keys.clickClaim] {
                    guard let said, keys.contains(said.key) else { continue }
                    let claim = PersonClaim(owner: said.owner, occurredAt: event.occurredAt, eventID: event.id)
                    findings.claims.add(claim, of: said.key)
                }
            }
        }
        try PersonDeadLetter.forEach(of: person, on: connection, progress: progress) { letter in
            if letter.receivedAt < moment.time { findings.letters.append(letter.id) }
        }
        return findings
    }

    private func delete(
        _ findings: Findings,
        of person: Person,
        _ spooled: SpoolFolder.Erasure,
        startedAt: Timestamp,
        on connection: isolated PostgresConnection
    ) throws -> DeletionReceipt {
        let app: PostgresValue = .int(Int64(app.number))
        var counts = DeletionCounts()
        counts["event"] = 0
        counts["feed_post_key"] = 0
        try connection.execute(
            "insert into erased_key (key) select unnest($1::text[])",
            [.textArray(person.keys.map(\.text))]
        )
        try packed.remove(
            findings.events.flatMap(\.events),
            of: person.keys,
            staysPartly: findings.hasLaterEvents,
            in: self.app.number,
            on: connection
        )
        for (month, events) in findings.events {
            for start in stride(from: 0, to: events.count, by: Self.eventsAtOnce) {
                let doomed = events[start..<min(start + Self.eventsAtOnce, events.count)]
                let (times, ids) = (doomed.map(\.occurredAt.rfc3339), doomed.map(\.id.description))
                counts["event"] += try connection.execute(
                    StoredSQL.deletePersonEvents,
                    [app] + month.bounds + [.textArray(times), .textArray(ids)]
                )
                try connection.execute(
                    """
                    insert into erased_event (occurred_at, event_id)
                    select occurred_at::timestamptz, event_id::uuid
                    from unnest($1::text[], $2::text[]) as erased (occurred_at, event_id)
                    """,
                    [.textArray(times), .textArray(ids)]
                )
                let posts = doomed.filter { $0.type == EventType.feedPost.rawValue && $0.postID != nil }
                counts["feed_post_key"] += try connection.execute(
                    StoredSQL.deletePersonPosts,
                    [app, .textArray(posts.compactMap(\.postID)), .textArray(posts.map(\.id.description))]
                )
            }
        }
        counts["rejected_event"] = try deleteLetters(findings.letters, on: connection)
        for table in StoredTable.all {
            guard case .derived(let erase, _) = table.content else { continue }
            counts[table.name] = try connection.execute(erase, [app])
        }
        try replaceLinks(of: person, by: findings.claims, &counts, on: connection)
        counts["spooled_event"] = spooled.events
        counts["spooled_rejected_event"] = spooled.rejections
        counts["spooled_unreadable_request"] = spooled.unreadable
        return try DeletionReceiptStore.keep(
            .person,
            appID: self.app.profile.id,
            startedAt: startedAt,
            counts: counts,
            on: connection
        )
    }

    private func deleteLetters(_ ids: [EventID], on connection: isolated PostgresConnection) throws -> Int {
        var filter = RejectedEventFilter()
        filter.appNumber = app.number
        filter.ids = ids
        return try connection.execute(StoredSQL.deleteRejectedEvents, filter.parameters)
    }

    /// Last of all, since whoever stores an event of these devices waits from here on.
    private func replaceLinks(
        of person: Person,
        by claims: PersonClaims,
        _ counts: inout DeletionCounts,
        on connection: isolated PostgresConnection
    ) throws {
        let number: PostgresValue = .int(Int64(app.number))
        counts["device_link"] = try connection.execute(
            StoredSQL.deleteDeviceLinks,
            [number, .textArray(person.ids(.device))]
        )
        counts["click_link"] = try connection.execute(
            StoredSQL.deleteClickLinks,
            [number, .textArray(person.ids(.click))]
        )
        for kind in [PersonKey.Kind.device, .click] {
            let said = claims.claims.filter { $0.key.kind == kind }.sorted { $0.key < $1.key }
            guard !said.isEmpty else { continue }
            try connection.execute(
                StoredSQL.linkPeople,
                [
                    number, .text(kind.rawValue), .textArray(said.map(\.key.id)),
                    .textArray(said.map { $0.value.owner.kind == .user ? $0.value.owner.id : "" }),
                    .textArray(said.map { $0.value.owner.kind == .device ? $0.value.owner.id : "" }),
                    .textArray(said.map(\.value.occurredAt.rfc3339)),
                    .textArray(said.map(\.value.eventID.description)),
                ]
            )
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
