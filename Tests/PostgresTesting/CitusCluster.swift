#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import EmbeddedPostgres
import Foundation
package import Postgres

/// A throw-away Citus cluster on this machine: a coordinator and two workers, on the loopback interface.
package final class CitusCluster: Sendable {
    /// Whether the installed PostgreSQL knows the extension.
    package static var isInstalled: Bool {
        guard let binaries = EmbeddedPostgres.locate() else { return false }
        let folder = URL(filePath: binaries.postgres).deletingLastPathComponent()
        let process = Process()
        process.executableURL = folder.appending(path: "pg_config")
        process.arguments = ["--sharedir"]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return false }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let shared = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return FileManager.default.fileExists(atPath: shared + "/extension/citus.control")
    }

    /// How many workers there are.
    static let workers = 2

    private let shell: ServerShell
    /// The ports of the coordinator and the workers.
    package let ports: [Int]

    /// Returns when all servers are ready.
    package init() throws {
        guard let binaries = EmbeddedPostgres.locate() else {
            throw EmbeddedPostgresError.notInstalled(searched: ["PATH"])
        }
        // Below the ports that systems give to clients: a connection that is open would keep a server from its port.
        let first = Int.random(in: 10_000..<32_000)
        ports = (0...Self.workers).map { first + $0 }
        shell = try ServerShell(
            Self.script,
            [binaries.initdb, binaries.postgres] + ports.map(String.init),
            in: "/tmp",
            named: "tributary-citus"
        )
    }

    deinit {
        for node in ports.indices { try? thaw(node) }
        shell.end()
    }

    /// The address of a database of a node: 0 is the coordinator.
    package func address(_ node: Int, database: String = "postgres") -> PostgresAddress {
        PostgresAddress(host: shell.folder, port: ports[node], database: database, user: "tributary")
    }

    /// Creates a database on all nodes. Nothing of it is distributed yet.
    ///
    /// - Parameter hasExtension: whether it knows its workers. If not, call ``addWorkers(to:)``.
    /// - Returns: its address on the coordinator.
    package func makeDatabase(_ name: String, hasExtension: Bool = true) async throws -> PostgresAddress {
        for node in ports.indices { try await run(["create database \(name)"], on: address(node)) }
        if hasExtension { try await addWorkers(to: name) }
        return address(0, database: name)
    }

    /// Creates the extension in a database of all nodes, and tells the coordinator its workers. One database after the
    /// other: with each, Citus writes the roles of all databases on the workers ("tuple concurrently updated").
    package func addWorkers(to name: String) async throws {
        for node in ports.indices { try await run(["create extension citus"], on: address(node, database: name)) }
        try await withConnection(to: address(0)) { alone in
            _ = try await alone.query("select pg_advisory_lock(1)")
            try await run(
                ["select citus_set_coordinator_host('127.0.0.1', \(ports[0]))"]
                    + ports.dropFirst().map { "select citus_add_node('127.0.0.1', \($0))" },
                on: address(0, database: name)
            )
        }
    }

    package func dropDatabase(_ name: String) async throws {
        for node in ports.indices { try await run(["drop database if exists \(name) with (force)"], on: address(node)) }
    }

    /// Ends a server at once, as a crash does. It is started again at once, unless it is to stay away.
    package func kill(_ node: Int, staysAway: Bool = false) throws {
        if staysAway { try Data().write(to: URL(filePath: halt(node))) }
        try control("kill -9", node)
    }

    /// Starts a server that was to stay away. Returns when it takes connections.
    package func start(_ node: Int) async throws {
        try FileManager.default.removeItem(atPath: halt(node))
        var tries = 0
        while true {
            do {
                return try await run(["select 1"], on: address(node))
            } catch  where tries < 600 {
                tries += 1
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Copies the data of a server that stays away.
    package func copy(_ node: Int) throws {
        try runShell("cp -a \(shell.folder)/data\(node) \(shell.folder)/copy\(node)")
    }

    /// Gives a server that stays away the data of its copy, and starts it as a standby that is promoted: all that was
    /// committed since the copy is lost.
    package func promoteCopy(_ node: Int) async throws {
        let (data, copy) = ("\(shell.folder)/data\(node)", "\(shell.folder)/copy\(node)")
        try runShell("touch \(copy)/standby.signal \(copy)/halt && rm -rf \(data) && mv \(copy) \(data)")
        try await start(node)
        try await run(["select pg_promote()"], on: address(node))
    }

    /// Stops all processes of a server, as if its machine hung: it takes connections and never answers.
    package func freeze(_ node: Int) throws { try signal("STOP", node) }

    package func thaw(_ node: Int) throws { try signal("CONT", node) }

    /// Stops one session of a server.
    package func freeze(session: Int) throws { try runShell("kill -STOP \(session)") }

    package func thaw(session: Int) throws { try runShell("kill -CONT \(session)") }

    /// Sends a signal to a server's process and then to its sessions.
    private func signal(_ name: String, _ node: Int) throws {
        try control("f() { kill -\(name) $1 $(cat /proc/$1/task/$1/children); }; f", node)
    }

    private func halt(_ node: Int) -> String { "\(shell.folder)/data\(node)/halt" }

    /// Sends a server's process a command of the shell, for example `kill -9`.
    private func control(_ command: String, _ node: Int) throws {
        let file = "\(shell.folder)/data\(node)/postmaster.pid"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try runShell("\(command) \(text.prefix { !$0.isNewline })")
    }

    private func runShell(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        try process.run()
        process.waitUntilExit()
    }

    private func run(_ statements: [String], on address: PostgresAddress) async throws {
        try await withConnection(to: address) { connection in
            for statement in statements { _ = try await connection.query(statement) }
        }
    }

    private func withConnection(
        to address: PostgresAddress,
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        let connection = try await PostgresConnection.connect(
            to: address,
            options: PostgresOptions(connectTimeout: .seconds(60), statementTimeout: nil)
        )
        do {
            try await body(connection)
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }

    /// $0 the folder, $1 initdb, $2 postgres, then the ports. A server that ends is started again after a moment.
    /// Durability is off, because the data is temporary.
    private static let script = """
        trap '' INT TERM HUP PIPE
        cd "$0" || exit 1
        initdb=$1 postgres=$2; shift 2
        "$initdb" -D data0 --username=tributary --auth=trust --encoding=UTF8 --locale=C --no-sync >init.log 2>&1 \
        || { cat init.log; rm -rf "$0"; exit 1; }
        node=0
        servers=
        for port in "$@"; do
            [ $node = 0 ] || cp -r data0 data$node.new
            node=$((node + 1))
        done
        node=0
        for port in "$@"; do
            [ $node = 0 ] || mv data$node.new data$node
            (
                trap - INT TERM HUP PIPE
                trap 'touch "$0/data$node/over"; kill -QUIT $server 2>/dev/null; wait $server; exit' USR1
                until [ -e data$node/over ]; do
                    if [ -e data$node/halt ]; then sleep 0.1; continue; fi
                    "$postgres" -D "$0/data$node" -c shared_preload_libraries=citus -c listen_addresses=127.0.0.1 \
        -c port=$port -c unix_socket_directories="$0" -c max_connections=300 -c shared_buffers=64MB -c fsync=off \
        -c synchronous_commit=off -c full_page_writes=off -c wal_level=logical -c max_prepared_transactions=300 \
        -c max_worker_processes=64 -c checkpoint_timeout=1h -c jit=off -c dynamic_shared_memory_type=mmap \
        -c citus.shard_count=4 -c citus.node_conninfo=sslmode=disable -c citus.recover_2pc_interval=5s \
        -c citus.node_connection_timeout=5s </dev/null >>server$node.log 2>&1 &
                    server=$!
                    wait $server
                    sleep 0.2
                done
            ) </dev/null >/dev/null 2>&1 &
            servers="$servers $!"
            node=$((node + 1))
        done
        node=0
        for port in "$@"; do
            tries=0
            until grep -q '^ready' data$node/postmaster.pid 2>/dev/null; do
                tries=$((tries + 1))
                if [ $tries -gt 1200 ]; then
                    cat server$node.log; kill -USR1 $servers; wait; rm -rf "$0"; exit 1
                fi
                sleep 0.05
            done
            node=$((node + 1))
        done
        echo ready
        exec >/dev/null 2>&1
        # Nothing is ever written to the pipe: this waits for its end.
        cat >/dev/null
        kill -USR1 $servers
        wait
        rm -rf "$0"
        """
}
