import Cryptography
import Events
import Postgres
import Time
import InboundLinks

/// An event as a row of the table `event`, in PostgreSQL's binary format.
enum EventRow {
    static let copyStatement = """
        copy event (
            app_number, event_id, type, occurred_at, received_at, user_id, device_id, click_id, platform,
            channel, channel_rule, link_form, refs, target_url, referer_app, referer_url, authenticated, deferred, paid,
            test_traffic, clicked_at, link_details, url, post_id, story_key,
            outcome, composer, post_link, action_type, object_id, error_code, error_message,
            limit_ad_tracking, goal, value, currency, properties, login_outcome, install_referrer, short_link,
            stated, transaction_number
        )
        from stdin (format binary)
        """
    private static let fieldCount = 42

    /// Appends the event. The last field, the transaction's number, is 0: ``EventRows`` fills it in.
    static func append(_ event: Event, app: Int32, to data: PostgresCopyData) {
        data.beginRow(fields: fieldCount)
        data.append(int32: app)
        data.append(uuidHigh: event.id.high, low: event.id.low)
        data.append(enumLabel: event.type.rawValue)
        data.append(timestamp: event.occurredAt.microseconds)
        data.append(timestamp: event.receivedAt.microseconds)
        data.append(text: event.userID)
        data.append(text: event.deviceID)
        data.append(text: event.clickID)
        data.append(enumLabel: event.platform?.rawValue)

        // Each kind appends its own fields, so that no text is retained only to be written.
        var limitAdTracking: Bool?
        var installReferrer: String?
        switch event.content {
        case .inboundLink(let touch), .linkClick(let touch): append(touch, to: data)
        case .feedPost(let post): append(post, to: data)
        case .install(let install):
            limitAdTracking = install.limitAdTracking
            installReferrer = install.referrer
            if let touch = install.link { append(touch, to: data) } else { data.appendNulls(touchAndPostFieldCount) }
        case .authentication(let login): append(login, to: data)
        case .conversion: data.appendNulls(touchAndPostFieldCount)
        }

        data.append(bool: limitAdTracking)
        if case .conversion(let conversion) = event.content {
            data.append(text: conversion.name)
            data.append(numericMillionths: conversion.value?.millionths)
            data.append(text: conversion.currency)
        } else {
            data.appendNulls(3)
        }
        data.append(jsonb: event.properties)
        data.append(enumLabel: event.refusedLogin?.rawValue)
        data.append(text: installReferrer)
        data.append(text: event.touch?.shortLink)
        data.append(int16: event.touch?.link.stated.rawValue)
        data.append(int64: 0)
    }

    /// The number of columns from `channel` to `error_message`.
    private static let touchAndPostFieldCount = 23

    /// Appends the columns from `channel` to `error_message`.
    private static func append(_ touch: Touch, to data: PostgresCopyData) {
        data.append(enumLabel: touch.link.channel.rawValue)
        data.append(text: touch.link.rule.rawValue)
        data.append(text: touch.link.form.rawValue)
        data.append(textArray: touch.link.refs)
        data.append(text: touch.link.targetURL)
        data.append(text: touch.link.refererApp)
        data.append(text: touch.link.refererURL)
        data.append(bool: touch.link.authenticated)
        data.append(bool: touch.link.deferred)
        data.append(bool: touch.link.paid)
        data.append(bool: touch.link.testTraffic)
        data.append(timestamp: touch.link.clickedAt?.microseconds)
        data.append(jsonb: touch.link.details)
        data.append(text: touch.link.redactedURL)
        data.append(text: touch.postID)
        data.append(uuid: touch.storyLink.map(storyKey))
        data.appendNulls(7)
    }

    /// Appends the columns from `channel` to `error_message`.
    private static func append(_ post: FeedPost, to data: PostgresCopyData) {
        data.appendNulls(3)
        data.append(textArray: post.refs)
        data.appendNulls(9)
        data.append(text: post.redactedCallback)
        data.append(text: post.postID)
        data.append(uuid: post.storyLink.map(storyKey))
        data.append(enumLabel: post.outcome.rawValue)
        data.append(enumLabel: post.composer?.rawValue)
        data.append(text: post.link)
        data.append(text: post.actionType)
        data.append(text: post.objectID)
        data.append(int64: post.errorCode)
        data.append(text: post.errorMessage)
    }

    /// Appends the columns from `channel` to `error_message`.
    private static func append(_ login: Login, to data: PostgresCopyData) {
        data.appendNulls(13)
        data.append(text: login.redactedCallback)
        data.appendNulls(7)
        data.append(int64: login.errorCode)
        data.append(text: login.errorMessage)
    }

    /// The first half of a SHA-256: short, and wide enough that two links of an app do not collide by chance.
    static func storyKey(_ link: String) -> (high: UInt64, low: UInt64) {
        SHA256.hash(link.utf8).withUnsafeBytes { digest in
            (
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

extension Event {
    /// The outcome of a login that was not granted. A granted login has none, as those that were stored before there
    /// were outcomes.
    fileprivate var refusedLogin: LoginOutcome? {
        guard case .authentication(let login) = content else { return nil }
        return login.outcome == .granted ? nil : login.outcome
    }
}
