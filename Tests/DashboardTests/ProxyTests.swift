import Foundation
import Testing

@testable import Dashboard
@testable import Ingest

/// The proxies in `deploy` pass every path that the daemon answers but those that are for the inside.
@Suite("Proxies before the daemon")
struct ProxyTests {
    private static let routes = Route.all.map { $0.pattern.replacing(/\{[a-z]+\}/, with: "x") }
    private static let inside = ["/healthz", "/metrics"]
    private static let open =
        Dashboard.paths + Dashboard.folders.map { $0 + "x" } + routes.filter { !inside.contains($0) }
    private static let closed = inside + ["/nothing", "/people/x", "/livex", "/assets"]

    /// A path that a proxy names, and what it means.
    private struct Place {
        var kind: Substring
        var text: Substring
        var isOpen = true

        func has(_ path: String) throws -> Bool {
            switch kind {
            case "=", "Exact": path == text
            case "~": try Regex(String(text)).firstMatch(in: path) != nil
            case "Prefix": path == text || path.hasPrefix(text.hasSuffix("/") ? text : text + "/")
            default: path.hasPrefix(text)
            }
        }
    }

    private func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// nginx takes an exact location first, then expressions, then the longest beginning.
    private func nginx(passes path: String, server: Int) throws -> Bool {
        let server = try text("deploy/nginx/tributary.conf").components(separatedBy: "\nserver {")[server]
        let places = server.matches(of: /location (=|~)? ?(\S+) \{\s+(?:access_log off;\s+)?(proxy_pass|return)/).map {
            Place(kind: $0.1 ?? "", text: $0.2, isOpen: $0.3 == "proxy_pass")
        }
        for kind in ["=", "~"] {
            if let place = try places.first(where: { try $0.kind == kind && $0.has(path) }) { return place.isOpen }
        }
        let matches = try places.filter { try $0.kind.isEmpty && $0.has(path) }
        return matches.max { $0.text.count < $1.text.count }?.isOpen == true
    }

    private func ingress(passes path: String) throws -> Bool {
        let rules = try text("deploy/kubernetes/ingress.yaml").matches(of: /path: ([^\s,]+),?\s+pathType: (\w+)/)
        return try rules.contains { try Place(kind: $0.2, text: $0.1).has(path) }
    }

    @Test(arguments: open)
    func passWhatTheDaemonAnswers(path: String) throws {
        #expect(try nginx(passes: path, server: 2), "nginx")
        // Kubernetes asks the pods themselves whether they are ready.
        #expect(try ingress(passes: path) == (path != "/readyz"), "ingress")
    }

    @Test(arguments: closed)
    func closeTheRest(path: String) throws {
        #expect(try !nginx(passes: path, server: 2), "nginx")
        #expect(try !ingress(passes: path), "ingress")
    }

    /// There, every other path may be a link.
    @Test(arguments: routes)
    func closeTheDaemonsOwnPathsOnHostsOfLinks(path: String) throws {
        #expect(try !nginx(passes: path, server: 4))
        #expect(try nginx(passes: path + "-sale", server: 4) == !path.hasPrefix("/v1/"))
    }
}
