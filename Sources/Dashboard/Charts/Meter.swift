/// A bar in a table's cell: a part of the largest value of its column.
enum Meter {
    static func drawing(_ part: Double) -> String {
        var svg = SVG(width: 72, height: 8, class: "meter")
        svg.rectangle(x: 0, y: 0, width: 72, height: 8, radius: 2, class: "track")
        svg.rectangle(x: 0, y: 0, width: 72 * min(max(part, 0), 1), height: 8, radius: 2, class: "bar step-0")
        // The number beside it says the same.
        return svg.text(title: "", description: "").replacing(
            "role=\"img\" aria-label=\". \"",
            with: "aria-hidden=\"true\""
        )
    }
}
