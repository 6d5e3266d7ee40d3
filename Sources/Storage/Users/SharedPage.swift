package import Time

/// A saved question or a board that anyone with a secret address may see, until it expires or is revoked.
package struct SharedPage: Equatable, Sendable {
    package var number: Int64
    /// The name of the question or board.
    package var question: String
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    package var revokedAt: Timestamp?
    /// Who shared it: a user's address, a key's name, `command line`, or `schedule`.
    package var createdBy: String

    package init(
        number: Int64,
        question: String,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        revokedAt: Timestamp? = nil,
        createdBy: String
    ) {
        self.number = number
        self.question = question
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.createdBy = createdBy
    }
}

extension SharedPage {
    /// As the log of changes names it.
    var name: String { "\(question) \(number)" }
}

/// Why a page was not shared. The descriptions are for users.
package enum ShareStoreError: Error, Equatable, CustomStringConvertible {
    case unknownQuestion(String)
    case invalidDays(Int)
    case tooMany

    package var description: String {
        switch self {
        case .unknownQuestion(let name): "there is no saved question or board '\(name)'"
        case .invalidDays(let days):
            "a page is shared for \(ShareStore.days.lowerBound) to \(ShareStore.days.upperBound) days, not \(days)"
        case .tooMany: "the app has \(ShareStore.limit) shared pages; each goes 30 days after its end"
        }
    }
}
