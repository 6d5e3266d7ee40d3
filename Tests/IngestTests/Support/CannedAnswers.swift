import Ingest
import Redirects
import Time

/// Knows one person, and one click.
struct CannedAnswers: AnswerSource {
    var failure: AnswerFailure?
    var notice: String?

    func attribution(
        parameters: [(String, String)],
        for principal: Principal
    ) async throws(AnswerFailure) -> (json: String, notice: String?)? {
        if let failure { throw failure }
        return parameters.contains { $0 == ("user_id", "ann") } ? (#"{"credits":[]}"#, notice) : nil
    }

    func deferredLink(
        _ question: DeferredLinkQuestion,
        for principal: Principal
    ) async throws(AnswerFailure) -> DeferredLink? {
        if let failure { throw failure }
        switch question {
        case .click(let id):
            guard id == "c-1" else { return nil }
        case .code(let code, let deviceID):
            guard code == CarryCode(typed: "0000-0001"), deviceID != "other" else { return nil }
        case .links(let links):
            guard links.contains(where: { $0.slug == "abc" }) else { return nil }
        }
        return DeferredLink(
            clickID: "c-1",
            link: "go.example/abc",
            targetURL: "https://shop.example/",
            appURL: nil,
            clickedAt: Timestamp(microseconds: 1_795_262_400_000_000),
            refs: ["gift"]
        )
    }
}
