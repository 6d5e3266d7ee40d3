/// What `compare` compares.
enum CompareMetric: String, CaseIterable, Sendable {
    /// The rate of people who reach a funnel's last step.
    case funnel
    case tapsPerPost = "taps_per_post"
    case postsPerPerson = "posts_per_person"
    case loginFailure = "login_failure"

    /// The event whose key says whether something is in `a` or in `b`; nil for a funnel, whose steps say so.
    var start: FunnelEvent? {
        switch self {
        case .funnel: nil
        case .tapsPerPost: .feedPost
        case .postsPerPerson: .touch
        case .loginFailure: .authentication
        }
    }

    /// The unit of means; nil if rates are compared.
    var meanUnit: String? {
        switch self {
        case .tapsPerPost: "touches per post"
        case .postsPerPerson: "posts per person"
        case .funnel, .loginFailure: nil
        }
    }

    /// The parameters that others have and this one has not.
    var refused: [String] {
        let ofSteps = [ReportParameter.steps, .stepWindow, .order, .exclude].map(\.name)
        return switch self {
        case .funnel: []
        case .tapsPerPost, .postsPerPerson: ofSteps
        case .loginFailure: ofSteps + [ReportParameter.window.name, ReportParameter.maturedUnlessOff.name]
        }
    }
}
