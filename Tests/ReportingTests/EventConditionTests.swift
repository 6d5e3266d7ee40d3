@testable import Reporting
import Testing

/// How `--where` is written.
@Suite("Conditions of reports")
struct EventConditionTests {
    private func condition(_ text: String) throws(ReportError) -> EventCondition {
        try EventCondition(parsing: text, keys: EventGrouping.filterKeys)
    }

    @Test(
        arguments: [
            ("channel=search", EventGrouping.channel, ["search"], false),
            ("ref!=gift,boast", .ref, ["gift", "boast"], true),
            ("ref=gift,gift", .ref, ["gift"], false),
            ("target_url=https://example.com/?a=1&b=2", .targetURL, ["https://example.com/?a=1&b=2"], false),
            (
                "target_url=https://example.com/a\\,b,https://example.com/*", .targetURL,
                ["https://example.com/a,b", "https://example.com/*"], false
            ),
            ("referer_app=a\\\\,b\\c", .refererApp, ["a\\", "b\\c"], false),
            ("platform!=(none)", .platform, ["(none)"], true),
        ] as [(String, EventGrouping, [String], Bool)]
    )
    func areRead(text: String, key: EventGrouping, values: [String], isExclusion: Bool) throws {
        let condition = try condition(text)
        #expect(condition.key == key && condition.values == values && condition.isExclusion == isExclusion)
        #expect(try self.condition(condition.text) == condition)
    }

    @Test(
        arguments: [
            ("search", "'search' is not KEY=VALUE or KEY!=VALUE, for example channel=search"),
            ("chanel=search", "where: unknown key 'chanel'; did you mean 'channel'?"),
            ("channel=serch", "where: unknown value of channel 'serch'; did you mean 'search'?"),
            ("paid=yes", "where: unknown value of paid 'yes'"),
            ("ref=", "'ref=' has an empty value; (none) stands for events that have no ref"),
            ("ref=a,,b", "'ref=a,,b' has an empty value"),
            ("day=2026-01-01", "where: unknown key 'day'"),
        ]
    )
    func areRefused(text: String, message: String) {
        #expect {
            try condition(text)
        } throws: { error in
            "\(error)".contains(message)
        }
    }

    /// Installs that start a funnel have no channel.
    @Test func areRefusedIfTheReportCannotMeanThem() {
        #expect {
            try Asking.request("funnel", ["steps": "install,conversion", "where": "channel=search"])
        } throws: { error in
            "\(error)".hasSuffix(
                "cannot be limited to a channel (one of: platform, app_version, country, language, sent_by, injected, "
                    + "joined_by)"
            )
        }
        for name in ["goals", "logins"] {
            #expect {
                try Asking.request(name, ["where": "ref=gift"])
            } throws: { error in
                "\(error)".hasSuffix(
                    "cannot be limited to a ref (one of: platform, app_version, country, language, sent_by)"
                )
            }
        }
        #expect {
            try Asking.request("posts", ["where": "channel=search"])
        } throws: { error in
            "\(error)".hasSuffix("cannot be limited to a channel (one of: ref, platform, composer)")
        }
        #expect {
            try Asking.request("paths", ["where": "ref=gift"])
        } throws: { error in
            "\(error)".contains("unknown parameter of paths 'where'")
        }
    }
}
