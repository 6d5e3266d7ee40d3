import Foundation
import Testing

@testable import Dashboard

/// The proxies in `deploy` let the pages of the dashboard through, and only these.
@Suite("Proxies before the dashboard")
struct ProxyTests {
    private static let pages = Set(View.allCases.map(\.path) + ["/sign-in", "/sign-out"])

    private func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func passTheViewsInNginx() throws {
        let list = try #require(try text("deploy/nginx/tributary.conf").firstMatch(of: /location ~ \^\/\((\|.*)\)\$/))
        let names = list.1.split(separator: "|", omittingEmptySubsequences: false)
        #expect(Set(names.map { "/\($0)" }) == Self.pages)
    }

    @Test func passTheViewsInTheIngress() throws {
        let paths = try text("deploy/kubernetes/ingress.yaml").matches(of: /\{path: (\/[^\s,]*), pathType/)
        let others: Set<String> = ["/openapi.yaml", "/assets/", "/csv/"]
        #expect(Set(paths.map { String($0.1) }).subtracting(others) == Self.pages)
    }
}
