/// A report as it goes over the wire.
package struct RenderedReport: Equatable, Sendable {
    package var bytes: [UInt8]
    /// A media type with its parameters: `text/csv; charset=utf-8; header=present`.
    package var contentType: String

    package init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
