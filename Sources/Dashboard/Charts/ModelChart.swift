/// What each model of attribution credits to a group, side by side.
enum ModelChart {
    struct Group {
        var name: String
        /// By model, in one order for all groups.
        var shares: [Double]
    }

    private static let width = 760.0
    private static let barHeight = 9.0
    private static let gap = 3.0

    static func drawing(models: [String], groups: [Group]) -> String {
        let rowHeight = 22 + Double(models.count) * (barHeight + gap) + 10
        var svg = SVG(width: width, height: Double(groups.count) * rowHeight, class: "chart models")
        let largest = groups.flatMap(\.shares).max() ?? 0
        for (row, group) in groups.enumerated() {
            let top = Double(row) * rowHeight
            svg.label(group.name, x: 0, y: top + 14, class: "step")
            for (position, share) in group.shares.enumerated() {
                let y = top + 22 + Double(position) * (barHeight + gap)
                let length = largest > 0 ? (width - 90) * share / largest : 0
                svg.rectangle(
                    x: 0,
                    y: y,
                    width: max(length, share > 0 ? 1 : 0),
                    height: barHeight,
                    radius: 2,
                    class: "model-\(position)",
                    hint: "\(models[position]): \(NumberText.percent(share))"
                )
                svg.label(NumberText.percent(share), x: length + 6, y: y + barHeight, class: "tick")
            }
        }
        let sentence = groups.map { group in
            group.name + ": "
                + zip(models, group.shares).map { "\($0) \(NumberText.percent($1))" }.joined(separator: ", ")
        }
        return svg.text(title: "Share of the credits by model", description: sentence.joined(separator: "; "))
    }
}
