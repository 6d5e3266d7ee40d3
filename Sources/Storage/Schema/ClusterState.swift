import JSONReading
package import Postgres

/// How the nodes of a distributed database are (``Distribution``).
package struct ClusterState: Sendable {
    /// A node, and whether it answers.
    package struct Node: Sendable {
        /// `coordinator`, or `worker host:port`.
        package var name: String
        /// Nil: it does not answer.
        package var answer: Answer?
        /// Why it does not answer.
        package var reason = ""
    }

    /// What a node says of itself (`select_node.sql`).
    package struct Answer: Sendable {
        /// The versions of PostgreSQL and of the extension, `15.14 13.2-1`.
        package var versions: String
        /// Whether a part is being moved away from it, while events are stored.
        package var isMoving: Bool
        /// Transactions that wait there for the second phase of their commit, for longer than Citus needs to repair it.
        package var commitsInDoubt: Int
        /// By their names.
        var settings: [String: String]
        /// Hashes of the functions' definitions.
        var functions: [String: String]
        /// The roles that can log in, with their limits of connections; -1: no limit.
        var logins: [String: Int]

        /// The settings of ``NodeSetting`` that are not as they must be.
        package var wrongSettings: [(setting: NodeSetting, value: String)] {
            NodeSetting.all.compactMap { setting in
                let value = settings[setting.name] ?? ""
                return setting.isMet(by: value) ? nil : (setting, value)
            }
        }
    }

    /// What a worker lacks that the coordinator has.
    package enum Lack: Equatable, Sendable {
        case function(String)
        /// Its definition is another one.
        case otherFunction(String)
        case login(String)
        /// A role has so few connections that a few sessions of the coordinator use them up.
        case connections(login: String, limit: Int)
    }

    /// One session of the coordinator may open 16 connections to a worker.
    private static let leastConnections = 100
    /// How long a worker may take to accept a connection, and all of them to answer.
    private static let limits = (connecting: "3s", answering: "6s")

    package var coordinator: Node
    package var workers: [Node]
    /// How many apps each worker has, by its name.
    package var apps: [String: Int]
    /// What each worker must have as the coordinator has it (`select_needed.sql`).
    private var needed: (functions: [String], logins: [String])

    var nodes: [Node] { [coordinator] + workers }

    /// What a worker lacks. Nothing if it does not answer.
    package func lacks(of worker: Node) -> [Lack] {
        guard let own = coordinator.answer, let answer = worker.answer else { return [] }
        var lacks: [Lack] = []
        for name in needed.functions {
            if answer.functions[name] == nil {
                lacks.append(.function(name))
            } else if answer.functions[name] != own.functions[name] {
                lacks.append(.otherFunction(name))
            }
        }
        for name in needed.logins {
            guard let limit = answer.logins[name] else {
                lacks.append(.login(name))
                continue
            }
            if 0..<Self.leastConnections ~= limit { lacks.append(.connections(login: name, limit: limit)) }
        }
        return lacks
    }

    /// Refuses a change of tables while parts are being moved: it would wait for them, and all who store would wait for
    /// it. On one machine, it does nothing.
    ///
    /// - Throws: `DistributionError.partsAreMoved`.
    static func requireRest(_ connection: isolated PostgresConnection) throws {
        guard connection.isDistributed else { return }
        let moving = try read(connection).workers.first { $0.answer?.isMoving == true }
        if let moving { throw DistributionError.partsAreMoved(from: moving.name) }
    }

    /// Asks every node. A worker that hangs delays this by a few seconds.
    package static func read(_ connection: isolated PostgresConnection) throws -> ClusterState {
        let question = BoundStatement(
            StoredSQL.selectNode,
            ["settings": BoundStatement.array(NodeSetting.all.map(\.name))]
        ).text
        return try connection.transaction {
            try connection.execute("set local citus.node_connection_timeout = '\(limits.connecting)'")
            try connection.execute("set local statement_timeout = '\(limits.answering)'")
            var apps: [String: Int] = [:]
            let numbers = try connection.query("select app_number from app").map { try $0.int64(0) }
            for row in try connection.query(StoredSQL.selectAppWorkers, [.intArray(numbers)]) {
                apps["worker \(try row.text(2))", default: 0] += 1
            }
            var needed: (functions: [String], logins: [String]) = ([], [])
            for row in try connection.query(StoredSQL.selectNeeded) {
                let name = try row.text(1)
                if try row.text(0) == "login" { needed.logins.append(name) } else { needed.functions.append(name) }
            }
            return ClusterState(
                coordinator: Node(
                    name: "coordinator",
                    answer: Answer(json: try connection.query(question)[0].text(0))
                ),
                workers: try connection.query(StoredSQL.selectWorkers, [.text(question)]).map { row in
                    let text = try row.optionalText(3) ?? ""
                    let answer = try row.bool(2) ? Answer(json: text) : nil
                    return Node(
                        name: "worker \(try row.text(0)):\(try row.int(1))",
                        answer: answer,
                        reason: answer == nil ? text : ""
                    )
                },
                apps: apps,
                needed: needed
            )
        }
    }
}

extension ClusterState.Answer {
    /// - Returns: nil if this is no answer of a node.
    init?(json: String) {
        guard let document = try? JSONDocument(reading: json.utf8), let versions = document.root["versions"]?.string
        else { return nil }
        func number(_ name: String) -> Int { document.root[name]?.number.flatMap { Int($0) } ?? 0 }
        func values<Value>(_ name: String, _ value: (JSONNode) -> Value?) -> [String: Value] {
            guard let members = document.root[name]?.members else { return [:] }
            return Dictionary(members.compactMap { key, node in value(node).map { (key, $0) } }) { $1 }
        }
        self.versions = versions
        isMoving = number("parts_leaving") > 0
        commitsInDoubt = number("commits_in_doubt")
        settings = values("settings", \.string)
        functions = values("functions", \.string)
        logins = values("logins") { $0.number.flatMap { Int($0) } }
    }
}
