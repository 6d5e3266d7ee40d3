import Events
import InboundLinks
import JSONReading
import Postgres
import Redirects
import Time

/// A touch as a row of `event` has it, with the place of the row.
struct StoredTouch {
    /// What ``init(_:)`` reads, in its order.
    static let columns = """
        ctid::text, channel::text, channel_rule, link_form, array_to_json(refs)::text, target_url, referer_app, \
        referer_url, authenticated, deferred, paid, test_traffic, clicked_at, link_details::text, url, story_key, \
        short_link, stated::bigint
        """

    var tid: String
    var link: InboundLink
    var shortLink: String?
    var storyKey: EventID?

    /// Nil if a later version of this program has stored the touch.
    init?(_ row: inout PostgresCopyRow) throws {
        var link = InboundLink()
        tid = try row.nextText()
        let channel = Channel(rawValue: try row.nextOptionalText() ?? "")
        let rule = ChannelRule(rawValue: try row.nextOptionalText() ?? "")
        let form = InboundLink.Form(rawValue: try row.nextOptionalText() ?? "")
        if let refs = try row.nextUnsafeBytes() {
            link.refs = try JSONDocument(reading: refs).root.elements.map { $0.string ?? "" }
        }
        link.targetURL = try row.nextOptionalText()
        link.refererApp = try row.nextOptionalText()
        link.refererURL = try row.nextOptionalText()
        link.authenticated = try row.nextOptionalBool() ?? false
        link.deferred = try row.nextOptionalBool() ?? false
        link.paid = try row.nextOptionalBool() ?? false
        link.testTraffic = try row.nextOptionalBool() ?? false
        link.clickedAt = try row.nextOptionalTimestamp().map { Timestamp(microseconds: $0) }
        if let details = try row.nextUnsafeBytes() { link.set(details: try JSONDocument(reading: details).root) }
        link.redactedURL = try row.nextOptionalText()
        storyKey = try row.nextOptionalUUID().map { EventID(high: $0.high, low: $0.low) }
        shortLink = try row.nextOptionalText()
        link.stated = StatedFields(rawValue: Int16(truncatingIfNeeded: try row.nextOptionalInt64() ?? 0))
        guard let channel, let rule, let form else { return nil }
        (link.channel, link.rule, link.form) = (channel, rule, form)
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
        var compared = read.link
        compared.stated = link.stated
        return compared == link && read.storyKey == storyKey ? nil : read
    }

    /// The columns of `json_to_recordset`. No cast is needed afterwards: Citus refuses one from text to `channel`.
    static let declaration = """
        tid tid, channel channel, channel_rule text, link_form text, refs text[], target_url text, referer_app text, \
        referer_url text, authenticated boolean, deferred boolean, paid boolean, test_traffic boolean, \
        clicked_at timestamptz, link_details jsonb, story_key uuid, stated smallint
        """

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("tid", tid)
            writer.columns(of: link)
            writer.member("clicked_at", link.clickedAt?.rfc3339)
            if let details = link.details {
                writer.key("link_details")
                writer.raw(details)
            }
            writer.member("story_key", storyKey?.description)
            writer.member("stated", link.stated.rawValue)
        }
    }
}

extension InboundLink {
    /// The reverse of ``details``.
    fileprivate mutating func set(details: JSONNode) {
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
