import Crypto
import Events
import InboundLinks
import Postgres

/// An event as a row of the table `event`, in PostgreSQL's binary format.
enum EventRow {
    static let copyStatement = """
        copy event (
            app_number, event_id, type, occurred_at, received_at, user_id, device_id, click_id, platform,
            channel, channel_rule, link_form, refs, target_url, referer_app, referer_url, authenticated, deferred, paid,
            test_traffic, clicked_at, link_details, url, post_id, story_key,
            outcome, composer, post_link, action_type, object_id, error_code, error_message,
            limit_ad_tracking, goal, value, currency, properties, transaction_number
        )
        from stdin (format binary)
        """
    private static let fieldCount = 38

    static func append(_ event: Event, app: Int32, transaction: Int64, to data: PostgresCopyData) {
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

        var touch: Touch?
        var post: FeedPost?
        var conversion: Conversion?
        var limitAdTracking: Bool?
        switch event.content {
        case .inboundLink(let value), .linkClick(let value): touch = value
        case .feedPost(let value): post = value
        case .install(let limited, let link):
            limitAdTracking = limited
            touch = link
        case .conversion(let value): conversion = value
        case .authentication: break
        }

        let link = touch?.link
        data.append(enumLabel: link?.channel.rawValue)
        data.append(text: link?.rule.rawValue)
        data.append(text: link?.form.rawValue)
        data.append(textArray: link?.refs ?? post?.refs)
        data.append(text: link?.targetURL)
        data.append(text: link?.refererApp)
        data.append(text: link?.refererURL)
        data.append(bool: link?.authenticated)
        data.append(bool: link?.deferred)
        data.append(bool: link?.paid)
        data.append(bool: link?.testTraffic)
        data.append(timestamp: link?.clickedAt?.microseconds)
        data.append(jsonb: link?.details)
        data.append(text: link?.redactedURL ?? post?.redactedCallback)

        data.append(text: touch?.postID ?? post?.postID)
        if let storyLink = touch?.storyLink ?? post?.storyLink {
            let key = storyKey(storyLink)
            data.append(uuidHigh: key.high, low: key.low)
        } else {
            data.appendNull()
        }

        data.append(enumLabel: post?.outcome.rawValue)
        data.append(enumLabel: post?.composer?.rawValue)
        data.append(text: post?.link)
        data.append(text: post?.actionType)
        data.append(text: post?.objectID)
        data.append(int64: post?.errorCode)
        data.append(text: post?.errorMessage)
        data.append(bool: limitAdTracking)
        data.append(text: conversion?.name)
        data.append(numericMillionths: conversion?.value?.millionths)
        data.append(text: conversion?.currency)
        data.append(jsonb: event.properties)
        data.append(int64: transaction)
    }

    /// Half of a SHA-256: short, and too wide for two links of an app to meet by chance.
    private static func storyKey(_ link: String) -> (high: UInt64, low: UInt64) {
        SHA256.hash(data: Array(link.utf8)).withUnsafeBytes { digest in
            (
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}
