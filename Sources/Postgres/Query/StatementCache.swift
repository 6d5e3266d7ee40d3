/// Decides which statements of a connection to prepare: a text is prepared at its second use. The cache is bounded and
/// drops the least recently used text.
struct StatementCache {
    enum Plan: Equatable {
        case runUnnamed
        case prepare(name: String, types: [UInt32])
        case runPrepared(name: String)
    }

    private struct Entry {
        var types: [UInt32]
        var name: String?
        var lastUse: Int
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var uses = 0
    private var names = 0
    /// Names of statements that the server still holds and that will not be used again.
    private var discarded: [String] = []

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    /// - Parameters:
    ///   - types: the declared type of each parameter; 0 if PostgreSQL infers it.
    ///   - isNull: whether a parameter is null. Null fits any type.
    mutating func plan(_ sql: String, types: [UInt32], isNull: (Int) -> Bool) -> Plan {
        guard limit > 0 else { return .runUnnamed }
        uses += 1
        guard var entry = entries[sql] else {
            if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                forget(oldest.key)
            }
            entries[sql] = Entry(types: types, name: nil, lastUse: uses)
            return .runUnnamed
        }
        entry.lastUse = uses
        defer { entries[sql] = entry }
        let fits =
            entry.types.count == types.count
            && types.indices.allSatisfy { types[$0] == entry.types[$0] || isNull($0) }
        if fits, let name = entry.name {
            return .runPrepared(name: name)
        }
        if let name = entry.name {
            discarded.append(name)
        }
        if !fits {
            // A null declares no type. Keep the type known before for it; the other types are those of this use.
            entry.types =
                entry.types.count == types.count
                ? types.indices.map { isNull($0) ? entry.types[$0] : types[$0] } : types
        }
        names += 1
        let name = "s\(names)"
        entry.name = name
        return .prepare(name: name, types: entry.types)
    }

    /// Call it if the statement could not be prepared, or the server does not have it any more.
    mutating func forget(_ sql: String) {
        if let name = entries.removeValue(forKey: sql)?.name {
            discarded.append(name)
        }
    }

    /// The names to deallocate on the server. Each is returned once.
    mutating func takeDiscarded() -> [String] {
        defer { discarded.removeAll() }
        return discarded
    }
}
