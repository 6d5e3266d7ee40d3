/// A setting that every node of a Citus cluster needs (docs/scaling.md).
package struct NodeSetting: Equatable, Sendable {
    /// The values that are right.
    package enum Need: Equatable, Sendable {
        /// One of these values, or one that begins with it and a dot or an underscore: `C` allows `C.UTF-8`.
        case oneOf([String])
        case atLeast(Int)
        /// In milliseconds.
        case atMost(Int)
    }

    package var name: String
    package var need: Need
    var reason: String

    package static let all: [NodeSetting] = [
        NodeSetting(
            name: "wal_level",
            need: .oneOf(["logical"]),
            reason: "so that parts can be moved while events are stored"
        ),
        NodeSetting(
            name: "max_prepared_transactions",
            need: .atLeast(200),
            reason: "because each commit of events is prepared first"
        ),
        NodeSetting(
            name: "max_connections",
            need: .atLeast(300),
            reason: "because one session of the coordinator may open 16 at each worker"
        ),
        NodeSetting(
            name: "lc_messages",
            need: .oneOf(["C", "POSIX", "en"]),
            reason: "because Citus passes on some errors of workers as texts only"
        ),
        NodeSetting(
            name: "citus.recover_2pc_interval",
            need: .atMost(5_000),
            reason: "so that commits end soon that a crash has left in doubt"
        ),
        NodeSetting(
            name: "citus.node_connection_timeout",
            need: .atMost(5_000),
            reason: "so that nobody waits long for a worker that hangs"
        ),
    ]

    func isMet(by value: String) -> Bool {
        switch need {
        case .oneOf(let values):
            values.contains { value == $0 || value.hasPrefix($0 + ".") || value.hasPrefix($0 + "_") }
        case .atLeast(let least): Int(value).map { $0 >= least } ?? false
        // 0 and -1 turn off what has an interval.
        case .atMost(let most): Int(value).map { $0 > 0 && $0 <= most } ?? false
        }
    }

    /// What is wrong with a value, and what is needed: "wal_level is replica and must be logical, so that …".
    package func problem(_ value: String) -> String {
        let (shown, needed) =
            switch need {
            case .oneOf(let values): (value.isEmpty ? "empty" : value, values[0])
            case .atLeast(let least): (value, "at least \(least)")
            case .atMost(let most): ("\(value) ms", "at most \(most) ms")
            }
        return "\(name) is \(shown) and must be \(needed), \(reason)"
    }
}
