import Foundation
import Ingest
import Logging
import Redirects
import Testing

@testable import Storage
@testable import tributaryd

@Suite("Changes of live links")
struct LiveLinksTests {
    private static func link(_ slug: String, _ target: String = "a") -> Link {
        var link = Link(host: "go.example", slug: slug)
        link.targetURL = "https://www.example.com/\(target)"
        return link
    }

    private static func changes(to revision: Int64, set: [Link], removed: [String] = []) -> LinkChanges {
        LinkChanges(
            revision: revision,
            apps: [],
            set: set,
            removed: removed.map { LinkAddress(host: "go.example", slug: $0) }
        )
    }

    private func with(_ body: (LiveLinks, LinkFile) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path + ".links") }
        let (file, logger) = (LinkFile(beside: path), Logger(label: "test"))
        let links = LiveLinks(
            directory: LinkDirectory(),
            keeper: LinkFileKeeper(file, logger: logger),
            logger: logger
        )
        var table = LinkTable()
        table.set(Self.link("a"))
        links.show(LinkSnapshot(revision: 5, apps: [], table: table), confirmedAt: .now)
        try await body(links, file)
    }

    private func target(_ links: LiveLinks, _ slug: String) -> String? {
        let link = links.directory.table.link(host: "go.example", slug: slug)
        return link?.targetURL?.split(separator: "/").last.map(String.init)
    }

    /// Two requests and the follower tell of changes in any order. What is older takes nothing back.
    @Test func neverGoBackwards() async throws {
        try await with { links, file in
            links.take(Self.changes(to: 7, set: [Self.link("b", "new")], removed: ["a"]), since: 5)
            #expect(links.revision == 7)
            links.take(Self.changes(to: 6, set: [Self.link("a"), Self.link("b", "old")]), since: 5, confirmedAt: .now)
            #expect(links.revision == 7)
            #expect(target(links, "a") == nil)
            #expect(target(links, "b") == "new")
            // These do not say what came after 7.
            links.take(Self.changes(to: 9, set: [Self.link("c")]), since: 8)
            #expect(links.revision == 7)
            #expect(target(links, "c") == nil)
            links.take(Self.changes(to: 9, set: [Self.link("b", "newer"), Self.link("c")]), since: 6)
            #expect(links.revision == 9)
            #expect(target(links, "b") == "newer")
            #expect(target(links, "c") == "a")
            // The file is the same as the memory.
            links.keeper.close()
            await links.keeper.run()
            let kept = try await file.read()
            #expect(kept?.revision == 9)
            #expect(kept?.table.count == 2)
            #expect(kept?.table.link(host: "go.example", slug: "b") == Self.link("b", "newer"))
        }
    }

    @Test func needTheLinksOfTheDatabase() async throws {
        try await with { links, _ in
            links.show(unconfirmed: LinkSnapshot(revision: 5, apps: [], table: LinkTable()))
            #expect(links.revision == nil)
            links.take(Self.changes(to: 6, set: [Self.link("b")]), since: 5)
            #expect(target(links, "b") == nil)
        }
    }
}
