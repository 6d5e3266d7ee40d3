/// The share of the credits that each attribution model gives to one group.
enum ModelChart {
    private static let rowHeight = 18.0
    private static let barHeight = 12.0
    /// The longest bar, as a part of the width. The rest is for its number.
    private static let longest = 0.8

    /// - Parameters:
    ///   - shares: by model, in the order of `models`.
    ///   - scale: the largest share of all groups that are drawn side by side.
    static func drawing(of group: String, models: [String], shares: [Double], scale: Double) -> String {
        var svg = SVG(height: Double(models.count) * rowHeight, class: "chart models")
        for (position, share) in shares.enumerated() {
            let y = Double(position) * rowHeight
            let length = scale > 0 ? longest * share / scale : 0
            svg.rectangle(
                x: 0,
                y: y,
                width: max(length, share > 0 ? 0.003 : 0),
                height: barHeight,
                radius: 2,
                class: "model-\(position)",
                hint: "\(models[position]): \(NumberText.percent(share))"
            )
            svg.label(
                NumberText.percent(share),
                x: length,
                y: y + barHeight - 2,
                shift: 6,
                class: "tick"
            )
        }
        let sentence = zip(models, shares).map { "\($0) \(NumberText.percent($1))" }.joined(separator: ", ")
        return svg.text(title: "Share of the credits by model", description: "\(group): \(sentence)")
    }
}
