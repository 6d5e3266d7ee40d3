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
            var changed = snapshot(5, [Self.link("a", "https://new.example/")])
            changed.apps.append(Self.app(2))
            try await file.replace(with: changed)
            let read = try #require(try await file.read())
            #expect(read.revision == 5)
            #expect(read.apps == [Self.app(1), Self.app(2)])
            #expect(read.table.count == 1)
            #expect(read.table.link(host: "go1.example", slug: "a") == Self.link("a", "https://new.example/"))
            #expect(read.table.app(of: "go2.example")?.id == "shop2")
        }
    }

    @Test func tellsThatItIsDamaged() async throws {
        try await withFile { file, path in
            try await file.replace(with: snapshot(1, [Self.link("a", "https://a.example/")]))
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 4
                try Data(damaged).write(to: URL(fileURLWithPath: path))
                await #expect(throws: SnapshotFile.Damage.self) { try await file.read() }
                try Data(bytes[..<index]).write(to: URL(fileURLWithPath: path))
                await #expect(throws: SnapshotFile.Damage.self) { try await file.read() }
            }
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
