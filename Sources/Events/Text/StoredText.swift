import InboundLinks
import JSONReading

/// Redacts stored text by the rules of this version. Text without a secret stays as it is.
package enum StoredText {
    /// An id, a ref, a message and the like.
    package static func text(_ text: String) -> String {
        SecretFreeText.text(text)
    }

    /// The raw link of a touch. By earlier rules, the result of a login may have been stored as one.
    package static func link(_ url: String) -> String {
        guard case .loginResult = LinkReader.read(url) else { return SecretFreeText.text(url) }
        return Redaction.redact(url, loginResult: true)
    }

    /// The raw callback of a login.
    package static func loginCallback(_ url: String) -> String {
        Redaction.redact(url, loginResult: true)
    }

    /// The text of a JSON object.
    package static func object(_ json: String) -> String {
        guard let document = try? JSONDocument(reading: json.utf8), document.root.kind == .object else {
            return SecretFreeText.text(json)
        }
        return PropertiesText.redacted(document.root, json)
    }

    /// The text of a dead letter.
    package static func rejectedEvent(_ text: String) -> String {
        var text = text
        return text.withUTF8 { SecretFreeText.rejectedEvent($0) }
    }

    package static func rejection(_ rejection: Rejection) -> Rejection {
        var redacted = rejection
        redacted.eventID = rejection.eventID.map(text)
        redacted.field = rejection.field.map(text)
        redacted.message = text(rejection.message)
        redacted.redactedEvent = rejectedEvent(rejection.redactedEvent)
        return redacted
    }

    package static func submission(_ submission: Submission) -> Submission {
        var redacted = submission
        redacted.events = submission.events.map(event)
        redacted.rejections = submission.rejections.map(rejection)
        return redacted
    }

    package static func event(_ event: Event) -> Event {
        var redacted = event
        redacted.userID = event.userID.map(text)
        redacted.deviceID = event.deviceID.map(text)
        redacted.clickID = event.clickID.map(text)
        redacted.appVersion = event.appVersion.map(text)
        redacted.properties = event.properties.map(object)
        redacted.content =
            switch event.content {
            case .inboundLink(let touch): .inboundLink(Self.touch(touch))
            case .linkClick(let touch): .linkClick(Self.touch(touch))
            case .feedPost(let post): .feedPost(Self.post(post))
            case .install(let install):
                .install(Self.install(install))
            case .authentication(let login): .authentication(Self.login(login))
            case .conversion(let conversion):
                .conversion(
                    Conversion(
                        name: text(conversion.name),
                        value: conversion.value,
                        currency: conversion.currency
                    )
                )
            case .appOpen: .appOpen
            }
        return redacted
    }

    private static func install(_ install: Install) -> Install {
        var redacted = install
        redacted.link = install.link.map(touch)
        redacted.referrer = install.referrer.map(text)
        return redacted
    }

    private static func touch(_ touch: Touch) -> Touch {
        var redacted = touch
        redacted.link.appID = touch.link.appID.map(text)
        redacted.link.targetURL = touch.link.targetURL.map(text)
        redacted.link.refs = touch.link.refs.map(text)
        redacted.link.fbSource = touch.link.fbSource.map(text)
        redacted.link.actionIDs = touch.link.actionIDs.map(text)
        redacted.link.actionTypes = touch.link.actionTypes.map(text)
        redacted.link.requestIDs = touch.link.requestIDs.map(text)
        redacted.link.refererApp = touch.link.refererApp.map(text)
        redacted.link.refererURL = touch.link.refererURL.map(text)
        redacted.link.promoCode = touch.link.promoCode.map(text)
        redacted.link.fbclid = touch.link.fbclid.map(text)
        redacted.link.redactedURL = touch.link.redactedURL.map(link)
        redacted.postID = touch.postID.flatMap(postID)
        // Joins what is posted and tapped from now on, whose links are redacted too.
        if touch.storyLink != nil, redacted.link.targetURL != touch.link.targetURL {
            redacted.storyLink = redacted.link.targetURL.map { StoryLink.normalised($0) }
        }
        return redacted
    }

    private static func post(_ post: FeedPost) -> FeedPost {
        var redacted = post
        redacted.postID = post.postID.flatMap(postID)
        redacted.refs = post.refs.map(text)
        redacted.link = post.link.map(text)
        if redacted.link != post.link { redacted.storyLink = redacted.link.map { StoryLink.normalised($0) } }
        redacted.actionType = post.actionType.map(text)
        redacted.objectID = post.objectID.map(text)
        redacted.errorMessage = post.errorMessage.map(text)
        redacted.redactedCallback = post.redactedCallback.map(text)
        return redacted
    }

    private static func login(_ login: Login) -> Login {
        var redacted = login
        redacted.errorMessage = login.errorMessage.map(text)
        redacted.redactedCallback = login.redactedCallback.map(loginCallback)
        return redacted
    }

    /// A post id with a secret in it identifies no post: redacted, the ids of several posts would be one.
    private static func postID(_ id: String) -> String? {
        text(id) == id ? id : nil
    }
}
