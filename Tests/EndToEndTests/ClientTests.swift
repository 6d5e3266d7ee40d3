import Foundation
import JSONReading
import Logging
import Postgres
import PostgresTesting
import Synchronization
import Testing
import TributaryClient

@Suite("The client for Swift backends")
struct ClientTests {
    /// Every kind of event, as the daemon reads it.
    @Test func storesEveryKindOfEvent() async throws {
        try await TestDatabases.withSchema { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let key = try #require(try JSONDocument(reading: made.output.utf8).root["write_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                // The second time, with the same ids, they are the same events.
                for _ in 1...2 {
                    let rejected = try await send(to: daemon, key: key)
                    #expect(rejected == ["too_old"])
                }
            }
            let types = try await database.pool.withConnection { connection in
                try connection.query("select type::text from event order by 1").map { try $0.text(0) }
            }
            #expect(
                types == [
                    "app_open", "authentication", "authentication", "authentication", "conversion", "feed_post",
                    "feed_post", "feed_post", "inbound_link", "inbound_link", "install", "install", "link_click",
                ]
            )
        }
    }

    /// - Returns: the codes of the rejected ones.
    private func send(to daemon: RunningDaemon, key: String) async throws -> [String] {
        let rejected = Mutex<[String]>([])
        var configuration = EventSender.Configuration()
        configuration.onRejection = { event in rejected.withLock { $0.append(event.code) } }
        let sender = EventSender(
            url: daemon.baseURL,
            writeKey: key,
            configuration: configuration,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        async let running: Void = sender.run()
        for event in Self.events { try sender.send(event) }
        await sender.flush()
        sender.shutDown()
        try await running
        return rejected.withLock { $0 }
    }

    private static let events: [TributaryEvent] = {
        var link = TributaryLink(targetURL: "https://shop.example/item/1", refs: ["winter", "news"], channel: .search)
        link.refererApp = "Messenger"
        link.refererURL = "https://m.example/"
        link.authenticated = true
        link.deferred = true
        link.clickedAt = Date(timeIntervalSinceNow: -100)
        link.postID = "1_2"
        link.paid = false
        var post = TributaryFeedPost(outcome: .posted, postID: "1_2", refs: ["winter"], composer: .shareDialog)
        post.link = "https://shop.example/item/1"
        post.actionType = "shop.buy"
        post.objectID = "9"
        var failed = TributaryFeedPost(outcome: .failed)
        failed.errorCode = 4201
        failed.errorMessage = "cancelled by a test"
        return [
            .inboundLink("https://shop.example/?fb_ref=winter&fb_source=search", by: .user("u", device: "d")),
            TributaryEvent(
                .inboundLink(link),
                by: .user("u"),
                platform: .ios,
                properties: ["screen": "home", "build": 7, "ratio": 0.5, "beta": true, "tags": .list(["a", 1])]
            ),
            .linkClick("https://shop.example/?ref=winter", by: .click("c")),
            .feedPost(callbackURL: "fbconnect://success?post_id=3_4", by: .user("u")),
            TributaryEvent(.feedPost(post), by: .nobody),
            TributaryEvent(.feedPost(failed), by: .user("u")),
            .install(by: .device("d"), deferredLink: "https://shop.example/?ref=winter"),
            .install(by: .nobody, installReferrer: "utm_source=winter&click_id=c"),
            .authentication(by: .user("u")),
            .authentication(TributaryLogin(callbackURL: "fbconnect://cancel?error_code=4201"), by: .user("u")),
            .authentication(TributaryLogin(outcome: .denied, errorCode: 200, errorMessage: "no"), by: .user("u")),
            .conversion("purchase", value: "9.99", currency: "EUR", by: .user("u")),
            .appOpen(by: .user("u")),
            TributaryEvent(.authentication, by: .user("u"), occurredAt: Date(timeIntervalSince1970: 0)),
        ]
    }()
}
