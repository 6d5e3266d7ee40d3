import InboundLinks

/// Every key that an event may have (docs/events.md, *Fields*). ``declaration`` is the only place that says what it is.
/// The decoder, forms, CSV mappings, the reference, the API's description and tests of all fields follow it.
package enum EventField: UInt8, CaseIterable, Sendable {
    case type, eventID, appID, occurredAt, sentAt
    case userID, deviceID, clickID, platform, appVersion, country, language, properties
    case url, targetURL, ref, channel, refererApp, refererURL
    case authenticated, deferred, clickedAt, postID, paid
    case callbackURL, dialog, outcome, link, composer, actionType, objectID, errorCode, errorMessage
    case limitAdTracking, installReferrer, referrerClickedAt, installBeganAt
    case name, value, currency

    /// Whether it only says what a device is and what its store passed on. An event is stored without such a field if
    /// it cannot be read, and its sender is warned: apps cannot choose what a phone says.
    var isOfDevice: Bool {
        switch self {
        case .platform, .appVersion, .country, .language, .limitAdTracking, .installReferrer, .referrerClickedAt,
            .installBeganAt:
            true
        default: false
        }
    }

    /// What the field is called, which types of events take it, its values, and what senders are told about it.
    var declaration: FieldDeclaration {
        switch self {
        case .type:
            .word(
                "type",
                EventType.self,
                "What happened. `/v1/inbound-links` and `/v1/feed-posts` imply it.",
                example: .inboundLink
            )
        case .eventID:
            FieldDeclaration(
                "event_id",
                .uuid,
                """
                Your own id of the event, a UUID of any version. It is stored once, so you can send the event again. \
                If it is absent, the server makes one (version 7). See [once](events.md#once).
                """,
                example: #""018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80""#
            )
        case .appID:
            FieldDeclaration(
                "app_id",
                .text(limit: EventLimits.id),
                "If it is there, it must be the app of the key.",
                example: #""shop""#
            )
        case .occurredAt:
            FieldDeclaration(
                "occurred_at",
                .time,
                "When it happened; if absent, now. See [time](events.md#time).",
                example: #""2026-11-21T11:59:30.250Z""#
            )
        case .sentAt:
            FieldDeclaration(
                "sent_at",
                .time,
                """
                The sender's clock as it sends, which [corrects](events.md#time) `occurred_at`. In a list of events it \
                stands beside `events`.
                """,
                example: #""2026-11-21T12:00:00Z""#
            )
        case .userID: FieldDeclaration("user_id", .id, "The person in your system.", example: #""alice""#)
        case .deviceID:
            FieldDeclaration("device_id", .id, "The device or installation.", example: #""phone-7""#)
        case .clickID:
            FieldDeclaration(
                "click_id",
                .id,
                "The tap, if you carry it from the click to the app.",
                example: #""tap-1""#
            )
        case .platform: .word("platform", Platform.self, "Where it happened.", example: .ios)
        case .appVersion:
            FieldDeclaration(
                "app_version",
                .text(limit: EventLimits.name),
                "The version of the app.",
                example: #""4.2.0""#
            )
        case .country:
            FieldDeclaration("country", .country, "The country that the device is in or set to.", example: #""DE""#)
        case .language:
            FieldDeclaration("language", .language, "The language of the device.", example: #""de-AT""#)
        case .properties:
            FieldDeclaration(
                "properties",
                .object,
                "Data of your own. [Exports](exports.md) have it; a [declared](properties.md) one is a key of reports.",
                example: #"{"plan": "family"}"#
            )
        case .url:
            FieldDeclaration(
                "url",
                [
                    .inboundLink: FieldDescription(
                        .text(limit: EventLimits.url),
                        "The raw [link](links.md), exactly as it arrived.",
                        example: #""fb123://authorize#target_url=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Drecipe""#
                    ),
                    .linkClick: FieldDescription(
                        .text(limit: EventLimits.url),
                        "The raw [link](links.md), exactly as it was clicked.",
                        example: #""https://shop.example/soup?fb_ref=recipe""#
                    ),
                    .install: FieldDescription(
                        .text(limit: EventLimits.url),
                        "The link that the first launch delivered, exactly as it arrived. It counts as a deferred tap.",
                        example: #""myapp://soup?fb_ref=recipe""#
                    ),
                    .authentication: FieldDescription(
                        .text(limit: EventLimits.url),
                        "The raw [callback of the login](links.md#the-outcome-of-a-login), exactly as it arrived.",
                        example: #""fb123://authorize?error=access_denied&error_reason=user_denied#_=_""#
                    ),
                ]
            )
        case .targetURL:
            FieldDeclaration(
                "target_url",
                of: EventType.touches,
                .text(limit: EventLimits.url),
                "The page or place that the link leads to.",
                example: #""https://shop.example/soup""#
            )
        case .ref:
            FieldDeclaration(
                "ref",
                of: EventType.touches + [.feedPost],
                .refs,
                """
                Your category of the post. Blanks around a ref, empty refs, repeated refs and `no_ref_specified` are \
                dropped. See [refs](links.md#refs).
                """,
                example: #"["recipe"]"#
            )
        case .channel:
            .word(
                "channel",
                of: EventType.touches,
                Channel.self,
                "The [channel](links.md#channels), if you know it.",
                example: .storyLinks
            )
        case .refererApp:
            FieldDeclaration(
                "referer_app",
                of: EventType.touches,
                .text(limit: EventLimits.name),
                "The app that the person came from.",
                example: #""Facebook""#
            )
        case .refererURL:
            FieldDeclaration(
                "referer_url",
                of: EventType.touches,
                .text(limit: EventLimits.url),
                "The page that the person came from.",
                example: #""https://m.facebook.com/""#
            )
        case .authenticated:
            FieldDeclaration(
                "authenticated",
                of: EventType.touches,
                .flag,
                "The person was logged in.",
                example: "true"
            )
        case .deferred:
            FieldDeclaration(
                "deferred",
                of: EventType.touches,
                .flag,
                "The tap was before the install.",
                example: "false"
            )
        case .clickedAt:
            FieldDeclaration(
                "clicked_at",
                of: EventType.touches,
                .time,
                "When the person tapped, if that was before the event.",
                example: #""2026-11-21T11:58:00Z""#
            )
        case .postID:
            FieldDeclaration(
                "post_id",
                [
                    .inboundLink: FieldDescription(
                        .id,
                        "The id of the post that the tap came from.",
                        example: #""100_200""#
                    ),
                    .linkClick: FieldDescription(
                        .id,
                        "The id of the post that the tap came from.",
                        example: #""100_200""#
                    ),
                    .feedPost: FieldDescription(
                        .id,
                        "The id of the post. Alone it means `posted`. It is stored [once](events.md#once).",
                        example: #""100_200""#
                    ),
                ]
            )
        case .paid:
            FieldDeclaration("paid", of: EventType.touches, .flag, "The tap was on an ad.", example: "false")
        case .callbackURL:
            FieldDeclaration(
                "callback_url",
                of: [.feedPost],
                .text(limit: EventLimits.url),
                "The raw [callback](feed-posts.md#callbacks) of the dialog.",
                example: #""fbconnect://success?post_id=100_200""#
            )
        case .dialog:
            .word(
                "dialog",
                of: [.feedPost],
                FeedPostReading.Dialog.self,
                "The dialog that called back; if absent, `feed`.",
                example: .feed
            )
        case .outcome:
            FieldDeclaration(
                "outcome",
                [
                    .feedPost: .word(
                        PostOutcome.self,
                        "What became of the post ([outcomes](feed-posts.md#outcomes)).",
                        example: .posted
                    ),
                    .authentication: .word(
                        LoginOutcome.self,
                        """
                        How the [login](links.md#the-outcome-of-a-login) ended; if absent, as `url` says, else \
                        `granted`. Only `granted` authenticates.
                        """,
                        example: .granted
                    ),
                ]
            )
        case .link:
            FieldDeclaration(
                "link",
                of: [.feedPost],
                .text(limit: EventLimits.url),
                "The URL that the story was posted with, for the [story join](links.md#the-story-join).",
                example: #""https://shop.example/soup?s=1""#
            )
        case .composer:
            .word("composer", of: [.feedPost], Composer.self, "How the story was published.", example: .feedDialog)
        case .actionType:
            FieldDeclaration(
                "action_type",
                of: [.feedPost],
                .text(limit: EventLimits.name),
                "The Open Graph action, `namespace:verb`.",
                example: #""shop:cook""#
            )
        case .objectID:
            FieldDeclaration(
                "object_id",
                of: [.feedPost],
                .text(limit: EventLimits.id),
                "The object of the Open Graph action.",
                example: #""soup""#
            )
        case .errorCode:
            FieldDeclaration(
                "error_code",
                of: [.feedPost, .authentication],
                .wholeNumber,
                "The error's number.",
                example: "100"
            )
        case .errorMessage:
            FieldDeclaration(
                "error_message",
                of: [.feedPost, .authentication],
                .text(limit: EventLimits.message),
                "The error's text.",
                example: #""Invalid parameter""#
            )
        case .limitAdTracking:
            FieldDeclaration(
                "limit_ad_tracking",
                of: [.install],
                .flag,
                "The person limits ad tracking on the device.",
                example: "false"
            )
        case .installReferrer:
            FieldDeclaration(
                "install_referrer",
                of: [.install],
                .text(limit: EventLimits.url),
                """
                What Google Play's install referrer library gives, exactly as it is. Its `click_id` is the event's if \
                the event has none itself. See [the install referrer](events.md#the-install-referrer).
                """,
                example: #""click_id=tap-1&utm_source=recipe&utm_medium=link""#
            )
        case .referrerClickedAt:
            FieldDeclaration(
                "referrer_clicked_at",
                of: [.install],
                .time,
                "When the link to the store was tapped, as Google Play's library says.",
                example: #""2026-11-21T11:58:00Z""#
            )
        case .installBeganAt:
            FieldDeclaration(
                "install_began_at",
                of: [.install],
                .time,
                """
                When the download began, as Google Play's library says. If the tap was later, the referrer is \
                [injected](events.md#the-install-referrer), and not believed.
                """,
                example: #""2026-11-21T11:58:20Z""#
            )
        case .name:
            FieldDeclaration(
                "name",
                of: [.conversion],
                .text(limit: EventLimits.name),
                "The goal.",
                example: #""purchase""#
            )
        case .value:
            FieldDeclaration(
                "value",
                of: [.conversion],
                .decimal,
                "What the goal was worth; negative for a refund.",
                example: #""19.90""#
            )
        case .currency:
            FieldDeclaration("currency", of: [.conversion], .currency, "The currency of `value`.", example: #""EUR""#)
        }
    }
}
