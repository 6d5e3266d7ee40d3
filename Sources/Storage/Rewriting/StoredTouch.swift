import Events
import InboundLinks
import JSONReading
import Postgres
import Redirects
import Time

/// A touch as a row of `event` has it, with the place of the row.
struct StoredTouch {
    /// What ``init(_:)`` reads after the row's place, in its order.
    static let columns =
        EventColumn.reread.map(\.selected) + ["url", "story_key", "short_link", "stated::bigint"]

    var tid: String
    var link: InboundLink
    var shortLink: String?
    var storyKey: EventID?

    /// Nil if a later version of this program has stored the touch.
    init?(_ row: inout PostgresCopyRow) throws {
        var link = InboundLink()
        tid = try row.nextText()
        var isKnown = true
        for column in EventColumn.reread {
            guard let isRead = try column.rereading?.read(&link, &row) else { continue }
            isKnown = isKnown && isRead
        }
        link.redactedURL = try row.nextOptionalText()
        storyKey = try row.nextOptionalUUID().map { EventID(high: $0.high, low: $0.low) }
        shortLink = try row.nextOptionalText()
        link.stated = StatedFields(rawValue: Int16(truncatingIfNeeded: try row.nextOptionalInt64() ?? 0))
        guard isKnown else { return nil }
        self.link = link
    }

    /// The touch by today's rules; nil if they read it as it is.
    func read(by rereading: TouchRereading) -> StoredTouch? {
        let touch = rereading.read(Touch(link: link, shortLink: shortLink))
        var read = self
        read.link = touch.link.withoutEmptyDetails
        if shortLink != nil, link.refs.isEmpty, touch.link.refs.isEmpty, storyKey != nil {
            // Its story is that of the short link, whatever the link is now.
        } else {
            let key = touch.storyLink.map(EventRow.storyKey)
            read.storyKey = key.map { EventID(high: $0.high, low: $0.low) }
        }
        return read.link == link && read.storyKey == storyKey ? nil : read
    }

    /// What is written again (``TableRewrite``).
    static let declarations = EventColumn.reread.map(\.declaration) + ["story_key uuid", "stated smallint"]

    static let assignments =
        (EventColumn.reread.map(\.name) + ["story_key", "stated"]).map { "\($0) = change.\($0)" }

    func write(to writer: inout JSONWriter) {
        let touch = Touch(link: link)
        writer.member("tid", tid)
        for column in EventColumn.reread { writer.member(column, column.touch, touch) }
        writer.member("story_key", storyKey?.description)
        writer.member("stated", link.stated.rawValue)
    }
}

extension InboundLink {
    /// The reverse of ``details``.
    mutating func set(details: JSONNode) {
        appID = details["app_id"]?.string
        schemeSuffix = details["scheme_suffix"]?.string
        fbSource = details["fb_source"]?.string
        promoCode = details["promo_code"]?.string
        fbclid = details["fbclid"]?.string
        actionIDs = details["action_ids"]?.elements.map { $0.string ?? "" } ?? []
        actionTypes = details["action_types"]?.elements.map { $0.string ?? "" } ?? []
        requestIDs = details["request_ids"]?.elements.map { $0.string ?? "" } ?? []
    }

    /// As it is after it was stored: ``details`` leaves empty texts out.
    fileprivate var withoutEmptyDetails: InboundLink {
        var link = self
        if link.appID == "" { link.appID = nil }
        if link.schemeSuffix == "" { link.schemeSuffix = nil }
        if link.fbSource == "" { link.fbSource = nil }
        if link.promoCode == "" { link.promoCode = nil }
        if link.fbclid == "" { link.fbclid = nil }
        return link
    }
}
