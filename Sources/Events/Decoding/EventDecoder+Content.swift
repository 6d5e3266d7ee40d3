import InboundLinks
import Time

/// What each type makes of its own fields.
extension EventDecoder {
    func content(of draft: EventDraft, type: EventType) throws(EventFault) -> Event.Content {
        switch type {
        case .inboundLink: .inboundLink(try touch(draft, type: type))
        case .linkClick: .linkClick(try touch(draft, type: type))
        case .feedPost: .feedPost(try feedPost(draft))
        case .install: .install(limitAdTracking: draft.limitAdTracking, link: try installLink(draft))
        case .authentication: .authentication
        case .conversion: .conversion(try conversion(draft))
        }
    }

    private func touch(_ draft: EventDraft, type: EventType) throws(EventFault) -> Touch {
        guard draft.url != nil || draft.targetURL != nil || draft.channel != nil else {
            throw EventFault(.missingField, .url, "\(type.rawValue) needs url, target_url or channel")
        }
        if let clickedAt = draft.clickedAt, clickedAt > latest {
            throw EventFault(.inFuture, .clickedAt, "clicked_at is more than 1 hour ahead of the receipt")
        }
        let overrides = LinkOverrides(
            targetURL: draft.targetURL,
            refs: draft.refs ?? [],
            channel: draft.channel,
            refererApp: draft.refererApp,
            refererURL: draft.refererURL,
            authenticated: draft.authenticated,
            deferred: draft.deferred,
            clickedAt: draft.clickedAt,
            paid: draft.paid
        )
        return touch(try link(draft.url, overriding: overrides), postID: draft.postID)
    }

    /// A deferred link that came with the install itself: whatever its form, it was opened by the first launch.
    private func installLink(_ draft: EventDraft) throws(EventFault) -> Touch? {
        guard let url = draft.url else { return nil }
        return touch(try link(url, overriding: LinkOverrides(deferred: true)), postID: nil)
    }

    private func touch(_ link: InboundLink, postID: String?) -> Touch {
        let storyLink = link.refs.isEmpty ? link.targetURL.map { StoryLink.normalised($0) } : nil
        return Touch(link: link, postID: postID, storyLink: storyLink)
    }

    private func link(_ url: String?, overriding overrides: LinkOverrides) throws(EventFault) -> InboundLink {
        guard let url else { return LinkReader.read(overrides) }
        var link: InboundLink
        switch LinkReader.read(url, overriding: overrides) {
        case .inboundLink(let reading): link = reading
        case .loginResult:
            throw EventFault(.loginResult, .url, "url is the result of a login, not an inbound link")
        case .invalid:
            throw EventFault(.invalid, .url, "url cannot be read as a link")
        }
        if link.containsNul { throw .invalidText(.url) }
        // A tap cannot follow its own report. The link's word for it is not the sender's, so only the time is dropped.
        if let clickedAt = link.clickedAt, clickedAt > latest || clickedAt.microseconds < 0 {
            link.clickedAt = overrides.clickedAt
        }
        return link
    }

    private func feedPost(_ draft: EventDraft) throws(EventFault) -> FeedPost {
        var reading: FeedPostReading?
        if let url = draft.callbackURL {
            let callback = FeedPostReader.read(url, dialog: draft.dialog ?? .feed)
            switch callback.kind {
            case .feedPost: reading = callback
            case .notAFeedPost:
                throw EventFault(.notAFeedPost, .callbackURL, "callback_url is the result of another dialog")
            case .invalid:
                throw EventFault(.invalid, .callbackURL, "callback_url cannot be read as the callback of a post")
            }
        }
        guard let outcome = draft.outcome ?? (draft.postID != nil ? .posted : reading?.outcome) else {
            throw EventFault(.missingField, .callbackURL, "feed_post needs callback_url, outcome or post_id")
        }
        let errorMessage = draft.errorMessage ?? reading?.errorMessage?.cut(toBytes: EventLimits.message)
        if errorMessage?.containsNul == true { throw .invalidText(.callbackURL) }
        return FeedPost(
            outcome: outcome,
            postID: try postID(draft, reading, outcome: outcome),
            refs: draft.refs ?? [],
            link: draft.link,
            storyLink: draft.link.map { StoryLink.normalised($0) },
            composer: draft.composer ?? defaultComposer(draft),
            actionType: draft.actionType,
            objectID: draft.objectID,
            errorCode: draft.errorCode ?? reading?.errorCode,
            errorMessage: errorMessage,
            redactedCallback: reading?.redactedURL
        )
    }

    /// The id that the callback tells counts where it can tell posts apart: a word for "none" would make all posts one.
    private func postID(
        _ draft: EventDraft,
        _ reading: FeedPostReading?,
        outcome: PostOutcome
    ) throws(EventFault) -> String? {
        if let postID = draft.postID { return postID }
        guard outcome == .posted || outcome == .unconfirmed, let postID = reading?.postID else { return nil }
        if postID.containsNul { throw .invalidText(.callbackURL) }
        guard postID.utf8.count <= EventLimits.id else {
            throw EventFault(
                .tooLarge,
                .callbackURL,
                "callback_url holds a post id of more than \(EventLimits.id) bytes"
            )
        }
        return JunkID.matches(postID) ? nil : postID
    }

    /// Only a dialog calls back, and only a dialog is told apart by `dialog`.
    private func defaultComposer(_ draft: EventDraft) -> Composer? {
        guard draft.callbackURL != nil || draft.dialog != nil else { return nil }
        return switch draft.dialog ?? .feed {
        case .feed: .feedDialog
        case .share: .shareDialog
        }
    }

    private func conversion(_ draft: EventDraft) throws(EventFault) -> Conversion {
        guard let name = draft.name, !name.trimmedOfBlanks.isEmpty else { throw .missing(.name, .conversion) }
        if draft.value != nil, draft.currency == nil {
            throw EventFault(.missingField, .currency, "a value needs its currency")
        }
        if draft.currency != nil, draft.value == nil {
            throw EventFault(.missingField, .value, "a currency needs a value")
        }
        return Conversion(name: name, value: draft.value, currency: draft.currency)
    }
}

extension InboundLink {
    /// Whether any text of the link holds U+0000, which a URL can spell as `%00`.
    fileprivate var containsNul: Bool {
        // Not as a list of them, which would be made for every link.
        func hasNul(_ text: String?) -> Bool { text?.containsNul ?? false }
        return hasNul(appID) || hasNul(schemeSuffix) || hasNul(targetURL) || hasNul(fbSource) || hasNul(refererApp)
            || hasNul(refererURL) || hasNul(promoCode) || hasNul(fbclid) || hasNul(redactedURL)
            || refs.contains(where: \.containsNul) || actionIDs.contains(where: \.containsNul)
            || actionTypes.contains(where: \.containsNul) || requestIDs.contains(where: \.containsNul)
    }
}
