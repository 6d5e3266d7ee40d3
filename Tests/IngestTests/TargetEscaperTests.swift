import NIOCore
import NIOEmbedded
import NIOHTTP1
import RandomTesting
import Testing

@testable import Ingest

@Suite("Targets in raw UTF-8")
struct TargetEscaperTests {
    /// A request as it comes out of the codec.
    private struct Received: Equatable {
        var target: String
        var fields: [String]
        var body: [UInt8] = []
    }

    /// What the handlers read, however the bytes arrive.
    private static func read(_ pieces: [[UInt8]]) throws -> [Received] {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish() }
        let escaper = TargetEscaper()
        try channel.pipeline.syncOperations.addHandlers([
            escaper, ByteToMessageHandler(HTTPRequestDecoder()),
            ConnectionHandler(limits: IngestLimits(), serverName: "test", escaper: escaper, onRefusal: { _ in }),
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        var requests: [Received] = []
        for piece in pieces { try channel.writeInbound(ByteBuffer(bytes: piece)) }
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head):
                requests.append(Received(target: head.uri, fields: head.headers["x"]))
            case .body(let buffer):
                requests[requests.count - 1].body += buffer.readableBytesView
            case .end: break
            }
        }
        return requests
    }

    private static let stream =
        "GET /été?q=ü HTTP/1.1\r\nHost: h\r\nX: é\r\n\r\n"
        + "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 28\r\n\r\nGET /é HTTP/1.1\r\nX: ü\r\n\r\n\n"
        + "\r\n\r\nPOST /ü HTTP/1.1\r\nHost: h\r\nX: ü\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "4\r\né\r\n\r\n5;x=y\r\nü\r\nz\r\n0\r\nX: é\r\n\r\n"
        + "GET /plain HTTP/1.1\r\nHost: h\r\n\r\n"
        + "GET /😀 HTTP/1.1\r\nHost: h\r\n\r\n"

    private static let requests = [
        Received(target: "/%C3%A9t%C3%A9?q=%C3%BC", fields: ["é"]),
        Received(target: "/a", fields: [], body: Array("GET /é HTTP/1.1\r\nX: ü\r\n\r\n\n".utf8)),
        Received(target: "/%C3%BC", fields: ["ü"], body: Array("é\r\nü\r\nz".utf8)),
        Received(target: "/plain", fields: []), Received(target: "/%F0%9F%98%80", fields: []),
    ]

    /// Bodies and header fields stay as they are, and it does not matter where the pieces end.
    @Test func areEscapedWhereverThePiecesEnd() throws {
        let bytes = Array(Self.stream.utf8)
        #expect(try Self.read([bytes]) == Self.requests)
        #expect(try Self.read(bytes.map { [$0] }) == Self.requests)
        var random = SeededRandom(seed: TestSeeds.first)
        for _ in 0..<300 {
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...60, using: &random)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(try Self.read(pieces) == Self.requests, "seed \(TestSeeds.first)")
        }
    }

    @Test func thatAreNotUTF8AreEmpty() throws {
        for bytes in [[0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]] {
            let request = Array("GET /x".utf8) + bytes + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            let next = Array("GET /ü HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            #expect(try Self.read([request + next]).map(\.target) == ["", "/%C3%BC"])
            #expect(try Self.read((request + next).map { [$0] }).map(\.target) == ["", "/%C3%BC"])
        }
    }

    @Test(arguments: [
        ("http://go.example/a?b#c", "/a?b"), ("HTTPS://go.example:8443/a", "/a"), ("http://go.example", "/"),
        ("http://go.example?b=c", "/?b=c"), ("http://[::1]:80/a", "/a"), ("http:///a", ""),
        ("http://a@go.example/", ""), ("http://go.example:x/", ""), ("*", "*"),
        ("/http://go.example/", "/http://go.example/"),
    ])
    func inAbsoluteFormGetTheUsualOne(target: String, expected: String) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: ["Host": "other.example"])
        head.useOriginForm()
        #expect(head.uri == expected)
        let isAbsolute = !target.hasPrefix("/") && target != "*" && !expected.isEmpty
        #expect(head.headers["host"].first?.hasPrefix("other") == !isAbsolute)
    }
}
