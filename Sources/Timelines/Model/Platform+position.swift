package import Events

extension Platform {
    /// Position in `allCases`.
    package var position: Int {
        switch self {
        case .ios: 0
        case .android: 1
        case .web: 2
        case .desktop: 3
        }
    }
}
