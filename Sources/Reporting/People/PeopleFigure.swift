/// A figure whose people can be listed (`--people`).
enum PeopleFigure: Hashable, Sendable {
    /// The touches of a row; of `links`, its clicks.
    case touches
    /// The installs that a row is credited with.
    case installs
    /// The conversions that a row is credited with.
    case conversions
    /// The posts of a row.
    case posters
    /// Who reached a step of a funnel, counted from 0.
    case reached(Int)
    /// Who reached the step before, but not this one, and cannot any more.
    case dropped(Int)
    /// Who reached the step before, not this one, and still can.
    case open(Int)
    /// Who of a cohort came back in the period.
    case retained
    /// Who did not.
    case absent
    /// Who neither came back in the period nor in any later one.
    case lost
    /// Who was active in a period for the first time ever.
    case new
    /// Who was active in the period before, too.
    case returning
    /// Who was active earlier, and not in the period before.
    case resurrected
    /// Who was active in the period before, and not in this one.
    case dormant

    /// Nil for an unknown name, and for figures of a step.
    init?(name: String) {
        switch name {
        case "touches": self = .touches
        case "installs": self = .installs
        case "conversions": self = .conversions
        case "posters": self = .posters
        case "retained": self = .retained
        case "absent": self = .absent
        case "lost": self = .lost
        case "new": self = .new
        case "returning": self = .returning
        case "resurrected": self = .resurrected
        case "dormant": self = .dormant
        default: return nil
        }
    }

    /// Whether the list says what people's conversions were worth.
    var hasValue: Bool {
        switch self {
        case .conversions, .retained, .absent, .lost: true
        case .touches, .installs, .posters, .reached, .dropped, .open, .new, .returning, .resurrected, .dormant: false
        }
    }
}
