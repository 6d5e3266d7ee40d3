import Events
import InboundLinks
import Time

extension EventColumn {
    /// Every column that an event decides. A new one is the last: exports keep the order of their columns.
    package static let all: [EventColumn] = [
        EventColumn("event_id", .uuid, "The event's id, unique in the app.", event: .uuid { ($0.id.high, $0.id.low) }),
        EventColumn(
            "type",
            .label("event_type"),
            "`inbound_link`, `feed_post`, `link_click`, `install`, `authentication`, `conversion` or `app_open`.",
            event: .label { $0.type.rawValue }
        ),
        EventColumn("occurred_at", .time, "When it happened.", event: .time { $0.occurredAt }),
        EventColumn("received_at", .time, "When it was received.", event: .time { $0.receivedAt }),
        EventColumn("user_id", .text, "The user that the event names.", event: .text { $0.userID }).reported,
        EventColumn("device_id", .text, "The device that the event names.", event: .text { $0.deviceID }).reported,
        EventColumn("click_id", .text, "The click that the event names.", event: .text { $0.clickID }).reported,
        EventColumn(
            "platform",
            .label("platform"),
            "`ios`, `android`, `web` or `desktop`.",
            event: .label { $0.platform?.rawValue }
        ),
        EventColumn(
            "channel",
            .label("channel"),
            """
            Touches: `search`, `bookmarks`, `requests`, `story_attribution`, `story_links`, `other` or \
            `unattributed`.
            """,
            touch: .label { $0.link.channel.rawValue }
        )
        .reread(.word(\.channel, { Channel(rawValue: $0) })),
        EventColumn(
            "channel_rule",
            .text,
            "Touches: the rule that decided on the channel.",
            touch: .text { $0.link.rule.rawValue }
        )
        .redacted(as: nil).reread(.word(\.rule, { ChannelRule(rawValue: $0) })),
        EventColumn(
            "link_form",
            .text,
            "Touches: the form of the link, `legacy_authorize`, `app_link`, `applink_args` or `plain`.",
            touch: .text { $0.link.form.rawValue }
        )
        .redacted(as: nil).reread(.word(\.form, { InboundLink.Form(rawValue: $0) })),
        EventColumn(
            "refs",
            .list,
            "Touches and feed posts: the refs that the event itself carries, before the story join.",
            touch: .list { $0.link.refs },
            post: .list { $0.refs }
        )
        .reported.reread(.refs),
        EventColumn(
            "url",
            .text,
            "The raw link or callback, its secrets replaced by `REDACTED`.",
            touch: .text { $0.link.redactedURL },
            post: .text { $0.redactedCallback },
            login: .text { $0.redactedCallback }
        )
        .redacted(as: .url),
        EventColumn(
            "target_url",
            .text,
            "Touches: where the link leads.",
            touch: .text { $0.link.targetURL }
        )
        .reported.reread(.text(\.targetURL)),
        EventColumn(
            "referer_app",
            .text,
            "Touches: the name of the app that the link was tapped in.",
            touch: .text { $0.link.refererApp }
        )
        .reported.reread(.text(\.refererApp)),
        EventColumn(
            "referer_url",
            .text,
            "Touches: the URL that leads back there.",
            touch: .text { $0.link.refererURL }
        )
        .reread(.text(\.refererURL)),
        EventColumn(
            "authenticated",
            .flag,
            "Touches: whether the link carried a token.",
            touch: .flag { $0.link.authenticated }
        )
        .reread(.flag(\.authenticated)),
        EventColumn(
            "deferred",
            .flag,
            "Touches: whether the link was tapped before the app was installed.",
            touch: .flag { $0.link.deferred }
        )
        .reread(.flag(\.deferred)),
        EventColumn(
            "clicked_at",
            .time,
            "Touches: when the link was tapped, if the link says so.",
            touch: .time { $0.link.clickedAt }
        )
        .exported(says: "case when clicked_at is not null then least(clicked_at, occurred_at) end")
        .reread(.clickedAt),
        EventColumn("paid", .flag, "Touches: whether it came from an ad.", touch: .flag { $0.link.paid })
            .reread(.flag(\.paid)),
        EventColumn(
            "test_traffic",
            .flag,
            "Touches: whether it is a test, which no report counts.",
            touch: .flag { $0.link.testTraffic }
        )
        .reread(.flag(\.testTraffic)),
        EventColumn(
            "link_details",
            .json,
            "Touches: other details of the link, such as `fb_source`, `request_ids`, `promo_code`.",
            touch: .json { $0.link.details }
        )
        .reread(.details),
        EventColumn(
            "post_id",
            .text,
            "Touches and feed posts: the post's id.",
            touch: .text { $0.postID },
            post: .text { $0.postID }
        )
        .redacted(as: .postID).reported,
        EventColumn(
            "outcome",
            .label("post_outcome"),
            "Feed posts: `posted`, `cancelled`, `failed` or `unconfirmed`.",
            post: .label { $0.outcome.rawValue }
        ),
        EventColumn(
            "composer",
            .label("composer"),
            "Feed posts: `feed_dialog`, `share_dialog`, `open_graph`, `stories` or `request_dialog`.",
            post: .label { $0.composer?.rawValue }
        ),
        EventColumn(
            "post_link",
            .text,
            "Feed posts: the URL that the story was posted with.",
            post: .text { $0.link }
        )
        .exported(as: "link").reported,
        EventColumn(
            "action_type",
            .text,
            "Feed posts: the Open Graph action, `namespace:verb`.",
            post: .text { $0.actionType }
        ),
        EventColumn("object_id", .text, "Feed posts: the Open Graph object.", post: .text { $0.objectID }),
        EventColumn(
            "error_code",
            .integer,
            "Feed posts and logins: Facebook's error.",
            unit: "code",
            post: .integer { $0.errorCode },
            login: .integer { $0.errorCode }
        ),
        EventColumn(
            "error_message",
            .text,
            "Feed posts and logins: its text.",
            post: .text { $0.errorMessage },
            login: .text { $0.errorMessage }
        ),
        EventColumn(
            "limit_ad_tracking",
            .flag,
            "Installs: whether ad tracking was limited.",
            install: .flag { $0.limitAdTracking }
        ),
        EventColumn("goal", .text, "Conversions: the goal's name.", conversion: .text { $0.name })
            .exported(as: "name").reported,
        EventColumn(
            "value",
            .decimal,
            "Conversions: the value.",
            unit: "`currency`",
            conversion: .decimal { $0.value }
        ),
        EventColumn("currency", .text, "Conversions: ISO 4217.", conversion: .text { $0.currency })
            .redacted(as: nil),
        EventColumn("properties", .json, "Properties that the sender added.", event: .json { $0.properties }),
        EventColumn(
            "login_outcome",
            .label("login_outcome"),
            "Authentications: `granted`, `cancelled`, `denied` or `failed`.",
            login: .label { $0.outcome.rawValue }
        )
        .stored(unless: "granted")
        .told(as: "case when type = 'authentication' then coalesce(login_outcome, 'granted') end"),
        EventColumn(
            "install_referrer",
            .text,
            "Installs: what Google Play passed on to the app, its secrets replaced by `REDACTED`.",
            install: .text { $0.referrer }
        ),
        EventColumn(
            "short_link",
            .text,
            "Touches: the app's short link that they came through, `host/slug`.",
            touch: .text { $0.shortLink }
        )
        .redacted(as: nil),
        EventColumn(
            "story_key",
            .uuid,
            touch: .uuid { $0.storyLink.map(EventRow.storyKey) },
            post: .uuid { $0.storyLink.map(EventRow.storyKey) }
        ),
        EventColumn("app_version", .text, "The version of the app.", event: .text { $0.appVersion }).reported,
        EventColumn("country", .text, "The country of the device, ISO 3166-1 alpha-2.", event: .text { $0.country })
            .redacted(as: nil).reported,
        EventColumn("language", .text, "The language of the device, BCP 47.", event: .text { $0.language })
            .redacted(as: nil).reported,
        EventColumn(
            "sent_by",
            .label("event_sender"),
            "`app` if it came with a key for apps, else `server`.",
            event: .label { $0.sentBy.rawValue }
        )
        .stored(unless: "server").told(as: "coalesce(sent_by, 'server')"),
        EventColumn(
            "referrer_clicked_at",
            .time,
            "Installs: when the link to the store was tapped, as Google Play says.",
            install: .time { $0.referrerClickedAt }
        ),
        EventColumn(
            "install_began_at",
            .time,
            "Installs: when the download began. If that was before `referrer_clicked_at`, the referrer was injected.",
            install: .time { $0.beganAt }
        ),
        EventColumn("stated", .smallInteger, touch: .smallInteger { $0.link.stated.rawValue }).told(as: nil),
    ]
}
