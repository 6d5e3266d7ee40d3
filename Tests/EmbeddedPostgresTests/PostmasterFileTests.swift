import Foundation
import Testing

@testable import EmbeddedPostgres

@Suite struct PostmasterFileTests {
    @Test func readsWhatAServerWrites() throws {
        let text = "4711\n/data\n1700000000\n5432\n/run/x\n\n  5432001    123\nready   \n"
        let file = try #require(PostmasterFile(text: text))
        #expect(file.process == 4711)
        #expect(file.port == 5432)
        #expect(file.socketPath == "/run/x/.s.PGSQL.5432")
        #expect(file.isReady)
    }

    @Test(arguments: ["", "\n", "abc\n", "0\n", "-4\n"])
    func refusesWhatIsNoProcess(text: String) {
        #expect(PostmasterFile(text: text) == nil)
    }

    @Test func anUnfinishedFileIsNotReady() throws {
        let file = try #require(PostmasterFile(text: "4711\n/data\n"))
        #expect(!file.isReady)
        #expect(!file.isListening)
    }

    /// Like the remains of a server that was killed.
    @Test func whoTakesAConnectionAndSaysNothingIsNoServer() async throws {
        try await TemporaryHome.with { cluster in
            let folder = String(cluster.home.dropLast("/.tributary".count))
            let file = try #require(PostmasterFile(text: "4711\n/data\n1700000000\n5432\n\(folder)\n\n0\nready   \n"))
            let listener = try Self.listener(file.socketPath)
            let queue = DispatchQueue(label: "whoTakesAConnectionAndSaysNothingIsNoServer")
            queue.async { close(accept(listener, nil, nil)) }
            #expect(!file.isListening)
            queue.sync {}
            close(listener)
        }
    }

    private static func listener(_ path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
        try #require(listen(descriptor, 1) == 0)
        return descriptor
    }
}
