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
            #expect(try await store.setRules(nil, of: base.app)?.version == 3)
            #expect(try await store.rules(of: base.app) == .none)
            #expect(try await store.setRules(Self.first, of: base.app)?.version == 4)
            let versions = try await store.rulesVersions(of: base.app)
            #expect(versions.map(\.version) == [4, 3, 2, 1])
            #expect(versions.map(\.yaml) == [Self.first, nil, Self.second, Self.first])
            #expect(zip(versions, versions.dropFirst()).allSatisfy { $0.setAt > $1.setAt })
            #expect(try await store.rules(of: base.app).refParameters == ["utm_campaign"])
            #expect(try await store.allRules().keys.sorted() == ["shop"])
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
