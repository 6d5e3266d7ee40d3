import Events
import Foundation
import InboundLinks
import Redirects
@testable import Storage
import Testing

@Suite("Rules of apps in the database")
struct AppRulesTests {
    typealias Base = StorageTesting

    private static let first = "refs: [utm_campaign]\n"
    private static let second = "rules:\n  - when: {a: b}\n    channel: other\n"

    @Test func keepEveryVersion() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            #expect(try await store.rules(of: base.app) == .none)
            #expect(try await store.setRules(nil, of: base.app) == nil)
            #expect(try await store.setRules(Self.first, of: base.app)?.version == 1)
            #expect(try await store.setRules(Self.first, of: base.app) == nil)
            #expect(try await store.setRules(Self.second, of: base.app)?.version == 2)
            #expect(try await store.rules(of: base.app).version == 2)
            #expect(try await store.setRules(nil, of: base.app)?.version == 3)
            #expect(try await store.rules(of: base.app).isEmpty)
            #expect(try await store.rules(of: base.app).version == 3)
            #expect(try await store.setRules(Self.first, of: base.app)?.version == 4)
            let versions = try await store.rulesVersions(of: base.app)
            #expect(versions.map(\.version) == [4, 3, 2, 1])
            #expect(versions.map(\.yaml) == [Self.first, nil, Self.second, Self.first])
            #expect(zip(versions, versions.dropFirst()).allSatisfy { $0.setAt > $1.setAt })
            #expect(try await store.rules(of: base.app).refParameters == ["utm_campaign"])
            #expect(try await store.allRules().keys.sorted() == ["shop"])
        }
    }

    /// They waited in a program that had not heard of the change yet. So one run of `reread` is enough.
    @Test(arguments: [true, false])
    func ofTheMomentOfStoringCount(isAllNew: Bool) async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            try await base.storeLink(of: base.app, host: "go.example")
            try await base.run("update link set ref = '{own}'")
            let join = ShortLinkJoin(try await LinkStore(pool: base.pool).snapshot().table, appID: "shop")
            func submission(_ number: UInt64, _ url: String, version: Int?) throws -> Submission {
                guard case .inboundLink(let link) = LinkReader.read(url, overriding: .none) else {
                    throw CancellationError()
                }
                let touch = Base.event(number, user: "ann", .inboundLink(Touch(reading: link)))
                var submission = Submission(
                    appNumber: base.app.number,
                    keyPrefix: "trib_w_test",
                    receivedAt: Base.noon,
                    // An event that is stored already makes the claim look at each.
                    events: [join.joined(touch)] + (isAllNew ? [] : [Base.event(1, user: "ann")])
                )
                submission.rulesVersion = version
                return submission
            }
            func stored() async throws -> [String] {
                try await base.texts(
                    "select channel || ' ' || channel_rule || ' ' || array_to_string(refs, ',') from event "
                        + "where type = 'inbound_link' order by event_id"
                )
            }
            try await base.store([Base.event(1, user: "ann")])
            let rules = Self.first + Self.second
            _ = try await store.setRules(rules, of: base.app)
            let page = "https://shop.example/?a=b&utm_campaign=c"
            let receipts = try await base.writer.store(
                contentsOf: [
                    try submission(2, page, version: 0), try submission(3, page, version: nil),
                    try submission(4, "https://go.example/sale?utm_campaign=c", version: 0),
                    try submission(5, "https://go.example/sale?a=b", version: 0),
                ]
            )
            #expect(receipts.map(\.duplicates) == (isAllNew ? [0, 0, 0, 0] : [1, 1, 1, 1]))
            let first = [
                // What nobody says of is stored as it is. It waits for no rules.
                "other app:1 c", "unattributed unattributed ", "unattributed unattributed c", "other app:1 own",
            ]
            let rows = try await stored()
            #expect(rows == first)
            _ = try await store.setRules(nil, of: base.app)
            _ = try await base.writer.store(try submission(6, page, version: 2))
            var read = try submission(7, page, version: 1)
            read.events[0] = TouchRereading(
                rules: try ReadingRules(yaml: rules, name: "rules"),
                links: join
            ).read(read.events[0])
            _ = try await base.writer.store(read)
            let last = try await stored().suffix(2)
            #expect(last == ["unattributed unattributed ", "unattributed unattributed "])
            // The rules of an app that is being deleted may still be there.
            _ = try await store.setRules(rules, of: base.app)
            try await base.run("insert into deleted_app (app_number) values (\(base.app.number))")
            _ = try await base.writer.store(try submission(8, page, version: 0))
            #expect(try await stored().count == rows.count + 2)
        }
    }

    @Test func badRulesChangeNothing() async throws {
        try await Base.with { base in
            let store = AppStore(pool: base.pool)
            _ = try await store.setRules(Self.first, of: base.app)
            await #expect(throws: ReadingRulesError.self) {
                try await store.setRules(Self.second + Self.second.dropFirst(7), of: base.app)
            }
            #expect(try await store.rulesVersions(of: base.app).map(\.yaml) == [Self.first])
        }
    }

    /// Daemons follow rules as they follow links: at a change, and from the file when they start without the database.
    @Test func followTheRevisionOfLinks() async throws {
        try await Base.with { base in
            let links = LinkStore(pool: base.pool)
            let before = try await links.currentRevision()
            let version = try await AppStore(pool: base.pool).setRules(Self.second, of: base.app)
            let changes = try #require(try await links.changes(since: before))
            #expect(changes.apps.map(\.rules) == [version])
            let snapshot = try await links.snapshot()
            #expect(snapshot.apps.map(\.rules) == [version])

            let path = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID())").path
            defer { try? FileManager.default.removeItem(atPath: path + ".links") }
            let file = LinkFile(beside: path)
            try await file.replace(with: snapshot)
            #expect(try await file.read()?.apps.map(\.rules) == [version])
        }
    }
}
