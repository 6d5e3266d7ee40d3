/// The steps of a funnel, chosen one by one: a list of choices for each step, and one more for another step.
enum StepChoices {
    private static let events = [
        "inbound_link", "link_click", "touch", "install", "authentication", "feed_post", "conversion",
    ]

    /// - Parameter goals: the names of the app's conversions.
    static func controls(_ request: ViewRequest, goals: [String]) -> [Control] {
        let steps = request["steps"]?.split(separator: ",").map(String.init) ?? JoinedFields.defaultSteps
        // A name with a comma or a bar would be taken for two.
        let offered = events + goals.filter { !$0.contains(",") && !$0.contains("|") }.map { "conversion:\($0)" }
        return JoinedFields.steps.prefix(max(steps.count, 1) + 1).enumerated().map { position, field in
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
}
