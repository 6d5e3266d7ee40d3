package import InboundLinks

/// How touches move when their links are read again.
package struct RereadMoves: Equatable, Sendable {
    /// What moves from where to where.
    package struct Move: Hashable, Sendable {
        package var fromChannel: Channel
        package var fromRefs: [String]
        package var toChannel: Channel
        package var toRefs: [String]
    }

    /// How many touches make each move.
    package private(set) var counts: [Move: Int] = [:]
    /// Touches that stay in their channel and keep their refs, but of which something else is read differently.
    package private(set) var others = 0

    /// Touches with another channel or other refs.
    package var moved: Int { counts.values.reduce(0, +) }
    /// Touches that are written again.
    package var changed: Int { moved + others }

    /// Sorted by the number of touches, descending, then by name.
    package var rows: [(move: Move, count: Int)] {
        counts.map { (move: $0.key, count: $0.value) }.sorted { first, second in
            if first.count != second.count { return first.count > second.count }
            return Self.name(of: first.move) < Self.name(of: second.move)
        }
    }

    mutating func add(_ old: InboundLink, _ new: InboundLink) {
        guard old.channel != new.channel || old.refs != new.refs else {
            others += 1
            return
        }
        let move = Move(fromChannel: old.channel, fromRefs: old.refs, toChannel: new.channel, toRefs: new.refs)
        counts[move, default: 0] += 1
    }

    private static func name(of move: Move) -> String {
        ([move.fromChannel.rawValue] + move.fromRefs + [move.toChannel.rawValue] + move.toRefs).joined(
            separator: "\u{1}"
        )
    }
}
