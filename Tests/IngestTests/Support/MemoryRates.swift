import Ingest
import Synchronization

/// Keeps the last file of rates in memory.
final class MemoryRates: RateSource {
    private let stored = Mutex("")
    let changers = ActingKeys()

    func rates(for principal: Principal) async throws(AnswerFailure) -> String {
        #"{"currencies":"\#(stored.withLock { $0 })"}"#
    }

    func rates(
        of currency: String,
        after day: String?,
        limit: Int,
        for principal: Principal
    ) async throws(AnswerFailure) -> String {
        #"{"of":"\#(currency)","after":"\#(day ?? "")","limit":\#(limit)}"#
    }

    func store(_ file: [UInt8], for principal: Principal) async throws(AnswerFailure) -> String {
        changers.note()
        let text = String(decoding: file, as: UTF8.self)
        guard text != "bad" else { throw .invalidParameter(message: "line 1: bad", field: nil, allowed: []) }
        stored.withLock { $0 = text }
        return #"{"rates":1}"#
    }

    func clearRates(of currency: String?, for principal: Principal) async throws(AnswerFailure) -> String {
        changers.note()
        stored.withLock { $0 = "" }
        return #"{"removed":"\#(currency ?? "all")"}"#
    }
}
