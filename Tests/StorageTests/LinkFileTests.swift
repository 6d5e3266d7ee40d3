import Foundation
import Redirects
import Testing

@testable import Storage

@Suite("A daemon's copy of the links")
struct LinkFileTests {
    private static func app(_ number: Int32) -> HostedApp {
        var profile = AppProfile(id: "shop\(number)", name: "Shop")
        profile.linkHosts = ["go\(number).example"]
        return HostedApp(App(number: number, profile: profile))
    }

    private static func link(_ slug: String, _ target: String) -> Link {
        var link = Link(host: "go1.example", slug: slug)
        link.targetURL = target
        link.refs = ["a", "b"]
        return link
    }

    private func withFile(_ body: (LinkFile, String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path + ".links") }
        try await body(LinkFile(beside: path), path + ".links")
    }

    private func snapshot(_ revision: Int64, _ links: [Link]) -> LinkSnapshot {
        var table = LinkTable()
        for link in links { table.set(link) }
        return LinkSnapshot(revision: revision, apps: [Self.app(1)], table: table)
    }

    @Test func readsBackWhatWasWritten() async throws {
        try await withFile { file, _ in
            #expect(try await file.read() == nil)
            try await file.replace(
                with: snapshot(3, [Self.link("a", "https://a.example/"), Self.link("ü", "https://u.example/")])
            )
            let changes = LinkChanges(
                revision: 5,
                apps: [Self.app(1), Self.app(2)],
                set: [Self.link("a", "https://new.example/")],
                removed: [LinkAddress(host: "go1.example", slug: "ü")]
            )
            let earlier = LinkChanges(
                revision: 4,
                apps: [Self.app(1)],
                set: [Self.link("a", "https://b.example/"), Self.link("b", "https://b.example/")],
                removed: []
            )
            var later = changes
            later.removed.append(LinkAddress(host: "go1.example", slug: "b"))
            try await file.apply([earlier, later], since: 3)
            let read = try #require(try await file.read())
            #expect(read.revision == 5)
            #expect(read.apps == [Self.app(1), Self.app(2)])
            #expect(read.table.count == 1)
            #expect(read.table.link(host: "go1.example", slug: "a") == Self.link("a", "https://new.example/"))
            #expect(read.table.app(of: "go2.example")?.id == "shop2")
            // It lacks what happened between 5 and 6.
            await #expect(throws: LinkFile.LacksChanges.self) { try await file.apply([changes], since: 6) }
        }
    }

    /// Somebody removed it while it was open.
    @Test func replacesALostFile() async throws {
        try await withFile { file, path in
            try await file.replace(with: snapshot(1, [Self.link("a", "https://a.example/")]))
            try FileManager.default.removeItem(atPath: path)
            let changes = LinkChanges(revision: 2, apps: [], set: [], removed: [])
            await #expect(throws: LinkFile.LacksChanges.self) { try await file.apply([changes], since: 1) }
            try await file.replace(with: snapshot(2, [Self.link("a", "https://a.example/")]))
            #expect(try await LinkFile(beside: String(path.dropLast(6))).read()?.revision == 2)
        }
    }

    @Test func replacesADamagedFile() async throws {
        try await withFile { file, path in
            try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: path))
            try await file.replace(with: snapshot(1, [Self.link("a", "https://a.example/")]))
            #expect(try await file.read()?.table.count == 1)
        }
    }
}
