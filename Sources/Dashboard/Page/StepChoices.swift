import Reporting

/// The controls of a funnel. Its steps are chosen one by one: a list of choices for each step, and one more for another
/// step.
enum StepChoices {
    private static let events = [
        "inbound_link", "link_click", "touch", "install", "authentication", "feed_post", "app_open", "conversion",
    ]
    private static let orders = [
        ("sequential", "one after the other"), ("strict", "with nothing in between"), ("any", "in any order"),
    ]
    /// The fields of the controls beside those of the steps.
    static let fields = ["steps", "window", "order", "exclude", "matured"]

    /// The form of a page of funnels.
    ///
    /// - Parameters:
    ///   - kept: fields of the view that no control shows.
    ///   - own: the controls of the page, which come first.
    ///   - isMatured: whether only people count whose window is over.
    ///   - isUsuallyMatured: the same if nothing is chosen.
    static func form(
        _ request: ViewRequest,
        keeping kept: [String],
        _ own: [Control],
        isMatured: Bool,
        usually isUsuallyMatured: Bool = false
    ) async throws(DashboardFailure) -> OptionsForm {
        let goals = try await request.goals()
        let people = Control.either(
            "People",
            "matured",
            off: "all",
            on: "whose window is over",
            isOn: isMatured,
            usually: isUsuallyMatured
        )
        return OptionsForm(
            request,
            keeping: kept,
            own + controls(request, goals: goals) + [people],
            more: more(request, goals: goals)
        )
    }

    /// - Parameter goals: the names of the app's conversions.
    private static func controls(_ request: ViewRequest, goals: [String]) -> [Control] {
        let steps = steps(request).map { parts($0).event }
        let offered = offered(goals)
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
        } + [.text("Window", "window", request["window"] ?? "7d", size: 5)]
    }

    /// The controls that few funnels need: a condition of each step, the order of the steps, what must not occur.
    private static func more(_ request: ViewRequest, goals: [String]) -> [Control] {
        let steps = steps(request)
        let inner = steps.dropFirst().dropLast()
        let conditions = zip(JoinedFields.conditions, steps).enumerated().map { position, pair in
            Control.text("Step \(position + 1) only with", pair.0, parts(pair.1).condition, size: 12)
        }
        return conditions + [
            .choice("Order", "order", Choice.list(orders, chosen: request["order"] ?? "sequential")),
            .choice(
                "Without",
                "exclude",
                Choice.names(
                    offered(goals).filter { !inner.contains($0) },
                    chosen: request["exclude"],
                    first: "(nothing)"
                )
            ),
        ]
    }

    private static func steps(_ request: ViewRequest) -> [String] {
        request["steps"].map { BracketedText.split($0, at: ",") } ?? JoinedFields.defaultSteps
    }

    /// The events of the app. A name with one of these characters would be taken for two, or for one with a condition.
    static func offered(_ goals: [String]) -> [String] {
        events + goals.filter { !$0.contains { ",|[]".contains($0) } }.map { "conversion:\($0)" }
    }

    /// `touch[ref=mail]` as its event and its condition, and `touch[ref=mail]|install[ref=mail]` as its events and
    /// theirs. A step whose events have several conditions, or different ones, stays whole.
    static func parts(_ step: String) -> (event: String, condition: String) {
        let parts = BracketedText.split(step, at: "|").map(partsOfEvent)
        guard let condition = parts.first?.condition, parts.allSatisfy({ $0.condition == condition }) else {
            return (step, "")
        }
        return (parts.map(\.event).joined(separator: "|"), condition)
    }

    private static func partsOfEvent(_ event: String) -> (event: String, condition: String) {
        guard let start = event.firstIndex(of: "["), event.last == "]", event.count(where: { $0 == "[" }) == 1
        else { return (event, "") }
        return (String(event[..<start]), String(event[event.index(after: start)...].dropLast()))
    }
}
