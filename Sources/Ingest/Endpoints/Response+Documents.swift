import HTTPTypes
import HummingbirdCore
import NIOCore

extension Response {
    /// A response with a small text, which must not be cached.
    init(status: HTTPResponse.Status, contentType: String, text: String) {
        self.init(
            status: status,
            headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    init(problem: Problem) {
        self.init(
            status: HTTPResponse.Status(code: problem.code.status),
            contentType: "application/problem+json",
            text: problem.document
        )
        add(problem.headerFields)
    }

    mutating func add(_ fields: [HeaderField]) {
        for field in fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            headers.append(HTTPField(name: name, value: field.value))
        }
    }
}
