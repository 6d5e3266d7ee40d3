import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Ingest

@Suite("Rates over HTTP")
struct RateEndpointTests {
    private static func put(
        _ client: any TestClientProtocol,
        _ body: ByteBuffer,
        type: String? = "text/csv",
        encoding: String? = nil,
        key: String = KnownKeys.manage
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: "Bearer \(key)"]
        headers[.contentType] = type
        headers[.contentEncoding] = encoding
        return try await client.execute(uri: "/v1/rates", method: .put, headers: headers, body: body)
    }

    private static func delete(_ client: any TestClientProtocol, _ path: String) async throws -> TestResponse {
        let key: HTTPFields = [.authorization: "Bearer \(KnownKeys.manage)"]
        return try await client.execute(uri: path, method: .delete, headers: key, body: nil)
    }

    @Test func areStoredListedAndRemoved() async throws {
        try await Daemon().test { client in
            #expect(try await Self.put(client, ByteBuffer(string: "a,b")).text == #"{"rates":1}"#)
            #expect(try await client.get("/v1/rates").text == #"{"currencies":"a,b"}"#)
            let some = try await client.get("/v1/rates?currency=EUR&after=2026-01-05&limit=7")
            #expect(some.text == #"{"of":"EUR","after":"2026-01-05","limit":7}"#)
            #expect(try await Self.delete(client, "/v1/rates?currency=EUR").text == #"{"removed":"EUR"}"#)
            #expect(try await Self.delete(client, "/v1/rates").text == #"{"removed":"all"}"#)
            #expect(try await client.get("/v1/rates").text == #"{"currencies":""}"#)
            // As curl -T sends it, and compressed.
            #expect(try await Self.put(client, ByteBuffer(string: "c,d"), type: nil).status == .ok)
            let zipped = ByteBuffer(bytes: gzip(Array("e,f".utf8)))
            #expect(try await Self.put(client, zipped, type: "text/csv; charset=utf-8", encoding: "gzip").status == .ok)
            #expect(try await client.get("/v1/rates").text == #"{"currencies":"e,f"}"#)
        }
    }

    @Test func sayWhatIsWrong() async throws {
        try await Daemon().test { client in
            try expectProblem(try await Self.put(client, ByteBuffer(string: "bad")), "invalid_parameter", 400)
            for type in ["application/json", "text/csv; charset=latin1", "text/plain"] {
                let refused = try await Self.put(client, ByteBuffer(string: "a,b"), type: type)
                try expectProblem(refused, "unsupported_media_type", 415)
            }
            for path in [
                "/v1/rates?currency=EUR&limit=0", "/v1/rates?currency=EUR&limit=1001", "/v1/rates?curency=EUR",
                // Only the rates of a currency have pages.
                "/v1/rates?after=2026-01-05", "/v1/rates?limit=7",
            ] {
                try expectProblem(try await client.get(path), "invalid_parameter", 400)
            }
        }
        var limits = IngestLimits()
        limits.bodyBytes = 10
        try await Daemon(limits: limits).test { client in
            let large = try await Self.put(client, ByteBuffer(repeating: 65, count: 11))
            try expectProblem(large, "body_too_large", 413)
        }
    }

    @Test func needAKeyOfTheRightKind() async throws {
        try await Daemon().test { client in
            try expectProblem(try await client.get("/v1/rates", key: KnownKeys.write), "wrong_key_kind", 403)
            for key in [KnownKeys.read, KnownKeys.write] {
                let refused = try await Self.put(client, ByteBuffer(string: "a,b"), key: key)
                try expectProblem(refused, "wrong_key_kind", 403)
            }
        }
    }
}
