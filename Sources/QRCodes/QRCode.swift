/// A QR code (ISO/IEC 18004) with error correction M: it can be read with about 15 % of it damaged.
package struct QRCode: Equatable, Sendable {
    /// Modules along one side, without the quiet zone.
    package let size: Int
    /// Row by row.
    private var modules: [Bool]

    /// The light border that readers need, in modules.
    package static let quietZone = 4

    /// Whether a module is dark. Everything outside of the code is light.
    package subscript(row: Int, column: Int) -> Bool {
        guard 0..<size ~= row, 0..<size ~= column else { return false }
        return modules[row * size + column]
    }

    /// The smallest code that holds a text; nil if the text is longer than 2,331 bytes.
    ///
    /// A text of capital letters, digits and ` $%*+-./:` makes a smaller code than others.
    package init?(_ text: String) {
        guard let message = QRMessage(text) else { return nil }
        let codewords = QRErrorCorrection.codewords(for: message)
        let drawings = (0..<8).map { mask in
            var canvas = QRCanvas(version: message.version)
            canvas.drawCodewords(codewords)
            canvas.apply(mask: mask)
            return canvas
        }
        guard let best = drawings.min(by: { $0.penalty < $1.penalty }) else { return nil }
        size = best.size
        modules = best.modules
    }
}
