import InboundLinks

extension EventField {
    /// What the field means in an event of this type. The type takes the field.
    package func description(in type: EventType) -> FieldDescription {
        switch self {
        case .type:
            .word(
                EventType.self,
                "What happened. `/v1/inbound-links` and `/v1/feed-posts` imply it.",
                example: .inboundLink
            )
        case .eventID:
            FieldDescription(
                .uuid,
                """
                Your own id of the event, a UUID of any version. It is stored once, so you can send the event again. \
                If it is absent, the server makes one (version 7). See [once](events.md#once).
                """,
                example: #""018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80""#
            )
        case .appID:
            FieldDescription(
                .text(limit: EventLimits.id),
                "If it is there, it must be the app of the key.",
                example: #""shop""#
            )
        case .occurredAt:
            FieldDescription(
                .time,
                "When it happened; if absent, now. See [time](events.md#time).",
                example: #""2026-11-21T11:59:30.250Z""#
            )
        case .sentAt:
            FieldDescription(
                .time,
                """
                The sender's clock as it sends, which [corrects](events.md#time) `occurred_at`. In a list of events it \
                stands beside `events`.
                """,
                example: #""2026-11-21T12:00:00Z""#
            )
        case .userID: FieldDescription(.id, "The person in your system.", example: #""alice""#)
        case .deviceID: FieldDescription(.id, "The device or installation.", example: #""phone-7""#)
        case .clickID:
            FieldDescription(.id, "The tap, if you carry it from the click to the app.", example: #""tap-1""#)
        case .platform: .word(Platform.self, "Where it happened.", example: .ios)
        case .properties:
            FieldDescription(
                .object,
                "Data of your own. No report reads it; the [export](exports.md) has it.",
                example: #"{"plan": "family"}"#
            )
        case .url where type == .install:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The link that the first launch delivered, exactly as it arrived. It counts as a deferred tap.",
                example: #""myapp://soup?fb_ref=recipe""#
            )
        case .url where type == .authentication:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The raw [callback of the login](links.md#the-outcome-of-a-login), exactly as it arrived.",
                example: #""fb123://authorize?error=access_denied&error_reason=user_denied#_=_""#
            )
        case .url where type == .linkClick:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The raw [link](links.md), exactly as it was clicked.",
                example: #""https://shop.example/soup?fb_ref=recipe""#
            )
        case .url:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The raw [link](links.md), exactly as it arrived.",
                example: #""fb123://authorize#target_url=https%3A%2F%2Fshop.example%2Fsoup%3Ffb_ref%3Drecipe""#
            )
        case .targetURL:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The page or place that the link leads to.",
                example: #""https://shop.example/soup""#
            )
        case .ref:
            FieldDescription(
                .refs,
                """
                Your category of the post. Blanks around a ref, empty refs, repeated refs and `no_ref_specified` are \
                dropped. See [refs](links.md#refs).
                """,
                example: #"["recipe"]"#
            )
        case .channel: .word(Channel.self, "The [channel](links.md#channels), if you know it.", example: .storyLinks)
        case .refererApp:
            FieldDescription(
                .text(limit: EventLimits.name),
                "The app that the person came from.",
                example: #""Facebook""#
            )
        case .refererURL:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The page that the person came from.",
                example: #""https://m.facebook.com/""#
            )
        case .authenticated: FieldDescription(.flag, "The person was logged in.", example: "true")
        case .deferred: FieldDescription(.flag, "The tap was before the install.", example: "false")
        case .clickedAt:
            FieldDescription(
                .time,
                "When the person tapped, if that was before the event.",
                example: #""2026-11-21T11:58:00Z""#
            )
        case .postID where type == .feedPost:
            FieldDescription(
                .id,
                "The id of the post. Alone it means `posted`. It is stored [once](events.md#once).",
                example: #""100_200""#
            )
        case .postID: FieldDescription(.id, "The id of the post that the tap came from.", example: #""100_200""#)
        case .paid: FieldDescription(.flag, "The tap was on an ad.", example: "false")
        case .callbackURL:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The raw [callback](feed-posts.md#callbacks) of the dialog.",
                example: #""fbconnect://success?post_id=100_200""#
            )
        case .dialog:
            .word(
                FeedPostReading.Dialog.self,
                "The dialog that called back; if absent, `feed`.",
                example: .feed
            )
        case .outcome where type == .authentication:
            .word(
                LoginOutcome.self,
                """
                How the [login](links.md#the-outcome-of-a-login) ended; if absent, as `url` says, else `granted`. Only \
                `granted` authenticates.
                """,
                example: .granted
            )
        case .outcome:
            .word(PostOutcome.self, "What became of the post ([outcomes](feed-posts.md#outcomes)).", example: .posted)
        case .link:
            FieldDescription(
                .text(limit: EventLimits.url),
                "The URL that the story was posted with, for the [story join](links.md#the-story-join).",
                example: #""https://shop.example/soup?s=1""#
            )
        case .composer: .word(Composer.self, "How the story was published.", example: .feedDialog)
        case .actionType:
            FieldDescription(
                .text(limit: EventLimits.name),
                "The Open Graph action, `namespace:verb`.",
                example: #""shop:cook""#
            )
        case .objectID:
            FieldDescription(
                .text(limit: EventLimits.id),
                "The object of the Open Graph action.",
                example: #""soup""#
            )
        case .errorCode: FieldDescription(.wholeNumber, "The error's number.", example: "100")
        case .errorMessage:
            FieldDescription(
                .text(limit: EventLimits.message),
                "The error's text.",
                example: #""Invalid parameter""#
            )
        case .limitAdTracking:
            FieldDescription(.flag, "The person limits ad tracking on the device.", example: "false")
        case .installReferrer:
            FieldDescription(
                .text(limit: EventLimits.installReferrer),
                """
                What Google Play's install referrer library gives, exactly as it is. Its `click_id` is the event's if the \
                event has none itself. See [the install referrer](events.md#the-install-referrer).
                """,
                example: #""click_id=tap-1&utm_source=recipe&utm_medium=link""#
            )
        case .name: FieldDescription(.text(limit: EventLimits.name), "The goal.", example: #""purchase""#)
        case .value:
            FieldDescription(.decimal, "What the goal was worth; negative for a refund.", example: #""19.90""#)
        case .currency: FieldDescription(.currency, "The currency of `value`.", example: #""EUR""#)
        }
    }
}
