import Events
import InboundLinks
import Time
import Postgres

/// Reads the rows of `sql/reports/timelines.sql`.
struct TimelineRowReader {
    private let dictionary: TimelineDictionary
    private let types = LabelTable<EventType>()
    private let platforms = LabelTable<Platform>()
    private let channels = LabelTable<Channel>()
    private let forms = LabelTable<InboundLink.Form>()
    private let refOrigins = LabelTable<RefOrigin>()
    private let outcomes = LabelTable<PostOutcome>()
    private let logins = LabelTable<LoginOutcome>()
    private let composers = LabelTable<Composer>()

    init(dictionary: TimelineDictionary) {
        self.dictionary = dictionary
    }

    /// The event of a row whose person has been read; nil for a row with a person and no event.
    func event(_ row: inout PostgresCopyRow) throws -> TimelineEvent? {
        guard let type = try types.value(row.nextUnsafeBytes()) else { return nil }
        let occurredAt = Timestamp(microseconds: try row.nextTimestamp())
        var event = TimelineEvent(occurredAt: occurredAt, id: try row.nextEventID(), type: type)
        event.platform = try platforms.value(row.nextUnsafeBytes())
        event.channel = try channels.value(row.nextUnsafeBytes())
        event.authenticated = try row.nextOptionalBool() ?? false
        event.deferred = try row.nextOptionalBool() ?? false
        event.clickedAt = try row.nextOptionalTimestamp().map { Timestamp(microseconds: $0) }
        event.tappedTarget = try row.nextOptionalText().map(TimelineEvent.tappedTarget)
        event.refs = try row.nextUnsafeBytes().map { dictionary.refList(array: $0) } ?? .none
        event.refOrigin = try refOrigins.value(row.nextUnsafeBytes())
        event.referer = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .referer) } ?? .none
        event.target = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .target) } ?? .none
        event.hasShortLink = try row.nextOptionalBool() ?? false
        event.shortLink = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .link) } ?? .none
        event.form = try forms.value(row.nextUnsafeBytes())
        event.paid = try row.nextOptionalBool() ?? false
        event.openedClick = try row.nextOptionalEventID()
        event.appVersion = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .appVersion) } ?? .none
        event.country = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .country) } ?? .none
        event.language = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .language) } ?? .none
        event.properties = try row.nextUnsafeBytes().map { dictionary.properties(array: $0) } ?? .none
        event.outcome = try outcomes.value(row.nextUnsafeBytes())
        event.login = try logins.value(row.nextUnsafeBytes()) ?? .granted
        event.composer = try composers.value(row.nextUnsafeBytes())
        event.goal = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .goal) } ?? .none
        event.value = try row.nextOptionalMillionths() ?? 0
        event.currency = try row.nextUnsafeBytes().map { dictionary.code(of: $0, as: .currency) } ?? .none
        if try row.nextOptionalBool() ?? false { event.sentBy = .app }
        event.isInjected = try row.nextOptionalBool() ?? false
        return event
    }

    /// The post that the event came from. Its columns follow the event's own; `sql/timelines/delta.sql` does not have
    /// them.
    func storyPost(_ row: inout PostgresCopyRow) throws -> Code {
        let id = try row.nextOptionalEventID()
        let time = try row.nextOptionalTimestamp()
        guard let id, let time else { return .none }
        return dictionary.storyPost(id, at: Timestamp(microseconds: time))
    }
}
