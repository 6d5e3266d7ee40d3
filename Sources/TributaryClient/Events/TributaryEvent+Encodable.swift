import Foundation

/// The JSON of docs/events.md, *Fields*.
extension TributaryEvent: Encodable {
    private enum Key: String, CodingKey {
        case type, platform, properties, url, ref, channel, authenticated, deferred, paid, dialog
        case outcome, link, composer, name, value, currency
        case eventID = "event_id"
        case occurredAt = "occurred_at"
        case userID = "user_id"
        case deviceID = "device_id"
        case clickID = "click_id"
        case targetURL = "target_url"
        case refererApp = "referer_app"
        case refererURL = "referer_url"
        case clickedAt = "clicked_at"
        case postID = "post_id"
        case callbackURL = "callback_url"
        case actionType = "action_type"
        case objectID = "object_id"
        case errorCode = "error_code"
        case errorMessage = "error_message"
        case limitAdTracking = "limit_ad_tracking"
        case installReferrer = "install_referrer"
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(id.uuidString.lowercased(), forKey: .eventID)
        try fields.encode(occurredAt.rfc3339, forKey: .occurredAt)
        try fields.encodeIfPresent(person.userID, forKey: .userID)
        try fields.encodeIfPresent(person.deviceID, forKey: .deviceID)
        try fields.encodeIfPresent(person.clickID, forKey: .clickID)
        try fields.encodeIfPresent(platform, forKey: .platform)
        if !properties.isEmpty { try fields.encode(properties, forKey: .properties) }
        switch content {
        case .inboundLink(let link):
            try fields.encode("inbound_link", forKey: .type)
            try encode(link, to: &fields)
        case .linkClick(let link):
            try fields.encode("link_click", forKey: .type)
            try encode(link, to: &fields)
        case .feedPost(let post):
            try fields.encode("feed_post", forKey: .type)
            try encode(post, to: &fields)
        case .install(let limitAdTracking, let deferredLink):
            try fields.encode("install", forKey: .type)
            try fields.encodeIfPresent(limitAdTracking, forKey: .limitAdTracking)
            try fields.encodeIfPresent(deferredLink, forKey: .url)
            try fields.encodeIfPresent(installReferrer, forKey: .installReferrer)
        case .authentication:
            try fields.encode("authentication", forKey: .type)
            if let login { try encode(login, to: &fields) }
        case .conversion(let name, let value, let currency):
            try fields.encode("conversion", forKey: .type)
            try fields.encode(name, forKey: .name)
            try fields.encodeIfPresent(value, forKey: .value)
            try fields.encodeIfPresent(currency, forKey: .currency)
        }
    }

    private func encode(_ link: TributaryLink, to fields: inout KeyedEncodingContainer<Key>) throws {
        try fields.encodeIfPresent(link.url, forKey: .url)
        try fields.encodeIfPresent(link.targetURL, forKey: .targetURL)
        if !link.refs.isEmpty { try fields.encode(link.refs, forKey: .ref) }
        try fields.encodeIfPresent(link.channel, forKey: .channel)
        try fields.encodeIfPresent(link.refererApp, forKey: .refererApp)
        try fields.encodeIfPresent(link.refererURL, forKey: .refererURL)
        try fields.encodeIfPresent(link.authenticated, forKey: .authenticated)
        try fields.encodeIfPresent(link.deferred, forKey: .deferred)
        try fields.encodeIfPresent(link.clickedAt?.rfc3339, forKey: .clickedAt)
        try fields.encodeIfPresent(link.postID, forKey: .postID)
        try fields.encodeIfPresent(link.paid, forKey: .paid)
    }

    private func encode(_ login: TributaryLogin, to fields: inout KeyedEncodingContainer<Key>) throws {
        try fields.encodeIfPresent(login.callbackURL, forKey: .url)
        try fields.encodeIfPresent(login.outcome, forKey: .outcome)
        try fields.encodeIfPresent(login.errorCode, forKey: .errorCode)
        try fields.encodeIfPresent(login.errorMessage, forKey: .errorMessage)
    }

    private func encode(_ post: TributaryFeedPost, to fields: inout KeyedEncodingContainer<Key>) throws {
        try fields.encodeIfPresent(post.callbackURL, forKey: .callbackURL)
        try fields.encodeIfPresent(post.dialog, forKey: .dialog)
        try fields.encodeIfPresent(post.outcome, forKey: .outcome)
        try fields.encodeIfPresent(post.postID, forKey: .postID)
        if !post.refs.isEmpty { try fields.encode(post.refs, forKey: .ref) }
        try fields.encodeIfPresent(post.link, forKey: .link)
        try fields.encodeIfPresent(post.composer, forKey: .composer)
        try fields.encodeIfPresent(post.actionType, forKey: .actionType)
        try fields.encodeIfPresent(post.objectID, forKey: .objectID)
        try fields.encodeIfPresent(post.errorCode, forKey: .errorCode)
        try fields.encodeIfPresent(post.errorMessage, forKey: .errorMessage)
    }
}

extension Date {
    /// RFC 3339 in UTC, with milliseconds: `2026-01-31T09:30:00.123Z`.
    var rfc3339: String {
        formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
