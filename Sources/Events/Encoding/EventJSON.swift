import InboundLinks
import JSONReading
import Time

/// An event as a JSON object, for the spool and for dead letters: redacted, with the fields of the API, and with what
/// was read from them in members that begin with `_`. `properties` is the text of its object.
///
/// ``EventDecoder`` does not read it, and refuses those members: this event was accepted. No later check may refuse it,
/// and its link was read by rules that this reader may not have.
package enum EventJSON {
    /// The text is no event: it was damaged, or another version of this program has written it.
    package struct Malformed: Error, Equatable {}

    package static func encode(_ event: Event) -> String {
        var event = event
        return String(decoding: JSONMembers.write { $0.event(&event) }, as: UTF8.self)
    }

    package static func decode(_ text: some Sequence<UInt8>) throws(Malformed) -> Event {
        guard let document = try? JSONDocument(reading: text) else { throw Malformed() }
        var event = Event.blank
        try JSONMembers.read(document.root) { $0.event(&event) }
        return event
    }
}

extension Event {
    /// What an event is before it is read.
    static let blank = Event(
        id: EventID(high: 0, low: 0),
        occurredAt: Timestamp(microseconds: 0),
        receivedAt: Timestamp(microseconds: 0),
        content: .authentication()
    )
}

extension JSONMembers {
    /// - Parameter receipt: the time of receipt that need not be written.
    mutating func event(_ event: inout Event, receivedAt receipt: Timestamp? = nil) {
        var type = event.type
        word("type", &type)
        if isReading { event.content = Self.blank(type) }
        var id: EventID? = event.id
        member("event_id", &id, write: { $0.string($1.description) }, read: { $0.string.flatMap { EventID($0) } })
        if let id { event.id = id }
        time("occurred_at", &event.occurredAt)
        var receivedAt = event.receivedAt == receipt ? nil : event.receivedAt
        time("received_at", &receivedAt)
        if let time = receivedAt ?? receipt { event.receivedAt = time } else { isMalformed = true }
        text("user_id", &event.userID)
        text("device_id", &event.deviceID)
        text("click_id", &event.clickID)
        word("platform", &event.platform)
        text("app_version", &event.appVersion)
        text("country", &event.country)
        text("language", &event.language)
        text("properties", &event.properties, redacted: StoredText.object)
        var isFromApp = event.sentBy == .app
        flag("_from_app", &isFromApp)
        event.sentBy = isFromApp ? .app : .server
        switch event.content {
        case .inboundLink(var touch):
            self.touch(&touch)
            if isChanging { event.content = .inboundLink(touch) }
        case .linkClick(var touch):
            self.touch(&touch)
            if isChanging { event.content = .linkClick(touch) }
        case .feedPost(var post):
            self.post(&post)
            if isChanging { event.content = .feedPost(post) }
        case .install(var install):
            self.install(&install)
            if isChanging { event.content = .install(install) }
        case .authentication(var login):
            self.login(&login)
            if isChanging { event.content = .authentication(login) }
        case .conversion(var conversion):
            self.conversion(&conversion)
            if isChanging { event.content = .conversion(conversion) }
        case .appOpen: break
        }
    }

    private static let blankTouch = Touch(link: InboundLink())

    private static func blank(_ type: EventType) -> Event.Content {
        switch type {
        case .inboundLink: .inboundLink(blankTouch)
        case .linkClick: .linkClick(blankTouch)
        case .feedPost: .feedPost(FeedPost(outcome: .posted))
        case .install: .install()
        case .authentication: .authentication()
        case .conversion: .conversion(Conversion(name: ""))
        case .appOpen: .appOpen
        }
    }

    private mutating func touch(_ touch: inout Touch) {
        let target = touch.link.targetURL
        text("url", &touch.link.redactedURL, redacted: StoredText.link)
        text("target_url", &touch.link.targetURL)
        texts("ref", &touch.link.refs)
        word("channel", &touch.link.channel)
        text("referer_app", &touch.link.refererApp)
        text("referer_url", &touch.link.refererURL)
        flag("authenticated", &touch.link.authenticated)
        flag("deferred", &touch.link.deferred)
        time("clicked_at", &touch.link.clickedAt)
        flag("paid", &touch.link.paid)
        text("post_id", &touch.postID, redacted: StoredText.postID)
        // Which of the above the sender stated.
        integer("_stated", &touch.link.stated.rawValue)
        word("_form", &touch.link.form)
        word("_rule", &touch.link.rule)
        text("_app_id", &touch.link.appID)
        text("_scheme_suffix", &touch.link.schemeSuffix)
        text("_fb_source", &touch.link.fbSource)
        texts("_action_ids", &touch.link.actionIDs)
        texts("_action_types", &touch.link.actionTypes)
        texts("_request_ids", &touch.link.requestIDs)
        flag("_test_traffic", &touch.link.testTraffic)
        text("_promo_code", &touch.link.promoCode)
        text("_fbclid", &touch.link.fbclid)
        storyLink(&touch.storyLink, of: touch.link.targetURL, before: target)
        text("_short_link", &touch.shortLink) { $0 }
    }

    /// Joins what is posted and tapped from now on, whose links are redacted too.
    private mutating func storyLink(_ story: inout String?, of link: String?, before original: String?) {
        text("_story_link", &story) { link == original ? $0 : link.map { StoryLink.normalised($0) } }
    }

    private mutating func install(_ install: inout Install) {
        flag("limit_ad_tracking", &install.limitAdTracking)
        text("install_referrer", &install.referrer)
        time("referrer_clicked_at", &install.referrerClickedAt)
        time("install_began_at", &install.beganAt)
        if isReading, node?["_form"] != nil { install.link = Self.blankTouch }
        guard var link = install.link else { return }
        touch(&link)
        install.link = link
    }

    private mutating func post(_ post: inout FeedPost) {
        word("outcome", &post.outcome)
        let link = post.link
        text("post_id", &post.postID, redacted: StoredText.postID)
        texts("ref", &post.refs)
        text("link", &post.link)
        word("composer", &post.composer)
        text("action_type", &post.actionType)
        text("object_id", &post.objectID)
        integer("error_code", &post.errorCode)
        text("error_message", &post.errorMessage)
        text("callback_url", &post.redactedCallback)
        storyLink(&post.storyLink, of: post.link, before: link)
    }

    private mutating func login(_ login: inout Login) {
        word("outcome", &login.outcome)
        integer("error_code", &login.errorCode)
        text("error_message", &login.errorMessage)
        text("url", &login.redactedCallback, redacted: StoredText.loginCallback)
    }

    private mutating func conversion(_ conversion: inout Conversion) {
        text("name", &conversion.name)
        member("value", &conversion.value) { writer, value in
            writer.raw(value.description)
        } read: { node in
            node.number.flatMap { DecimalValue($0) }
        }
        text("currency", &conversion.currency)
    }
}
