package import Events

extension Composer {
    /// Position in `allCases`.
    package var position: Int {
        switch self {
        case .feedDialog: 0
        case .shareDialog: 1
        case .openGraph: 2
        case .stories: 3
        case .requestDialog: 4
        }
    }
}
