/// A header field of an answer.
package struct HeaderField: Equatable, Sendable {
    package var name: String
    package var value: String

    init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
