import Ingest
import Synchronization

/// Keeps costs in memory, by their numbers.
final class MemoryCosts: CostSource {
    private let stored = Mutex<[[String: String]]>([])
    let changers = ActingKeys()

    let fields = ["ref", "from", "to", "amount"]

    func costs(after cursor: String?, limit: Int, for principal: Principal) async throws(AnswerFailure) -> String {
        #"{"count":\#(stored.withLock { $0.count }),"after":"\#(cursor ?? "")","limit":\#(limit)}"#
    }

    func store(_ fields: [String: String], for principal: Principal) async throws(AnswerFailure) -> String {
        changers.note()
        guard fields["from"] != nil else { throw .invalidParameter(message: "no", field: "from", allowed: []) }
        stored.withLock { $0.append(fields) }
        return "{" + fields.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
            + "}"
    }

    func removeCost(_ number: Int64, for principal: Principal) async throws(AnswerFailure) -> Bool {
        changers.note()
        return stored.withLock { costs in
            guard costs.indices.contains(Int(number)) else { return false }
            costs.remove(at: Int(number))
            return true
        }
    }
}
