package import Redirects
package import Time

/// Answers questions of apps and backends about one person or one click.
package protocol AnswerSource: Sendable {
    /// Which touches the latest install or conversion of a person is credited to.
    ///
    /// - Parameters:
    ///   - parameters: the parameters of the query, decoded, in order.
    ///   - principal: the holder of a read key. The answer is about its app only.
    /// - Returns: a JSON object, and what its reader must know beside it; nil if there is no such event.
    func attribution(
        parameters: [(String, String)],
        for principal: Principal
    ) async throws(AnswerFailure) -> (json: String, notice: String?)?

    /// Where the visitor of a click wanted to go.
    ///
    /// - Parameter principal: the holder of a write key.
    /// - Returns: nil if the app has no such click.
    func deferredLink(
        _ question: DeferredLinkQuestion,
        for principal: Principal
    ) async throws(AnswerFailure) -> DeferredLink?
}

/// How an app names a click.
package enum DeferredLinkQuestion: Equatable, Sendable {
    case click(id: String)
    /// - Parameter deviceID: of the installation that asks.
    case code(CarryCode, deviceID: String?)
    /// Links in what somebody has pasted. The first that is one of the app's and whose click is known.
    case links([CarriedLink])
}

/// Where the visitor of a click wanted to go (docs/attributions.md).
package struct DeferredLink: Equatable, Sendable {
    package var clickID: String
    /// The short link, `host/slug`. Nil if the click was on another link.
    package var link: String?
    package var targetURL: String?
    /// The place in the app, with the click's id.
    package var appURL: String?
    package var clickedAt: Timestamp
    package var refs: [String]

    package init(
        clickID: String,
        link: String?,
        targetURL: String?,
        appURL: String?,
        clickedAt: Timestamp,
        refs: [String]
    ) {
        self.clickID = clickID
        self.link = link
        self.targetURL = targetURL
        self.appURL = appURL
        self.clickedAt = clickedAt
        self.refs = refs
    }
}
