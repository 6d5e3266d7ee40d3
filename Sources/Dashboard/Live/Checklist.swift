import Storage

/// The steps from a first link to an install that is credited to it. They tick themselves.
struct Checklist {
    struct Step {
        var name: String
        /// What to do; empty if it is done.
        var advice: String
        var isDone: Bool
    }

    /// `2 of 6`
    var progress: String
    var steps: [Step]

    init(_ reached: Set<AppMilestone>, app: App) {
        steps = AppMilestone.allCases.map { milestone in
            let isDone = reached.contains(milestone)
            return Step(
                name: Self.name(of: milestone),
                advice: isDone ? "" : Self.advice(for: milestone, app.profile),
                isDone: isDone
            )
        }
        progress = "\(reached.count) of \(steps.count)"
    }

    private static func name(of milestone: AppMilestone) -> String {
        switch milestone {
        case .link: "A short link"
        case .click: "A click on one"
        case .open: "An open of the app"
        case .install: "An install"
        case .conversion: "A conversion"
        case .join: "A person joined with a click"
        }
    }

    private static func advice(for milestone: AppMilestone, _ app: AppProfile) -> String {
        switch milestone {
        case .link where app.linkHosts.isEmpty: "Give the app a host: tributary app update \(app.id) --link-host HOST"
        case .link: "Create one under Links. Then tributary app check \(app.id) asks its host as phones do."
        case .click: "Open the link, best on a phone."
        case .open: "The app sends inbound_link when a link opens it, else app_open."
        case .install: "The app sends install once, at its first start."
        case .conversion: "Send conversion when somebody reaches a goal, such as a purchase."
        case .join: "An event with a user or a device names the click: by click_id, or by Play's install_referrer."
        }
    }
}
