import Markup

/// Builds an SVG drawing as text.
///
/// The drawing is as wide as its container. Horizontal positions and lengths are parts of the width, from 0 to 1;
/// vertical ones are pixels. Texts keep their size. Colours are classes of the style sheet, so that they follow light
/// and dark mode.
struct SVG {
    private var body = ""
    private let height: Double
    private let cssClass: String

    init(height: Double, class cssClass: String) {
        self.height = height
        self.cssClass = cssClass
    }

    /// - Parameters:
    ///   - title: what the drawing shows, in a few words. Screen readers read it as the name.
    ///   - description: the figures in a sentence.
    func text(title: String, description: String) -> String {
        text(attributes: "role=\"img\" aria-label=\"\(HTMLText.escaped(title)). \(HTMLText.escaped(description))\"")
    }

    /// The text of a drawing that only repeats the text beside it. Screen readers skip it.
    func decoration() -> String {
        text(attributes: "aria-hidden=\"true\"")
    }

    private func text(attributes: String) -> String {
        "<svg class=\"\(cssClass)\" height=\"\(Self.number(height))\" \(attributes)>\(body)</svg>"
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
            <rect x="\(Self.part(x))" y="\(Self.number(y))" width="\(Self.part(max(0, width)))" \
            height="\(Self.number(max(0, height)))"\(corner) class="\(cssClass)"
            """
        body += hint.map { "><title>\(HTMLText.escaped($0))</title></rect>" } ?? "/>"
    }

    mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), class cssClass: String) {
        body += """
            <line x1="\(Self.part(start.x))" y1="\(Self.number(start.y))" x2="\(Self.part(end.x))" \
            y2="\(Self.number(end.y))" class="\(cssClass)"/>
            """
    }

    /// - Parameter baseline: where the area under the path ends; nil for the line alone.
    mutating func path(_ points: [(x: Double, y: Double)], closedAt baseline: Double? = nil, class cssClass: String) {
        guard let first = points.first, let last = points.last else { return }
        // A path cannot use parts of the width. So it is drawn in a box of 1,000 units, which is stretched to the
        // width.
        func at(_ x: Double, _ y: Double) -> String { "\(Self.number(x * 1000)) \(Self.number(y))" }
        var data = "M" + at(first.x, first.y)
        for point in points.dropFirst() { data += "L" + at(point.x, point.y) }
        if let baseline { data += "L" + at(last.x, baseline) + "L" + at(first.x, baseline) + "Z" }
        let height = Self.number(height)
        body += """
            <svg class="stretched" width="100%" height="\(height)" viewBox="0 0 1000 \(height)" preserveAspectRatio="none">\
            <path d="\(data)" class="\(cssClass)"/></svg>
            """
    }

    /// - Parameters:
    ///   - limit: how many characters have room; of a longer text, the beginning is drawn, and the browser shows all.
    ///   - shift: pixels to the right.
    mutating func label(
        _ text: String,
        x: Double,
        y: Double,
        shift: Double = 0,
        anchor: Anchor = .start,
        limit: Int = .max,
        class cssClass: String
    ) {
        let drawn = BreakableText.beginning(of: text, upTo: limit)
        let hint = drawn == text ? "" : "<title>\(HTMLText.escaped(text))</title>"
        let moved = shift == 0 ? "" : " dx=\"\(Self.number(shift))\""
        body += """
            <text x="\(Self.part(x))" y="\(Self.number(y))"\(moved) text-anchor="\(anchor.rawValue)" \
            class="\(cssClass)">\(hint)\(HTMLText.escaped(drawn))</text>
            """
    }

    enum Anchor: String {
        case start, middle, end
    }

    /// Two decimals of a percent are a tenth of a pixel in a width of 1,000 pixels.
    private static func part(_ value: Double) -> String {
        "\(number(value * 100))%"
    }

    /// Two decimals are a hundredth of a pixel.
    static func number(_ value: Double) -> String {
        let hundredths = (value * 100).rounded()
        guard hundredths.magnitude < 1e15 else { return "0" }
        let whole = hundredths / 100
        return whole == whole.rounded() ? String(Int(whole)) : String(whole)
    }
}
