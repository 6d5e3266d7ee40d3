/// A report as it goes over the wire.
package struct RenderedReport: Equatable, Sendable {
    package var bytes: [UInt8]
    /// A media type with its parameters: `text/csv; charset=utf-8; header=present`.
    package var contentType: String
    /// Under which a reader may keep it, in letters, digits and `.-_`; nil for what is no file.
    package var fileName: String?

    package init(bytes: [UInt8], contentType: String, fileName: String? = nil) {
        self.bytes = bytes
        self.contentType = contentType
        self.fileName = fileName
    }
}
