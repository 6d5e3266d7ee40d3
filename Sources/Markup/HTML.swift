/// HTML, written by interpolation: `"<h1>\(title)</h1>"` escapes the title. HTML in HTML stays as it is.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
    private let bytes: [UInt8]

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// - Parameter markup: HTML already.
    package init(markup: String) { bytes = Array(markup.utf8) }

    package init(stringLiteral markup: String) { self.init(markup: markup) }

    package init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }

    /// Collects the pieces of an interpolation, and escapes the texts.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 64 * interpolationCount)
        }

        package mutating func appendLiteral(_ markup: String) { bytes += markup.utf8 }

        package mutating func appendInterpolation(_ text: String) { HTMLText.append(text, to: &bytes) }

        /// Nothing for nil.
        package mutating func appendInterpolation(_ part: HTML?) {
            if let part { bytes += part.bytes }
        }
    }
}
