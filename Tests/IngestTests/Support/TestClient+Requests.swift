import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore

extension TestClientProtocol {
    /// Posts as a writer.
    func post(
        _ path: String = "/v1/events",
        _ body: String,
        type: String? = "application/json",
        key: String? = KnownKeys.write,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await post(path, ByteBuffer(string: body), type: type, key: key, headers: headers)
    }

    func post(
        _ path: String = "/v1/events",
        _ body: ByteBuffer,
        type: String? = "application/json",
        key: String? = KnownKeys.write,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if let type { headers[.contentType] = type }
        if let key { headers[.authorization] = "Bearer \(key)" }
        return try await execute(uri: path, method: .post, headers: headers, body: body)
    }

    /// Gets as a reader.
    func get(
        _ path: String,
        method: HTTPRequest.Method = .get,
        key: String? = KnownKeys.read,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if let key { headers[.authorization] = "Bearer \(key)" }
        return try await execute(uri: path, method: method, headers: headers)
    }
}

extension TestResponse {
    var text: String {
        String(buffer: body)
    }
}
