/// The steps of a funnel, chosen one by one: a list of choices for each step, and one more for another step.
///
/// A form without scripts sends a field for each step (`step1`, `step2`). The address bar has them as the one parameter
/// of the reports (`steps`).
enum StepChoices {
    static let limit = 8
    static let fields = (1...limit).map { "step\($0)" }
    static let defaultSteps = ["inbound_link", "authentication", "conversion"]

    private static let events = [
        "inbound_link", "link_click", "touch", "install", "authentication", "feed_post", "conversion",
    ]

    /// - Parameter goals: the names of the app's conversions.
    static func controls(_ request: ViewRequest, goals: [String]) -> [Control] {
        let steps = request["steps"]?.split(separator: ",").map(String.init) ?? defaultSteps
        // A name with a comma or a bar would be taken for two.
        let offered = events + goals.filter { !$0.contains(",") && !$0.contains("|") }.map { "conversion:\($0)" }
        return fields.prefix(min(max(steps.count, 1) + 1, limit)).enumerated().map { position, field in
            let chosen = position < steps.count ? steps[position] : ""
            let known = offered.contains(chosen) || chosen.isEmpty ? offered : offered + [chosen]
            let none = Choice(
                value: "",
                title: position < steps.count ? "(remove)" : "(none)",
                isChosen: chosen.isEmpty
            )
            return .choice(
                position == 0 ? "Steps" : "→",
                field,
                [none] + Choice.list(known, chosen: chosen)
            )
        }
    }

    /// A view's own fields with the chosen steps as one parameter; nil if none was chosen one by one.
    static func joined(_ given: [(name: String, value: String)]) -> [(name: String, value: String)]? {
        let chosen = given.filter { fields.contains($0.name) }.map(\.value)
        guard !chosen.isEmpty else { return nil }
        let others = given.filter { !fields.contains($0.name) && $0.name != "steps" }
        return chosen == defaultSteps ? others : [("steps", chosen.joined(separator: ","))] + others
    }
}
