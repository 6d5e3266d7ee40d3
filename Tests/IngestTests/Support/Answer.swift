import HTTPTypes
import HummingbirdTesting
import JSONReading
import NIOCore
import Testing

/// An answer with its parsed document.
struct Answer {
    let response: TestResponse
    let document: JSONDocument

    init(_ response: TestResponse) throws {
        self.response = response
        document = try JSONDocument(reading: Array(response.body.readableBytesView))
    }

    subscript(key: String) -> JSONNode? {
        document.root[key]
    }

    /// A member of each object of a list, text or number, as text.
    func texts(_ list: String, _ key: String) -> [String?] {
        var texts: [String?] = []
        if let list = document.root[list] {
            for element in list.elements { texts.append(element[key]?.string ?? element[key]?.number) }
        }
        return texts
    }

    func number(_ key: String) -> Int? {
        document.root[key]?.number.flatMap { Int($0) }
    }
}

/// Checks that an answer is the problem document of a code.
@discardableResult
func expectProblem(
    _ response: TestResponse,
    _ code: String,
    _ status: Int,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> Answer {
    #expect(response.status.code == status, sourceLocation: sourceLocation)
    #expect(response.headers[.contentType] == "application/problem+json", sourceLocation: sourceLocation)
    let answer = try Answer(response)
    #expect(answer["code"]?.string == code, sourceLocation: sourceLocation)
    #expect(answer.number("status") == status, sourceLocation: sourceLocation)
    #expect(answer["type"]?.string == "urn:tributary:problem:\(code)", sourceLocation: sourceLocation)
    #expect(answer["title"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(answer["detail"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    return answer
}
