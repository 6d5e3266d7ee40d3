import Reporting
package import Storage

/// Who asks, in which app, and what they may do there.
package struct Caller: Equatable, Sendable {
    package var app: App
    package var holder: StoredSession.Holder
    /// In the app. A read key reads as a viewer does, and people's lists too; its forms ask for the write key.
    package var role: AppRole
    /// Whether the database is away, so that the session cannot be checked. This daemon has seen it before.
    var isAway = false
    /// Whether a proxy has named the user.
    var isVouched: Bool

    package init(app: App, holder: StoredSession.Holder, role: AppRole, isVouched: Bool = false) {
        self.app = app
        self.holder = holder
        self.role = role
        self.isVouched = isVouched
    }

    /// Of the request that this task answers; nil for somebody of whom nothing is known.
    @TaskLocal static var current: Caller?

    /// Nil for a session of a read key.
    var user: User? {
        switch holder {
        case .key: nil
        case .user(let user): user
        }
    }

    /// Whether the one who asks may see who the people behind the figures are.
    static var seesPeople: Bool { may(.analyst) }

    /// Whether to offer what needs a role. With a read key, whoever has the write key may do it.
    static func may(_ role: AppRole) -> Bool {
        guard let current else { return false }
        return current.user == nil || current.role >= role
    }

    /// Whether forms have to ask for the app's write key.
    static var needsWriteKey: Bool { current?.user == nil }

    /// As the log of changes names the one who asks.
    var name: String {
        switch holder {
        case .key(let prefix): Actor.key(prefix, label: "")
        case .user(let user): user.email
        }
    }
}

extension AppRole {
    /// `managers`, `analysts and managers`.
    var inWords: String {
        Self.allCases.filter { $0 >= self }.map { $0.rawValue + "s" }.joined(separator: " and ")
    }

    /// `an analyst`.
    var ofOne: String { (self == .analyst ? "an " : "a ") + rawValue }
}

/// People in reports, whom not everybody may see.
package enum People {
    /// Why the one who asks may not have a report: its rows are people.
    static func refusal(of parameters: [(name: String, value: String)]) -> DashboardFailure? {
        guard !Caller.seesPeople, areAsked(by: parameters) else { return nil }
        return .forbidden(
            Caller.current == nil
                ? "This question lists people, who are not shown here."
                : "This lists people. Analysts and managers see them: ask a manager of the app for that role."
        )
    }

    /// Whether rows of a report are people.
    static func areAsked(by parameters: [(name: String, value: String)]) -> Bool {
        SavedQuestion.listsPeople(parameters)
    }

    /// What can be chosen, without the keys of people unless the one who asks may see them.
    static func hidden(in keys: [String]) -> [String] {
        Caller.seesPeople ? keys : keys.filter { !ReportResult.peopleColumns.contains($0) }
    }

    /// A report without the ids of people, also in its warnings, unless the one who asks may see them.
    static func hidden(in result: ReportResult) -> ReportResult {
        Caller.seesPeople ? result : result.withoutPeople
    }
}
