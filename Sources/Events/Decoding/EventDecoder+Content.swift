import InboundLinks
import Text
import Time

/// The rules of each event type for its own fields.
extension EventDecoder {
    /// Also notes in the draft what the content says of the event itself: the click that a link names.
    func content(of draft: inout EventDraft, type: EventType) throws(EventFault) -> Event.Content {
        switch type {
        case .inboundLink: .inboundLink(try touch(&draft, type: type))
        case .linkClick: .linkClick(try touch(&draft, type: type))
        case .feedPost: .feedPost(try feedPost(draft))
        case .install: .install(try install(&draft))
        case .authentication: .authentication(try login(draft))
        case .conversion: .conversion(try conversion(draft))
        case .appOpen: .appOpen
        }
    }

    private func touch(_ draft: inout EventDraft, type: EventType) throws(EventFault) -> Touch {
        guard draft.url != nil || draft.targetURL != nil || draft.channel != nil else {
            throw EventFault(.missingField, .url, "\(type.rawValue) needs url, target_url or channel")
        }
        if let clickedAt = draft.clickedAt, clickedAt > latest {
            throw EventFault(.inFuture, .clickedAt, "clicked_at is more than 1 hour in the future; check the clock")
        }
        let overrides = LinkOverrides(
            targetURL: draft.targetURL,
            refs: draft.refs ?? [],
            channel: draft.channel,
            refererApp: draft.refererApp,
            refererURL: draft.refererURL,
            authenticated: sender == .app ? false : draft.authenticated,
            deferred: draft.deferred,
            clickedAt: draft.clickedAt,
            paid: draft.paid
        )
        let link = try link(draft.url, overriding: overrides)
        // Who asks for a short link may have it from somebody else, with the id of that person's click.
        if type == .inboundLink { draft.note(clickOf: link) }
        return Touch(reading: link, postID: draft.postID)
    }

    private func install(_ draft: inout EventDraft) throws(EventFault) -> Install {
        var install = Install(
            limitAdTracking: draft.limitAdTracking,
            link: try installLink(&draft),
            referrer: draft.installReferrer.map(SecretFreeText.text),
            referrerClickedAt: draft.referrerClickedAt,
            beganAt: draft.installBeganAt
        )
        // Nothing in an injected referrer is believed.
        guard !install.isInjected, let meta = draft.installReferrer.flatMap(MetaReferrer.init) else { return install }
        guard let key = rules.metaReferrerKey else {
            draft.note(.metaKeyMissing)
            return install
        }
        guard let campaign = MetaCampaign(in: meta, key: key) else {
            draft.note(.metaDataUnreadable)
            return install
        }
        draft.note(campaign)
        // Who saw an ad did not tap it.
        guard !meta.isView else { return install }
        let time = meta.actedAt ?? draft.referrerClickedAt
        if install.link == nil {
            install.link = Touch(campaign, at: time)
        } else {
            install.link?.complete(with: campaign, at: time)
        }
        return install
    }

    /// The deferred link of an install. Whatever its form, it was opened by the first launch, so it counts as deferred.
    private func installLink(_ draft: inout EventDraft) throws(EventFault) -> Touch? {
        guard let url = draft.url else { return nil }
        let stated = LinkOverrides(authenticated: sender == .app ? false : nil, deferred: true)
        let link = try link(url, overriding: stated)
        draft.note(clickOf: link)
        return Touch(reading: link)
    }

    private func link(_ url: String?, overriding overrides: LinkOverrides) throws(EventFault) -> InboundLink {
        guard let url else { return LinkReader.readStorable(overrides, rules: rules) }
        switch LinkReader.readStorable(url, overriding: overrides, rules: rules) {
        case nil: throw .invalidText(.url)
        case .inboundLink(let link): return link
        case .loginResult:
            throw EventFault(
                .loginResult,
                .url,
                "url is the result of a login, not a link; send it as an authentication with this url"
            )
        case .invalid:
            throw EventFault(.invalid, .url, "url is not a URL; send the link exactly as it opened the app")
        }
    }

    private func feedPost(_ draft: EventDraft) throws(EventFault) -> FeedPost {
        var reading: FeedPostReading?
        if let url = draft.callbackURL {
            let callback = FeedPostReader.read(url, dialog: draft.dialog ?? .feed)
            switch callback.kind {
            case .feedPost: reading = callback
            case .notAFeedPost:
                throw EventFault(
                    .notAFeedPost,
                    .callbackURL,
                    "callback_url is the result of a request dialog; send only those of feed and share dialogs"
                )
            case .invalid:
                throw EventFault(
                    .invalid,
                    .callbackURL,
                    "callback_url is not a dialog's callback; send the URL exactly as the dialog called it"
                )
            }
        }
        let stated: PostOutcome? = try draft.outcome.map { text throws(EventFault) in
            try FieldValue.word(text, .outcome)
        }
        guard let outcome = stated ?? (draft.postID != nil ? .posted : reading?.outcome) else {
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

    /// The post id of the event, else of the callback.
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
                "callback_url contains a post id that is longer than \(EventLimits.id) bytes"
            )
        }
        return postID
    }

    /// The dialog, if the event has `callback_url` or `dialog`. Otherwise the composer is unknown.
    private func defaultComposer(_ draft: EventDraft) -> Composer? {
        guard draft.callbackURL != nil || draft.dialog != nil else { return nil }
        return switch draft.dialog ?? .feed {
        case .feed: .feedDialog
        case .share: .shareDialog
        }
    }

    /// The result of a login. An event that says nothing about it is a login that was granted.
    private func login(_ draft: EventDraft) throws(EventFault) -> Login {
        let stated: LoginOutcome? = try draft.outcome.map { text throws(EventFault) in
            try FieldValue.word(text, .outcome)
        }
        var reading: LoginReading?
        if let url = draft.url {
            reading = LoginReader.read(url)
            guard reading != nil else {
                throw EventFault(
                    .notALoginResult,
                    .url,
                    "url is not the result of a login; send the URL exactly as the login called it, "
                        + "and a link as an inbound_link"
                )
            }
        } else if stated == nil, draft.errorMessage != nil || (draft.errorCode ?? 0) != 0 {
            throw EventFault(
                .missingField,
                .outcome,
                "an authentication with an error needs outcome, such as failed, or url"
            )
        }
        let login = Login(
            outcome: stated ?? reading?.outcome ?? .granted,
            errorCode: draft.errorCode ?? reading?.errorCode,
            errorMessage: draft.errorMessage ?? reading?.errorMessage?.cut(toBytes: EventLimits.message),
            redactedCallback: reading?.redactedURL
        )
        if sender == .app { try checkApp(login) }
        return login
    }

    private func conversion(_ draft: EventDraft) throws(EventFault) -> Conversion {
        guard let name = draft.name, !name.trimmedOfBlanks.isEmpty else { throw .missing(.name, .conversion) }
        if draft.value != nil, draft.currency == nil {
            throw EventFault(.missingField, .currency, "value needs a currency; send both or neither")
        }
        if draft.currency != nil, draft.value == nil {
            throw EventFault(.missingField, .value, "currency needs a value; send both or neither")
        }
        return Conversion(name: name, value: draft.value, currency: draft.currency)
    }
}
