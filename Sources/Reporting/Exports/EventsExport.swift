/// Events as they were stored: redacted, including test traffic. An incremental export contains each of them once, and
/// once more whenever its link is read differently (`tributary reread`).
struct EventsExport: Export {
    static let name = "events"
    static let summary = "Every event as it was stored, with what was read from its link. Test traffic too."
    static let examples = ["--from 7d --output events.csv", "--from yesterday --to today --format ndjson"]
    static let parameters: [ReportParameter] = []

    /// In the order of `sql/exports/events.sql`.
    static let columns: [ReportColumn] = [
        .uuid("event_id", "The event's id, unique in the app."),
        .text(
            "type",
            "`inbound_link`, `feed_post`, `link_click`, `install`, `authentication` or `conversion`."
        ),
        .time("occurred_at", "When it happened."),
        .time("received_at", "When it was received."),
        .text("user_id", "The user that the event names."),
        .text("device_id", "The device that the event names."),
        .text("click_id", "The click that the event names."),
        .text("platform", "`ios`, `android`, `web` or `desktop`."),
        .text(
            "channel",
            "Touches: `search`, `bookmarks`, `requests`, `story_attribution`, `story_links`, `other` or `unattributed`."
        ),
        .text("channel_rule", "Touches: the rule that decided on the channel."),
        .text("link_form", "Touches: the form of the link, `legacy_authorize`, `app_link`, `applink_args` or `plain`."),
        .list("refs", "Touches and feed posts: the refs that the event itself carries, before the story join."),
        .text("url", "The raw link or callback, its secrets replaced by `REDACTED`."),
        .text("target_url", "Touches: where the link leads."),
        .text("referer_app", "Touches: the name of the app that the link was tapped in."),
        .text("referer_url", "Touches: the URL that leads back there."),
        .flag("authenticated", "Touches: whether the link carried a token."),
        .flag("deferred", "Touches: whether the link was tapped before the app was installed."),
        .time("clicked_at", "Touches: when the link was tapped, if the link says so."),
        .flag("paid", "Touches: whether it came from an ad."),
        .flag("test_traffic", "Touches: whether it is a test, which no report counts."),
        .json("link_details", "Touches: other details of the link, such as `fb_source`, `request_ids`, `promo_code`."),
        .text("post_id", "Touches and feed posts: the post's id."),
        .text("outcome", "Feed posts: `posted`, `cancelled`, `failed` or `unconfirmed`."),
        .text(
            "composer",
            "Feed posts: `feed_dialog`, `share_dialog`, `open_graph`, `stories` or `request_dialog`."
        ),
        .text("link", "Feed posts: the URL that the story was posted with."),
        .text("action_type", "Feed posts: the Open Graph action, `namespace:verb`."),
        .text("object_id", "Feed posts: the Open Graph object."),
        .integer("error_code", unit: "code", "Feed posts and logins: Facebook's error."),
        .text("error_message", "Feed posts and logins: its text."),
        .flag("limit_ad_tracking", "Installs: whether ad tracking was limited."),
        .text("name", "Conversions: the goal's name."),
        .decimal("value", unit: "`currency`", "Conversions: the value."),
        .text("currency", "Conversions: ISO 4217."),
        .json("properties", "Properties that the sender added."),
        .text("login_outcome", "Authentications: `granted`, `cancelled`, `denied` or `failed`."),
        .text(
            "install_referrer",
            "Installs: what Google Play passed on to the app, its secrets replaced by `REDACTED`."
        ),
        .text("short_link", "Touches: the app's short link that they came through, `host/slug`."),
    ]

    init(reading parameters: inout ParameterReader) throws(ReportError) {}
}
