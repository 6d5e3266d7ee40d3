/// A report as it is sent.
package struct RenderedReport: Equatable, Sendable {
    package var bytes: [UInt8]
    /// A media type with its parameters: `text/csv; charset=utf-8; header=present`.
    package var contentType: String
    /// The name under which to save the report: letters, digits and `.-_`. Nil if it is not a file.
    package var fileName: String?
    /// What its reader must know beside its figures, in ASCII; each is sent as a header `Tributary-Notice`.
    package var notices: [String] = []
    /// What a reader should know of the figures, one sentence each.
    package var warnings: [String]

    package init(bytes: [UInt8], contentType: String, fileName: String? = nil, warnings: [String] = []) {
        self.bytes = bytes
        self.contentType = contentType
        self.fileName = fileName
        self.warnings = warnings
    }
}
