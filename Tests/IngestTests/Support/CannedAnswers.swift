import Ingest
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
        ofClick clickID: String,
        for principal: Principal
    ) async throws(AnswerFailure) -> DeferredLink? {
        if let failure { throw failure }
        guard clickID == "c-1" else { return nil }
        return DeferredLink(
            link: "go.example/abc",
            targetURL: "https://shop.example/",
            appURL: nil,
            clickedAt: Timestamp(microseconds: 1_795_262_400_000_000),
            refs: ["gift"]
        )
    }
}
