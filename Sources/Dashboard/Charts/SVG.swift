/// Builds a drawing as text. Colours are classes of the style sheet, so that it follows light and dark.
struct SVG {
    private var body = ""
    private let width: Double
    private let height: Double
    private let cssClass: String

    init(width: Double, height: Double, class cssClass: String) {
        self.width = width
        self.height = height
        self.cssClass = cssClass
    }

    /// - Parameters:
    ///   - title: what the drawing shows, in a few words: its name for those who cannot see it.
    ///   - description: the figures in a sentence.
    func text(title: String, description: String) -> String {
        """
        <svg class="\(cssClass)" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" \
        aria-label="\(Self.escape(title)). \(Self.escape(description))">\(body)</svg>
        """
    }

    mutating func rectangle(
        x: Double,
        y: Double,
        width: Double,
        height: Double,
        radius: Double = 0,
        class cssClass: String,
        hint: String? = nil
    ) {
        let corner = radius > 0 ? " rx=\"\(Self.number(radius))\"" : ""
        body += """
            <rect x="\(Self.number(x))" y="\(Self.number(y))" width="\(Self.number(max(0, width)))" \
            height="\(Self.number(max(0, height)))"\(corner) class="\(cssClass)"
            """
        body += hint.map { "><title>\(Self.escape($0))</title></rect>" } ?? "/>"
    }

    mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), class cssClass: String) {
        body += """
            <line x1="\(Self.number(start.x))" y1="\(Self.number(start.y))" x2="\(Self.number(end.x))" \
            y2="\(Self.number(end.y))" class="\(cssClass)"/>
            """
    }

    mutating func path(_ points: [(x: Double, y: Double)], closedAt baseline: Double? = nil, class cssClass: String) {
        guard let first = points.first, let last = points.last else { return }
        var data = "M\(Self.number(first.x)) \(Self.number(first.y))"
        for point in points.dropFirst() { data += "L\(Self.number(point.x)) \(Self.number(point.y))" }
        if let baseline {
            data += "L\(Self.number(last.x)) \(Self.number(baseline))L\(Self.number(first.x)) \(Self.number(baseline))Z"
        }
        body += "<path d=\"\(data)\" class=\"\(cssClass)\"/>"
    }

    mutating func label(_ text: String, x: Double, y: Double, anchor: Anchor = .start, class cssClass: String) {
        body += """
            <text x="\(Self.number(x))" y="\(Self.number(y))" text-anchor="\(anchor.rawValue)" \
            class="\(cssClass)">\(Self.escape(text))</text>
            """
    }

    enum Anchor: String {
        case start, middle, end
    }

    /// Two decimals are a hundredth of a pixel.
    static func number(_ value: Double) -> String {
        let hundredths = (value * 100).rounded()
        guard hundredths.isFinite else { return "0" }
        let whole = hundredths / 100
        return whole == whole.rounded() ? String(Int(whole)) : String(whole)
    }

    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default:
                // XML 1.0 has no other control characters, not even escaped.
                let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n"
                escaped.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
            }
        }
        return escaped
    }
}
