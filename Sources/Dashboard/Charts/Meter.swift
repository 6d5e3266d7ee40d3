/// A bar in a table's cell: a part of the largest value of its column. The number beside it says the same.
enum Meter {
    static func drawing(_ part: Double) -> String {
        var svg = SVG(height: 8, class: "meter")
        svg.rectangle(x: 0, y: 0, width: 1, height: 8, radius: 2, class: "track")
        svg.rectangle(x: 0, y: 0, width: min(max(part, 0), 1), height: 8, radius: 2, class: "bar step-0")
        return svg.decoration()
    }
}
