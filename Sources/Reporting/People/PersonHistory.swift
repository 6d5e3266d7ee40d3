import Events
import InboundLinks
package import JSONReading
package import Postgres
package import Storage
package import Time
import Timelines

/// What is known of one person, in the order of time: touches, posts, installs, conversions, logins and opens, and
/// which touch each install and conversion is credited to.
///
/// Read by indexes, whatever the size of the app. The credits are those of `GET /v1/attributions` with its defaults:
/// the last touch of the 7 days before.
package struct PersonHistory: Sendable {
    /// The most entries. The newest are shown.
    package static let limit = 500
    private static let lookback = ReportDuration(days: 7)

    package let person: Person
    /// In the order of time; at most ``limit``, the newest.
    package private(set) var entries: [PersonEntry]
    /// Whether there are older ones.
    package let isCut: Bool
    /// The chain of invitations, from the person's inviter up to the first one.
    package let inviters: [PersonInviter]
    /// Why the first install is doubtful, without the reason that takes the installs of all people.
    package let doubt: [String]

    /// By all events that were committed before the call.
    package static func read(_ key: PersonKey, in app: App, on pool: PostgresPool) async throws -> PersonHistory {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            try PersonHistory(key, in: app, on: connection)
        }
    }

    private init(_ key: PersonKey, in app: App, on connection: isolated PostgresConnection) throws {
        try ScanPlanning.byIndex.apply(on: connection)
        let person = try Person.stored(with: key, in: app, on: connection)
        let timeline = try PersonTimeline(reading: person, dictionary: TimelineDictionary(), on: connection)
        let rows = try connection.query(
            ReportSQL.selectPersonEvents,
            [.int(Int64(app.number))] + PersonKey.Kind.allCases.map { .textArray(person.ids($0)) }
                + [.int(Int64(Self.limit) + 1)]
        )
        let credits = Self.credits(of: timeline)
        var touches = timeline.touches.suffix(Self.limit + 1).map { CreditedTouch($0, units: CreditUnits.one) }
        touches += credits.values.compactMap(\.self).map { CreditedTouch($0, units: CreditUnits.one) }
        try CreditedTouch.addDetails(to: &touches, of: timeline, in: app, on: connection)
        let subject = InstallDoubt.Person(person.root, timeline, within: Self.lookback)
        let doubt = try InstallDoubt.read(about: [subject], in: app, on: connection).first
        var known: [EventID: CreditedTouch] = [:]
        for touch in touches { known[touch.touch.id] = touch }

        var entries = touches.prefix(min(timeline.touches.count, Self.limit + 1)).map(PersonEntry.init)
        let installs = Set(timeline.countedInstalls.map { timeline.events[$0].id })
        for row in rows {
            var entry = try PersonEntry(row)
            if let credit = credits[entry.event] {
                var credited = credit.flatMap { known[$0.id] }
                if let touch = credited, let doubt {
                    let time = entry.kind == .install ? entry.time : nil
                    credited?.doubt = doubt.reasons(against: touch, ofInstallAt: time)
                }
                entry.credit = credited.map { .touch($0) } ?? .direct
            }
            if entry.kind == .install, !entry.isTest, !installs.contains(entry.event) { entry.kind = .reinstall }
            entries.append(entry)
        }
        entries.sort { ($0.time, $0.kind.position, $0.event) < ($1.time, $1.kind.position, $1.event) }
        self.person = person
        self.doubt = doubt?.reasons.names ?? []
        self.entries = Array(entries.suffix(Self.limit))
        isCut = entries.count > Self.limit
        inviters = try PersonInviter.chain(above: person, timeline, within: Self.lookback, on: connection)
    }

    /// Of each counted install and each conversion the touch that gets its credit; nil: it is `direct`.
    private static func credits(of person: borrowing PersonTimeline) -> [EventID: TimelineTouch?] {
        let ends = Timestamp.spellable
        let events = CreditedEvents(
            range: ReportRange(from: ends.lowerBound, to: ends.upperBound),
            currency: .none
        )
        var credits: [EventID: TimelineTouch?] = [:]
        events.forEach(of: person) { event in
            let touch = person.lastTouch(before: event, within: lookback.microseconds)
            credits[person.events[event.position].id] = .some(touch)
        }
        return credits
    }

    /// The entries as members of a JSON object. `credits` is as `GET /v1/attributions` has it.
    package func write(to json: inout JSONWriter) {
        json.key("timeline")
        json.array { json in
            for entry in entries { json.object { entry.write(to: &$0) } }
        }
        json.member("timeline_is_cut", isCut)
        json.key("invited_by")
        json.array { json in
            for inviter in inviters { json.object { inviter.write(to: &$0) } }
        }
        json.member("doubt", doubt)
    }
}

