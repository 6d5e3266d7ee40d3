import Foundation
import Logging
import Redirects
import Testing

@testable import Storage
@testable import tributaryd

@Suite("Keeping the file of links")
struct LinkFileKeeperTests {
    private static func link(_ slug: String) -> Link {
        var link = Link(host: "go.example", slug: slug)
        link.targetURL = "https://www.example.com/"
        return link
    }

    private static func snapshot(_ revision: Int64, _ slugs: [String]) -> LinkSnapshot {
        var table = LinkTable()
        for slug in slugs { table.set(link(slug)) }
        return LinkSnapshot(revision: revision, apps: [], table: table)
    }

    private func with(_ body: (LinkFile, LinkFileKeeper) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path + ".links") }
        let file = LinkFile(beside: path)
        try await body(file, LinkFileKeeper(file, logger: Logger(label: "test")))
    }

    private func slugs(_ file: LinkFile) async throws -> [String] {
        var slugs: [String] = []
        let snapshot = try await file.read()
        snapshot?.table.forEach { slugs.append($0.slug) }
        return slugs.sorted()
    }

    /// The disk is slow: several changes are served before the first one is written.
    @Test func holdsNobodyUp() async throws {
        try await with { file, keeper in
            keeper.keep(Self.snapshot(1, ["a"]))
            keeper.keep(Self.snapshot(2, ["a", "b"]))
            let unwritten = try await file.read()
            #expect(unwritten == nil)
            keeper.close()
            await keeper.run()
            #expect(try await slugs(file) == ["a", "b"])
            #expect(try await file.read()?.revision == 2)
        }
    }
}
