import EmbeddedPostgres
import Foundation
package import Postgres

/// A PgBouncer in front of a server, on a Unix socket. It ends with this value.
package final class PgBouncer: Sendable {
    package enum Mode: String, Sendable, CaseIterable {
        case session
        case transaction
        case statement
    }

    /// Debian installs it where only root's path leads.
    private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Tests that need it are skipped elsewhere; continuous integration installs it.
    package static var isInstalled: Bool { program != nil }

    private let shell: ServerShell

    /// Returns when it listens.
    ///
    /// - Parameters:
    ///   - settings: further lines of its settings.
    package init(_ mode: Mode, for server: PostgresAddress, settings: [String] = []) throws {
        guard let program = Self.program else { throw EmbeddedPostgresError.notInstalled(searched: ["/usr/sbin"]) }
        let text = """
            [databases]
            * = host=\(server.host) port=\(server.port) user=\(server.user ?? "postgres")
            [pgbouncer]
            pool_mode = \(mode.rawValue)
            auth_type = any
            listen_port = 6432
            \(settings.joined(separator: "\n"))
            """
        shell = try ServerShell(Self.script, [program, text], in: TestServer.temporaryFolder(), named: "pgbouncer")
    }

    deinit { shell.end() }

    package func address(_ database: String) -> PostgresAddress {
        PostgresAddress(host: shell.folder, port: 6432, database: database, user: "tributary")
    }

    /// $0 the folder, $1 pgbouncer, $2 its settings.
    private static let script = """
        trap '' INT TERM HUP PIPE
        cd "$0" || exit 1
        printf '%s\\nlisten_addr =\\nunix_socket_dir = %s\\n' "$2" "$0" >settings.ini
        (trap - INT TERM HUP PIPE; exec "$1" settings.ini) </dev/null >log 2>&1 &
        bouncer=$!
        # QUIT ends it at once. Until 1.22 it leaves QUIT as a shell sets it for what runs in the background: ignored.
        # Such a version ends at once by TERM.
        finish() { kill -QUIT $bouncer; kill -TERM $bouncer; wait $bouncer; rm -rf "$0"; } 2>/dev/null
        tries=0
        until [ -S .s.PGSQL.6432 ]; do
            tries=$((tries + 1))
            if [ $tries -gt 600 ] || ! kill -0 $bouncer 2>/dev/null; then
                cat log; finish; exit 1
            fi
            sleep 0.05
        done
        echo ready
        exec >/dev/null 2>&1
        # Nothing is ever written to the pipe: this waits for its end.
        cat >/dev/null
        finish
        """
}