/// One thing in the life of a person.
package struct PersonEntry: Sendable {
    /// What it is.
    package enum Kind: String, Sendable {
        case touch, post, install
        /// An install that does not count, because another one was shortly before.
        case reinstall = "re-install"
        case conversion, login, open

        /// At one instant a touch comes before what it brought.
        fileprivate var position: Int { self == .touch ? 0 : 1 }
    }

    /// Whom an install or a conversion is credited to.
    package enum Credit: Sendable {
        case direct
        case touch(CreditedTouch)

        /// The id of the touch's event; nil for `direct`.
        package var touch: String? {
            if case .touch(let credited) = self { credited.touch.id.description } else { nil }
        }

        /// The time of the touch.
        package var time: Timestamp? {
            if case .touch(let credited) = self { credited.touch.time } else { nil }
        }

        /// `story_links, gift`, or `direct`.
        package var words: String {
            switch self {
            case .direct: ReportNames.direct
            case .touch(let credited):
                ([credited.touch.channel.rawValue] + credited.refs).joined(separator: ", ")
            }
        }
    }

    package var kind: Kind
    /// When it happened; of a touch, its time.
    package var time: Timestamp
    let event: EventID
    /// Test traffic, which no report counts.
    package var isTest: Bool
    /// What is known of it: names and values.
    package var details: [(name: String, value: String)]
    /// Who posted what a touch came from.
    package private(set) var poster: PersonKey?
    /// Nil for what gets no credit.
    package var credit: Credit?

    fileprivate init(_ credited: CreditedTouch) {
        let touch = credited.touch
        kind = .touch
        time = touch.time
        event = touch.id
        isTest = false
        var flags: [String] = []
        if touch.isClick { flags.append("click") }
        if touch.click != nil { flags.append("opened the app") }
        if touch.isDeferred { flags.append(touch.isTimeInferred ? "deferred, its tap at an unknown time" : "deferred") }
        if touch.isAuthenticated { flags.append("authenticated") }
        let (user, device) = (credited.poster.userID, credited.poster.deviceID)
        poster = user.map { PersonKey(.user, $0) } ?? device.map { PersonKey(.device, $0) }
        details = Self.named([
            ("channel", touch.channel.rawValue), ("refs", Self.joined(credited.refs)), ("link", credited.link),
            ("target_url", credited.targetURL), ("post_id", credited.postID),
            ("poster", poster?.id), ("as", Self.joined(flags)),
        ])
    }

    /// - Parameter row: of `select_person_events.sql`.
    fileprivate init(_ row: PostgresRow) throws {
        let id = try row.uuid(0)
        event = EventID(high: id.high, low: id.low)
        let type = try row.text(1)
        switch EventType(rawValue: type) {
        case .inboundLink, .linkClick: kind = .touch
        case .feedPost: kind = .post
        case .install: kind = .install
        case .authentication: kind = .login
        case .conversion: kind = .conversion
        case .appOpen: kind = .open
        case nil: throw TimelineError.unknownLabel(type)
        }
        time = Timestamp(microseconds: try row.timestamp(2))
        isTest = try row.bool(14)
        let login = try row.optionalText(10)
        details = Self.named([
            ("platform", try row.optionalText(3)), ("channel", try row.optionalText(4)),
            ("refs", Self.joined(try row.optionalTextArray(5) ?? [])), ("link", try row.optionalText(6)),
            ("outcome", kind == .login ? login ?? "granted" : try row.optionalText(7)),
            ("composer", try row.optionalText(8)), ("post_id", try row.optionalText(9)),
            ("name", try row.optionalText(11)), ("value", try row.optionalText(12)),
            ("currency", try row.optionalText(13)),
        ])
    }

    private static func joined(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }

    private static func named(_ details: [(name: String, value: String?)]) -> [(name: String, value: String)] {
        details.compactMap { detail in detail.value.map { (detail.name, $0) } }
    }

    /// The id of its event. An install and the touch that came with it have the same.
    package var id: String { event.description }

    /// `story_links · gift · by 1000 · click`.
    package var words: String { words { _, words in words }.joined(separator: " · ") }

    /// What is to say of it, piece by piece.
    ///
    /// - Parameter text: of a detail: its name, and how it is said.
    package func words(_ text: (_ name: String, _ words: String) -> String) -> [String] {
        details.map { name, value in
            switch name {
            case "post_id": text(name, "post \(value)")
            case "poster": text(name, "by \(value)")
            default: text(name, value)
            }
        } + (isTest ? [text("", "test traffic")] : [])
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.member("time", time.rfc3339)
        json.member("what", kind.rawValue)
        json.member("event_id", event.description)
        json.member("test_traffic", isTest)
        for detail in details { json.member(detail.name, detail.value) }
        guard let credit else { return }
        json.key("credits")
        json.array { json in
            if case .touch(let credited) = credit { json.object { credited.write(to: &$0, after: 0) } }
        }
    }
}
