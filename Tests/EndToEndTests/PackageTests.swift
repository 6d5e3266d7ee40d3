import Foundation
import JSONReading
import Testing

@Suite("The packages of others")
struct PackageTests {
    /// Two builds of one commit use the same versions, also of what only other packages use, so that an advisory can be
    /// answered for a commit.
    @Test func arePinnedByTheManifest() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let direct = manifest.matches(of: /\.package\(url: "[^"]*\/([^"\/]+)", exact: "([0-9.]+)"/)
        let others = manifest.matches(of: /\("([a-z0-9-]+)", "([0-9.]+)", "[A-Za-z0-9]+"\)/)
        let pinned = (direct + others).map { "\($0.1.lowercased()) \($0.2)" }
        // In the folder of the build, two above that of the programs.
        let programs = Programs.url(of: "tributary").resolvingSymlinksInPath().deletingLastPathComponent()
        let state = programs.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "workspace-state.json"
        )
        let resolution = try JSONDocument(reading: Array(Data(contentsOf: state))).root
        let resolved = resolution["object"]?["dependencies"]?.elements.map { package in
            let name = package["packageRef"]?["identity"]?.string ?? ""
            return "\(name) \(package["state"]?["checkoutState"]?["version"]?.string ?? "")"
        }
        #expect(resolved?.sorted() == pinned.sorted())
    }
}
