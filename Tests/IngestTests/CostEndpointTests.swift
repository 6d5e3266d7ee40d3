import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Ingest

@Suite("Costs over HTTP")
struct CostEndpointTests {
    private static func remove(_ client: any TestClientProtocol, _ number: String) async throws -> TestResponse {
        let key: HTTPFields = [.authorization: "Bearer \(KnownKeys.write)"]
        return try await client.execute(uri: "/v1/costs/\(number)", method: .delete, headers: key, body: nil)
    }

    @Test func areStoredListedAndRemoved() async throws {
        try await Daemon().test { client in
            let stored = try await client.post(
                "/v1/costs",
                #"{"ref":"mail","from":"2026-11-01","amount":3.50,"to":null}"#
            )
            #expect(stored.status == .ok)
            #expect(stored.text == #"{"amount":"3.50","from":"2026-11-01","ref":"mail"}"#)
            #expect(try await client.get("/v1/costs").text == #"{"count":1,"after":"","limit":100}"#)
            let page = try await client.get("/v1/costs?limit=7&after=x")
            #expect(page.text == #"{"count":1,"after":"x","limit":7}"#)
            for limit in ["0", "1001", "x"] {
                try expectProblem(try await client.get("/v1/costs?limit=\(limit)"), "invalid_parameter", 400)
            }
            #expect(try await Self.remove(client, "0").status == .noContent)
            for number in ["0", "7", "x", "-1"] {
                try expectProblem(try await Self.remove(client, number), "unknown_cost", 404)
            }
        }
    }

    @Test(arguments: [
        ("[]", "malformed_body"), ("{", "malformed_body"), (#"{"kind":"ref"}"#, "unknown_field"),
        (#"{"from":[]}"#, "invalid_field"), (#"{"from":"a","from":"b"}"#, "duplicate_field"),
        (#"{"ref":"mail"}"#, "invalid_parameter"),
    ]) func sayWhatIsWrong(body: String, code: String) async throws {
        try await Daemon().test { client in
            try expectProblem(try await client.post("/v1/costs", body), code, 400)
        }
    }

    @Test func needAKeyOfTheRightKind() async throws {
        try await Daemon().test { client in
            try expectProblem(try await client.get("/v1/costs", key: KnownKeys.write), "wrong_key_kind", 403)
            let refused = try await client.post("/v1/costs", "{}", key: KnownKeys.read)
            try expectProblem(refused, "wrong_key_kind", 403)
        }
    }
}
