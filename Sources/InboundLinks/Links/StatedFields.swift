/// The values of a touch that its event stated, and that were not read from its URL (docs/rules.md, *What stays*). They
/// are stored as a number: never give a bit another meaning.
package struct StatedFields: OptionSet, Hashable, Sendable {
    package var rawValue: Int16

    package init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    package static let targetURL = StatedFields(rawValue: 1 << 0)
    package static let refs = StatedFields(rawValue: 1 << 1)
    package static let channel = StatedFields(rawValue: 1 << 2)
    package static let refererApp = StatedFields(rawValue: 1 << 3)
    package static let refererURL = StatedFields(rawValue: 1 << 4)
    package static let authenticated = StatedFields(rawValue: 1 << 5)
    package static let deferred = StatedFields(rawValue: 1 << 6)
    package static let clickedAt = StatedFields(rawValue: 1 << 7)
    package static let paid = StatedFields(rawValue: 1 << 8)
    /// The refs are those of the app's short link that the touch came through. A click states them, so it has `refs`,
    /// too, and rules do not change them.
    package static let shortLinkRefs = StatedFields(rawValue: 1 << 9)

    /// The values that count: those that say nothing do not.
    init(_ overrides: LinkOverrides) {
        self = []
        if let target = overrides.targetURL, !target.trimmed.isEmpty { insert(.targetURL) }
        if !RefList.cleaned(overrides.refs).isEmpty { insert(.refs) }
        if overrides.channel != nil { insert(.channel) }
        if Referer.stated(overrides.refererApp) != nil { insert(.refererApp) }
        if Referer.stated(overrides.refererURL) != nil { insert(.refererURL) }
        if overrides.authenticated != nil { insert(.authenticated) }
        if overrides.deferred != nil { insert(.deferred) }
        if overrides.clickedAt != nil { insert(.clickedAt) }
        if overrides.paid != nil { insert(.paid) }
    }
}
